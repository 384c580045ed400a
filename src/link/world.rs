//! The facts that are at hand, and those that are missing.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use crate::item::DefinitionKind;
use crate::lang::facts::{
    Binding, Bound, DefinitionId, Facts, Import, ImportId, Imported, Name, Position, Reference,
    ReferenceKind, ScopeId, Space,
};
use crate::link::entity::{Entity, Meaning};
use crate::link::files::Files;
use crate::link::linking::Linking;
use crate::link::manifest::Manifest;
use crate::link::{families, family_of};
use crate::path::RepoPath;

/// The module's own scope.
const MODULE: ScopeId = ScopeId(0);

/// The facts of one file with what finding names in them needs.
#[derive(Debug)]
pub struct FileFacts {
    /// The facts.
    pub facts: Facts,
    name_ids: HashMap<String, Name>,
    /// The bindings of a name in a scope, by their places.
    bindings: HashMap<(ScopeId, Name), Vec<usize>>,
    /// The definitions directly in another one, or in the file, by name.
    members: HashMap<(Option<DefinitionId>, Name), Vec<DefinitionId>>,
    /// The definitions whose name path has more before their name than the definition around.
    qualified: HashMap<Qualified, Vec<DefinitionId>>,
    /// The references of what each definition does, by their places; found when they are asked for.
    references_in: OnceCell<HashMap<DefinitionId, Vec<usize>>>,
    /// All that stands before the names of those, with what that begins with: `a` and `a.b` of `a.b.c`.
    qualifiers: HashSet<(Option<DefinitionId>, String)>,
}

/// The definition around, what stands before the name, and the name.
type Qualified = (Option<DefinitionId>, String, Name);

impl FileFacts {
    /// The facts with their look-up tables.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        let mut bindings: HashMap<(ScopeId, Name), Vec<usize>> = HashMap::new();
        for (place, binding) in facts.bindings.iter().enumerate() {
            let key = (binding.scope, binding.name);
            bindings.entry(key).or_default().push(place);
        }
        let mut members: HashMap<(Option<DefinitionId>, Name), Vec<DefinitionId>> = HashMap::new();
        let mut under: HashMap<Qualified, Vec<DefinitionId>> = HashMap::new();
        let mut qualifiers = HashSet::new();
        for (id, definition) in (0..).map(DefinitionId).zip(&facts.definitions) {
            let parent = definition.parent;
            let Some(qualifier) = definition.qualifier.map(|name| facts.name(name)) else {
                let key = (parent, definition.name);
                members.entry(key).or_default().push(id);
                continue;
            };
            let key = (parent, qualifier.to_owned(), definition.name);
            under.entry(key).or_default().push(id);
            let ends = qualifier.match_indices('.').map(|(end, _)| end);
            let starts = ends
                .filter_map(|end| qualifier.get(..end))
                .chain([qualifier]);
            qualifiers.extend(starts.map(|start| (parent, start.to_owned())));
        }
        let names = facts.names.iter().cloned().zip((0..).map(Name));
        Self {
            name_ids: names.collect(),
            bindings,
            members,
            qualified: under,
            qualifiers,
            references_in: OnceCell::new(),
            facts,
        }
    }

    /// The name's place among the names of this file; `None` where the file does not hold it.
    #[must_use]
    pub fn name_id(&self, name: &str) -> Option<Name> {
        self.name_ids.get(name).copied()
    }

    /// What a scope binds to a name, in the order of the text.
    pub fn bindings(&self, scope: ScopeId, name: Name) -> impl Iterator<Item = &Binding> {
        let places = self.bindings.get(&(scope, name)).into_iter().flatten();
        places.filter_map(|place| self.facts.bindings.get(*place))
    }

    /// The definitions of a name directly in another definition.
    #[must_use]
    pub fn members(&self, of: Option<DefinitionId>, name: Name) -> &[DefinitionId] {
        self.members.get(&(of, name)).map_or(&[], Vec::as_slice)
    }

    /// The definitions of a name under a qualifier directly in another definition, or in the file.
    #[must_use]
    pub fn qualified(
        &self,
        inside: Option<DefinitionId>,
        qualifier: &str,
        name: Name,
    ) -> &[DefinitionId] {
        let key = (inside, qualifier.to_owned(), name);
        self.qualified.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Whether definitions directly in another one, or in the file, are under a name.
    #[must_use]
    pub fn qualifies(&self, inside: Option<DefinitionId>, name: &str) -> bool {
        self.qualifiers.contains(&(inside, name.to_owned()))
    }

    /// The names that imports and assignments give to something: the given one, the last segment of what it is given to, and
    /// whether other files can import it.
    pub fn given_names(&self) -> impl Iterator<Item = (&str, &str, bool)> {
        let name = |name: Name| self.facts.name(name);
        let imports = self.facts.imports.iter().filter_map(move |import| {
            let Imported::Member(member) = import.what else {
                return None;
            };
            Some((name(import.alias?), name(member), import.scope == MODULE))
        });
        // Where a file says what it exports, nothing else can be imported.
        let is_open = self.facts.exported.is_empty();
        let assigned = self.facts.bindings.iter().filter_map(move |binding| {
            let Bound::Variable(Some(value)) = binding.to else {
                return None;
            };
            let last = name(value.path).rsplit('.').next()?;
            (!value.called).then(|| (name(binding.name), last, binding.scope == MODULE))
        });
        let given = imports.chain(assigned).filter(|(given, of, _)| given != of);
        given.map(move |(given, of, is_global)| (given, of, is_global && is_open))
    }

    /// The references of what a definition does: anywhere in a function, but for a class in its own statements and
    /// superclasses. In the order of the text.
    pub fn references_in(&self, id: DefinitionId) -> impl Iterator<Item = &Reference> {
        let places = self
            .references_in
            .get_or_init(|| references_in(&self.facts));
        let places = places.get(&id).into_iter().flatten();
        places.filter_map(|place| self.facts.references.get(*place))
    }

    /// An import by its place.
    #[must_use]
    pub fn import(&self, id: ImportId) -> Option<&Import> {
        self.facts.imports.get(id.0 as usize)
    }
}

