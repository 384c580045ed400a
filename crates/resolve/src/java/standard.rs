//! The types of the standard library that contain values of other types, and its functions.
//!
//! The names are those of the packages `java.lang`, `java.util` and those below of [Java SE].
//!
//! [Java SE]: https://docs.oracle.com/en/java/javase/21/docs/api/java.base/module-summary.html

use super::JAVA;
use super::overloads::Call;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{CallArguments, Resolver};
use crate::source_file::SourceFile;
use ragnav_syntax::facts::{IDENTITY_MAPPING, METHOD, ScopeId, Space};

/// The types that contain values of their only argument, or give such values.
const SEQUENCES: [&str; 50] = [
    "AbstractList",
    "ArrayBlockingQueue",
    "ArrayDeque",
    "ArrayList",
    "AtomicReference",
    "BlockingDeque",
    "BlockingQueue",
    "Callable",
    "Collection",
    "CompletableFuture",
    "CompletionStage",
    "ConcurrentLinkedDeque",
    "ConcurrentLinkedQueue",
    "ConcurrentSkipListSet",
    "CopyOnWriteArrayList",
    "CopyOnWriteArraySet",
    "Deque",
    "Enumeration",
    "Future",
    "HashSet",
    "ImmutableList",
    "ImmutableSet",
    "Iterable",
    "Iterator",
    "LinkedBlockingDeque",
    "LinkedBlockingQueue",
    "LinkedHashSet",
    "LinkedList",
    "List",
    "ListIterator",
    "NavigableSet",
    "Optional",
    "PriorityBlockingQueue",
    "PriorityQueue",
    "Queue",
    "Reference",
    "SequencedCollection",
    "SequencedSet",
    "ServiceLoader",
    "Set",
    "SoftReference",
    "SortedSet",
    "Spliterator",
    "Stack",
    "Stream",
    "Supplier",
    "ThreadLocal",
    "TreeSet",
    "Vector",
    "WeakReference",
];

/// The types that contain values of their second argument.
const MAPPINGS: [&str; 17] = [
    "AbstractMap",
    "ConcurrentHashMap",
    "ConcurrentMap",
    "ConcurrentNavigableMap",
    "ConcurrentSkipListMap",
    "EnumMap",
    "Entry",
    "HashMap",
    "Hashtable",
    "IdentityHashMap",
    "ImmutableMap",
    "LinkedHashMap",
    "Map",
    "NavigableMap",
    "SortedMap",
    "TreeMap",
    "WeakHashMap",
];

/// The functions that return containers of their arguments. A name without a class is that of a
/// static import.
const CONTAINING: [&str; 14] = [
    "Arrays.asList",
    "Collections.singleton",
    "Collections.singletonList",
    "CompletableFuture.completedFuture",
    "ImmutableList.of",
    "ImmutableSet.of",
    "List.of",
    "Lists.newArrayList",
    "Optional.of",
    "Optional.ofNullable",
    "Set.of",
    "Stream.of",
    "asList",
    "singletonList",
];

/// Those of them that return the elements of a single argument that is a container, since it must
/// be an array.
const SPREADING: [&str; 2] = ["Arrays.asList", "asList"];

/// The functions that return a container of the elements of their first argument, and the
/// constructors of such containers.
const COPYING: [&str; 28] = [
    "ArrayDeque",
    "ArrayList",
    "Arrays.copyOf",
    "Arrays.copyOfRange",
    "Arrays.stream",
    "Collections.synchronizedList",
    "Collections.synchronizedMap",
    "Collections.unmodifiableCollection",
    "Collections.unmodifiableList",
    "Collections.unmodifiableMap",
    "Collections.unmodifiableSet",
    "ConcurrentHashMap",
    "CopyOnWriteArrayList",
    "EnumMap",
    "HashMap",
    "HashSet",
    "ImmutableList.copyOf",
    "ImmutableMap.copyOf",
    "ImmutableSet.copyOf",
    "LinkedHashMap",
    "LinkedHashSet",
    "LinkedList",
    "List.copyOf",
    "Map.copyOf",
    "PriorityQueue",
    "Set.copyOf",
    "TreeMap",
    "TreeSet",
];

