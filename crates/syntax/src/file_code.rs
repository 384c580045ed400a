//! The code in the text of a file, and the language whose rules read it.

use std::borrow::Cow;

use crate::conflicts::{self, Unmarked};
use crate::language::{Extractor, Language};
use crate::languages::{is_header_of_cpp, own_language};
use crate::parse::{ParsedText, Reuse, parse};
use crate::source_text::SourceText;
use crate::{cpp, grammar_registry};

/// The code of a file. Its language is that of the file, unless the file embeds code.
pub(crate) struct FileCode<'t> {
    pub(crate) language: &'t Language,
    /// The text of the file, in which everything but the code is blank.
    code: Cow<'t, str>,
    /// What is read instead if the code has a syntax error: less of it.
    less_code: Option<String>,
    file: &'t str,
    /// Whether some of the code could not be found or was left out.
    pub(crate) is_partial: bool,
}

impl<'t> FileCode<'t> {
    /// Finds the code in the text of a file. Returns `None` if there is none.
    pub(crate) fn find(language: &'t Language, text: &'t str) -> Option<Self> {
        let unmarked = conflicts::unmark(text);
        let Extractor::Embedded(embedding) = &language.extractor else {
            let language = language_of_text(language, text);
            return Some(Self::of_whole(language, text, unmarked));
        };
        let has_conflicts = unmarked.is_some();
        let first_sides = unmarked.map(|unmarked| unmarked.first_sides);
        let found = (embedding.find)(first_sides.as_deref().unwrap_or(text))?;
        Some(Self {
            language: own_language(found.language)?,
            code: found.text.into(),
            less_code: found.without_markup,
            file: text,
            is_partial: found.is_partial || has_conflicts,
        })
    }

    /// Returns the code of a file that is nothing but code.
    fn of_whole(language: &'t Language, file: &'t str, unmarked: Option<Unmarked>) -> Self {
        let (code, less_code) = match unmarked {
            Some(unmarked) => (unmarked.both_sides.into(), Some(unmarked.first_sides)),
            None => (file.into(), None),
        };
        Self {
            language,
            code,
            less_code,
            file,
            is_partial: false,
        }
    }

    /// Parses the code, or less of it if that has a syntax error: nothing in markup, or only the
    /// first side of each conflict.
    pub(crate) fn parse(&mut self, reuse: Reuse) -> Option<ParsedText> {
        let parsed = parse(self.language, &self.code, reuse)?;
        let has_error = parsed.tree.has_error();
        let Some(less_code) = self.less_code.take_if(|_| has_error) else {
            return Some(parsed);
        };
        self.code = less_code.into();
        self.is_partial = true;
        parse(self.language, &self.code, reuse)
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
    if is_header_of_cpp(language, text) && grammar_registry::grammar(cpp::LANGUAGE.name).is_some() {
        &cpp::LANGUAGE
    } else {
        language
    }
}
