//! Python: definitions are `def` and `class` statements, as CPython's `ast` sees them.

mod annotations;
mod assignments;
mod brackets;
mod builder;
mod comment_runs;
mod definitions;
mod facts;
mod imports;
mod kinds;
mod parameters;
mod references;
mod scopes;
mod tokens;
mod value_text;
mod values;

use crate::language::Language;

pub(super) static LANGUAGE: Language = Language {
    name: "python",
    extensions: &["py", "pyi", "pyw"],
    package_file: Some("__init__"),
    grammar: || tree_sitter_python::LANGUAGE.into(),
    prepare: comment_runs::blank,
    mend: brackets::mend,
    definitions: definitions::definitions,
    facts: facts::facts,
};
