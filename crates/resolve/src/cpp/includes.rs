//! The files that includes mean: beside the file, in the folders of `compile_commands.json`, or
//! else the file of the repository whose path ends as the include does.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::commands::include_folders;
use crate::files::{Files, join_relative, parent, shared_folders};
use crate::manifest::Manifest;
use crate::resolver::Resolver;
use ragnav_base::hash::HashMap;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Import, ImportedItem};

/// The extensions of files that are included to declare something. Others that are included are
/// parts of one file, and see what that declares before.
const HEADERS: [&str; 6] = ["h", "hh", "hpp", "hxx", "h++", "inl"];

/// The number of files that one include may mean.
const MAX_MEANT: usize = 4;

/// The number of files that a file sees through includes.
const MAX_SEEN: usize = 5_000;

/// The headers of the standard library, which are those of no repository if they stand in `<>`,
/// <https://en.cppreference.com/w/c/header>.
const STANDARD: [&str; 31] = [
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "math.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbit.h",
    "stdbool.h",
    "stdckdint.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "wchar.h",
    "wctype.h",
];

/// The includes of a repository.
#[derive(Debug)]
pub(super) struct Includes {
    files: Files,
    /// The files of each name.
    named: BTreeMap<String, Vec<RepoPath>>,
    /// The folders in which compilers look up includes.
    folders: Vec<RepoPath>,
    /// The files that an include of a folder means. They depend on the files' names alone.
    known: RefCell<HashMap<(RepoPath, bool, String), Vec<RepoPath>>>,
}

impl Includes {
    pub(super) fn new(files: Files, manifests: &[Manifest]) -> Self {
        Self {
            folders: include_folders(&files, manifests),
            named: files.by_name(),
            files,
            known: RefCell::default(),
        }
    }

    /// Returns the file itself and all that it sees through includes.
    pub(super) fn seen(&self, resolver: Resolver<'_>, file: &RepoPath) -> Rc<Vec<RepoPath>> {
        let database = resolver.database;
        database.included_files(file, || self.find_seen(resolver, file))
    }

    fn find_seen(&self, resolver: Resolver<'_>, file: &RepoPath) -> Vec<RepoPath> {
        let mut seen = vec![file.clone()];
        let mut known = BTreeSet::from([file.clone()]);
        let mut at = 0;
        while let Some(next) = seen.get(at).cloned() {
            at += 1;
            let Some(facts) = resolver.database.facts(&next) else {
                continue;
            };
            for import in &facts.facts.imports {
                if seen.len() > MAX_SEEN {
                    return seen;
                }
                let path = facts.facts.name(import.module);
                for meant in self.meant(import, path, &next) {
                    if known.insert(meant.clone()) {
                        seen.push(meant);
                    }
                }
            }
        }
        seen
    }

    /// Returns all that the loaded files see that include a part of themselves from this file. A
    /// header is a part only as far as macros go, which the preprocessor expands by what precedes
    /// it.
    pub(super) fn seen_by_includers(
        &self,
        resolver: Resolver<'_>,
        (file, name): (&RepoPath, &str),
    ) -> BTreeSet<RepoPath> {
        if is_header(file) && !is_name_of_macro(name) {
            return BTreeSet::new();
        }
        let loaded = resolver.database.loaded_files();
        let includers = loaded.filter(|(path, facts)| {
            let mut imports = facts.facts.imports.iter();
            is_of_family(path)
                && imports.any(|import| {
                    let text = facts.facts.name(import.module);
                    text.ends_with(file.name()) && self.meant(import, text, path).contains(file)
                })
        });
        let mut all = BTreeSet::new();
        for (path, _) in includers {
            all.extend(self.seen(resolver, path).iter().cloned());
        }
        all
    }

    /// Returns the files that an include means.
    pub(super) fn meant(&self, import: &Import, path: &str, from: &RepoPath) -> Vec<RepoPath> {
        if import.item != ImportedItem::Module {
            return Vec::new();
        }
        let key = (parent(from), import.level > 0, path.to_owned());
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let found = self.find(&key);
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    fn find(&self, (folder, is_quoted, path): &(RepoPath, bool, String)) -> Vec<RepoPath> {
        let beside = is_quoted.then(|| self.file_in(folder, path)).flatten();
        if let Some(beside) = beside {
            return vec![beside];
        }
        let mut folders = self.folders.iter();
        let listed = folders.find_map(|folder| self.file_in(folder, path));
        if let Some(listed) = listed {
            return vec![listed];
        }
        if !is_quoted && STANDARD.contains(&path.as_str()) {
            return Vec::new();
        }
        let mut found = self.nearest(folder, path);
        let is_beside = |file: &RepoPath| parent(file) == *folder;
        if !is_quoted && found.iter().any(is_beside) {
            // `<a.h>` means no file beside, unless there is no other one.
            let others = self.ending_with(path).filter(|file| !is_beside(file));
            let others = nearest_of(others.collect(), folder);
            found = if others.is_empty() { found } else { others };
        }
        found
    }

    fn file_in(&self, folder: &RepoPath, path: &str) -> Option<RepoPath> {
        let file = join_relative(folder, path)?;
        self.files.contains(&file).then_some(file)
    }

    /// Returns the files whose paths end as an include does, and that share most folders with it.
    fn nearest(&self, folder: &RepoPath, path: &str) -> Vec<RepoPath> {
        nearest_of(self.ending_with(path).collect(), folder)
    }

    fn ending_with<'i>(&'i self, path: &str) -> impl Iterator<Item = &'i RepoPath> + use<'i> {
        let segments = path.split('/').filter(|part| !matches!(*part, "." | ".."));
        let segments: Vec<&str> = segments.collect();
        let end = segments.join("/");
        let named = segments.last().and_then(|name| self.named.get(*name));
        let named = named.into_iter().flatten();
        named.filter(move |file| {
            let rest = file.as_str().strip_suffix(&end);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
    }
}

fn nearest_of(found: Vec<&RepoPath>, folder: &RepoPath) -> Vec<RepoPath> {
    let shared = |file: &RepoPath| shared_folders(&parent(file), folder);
    let most = found.iter().map(|file| shared(file)).max();
    let found = found.into_iter().filter(|file| Some(shared(file)) == most);
    found.take(MAX_MEANT).cloned().collect()
}

/// Reports whether a file is included to declare something, by its extension.
pub(super) fn is_header(file: &RepoPath) -> bool {
    let extension = file.extension().unwrap_or_default();
    HEADERS.contains(&extension)
}

/// Reports whether a file is of C or C++.
pub(super) fn is_of_family(file: &RepoPath) -> bool {
    let language = ragnav_syntax::detect_language(file);
    language.is_some_and(|language| super::FAMILY.languages.include(language))
}

/// Reports whether a name is that of a macro, by convention.
pub(super) fn is_name_of_macro(name: &str) -> bool {
    name.contains(|letter: char| letter.is_ascii_uppercase())
        && !name.contains(|letter: char| letter.is_lowercase() || letter == '.')
}
