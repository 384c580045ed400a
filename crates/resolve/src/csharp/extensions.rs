//! Resolves calls of extension methods: `a.f()` where `f` is declared as `static f(this A a)`.

use std::collections::{BTreeMap, BTreeSet};

use crate::entity::{Entity, ExternalFunction, ResolvedEntities};
use crate::generics::generic;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{Binding, DefinitionId, EXTENDED};

use super::standard;
use super::types::{all_named, is_partial, name_in_directive, outside_name};
use super::{CSharp, Place};

/// The largest number of base types among which the extended type is searched.
const MAX_BASES: usize = 64;

/// The methods of every object and of strings, which come before extension methods.
const OF_LIBRARY: [&str; 24] = [
    "CompareTo",
    "Contains",
    "CopyTo",
    "EndsWith",
    "Equals",
    "GetEnumerator",
    "GetHashCode",
    "GetType",
    "IndexOf",
    "IndexOfAny",
    "Insert",
    "LastIndexOf",
    "PadLeft",
    "PadRight",
    "Remove",
    "Replace",
    "Split",
    "StartsWith",
    "Substring",
    "ToLower",
    "ToString",
    "ToUpper",
    "Trim",
    "TrimEnd",
];

/// Methods of the collections and tasks of the library, and of LINQ, beside those that
/// [`standard`] knows.
const OF_COLLECTIONS: [&str; 94] = [
    "Add",
    "AddAfter",
    "AddBefore",
    "AddFirst",
    "AddLast",
    "AddRange",
    "Aggregate",
    "AggregateBy",
    "AsMemory",
    "AsTask",
    "BinarySearch",
    "Clear",
    "Clone",
    "CompleteAdding",
    "Contains",
    "ContainsKey",
    "ContainsValue",
    "ConvertAll",
    "CopyTo",
    "CountBy",
    "Dispose",
    "Enqueue",
    "EnqueueRange",
    "EnsureCapacity",
    "ExceptBy",
    "ExceptWith",
    "Fill",
    "FindIndex",
    "FindLastIndex",
    "GetAlternateLookup",
    "GetConsumingEnumerable",
    "GroupJoin",
    "IndexOf",
    "Insert",
    "InsertRange",
    "IntersectBy",
    "IntersectWith",
    "IsProperSubsetOf",
    "IsSubsetOf",
    "IsSupersetOf",
    "Join",
    "LastIndexOf",
    "LeftJoin",
    "MoveNext",
    "Overlaps",
    "Push",
    "PushRange",
    "Remove",
    "RemoveAt",
    "RemoveFirst",
    "RemoveLast",
    "RemoveRange",
    "RemoveWhere",
    "Replace",
    "Reset",
    "RightJoin",
    "RunSynchronously",
    "SequenceEqual",
    "SetCanceled",
    "SetEquals",
    "SetException",
    "SetItem",
    "SetItems",
    "SetResult",
    "SetTarget",
    "Shuffle",
    "Slice",
    "Sort",
    "Start",
    "SymmetricExceptWith",
    "ToBuilder",
    "ToImmutableDictionary",
    "ToImmutableSortedSet",
    "ToLookup",
    "ToString",
    "TrimExcess",
    "TryAdd",
    "TryCopyTo",
    "TryDequeue",
    "TryGetNonEnumeratedCount",
    "TryGetTarget",
    "TryGetValue",
    "TryPeek",
    "TryPop",
    "TryRemove",
    "TrySetCanceled",
    "TrySetException",
    "TrySetResult",
    "TryTake",
    "TryUpdate",
    "UnionBy",
    "UnionWith",
    "Wait",
    "Zip",
];

/// The types outside of the repository that a type without bases extends.
const ROOTS: [&str; 5] = ["Enum", "Object", "ValueType", "dynamic", "object"];

impl CSharp {
    /// Resolves a method of this name that extends the type of a receiver. A method that extends
    /// another type is possible unless that is in the repository.
    pub(super) fn find_extensions(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        receiver: &ResolvedEntities,
        name: &str,
    ) -> ResolvedEntities {
        let visible = self.visible_namespaces(resolver, source);
        let receiver = without_parameters(resolver, receiver);
        let methods = all_named(resolver, name, |one| one.kind == DefinitionKind::Method);
        // The overloads of a class are one symbol.
        let mut classes: BTreeMap<String, (Vec<Entity>, bool)> = BTreeMap::new();
        let mut has_unknown = false;
        for (path, id) in methods {
            let Some(file) = resolver.database.facts(&path) else {
                continue;
            };
            let of = SourceFile {
                path: &path,
                file: &file,
            };
            let Some(extension) = Extension::of(resolver, &of, id) else {
                continue;
            };
            if !visible.contains(&extension.namespace) {
                continue;
            }
            let extends = extension.extends(resolver, &receiver, name);
            has_unknown |= extends.is_none();
            let class = classes.entry(extension.class).or_default();
            class.0.push(of.entity(id));
            class.1 |= extends == Some(true);
        }
        let proven = classes.into_values().filter(|(_, is_proven)| *is_proven);
        let entities: BTreeSet<Entity> = proven.flat_map(|(methods, _)| methods).collect();
        ResolvedEntities {
            has_unknown: has_unknown && entities.is_empty(),
            entities,
        }
    }

