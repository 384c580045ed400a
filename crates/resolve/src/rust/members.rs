//! Members of types that other files declare, and methods of traits.

use std::collections::BTreeSet;

use super::{RUST, Rust, SELF_TYPE, containers, modules};
use crate::entity::{Entity, ResolvedEntities};
use crate::files::parent;
use crate::generics::mentioned_parameters;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, COMES_FIRST, COMES_FIRST_BESIDE, COMES_FIRST_INSIDE, DefinitionFact,
    DefinitionId, FOR_ALL_TYPES, GUARD, INSIDE, OPERATOR, ScopeId, Space, TYPE_NAME,
};

/// The number of files up to which all are searched for the members of a type.
const MAX_SEARCHED: usize = 64;

/// The associated type that names where a smart pointer leads.
pub(super) const TARGET: &str = "Target";

/// The associated type that names the elements of an iterator.
pub(super) const ITEM: &str = "Item";

/// The traits whose methods iterators have.
const ITERATORS: [&str; 4] = [
    "DoubleEndedIterator",
    "Iterator",
    "ParallelIterator",
    "Stream",
];

/// The method of `Index`.
const INDEX: &str = "index";

/// The methods that attributes write, or that are written beside the type.
const DERIVED: [&str; 12] = [
    "clone",
    "cmp",
    "default",
    "eq",
    "fmt",
    "from",
    "hash",
    "into",
    "ne",
    "partial_cmp",
    "to_owned",
    "to_string",
];

/// The methods that [pin-project] writes. What they return has the fields of the instance.
///
/// [pin-project]: https://docs.rs/pin-project
const PINNING: [&str; 2] = ["project", "project_ref"];

/// The associated functions of traits of the standard library that return an instance of the type.
const CONSTRUCTING: [&str; 3] = ["default", "from", "from_iter"];

/// Resolves a member that the file of a type does not declare for it.
pub(super) fn resolve(
    rust: &Rust,
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (of, name): (&DefinitionFact, &str),
) -> ResolvedEntities {
    let Some(id) = source.id_of(of) else {
        return ResolvedEntities::unknown();
    };
    let instance = || ResolvedEntities::single(Entity::Instance(source.path.clone(), id));
    if name == INSIDE {
        // Only a subscript looks into it: options and results are not of the repository.
        let found = of_operator(resolver, &instance(), INDEX);
        if !found.entities.is_empty() {
            return found;
        }
        let pointed = associated(resolver, source, (of, TARGET));
        return resolver.resolve_members(&pointed, INSIDE);
    }
    if let Some(method) = name.strip_suffix(GUARD) {
        return resolver.resolve_members(&instance(), method);
    }
    if let Some(method) = name.strip_prefix(OPERATOR) {
        return of_operator(resolver, &instance(), method);
    }
    let inherited = Entity::Super(source.path.clone(), id);
    if !resolver
        .resolve_member(&inherited, name)
        .entities
        .is_empty()
    {
        // The common rules find it.
        return ResolvedEntities::none();
    }
    if !DERIVED.contains(&name) {
        let elsewhere = in_other_blocks(rust, resolver, source, (of, id, name));
        if !elsewhere.entities.is_empty() {
            return elsewhere;
        }
        let pointed = associated(resolver, source, (of, TARGET));
        let found = resolver.resolve_members(&pointed, name);
        if !found.entities.is_empty() {
            return found;
        }
        if containers::is_of_iterators(name) && is_iterator(source, of) {
            let items = associated(resolver, source, (of, ITEM));
            if mentioned_parameters(&items).is_empty() {
                return resolver.resolve_members(&items.map(Entity::sequence), name);
            }
        }
    }
    let is_pinning = PINNING.contains(&name) && is_pinned(source);
    if containers::returns_self(name) || CONSTRUCTING.contains(&name) || is_pinning {
        return instance();
    }
    // An attribute, a macro or another crate may declare it.
    ResolvedEntities::unknown()
}

/// Reports whether a type implements `Iterator`, or a trait of other crates that is like it, in its
/// own file.
fn is_iterator(source: &SourceFile<'_>, of: &DefinitionFact) -> bool {
    let mut traits = of
        .bases
        .iter()
        .map(|base| source.file.facts.name(base.path));
    traits.any(|path| {
        let name = path.rsplit('.').next().unwrap_or(path);
        ITERATORS.contains(&name.trim_end_matches(TYPE_NAME))
    })
}

