//! Type variables: `T = TypeVar("T")` is a type parameter of each class and function that mentions
//! it.
//!
//! Source: the [specification] of the type system of Python.
//!
//! [specification]: https://typing.python.org/en/latest/spec/generics.html

use crate::entity::{Entity, ResolvedEntities, TypeParameter};
use crate::generics::{generic, mentioned_parameters, unknown_arguments};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionFact, DefinitionId, TypeShape, Value,
};

/// The bases that list all type parameters of a class, in order.
const LISTS: [&str; 2] = ["Generic", "Protocol"];

/// Returns the type variables that a class has as type parameters: those that `Generic` or
/// `Protocol` lists among its bases, or else those in the arguments of all bases.
pub(super) fn of_class(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    class: &DefinitionFact,
) -> Vec<TypeParameter> {
    let applied = class.bases.iter().filter_map(|base| applied(source, *base));
    let applied: Vec<(&str, &[Option<Value>])> = applied.collect();
    let is_list = |name: &str| {
        name.rsplit('.')
            .next()
            .is_some_and(|name| LISTS.contains(&name))
    };
    let list = applied.iter().find(|(name, _)| is_list(name));
    let telling = list.map_or(applied.as_slice(), std::slice::from_ref);
    let arguments = telling.iter().flat_map(|(_, arguments)| *arguments);
    let arguments: Vec<Value> = arguments.flatten().copied().collect();
    let scope = source.enclosing_scope(class);
    let mut found: Vec<TypeParameter> = Vec::new();
    for argument in arguments {
        let mentioned = mentioned_parameters(&resolver.resolve_value(source, scope, argument));
        for one in mentioned {
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found
}

/// Returns the type variables in the types that the parameters of a function declare.
pub(super) fn of_function(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    function: &DefinitionFact,
) -> Vec<TypeParameter> {
    let Some(signature) = source.file.flow.signature(function.scope) else {
        return Vec::new();
    };
    let parameters = signature.parameters.iter().chain(&signature.rest);
    let declared = parameters.map(|name| resolver.annotated_parameter(source, (function, *name)));
    mentioned_parameters(&ResolvedEntities::union(declared))
}

/// Returns the name and the arguments of a generic type with arguments.
fn applied<'f>(source: &SourceFile<'f>, value: Value) -> Option<(&'f str, &'f [Option<Value>])> {
    let facts = &source.file.facts;
    match source.type_shape(facts.name(value.path))? {
        TypeShape::Applied { of, arguments, .. } => Some((facts.name(of.path), arguments)),
        _ => None,
    }
}

/// Adds type arguments that are not known to classes that have type parameters and carry none:
/// `Base` in `class A(Base)`.
pub(super) fn with_unknown_arguments(
    resolver: Resolver<'_>,
    bases: ResolvedEntities,
) -> ResolvedEntities {
    let mut all = ResolvedEntities {
        has_unknown: bases.has_unknown,
        ..ResolvedEntities::none()
    };
    for base in bases.entities {
        let unknown = match &base {
            Entity::Definition(path, id) if resolver.has_members(path, *id) => {
                unknown_arguments(resolver.type_parameters(path, *id).into_iter())
            }
            _ => unknown_arguments([].into_iter()),
        };
        all.merge(generic(base, &unknown));
    }
    all
}

/// Replaces the type parameters in a member that a class inherits by the arguments of its base.
pub(super) fn with_arguments_of_base(
    resolver: Resolver<'_>,
    member: ResolvedEntities,
    (class, base): ((&RepoPath, DefinitionId), (&RepoPath, DefinitionId)),
) -> ResolvedEntities {
    let parameters = resolver.type_parameters(base.0, base.1);
    if parameters.is_empty() {
        return member;
    }
    let [class, base] = [class, base].map(|(path, id)| Entity::Instance(path.clone(), id));
    let arguments = resolver.arguments_for_base(&class, &base);
    let arguments = arguments.unwrap_or_else(|| unknown_arguments(parameters.into_iter()));
    resolver.substitute(member, &arguments)
}

/// Reports whether the declared type of the first parameter of a method is a type variable, so that
/// it stands for the type of the own instance: `def copy(self: T) -> T`.
pub(super) fn is_variable(source: &SourceFile<'_>, value: Value) -> bool {
    let mut bindings = source.file.bindings(crate::source_file::MODULE, value.path);
    let is_one = |binding: &Binding| match binding.target {
        BindingTarget::Variable(Some(value)) => matches!(
            source.type_shape(source.file.facts.name(value.path)),
            Some(TypeShape::Variable(_))
        ),
        _ => false,
    };
    bindings.next().is_some_and(is_one)
}
