//! The files that declare constants: by the convention that `a/b_c.rb` declares `A::BC`, and those
//! that a query has loaded.
//!
//! Source: <https://github.com/fxn/zeitwerk#the-idea-file-paths-match-constant-paths>.

use std::collections::{BTreeMap, BTreeSet};

use crate::entity::{Entity, ResolvedEntities};
use crate::files::Files;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::DefinitionId;

/// The maximum number of files that are read for one constant by the convention.
const MAX_FILES: usize = 16;

/// The files of a repository by the constants that they declare by convention.
#[derive(Debug)]
pub(super) struct Constants {
    /// The files, by their names in the form of [`folded`].
    by_name: BTreeMap<String, Vec<RepoPath>>,
}

impl Constants {
    pub(super) fn new(files: &Files) -> Self {
        let mut by_name: BTreeMap<String, Vec<RepoPath>> = BTreeMap::new();
        for file in files.iter() {
            let stem = file.name().trim_end_matches(".rb");
            by_name.entry(folded(stem)).or_default().push(file.clone());
        }
        Self { by_name }
    }

    /// Returns the definitions of a class or module by its full path.
    pub(super) fn resolve(
        &self,
        resolver: Resolver<'_>,
        from: &RepoPath,
        path: &str,
    ) -> ResolvedEntities {
        let mut files: BTreeSet<RepoPath> = BTreeSet::from([from.clone()]);
        // A nested class may stand in the file of the class around it.
        let ends = path.match_indices('.').map(|(end, _)| end);
        let around = ends.filter_map(|end| path.get(..end)).chain([path]);
        for path in around {
            files.extend(self.files_of(path));
        }
        let loaded = resolver.database.loaded_files();
        let loaded = loaded.filter(|(path, _)| path.extension() == Some("rb"));
        files.extend(loaded.map(|(path, _)| path.clone()));
        let found = files.iter().flat_map(|file| declared(resolver, file, path));
        ResolvedEntities {
            entities: found.collect(),
            has_unknown: false,
        }
    }

    /// Returns the files that declare a class by convention.
    fn files_of(&self, path: &str) -> Vec<RepoPath> {
        let mut names: Vec<String> = path.split('.').map(folded).collect();
        let Some(last) = names.pop() else {
            return Vec::new();
        };
        let files = self.by_name.get(&last).into_iter().flatten();
        let is_below = |file: &&RepoPath| {
            let folders: Vec<&str> = file.as_str().split('/').rev().skip(1).collect();
            let outer = names.iter().rev();
            outer
                .zip(folders.iter().map(Some).chain(std::iter::repeat(None)))
                .all(|(name, folder)| folder.is_some_and(|folder| folded(folder) == *name))
        };
        files.filter(is_below).take(MAX_FILES).cloned().collect()
    }
}

/// Returns the definitions of a class or module in a file.
fn declared(resolver: Resolver<'_>, file: &RepoPath, path: &str) -> Vec<Entity> {
    let Some(facts) = resolver.database.facts(file) else {
        return Vec::new();
    };
    let last = path.rsplit('.').next().unwrap_or(path);
    let Some(last) = facts.find_name(last) else {
        return Vec::new();
    };
    let source = SourceFile {
        path: file,
        file: &facts,
    };
    let definitions = (0..).map(DefinitionId).zip(&facts.facts.definitions);
    let found = definitions.filter(|(id, one)| {
        let is_class = matches!(one.kind, DefinitionKind::Class | DefinitionKind::Namespace);
        is_class && one.name == last && facts.facts.name_path(*id) == path
    });
    found.map(|(id, _)| source.entity(id)).collect()
}

/// Returns a name of a file or a constant without what distinguishes the two: case and underscores.
fn folded(name: &str) -> String {
    let letters = name.chars().filter(|letter| *letter != '_');
    letters.flat_map(char::to_lowercase).collect()
}
