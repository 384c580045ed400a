//! The tree of a text, with a list of its nodes that is made once.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use tree_sitter::{InputEdit, LanguageRef, Tree, TreeCursor};

use crate::node_list::{Before, NodeList};

/// The tree of a text and its nodes in source order.
pub(crate) struct SyntaxTree {
    pub(crate) tree: Tree,
    nodes: OnceCell<NodeList>,
    /// The tree before the edit that led to this one, until the nodes are listed.
    before: Cell<Option<(Rc<SyntaxTree>, InputEdit)>>,
}

impl SyntaxTree {
    pub(crate) fn new(tree: Tree) -> Self {
        Self {
            tree,
            nodes: OnceCell::new(),
            before: Cell::default(),
        }
    }

    /// Creates the tree of an edited text, which was parsed by the tree before the edit.
    pub(crate) fn edited(tree: Tree, before: Rc<Self>, edit: InputEdit) -> Self {
        let is_listed = before.nodes.get().is_some();
        Self {
            before: Cell::new(is_listed.then_some((before, edit))),
            ..Self::new(tree)
        }
    }

    pub(crate) fn language(&self) -> LanguageRef<'_> {
        self.tree.language()
    }

    pub(crate) fn walk(&self) -> TreeCursor<'_> {
        self.tree.walk()
    }

    pub(crate) fn has_error(&self) -> bool {
        self.tree.root_node().has_error()
    }

    /// Returns the nodes in source order.
    pub(crate) fn nodes(&self) -> &NodeList {
        self.nodes.get_or_init(|| {
            let before = self.before.take();
            let before = before.as_ref().and_then(|(before, edit)| {
                let list = before.nodes.get()?;
                Some(Before { list, edit: *edit })
            });
            NodeList::new(&self.tree, before.as_ref())
        })
    }
}
