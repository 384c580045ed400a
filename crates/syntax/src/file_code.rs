//! The code in the text of a file, and the language whose rules read it.

use std::borrow::Cow;

use crate::language::{Extractor, Language};
use crate::languages::own_language;
use crate::source_text::SourceText;
use crate::{c, cpp, grammars};

/// The code of a file. Its language is that of the file, unless the file embeds code.
pub(crate) struct FileCode<'t> {
    pub(crate) language: &'t Language,
    /// The text of the file, in which everything but the code is blank.
    code: Cow<'t, str>,
    file: &'t str,
    /// Whether some of the code could not be found.
    pub(crate) is_partial: bool,
}

impl<'t> FileCode<'t> {
    /// Finds the code in the text of a file. Returns `None` if there is none.
    pub(crate) fn find(language: &'t Language, text: &'t str) -> Option<Self> {
        let all = |language| Self {
            language,
            code: text.into(),
            file: text,
            is_partial: false,
        };
        let Extractor::Embedded(embedding) = &language.extractor else {
            return Some(all(with_headers_of_cpp(language, text)));
        };
        let found = (embedding.find)(text)?;
        Some(Self {
            language: own_language(found.language)?,
            code: found.text.into(),
            file: text,
            is_partial: found.is_partial,
        })
    }

    pub(crate) fn text(&self) -> SourceText<'_> {
        SourceText {
            file: self.file,
            code: &self.code,
        }
    }
}

/// Returns the languages whose grammars read a text: first the one that it needs, then the one that
/// reads it better.
pub(crate) fn needed_languages(language: &Language, text: &str) -> Vec<&'static str> {
    match &language.extractor {
        Extractor::Embedded(embedding) => {
            let found = (embedding.find)(text);
            found.into_iter().map(|code| code.language).collect()
        }
        _ if is_header_of_cpp(language, text) => vec![language.name, cpp::LANGUAGE.name],
        _ => vec![language.name],
    }
}

/// Without the grammar of C++, the rules of C read its headers.
fn with_headers_of_cpp<'l>(language: &'l Language, text: &str) -> &'l Language {
    let is_cpp = is_header_of_cpp(language, text);
    if is_cpp && grammars::grammar(cpp::LANGUAGE.name).is_some() {
        &cpp::LANGUAGE
    } else {
        language
    }
}

/// Reports whether a text is a header of C++, whose extension is that of C.
fn is_header_of_cpp(language: &Language, text: &str) -> bool {
    language.name == c::LANGUAGE.name && cpp::is_cpp(text)
}