    /// Returns the namespaces whose extension methods a file sees.
    fn visible_namespaces(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
    ) -> BTreeSet<String> {
        let facts = &source.file.facts;
        let mut visible: BTreeSet<String> = BTreeSet::from([String::new()]);
        let own = (0..).map(DefinitionId).zip(&facts.definitions);
        let own = own.filter(|(_, one)| one.kind == DefinitionKind::Namespace);
        for (id, _) in own {
            let dotted = facts.name_path(id);
            let ends = dotted.match_indices('.').map(|(end, _)| end);
            visible.extend(ends.filter_map(|end| dotted.get(..end).map(str::to_owned)));
            visible.insert(dotted);
        }
        let imports = facts.imports.iter();
        visible.extend(imports.map(|import| {
            let place = (import.scope, facts.name(import.module), import.level);
            name_in_directive(resolver, &self.projects, source, place)
        }));
        visible.extend(self.global_namespaces(resolver, source));
        visible
    }
}

/// Returns the extension methods among some that extend a receiver, as functions of the arguments
/// after it. The receiver tells their type parameters: `A` for `T` of `a.f()` where `f` is declared
/// as `static T f<T>(this T of)`. If they return different types, nothing is known.
pub(super) fn after_receiver(
    resolver: Resolver<'_>,
    methods: &ResolvedEntities,
    (receiver, name): (&ResolvedEntities, &str),
) -> ResolvedEntities {
    let plain = without_parameters(resolver, receiver);
    let extending = methods.entities.iter().filter_map(|method| {
        let Entity::Definition(path, id) = method else {
            return None;
        };
        let file = resolver.database.facts(path)?;
        let source = SourceFile { path, file: &file };
        let extension = Extension::of(resolver, &source, *id)?;
        let is_proven = extension.extends(resolver, &plain, name) == Some(true);
        is_proven.then(|| one_after_receiver(resolver, (&source, *id), receiver))?
    });
    let functions: Vec<ExternalFunction> = extending.collect();
    let mut results = functions.iter().map(|function| &function.returned);
    let first = results.next();
    if !results.all(|result| Some(result) == first) {
        return ResolvedEntities::unknown();
    }
    let entities = functions.into_iter().map(Box::new).map(Entity::External);
    ResolvedEntities {
        entities: entities.collect(),
        has_unknown: methods.has_unknown,
    }
}

fn one_after_receiver(
    resolver: Resolver<'_>,
    (source, id): (&SourceFile<'_>, DefinitionId),
    receiver: &ResolvedEntities,
) -> Option<ExternalFunction> {
    let declared = resolver.resolve_bindings(source, &[extended(source, id)?]);
    let parameters = resolver.type_parameters(source.path, id);
    let known = resolver.infer_from(&[(declared, receiver.clone())], &parameters);
    let method = generic(source.entity(id), &known);
    let scope = source.definition(id)?.scope;
    let after = 1..source.file.parameters(scope).count();
    let after = after.map(|index| resolver.resolve_parameter_types(&method, index));
    Some(ExternalFunction {
        returned: resolver.resolve_call(&method),
        parameters: after.collect(),
    })
}

/// Returns what binds the type that a method extends, if it is an extension method.
fn extended<'f>(source: &SourceFile<'f>, method: DefinitionId) -> Option<&'f Binding> {
    let definition = source.definition(method)?;
    let mark = source.file.find_name(EXTENDED)?;
    source.file.bindings(definition.scope, mark).next()
}

/// Reports whether a receiver has the type that a method extends, or `None` if that is open.
fn extends(
    resolver: Resolver<'_>,
    receiver: &ResolvedEntities,
    extended: &ResolvedEntities,
    name: &str,
) -> Option<bool> {
    if extended.entities.is_empty() || receiver.entities.is_empty() {
        return None;
    }
    let is_of_library = OF_LIBRARY.contains(&name);
    let mut is_open = receiver.has_unknown;
    for entity in &receiver.entities {
        if extended.entities.iter().any(|of| is_kind_of(entity, of)) {
            return (!is_of_collections(entity, name)).then_some(true);
        }
        if extended.entities.contains(entity) {
            let is_proven = outside_name(entity).is_none() || !is_of_library;
            return is_proven.then_some(true);
        }
        let mut bases = vec![entity.clone()];
        let mut seen = BTreeSet::new();
        while let Some(Entity::Instance(path, id)) = bases.pop() {
            let instance = Entity::Instance(path.clone(), id);
            if seen.len() > MAX_BASES {
                return None;
            }
            if !seen.insert(instance.clone()) {
                continue;
            }
            if extended.entities.contains(&instance) {
                return Some(true);
            }
            let of = base_instances(resolver, &(path, id));
            is_open |= of.has_unknown;
            bases.extend(of.entities);
        }
        is_open |= !matches!(entity, Entity::Instance(..));
    }
    let is_root = |one: &Entity| outside_name(one).is_some_and(|name| ROOTS.contains(&name));
    (!is_open && !extended.entities.iter().any(is_root)).then_some(false)
}

