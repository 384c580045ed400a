//! The templates of the standard library, as a file names them that has `using namespace std` or
//! `using std::vector`.
//!
//! <https://en.cppreference.com/w/cpp/header>: containers, smart pointers and what makes them.

use super::{bindings_of, paths_of};
use crate::entity::{Entity, ResolvedEntities};
use crate::source_file::SourceFile;
use ragnav_syntax::facts::{BindingTarget, ScopeId, USING};

/// The namespace of the standard library.
const STD: &str = "std";

/// The templates that hold, point to or make values of their first argument.
const SEQUENCES: [&str; 30] = [
    "array",
    "atomic",
    "auto_ptr",
    "const_pointer_cast",
    "deque",
    "dynamic_pointer_cast",
    "forward_list",
    "future",
    "initializer_list",
    "list",
    "make_optional",
    "make_shared",
    "make_unique",
    "multiset",
    "optional",
    "priority_queue",
    "promise",
    "queue",
    "reference_wrapper",
    "set",
    "shared_ptr",
    "span",
    "stack",
    "static_pointer_cast",
    "unique_ptr",
    "unordered_multiset",
    "unordered_set",
    "valarray",
    "vector",
    "weak_ptr",
];

/// The templates whose second argument is the type of their values.
const MAPPINGS: [&str; 4] = ["map", "multimap", "unordered_map", "unordered_multimap"];

/// The templates whose arguments are the types of their parts, or of what they may hold.
const TUPLES: [&str; 3] = ["pair", "tuple", "variant"];

/// Reports whether code in a scope may name the template of the standard library without its
/// namespace.
pub(super) fn names_template((source, scope): (&SourceFile<'_>, ScopeId), name: &str) -> bool {
    let is_known = SEQUENCES.contains(&name) || MAPPINGS.contains(&name) || TUPLES.contains(&name);
    let facts = &source.file.facts;
    let around = || std::iter::successors(Some(scope), |id| facts.scope(*id)?.parent);
    is_known && around().any(|scope| imports(source, scope, name) || uses_namespace(source, scope))
}

/// Reports whether a scope has `using std::name`.
fn imports(source: &SourceFile<'_>, scope: ScopeId, name: &str) -> bool {
    let facts = &source.file.facts;
    bindings_of(source, scope, name).any(|binding| match binding.target {
        BindingTarget::Import(id) => source
            .file
            .import(id)
            .is_some_and(|import| facts.name(import.module) == STD),
        _ => false,
    })
}

/// Reports whether a scope has `using namespace std`.
fn uses_namespace(source: &SourceFile<'_>, scope: ScopeId) -> bool {
    paths_of(source, scope, USING).any(|path| path == STD)
}

/// Resolves a template with its arguments.
pub(super) fn resolve_type(name: &str, arguments: &[ResolvedEntities]) -> ResolvedEntities {
    let argument = |place: usize| arguments.get(place).cloned().unwrap_or_default();
    if SEQUENCES.contains(&name) {
        return argument(0).map(Entity::sequence);
    }
    if MAPPINGS.contains(&name) {
        return argument(1).map(Entity::mapping);
    }
    if TUPLES.contains(&name) {
        return ResolvedEntities::single(Entity::Tuple(arguments.to_vec()));
    }
    ResolvedEntities::unknown()
}
