//! Infers what type parameters stand for, from the arguments of a call or from the type that is
//! expected of its result.
//!
//! There is no type checker: a declared type that is a type parameter, or contains one, is compared
//! with what the argument is resolved to. Source: the idea of [JLS 18].
//!
//! [JLS 18]: https://docs.oracle.com/javase/specs/jls/se21/html/jls-18.html

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::entity::{Entity, ResolvedEntities, TypeArguments, TypeParameter};
use crate::generics::generic;
use crate::resolver::{CallArguments, LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use crate::values::Place;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    CALL_SIGNATURE, CONSTRUCT_SIGNATURE, DefinitionId, ScopeId, Space, Value,
};

/// The maximum depth to which types in types are compared.
const MAX_DEPTH: usize = 4;

/// What is known about some type parameters.
struct Inference<'p> {
    parameters: &'p [TypeParameter],
    known: BTreeMap<TypeParameter, ResolvedEntities>,
}

impl Inference<'_> {
    /// Marks the type parameters that are not known. If an argument may tell type parameters
    /// (`is_open`), those that none tells are unknown, and their bounds do not count. If such an
    /// argument is not known (`is_partial`), the others may stand for more than what is known.
    fn mark_unknown(&mut self, is_open: bool, is_partial: bool) {
        for parameter in self.parameters {
            match self.known.get_mut(parameter) {
                Some(found) => found.has_unknown |= is_partial,
                None if is_open => {
                    let unknown = ResolvedEntities::unknown();
                    self.known.insert(parameter.clone(), unknown);
                }
                None => {}
            }
        }
    }
}

