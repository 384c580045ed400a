//! Files that determine where modules are, such as `package.json`.

use ragnav_base::path::RepoPath;

/// A manifest with its text.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::{LanguageResolvers, Manifest};
///
/// let path = RepoPath::parse("package.json").unwrap();
/// let manifest = Manifest { path, text: r#"{"workspaces": ["packages/*"]}"#.to_owned() };
/// let resolvers = LanguageResolvers::new(&[], &[manifest], &[]);
/// # let _ = resolvers;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The path of the manifest.
    pub path: RepoPath,
    /// The text of the manifest.
    pub text: String,
}
