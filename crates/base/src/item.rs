//! The rows of answers. Lines are 1-based and inclusive, columns 0-based UTF-16 units.

use serde::{Deserialize, Serialize};

use crate::completeness::{Completeness, Doubt};
use crate::envelope::{FreshnessState, Proof, RagToolMeta, RagToolSource, SourceTag};
use crate::symbol_id::SymbolId;

/// The location of a snippet.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::SnippetLocation;
///
/// let location = SnippetLocation { path: "a.py".to_owned(), start_line: 3, end_line: 7 };
/// let json = r#"{"path":"a.py","start_line":3,"end_line":7}"#;
/// assert_eq!(serde_json::to_string(&location).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct SnippetLocation {
    /// The file, relative to the repository's root.
    pub path: String,
    /// The first line.
    pub start_line: u32,
    /// The last line.
    pub end_line: u32,
}

/// A few lines of a file.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::{Snippet, SnippetLocation};
///
/// let location = SnippetLocation { path: "a.py".to_owned(), start_line: 1, end_line: 2 };
/// let snippet = Snippet { text: "def f():\n    pass".to_owned(), location };
/// assert_eq!(snippet.text.lines().count(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Snippet {
    /// The lines, joined with `\n`. A line of more than 500 UTF-16 units is truncated around the
    /// match, with `…` at each cut.
    pub text: String,
    /// The location of the lines.
    pub location: SnippetLocation,
}

/// The kind of a row.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::ItemKind;
///
/// assert_eq!(serde_json::to_value(ItemKind::Call).unwrap(), "call");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// A line whose text matches.
    Text,
    /// A call.
    Call,
    /// An import.
    Import,
    /// A base class in a class header.
    Inherit,
    /// Any other reference.
    Reference,
    /// A definition that matches a ranked query; the row points at its name.
    Definition,
}

/// The certainty that a reference means a symbol.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Resolution;
///
/// assert_eq!(serde_json::to_value(Resolution::Candidate).unwrap(), "candidate");
/// // Proven rows come first.
/// assert!(Resolution::Resolved < Resolution::Candidate);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// Scopes and imports prove it.
    Resolved,
    /// Only the name is equal: the type of the receiver is unknown.
    Candidate,
}

/// Who says what a row says, if it is not ragnav's own resolution.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Evidence;
///
/// assert_eq!(serde_json::to_value(Evidence::Compiler).unwrap(), "compiler");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// An index that a compiler made, for files that are as they were indexed.
    Compiler,
}

/// One row of an answer.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
/// use ragnav_base::item::{ItemKind, NavItem, Snippet, SnippetLocation};
/// use ragnav_base::symbol_id::SymbolId;
///
/// let location = SnippetLocation { path: "a.py".to_owned(), start_line: 1, end_line: 2 };
/// let row = NavItem {
///     file: "a.py".to_owned(),
///     snippet: Snippet { text: "def f():\n    g()".to_owned(), location },
///     line: 2,
///     start_utf16: 4,
///     end_utf16: 5,
///     encoding: None,
///     kind: ItemKind::Call,
///     symbol: Some(SymbolId::new("a", "f")),
///     source: SourceTag::LocalFallback,
///     freshness_state: FreshnessState::Fresh,
///     proof: Proof::Live,
///     enrichment: None,
///     resolution: None,
///     evidence: None,
///     score: None,
///     explanation: None,
///     steps: None,
///     condition: None,
/// };
/// let json = serde_json::to_value(&row).unwrap();
/// assert_eq!(json["symbol"], "sym:a.f");
/// assert_eq!(json["proof"], "live");
/// // UTF-8 is not mentioned.
/// assert_eq!(json.get("encoding"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct NavItem {
    /// The file, relative to the repository's root.
    pub file: String,
    /// The lines from two before to two after the match.
    pub snippet: Snippet,
    /// The line of the match.
    pub line: u32,
    /// The start of the first match on the line; in a ranked query, of the most relevant one.
    pub start_utf16: u32,
    /// The end of the match, exclusive.
    pub end_utf16: u32,
    /// The encoding of the file, such as `windows-1252` or `utf-16le`; absent for UTF-8. With
    /// `unknown-8bit`, U+FFFD replaces the bytes that are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string"))]
    pub encoding: Option<String>,
    /// The kind of the row.
    pub kind: ItemKind,
    /// The innermost definition that encloses the match in the current text; for a definition its
    /// own id.
    pub symbol: Option<SymbolId>,
    /// The origin of this row.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// The proof that this row is current.
    pub proof: Proof,
    /// The enrichment of the symbol, looked up by name and never by line.
    pub enrichment: Option<Enrichment>,
    /// The certainty that the row is about the symbol; `null` for text and definitions.
    pub resolution: Option<Resolution>,
    /// Who resolved the row; absent if ragnav did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "Evidence"))]
    pub evidence: Option<Evidence>,
    /// The relevance to a ranked query, higher for better. It has no unit and compares only within
    /// one answer. `null` if the rows are not ranked.
    pub score: Option<f64>,
    /// What the score consists of, if the query asks for it with `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "Explanation"))]
    pub explanation: Option<Explanation>,
    /// How the name leads to the symbol, if the query asks for it with `explain` and ragnav
    /// resolved the row. Empty if the name itself is bound to the symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "ResolutionStep[]"))]
    pub steps: Option<Vec<ResolutionStep>>,
    /// The condition under which the line is compiled, such as `defined(_WIN32)`; absent if it
    /// always is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string"))]
    pub condition: Option<String>,
}

