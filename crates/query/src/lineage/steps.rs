//! The steps of a lineage from definition to definition, upstream or downstream.

use std::collections::{BTreeMap, BTreeSet};

use crate::callables::callables;
use crate::code_facts::CodeFacts;
use crate::compiler_definitions::compiler_definitions;
use crate::constructor_calls::gather_references;
use crate::module_references::{import_site, imports_of};
use crate::modules;
use crate::reference_site::ReferenceSite;
use crate::targets::{Target, Targets};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Direction, Edge, Evidence, ItemKind, LineageItem, NavItem, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::symbol_id::SymbolId;
use ragnav_repository::compiler::verify::NamePlace;
use ragnav_resolve::{CallSite, FileFacts, Resolver};
use ragnav_syntax::facts::{DefinitionId, ReferenceKind};

/// What a step starts from or leads to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// A definition, by its file and index.
    Definition(RepoPath, DefinitionId),
    /// A file as a module.
    Module(RepoPath),
}

impl Place {
    fn path(&self) -> &RepoPath {
        match self {
            Self::Definition(path, _) | Self::Module(path) => path,
        }
    }

    fn is_module(&self) -> bool {
        matches!(self, Self::Module(_))
    }

    /// Returns the definition, or `None` for a module.
    fn definition(&self) -> Option<DefinitionId> {
        match self {
            Self::Definition(_, id) => Some(*id),
            Self::Module(_) => None,
        }
    }
}

impl From<Target> for Place {
    fn from((path, id): Target) -> Self {
        Self::Definition(path, id)
    }
}

/// A possible step.
pub(super) struct Taken {
    site: ReferenceSite,
    edge: Edge,
    /// The definition that it leads to.
    far: Option<Place>,
    /// The definition that the row shows: the class, where the step leads to its constructor.
    shown: Option<Place>,
}

impl Taken {
    pub(super) fn new(site: ReferenceSite, edge: Edge, far: Option<Place>) -> Self {
        let shown = far.clone();
        Self {
            site,
            edge,
            far,
            shown,
        }
    }
}

/// A step: its site, and the definition that it leads to.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) site: ReferenceSite,
    pub(crate) edge: Edge,
    pub(crate) depth: usize,
    /// The symbols on the way; the last one is the farthest.
    pub(crate) via: Vec<SymbolId>,
}

impl Step {
    /// Returns the step as a row, with the symbols on the way that it shows.
    pub(crate) fn row(&self, item: NavItem, via: &[SymbolId]) -> LineageItem {
        LineageItem {
            item,
            depth: wire(self.depth),
            edge: self.edge,
            via: via.to_vec(),
        }
    }
}

/// The file, line and column of a site, and the symbol that the step leads to.
type StepKey = (RepoPath, u32, u32, Option<SymbolId>);

/// The search through the code, step by step.
pub(crate) struct Walk<'q, H> {
    pub(crate) code: CodeFacts<'q, H>,
    /// The steps by site and farthest symbol, each at its smallest depth.
    pub(crate) steps: BTreeMap<StepKey, Step>,
    seen: BTreeSet<Place>,
    /// Whether code outside of definitions belongs to its module.
    follows_modules: bool,
    /// The largest number of symbols that are followed.
    max_symbols: usize,
    /// Whether steps between declarations and definitions in other files are taken.
    follows_declarations: bool,
    /// Whether there are files in both languages that a linker joins, once that is known.
    pub(super) is_linked: Option<bool>,
    /// Whether there are more than `max_symbols` symbols to follow.
    pub(crate) is_bounded: bool,
}

impl<'q, H: Host> Walk<'q, H> {
    pub(crate) fn new(code: CodeFacts<'q, H>, max_symbols: usize) -> Self {
        Self {
            code,
            steps: BTreeMap::new(),
            seen: BTreeSet::new(),
            follows_modules: false,
            max_symbols,
            follows_declarations: false,
            is_linked: None,
            is_bounded: false,
        }
    }

    /// Takes code outside of definitions as part of its module, so that steps lead to modules too.
    pub(crate) fn follow_modules(&mut self) {
        self.follows_modules = true;
    }

    /// Takes the steps between declarations and definitions in other files, too.
    pub(crate) fn with_declarations(mut self) -> Self {
        self.follows_declarations = true;
        self
    }

