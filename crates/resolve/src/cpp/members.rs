//! Resolves members of namespaces, of what a pointer or an iterator points to, and of the
//! containers of the standard library.

use super::Cpp;
use super::lookup::keep_types;
use super::templates::own_names;
use crate::entity::{Entity, Object, ResolvedEntities};
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{ARROW, DefinitionId, ELEMENT, NAMESPACE, SPECIALIZATION, TUPLE_PART};

/// The members of a container that are, or return, one of its elements.
const ELEMENTS: [&str; 18] = [
    ARROW,
    "at",
    "back",
    "const_reference",
    "data",
    "element_type",
    "emplace_back",
    "front",
    "get",
    "load",
    "operator*",
    "operator->",
    "operator[]",
    "reference",
    "release",
    "top",
    "value",
    "value_or",
];

/// The members of a container that are, or return, an iterator, or another pointer to an element.
const ITERATORS: [&str; 22] = [
    "begin",
    "cbegin",
    "cend",
    "const_iterator",
    "const_reverse_iterator",
    "crbegin",
    "crend",
    "emplace",
    "emplace_hint",
    "end",
    "equal_range",
    "erase",
    "find",
    "first",
    "insert",
    "iterator",
    "lock",
    "lower_bound",
    "rbegin",
    "rend",
    "reverse_iterator",
    "upper_bound",
];

/// Resolves a member of a container as what a call of it returns. An iterator is such a container,
/// and so is an element of a map. The parts of a pair and of a tuple are members of it.
pub(super) fn container_member(of: &Entity, name: &str) -> ResolvedEntities {
    let itself = || ResolvedEntities::single(of.clone());
    // A structured binding takes the parts by their places.
    let name = match name.strip_prefix(TUPLE_PART) {
        Some("0") => "first",
        Some("1") => "second",
        Some(place) => place,
        None => name,
    };
    match of {
        Entity::Sequence(element) if ELEMENTS.contains(&name) || name == "value_type" => {
            ResolvedEntities::single((**element).clone())
        }
        Entity::Mapping(value)
            if matches!(name, "at" | "mapped_type" | "operator[]" | "second") =>
        {
            ResolvedEntities::single((**value).clone())
        }
        Entity::Mapping(_) if matches!(name, ARROW | "value_type") => itself(),
        // The key of an element, or the iterator that `insert` returns with a truth value.
        Entity::Mapping(_) if name == "first" => ResolvedEntities {
            has_unknown: true,
            ..itself()
        },
        Entity::Sequence(_) | Entity::Mapping(_) if ITERATORS.contains(&name) => itself(),
        Entity::Sequence(element) if place_of(name).is_some() => {
            ResolvedEntities::single((**element).clone())
        }
        Entity::Mapping(value) if place_of(name) == Some(1) => {
            ResolvedEntities::single((**value).clone())
        }
        Entity::Mapping(_) if place_of(name).is_some() => ResolvedEntities::unknown(),
        Entity::Tuple(_) if name == ARROW => itself(),
        Entity::Tuple(parts) => {
            let part = place_of(name).and_then(|place| parts.get(place));
            part.cloned().unwrap_or_else(ResolvedEntities::unknown)
        }
        _ => ResolvedEntities::none(),
    }
}

/// Returns the place of the part of a pair or tuple that a member names: 0 for `first`, 1 for
/// `second`, and 2 for `2`, which is how the facts write `std::get<2>(a)`.
fn place_of(part: &str) -> Option<usize> {
    match part {
        "first" => Some(0),
        "second" => Some(1),
        _ => part.parse().ok(),
    }
}

impl Cpp {
    pub(super) fn special_member(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        name: &str,
    ) -> Option<ResolvedEntities> {
        match of {
            Entity::Generic(inner, arguments) => {
                let names = |path: &RepoPath, id| own_names(resolver, path, id);
                Some(resolver.member_with_own_names((inner, arguments), name, names))
            }
            Entity::Definition(..) if name == SPECIALIZATION => {
                Some(self.specializations(resolver, of))
            }
            Entity::Instance(..) if name == ARROW => {
                Some(pointed_to(resolver, of, &["operator->", "operator*"]))
            }
            Entity::Instance(..) if name == ELEMENT => {
                Some(pointed_to(resolver, of, &["operator[]"]))
            }
            Entity::Object(Object {
                file,
                inside: None,
                bound_in: None,
                name: path,
            }) => self.declared_member(resolver, of, (file, path), name),
            Entity::Definition(file, id) => {
                let Some(path) = namespace_path(resolver, file, *id) else {
                    return self.class_defined_outside(resolver, (file, *id), name);
                };
                let found = self.look_up(resolver, file, &format!("{path}.{name}"));
                (!found.is_none()).then_some(found)
            }
            _ => None,
        }
    }

    /// Resolves a class that another one only declares: `class A { class B; };` and, perhaps in
    /// another file, `class A::B { … };`.
    pub(super) fn class_defined_outside(
        &self,
        resolver: Resolver<'_>,
        (file, class): (&RepoPath, DefinitionId),
        name: &str,
    ) -> Option<ResolvedEntities> {
        let facts = resolver.database.facts(file)?;
        let scope = facts.facts.definition(class)?.scope;
        let declared = facts.find_name(name)?;
        let is_other = !facts.members(Some(class), declared).is_empty()
            || facts.bindings(scope, declared).next().is_some();
        if is_other {
            return None;
        }
        let path = format!("{}.{name}", facts.facts.name_path(class));
        facts.find_name(&path)?;
        let found = keep_types(resolver, self.look_up(resolver, file, &path));
        (!found.is_none()).then_some(found)
    }

    /// Resolves a member of a namespace or a class that a file declares without a definition.
    fn declared_member(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        (file, path): (&RepoPath, &str),
        name: &str,
    ) -> Option<ResolvedEntities> {
        let found = self.look_up(resolver, file, &format!("{path}.{name}"));
        if !found.is_none() {
            return Some(found);
        }
        let classes = self.linked(resolver, of).into_iter();
        let classes = classes.filter(|(_, kind)| *kind == DefinitionKind::Class);
        let members = classes.map(|(class, _)| resolver.resolve_member(&class, name));
        let members = ResolvedEntities::union(members);
        (!members.is_none()).then_some(members)
    }
}

/// Returns the path of a namespace.
fn namespace_path(resolver: Resolver<'_>, path: &RepoPath, id: DefinitionId) -> Option<String> {
    let facts = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &facts };
    let definition = source.definition(id)?;
    if definition.kind != DefinitionKind::Namespace {
        return None;
    }
    let of = super::paths_of(&source, definition.scope, NAMESPACE).next()?;
    Some(of.to_owned())
}

/// Resolves a call of the first of these operators that a class has. Without any, a value is a
/// pointer to an instance.
fn pointed_to(resolver: Resolver<'_>, of: &Entity, operators: &[&str]) -> ResolvedEntities {
    for operator in operators {
        let found = resolver.resolve_member(of, operator);
        if !found.entities.is_empty() {
            return resolver.resolve_call(&found);
        }
    }
    ResolvedEntities::single(of.clone())
}
