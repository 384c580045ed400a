//! Chunking `AsciiDoc` by its sections.
//!
//! Source: the `AsciiDoc` language documentation, on section titles and on delimited blocks. A
//! title has as many `=` in front as its level says, or is underlined with the character of its
//! level.

use super::chunked_file::{ChunkedFile, Lines, Source};
use super::sections::{Heading, chunk_note};

/// The characters that underline titles, by level.
const UNDERLINES: [char; 5] = ['=', '-', '~', '^', '+'];

/// The deepest level of a title with marks in front.
const MAX_LEVEL: usize = 6;

/// The shortest line that opens or closes a block, apart from `--`.
const MIN_DELIMITER: usize = 4;

pub(super) fn chunk(source: &Source<'_>) -> ChunkedFile {
    chunk_note(source, "asciidoc", &headings(source))
}

fn headings(source: &Source<'_>) -> Vec<Heading> {
    let mut headings = Vec::new();
    // The line that closes the block around the current line.
    let mut end_of_block: Option<&str> = None;
    for line in 1..=source.count() {
        let text = source.line(line).trim_end();
        if let Some(end) = end_of_block {
            end_of_block = Some(end).filter(|end| *end != text);
            continue;
        }
        let heading = underlined_heading(source, line).or_else(|| marked_heading(text, line));
        match heading {
            Some(heading) => headings.push(heading),
            None if is_delimiter(text) => end_of_block = Some(text),
            None => {}
        }
    }
    headings
}

/// Returns the heading of a line such as `== Title` or `## Title`.
fn marked_heading(text: &str, line: u32) -> Option<Heading> {
    let sign = text.chars().next().filter(|sign| "=#".contains(*sign))?;
    let rest = text.trim_start_matches(sign);
    let level = text.len() - rest.len();
    if level > MAX_LEVEL || !rest.starts_with(' ') {
        return None;
    }
    let marks = text.get(..level)?;
    let title = rest.trim();
    let title = title.strip_suffix(marks).unwrap_or(title).trim_end();
    (!title.is_empty()).then(|| Heading {
        level: u8::try_from(level).unwrap_or(u8::MAX),
        text: title.to_owned(),
        lines: Lines {
            start: line,
            end: line,
        },
    })
}

/// Returns the heading whose underline is at a line. It may be one character longer or shorter than
/// the title.
fn underlined_heading(source: &Source<'_>, line: u32) -> Option<Heading> {
    let underline = source.line(line).trim_end();
    let sign = underline.chars().next()?;
    let level = UNDERLINES.iter().position(|known| *known == sign)?;
    if underline.len() < 2 || !underline.chars().all(|letter| letter == sign) {
        return None;
    }
    let above = line.checked_sub(1).filter(|above| *above > 0)?;
    let title = source.line(above).trim_end();
    let is_title = title.starts_with(char::is_alphanumeric)
        && title.chars().count().abs_diff(underline.len()) <= 1;
    let is_first_of_paragraph = above == 1 || {
        let before = source.line(above - 1).trim();
        before.is_empty() || before.starts_with('[') && before.ends_with(']')
    };
    (is_title && is_first_of_paragraph).then(|| Heading {
        level: u8::try_from(level + 1).unwrap_or(u8::MAX),
        text: title.to_owned(),
        lines: Lines {
            start: above,
            end: line,
        },
    })
}

/// Reports whether a line opens a block, whose text has no headings.
fn is_delimiter(text: &str) -> bool {
    if text == "--" || text == "|===" || text.starts_with("```") {
        return true;
    }
    let mut letters = text.chars();
    let Some(sign) = letters.next() else {
        return false;
    };
    text.len() >= MIN_DELIMITER && "-=.*_+/".contains(sign) && letters.all(|letter| letter == sign)
}