/// Resolves the method of an operator or a subscript, which is one of a trait. Where several blocks
/// implement it, for other types of operands, they have to return the same.
fn of_operator(
    resolver: Resolver<'_>,
    instance: &ResolvedEntities,
    name: &str,
) -> ResolvedEntities {
    let found = resolver.resolve_members(instance, name);
    let is_of_trait = |entity: &Entity| {
        let Entity::Definition(path, id) = entity.without_type_arguments() else {
            return false;
        };
        let file = resolver.database.facts(path);
        let method = file.as_ref().and_then(|file| file.facts.definition(*id));
        method.is_some_and(|method| method.qualifier.is_some() && !method.bases.is_empty())
    };
    let methods = found.entities.into_iter().filter(is_of_trait);
    let methods: Vec<ResolvedEntities> = methods.map(ResolvedEntities::single).collect();
    let mut results = methods.iter().map(|method| resolver.resolve_call(method));
    let first = results.next();
    if first.is_none_or(|first| results.any(|other| other != first)) {
        return ResolvedEntities::unknown();
    }
    ResolvedEntities::union(methods.into_iter())
}

/// Reports whether a file names one of the macros that write these methods.
fn is_pinned(source: &SourceFile<'_>) -> bool {
    let mut macros = ["pin_project", "pin_project_lite"].into_iter();
    macros.any(|name| source.file.find_name(name).is_some())
}

/// Resolves a member of a type that an `impl` block declares elsewhere: in another file, or in
/// another module or a function of the file of the type.
fn in_other_blocks(
    rust: &Rust,
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (of, id, name): (&DefinitionFact, DefinitionId, &str),
) -> ResolvedEntities {
    let type_name = source.file.facts.name(of.name);
    let own = source.entity(id);
    let mut found = in_blocks_of(resolver, source, (&own, type_name, name));
    for path in files_with_blocks(rust, resolver, (source.path, name)) {
        let Some(facts) = resolver.database.facts(path) else {
            continue;
        };
        let other = SourceFile { path, file: &facts };
        found.merge(in_blocks_of(resolver, &other, (&own, type_name, name)));
    }
    let comes_first = |entity: &Entity| has_mark(resolver, entity, COMES_FIRST);
    if found.entities.iter().any(comes_first) {
        found.entities.retain(comes_first);
    }
    found
}

/// Leaves the methods of a type itself where methods of traits have the same name, as far as the
/// place of the call sees them.
pub(super) fn visible_first(
    rust: &Rust,
    resolver: Resolver<'_>,
    (source, scope): (&SourceFile<'_>, ScopeId),
    mut members: ResolvedEntities,
) -> ResolvedEntities {
    let is_beside = |entity: &Entity| has_mark(resolver, entity, COMES_FIRST_BESIDE);
    let is_private =
        |entity: &Entity| has_mark(resolver, entity, COMES_FIRST_INSIDE) || is_beside(entity);
    let all = &members.entities;
    let Some(private) = all.iter().find(|entity| is_private(entity)) else {
        return members;
    };
    let mut seen_in = rust.parent_module(resolver, private.without_type_arguments());
    if is_beside(private) {
        let around = seen_in.entities.iter();
        let around = around.map(|module| rust.parent_module(resolver, module));
        seen_in = ResolvedEntities::union(around);
    }
    let sees = rust.is_inside(resolver, modules::module_at(source, scope), &seen_in);
    if sees || !all.iter().all(is_private) {
        members.entities.retain(|entity| is_private(entity) == sees);
    }
    members
}

fn has_mark(resolver: Resolver<'_>, of: &Entity, mark: &str) -> bool {
    let Entity::Definition(path, id) = of.without_type_arguments() else {
        return false;
    };
    let facts = resolver.database.facts(path);
    facts.is_some_and(|file| {
        let source = SourceFile { path, file: &file };
        let definition = source.definition(*id);
        definition.is_some_and(|definition| source.has_modifier(definition, mark))
    })
}

/// Resolves a member of a type that the `impl` blocks of a file declare, in any of its modules and
/// functions.
fn in_blocks_of(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (of, type_name, name): (&Entity, &str, &str),
) -> ResolvedEntities {
    let Some(name) = source.file.find_name(name) else {
        return ResolvedEntities::none();
    };
    let facts = &source.file.facts;
    let is_of_type = |id: &DefinitionId| {
        let Some(member) = source.definition(*id) else {
            return false;
        };
        let is_named = member.qualifier.map(|name| facts.name(name)) == Some(type_name);
        is_named && {
            let block = source.enclosing_scope(member);
            let types = resolver.resolve_name_in(source, (block, Space::Types), SELF_TYPE);
            types.entities.contains(of)
        }
    };
    let members = source.file.all_qualified(name).iter();
    resolver.with_declarations(source, members.filter(|id| is_of_type(id)))
}

/// Returns the other files that may have blocks of a type with a member: all of the repository if
/// there are few, or those of the package of the type that define the name. If these are many, they
/// are only those beside the type or its modules.
fn files_with_blocks<'r>(
    rust: &'r Rust,
    resolver: Resolver<'r>,
    (path, name): (&RepoPath, &str),
) -> Vec<&'r RepoPath> {
    let others = || rust.crates.files.iter().filter(|file| *file != path);
    if others().nth(MAX_SEARCHED).is_none() {
        return others().collect();
    }
    let mut files = resolver.database.files_defining(RUST, name);
    files.retain(|file| *file != path);
    if files.len() <= MAX_SEARCHED {
        let package = rust.crates.package_of(path);
        files.retain(|file| rust.crates.package_of(file) == package);
        return files;
    }
    let folder = parent(path);
    let modules = folder.join(path.name().strip_suffix(".rs").unwrap_or_default());
    files.retain(|file| {
        let of = parent(file);
        of == folder || Some(of) == modules
    });
    files.truncate(MAX_SEARCHED);
    files
}

