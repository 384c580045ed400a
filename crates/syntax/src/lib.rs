//! Languages: from a file's text to the symbols it defines.
//!
//! A language is one file here, one feature in `Cargo.toml` and one row in [`all`].

mod allocations;
mod body_hash;
#[cfg(feature = "c")]
mod c;
#[cfg(any(feature = "javascript", feature = "typescript"))]
mod ecmascript;
mod extract;
pub mod facts;
#[cfg(feature = "go")]
mod go;
#[cfg(feature = "java")]
mod java;
mod language;
mod languages;
pub mod locator;
mod name_table;
mod parse;
#[cfg(feature = "php")]
mod php;
mod positions;
#[cfg(feature = "python")]
mod python;
mod raw_definition;
#[cfg(feature = "ruby")]
mod ruby;
#[cfg(any(
    feature = "c",
    feature = "go",
    feature = "java",
    feature = "php",
    feature = "ruby",
    feature = "rust"
))]
mod rule_based;
#[cfg(feature = "rust")]
mod rust;
mod symbol;
mod tree;

pub use crate::extract::{facts, outline, symbols};
pub use crate::language::Language;
pub use crate::languages::{by_name, names, of_path, require_of_path};
pub use crate::symbol::{Outline, Symbol};
