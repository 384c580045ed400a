//! Resolves types with type arguments, alternatives, object types and function types.

use std::rc::Rc;

use crate::entity::{Entity, ResolvedEntities, TypeArguments};
use crate::generics::{generic, unknown_arguments};
use crate::memo::MemoKey;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use crate::type_parameters::type_parameters_in;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, DOCUMENTED, DefinitionId, EMBEDDED, INDEX_SIGNATURE, PREDICATE, SPECIALIZATION,
    ScopeId, Space, TypeFact, TypeShape, Value,
};

impl Resolver<'_> {
    /// Resolves a type of a file by its number. A generic type is itself, and a call of it an
    /// instance; any other type is what a value of it may be.
    pub(super) fn resolve_type(self, source: &SourceFile<'_>, number: u32) -> ResolvedEntities {
        let key = MemoKey::Type(source.path.clone(), number);
        self.database.memoize(key, || {
            let types = &source.file.facts.types;
            let place = types.binary_search_by_key(&number, |found| found.number);
            let found = place.ok().and_then(|place| types.get(place));
            found.map_or_else(ResolvedEntities::unknown, |found| {
                self.compute_type(source, found)
            })
        })
    }

    fn compute_type(self, source: &SourceFile<'_>, found: &TypeFact) -> ResolvedEntities {
        let path = source.path.clone();
        match &found.shape {
            TypeShape::Applied {
                of,
                space,
                arguments,
            } => self.apply_type(source, (found.scope, *space), (*of, arguments)),
            TypeShape::Tuple(parts) => {
                let parts = parts.iter().map(|part| match part {
                    Some(value) => self.resolve_value(source, found.scope, *value),
                    None => ResolvedEntities::unknown(),
                });
                ResolvedEntities::single(Entity::Tuple(parts.collect()))
            }
            TypeShape::AnyOf(arms) => ResolvedEntities::union(
                arms.iter()
                    .map(|arm| self.resolve_value(source, found.scope, *arm)),
            ),
            TypeShape::Guarded { by, otherwise, at } => {
                let tested = self.tested_type(source, found.scope, *by);
                if tested.entities.is_empty() {
                    let at = Some(*at);
                    return self.resolve_value_at(source, found.scope, *otherwise, at);
                }
                tested
            }
            TypeShape::Inferring {
                of,
                arguments,
                expected,
            } => {
                let function = self.inferring_function(source, found.scope, (*of, arguments));
                match expected {
                    Some(expected) => {
                        let expected = self.resolve_value(source, found.scope, *expected);
                        self.apply_result_type(function, &expected)
                    }
                    None => function,
                }
            }
            TypeShape::Call { of, arguments } => {
                self.resolve_inferring_call(source, found.scope, (*of, arguments))
            }
            TypeShape::Function(scope) => ResolvedEntities::single(Entity::Lambda(path, *scope)),
            TypeShape::Object(scope) => ResolvedEntities::single(Entity::Shape(path, *scope)),
            TypeShape::InstanceOf(of) => self.instances_of(source, found.scope, *of),
            TypeShape::Variable(scope) => {
                let declared = type_parameters_in(source, *scope).into_iter();
                declared
                    .map(Entity::type_object)
                    .collect::<ResolvedEntities>()
            }
        }
    }

    /// Resolves the name of a type in a comment: instances of a class or of a constructor function,
    /// or the values of another type.
    fn instances_of(self, source: &SourceFile<'_>, scope: ScopeId, of: Value) -> ResolvedEntities {
        let found = self.resolve_value(source, scope, of);
        let mut all = ResolvedEntities {
            has_unknown: found.has_unknown,
            ..ResolvedEntities::none()
        };
        let is_module = |entity: &Entity| matches!(entity, Entity::Module(_));
        let has_others = !found.entities.iter().all(is_module);
        for entity in found.entities {
            match entity.without_type_arguments() {
                // The type of a module that exports a class is that class.
                Entity::Module(_) if has_others => {}
                Entity::Definition(path, id) if !self.has_type(path, *id) => {
                    all.entities.insert(Entity::Instance(path.clone(), *id));
                }
                Entity::Definition(..) => {
                    all.merge(self.resolve_call(&ResolvedEntities::single(entity)));
                }
                _ => {
                    all.entities.insert(entity);
                }
            }
        }
        if !all.entities.is_empty() {
            return all;
        }
        // The comments of a module may name the type.
        let path = source.file.facts.name(of.path);
        let Some((module, name)) = path.rsplit_once('.') else {
            return all;
        };
        let place = (scope, Space::Any);
        let module = self.resolve_path_text(source, place, (module, false));
        self.resolve_members(&module, &format!("{DOCUMENTED}{name}"))
    }

    /// Reports whether a definition is a type, and not a function.
    fn has_type(self, path: &RepoPath, id: DefinitionId) -> bool {
        let file = self.database.facts(path);
        let kind = file.and_then(|file| Some(file.facts.definition(id)?.kind));
        !matches!(
            kind,
            Some(DefinitionKind::Function | DefinitionKind::Method)
        )
    }

    fn apply_type(
        self,
        source: &SourceFile<'_>,
        (scope, space): (ScopeId, Space),
        (of, arguments): (Value, &[Option<Value>]),
    ) -> ResolvedEntities {
        let mut base = self.resolve_value_in(source, (scope, space), of);
        // A member of a module may be a type and a value.
        base.entities.retain(|entity| self.is_in(entity, space));
        let arguments = arguments.iter().map(|argument| match argument {
            Some(value) => self.resolve_value(source, scope, *value),
            None => ResolvedEntities::none(),
        });
        let arguments: Vec<ResolvedEntities> = arguments.collect();
        let name = source.file.facts.name(of.path);
        if let Some(language) = self.database.language(source.path)
            && language.is_external_type(self, (source, scope), (name, &base))
        {
            return language.resolve_external_type(name, &arguments);
        }
        if !arguments.is_empty() {
            self.keep_with_parameters(&mut base, arguments.len());
        }
        let mut entities = base.entities.iter();
        // The arguments choose one of these, or else the template. Which one is not known.
        let is_open = entities.any(|entity| self.is_partial_specialization(entity));
        let mut all = ResolvedEntities {
            has_unknown: base.has_unknown,
            ..ResolvedEntities::none()
        };
        for entity in base.entities {
            let Entity::Definition(path, id) = entity.without_type_arguments() else {
                all.entities.insert(entity);
                continue;
            };
            let parameters = self.type_parameters(path, *id).into_iter();
            let passed: TypeArguments = if is_open {
                unknown_arguments(parameters)
            } else {
                Rc::new(parameters.zip(arguments.iter().cloned()).collect())
            };
            all.merge(generic(entity, &passed));
        }
        all
    }

    /// Reports whether a definition is a specialisation of a template, whose own type parameters do
    /// not stand for the template's arguments.
    fn is_specialization(self, path: &RepoPath, id: DefinitionId) -> bool {
        let file = self.database.facts(path);
        file.is_some_and(|file| {
            let source = SourceFile { path, file: &file };
            let definition = source.definition(id);
            definition.is_some_and(|one| source.has_modifier(one, SPECIALIZATION))
        })
    }

    /// Reports whether an entity is a specialisation that has type parameters itself, such as
    /// `template <class T> struct A<T*>`.
    fn is_partial_specialization(self, entity: &Entity) -> bool {
        let Entity::Definition(path, id) = entity.without_type_arguments() else {
            return false;
        };
        self.is_specialization(path, *id) && !self.type_parameters(path, *id).is_empty()
    }

    /// Keeps the overloads with this number of type parameters, if there are any, and
    /// specialisations. A function of a language whose facts do not count parameters may have more
    /// type parameters, which the call infers.
    fn keep_with_parameters(self, overloads: &mut ResolvedEntities, count: usize) {
        let takes = |entity: &Entity| match entity.without_type_arguments() {
            Entity::Definition(path, id) => {
                let own = self.type_parameters(path, *id).len();
                let may_infer = !self.has_members(path, *id) && !self.is_counted(entity);
                own == count || (may_infer && own > count) || self.is_specialization(path, *id)
            }
            _ => false,
        };
        if overloads.entities.len() > 1 && overloads.entities.iter().any(takes) {
            overloads.entities.retain(takes);
        }
    }

    /// Adds to functions what type parameters in their declared results stand for, as far as the
    /// type that is expected of a result tells it.
    fn apply_result_type(
        self,
        functions: ResolvedEntities,
        expected: &ResolvedEntities,
    ) -> ResolvedEntities {
        let mut all = ResolvedEntities {
            has_unknown: functions.has_unknown,
            ..ResolvedEntities::none()
        };
        for entity in functions.entities {
            let inferred = match entity.without_type_arguments() {
                Entity::Definition(path, id) if !self.has_members(path, *id) => {
                    let declared = self.resolve_returned(path, *id);
                    let values = [(declared, expected.clone())];
                    self.infer_from(&values, &self.type_parameters(path, *id))
                }
                _ => TypeArguments::default(),
            };
            all.merge(generic(entity, &inferred));
        }
        all
    }

    /// Resolves the type for which a function tests its parameter.
    fn tested_type(self, source: &SourceFile<'_>, scope: ScopeId, by: Value) -> ResolvedEntities {
        let functions = self.resolve_value_in(source, (scope, Space::Values), by);
        let tested =
            functions
                .entities
                .iter()
                .map(|entity| match entity.without_type_arguments() {
                    Entity::Definition(path, id) => {
                        let Some(file) = self.database.facts(path) else {
                            return ResolvedEntities::unknown();
                        };
                        let function = SourceFile { path, file: &file }.definition(*id);
                        let found =
                            function.map(|function| self.predicate_in(path, function.scope));
                        let (found, known) = (found.unwrap_or_default(), TypeArguments::default());
                        self.without_own_parameters((path, *id), found, &known)
                    }
                    Entity::Lambda(path, scope) => self.predicate_in(path, *scope),
                    _ => ResolvedEntities::none(),
                });
        ResolvedEntities::union(tested)
    }

    /// Resolves the type for which the function with a scope tests its parameter.
    fn predicate_in(self, path: &RepoPath, scope: ScopeId) -> ResolvedEntities {
        let Some(file) = self.database.facts(path) else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile { path, file: &file };
        let Some(name) = file.find_name(PREDICATE) else {
            return ResolvedEntities::none();
        };
        let bindings: Vec<&Binding> = file.bindings(scope, name).collect();
        self.resolve_bindings(&source, &bindings)
    }

    /// Resolves a member of an object type.
    pub(super) fn shape_member(
        self,
        (path, scope): (&RepoPath, ScopeId),
        name: &str,
    ) -> ResolvedEntities {
        let Some(file) = self.database.facts(path) else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile { path, file: &file };
        let bound = |name: &str| {
            let bindings: Vec<&Binding> = file.bindings(scope, file.find_name(name)?).collect();
            (!bindings.is_empty()).then(|| self.resolve_bindings(&source, &bindings))
        };
        let own = bound(name).or_else(|| bound(INDEX_SIGNATURE));
        own.unwrap_or_else(|| {
            let earlier = bound(&format!("{EMBEDDED}{name}"));
            self.embedded_member(&source, scope, (name, earlier))
        })
    }

    /// Resolves a member that an object may have of any object in it, or by its own name before
    /// those: `a` of `{ a: 1, ...b, ...c }`. If they differ it is open which counts, since a member
    /// may be optional.
    fn embedded_member(
        self,
        source: &SourceFile<'_>,
        scope: ScopeId,
        (name, earlier): (&str, Option<ResolvedEntities>),
    ) -> ResolvedEntities {
        let embedded = source.file.find_name(EMBEDDED).into_iter();
        let embedded = embedded.flat_map(|mark| source.file.bindings(scope, mark));
        let members = embedded.map(|one| {
            let of = self.resolve_bindings(source, &[one]);
            self.resolve_members(&of, name)
        });
        let mut members = members.chain(earlier).filter(|found| !found.is_none());
        let first = members.next().unwrap_or_default();
        if members.all(|other| other == first) {
            first
        } else {
            ResolvedEntities::unknown()
        }
    }
}
