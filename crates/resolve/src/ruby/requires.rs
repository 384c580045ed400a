//! The files that a file loads with `require`, and the helpers that test runners load before tests.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::files::{Files, join_relative, parent, shared_folders};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::hash::HashMap;
use ragnav_base::path::RepoPath;

/// The extension that a path need not have.
const EXTENSION: &str = ".rb";

/// The folders that packages and test runners add to the load path.
const LOADED_FROM: [&str; 4] = ["lib", "spec", "test", "tests"];

/// The files that test runners load before a test, by the settings that their generators write.
const HELPERS: [&str; 3] = ["rails_helper.rb", "spec_helper.rb", "test_helper.rb"];

/// The maximum number of `require` calls from a file to one that it loads through others.
const MAX_STEPS: usize = 2;

/// The number of loaded files after which those that they load are left out.
const MAX_LOADED: usize = 64;

/// The number of files of one name up to which a path without a folder finds one of them.
const MAX_NAMED: usize = 256;

/// The folders of tests.
const TEST_FOLDERS: [&str; 3] = ["spec", "test", "tests"];

/// The files of a repository, by what `require` names.
#[derive(Debug)]
pub(super) struct RequiredFiles {
    files: Files,
    /// The files of each name.
    named: BTreeMap<String, Vec<RepoPath>>,
    /// What paths mean in a folder. They depend on the files' names alone.
    known: RefCell<HashMap<(RepoPath, String), Option<RepoPath>>>,
}

impl RequiredFiles {
    pub(super) fn new(files: Files) -> Self {
        Self {
            named: files.by_name(),
            files,
            known: RefCell::default(),
        }
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
        let key = (parent(from), path.to_owned());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let found = self.find_in_load_path(path, from);
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_in_load_path(&self, path: &str, from: &RepoPath) -> Option<RepoPath> {
        let name = path.rsplit('/').next()?;
        let named = self.named.get(name)?;
        if named.len() > MAX_NAMED {
            return None;
        }
        let files = named.iter().filter(|file| {
            let Some(folder) = file.as_str().strip_suffix(path) else {
                return false;
            };
            let last = folder
                .strip_suffix('/')
                .and_then(|of| of.rsplit('/').next());
            folder.is_empty() || last.is_some_and(|last| LOADED_FROM.contains(&last))
        });
        files.max_by_key(|file| shared_folders(file, from)).cloned()
    }

    /// Returns the files that a file loads, directly or through one other, and the helpers of a
    /// test.
    pub(super) fn loaded(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
    ) -> Rc<Vec<RepoPath>> {
        let find = || self.find_loaded(resolver, source.path);
        let loaded = resolver.database.included_files(source.path, find);
        // Reading a file notes that the result depends on it, also if the list is known already.
        for file in loaded.iter() {
            drop(resolver.database.facts(file));
        }
        loaded
    }

    fn find_loaded(&self, resolver: Resolver<'_>, path: &RepoPath) -> Vec<RepoPath> {
        let mut all: BTreeSet<RepoPath> = self.helpers(path).collect();
        let mut last: Vec<RepoPath> = all.iter().cloned().collect();
        last.push(path.clone());
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
        all.into_iter().collect()
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

    /// Returns the helpers in the folders around a test, and none for any other file.
    fn helpers(&self, of: &RepoPath) -> impl Iterator<Item = RepoPath> {
        let mut folders = of.as_str().split('/');
        let is_test = folders.any(|folder| TEST_FOLDERS.contains(&folder));
        let around = is_test.then(|| std::iter::successors(of.parent(), RepoPath::parent));
        let around = around.into_iter().flatten();
        let all = around.flat_map(|folder| HELPERS.map(|name| folder.join(name)));
        all.flatten().filter(|file| self.files.contains(file))
    }
}
