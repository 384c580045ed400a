//! A reader of JSON that goes on where JSON would stop.

use std::collections::BTreeSet;

use super::letters::{Letters, closers, is_plan_key};
use crate::plan::Repair;

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

/// Most keys of an object that are kept: a plan has four, and each is looked for among those before it.
const MAX_KEYS: usize = 256;

/// Puts a pair to others: of a key that stands twice the last value counts.
pub(super) fn put(
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
                put(&mut pairs, key, value, &mut self.repairs);
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
}