/// One step from a name to what it means.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::{ResolutionStep, StepKind};
///
/// let kind = StepKind::ImportedAs;
/// let step = ResolutionStep { kind, name: "total".to_owned(), file: "pay.py".to_owned(), line: 1 };
/// let json = r#"{"kind":"imported_as","name":"total","file":"pay.py","line":1}"#;
/// assert_eq!(serde_json::to_string(&step).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ResolutionStep {
    /// What happens at the place.
    pub kind: StepKind,
    /// The name that is bound there, or that is called or inherited from.
    pub name: String,
    /// The file of the place.
    pub file: String,
    /// The line of the place.
    pub line: u32,
}

/// How a step leads from a name to what it means.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::StepKind;
///
/// assert_eq!(serde_json::to_string(&StepKind::ReturnedBy).unwrap(), r#""returned_by""#);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// An import binds the name.
    ImportedAs,
    /// A value is assigned to the name, or a loop or pattern binds it.
    AssignedTo,
    /// A call of the function passes the value.
    PassedTo,
    /// The annotation of the parameter is the type.
    TypedBy,
    /// The function returns the value, or declares its type.
    ReturnedBy,
    /// The class inherits the member.
    InheritedBy,
}

/// What the score of a ranked row consists of: `factor · (document + share · (text + path + name +
/// mentioned + history + documents))`.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Explanation;
///
/// let explanation = Explanation {
///     terms: vec!["price".to_owned()],
///     document: 4.0,
///     share: 0.5,
///     text: 2.0,
///     path: 0.0,
///     name: 1.0,
///     mentioned: 0.0,
///     history: 0.0,
///     documents: 0.0,
///     factor: 1.0,
/// };
/// let of_file = explanation.text + explanation.name;
/// let score = explanation.factor * (explanation.document + explanation.share * of_file);
/// assert!((score - 5.5).abs() < 1e-9);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Explanation {
    /// The terms of the query in the row's definition or passage, and in the path of its file.
    pub terms: Vec<String>,
    /// The score of the definition or passage itself, with its names.
    pub document: f64,
    /// The part of what the file adds that this row gets: 1 for the best row of the file.
    pub share: f64,
    /// What the text of the file adds.
    pub text: f64,
    /// What the path of the file adds.
    pub path: f64,
    /// What the name of the file adds.
    pub name: f64,
    /// What it adds that the query mentions the file.
    pub mentioned: f64,
    /// What the history of the file adds, if the query asks for it with `history`.
    pub history: f64,
    /// What the other definitions and passages of the file add.
    pub documents: f64,
    /// The factor of the file: below 1 for tests, documentation and the like.
    pub factor: f64,
}

/// The kind of a definition.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::DefinitionKind;
///
/// let kind: DefinitionKind = serde_json::from_str(r#""method""#).unwrap();
/// assert_eq!(kind, DefinitionKind::Method);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum DefinitionKind {
    /// A class.
    Class,
    /// A function that is not a method.
    Function,
    /// A function directly in a class, an interface or an object.
    Method,
    /// An interface.
    Interface,
    /// An enum.
    Enum,
    /// A type alias.
    Type,
    /// A namespace.
    Namespace,
    /// A module: a file as a whole.
    Module,
}

