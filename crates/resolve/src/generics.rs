//! Type parameters and what they stand for.
//!
//! A type parameter is an entity of its own. Where a generic type has arguments, each of its
//! members carries them, and a call or a parameter of the member replaces the parameters by them.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::entity::{Entity, ExternalFunction, ResolvedEntities, TypeArguments, TypeParameter};
use crate::resolver::{LanguageResolver, Resolver};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionId, ScopeId, THIS};

/// The maximum number of entities in an entity and its type arguments: 3 for `A<B<C>>`. Types of
/// functions that call themselves could otherwise grow without end.
const MAX_SIZE: usize = 24;

impl Entity {
    /// Returns the entity without the type arguments that it carries.
    pub(super) fn without_type_arguments(&self) -> &Self {
        match self {
            Self::Generic(inner, _) => inner.without_type_arguments(),
            other => other,
        }
    }

    /// Returns the number of entities that this one consists of.
    fn size(&self) -> usize {
        let sum = |all: &mut dyn Iterator<Item = &ResolvedEntities>| {
            let entities = all.flat_map(|found| &found.entities);
            entities.map(Self::size).sum::<usize>()
        };
        match self {
            Self::Generic(inner, arguments) => inner.size() + sum(&mut arguments.values()),
            Self::Sequence(inner) | Self::Mapping(inner) => 1 + inner.size(),
            Self::Tuple(parts) => 1 + sum(&mut parts.iter()),
            Self::External(function) => {
                let parameters = function.parameters.iter();
                1 + sum(&mut parameters.chain([&function.returned]))
            }
            _ => 1,
        }
    }
}

/// Removes entities that consist of too many others, as those of `type A = (A, B)` would. What they
/// are is unknown.
pub(super) fn without_large(found: ResolvedEntities) -> ResolvedEntities {
    let mut found = found;
    let count = found.entities.len();
    found.entities.retain(|entity| entity.size() <= MAX_SIZE);
    found.has_unknown |= found.entities.len() < count;
    found
}

/// Removes the type arguments of definitions, which are what a reference means.
pub(super) fn without_type_arguments(found: ResolvedEntities) -> ResolvedEntities {
    found.map(|entity| match entity.without_type_arguments() {
        Entity::Definition(..) => entity.without_type_arguments().clone(),
        _ => entity,
    })
}

impl Resolver<'_> {
    /// Replaces type parameters by their arguments, or carries the arguments along.
    pub(super) fn substitute(
        self,
        of: ResolvedEntities,
        arguments: &TypeArguments,
    ) -> ResolvedEntities {
        let mut all = ResolvedEntities {
            has_unknown: of.has_unknown,
            ..ResolvedEntities::none()
        };
        for entity in of.entities {
            all.merge(self.substitute_entity(entity, arguments));
        }
        all
    }

    fn substitute_entity(self, entity: Entity, arguments: &TypeArguments) -> ResolvedEntities {
        let inside = |one: Box<Entity>| self.substitute_entity(*one, arguments);
        match entity {
            Entity::TypeParameter(parameter) => match arguments.get(&parameter) {
                Some(argument) => argument.clone(),
                None => ResolvedEntities::single(Entity::TypeParameter(parameter)),
            },
            Entity::Generic(inner, own) => {
                let mut all = match &*inner {
                    // Everything in an instance depends on the type parameters of its own class.
                    Entity::Instance(..) => BTreeMap::new(),
                    Entity::Lambda(path, scope) | Entity::Shape(path, scope) => {
                        self.arguments_in((path, *scope), arguments)
                    }
                    _ => (**arguments).clone(),
                };
                for (parameter, argument) in own.iter() {
                    let argument = self.substitute(argument.clone(), arguments);
                    all.insert(parameter.clone(), argument);
                }
                generic(*inner, &Rc::new(all))
            }
            Entity::Definition(ref path, id) if !self.is_generic(path, id) => {
                let around = self.arguments_around((path, id), arguments);
                generic(entity, &around)
            }
            // In a class template of C++, its name stands for it with its own parameters. A class
            // inside of a generic one depends on the parameters of that.
            Entity::Instance(ref path, id) => {
                let seen = self.arguments_seen_by((path, id), arguments);
                generic(entity, &seen)
            }
            Entity::Lambda(ref path, scope) | Entity::Shape(ref path, scope) => {
                let seen = self.arguments_in((path, scope), arguments);
                generic(entity, &Rc::new(seen))
            }
            Entity::Definition(..) => generic(entity, arguments),
            // Its elements may be of the types of variables, which any scope may mention.
            Entity::Container(ref path, _) if self.has_type_variables(path) => {
                generic(entity, arguments)
            }
            Entity::Sequence(one) => inside(one).map(Entity::sequence),
            Entity::Mapping(one) => inside(one).map(Entity::mapping),
            Entity::Tuple(parts) => {
                let parts = parts.into_iter();
                let parts = parts.map(|part| self.substitute(part, arguments));
                ResolvedEntities::single(Entity::Tuple(parts.collect()))
            }
            Entity::External(function) => {
                let parameters = function.parameters.into_iter();
                let parameters = parameters.map(|one| self.substitute(one, arguments));
                let function = ExternalFunction {
                    returned: self.substitute(function.returned, arguments),
                    parameters: parameters.collect(),
                };
                ResolvedEntities::single(Entity::External(Box::new(function)))
            }
            other => ResolvedEntities::single(other),
        }
    }

    /// Returns the arguments for the type parameters of a class and of those around it.
    fn arguments_seen_by(
        self,
        (path, class): (&RepoPath, DefinitionId),
        arguments: &TypeArguments,
    ) -> TypeArguments {
        let Some(file) = self.database.facts(path) else {
            return TypeArguments::default();
        };
        let class = file.facts.definition(class);
        let seen = class.map(|class| self.arguments_in((path, class.scope), arguments));
        Rc::new(seen.unwrap_or_default())
    }

    /// Returns the arguments for the type parameters of the functions around a class, on which it
    /// depends, too: those of `function mix<B>(base: B) { class A extends base {} }`.
    fn arguments_around(
        self,
        (path, class): (&RepoPath, DefinitionId),
        arguments: &TypeArguments,
    ) -> TypeArguments {
        let file = self.database.facts(path);
        let parent = file.and_then(|file| file.facts.definition(class)?.parent);
        let function = parent.filter(|parent| !self.has_members(path, *parent));
        function.map_or_else(TypeArguments::default, |function| {
            self.arguments_seen_by((path, function), arguments)
        })
    }

    /// Returns the arguments for the type parameters that a scope and those around it declare.
    fn arguments_in(
        self,
        (path, scope): (&RepoPath, ScopeId),
        arguments: &TypeArguments,
    ) -> BTreeMap<TypeParameter, ResolvedEntities> {
        let Some(file) = self.database.facts(path) else {
            return BTreeMap::new();
        };
        let around = std::iter::successors(Some(scope), |id| file.facts.scope(*id)?.parent);
        let around: Vec<ScopeId> = around.collect();
        let seen = arguments.iter();
        let seen = seen.filter(|(one, _)| one.file == *path && around.contains(&one.scope));
        let seen = seen.map(|(one, argument)| (one.clone(), argument.clone()));
        seen.collect()
    }

    /// Reports whether the results or parameters of a definition may depend on type parameters.
    pub(super) fn is_generic(self, path: &RepoPath, id: DefinitionId) -> bool {
        let file = self.database.facts(path);
        let is_declared = file.is_some_and(|file| file.has_type_parameters());
        (is_declared || self.has_type_variables(path)) && !self.has_members(path, id)
    }

    /// Reports whether a file is of a language in which variables may be type parameters.
    pub(super) fn has_type_variables(self, path: &RepoPath) -> bool {
        let language = self.database.language(path);
        language.is_some_and(LanguageResolver::has_type_variables)
    }

    /// Resolves a call of an entity that carries type arguments.
    pub(super) fn generic_call(
        self,
        inner: &Entity,
        arguments: &TypeArguments,
    ) -> ResolvedEntities {
        if let Entity::Definition(path, id) = inner
            && !self.has_members(path, *id)
            && self.call_by_language_rule(inner).is_none()
        {
            let returned = self.substitute(self.resolve_returned(path, *id), arguments);
            return self.without_own_parameters((path, *id), returned, arguments);
        }
        let called = self.resolve_call(&ResolvedEntities::single(inner.clone()));
        let is_made = matches!(inner, Entity::Definition(..) | Entity::Instance(..));
        if is_made {
            let mut all = ResolvedEntities {
                has_unknown: called.has_unknown,
                ..ResolvedEntities::none()
            };
            for entity in called.entities {
                all.merge(match entity {
                    Entity::Instance(..) => generic(entity, arguments),
                    other => self.substitute_entity(other, arguments),
                });
            }
            return all;
        }
        self.substitute(called, arguments)
    }
}

