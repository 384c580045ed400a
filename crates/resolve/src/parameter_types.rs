//! Resolves what the parameters of functions receive, by the types that they declare.

use crate::entity::{Entity, ResolvedEntities, TypeArguments};
use crate::memo::MemoKey;
use crate::resolver::{LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Binding, CALL_SIGNATURE, DefinitionId, Name, ScopeId};

/// The number of parameters by which types of functions are compared.
const MAX_PARAMETERS: usize = 8;

impl Resolver<'_> {
    /// Resolves what a parameter of some functions receives, by its index.
    pub(super) fn resolve_parameter_types(
        self,
        of: &ResolvedEntities,
        index: usize,
    ) -> ResolvedEntities {
        let mut all = ResolvedEntities {
            has_unknown: of.has_unknown || of.entities.is_empty(),
            ..ResolvedEntities::none()
        };
        let mut received: Option<ResolvedEntities> = None;
        let mut differs = false;
        for entity in &of.entities {
            let key = MemoKey::Parameter(entity.clone(), index);
            let one = self
                .database
                .memoize(key, || self.compute_parameter(entity, index));
            let is_other = received.as_ref().is_some_and(|found| *found != one);
            differs |= is_other && self.is_overloaded(entity);
            all.merge(one.clone());
            received = Some(one);
        }
        if differs {
            return self.only_functions(all);
        }
        // A parameter is no other name of a function that it may receive.
        all.entities.retain(|entity| match entity {
            Entity::Definition(path, id) => self.has_members(path, *id),
            _ => true,
        });
        all
    }

    /// Keeps the types of functions among those of a parameter of several overloads, if they all
    /// receive the same: an overload with another type does not receive a function. Which of the
    /// others receives a value that is no function is not known.
    fn only_functions(self, of: ResolvedEntities) -> ResolvedEntities {
        let entities = of.entities.into_iter();
        let functions: Vec<Entity> = entities
            .filter(|entity| self.is_function_type(entity))
            .collect();
        let received = |function: &Entity| -> Vec<ResolvedEntities> {
            let function = ResolvedEntities::single(function.clone());
            let indices = 0..MAX_PARAMETERS;
            indices
                .map(|index| self.resolve_parameter_types(&function, index))
                .collect()
        };
        let Some((first, others)) = functions.split_first() else {
            return ResolvedEntities::unknown();
        };
        let expected = received(first);
        if others.iter().any(|other| received(other) != expected) {
            return ResolvedEntities::unknown();
        }
        functions.into_iter().collect()
    }

    /// Reports whether a value of a type is a function.
    fn is_function_type(self, of: &Entity) -> bool {
        match of.without_type_arguments() {
            Entity::Lambda(..) | Entity::External(_) => true,
            Entity::Instance(..) | Entity::Shape(..) => {
                !self.resolve_member(of, CALL_SIGNATURE).entities.is_empty()
            }
            _ => false,
        }
    }

    /// Reports whether a function may have overloads, so that another one may be called.
    fn is_overloaded(self, function: &Entity) -> bool {
        let Entity::Definition(path, _) = function.without_type_arguments() else {
            return false;
        };
        let language = self.database.language(path);
        language.is_some_and(LanguageResolver::has_overloads)
    }

    fn compute_parameter(self, of: &Entity, index: usize) -> ResolvedEntities {
        match of {
            Entity::Generic(inner, arguments) => {
                if let Entity::Definition(path, id) = &**inner
                    && !self.has_members(path, *id)
                {
                    let found = self.declared_parameter((path, *id), index);
                    let found = self.substitute(found, arguments);
                    return self.without_own_parameters((path, *id), found, arguments);
                }
                let inner = ResolvedEntities::single((**inner).clone());
                let found = self.resolve_parameter_types(&inner, index);
                self.substitute(found, arguments)
            }
            Entity::Definition(path, id) => self.parameter_of_definition((path, *id), index),
            Entity::Lambda(path, scope) => self.parameter_in_scope((path, *scope), index),
            Entity::External(function) => {
                let parameter = function.parameters.get(index);
                parameter.cloned().unwrap_or_default()
            }
            Entity::Instance(..) | Entity::Shape(..) => {
                let called = self.resolve_member(of, CALL_SIGNATURE);
                if called.entities.is_empty() {
                    return ResolvedEntities::unknown();
                }
                self.resolve_parameter_types(&called, index)
            }
            Entity::TypeParameter(parameter) => {
                self.resolve_parameter_types(&self.constraint(parameter), index)
            }
            _ => ResolvedEntities::unknown(),
        }
    }

    fn parameter_of_definition(
        self,
        (path, id): (&RepoPath, DefinitionId),
        index: usize,
    ) -> ResolvedEntities {
        if self.has_members(path, id) {
            let constructors = self.constructors((path, id), None).into_iter();
            let found =
                constructors.map(|(path, id)| self.parameter_of_definition((&path, id), index));
            return ResolvedEntities::union(found);
        }
        if let Some(passed) = self.passed_by_definition((path, id), index) {
            return passed;
        }
        let found = self.declared_parameter((path, id), index);
        self.without_own_parameters((path, id), found, &TypeArguments::default())
    }

    /// Resolves what a function passes to its block at an index, in a language with blocks.
    fn passed_by_definition(
        self,
        (path, id): (&RepoPath, DefinitionId),
        index: usize,
    ) -> Option<ResolvedEntities> {
        let (file, language) = (self.database.facts(path)?, self.database.language(path)?);
        let source = SourceFile { path, file: &file };
        language.resolve_passed(self, &source, (source.definition(id)?, index))
    }

    /// Resolves a parameter of a function, whose type may depend on type parameters.
    pub(super) fn declared_parameter(
        self,
        (path, id): (&RepoPath, DefinitionId),
        index: usize,
    ) -> ResolvedEntities {
        let scope = self.database.facts(path).and_then(|file| {
            let definition = file.facts.definition(id);
            definition.map(|definition| definition.scope)
        });
        scope.map_or_else(ResolvedEntities::unknown, |scope| {
            self.parameter_in_scope((path, scope), index)
        })
    }

    /// Resolves a parameter of the function with a scope.
    fn parameter_in_scope(
        self,
        (path, scope): (&RepoPath, ScopeId),
        index: usize,
    ) -> ResolvedEntities {
        let Some(file) = self.database.facts(path) else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile { path, file: &file };
        let Some(signature) = file.flow.signature(scope) else {
            let mut declared = file
                .parameters(scope)
                .filter(|one| !is_receiver(&source, one));
            let declared = declared.nth(index);
            return declared.map_or_else(ResolvedEntities::unknown, |one| {
                self.resolve_bindings(&source, &[one])
            });
        };
        let declared = |name: Name| {
            let bindings: Vec<&Binding> = file.bindings(scope, name).collect();
            self.resolve_bindings(&source, &bindings)
        };
        match (signature.parameters.get(index), signature.rest) {
            (Some(name), _) => declared(*name),
            (None, Some(rest)) => self.resolve_elements(&declared(rest), "__iter__", ""),
            (None, None) => ResolvedEntities::none(),
        }
    }
}

/// Reports whether a binding is that of a receiver, which stands before the name of its method in
/// Go.
fn is_receiver(source: &SourceFile<'_>, binding: &Binding) -> bool {
    let scope = source.file.facts.scope(binding.scope);
    let function = scope.and_then(|scope| source.definition(scope.definition?));
    function.is_some_and(|function| {
        function.scope == binding.scope && binding.position < function.name_position
    })
}