impl DefinitionKind {
    /// Reports whether definitions of this kind have bases and methods.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::item::DefinitionKind;
    ///
    /// assert!(DefinitionKind::Interface.has_methods());
    /// assert!(!DefinitionKind::Type.has_methods());
    /// ```
    #[must_use]
    pub fn has_methods(self) -> bool {
        matches!(self, Self::Class | Self::Interface | Self::Enum)
    }
}

/// A definition at its current location.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
/// use ragnav_base::item::{Definition, DefinitionKind};
/// use ragnav_base::symbol_id::SymbolId;
///
/// let definition = Definition {
///     symbol: SymbolId::new("shop.cart", "Cart.total"),
///     ordinal: 0,
///     kind: DefinitionKind::Method,
///     file: "shop/cart.py".to_owned(),
///     start_line: 14,
///     end_line: 15,
///     source: SourceTag::RagGraph,
///     freshness_state: FreshnessState::Fresh,
///     proof: Proof::Stat,
///     r#match: None,
///     condition: None,
///     evidence: None,
/// };
/// let json = serde_json::to_value(&definition).unwrap();
/// assert_eq!(json["symbol"], "sym:shop.cart.Cart.total");
/// assert_eq!(json["match"], serde_json::Value::Null);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct Definition {
    /// The definition's id.
    pub symbol: SymbolId,
    /// The number of this definition among those of the file with the same id, from 0.
    pub ordinal: u32,
    /// The kind of the definition.
    pub kind: DefinitionKind,
    /// The file, relative to the repository's root.
    pub file: String,
    /// The line of its `def` or `class`, without decorators.
    pub start_line: u32,
    /// The last line of its body, without trailing comments.
    pub end_line: u32,
    /// The origin of this row.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// The proof that this row is current.
    pub proof: Proof,
    /// The result of re-identification; `null` if the definition was found by its text alone.
    pub r#match: Option<Match>,
    /// The condition under which it is compiled, such as `defined(_WIN32)`; absent if it always is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string"))]
    pub condition: Option<String>,
    /// Who resolved the name that means it; absent if ragnav did, and for a definition that was
    /// asked for by its own name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "Evidence"))]
    pub evidence: Option<Evidence>,
}

/// The result of re-identifying a definition from an earlier build.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Match;
///
/// assert_eq!(serde_json::to_value(Match::Renamed).unwrap(), "renamed");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// The definition is on the same lines.
    Exact,
    /// The definition is on other lines.
    Moved,
    /// The definition has another name or file, and the same body.
    Renamed,
    /// Several definitions match equally well.
    Ambiguous,
}

/// The enrichment of a symbol: what other programs wrote about it into the graph.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::{Enrichment, Match};
///
/// let enrichment = Enrichment {
///     summary: Some("Adds up the prices.".to_owned()),
///     usage_guide: None,
///     content_type: None,
///     content_language: Some("python".to_owned()),
///     r#match: Match::Moved,
/// };
/// assert_eq!(serde_json::to_value(&enrichment).unwrap()["match"], "moved");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct Enrichment {
    /// A summary of what the symbol does.
    pub summary: Option<String>,
    /// How to use the symbol.
    pub usage_guide: Option<String>,
    /// The type of its content.
    pub content_type: Option<String>,
    /// The language of its content.
    pub content_language: Option<String>,
    /// How the symbol was re-identified.
    pub r#match: Match,
}

/// A range of whole lines.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::SymbolLocation;
///
/// let location = SymbolLocation { start_line: 3, end_line: 7 };
/// assert_eq!(serde_json::to_string(&location).unwrap(), r#"{"start_line":3,"end_line":7}"#);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct SymbolLocation {
    /// The first line.
    pub start_line: u32,
    /// The last line.
    pub end_line: u32,
}

/// One line with a match, from the pure function `iterMatches`.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::LineMatch;
///
/// let text = "total = price_of(article)".to_owned();
/// let found = LineMatch { line: 15, start_utf16: 8, end_utf16: 16, text };
/// assert_eq!(&found.text[8..16], "price_of");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct LineMatch {
    /// The line.
    pub line: u32,
    /// The start of the first match on the line.
    pub start_utf16: u32,
    /// The end of the match, exclusive.
    pub end_utf16: u32,
    /// The whole line without its line break.
    pub text: String,
}

