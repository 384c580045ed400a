//! What statements of JavaScript and TypeScript say about their file.

use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::{Binding, Import, Receiver, Reference};
use ragnav_syntax::layout::{ImportForm, ImportStatement, StatementKind};

use crate::move_plan::files::OpenFile;

/// What code can ask about the file that it stands in, or that only files without `import` have.
const OWN_NAMES: [&str; 5] = ["__dirname", "__filename", "exports", "module", "require"];

/// Returns the statement of an import.
pub(super) fn statement_of<'f>(file: &'f OpenFile, import: &Import) -> Option<&'f ImportStatement> {
    let at = (import.position.line, import.position.start_utf16);
    let at = file.changes.offset_of(at);
    file.layout
        .imports
        .iter()
        .find(|one| one.range.contains(&at))
}

/// Reports whether a statement imports types alone.
pub(super) fn is_of_types(file: &OpenFile, statement: &ImportStatement, import: &Import) -> bool {
    let text = file.slice(statement.range.clone());
    let at = (import.position.line, import.position.start_utf16);
    let at = file.changes.offset_of(at);
    let mut items = statement.items.iter().filter(|item| item.name.start == at);
    let is_type = |range| file.slice(range).starts_with("type ");
    statement.form == ImportForm::Types
        || text.starts_with("import type ")
        || items.any(|item| is_type(item.range.clone()))
}

/// Returns the directives at the top of a file, such as `"use client"`.
pub(super) fn directives(file: &OpenFile) -> Vec<&str> {
    let statements = file.layout.statements.iter();
    let head = statements.filter(|one| one.kind != StatementKind::Comment);
    let head = head.take_while(|one| one.kind == StatementKind::Text);
    head.map(|one| file.slice(one.range.clone())).collect()
}

/// Returns the first use of a name that only its own file or a loader gives a meaning.
pub(super) fn own_name<'f>(
    file: &'f FileFacts,
    mut references: impl Iterator<Item = &'f Reference>,
) -> Option<&'f str> {
    let is_bound = |one: &Reference| {
        let mut bindings = file.facts.bindings.iter();
        bindings.any(|binding: &Binding| binding.name == one.name)
    };
    let found = references.find(|one| {
        let name = file.facts.name(one.name);
        one.receiver == Receiver::None && OWN_NAMES.contains(&name) && !is_bound(one)
    });
    found.map(|one| file.facts.name(one.name))
}
