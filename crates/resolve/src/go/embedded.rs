//! The types that a struct embeds: <https://go.dev/ref/spec#Struct_types>.

use std::collections::BTreeSet;

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;

/// The maximum number of structs that are searched for an embedded type.
const MAX_STRUCTS: usize = 64;

/// Returns the types of this name that the structs of a receiver embed, themselves or through
/// others that they embed.
pub(super) fn types_named(
    resolver: Resolver<'_>,
    receiver: &ResolvedEntities,
    name: &str,
) -> BTreeSet<Entity> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut structs: Vec<Entity> = receiver.entities.iter().cloned().collect();
    while let Some(of) = structs.pop() {
        if seen.len() >= MAX_STRUCTS || !seen.insert(of.clone()) {
            continue;
        }
        let embedded = embedded_types(resolver, of.without_type_arguments());
        for (path, types) in embedded.unwrap_or_default() {
            let is_named = path.rsplit('.').next() == Some(name);
            let types_ahead = types.iter().filter(|_| !is_named);
            structs.extend(types_ahead.cloned());
            found.extend(types.into_iter().filter(|_| is_named));
        }
    }
    found
}

/// Returns the names of the types that a struct embeds, with what they mean.
fn embedded_types(resolver: Resolver<'_>, of: &Entity) -> Option<Vec<(String, BTreeSet<Entity>)>> {
    let (Entity::Instance(path, id) | Entity::Definition(path, id)) = of else {
        return None;
    };
    let file = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &file };
    let definition = source.definition(*id)?;
    let scope = source.enclosing_scope(definition);
    let bases = definition.bases.iter().map(|base| {
        let types = resolver.resolve_value(&source, scope, *base);
        let types = types.entities.into_iter();
        let types = types.map(|one| one.without_type_arguments().clone());
        let is_type = |one: &Entity| matches!(one, Entity::Definition(..));
        let name = source.without_type_arguments(*base).path;
        (
            file.facts.name(name).to_owned(),
            types.filter(is_type).collect(),
        )
    });
    Some(bases.collect())
}
