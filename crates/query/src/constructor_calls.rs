//! The calls of classes that run a method: `A()` runs `A.__init__`, and so does `B()` if `B`
//! inherits it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::code_facts::CodeFacts;
use crate::compiler_references::add_compiler_references;
use crate::reference_site::ReferenceSite;
use crate::references::references_to;
use crate::targets::Targets;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_resolve::{CallSite, Resolver};
use ragnav_syntax::facts::{ArgumentsId, DefinitionId, ScopeId};

/// A class, by its file and index.
type Class = (RepoPath, DefinitionId);

/// The arguments of a call, which mean the same in all calls of a scope.
type ArgumentsIn = (RepoPath, ScopeId, ArgumentsId);

/// How a call of a class is resolved to a target, and whether proven files show it; `None` if it
/// runs no target.
type Run = Option<(Resolution, bool)>;

/// The largest number of classes whose subclasses are searched.
const MAX_CLASSES: usize = 256;

/// Returns the references to some definitions of one name, the calls of classes that run them, and
/// what compilers found.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn gather_references<H: Host>(
    code: &mut CodeFacts<'_, H>,
    name: &str,
    targets: &Targets,
) -> Result<Vec<ReferenceSite>, RagnavError> {
    let mut sites = references_to(code, name, targets).await?;
    sites.extend(constructor_calls(code, targets).await?);
    add_compiler_references(code, targets, &mut sites).await?;
    Ok(sites)
}

/// Returns the calls of classes that run one of the targets.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
async fn constructor_calls<H: Host>(
    code: &mut CodeFacts<'_, H>,
    targets: &Targets,
) -> Result<Vec<ReferenceSite>, RagnavError> {
    let resolver = Resolver::new(&code.world);
    let classes = targets.iter().filter_map(|(path, id)| {
        let class = resolver.constructed_class(path, *id)?;
        Some((path.clone(), class))
    });
    let mut seen: Targets = classes.collect();
    // The classes, each with whether proven files show that a call runs the target.
    let mut ahead: Vec<(Class, bool)> = seen.iter().map(|class| (class.clone(), true)).collect();
    let mut calls = Vec::new();
    while let Some((class, is_proven)) = ahead.pop() {
        if seen.len() > MAX_CLASSES {
            code.mark_truncated();
            break;
        }
        let Some(name) = name_of(code, &class) else {
            continue;
        };
        let sites = references_to(code, &name, &BTreeSet::from([class.clone()])).await?;
        let known = sites
            .into_iter()
            .filter(|site| site.resolution == Resolution::Resolved);
        let mut by_arguments: BTreeMap<Option<ArgumentsIn>, Run> = BTreeMap::new();
        for site in known {
            match site.kind {
                ItemKind::Call => {
                    let run = match by_arguments.entry(arguments_at(code, &site)) {
                        Entry::Occupied(known) => *known.get(),
                        Entry::Vacant(new) => {
                            let call = new.key().as_ref().map(|_| &site);
                            *new.insert(runs(code, (&class, call), targets).await?)
                        }
                    };
                    let Some((resolution, rests_on_proven)) = run else {
                        continue;
                    };
                    calls.push(ReferenceSite {
                        is_proven: site.is_proven && is_proven && rests_on_proven,
                        resolution,
                        ..site
                    });
                }
                ItemKind::Inherit => {
                    let Some(subclass) = class_at(code, &site) else {
                        continue;
                    };
                    let run = runs(code, (&subclass, None), targets).await?;
                    if let Some((_, rests_on_proven)) = run
                        && seen.insert(subclass.clone())
                    {
                        ahead.push((subclass, is_proven && rests_on_proven));
                    }
                }
                ItemKind::Definition | ItemKind::Import | ItemKind::Reference | ItemKind::Text => {}
            }
        }
    }
    Ok(calls)
}

/// Finds out whether a call of a class runs one of the targets. If it is known and its arguments
/// fit an overload that is no target, too, it is a candidate.
async fn runs<H: Host>(
    code: &mut CodeFacts<'_, H>,
    ((path, class), site): (&Class, Option<&ReferenceSite>),
    targets: &Targets,
) -> Result<Run, RagnavError> {
    loop {
        code.world.start_tracking();
        let resolver = Resolver::new(&code.world);
        let file = site.and_then(|site| code.world.facts(&site.path));
        let call = site.zip(file.as_deref()).and_then(|(site, file)| {
            Some(CallSite {
                path: &site.path,
                file,
                reference: file
                    .facts
                    .references_at(site.line, site.start_utf16)
                    .first()?,
            })
        });
        let run = resolver.constructors((path, *class), call);
        let mut others = run.difference(targets);
        let is_open = others.any(|(path, id)| {
            let mut wanted = targets.iter();
            wanted.any(|(home, target)| resolver.are_overloads((path, *id), (home, *target)))
        });
        let consulted = code.world.take_dependencies().files;
        if code.load_missing().await? {
            continue;
        }
        let resolution = if is_open && call.is_some() {
            Resolution::Candidate
        } else {
            Resolution::Resolved
        };
        let runs_target = !run.is_disjoint(targets);
        return Ok(runs_target.then(|| (resolution, code.are_proven(&consulted))));
    }
}

/// Returns the arguments of the call at a site, in the languages where they tell overloads apart.
fn arguments_at<H: Host>(code: &CodeFacts<'_, H>, site: &ReferenceSite) -> Option<ArgumentsIn> {
    let file = code.world.facts(&site.path)?;
    let call = file
        .facts
        .references_at(site.line, site.start_utf16)
        .first()?;
    Some((site.path.clone(), call.scope, call.arguments?))
}

fn name_of<H: Host>(code: &CodeFacts<'_, H>, (path, class): &Class) -> Option<String> {
    let file = code.world.facts(path)?;
    let definition = file.facts.definition(*class)?;
    Some(file.facts.name(definition.name).to_owned())
}

/// Returns the class whose list of superclasses encloses a place.
fn class_at<H: Host>(code: &CodeFacts<'_, H>, site: &ReferenceSite) -> Option<Class> {
    let definitions = code.definitions(&site.path)?;
    let place = definitions.around(site.line, site.end_utf16)?;
    Some((site.path.clone(), DefinitionId(wire(place))))
}
