//! The parts of a definition's text: its head, and what belongs to none of its members.

use std::ops::Range;

use ragnav_base::position::LineIndex;
use ragnav_syntax::Symbol;

/// The languages whose heads end with a colon.
const WITH_COLON: [&str; 2] = ["python", "jupyter"];
/// The languages whose heads end with their line.
const WITH_LINE: [&str; 4] = ["ruby", "lua", "elixir", "bash"];
/// The languages whose heads may end with `=`, as in `fun f() = 1`.
const WITH_EQUALS: [&str; 3] = ["kotlin", "ruby", "scala"];

/// A definition, divided where its body begins.
pub(super) struct DividedDefinition {
    /// The head without the name and with single blanks: two equal heads are one signature.
    pub(super) head: String,
    /// The number of lines of the head.
    pub(super) head_lines: usize,
    /// The body with single blanks.
    pub(super) body: String,
}

/// Divides a definition at the end of its head.
pub(super) fn split_head(
    text: &str,
    lines: &LineIndex,
    symbol: &Symbol,
    language: &str,
) -> DividedDefinition {
    let name = symbol.name_path.rsplit('.').next().unwrap_or_default();
    let all: Vec<&str> = (symbol.start_line..=symbol.end_line)
        .map(|line| lines.line(text, line))
        .collect();
    let all = all.join("\n");
    let (head, body) = all.split_at(head_end(&all, name, language));
    DividedDefinition {
        head: without_word(&single_blanks(head), name),
        head_lines: head.lines().count(),
        body: single_blanks(body),
    }
}

/// Returns a text without the first occurrence of a whole word.
fn without_word(text: &str, word: &str) -> String {
    let is_part = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$'))
    };
    let found = text.match_indices(word).find_map(|(start, _)| {
        let before = text.get(..start)?;
        let after = text.get(start + word.len()..)?;
        let is_word = !is_part(before.chars().next_back()) && !is_part(after.chars().next());
        is_word.then(|| format!("{before}{after}"))
    });
    found.unwrap_or_else(|| text.to_owned())
}

fn single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the offset at which the head of a definition ends.
fn head_end(text: &str, name: &str, language: &str) -> usize {
    // The search begins after the name, since the name of an operator may be `==`.
    let start = text.find(name).map_or(0, |start| start + name.len());
    let rest = text.get(start..).unwrap_or_default();
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, letter) in rest.char_indices() {
        let after = rest.get(at + letter.len_utf8()..).unwrap_or_default();
        let is_end = match letter {
            '(' | '[' => {
                depth += 1;
                false
            }
            ')' | ']' => {
                depth = depth.saturating_sub(1);
                depth == 0 && letter == ')' && language == "lua"
            }
            _ if depth > 0 => false,
            '{' | ';' => true,
            ':' => WITH_COLON.contains(&language),
            '>' => before == '=' && language != "scala",
            '\n' => WITH_LINE.contains(&language),
            ',' => language == "elixir" && after.trim_start().starts_with("do:"),
            // `x=` is the name of a setter of Ruby.
            '=' => {
                let is_lone = at > 0 && !"=<>!".contains(before) && !after.starts_with(['=', '>']);
                is_lone && WITH_EQUALS.contains(&language)
            }
            _ => false,
        };
        if is_end {
            return start + at;
        }
        before = letter;
    }
    text.len()
}

/// Returns the lines of a definition that belong to none of its members, without blanks around
/// them.
pub(super) fn own_lines<'t>(
    text: &'t str,
    lines: &LineIndex,
    symbols: &[Symbol],
    place: usize,
) -> Vec<&'t str> {
    let Some(symbol) = symbols.get(place) else {
        return Vec::new();
    };
    let prefix = format!("{}.", symbol.name_path);
    let range = symbol.decorated_start_line..symbol.end_line + 1;
    let members = symbols.iter().skip(place + 1);
    let members = members.take_while(|other| other.start_line <= symbol.end_line);
    let members: Vec<Range<usize>> = members
        .filter(|other| other.name_path.starts_with(&prefix))
        .map(|other| other.decorated_start_line..other.end_line + 1)
        .collect();
    range
        .filter(|line| !members.iter().any(|member| member.contains(line)))
        .map(|line| lines.line(text, line).trim())
        .filter(|line| !line.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::without_word;

    #[test]
    fn a_short_name_is_no_part_of_a_keyword() {
        assert_eq!(without_word("def f(x)", "f"), "def (x)");
        assert_eq!(without_word("class s(base)", "s"), "class (base)");
        assert_eq!(without_word("function()", "f"), "function()");
    }
}
