//! The modules of a repository: each `go.mod` names the path that its folder has in imports.
//!
//! Source: the Go Modules Reference, <https://go.dev/ref/mod#go-mod-file>.

use crate::files::{join_relative, parent};
use crate::manifest::Manifest;
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;

/// The folder of packages that a module copies from others.
const VENDOR: &str = "vendor";

/// The modules of a repository.
#[derive(Debug, Default)]
pub(super) struct GoModules {
    /// The path and the folder of each module, the longest path first.
    modules: Vec<(String, RepoPath)>,
}

impl GoModules {
    pub(super) fn new(manifests: &[Manifest]) -> Self {
        let manifests = manifests.iter().filter(|one| is_go_mod(&one.path));
        let modules = manifests.filter_map(|manifest| {
            let path = module_path(&manifest.text)?;
            Some((path.to_owned(), parent(&manifest.path)))
        });
        let mut modules: Vec<_> = modules.collect();
        modules.small_sort_by(|a, b| b.0.len().cmp(&a.0.len()).then(a.cmp(b)));
        Self { modules }
    }

    /// Reports whether the repository has no module, so that the paths of its packages are unknown.
    pub(super) fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// Reports whether a package belongs to one of the modules, whether or not it exists.
    pub(super) fn have(&self, import: &str) -> bool {
        self.modules
            .iter()
            .any(|(path, _)| rest_of(import, path).is_some())
    }

    /// Returns the folder of a package by the path of its import in a file. If several modules have
    /// the same path, as copies of a repository do, the one around the file counts. A file in none
    /// of them means none.
    pub(super) fn folder_of(
        &self,
        import: &str,
        from: &RepoPath,
        is_folder: impl Fn(&RepoPath) -> bool,
    ) -> Option<RepoPath> {
        let of_module = |(path, folder): &(String, RepoPath)| {
            let package = join_relative(folder, rest_of(import, path)?).filter(&is_folder)?;
            Some((path.len(), from.below(folder).is_some(), package))
        };
        let found: Vec<_> = self.modules.iter().filter_map(of_module).collect();
        let longest = found.iter().map(|(length, ..)| *length).max();
        let (around, others): (Vec<_>, Vec<_>) = found
            .into_iter()
            .filter(|(length, ..)| Some(*length) == longest)
            .partition(|(_, is_around, _)| *is_around);
        let is_clear = others.len() == 1;
        let other = others.into_iter().next().filter(|_| is_clear);
        let found = around.into_iter().last().or(other);
        found.map(|(.., package)| package).or_else(|| {
            let folders = std::iter::successors(Some(parent(from)), |folder| {
                (*folder != RepoPath::root()).then(|| parent(folder))
            });
            let vendored =
                |folder: RepoPath| join_relative(&join_relative(&folder, VENDOR)?, import);
            folders
                .filter_map(vendored)
                .find(|folder| is_folder(folder))
        })
    }
}

/// Returns the path of a package from the folder of its module.
fn rest_of<'i>(import: &'i str, module: &str) -> Option<&'i str> {
    match import.strip_prefix(module)? {
        "" => Some(""),
        rest => rest.strip_prefix('/'),
    }
}

/// Reports whether a file declares a module.
pub(super) fn is_go_mod(path: &RepoPath) -> bool {
    path.name() == "go.mod"
}

/// Returns the path in the `module` directive of a `go.mod`.
fn module_path(text: &str) -> Option<&str> {
    let line = text.lines().map(str::trim).find_map(|line| {
        let rest = line.strip_prefix("module")?;
        rest.starts_with([' ', '\t']).then_some(rest)
    })?;
    let path = line.split("//").next().unwrap_or(line);
    let path = path.trim().trim_matches(['"', '`']);
    (!path.is_empty()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_has_the_path_of_its_directive() {
        for (text, path) in [
            ("module example.org/a\n\ngo 1.22\n", Some("example.org/a")),
            (
                "// x\nmodule \"example.org/a\" // y\n",
                Some("example.org/a"),
            ),
            ("modules example.org/a\n", None),
            ("module \n", None),
        ] {
            assert_eq!(module_path(text), path, "{text}");
        }
    }
}
