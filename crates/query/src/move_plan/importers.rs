//! The references of other files, which lead to the new file.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ragnav_base::host::Host;
use ragnav_base::item::ItemKind;
use ragnav_base::path::RepoPath;
use ragnav_resolve::{FileFacts, Resolver};
use ragnav_syntax::facts::{Import, ImportedItem};
use ragnav_syntax::layout::{ImportForm, ImportStatement};

use super::files::OpenFile;
use super::names::runs_in_function;
use super::rules::{ImportRequest, Imported, Rules};
use crate::code_facts::CodeFacts;
use crate::edit_plan::{Change, Refusal, RefusalReason};
use crate::reference_site::ReferenceSite;

/// What a file gets because a definition moves.
#[derive(Default)]
pub(super) struct Rewritten {
    pub(super) changes: Vec<Change>,
    /// The imports that it gets at its top.
    pub(super) requests: Vec<ImportRequest>,
    /// Whether it imports the target newly, when it is imported itself.
    pub(super) imports_target: bool,
}

/// Where a definition comes from and goes to, for files that refer to it.
pub(super) struct Route<'r, 'q, H> {
    pub(super) code: &'r CodeFacts<'q, H>,
    pub(super) rules: &'r dyn Rules,
    pub(super) source: &'r RepoPath,
    pub(super) target: &'r RepoPath,
    pub(super) name: &'r str,
}

impl<H: Host> Route<'_, '_, H> {
    /// Returns what a file gets, or why it cannot follow.
    pub(super) fn rewrite(
        &self,
        file: &OpenFile,
        sites: &[&ReferenceSite],
    ) -> Result<Rewritten, Refusal> {
        let mut rewritten = Rewritten::default();
        let mut statements: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for site in sites {
            let at = (site.line, site.start_utf16);
            if let Some(import) =
                import_at(&file.facts, at).filter(|_| site.kind == ItemKind::Import)
            {
                if !self.is_from_source(&file.path, &file.facts, import) {
                    continue;
                }
                let item = item_at(file, file.changes.offset_of(at));
                let (statement, item) = item.ok_or_else(|| self.form(file, site.line))?;
                statements.entry(statement).or_default().insert(item);
                rewritten.imports_target |= !runs_in_function(&file.facts, import.scope);
                continue;
            }
            self.rewrite_member(file, site, &mut rewritten)?;
        }
        for (statement, items) in statements {
            if let Some(statement) = file.layout.imports.get(statement) {
                rewritten
                    .changes
                    .extend(self.rewrite_statement(file, statement, &items)?);
            }
        }
        rewritten.imports_target &= file.path != *self.target;
        Ok(rewritten)
    }

    fn is_from_source(&self, path: &RepoPath, file: &FileFacts, import: &Import) -> bool {
        let ImportedItem::Member(name) = import.item else {
            return false;
        };
        let resolver = Resolver::new(&self.code.world);
        let found = resolver.resolve_import_file(path, file, import);
        found.as_ref() == Some(self.source) && file.facts.name(name) == self.name
    }

    pub(super) fn form(&self, file: &OpenFile, line: u32) -> Refusal {
        let message = format!(
            "{}, line {line}, refers to `{}` in a form that cannot be rewritten.",
            file.path, self.name
        );
        Refusal::in_files(RefusalReason::Form, 1, [&file.path], message)
    }

    /// Returns the changes of a statement some of whose names come from the target.
    fn rewrite_statement(
        &self,
        file: &OpenFile,
        statement: &ImportStatement,
        items: &BTreeSet<usize>,
    ) -> Result<Vec<Change>, Refusal> {
        let (line, _) = file.changes.place_of(statement.range.start);
        let module = statement
            .module
            .clone()
            .filter(|_| statement.form != ImportForm::Other);
        let module = module.ok_or_else(|| self.form(file, line))?;
        let imported = |at: usize| {
            let item = statement.items.get(at)?;
            Some(Imported {
                name: Some(file.slice(item.name.clone()).to_owned()),
                alias: item.alias.clone().map(|alias| file.slice(alias).to_owned()),
            })
        };
        let moved: Vec<Imported> = items.iter().filter_map(|at| imported(*at)).collect();
        let is_whole = items.len() == statement.items.len();
        if file.path == *self.target {
            let is_renamed = moved.iter().any(|one| {
                one.alias
                    .as_ref()
                    .is_some_and(|alias| Some(alias) != one.name.as_ref())
            });
            if is_renamed {
                return Err(self.form(file, line));
            }
            return if is_whole {
                Ok(vec![self.without_statement(file, statement)])
            } else {
                self.without_items(file, statement, items)
            };
        }
        let example = file.slice(module.clone());
        let specifier = self
            .rules
            .specifier((&file.path, self.target), file, Some(example));
        let specifier = specifier.ok_or_else(|| self.unreachable(file))?;
        if is_whole {
            return Ok(vec![import_change(module, specifier)]);
        }
        let is_type = items
            .iter()
            .filter_map(|at| statement.items.get(*at))
            .any(|item| item.range.start < item.name.start && statement.form == ImportForm::Names);
        let form = if is_type {
            ImportForm::Types
        } else {
            statement.form
        };
        let added = self.rules.statement(&specifier, &moved, form);
        let mut changes = self.without_items(file, statement, items)?;
        let before = file.text().get(..statement.range.start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |last| last + 1);
        let indent = before.get(line_start..).unwrap_or_default();
        let end = if indent.trim().is_empty() {
            format!("{}{indent}", file.changes.line_break())
        } else {
            "; ".to_owned()
        };
        let at = statement.range.start;
        let added = super::insertion::with_line_break(&added, file.changes.line_break());
        changes.push(import_change(at..at, format!("{added}{end}")));
        Ok(changes)
    }

