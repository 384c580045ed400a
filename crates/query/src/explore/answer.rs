//! What an exploration consists of beside the definitions.

use serde::Serialize;

use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
use ragnav_base::item::LineageItem;
use ragnav_base::symbol_id::SymbolId;

use crate::reaching_tests::ReachingTest;

/// How the definitions of an exploration were found.
///
/// # Examples
///
/// ```
/// use ragnav_query::explore::FoundBy;
///
/// assert_eq!(serde_json::to_value(FoundBy::Words).unwrap(), "words");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    /// The text names them.
    #[default]
    Name,
    /// They fit the words of the text best.
    Words,
}

/// The source of a definition.
///
/// # Examples
///
/// ```
/// use ragnav_query::explore::Source;
///
/// fn is_whole(source: &Source) -> bool {
///     source.shown_lines == source.end_line - source.start_line + 1
/// }
/// # let _ = is_whole;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Source {
    /// The id of the definition.
    pub symbol: SymbolId,
    /// Its file.
    pub file: String,
    /// Its first line.
    pub start_line: u32,
    /// Its last line.
    pub end_line: u32,
    /// The number of lines that `text` has; the rest does not fit into the budget.
    pub shown_lines: u32,
    /// Its text as it is now.
    pub text: String,
    /// The origin of the text.
    pub source: SourceTag,
    /// How current the text is.
    pub freshness_state: FreshnessState,
    /// The proof that the text is current.
    pub proof: Proof,
}

/// What `explore` says beside the definitions.
///
/// # Examples
///
/// ```
/// use ragnav_query::explore::ExploreHead;
///
/// assert!(ExploreHead::default().code.is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ExploreHead {
    /// The text as it was given.
    pub about: String,
    /// How the definitions were found.
    pub found_by: FoundBy,
    /// The defined symbols most like one that nothing defines, best first; else empty.
    pub suggestions: Vec<String>,
    /// The source of the first definition; `null` without one.
    pub code: Option<Source>,
    /// The first reference of each definition that calls, imports or inherits from these: resolved
    /// before candidates, tests last.
    pub callers: Vec<LineageItem>,
    /// The number of definitions, and of modules, that do.
    pub callers_total: u32,
    /// The first reference to each definition that the first one calls or inherits from.
    pub callees: Vec<LineageItem>,
    /// The number of such definitions.
    pub callees_total: u32,
    /// The first tests that reach the definitions, nearest first.
    pub tests: Vec<ReachingTest>,
    /// The number of tests that were found: those by one step, and where these and the callers are
    /// few, some of those by three.
    pub tests_total: u32,
}
