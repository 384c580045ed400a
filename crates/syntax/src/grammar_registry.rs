//! The grammars that this thread has, by the names of their languages.
//!
//! A grammar that was added replaces one that is linked. Grammars belong to a thread, as an
//! instance of WebAssembly has one.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tree_sitter::Language as Grammar;

use crate::plugin::queries::Queries;

/// A grammar that was requested from the host.
enum Requested {
    Added {
        grammar: Grammar,
        /// The compiled queries of a plug-in.
        queries: Option<Rc<Queries>>,
    },
    Unavailable(Unavailable),
}

struct Unavailable {
    /// The reason, as a sentence.
    reason: String,
    /// Whether the next file of the language requests the grammar again.
    may_retry: bool,
}

thread_local! {
    static REQUESTED: RefCell<BTreeMap<&'static str, Requested>> = RefCell::default();
    static MISSING: RefCell<BTreeSet<&'static str>> = RefCell::default();
    static CHANGES: Cell<u64> = const { Cell::new(0) };
}

/// Lets queries request unavailable grammars once more: a server may be back, or a file.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::grammars::{retry_unavailable, unavailable_grammars};
///
/// retry_unavailable();
/// // No host has failed to load a grammar here.
/// assert!(unavailable_grammars().is_empty());
/// ```
pub fn retry_unavailable() {
    REQUESTED.with_borrow_mut(|requested| {
        for state in requested.values_mut() {
            if let Requested::Unavailable(unavailable) = state {
                unavailable.may_retry = true;
            }
        }
    });
}

/// Returns the languages whose grammars the host could not load, sorted, with the reasons.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::grammars::unavailable_grammars;
///
/// for (language, reason) in unavailable_grammars() {
///     println!("{language}: {reason}");
/// }
/// # assert!(unavailable_grammars().is_empty());
/// ```
#[must_use]
pub fn unavailable_grammars() -> Vec<(&'static str, String)> {
    REQUESTED.with_borrow(|requested| {
        let states = requested.iter();
        let reasons = states.filter_map(|(language, state)| match state {
            Requested::Unavailable(unavailable) => Some((*language, unavailable.reason.clone())),
            Requested::Added { .. } => None,
        });
        reasons.collect()
    })
}

/// Returns the languages that were parsed without a grammar since the last call, because nothing
/// requested it. Synchronous functions cannot request one; their caller loads it and calls again.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::grammars::take_missing_grammars;
/// use ragnav_syntax::{extract_outline, find_language};
///
/// extract_outline(find_language("python").unwrap(), "def f(): pass\n");
/// // This build links the grammar.
/// assert!(take_missing_grammars().is_empty());
/// ```
#[must_use]
pub fn take_missing_grammars() -> Vec<&'static str> {
    MISSING.with_borrow_mut(|missing| std::mem::take(missing).into_iter().collect())
}

/// Returns the grammar of a language, or `None` if this thread has none.
pub(crate) fn grammar(language: &'static str) -> Option<Grammar> {
    let known = REQUESTED.with_borrow(|requested| match requested.get(language)? {
        Requested::Added { grammar, .. } => Some(Some(grammar.clone())),
        Requested::Unavailable(_) => Some(None),
    });
    if let Some(known) = known {
        return known;
    }
    let linked = linked_grammar(language);
    if linked.is_none() {
        MISSING.with_borrow_mut(|missing| missing.insert(language));
    }
    linked
}

/// Returns the queries of a plug-in, compiled for its [`grammar`].
pub(crate) fn queries(language: &str) -> Option<Rc<Queries>> {
    REQUESTED.with_borrow(|requested| match requested.get(language)? {
        Requested::Added { queries, .. } => queries.clone(),
        Requested::Unavailable(_) => None,
    })
}

/// Returns how often the grammars of this thread have changed. What was extracted before the last
/// change may be outdated.
pub(crate) fn changes() -> u64 {
    CHANGES.get()
}

/// Adds the grammar of a language, and the compiled queries of a plug-in.
pub(crate) fn add(language: &'static str, grammar: Grammar, queries: Option<Rc<Queries>>) {
    set_requested(language, Requested::Added { grammar, queries });
}

/// Notes why the host could not load a grammar.
pub(crate) fn mark_unavailable(language: &'static str, reason: String) {
    let may_retry = false;
    let unavailable = Unavailable { reason, may_retry };
    set_requested(language, Requested::Unavailable(unavailable));
}

fn set_requested(language: &'static str, state: Requested) {
    CHANGES.set(CHANGES.get() + 1);
    REQUESTED.with_borrow_mut(|requested| requested.insert(language, state));
}

/// Reports whether this thread has the grammar of a language.
pub(crate) fn is_available(language: &str) -> bool {
    let is_added = |state: &Requested| matches!(state, Requested::Added { .. });
    REQUESTED.with_borrow(|requested| requested.get(language).is_some_and(is_added))
        || linked_grammar(language).is_some()
}

/// Reports whether the host should be asked for the grammar of a language.
pub(crate) fn must_request(language: &str) -> bool {
    let state = REQUESTED.with_borrow(|requested| match requested.get(language)? {
        Requested::Added { .. } => Some(false),
        Requested::Unavailable(unavailable) => Some(unavailable.may_retry),
    });
    state.unwrap_or_else(|| linked_grammar(language).is_none())
}

#[cfg(feature = "grammars")]
fn linked_grammar(language: &str) -> Option<Grammar> {
    let function = match language {
        "bash" => tree_sitter_bash::LANGUAGE,
        "c" => tree_sitter_c::LANGUAGE,
        "cpp" => tree_sitter_cpp::LANGUAGE,
        "csharp" => tree_sitter_c_sharp::LANGUAGE,
        "dart" => tree_sitter_dart::LANGUAGE,
        "elixir" => tree_sitter_elixir::LANGUAGE,
        "go" => tree_sitter_go::LANGUAGE,
        "java" => tree_sitter_java::LANGUAGE,
        "javascript" => tree_sitter_javascript::LANGUAGE,
        "kotlin" => tree_sitter_kotlin_sg::LANGUAGE,
        "lua" => tree_sitter_lua::LANGUAGE,
        "php" => tree_sitter_php::LANGUAGE_PHP,
        "python" => tree_sitter_python::LANGUAGE,
        "ruby" => tree_sitter_ruby::LANGUAGE,
        "rust" => tree_sitter_rust::LANGUAGE,
        "scala" => tree_sitter_scala::LANGUAGE,
        "swift" => tree_sitter_swift::LANGUAGE,
        "tsx" => tree_sitter_typescript::LANGUAGE_TSX,
        "typescript" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        "zig" => tree_sitter_zig::LANGUAGE,
        _ => return None,
    };
    Some(function.into())
}

#[cfg(not(feature = "grammars"))]
fn linked_grammar(_language: &str) -> Option<Grammar> {
    None
}