    /// Takes the steps from some definitions in a direction, up to a depth. Each definition comes
    /// with the symbols that `via` of its steps begins with.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(crate) async fn follow(
        &mut self,
        targets: BTreeMap<Place, Vec<SymbolId>>,
        direction: Direction,
        depth: usize,
    ) -> Result<(), RagnavError> {
        self.follows_modules |= targets.keys().any(Place::is_module);
        let mut edge = targets;
        for depth in 1..=depth {
            let mut next: BTreeMap<Place, Vec<SymbolId>> = BTreeMap::new();
            for (place, via) in edge {
                if self.seen.contains(&place) {
                    continue;
                }
                if self.seen.len() >= self.max_symbols {
                    self.is_bounded = true;
                    return Ok(());
                }
                self.seen.insert(place.clone());
                let mut taken = match direction {
                    Direction::Upstream => self.upstream(&place).await?,
                    Direction::Downstream => self.downstream(&place).await?,
                };
                if let (true, Place::Definition(path, id)) = (self.follows_declarations, &place) {
                    let target = (path.clone(), *id);
                    taken.extend(match direction {
                        Direction::Upstream => self.declarations(&target).await?,
                        Direction::Downstream => self.declared(&target).await?,
                    });
                }
                for Taken {
                    site,
                    edge,
                    far,
                    shown,
                } in taken
                {
                    let shown_id = shown.as_ref().and_then(|shown| self.id(shown));
                    let far_id = far.as_ref().and_then(|far| self.id(far));
                    let via: Vec<SymbolId> = via.iter().cloned().chain(far_id).collect();
                    if let Some(far) = far.filter(|_| site.resolution == Resolution::Resolved) {
                        next.entry(far)
                            .and_modify(|known| *known = known.clone().min(via.clone()))
                            .or_insert_with(|| via.clone());
                    }
                    let key = (site.path.clone(), site.line, site.start_utf16, shown_id);
                    self.steps.entry(key).or_insert(Step {
                        site,
                        edge,
                        depth,
                        via,
                    });
                }
            }
            edge = next;
        }
        Ok(())
    }

    /// Returns the references by which others call, inherit from or import a definition.
    async fn upstream(&mut self, place: &Place) -> Result<Vec<Taken>, RagnavError> {
        let sites = match place {
            Place::Module(path) => {
                imports_of(&mut self.code, &BTreeSet::from([path.clone()])).await?
            }
            Place::Definition(path, id) => {
                let target = (path.clone(), *id);
                let Some(name) = self.name(&target).await? else {
                    return Ok(Vec::new());
                };
                let targets = BTreeSet::from([target]);
                gather_references(&mut self.code, &name, &targets).await?
            }
        };
        let taken = sites.into_iter().filter_map(|site| {
            let edge = match site.kind {
                ItemKind::Call => Edge::Calls,
                ItemKind::Inherit => Edge::Extends,
                ItemKind::Import => Edge::Imports,
                ItemKind::Reference | ItemKind::Text | ItemKind::Definition => return None,
            };
            let far = self.around(&site);
            Some(Taken::new(site, edge, far))
        });
        Ok(taken.collect())
    }

    /// Returns the references by which a definition calls and inherits from others.
    async fn downstream(&mut self, place: &Place) -> Result<Vec<Taken>, RagnavError> {
        let path = place.path();
        self.code.load(&BTreeSet::from([path.clone()])).await?;
        let names = self.called_names(place);
        self.code.load_linked(path, &names).await?;
        let (mut taken, unknown) = loop {
            let (taken, unknown) = self.taken_by(place);
            if !self.code.load_missing().await? {
                break (taken, unknown);
            }
        };
        let names = unknown.iter().map(|(name, _)| name.clone()).collect();
        let callables = callables(&mut self.code, path, &names).await?;
        for (name, site) in unknown {
            let at = NamePlace {
                path: site.path.clone(),
                line: site.line,
                start_utf16: site.start_utf16,
            };
            let meant = compiler_definitions(&mut self.code, &at).await?;
            if !meant.is_empty() {
                taken.extend(self.steps_of_compiler(&site, meant));
                continue;
            }
            let may_be = callables.get(&name).into_iter().flatten();
            taken.extend(may_be.map(|far| {
                let is_proven = site.is_proven && self.code.are_proven([&far.0]);
                let site = ReferenceSite {
                    is_proven,
                    ..site.clone()
                };
                Taken::new(site, Edge::Calls, Some(far.clone().into()))
            }));
        }
        Ok(taken)
    }

    /// Returns the steps from a call to the definitions that a compiler says it means.
    fn steps_of_compiler(&self, site: &ReferenceSite, meant: Targets) -> Vec<Taken> {
        let steps = meant.into_iter().map(|far| {
            let site = ReferenceSite {
                resolution: Resolution::Resolved,
                is_proven: self.code.are_proven([&far.0, &site.path]),
                evidence: Some(Evidence::Compiler),
                ..site.clone()
            };
            Taken::new(site, Edge::Calls, Some(far.into()))
        });
        steps.collect()
    }

    /// Returns the names of what a definition calls and inherits from.
    fn called_names(&self, place: &Place) -> BTreeSet<String> {
        let Some(file) = self.code.world.facts(place.path()) else {
            return BTreeSet::new();
        };
        let taken = file.references_in(place.definition());
        let taken = taken.filter(|(_, one)| one.kind != ReferenceKind::Reference);
        taken
            .map(|(_, one)| file.facts.name(one.name).to_owned())
            .collect()
    }

    /// Returns the resolved steps, and the names of called members of unknown objects.
    fn taken_by(&self, place: &Place) -> (Vec<Taken>, Vec<(String, ReferenceSite)>) {
        let world = &self.code.world;
        let (mut taken, mut unknown) = (Vec::new(), Vec::new());
        let path = place.path();
        let Some(file) = world.facts(path) else {
            return (taken, unknown);
        };
        let resolver = Resolver::new(world);
        for (_, reference) in file.references_in(place.definition()) {
            let edge = match reference.kind {
                ReferenceKind::Call => Edge::Calls,
                ReferenceKind::Inherit => Edge::Extends,
                ReferenceKind::Import => Edge::Imports,
                ReferenceKind::Reference => continue,
            };
            world.start_tracking();
            let meaning = resolver.resolve_reference(path, &file, reference);
            let mut consulted = world.take_dependencies().files;
            consulted.push(path.clone());
            let is_proven = self.code.are_proven(&consulted);
            let is_member = reference.is_member() || resolver.links_by_name(path);
            if edge == Edge::Calls && is_member && meaning.is_unknown() {
                let name = file.facts.name(reference.name).to_owned();
                let site =
                    ReferenceSite::new(path, &file, reference, Resolution::Candidate, is_proven);
                unknown.push((name, site));
            }
            let site = ReferenceSite::new(path, &file, reference, Resolution::Resolved, is_proven);
            for (far_path, far) in resolver.definitions(&meaning) {
                let class = Place::Definition(far_path.clone(), far);
                taken.push(Taken::new(site.clone(), edge, Some(class.clone())));
                if edge == Edge::Calls {
                    // The search follows the constructor that runs; the row shows the class.
                    let class_place = (far_path, far);
                    let call = CallSite {
                        path,
                        file: &file,
                        reference,
                    };
                    let run = resolver.constructors(class_place, Some(call));
                    let run = run.into_iter();
                    taken.extend(run.map(|run| Taken {
                        shown: Some(class.clone()),
                        ..Taken::new(site.clone(), edge, Some(run.into()))
                    }));
                }
            }
        }
        if self.follows_modules {
            let modules = self.imported_modules(place, &file, &taken);
            taken.extend(modules);
        }
        (taken, unknown)
    }

    /// Returns the imports of a place that lead to no definition, with the modules they lead to.
    fn imported_modules(&self, place: &Place, file: &FileFacts, known: &[Taken]) -> Vec<Taken> {
        let (world, path) = (&self.code.world, place.path());
        let resolver = Resolver::new(world);
        let mut taken = Vec::new();
        for import in &file.facts.imports {
            let scope = file.facts.scope(import.scope);
            let inside = scope.and_then(|scope| scope.definition);
            let at = (import.position.line, import.position.start_utf16);
            let is_known = |one: &Taken| (one.site.line, one.site.start_utf16) == at;
            if inside != place.definition() || known.iter().any(is_known) {
                continue;
            }
            world.start_tracking();
            let imported = resolver.imported_files(path, file, import);
            let mut consulted = world.take_dependencies().files;
            consulted.push(path.clone());
            let site = import_site(path, file, import, self.code.are_proven(&consulted));
            let far = imported.into_iter().filter(|far| far != path);
            let far = far.map(|far| Some(Place::Module(far)));
            taken.extend(far.map(|far| Taken::new(site.clone(), Edge::Imports, far)));
        }
        taken
    }

    /// Returns the innermost definition around a site; `None` for module-level code.
    fn around(&mut self, site: &ReferenceSite) -> Option<Place> {
        let definitions = self.code.definitions(&site.path)?;
        let path = site.path.clone();
        match definitions.around(site.line, site.end_utf16) {
            Some(place) => Some(Place::Definition(path, DefinitionId(wire(place)))),
            None => self.follows_modules.then_some(Place::Module(path)),
        }
    }

    fn id(&mut self, place: &Place) -> Option<SymbolId> {
        match place {
            Place::Definition(path, id) => self.code.definitions(path)?.id_of(id.0 as usize),
            Place::Module(path) => modules::id_of(path),
        }
    }

    async fn name(&mut self, (path, id): &Target) -> Result<Option<String>, RagnavError> {
        self.code.load(&BTreeSet::from([path.clone()])).await?;
        let file = self.code.world.facts(path);
        Ok(file.and_then(|file| {
            let definition = file.facts.definition(*id)?;
            Some(file.facts.name(definition.name).to_owned())
        }))
    }
}