impl Resolver<'_> {
    /// Resolves what a call returns. Its arguments may tell what the type parameters of the called
    /// function stand for; else it returns what the function declares.
    pub(super) fn resolve_inferring_call(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        (of, arguments): (Value, &[Option<Value>]),
    ) -> ResolvedEntities {
        let argument = self.argument_of(source, scope, arguments);
        let arguments = CallArguments {
            count: arguments.len(),
            get: &argument,
        };
        let path = source.file.facts.name(of.path);
        let place = Place::from((scope, Space::Any));
        // A keyword may stand for the call of a single name.
        let is_member = path.contains('.');
        let callee = match self.resolve_callee(source, place, (path, is_member)) {
            Ok(callee) => callee,
            Err(keyword) => return keyword,
        };
        let language = self.database.language(source.path);
        let known = language.filter(|_| callee.found.entities.is_empty());
        let known = known.and_then(|language| {
            language.resolve_library_call(self, (source, scope), path, arguments)
        });
        if let Some(known) = known {
            return known;
        }
        let functions = callee.found.entities.iter();
        let inferred = functions.map(|entity| {
            let known = self.inferred_arguments(entity, arguments);
            (entity, known)
        });
        let inferred: Vec<(&Entity, TypeArguments)> = inferred.collect();
        let are_overloads = language
            .is_none_or(|one| one.may_have_overloads() && !one.has_overloads_of_one_function());
        let are_told_apart =
            !are_overloads || self.are_told_apart(inferred.iter().map(|(entity, _)| *entity));
        if are_told_apart && inferred.iter().all(|(_, known)| known.is_empty()) {
            return if is_member {
                self.call(source, place, &callee)
            } else {
                self.resolve_path_text(source, place, (path, true))
            };
        }
        let results = inferred.into_iter().map(|(entity, known)| {
            let is_overload = self.is_defined_function(entity);
            (
                is_overload,
                self.resolve_call(&generic(entity.clone(), &known)),
            )
        });
        let results: Vec<(bool, ResolvedEntities)> = results.collect();
        let overloads = results.iter().filter(|(is_overload, _)| *is_overload);
        if !are_told_apart && !are_same(overloads.map(|(_, result)| result)) {
            return ResolvedEntities::unknown();
        }
        let mut all = ResolvedEntities::union(results.into_iter().map(|(_, result)| result));
        all.has_unknown |= callee.found.has_unknown;
        self.with_receiver(source, place, all, (callee.name, callee.receiver.as_ref()))
    }

    /// Returns the function that resolves an argument by its place.
    fn argument_of(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        arguments: &[Option<Value>],
    ) -> impl Fn(usize) -> ResolvedEntities {
        move |place| match arguments.get(place) {
            Some(Some(value)) => self.resolve_value(source, scope, *value),
            _ => ResolvedEntities::unknown(),
        }
    }

    /// Resolves the called functions with what the arguments of a call tell about their type
    /// parameters.
    pub(super) fn inferring_function(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        (of, arguments): (Value, &[Option<Value>]),
    ) -> ResolvedEntities {
        let argument = self.argument_of(source, scope, arguments);
        let arguments = CallArguments {
            count: arguments.len(),
            get: &argument,
        };
        let called = self.resolve_value_in(source, (scope, Space::Values), of);
        let mut all = ResolvedEntities {
            has_unknown: called.has_unknown,
            ..ResolvedEntities::none()
        };
        for entity in called.entities {
            let known = self.inferred_arguments(&entity, arguments);
            all.merge(generic(entity, &known));
        }
        all
    }

    /// Reports whether the number of arguments tells which overload a call means, or there is only
    /// one.
    fn are_told_apart<'e>(self, called: impl Iterator<Item = &'e Entity>) -> bool {
        let overloads: Vec<&Entity> = called.filter(|one| self.is_defined_function(one)).collect();
        overloads.len() < 2 || overloads.iter().any(|one| self.is_counted(one))
    }

    /// Reports whether an entity is the definition of a function. Only definitions count as
    /// overloads: a prototype is no overload of its definition.
    fn is_defined_function(self, entity: &Entity) -> bool {
        match entity.without_type_arguments() {
            Entity::Definition(path, id) => !self.has_members(path, *id),
            _ => false,
        }
    }

    /// Reports whether the facts have the number of a function's parameters.
    pub(super) fn is_counted(self, function: &Entity) -> bool {
        let Entity::Definition(path, id) = function.without_type_arguments() else {
            return false;
        };
        let file = self.database.facts(path);
        file.is_some_and(|file| {
            let definition = file.facts.definition(*id);
            definition.is_some_and(|found| found.parameters.is_some())
        })
    }

    /// Infers what the type parameters of a function stand for in a call.
    fn inferred_arguments(self, function: &Entity, arguments: CallArguments<'_>) -> TypeArguments {
        let (parameters, declared): (Vec<TypeParameter>, Vec<ResolvedEntities>) = match function {
            Entity::External(of) => {
                let result = of.returned.entities.iter().find_map(library_parameter);
                (result.into_iter().collect(), of.parameters.clone())
            }
            Entity::Definition(path, id) if self.has_members(path, *id) => {
                if let Some(copied) = self.copied_arguments((path, *id), arguments) {
                    return copied;
                }
                let own = self.type_parameters(path, *id);
                let declared = self.parameters_of_constructor((path, *id), &own, arguments);
                (own, declared)
            }
            Entity::Definition(path, id) => {
                let own = self.type_parameters(path, *id);
                let declared = self.declared_parameters_of((path, *id), &own, arguments);
                (own, declared)
            }
            Entity::Generic(inner, carried) => match &**inner {
                Entity::Definition(path, id) if !self.has_members(path, *id) => {
                    let own = self.type_parameters(path, *id);
                    let declared = self.declared_parameters_of((path, *id), &own, arguments);
                    let declared = declared.into_iter();
                    let declared = declared.map(|one| self.substitute(one, carried));
                    (own, declared.collect())
                }
                _ => return TypeArguments::default(),
            },
            _ => return TypeArguments::default(),
        };
        if parameters.is_empty() {
            return TypeArguments::default();
        }
        let mut inference = Inference {
            parameters: &parameters,
            known: BTreeMap::new(),
        };
        let mut is_open = false;
        let mut is_partial = false;
        for (place, declared) in declared.iter().enumerate() {
            if place < arguments.count {
                let actual = (arguments.get)(place);
                self.infer(&mut inference, declared, &actual, MAX_DEPTH);
                let may_tell = declared.entities.iter().any(may_have_parameters);
                is_open |= may_tell;
                is_partial |= may_tell && (actual.has_unknown || actual.entities.is_empty());
            }
        }
        if self.is_structural(function) {
            inference.mark_unknown(is_open, is_partial);
        }
        Rc::new(inference.known)
    }

    /// Reports whether a function is of a language in which an object has each type whose members
    /// it has.
    fn is_structural(self, function: &Entity) -> bool {
        let language = function
            .file()
            .and_then(|file| self.database.language(file));
        language.is_some_and(LanguageResolver::has_structural_types)
    }

    /// Returns the type arguments of the only argument of a constructor, if that is an instance of
    /// the class which the constructor copies.
    fn copied_arguments(
        self,
        (path, id): (&RepoPath, DefinitionId),
        arguments: CallArguments<'_>,
    ) -> Option<TypeArguments> {
        let language = self.database.language(path)?;
        if arguments.count != 1 || !language.copies_by_constructor() {
            return None;
        }
        let class = Entity::Instance(path.clone(), id);
        let given = (arguments.get)(0).entities.into_iter();
        let mut copied = given.filter_map(|one| match one {
            Entity::Generic(inner, carried) if *inner == class => Some(carried),
            _ => None,
        });
        copied.next()
    }

    /// Returns the types that the parameters of the constructor of a class declare, if one takes so
    /// many arguments.
    fn parameters_of_constructor(
        self,
        class: (&RepoPath, DefinitionId),
        own: &[TypeParameter],
        arguments: CallArguments<'_>,
    ) -> Vec<ResolvedEntities> {
        if own.is_empty() {
            return Vec::new();
        }
        let takes = |(path, id): &(RepoPath, DefinitionId)| {
            let file = self.database.facts(path);
            let count = file.and_then(|file| file.facts.definition(*id)?.parameters);
            let given = u32::try_from(arguments.count).unwrap_or(u32::MAX);
            count.is_none_or(|count| count.take(given))
        };
        let language = self.database.language(class.0);
        if let Some(field) = language.and_then(LanguageResolver::field_of_constructor) {
            let instance = Entity::Instance(class.0.clone(), class.1);
            let fields =
                (0..arguments.count).map(|place| self.resolve_member(&instance, &field(place)));
            return fields.collect();
        }
        let constructors = self.constructors(class, None).into_iter();
        let mut taking = constructors.filter(takes);
        match (taking.next(), taking.next()) {
            (Some((path, id)), None) => self.declared_parameters_of((&path, id), own, arguments),
            _ => Vec::new(),
        }
    }

    /// Returns the types that the parameters of a function declare, one for each argument.
    fn declared_parameters_of(
        self,
        (path, id): (&RepoPath, DefinitionId),
        own: &[TypeParameter],
        arguments: CallArguments<'_>,
    ) -> Vec<ResolvedEntities> {
        if own.is_empty() {
            return Vec::new();
        }
        let file = self.database.facts(path);
        let count = file.and_then(|file| file.facts.definition(id)?.parameters);
        let variadic = count.filter(|count| count.is_variadic);
        let last = variadic.map(|count| (count.declared as usize).saturating_sub(1));
        let is_sequence = |one: &Entity| matches!(one, Entity::Sequence(_));
        let declared = (0..arguments.count).map(|place| match last {
            // The argument may be an array, which passes its elements, or one of these.
            Some(last) if place == last && arguments.count == last + 1 => {
                let argument = (arguments.get)(place);
                if argument.entities.iter().any(is_sequence) {
                    return ResolvedEntities::none();
                }
                elements_of(self.declared_parameter((path, id), last))
            }
            Some(last) if place >= last => elements_of(self.declared_parameter((path, id), last)),
            _ => self.declared_parameter((path, id), place),
        });
        declared.collect()
    }

    /// Infers what type parameters in declared types stand for. Each declared type comes with the
    /// type of a value of it.
    pub(super) fn infer_from(
        self,
        values: &[(ResolvedEntities, ResolvedEntities)],
        parameters: &[TypeParameter],
    ) -> TypeArguments {
        let mut inference = Inference {
            parameters,
            known: BTreeMap::new(),
        };
        for (declared, actual) in values {
            self.infer(&mut inference, declared, actual, MAX_DEPTH);
        }
        Rc::new(inference.known)
    }

    fn infer(
        self,
        inference: &mut Inference<'_>,
        declared: &ResolvedEntities,
        actual: &ResolvedEntities,
        depth: usize,
    ) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        for declared in &declared.entities {
            match declared {
                Entity::TypeParameter(parameter) if inference.parameters.contains(parameter) => {
                    if !actual.entities.is_empty() {
                        let known = inference.known.entry(parameter.clone()).or_default();
                        known.merge(actual.clone());
                    }
                    // The bounds `Fn(A) -> B` of Rust and `~[]B` of Go tell what `B` stands for.
                    let bounds = self.constraint(parameter).entities.into_iter();
                    for bound in bounds.filter(may_mention_others) {
                        self.infer_inside(inference, &bound, actual, depth);
                    }
                }
                Entity::TypeParameter(_) => {}
                _ => self.infer_inside(inference, declared, actual, depth),
            }
        }
    }

    /// Infers what type parameters in a container, a generic type or a function stand for.
    fn infer_inside(
        self,
        inference: &mut Inference<'_>,
        declared: &Entity,
        actual: &ResolvedEntities,
        depth: usize,
    ) {
        for actual in &actual.entities {
            if let Entity::Generic(inner, own) = declared
                && let Some(passed) = self.arguments_for_base(actual, inner)
            {
                for (key, declared) in own.iter() {
                    if let Some(actual) = passed.get(key) {
                        self.infer(inference, declared, actual, depth);
                    }
                }
                continue;
            }
            match (declared, actual) {
                (Entity::Sequence(declared), Entity::Sequence(actual))
                | (Entity::Mapping(declared), Entity::Mapping(actual)) => {
                    let [declared, actual] =
                        [declared, actual].map(|one| ResolvedEntities::single((**one).clone()));
                    self.infer(inference, &declared, &actual, depth);
                }
                (Entity::Tuple(declared), Entity::Tuple(actual))
                    if declared.len() == actual.len() =>
                {
                    for (declared, actual) in declared.iter().zip(actual) {
                        self.infer(inference, declared, actual, depth);
                    }
                }
                (Entity::External(declared), Entity::External(actual)) => {
                    self.infer(inference, &declared.returned, &actual.returned, depth);
                    for (declared, actual) in declared.parameters.iter().zip(&actual.parameters) {
                        self.infer(inference, declared, actual, depth);
                    }
                }
                // A function that takes nothing counts as a container of what it returns.
                (Entity::Sequence(declared), actual) if is_function(actual) => {
                    let declared = ResolvedEntities::single((**declared).clone());
                    let actual = self.resolve_call(&ResolvedEntities::single(actual.clone()));
                    self.infer(inference, &declared, &actual, depth);
                }
                (Entity::Sequence(declared) | Entity::Mapping(declared), actual)
                    if matches!(actual, Entity::Container(..) | Entity::Tuple(_)) =>
                {
                    let declared = ResolvedEntities::single((**declared).clone());
                    let actual = ResolvedEntities::single(actual.clone());
                    let elements = self.resolve_elements(&actual, "__getitem__", "");
                    self.infer(inference, &declared, &elements, depth);
                }
                (_, actual) if is_function(actual) => {
                    let result = self.result_of_function(declared);
                    let actual = self.resolve_call(&ResolvedEntities::single(actual.clone()));
                    self.infer(inference, &result, &actual, depth);
                }
                _ => self.infer_members(inference, declared, actual, depth),
            }
        }
    }

    /// Infers what type parameters in the members of an interface or an object type stand for, in a
    /// language in which any object with such members is one.
    fn infer_members(
        self,
        inference: &mut Inference<'_>,
        declared: &Entity,
        actual: &Entity,
        depth: usize,
    ) {
        let is_object = matches!(
            actual.without_type_arguments(),
            Entity::Instance(..) | Entity::Shape(..) | Entity::Object(_)
        );
        if !is_object {
            return;
        }
        let actual = ResolvedEntities::single(actual.clone());
        for name in self.names_of_structure(declared) {
            let member = self.resolve_member(declared, &name);
            let passed = self.resolve_members(&actual, &name);
            self.infer(inference, &member, &passed, depth);
        }
    }

    /// Resolves what a function of a declared type returns, or what its constructor makes.
    fn result_of_function(self, declared: &Entity) -> ResolvedEntities {
        match declared.without_type_arguments() {
            Entity::Lambda(..) | Entity::External(_) => {
                self.resolve_call(&ResolvedEntities::single(declared.clone()))
            }
            Entity::Definition(path, id) if !self.has_members(path, *id) => {
                self.resolve_call(&ResolvedEntities::single(declared.clone()))
            }
            Entity::Instance(..) | Entity::Shape(..) => {
                let signatures = [CALL_SIGNATURE, CONSTRUCT_SIGNATURE];
                let mut called = signatures
                    .iter()
                    .map(|name| self.resolve_member(declared, name));
                let called = called.find(|found| !found.entities.is_empty());
                self.resolve_call(&called.unwrap_or_default())
            }
            _ => ResolvedEntities::none(),
        }
    }
}

