//! Extracts definitions and facts from the text of a single file.
//!
//! The crate holds one module for each language, the [`facts`] that they share and the [`locator`],
//! which maps lines to definitions. It knows nothing about other files, paths on disk or the index:
//! which definition a name in another file resolves to is the task of `ragnav-resolve`.
//!
//! To add a language, write its module and add a row to `languages.rs` and to
//! `grammar_registry.rs`. A program adds further languages as [plug-ins](plugin).
//!
//! # Examples
//!
//! ```
//! # fn main() -> Result<(), ragnav_base::error::RagnavError> {
//! use ragnav_syntax::{extract_outline, find_language};
//!
//! let python = find_language("python")?;
//! let outline = extract_outline(python, "class A:\n    def f(self): pass\n");
//! let name_paths = outline.definitions.iter().map(|symbol| symbol.name_path.as_str());
//! assert_eq!(name_paths.collect::<Vec<_>>(), ["A", "A.f"]);
//! # Ok(())
//! # }
//! ```

mod allocations;
mod bash;
mod body_hash;
mod c;
mod c_text;
mod conditionals;
mod conditions_writer;
mod conflicts;
mod cpp;
mod csharp;
mod dart;
mod directive_conditions;
mod directive_lines;
mod ecmascript;
mod elixir;
mod embedded;
mod extract;
mod extractors;
pub mod facts;
mod facts_writer;
mod file_code;
mod flow_order;
mod go;
mod grammar_registry;
pub mod grammars;
mod java;
pub mod kept;
mod kotlin;
mod language;
mod languages;
pub mod layout;
mod list_directives;
pub mod locator;
mod lua;
mod name_interner;
mod node_list;
mod node_roles;
mod parse;
mod passed_arguments;
mod php;
pub mod plugin;
mod position_cursor;
mod python;
mod raw_definition;
mod recent_bodies;
mod recent_texts;
mod recent_trees;
mod replaced_text;
mod ruby;
mod rule_based;
mod rust;
mod scala;
mod shorthand;
mod source_text;
mod swift;
mod symbol;
mod syntax_tree;
mod tree;
mod value_text;
mod zig;

pub use crate::extract::{extract_facts, extract_outline, extract_symbols};
pub use crate::extractors::{available_extractors, extractors};
pub use crate::language::Language;
pub use crate::languages::{
    detect_language, find_language, language_names, languages, require_language,
};
pub use crate::python::library_generics::{LibraryGeneric, find_library_generic};
pub use crate::shorthand::{ShorthandNames, shorthand_names};
pub use crate::symbol::{Outline, Symbol};
