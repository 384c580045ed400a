//! Paths inside a repository. They cannot name anything outside it.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::RagnavError;

/// A normalised path relative to the repository's root, with `/` between its segments.
///
/// The empty path is the root. A path never holds `..`, `.`, an empty segment, a NUL, a backslash,
/// a drive letter or a leading slash. No path from an index, a host or a caller can therefore reach
/// outside the root. Clones share their text.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
///
/// let path = RepoPath::parse("src/shop/cart.py").unwrap();
/// assert_eq!((path.name(), path.extension()), ("cart.py", Some("py")));
/// assert_eq!(path.parent(), RepoPath::parse("src/shop").ok());
/// assert!(RepoPath::parse("src/../../secret").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(try_from = "String", into = "String")]
pub struct RepoPath(Arc<str>);

impl Ord for RepoPath {
    fn cmp(&self, other: &Self) -> Ordering {
        // Sets of files compare a path with its clones most of the time.
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for RepoPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl TryFrom<String> for RepoPath {
    type Error = RagnavError;

    /// Accepts a path that [`RepoPath::parse`] or [`RepoPath::join`] returned, and no other.
    fn try_from(text: String) -> Result<Self, RagnavError> {
        if text.split('/').all(is_plain_name) && !has_drive_letter(&text) {
            return Ok(Self(text.into()));
        }
        let message = format!("{text:?} is no path of a file");
        Err(RagnavError::invalid(message))
    }
}

impl From<RepoPath> for String {
    fn from(path: RepoPath) -> Self {
        path.as_str().to_owned()
    }
}

impl RepoPath {
    /// Returns the root of the repository.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    ///
    /// assert_eq!(RepoPath::root().as_str(), "");
    /// ```
    #[must_use]
    pub fn root() -> Self {
        Self(Arc::default())
    }

    /// Parses a path from a person or a file. It drops `./`, and reads `\` as a separator.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    ///
    /// let path = RepoPath::parse(".\\src//a.py").unwrap();
    /// assert_eq!(path.as_str(), "src/a.py");
    /// assert!(RepoPath::parse("/etc/passwd").is_err());
    /// ```
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for absolute paths, drive letters, `..`, NUL and the empty text.
    pub fn parse(text: &str) -> Result<Self, RagnavError> {
        let refuse = |why: &str| {
            Err(RagnavError::invalid(format!(
                "{text:?} is not a path inside the repository: {why}"
            )))
        };
        if text.is_empty() {
            return refuse("it names no file or folder in it");
        }
        if text.contains('\0') {
            return refuse("it holds a NUL character");
        }
        if text.starts_with(['/', '\\']) {
            return refuse("it is absolute; give it relative to the repository's root");
        }
        let mut path = String::with_capacity(text.len());
        for segment in text.split(['/', '\\']) {
            match segment {
                "" | "." => {}
                ".." => return refuse("`..` would leave the repository"),
                name => push_segment(&mut path, name),
            }
        }
        if path.is_empty() {
            return refuse("it names no file");
        }
        if has_drive_letter(&path) {
            return refuse("it names a drive; give it relative to the repository's root");
        }
        Ok(Self(path.into()))
    }

    /// Returns the path of an entry of this folder, or `None` if the name is not a plain entry
    /// name.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    ///
    /// let path = RepoPath::root().join("src").unwrap().join("a.py").unwrap();
    /// assert_eq!(path.as_str(), "src/a.py");
    /// assert_eq!(path.join(".."), None);
    /// assert_eq!(path.join("b/c.py"), None);
    /// ```
    #[must_use]
    pub fn join(&self, name: &str) -> Option<Self> {
        let names_drive = self.0.is_empty() && has_drive_letter(name);
        if !is_plain_name(name) || names_drive {
            return None;
        }
        let mut path = String::with_capacity(self.0.len() + name.len() + 1);
        path.push_str(&self.0);
        push_segment(&mut path, name);
        Some(Self(path.into()))
    }

    /// Returns the path as text; `""` is the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    ///
    /// assert_eq!(RepoPath::parse("./src/a.py").unwrap().as_str(), "src/a.py");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folder that holds this path, or `None` for the root.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    ///
    /// let path = RepoPath::parse("src/a.py").unwrap();
    /// assert_eq!(path.parent(), RepoPath::parse("src").ok());
    /// assert_eq!(RepoPath::root().parent(), None);
    /// ```
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let folder = match self.0.rsplit_once('/') {
            Some((folder, _)) => folder,
            None if self.0.is_empty() => return None,
            None => "",
        };
        Some(Self(folder.into()))
    }

    /// Returns the last segment: `a.py` of `src/a.py`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    ///
    /// assert_eq!(RepoPath::parse("src/a.py").unwrap().name(), "a.py");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// Returns the extension of the last segment without its dot, or `None` if it has none.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    ///
    /// let extension = |path: &str| RepoPath::parse(path).unwrap().extension().map(str::to_owned);
    /// assert_eq!(extension("src/a.test.ts").as_deref(), Some("ts"));
    /// assert_eq!(extension(".gitignore"), None);
    /// ```
    #[must_use]
    pub fn extension(&self) -> Option<&str> {
        // Queries ask for that of each file, so this looks at no more than the end of the path.
        let dot = memchr::memrchr(b'.', self.0.as_bytes())?;
        let (before, after) = (self.0.get(..dot)?, self.0.get(dot + 1..)?);
        let is_in_name = !before.is_empty() && !before.ends_with('/') && !after.contains('/');
        is_in_name.then_some(after)
    }

    /// Returns the path relative to a folder: `pkg/a.py` of `src/pkg/a.py` below `src`. A path
    /// outside the folder has none.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    ///
    /// let path = RepoPath::parse("src/pkg/a.py").unwrap();
    /// assert_eq!(path.below(&RepoPath::parse("src").unwrap()), Some("pkg/a.py"));
    /// assert_eq!(path.below(&RepoPath::parse("sr").unwrap()), None);
    /// ```
    #[must_use]
    pub fn below(&self, folder: &Self) -> Option<&str> {
        if folder.0.is_empty() {
            return (!self.0.is_empty()).then_some(&self.0);
        }
        self.0.strip_prefix(folder.as_str())?.strip_prefix('/')
    }

    /// Returns the number of folders between the root and this path.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    ///
    /// assert_eq!(RepoPath::parse("src/pkg/a.py").unwrap().depth(), 2);
    /// ```
    #[must_use]
    pub fn depth(&self) -> usize {
        memchr::memchr_iter(b'/', self.0.as_bytes()).count()
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn push_segment(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('/');
    }
    path.push_str(name);
}

/// Reports whether a text can name an entry of a folder.
fn is_plain_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0'])
}

fn has_drive_letter(text: &str) -> bool {
    let mut bytes = text.bytes();
    let starts_with_letter = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic());
    starts_with_letter && bytes.next() == Some(b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_normalises() {
        for (text, path) in [
            ("a.py", "a.py"),
            ("./src//a.py", "src/a.py"),
            ("src\\pkg\\a.py", "src/pkg/a.py"),
            ("a b/ü.py", "a b/ü.py"),
        ] {
            assert_eq!(
                RepoPath::parse(text).map(|p| p.to_string()),
                Ok(path.into())
            );
        }
    }

    #[test]
    fn refuses_what_could_leave_the_root() {
        for text in [
            "",
            ".",
            "/",
            "/etc/passwd",
            "\\\\host\\share",
            "..",
            "a/../../b",
            "c:\\x",
            "C:x",
            "./c:x",
            ".\\c:\\x",
            "a\0b",
        ] {
            assert!(RepoPath::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn joins_entry_names_only() {
        let folder = RepoPath::root().join("src").and_then(|p| p.join("a.py"));
        assert_eq!(folder.map(|p| p.to_string()), Some("src/a.py".into()));
        for name in ["", ".", "..", "a/b", "a\\b", "a\0", "c:x"] {
            assert_eq!(RepoPath::root().join(name), None, "{name:?}");
        }
    }

    #[test]
    fn knows_extensions() {
        for (text, extension) in [
            ("a/b.PY", Some("PY")),
            ("a.b/c", None),
            ("a/.bashrc", None),
            ("a/..b", Some("b")),
            ("x.", Some("")),
            (".bashrc", None),
            ("x", None),
        ] {
            let path = RepoPath::parse(text);
            assert_eq!(path.as_ref().ok().and_then(RepoPath::extension), extension);
        }
    }
}