/// The reason why a file or folder in scope was not searched.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::SkipReason;
///
/// assert_eq!(serde_json::to_value(SkipReason::TooLarge).unwrap(), "too_large");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// It holds NUL bytes.
    Binary,
    /// It is over the size limit.
    TooLarge,
    /// It is nested deeper than the limit.
    TooDeep,
    /// The walk reached the limit on the number of files before it.
    TooManyFiles,
    /// It is a symbolic link, which the walk does not follow.
    Link,
    /// Its name cannot be part of a path.
    BadName,
    /// It vanished between the listing and the reading.
    Missing,
    /// The host may not read it.
    Denied,
    /// The host failed to read it.
    Io,
    /// It is a folder of installed packages: `node_modules`, a virtual environment.
    InstalledPackages,
    /// It is a folder of derived data: `__pycache__`, or one with a `CACHEDIR.TAG`.
    Cache,
    /// An ignore rule leaves it out.
    Ignored,
    /// It has changed since it was indexed, and the policy `allow` answers from the index alone.
    Changed,
    /// It was indexed by another version of ragnav, or with other plug-ins.
    OtherVersion,
}

/// A file or folder that was not searched.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::{SkipReason, Skipped};
///
/// let file = "node_modules/".to_owned();
/// let skipped = Skipped { file, reason: SkipReason::InstalledPackages };
/// let json = r#"{"file":"node_modules/","reason":"installed_packages"}"#;
/// assert_eq!(serde_json::to_string(&skipped).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Skipped {
    /// The path; that of a folder ends with `/`.
    pub file: String,
    /// The reason.
    pub reason: SkipReason,
}

/// The status of a file, compared with the index.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Verdict;
///
/// assert_eq!(serde_json::to_value(Verdict::Unchanged).unwrap(), "unchanged");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The file is as it was indexed.
    Unchanged,
    /// The file has other content, or its indexed facts are of another version; see `reason`.
    Changed,
    /// The index does not have the file.
    Added,
    /// Only the index has the file.
    Removed,
    /// The file is as it was indexed, and is not searched; see `reason`.
    Skipped,
    /// The file could not be verified; see `reason`.
    Unknown,
}

/// The status of a file with its proof.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::Proof;
/// use ragnav_base::item::{FileVerdict, Verdict};
///
/// let file = "src/a.py".to_owned();
/// let status = FileVerdict { file, verdict: Verdict::Changed, proof: Proof::Hash, reason: None };
/// let json = r#"{"file":"src/a.py","verdict":"changed","proof":"hash","reason":null}"#;
/// assert_eq!(serde_json::to_string(&status).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct FileVerdict {
    /// The file, relative to the repository's root; a folder that could not be listed ends with
    /// `/`.
    pub file: String,
    /// The status of the file.
    pub verdict: Verdict,
    /// The proof of the status.
    pub proof: Proof,
    /// The reason why the file is skipped or unknown, or changed with the same content.
    pub reason: Option<SkipReason>,
}

/// A page of rows. Every paged query returns one; `head` holds the fields of that query.
///
/// # Examples
///
/// ```
/// use ragnav_base::completeness::Completeness;
/// use ragnav_base::envelope::RagToolMeta;
/// use ragnav_base::item::Page;
///
/// #[derive(serde::Serialize)]
/// struct FilesHead {
///     folder: &'static str,
/// }
///
/// let meta = RagToolMeta::default();
/// let page = Page {
///     source: meta.source,
///     freshness_state: meta.freshness_state,
///     meta,
///     items: vec!["src/a.py"],
///     truncated: false,
///     total: Some(1),
///     cursor: None,
///     skipped: Vec::new(),
///     completeness: Completeness::Proven,
///     doubts: Vec::new(),
///     head: FilesHead { folder: "src" },
/// };
/// let json = serde_json::to_value(&page).unwrap();
/// assert_eq!(json["items"][0], "src/a.py");
/// // The fields of the query stand beside those of every page.
/// assert_eq!(json["folder"], "src");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct Page<T, H> {
    /// The metadata of the answer.
    pub meta: RagToolMeta,
    /// The rows of this page, in the order that the query defines.
    pub items: Vec<T>,
    /// Equal to `meta.source`.
    pub source: RagToolSource,
    /// Equal to `meta.freshness_state`.
    pub freshness_state: FreshnessState,
    /// Whether more rows follow, or a limit ended the query before it saw everything.
    pub truncated: bool,
    /// The number of rows on all pages; `null` if a limit ended the count.
    pub total: Option<u32>,
    /// The cursor of the next page. It is valid while the rows do not change.
    pub cursor: Option<String>,
    /// The first files that were not searched; `meta.files.skipped` counts all of them.
    pub skipped: Vec<Skipped>,
    /// How sure it is that there are no rows but those of all pages.
    pub completeness: Completeness,
    /// Why there may be other rows, and where; empty if the rows are proven to be all.
    pub doubts: Vec<Doubt>,
    /// The fields of this query.
    #[serde(flatten)]
    pub head: H,
}

