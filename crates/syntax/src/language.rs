//! The description of one language.

use tree_sitter::Tree;

use crate::facts::Facts;
use crate::raw_definition::RawDefinition;
use crate::symbol::Outline;

/// What ragnav knows of one language.
#[derive(Debug)]
pub struct Language {
    /// The name that callers use, in lower case.
    pub name: &'static str,
    /// The extensions of its files, in lower case.
    pub(crate) extensions: &'static [&'static str],
    /// The stem of the file that stands for its folder in a module's name.
    pub package_file: Option<&'static str>,
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// Makes of a text one that the grammar reads in linear time, without moving an offset; `None` where it is one.
    pub(crate) prepare: fn(&str) -> Option<String>,
    /// Mends a text that the grammar finds an error in, without moving an offset; `None` where it cannot.
    pub(crate) mend: fn(&str) -> Option<String>,
    pub(crate) definitions: fn(&Tree, &str) -> Outline<RawDefinition>,
    pub(crate) facts: fn(&Tree, &str) -> Facts,
}
