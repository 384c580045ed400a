//! The files that a query is about, fixed before it reads any.

use ragnav_base::item::{SkipReason, Skipped};
use ragnav_base::path::RepoPath;
use ragnav_matching::globs::Globs;

/// The files that a query is about.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::scope::Scope;
///
/// let notes = RepoPath::parse("notes.txt").unwrap();
/// assert!(Scope::Everything.admits(&notes));
/// assert!(!Scope::Code.admits(&notes));
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Scope<'q> {
    /// All files that the walk admits.
    Everything,
    /// The files that globs admit.
    Globs(&'q Globs),
    /// The files in a language of this build.
    Code,
    /// These files, the manifests that define where their modules are, and templates, which use
    /// their names.
    Links,
    /// One file.
    File(&'q RepoPath),
    /// No file: the query only runs another one, which has a scope of its own.
    Nothing,
}

/// A scope that does not depend on the query that has it.
///
/// # Examples
///
/// ```
/// use ragnav_repository::scope::{Scope, SharedScope};
///
/// assert_eq!(Scope::Code.shared(), Some(SharedScope::Code));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SharedScope {
    /// All files that the walk admits.
    Everything,
    /// The files in a language of this build.
    Code,
    /// These files, manifests and templates.
    Links,
}

impl Scope<'_> {
    /// Returns the scope if it does not depend on the query.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::scope::Scope;
    ///
    /// let path = RepoPath::parse("a.py").unwrap();
    /// assert_eq!(Scope::File(&path).shared(), None);
    /// ```
    #[must_use]
    pub fn shared(self) -> Option<SharedScope> {
        match self {
            Self::Everything => Some(SharedScope::Everything),
            Self::Code => Some(SharedScope::Code),
            Self::Links => Some(SharedScope::Links),
            Self::Globs(globs) => globs.admits_all().then_some(SharedScope::Everything),
            Self::File(_) | Self::Nothing => None,
        }
    }

    /// Reports whether a file is in the scope.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::globs::Globs;
    /// use ragnav_repository::scope::Scope;
    ///
    /// let globs = Globs::new(&["src/**".into()], &[]).unwrap();
    /// assert!(Scope::Globs(&globs).admits(&RepoPath::parse("src/a.py").unwrap()));
    /// assert!(!Scope::Globs(&globs).admits(&RepoPath::parse("tests/a.py").unwrap()));
    /// ```
    #[must_use]
    pub fn admits(self, path: &RepoPath) -> bool {
        match self {
            Self::Everything => true,
            Self::Globs(globs) => globs.admits(path),
            Self::Code => ragnav_syntax::detect_language(path).is_some(),
            Self::Links => {
                ragnav_syntax::detect_language(path).is_some()
                    || ragnav_resolve::is_manifest(path)
                    || ragnav_resolve::Template::of(path).is_some()
            }
            Self::File(file) => path == file,
            Self::Nothing => false,
        }
    }

    /// Reports whether a skipped entry may belong to the scope. A folder does, unless a glob
    /// excludes it.
    #[must_use]
    pub(crate) fn admits_skipped(self, skip: &Skipped) -> bool {
        let is_folder = skip.file.ends_with('/');
        match (self, RepoPath::parse(&skip.file)) {
            (Self::Nothing, _) => false,
            (Self::Globs(_), Err(_)) => true,
            (_, Err(_)) => is_folder,
            (Self::Globs(globs), Ok(folder)) if is_folder => !globs.excludes(&folder),
            (_, Ok(_)) if is_folder => true,
            (Self::Links, Ok(path)) => self.admits(&path) && may_use_names(&path, skip.reason),
            (_, Ok(path)) => self.admits(&path),
        }
    }
}

/// Reports whether a file of code, or a template, that is skipped for a reason may use names.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::SkipReason;
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::scope::may_use_names;
///
/// let page = RepoPath::parse("cart.html").unwrap();
/// assert!(may_use_names(&page, SkipReason::Denied));
/// assert!(!may_use_names(&page, SkipReason::Binary));
/// assert!(may_use_names(&RepoPath::parse("cart.py").unwrap(), SkipReason::Binary));
/// ```
#[must_use]
pub fn may_use_names(path: &RepoPath, reason: SkipReason) -> bool {
    match reason {
        // Such a template is no text, or is generated.
        SkipReason::Binary | SkipReason::TooLarge => ragnav_resolve::Template::of(path).is_none(),
        // The text that a link leads to is searched, if it is in the repository.
        SkipReason::Link => {
            let language = ragnav_syntax::detect_language(path);
            !language.is_some_and(ragnav_syntax::Language::is_prose)
        }
        _ => true,
    }
}
