//! Classes whose attributes are their instances: those that extend [`Enum`].
//!
//! [`Enum`]: https://docs.python.org/3/library/enum.html

use crate::entity::{Entity, ResolvedEntities};
use crate::fields::fields;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{BindingTarget, DefinitionId};

/// The classes of the module `enum` that others extend.
const ENUMERATIONS: [&str; 6] = ["Enum", "Flag", "IntEnum", "IntFlag", "ReprEnum", "StrEnum"];

/// The maximum number of bases that are followed to the kind of a class.
const MAX_BASES: usize = 8;

/// Resolves a member of an enumeration: `A` of `class B(Enum): A = 1` is a `B`. Returns `None` if
/// the class is another one, or if the attribute is none of its members.
pub(super) fn member(resolver: Resolver<'_>, of: &Entity, name: &str) -> Option<ResolvedEntities> {
    let (Entity::Definition(path, id) | Entity::Instance(path, id)) = of else {
        return None;
    };
    let file = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &file };
    let class = source
        .definition(*id)
        .filter(|class| !class.bases.is_empty())?;
    let attribute = file.find_name(name)?;
    let mut bindings = file.bindings(class.scope, attribute).peekable();
    bindings.peek()?;
    // Methods are no members, and an annotation only declares an attribute of each member.
    let are_variables = bindings.all(|one| matches!(one.target, BindingTarget::Variable(_)));
    let is_declared = || fields(&source, class).contains(&attribute);
    if name.starts_with('_') || !are_variables || is_declared() {
        return None;
    }
    let is_one = is_enumeration((resolver, MAX_BASES), (path, *id));
    let instance = || Entity::Instance(path.clone(), *id);
    is_one.then(|| ResolvedEntities::single(instance()))
}

/// Resolves a member of an enumeration by a subscript or by a loop over the class: `B["A"]`.
pub(super) fn element(resolver: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
    let Entity::Definition(path, id) = of else {
        return None;
    };
    let is_one = is_enumeration((resolver, MAX_BASES), (path, *id));
    let instance = || Entity::Instance(path.clone(), *id);
    is_one.then(|| ResolvedEntities::single(instance()))
}

fn is_enumeration(
    (resolver, steps): (Resolver<'_>, usize),
    (path, id): (&RepoPath, DefinitionId),
) -> bool {
    let (Some(steps), Some(file)) = (steps.checked_sub(1), resolver.database.facts(path)) else {
        return false;
    };
    let source = SourceFile { path, file: &file };
    let Some(class) = source.definition(id) else {
        return false;
    };
    let scope = source.enclosing_scope(class);
    class.bases.iter().any(|base| {
        let bases = resolver.resolve_value(&source, scope, *base);
        let name = file.facts.name(base.path).rsplit('.').next();
        let is_outside = bases.entities.is_empty();
        if is_outside && name.is_some_and(|name| ENUMERATIONS.contains(&name)) {
            return true;
        }
        bases.entities.iter().any(|base| match base {
            Entity::Definition(path, id) => is_enumeration((resolver, steps), (path, *id)),
            _ => false,
        })
    })
}
