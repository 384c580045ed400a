//! The references that mean a symbol and also others of its name.

use std::rc::Rc;

use ragnav_base::host::Host;
use ragnav_base::item::Resolution;
use ragnav_base::path::RepoPath;
use ragnav_resolve::{FileFacts, Resolver};
use ragnav_syntax::facts::{DefinitionId, Reference};

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
        let Some((file, reference)) = reference_at(code, site, name) else {
            continue;
        };
        let meaning = resolver.resolve_reference(&site.path, &file, &reference);
        let places = resolver.definitions(&meaning);
        let places = places.map(|(path, id)| (path.clone(), id));
        let others: Targets = places
            .filter(|place| !targets.contains(place))
            .filter(|place| name_of(code, place).as_deref() == Some(name))
            .collect();
        if !others.is_empty() {
            found.push((site.clone(), others));
        }
    }
    found
}

/// Returns the reference of a resolved site that is written as the name.
fn reference_at<H: Host>(
    code: &CodeFacts<'_, H>,
    site: &ReferenceSite,
    name: &str,
) -> Option<(Rc<FileFacts>, Reference)> {
    if site.resolution != Resolution::Resolved {
        return None;
    }
    let file = code.world.facts(&site.path)?;
    let references = file.facts.references_at(site.line, site.start_utf16);
    let mut references = references.iter();
    let found = references.find(|one| file.facts.name(one.name) == name);
    let found = found?.clone();
    Some((file, found))
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
