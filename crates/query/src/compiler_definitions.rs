//! The definitions that a name means according to the indexes of compilers.

use std::collections::BTreeSet;

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_repository::compiler::verify::NamePlace;
use ragnav_syntax::facts::DefinitionId;

use crate::code_facts::CodeFacts;
use crate::targets::Targets;

/// Returns the definitions that compilers say the name at a place of a loaded file means.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn compiler_definitions<H: Host>(
    code: &mut CodeFacts<'_, H>,
    place: &NamePlace,
) -> Result<Targets, RagnavError> {
    let mut found = Targets::new();
    for index in code.compiler_indexes().await?.iter() {
        if !code.is_described_by(index, &place.path) {
            continue;
        }
        let symbols = index.symbols_at(place).into_iter();
        let places: Vec<NamePlace> = symbols
            .flat_map(|symbol| index.definitions_of(symbol))
            .collect();
        let homes: BTreeSet<RepoPath> = places.iter().map(|home| home.path.clone()).collect();
        code.load(&homes).await?;
        let places = places.iter();
        let described = places.filter(|home| code.is_described_by(index, &home.path));
        found.extend(described.flat_map(|home| definitions_at(code, home)));
    }
    Ok(found)
}

/// Returns the definitions whose names are at a place.
fn definitions_at<H: Host>(
    code: &CodeFacts<'_, H>,
    place: &NamePlace,
) -> Vec<(RepoPath, DefinitionId)> {
    let Some(file) = code.world.facts(&place.path) else {
        return Vec::new();
    };
    let definitions = file.facts.definitions.iter().enumerate();
    let there = definitions.filter(|(_, one)| {
        let at = one.name_position;
        (at.line, at.start_utf16) == (place.line, place.start_utf16)
    });
    there
        .map(|(id, _)| (place.path.clone(), DefinitionId(wire(id))))
        .collect()
}

/// Returns the place of the name of a definition in a loaded file.
pub(super) fn name_place<H: Host>(
    code: &CodeFacts<'_, H>,
    (path, id): &(RepoPath, DefinitionId),
) -> Option<NamePlace> {
    let file = code.world.facts(path)?;
    let at = file.facts.definition(*id)?.name_position;
    Some(NamePlace {
        path: path.clone(),
        line: at.line,
        start_utf16: at.start_utf16,
    })
}
