//! The references to some definitions, resolved with a worklist. A reference is resolved again only
//! while files that its resolution consults are missing.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::aliases::Aliases;
use crate::code_facts::CodeFacts;
use crate::fixtures::fixture_uses;
use crate::reference_site::ReferenceSite;
use crate::targets::Targets;
use ragnav_base::error::RagnavError;
use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::host::Host;
use ragnav_base::item::Resolution;
use ragnav_base::path::RepoPath;
use ragnav_resolve::{CallSite, Dependencies, FileFacts, ResolvedEntities, Resolver};
use ragnav_syntax::facts::{DefinitionId, Name, Receiver, Reference};

/// The number of references that are resolved between two pauses.
const PAUSE_REFERENCES: usize = 500;

/// Returns the references to some definitions of one name.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn references_to<H: Host>(
    code: &mut CodeFacts<'_, H>,
    name: &str,
    targets: &Targets,
) -> Result<Vec<ReferenceSite>, RagnavError> {
    let aliases = Aliases::find(code, name, targets).await?;
    load_includers(code, &aliases).await?;
    let all = candidates(code, &aliases);
    let mut overrides = Overrides::of(code, targets);
    let mut sites = Vec::new();
    let mut ahead: Vec<usize> = (0..all.len()).collect();
    loop {
        let resolver = Resolver::new(&code.world);
        let mut members = targets.iter();
        let search = Search {
            name,
            targets,
            overrides: &overrides,
            has_literal_members: members.any(|(path, id)| resolver.is_literal_member(path, *id)),
            proven: RefCell::default(),
        };
        let round = search.resolve(code, &all, &ahead).await;
        // A later round may find what was beyond the limit of this one.
        let is_cut = code.world.is_truncated();
        if !code.load_missing().await? {
            sites.extend(round.settled);
            sites.extend(round.unsettled.into_iter().filter_map(|(_, site)| site));
            sites.extend(fixture_uses(code, aliases.files(), (name, targets)));
            return Ok(sites);
        }
        let now = Overrides::of(code, targets);
        if is_cut || now != overrides {
            overrides = now;
            sites.clear();
            ahead = (0..all.len()).collect();
        } else {
            sites.extend(round.settled);
            ahead = round
                .unsettled
                .into_iter()
                .map(|(place, _)| place)
                .collect();
        }
    }
}

/// Loads the files that include another one, if they may decide what a name in it means.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
async fn load_includers<H: Host>(
    code: &mut CodeFacts<'_, H>,
    aliases: &Aliases,
) -> Result<(), RagnavError> {
    let resolver = Resolver::new(&code.world);
    let keys = aliases.files().filter_map(|file| {
        let mut names = aliases.names_in(file);
        names.find_map(|name| resolver.importers_key(file, name))
    });
    let keys = keys.collect();
    let includers = code.importing(&keys).await?;
    code.load(&includers).await
}

/// A reference that may mean one of the targets: it has their name or an alias.
struct CandidateReference {
    path: RepoPath,
    file: Rc<FileFacts>,
    /// The index among the references of the file.
    place: usize,
}

impl CandidateReference {
    fn reference(&self) -> Option<&Reference> {
        self.file.facts.references.get(self.place)
    }
}

fn candidates<H: Host>(code: &CodeFacts<'_, H>, aliases: &Aliases) -> Vec<CandidateReference> {
    let mut candidates = Vec::new();
    for path in aliases.files() {
        let Some(file) = code.world.facts(path) else {
            continue;
        };
        let held = aliases.names_in(path);
        let held: HashSet<Name> = held.filter_map(|name| file.find_name(name)).collect();
        let references = file.facts.references.iter().enumerate();
        let named = references.filter(|(_, one)| {
            let is_value = || {
                file.name_of_value(one)
                    .is_some_and(|of| aliases.hold(path, &of))
            };
            held.contains(&one.name) || is_value()
        });
        candidates.extend(named.map(|(place, _)| CandidateReference {
            path: path.clone(),
            file: Rc::clone(&file),
            place,
        }));
    }
    candidates
}

/// The methods that the targets override. A call of one on an unknown instance may run a target.
#[derive(PartialEq, Eq)]
struct Overrides {
    methods: Targets,
    /// The files that declare these overrides.
    consulted: BTreeSet<RepoPath>,
}

impl Overrides {
    fn of<H: Host>(code: &CodeFacts<'_, H>, targets: &Targets) -> Self {
        let resolver = Resolver::new(&code.world);
        code.world.start_tracking();
        let overridden =
            |(path, id): &(RepoPath, DefinitionId)| resolver.overridden_methods(path, *id);
        let methods = targets.iter().flat_map(overridden).collect();
        let consulted = code.world.take_dependencies().files.into_iter().collect();
        Self { methods, consulted }
    }
}

