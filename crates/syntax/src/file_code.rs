//! The code in the text of a file, and the language whose rules read it.

use std::borrow::Cow;

use crate::language::{Extractor, Language};
use crate::languages::{is_header_of_cpp, own_language};
use crate::parse::{ParsedText, parse};
use crate::source_text::SourceText;
use crate::{cpp, grammars};

/// The code of a file. Its language is that of the file, unless the file embeds code.
pub(crate) struct FileCode<'t> {
    pub(crate) language: &'t Language,
    /// The text of the file, in which everything but the code is blank.
    code: Cow<'t, str>,
    /// What is read instead if the code has a syntax error.
    without_markup: Option<String>,
    file: &'t str,
    /// Whether some of the code could not be found or was left out.
    pub(crate) is_partial: bool,
}

impl<'t> FileCode<'t> {
    /// Finds the code in the text of a file. Returns `None` if there is none.
    pub(crate) fn find(language: &'t Language, text: &'t str) -> Option<Self> {
        let all = |language| Self {
            language,
            code: text.into(),
            without_markup: None,
            file: text,
            is_partial: false,
        };
        let Extractor::Embedded(embedding) = &language.extractor else {
            return Some(all(language_of_text(language, text)));
        };
        let found = (embedding.find)(text)?;
        Some(Self {
            language: own_language(found.language)?,
            code: found.text.into(),
            without_markup: found.without_markup,
            file: text,
            is_partial: found.is_partial,
        })
    }

    /// Parses the code, or without the code in markup if that has a syntax error.
    pub(crate) fn parse(&mut self) -> Option<ParsedText> {
        let parsed = parse(self.language, &self.code)?;
        let has_error = parsed.tree.root_node().has_error();
        let Some(simpler) = self.without_markup.take_if(|_| has_error) else {
            return Some(parsed);
        };
        self.code = simpler.into();
        self.is_partial = true;
        parse(self.language, &self.code)
    }

    pub(crate) fn text(&self) -> SourceText<'_> {
        SourceText {
            file: self.file,
            code: &self.code,
        }
    }
}

/// Returns the language whose rules read a text that is nothing but code: C++ for a header of C++.
///
/// Without the grammar of C++, the rules of C read the header.
fn language_of_text<'l>(language: &'l Language, text: &str) -> &'l Language {
    if is_header_of_cpp(language, text) && grammars::grammar(cpp::LANGUAGE.name).is_some() {
        &cpp::LANGUAGE
    } else {
        language
    }
}
