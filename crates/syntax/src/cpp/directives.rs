//! Finds the directives of a preprocessor, outside of comments and literals.

use crate::c_text::{directive_len, literal_len};
use crate::directive_conditions::{Directive, Token};

/// The delimiters of a raw string have at most 16 characters.
const MAX_DELIMITER: usize = 16;

/// The tokens of a text. Several pieces of code may follow each other.
pub(super) struct Tokens<'t> {
    bytes: &'t [u8],
    at: usize,
    /// Whether the line has had only blanks and comments.
    is_at_line_start: bool,
    /// Whether a raw string had no end. Looking for further ends would take quadratic time.
    has_open_string: bool,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: 0,
            is_at_line_start: true,
            has_open_string: false,
        }
    }

    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Reads the code of a line, up to a comment or the end of the line.
    fn code(&mut self) -> Token {
        self.is_at_line_start = false;
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => break,
                b'/' if comment_len(self.rest()).is_some() => break,
                b'"' if self.is_raw(start) => self.at += self.raw_string_len(),
                b'\'' if self.is_separator(start) => self.at += 1,
                b'"' | b'\'' => self.at += literal_len(self.rest()),
                b'\\' if self.rest().starts_with(b"\\\n") => self.at += 2,
                b'\\' if self.rest().starts_with(b"\\\r\n") => self.at += 3,
                _ => self.at += 1,
            }
        }
        Token::Code
    }

    /// Reports whether the quote here opens a raw string: `R"(…)"`.
    fn is_raw(&self, start: usize) -> bool {
        let before = self.bytes.get(start..self.at).unwrap_or_default();
        before.last() == Some(&b'R')
    }

    /// Returns the length of a raw string from its quote on. One without an end is a common
    /// literal.
    fn raw_string_len(&mut self) -> usize {
        let text = self.rest();
        let near = text.get(..MAX_DELIMITER + 2).unwrap_or(text);
        let open = memchr::memchr(b'(', near).filter(|_| !self.has_open_string);
        let Some(open) = open else {
            return literal_len(text);
        };
        let delimiter = text.get(1..open).unwrap_or_default();
        let end = [b")", delimiter, b"\""].concat();
        let found = memchr::memmem::find(text, &end);
        self.has_open_string = found.is_none();
        found.map_or_else(|| literal_len(text), |at| at + end.len())
    }

    /// Reports whether the quote here is within a number: `1'000`.
    fn is_separator(&self, start: usize) -> bool {
        let before = self.bytes.get(start..self.at).unwrap_or_default();
        before.last().is_some_and(u8::is_ascii_hexdigit)
    }

    fn directive(&mut self) -> Token {
        let start = self.at;
        self.at += 1;
        let mut text = Vec::new();
        while let Some(&byte) = self.bytes.get(self.at) {
            let rest = self.rest();
            let len = match byte {
                b'\n' => break,
                b'\\' if rest.starts_with(b"\\\n") => 2,
                b'\\' if rest.starts_with(b"\\\r\n") => 3,
                b'/' => {
                    if let Some(len) = comment_len(rest) {
                        text.push(b' ');
                        self.at += len;
                        continue;
                    }
                    1
                }
                b'"' | b'\'' => literal_len(rest),
                _ => 1,
            };
            if byte != b'\\' || len == 1 {
                text.extend_from_slice(rest.get(..len).unwrap_or_default());
            } else {
                text.push(b' ');
            }
            self.at += len;
        }
        // Only whole characters are left out, so the rest is UTF-8.
        let text = String::from_utf8(text).unwrap_or_default();
        let text = text.trim();
        let end = text.find(|letter: char| !letter.is_ascii_alphabetic());
        let (name, rest) = text
            .split_at_checked(end.unwrap_or(text.len()))
            .unwrap_or_default();
        Token::Directive(Directive {
            start,
            end: self.at,
            name: name.to_owned(),
            rest: rest.trim().to_owned(),
        })
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            match self.bytes.get(self.at)? {
                b'\n' => {
                    self.is_at_line_start = true;
                    self.at += 1;
                }
                byte if byte.is_ascii_whitespace() => self.at += 1,
                b'#' if self.is_at_line_start => return Some(self.directive()),
                b'/' => match comment_len(self.rest()) {
                    Some(len) => self.at += len,
                    None => return Some(self.code()),
                },
                _ => return Some(self.code()),
            }
        }
    }
}

/// Returns the length of a comment at the start of a text, without the end of its last line.
fn comment_len(text: &[u8]) -> Option<usize> {
    match text {
        [b'/', b'/', ..] => Some(directive_len(text)),
        [b'/', b'*', inside @ ..] => {
            let end = memchr::memmem::find(inside, b"*/");
            Some(end.map_or(text.len(), |at| at + 4))
        }
        _ => None,
    }
}
