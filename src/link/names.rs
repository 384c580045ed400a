//! What a name means in a scope, and what a value is.

use crate::item::DefinitionKind;
use crate::lang::facts::{
    Binding, Bound, DefinitionFact, DefinitionId, Outer, RETURNED, Scope, ScopeId, ScopeKind,
    Space, Value,
};
use crate::link::entity::{Entity, Meaning};
use crate::link::linker::Linker;
use crate::link::linking::Word;
use crate::link::world::{Asked, FileFacts};
use crate::path::RepoPath;

/// Names that lead to each other round in a circle, or on and on, end here.
pub(super) const MAX_STEPS: usize = 24;

/// The module's own scope.
pub(super) const MODULE: ScopeId = ScopeId(0);

/// A file whose facts are at hand.
#[derive(Clone, Copy)]
pub(super) struct Here<'f> {
    pub(super) path: &'f RepoPath,
    pub(super) file: &'f FileFacts,
}

impl<'f> Here<'f> {
    pub(super) fn definition(&self, id: DefinitionId) -> Option<&'f DefinitionFact> {
        self.file.facts.definitions.get(id.0 as usize)
    }

    pub(super) fn entity(&self, id: DefinitionId) -> Entity {
        Entity::Definition(self.path.clone(), id)
    }

    /// Whether a binding in a scope is of a space of names. What is imported may be of any.
    fn is_in(&self, space: Space, scope: &Scope, binding: &Binding) -> bool {
        let is_parameter = scope.kind == ScopeKind::TypeParameters;
        let own = match &binding.to {
            Bound::Variable(_) if is_parameter => Space::Types,
            Bound::Variable(_) | Bound::Parameter(_) => Space::Values,
            Bound::Definition(id) => match self.definition(*id).map(|found| found.kind) {
                Some(DefinitionKind::Interface | DefinitionKind::Type) => Space::Types,
                Some(DefinitionKind::Function | DefinitionKind::Method) => Space::Values,
                _ => Space::Any,
            },
            Bound::Import(_) | Bound::Attribute(_) | Bound::Outer(_) => Space::Any,
        };
        own == space || own == Space::Any || space == Space::Any
    }

    /// The scope in which a definition stands.
    pub(super) fn scope_around(&self, definition: &DefinitionFact) -> ScopeId {
        let scope = self.file.facts.scopes.get(definition.scope.0 as usize);
        scope.and_then(|scope| scope.parent).unwrap_or(MODULE)
    }
}