fn references_in(facts: &Facts) -> HashMap<DefinitionId, Vec<usize>> {
    let mut found: HashMap<DefinitionId, Vec<usize>> = HashMap::new();
    let definition = |id: DefinitionId| facts.definitions.get(id.0 as usize);
    let is_class = |id| definition(id).is_some_and(|found| found.kind == DefinitionKind::Class);
    for (place, reference) in facts.references.iter().enumerate() {
        let scope = facts.scopes.get(reference.scope.0 as usize);
        let innermost = scope.and_then(|scope| scope.definition);
        let heir = (reference.kind == ReferenceKind::Inherit)
            .then(|| heir(facts, innermost, reference.at));
        let mut around = heir.flatten().or(innermost);
        let mut is_own = true;
        while let Some(id) = around {
            // What a method does its class does not.
            if is_own || !is_class(id) {
                found.entry(id).or_default().push(place);
            }
            is_own = false;
            // One stands behind those around it; anything else would lead round in a circle.
            let parent = definition(id).and_then(|found| found.parent);
            around = parent.filter(|parent| *parent < id);
        }
    }
    found
}

/// The class that inherits from what is mentioned there: the last one before it.
fn heir(facts: &Facts, inside: Option<DefinitionId>, at: Position) -> Option<DefinitionId> {
    let ids = (0..).map(DefinitionId).zip(&facts.definitions);
    let before = ids.filter(|(_, found)| {
        let inherits = matches!(
            found.kind,
            DefinitionKind::Class | DefinitionKind::Interface
        );
        inherits && found.parent == inside && found.name_at < at
    });
    before
        .max_by_key(|(_, found)| found.name_at)
        .map(|(id, _)| id)
}

/// What is known of a repository's code while one question is answered.
#[derive(Debug, Default)]
pub struct World {
    /// For each family what follows its names.
    linkings: Vec<Box<dyn Linking>>,
    facts: HashMap<RepoPath, Option<Rc<FileFacts>>>,
    wanted: RefCell<BTreeSet<RepoPath>>,
    consulted: RefCell<BTreeSet<RepoPath>>,
    /// What was worked out with these facts, or is being worked out.
    known: RefCell<HashMap<Asked, Known>>,
    /// What was worked out and may not be all, since it led back to what is still being worked out. The last one is the innermost.
    open: RefCell<Vec<Asked>>,
    /// The outermost depth that any of these led back to, or further out.
    open_to: Cell<usize>,
    /// How many are being worked out, one inside the other.
    depth: Cell<usize>,
    /// The outermost of those that the one being worked out led back to, by its depth; 0 where the way was too long.
    led_back_to: Cell<usize>,
    /// How much was worked out with these facts.
    work: Cell<usize>,
    /// Whether something was too far away to be followed to.
    is_cut: Cell<bool>,
}

