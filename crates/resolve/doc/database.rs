// The set-up of the examples in the documentation, which include this file.

use std::rc::Rc;

use ragnav_base::path::RepoPath;
use ragnav_resolve::{FactDatabase, FileFacts, LanguageResolvers};

/// Parses a path.
pub fn path(text: &str) -> RepoPath {
    RepoPath::parse(text).unwrap()
}

/// Builds a database of files from their paths and texts.
pub fn database(files: &[(&str, &str)]) -> FactDatabase {
    let paths: Vec<RepoPath> = files.iter().map(|(name, _)| path(name)).collect();
    let resolvers = LanguageResolvers::new(&paths.iter().collect::<Vec<_>>(), &[], &[]);
    let mut database = FactDatabase::new(Rc::new(resolvers));
    for (path, (_, text)) in paths.into_iter().zip(files) {
        let language = ragnav_syntax::detect_language(&path).unwrap();
        let facts = FileFacts::new(ragnav_syntax::extract_facts(language, text));
        database.insert(path, Some(Rc::new(facts)));
    }
    database
}