impl<T, H> Page<T, H> {
    /// Builds the page of a failed query, which has no rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{RagToolMeta, RagToolStatus};
    /// use ragnav_base::item::Page;
    ///
    /// let meta = RagToolMeta { status: RagToolStatus::Error, ..RagToolMeta::default() };
    /// let page: Page<String, ()> = Page::failed(meta, ());
    /// assert_eq!((page.items.len(), page.total), (0, None));
    /// ```
    #[must_use]
    pub fn failed(meta: RagToolMeta, head: H) -> Self {
        Self {
            source: meta.source,
            freshness_state: meta.freshness_state,
            meta,
            items: Vec::new(),
            truncated: false,
            total: None,
            cursor: None,
            skipped: Vec::new(),
            completeness: Completeness::Unknown,
            doubts: Vec::new(),
            head,
        }
    }
}

/// The direction of a lineage.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Direction;
///
/// assert_eq!(serde_json::to_value(Direction::Upstream).unwrap(), "upstream");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To callers, subclasses and importers.
    Upstream,
    /// To callees and superclasses.
    Downstream,
}

/// The relation between two symbols of a lineage.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Edge;
///
/// assert_eq!(serde_json::to_value(Edge::Extends).unwrap(), "extends");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// One calls the other.
    Calls,
    /// One inherits from the other.
    Extends,
    /// One imports the other.
    Imports,
    /// One declares what the other defines, in another file: a stub, a header.
    Declares,
}

/// One step of a lineage.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
/// use ragnav_base::item::{Edge, ItemKind, LineageItem, NavItem, Resolution};
/// use ragnav_base::item::{Snippet, SnippetLocation};
/// use ragnav_base::symbol_id::SymbolId;
///
/// let location = SnippetLocation { path: "cart.py".to_owned(), start_line: 15, end_line: 15 };
/// let item = NavItem {
///     file: "cart.py".to_owned(),
///     snippet: Snippet { text: "    return price_of(article)".to_owned(), location },
///     line: 15,
///     start_utf16: 11,
///     end_utf16: 19,
///     encoding: None,
///     kind: ItemKind::Call,
///     symbol: Some(SymbolId::new("cart", "Cart.total")),
///     source: SourceTag::RagGraph,
///     freshness_state: FreshnessState::Fresh,
///     proof: Proof::Stat,
///     enrichment: None,
///     resolution: Some(Resolution::Resolved),
///     evidence: None,
///     score: None,
///     explanation: None,
///     steps: None,
///     condition: None,
/// };
/// let via = vec![SymbolId::new("prices", "price_of"), SymbolId::new("cart", "Cart.total")];
/// let step = LineageItem { item, depth: 1, edge: Edge::Calls, via };
/// let json = serde_json::to_value(&step).unwrap();
/// assert_eq!((&json["depth"], &json["edge"]), (&1.into(), &"calls".into()));
/// assert_eq!(json["via"][0], "sym:prices.price_of");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct LineageItem {
    /// The reference that makes the step.
    #[serde(flatten)]
    pub item: NavItem,
    /// The number of steps from the queried symbol, from 1.
    pub depth: u32,
    /// The relation between the two symbols.
    pub edge: Edge,
    /// The symbols on the way from the queried one to the end of this step, in that order. Code at
    /// module level has no symbol.
    pub via: Vec<SymbolId>,
}
