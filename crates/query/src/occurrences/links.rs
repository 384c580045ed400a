//! The definitions that the references of a file and its overriding methods lead to, resolved with a
//! worklist.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{DefinitionKind, Evidence};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_repository::compiler::verify::NamePlace;
use ragnav_resolve::{Dependencies, FileFacts, Resolver};
use ragnav_syntax::facts::{DefinitionId, Receiver};

use crate::code_facts::CodeFacts;
use crate::compiler_definitions::compiler_definitions;
use crate::targets::Targets;

/// The number of origins that are resolved between two pauses.
const PAUSE_ORIGINS: usize = 500;

/// What leads to other definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// A reference, by its index.
    Reference(usize),
    /// A method that may override others.
    Override(DefinitionId),
}

/// Where an origin leads.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) targets: Targets,
    /// Whether it may lead to members of an object of unknown type.
    pub(super) is_unknown: bool,
    /// Whether every file that its resolution consulted is proven unchanged.
    pub(super) is_proven: bool,
    /// Who resolved it, if ragnav did not.
    pub(super) evidence: Option<Evidence>,
}

/// Resolves the references and the overriding methods of a file.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn links_of<H: Host>(
    code: &mut CodeFacts<'_, H>,
    path: &RepoPath,
    file: &FileFacts,
) -> Result<BTreeMap<Origin, Link>, RagnavError> {
    let facts = &file.facts;
    let names = facts
        .references
        .iter()
        .map(|one| facts.name(one.name).to_owned());
    code.load_linked(path, &names.collect()).await?;
    let all = origins(file);
    let mut links = BTreeMap::new();
    let mut ahead = all.clone();
    loop {
        let mut unsettled = Vec::new();
        for (done, origin) in ahead.iter().enumerate() {
            if done % PAUSE_ORIGINS == PAUSE_ORIGINS - 1 {
                code.pause(done, ahead.len()).await;
            }
            let (link, is_settled) = resolve(code, path, file, *origin);
            links.insert(*origin, link);
            if !is_settled {
                unsettled.push(*origin);
            }
        }
        // A later round may find what was beyond the limit of this one.
        let is_cut = code.world.is_truncated();
        if !code.load_missing().await? {
            add_compiler_links(code, path, file, &mut links).await?;
            return Ok(links);
        }
        ahead = if is_cut { all.clone() } else { unsettled };
    }
}

/// Lets compilers say where the references lead that ragnav does not resolve.
async fn add_compiler_links<H: Host>(
    code: &mut CodeFacts<'_, H>,
    path: &RepoPath,
    file: &FileFacts,
    links: &mut BTreeMap<Origin, Link>,
) -> Result<(), RagnavError> {
    for (origin, link) in links {
        let Origin::Reference(place) = origin else {
            continue;
        };
        let reference = file.facts.references.get(*place);
        let Some(reference) = reference.filter(|_| link.targets.is_empty()) else {
            continue;
        };
        let at = NamePlace {
            path: path.clone(),
            line: reference.position.line,
            start_utf16: reference.position.start_utf16,
        };
        let targets = compiler_definitions(code, &at).await?;
        if targets.is_empty() {
            continue;
        }
        let homes = targets.iter().map(|(home, _)| home).chain([path]);
        link.is_proven = code.are_proven(homes);
        link.targets = targets;
        link.evidence = Some(Evidence::Compiler);
    }
    Ok(())
}

/// Returns the references that have a name of their own, and the methods.
fn origins(file: &FileFacts) -> Vec<Origin> {
    let references = file.facts.references.iter().enumerate();
    let named = references.filter(|(_, one)| !matches!(one.receiver, Receiver::Itself(_)));
    let definitions = file.facts.definitions.iter().enumerate();
    let methods = definitions.filter(|(_, one)| one.kind == DefinitionKind::Method);
    let methods = methods.map(|(place, _)| Origin::Override(DefinitionId(wire(place))));
    named
        .map(|(place, _)| Origin::Reference(place))
        .chain(methods)
        .collect()
}

/// Returns where an origin leads, and whether every file that this consulted is there.
fn resolve<H: Host>(
    code: &CodeFacts<'_, H>,
    path: &RepoPath,
    file: &FileFacts,
    origin: Origin,
) -> (Link, bool) {
    let resolver = Resolver::new(&code.world);
    code.world.start_tracking();
    let (targets, is_unknown) = match origin {
        Origin::Reference(place) => targets_of(resolver, path, file, place),
        Origin::Override(id) => (resolver.overridden_methods(path, id), false),
    };
    let Dependencies {
        files: mut consulted,
        is_complete: is_settled,
    } = code.world.take_dependencies();
    consulted.push(path.clone());
    let is_proven = code.are_proven(&consulted);
    let link = Link {
        targets,
        is_unknown,
        is_proven,
        evidence: None,
    };
    (link, is_settled)
}

fn targets_of(
    resolver: Resolver<'_>,
    path: &RepoPath,
    file: &FileFacts,
    place: usize,
) -> (Targets, bool) {
    let Some(reference) = file.facts.references.get(place) else {
        return (BTreeSet::new(), false);
    };
    let meaning = resolver.resolve_reference(path, file, reference);
    let targets = resolver.definitions(&meaning);
    let targets = targets.map(|(path, id)| (path.clone(), id)).collect();
    let is_member = reference.is_member() || resolver.links_by_name(path);
    (targets, meaning.is_unknown() && is_member)
}
