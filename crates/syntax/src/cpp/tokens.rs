//! Divides a text of C++ into words and operators, without comments, literals and directives.

use std::ops::Range;

use memchr::memmem;

use super::macro_names::is_macro_name;
use crate::c_text::{comment_len, directive_len, literal_len};

/// A word or an operator, by its offsets. The default is none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it is the first one in its line.
    begins_line: bool,
    /// Whether a directive precedes it.
    follows_directive: bool,
    /// For a bracket, the index of the other one.
    other: Option<usize>,
}

/// The tokens of a text.
pub(super) struct Tokens<'t> {
    text: &'t str,
    tokens: Vec<Token>,
}

/// The words before the parentheses of a statement.
const WITH_STATEMENT: [&str; 5] = ["if", "for", "while", "switch", "catch"];

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut tokens = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let (mut at, mut begins_line, mut follows_directive) = (0, true, false);
        while let Some(rest) = text.as_bytes().get(at..).filter(|rest| !rest.is_empty()) {
            let byte = rest.first().copied().unwrap_or_default();
            if byte == b'#' && begins_line {
                at += directive_len(rest);
                follows_directive = true;
                continue;
            }
            if let Some(len) = skipped_len(rest) {
                begins_line |= byte == b'\n';
                at += len;
                continue;
            }
            let end = at + token_len(rest);
            let mut other = None;
            match byte {
                b'(' => open.push(tokens.len()),
                b')' => other = open.pop(),
                _ => {}
            }
            let index = tokens.len();
            if let Some(opened) = other.and_then(|other| tokens.get_mut(other)) {
                let opened: &mut Token = opened;
                opened.other = Some(index);
            }
            tokens.push(Token {
                start: at,
                end,
                begins_line,
                follows_directive,
                other,
            });
            (at, begins_line, follows_directive) = (end, false, false);
        }
        Self { text, tokens }
    }

    /// Reports whether the first two tokens of some line satisfy a condition.
    pub(super) fn any_line(&self, is_wanted: fn(&str, &str) -> bool) -> bool {
        let mut firsts = (0..self.tokens.len()).filter(|index| self.begins_line(*index));
        firsts.any(|index| is_wanted(self.at(index), self.at(index + 1)))
    }

    /// Reports whether a name stands before `::`, as in `std::string`. C has it in attributes only:
    /// `[[gnu::unused]]`.
    pub(super) fn has_qualified_name(&self) -> bool {
        let mut names = (1..self.tokens.len()).filter(|index| self.is(*index, "::"));
        names.any(|index| {
            let before = index.checked_sub(2).map_or("", |before| self.at(before));
            self.is_word(index - 1) && !matches!(before, "[" | ",")
        })
    }

    /// Reports whether a struct has a method: `struct A { int f() const; };`. In C, a name before
    /// parentheses is that of a pointer to a function, or of a macro.
    pub(super) fn has_method(&self) -> bool {
        // The names of the structs whose bodies are open, and `None` for another brace.
        let mut open: Vec<Option<&str>> = Vec::new();
        (0..self.tokens.len()).any(|index| match self.at(index) {
            "{" => {
                open.push(self.struct_name(index));
                false
            }
            "}" => {
                open.pop();
                false
            }
            "(" => {
                let class = open.last().copied().flatten();
                class.is_some_and(|class| self.declares_method(index, class))
            }
            _ => false,
        })
    }

    /// Returns the name of the struct whose body a brace opens.
    fn struct_name(&self, brace: usize) -> Option<&'t str> {
        let before = |steps: usize| brace.checked_sub(steps).map_or("", |index| self.at(index));
        match (before(2), before(1)) {
            ("struct", name) => Some(name),
            (_, "struct") => Some(""),
            _ => None,
        }
    }

    /// Reports whether the name before a parenthesis in a struct is that of a method.
    fn declares_method(&self, parenthesis: usize, class: &str) -> bool {
        let Some(name) = parenthesis
            .checked_sub(1)
            .filter(|name| self.is_word(*name))
        else {
            return false;
        };
        let text = self.at(name);
        let before = name.checked_sub(1).map_or("", |before| self.at(before));
        let is_typed = name.checked_sub(1).is_some_and(|of| self.is_word(of));
        let is_declared = (is_typed || matches!(before, "*" | "&" | ">"))
            && !text.starts_with('_')
            && !is_macro_name(text);
        let is_constructor = text == class && matches!(before, "{" | "}" | ";");
        let end = self.other_bracket(parenthesis);
        (is_declared || is_constructor)
            && !self.is(parenthesis + 1, "*")
            && end.is_some_and(|end| matches!(self.at(end + 1), ";" | "{" | "const" | "="))
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<Token> {
        self.tokens.get(index).copied()
    }

    pub(super) fn text(&self, token: Token) -> &'t str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    /// Returns the text of a token, which is empty behind the last one.
    pub(super) fn at(&self, index: usize) -> &'t str {
        self.get(index).map_or("", |token| self.text(token))
    }

    pub(super) fn is(&self, index: usize, text: &str) -> bool {
        self.at(index) == text
    }

    pub(super) fn is_word(&self, index: usize) -> bool {
        self.get(index)
            .is_some_and(|token| self.is_word_token(token))
    }

    /// Reports whether nothing but blanks is between a token and the next one: no literal, either.
    pub(super) fn are_adjacent(&self, index: usize) -> bool {
        let (Some(one), Some(next)) = (self.get(index), self.get(index + 1)) else {
            return false;
        };
        let between = self.text.get(one.end..next.start);
        between.is_some_and(|text| text.trim().is_empty())
    }

    /// Reports whether a token ends where the next one begins.
    pub(super) fn touch(&self, index: usize) -> bool {
        let ends = self.get(index).zip(self.get(index + 1));
        ends.is_some_and(|(one, next)| one.end == next.start)
    }

    /// Reports whether a string literal stands directly before a part, or directly after it.
    pub(super) fn adjoins_string(&self, start: usize, end: usize) -> bool {
        let Some(part) = self.range(start..end) else {
            return false;
        };
        let last = start.checked_sub(1).and_then(|last| self.get(last));
        let between = last.map_or(0, |last| last.end)..part.start;
        let before = self.text.get(between).unwrap_or_default().trim();
        let after = self.text.get(part.end..).unwrap_or_default();
        let is_text = before.len() > 1 && before.starts_with('"') && before.ends_with('"');
        // A comment may end with a quote.
        (is_text && !before.contains("//")) || after.trim_start().starts_with('"')
    }

    pub(super) fn is_word_token(&self, token: Token) -> bool {
        is_word(self.text(token))
    }

    /// Reports whether a token stands behind `*` or `&`.
    pub(super) fn follows_pointer(&self, token: Token) -> bool {
        let before = self.text.get(..token.start).unwrap_or_default();
        before.trim_end().ends_with(['*', '&'])
    }

    /// Returns the index of the parenthesis that belongs to this one.
    pub(super) fn other_bracket(&self, index: usize) -> Option<usize> {
        self.get(index)?.other
    }

    /// Returns the offsets of a part of the text. `None` if it is empty or exceeds the text.
    pub(super) fn range(&self, part: Range<usize>) -> Option<Range<usize>> {
        let tokens = self.tokens.get(part)?;
        Some(tokens.first()?.start..tokens.last()?.end)
    }

    /// Reports whether a parenthesis ends the head of a statement: that of `if (a)`.
    pub(super) fn closes_statement(&self, token: Token) -> bool {
        let before = token.other.and_then(|open| open.checked_sub(1));
        before.is_some_and(|before| WITH_STATEMENT.contains(&self.at(before)))
    }

    /// Reports whether a token is the first one in its line. The end of the text is one.
    pub(super) fn begins_line(&self, index: usize) -> bool {
        self.get(index).is_none_or(|token| token.begins_line)
    }

    pub(super) fn follows_directive(&self, index: usize) -> bool {
        self.get(index).is_some_and(|token| token.follows_directive)
    }
}

