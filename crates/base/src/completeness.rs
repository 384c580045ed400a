//! How sure an answer is to have every row, and what the others may be.
//!
//! "Nobody refers to this" is only worth acting on with the reasons why it might be wrong.

use serde::{Deserialize, Serialize};

/// The number of files that a doubt names.
const NAMED_FILES: usize = 5;

/// How sure an answer is to have every row, on this page or on others.
///
/// # Examples
///
/// ```
/// use ragnav_base::completeness::Completeness;
///
/// assert_eq!(serde_json::to_value(Completeness::Bounded).unwrap(), "bounded");
/// assert_eq!(Completeness::of(&[]), Completeness::Proven);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Completeness {
    /// There are no other rows.
    Proven,
    /// Other rows can only be where the doubts say.
    Bounded,
    /// A part of the repository was not looked at, or cannot be looked at.
    Unknown,
}

/// Why an answer may lack a row.
///
/// # Examples
///
/// ```
/// use ragnav_base::completeness::DoubtReason;
///
/// assert_eq!(serde_json::to_value(DoubtReason::ByName).unwrap(), "by_name");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum DoubtReason {
    /// References that only share the name: `count` of them. They are rows too, unless only
    /// resolved references are wanted.
    Candidates,
    /// `count` strings are the name, or a dotted path that contains it, or symbols of Ruby. Code
    /// may look up a symbol by such a string. `count` is `null` if more files contain the name than
    /// are searched.
    Strings,
    /// `count` uses of the name are in bodies of macros of C or C++. What they mean depends on
    /// where the macro is used.
    Macros,
    /// `count` files call functions that compute names at run time, such as `getattr`.
    Computed,
    /// Code of this language can refer to the symbol in ways that are not followed, such as names
    /// that it computes at run time.
    Untracked,
    /// `count` files in other languages, or templates such as ERB and Razor, contain the name.
    OtherLanguages,
    /// References in the language of the symbol are compared by their names alone.
    ByName,
    /// The class of a method has a base from outside of the repository. Code may call the method
    /// through it.
    OutsideBase,
    /// Code can call the symbol without its name: an operator, a loop, a conversion or the creation
    /// of an object may run it, a decorator, an annotation or an attribute may register it, a
    /// program may start with it, or a test runner may call it.
    Unnamed,
    /// `count` files and folders are not searched: binary ones, links and others. `skipped` has the
    /// first.
    Skipped,
    /// `count` files are answered from the index although they may have changed.
    Stale,
    /// `count` files were only parsed in part.
    Partial,
    /// `count` files have the name in code that is lost to a syntax error.
    Unparsed,
    /// `count` files of code contain the name, of which no definition is known: variables and
    /// constants are no definitions, and code may define names in ways that are not followed.
    /// `count` is `null` if these are more files than are searched.
    Undefined,
    /// `count` files could not be read.
    Unread,
    /// A limit ended the query before it saw everything.
    Limit,
}

impl DoubtReason {
    /// Reports whether rows may be anywhere, since something could not be looked at.
    fn is_boundless(self) -> bool {
        match self {
            Self::Untracked | Self::Stale | Self::Partial | Self::Unread | Self::Limit => true,
            Self::Candidates
            | Self::Strings
            | Self::Macros
            | Self::Computed
            | Self::OtherLanguages
            | Self::ByName
            | Self::OutsideBase
            | Self::Unnamed
            | Self::Skipped
            | Self::Unparsed
            | Self::Undefined => false,
        }
    }
}

/// One reason why an answer may lack rows, and where these would be.
///
/// # Examples
///
/// ```
/// use ragnav_base::completeness::{Completeness, Doubt, DoubtReason};
///
/// let doubt = Doubt::in_files(DoubtReason::Strings, 2, ["urls.py".to_owned()]);
/// let json = r#"{"reason":"strings","count":2,"files":["urls.py"]}"#;
/// assert_eq!(serde_json::to_string(&doubt).unwrap(), json);
/// assert_eq!(Completeness::of(&[doubt]), Completeness::Bounded);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct Doubt {
    /// The reason.
    pub reason: DoubtReason,
    /// The number of what the reason is about; `null` if it was not counted.
    pub count: Option<u32>,
    /// The first files that the reason is about, 5 at most.
    pub files: Vec<String>,
}

impl Doubt {
    /// Builds a doubt that is not about certain files.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::completeness::{Doubt, DoubtReason};
    ///
    /// assert_eq!(Doubt::general(DoubtReason::Limit).count, None);
    /// ```
    #[must_use]
    pub fn general(reason: DoubtReason) -> Self {
        let (count, files) = (None, Vec::new());
        Self {
            reason,
            count,
            files,
        }
    }

    /// Builds a doubt about a number of things in some files, of which it names the first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::completeness::{Doubt, DoubtReason};
    ///
    /// let files = (0..9).map(|at| format!("{at}.py"));
    /// assert_eq!(Doubt::in_files(DoubtReason::Computed, 9, files).files.len(), 5);
    /// ```
    #[must_use]
    pub fn in_files(
        reason: DoubtReason,
        count: usize,
        files: impl IntoIterator<Item = String>,
    ) -> Self {
        Self {
            reason,
            count: Some(u32::try_from(count).unwrap_or(u32::MAX)),
            files: files.into_iter().take(NAMED_FILES).collect(),
        }
    }
}

impl Completeness {
    /// Returns how sure an answer with these doubts is.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::completeness::{Completeness, Doubt, DoubtReason};
    ///
    /// let limit = Doubt::general(DoubtReason::Limit);
    /// assert_eq!(Completeness::of(&[limit]), Completeness::Unknown);
    /// ```
    #[must_use]
    pub fn of(doubts: &[Doubt]) -> Self {
        if doubts.is_empty() {
            return Self::Proven;
        }
        if doubts.iter().any(|doubt| doubt.reason.is_boundless()) {
            return Self::Unknown;
        }
        Self::Bounded
    }
}
