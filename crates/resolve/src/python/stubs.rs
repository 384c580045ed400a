//! Stubs: `a.pyi` beside `a.py`, and packages of stubs, `a-stubs/b.pyi` for `a/b.py`.
//!
//! Source: PEP 561, <https://peps.python.org/pep-0561/>.

use crate::files::parent;
use ragnav_base::path::RepoPath;

/// The end of the name of a package that has only stubs.
const STUBS: &str = "-stubs";

/// Returns the files that may declare what a module defines. They need not exist.
pub(super) fn stubs_of(module: &RepoPath) -> Vec<RepoPath> {
    let stem = module.name().strip_suffix(".py");
    let Some(beside) = stem.and_then(|stem| parent(module).join(&format!("{stem}.pyi"))) else {
        return Vec::new();
    };
    let packages = with_folder(&beside, |folder| Some(format!("{folder}{STUBS}")));
    std::iter::once(beside.clone()).chain(packages).collect()
}

/// Returns the modules that may define what a stub declares. They need not exist.
pub(super) fn modules_of(stub: &RepoPath) -> Vec<RepoPath> {
    let stem = stub.name().strip_suffix(".pyi");
    let Some(beside) = stem.and_then(|stem| parent(stub).join(&format!("{stem}.py"))) else {
        return Vec::new();
    };
    let packages = with_folder(&beside, |folder| {
        folder.strip_suffix(STUBS).map(str::to_owned)
    });
    std::iter::once(beside.clone()).chain(packages).collect()
}

/// Returns a path with each of its folders in turn renamed.
fn with_folder(path: &RepoPath, rename: impl Fn(&str) -> Option<String>) -> Vec<RepoPath> {
    let parts: Vec<&str> = path.as_str().split('/').collect();
    let folders = parts.len().saturating_sub(1);
    let renamed = parts.iter().take(folders).enumerate();
    let paths = renamed.filter_map(|(at, folder)| {
        let name = rename(folder)?;
        let mut parts = parts.clone();
        if let Some(part) = parts.get_mut(at) {
            *part = &name;
        }
        RepoPath::parse(&parts.join("/")).ok()
    });
    paths.collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use super::*;

    fn texts(paths: &[RepoPath]) -> Vec<&str> {
        paths.iter().map(RepoPath::as_str).collect()
    }

    #[test]
    fn stubs_are_beside_a_module_or_in_a_package_of_stubs() {
        let module = RepoPath::parse("src/a/b.py").unwrap();
        let expected = ["src/a/b.pyi", "src-stubs/a/b.pyi", "src/a-stubs/b.pyi"];
        assert_eq!(texts(&stubs_of(&module)), expected);
        let stub = RepoPath::parse("src/a-stubs/b.pyi").unwrap();
        assert_eq!(
            texts(&modules_of(&stub)),
            ["src/a-stubs/b.py", "src/a/b.py"]
        );
        assert!(stubs_of(&stub).is_empty() && modules_of(&module).is_empty());
    }
}
