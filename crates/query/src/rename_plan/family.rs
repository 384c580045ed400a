//! The methods that have one name because they override each other.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_resolve::{Resolver, share_family};
use ragnav_syntax::facts::DefinitionId;

use crate::code_facts::CodeFacts;
use crate::targets::Targets;

/// The largest number of methods of one name that are compared.
const MAX_METHODS: usize = 2_000;

/// Returns the methods of a name that override a target, or that a target overrides, over any
/// number of steps.
pub(super) async fn family<H: Host>(
    code: &mut CodeFacts<'_, H>,
    name: &str,
    targets: &Targets,
) -> Result<Targets, RagnavError> {
    let mut family = targets.clone();
    let is_of_method = targets.iter().any(|(path, id)| is_method(code, path, *id));
    let Some((home, _)) = targets.first().filter(|_| is_of_method) else {
        return Ok(family);
    };
    let files = code.files_with_name(name).await?;
    let related: BTreeSet<RepoPath> = files
        .into_iter()
        .filter(|file| share_family(file, home))
        .collect();
    code.load(&related).await?;
    let overridden = loop {
        let methods = methods_named(code, &related, name);
        if methods.len() > MAX_METHODS {
            code.mark_truncated();
        }
        let resolver = Resolver::new(&code.world);
        let methods = methods.into_iter().take(MAX_METHODS);
        let overridden: BTreeMap<_, _> = methods
            .map(|(path, id)| {
                let found = resolver.overridden_methods(&path, id);
                ((path, id), found)
            })
            .collect();
        if !code.load_missing().await? {
            break overridden;
        }
    };
    loop {
        let before = family.len();
        for (method, above) in &overridden {
            let is_above = above.iter().any(|place| family.contains(place));
            if is_above || family.contains(method) {
                family.insert(method.clone());
                family.extend(above.iter().cloned());
            }
        }
        if family.len() == before {
            return Ok(family);
        }
    }
}

pub(super) fn is_method<H: Host>(
    code: &CodeFacts<'_, H>,
    path: &RepoPath,
    id: DefinitionId,
) -> bool {
    let file = code.world.facts(path);
    file.is_some_and(|file| {
        let definition = file.facts.definition(id);
        definition.is_some_and(|found| found.kind == DefinitionKind::Method)
    })
}

fn methods_named<H: Host>(
    code: &CodeFacts<'_, H>,
    files: &BTreeSet<RepoPath>,
    name: &str,
) -> Vec<(RepoPath, DefinitionId)> {
    let mut methods = Vec::new();
    for path in files {
        let Some(file) = code.world.facts(path) else {
            continue;
        };
        let all = (0..).map(DefinitionId).zip(&file.facts.definitions);
        let named = all.filter(|(_, one)| {
            one.kind == DefinitionKind::Method && file.facts.name(one.name) == name
        });
        methods.extend(named.map(|(id, _)| (path.clone(), id)));
    }
    methods
}
