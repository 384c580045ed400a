//! JavaScript with JSX, TypeScript and TSX.
//!
//! The three grammars name their nodes almost alike, so the same code reads them all. Definitions
//! are functions, classes, interfaces, enums, type aliases and namespaces. An anonymous function or
//! class takes the name that it is bound to: see `ecmascript/value_names.rs`.

mod annotations;
mod bindings;
mod builder;
mod builtin_calls;
mod classes;
mod commonjs;
mod component_wrappers;
mod contexts;
mod declarations;
mod definition_facts;
mod definitions;
mod docstrings;
mod documented_types;
mod export_names;
mod exports;
mod facts;
mod flow;
mod flow_state;
mod functions;
mod globals;
mod import_calls;
mod imports;
mod inferring_calls;
mod jsdoc;
mod kinds;
mod merged_declarations;
mod narrowing;
mod newer_syntax;
mod parameter_names;
mod parameters;
mod property_descriptors;
mod references;
mod roles;
mod scopes;
mod signatures;
mod type_facts;
mod type_scopes;
mod typed_values;
mod types;
mod value_names;
mod value_text;
mod values;

use std::sync::OnceLock;

use self::kinds::{FlatTree, Kind, KindTable};
use crate::body_hash::{NamedNode, hash_bodies_at};
use crate::facts::{BodyHash, Facts};
use crate::language::{Code, Extractor, Language, no_conditions};
use crate::raw_definition::RawDefinition;
use crate::source_text::SourceText;
use crate::symbol::Outline;
use crate::syntax_tree::SyntaxTree;

/// The stem of the file that represents its folder in module names.
const PACKAGE_FILE: Option<&str> = Some("index");

static JAVASCRIPT_KINDS: OnceLock<KindTable> = OnceLock::new();

pub(super) static JAVASCRIPT: Language = Language {
    name: "javascript",
    extensions: &["js", "jsx", "mjs", "cjs"],
    package_file: PACKAGE_FILE,
    extractor: Extractor::Code(Code {
        prepare: |_| None,
        repair: newer_syntax::repair,
        definitions: |tree, text| definitions(tree, text, &JAVASCRIPT_KINDS),
        facts: |tree, text| {
            let flow = Flow::of_javascript(text.code);
            facts(tree, text, &JAVASCRIPT_KINDS, flow)
        },
        bodies: |tree, text, indices| bodies(tree, text, &JAVASCRIPT_KINDS, indices),
        conditions: no_conditions,
    }),
};

static TYPESCRIPT_KINDS: OnceLock<KindTable> = OnceLock::new();

pub(super) static TYPESCRIPT: Language = Language {
    name: "typescript",
    extensions: &["ts", "mts", "cts"],
    package_file: PACKAGE_FILE,
    extractor: Extractor::Code(Code {
        prepare: |_| None,
        repair,
        definitions: |tree, text| definitions(tree, text, &TYPESCRIPT_KINDS),
        facts: |tree, text| facts(tree, text, &TYPESCRIPT_KINDS, Flow::Declared),
        bodies: |tree, text, indices| bodies(tree, text, &TYPESCRIPT_KINDS, indices),
        conditions: no_conditions,
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
        repair,
        definitions: |tree, text| definitions(tree, text, &TSX_KINDS),
        facts: |tree, text| facts(tree, text, &TSX_KINDS, Flow::Declared),
        bodies: |tree, text, indices| bodies(tree, text, &TSX_KINDS, indices),
        conditions: no_conditions,
    }),
};

/// Repairs TypeScript that its grammar does not read.
fn repair(text: &str) -> Option<String> {
    let newer = newer_syntax::repair(text);
    signatures::repair(newer.as_deref().unwrap_or(text)).or(newer)
}

fn definitions(
    tree: &SyntaxTree,
    text: &str,
    kind_table: &OnceLock<KindTable>,
) -> Outline<RawDefinition> {
    let found = definitions::find_definitions(&flatten(tree, text, kind_table));
    found.map(|found| found.into_iter().map(|found| found.raw).collect())
}

fn bodies(
    tree: &SyntaxTree,
    text: &str,
    kind_table: &OnceLock<KindTable>,
    indices: &[usize],
) -> Vec<BodyHash> {
    let flat = flatten(tree, text, kind_table);
    let found = definitions::find_definitions(&flat).definitions;
    let named: Vec<NamedNode> = found
        .iter()
        .map(definitions::FoundDefinition::named)
        .collect();
    hash_bodies_at(&flat, &named, indices)
}

/// The bytes that a line has on average, above which a text is minified.
const MINIFIED_LINE: usize = 100;

/// How it is known which values reach a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// Values are followed from where they are given.
    Followed,
    /// Types are declared, and they are what callers may rely on.
    Declared,
    /// Nothing is followed: in a minified text every function is called like many others.
    Unknown,
}

impl Flow {
    fn of_javascript(text: &str) -> Self {
        let lines = text.lines().count().max(1);
        if text.len() / lines > MINIFIED_LINE {
            return Self::Unknown;
        }
        Self::Followed
    }
}

fn facts(
    tree: &SyntaxTree,
    text: SourceText<'_>,
    kind_table: &OnceLock<KindTable>,
    flow: Flow,
) -> Facts {
    let tree = flatten(tree, text.code, kind_table);
    facts::build_facts(&tree, text.file, flow)
}

fn flatten<'t>(tree: &SyntaxTree, text: &'t str, kind_table: &OnceLock<KindTable>) -> FlatTree<'t> {
    let kinds = kind_table.get_or_init(|| KindTable::new(&tree.language(), Kind::from_name));
    FlatTree::new(tree, text, kinds)
}
