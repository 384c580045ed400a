//! What `this` and `super` are.

use crate::entity::{Entity, Meaning};
use crate::resolver::Linker;
use crate::source_file::Here;
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{Bound, DefinitionId, ScopeId, ScopeKind, Value};

/// What `this` is in a scope: an instance of the class or function whose method is around, or the object that it is a method of.
pub(super) fn this(linker: Linker<'_>, here: &Here<'_>, scope: ScopeId) -> Meaning {
    let facts = &here.file.facts;
    let name = here.file.name_id("this");
    let mut next = Some(scope);
    while let Some(current) = next {
        let Some(found) = facts.scopes.get(current.0 as usize) else {
            break;
        };
        let declared = name.and_then(|name| here.file.bindings(current, name).next());
        if let Some(declared) = declared {
            return match declared.to {
                Bound::Parameter(Some(value)) => linker.value(here, declared.value_scope, value),
                _ => Meaning::unknown(),
            };
        }
        // Only a field that is an arrow function has the class's scope around it.
        if let (ScopeKind::Class, Some(class)) = (found.kind, found.definition) {
            return instance(here, class);
        }
        if found.kind == ScopeKind::Function {
            let around = found.parent.and_then(|id| facts.scopes.get(id.0 as usize));
            let in_class = around.is_some_and(|around| around.kind == ScopeKind::Class);
            let definition = found.definition;
            let own = definition.filter(|id| {
                let definition = here.definition(*id);
                definition.is_some_and(|definition| definition.scope == current)
            });
            return match (own, definition) {
                (Some(method), _) => receiver(linker, here, method),
                // What initialises a field, and static blocks.
                (None, Some(class)) if in_class => instance(here, class),
                _ => Meaning::unknown(),
            };
        }
        next = found.parent;
    }
    Meaning::unknown()
}

fn instance(here: &Here<'_>, class: DefinitionId) -> Meaning {
    Meaning::one(Entity::Instance(here.path.clone(), class))
}

/// What a function or method is called on.
fn receiver(linker: Linker<'_>, here: &Here<'_>, id: DefinitionId) -> Meaning {
    let Some(definition) = here.definition(id) else {
        return Meaning::unknown();
    };
    if let Some(qualifier) = definition.qualifier {
        let around = here.scope_around(definition);
        let owner = Value {
            path: qualifier,
            called: false,
        };
        let owner = linker.value(here, around, owner);
        let object = here.object(definition.parent, here.file.facts.name(qualifier));
        let mut meaning = Meaning::unknown();
        meaning.entities.extend(object);
        meaning
            .entities
            .extend(owner.entities.into_iter().map(|owner| match owner {
                Entity::Definition(path, id) => Entity::Instance(path, id),
                owner => owner,
            }));
        return meaning;
    }
    match (definition.kind, definition.parent) {
        (DefinitionKind::Method, Some(class)) => instance(here, class),
        (DefinitionKind::Function, _) => {
            let mut meaning = instance(here, id);
            meaning.is_open = true;
            meaning
        }
        _ => Meaning::unknown(),
    }
}

/// What `super` is in a scope: an instance of the class around of which only inherited members are seen.
pub(super) fn superclass(here: &Here<'_>, scope: ScopeId) -> Meaning {
    let scope = here.file.facts.scopes.get(scope.0 as usize);
    let mut around = scope.and_then(|scope| scope.definition);
    while let Some(definition) = around.and_then(|id| here.definition(id)) {
        if definition.kind == DefinitionKind::Class {
            let class = around.map(|id| Entity::Super(here.path.clone(), id));
            return class.map_or_else(Meaning::unknown, Meaning::one);
        }
        around = definition.parent;
    }
    Meaning::unknown()
}
