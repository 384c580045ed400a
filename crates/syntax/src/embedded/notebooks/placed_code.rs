//! Puts the code of a cell at its place in the file.
//!
//! An escape sequence of JSON is longer than what it means. The difference becomes spaces, inside of
//! strings where they would divide a token.

use super::cell_source::{CellSource, PlacedCharacter};
use crate::embedded::blanked_text::BlankedText;
use crate::python::tokens::token_end;

/// The commands of a cell after which Python follows.
const PYTHON_CELLS: [&str; 7] = [
    "%%capture",
    "%%prun",
    "%%python",
    "%%python3",
    "%%pypy",
    "%%time",
    "%%timeit",
];

/// Puts the code of a cell into a blank text, except for commands of `IPython`.
pub(super) fn place(source: &CellSource, blanked: &mut BlankedText<'_>) {
    let code: String = source
        .characters
        .iter()
        .map(|placed| placed.character)
        .collect();
    if is_other_language(&code) {
        return;
    }
    let mut rest = source.characters.iter();
    let mut at = 0;
    let mut is_line_start = true;
    while at < code.len() {
        let command = is_line_start.then(|| command_at(&code, at)).flatten();
        let end = match command {
            Some(command) => at + command.len(),
            None => token_end(code.as_bytes(), at),
        };
        // The end of an ordinary byte may lie inside a character.
        let end = (end..=code.len())
            .find(|end| code.is_char_boundary(*end))
            .unwrap_or(code.len());
        let token = code.get(at..end).unwrap_or_default();
        let placed: Vec<&PlacedCharacter> = rest.by_ref().take(token.chars().count()).collect();
        if command.is_none() {
            place_token(token, &placed, blanked);
        }
        is_line_start = token.ends_with('\n') || (is_line_start && token.trim().is_empty());
        at = end;
    }
}

/// Reports whether a cell is in another language: `%%bash`, for example.
fn is_other_language(code: &str) -> bool {
    let command = code.split_whitespace().next().unwrap_or_default();
    command.starts_with("%%") && !PYTHON_CELLS.contains(&command)
}

/// Returns the command of `IPython` at the start of a line: `%matplotlib inline`, `!ls`, `help?`.
fn command_at(code: &str, at: usize) -> Option<&str> {
    let rest = code.get(at..)?;
    // The blanks before a command are tokens of their own, so that each line is read once.
    if rest.starts_with(char::is_whitespace) {
        return None;
    }
    rest.lines().next().filter(|line| is_command(line))
}

fn is_command(line: &str) -> bool {
    let line = line.trim_end();
    let magic = line.trim_start_matches('%');
    let is_magic = magic.len() < line.len() && magic.starts_with(|next: char| next.is_alphabetic());
    is_magic || line.starts_with(['!', '?']) || (line.ends_with('?') && !line.contains('#'))
}

fn place_token(token: &str, placed: &[&PlacedCharacter], blanked: &mut BlankedText<'_>) {
    let quotes = quotes(token);
    let last = placed.len();
    let mut is_escaped = false;
    for (index, one) in placed.iter().enumerate() {
        let at = if index < quotes {
            // The quotes that open a string follow what stands before it.
            placed.first().map_or(0, |first| first.place.start) + index
        } else if index + quotes >= last {
            placed.last().map_or(0, |end| end.place.end) - (last - index)
        } else {
            place_inside(one, placed.get(index + 1), &mut is_escaped)
        };
        blanked.put(at, one.character.encode_utf8(&mut [0; 4]));
    }
}

/// Returns the place of a character of a string, or of other code. A backslash stands directly
/// before what it escapes.
fn place_inside(
    one: &PlacedCharacter,
    next: Option<&&PlacedCharacter>,
    is_escaped: &mut bool,
) -> usize {
    let begins_escape = one.character == '\\' && !*is_escaped;
    *is_escaped = begins_escape;
    match next {
        Some(next) if begins_escape => last_byte(next).saturating_sub(1),
        _ if one.character.is_ascii() => last_byte(one),
        _ => one.place.start,
    }
}

fn last_byte(placed: &PlacedCharacter) -> usize {
    placed.place.end.saturating_sub(1)
}

/// Returns the number of quotes at each end of a string: 3, 1, or 0 for a token that is no string.
fn quotes(token: &str) -> usize {
    let Some(quote) = token
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''))
    else {
        return 0;
    };
    let triple = [quote; 3].iter().collect::<String>();
    let is_closed = |quotes: &str| {
        token.len() >= 2 * quotes.len() && token.starts_with(quotes) && token.ends_with(quotes)
    };
    if is_closed(&triple) {
        triple.len()
    } else {
        usize::from(is_closed(&quote.to_string()))
    }
}
