//! The list of public names, `__all__`.

use std::ops::Range;

use crate::move_plan::files::OpenFile;

/// Returns the range to remove, so that a name is no element of `__all__` any more; `None` if that
/// is no plain list with one such element.
pub(super) fn removed(file: &OpenFile, name: &str) -> Option<Range<usize>> {
    let list = list_of(file)?;
    let text = file.slice(list.clone());
    let quoted = ['"', '\''].map(|quote| format!("{quote}{name}{quote}"));
    let mut places = quoted.iter().flat_map(|one| {
        text.match_indices(one.as_str())
            .map(|(at, found)| at..at + found.len())
    });
    let (element, None) = (places.next()?, places.next()) else {
        return None;
    };
    let after = text.get(element.end..)?;
    let gap = after.len() - after.trim_start().len();
    let before = text.get(..element.start)?;
    let before = before.trim_end().len();
    let inside = if let Some(rest) = after.trim_start().strip_prefix(',') {
        let next = rest.trim_start();
        let comma = element.end + gap + 1;
        if next.starts_with([']', ')']) {
            before..comma
        } else if next.starts_with('#') {
            element.start..comma
        } else {
            element.start..comma + (rest.len() - next.len())
        }
    } else {
        let comma = text.get(..before)?.strip_suffix(',').map(str::len);
        // A tuple of one element needs its comma.
        let is_list = text.starts_with('[');
        comma.filter(|_| is_list).unwrap_or(before)..element.end
    };
    Some(list.start + inside.start..list.start + inside.end)
}

/// Returns the text that adds a name to `__all__`, and its place; `None` if the file has no plain
/// list.
pub(super) fn added(file: &OpenFile, name: &str) -> Option<(usize, String)> {
    let list = list_of(file)?;
    let text = file.slice(list.clone());
    let inside = text.get(..text.len() - 1)?;
    let content = inside.trim_end();
    let quote = if text.contains('"') || !text.contains('\'') {
        '"'
    } else {
        '\''
    };
    let at = list.start + content.len();
    let new = format!("{quote}{name}{quote}");
    let lines = inside
        .get(content.len()..)
        .is_some_and(|rest| rest.contains('\n'));
    let line_break = file.changes.line_break();
    let new = match (content.ends_with(['[', '(']), content.ends_with(','), lines) {
        (true, ..) => format!("{new},"),
        (_, true, true) => format!("{line_break}    {new},"),
        (_, true, false) => format!(" {new},"),
        (_, false, _) => format!(", {new}"),
    };
    Some((at, new))
}

/// Returns the range of the brackets of `__all__`, if it is assigned once and is a plain list.
fn list_of(file: &OpenFile) -> Option<Range<usize>> {
    let statements = file.layout.statements.iter();
    let mut assigned =
        statements.filter(|one| file.slice(one.range.clone()).starts_with("__all__"));
    let (only, None) = (assigned.next()?, assigned.next()) else {
        return None;
    };
    let text = file.slice(only.range.clone());
    let value = text.split_once('=')?.1.trim_start();
    let is_closed = |open, close| value.starts_with(open) && value.ends_with(close);
    let is_plain = is_closed('[', ']') || is_closed('(', ')');
    let inside = value.get(1..value.len().checked_sub(1)?)?;
    let is_nested = inside.contains(['[', '(', '{', '+', '*']);
    (is_plain && !is_nested && !text.starts_with("__all__ +="))
        .then(|| only.range.end - value.len()..only.range.end)
}
