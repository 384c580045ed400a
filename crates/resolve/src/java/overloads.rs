//! Calls in paths, and the choice among imported methods by the type of the first argument. The
//! type of `a().b()` depends on which `a` is called.
//!
//! Source: [JLS 15.12.2], the choice of a method.
//!
//! [JLS 15.12.2]: https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2

use std::collections::BTreeSet;

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{ARGUMENTS, BindingTarget, DefinitionId};

/// A call of a method in a path.
pub(super) struct Call<'p> {
    pub(super) name: &'p str,
    /// The number of arguments.
    pub(super) count: Option<u32>,
    /// The first argument, if it is a name.
    pub(super) first: Option<&'p str>,
}

impl<'p> Call<'p> {
    pub(super) fn new(text: &'p str) -> Self {
        let mut parts = text.split(ARGUMENTS);
        Self {
            name: parts.next().unwrap_or_default(),
            count: parts.next().and_then(|count| count.parse().ok()),
            first: parts.next(),
        }
    }
}

/// Keeps the methods of the class that has one whose first parameter has the type of an argument.
/// If there is none, it is open which method is called.
pub(super) fn of_argument(
    resolver: Resolver<'_>,
    called: ResolvedEntities,
    argument: &ResolvedEntities,
) -> ResolvedEntities {
    let methods = called.entities.iter();
    let taking = methods.filter(|method| takes_first(resolver, method, argument));
    let classes: BTreeSet<_> = taking
        .filter_map(|method| class_of(resolver, method))
        .collect();
    if classes.len() != 1 {
        return ResolvedEntities::unknown();
    }
    let methods = called.entities.into_iter();
    let kept = methods.filter(|method| {
        let class = class_of(resolver, method);
        class.is_some_and(|class| classes.contains(&class))
    });
    kept.collect()
}

/// Reports whether the first parameter of a method has the type of an argument.
fn takes_first(resolver: Resolver<'_>, method: &Entity, argument: &ResolvedEntities) -> bool {
    let types = |found: &ResolvedEntities| -> BTreeSet<Entity> {
        let entities = found.entities.iter();
        entities
            .map(|one| one.without_type_arguments().clone())
            .collect()
    };
    let parameter = first_parameter(resolver, method).unwrap_or_default();
    let taken = types(&parameter);
    !taken.is_empty() && taken == types(argument)
}

/// Resolves the type of the first parameter of a method.
fn first_parameter(resolver: Resolver<'_>, method: &Entity) -> Option<ResolvedEntities> {
    let Entity::Definition(path, id) = method.without_type_arguments() else {
        return None;
    };
    let file = resolver.database.facts(path)?;
    let first = file.parameters(file.facts.definition(*id)?.scope).next()?;
    let BindingTarget::Parameter(Some(value)) = first.target else {
        return None;
    };
    let source = SourceFile { path, file: &file };
    Some(resolver.resolve_value(&source, first.value_scope, value))
}

/// Returns the class of a method.
fn class_of(resolver: Resolver<'_>, method: &Entity) -> Option<(RepoPath, DefinitionId)> {
    let Entity::Definition(path, id) = method.without_type_arguments() else {
        return None;
    };
    let file = resolver.database.facts(path)?;
    Some((path.clone(), file.facts.definition(*id)?.parent?))
}