/// Led back to nothing.
const NOWHERE: usize = usize::MAX;

/// Ways on which more than this is worked out, one inside the other, are not gone to their end.
const MAX_DEPTH: usize = 120;

/// More than this is not worked out for one question: names can be entangled so that there is no end to it.
const MAX_WORK: usize = 400_000;

/// How often what leads back to itself is worked out again.
const MAX_ROUNDS: usize = 16;

/// What a name was asked as.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    /// A name in a scope of a file, and a space of names.
    InScope(RepoPath, (ScopeId, Space), String),
    /// A member of something.
    Member(Entity, String),
    /// What a function returns.
    Returned(RepoPath, DefinitionId),
}

#[derive(Debug)]
enum Known {
    /// It is being worked out at this depth; what was found of it so far.
    Ahead(usize, Answered),
    /// What was found of it; it led back to what is still being worked out.
    Open(Answered),
    /// What was found of it before more was found of what it led back to.
    Stale(Answered),
    /// All that there is.
    Answered(Answered),
}

/// What something means, and the files that this rests on.
#[derive(Debug, Clone)]
struct Answered {
    meaning: Meaning,
    files: Rc<BTreeSet<RepoPath>>,
}

impl World {
    /// A world of some files of which no facts are known yet.
    #[must_use]
    pub fn new(files: &[&RepoPath], manifests: &[Manifest]) -> Self {
        let linkings = families().enumerate().map(|(at, family)| {
            let own = files.iter().filter(|path| family_of(path) == Some(at));
            (family.linking)(Files::new(own.map(|path| (*path).clone())), manifests)
        });
        Self {
            linkings: linkings.collect(),
            led_back_to: Cell::new(NOWHERE),
            open_to: Cell::new(NOWHERE),
            ..Self::default()
        }
    }

    /// What follows the names of a file; `None` where nothing does.
    pub(super) fn linking(&self, path: &RepoPath) -> Option<&dyn Linking> {
        let linking = self.linkings.get(family_of(path)?)?;
        Some(linking.as_ref())
    }

    pub(super) fn linkings(&self) -> impl Iterator<Item = &dyn Linking> {
        self.linkings.iter().map(AsRef::as_ref)
    }

    /// Notes that an answer rests on a file that has no facts.
    pub(super) fn consult(&self, file: &RepoPath) {
        self.consulted.borrow_mut().insert(file.clone());
    }

    /// Brings the facts of a file; `None` where it has none.
    pub fn bring(&mut self, file: RepoPath, facts: Option<Facts>) {
        let facts = facts.map(|facts| Rc::new(FileFacts::new(facts)));
        self.facts.insert(file, facts);
        self.known.take();
        self.open.take();
        self.open_to.set(NOWHERE);
        self.is_cut.set(false);
        self.work.set(0);
    }

    /// What something means, worked out once.
    ///
    /// What leads back to itself is worked out again with what was found so far until nothing new appears, the least fixed point, so
    /// that no answer depends on what was asked before it, or on where a circle was entered.
    pub(super) fn once(&self, asked: Asked, work_out: impl Fn() -> Meaning) -> Meaning {
        let so_far = match self.known.borrow().get(&asked) {
            Some(Known::Answered(answered)) => return self.take_up(answered),
            Some(Known::Ahead(depth, so_far)) => {
                self.lead_back_to(*depth);
                return self.take_up(so_far);
            }
            Some(Known::Open(so_far)) => {
                self.lead_back_to(self.open_to.get());
                return self.take_up(so_far);
            }
            Some(Known::Stale(so_far)) => so_far.clone(),
            None => Answered {
                meaning: Meaning::unknown(),
                files: Rc::default(),
            },
        };
        let depth = self.depth.get() + 1;
        if depth > MAX_DEPTH || self.work.get() > MAX_WORK {
            return self.too_far();
        }
        self.work.set(self.work.get() + 1);
        self.depth.set(depth);
        let outer = self.led_back_to.replace(NOWHERE);
        let opened = self.open.borrow().len();
        let (answered, led_back_to) = self.work_out(&asked, (depth, opened), so_far, work_out);
        self.depth.set(depth - 1);
        self.led_back_to.set(outer);
        let meaning = answered.meaning.clone();
        if led_back_to >= depth {
            self.close(opened, &answered.files);
            let answered = Known::Answered(answered);
            self.known.borrow_mut().insert(asked, answered);
        } else {
            self.lead_back_to(led_back_to);
            self.open_to.set(self.open_to.get().min(led_back_to));
            let found = Known::Open(answered);
            self.known.borrow_mut().insert(asked.clone(), found);
            self.open.borrow_mut().push(asked);
        }
        meaning
    }

