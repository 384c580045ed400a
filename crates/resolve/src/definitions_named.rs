//! The definitions of a name in all files of a language.

use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionFact, DefinitionId};

use crate::resolver::Resolver;
use crate::source_file::SourceFile;

/// Returns the definitions with a name, each with its file. `is_wanted` also gets the file and the
/// place of the definition in its facts.
///
/// The files are those that the index names, or that contain the name. If nothing has looked for them
/// yet, it records the name as missing and returns no definitions.
pub(crate) fn definitions_named(
    resolver: Resolver<'_>,
    language: &'static str,
    name: &str,
    is_wanted: impl Fn(&SourceFile<'_>, DefinitionId, &DefinitionFact) -> bool,
) -> Vec<(RepoPath, DefinitionId)> {
    let mut found = Vec::new();
    for file in resolver.database.files_defining(language, name) {
        let Some(facts) = resolver.database.facts(file) else {
            continue;
        };
        let Some(name) = facts.find_name(name) else {
            continue;
        };
        let source = SourceFile {
            path: file,
            file: &facts,
        };
        let all = (0..).map(DefinitionId).zip(&facts.facts.definitions);
        let own = all.filter(|(id, one)| one.name == name && is_wanted(&source, *id, one));
        found.extend(own.map(|(id, _)| (file.clone(), id)));
    }
    found
}