pub(super) fn is_word(token: &str) -> bool {
    token.bytes().next().is_some_and(is_letter)
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Returns the length of a word, a number or an operator.
fn token_len(text: &[u8]) -> usize {
    let is_part = |byte: &u8| is_letter(*byte) || byte.is_ascii_digit();
    let word = text.iter().take_while(|byte| is_part(byte)).count();
    let is_double = text.starts_with(b"::") || text.starts_with(b"->") || text.starts_with(b"&&");
    match word {
        0 if is_double => 2,
        0 => 1,
        len => len,
    }
}

/// Returns the length of white space, a comment or a literal.
fn skipped_len(text: &[u8]) -> Option<usize> {
    let until = |needle: &[u8], from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        let found = memmem::find(rest, needle);
        found.map_or(text.len(), |at| from + at + needle.len())
    };
    match text {
        [byte, ..] if byte.is_ascii_whitespace() => Some(1),
        [b'/', b'/', ..] => Some(memchr::memchr(b'\n', text).unwrap_or(text.len())),
        [b'/', b'*', ..] => Some(comment_len(text)),
        [b'R', b'"', ..] => {
            let open = memchr::memchr(b'(', text.get(..20.min(text.len()))?)?;
            let delimiter = text.get(2..open)?;
            let close = [b")", delimiter, b"\""].concat();
            Some(until(&close, open))
        }
        [b'"' | b'\'', ..] => Some(literal_len(text)),
        [byte, ..] if byte.is_ascii_digit() => {
            // A digit separator is no quote: `1'000`.
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'\'' | b'.');
            Some(text.iter().take_while(|byte| is_part(byte)).count())
        }
        _ => None,
    }
}
