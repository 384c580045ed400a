//! The methods of augmented assignments, [`a += b`].
//!
//! [`a += b`]: https://docs.python.org/3/reference/datamodel.html#object.__iadd__

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;

/// The methods that augmented assignments call. Each has beside it the method that is called if the
/// class lacks it.
const IN_PLACE: [(&str, &str); 13] = [
    ("__iadd__", "__add__"),
    ("__iand__", "__and__"),
    ("__ifloordiv__", "__floordiv__"),
    ("__ilshift__", "__lshift__"),
    ("__imatmul__", "__matmul__"),
    ("__imod__", "__mod__"),
    ("__imul__", "__mul__"),
    ("__ior__", "__or__"),
    ("__ipow__", "__pow__"),
    ("__irshift__", "__rshift__"),
    ("__isub__", "__sub__"),
    ("__itruediv__", "__truediv__"),
    ("__ixor__", "__xor__"),
];

/// Resolves the method of an augmented assignment, or else of the operator. Returns `None` for the
/// name of another member.
pub(super) fn in_place(
    resolver: Resolver<'_>,
    of: &Entity,
    name: &str,
) -> Option<ResolvedEntities> {
    let Entity::Instance(path, class) = of else {
        return None;
    };
    let place = IN_PLACE
        .binary_search_by_key(&name, |(name, _)| name)
        .ok()?;
    let (_, operator) = IN_PLACE.get(place)?;
    let own = resolver.class_member(of, path, *class, name);
    let is_found = !own.entities.is_empty();
    Some(if is_found {
        own
    } else {
        resolver.resolve_member(of, operator)
    })
}

#[cfg(test)]
mod tests {
    use super::IN_PLACE;

    #[test]
    fn names_are_in_order() {
        assert!(IN_PLACE.is_sorted());
    }
}
