//! The include and exclude globs of a query, in gitignore's syntax.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use ragnav_base::error::RagnavError;
use ragnav_base::path::RepoPath;

/// The largest nesting depth of braces in a glob, since the parser recurses into them.
const MAX_BRACES: usize = 32;

/// Reports whether a glob nests alternatives, as in `{a,{b,c}}`, too deeply to be parsed.
///
/// # Examples
///
/// ```
/// use ragnav_matching::globs::is_too_deep;
///
/// assert!(!is_too_deep("*.{js,{ts,tsx}}"));
/// assert!(is_too_deep(&"{".repeat(1_000)));
/// ```
#[must_use]
pub fn is_too_deep(glob: &str) -> bool {
    let mut depth = 0_usize;
    glob.bytes().any(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > MAX_BRACES
    })
}

const TOO_MUCH: &str = "the globs are too large together; give fewer or shorter ones, or the \
    folders they have in common";

/// Compiled include and exclude globs.
///
/// A glob without `/` matches the name of the file or of a folder above it. One with `/` matches
/// the path from the root. A folder's glob includes everything below the folder. Globs select among
/// the files of the walk, so they cannot add a file that an ignore rule excludes.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::globs::Globs;
///
/// let globs = Globs::new(&["src/**".into()], &["*.min.js".into()]).unwrap();
/// assert!(globs.admits(&RepoPath::parse("src/a.js").unwrap()));
/// assert!(!globs.admits(&RepoPath::parse("src/a.min.js").unwrap()));
/// ```
#[derive(Debug)]
pub struct Globs {
    include: Option<Gitignore>,
    exclude: Option<Gitignore>,
    /// The folder of all files in scope; `None` for the root.
    folder: Option<RepoPath>,
}

impl Globs {
    /// Compiles the globs. An empty list sets no condition.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an empty, negated or malformed glob.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::globs::Globs;
    ///
    /// assert!(Globs::new(&["*.{py,pyi}".into()], &[]).is_ok());
    /// let error = Globs::new(&["!tests".into()], &[]).unwrap_err();
    /// assert!(error.message.contains("!tests"));
    /// ```
    pub fn new(include: &[String], exclude: &[String]) -> Result<Self, RagnavError> {
        Ok(Self {
            include: compile(include)?,
            exclude: compile(exclude)?,
            folder: None,
        })
    }

    /// Restricts the scope to the files in a folder; `None` stands for the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::globs::Globs;
    ///
    /// let path = |path: &str| RepoPath::parse(path).unwrap();
    /// let globs = Globs::new(&["*.py".into()], &[]).unwrap().within(Some(path("src")));
    /// assert!(globs.admits(&path("src/a.py")));
    /// assert!(!globs.admits(&path("tests/a.py")));
    /// ```
    #[must_use]
    pub fn within(self, folder: Option<RepoPath>) -> Self {
        Self { folder, ..self }
    }

    /// Returns the folder that all files in scope are in.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::globs::Globs;
    ///
    /// assert!(Globs::new(&[], &[]).unwrap().folder().is_none());
    /// ```
    #[must_use]
    pub fn folder(&self) -> Option<&RepoPath> {
        self.folder.as_ref()
    }

    /// Reports whether every file is in scope, since there are no globs.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::globs::Globs;
    ///
    /// assert!(Globs::new(&[], &[]).unwrap().admits_all());
    /// assert!(!Globs::new(&["*.py".into()], &[]).unwrap().admits_all());
    /// ```
    #[must_use]
    pub fn admits_all(&self) -> bool {
        self.include.is_none() && self.exclude.is_none() && self.folder.is_none()
    }

    /// Reports whether a file is in scope.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::globs::Globs;
    ///
    /// let globs = Globs::new(&["src".into()], &["*.lock".into()]).unwrap();
    /// let admits = |path: &str| globs.admits(&RepoPath::parse(path).unwrap());
    /// assert!(admits("src/pkg/a.py"));
    /// assert!(!admits("src/poetry.lock"));
    /// ```
    #[must_use]
    pub fn admits(&self, file: &RepoPath) -> bool {
        let folder = self.folder.as_ref();
        if folder.is_some_and(|folder| file.below(folder).is_none()) {
            return false;
        }
        let included = self
            .include
            .as_ref()
            .is_none_or(|globs| matches(globs, file, false));
        included
            && !self
                .exclude
                .as_ref()
                .is_some_and(|globs| matches(globs, file, false))
    }

    /// Reports whether a folder and everything below it is out of scope.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::globs::Globs;
    ///
    /// let globs = Globs::new(&[], &["dist/".into()]).unwrap();
    /// assert!(globs.excludes(&RepoPath::parse("web/dist").unwrap()));
    /// assert!(!globs.excludes(&RepoPath::parse("web").unwrap()));
    /// ```
    #[must_use]
    pub fn excludes(&self, folder: &RepoPath) -> bool {
        let is_elsewhere = |scope: &RepoPath| {
            folder != scope && folder.below(scope).is_none() && scope.below(folder).is_none()
        };
        self.folder.as_ref().is_some_and(is_elsewhere)
            || self
                .exclude
                .as_ref()
                .is_some_and(|globs| matches(globs, folder, true))
    }
}

fn matches(globs: &Gitignore, path: &RepoPath, is_dir: bool) -> bool {
    globs
        .matched_path_or_any_parents(path.as_str(), is_dir)
        .is_ignore()
}

fn compile(globs: &[String]) -> Result<Option<Gitignore>, RagnavError> {
    let mut builder = GitignoreBuilder::new("");
    for glob in globs {
        let refuse = |why: &str| RagnavError::invalid(format!("{glob:?} is not a glob: {why}"));
        if glob.trim().is_empty() || glob.starts_with('#') {
            return Err(refuse("it names no file"));
        }
        if glob.starts_with('!') {
            return Err(refuse("put what it negates into the other list"));
        }
        if is_too_deep(glob) {
            return Err(refuse("its braces stand too deep in each other"));
        }
        builder
            .add_line(None, glob)
            .map_err(|error| refuse(&error.to_string()))?;
    }
    let compiled = builder
        .build()
        .map_err(|_| RagnavError::invalid(TOO_MUCH))?;
    Ok((!compiled.is_empty()).then_some(compiled))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(include: &[&str], exclude: &[&str], path: &str) -> bool {
        let owned = |globs: &[&str]| globs.iter().map(ToString::to_string).collect::<Vec<_>>();
        let globs = Globs::new(&owned(include), &owned(exclude));
        match (globs, RepoPath::parse(path)) {
            (Ok(globs), Ok(path)) => globs.admits(&path),
            _ => false,
        }
    }

    #[test]
    fn names_paths_and_folders() {
        assert!(admits(&[], &[], "a.py"));
        assert!(admits(&["*.py"], &[], "deep/er/a.py"));
        assert!(!admits(&["*.py"], &[], "a.pyc"));
        assert!(admits(&["src/**/*.py"], &[], "src/x/a.py"));
        assert!(admits(&["src"], &[], "src/x/a.py") && admits(&["src/"], &[], "src/x/a.py"));
        assert!(!admits(&["/src"], &[], "x/src/a.py"));
        assert!(!admits(&["*.py"], &["tests"], "tests/a.py"));
        assert!(!admits(&[], &["*.py"], "a.py"));
    }

    #[test]
    fn refuses_what_is_no_glob() {
        for glob in ["", " ", "!a", "#a", "{a"] {
            assert!(Globs::new(&[glob.to_owned()], &[]).is_err(), "{glob:?}");
        }
    }
}
