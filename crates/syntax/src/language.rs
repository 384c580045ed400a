//! The description of a language: its name, its files, and its extractors.

use crate::facts::{BodyHash, Conditions, Facts};
use crate::raw_definition::RawDefinition;
use crate::source_text::SourceText;
use crate::symbol::Outline;
use crate::syntax_tree::SyntaxTree;

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
    pub extensions: &'static [&'static str],
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

    /// Returns the names of the languages of the code that files of the language embed; empty if
    /// they are code themselves.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::find_language;
    ///
    /// assert_eq!(find_language("jupyter").unwrap().embeds(), ["python"]);
    /// assert!(find_language("python").unwrap().embeds().is_empty());
    /// ```
    #[must_use]
    pub fn embeds(&self) -> &'static [&'static str] {
        match &self.extractor {
            Extractor::Embedded(embedding) => embedding.languages,
            Extractor::Code(_) | Extractor::Queries(_) => &[],
        }
    }

    /// Reports whether files of the language are texts for readers, with some code.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::find_language;
    ///
    /// assert!(find_language("markdown").unwrap().is_prose());
    /// assert!(!find_language("vue").unwrap().is_prose());
    /// ```
    #[must_use]
    pub fn is_prose(&self) -> bool {
        matches!(&self.extractor, Extractor::Embedded(embedding) if embedding.is_prose)
    }
}

/// The source of the definitions and facts of a language.
#[derive(Debug)]
pub(crate) enum Extractor {
    /// Code of this crate.
    Code(Code),
    /// The extractor of another language, for the code that is embedded in a file.
    Embedded(Embedding),
    /// The queries of a plug-in. They are compiled when its grammar is added.
    Queries(QueryTexts),
}

/// The functions of a language of this build.
#[derive(Debug)]
pub(crate) struct Code {
    /// Rewrites text that the grammar would parse in quadratic time or wrongly, or at which its
    /// scanner would crash. Keeps every byte offset.
    ///
    /// Returns `None` if the text needs no rewriting.
    pub(crate) prepare: fn(&str) -> Option<String>,
    /// Rewrites text for which the parser reports an error that is a fault of the grammar, or that
    /// an unfinished edit causes. Keeps every byte offset.
    ///
    /// Returns `None` if there is nothing to repair.
    pub(crate) repair: fn(&str) -> Option<String>,
    pub(crate) definitions: fn(&SyntaxTree, &str) -> Outline<RawDefinition>,
    pub(crate) facts: fn(&SyntaxTree, SourceText<'_>) -> Facts,
    /// Hashes the bodies of those definitions that have these indices.
    pub(crate) bodies: fn(&SyntaxTree, &str, &[usize]) -> Vec<BodyHash>,
    /// Finds the conditions under which the parts of a text are compiled.
    pub(crate) conditions: fn(&SyntaxTree, &str) -> Conditions,
}

/// Returns no conditions, for languages without conditional compilation.
pub(crate) fn no_conditions(_: &SyntaxTree, _: &str) -> Conditions {
    Conditions::default()
}

/// The code of a file, and its language.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EmbeddedCode {
    /// The text of the file, in which everything but the code is blank.
    pub(crate) text: String,
    /// The same without the code that stands in markup; `None` if there is none of it. It is read
    /// if the text has a syntax error, since an error in a template must not hide the script.
    pub(crate) without_markup: Option<String>,
    /// The name of the language of the code.
    pub(crate) language: &'static str,
    /// Whether some of the code could not be found.
    pub(crate) is_partial: bool,
}

/// The rules by which code is found in files of a language.
#[derive(Debug)]
pub(crate) struct Embedding {
    /// Finds the code in a text. Returns `None` if there is none.
    pub(crate) find: fn(&str) -> Option<EmbeddedCode>,
    /// The names of the languages in which the code may be.
    pub(crate) languages: &'static [&'static str],
    /// Whether most of the text is for readers.
    pub(crate) is_prose: bool,
}

/// The texts of a plug-in's queries.
#[derive(Debug)]
pub(crate) struct QueryTexts {
    /// The text of `tags.scm`.
    pub(crate) tags: String,
    /// The text of `locals.scm`.
    pub(crate) locals: Option<String>,
}
