//! The signatures of definitions, by their text alone.

use ragnav_base::position::LineIndex;

/// The lines of a signature that are given.
const MAX_LINES: usize = 20;

/// Returns the lines with which a definition begins, up to the line on which its name has stood and
/// all brackets are closed, without an opening brace at its end.
pub(super) fn signature(
    text: &str,
    lines: &LineIndex,
    range: (u32, u32),
    name_line: u32,
) -> String {
    let (first, last) = (range.0 as usize, range.1 as usize);
    let last = last.min(first.saturating_add(MAX_LINES - 1));
    let indent = indent_of(lines.line(text, first));
    let mut shown: Vec<&str> = Vec::new();
    let mut open = 0;
    for line in first..=last {
        let line_text = lines.line(text, line);
        shown.push(
            line_text
                .get(indent.min(indent_of(line_text))..)
                .unwrap_or_default(),
        );
        open += opened(line_text);
        if line >= name_line as usize && open <= 0 {
            break;
        }
    }
    let code = shown.join("\n");
    let code = code.trim_end();
    code.strip_suffix('{').unwrap_or(code).trim_end().to_owned()
}

/// Returns the length of the blanks before the text of a line.
fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns how many more brackets a line opens than it closes, outside of quotes.
fn opened(line: &str) -> i32 {
    let mut quote = None;
    let mut open = 0;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(closing), _) if closing == letter => quote = None,
            (None, '"') => quote = Some(letter),
            (None, '(' | '[') => open += 1,
            (None, ')' | ']') => open -= 1,
            _ => {}
        }
    }
    open
}
