//! Python: definitions are the `def` and `class` statements that CPython's `ast` reports.

mod annotations;
mod assignments;
mod brackets;
mod builder;
mod comment_runs;
mod definitions;
mod facts;
mod flow;
mod imports;
mod kinds;
mod parameters;
mod references;
mod scopes;
pub(crate) mod tokens;
mod value_text;
mod values;

use crate::language::{Code, Extractor, Language};

pub(super) static LANGUAGE: Language = Language {
    name: "python",
    extensions: &["py", "pyi", "pyw"],
    package_file: Some("__init__"),
    extractor: Extractor::Code(Code {
        prepare: comment_runs::blank,
        repair: brackets::repair,
        definitions: definitions::find_definitions,
        facts: facts::build_facts,
    }),
};
