//! Python: definitions are the `def` and `class` statements that CPython's `ast` reports.

mod addition;
mod annotations;
mod assignments;
mod brackets;
mod builder;
mod comment_runs;
mod definitions;
mod facts;
mod flow;
mod heads;
mod imports;
mod kinds;
pub(crate) mod library_generics;
mod library_object;
mod parameters;
mod references;
mod scopes;
pub(crate) mod tokens;
mod type_facts;
mod type_parameters;
mod value_text;
mod values;

use self::kinds::{FlatTree, kind_table};
use crate::body_hash::{NamedNode, hash_bodies_at};
use crate::facts::BodyHash;
use crate::language::{Code, Extractor, Language, no_conditions};
use crate::raw_definition::RawDefinition;
use crate::symbol::Outline;
use crate::syntax_tree::SyntaxTree;

pub(super) static LANGUAGE: Language = Language {
    name: "python",
    extensions: &["py", "pyi", "pyw"],
    package_file: Some("__init__"),
    extractor: Extractor::Code(Code {
        prepare: comment_runs::blank,
        repair,
        definitions,
        facts: facts::build_facts,
        bodies,
        conditions: no_conditions,
    }),
};

fn definitions(tree: &SyntaxTree, text: &str) -> Outline<RawDefinition> {
    let flat = FlatTree::new(tree, text, kind_table(tree));
    let found = definitions::find_definitions(&flat);
    found.map(|found| found.into_iter().map(|found| found.raw).collect())
}

fn bodies(tree: &SyntaxTree, text: &str, indices: &[usize]) -> Vec<BodyHash> {
    let flat = FlatTree::new(tree, text, kind_table(tree));
    let found = definitions::find_definitions(&flat).definitions;
    let named: Vec<NamedNode> = found.iter().map(|found| found.named).collect();
    hash_bodies_at(&flat, &named, indices)
}

/// Mends a text with a syntax error: brackets before heads, since these may end at them.
fn repair(text: &str) -> Option<String> {
    let known = type_parameters::repair(text);
    let text = known.as_deref().unwrap_or(text);
    let mended = brackets::repair(text);
    let completed = heads::repair(mended.as_deref().unwrap_or(text));
    completed.or(mended).or(known)
}
