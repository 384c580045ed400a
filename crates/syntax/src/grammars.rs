//! The grammars of the languages: linked into the build, or added at run time.
//!
//! A build with the feature `grammars` links all of them. Another build has none at first: the host
//! loads a grammar when a query meets the first file of its language. A grammar belongs to the
//! thread that loaded it.

use std::rc::Rc;

use tree_sitter::{LANGUAGE_VERSION, Language as Grammar, MIN_COMPATIBLE_LANGUAGE_VERSION};
use tree_sitter_language::LanguageFn;

use crate::grammar_registry::{self as registry, is_available, must_request};
use crate::language::{Extractor, Language};
use crate::languages::{detect_language, find_language, needed_languages};
use crate::plugin::queries::Queries;
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{Host, LoadGrammarRequest, Response};
use ragnav_base::path::RepoPath;

pub use crate::grammar_registry::{retry_unavailable, take_missing_grammars, unavailable_grammars};

/// The function of a grammar in C, such as `tree_sitter_python`. It returns a `TSLanguage`.
pub type GrammarFunction = unsafe extern "C" fn() -> *const ();

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
    registry::add(language.name, grammar, queries);
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
    registry::mark_unavailable(language, reason);
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
        registry::mark_unavailable("go", String::new());
        retry_unavailable();
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
        assert_eq!(registry::grammar("go").unwrap().name(), Some("python"));
        assert_eq!(take_missing_grammars(), [""; 0]);
    }
}