/// Reports whether overloads return the same, whichever is called.
fn are_same<'r>(mut results: impl Iterator<Item = &'r ResolvedEntities>) -> bool {
    let first = results.next();
    first.is_none_or(|first| results.all(|other| other.entities == first.entities))
}

/// Reports whether the bound of a type parameter may tell what others stand for.
fn may_mention_others(bound: &Entity) -> bool {
    matches!(
        bound,
        Entity::Lambda(..) | Entity::Sequence(_) | Entity::Mapping(_)
    )
}

/// Reports whether type parameters may be part of a type.
fn may_have_parameters(declared: &Entity) -> bool {
    !matches!(
        declared,
        Entity::Definition(..) | Entity::Instance(..) | Entity::Module(_)
    )
}

/// Reports whether a value can be called.
fn is_function(entity: &Entity) -> bool {
    matches!(
        entity.without_type_arguments(),
        Entity::Definition(..) | Entity::External(_) | Entity::Lambda(..)
    )
}

/// Returns the type parameter of the library in a type.
fn library_parameter(of: &Entity) -> Option<TypeParameter> {
    match of {
        Entity::TypeParameter(parameter) if parameter.is_of_library() => Some(parameter.clone()),
        Entity::Sequence(inside) | Entity::Mapping(inside) => library_parameter(inside),
        Entity::Tuple(parts) => {
            let mut inside = parts.iter().flat_map(|part| &part.entities);
            inside.find_map(library_parameter)
        }
        _ => None,
    }
}

/// Returns the elements of sequences.
fn elements_of(sequences: ResolvedEntities) -> ResolvedEntities {
    sequences.map(|one| match one {
        Entity::Sequence(element) => *element,
        other => other,
    })
}
