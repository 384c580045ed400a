//! A lenient JSON reader.

use std::collections::BTreeSet;

use super::lookahead::{Lookahead, closers, is_plan_key};
use crate::plan::Repair;

/// The largest nesting depth of objects and lists.
pub(super) const MAX_DEPTH: usize = 64;

/// A value that was read. The `Open` variants were truncated by the end of the text.
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

/// The largest number of keys of an object. A plan has four, and insertion is a linear search.
const MAX_KEYS: usize = 256;

/// Inserts a pair. The last of several values for one key is kept.
pub(super) fn insert_pair(
    pairs: &mut Vec<(String, Node)>,
    key: String,
    value: Node,
    repairs: &mut BTreeSet<Repair>,
) {
    if let Some(pair) = pairs.iter_mut().find(|pair| pair.0 == key) {
        repairs.insert(Repair::DuplicateKey);
        pair.1 = value;
    } else if pairs.len() < MAX_KEYS {
        pairs.push((key, value));
    }
}

/// The error for a text that is nested deeper than [`MAX_DEPTH`].
#[derive(Debug)]
pub(super) struct TooDeep;

/// A reader at a position of a text.
pub(super) struct Reader<'a> {
    pub(super) letters: Lookahead<'a>,
    pub(super) at: usize,
    pub(super) repairs: BTreeSet<Repair>,
    depth: usize,
    /// The number of open lists.
    lists: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(letters: &'a [char], at: usize) -> Self {
        Self {
            letters: Lookahead(letters),
            at,
            repairs: BTreeSet::new(),
            depth: 0,
            lists: 0,
        }
    }

    /// Reports whether an object begins at this brace: a key or a comment follows.
    pub(super) fn is_object(&self) -> bool {
        let at = self.letters.skip_space_from(self.at + 1);
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

    /// Reads the object whose brace is at the position.
    pub(super) fn read_object(&mut self) -> Result<Node, TooDeep> {
        self.at += 1;
        self.descend(Self::read_pairs)
    }

    /// Reads the pairs of an object behind its brace, or without one.
    pub(super) fn read_pairs(&mut self) -> Result<Node, TooDeep> {
        let mut pairs: Vec<(String, Node)> = Vec::new();
        let mut is_first = true;
        loop {
            let commas = self.skip_separators();
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
                self.skip_ellipsis();
                continue;
            }
            if !is_first && commas == 0 {
                self.repairs.insert(Repair::Commas);
            }
            is_first = false;
            let Some(key) = self.read_key() else {
                // A character that fits nowhere.
                self.repairs.insert(Repair::Brackets);
                self.at += 1;
                continue;
            };
            if let Some(value) = self.read_value(false)? {
                insert_pair(&mut pairs, key, value, &mut self.repairs);
            }
        }
    }

    /// Reports whether a key of the plan follows inside a filter, whose closing brace is missing.
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

    /// Reads a key and its colon.
    fn read_key(&mut self) -> Option<String> {
        let (key, colon) = self.letters.key(self.at)?;
        let is_whole = self.letters.quoted_key(self.at).is_some();
        if !is_whole {
            self.repairs.insert(Repair::Bare);
        } else if self.letters.get(self.at) != Some('"') {
            self.repairs.insert(Repair::Quotes);
        }
        self.at = colon + 1 + usize::from(self.letters.starts_with(colon, "=>"));
        Some(key)
    }

    fn read_list(&mut self) -> Result<Node, TooDeep> {
        self.at += 1;
        self.lists += 1;
        let node = self.descend(Self::read_items);
        self.lists -= 1;
        node
    }

    fn read_items(&mut self) -> Result<Node, TooDeep> {
        let mut items = Vec::new();
        let mut is_first = true;
        loop {
            let commas = self.skip_separators();
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
                items.push(self.descend(Self::read_pairs)?);
                continue;
            }
            let from = self.at;
            items.extend(self.read_value(true)?);
            if self.at == from {
                self.at += 1;
            }
        }
    }

    /// Reads a value; returns `None` if there is none, or it was truncated at its start.
    fn read_value(&mut self, is_in_array: bool) -> Result<Option<Node>, TooDeep> {
        self.skip_space();
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
            '{' => self.read_object().map(Some),
            '[' => self.read_list().map(Some),
            ',' | '}' | ']' => Ok(None),
            _ if self.letters.is_ellipsis(self.at) => {
                self.skip_ellipsis();
                Ok(None)
            }
            _ if is_prefix || closers(letter).is_some() => Ok(Some(self.read_string(is_in_array))),
            _ => Ok(self.bare_value(is_in_array)),
        }
    }
}
