//! What a value is: a dotted name, with what is called, subscripted and read on the way.

use crate::entity::{Entity, Meaning};
use crate::memo::Asked;
use crate::resolver::{Linker, Word};
use crate::source_file::Here;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, DefinitionFact, DefinitionId, RETURNED, ScopeId, Space, Value,
};

/// Where a dotted name's first one is looked up.
type Place = (ScopeId, Space);

impl Linker<'_> {
    /// What a value is, its first name looked up in a scope.
    pub(super) fn value(self, here: &Here<'_>, scope: ScopeId, value: Value) -> Meaning {
        self.value_of(here, (scope, Space::Any), value)
    }

    /// What a value is, its first name looked up in a scope and a space of names.
    pub(super) fn value_of(self, here: &Here<'_>, place: Place, value: Value) -> Meaning {
        let path = here.file.facts.name(value.path);
        self.path(here, place, (path, value.called))
    }

    /// The same by the value's text and whether it is called; see [`Value`].
    pub(super) fn path(
        self,
        here: &Here<'_>,
        place: Place,
        (path, called): (&str, bool),
    ) -> Meaning {
        if let Some((held, hold)) = container(path) {
            let held = self.path(here, place, (held, false));
            return held.map(|entity| hold(Box::new(entity)));
        }
        let mut segments = path.split('.').map(segment).peekable();
        let Some((first, mut done)) = segments.next() else {
            return Meaning::unknown();
        };
        let is_called = done.starts_with(CALL);
        let is_only = segments.peek().is_none();
        let word = Word {
            text: first,
            called: is_called || (called && done.is_empty() && is_only),
        };
        let keyword = self.keyword(here, place.0, word);
        if keyword.is_some() && word.called && !is_called {
            return keyword.unwrap_or_default();
        }
        if keyword.is_some() {
            done = done.strip_prefix(CALL).unwrap_or(done);
        }
        let mut meaning = keyword.unwrap_or_else(|| self.name_of(here, place, first));
        meaning = self.after(here, first, meaning, done);
        let mut last = first;
        while let Some((name, done)) = segments.next() {
            let is_passed = done.is_empty() && segments.peek().is_some();
            meaning = self.members(&meaning, name);
            meaning = self.read(meaning, is_passed);
            meaning = self.after(here, name, meaning, done);
            last = name;
        }
        if called {
            return self.call_of(here, last, &meaning);
        }
        meaning
    }

    fn keyword(self, here: &Here<'_>, scope: ScopeId, word: Word<'_>) -> Option<Meaning> {
        let linking = self.world.linking(here.path)?;
        linking.keyword(self, here, scope, word)
    }

    /// What calls, subscripts and loops behind a name give.
    fn after(self, here: &Here<'_>, name: &str, meaning: Meaning, done: &str) -> Meaning {
        let mut meaning = meaning;
        let mut left = done;
        while !left.is_empty() {
            if let Some(further) = left.strip_prefix(CALL) {
                meaning = self.call_of(here, name, &meaning);
                left = further;
            } else if let Some(further) = left.strip_prefix(SUBSCRIPT) {
                meaning = self.held(&meaning, "__getitem__");
                left = further;
            } else {
                meaning = self.held(&meaning, "__iter__");
                left = "";
            }
        }
        meaning
    }

    /// What calling what goes by a name gives.
    fn call_of(self, here: &Here<'_>, name: &str, called: &Meaning) -> Meaning {
        match self.world.linking(here.path) {
            Some(linking) if called.is_nothing() => linking.outside_call(name),
            _ => self.call(called),
        }
    }

    /// What something holds: by its place or key, or one after the other.
    fn held(self, of: &Meaning, method: &str) -> Meaning {
        let mut held = Meaning {
            is_open: of.is_open,
            ..Meaning::default()
        };
        // What comes from elsewhere may hold anything that it was given.
        held.is_open |= of.entities.is_empty();
        let is_loop = method == "__iter__";
        for entity in &of.entities {
            match entity {
                Entity::Sequence(one) => held.add(Meaning::one((**one).clone())),
                Entity::Mapping(one) if !is_loop => held.add(Meaning::one((**one).clone())),
                // `A[int]` is `A`.
                Entity::Definition(path, id) if !is_loop && self.has_members(path, *id) => {
                    held.add(Meaning::one(entity.clone()));
                }
                Entity::Instance(..) => {
                    let given = self.call(&self.member(entity, method));
                    if is_loop {
                        held.add(self.held(&given.only_containers(), method));
                    } else {
                        held.add(given);
                    }
                }
                _ => held.is_open = true,
            }
        }
        held
    }

    /// Properties give what they return.
    fn read(self, meaning: Meaning, is_passed: bool) -> Meaning {
        let mut read = Meaning {
            is_open: meaning.is_open,
            ..Meaning::default()
        };
        for entity in meaning.entities {
            match &entity {
                Entity::Definition(path, id) if self.is_property(path, *id, is_passed) => {
                    read.add(self.returned(path, *id));
                }
                _ => {
                    read.entities.insert(entity);
                }
            }
        }
        read
    }

    fn is_property(self, path: &RepoPath, id: DefinitionId, is_passed: bool) -> bool {
        let (Some(file), Some(linking)) = (self.world.facts(path), self.world.linking(path)) else {
            return false;
        };
        let here = Here { path, file: &file };
        let definition = here.definition(id);
        definition.is_some_and(|definition| linking.is_property(&here, definition, is_passed))
    }

    /// What calling something gives: an instance of a class, or what a function says it returns.
    fn call(self, called: &Meaning) -> Meaning {
        let mut given = Meaning {
            is_open: called.is_open,
            ..Meaning::default()
        };
        for entity in &called.entities {
            if let Some(ruled) = self.call_by_rule(entity) {
                given.add(ruled);
                continue;
            }
            match entity {
                Entity::Definition(path, id) if self.has_members(path, *id) => {
                    given.entities.insert(Entity::Instance(path.clone(), *id));
                }
                Entity::Definition(path, id) => given.add(self.returned(path, *id)),
                // What is called is one of its methods.
                Entity::Sequence(_) | Entity::Mapping(_) => {
                    given.entities.insert(entity.clone());
                }
                _ => given.is_open = true,
            }
        }
        given
    }

    /// What a function returns that does not say what.
    fn given(self, here: &Here<'_>, definition: &DefinitionFact) -> Meaning {
        let Some(name) = here.file.name_id(RETURNED) else {
            return Meaning::nothing();
        };
        let given: Vec<&Binding> = here.file.bindings(definition.scope, name).collect();
        self.bindings(here, &given)
    }

    fn call_by_rule(self, of: &Entity) -> Option<Meaning> {
        let linking = self.world.linking(of.file()?)?;
        linking.call(of)
    }

    fn returned(self, path: &RepoPath, id: DefinitionId) -> Meaning {
        let asked = Asked::Returned(path.clone(), id);
        self.world.once(asked, || self.returned_by(path, id))
    }

    fn returned_by(self, path: &RepoPath, id: DefinitionId) -> Meaning {
        let (Some(file), Some(linking)) = (self.world.facts(path), self.world.linking(path)) else {
            return Meaning::unknown();
        };
        let here = Here { path, file: &file };
        let Some(definition) = here.definition(id) else {
            return Meaning::unknown();
        };
        if let Some(value) = definition.returns {
            return self.value(&here, here.scope_around(definition), value);
        }
        let mut given = self.given(&here, definition);
        given.is_open = true;
        if given.entities.is_empty() && linking.constructs(definition) {
            given.entities.insert(Entity::Instance(path.clone(), id));
        }
        given
    }
}

/// A call behind a name.
const CALL: &str = "()";
/// A subscript behind a name.
const SUBSCRIPT: &str = "[]";

/// A segment's name, and what is done with it.
fn segment(text: &str) -> (&str, &str) {
    let end = text.find(['(', '[', '*']).unwrap_or(text.len());
    text.split_at(end)
}

/// Makes of one thing what holds some of it.
type Hold = fn(Box<Entity>) -> Entity;

/// What a value says that it holds, and what makes the whole of one of these.
fn container(path: &str) -> Option<(&str, Hold)> {
    let sequence = path
        .strip_prefix('[')
        .and_then(|path| path.strip_suffix(']'));
    let mapping = path
        .strip_prefix('{')
        .and_then(|path| path.strip_suffix('}'));
    match (sequence, mapping) {
        (Some(held), _) => Some((held, Entity::Sequence)),
        (None, Some(held)) => Some((held, Entity::Mapping)),
        (None, None) => None,
    }
}