/// Returns the type parameters in types, each once.
pub(super) fn mentioned_parameters(of: &ResolvedEntities) -> Vec<TypeParameter> {
    let mut found = Vec::new();
    add_mentioned(of, &mut found);
    found
}

fn add_mentioned(of: &ResolvedEntities, found: &mut Vec<TypeParameter>) {
    for entity in &of.entities {
        add_mentioned_in(entity, found);
    }
}

fn add_mentioned_in(entity: &Entity, found: &mut Vec<TypeParameter>) {
    match entity {
        Entity::TypeParameter(one) => {
            let is_declared = one.name != THIS && !one.is_of_library();
            if is_declared && !found.contains(one) {
                found.push(one.clone());
            }
        }
        Entity::Generic(_, arguments) => {
            for argument in arguments.values() {
                add_mentioned(argument, found);
            }
        }
        Entity::Sequence(inside) | Entity::Mapping(inside) => add_mentioned_in(inside, found),
        Entity::Tuple(parts) => {
            for part in parts {
                add_mentioned(part, found);
            }
        }
        Entity::External(function) => {
            add_mentioned(&function.returned, found);
            for parameter in &function.parameters {
                add_mentioned(parameter, found);
            }
        }
        _ => {}
    }
}

/// Returns an entity that carries type arguments, besides those that it carries already.
pub(super) fn generic(entity: Entity, arguments: &TypeArguments) -> ResolvedEntities {
    if arguments.is_empty() {
        return ResolvedEntities::single(entity);
    }
    if let Entity::Generic(inner, own) = entity {
        let mut all = (*own).clone();
        all.extend(arguments.iter().map(|(one, of)| (one.clone(), of.clone())));
        return generic(*inner, &Rc::new(all));
    }
    let generic = Entity::Generic(Box::new(entity), Rc::clone(arguments));
    if generic.size() <= MAX_SIZE {
        return ResolvedEntities::single(generic);
    }
    let unknown = unknown_arguments(arguments.keys().cloned());
    let Entity::Generic(entity, _) = generic else {
        return ResolvedEntities::unknown();
    };
    ResolvedEntities::single(Entity::Generic(entity, unknown))
}

/// Returns type arguments that are not known.
pub(super) fn unknown_arguments(parameters: impl Iterator<Item = TypeParameter>) -> TypeArguments {
    let unknown = parameters.map(|parameter| (parameter, ResolvedEntities::unknown()));
    Rc::new(unknown.collect())
}
