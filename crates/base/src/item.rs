//! The rows of answers. Lines are 1-based and inclusive, columns 0-based UTF-16 units.

use serde::{Deserialize, Serialize};

use crate::envelope::{FreshnessState, Proof, RagToolMeta, RagToolSource, SourceTag};
use crate::symbol_id::SymbolId;

/// Where a snippet stands.
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

/// Some lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Snippet {
    /// The lines, joined with `\n`; one of over 500 UTF-16 units is cut around the hit, `…` where it was cut.
    pub text: String,
    /// Where they stand.
    pub location: SnippetLocation,
}

/// What a hit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// A line of text that matches, whatever it means.
    Text,
    /// A call.
    Call,
    /// An import.
    Import,
    /// A class that inherits.
    Inherit,
    /// Any other mention.
    Reference,
    /// A definition that fits a ranked query; the hit is its name.
    Definition,
}

/// How sure it is that a hit is about a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// By scopes and imports.
    Resolved,
    /// By its name alone: what it is a member of is not known.
    Candidate,
}

/// One hit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct NavItem {
    /// The file, relative to the repository's root.
    pub file: String,
    /// The lines around the hit: two before to two after.
    pub snippet: Snippet,
    /// The line of the hit.
    pub line: u32,
    /// Where the first match on the line begins; with a ranked text, the mention that says most.
    pub start_utf16: u32,
    /// Where it ends, exclusive.
    pub end_utf16: u32,
    /// What the hit is.
    pub kind: ItemKind,
    /// The innermost definition that encloses the hit in the text as it is now; of a definition its own id.
    pub symbol: Option<SymbolId>,
    /// Where this row came from.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// How that is known.
    pub proof: Proof,
    /// What the repository's graph knows of the symbol, found by its name and never by a line.
    pub enrichment: Option<Enrichment>,
    /// How sure it is that the hit is about a symbol; `null` for text and definitions.
    pub resolution: Option<Resolution>,
    /// How well a row fits a ranked query, higher for better, in no unit: to be compared within one answer. `null` where rows are not ranked.
    pub score: Option<f64>,
}

/// What kind of thing a definition defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum DefinitionKind {
    /// A class.
    Class,
    /// A function that is no method.
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
}

/// One definition and where it stands now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct Definition {
    /// The definition's id.
    pub symbol: SymbolId,
    /// Which of the definitions with this id in this file it is, from 0.
    pub ordinal: u32,
    /// What it defines.
    pub kind: DefinitionKind,
    /// The file, relative to the repository's root.
    pub file: String,
    /// The line of its `def` or `class`, decorators not counted.
    pub start_line: u32,
    /// The last line of its body, trailing comments not counted.
    pub end_line: u32,
    /// Where this row came from.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// How that is known.
    pub proof: Proof,
    /// How it was found again; `null` where it was found by its text alone.
    pub r#match: Option<Match>,
}

/// How something that was known before was found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// On the lines where it was.
    Exact,
    /// On other lines.
    Moved,
    /// Under another name or in another file, with the body it had.
    Renamed,
    /// Several fit, and nothing tells which is meant.
    Ambiguous,
}

/// What a graph knows of a symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct Enrichment {
    /// What it does.
    pub summary: Option<String>,
    /// How to use it.
    pub usage_guide: Option<String>,
    /// What kind of content it is.
    pub content_type: Option<String>,
    /// The language it is written in.
    pub content_language: Option<String>,
    /// How the symbol was found again.
    pub r#match: Match,
}

/// A span of whole lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct SymbolLocation {
    /// The first line.
    pub start_line: u32,
    /// The last line.
    pub end_line: u32,
}

/// One line that matches, from the pure function `iterMatches`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct LineMatch {
    /// The line.
    pub line: u32,
    /// Where the first match on the line begins.
    pub start_utf16: u32,
    /// Where it ends, exclusive.
    pub end_utf16: u32,
    /// The whole line without its line break.
    pub text: String,
}

/// Why a file or folder in scope was not searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// It holds NUL bytes.
    Binary,
    /// It is not UTF-8.
    NotUtf8,
    /// It is over the size limit.
    TooLarge,
    /// The folders are nested beyond the limit.
    TooDeep,
    /// The limit on the number of files was reached before it.
    TooManyFiles,
    /// It is a symbolic link: links are not followed.
    Link,
    /// Its name cannot be part of a path.
    BadName,
    /// It vanished between the listing and the reading.
    Missing,
    /// The host may not read it.
    Denied,
    /// The host failed to read it.
    Io,
    /// A folder of installed packages: `node_modules`, a virtual environment.
    InstalledPackages,
    /// A folder of derived data: `__pycache__`, or one with a `CACHEDIR.TAG`.
    Cache,
    /// An ignore rule leaves it out.
    Ignored,
    /// It is not as it was indexed, and the policy `allow` answers from the index alone.
    Changed,
}

/// A file or folder that was not searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Skipped {
    /// Its path; a folder's ends with `/`.
    pub file: String,
    /// Why.
    pub reason: SkipReason,
}

/// How a file stands to the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is as it was indexed.
    Unchanged,
    /// It has other content.
    Changed,
    /// The index does not have it.
    Added,
    /// Only the index has it.
    Removed,
    /// It is as it was indexed, and no file that is searched: `reason` says why.
    Skipped,
    /// It could not be checked: `reason` says why.
    Unknown,
}

/// How a file stands to the index, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct FileVerdict {
    /// The file, relative to the repository's root; a folder that could not be listed ends with `/`.
    pub file: String,
    /// How it stands to the index.
    pub verdict: Verdict,
    /// How that is known.
    pub proof: Proof,
    /// Why it is skipped or unknown.
    pub reason: Option<SkipReason>,
}

/// A page of the rows of an answer. Every paged query answers with one; `head` is what the query adds to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct Page<T, H> {
    /// What the answer rests on.
    pub meta: RagToolMeta,
    /// The rows of this page, in the order that the query defines.
    pub items: Vec<T>,
    /// Equal to `meta.source`.
    pub source: RagToolSource,
    /// Equal to `meta.freshness_state`.
    pub freshness_state: FreshnessState,
    /// Whether rows follow this page, or a limit was met before everything was looked at.
    pub truncated: bool,
    /// The rows of all pages; `null` where a limit stopped the counting.
    pub total: Option<u32>,
    /// Asks for the next page, as long as the rows do not change.
    pub cursor: Option<String>,
    /// The first files that could not be searched; `meta.files.skipped` counts all.
    pub skipped: Vec<Skipped>,
    /// What this query says beside its rows.
    #[serde(flatten)]
    pub head: H,
}

impl<T, H> Page<T, H> {
    /// Returns the page of a failed query: no rows.
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
            head,
        }
    }
}

/// Which way a lineage goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To callers, subclasses and importers.
    Upstream,
    /// To callees and superclasses.
    Downstream,
}

/// How two symbols of a lineage hang together.
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
}

/// One step of a lineage: the place where it is taken.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct LineageItem {
    /// The place.
    #[serde(flatten)]
    pub item: NavItem,
    /// How many steps it is from the symbol asked about, from 1.
    pub depth: u32,
    /// How the two symbols hang together.
    pub edge: Edge,
    /// The symbols on the way from the one asked about, the far end of this step last; module-level code has none.
    pub via: Vec<SymbolId>,
}
