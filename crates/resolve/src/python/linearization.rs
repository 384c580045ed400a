//! The order in which Python looks up members in several base classes.
//!
//! It is C3, as in [The Python 2.3 Method Resolution Order][mro].
//!
//! [mro]: https://docs.python.org/3/howto/mro.html

use crate::entity::Entity;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::DefinitionId;

/// The maximum depth of inheritance.
const MAX_DEPTH: usize = 16;
/// The maximum number of classes from which one inherits.
const MAX_CLASSES: usize = 64;

/// A class, by its file and index.
type Class = (RepoPath, DefinitionId);

/// The classes from which a class inherits, in the order of look-up.
#[derive(Debug, Default)]
pub(super) struct Linearization {
    pub(super) classes: Vec<Class>,
    /// Whether classes outside of the repository are among the bases.
    pub(super) has_unknown: bool,
}

/// Returns the order of look-up after a class itself, or `None` if a base is ambiguous or the bases
/// contradict each other.
pub(super) fn linearize(resolver: Resolver<'_>, class: &Class) -> Option<Linearization> {
    let mut has_unknown = false;
    let mut classes = linearize_nested(resolver, class, 0, &mut has_unknown)?;
    classes.remove(0);
    Some(Linearization {
        classes,
        has_unknown,
    })
}

fn linearize_nested(
    resolver: Resolver<'_>,
    class: &Class,
    depth: usize,
    has_unknown: &mut bool,
) -> Option<Vec<Class>> {
    if depth > MAX_DEPTH {
        return None;
    }
    let bases = bases(resolver, class, has_unknown)?;
    let mut lists = Vec::new();
    for base in &bases {
        lists.push(linearize_nested(resolver, base, depth + 1, has_unknown)?);
    }
    lists.push(bases);
    let mut merged = vec![class.clone()];
    while lists.iter().any(|list| !list.is_empty()) {
        let next = next_class(&lists)?;
        for list in &mut lists {
            list.retain(|found| *found != next);
        }
        merged.push(next);
        if merged.len() > MAX_CLASSES {
            return None;
        }
    }
    Some(merged)
}

/// Returns the first class that no list has behind another one, or `None` if each is behind one.
fn next_class(lists: &[Vec<Class>]) -> Option<Class> {
    let mut heads = lists.iter().filter_map(|list| list.first());
    let is_behind = |class: &Class| {
        lists
            .iter()
            .any(|list| list.iter().skip(1).any(|one| one == class))
    };
    heads.find(|class| !is_behind(class)).cloned()
}

/// Returns the base classes in the repository, or `None` if one of them is ambiguous.
fn bases(resolver: Resolver<'_>, (path, id): &Class, has_unknown: &mut bool) -> Option<Vec<Class>> {
    let file = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &file };
    let definition = source.definition(*id)?;
    let enclosing = source.enclosing_scope(definition);
    let mut found = Vec::new();
    for base in &definition.bases {
        let resolution = resolver.resolve_value(&source, enclosing, *base);
        *has_unknown |= resolution.has_unknown || resolution.are_external();
        let entities = resolution.entities.iter();
        let mut entities = entities.map(Entity::without_type_arguments);
        match (entities.next(), entities.next()) {
            (None | Some(Entity::External(_)), _) => {}
            (Some(Entity::Definition(path, id)), None) => found.push((path.clone(), *id)),
            _ => return None,
        }
    }
    Some(found)
}
