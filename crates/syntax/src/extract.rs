//! From a text to its definitions and facts.

use crate::facts::Facts;
use crate::language::Language;
use crate::parse::{Parsed, parse};
use crate::raw_definition::symbols_of;
use crate::symbol::{Outline, Symbol};

/// The definitions in a text, in the order of the text.
///
/// Never fails: what the grammar makes sense of around a syntax error is answered for. Time and
/// memory grow linearly with the text; the tree takes some sixty times its size while this runs.
/// Of a text that the grammar would take far longer for, none is.
#[must_use]
pub fn outline(language: &Language, text: &str) -> Outline {
    let Some(Parsed { tree, end }) = parse(language, text) else {
        return Outline {
            definitions: Vec::new(),
            is_partial: true,
        };
    };
    let found = (language.definitions)(&tree, text);
    Outline {
        is_partial: found.is_partial || end < text.len(),
        ..found.map(|definitions| symbols_of(definitions, text))
    }
}

/// The definitions of [`outline`].
#[must_use]
pub fn symbols(language: &Language, text: &str) -> Vec<Symbol> {
    outline(language, text).definitions
}

/// What a text says by itself.
///
/// Never fails, and its time and memory grow as for [`outline`].
#[must_use]
pub fn facts(language: &Language, text: &str) -> Facts {
    let Some(Parsed { tree, end }) = parse(language, text) else {
        return Facts {
            is_partial: true,
            ..Facts::default()
        };
    };
    let mut facts = (language.facts)(&tree, text);
    facts.is_partial |= end < text.len();
    facts
}
