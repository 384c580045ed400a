//! Strings whose quotes are single, typographic, missing, or stand unescaped inside.

use super::letters::{closers, is_space};
use super::reader::{Node, Reader};
use crate::plan::Repair;

/// Longest key that may be cut by the end of the text, in letters.
const MAX_CUT_KEY: usize = 64;

impl Reader<'_> {
    /// The string whose quote opens here.
    pub(super) fn string(&mut self, is_in_array: bool) -> Node {
        let open = self.letters.get(self.at).unwrap_or('"');
        let closing = closers(open).unwrap_or(&['"']);
        if open != '"' {
            self.repairs.insert(Repair::Quotes);
        }
        self.at += 1;
        let start = self.at;
        let mut text = String::new();
        while let Some(letter) = self.letters.get(self.at) {
            if letter == '\\' {
                self.escape(&mut text);
                continue;
            }
            if closing.contains(&letter) {
                if self.ends(self.at + 1, is_in_array) {
                    self.at += 1;
                    return Node::String(text);
                }
                self.repairs.insert(Repair::Quotes);
                if self.begins_key(self.at) {
                    // The closing quote was forgotten, and this one opens the next key.
                    self.step_back(start, &mut text);
                    return Node::String(text);
                }
            }
            if letter.is_control() {
                self.repairs.insert(Repair::Escapes);
            }
            text.push(letter);
            self.at += 1;
        }
        self.repairs.insert(Repair::Truncated);
        self.step_back(start, &mut text);
        Node::OpenString(text)
    }

    /// One escape. Those that JSON does not know keep their backslash before letters and lose it before signs.
    fn escape(&mut self, text: &mut String) {
        let next = self.letters.get(self.at + 1);
        self.at += 2;
        let known = match next {
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{C}'),
            Some(sign @ ('"' | '\\' | '/')) => Some(sign),
            Some('u') => self.unicode(),
            _ => None,
        };
        if let Some(letter) = known {
            text.push(letter);
            return;
        }
        self.repairs.insert(Repair::Escapes);
        match next {
            Some('\n') | None => {}
            Some(letter) if letter.is_alphanumeric() => text.extend(['\\', letter]),
            Some(sign) => text.push(sign),
        }
    }

    /// The letter of four hexadecimal digits, or of two such that are halves of one.
    fn unicode(&mut self) -> Option<char> {
        let first = self.hex(self.at)?;
        if (0xD800..0xDC00).contains(&first) && self.letters.starts(self.at + 4, "\\u") {
            let second = self
                .hex(self.at + 6)
                .filter(|half| (0xDC00..0xE000).contains(half))?;
            let letter = char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))?;
            self.at += 10;
            return Some(letter);
        }
        let letter = char::from_u32(first)?;
        self.at += 4;
        Some(letter)
    }

    fn hex(&self, at: usize) -> Option<u32> {
        let mut digits = (at..at + 4).map(|at| self.letters.get(at)?.to_digit(16));
        digits.try_fold(0, |sum, digit| Some(sum * 16 + digit?))
    }

    /// Whether a string can end before this place: what follows goes on as JSON does.
    fn ends(&self, from: usize, is_in_array: bool) -> bool {
        let letters = self.letters;
        let at = letters.past_space(from);
        match letters.get(at) {
            None => true,
            Some('}' | ']') => {
                let behind = letters.past_space(at + 1);
                !letters.is_quote(behind)
                    || letters.has_newline(at, behind)
                    || letters.is_fence(behind)
            }
            Some(',' | ';') => self.goes_on(letters.past_space(at + 1), is_in_array),
            Some('`') => letters.is_fence(at),
            Some('/' | '#') => at > from && letters.is_comment(at),
            Some(_) if is_in_array => {
                at > from && letters.is_quote(at) && letters.has_newline(from, at)
            }
            Some(_) if letters.is_quote(at) => at > from && letters.quoted_key(at).is_some(),
            Some(_) => letters.has_newline(from, at) && letters.bare_key(at).is_some(),
        }
    }

    /// Whether another pair or value follows a comma.
    fn goes_on(&self, at: usize, is_in_array: bool) -> bool {
        let letters = self.letters;
        let Some(letter) = letters.get(at) else {
            return true;
        };
        if matches!(letter, '}' | ']' | ',') || letters.is_comment(at) || letters.is_ellipsis(at) {
            return true;
        }
        if letters.key(at).is_some() {
            return true;
        }
        if is_in_array {
            let is_number = letter.is_ascii_digit() || letter == '-';
            return letters.is_quote(at) || matches!(letter, '{' | '[') || is_number;
        }
        // A key that was cut off.
        let rest = letters.0.get(at..).unwrap_or_default();
        let is_key = |letter: &char| {
            letter.is_alphanumeric() || *letter == '_' || closers(*letter).is_some()
        };
        letter == '{' || (rest.len() < MAX_CUT_KEY && rest.iter().all(is_key))
    }

    /// Whether this quote opens a known key, behind a comma or bracket or on a line of its own.
    fn begins_key(&self, at: usize) -> bool {
        let before = self.letters.before_space(at);
        let separated = before
            .checked_sub(1)
            .and_then(|last| self.letters.get(last))
            .is_some_and(|last| matches!(last, ',' | '{' | '[' | '}' | ']'))
            || self.letters.has_newline(before, at);
        separated && self.letters.is_known_key(at)
    }

    /// Gives back what belongs to the objects around a string that has no end: commas, brackets and a fence.
    fn step_back(&mut self, start: usize, text: &mut String) {
        let belongs =
            |letter: char| is_space(letter) || matches!(letter, ',' | '}' | ']' | '{' | '[' | '`');
        let mut end = self.at;
        while end > start && self.letters.get(end - 1).is_some_and(belongs) {
            end -= 1;
            text.pop();
        }
        // Signs that were escaped are one letter in the text and two here, but none of them is among those above.
        self.at = end;
    }
}
