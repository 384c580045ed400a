//! The grammars of the languages: linked into the build, or added at run time.
//!
//! A build with the feature `grammars` links all of them. Another build has none at first: the host
//! loads a grammar when a query meets the first file of its language. A grammar that was added
//! replaces one that is linked. Grammars belong to a thread, as an instance of WebAssembly has one.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tree_sitter::{LANGUAGE_VERSION, Language as Grammar, MIN_COMPATIBLE_LANGUAGE_VERSION};
use tree_sitter_language::LanguageFn;

use crate::language::{Extractor, Language};
use crate::languages::{detect_language, find_language, needed_languages};
use crate::plugin::queries::Queries;
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{Host, LoadGrammarRequest, Response};
use ragnav_base::path::RepoPath;

/// The function of a grammar in C, such as `tree_sitter_python`. It returns a `TSLanguage`.
pub type GrammarFunction = unsafe extern "C" fn() -> *const ();

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

/// Adds the grammar of a language to this thread.
///
/// # Safety
/// `function` must return a pointer to a `TSLanguage` that is never freed.
///
/// # Errors
/// Those of [`link_grammar`].
///
/// # Examples
///
/// ```
/// use ragnav_syntax::grammars::add_grammar;
/// use ragnav_syntax::{extract_outline, find_language};
///
/// let function = tree_sitter_python::LANGUAGE.into_raw();
/// // SAFETY: the function of the crate returns a static language.
/// unsafe { add_grammar("python", function) }.unwrap();
/// let outline = extract_outline(find_language("python").unwrap(), "def f(): pass\n");
/// assert_eq!(outline.definitions.len(), 1);
/// ```
#[expect(unsafe_code, reason = "a grammar is C code")]
pub unsafe fn add_grammar(language: &str, function: GrammarFunction) -> Result<(), RagnavError> {
    // SAFETY: the caller guarantees what the function returns.
    link_grammar(language, unsafe { LanguageFn::from_raw(function) })
}

/// Adds the grammar of a language to this thread, as the crate of the grammar declares it.
///
/// # Errors
/// `LANGUAGE_UNAVAILABLE` for an unknown language, for a grammar whose ABI version tree-sitter does
/// not support, and for a [plug-in](crate::plugin) whose queries do not fit the grammar.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{extract_outline, find_language, grammars};
///
/// grammars::link_grammar("go", tree_sitter_go::LANGUAGE).unwrap();
/// let outline = extract_outline(find_language("go").unwrap(), "func f() {}\n");
/// assert_eq!(outline.definitions[0].name_path, "f");
/// ```
pub fn link_grammar(language: &str, function: LanguageFn) -> Result<(), RagnavError> {
    let language = find_language(language)?;
    let grammar = Grammar::new(function);
    let version = grammar.abi_version();
    if !(MIN_COMPATIBLE_LANGUAGE_VERSION..=LANGUAGE_VERSION).contains(&version) {
        let message = format!(
            "the grammar of {} has ABI version {version}, but ragnav supports \
             {MIN_COMPATIBLE_LANGUAGE_VERSION} to {LANGUAGE_VERSION}; generate its parser with \
             another version of tree-sitter",
            language.name
        );
        return Err(RagnavError::new(ErrorCode::LanguageUnavailable, message));
    }
    let queries = match &language.extractor {
        Extractor::Code(_) => None,
        Extractor::Embedded(_) => {
            let message = format!(
                "files of {0} embed code of {1}; add the grammar of that instead",
                language.name,
                language.grammars().join(" or ")
            );
            return Err(RagnavError::new(ErrorCode::LanguageUnavailable, message));
        }
        Extractor::Queries(texts) => Some(Rc::new(Queries::compile(texts, &grammar)?)),
    };
    set_requested(language.name, Requested::Added { grammar, queries });
    Ok(())
}

/// Has the host load the grammar that reads a file, unless this thread has it.
///
/// Queries call it before they parse a file. If the host cannot load the grammar, the facts of the
/// file are [partial](crate::facts::Facts::is_partial), and [`unavailable_grammars`] has the
/// reason.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
/// use ragnav_syntax::grammars::{check_grammar, load_grammar};
///
/// // This build links the grammar, so that the host need not load it.
/// let path = RepoPath::parse("a.py").unwrap();
/// let text = "def f(): pass\n";
/// block_on(load_grammar(&MemoryHost::default(), &path, text));
/// assert!(check_grammar(&path, text).is_ok());
/// ```
pub async fn load_grammar(host: &impl Host, path: &RepoPath, text: &str) {
    let language = detect_language(path);
    let needed = language.map(|language| needed_languages(language, text));
    load_grammars(host, needed.unwrap_or_default()).await;
}

/// Has the host load the grammar of a file's language, before the text of the file is known.
///
/// Whether another grammar is needed, for code that the file embeds, only its text says; see
/// [`take_missing_grammars`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
/// use ragnav_syntax::grammars::load_grammar_of_path;
///
/// let path = RepoPath::parse("a.py").unwrap();
/// block_on(load_grammar_of_path(&MemoryHost::default(), &path));
/// ```
pub async fn load_grammar_of_path(host: &impl Host, path: &RepoPath) {
    let language = detect_language(path);
    let own = language.filter(|own| !matches!(own.extractor, Extractor::Embedded(_)));
    load_grammars(host, own.map(|own| own.name)).await;
}

