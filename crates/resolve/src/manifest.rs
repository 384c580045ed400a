//! Files that determine where modules are, such as `package.json`.

use ragnav_base::path::RepoPath;

/// A manifest with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The path of the manifest.
    pub path: RepoPath,
    /// The text of the manifest.
    pub text: String,
}
