//! A syntax tree as a list of nodes in the order of the text.
//!
//! In it a node's parent and the end of its subtree are a look-up each, where tree-sitter walks for them.

use tree_sitter::{Tree, TreeCursor};

use super::kinds::{self, Field, Kind};
use crate::position::wire;

/// One node. Offsets are bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) field: Field,
    pub(super) start: u32,
    pub(super) end: u32,
    parent: u32,
    /// The first node behind its subtree.
    next: u32,
}

/// What stands for a node that is not there: a leaf without text.
const NOWHERE: Node = Node {
    kind: Kind::Other,
    field: Field::Other,
    start: 0,
    end: 0,
    parent: 0,
    next: 0,
};

/// A place in a [`FlatTree`].
pub(super) type At = usize;

/// The nodes of a tree in the order of the text, a node before those inside it.
pub(super) struct FlatTree<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

impl<'t> FlatTree<'t> {
    /// Iterative, since the depth of a tree is its author's choice.
    pub(super) fn new(tree: &Tree, text: &'t str) -> Self {
        let mut flat = Self {
            text,
            nodes: Vec::with_capacity(tree.root_node().descendant_count()),
        };
        let mut open: Vec<At> = Vec::new();
        let mut cursor = tree.walk();
        loop {
            let at = flat.nodes.len();
            flat.nodes.push(node(&cursor, open.last().copied()));
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

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, at: At) -> Node {
        self.nodes.get(at).copied().unwrap_or(NOWHERE)
    }

    pub(super) fn kind(&self, at: At) -> Kind {
        self.node(at).kind
    }

    pub(super) fn parent(&self, at: At) -> At {
        self.node(at).parent as At
    }

    /// The first node behind a node's subtree.
    pub(super) fn next(&self, at: At) -> At {
        self.node(at).next as At
    }

    pub(super) fn is_leaf(&self, at: At) -> bool {
        self.next(at) <= at + 1
    }

    pub(super) fn children(&self, at: At) -> impl Iterator<Item = At> + '_ {
        let end = self.next(at);
        std::iter::successors(Some(at + 1), |&child| Some(self.next(child)))
            .take_while(move |&child| child < end)
    }

    pub(super) fn child(&self, at: At, field: Field) -> Option<At> {
        self.children(at)
            .find(|&child| self.node(child).field == field)
    }

    /// The children that are no keywords, brackets or comments.
    pub(super) fn operands(&self, at: At) -> impl Iterator<Item = At> + '_ {
        self.children(at).filter(|&child| {
            !matches!(
                self.kind(child),
                Kind::Token | Kind::Comment | Kind::LineContinuation
            )
        })
    }

    pub(super) fn text(&self, at: At) -> &'t str {
        let node = self.node(at);
        self.slice(node.start, node.end)
    }

    pub(super) fn slice(&self, start: u32, end: u32) -> &'t str {
        self.text
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }
}

fn node(cursor: &TreeCursor<'_>, parent: Option<At>) -> Node {
    let (kind, field) = kinds::of_cursor(cursor);
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
