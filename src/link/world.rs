//! The facts that are at hand, and those that are missing.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use crate::lang::facts::{
    Binding, Bound, DefinitionId, Facts, Import, ImportId, Imported, Name, ScopeId, Space,
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

    /// An import by its place.
    #[must_use]
    pub fn import(&self, id: ImportId) -> Option<&Import> {
        self.facts.imports.get(id.0 as usize)
    }
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
    /// How many are being worked out, one inside the other.
    depth: Cell<usize>,
    /// The outermost of those that the one being worked out led back to, by its depth; 0 where the way was too long.
    led_back_to: Cell<usize>,
    /// How many answers were not kept since they led back to something outside them.
    passing: Cell<usize>,
}

/// Led back to nothing.
const NOWHERE: usize = usize::MAX;

/// Answers that hold on their own way only are worked out again on others, unless there are more than so many: names can be
/// entangled so that there are more ways than can be gone.
const MAX_PASSING: usize = 20_000;

/// What a name was asked as.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    /// A name in a scope of a file, and a space of names.
    InScope(RepoPath, (ScopeId, Space), String),
    /// A member of something.
    Member(Entity, String),
}

#[derive(Debug)]
enum Known {
    /// It is being worked out at this depth.
    Ahead(usize),
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
    }

    /// What something means, worked out once. What leads back to itself is not known by going round again.
    ///
    /// An answer that led back to something which is still being worked out holds on this way only, and is not kept: what
    /// something means must not depend on what was asked before.
    pub(super) fn once(&self, asked: Asked, work_out: impl FnOnce() -> Meaning) -> Meaning {
        match self.known.borrow().get(&asked) {
            Some(Known::Ahead(depth)) => {
                self.lead_back_to(*depth);
                return Meaning::unknown();
            }
            Some(Known::Answered(answered)) => {
                let mut consulted = self.consulted.borrow_mut();
                consulted.extend(answered.files.iter().cloned());
                return answered.meaning.clone();
            }
            None => {}
        }
        let depth = self.depth.get() + 1;
        self.depth.set(depth);
        let ahead = Known::Ahead(depth);
        self.known.borrow_mut().insert(asked.clone(), ahead);
        let outer = self.led_back_to.replace(NOWHERE);
        let before = self.consulted.take();
        let meaning = work_out();
        let files = Rc::new(self.consulted.replace(before));
        self.consulted.borrow_mut().extend(files.iter().cloned());
        self.depth.set(depth - 1);
        let led_back_to = self.led_back_to.replace(outer);
        if led_back_to >= depth || self.passing.get() >= MAX_PASSING {
            let meaning = meaning.clone();
            let answered = Known::Answered(Answered { meaning, files });
            self.known.borrow_mut().insert(asked, answered);
        } else {
            self.lead_back_to(led_back_to);
            self.passing.set(self.passing.get() + 1);
            self.known.borrow_mut().remove(&asked);
        }
        meaning
    }

    fn lead_back_to(&self, depth: usize) {
        self.led_back_to.set(self.led_back_to.get().min(depth));
    }

    /// What is too far away to be followed to is not known; asked for from nearer it may be.
    pub(super) fn too_far(&self) -> Meaning {
        self.lead_back_to(0);
        Meaning::unknown()
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
        self.passing.set(0);
    }

    /// The files that were asked for since [`begin`](Self::begin): what an answer made since rests on.
    #[must_use]
    pub fn take_consulted(&self) -> BTreeSet<RepoPath> {
        self.consulted.take()
    }
}
