//! Where a file gets imports and a definition.

use ragnav_base::item::ItemKind;
use ragnav_base::sort::SmallSort;
use ragnav_syntax::layout::{ImportForm, StatementKind};

use super::files::OpenFile;
use super::rules::{ImportRequest, Imported, Rules};
use crate::edit_plan::Change;

/// Where a definition goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    /// Behind the imports, since the file uses the definition.
    BehindImports,
    /// At the end of the file.
    End,
}

/// Returns the statements of some imports, one for each module.
pub(super) fn statements(rules: &dyn Rules, requests: &[ImportRequest]) -> Vec<String> {
    let mut groups: Vec<(&str, ImportForm, Vec<Imported>)> = Vec::new();
    for request in requests {
        let known = groups.iter_mut().find(|(specifier, form, _)| {
            let is_joined = matches!(form, ImportForm::Names | ImportForm::Types);
            *specifier == request.specifier && *form == request.form && is_joined
        });
        match known {
            Some((.., names)) => names.push(request.imported.clone()),
            None => groups.push((
                &request.specifier,
                request.form,
                vec![request.imported.clone()],
            )),
        }
    }
    let lines = groups.into_iter().map(|(specifier, form, mut names)| {
        names.small_sort();
        names.dedup();
        rules.statement(specifier, &names, form)
    });
    lines.collect()
}

/// Returns the place behind the imports at the top of a file, which begins a line or ends the text.
fn behind_imports(file: &OpenFile) -> usize {
    let all = &file.layout.statements;
    let is_code = |kind| kind == StatementKind::Definition;
    let head = all.iter().take_while(|one| !is_code(one.kind));
    let last_import = head.filter(|one| one.kind == StatementKind::Import).last();
    let first = all.iter().find(|one| one.kind != StatementKind::Comment);
    let text = first.filter(|one| one.kind == StatementKind::Text);
    match last_import.or(text) {
        Some(last) => next_line(file, last.range.end),
        None => behind_header(file),
    }
}

/// Returns the place behind the comments that are about a file: those before a blank line.
fn behind_header(file: &OpenFile) -> usize {
    let mut end = 0;
    let mut line = 1;
    for comment in &file.layout.statements {
        let lines = &file.changes.lines;
        let is_next = lines.line_at(comment.range.start) == line;
        if comment.kind != StatementKind::Comment || !is_next {
            break;
        }
        line = lines.line_at(comment.range.end.saturating_sub(1)) + 1;
        end = next_line(file, comment.range.end);
    }
    let rest = file.text().get(end..).unwrap_or_default();
    let is_apart = rest.is_empty() || rest.starts_with(['\n', '\r']);
    let has_shebang = file.text().starts_with("#!");
    if is_apart || has_shebang { end } else { 0 }
}

/// Returns the start of the line after the one with a byte.
fn next_line(file: &OpenFile, at: usize) -> usize {
    let line = file.changes.lines.line_at(at.saturating_sub(1));
    file.changes.lines.full_range(line).end
}

/// Adds imports to a file.
pub(super) fn insert_imports(file: &mut OpenFile, rules: &dyn Rules, requests: &[ImportRequest]) {
    let lines = statements(rules, requests);
    if lines.is_empty() {
        return;
    }
    let line_break = file.changes.line_break();
    let at = behind_imports(file);
    let before = file.text().get(..at).unwrap_or_default();
    let mut text = String::new();
    if !before.is_empty() && !before.ends_with('\n') {
        text.push_str(line_break);
    }
    let has_imports = file
        .layout
        .statements
        .iter()
        .any(|one| one.kind == StatementKind::Import);
    if !has_imports && !before.is_empty() {
        text.push_str(line_break);
    }
    text.push_str(&lines.join("\n").replace('\n', line_break));
    text.push_str(line_break);
    let after = file.text().get(at..).unwrap_or_default();
    if !has_imports && !after.is_empty() && !after.starts_with(['\n', '\r']) {
        text.push_str(line_break);
    }
    file.changes.change(inserted(at, text, ItemKind::Import));
}

/// Adds a definition to a file that exists, with blank lines before it.
pub(super) fn insert_definition(file: &mut OpenFile, text: &str, (gap, spot): (usize, Spot)) {
    let line_break = file.changes.line_break();
    let text = with_line_break(text, line_break);
    let blank = line_break.repeat(gap);
    if spot == Spot::BehindImports {
        let at = behind_imports(file);
        let after = file.text().get(at..).unwrap_or_default();
        let end = if after.starts_with(['\n', '\r']) {
            ""
        } else {
            blank.as_str()
        };
        let new = format!("{blank}{text}{line_break}{end}");
        file.changes.change(inserted(at, new, ItemKind::Definition));
        return;
    }
    let content = file.text().trim_end();
    let own_end = file.text().get(content.len()..).unwrap_or_default();
    let breaks = own_end.matches('\n').count();
    let wanted = if content.is_empty() && !file.changes.is_changed() {
        0
    } else {
        gap + 1
    };
    let before = line_break.repeat(wanted.saturating_sub(breaks));
    let new = format!("{before}{text}{line_break}");
    let at = file.text().len();
    file.changes.change(inserted(at, new, ItemKind::Definition));
}

/// Writes a file that does not exist yet.
pub(super) fn fill_new(
    file: &mut OpenFile,
    rules: &dyn Rules,
    source: &OpenFile,
    (requests, text): (&[ImportRequest], &str),
) {
    let line_break = source.changes.line_break();
    let mut head: Vec<String> = rules.head_of_new(source).into_iter().collect();
    if !head.is_empty() && !requests.is_empty() {
        head.push(String::new());
    }
    head.extend(statements(rules, requests));
    let mut new = String::new();
    for line in &head {
        new.push_str(&with_line_break(line, line_break));
        new.push_str(line_break);
    }
    if !head.is_empty() {
        new.push_str(&line_break.repeat(rules.blank_lines()));
    }
    new.push_str(&with_line_break(text, line_break));
    new.push_str(line_break);
    file.changes.change(inserted(0, new, ItemKind::Definition));
}

/// Returns a text with certain line breaks.
pub(super) fn with_line_break(text: &str, line_break: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', line_break)
}

fn inserted(at: usize, new_text: String, kind: ItemKind) -> Change {
    Change {
        range: at..at,
        new_text,
        kind,
        resolution: None,
    }
}
