//! Reading strings with single, typographic, missing or unescaped quotes.

use super::lookahead::{closers, is_space};
use super::reader::{Node, Reader};
use crate::plan::Repair;

/// The longest key that the end of the text may have truncated, in characters.
const MAX_TRUNCATED_KEY: usize = 64;

impl Reader<'_> {
    /// Reads the string whose opening quote is at the position.
    pub(super) fn read_string(&mut self, is_in_array: bool) -> Node {
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
                self.read_escape(&mut text);
                continue;
            }
            if closing.contains(&letter) {
                if self.can_end(self.at + 1, is_in_array) {
                    self.at += 1;
                    return Node::String(text);
                }
                self.repairs.insert(Repair::Quotes);
                if self.begins_key(self.at) {
                    // The closing quote is missing, and this one opens the next key.
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

    /// Reads an escape. An invalid escape keeps its backslash before letters, and loses it before
    /// punctuation.
    fn read_escape(&mut self, text: &mut String) {
        let next = self.letters.get(self.at + 1);
        self.at += 2;
        let known = match next {
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{C}'),
            Some(sign @ ('"' | '\\' | '/')) => Some(sign),
            Some('u') => self.read_unicode_escape(),
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

    /// Reads four hexadecimal digits, or a surrogate pair.
    fn read_unicode_escape(&mut self) -> Option<char> {
        let first = self.read_hex(self.at)?;
        if (0xD800..0xDC00).contains(&first) && self.letters.starts_with(self.at + 4, "\\u") {
            let second = self
                .read_hex(self.at + 6)
                .filter(|half| (0xDC00..0xE000).contains(half))?;
            let letter = char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))?;
            self.at += 10;
            return Some(letter);
        }
        let letter = char::from_u32(first)?;
        self.at += 4;
        Some(letter)
    }

    fn read_hex(&self, at: usize) -> Option<u32> {
        let mut digits = (at..at + 4).map(|at| self.letters.get(at)?.to_digit(16));
        digits.try_fold(0, |sum, digit| Some(sum * 16 + digit?))
    }

    /// Reports whether a string can end before this position: valid JSON must follow.
    fn can_end(&self, from: usize, is_in_array: bool) -> bool {
        let letters = self.letters;
        let at = letters.skip_space_from(from);
        match letters.get(at) {
            None => true,
            Some('}' | ']') => {
                let behind = letters.skip_space_from(at + 1);
                !letters.is_quote(behind)
                    || letters.has_newline(at, behind)
                    || letters.is_fence(behind)
            }
            Some(',' | ';') => self.has_next(letters.skip_space_from(at + 1), is_in_array),
            Some('`') => letters.is_fence(at),
            Some('/' | '#') => at > from && letters.is_comment(at),
            Some(_) if is_in_array => {
                at > from && letters.is_quote(at) && letters.has_newline(from, at)
            }
            Some(_) if letters.is_quote(at) => at > from && letters.quoted_key(at).is_some(),
            Some(_) => letters.has_newline(from, at) && letters.bare_key(at).is_some(),
        }
    }

    /// Reports whether another pair or value follows a comma.
    fn has_next(&self, at: usize, is_in_array: bool) -> bool {
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
        // A truncated key.
        let rest = letters.0.get(at..).unwrap_or_default();
        let is_key = |letter: &char| {
            letter.is_alphanumeric() || *letter == '_' || closers(*letter).is_some()
        };
        letter == '{' || (rest.len() < MAX_TRUNCATED_KEY && rest.iter().all(is_key))
    }

    /// Reports whether this quote opens a known key behind a comma or bracket, or on a new line.
    fn begins_key(&self, at: usize) -> bool {
        let before = self.letters.skip_space_back(at);
        let separated = before
            .checked_sub(1)
            .and_then(|last| self.letters.get(last))
            .is_some_and(|last| matches!(last, ',' | '{' | '[' | '}' | ']'))
            || self.letters.has_newline(before, at);
        separated && self.letters.is_known_key(at)
    }

    /// Removes trailing commas, brackets and fences from a string without an end; they belong to
    /// the objects around it.
    fn step_back(&mut self, start: usize, text: &mut String) {
        let belongs =
            |letter: char| is_space(letter) || matches!(letter, ',' | '}' | ']' | '{' | '[' | '`');
        let mut end = self.at;
        while end > start && self.letters.get(end - 1).is_some_and(belongs) {
            end -= 1;
            text.pop();
        }
        // An escaped character is one in the text and two here, but none of these can be escaped.
        self.at = end;
    }
}
