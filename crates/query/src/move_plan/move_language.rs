//! The languages whose definitions can be moved.

use ragnav_base::path::RepoPath;

use super::ecmascript::Ecmascript;
use super::python::Python;
use super::rules::Rules;

/// The languages that have rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveLanguage {
    Python,
    Ecmascript,
}

impl MoveLanguage {
    /// Returns the language of a file, if definitions of it can be moved.
    pub(super) fn of(path: &RepoPath) -> Option<Self> {
        match ragnav_syntax::detect_language(path)?.name {
            "python" => Some(Self::Python),
            "javascript" | "typescript" | "tsx" => Some(Self::Ecmascript),
            _ => None,
        }
    }

    /// Returns the rules among some files. `examples` are files with the names by which others
    /// import them.
    pub(super) fn rules(
        self,
        files: &[RepoPath],
        source: &RepoPath,
        examples: &[(RepoPath, String)],
    ) -> Box<dyn Rules> {
        match self {
            Self::Python => Box::new(Python::new(files, source, examples)),
            Self::Ecmascript => Box::new(Ecmascript::new(source, examples)),
        }
    }
}
