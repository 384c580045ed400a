//! JavaScript with JSX, TypeScript and TSX: one reading of three grammars that name their nodes alike.
//!
//! Definitions are functions, classes, interfaces, enums, type aliases and namespaces. A function or class without
//! a name of its own is one by the name that it is bound to (`ecmascript/naming.rs`).

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

use self::kinds::{FlatTree, Kind, Numbers};
use crate::facts::Facts;
use crate::language::Language;
use crate::raw_definition::RawDefinition;
use crate::symbol::Outline;

/// The file that stands for its folder in a module's name.
const PACKAGE_FILE: Option<&str> = Some("index");

#[cfg(feature = "javascript")]
static JAVASCRIPT_NUMBERS: LazyLock<Numbers> =
    LazyLock::new(|| Numbers::new(&tree_sitter_javascript::LANGUAGE.into(), Kind::of_name));

#[cfg(feature = "javascript")]
pub(super) static JAVASCRIPT: Language = Language {
    name: "javascript",
    extensions: &["js", "jsx", "mjs", "cjs"],
    package_file: PACKAGE_FILE,
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    prepare: |_| None,
    mend: |_| None,
    definitions: |tree, text| definitions(tree, text, &JAVASCRIPT_NUMBERS),
    facts: |tree, text| facts(tree, text, &JAVASCRIPT_NUMBERS),
};

#[cfg(feature = "typescript")]
static TYPESCRIPT_NUMBERS: LazyLock<Numbers> = LazyLock::new(|| {
    Numbers::new(
        &tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        Kind::of_name,
    )
});

#[cfg(feature = "typescript")]
pub(super) static TYPESCRIPT: Language = Language {
    name: "typescript",
    extensions: &["ts", "mts", "cts"],
    package_file: PACKAGE_FILE,
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    prepare: |_| None,
    mend: signatures::mend,
    definitions: |tree, text| definitions(tree, text, &TYPESCRIPT_NUMBERS),
    facts: |tree, text| facts(tree, text, &TYPESCRIPT_NUMBERS),
};

#[cfg(feature = "typescript")]
static TSX_NUMBERS: LazyLock<Numbers> =
    LazyLock::new(|| Numbers::new(&tree_sitter_typescript::LANGUAGE_TSX.into(), Kind::of_name));

/// In TypeScript `<A>b` is a cast, in TSX an element, so that each has a grammar.
#[cfg(feature = "typescript")]
pub(super) static TSX: Language = Language {
    name: "tsx",
    extensions: &["tsx"],
    package_file: PACKAGE_FILE,
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    prepare: |_| None,
    mend: |_| None,
    definitions: |tree, text| definitions(tree, text, &TSX_NUMBERS),
    facts: |tree, text| facts(tree, text, &TSX_NUMBERS),
};

fn definitions(tree: &Tree, text: &str, numbers: &Numbers) -> Outline<RawDefinition> {
    let found = definitions::find(&FlatTree::new(tree, text, numbers));
    found.map(|found| found.into_iter().map(|found| found.raw).collect())
}

fn facts(tree: &Tree, text: &str, numbers: &Numbers) -> Facts {
    facts::facts(&FlatTree::new(tree, text, numbers), text)
}