/// The references that one round resolved.
struct Round {
    /// The references to the targets whose resolution cannot change any more.
    settled: Vec<ReferenceSite>,
    /// The references that consulted a missing file, by their place, with what they mean so far.
    unsettled: Vec<(usize, Option<ReferenceSite>)>,
}

/// What references are compared with: the targets, their names and what they override.
struct Search<'s> {
    name: &'s str,
    targets: &'s Targets,
    overrides: &'s Overrides,
    /// Whether a target is a member of an object that may be of any interface with such a member.
    has_literal_members: bool,
    /// Whether files are proven unchanged: most references depend on the same ones.
    proven: RefCell<HashMap<RepoPath, bool>>,
}

impl Search<'_> {
    async fn resolve<H: Host>(
        &self,
        code: &CodeFacts<'_, H>,
        all: &[CandidateReference],
        ahead: &[usize],
    ) -> Round {
        let mut round = Round {
            settled: Vec::new(),
            unsettled: Vec::new(),
        };
        for (done, place) in ahead.iter().enumerate() {
            if done % PAUSE_REFERENCES == PAUSE_REFERENCES - 1 {
                code.pause(done, ahead.len()).await;
            }
            let Some(candidate) = all.get(*place) else {
                continue;
            };
            let (site, is_settled) = self.resolve_one(code, candidate);
            if is_settled {
                round.settled.extend(site);
            } else {
                round.unsettled.push((*place, site));
            }
        }
        round
    }

    /// Returns the site of a reference to a target, and whether every file that it consulted is
    /// there.
    fn resolve_one<H: Host>(
        &self,
        code: &CodeFacts<'_, H>,
        candidate: &CandidateReference,
    ) -> (Option<ReferenceSite>, bool) {
        let CandidateReference { path, file, .. } = candidate;
        let Some(reference) = candidate.reference() else {
            return (None, true);
        };
        let resolver = Resolver::new(&code.world);
        code.world.start_tracking();
        let meaning = resolver.resolve_reference(path, file, reference);
        let resolution = self.classify(resolver, path, file, reference, &meaning);
        let Dependencies {
            files: mut consulted,
            is_complete: is_settled,
        } = code.world.take_dependencies();
        let Some(resolution) = resolution else {
            return (None, is_settled);
        };
        consulted.push(path.clone());
        if resolution == Resolution::Candidate {
            consulted.extend(self.overrides.consulted.iter().cloned());
        }
        let is_proven = self.are_proven(code, &consulted);
        let site = ReferenceSite::new(path, file, reference, resolution, is_proven);
        (Some(site), is_settled)
    }

    fn are_proven<H: Host>(&self, code: &CodeFacts<'_, H>, files: &[RepoPath]) -> bool {
        let mut known = self.proven.borrow_mut();
        files.iter().all(|file| {
            let known = known.entry(file.clone());
            *known.or_insert_with(|| code.are_proven([file]))
        })
    }

    /// Decides whether a reference is one to a target: resolved, a candidate, or neither.
    fn classify(
        &self,
        resolver: Resolver<'_>,
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
        meaning: &ResolvedEntities,
    ) -> Option<Resolution> {
        let among = |targets: &Targets| {
            let mut meant = resolver.definitions(meaning);
            meant.any(|(path, id)| targets.contains(&(path.clone(), id)))
        };
        let name = file.facts.name(reference.name);
        if among(self.targets) {
            // A target that is called by another name inside itself may be the value that it
            // replaced.
            let may_be_older = name != self.name && self.is_inside(path, file, reference);
            let is_open = may_be_older || self.is_ambiguous(resolver, meaning);
            return Some(if is_open {
                Resolution::Candidate
            } else {
                Resolution::Resolved
            });
        }
        let is_candidate = name == self.name
            && self.may_be_target(resolver, (path, file), reference, meaning)
            && self.can_be_target(resolver, (path, file), reference);
        is_candidate.then_some(Resolution::Candidate)
    }

    /// Reports whether a reference with the name of the targets may mean one of them, although it
    /// is not resolved to one.
    fn may_be_target(
        &self,
        resolver: Resolver<'_>,
        (path, file): (&RepoPath, &FileFacts),
        reference: &Reference,
        meaning: &ResolvedEntities,
    ) -> bool {
        let is_member = reference.is_member() || resolver.links_by_name(path);
        let is_nothing = meaning.entities.is_empty();
        let mut meant = resolver.definitions(meaning);
        (is_member && meaning.is_unknown())
            || (is_nothing && resolver.is_missing(path, file, reference))
            || (is_nothing && resolver.may_be_of_script(path, file, reference, self.targets))
            || (is_nothing && self.may_misfit(resolver, (path, file), reference))
            || self.may_be_variadic(resolver, (path, file), reference, meaning)
            || resolver.is_named_after(path, file, reference, self.targets)
            || (meant.any(|(path, id)| self.overrides.methods.contains(&(path.clone(), id)))
                && resolver.is_instance_member(path, file, reference))
            || self.may_implement(resolver, (path, file), reference, meaning)
    }

    /// Reports whether a call that fits no method would mean a target with another number of
    /// arguments. Either a class from outside of the repository declares an overload, or the call
    /// is not adapted yet to a target that has changed.
    fn may_misfit(
        &self,
        resolver: Resolver<'_>,
        (path, file): (&RepoPath, &FileFacts),
        reference: &Reference,
    ) -> bool {
        if reference.arguments.is_none() {
            return false;
        }
        let of_any = Reference {
            arguments: None,
            ..reference.clone()
        };
        let meaning = resolver.resolve_reference(path, file, &of_any);
        let mut meant = resolver.definitions(&meaning);
        meant.any(|(path, id)| self.targets.contains(&(path.clone(), id)))
    }

    /// Reports whether a call may mean a target with a variadic or optional parameter, where
    /// another method of its class has as many parameters as the call has arguments.
    fn may_be_variadic(
        &self,
        resolver: Resolver<'_>,
        (path, file): (&RepoPath, &FileFacts),
        reference: &Reference,
        meaning: &ResolvedEntities,
    ) -> bool {
        let call = CallSite {
            path,
            file,
            reference,
        };
        let mut meant = resolver.definitions(meaning);
        meant.any(|(path, id)| {
            let mut targets = self.targets.iter();
            targets.any(|(home, target)| {
                resolver.are_overloads((path, id), (home, *target))
                    && resolver.may_mean_other(call, (path, id), (home, *target))
            })
        })
    }

    /// Reports whether a reference may mean an overload that is no target: a call with arguments of
    /// unknown types, or a name that is not called, as in `A::f`.
    fn is_ambiguous(&self, resolver: Resolver<'_>, meaning: &ResolvedEntities) -> bool {
        let mut meant = resolver.definitions(meaning);
        meant.any(|(path, id)| {
            let mut targets = self.targets.iter();
            resolver.parameters_of(path, id).is_some()
                && !self.targets.contains(&(path.clone(), id))
                && targets.any(|(home, target)| resolver.are_overloads((path, id), (home, *target)))
        })
    }

    /// Reports whether a reference to a member of an interface may mean that of an object literal.
    fn may_implement(
        &self,
        resolver: Resolver<'_>,
        (path, file): (&RepoPath, &FileFacts),
        reference: &Reference,
        meaning: &ResolvedEntities,
    ) -> bool {
        let mut homes = self.targets.iter().map(|(home, _)| home);
        let mut meant = resolver.definitions(meaning);
        self.has_literal_members
            && (resolver.is_instance_member(path, file, reference)
                || homes.any(|home| resolver.is_member_of_type_in(home, path, file, reference)))
            && meant.all(|(path, id)| resolver.is_of_interface(path, id))
    }

    /// Reports whether nothing rules out that a reference means a target.
    fn can_be_target(
        &self,
        resolver: Resolver<'_>,
        (path, file): (&RepoPath, &FileFacts),
        reference: &Reference,
    ) -> bool {
        let mut homes = self.targets.iter().map(|(home, _)| home);
        let mut targets = self.targets.iter();
        homes.any(|home| ragnav_resolve::share_family(home, path))
            && !self.is_own_super(path, file, reference)
            && targets
                .any(|(home, id)| resolver.is_written_for((path, file), reference, (home, *id)))
    }

    /// Reports whether a reference is `super.f()` inside the only target `f`, which it cannot mean.
    fn is_own_super(&self, path: &RepoPath, file: &FileFacts, reference: &Reference) -> bool {
        let Receiver::Value(value) = reference.receiver else {
            return false;
        };
        let scope = file.facts.scope(reference.scope);
        let inside = scope.and_then(|scope| scope.definition);
        file.facts.name(value.path) == "super"
            && self.targets.len() == 1
            && inside.is_some_and(|id| self.targets.contains(&(path.clone(), id)))
    }

    /// Reports whether a reference is inside a target that is a member, as in `o.f = () => old()`.
    fn is_inside(&self, path: &RepoPath, file: &FileFacts, reference: &Reference) -> bool {
        let mut definitions = self.targets.iter().filter(|(home, _)| home == path);
        definitions.any(|(_, id)| {
            let definition = file.facts.definition(*id);
            definition.is_some_and(|found| {
                let lines = found.start_line..=found.end_line;
                found.qualifier.is_some() && lines.contains(&reference.position.line)
            })
        })
    }
}
