//! Members of types with type arguments. A method names the type parameters of its receiver itself:
//! <https://go.dev/ref/spec#Method_declarations>.

use std::rc::Rc;

use crate::entity::{Entity, ResolvedEntities, TypeArguments};
use crate::resolver::Resolver;

/// Resolves a member of an entity that carries type arguments. A method has them for the names that
/// it gives to the type parameters.
pub(super) fn member(
    resolver: Resolver<'_>,
    (of, arguments): (&Entity, &TypeArguments),
    name: &str,
) -> ResolvedEntities {
    let members = resolver.resolve_member(of, name);
    let mut all = ResolvedEntities {
        has_unknown: members.has_unknown,
        ..ResolvedEntities::none()
    };
    for entity in members.entities {
        let renamed = renamed(resolver, of, &entity, arguments);
        let one = ResolvedEntities::single(entity);
        all.merge(resolver.substitute(one, renamed.as_ref().unwrap_or(arguments)));
    }
    all
}

/// Returns type arguments with those for the names that a method gives to the type parameters.
fn renamed(
    resolver: Resolver<'_>,
    of: &Entity,
    method: &Entity,
    arguments: &TypeArguments,
) -> Option<TypeArguments> {
    let (Entity::Definition(path, id) | Entity::Instance(path, id)) = of else {
        return None;
    };
    let Entity::Definition(home, method) = method else {
        return None;
    };
    let own = resolver.type_parameters(home, *method).into_iter();
    let of_type = resolver.type_parameters(path, *id);
    let mut all = (**arguments).clone();
    for (own, of_type) in own.zip(&of_type) {
        if let Some(argument) = arguments.get(of_type) {
            all.insert(own, argument.clone());
        }
    }
    Some(Rc::new(all))
}
