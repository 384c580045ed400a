//! The fields that a plan may filter by.

use serde::{Deserialize, Serialize};

use super::plan::Operator;
use ragnav_base::error::RagnavError;

/// Most fields of a catalogue: each is a variant in the schema that a model's server compiles.
pub const MAX_FIELDS: usize = 64;

/// A field of the documents' metadata.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Field {
    /// Its key in the metadata.
    pub name: String,
    /// What its values are.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// Of a date: what it counts since 1970, `s` (the default) or `ms`. Of a number: words for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Values that a model may use although the question does not hold them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_values: Option<Vec<String>>,
    /// What it means, for the model.
    #[serde(default)]
    pub description: String,
}

/// What the values of a field are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum FieldType {
    /// Text.
    String,
    /// Numbers.
    Number,
    /// `true` or `false`.
    Bool,
    /// Points in time, stored as numbers; see [`Field::unit`].
    Date,
    /// Lists of texts.
    #[serde(rename = "string[]")]
    StringList,
}

impl FieldType {
    /// The operators that make sense of such values.
    #[must_use]
    pub fn operators(self) -> &'static [Operator] {
        use Operator::{
            Contains, Eq, Gt, Gte, In, Like, Lt, Lte, Ne, Nin, NotContains, StartsWith,
        };
        match self {
            Self::String => &[Eq, Ne, In, Nin, Contains, NotContains, Like, StartsWith],
            Self::Number => &[Eq, Ne, Gt, Gte, Lt, Lte, In, Nin],
            Self::Bool => &[Eq, Ne],
            // A day is a range, and what lies outside of one cannot be said by clauses that all must hold.
            Self::Date => &[Eq, Gt, Gte, Lt, Lte],
            Self::StringList => &[Contains, NotContains, In, Nin],
        }
    }

    /// As it is written on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Bool => "bool",
            Self::Date => "date",
            Self::StringList => "string[]",
        }
    }
}

impl Field {
    /// A field without unit and known values.
    #[must_use]
    pub fn new(name: &str, kind: FieldType, description: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            unit: None,
            known_values: None,
            description: description.to_owned(),
        }
    }

    /// How many of a date's unit a second has.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        match self.unit.as_deref() {
            Some("ms") => 1000.0,
            _ => 1.0,
        }
    }
}

/// What the words of a question can be about, whatever a catalogue calls the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// When a document was made.
    Created,
    /// When it was last changed.
    Modified,
    /// Its tags.
    Tags,
    /// What it links to.
    Links,
    /// Its path, `/` between folders.
    Path,
    /// The depth of its heading.
    Level,
    /// Its title.
    Title,
    /// The programming language it is written in.
    Language,
    /// What it defines: `function`, `class`, `method`.
    Kind,
    /// The symbol it defines.
    Symbol,
}

impl Role {
    /// The types such a field may have and the names it goes by, the best first.
    fn names(self) -> (&'static [FieldType], &'static [&'static str]) {
        use FieldType::{Date, Number, String, StringList};
        match self {
            Self::Created => (&[Date], &["created_date", "created", "created_at", "date"]),
            Self::Modified => (
                &[Date],
                &[
                    "modified_date",
                    "modified",
                    "modified_at",
                    "updated",
                    "updated_at",
                ],
            ),
            Self::Tags => (&[StringList, String], &["tags", "tag"]),
            Self::Links => (&[StringList, String], &["wikilinks", "links", "wikilink"]),
            Self::Path => (&[String], &["file_path", "path", "file"]),
            Self::Level => (&[Number], &["level", "heading_level"]),
            Self::Title => (&[String], &["title"]),
            Self::Language => (&[String], &["language", "lang"]),
            Self::Kind => (&[String], &["kind"]),
            Self::Symbol => (&[String], &["symbol"]),
        }
    }
}

/// The fields of a collection of documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Catalogue {
    fields: Vec<Field>,
}

impl Catalogue {
    /// A catalogue of fields.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a name that is empty or stands twice, a date in an unknown unit, and more than [`MAX_FIELDS`].
    pub fn new(fields: Vec<Field>) -> Result<Self, RagnavError> {
        if fields.len() > MAX_FIELDS {
            let message = format!("a catalogue has at most {MAX_FIELDS} fields");
            return Err(RagnavError::invalid(message));
        }
        for (index, field) in fields.iter().enumerate() {
            let name = &field.name;
            if name.trim().is_empty() {
                return Err(RagnavError::invalid("a field of the catalogue has no name"));
            }
            if fields.iter().take(index).any(|other| other.name == *name) {
                let message = format!("the catalogue has two fields {name:?}");
                return Err(RagnavError::invalid(message));
            }
            let unit = field.unit.as_deref().unwrap_or("s");
            if field.kind == FieldType::Date && !["s", "ms"].contains(&unit) {
                let message =
                    format!("{name:?}: a date counts `s` or `ms` since 1970, not {unit:?}");
                return Err(RagnavError::invalid(message));
            }
        }
        Ok(Self { fields })
    }

    /// The fields of notes in Markdown.
    #[must_use]
    pub fn notes() -> Self {
        use FieldType::{Date, Number, String, StringList};
        let fields = [
            ("created_date", Date, "when the note was created"),
            ("modified_date", Date, "when the note was last changed"),
            ("tags", StringList, "the note's tags, without #"),
            (
                "wikilinks",
                StringList,
                "the notes it links to, without [[ ]]",
            ),
            ("file_path", String, "the note's path, / between folders"),
            ("heading", String, "the heading of the section"),
            ("title", String, "the note's title"),
            (
                "level",
                Number,
                "the level of the section's heading, 1 to 6",
            ),
        ];
        Self::preset(&fields)
    }

    /// The fields of source code.
    #[must_use]
    pub fn code() -> Self {
        use FieldType::{Date, String};
        let fields = [
            ("path", String, "the file's path, / between folders"),
            (
                "language",
                String,
                "the programming language, in lower case",
            ),
            ("kind", String, "what is defined: function, class, method"),
            ("symbol", String, "the name of what is defined"),
            ("module", String, "the module it is in"),
            ("modified", Date, "when the file was last changed"),
        ];
        Self::preset(&fields)
    }

    /// Notes and code: what the embedded store holds of a folder that has both.
    #[must_use]
    pub fn all() -> Self {
        let mut fields = Self::notes().fields;
        let code = Self::code().fields.into_iter();
        // The time that a file was changed is known of notes alone.
        fields.extend(code.filter(|field| field.kind != FieldType::Date));
        Self { fields }
    }

    fn preset(fields: &[(&str, FieldType, &str)]) -> Self {
        let fields = fields
            .iter()
            .map(|(name, kind, description)| Field::new(name, *kind, description));
        Self {
            fields: fields.collect(),
        }
    }

    /// All fields.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The field of that name in any case, if it is the only one.
    #[must_use]
    pub fn field_like(&self, name: &str) -> Option<&Field> {
        let mut fitting = self
            .fields
            .iter()
            .filter(|field| field.name.eq_ignore_ascii_case(name));
        let first = fitting.next();
        self.field(name)
            .or(first.filter(|_| fitting.next().is_none()))
    }

    /// The field that has a role, by its usual names.
    #[must_use]
    pub fn with_role(&self, role: Role) -> Option<&Field> {
        let (types, names) = role.names();
        let mut known = names.iter().filter_map(|name| self.field_like(name));
        known.find(|field| types.contains(&field.kind))
    }
}
