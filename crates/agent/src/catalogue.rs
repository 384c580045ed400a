//! The catalogue: the metadata fields that a plan may filter by.

use serde::{Deserialize, Serialize};

use super::plan::Operator;
use ragnav_base::error::RagnavError;

/// The largest number of fields. Each one is a variant in the schema that a model's server
/// compiles.
pub const MAX_FIELDS: usize = 64;

/// A metadata field of the documents.
///
/// # Examples
///
/// ```
/// use ragnav_agent::catalogue::{Field, FieldType};
///
/// let field: Field = serde_json::from_str(r#"{"name": "due", "type": "date"}"#).unwrap();
/// assert_eq!(field, Field::new("due", FieldType::Date, ""));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Field {
    /// The key in the metadata.
    pub name: String,
    /// The type of the values.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// For a date the unit since 1970, `s` (the default) or `ms`. For a number a text for the
    /// model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Values that a model may use even if the question does not contain them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_values: Option<Vec<String>>,
    /// A description for the model.
    #[serde(default)]
    pub description: String,
}

/// The type of a field's values.
///
/// # Examples
///
/// ```
/// use ragnav_agent::catalogue::FieldType;
///
/// assert_eq!(serde_json::to_value(FieldType::StringList).unwrap(), "string[]");
/// ```
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
    /// Returns the operators that apply to values of this type.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::catalogue::FieldType;
    /// use ragnav_agent::plan::Operator;
    ///
    /// assert_eq!(FieldType::Bool.operators(), [Operator::Eq, Operator::Ne]);
    /// ```
    #[must_use]
    pub fn operators(self) -> &'static [Operator] {
        use Operator::{
            Contains, Eq, Gt, Gte, In, Like, Lt, Lte, Ne, Nin, NotContains, StartsWith,
        };
        match self {
            Self::String => &[Eq, Ne, In, Nin, Contains, NotContains, Like, StartsWith],
            Self::Number => &[Eq, Ne, Gt, Gte, Lt, Lte, In, Nin],
            Self::Bool => &[Eq, Ne],
            // A day is a range, and a conjunction of clauses cannot express "outside a range".
            Self::Date => &[Eq, Gt, Gte, Lt, Lte],
            Self::StringList => &[Contains, NotContains, In, Nin],
        }
    }

    /// Returns the name on the wire.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
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
    /// Builds a field without a unit and known values.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::catalogue::{Field, FieldType};
    ///
    /// let tenant = Field::new("tenant", FieldType::String, "the customer");
    /// assert_eq!((tenant.name.as_str(), tenant.known_values), ("tenant", None));
    /// ```
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

    /// Returns the number of the date's units in a second.
    #[must_use]
    pub(crate) fn per_second(&self) -> i64 {
        match self.unit.as_deref() {
            Some("ms") => 1000,
            _ => 1,
        }
    }
}

/// The meaning of a field, independent of its name in the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The creation date of a document.
    Created,
    /// The modification date.
    Modified,
    /// The tags.
    Tags,
    /// The targets of links.
    Links,
    /// The path, with `/` between folders.
    Path,
    /// The level of the heading.
    Level,
    /// The programming language.
    Language,
    /// The kind of definition: `function`, `class`, `method`.
    Kind,
}

impl Role {
    /// Returns the types that such a field may have, and its usual names, best first.
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
            Self::Language => (&[String], &["language", "lang"]),
            Self::Kind => (&[String], &["kind"]),
        }
    }
}

/// The metadata fields of a document store.
///
/// # Examples
///
/// ```
/// use ragnav_agent::catalogue::{Catalogue, Field, FieldType};
///
/// let mut fields = Catalogue::notes().fields().to_vec();
/// fields.push(Field::new("tenant", FieldType::String, "the customer"));
/// assert!(Catalogue::new(fields).is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Catalogue {
    fields: Vec<Field>,
}

impl Catalogue {
    /// Builds a catalogue.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an empty or duplicate name, a date with an unknown unit, and more
    /// than [`MAX_FIELDS`] fields.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::catalogue::{Catalogue, Field, FieldType};
    ///
    /// let tags = Field::new("tags", FieldType::StringList, "");
    /// assert!(Catalogue::new(vec![tags.clone()]).is_ok());
    /// assert!(Catalogue::new(vec![tags.clone(), tags]).is_err());
    /// ```
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

    /// Returns the fields of Markdown notes.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::catalogue::Catalogue;
    ///
    /// assert!(Catalogue::notes().fields().iter().any(|field| field.name == "wikilinks"));
    /// ```
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

    /// Returns the fields of source code.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::catalogue::Catalogue;
    ///
    /// assert!(Catalogue::code().fields().iter().any(|field| field.name == "symbol"));
    /// ```
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

    /// Returns the fields of notes and code, for a folder with both.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::catalogue::Catalogue;
    ///
    /// let catalogue = Catalogue::all();
    /// let has = |name| catalogue.fields().iter().any(|field| field.name == name);
    /// assert!(has("wikilinks") && has("symbol"));
    /// ```
    #[must_use]
    pub fn all() -> Self {
        let mut fields = Self::notes().fields;
        let code = Self::code().fields.into_iter();
        // The embedded store knows modification dates only of notes.
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

    /// Returns all fields.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::catalogue::Catalogue;
    ///
    /// assert_eq!(Catalogue::code().fields()[0].name, "path");
    /// ```
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Returns the field with this name.
    #[must_use]
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns the field with this name in any case, if it is unique.
    #[must_use]
    pub(crate) fn field_like(&self, name: &str) -> Option<&Field> {
        let mut fitting = self
            .fields
            .iter()
            .filter(|field| field.name.eq_ignore_ascii_case(name));
        let first = fitting.next();
        self.field(name)
            .or(first.filter(|_| fitting.next().is_none()))
    }

    /// Returns the field with this role, by its usual names.
    #[must_use]
    pub(crate) fn with_role(&self, role: Role) -> Option<&Field> {
        let (types, names) = role.names();
        let mut known = names.iter().filter_map(|name| self.field_like(name));
        known.find(|field| types.contains(&field.kind))
    }
}
