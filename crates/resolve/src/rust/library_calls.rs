//! What functions of the standard library and of runtimes return, by their arguments or type
//! arguments: <https://doc.rust-lang.org/std/>, <https://docs.rs/tokio>.

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{CallArguments, Resolver};

use super::RUST;
use crate::source_file::SourceFile;
use ragnav_syntax::facts::{ScopeId, Space, TYPE_NAME};

/// The methods that return what their closure returns as it is: an option, a result or an iterator.
const RETURNING_AS_IT_IS: [&str; 4] = ["and_then", "filter_map", "flat_map", "map_while"];

/// The functions that return a handle, which leads to what their closure returns.
const SPAWNING: [&str; 3] = ["spawn", "spawn_blocking", "spawn_local"];

/// The generic functions that return an option or a result of their type argument: of the standard
/// library, of `serde_json`, and of the extensions of requests in `http` and frameworks on it.
const RETURNING_INSIDE: [&str; 16] = [
    "deserialize",
    "downcast",
    "downcast_mut",
    "downcast_ref",
    "extract",
    "from_reader",
    "from_slice",
    "from_str",
    "from_value",
    "get",
    "get_mut",
    "json",
    "parse",
    "remove",
    "try_from",
    "try_into",
];

/// The generic functions that return a value of their type argument.
const RETURNING_ARGUMENT: [&str; 3] = ["collect", "product", "sum"];

/// The generic functions that return the two ends of a channel.
const CHANNELS: [&str; 5] = [
    "bounded",
    "channel",
    "sync_channel",
    "unbounded",
    "unbounded_channel",
];

/// The types outside of the repository that contain values of their first type argument.
const OTHER_CONTAINERS: [&str; 10] = [
    "FuturesOrdered",
    "FuturesUnordered",
    "FxHashSet",
    "IndexSet",
    "JoinHandle",
    "JoinSet",
    "Receiver",
    "ThinVec",
    "UnboundedReceiver",
    "Weak",
];

/// The types outside of the repository that map keys to values.
const OTHER_MAPPINGS: [&str; 5] = [
    "AHashMap",
    "FnvHashMap",
    "FxHashMap",
    "IndexMap",
    "LinkedHashMap",
];

/// Those of the generic functions that are of the standard library, also where it is open to what
/// they belong, unless the repository has a function of this name.
const OF_STANDARD: [&str; 7] = [
    "collect",
    "downcast",
    "downcast_mut",
    "downcast_ref",
    "parse",
    "product",
    "sum",
];

/// Reports whether a generic function is one of the standard library by its name, the last of a
/// path.
pub(super) fn is_of_standard(resolver: Resolver<'_>, path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path);
    OF_STANDARD.contains(&name) && resolver.database.files_defining(RUST, name).is_empty()
}

/// Resolves a call of a function outside of the repository by its arguments, of which the receiver
/// of a method is the first. A method of a type that is not known counts as that of an iterator, an
/// option or a result, unless the repository has a method of this name.
pub(super) fn by_arguments(
    resolver: Resolver<'_>,
    (source, scope): (&SourceFile<'_>, ScopeId),
    path: &str,
    arguments: CallArguments<'_>,
) -> Option<ResolvedEntities> {
    let mut names = path.rsplit('.');
    let name = names.next().unwrap_or(path);
    let of = names.next().map(|of| of.trim_end_matches(TYPE_NAME));
    let last = arguments.count.checked_sub(1)?;
    let argument = |place: usize| (arguments.get)(place);
    let result = || resolver.resolve_call(&argument(last));
    let is_outside = || resolver.begins_outside(source, (scope, Space::Values), path);
    let is_method = || {
        let is_unknown = || resolver.database.files_defining(RUST, name).is_empty();
        last == 1 && (is_unknown() || is_outside())
    };
    let found = match (of, name) {
        (Some("mem"), "replace" | "take")
        | (Some("cmp"), "max" | "min")
        | (Some("convert"), "identity")
        | (Some("hint"), "black_box")
        | (Some("iter"), "successors")
            if is_outside() =>
        {
            argument(0)
        }
        (Some("iter"), "once" | "repeat") if is_outside() => argument(0).map(Entity::sequence),
        (Some("iter"), "repeat_with") if is_outside() => result().map(Entity::sequence),
        (Some("iter"), "from_fn") if is_outside() => result().only_containers(),
        _ if SPAWNING.contains(&name) && is_outside() => result().map(Entity::sequence),
        (_, "timeout" | "timeout_at") if last == 1 && is_outside() => {
            argument(last).map(Entity::sequence)
        }
        (_, "block_on") if is_outside() => argument(last),
        (_, "join_all" | "try_join_all") if is_outside() => argument(last).only_containers(),
        (_, "then_some") if is_method() => argument(last).map(Entity::sequence),
        (_, "zip") if is_method() => pairs_with(argument(last)),
        (_, "map" | "then") if is_method() => result().map(Entity::sequence),
        _ if RETURNING_AS_IT_IS.contains(&name) && is_method() => result().only_containers(),
        _ => return None,
    };
    (!found.entities.is_empty()).then_some(found)
}

/// Returns an iterator over pairs of something and an element of a container.
fn pairs_with(elements: ResolvedEntities) -> ResolvedEntities {
    let pairs = elements.entities.into_iter().filter_map(|one| match one {
        Entity::Sequence(element) | Entity::Mapping(element) => {
            let element = ResolvedEntities::single(*element);
            let pair = Entity::Tuple(vec![ResolvedEntities::unknown(), element]);
            Some(Entity::sequence(pair))
        }
        _ => None,
    });
    pairs.collect()
}

/// Resolves a generic type outside of the repository, or a generic function: what it returns.
pub(super) fn by_type_arguments(path: &str, arguments: &[ResolvedEntities]) -> ResolvedEntities {
    let name = path.rsplit('.').next().unwrap_or(path);
    let name = name.trim_end_matches(TYPE_NAME);
    let is_known = |one: &&ResolvedEntities| !one.entities.is_empty();
    if OTHER_MAPPINGS.contains(&name) {
        let values = arguments.get(1).filter(is_known);
        let values = values.map(|values| values.clone().map(Entity::mapping));
        return values.unwrap_or_else(ResolvedEntities::unknown);
    }
    let Some(first) = arguments.first().filter(is_known) else {
        return ResolvedEntities::unknown();
    };
    let inside = || first.clone().map(Entity::sequence);
    let returned = match name {
        _ if OTHER_CONTAINERS.contains(&name) => return inside(),
        // Its argument is an array.
        "ArrayVec" | "SmallVec" | "TinyVec" => return first.clone(),
        _ if RETURNING_INSIDE.contains(&name) => inside(),
        _ if RETURNING_ARGUMENT.contains(&name) => first.clone(),
        _ if CHANNELS.contains(&name) => {
            let ends = vec![ResolvedEntities::unknown(), inside()];
            ResolvedEntities::single(Entity::Tuple(ends))
        }
        _ => return ResolvedEntities::unknown(),
    };
    ResolvedEntities::external_function(returned, Vec::new())
}
