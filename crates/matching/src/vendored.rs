//! Files that were copied into a repository, and files made by a minifier.

use ragnav_base::path::RepoPath;

/// The folders that projects keep other projects in.
const FOLDERS: [&str; 8] = [
    "vendor",
    "vendors",
    "vendored",
    "_vendor",
    "third_party",
    "third-party",
    "thirdparty",
    "bower_components",
];

/// Reports whether a file comes from another project or from a minifier. Such rows come last.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::vendored::is_vendored;
///
/// assert!(is_vendored(&RepoPath::parse("static/vendor/jquery/jquery.js").unwrap()));
/// assert!(is_vendored(&RepoPath::parse("static/app.min.js").unwrap()));
/// assert!(!is_vendored(&RepoPath::parse("src/vendor.py").unwrap()));
/// ```
#[must_use]
pub fn is_vendored(file: &RepoPath) -> bool {
    let mut folders = file.as_str().split('/').rev().skip(1);
    folders.any(|folder| FOLDERS.contains(&folder)) || is_minified(file.name())
}

fn is_minified(name: &str) -> bool {
    let Some((stem, "js" | "mjs" | "cjs" | "css")) = name.rsplit_once('.') else {
        return false;
    };
    let last = stem.rsplit(['.', '-']).next();
    last != Some(stem) && matches!(last, Some("min" | "bundle"))
}