/// The functions that return their first argument.
const PASSING: [&str; 8] = [
    "Mockito.spy",
    "Mockito.verify",
    "Objects.requireNonNull",
    "Preconditions.checkNotNull",
    "checkNotNull",
    "requireNonNull",
    "spy",
    "verify",
];

/// The functions that return any of their arguments, or the elements of all of them.
const JOINING: [&str; 2] = ["Objects.requireNonNullElse", "Stream.concat"];

/// The functions that return an element of their first argument.
const CHOOSING: [&str; 4] = [
    "Collections.max",
    "Collections.min",
    "Iterables.getLast",
    "Iterables.getOnlyElement",
];

/// The names of methods, of any class, that return an instance of the class among their arguments.
const CREATING: [&str; 13] = [
    "assertInstanceOf",
    "assertThrows",
    "assertThrowsExactly",
    "convertValue",
    "fromJson",
    "getAnnotation",
    "getBean",
    "getInstance",
    "mock",
    "readValue",
    "spy",
    "treeToValue",
    "unwrap",
];

/// The collectors that collect the elements themselves.
const COLLECTORS: [&str; 5] = [
    "toCollection",
    "toList",
    "toSet",
    "toUnmodifiableList",
    "toUnmodifiableSet",
];

/// The collectors that collect the elements in groups.
const GROUPING: [&str; 3] = ["groupingBy", "groupingByConcurrent", "partitioningBy"];

/// The functions that return a mapping to the second of their arguments.
const MAPPING: [&str; 5] = [
    "Collections.singletonMap",
    "ImmutableMap.of",
    "Map.entry",
    "Map.of",
    "Maps.immutableEntry",
];

/// The functions that return a container of what their first argument, a function, returns.
const MAKING: [&str; 4] = [
    "CompletableFuture.supplyAsync",
    "Stream.generate",
    "ThreadLocal.withInitial",
    "supplyAsync",
];

/// The methods of executors that return a future of what their first argument, a function, returns.
const SUBMITTING: [&str; 2] = ["invokeAny", "submit"];

