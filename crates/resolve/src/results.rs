//! Resolves calls: instances of classes, and the values that functions return.

use crate::entity::{Entity, ExternalFunction, ResolvedEntities, TypeArguments};
use crate::generics::generic;
use crate::memo::MemoKey;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use crate::values::{CALLABLE, between};
use ragnav_base::item::StepKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    ArgumentPlace, Binding, BindingTarget, CallFact, DefinitionId, Name, RETURNED, ScopeId, Value,
};

impl Resolver<'_> {
    /// Resolves a call of entities that have this name.
    pub(super) fn resolve_named_call(
        self,
        source: &SourceFile<'_>,
        name: &str,
        called: &ResolvedEntities,
    ) -> ResolvedEntities {
        match self.database.language(source.path) {
            Some(language) if called.is_none() => language.resolve_external_call(name),
            _ => self.resolve_call(called),
        }
    }

    /// Resolves a call with known arguments, by its number in the file.
    pub(super) fn resolve_numbered_call(
        self,
        source: &SourceFile<'_>,
        (name, number): (&str, usize),
        called: &ResolvedEntities,
    ) -> ResolvedEntities {
        let Some(call) = source.file.facts.flow.calls.get(number) else {
            return self.resolve_named_call(source, name, called);
        };
        let mut all = ResolvedEntities {
            has_unknown: called.has_unknown,
            ..ResolvedEntities::default()
        };
        for entity in &called.entities {
            all.merge(self.result_of_call(source, (number, call), entity));
        }
        if called.is_none() {
            return self.resolve_named_call(source, name, called);
        }
        all
    }

    /// Resolves what a call with known arguments gives, if it is one of an entity.
    fn result_of_call(
        self,
        source: &SourceFile<'_>,
        (number, call): (usize, &CallFact),
        called: &Entity,
    ) -> ResolvedEntities {
        let key = || MemoKey::Call(source.path.clone(), number, called.clone());
        if self.may_infer(called) {
            return self.database.memoize(key(), || {
                let inferred = self.inferred_by_call(source, call, called);
                self.resolve_call(&generic(called.clone(), &inferred))
            });
        }
        if let Entity::External(function) = called
            && let Some(found) = self.with_callback_results(source, call, function)
        {
            return found;
        }
        if let Some(function) = self.without_declared_result(called)
            && self.returns_parameter(function)
        {
            let returned = || self.returned_to_call(source, (call, called), function);
            return self.database.memoize(key(), returned);
        }
        self.resolve_call(&ResolvedEntities::single(called.clone()))
    }

    /// Resolves what a function of the library returns, with what a call of its first argument
    /// gives in place of the type parameter for that.
    fn with_callback_results(
        self,
        source: &SourceFile<'_>,
        call: &CallFact,
        function: &ExternalFunction,
    ) -> Option<ResolvedEntities> {
        let is_result = |entity: &Entity| match entity {
            Entity::TypeParameter(parameter) => parameter.is_callback_result(),
            _ => false,
        };
        let mut returned = function.returned.clone();
        let count = returned.entities.len();
        returned.entities.retain(|entity| !is_result(entity));
        if returned.entities.len() == count {
            return None;
        }
        for argument in &call.arguments {
            let at = Some(call.position);
            let mut callback = self.resolve_value_at(source, call.scope, argument.value, at);
            if argument.place != ArgumentPlace::Index(0) {
                // `then` has a function for errors, and `reduce` a value to begin with.
                callback.entities.retain(is_function);
            }
            if !callback.entities.is_empty() || argument.place == ArgumentPlace::Index(0) {
                returned.merge(self.resolve_call(&callback));
            }
        }
        returned.has_unknown |= returned.entities.is_empty();
        Some(returned)
    }

    /// Returns the scope of a function that does not declare what it returns.
    fn without_declared_result(self, called: &Entity) -> Option<(&RepoPath, ScopeId)> {
        match called {
            Entity::Definition(path, id) if !self.has_members(path, *id) => {
                let file = self.database.facts(path)?;
                let definition = file.facts.definition(*id)?;
                let scope = definition.scope;
                definition.returns.is_none().then_some((path, scope))
            }
            Entity::Lambda(path, scope) => Some((path, *scope)),
            _ => None,
        }
    }

    /// Reports whether the function with a scope returns a parameter.
    fn returns_parameter(self, (path, scope): (&RepoPath, ScopeId)) -> bool {
        let Some(file) = self.database.facts(path) else {
            return false;
        };
        let of = SourceFile { path, file: &file };
        file.flow.signature(scope).is_some()
            && returned_in(&of, scope)
                .any(|binding| returned_parameter(&of, scope, binding).is_some())
    }

    /// Resolves what the function with a scope returns to one call: its arguments, where the
    /// function returns parameters.
    fn returned_to_call(
        self,
        source: &SourceFile<'_>,
        (call, called): (&CallFact, &Entity),
        (path, scope): (&RepoPath, ScopeId),
    ) -> ResolvedEntities {
        let mut all = ResolvedEntities::unknown();
        let Some(file) = self.database.facts(path) else {
            return all;
        };
        let Some(signature) = file.flow.signature(scope) else {
            return all;
        };
        let of = SourceFile { path, file: &file };
        let is_bound = signature.has_receiver
            && match called {
                Entity::Definition(_, id) => self.is_bound(source, call, (path, *id)),
                _ => false,
            };
        for binding in returned_in(&of, scope) {
            let passed = returned_parameter(&of, scope, binding).and_then(|name| {
                let of_call = (signature, name);
                let keyword = file.facts.name(name);
                self.resolve_argument_of_call(source, call, of_call, is_bound, keyword)
            });
            all.merge(passed.unwrap_or_else(|| self.resolve_returned_value(&of, scope, binding)));
        }
        all
    }

    /// Reports whether these are methods with what they implement, in a language without overloads.
    /// Then the result of the method is the more exact one.
    fn are_implemented(self, called: &ResolvedEntities) -> bool {
        if called.entities.len() < 2 {
            return false;
        }
        let language = |entity: &Entity| self.database.language(entity.file()?);
        let first = called.entities.iter().find_map(language);
        first.is_some_and(|language| !language.may_have_overloads())
            && !called.entities.iter().all(|one| self.is_declared(one))
    }

    /// Reports whether an entity is a method that a trait or an interface declares.
    fn is_declared(self, entity: &Entity) -> bool {
        match entity.without_type_arguments() {
            Entity::Definition(path, id) => self.is_of_interface(path, *id),
            _ => false,
        }
    }

    /// Resolves a call: an instance of a class, or the return value of a function.
    pub(super) fn resolve_call(self, called: &ResolvedEntities) -> ResolvedEntities {
        let mut returned_values = ResolvedEntities {
            has_unknown: called.has_unknown,
            ..ResolvedEntities::default()
        };
        let implemented = self.are_implemented(called);
        for entity in &called.entities {
            if implemented && self.is_declared(entity) {
                continue;
            }
            if let Some(by_rule) = self.call_by_language_rule(entity) {
                returned_values.merge(by_rule);
                continue;
            }
            match entity {
                Entity::Generic(inner, arguments) => {
                    returned_values.merge(self.generic_call(inner, arguments));
                }
                Entity::External(function) => returned_values.merge(function.returned.clone()),
                Entity::Definition(path, id) if self.has_members(path, *id) => {
                    returned_values
                        .entities
                        .insert(Entity::Instance(path.clone(), *id));
                }
                Entity::Definition(path, id) => {
                    let returned = self.resolve_returned(path, *id);
                    let known = TypeArguments::default();
                    let returned = self.without_own_parameters((path, *id), returned, &known);
                    returned_values.merge(returned);
                }
                Entity::Lambda(path, scope) => {
                    returned_values.merge(self.resolve_lambda_result(path, *scope));
                }
                // The call is one of a method of the container.
                Entity::Sequence(_)
                | Entity::Mapping(_)
                | Entity::Tuple(_)
                | Entity::Container(..) => {
                    returned_values.entities.insert(entity.clone());
                }
                _ => returned_values.has_unknown = true,
            }
        }
        returned_values
    }

    fn resolve_lambda_result(self, path: &RepoPath, scope: ScopeId) -> ResolvedEntities {
        let key = MemoKey::LambdaResult(path.clone(), scope);
        self.database.memoize(key, || {
            let Some(file) = self.database.facts(path) else {
                return ResolvedEntities::unknown();
            };
            let mut found = self.returned_values(&SourceFile { path, file: &file }, scope);
            found.has_unknown = true;
            found
        })
    }

    /// Resolves the returned values of the function with a scope.
    fn returned_values(self, source: &SourceFile<'_>, scope: ScopeId) -> ResolvedEntities {
        let returned = returned_in(source, scope);
        ResolvedEntities::union(
            returned.map(|returned| self.resolve_returned_value(source, scope, returned)),
        )
    }

    pub(super) fn call_by_language_rule(self, of: &Entity) -> Option<ResolvedEntities> {
        let language = self.database.language(of.file()?)?;
        language.resolve_call(self, of)
    }

    pub(super) fn resolve_returned(self, path: &RepoPath, id: DefinitionId) -> ResolvedEntities {
        let key = MemoKey::Returned(path.clone(), id);
        self.database.memoize(key, || {
            let file = self.database.facts(path);
            let definition = file.as_ref().and_then(|file| file.facts.definition(id));
            let Some((file, definition)) = file.as_ref().zip(definition) else {
                return ResolvedEntities::unknown();
            };
            let step = (StepKind::ReturnedBy, file.facts.name(definition.name));
            let at = (path, definition.start_line);
            let compute = || self.compute_returned(path, id);
            self.database.record_step(step, at, compute)
        })
    }

    fn compute_returned(self, path: &RepoPath, id: DefinitionId) -> ResolvedEntities {
        let (Some(file), Some(language)) =
            (self.database.facts(path), self.database.language(path))
        else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile { path, file: &file };
        let Some(definition) = source.definition(id) else {
            return ResolvedEntities::unknown();
        };
        if let Some(value) = definition.returns {
            if let Some(own) = language.own_instance_type(&source, definition, value) {
                return own;
            }
            let declared = self.resolve_value(&source, source.result_scope(definition), value);
            if !self.is_any_type(&source, value) {
                return declared;
            }
            let mut found = self.returned_values(&source, definition.scope);
            found.merge(declared);
            return found;
        }
        let mut returned_values = self.returned_values(&source, definition.scope);
        returned_values.has_unknown = true;
        if returned_values.entities.is_empty() && language.is_constructor_function(definition) {
            returned_values
                .entities
                .insert(Entity::Instance(path.clone(), id));
        }
        returned_values
    }

    /// Reports whether a declared type does not say which of many things has it, such as `Callable`.
    pub(super) fn is_any_type(self, source: &SourceFile<'_>, value: Value) -> bool {
        let path = source.file.facts.name(value.path);
        let name = path.rsplit('.').next().unwrap_or(path);
        let language = self.database.language(source.path);
        between(path, CALLABLE).is_some()
            || language.is_some_and(|language| language.is_any_type(name))
    }
}

/// Returns the values that the function with a scope returns.
fn returned_in<'s>(
    source: &SourceFile<'s>,
    scope: ScopeId,
) -> impl Iterator<Item = &'s Binding> + use<'s> {
    let name = source.file.find_name(RETURNED);
    let file = source.file;
    name.into_iter()
        .flat_map(move |name| file.bindings(scope, name))
}

/// Returns the parameter that a function returns, unless the function assigns to it.
fn returned_parameter(source: &SourceFile<'_>, scope: ScopeId, binding: &Binding) -> Option<Name> {
    let BindingTarget::Variable(Some(value)) = binding.target else {
        return None;
    };
    if value.is_called || binding.value_scope != scope {
        return None;
    }
    let bound = source.file.bindings(scope, value.path);
    let mut is_untyped = false;
    for binding in bound {
        match binding.target {
            BindingTarget::Parameter(None) => is_untyped = true,
            // A documentation comment gives it a type, too.
            BindingTarget::Parameter(Some(_)) => {}
            _ => return None,
        }
    }
    is_untyped.then_some(value.path)
}

/// Reports whether a value is a function, and no class or other value.
fn is_function(entity: &Entity) -> bool {
    matches!(entity.without_type_arguments(), Entity::Lambda(..))
}
