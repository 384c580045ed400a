//! Reading unquoted values, and skipping spaces, commas, comments and ellipses.

use super::lookahead::is_space;
use super::reader::{Node, Reader};
use crate::plan::Repair;

impl Reader<'_> {
    /// Reads a literal, a number or unquoted text.
    pub(super) fn bare_value(&mut self, is_in_array: bool) -> Option<Node> {
        let start = self.at;
        while let Some(letter) = self.letters.get(self.at) {
            let ends = match letter {
                '}' | ']' | '\n' | '`' => true,
                ',' | ';' => is_in_array || self.is_separator(self.at),
                ' ' | '\t' => !is_in_array && self.is_before_key(start),
                '/' | '#' => {
                    self.letters.is_comment(self.at)
                        && self.at > start
                        && !self.letters.starts_with(self.at - 1, ":")
                }
                _ => false,
            };
            if ends {
                break;
            }
            self.at += 1;
        }
        let is_truncated = self.letters.get(self.at).is_none();
        let text = self.letters.text(start, self.at);
        let text = text.trim();
        let literal = match text {
            "true" => Some(Node::Bool(true)),
            "false" => Some(Node::Bool(false)),
            "null" => Some(Node::Null),
            _ => None,
        };
        if literal.is_some() {
            return literal;
        }
        let foreign = match text.to_ascii_lowercase().as_str() {
            "true" => Some(Node::Bool(true)),
            "false" => Some(Node::Bool(false)),
            "null" | "none" | "undefined" | "nan" => Some(Node::Null),
            _ => None,
        };
        if foreign.is_some() {
            self.repairs.insert(Repair::Literals);
            return foreign;
        }
        if is_truncated && ["metadata_only", "selective_context"].contains(&text) {
            self.repairs.insert(Repair::Bare);
            return Some(Node::String(text.to_owned()));
        }
        if is_truncated {
            // Half a word may mean something else than the whole.
            self.repairs.insert(Repair::Truncated);
            return None;
        }
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        if let Some(number) = number {
            return Some(Node::Number(number));
        }
        self.repairs.insert(Repair::Bare);
        let bare = text.trim_end_matches(['"', '\'', '”', '’']);
        (!bare.is_empty()).then(|| Node::String(bare.to_owned()))
    }

    /// Reports whether a pair, a bracket or nothing follows this comma.
    fn is_separator(&self, comma: usize) -> bool {
        let at = self.letters.skip_space_from(comma + 1);
        let is_end = matches!(self.letters.get(at), None | Some('}' | ']' | ','));
        is_end
            || self.letters.key(at).is_some()
            || self.letters.is_ellipsis(at)
            || self.letters.is_comment(at)
    }

    /// Reports whether a quoted key follows the first space behind a word, so that a comma is
    /// missing.
    fn is_before_key(&self, start: usize) -> bool {
        let is_first = self.at > start && !self.letters.get(self.at - 1).is_some_and(is_space);
        is_first && {
            let at = self.letters.skip_space_from(self.at);
            self.letters.is_quote(at) && self.letters.quoted_key(at).is_some()
        }
    }

    pub(super) fn skip_ellipsis(&mut self) {
        self.repairs.insert(Repair::Comments);
        while matches!(self.letters.get(self.at), Some('.' | '…')) {
            self.at += 1;
        }
    }

    /// Skips spaces, comments and commas. Returns the number of commas.
    pub(super) fn skip_separators(&mut self) -> usize {
        let mut commas = 0;
        loop {
            self.skip_space();
            if !matches!(self.letters.get(self.at), Some(',' | ';')) {
                return commas;
            }
            commas += 1;
            self.at += 1;
        }
    }

    /// Skips spaces and comments.
    pub(super) fn skip_space(&mut self) {
        loop {
            self.at = self.letters.skip_space_from(self.at);
            if !self.letters.is_comment(self.at) {
                return;
            }
            self.repairs.insert(Repair::Comments);
            let is_block = self.letters.starts_with(self.at, "/*");
            let ends = |at: usize| {
                if is_block {
                    self.letters.starts_with(at, "*/")
                } else {
                    self.letters.get(at) == Some('\n')
                }
            };
            let from = self.at + 1 + usize::from(is_block);
            let end = (from..self.letters.0.len()).find(|at| ends(*at));
            self.at = end.map_or(self.letters.0.len(), |end| end + 1 + usize::from(is_block));
        }
    }
}
