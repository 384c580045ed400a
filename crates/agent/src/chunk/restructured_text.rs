//! Chunking reStructuredText, and plain text with headings of that form, by its sections.
//!
//! Source: the Docutils specification of sections. A title is underlined, and may be overlined, with
//! one punctuation character that is repeated at least as often as the title is long. The styles of
//! a document rank in the order in which they appear.

use super::chunked_file::{ChunkedFile, Lines, Source};
use super::sections::{Heading, chunk_note};

/// The shortest line that counts as an adornment of a title.
const MIN_ADORNMENT: usize = 3;

/// The style of a heading: its character, and whether the title is overlined too.
type Style = (char, bool);

/// Chunks a text, whose `language` is reStructuredText or plain text.
pub(super) fn chunk(source: &Source<'_>, language: &str) -> ChunkedFile {
    chunk_note(source, language, &headings(source))
}

fn headings(source: &Source<'_>) -> Vec<Heading> {
    let mut styles: Vec<Style> = Vec::new();
    let mut headings: Vec<Heading> = Vec::new();
    for line in 2..=source.count() {
        let Some((style, lines)) = heading_at(source, line) else {
            continue;
        };
        // The underline of a title may look like the overline of the next one.
        if headings
            .last()
            .is_some_and(|last| last.lines.end >= lines.start)
        {
            continue;
        }
        let rank = styles.iter().position(|known| *known == style);
        let rank = rank.unwrap_or_else(|| {
            styles.push(style);
            styles.len() - 1
        });
        headings.push(Heading {
            level: u8::try_from(rank + 1).unwrap_or(u8::MAX),
            text: source.line(line - 1).trim().to_owned(),
            lines,
        });
    }
    headings
}

/// Returns the heading whose underline is at a line.
fn heading_at(source: &Source<'_>, line: u32) -> Option<(Style, Lines)> {
    let sign = adornment(source.line(line))?;
    let title = source.line(line - 1);
    let width = title.trim_end().chars().count();
    let is_title = width > 0 && adornment(title).is_none();
    let underline = source.line(line).trim_end();
    if !is_title || underline.chars().count() < width {
        return None;
    }
    let above = line.checked_sub(2).filter(|above| *above > 0);
    let is_overlined = above.is_some_and(|above| source.line(above).trim_end() == underline);
    // Only a title between two lines may be indented; other indented text is a block.
    if title.starts_with([' ', '\t']) && !is_overlined {
        return None;
    }
    let start = if is_overlined { line - 2 } else { line - 1 };
    Some(((sign, is_overlined), Lines { start, end: line }))
}

/// Returns the character that a line repeats, if it can adorn a title.
fn adornment(line: &str) -> Option<char> {
    let line = line.trim_end();
    let sign = line.chars().next()?;
    let is_adornment = sign.is_ascii_punctuation()
        && line.len() >= MIN_ADORNMENT
        && line.chars().all(|letter| letter == sign);
    is_adornment.then_some(sign)
}
