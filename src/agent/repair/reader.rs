//! A reader of JSON that goes on where JSON would stop.

use std::collections::BTreeSet;

use super::letters::{Letters, closers, is_plan_key, is_space};
use crate::agent::plan::Repair;

/// Deepest nesting of objects and lists.
pub(super) const MAX_DEPTH: usize = 64;

/// A value as it was read. What is `Open` was cut by the end of the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    OpenString(String),
    List(Vec<Node>),
    OpenList(Vec<Node>),
    Object(Vec<(String, Node)>),
    OpenObject(Vec<(String, Node)>),
}

/// The text is nested deeper than [`MAX_DEPTH`].
#[derive(Debug)]
pub(super) struct TooDeep;

/// Where reading stands.
pub(super) struct Reader<'a> {
    pub(super) letters: Letters<'a>,
    pub(super) at: usize,
    pub(super) repairs: BTreeSet<Repair>,
    depth: usize,
    /// How many lists are open.
    lists: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(letters: &'a [char], at: usize) -> Self {
        Self {
            letters: Letters(letters),
            at,
            repairs: BTreeSet::new(),
            depth: 0,
            lists: 0,
        }
    }

    /// Whether an object begins at this brace: a key follows, a comment, or nothing.
    pub(super) fn is_object(&self) -> bool {
        let at = self.letters.past_space(self.at + 1);
        self.letters.is_comment(at) || self.letters.key(at).is_some()
    }

    fn descend(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Node, TooDeep>,
    ) -> Result<Node, TooDeep> {
        if self.depth == MAX_DEPTH {
            return Err(TooDeep);
        }
        self.depth += 1;
        let node = read(self);
        self.depth -= 1;
        node
    }

    /// The object whose brace is here.
    pub(super) fn object(&mut self) -> Result<Node, TooDeep> {
        self.at += 1;
        self.descend(Self::pairs)
    }

    /// The pairs of an object whose brace was passed, or never stood there.
    pub(super) fn pairs(&mut self) -> Result<Node, TooDeep> {
        let mut pairs: Vec<(String, Node)> = Vec::new();
        let mut is_first = true;
        loop {
            let commas = self.separators();
            let Some(letter) = self.letters.get(self.at) else {
                self.repairs.insert(Repair::Truncated);
                return Ok(Node::OpenObject(pairs));
            };
            let is_end = letter == '}';
            if commas > usize::from(!is_first && !is_end) {
                self.repairs.insert(Repair::Commas);
            }
            if is_end {
                self.at += 1;
                return Ok(Node::Object(pairs));
            }
            if self.letters.is_fence(self.at) {
                self.repairs.insert(Repair::Brackets);
                return Ok(Node::OpenObject(pairs));
            }
            let ends_list = letter == ']' && self.lists > 0;
            let begins_next = letter == '{' && self.lists > 0 && !pairs.is_empty();
            if ends_list || begins_next || self.is_plan_in_filter(&pairs) {
                self.repairs.insert(Repair::Brackets);
                return Ok(Node::Object(pairs));
            }
            if self.letters.is_ellipsis(self.at) {
                self.ellipsis();
                continue;
            }
            if !is_first && commas == 0 {
                self.repairs.insert(Repair::Commas);
            }
            is_first = false;
            let Some(key) = self.key() else {
                // A sign that belongs nowhere.
                self.repairs.insert(Repair::Brackets);
                self.at += 1;
                continue;
            };
            if let Some(value) = self.value(false)? {
                if let Some(pair) = pairs.iter_mut().find(|pair| pair.0 == key) {
                    self.repairs.insert(Repair::DuplicateKey);
                    pair.1 = value;
                } else {
                    pairs.push((key, value));
                }
            }
        }
    }

    /// Whether a plan's key follows in a filter, whose brace was forgotten.
    fn is_plan_in_filter(&self, pairs: &[(String, Node)]) -> bool {
        let is_filter = pairs
            .iter()
            .any(|(key, _)| key == "field" || key == "operator");
        is_filter
            && self
                .letters
                .key(self.at)
                .is_some_and(|(key, _)| is_plan_key(&key))
    }

    /// The key here, its colon passed.
    fn key(&mut self) -> Option<String> {
        let (key, colon) = self.letters.key(self.at)?;
        let is_whole = self.letters.quoted_key(self.at).is_some();
        if !is_whole {
            self.repairs.insert(Repair::Bare);
        } else if self.letters.get(self.at) != Some('"') {
            self.repairs.insert(Repair::Quotes);
        }
        self.at = colon + 1 + usize::from(self.letters.starts(colon, "=>"));
        Some(key)
    }

    fn list(&mut self) -> Result<Node, TooDeep> {
        self.at += 1;
        self.lists += 1;
        let node = self.descend(Self::items);
        self.lists -= 1;
        node
    }

    fn items(&mut self) -> Result<Node, TooDeep> {
        let mut items = Vec::new();
        let mut is_first = true;
        loop {
            let commas = self.separators();
            let Some(letter) = self.letters.get(self.at) else {
                self.repairs.insert(Repair::Truncated);
                return Ok(Node::OpenList(items));
            };
            let is_end = letter == ']';
            if commas != usize::from(!is_first && !is_end) {
                self.repairs.insert(Repair::Commas);
            }
            if is_end {
                self.at += 1;
                return Ok(Node::List(items));
            }
            let key = self.letters.key(self.at);
            if letter == '}' || key.as_ref().is_some_and(|(key, _)| is_plan_key(key)) {
                self.repairs.insert(Repair::Brackets);
                return Ok(Node::List(items));
            }
            if self.letters.is_fence(self.at) {
                self.repairs.insert(Repair::Truncated);
                return Ok(Node::OpenList(items));
            }
            is_first = false;
            if key.is_some() {
                self.repairs.insert(Repair::Brackets);
                items.push(self.descend(Self::pairs)?);
                continue;
            }
            let from = self.at;
            items.extend(self.value(true)?);
            if self.at == from {
                self.at += 1;
            }
        }
    }

    /// The value here; `None` where there is none, or one that was cut before it said anything.
    fn value(&mut self, is_in_array: bool) -> Result<Option<Node>, TooDeep> {
        self.space();
        let Some(letter) = self.letters.get(self.at) else {
            self.repairs.insert(Repair::Truncated);
            return Ok(None);
        };
        let is_prefix =
            matches!(letter, 'u' | 'b' | 'r' | 'f') && self.letters.is_quote(self.at + 1);
        if is_prefix {
            self.repairs.insert(Repair::Literals);
            self.at += 1;
        }
        match letter {
            '{' => self.object().map(Some),
            '[' => self.list().map(Some),
            ',' | '}' | ']' => Ok(None),
            _ if self.letters.is_ellipsis(self.at) => {
                self.ellipsis();
                Ok(None)
            }
            _ if is_prefix || closers(letter).is_some() => Ok(Some(self.string(is_in_array))),
            _ => Ok(self.word(is_in_array)),
        }
    }

    /// A literal, a number, or text without quotes.
    fn word(&mut self, is_in_array: bool) -> Option<Node> {
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

    fn ellipsis(&mut self) {
        self.repairs.insert(Repair::Comments);
        while matches!(self.letters.get(self.at), Some('.' | '…')) {
            self.at += 1;
        }
    }

    /// Passes spaces, comments and commas; how many commas.
    fn separators(&mut self) -> usize {
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
    fn space(&mut self) {
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
