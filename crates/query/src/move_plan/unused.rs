//! The imports of the source that only the moved definition used.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;
use ragnav_resolve::{FileFacts, Resolver};
use ragnav_syntax::facts::{Binding, ImportedItem, Receiver};
use ragnav_syntax::layout::{ImportForm, ImportItem, ImportStatement};

use super::files::OpenFile;
use super::importers::{Route, without_statement};
use super::moved::Moved;
use super::names::has_word;
use super::rules::Rules;
use crate::code_facts::CodeFacts;
use crate::edit_plan::Change;

/// The comment by which people keep an import that nothing uses.
const KEPT: &str = "noqa";

/// Returns the names of the source that nothing uses any more, among some.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn unused<H: Host>(
    code: &mut CodeFacts<'_, H>,
    rules: &dyn Rules,
    (source, moved): (&OpenFile, &Moved),
    names: &BTreeSet<String>,
) -> Result<BTreeSet<String>, RagnavError> {
    let mut unused = BTreeSet::new();
    if rules.is_facade(&source.path) {
        return Ok(unused);
    }
    for name in names.iter().filter(|name| !is_left(source, moved, name)) {
        let files = code.files_with_name(name).await?;
        code.load(&files).await?;
        let mut others = files.iter().filter(|file| **file != source.path);
        if !others.any(|file| takes_name(code, file, &source.path, name)) {
            unused.insert(name.clone());
        }
    }
    Ok(unused)
}

/// Reports whether the rest of the source has a name, beside its imports.
fn is_left(source: &OpenFile, moved: &Moved, name: &str) -> bool {
    let mut done = 0;
    let mut skipped: Vec<_> = source
        .layout
        .imports
        .iter()
        .map(|one| one.range.clone())
        .collect();
    skipped.push(moved.range.clone());
    skipped.small_sort_by_key(|range| range.start);
    for range in skipped {
        if has_word(source.slice(done..range.start.max(done)), name) {
            return true;
        }
        done = done.max(range.end);
    }
    has_word(source.slice(done..source.text().len()), name)
}

/// Reports whether a file may use a name that the source imports.
fn takes_name<H: Host>(
    code: &CodeFacts<'_, H>,
    path: &RepoPath,
    source: &RepoPath,
    name: &str,
) -> bool {
    let Some(file) = code.world.facts(path) else {
        return false;
    };
    let resolver = Resolver::new(&code.world);
    let mut is_importer = false;
    for import in &file.facts.imports {
        if resolver.resolve_import_file(path, &file, import).as_ref() != Some(source) {
            continue;
        }
        match import.item {
            ImportedItem::Member(member) if file.facts.name(member) == name => return true,
            ImportedItem::Star => return true,
            _ => is_importer = true,
        }
    }
    (is_importer || imports_by_member(&file, source)) && has_member(&file, name)
}

/// Reports whether a file may import the source as a member of its folder: `from shop import cart`.
fn imports_by_member(file: &FileFacts, source: &RepoPath) -> bool {
    let stem = source.name().split('.').next().unwrap_or_default();
    file.facts.imports.iter().any(
        |import| matches!(import.item, ImportedItem::Member(name) if file.facts.name(name) == stem),
    )
}

fn has_member(file: &FileFacts, name: &str) -> bool {
    file.facts
        .references
        .iter()
        .any(|one| matches!(one.receiver, Receiver::Value(_)) && file.facts.name(one.name) == name)
}

/// Returns the changes that remove names from the imports of the source.
pub(super) fn removals<H: Host>(
    route: &Route<'_, '_, H>,
    source: &OpenFile,
    names: &BTreeSet<String>,
) -> Vec<Change> {
    let mut by_statement: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (place, statement) in source.layout.imports.iter().enumerate() {
        let is_kept = !statement.is_at_top || is_marked(source, statement);
        if statement.items.is_empty() && !is_kept && binds_only(source, statement, names) {
            by_statement.entry(place).or_default();
        }
        for (at, item) in statement.items.iter().enumerate().filter(|_| !is_kept) {
            if bound_name(source, item).is_some_and(|name| names.contains(name)) {
                by_statement.entry(place).or_default().insert(at);
            }
        }
    }
    let mut changes = Vec::new();
    for (place, items) in by_statement {
        let Some(statement) = source.layout.imports.get(place) else {
            continue;
        };
        if items.len() == statement.items.len() {
            changes.push(without_statement(
                source,
                statement,
                route.rules.empty_statement(),
            ));
        } else if let Ok(own) = route.without_items(source, statement, &items) {
            changes.extend(own);
        }
    }
    changes.retain(|change| change.new_text.is_empty() || !change.range.is_empty());
    changes
}

fn is_marked(source: &OpenFile, statement: &ImportStatement) -> bool {
    let lines = &source.changes.lines;
    let last = lines.line_at(statement.range.end.saturating_sub(1));
    let end = source.changes.line_range(last).end;
    let is_export = matches!(
        statement.form,
        ImportForm::Exports | ImportForm::ExportedTypes
    );
    is_export || source.slice(statement.range.start..end).contains(KEPT)
}

/// Reports whether all that a statement binds is among some names, as `a` of
/// `import * as a from "./a"`.
fn binds_only(source: &OpenFile, statement: &ImportStatement, names: &BTreeSet<String>) -> bool {
    let facts = &source.facts.facts;
    let mut own = facts.bindings.iter().filter(|one| {
        let at = (one.position.line, one.position.start_utf16);
        statement.range.contains(&source.changes.offset_of(at))
    });
    let is_unused = |one: &Binding| names.contains(facts.name(one.name));
    own.next().is_some_and(is_unused) && own.all(is_unused)
}

/// Returns the name that an item binds; `None` for a dotted one, which others may rely on, and for
/// one that is exported again, as `a as a` of Python says.
fn bound_name<'f>(source: &'f OpenFile, item: &ImportItem) -> Option<&'f str> {
    let name = source.slice(item.name.clone());
    match item.alias.clone().map(|alias| source.slice(alias)) {
        Some(alias) if alias == name => None,
        Some(alias) => Some(alias),
        None => (!name.contains('.')).then_some(name),
    }
}