/// Returns a value of an associated type that the file of a type declares for it.
fn associated(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (of, name): (&DefinitionFact, &str),
) -> ResolvedEntities {
    let facts = &source.file.facts;
    let Some(name) = source.file.find_name(name) else {
        return ResolvedEntities::none();
    };
    let types = source
        .file
        .qualified_members(of.parent, facts.name(of.name), name);
    let types = types.iter().filter_map(|id| source.definition(*id));
    ResolvedEntities::union(types.map(|one| modules::aliased(resolver, source, one)))
}

/// Returns the traits that a type implements in its own module.
pub(super) fn known_traits(resolver: Resolver<'_>, of: &Entity) -> ResolvedEntities {
    let Entity::Definition(path, id) = of else {
        return ResolvedEntities::none();
    };
    let Some(file) = resolver.database.facts(path) else {
        return ResolvedEntities::none();
    };
    let source = SourceFile { path, file: &file };
    let Some(definition) = source.definition(*id) else {
        return ResolvedEntities::none();
    };
    let scope = source.enclosing_scope(definition);
    let bases = definition.bases.iter();
    ResolvedEntities::union(bases.map(|base| resolver.resolve_value(&source, scope, *base)))
}

/// Returns the method of a trait that a method of an `impl` block implements.
pub(super) fn of_trait(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    member: &DefinitionFact,
) -> ResolvedEntities {
    if member.kind != DefinitionKind::Method || member.qualifier.is_none() {
        return ResolvedEntities::none();
    }
    let scope = source.enclosing_scope(member);
    let traits = member.bases.iter();
    let traits = traits.map(|base| resolver.resolve_value(source, scope, *base));
    let name = source.file.facts.name(member.name);
    let mut found = resolver.resolve_members(&ResolvedEntities::union(traits), name);
    found.has_unknown = false;
    found
}

/// Reports whether a method implements a trait from outside of the repository.
pub(super) fn is_of_unknown_trait(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    member: &DefinitionFact,
) -> bool {
    let scope = source.enclosing_scope(member);
    let is_method = member.kind == DefinitionKind::Method && member.qualifier.is_some();
    let mut traits = member.bases.iter().filter(|_| is_method);
    traits.any(|base| {
        let of = resolver.resolve_value(source, scope, *base);
        of.entities.is_empty()
    })
}

