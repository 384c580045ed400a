//! Classes whose attributes are their instances: those that extend [`Enum`].
//!
//! [`Enum`]: https://docs.python.org/3/library/enum.html

use crate::entity::{Entity, ResolvedEntities};
use crate::fields::fields;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{BindingTarget, DefinitionId};

/// The classes of the module `enum` that others extend, by names that other modules do not use for
/// other classes.
const ENUMERATIONS: [&str; 6] = [
    "Enum",
    "IntEnum",
    "IntFlag",
    "ReprEnum",
    "StrEnum",
    "enum.Flag",
];

/// The maximum number of classes among which the base of an enumeration is searched.
const MAX_CLASSES: usize = 32;

/// Resolves a member of an enumeration: `A` of `class B(Enum): A = 1` is a `B`. Returns `None` if
/// the class is another one, or if the attribute is none of its members.
pub(super) fn member(resolver: Resolver<'_>, of: &Entity, name: &str) -> Option<ResolvedEntities> {
    let (Entity::Definition(path, id) | Entity::Instance(path, id)) = of else {
        return None;
    };
    let file = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &file };
    let class = source.definition(*id)?;
    let attribute = file.find_name(name).filter(|_| !name.starts_with('_'))?;
    let mut bindings = file.bindings(class.scope, attribute).peekable();
    bindings.peek().filter(|_| !class.bases.is_empty())?;
    // Methods are no members, and an annotation only declares an attribute of each member.
    let are_variables = bindings.all(|one| matches!(one.target, BindingTarget::Variable(_)));
    let is_one = are_variables
        && is_enumeration(resolver, (path, *id))
        && !fields(&source, class).contains(&attribute);
    is_one.then(|| ResolvedEntities::single(Entity::Instance(path.clone(), *id)))
}

/// Resolves a member of an enumeration by a subscript or by a loop over the class: `B["A"]`.
pub(super) fn element(resolver: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
    let Entity::Definition(path, id) = of else {
        return None;
    };
    let is_one = is_enumeration(resolver, (path, *id));
    is_one.then(|| ResolvedEntities::single(Entity::Instance(path.clone(), *id)))
}

/// Reports whether a class extends one of the module `enum`, itself or through classes of the
/// repository.
fn is_enumeration(resolver: Resolver<'_>, (path, id): (&RepoPath, DefinitionId)) -> bool {
    let mut classes = vec![(path.clone(), id)];
    let mut next = 0;
    while let Some((path, id)) = classes.get(next).cloned() {
        next += 1;
        let Some(file) = resolver.database.facts(&path) else {
            continue;
        };
        let source = SourceFile {
            path: &path,
            file: &file,
        };
        let Some(class) = source.definition(id) else {
            continue;
        };
        let scope = source.enclosing_scope(class);
        for base in &class.bases {
            let bases = resolver.resolve_value(&source, scope, *base);
            let base = file.facts.name(base.path);
            if bases.entities.is_empty() && is_outside_enumeration(base) {
                return true;
            }
            for base in bases.entities {
                if let Entity::Definition(path, id) = base
                    && classes.len() < MAX_CLASSES
                    && !classes.contains(&(path.clone(), id))
                {
                    classes.push((path, id));
                }
            }
        }
    }
    false
}

fn is_outside_enumeration(base: &str) -> bool {
    let name = base.rsplit('.').next().unwrap_or(base);
    [base, name].iter().any(|name| ENUMERATIONS.contains(name))
}
