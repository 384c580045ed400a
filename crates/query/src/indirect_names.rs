//! Symbols by names that are no ids of definitions: `package.Cart` of a package that exports the
//! class of another module, and `Cart.total` of a method that the class inherits.

use std::collections::BTreeSet;

use ragnav_base::host::Host;
use ragnav_repository::failure::Failure;
use ragnav_repository::snapshot::Snapshot;
use ragnav_resolve::{Entity, ResolvedEntities, Resolver};

use crate::code_facts::CodeFacts;
use crate::find_definitions::{FoundDefinition, Needed, SymbolQuery, find};
use crate::modules::find_modules;
use crate::name_at_place::found_definitions;
use crate::targets::{Targets, targets};

/// The maximum number of segments after the name of a definition or module.
const MAX_MEMBERS: usize = 3;

/// Returns the definitions that a symbol means by imports and inheritance. The longest part of the
/// symbol that is the name of definitions or modules counts.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn find_indirectly<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &mut CodeFacts<'_, H>,
    query: &SymbolQuery,
) -> Result<Vec<FoundDefinition>, Failure> {
    for (owner, members) in query.splits(MAX_MEMBERS) {
        let owners = named(snapshot, code, &owner).await?;
        if owners.is_none() {
            continue;
        }
        let targets = members_of(code, &owners, &members).await?;
        return found_definitions(snapshot, code, targets).await;
    }
    Ok(Vec::new())
}

/// Returns the definitions, or else the modules, that have the name of a symbol.
async fn named<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &mut CodeFacts<'_, H>,
    query: &SymbolQuery,
) -> Result<ResolvedEntities, Failure> {
    let definitions = find(snapshot, query, Needed::Facts).await?.definitions;
    if definitions.is_empty() {
        let modules = find_modules(snapshot, query).await?.modules;
        let modules = modules.into_iter().map(|found| Entity::Module(found.path));
        return Ok(modules.collect());
    }
    let definitions = targets(&definitions);
    let files = definitions.iter().map(|(path, _)| path.clone()).collect();
    code.load(&files).await?;
    Ok(definitions.into_iter().collect::<Vec<_>>().into())
}

/// Returns the definitions that a dotted name means as a member of some definitions or modules.
async fn members_of<H: Host>(
    code: &mut CodeFacts<'_, H>,
    owners: &ResolvedEntities,
    members: &[&str],
) -> Result<Targets, Failure> {
    let names: BTreeSet<String> = members.iter().map(|name| (*name).to_owned()).collect();
    let files = owners.entities.iter().filter_map(Entity::file);
    for file in files {
        code.load_linked(file, &names).await?;
    }
    loop {
        let resolver = Resolver::new(&code.world);
        let found = resolver.resolve_dotted(owners, members);
        let targets = resolver.definitions(&found);
        let targets = targets.map(|(path, id)| (path.clone(), id)).collect();
        if !code.load_missing().await? {
            return Ok(targets);
        }
    }
}