/// Resolves a method that a value's own type lacks. It is one of a trait that the place of the call
/// sees, and that the file of the trait implements for all types with certain bounds.
pub(super) fn of_trait_for_all(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (scope, name): (ScopeId, &str),
    receiver: &Entity,
) -> ResolvedEntities {
    let mut implemented: Option<BTreeSet<Entity>> = None;
    let mut left = MAX_TRAITS;
    let mut found = ResolvedEntities::none();
    for path in resolver.database.files_defining(RUST, name) {
        let Some(file) = resolver.database.facts(path) else {
            continue;
        };
        let of_file = SourceFile { path, file: &file };
        let Some(member) = file.find_name(name) else {
            continue;
        };
        let Some(mark) = file.find_name(FOR_ALL_TYPES) else {
            continue;
        };
        let definitions = file.facts.definitions.iter();
        let traits = definitions.filter(|one| one.name == member && one.qualifier.is_none());
        let traits = traits.filter_map(|one| Some((one.parent?, of_file.definition(one.parent?)?)));
        for (id, of) in traits.filter(|(_, one)| one.kind == DefinitionKind::Interface) {
            let mut bounds = file.bindings(of.scope, mark).peekable();
            if bounds.peek().is_none() {
                continue;
            }
            left = left.saturating_sub(1);
            if left == 0 {
                return ResolvedEntities::unknown();
            }
            let members = file.members(Some(id), member);
            let place = (scope, Space::Types);
            let seen = resolver.resolve_name_in(source, place, file.facts.name(of.name));
            let implemented = implemented.get_or_insert_with(|| traits_of(resolver, receiver));
            let mut is_satisfied = |bound: &Binding| {
                let BindingTarget::Attribute(Some(value)) = bound.target else {
                    return true;
                };
                let bound = resolver.resolve_value(&of_file, bound.value_scope, value);
                let mut traits = bound.entities.iter();
                traits.any(|one| trait_of(one).is_some_and(|of| implemented.contains(&of)))
            };
            if seen.entities.contains(&of_file.entity(id)) && bounds.all(&mut is_satisfied) {
                found
                    .entities
                    .extend(members.iter().map(|id| of_file.entity(*id)));
            }
        }
    }
    found
}

/// The maximum number of traits that are followed from a type, or that declare a method for all
/// types.
const MAX_TRAITS: usize = 64;

/// Returns the traits of the repository that the type of a value is known to implement.
fn traits_of(resolver: Resolver<'_>, value: &Entity) -> BTreeSet<Entity> {
    let direct = match value.without_type_arguments() {
        Entity::TypeParameter(parameter) => resolver.constraint(parameter),
        Entity::Instance(path, id) => {
            known_traits(resolver, &Entity::Definition(path.clone(), *id))
        }
        _ => ResolvedEntities::none(),
    };
    let mut ahead: Vec<Entity> = direct.entities.iter().filter_map(trait_of).collect();
    let mut all = BTreeSet::new();
    while let Some(one) = ahead.pop().filter(|_| all.len() < MAX_TRAITS) {
        if all.insert(one.clone()) {
            let around = known_traits(resolver, &one);
            ahead.extend(around.entities.iter().filter_map(trait_of));
        }
    }
    all
}

/// Returns the definition of the trait that a bound names.
fn trait_of(bound: &Entity) -> Option<Entity> {
    match bound.without_type_arguments() {
        Entity::Instance(path, id) | Entity::Definition(path, id) => {
            Some(Entity::Definition(path.clone(), *id))
        }
        _ => None,
    }
}

/// Resolves a method of a type from elsewhere: of a trait that the place of the call sees. One that
/// it does not see may be imported under another name.
pub(super) fn of_visible_trait(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (scope, name): (ScopeId, &str),
) -> ResolvedEntities {
    let mut found = ResolvedEntities::none();
    for (path, file) in resolver.database.loaded_files() {
        let Some(member) = file
            .find_name(name)
            .filter(|_| path.extension() == Some("rs"))
        else {
            continue;
        };
        let definitions = (0..).map(DefinitionId).zip(&file.facts.definitions);
        for (id, of) in definitions {
            let members = file.members(Some(id), member);
            if of.kind != DefinitionKind::Interface || members.is_empty() {
                continue;
            }
            let place = (scope, Space::Types);
            let seen = resolver.resolve_name_in(source, place, file.facts.name(of.name));
            let of = Entity::Definition(path.clone(), id);
            if seen.entities.contains(&of) {
                let members = members.iter();
                let members = members.map(|id| Entity::Definition(path.clone(), *id));
                found.entities.extend(members);
            } else {
                found.has_unknown = true;
            }
        }
    }
    found
}
