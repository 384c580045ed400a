//! How code of a language can use a symbol without naming it: reflection, and calls by computed
//! names.

use memchr::memmem;

use ragnav_matching::identifiers::is_word_char;

/// How code can use a kind of symbols without naming them.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::{ComputedNames, computed_names};
///
/// let python = RepoPath::parse("app.py").unwrap();
/// let members = computed_names(&python, true);
/// assert!(matches!(members, ComputedNames::ByCalls(names) if names.contains(&"getattr")));
/// let rust = RepoPath::parse("app.rs").unwrap();
/// assert_eq!(computed_names(&rust, true), ComputedNames::Never);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComputedNames {
    /// The language has no way.
    Never,
    /// Only by functions of these names; one that is also a common word ends with `(`. An index
    /// lists the files that mention them, so a change of these names needs another version of the
    /// index.
    ByCalls(&'static [&'static str]),
    /// By syntax that is not followed, such as `object[name]()`.
    BySyntax,
}

/// Reports whether a text contains a name of [`ComputedNames::ByCalls`] as a whole word, in code, a
/// comment or a string.
///
/// # Examples
///
/// ```
/// use ragnav_resolve::mentions_function;
///
/// assert!(mentions_function("getattr(cart, name)", "getattr"));
/// assert!(!mentions_function("my_getattr(cart, name)", "getattr"));
/// assert!(mentions_function("send(name)", "send("));
/// assert!(!mentions_function("send name", "send("));
/// ```
#[must_use]
pub fn mentions_function(text: &str, function: &str) -> bool {
    let is_call = function.ends_with('(');
    memmem::find_iter(text.as_bytes(), function).any(|at| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let rest = text.get(at + function.len()..);
        let after = rest.and_then(|rest| rest.chars().next());
        !before.is_some_and(is_word_char) && (is_call || !after.is_some_and(is_word_char))
    })
}

/// How code of a family can use its symbols without naming them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reflection {
    /// Members of classes and objects.
    pub(crate) members: ComputedNames,
    /// All other symbols.
    pub(crate) others: ComputedNames,
}

impl Reflection {
    /// A language without reflection.
    pub(crate) const NONE: Self = Self {
        members: ComputedNames::Never,
        others: ComputedNames::Never,
    };

    /// A language whose syntax can compute every name, or about which that is not known.
    pub(crate) const BY_SYNTAX: Self = Self {
        members: ComputedNames::BySyntax,
        others: ComputedNames::BySyntax,
    };
}
