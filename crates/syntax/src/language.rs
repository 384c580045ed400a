//! The description of a language: its name, its files, and its extractors.

use tree_sitter::Tree;

use crate::facts::Facts;
use crate::raw_definition::RawDefinition;
use crate::symbol::Outline;

/// A programming language.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::find_language;
///
/// let python = find_language("python").unwrap();
/// assert_eq!((python.name, python.package_file), ("python", Some("__init__")));
/// ```
#[derive(Debug)]
pub struct Language {
    /// The name by which callers select the language, in lower case: `python`.
    pub name: &'static str,
    /// The file extensions of the language, in lower case and without a dot.
    pub(crate) extensions: &'static [&'static str],
    /// The stem of the file that represents its folder in module names: `__init__` in Python.
    pub package_file: Option<&'static str>,
    /// The source of its definitions and facts.
    pub(crate) extractor: Extractor,
}

impl Language {
    /// Reports whether the language is a [plug-in](crate::plugin), not one of this build.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(!ragnav_syntax::find_language("python").unwrap().is_plugin());
    /// ```
    #[must_use]
    pub fn is_plugin(&self) -> bool {
        matches!(self.extractor, Extractor::Queries(_))
    }
}

/// The source of the definitions and facts of a language.
#[derive(Debug)]
pub(crate) enum Extractor {
    /// Code of this crate.
    Code(Code),
    /// The queries of a plug-in. They are compiled when its grammar is added.
    Queries(QueryTexts),
}

/// The functions of a language of this build.
#[derive(Debug)]
pub(crate) struct Code {
    /// Rewrites text that the grammar would parse in quadratic time. Keeps every byte offset.
    ///
    /// Returns `None` if the text needs no rewriting.
    pub(crate) prepare: fn(&str) -> Option<String>,
    /// Rewrites text for which the parser reports an error that is a fault of the grammar, or that
    /// an unfinished edit causes. Keeps every byte offset.
    ///
    /// Returns `None` if there is nothing to repair.
    pub(crate) repair: fn(&str) -> Option<String>,
    pub(crate) definitions: fn(&Tree, &str) -> Outline<RawDefinition>,
    pub(crate) facts: fn(&Tree, &str) -> Facts,
}

/// The texts of a plug-in's queries.
#[derive(Debug)]
pub(crate) struct QueryTexts {
    /// The text of `tags.scm`.
    pub(crate) tags: String,
    /// The text of `locals.scm`.
    pub(crate) locals: Option<String>,
}
