//! The references that mean a symbol and also others of its name.

use ragnav_base::host::Host;
use ragnav_base::item::Resolution;
use ragnav_base::path::RepoPath;
use ragnav_resolve::Resolver;
use ragnav_syntax::facts::DefinitionId;

use crate::code_facts::CodeFacts;
use crate::reference_site::ReferenceSite;
use crate::targets::Targets;

/// Returns the resolved references that also mean other definitions of the name, with these.
pub(crate) fn others_meant<H: Host>(
    code: &CodeFacts<'_, H>,
    name: &str,
    sites: &[ReferenceSite],
    targets: &Targets,
) -> Vec<(ReferenceSite, Targets)> {
    let resolver = Resolver::new(&code.world);
    let mut found = Vec::new();
    for site in sites {
        let Some(file) = code.world.facts(&site.path) else {
            continue;
        };
        let references = file.facts.references_at(site.line, site.start_utf16);
        let written = references.iter().filter(|one| {
            file.facts.name(one.name) == name && site.resolution == Resolution::Resolved
        });
        // `{ total }` is a property and a variable, of which one may be meant.
        let meanings = written.map(|one| {
            let meaning = resolver.resolve_reference(&site.path, &file, one);
            let places = resolver.definitions(&meaning);
            places.map(|(path, id)| (path.clone(), id)).collect()
        });
        let mut meanings = meanings.filter(|meant: &Targets| !meant.is_disjoint(targets));
        let meant = meanings.next().unwrap_or_default();
        let others: Targets = meant
            .into_iter()
            .filter(|place| !targets.contains(place))
            .filter(|place| name_of(code, place).as_deref() == Some(name))
            .collect();
        if !others.is_empty() {
            found.push((site.clone(), others));
        }
    }
    found
}

/// Returns the name of a definition.
pub(crate) fn name_of<H: Host>(
    code: &CodeFacts<'_, H>,
    (path, id): &(RepoPath, DefinitionId),
) -> Option<String> {
    let file = code.world.facts(path)?;
    let definition = file.facts.definition(*id)?;
    Some(file.facts.name(definition.name).to_owned())
}
