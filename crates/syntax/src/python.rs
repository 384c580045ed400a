//! Python: definitions are the `def` and `class` statements that CPython's `ast` reports.

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
mod parameters;
mod references;
mod scopes;
pub(crate) mod tokens;
mod type_parameters;
mod value_text;
mod values;

use self::kinds::{FlatTree, kind_table};
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
        conditions: no_conditions,
    }),
};

fn definitions(tree: &SyntaxTree, text: &str) -> Outline<RawDefinition> {
    let flat = FlatTree::new(tree, text, kind_table(tree));
    definitions::find_definitions(&flat)
}

/// Mends a text with a syntax error: brackets before heads, since these may end at them.
fn repair(text: &str) -> Option<String> {
    let known = type_parameters::repair(text);
    let text = known.as_deref().unwrap_or(text);
    let mended = brackets::repair(text);
    let completed = heads::repair(mended.as_deref().unwrap_or(text));
    completed.or(mended).or(known)
}
