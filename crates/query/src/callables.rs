//! The definitions that a call may run if only the called name is known.

use std::collections::{BTreeMap, BTreeSet};

use crate::code_facts::CodeFacts;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_resolve::Resolver;
use ragnav_syntax::facts::DefinitionId;

/// The number of definitions above which a name says too little.
const MAX_DEFINITIONS: usize = 5;
/// The largest number of names in one definition's calls.
const MAX_NAMES: usize = 64;
/// The length below which names are too common, in bytes.
const MIN_LETTERS: usize = 3;

/// Returns the methods with some names that a file's calls may run, for names with few definitions.
/// In languages without receivers, it returns every definition of the name.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn callables<H: Host>(
    code: &mut CodeFacts<'_, H>,
    caller: &RepoPath,
    names: &BTreeSet<String>,
) -> Result<BTreeMap<String, BTreeSet<(RepoPath, DefinitionId)>>, RagnavError> {
    let wanted = names.iter().filter(|name| name.len() >= MIN_LETTERS);
    let mut wanted: BTreeSet<String> = wanted.cloned().collect();
    while wanted.len() > MAX_NAMES {
        wanted.pop_last();
        code.mark_truncated();
    }
    let mut found: BTreeMap<String, BTreeSet<(RepoPath, DefinitionId)>> = BTreeMap::new();
    if wanted.is_empty() {
        return Ok(found);
    }
    let is_linked = Resolver::new(&code.world).links_by_name(caller);
    let is_by_name = is_linked || ragnav_resolve::is_resolved_by_name(caller);
    let files = code.files_with_any_name(&wanted).await?;
    code.load(&files).await?;
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