    /// Works something out, again and again where it leads back to itself; what it is, and where else it led back to.
    fn work_out(
        &self,
        asked: &Asked,
        (depth, opened): (usize, usize),
        mut so_far: Answered,
        work_out: impl Fn() -> Meaning,
    ) -> (Answered, usize) {
        let before = self.consulted.take();
        let mut left = MAX_ROUNDS;
        let led_back_to = loop {
            let ahead = Known::Ahead(depth, so_far.clone());
            self.known.borrow_mut().insert(asked.clone(), ahead);
            self.led_back_to.set(NOWHERE);
            let meaning = work_out();
            let led_back_to = self.led_back_to.get();
            let is_new = meaning != so_far.meaning;
            so_far.meaning = meaning;
            left -= 1;
            if led_back_to != depth || !is_new || left == 0 {
                break led_back_to;
            }
            self.forget_open(opened);
        };
        so_far.files = Rc::new(self.consulted.replace(before));
        self.consulted
            .borrow_mut()
            .extend(so_far.files.iter().cloned());
        (so_far, led_back_to)
    }

    /// What was worked out on the way round a circle is all that there is once the circle is.
    fn close(&self, opened: usize, files: &Rc<BTreeSet<RepoPath>>) {
        self.change_open(opened, |answered| {
            let files = Rc::clone(files);
            Known::Answered(Answered { files, ..answered })
        });
    }

    /// What was worked out on the way round a circle is to be worked out again.
    fn forget_open(&self, opened: usize) {
        self.change_open(opened, Known::Stale);
    }

    fn change_open(&self, opened: usize, change: impl Fn(Answered) -> Known) {
        let mut known = self.known.borrow_mut();
        for asked in self.open.borrow_mut().drain(opened..) {
            if let Some(Known::Open(answered)) = known.remove(&asked) {
                known.insert(asked, change(answered));
            }
        }
        if opened == 0 {
            self.open_to.set(NOWHERE);
        }
    }

    fn take_up(&self, answered: &Answered) -> Meaning {
        let mut consulted = self.consulted.borrow_mut();
        consulted.extend(answered.files.iter().cloned());
        answered.meaning.clone()
    }

    fn lead_back_to(&self, depth: usize) {
        self.led_back_to.set(self.led_back_to.get().min(depth));
    }

    /// What is too far away to be followed to is not known; asked for from nearer it may be.
    pub(super) fn too_far(&self) -> Meaning {
        self.is_cut.set(true);
        self.lead_back_to(0);
        Meaning::unknown()
    }

    /// Whether something was too far away to be followed to, so that there may be more.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// The facts of a file. One that nobody brought is noted as wanted and has none for now.
    #[must_use]
    pub fn facts(&self, file: &RepoPath) -> Option<Rc<FileFacts>> {
        self.consulted.borrow_mut().insert(file.clone());
        if let Some(facts) = self.facts.get(file) {
            facts.clone()
        } else {
            self.wanted.borrow_mut().insert(file.clone());
            None
        }
    }

    /// Whether the facts of a file were brought.
    #[must_use]
    pub fn has(&self, file: &RepoPath) -> bool {
        self.facts.contains_key(file)
    }

    /// The files whose facts were asked for and not there, each told once.
    #[must_use]
    pub fn take_wanted(&self) -> BTreeSet<RepoPath> {
        self.wanted.take()
    }

    /// Begins to note anew which files are asked for.
    pub fn begin(&self) {
        self.consulted.take();
        self.led_back_to.set(NOWHERE);
        // What was too far away is not all; that is said, and looking for the rest again and again would have no end.
        self.change_open(0, Known::Answered);
    }

    /// The files that were asked for since [`begin`](Self::begin): what an answer made since rests on.
    #[must_use]
    pub fn take_consulted(&self) -> BTreeSet<RepoPath> {
        self.consulted.take()
    }
}
