//! The files that declare the types of JavaScript: `a.d.ts` beside `a.js`, and the `types` of a
//! package for its `main`.

use super::specifiers::Specifiers;
use crate::files::{join_relative, parent};
use ragnav_base::path::RepoPath;

/// The endings of files with code, with those of the files that declare its types.
const ENDINGS: [(&str, &str); 4] = [
    (".js", ".d.ts"),
    (".jsx", ".d.ts"),
    (".mjs", ".d.mts"),
    (".cjs", ".d.cts"),
];

/// The file that a package runs if it names none.
const MAIN: &str = "index.js";

impl Specifiers {
    /// Returns the files that declare what a file defines.
    pub(super) fn declaring_files(&self, file: &RepoPath) -> Vec<RepoPath> {
        let ending = |(code, types): &(&'static str, &'static str)| (*code, *types);
        let packages = self.entries().filter(|(main, _)| main == file);
        let named = packages.flat_map(|(_, types)| types);
        self.existing(beside(file, ENDINGS.iter().map(ending)).chain(named))
    }

    /// Returns the files that define what a file declares.
    pub(super) fn defining_files(&self, file: &RepoPath) -> Vec<RepoPath> {
        let ending = |(code, types): &(&'static str, &'static str)| (*types, *code);
        let packages = self.entries().filter(|(_, types)| types.contains(file));
        let named = packages.map(|(main, _)| main);
        self.existing(beside(file, ENDINGS.iter().map(ending)).chain(named))
    }

    /// Returns the files that packages run, with those that declare their types.
    fn entries(&self) -> impl Iterator<Item = (RepoPath, Vec<RepoPath>)> {
        self.packages.iter().filter_map(|(folder, package)| {
            let types = package.types.iter();
            let types: Vec<RepoPath> = types
                .filter_map(|path| join_relative(folder, path))
                .collect();
            let main = join_relative(folder, package.main.as_deref().unwrap_or(MAIN))?;
            let with_ending = parent(&main).join(&format!("{}.js", main.name()));
            let mut mains = [Some(main), with_ending].into_iter().flatten();
            let main = mains.find(|path| self.files.contains(path))?;
            (!types.is_empty()).then_some((main, types))
        })
    }

    /// Returns the paths that are files, each once.
    fn existing(&self, paths: impl Iterator<Item = RepoPath>) -> Vec<RepoPath> {
        let mut found: Vec<RepoPath> = paths.filter(|path| self.files.contains(path)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Returns the paths beside a file that have another ending instead of its own.
fn beside(
    file: &RepoPath,
    endings: impl Iterator<Item = (&'static str, &'static str)>,
) -> impl Iterator<Item = RepoPath> {
    endings.filter_map(|(own, other)| {
        let stem = file.name().strip_suffix(own)?;
        parent(file).join(&format!("{stem}{other}"))
    })
}
