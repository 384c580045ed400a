//! The type parameters of definitions, and what they must be or stand for.

use std::rc::Rc;

use crate::entity::{Entity, ResolvedEntities, TypeArguments, TypeParameter};
use crate::generics::{mentioned_parameters, unknown_arguments};
use crate::resolver::{LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Binding, BindingTarget, DefinitionId, ScopeId, ScopeKind, THIS};

impl Resolver<'_> {
    /// Reports whether two types have as many type parameters, so that they may be parts of one. Of
    /// other definitions, the type parameters do not count.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "class Box { }\nclass Box<T> { }\n";
    /// let database = database(&[("Box.cs", text)]);
    /// let (resolver, file) = (Resolver::new(&database), path("Box.cs"));
    /// let [plain, generic] = [0, 1].map(|id| (&file, DefinitionId(id)));
    /// assert!(resolver.may_be_parts(plain, plain));
    /// assert!(!resolver.may_be_parts(plain, generic));
    /// ```
    #[must_use]
    pub fn may_be_parts(
        self,
        one: (&RepoPath, DefinitionId),
        other: (&RepoPath, DefinitionId),
    ) -> bool {
        let count = |(path, id): (&RepoPath, DefinitionId)| {
            let file = self.database.facts(path)?;
            let source = SourceFile { path, file: &file };
            let is_type = source.definition(id)?.kind.has_methods();
            is_type.then(|| arity(&source, id))
        };
        count(one) == count(other)
    }

    /// Returns the type parameters of a definition, in order.
    pub(super) fn type_parameters(self, path: &RepoPath, id: DefinitionId) -> Vec<TypeParameter> {
        let Some(file) = self.database.facts(path) else {
            return Vec::new();
        };
        let source = SourceFile { path, file: &file };
        if let Some(scope) = type_parameter_scope(&source, id) {
            return type_parameters_in(&source, scope);
        }
        let language = self.database.language(path);
        let definition = source.definition(id);
        match language.zip(definition) {
            Some((language, definition)) => language.type_variables(self, &source, definition),
            None => Vec::new(),
        }
    }

    /// Returns the type parameters in a type that the classes around a function do not have.
    fn variables_of_function(
        self,
        (path, id): (&RepoPath, DefinitionId),
        of: &ResolvedEntities,
    ) -> Vec<TypeParameter> {
        let mut mentioned = mentioned_parameters(of);
        let Some(file) = self.database.facts(path).filter(|_| !mentioned.is_empty()) else {
            return Vec::new();
        };
        let parent = |id: DefinitionId| file.facts.definition(id)?.parent;
        let around = std::iter::successors(parent(id), |id| parent(*id));
        for class in around.filter(|class| self.has_members(path, *class)) {
            let own = self.type_parameters(path, class);
            mentioned.retain(|one| !own.contains(one));
        }
        mentioned
    }

    /// Replaces the type parameters of a function, since code outside of the function cannot mean
    /// them: by something unknown, or by their bounds, whose own type parameters are `known`.
    pub(super) fn without_own_parameters(
        self,
        (path, id): (&RepoPath, DefinitionId),
        of: ResolvedEntities,
        known: &TypeArguments,
    ) -> ResolvedEntities {
        if !self.is_generic(path, id) {
            return of;
        }
        let language = self.database.language(path);
        let parameters = if self.has_type_variables(path) {
            self.variables_of_function((path, id), &of)
        } else {
            self.type_parameters(path, id)
        };
        let parameters = parameters.into_iter();
        let arguments = if language.is_some_and(LanguageResolver::keeps_bounds) {
            // An object may have more members than the bound of its type.
            let is_open = language.is_some_and(LanguageResolver::has_structural_types);
            let bound = |one: &TypeParameter| {
                let mut bound = self.substitute(self.constraint(one), known);
                bound.has_unknown |= is_open;
                bound
            };
            let bounds = parameters.map(|one| (one.clone(), bound(&one)));
            Rc::new(bounds.collect())
        } else {
            unknown_arguments(parameters)
        };
        if arguments.is_empty() {
            return of;
        }
        self.substitute(of, &arguments)
    }

    /// Resolves what a type parameter must be.
    pub(super) fn constraint(self, parameter: &TypeParameter) -> ResolvedEntities {
        let TypeParameter { file, scope, name } = parameter;
        let Some(facts) = self.database.facts(file) else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile {
            path: file,
            file: &facts,
        };
        if name == THIS {
            return own_instance(&source, *scope);
        }
        let Some(id) = facts.find_name(name) else {
            return ResolvedEntities::unknown();
        };
        let language = self.database.language(file);
        let keeps_bounds = language.is_some_and(LanguageResolver::keeps_bounds);
        let bounds = facts.bindings(*scope, id).filter_map(|binding| {
            let BindingTarget::Variable(Some(value)) = binding.target else {
                return None;
            };
            let bound = self.resolve_value(&source, binding.value_scope, value);
            // Types of the repository may implement a trait from outside.
            let is_outside = keeps_bounds && bound.is_none();
            Some(if is_outside {
                ResolvedEntities::unknown()
            } else {
                bound
            })
        });
        bounds
            .reduce(|mut all, bound| {
                all.merge(bound);
                all
            })
            .unwrap_or_else(ResolvedEntities::unknown)
    }
}

/// Returns the type parameters that a scope declares, in order.
pub(super) fn type_parameters_in(source: &SourceFile<'_>, scope: ScopeId) -> Vec<TypeParameter> {
    let names = source.file.type_parameters(scope).iter();
    let parameters = names.map(|name| TypeParameter {
        file: source.path.clone(),
        scope,
        name: source.file.facts.name(*name).to_owned(),
    });
    parameters.collect()
}

/// Returns the number of type parameters of a definition.
pub(super) fn arity(source: &SourceFile<'_>, id: DefinitionId) -> usize {
    let scope = type_parameter_scope(source, id);
    scope.map_or(0, |scope| source.file.type_parameters(scope).len())
}

/// Returns the type parameter that a binding declares.
pub(super) fn type_parameter(source: &SourceFile<'_>, binding: &Binding) -> Option<Entity> {
    let scope = source.file.facts.scope(binding.scope)?;
    let is_parameter = scope.kind == ScopeKind::TypeParameters
        && matches!(binding.target, BindingTarget::Variable(_));
    is_parameter.then(|| {
        Entity::TypeParameter(TypeParameter {
            file: source.path.clone(),
            scope: binding.scope,
            name: source.file.facts.name(binding.name).to_owned(),
        })
    })
}

/// Returns an instance of the class or interface whose body opens a scope.
fn own_instance(source: &SourceFile<'_>, scope: ScopeId) -> ResolvedEntities {
    let scope = source.file.facts.scope(scope);
    let class = scope.and_then(|scope| scope.definition);
    class.map_or_else(ResolvedEntities::unknown, |class| {
        ResolvedEntities::single(Entity::Instance(source.path.clone(), class))
    })
}

/// Returns the scope of the type parameters of a definition.
fn type_parameter_scope(source: &SourceFile<'_>, id: DefinitionId) -> Option<ScopeId> {
    let definition = source.definition(id)?;
    let facts = &source.file.facts;
    let is_one = |scope: ScopeId| {
        let found = facts.scope(scope);
        found.is_some_and(|found| found.kind == ScopeKind::TypeParameters)
    };
    let own = definition.scope;
    let around = source.enclosing_scope(definition);
    [own, around].into_iter().find(|scope| is_one(*scope))
}
