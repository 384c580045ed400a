//! What a call may run of which the name alone is known.

use std::collections::{BTreeMap, BTreeSet};

use crate::code_facts::CodeFacts;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::DefinitionId;

/// A name with more definitions than this says too little.
const MAX_DEFINITIONS: usize = 5;
/// More names than this are not looked for in one definition's calls.
const MAX_NAMES: usize = 64;
/// Names shorter than this are everywhere.
const MIN_LETTERS: usize = 3;

/// The methods of some names in the repository that a file's calls may run, where a name has few; all that has the name where a
/// language's names are followed by their text alone.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn callables<H: Host>(
    code: &mut CodeFacts<'_, H>,
    caller: &RepoPath,
    names: &BTreeSet<String>,
) -> Result<BTreeMap<String, BTreeSet<(RepoPath, DefinitionId)>>, RagnavError> {
    let wanted = names.iter().filter(|name| name.len() >= MIN_LETTERS);
    let mut wanted: BTreeSet<String> = wanted.cloned().collect();
    while wanted.len() > MAX_NAMES {
        wanted.pop_last();
        code.cut_short();
    }
    let mut found: BTreeMap<String, BTreeSet<(RepoPath, DefinitionId)>> = BTreeMap::new();
    if wanted.is_empty() {
        return Ok(found);
    }
    let is_by_name = ragnav_resolve::is_resolved_by_name(caller);
    let files = code.mentioning_any(&wanted).await?;
    code.bring(&files).await?;
    for path in files {
        if !ragnav_resolve::share_family(&path, caller) {
            continue;
        }
        let Some(file) = code.world.facts(&path) else {
            continue;
        };
        for (id, definition) in (0..).map(DefinitionId).zip(&file.facts.definitions) {
            let name = file.facts.name(definition.name);
            let is_method = definition.kind == DefinitionKind::Method;
            let may_be_called = is_method || is_by_name;
            if may_be_called && wanted.contains(name) {
                let places = found.entry(name.to_owned()).or_default();
                places.insert((path.clone(), id));
            }
        }
    }
    found.retain(|_, places| places.len() <= MAX_DEFINITIONS);
    Ok(found)
}
