//! Files that say where a repository's modules are, as `package.json` does.

use ragnav_base::path::RepoPath;

/// Such a file with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Where it is.
    pub path: RepoPath,
    /// What it holds.
    pub text: String,
}
