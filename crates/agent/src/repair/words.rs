//! What stands without quotes: literals, numbers and bare text; and what stands between: spaces, commas, comments, dots.

use super::letters::is_space;
use super::reader::{Node, Reader};
use crate::plan::Repair;

impl Reader<'_> {
    /// A literal, a number, or text without quotes.
    pub(super) fn word(&mut self, is_in_array: bool) -> Option<Node> {
        let start = self.at;
        while let Some(letter) = self.letters.get(self.at) {
            let ends = match letter {
                '}' | ']' | '\n' | '`' => true,
                ',' | ';' => is_in_array || self.is_separator(self.at),
                ' ' | '\t' => !is_in_array && self.is_before_key(start),
                '/' | '#' => {
                    self.letters.is_comment(self.at)
                        && self.at > start
                        && !self.letters.starts(self.at - 1, ":")
                }
                _ => false,
            };
            if ends {
                break;
            }
            self.at += 1;
        }
        let is_cut = self.letters.get(self.at).is_none();
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
        if is_cut && ["metadata_only", "selective_context"].contains(&text) {
            self.repairs.insert(Repair::Bare);
            return Some(Node::String(text.to_owned()));
        }
        if is_cut {
            // Half a word says something else than the whole.
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

    /// Whether a pair, a bracket or nothing follows this comma.
    fn is_separator(&self, comma: usize) -> bool {
        let at = self.letters.past_space(comma + 1);
        let is_end = matches!(self.letters.get(at), None | Some('}' | ']' | ','));
        is_end
            || self.letters.key(at).is_some()
            || self.letters.is_ellipsis(at)
            || self.letters.is_comment(at)
    }

    /// Whether a key in quotes follows this space, the first behind a word: the comma between was forgotten.
    fn is_before_key(&self, start: usize) -> bool {
        let is_first = self.at > start && !self.letters.get(self.at - 1).is_some_and(is_space);
        is_first && {
            let at = self.letters.past_space(self.at);
            self.letters.is_quote(at) && self.letters.quoted_key(at).is_some()
        }
    }

    pub(super) fn ellipsis(&mut self) {
        self.repairs.insert(Repair::Comments);
        while matches!(self.letters.get(self.at), Some('.' | '…')) {
            self.at += 1;
        }
    }

    /// Passes spaces, comments and commas; how many commas.
    pub(super) fn separators(&mut self) -> usize {
        let mut commas = 0;
        loop {
            self.space();
            if !matches!(self.letters.get(self.at), Some(',' | ';')) {
                return commas;
            }
            commas += 1;
            self.at += 1;
        }
    }

    /// Passes spaces and comments.
    pub(super) fn space(&mut self) {
        loop {
            self.at = self.letters.past_space(self.at);
            if !self.letters.is_comment(self.at) {
                return;
            }
            self.repairs.insert(Repair::Comments);
            let is_block = self.letters.starts(self.at, "/*");
            let ends = |at: usize| {
                if is_block {
                    self.letters.starts(at, "*/")
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