impl Linker<'_> {
    /// What a name means in a scope, whatever it can be of.
    pub(super) fn name(self, here: &Here<'_>, scope: ScopeId, name: &str, steps: usize) -> Meaning {
        self.name_of(here, (scope, Space::Any), name, steps)
    }

    /// What a name means in a scope and a space of names.
    pub(super) fn name_of(
        self,
        here: &Here<'_>,
        place: (ScopeId, Space),
        name: &str,
        steps: usize,
    ) -> Meaning {
        if steps > MAX_STEPS {
            return self.world.too_far();
        }
        let asked = Asked::InScope(here.path.clone(), place, name.to_owned());
        self.world
            .once(asked, || self.name_in(here, place, name, steps))
    }

    fn name_in(
        self,
        here: &Here<'_>,
        (scope, space): (ScopeId, Space),
        name: &str,
        steps: usize,
    ) -> Meaning {
        let Some(id) = here.file.name_id(name) else {
            return self.unbound(here, name, steps);
        };
        let mut next = Some(scope);
        let mut is_first = true;
        while let Some(current) = next {
            let Some(found) = here.file.facts.scopes.get(current.0 as usize) else {
                break;
            };
            let is_seen = match found.kind {
                ScopeKind::Class => is_first && self.sees_members(here, found),
                _ => true,
            };
            let bindings: Vec<&Binding> = here
                .file
                .bindings(current, id)
                .filter(|binding| is_seen && !matches!(binding.to, Bound::Attribute(_)))
                .filter(|binding| here.is_in(space, found, binding))
                .collect();
            match bindings.first().map(|binding| &binding.to) {
                Some(Bound::Outer(Outer::Global)) => {
                    next = Some(MODULE);
                    is_first = false;
                    continue;
                }
                Some(Bound::Outer(Outer::Nonlocal)) | None => {}
                Some(_) => return self.bindings(here, &bindings, steps),
            }
            // Type parameters stand around a scope without closing the class around it off.
            is_first = found.kind == ScopeKind::TypeParameters && is_first;
            next = found.parent;
        }
        self.unbound(here, name, steps)
    }

    fn sees_members(self, here: &Here<'_>, scope: &Scope) -> bool {
        let linking = self.world.linking(here.path);
        let class = scope.definition.and_then(|id| here.definition(id));
        let known = class.zip(linking);
        known.is_none_or(|(class, linking)| linking.sees_members(class))
    }

    fn unbound(self, here: &Here<'_>, name: &str, steps: usize) -> Meaning {
        let linking = self.world.linking(here.path);
        linking.map_or_else(Meaning::nothing, |linking| {
            linking.unbound(self, here, name, steps)
        })
    }

    pub(super) fn bindings(self, here: &Here<'_>, bindings: &[&Binding], steps: usize) -> Meaning {
        Meaning::all(
            bindings
                .iter()
                .map(|binding| self.binding(here, binding, steps + 1)),
        )
    }

    fn binding(self, here: &Here<'_>, binding: &Binding, steps: usize) -> Meaning {
        let Some(linking) = self.world.linking(here.path) else {
            return Meaning::unknown();
        };
        let mut meaning = match &binding.to {
            Bound::Definition(id) => Meaning::one(here.entity(*id)),
            Bound::Import(id) => match here.file.import(*id) {
                Some(import) => linking.imported(self, here, import, steps),
                None => Meaning::unknown(),
            },
            Bound::Parameter(None) => linking.parameter(here, binding),
            Bound::Parameter(Some(value))
            | Bound::Variable(Some(value))
            | Bound::Attribute(Some(value)) => self.value(here, binding.value_scope, *value, steps),
            Bound::Variable(None) | Bound::Attribute(None) | Bound::Outer(_) => Meaning::unknown(),
        };
        meaning.add(linking.bound(here, binding));
        meaning
    }

    /// What a value is, its dotted name looked up in a scope.
    pub(super) fn value(
        self,
        here: &Here<'_>,
        scope: ScopeId,
        value: Value,
        steps: usize,
    ) -> Meaning {
        self.value_of(here, (scope, Space::Any), value, steps)
    }

    /// What a value is, its first name looked up in a scope and a space of names.
    pub(super) fn value_of(
        self,
        here: &Here<'_>,
        place: (ScopeId, Space),
        value: Value,
        steps: usize,
    ) -> Meaning {
        if steps > MAX_STEPS {
            return self.world.too_far();
        }
        let path = here.file.facts.name(value.path);
        let mut segments = path.split('.').peekable();
        let mut meaning = Meaning::nothing();
        let mut is_first = true;
        while let Some(segment) = segments.next() {
            let is_last = segments.peek().is_none();
            let name = segment.strip_suffix("()").unwrap_or(segment);
            let called = name.len() < segment.len() || (is_last && value.called);
            if !is_first {
                meaning = self.members(&self.read(meaning, steps), name, steps + 1);
            } else if let Some(ruled) =
                self.keyword(here, place.0, Word { text: name, called }, steps)
            {
                is_first = false;
                meaning = ruled;
                continue;
            } else {
                meaning = self.name_of(here, place, name, steps + 1);
            }
            is_first = false;
            if called {
                meaning = self.call(&meaning, steps + 1);
            }
        }
        meaning
    }

    fn keyword(
        self,
        here: &Here<'_>,
        scope: ScopeId,
        word: Word<'_>,
        steps: usize,
    ) -> Option<Meaning> {
        let linking = self.world.linking(here.path)?;
        linking.keyword(self, here, scope, word, steps)
    }

    /// Properties give what they return.
    fn read(self, meaning: Meaning, steps: usize) -> Meaning {
        let mut read = Meaning {
            is_open: meaning.is_open,
            ..Meaning::default()
        };
        for entity in meaning.entities {
            match &entity {
                Entity::Definition(path, id) if self.is_property(path, *id) => {
                    read.add(self.returned(path, *id, steps + 1));
                }
                _ => {
                    read.entities.insert(entity);
                }
            }
        }
        read
    }

    fn is_property(self, path: &RepoPath, id: DefinitionId) -> bool {
        let (Some(file), Some(linking)) = (self.world.facts(path), self.world.linking(path)) else {
            return false;
        };
        let here = Here { path, file: &file };
        let definition = here.definition(id);
        definition.is_some_and(|definition| linking.is_property(&here, definition))
    }

    /// What calling something gives: an instance of a class, or what a function says it returns.
    fn call(self, called: &Meaning, steps: usize) -> Meaning {
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
                Entity::Definition(path, id) => given.add(self.returned(path, *id, steps)),
                _ => given.is_open = true,
            }
        }
        given
    }

    /// What a function returns that does not say what.
    fn given(self, here: &Here<'_>, definition: &DefinitionFact, steps: usize) -> Meaning {
        let Some(name) = here.file.name_id(RETURNED) else {
            return Meaning::nothing();
        };
        let given: Vec<&Binding> = here.file.bindings(definition.scope, name).collect();
        self.bindings(here, &given, steps + 1)
    }

    fn call_by_rule(self, of: &Entity) -> Option<Meaning> {
        let linking = self.world.linking(of.file()?)?;
        linking.call(of)
    }

    fn returned(self, path: &RepoPath, id: DefinitionId, steps: usize) -> Meaning {
        let (Some(file), Some(linking)) = (self.world.facts(path), self.world.linking(path)) else {
            return Meaning::unknown();
        };
        let here = Here { path, file: &file };
        let Some(definition) = here.definition(id) else {
            return Meaning::unknown();
        };
        if let Some(value) = definition.returns {
            return self.value(&here, here.scope_around(definition), value, steps + 1);
        }
        let mut given = self.given(&here, definition, steps);
        given.is_open = true;
        if given.entities.is_empty() && linking.constructs(definition) {
            given.entities.insert(Entity::Instance(path.clone(), id));
        }
        given
    }
}
