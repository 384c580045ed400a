//! [Descriptors]: attributes of a class that give instances what their method returns.
//!
//! [Descriptors]: https://docs.python.org/3/howto/descriptor.html

use super::linearization::linearize;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::DefinitionId;

/// The method that makes an object a descriptor.
const GET: &str = "__get__";

/// Resolves what reading an attribute gives, by its receivers and its name, whose value is a
/// descriptor. Returns `None` if it is none, or if not all receivers are instances whose class has
/// the attribute.
pub(super) fn read(
    resolver: Resolver<'_>,
    value: &Entity,
    (of, name): (&ResolvedEntities, &str),
) -> Option<ResolvedEntities> {
    let method = resolver.resolve_member(value, GET);
    let mut receivers = of.entities.iter().map(Entity::without_type_arguments);
    let is_of_class = |receiver: &Entity| match receiver {
        Entity::Instance(path, class) => is_of_class(resolver, (path, *class), name),
        _ => false,
    };
    let is_descriptor = !method.entities.is_empty() && receivers.all(is_of_class);
    is_descriptor.then(|| resolver.resolve_method_call(value, GET))
}

/// Reports whether the body of a class or of one of its bases has an attribute.
fn is_of_class(
    resolver: Resolver<'_>,
    (path, class): (&RepoPath, DefinitionId),
    name: &str,
) -> bool {
    let class = (path.clone(), class);
    let bases = linearize(resolver, &class).unwrap_or_default().classes;
    [class].into_iter().chain(bases).any(|(path, class)| {
        let Some(file) = resolver.database.facts(&path) else {
            return false;
        };
        let source = SourceFile {
            path: &path,
            file: &file,
        };
        let definition = source.definition(class);
        definition.is_some_and(|class| {
            let bindings = file.find_name(name).into_iter();
            let mut bindings = bindings.flat_map(|name| file.bindings(class.scope, name));
            bindings.any(|binding| binding.value_scope == class.scope)
        })
    })
}