    pub(super) fn unreachable(&self, file: &OpenFile) -> Refusal {
        let message = format!("{} cannot import from {}.", file.path, self.target);
        Refusal::in_files(RefusalReason::Target, 1, [&file.path], message)
    }

    /// Removes some names from a statement that keeps others.
    pub(super) fn without_items(
        &self,
        file: &OpenFile,
        statement: &ImportStatement,
        items: &BTreeSet<usize>,
    ) -> Result<Vec<Change>, Refusal> {
        let all = &statement.items;
        let range = |at: usize| all.get(at).map(|item| item.range.clone());
        if let (Some(only), 1) = (items.first(), items.len()) {
            let own = range(*only).unwrap_or_default();
            let removed = match (range(only + 1), only.checked_sub(1).and_then(range)) {
                (Some(next), _) => own.start..next.start,
                (None, Some(last)) => last.end..own.end,
                (None, None) => own,
            };
            return Ok(vec![import_change(removed, String::new())]);
        }
        let text = file.slice(statement.range.clone());
        let (line, _) = file.changes.place_of(statement.range.start);
        let module = statement
            .module
            .clone()
            .ok_or_else(|| self.form(file, line))?;
        if text.contains(['#']) || text.contains("//") || text.contains("/*") {
            return Err(self.form(file, line));
        }
        let kept = all.iter().enumerate().filter(|(at, _)| !items.contains(at));
        let kept: Vec<Imported> = kept
            .map(|(_, item)| Imported {
                name: Some(file.slice(item.name.clone()).to_owned()),
                alias: item.alias.clone().map(|alias| file.slice(alias).to_owned()),
            })
            .collect();
        let new = self
            .rules
            .statement(file.slice(module), &kept, statement.form);
        let new = super::insertion::with_line_break(&new, file.changes.line_break());
        Ok(vec![import_change(statement.range.clone(), new)])
    }

    /// Removes a statement with its line, if it has one of its own.
    fn without_statement(&self, file: &OpenFile, statement: &ImportStatement) -> Change {
        without_statement(file, statement, self.rules.empty_statement())
    }
}

/// Returns the change that removes a statement with its line, or puts an empty statement into a
/// block.
pub(super) fn without_statement(
    file: &OpenFile,
    statement: &ImportStatement,
    empty: &str,
) -> Change {
    let range = statement.range.clone();
    let (line, column) = file.changes.place_of(range.start);
    let last = file.changes.lines.line_at(range.end.saturating_sub(1));
    let rest = file
        .slice(range.end..file.changes.line_range(last).end)
        .trim();
    let rest = rest.strip_prefix(';').unwrap_or(rest).trim_start();
    let is_alone = column == 0 && (rest.is_empty() || rest.starts_with(['#', '/']));
    if !statement.is_at_top || !is_alone {
        return import_change(range, empty.to_owned());
    }
    let start = file.changes.lines.full_range(line as usize).start;
    import_change(
        start..file.changes.lines.full_range(last).end,
        String::new(),
    )
}

pub(super) fn import_change(range: Range<usize>, new_text: String) -> Change {
    Change {
        range,
        new_text,
        kind: ItemKind::Import,
        resolution: None,
    }
}

pub(super) fn import_at(file: &FileFacts, (line, column): (u32, u32)) -> Option<&Import> {
    let mut imports = file.facts.imports.iter();
    imports.find(|one| (one.position.line, one.position.start_utf16) == (line, column))
}

/// Returns the statement and the item whose name begins at a byte.
fn item_at(file: &OpenFile, at: usize) -> Option<(usize, usize)> {
    let mut statements = file.layout.imports.iter().enumerate();
    statements.find_map(|(place, statement)| {
        let item = statement
            .items
            .iter()
            .position(|item| item.name.start == at)?;
        Some((place, item))
    })
}
