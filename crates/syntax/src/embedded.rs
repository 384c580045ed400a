//! Files that embed code of another language: single-file components, Markdown and notebooks.
//!
//! Spaces replace everything but the code, so that each token keeps its byte offset. Then the
//! extractor of the code's language reads the text.

mod blanked_text;
mod components;
mod markdown;
mod notebooks;
mod script_tags;
mod templates;

use crate::language::{Embedding, Extractor, Language};

pub(crate) use self::components::{ASTRO, SVELTE, VUE};
pub(crate) use self::markdown::LANGUAGE as MARKDOWN;
pub(crate) use self::notebooks::LANGUAGE as NOTEBOOK;

/// Describes a language whose files embed code.
const fn language(
    name: &'static str,
    extensions: &'static [&'static str],
    embedding: Embedding,
) -> Language {
    Language {
        name,
        extensions,
        package_file: None,
        extractor: Extractor::Embedded(embedding),
    }
}