/// Reports whether some collection of the library, or LINQ, has a method of a name. An entity does
/// not say which collection it is.
fn is_of_collections(collection: &Entity, name: &str) -> bool {
    OF_COLLECTIONS.contains(&name) || !standard::resolve_member(collection, name).is_none()
}

/// Reports whether a collection is one of those that a method extends: `List<A>` is an
/// `IEnumerable<T>`.
fn is_kind_of(collection: &Entity, extended: &Entity) -> bool {
    let ((Entity::Sequence(element), Entity::Sequence(wanted))
    | (Entity::Mapping(element), Entity::Mapping(wanted))) = (collection, extended)
    else {
        return false;
    };
    element == wanted || matches!(**wanted, Entity::TypeParameter(_))
}

/// Removes the type arguments of some values, and replaces type parameters by their constraints: a
/// method that extends `A<T>` extends each `A<B>`.
fn without_parameters(resolver: Resolver<'_>, of: &ResolvedEntities) -> ResolvedEntities {
    let mut all = ResolvedEntities {
        has_unknown: of.has_unknown,
        ..ResolvedEntities::none()
    };
    for entity in &of.entities {
        all.merge(match entity.without_type_arguments() {
            Entity::TypeParameter(parameter) => resolver.constraint(parameter),
            other => ResolvedEntities::single(other.clone()),
        });
    }
    all
}

/// Returns instances of the base types of a type.
fn base_instances(resolver: Resolver<'_>, (path, id): &Place) -> ResolvedEntities {
    let Some(file) = resolver.database.facts(path) else {
        return ResolvedEntities::unknown();
    };
    let source = SourceFile { path, file: &file };
    let Some(definition) = source.definition(*id) else {
        return ResolvedEntities::unknown();
    };
    let scope = source.enclosing_scope(definition);
    let bases = definition.bases.iter();
    let bases = bases.map(|base| resolver.resolve_value(&source, scope, *base));
    // Another part of a partial type may name further bases.
    let mut all = ResolvedEntities {
        has_unknown: is_partial(&source, *id),
        ..ResolvedEntities::none()
    };
    for base in bases {
        let entities = base.entities.iter();
        let types = entities.filter_map(|one| match one.without_type_arguments() {
            Entity::Definition(path, id) => Some(Entity::Instance(path.clone(), *id)),
            _ => None,
        });
        let types: BTreeSet<Entity> = types.collect();
        all.has_unknown |= base.has_unknown || types.is_empty();
        all.entities.extend(types);
    }
    all
}

/// An extension method.
struct Extension {
    /// The type that it extends.
    of: ResolvedEntities,
    /// Whether it extends a type parameter without constraints, and so every type.
    extends_all: bool,
    /// The full name of its class.
    class: String,
    /// The namespace of its class.
    namespace: String,
}

impl Extension {
    /// Reports whether a receiver has the type that the method extends, or `None` if that is open.
    fn extends(
        &self,
        resolver: Resolver<'_>,
        receiver: &ResolvedEntities,
        name: &str,
    ) -> Option<bool> {
        if !self.extends_all {
            return extends(resolver, receiver, &self.of, name);
        }
        let is_whole = |one: &Entity| match one {
            Entity::Instance(path, id) => {
                !base_instances(resolver, &(path.clone(), *id)).has_unknown
            }
            _ => false,
        };
        let is_proven = !receiver.has_unknown
            && !receiver.entities.is_empty()
            && !OF_LIBRARY.contains(&name)
            && receiver.entities.iter().all(is_whole);
        is_proven.then_some(true)
    }

    /// Returns a method as an extension method, unless it is another one.
    fn of(resolver: Resolver<'_>, source: &SourceFile<'_>, id: DefinitionId) -> Option<Self> {
        let facts = &source.file.facts;
        let definition = source.definition(id)?;
        let binding = extended(source, id)?;
        let class = definition.parent?;
        let namespace = source.definition(class)?.parent;
        let declared = resolver.resolve_bindings(source, &[binding]);
        let of = without_parameters(resolver, &declared);
        let mut parameters = declared.entities.iter();
        Some(Self {
            extends_all: of.entities.is_empty()
                && parameters.any(|one| matches!(one, Entity::TypeParameter(_))),
            of,
            class: facts.name_path(class),
            namespace: namespace.map_or_else(String::new, |id| facts.name_path(id)),
        })
    }
}
