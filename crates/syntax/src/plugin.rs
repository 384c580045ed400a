//! Languages that a program adds: a grammar of tree-sitter with its queries.
//!
//! The queries are those that the authors of grammars publish: `tags.scm` captures definitions and
//! references, `locals.scm` captures the scopes of local names. Plug-ins belong to a thread, as
//! [grammars](crate::grammars) do, and stay as long as the program.

mod bodies;
mod comments;
mod definitions;
mod enclosing;
mod facts;
mod locals;
mod names;
pub(crate) mod queries;
pub(crate) mod registry;
mod run;
mod tags;

use serde::Deserialize;
use xxhash_rust::xxh3::Xxh3;

use crate::extractors::PLUGIN_EXTRACTOR;
use crate::language::{Extractor, Language, QueryTexts};
use crate::languages::{find_language, own_languages};
use ragnav_base::error::RagnavError;
use ragnav_base::sort::SmallSort;

/// A language that a program adds.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::plugin::{LanguagePlugin, add_language};
/// use ragnav_syntax::{extract_outline, find_language, grammars};
///
/// let plugin = LanguagePlugin {
///     name: "rbx".to_owned(),
///     extensions: vec!["rbx".to_owned()],
///     tags: "(method name: (_) @name) @definition.method".to_owned(),
///     locals: None,
///     grammar_hash: "1".to_owned(),
/// };
/// add_language(&plugin).unwrap();
/// grammars::link_grammar("rbx", tree_sitter_ruby::LANGUAGE).unwrap();
/// let outline = extract_outline(find_language("rbx").unwrap(), "def total\nend\n");
/// assert_eq!(outline.definitions[0].name_path, "total");
/// ```
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct LanguagePlugin {
    /// The name, in lower case: `haskell`.
    pub name: String,
    /// The extensions of its files, with or without a dot: `hs`.
    pub extensions: Vec<String>,
    /// The text of its `tags.scm`.
    pub tags: String,
    /// The text of its `locals.scm`.
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string | null | undefined"))]
    pub locals: Option<String>,
    /// A hash of the bytes of its grammar. Files are extracted again when it changes.
    pub grammar_hash: String,
}

/// The maximum number of plug-ins. Their memory is never freed.
const MAX_PLUGINS: usize = 256;
/// The maximum length of a name or an extension, in bytes.
const MAX_WORD: usize = 64;

/// Adds a language to this thread. Its [grammar](crate::grammars::link_grammar) may follow later.
///
/// A name or an extension belongs to one language, so a plug-in cannot replace another language.
///
/// # Errors
/// `INVALID_ARGUMENT` for a name or an extension that is malformed or taken.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::plugin::{LanguagePlugin, add_language};
///
/// let plugin = LanguagePlugin {
///     name: "snake".to_owned(),
///     extensions: vec!["py".to_owned()],
///     tags: String::new(),
///     locals: None,
///     grammar_hash: String::new(),
/// };
/// let error = add_language(&plugin).unwrap_err();
/// assert!(error.message.contains("files with the extension \"py\" are in python"));
/// ```
pub fn add_language(plugin: &LanguagePlugin) -> Result<(), RagnavError> {
    let name = plugin.name.as_str();
    check_name(name)?;
    if find_language(name).is_ok() {
        let message =
            format!("there is a language {name:?} already; give the plug-in another name");
        return Err(RagnavError::invalid(message));
    }
    let extensions = valid_extensions(plugin)?;
    let hash = hash(plugin, &extensions);
    if registry::all().len() >= MAX_PLUGINS {
        let message = format!("there are {MAX_PLUGINS} plug-ins already; leave some out");
        return Err(RagnavError::invalid(message));
    }
    let language = leak(plugin, extensions);
    registry::add(language, hash);
    Ok(())
}

fn check_name(name: &str) -> Result<(), RagnavError> {
    let is_letter = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    let is_valid = name.bytes().all(|byte| is_letter(byte) || byte == b'_');
    if is_valid && !name.is_empty() && name.len() <= MAX_WORD {
        return Ok(());
    }
    let message = format!(
        "{name:?} cannot be the name of a language; use lower-case letters, digits and \"_\""
    );
    Err(RagnavError::invalid(message))
}

/// Returns the extensions in lower case and without a dot.
fn valid_extensions(plugin: &LanguagePlugin) -> Result<Vec<String>, RagnavError> {
    let name = plugin.name.as_str();
    if plugin.extensions.is_empty() {
        let message =
            format!("the language {name} has no extensions; name one, such as \"{name}\"");
        return Err(RagnavError::invalid(message));
    }
    let mut valid: Vec<String> = Vec::with_capacity(plugin.extensions.len());
    for given in &plugin.extensions {
        let extension = given
            .strip_prefix('.')
            .unwrap_or(given)
            .to_ascii_lowercase();
        let is_word = !extension.is_empty() && extension.len() <= MAX_WORD;
        if !is_word || extension.contains(['.', '/', '\\', '*']) {
            let message = format!(
                "{given:?} is no extension of {name}; name the letters after the last dot, such as \
                 \"{name}\""
            );
            return Err(RagnavError::invalid(message));
        }
        if let Some(other) = language_with(&extension) {
            let message = format!(
                "files with the extension {extension:?} are in {other} already; an extension has \
                 one language, so leave it out of {name}"
            );
            return Err(RagnavError::invalid(message));
        }
        if valid.contains(&extension) {
            let message = format!("{name} has the extension {extension:?} twice; leave one out");
            return Err(RagnavError::invalid(message));
        }
        valid.push(extension);
    }
    Ok(valid)
}

fn language_with(extension: &str) -> Option<&'static str> {
    let has_extension = |language: &Language| language.extensions.contains(&extension);
    let own = own_languages().find(|language| has_extension(language));
    own.or_else(|| registry::find(has_extension))
        .map(|language| language.name)
}

/// Hashes everything that the facts of a plug-in depend on, and the files that it reads.
fn hash(plugin: &LanguagePlugin, extensions: &[String]) -> u64 {
    let mut extensions = extensions.to_vec();
    extensions.small_sort();
    let mut hash = Xxh3::new();
    hash.update(&PLUGIN_EXTRACTOR.to_le_bytes());
    let locals = plugin.locals.as_deref();
    let parts = [
        plugin.name.as_str(),
        plugin.grammar_hash.as_str(),
        plugin.tags.as_str(),
        locals.unwrap_or_default(),
        extensions.join(".").as_str(),
    ]
    .map(str::to_owned);
    for part in parts {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.digest()
}

/// Makes a language that lives as long as the program. The data of its grammar is not freed either.
fn leak(plugin: &LanguagePlugin, extensions: Vec<String>) -> &'static Language {
    let leak_text = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let extensions: Vec<&'static str> = extensions.into_iter().map(leak_text).collect();
    let texts = QueryTexts {
        tags: plugin.tags.clone(),
        locals: plugin.locals.clone(),
    };
    Box::leak(Box::new(Language {
        name: leak_text(plugin.name.clone()),
        extensions: Box::leak(extensions.into_boxed_slice()),
        package_file: None,
        extractor: Extractor::Queries(texts),
    }))
}