/// Resolves a call of a function by its path, `Objects.requireNonNull`, and its arguments. A method
/// of a type that is not known counts as one of a stream, an option or a future, unless the
/// repository has a method of this name.
pub(super) fn resolve_call(
    resolver: Resolver<'_>,
    (source, scope): (&SourceFile<'_>, ScopeId),
    path: &str,
    arguments: CallArguments<'_>,
) -> Option<ResolvedEntities> {
    if let Some(known) = resolve_function(path, arguments) {
        return Some(known);
    }
    let name = path.rsplit('.').next().unwrap_or(path);
    let name = Call::new(name).name;
    let full_name = Call::new(path).name;
    let result = || resolver.resolve_call(&(arguments.get)(0));
    if MAKING.contains(&full_name) {
        return Some(result().map(Entity::sequence));
    }
    let is_outside = || {
        resolver.begins_outside(source, (scope, Space::Values), path)
            || resolver.database.files_defining(JAVA, name).is_empty()
    };
    let returned = match name {
        "map" | "mapToObj" | "thenApply" | "thenApplyAsync" => result().map(Entity::sequence),
        "flatMap" | "thenCompose" => result(),
        _ if SUBMITTING.contains(&name) => result().map(Entity::sequence),
        _ => return None,
    };
    (!returned.entities.is_empty() && is_outside()).then_some(returned)
}

fn resolve_function(path: &str, arguments: CallArguments<'_>) -> Option<ResolvedEntities> {
    let path = Call::new(path).name;
    let path = path.strip_prefix(METHOD).unwrap_or(path);
    let argument = arguments.get;
    if MAPPING.contains(&path) && arguments.count > 1 {
        return Some(argument(1).map(Entity::mapping));
    }
    if path == "Stream.iterate" {
        return Some(argument(0).map(Entity::sequence));
    }
    if CONTAINING.contains(&path) {
        let all = ResolvedEntities::union((0..arguments.count).map(argument));
        let is_sequence = |one: &Entity| matches!(one, Entity::Sequence(_));
        if arguments.count > 1 || !all.entities.iter().any(is_sequence) {
            return Some(all.map(Entity::sequence));
        }
        // The argument may be an array or a collection.
        let is_array = SPREADING.contains(&path);
        return Some(if is_array {
            all
        } else {
            ResolvedEntities::unknown()
        });
    }
    let name = path.rsplit('.').next().unwrap_or(path);
    if CREATING.contains(&name) {
        let made = ResolvedEntities::union((0..arguments.count).map(argument).map(instances));
        if !made.entities.is_empty() {
            return Some(made);
        }
    }
    if COPYING.contains(&path) {
        return Some(argument(0).only_containers());
    }
    if JOINING.contains(&path) {
        return Some(ResolvedEntities::union((0..arguments.count).map(argument)));
    }
    if PASSING.contains(&path) {
        return Some(argument(0));
    }
    CHOOSING.contains(&path).then(|| {
        argument(0).map(|one| match one {
            Entity::Sequence(element) => *element,
            other => other,
        })
    })
}

/// Returns instances of the classes among some values: `A` of `A.class`, which is a function that
/// makes one.
fn instances(of: ResolvedEntities) -> ResolvedEntities {
    let made = of.entities.into_iter().map(|entity| match entity {
        Entity::External(class) if class.parameters.is_empty() => class.returned,
        _ => ResolvedEntities::none(),
    });
    ResolvedEntities::union(made)
}

/// Reports whether a name is that of a type whose values are known.
pub(super) fn is_known(name: &str) -> bool {
    is_container(name) || function(name, &[]).is_some()
}

/// Reports whether a name is that of a type that contains or gives values.
pub(super) fn is_container(name: &str) -> bool {
    SEQUENCES.contains(&name) || MAPPINGS.contains(&name)
}

/// Resolves a type of the standard library.
pub(super) fn resolve_type(name: &str, arguments: &[ResolvedEntities]) -> ResolvedEntities {
    let name = name.rsplit('.').next().unwrap_or(name);
    let argument = |place: usize| arguments.get(place).cloned().unwrap_or_default();
    if SEQUENCES.contains(&name) {
        return argument(0).map(Entity::sequence);
    }
    if MAPPINGS.contains(&name) {
        let mut found = argument(1).map(Entity::mapping);
        found.has_unknown |= !argument(0).is_none();
        return found;
    }
    function(name, arguments).unwrap_or_else(ResolvedEntities::unknown)
}

/// Resolves an interface of functions. What its constructor would return is a function.
fn function(name: &str, arguments: &[ResolvedEntities]) -> Option<ResolvedEntities> {
    let argument = |place: usize| arguments.get(place).cloned().unwrap_or_default();
    let (returned, parameters) = match name {
        "BiConsumer" | "BiPredicate" | "ToDoubleBiFunction" | "ToIntBiFunction"
        | "ToLongBiFunction" => (ResolvedEntities::none(), vec![argument(0), argument(1)]),
        "BiFunction" => (argument(2), vec![argument(0), argument(1)]),
        "BinaryOperator" => (argument(0), vec![argument(0), argument(0)]),
        // A class makes instances.
        "Class" | "DoubleFunction" | "IntFunction" | "LongFunction" => (argument(0), Vec::new()),
        "Comparator" => (ResolvedEntities::none(), vec![argument(0), argument(0)]),
        "Consumer" | "ObjIntConsumer" | "ObjLongConsumer" | "Predicate" | "ToDoubleFunction"
        | "ToIntFunction" | "ToLongFunction" => (ResolvedEntities::none(), vec![argument(0)]),
        "Function" => (argument(1), vec![argument(0)]),
        "UnaryOperator" => (argument(0), vec![argument(0)]),
        _ => return None,
    };
    Some(ResolvedEntities::external_function(
        ResolvedEntities::external_function(returned, parameters),
        Vec::new(),
    ))
}

/// Resolves a member of a container as what a call of it returns.
pub(super) fn resolve_member(of: &Entity, call: &Call<'_>) -> ResolvedEntities {
    match of {
        Entity::Sequence(element) => sequence_member(of, element, call),
        Entity::Mapping(value) => mapping_member(of, value, call.name),
        _ => ResolvedEntities::none(),
    }
}

fn sequence_member(of: &Entity, element: &Entity, call: &Call<'_>) -> ResolvedEntities {
    let itself = || ResolvedEntities::single(of.clone());
    let unknown = ResolvedEntities::unknown;
    let result = || ResolvedEntities::callback_result(element);
    let mapping =
        |returned: ResolvedEntities| ResolvedEntities::function_mapping(element, returned);
    let element = || ResolvedEntities::single(element.clone());
    let receiving =
        |returned: ResolvedEntities| ResolvedEntities::function_calling(returned, vec![element()]);
    match call.name {
        "call" | "ceiling" | "element" | "first" | "floor" | "get" | "getAndSet" | "getFirst"
        | "getLast" | "getNow" | "higher" | "join" | "last" | "lower" | "next" | "nextElement"
        | "orElse" | "orElseGet" | "orElseThrow" | "peekFirst" | "peekLast" | "poll"
        | "pollFirst" | "pollLast" | "pop" | "previous" | "remove" | "removeFirst"
        | "removeLast" | "resultNow" | "take" | "takeFirst" | "takeLast" => element(),
        // That of a stream receives a function.
        "peek" if call.count == Some(0) => element(),
        "clone" | "descendingIterator" | "descendingSet" | "distinct" | "findAny" | "findFirst"
        | "headSet" | "iterator" | "limit" | "listIterator" | "or" | "parallel"
        | "parallelStream" | "reversed" | "sequential" | "skip" | "stream" | "subList"
        | "subSet" | "tailSet" | "toArray" | "toList" | "unordered" => itself(),
        "dropWhile" | "filter" | "peek" | "takeWhile" => receiving(itself()),
        "max" | "min" | "sorted" => {
            ResolvedEntities::function_calling(itself(), vec![element(), element()])
        }
        "sort" => {
            ResolvedEntities::function_calling(ResolvedEntities::none(), vec![element(), element()])
        }
        "allMatch" | "anyMatch" | "forEach" | "forEachOrdered" | "forEachRemaining"
        | "ifPresent" | "ifPresentOrElse" | "mapToDouble" | "mapToInt" | "mapToLong"
        | "noneMatch" | "removeIf" | "thenAccept" | "thenAcceptAsync" => {
            receiving(ResolvedEntities::none())
        }
        "flatMap" | "map" if call.first.is_some() => by_method(&element(), call),
        "map" | "mapToObj" | "thenApply" | "thenApplyAsync" => {
            mapping(result().map(Entity::sequence))
        }
        "flatMap" | "thenCompose" | "thenComposeAsync" => mapping(result()),
        "handle" | "handleAsync" => {
            let function =
                ResolvedEntities::external_function(result(), vec![element(), unknown()]);
            let returned = result().map(Entity::sequence);
            ResolvedEntities::external_function(returned, vec![function])
        }
        "whenComplete" | "whenCompleteAsync" => {
            ResolvedEntities::function_calling(itself(), vec![element(), unknown()])
        }
        "accumulateAndGet" | "getAndUpdate" | "updateAndGet" => receiving(element()),
        "replaceAll" => receiving(unknown()),
        "reduce" => reduced(&itself(), &element(), call.count),
        "collect" => {
            let returned = match call.first {
                Some(collector) if COLLECTORS.contains(&collector) => itself(),
                Some(collector) if GROUPING.contains(&collector) => itself().map(Entity::mapping),
                Some(IDENTITY_MAPPING) => element().map(Entity::mapping),
                _ => unknown(),
            };
            // The functions of a collector receive elements.
            ResolvedEntities::function_calling(returned, vec![element(), element()])
        }
        "contains" | "isEmpty" | "isPresent" | "size" => ResolvedEntities::none(),
        _ => unknown(),
    }
}

/// Resolves a member that each enum has as a function.
pub(super) fn member_of_enum(instance: &Entity, name: &str) -> Option<ResolvedEntities> {
    let instance = ResolvedEntities::single(instance.clone());
    let returned = match name {
        "valueOf" => instance,
        "values" => instance.map(Entity::sequence),
        _ => return None,
    };
    Some(ResolvedEntities::external_function(returned, Vec::new()))
}

/// Resolves `map(Optional::get)` or `flatMap(List::stream)` by the method of the elements.
fn by_method(element: &ResolvedEntities, call: &Call<'_>) -> ResolvedEntities {
    let method = Call {
        name: call.first.unwrap_or_default(),
        count: Some(0),
        first: None,
    };
    let results = element.entities.iter();
    let results = ResolvedEntities::union(results.map(|one| resolve_member(one, &method)));
    match call.name {
        "map" => results.map(Entity::sequence),
        _ => results,
    }
}

/// Resolves `reduce(f)`, `reduce(a, f)` or `reduce(a, f, g)`, of which the last one reduces to
/// another type.
fn reduced(
    itself: &ResolvedEntities,
    element: &ResolvedEntities,
    count: Option<u32>,
) -> ResolvedEntities {
    let function = ResolvedEntities::callback(vec![element.clone(), element.clone()]);
    let unknown = ResolvedEntities::unknown;
    match count {
        Some(1) => ResolvedEntities::external_function(itself.clone(), vec![function]),
        Some(2) => ResolvedEntities::external_function(element.clone(), vec![unknown(), function]),
        _ => {
            let function = ResolvedEntities::callback(vec![unknown(), element.clone()]);
            ResolvedEntities::external_function(unknown(), vec![unknown(), function])
        }
    }
}

fn mapping_member(of: &Entity, value: &Entity, name: &str) -> ResolvedEntities {
    let itself = || ResolvedEntities::single(of.clone());
    let value = || ResolvedEntities::single(value.clone());
    let unknown = ResolvedEntities::unknown;
    match name {
        "compute" | "computeIfAbsent" | "get" | "getOrDefault" | "getValue" | "merge" | "put"
        | "putIfAbsent" | "remove" | "replace" | "setValue" => value(),
        "ceilingEntry" | "clone" | "descendingMap" | "firstEntry" | "floorEntry" | "headMap"
        | "higherEntry" | "lastEntry" | "lowerEntry" | "pollFirstEntry" | "pollLastEntry"
        | "reversed" | "subMap" | "tailMap" => itself(),
        "entrySet" => itself().map(Entity::sequence),
        "values" => value().map(Entity::sequence),
        "computeIfPresent" => ResolvedEntities::external_function(
            value(),
            vec![
                unknown(),
                ResolvedEntities::callback(vec![unknown(), value()]),
            ],
        ),
        "forEach" | "replaceAll" => {
            let received = ResolvedEntities::callback(vec![unknown(), value()]);
            ResolvedEntities::external_function(ResolvedEntities::none(), vec![received])
        }
        "containsKey" | "containsValue" | "isEmpty" | "size" => ResolvedEntities::none(),
        _ => unknown(),
    }
}
