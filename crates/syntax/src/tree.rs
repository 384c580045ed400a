//! A syntax tree as a list of nodes in the order of the text.
//!
//! In it a node's parent and the end of its subtree are a look-up each, where tree-sitter walks for them.

use tree_sitter::{Language, Tree, TreeCursor};

use ragnav_base::position::wire;

/// What a kind of node is to all languages alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// A keyword, operator or bracket.
    Token,
    /// A comment or what else stands between tokens.
    Extra,
    /// A string, in which blanks count.
    Text,
    /// A name.
    Name,
    /// A block of statements.
    Block,
    /// Any other named node.
    Other,
}

/// A language's kinds of node, of which the default is any other.
pub(crate) trait NodeKind: Copy + Default + PartialEq + 'static {
    /// What an instance calls itself, and what a method calls its class.
    const OWN_RECEIVERS: &'static [&'static str];
    /// A keyword, operator or bracket.
    const TOKEN: Self;
    /// What the grammar makes no sense of; it is the one kind without a number.
    const ERROR: Self;

    fn part(self) -> Part;
}

/// A language's fields, by which children are told apart; the default is any other, or none.
pub(crate) trait NodeField: Copy + Default + PartialEq + 'static {
    fn of_name(name: &str) -> Self;
}

/// A grammar's numbers, so that no name is compared while a tree is walked.
#[derive(Debug)]
pub(crate) struct Numbers<K, F> {
    kinds: Vec<K>,
    fields: Vec<F>,
}

impl<K: NodeKind, F: NodeField> Numbers<K, F> {
    /// The numbers of a grammar whose names for named nodes are these kinds.
    pub(crate) fn new(grammar: &Language, kind_of: fn(&str) -> K) -> Self {
        let kind = |id| match grammar.node_kind_for_id(id) {
            Some(name) if grammar.node_kind_is_named(id) => kind_of(name),
            _ => K::TOKEN,
        };
        let field = |id| {
            grammar
                .field_name_for_id(id)
                .map_or(F::default(), F::of_name)
        };
        let kind_count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let field_count = u16::try_from(grammar.field_count()).unwrap_or(u16::MAX);
        Self {
            kinds: (0..kind_count).map(kind).collect(),
            fields: (0..=field_count).map(field).collect(),
        }
    }

    /// What kind of node a cursor is on, and which of its parent's fields it is.
    fn of_cursor(&self, cursor: &TreeCursor<'_>) -> (K, F) {
        let kind = usize::from(cursor.node().kind_id());
        let kind = self.kinds.get(kind).copied();
        let field = cursor.field_id().map(|id| usize::from(id.get()));
        let field = field.and_then(|id| self.fields.get(id).copied());
        (kind.unwrap_or(K::ERROR), field.unwrap_or_default())
    }
}

/// One node. Offsets are bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Node<K, F> {
    pub(crate) kind: K,
    pub(crate) field: F,
    pub(crate) start: u32,
    pub(crate) end: u32,
    parent: u32,
    /// The first node behind its subtree.
    next: u32,
}

/// A place in a [`FlatTree`].
pub(crate) type At = usize;

/// The nodes of a tree in the order of the text, a node before those inside it.
pub(crate) struct FlatTree<'t, K, F> {
    text: &'t str,
    nodes: Vec<Node<K, F>>,
}

impl<'t, K: NodeKind, F: NodeField> FlatTree<'t, K, F> {
    /// Iterative, since the depth of a tree is its author's choice.
    pub(crate) fn new(tree: &Tree, text: &'t str, numbers: &Numbers<K, F>) -> Self {
        let mut flat = Self {
            text,
            nodes: Vec::with_capacity(tree.root_node().descendant_count()),
        };
        let mut open: Vec<At> = Vec::new();
        let mut cursor = tree.walk();
        loop {
            let at = flat.nodes.len();
            flat.nodes
                .push(node(&cursor, open.last().copied(), numbers));
            open.push(at);
            if cursor.goto_first_child() {
                continue;
            }
            flat.close(&mut open);
            while !cursor.goto_next_sibling() {
                flat.close(&mut open);
                if !cursor.goto_parent() {
                    return flat;
                }
            }
        }
    }

    fn close(&mut self, open: &mut Vec<At>) {
        let next = wire(self.nodes.len());
        let closed = open.pop().and_then(|at| self.nodes.get_mut(at));
        if let Some(node) = closed {
            node.next = next;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A leaf without text stands for a node that is not there.
    pub(crate) fn node(&self, at: At) -> Node<K, F> {
        self.nodes.get(at).copied().unwrap_or_default()
    }

    pub(crate) fn kind(&self, at: At) -> K {
        self.node(at).kind
    }

    pub(crate) fn parent(&self, at: At) -> At {
        self.node(at).parent as At
    }

    /// The first node behind a node's subtree.
    pub(crate) fn next(&self, at: At) -> At {
        self.node(at).next as At
    }

    pub(crate) fn is_leaf(&self, at: At) -> bool {
        self.next(at) <= at + 1
    }

    pub(crate) fn children(&self, at: At) -> impl Iterator<Item = At> + '_ {
        let end = self.next(at);
        std::iter::successors(Some(at + 1), |&child| Some(self.next(child)))
            .take_while(move |&child| child < end)
    }

    pub(crate) fn child(&self, at: At, field: F) -> Option<At> {
        self.children(at)
            .find(|&child| self.node(child).field == field)
    }

    /// The children that are no keywords, brackets or comments.
    pub(crate) fn operands(&self, at: At) -> impl Iterator<Item = At> + '_ {
        self.children(at)
            .filter(|&child| !matches!(self.kind(child).part(), Part::Token | Part::Extra))
    }

    pub(crate) fn text(&self, at: At) -> &'t str {
        let node = self.node(at);
        self.slice(node.start, node.end)
    }

    pub(crate) fn slice(&self, start: u32, end: u32) -> &'t str {
        self.text
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }
}

fn node<K: NodeKind, F: NodeField>(
    cursor: &TreeCursor<'_>,
    parent: Option<At>,
    numbers: &Numbers<K, F>,
) -> Node<K, F> {
    let (kind, field) = numbers.of_cursor(cursor);
    let node = cursor.node();
    Node {
        kind,
        field,
        start: wire(node.start_byte()),
        end: wire(node.end_byte()),
        parent: wire(parent.unwrap_or_default()),
        next: 0,
    }
}
