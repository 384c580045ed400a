//! The kinds of passages that a question may be limited to.

use ragnav_base::path::RepoPath;
use ragnav_matching::file_role::FileRole;
use serde::{Deserialize, Serialize};

use super::chunk::NoteFormat;

/// What the file of a passage is: each file is of one kind.
///
/// # Examples
///
/// ```
/// use ragnav_agent::passage_kind::PassageKind;
///
/// let kind: PassageKind = serde_json::from_str(r#""docs""#).unwrap();
/// assert_eq!(kind, PassageKind::Docs);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum PassageKind {
    /// Code, with examples, apart from tests.
    Code,
    /// Notes wherever they are, and other files in folders for documentation.
    Docs,
    /// The code of tests, with its fixtures.
    Tests,
}

impl PassageKind {
    /// Returns the kind of a file.
    #[must_use]
    pub(crate) fn of(path: &RepoPath) -> Self {
        // A note about tests is for readers, so its format decides first.
        if NoteFormat::of(path).is_some() {
            Self::Docs
        } else if FileRole::Test.has(path) {
            Self::Tests
        } else if FileRole::Documentation.has(path) {
            Self::Docs
        } else {
            Self::Code
        }
    }

    /// Returns the kind of a file by the path that a document states, which may be absolute or a
    /// URL. Returns `None` if the text is no path.
    #[must_use]
    pub(crate) fn of_stated(path: &str) -> Option<Self> {
        let is_name = |part: &&str| !matches!(*part, "" | "." | "..") && !part.ends_with(':');
        let names: Vec<&str> = path.split(['/', '\\']).filter(is_name).collect();
        let path = RepoPath::parse(&names.join("/")).ok()?;
        Some(Self::of(&path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_has_one_kind() {
        for (path, kind) in [
            ("shop/cart.py", PassageKind::Code),
            ("tests/test_cart.py", PassageKind::Tests),
            ("tests/README.rst", PassageKind::Docs),
        ] {
            assert_eq!(PassageKind::of_stated(path), Some(kind), "{path}");
        }
    }
}
