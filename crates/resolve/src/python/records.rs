//! Classes whose fields are their elements: [`NamedTuple`] and [`TypedDict`].
//!
//! [`NamedTuple`]: https://typing.python.org/en/latest/spec/namedtuples.html
//! [`TypedDict`]: https://typing.python.org/en/latest/spec/typeddict.html

use crate::entity::{Entity, ResolvedEntities};
use crate::fields::fields;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::DefinitionId;

/// The maximum number of bases that are followed to the kind of a class.
const MAX_BASES: usize = 8;

/// A class whose fields are its elements.
enum Record {
    /// By their places: the names of the fields, in order.
    Tuple(Vec<String>),
    /// By their names.
    Dictionary,
}

/// Resolves an element of an instance by its index, or any element. Returns `None` if its class is
/// another one.
pub(super) fn element(
    resolver: Resolver<'_>,
    of: &Entity,
    index: Option<&str>,
) -> Option<ResolvedEntities> {
    let Entity::Instance(path, id) = of else {
        return None;
    };
    match (record((resolver, MAX_BASES), (path, *id))?, index) {
        (Record::Dictionary, None) => Some(ResolvedEntities::none()),
        (Record::Dictionary, Some(key)) => {
            let name = key
                .strip_prefix('\'')
                .and_then(|key| key.strip_suffix('\''));
            name.map(|name| resolver.resolve_member(of, name))
        }
        (Record::Tuple(fields), None) => {
            let members = fields.iter().map(|name| resolver.resolve_member(of, name));
            Some(ResolvedEntities::union(members))
        }
        (Record::Tuple(fields), Some(index)) => {
            // A negative index is not known.
            let name = index
                .parse()
                .ok()
                .and_then(|place: usize| fields.get(place));
            let member = name.map(|name| resolver.resolve_member(of, name));
            Some(member.unwrap_or_else(ResolvedEntities::unknown))
        }
    }
}

/// Returns how a class has its fields as elements, by the name of a base outside of the repository,
/// which one of its bases may have.
fn record(
    (resolver, steps): (Resolver<'_>, usize),
    (path, id): (&RepoPath, DefinitionId),
) -> Option<Record> {
    let steps = steps.checked_sub(1)?;
    let file = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &file };
    let class = source.definition(id)?;
    let scope = source.enclosing_scope(class);
    class.bases.iter().find_map(|base| {
        let plain = source.without_type_arguments(*base);
        let name = file.facts.name(plain.path);
        match name.rsplit('.').next() {
            Some("NamedTuple") => {
                let names = fields(&source, class).into_iter();
                let names = names.map(|name| file.facts.name(name).to_owned());
                return Some(Record::Tuple(names.collect()));
            }
            Some("TypedDict") => return Some(Record::Dictionary),
            _ => {}
        }
        let bases = resolver.resolve_value(&source, scope, *base);
        let mut bases = bases.entities.iter().map(Entity::without_type_arguments);
        bases.find_map(|base| match base {
            Entity::Definition(path, id) => record((resolver, steps), (path, *id)),
            _ => None,
        })
    })
}
