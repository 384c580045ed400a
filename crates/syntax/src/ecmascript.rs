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
mod flow;
mod functions;
mod import_calls;
mod imports;
mod kinds;
mod parameters;
mod property_descriptors;
mod references;
mod roles;
mod scopes;
mod signatures;
mod types;
mod value_names;
mod value_text;
mod values;

use std::sync::OnceLock;

use tree_sitter::Tree;

use self::kinds::{FlatTree, Kind, KindTable};
use crate::facts::Facts;
use crate::language::{Code, Extractor, Language};
use crate::raw_definition::RawDefinition;
use crate::source_text::SourceText;
use crate::symbol::Outline;

/// The stem of the file that represents its folder in module names.
const PACKAGE_FILE: Option<&str> = Some("index");

static JAVASCRIPT_KINDS: OnceLock<KindTable> = OnceLock::new();

pub(super) static JAVASCRIPT: Language = Language {
    name: "javascript",
    extensions: &["js", "jsx", "mjs", "cjs"],
    package_file: PACKAGE_FILE,
    extractor: Extractor::Code(Code {
        prepare: |_| None,
        repair: |_| None,
        definitions: |tree, text| definitions(tree, text, &JAVASCRIPT_KINDS),
        facts: |tree, text| facts(tree, text, &JAVASCRIPT_KINDS),
    }),
};

static TYPESCRIPT_KINDS: OnceLock<KindTable> = OnceLock::new();

pub(super) static TYPESCRIPT: Language = Language {
    name: "typescript",
    extensions: &["ts", "mts", "cts"],
    package_file: PACKAGE_FILE,
    extractor: Extractor::Code(Code {
        prepare: |_| None,
        repair: signatures::repair,
        definitions: |tree, text| definitions(tree, text, &TYPESCRIPT_KINDS),
        facts: |tree, text| facts(tree, text, &TYPESCRIPT_KINDS),
    }),
};

static TSX_KINDS: OnceLock<KindTable> = OnceLock::new();

/// TSX. It has a grammar of its own, since `<A>b` is an element there and a cast in TypeScript.
pub(super) static TSX: Language = Language {
    name: "tsx",
    extensions: &["tsx"],
    package_file: PACKAGE_FILE,
    extractor: Extractor::Code(Code {
        prepare: |_| None,
        repair: |_| None,
        definitions: |tree, text| definitions(tree, text, &TSX_KINDS),
        facts: |tree, text| facts(tree, text, &TSX_KINDS),
    }),
};

fn definitions(
    tree: &Tree,
    text: &str,
    kind_table: &OnceLock<KindTable>,
) -> Outline<RawDefinition> {
    let found = definitions::find_definitions(&flatten(tree, text, kind_table));
    found.map(|found| found.into_iter().map(|found| found.raw).collect())
}

fn facts(tree: &Tree, text: SourceText<'_>, kind_table: &OnceLock<KindTable>) -> Facts {
    facts::build_facts(&flatten(tree, text.code, kind_table), text.file)
}

fn flatten<'t>(tree: &Tree, text: &'t str, kind_table: &OnceLock<KindTable>) -> FlatTree<'t> {
    let kinds = kind_table.get_or_init(|| KindTable::new(&tree.language(), Kind::from_name));
    FlatTree::new(tree, text, kinds)
}
