//! JavaScript with JSX, TypeScript and TSX.
//!
//! The three grammars name their nodes almost alike, so the same code reads them all. Definitions
//! are functions, classes, interfaces, enums, type aliases and namespaces. An anonymous function or
//! class takes the name that it is bound to: see `ecmascript/value_names.rs`.

mod bindings;
mod builder;
mod classes;
mod commonjs;
mod declarations;
mod definition_facts;
mod definitions;
mod docstrings;
mod export_names;
mod exports;
mod facts;
mod functions;
mod import_calls;
mod imports;
mod kinds;
mod parameters;
mod property_descriptors;
mod references;
mod roles;
mod scopes;
#[cfg(feature = "typescript")]
mod signatures;
mod types;
mod value_names;
mod value_text;
mod values;

use std::sync::LazyLock;

use tree_sitter::Tree;

use self::kinds::{FlatTree, Kind, KindTable};
use crate::facts::Facts;
use crate::language::Language;
use crate::raw_definition::RawDefinition;
use crate::symbol::Outline;

/// The stem of the file that represents its folder in module names.
const PACKAGE_FILE: Option<&str> = Some("index");

#[cfg(feature = "javascript")]
static JAVASCRIPT_KINDS: LazyLock<KindTable> =
    LazyLock::new(|| KindTable::new(&tree_sitter_javascript::LANGUAGE.into(), Kind::from_name));

#[cfg(feature = "javascript")]
pub(super) static JAVASCRIPT: Language = Language {
    name: "javascript",
    extensions: &["js", "jsx", "mjs", "cjs"],
    package_file: PACKAGE_FILE,
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    prepare: |_| None,
    repair: |_| None,
    definitions: |tree, text| definitions(tree, text, &JAVASCRIPT_KINDS),
    facts: |tree, text| facts(tree, text, &JAVASCRIPT_KINDS),
};

#[cfg(feature = "typescript")]
static TYPESCRIPT_KINDS: LazyLock<KindTable> = LazyLock::new(|| {
    KindTable::new(
        &tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        Kind::from_name,
    )
});

#[cfg(feature = "typescript")]
pub(super) static TYPESCRIPT: Language = Language {
    name: "typescript",
    extensions: &["ts", "mts", "cts"],
    package_file: PACKAGE_FILE,
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    prepare: |_| None,
    repair: signatures::repair,
    definitions: |tree, text| definitions(tree, text, &TYPESCRIPT_KINDS),
    facts: |tree, text| facts(tree, text, &TYPESCRIPT_KINDS),
};

#[cfg(feature = "typescript")]
static TSX_KINDS: LazyLock<KindTable> = LazyLock::new(|| {
    KindTable::new(
        &tree_sitter_typescript::LANGUAGE_TSX.into(),
        Kind::from_name,
    )
});

/// TSX. It has a grammar of its own, since `<A>b` is an element there and a cast in TypeScript.
#[cfg(feature = "typescript")]
pub(super) static TSX: Language = Language {
    name: "tsx",
    extensions: &["tsx"],
    package_file: PACKAGE_FILE,
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    prepare: |_| None,
    repair: |_| None,
    definitions: |tree, text| definitions(tree, text, &TSX_KINDS),
    facts: |tree, text| facts(tree, text, &TSX_KINDS),
};

fn definitions(tree: &Tree, text: &str, kind_table: &KindTable) -> Outline<RawDefinition> {
    let found = definitions::find_definitions(&FlatTree::new(tree, text, kind_table));
    found.map(|found| found.into_iter().map(|found| found.raw).collect())
}

fn facts(tree: &Tree, text: &str, kind_table: &KindTable) -> Facts {
    facts::build_facts(&FlatTree::new(tree, text, kind_table), text)
}
