//! The files that a file loads with `require`, and the helpers that test runners load before tests.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::{Files, join_relative, parent, shared_folders};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;

/// The extension that a path need not have.
const EXTENSION: &str = ".rb";

/// The folders that packages and test runners add to the load path.
const LOADED_FROM: [&str; 4] = ["lib", "spec", "test", "tests"];

/// The files that test runners load before a test, by the settings that their generators write.
const HELPERS: [&str; 3] = ["rails_helper.rb", "spec_helper.rb", "test_helper.rb"];

/// The number of files from a file to one that it loads through others.
const MAX_STEPS: usize = 2;

/// The number of files that a file loads.
const MAX_LOADED: usize = 64;

/// The files of a repository, by what `require` names.
#[derive(Debug)]
pub(super) struct RequiredFiles {
    files: Files,
    /// The files of each name.
    named: BTreeMap<String, Vec<RepoPath>>,
}

impl RequiredFiles {
    pub(super) fn new(files: Files) -> Self {
        let mut named: BTreeMap<String, Vec<RepoPath>> = BTreeMap::new();
        for file in files.iter() {
            let same = named.entry(file.name().to_owned()).or_default();
            same.push(file.clone());
        }
        Self { files, named }
    }

    /// Returns the file that a path means, beside the file that names it or in the load path.
    pub(super) fn meant(&self, is_relative: bool, path: &str, from: &RepoPath) -> Option<RepoPath> {
        let path = if path.ends_with(EXTENSION) {
            path.to_owned()
        } else {
            format!("{path}{EXTENSION}")
        };
        if is_relative {
            let file = join_relative(&parent(from), &path)?;
            return self.files.contains(&file).then_some(file);
        }
        self.in_load_path(&path, from)
    }

    /// Returns the file at a path in a folder of the load path. Of several packages, it is the
    /// nearest one.
    fn in_load_path(&self, path: &str, from: &RepoPath) -> Option<RepoPath> {
        let name = path.rsplit('/').next()?;
        let files = self.named.get(name)?.iter().filter(|file| {
            let folder = file.as_str().strip_suffix(path);
            folder.is_some_and(|folder| {
                let folder = folder.strip_suffix('/').unwrap_or(folder);
                folder.is_empty() || LOADED_FROM.contains(&folder.rsplit('/').next().unwrap_or(""))
            })
        });
        files.max_by_key(|file| shared_folders(file, from)).cloned()
    }

    /// Returns the files that a file loads, directly or through one other.
    pub(super) fn loaded(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
    ) -> BTreeSet<RepoPath> {
        let mut all: BTreeSet<RepoPath> = self.helpers(source.path).collect();
        let mut last: Vec<RepoPath> = all.iter().cloned().collect();
        last.push(source.path.clone());
        for _ in 0..MAX_STEPS {
            let mut next = Vec::new();
            for file in &last {
                let required = self.required_by(resolver, file).into_iter();
                next.extend(required.filter(|file| all.insert(file.clone())));
            }
            if all.len() > MAX_LOADED {
                break;
            }
            last = next;
        }
        all
    }

    fn required_by(&self, resolver: Resolver<'_>, file: &RepoPath) -> Vec<RepoPath> {
        let Some(facts) = resolver.database.facts(file) else {
            return Vec::new();
        };
        let imports = facts.facts.imports.iter();
        let files = imports.filter_map(|import| {
            let path = facts.facts.name(import.module);
            self.meant(import.level > 0, path, file)
        });
        files.collect()
    }

    /// Returns the helpers in the folders around a file.
    fn helpers(&self, of: &RepoPath) -> impl Iterator<Item = RepoPath> {
        let around = std::iter::successors(of.parent(), RepoPath::parent);
        let all = around.flat_map(|folder| HELPERS.map(|name| folder.join(name)));
        all.flatten().filter(|file| self.files.contains(file))
    }
}
