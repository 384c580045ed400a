//! The nodes of a tree in source order, with the numbers that the grammar gives their kinds.
//!
//! The cursor of tree-sitter takes far longer to step to a node than it takes to copy one. After an
//! edit, most subtrees are the same as before. tree-sitter leaves them where they are in memory, so
//! their addresses identify them.

use std::cmp::Reverse;

use tree_sitter::{InputEdit, Tree, TreeCursor};

use ragnav_base::position::wire;

/// The largest number of nodes with the same start and end that are compared. In code there are a
/// few of them, one inside the other.
const MAX_SAME_PLACE: usize = 16;

/// A node. Offsets are bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListedNode {
    /// The number of the kind.
    pub(crate) kind: u16,
    /// The number of the field in the parent; 0 for none.
    pub(crate) field: u16,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) parent: u32,
    /// The index of the first node after the subtree.
    pub(crate) subtree_end: u32,
}

/// The nodes of a tree in source order. A node precedes those inside it.
#[derive(Debug)]
pub(crate) struct NodeList {
    pub(crate) nodes: Vec<ListedNode>,
    /// The address of each node, which identifies its subtree as long as the tree is kept.
    addresses: Vec<usize>,
}

/// The nodes of a text before an edit.
pub(crate) struct Before<'b> {
    pub(crate) list: &'b NodeList,
    pub(crate) edit: InputEdit,
}

impl NodeList {
    /// Lists the nodes of a tree. It is iterative, since the author of a text controls the depth of
    /// its tree.
    ///
    /// The nodes of subtrees that were there before an edit are copied. The tree before the edit
    /// must still be kept.
    pub(crate) fn new(tree: &Tree, before: Option<&Before<'_>>) -> Self {
        let count = tree.root_node().descendant_count();
        let mut list = Self {
            nodes: Vec::with_capacity(count),
            addresses: Vec::with_capacity(count),
        };
        let mut open: Vec<usize> = Vec::new();
        let mut cursor = tree.walk();
        // The node before the edit that this one would be, if the edit changed nothing here.
        let mut expected = 0;
        loop {
            let index = list.nodes.len();
            list.add(&cursor, open.last().copied());
            open.push(index);
            let known = before.and_then(|before| before.find(&cursor, expected));
            expected = match known {
                Some(known) => list.copy_inside(known, index),
                None => expected + 1,
            };
            if known.is_none() && cursor.goto_first_child() {
                continue;
            }
            list.close(&mut open);
            while !cursor.goto_next_sibling() {
                list.close(&mut open);
                if !cursor.goto_parent() {
                    return list;
                }
            }
        }
    }

    fn add(&mut self, cursor: &TreeCursor<'_>, parent: Option<usize>) {
        let node = cursor.node();
        self.nodes.push(ListedNode {
            kind: node.kind_id(),
            field: cursor.field_id().map_or(0, std::num::NonZero::get),
            start: wire(node.start_byte()),
            end: wire(node.end_byte()),
            parent: wire(parent.unwrap_or_default()),
            subtree_end: 0,
        });
        self.addresses.push(node.id());
    }

    fn close(&mut self, open: &mut Vec<usize>) {
        let next = wire(self.nodes.len());
        let closed = open.pop().and_then(|node| self.nodes.get_mut(node));
        if let Some(node) = closed {
            node.subtree_end = next;
        }
    }

    /// Appends copies of the nodes inside a known node, whose own copy is the last of this list.
    /// Returns the index of the first node after the known one.
    fn copy_inside(&mut self, known: Known<'_>, copy: usize) -> usize {
        let Known { list, index } = known;
        let outer = list.nodes.get(index).zip(self.nodes.get(copy));
        let Some((outer, to)) = outer else {
            return index;
        };
        let end = outer.subtree_end as usize;
        let inside = index + 1..end;
        let moved = to.start.wrapping_sub(outer.start);
        let shifted = wire(copy).wrapping_sub(wire(index));
        let nodes = list.nodes.get(inside.clone()).unwrap_or_default();
        self.nodes.extend(nodes.iter().map(|node| ListedNode {
            start: node.start.wrapping_add(moved),
            end: node.end.wrapping_add(moved),
            parent: node.parent.wrapping_add(shifted),
            subtree_end: node.subtree_end.wrapping_add(shifted),
            ..*node
        }));
        let addresses = list.addresses.get(inside).unwrap_or_default();
        self.addresses.extend_from_slice(addresses);
        end
    }
}

/// A node of a list.
#[derive(Clone, Copy)]
struct Known<'l> {
    list: &'l NodeList,
    index: usize,
}

impl<'b> Before<'b> {
    /// Finds the current node among those before the edit. A node without children is found only
    /// where it is expected: to look for it takes longer than to list it.
    fn find(&self, cursor: &TreeCursor<'_>, expected: usize) -> Option<Known<'b>> {
        let node = cursor.node();
        let list = self.list;
        if list.addresses.get(expected) == Some(&node.id()) {
            let index = expected;
            return Some(Known { list, index });
        }
        if node.child_count() == 0 {
            return None;
        }
        let (start, end) = self.place_before(node.start_byte(), node.end_byte())?;
        let place = (start, Reverse(end));
        let place_of = |node: &ListedNode| (node.start, Reverse(node.end));
        let first = list.nodes.partition_point(|node| place_of(node) < place);
        let at_place = list.nodes.get(first..).unwrap_or_default().iter();
        let at_place = at_place.take(MAX_SAME_PLACE);
        let same = at_place.take_while(|node| place_of(node) == place).count();
        let same = first..first + same;
        let addresses = list.addresses.get(same.clone()).unwrap_or_default();
        let found = addresses.iter().position(|address| *address == node.id())?;
        let index = first + found;
        Some(Known { list, index })
    }

    /// Returns where a range of the text stood before the edit; `None` if the edit touches it.
    fn place_before(&self, start: usize, end: usize) -> Option<(u32, u32)> {
        let edit = &self.edit;
        if end <= edit.start_byte {
            return Some((wire(start), wire(end)));
        }
        let before = |offset: usize| wire(offset - edit.new_end_byte + edit.old_end_byte);
        (start >= edit.new_end_byte).then(|| (before(start), before(end)))
    }
}
