//! Why a plan of edits must not be applied.

use std::collections::BTreeSet;

use serde::Serialize;

use ragnav_base::position::wire;

/// The number of files that a refusal names.
const NAMED_FILES: usize = 5;

/// Why a plan is refused.
///
/// # Examples
///
/// ```
/// use ragnav_query::edit_plan::RefusalReason;
///
/// assert_eq!(serde_json::to_value(RefusalReason::NameTaken).unwrap(), "name_taken");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// Nothing has the name, or what it means is not known.
    Undefined,
    /// The name means several symbols.
    Ambiguous,
    /// References may mean the symbol, but only share its name. `candidates` decides about them.
    Candidates,
    /// References may mean the symbol, and also mean others.
    Shared,
    /// A base class from outside of the repository, or the type of an object, may declare the
    /// method. It can be accepted.
    OutsideBase,
    /// A part of the repository could not be searched. It can be accepted.
    Unsearched,
    /// The language gives the name its meaning.
    Reserved,
    /// The new name is no name in the language.
    InvalidName,
    /// Something else has the new name, so that it would be overridden, or mistaken for the symbol.
    NameTaken,
    /// With the new name, references would mean something else.
    Captured,
    /// A definition does not have its name in the text, so that it cannot be edited.
    Unwritten,
    /// A file is not in UTF-8.
    Encoding,
    /// There are more edits than a plan may have.
    Limit,
    /// The language of the file has no rules for moves.
    Language,
    /// Only a definition that stands alone at the top of its file can be moved: no method, none in
    /// another one, none inside of a condition, and no part of several.
    NotAtTop,
    /// The definition cannot go to that file: it is the same one, it is of another language, or
    /// other files cannot import it.
    Target,
    /// The file has a syntax error, or syntax that the grammar does not know, so that its statements
    /// are not known.
    Syntax,
    /// The definition uses what it cannot use from another file: a variable that is assigned again,
    /// the name of the file, what the file does not export.
    ModuleState,
    /// After the move, files would import each other in a circle.
    Cycle,
    /// An import of everything decides about a name.
    StarImport,
    /// An import, or another use of the symbol, has a form that cannot be rewritten.
    Form,
}

/// A reason why a plan must not be applied.
///
/// # Examples
///
/// ```
/// use ragnav_query::edit_plan::{Refusal, RefusalReason};
///
/// let refusal = Refusal::new(RefusalReason::Undefined, "Nothing defines `total`.");
/// assert_eq!((refusal.count, refusal.files.len()), (0, 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Refusal {
    /// The reason.
    pub reason: RefusalReason,
    /// The number of what the reason is about.
    pub count: u32,
    /// The first files that the reason is about, 5 at most.
    pub files: Vec<String>,
    /// The reason for people, with what to do.
    pub message: String,
}

impl Refusal {
    /// Builds a refusal that is not about certain files.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::edit_plan::{Refusal, RefusalReason};
    ///
    /// let refusal = Refusal::new(RefusalReason::Limit, "There are too many edits.");
    /// assert_eq!(refusal.message, "There are too many edits.");
    /// ```
    #[must_use]
    pub fn new(reason: RefusalReason, message: impl Into<String>) -> Self {
        Self::in_files(reason, 0, [""; 0], message)
    }

    /// Builds a refusal about a number of things in some files, of which it names the first.
    pub(crate) fn in_files(
        reason: RefusalReason,
        count: usize,
        files: impl IntoIterator<Item = impl ToString>,
        message: impl Into<String>,
    ) -> Self {
        let files = files.into_iter().map(|file| file.to_string());
        let files: BTreeSet<String> = files.collect();
        Self {
            reason,
            count: wire(count),
            files: files.into_iter().take(NAMED_FILES).collect(),
            message: message.into(),
        }
    }

    /// Builds the refusal of a name that means several definitions, each with its id in backquotes.
    pub(crate) fn ambiguous(
        ids: BTreeSet<String>,
        files: impl IntoIterator<Item = impl ToString>,
    ) -> Self {
        let count = ids.len();
        let ids: Vec<String> = ids.into_iter().collect();
        let message = format!(
            "The name means {count} definitions: {}. Give the id of one.",
            ids.join(", ")
        );
        Self::in_files(RefusalReason::Ambiguous, count, files, message)
    }
}

/// Returns a number of things in words: `1 reference`, `2 references`.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{ending}")
}