/// Has the host load the grammars of languages, unless this thread has them. Returns the languages
/// whose grammars were loaded.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_syntax::grammars::load_grammars;
///
/// // This build links the grammar, so that the host need not load it.
/// let loaded = block_on(load_grammars(&MemoryHost::default(), ["python"]));
/// assert!(loaded.is_empty());
/// ```
pub async fn load_grammars<N: AsRef<str>>(
    host: &impl Host,
    languages: impl IntoIterator<Item = N>,
) -> Vec<&'static str> {
    let mut loaded = Vec::new();
    for language in languages {
        let Ok(language) = find_language(language.as_ref()) else {
            continue;
        };
        if must_request(language.name) {
            request_grammar(host, language.name).await;
            loaded.extend(is_available(language.name).then_some(language.name));
        }
    }
    loaded
}

async fn request_grammar(host: &impl Host, language: &'static str) {
    let request = LoadGrammarRequest {
        language: language.to_owned(),
    };
    let reason = match host.respond(request.into()).await {
        Response::Failed(reason) => reason,
        _ if is_available(language) => return,
        _ => "the host loaded no grammar".to_owned(),
    };
    let may_retry = false;
    let unavailable = Unavailable { reason, may_retry };
    set_requested(language, Requested::Unavailable(unavailable));
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

/// Checks that the grammar that reads a file is not one that the host failed to load.
///
/// # Errors
/// `LANGUAGE_UNAVAILABLE` with the reason of the host.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_syntax::grammars::check_grammar;
///
/// // A file in no known language needs no grammar.
/// assert!(check_grammar(&RepoPath::parse("notes.txt").unwrap(), "text").is_ok());
/// ```
pub fn check_grammar(path: &RepoPath, text: &str) -> Result<(), RagnavError> {
    let needed = detect_language(path).map(|language| needed_languages(language, text));
    let language = needed.and_then(|needed| needed.first().copied());
    let unavailable = unavailable_grammars();
    let own = unavailable.iter().find(|(name, _)| Some(*name) == language);
    own.map_or(Ok(()), |(name, reason)| {
        let message = format!("the grammar of {name} cannot be loaded: {reason}");
        Err(RagnavError::new(ErrorCode::LanguageUnavailable, message))
    })
}

/// Returns the languages whose rules may read a file, of those that have a grammar.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_syntax::grammars::languages_with_grammar;
///
/// let header = RepoPath::parse("cart.h").unwrap();
/// assert_eq!(languages_with_grammar(&header).collect::<Vec<_>>(), ["c", "cpp"]);
/// ```
pub fn languages_with_grammar(path: &RepoPath) -> impl Iterator<Item = &'static str> {
    let names = detect_language(path).map(Language::grammars);
    let names = names.into_iter().flatten();
    names.filter(|name| is_available(name))
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

fn set_requested(language: &'static str, state: Requested) {
    CHANGES.set(CHANGES.get() + 1);
    REQUESTED.with_borrow_mut(|requested| requested.insert(language, state));
}

/// Reports whether this thread has every grammar that reads a text in a language. Otherwise its
/// facts change when a grammar is loaded.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::find_language;
/// use ragnav_syntax::grammars::are_available;
///
/// // This build links all grammars.
/// assert!(are_available(find_language("c").unwrap(), "class A {};\n"));
/// ```
#[must_use]
pub fn are_available(language: &Language, text: &str) -> bool {
    let mut needed = needed_languages(language, text).into_iter();
    needed.all(is_available)
}

fn is_available(language: &str) -> bool {
    let is_added = |state: &Requested| matches!(state, Requested::Added { .. });
    REQUESTED.with_borrow(|requested| requested.get(language).is_some_and(is_added))
        || linked_grammar(language).is_some()
}

fn must_request(language: &str) -> bool {
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

#[cfg(feature = "grammars")]
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use super::*;
    use crate::extract_outline;
    use ragnav_base::host::Request;
    use std::task::{Context, Poll, Waker};

    struct FailingHost;

    impl Host for FailingHost {
        async fn respond(&self, _: Request) -> Response {
            Response::Failed("tree-sitter-go.wasm is missing".to_owned())
        }
    }

    fn load(path: &str) {
        let path = RepoPath::parse(path).unwrap();
        let mut load = std::pin::pin!(load_grammar(&FailingHost, &path, ""));
        let poll = load.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!(poll, Poll::Ready(()));
    }

    #[test]
    fn a_linked_grammar_is_never_requested() {
        load("a.go");
        assert_eq!(unavailable_grammars(), []);
    }

    #[test]
    fn files_of_an_unavailable_grammar_are_partial() {
        let may_retry = true;
        let reason = String::new();
        let unavailable = Unavailable { reason, may_retry };
        set_requested("go", Requested::Unavailable(unavailable));
        load("a.go");
        let reason = "tree-sitter-go.wasm is missing".to_owned();
        assert_eq!(unavailable_grammars(), [("go", reason)]);
        let outline = extract_outline(find_language("go").unwrap(), "func f() {}\n");
        assert!(outline.is_partial && outline.definitions.is_empty());
        let error = check_grammar(&RepoPath::parse("b.go").unwrap(), "").unwrap_err();
        assert_eq!(error.code, ErrorCode::LanguageUnavailable);
        assert!(error.message.contains("tree-sitter-go.wasm is missing"));
        assert!(check_grammar(&RepoPath::parse("b.py").unwrap(), "").is_ok());
    }

    #[test]
    fn an_added_grammar_replaces_a_linked_one() {
        let function = tree_sitter_python::LANGUAGE.into_raw();
        #[expect(unsafe_code, reason = "a grammar is C code")]
        // SAFETY: the crate's function returns a static language.
        unsafe { add_grammar("go", function) }.unwrap();
        let outline = extract_outline(find_language("python").unwrap(), "def f(): pass\n");
        assert_eq!(outline.definitions.len(), 1);
        assert_eq!(grammar("go").unwrap().name(), Some("python"));
        assert_eq!(take_missing_grammars(), [""; 0]);
    }
}
