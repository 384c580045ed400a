//! A syntax tree as a list of nodes in source order.
//!
//! The parent of a node and the end of its subtree are one look-up each; tree-sitter would search.

use ragnav_base::position::wire;
use tree_sitter::Language;

use crate::node_list::ListedNode;
use crate::syntax_tree::SyntaxTree;

/// The role of a node kind that all languages share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeClass {
    /// A keyword, operator or bracket.
    Token,
    /// A comment, or another node that may stand between any two tokens.
    Extra,
    /// A string, in which whitespace is significant.
    Text,
    /// A name.
    Name,
    /// A block of statements.
    Block,
    /// Any other named node.
    Other,
}

/// The node kinds of a language. The default is any other kind.
pub(crate) trait NodeKind: Copy + Default + PartialEq + 'static {
    /// The names of the current instance in methods, and of its class: `self` and `cls` in Python.
    const OWN_RECEIVERS: &'static [&'static str];
    /// A keyword, operator or bracket.
    const TOKEN: Self;
    /// The kind of a syntax error, the only kind without a number in the grammar.
    const ERROR: Self;

    fn class(self) -> NodeClass;

    /// Reports whether a leaf is a dotted name, whose last segment is the name.
    fn is_dotted_name(self) -> bool {
        false
    }
}

/// The fields of a language, which distinguish children. The default is any other field, or none.
pub(crate) trait NodeField: Copy + Default + PartialEq + 'static {
    fn from_name(name: &str) -> Self;
}

/// Defines the node kinds of a language, each with its names in the grammar, and `from_name`.
macro_rules! node_kinds {
    (
        $(#[$meta:meta])*
        $visible:vis enum $kinds:ident {
            $($(#[$doc:meta])* $kind:ident $($($name:literal)|+)?,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        $visible enum $kinds {
            $($(#[$doc])* $kind,)*
            /// A keyword, operator or bracket.
            Token,
            /// Any other named node.
            #[default]
            Other,
        }

        impl $kinds {
            $visible fn from_name(name: &str) -> Self {
                match name {
                    $($($($name)|+ => Self::$kind,)?)*
                    _ => Self::Other,
                }
            }
        }
    };
}

/// Defines the fields of a language, each with its name in the grammar, as a [`NodeField`].
macro_rules! node_fields {
    (
        $(#[$meta:meta])*
        $visible:vis enum $fields:ident {
            $($(#[$doc:meta])* $field:ident $($name:literal)|+,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        $visible enum $fields {
            $($(#[$doc])* $field,)*
            /// Any other field, or none.
            #[default]
            Other,
        }

        impl $crate::tree::NodeField for $fields {
            fn from_name(name: &str) -> Self {
                match name {
                    $($($name)|+ => Self::$field,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

pub(crate) use {node_fields, node_kinds};

/// The kinds and fields of a grammar by number, so that a walk compares no strings.
#[derive(Debug)]
pub(crate) struct KindTable<K, F> {
    kinds: Vec<K>,
    fields: Vec<F>,
}

impl<K: NodeKind, F: NodeField> KindTable<K, F> {
    /// Builds the table; `kind_of` maps the names of named nodes.
    pub(crate) fn new(grammar: &Language, kind_of: fn(&str) -> K) -> Self {
        let kind = |id| match grammar.node_kind_for_id(id) {
            Some(name) if grammar.node_kind_is_named(id) => kind_of(name),
            _ => K::TOKEN,
        };
        let field = |id| {
            grammar
                .field_name_for_id(id)
                .map_or(F::default(), F::from_name)
        };
        let kind_count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let field_count = u16::try_from(grammar.field_count()).unwrap_or(u16::MAX);
        Self {
            kinds: (0..kind_count).map(kind).collect(),
            fields: (0..=field_count).map(field).collect(),
        }
    }

    fn node(&self, node: &ListedNode) -> Node<K, F> {
        let kind = self.kinds.get(usize::from(node.kind)).copied();
        let field = self.fields.get(usize::from(node.field)).copied();
        Node {
            kind: kind.unwrap_or(K::ERROR),
            field: field.unwrap_or_default(),
            start: node.start,
            end: node.end,
            parent: node.parent,
            subtree_end: node.subtree_end,
        }
    }
}

/// A node. Offsets are bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Node<K, F> {
    pub(crate) kind: K,
    pub(crate) field: F,
    pub(crate) start: u32,
    pub(crate) end: u32,
    parent: u32,
    /// The index of the first node after the subtree.
    subtree_end: u32,
}

/// The index of a node in a [`FlatTree`].
pub(crate) type NodeIndex = usize;

/// The nodes of a tree in source order. A node precedes those inside it.
pub(crate) struct FlatTree<'t, K, F> {
    text: &'t str,
    nodes: Vec<Node<K, F>>,
}

impl<'t, K: NodeKind, F: NodeField> FlatTree<'t, K, F> {
    pub(crate) fn new(tree: &SyntaxTree, text: &'t str, kind_table: &KindTable<K, F>) -> Self {
        let nodes = tree.nodes().nodes.iter();
        Self {
            text,
            nodes: nodes.map(|node| kind_table.node(node)).collect(),
        }
    }

    /// Replaces the kind of each node for which the function returns another one, parents first.
    pub(crate) fn replace_kinds(&mut self, kind_of: fn(&Self, NodeIndex) -> Option<K>) {
        for index in 0..self.nodes.len() {
            let kind = kind_of(self, index);
            if let Some((node, kind)) = self.nodes.get_mut(index).zip(kind) {
                node.kind = kind;
            }
        }
    }

    /// Replaces the field of each node for which the function returns another one.
    pub(crate) fn replace_fields(&mut self, field_of: fn(&Self, NodeIndex) -> Option<F>) {
        for index in 0..self.nodes.len() {
            let field = field_of(self, index);
            if let Some((node, field)) = self.nodes.get_mut(index).zip(field) {
                node.field = field;
            }
        }
    }

    /// Excludes the quotes around names from their nodes, those of `` `type` `` in Scala, and the
    /// segments before the last one of a [dotted name](NodeKind::is_dotted_name).
    pub(crate) fn trim_names(&mut self) {
        let names = self.nodes.iter_mut();
        for node in names.filter(|node| node.kind.class() == NodeClass::Name) {
            let text = self.text.get(node.start as usize..node.end as usize);
            if node.kind.is_dotted_name() {
                let last = text.and_then(|text| text.rfind('.'));
                node.start += last.map_or(0, |dot| wire(dot + 1));
            }
            let inside = text.and_then(|text| text.strip_prefix('`')?.strip_suffix('`'));
            if inside.is_some_and(|inside| !inside.is_empty()) {
                node.start += 1;
                node.end -= 1;
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns a node. A leaf without text is a token that the parser inserted.
    pub(crate) fn node(&self, node: NodeIndex) -> Node<K, F> {
        self.nodes.get(node).copied().unwrap_or_default()
    }

    pub(crate) fn kind(&self, node: NodeIndex) -> K {
        self.node(node).kind
    }

    pub(crate) fn parent(&self, node: NodeIndex) -> NodeIndex {
        self.node(node).parent as NodeIndex
    }

    /// Returns the index of the first node after a subtree.
    pub(crate) fn subtree_end(&self, node: NodeIndex) -> NodeIndex {
        self.node(node).subtree_end as NodeIndex
    }

    pub(crate) fn is_leaf(&self, node: NodeIndex) -> bool {
        self.subtree_end(node) <= node + 1
    }

    pub(crate) fn children(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        let end = self.subtree_end(node);
        std::iter::successors(Some(node + 1), |&child| Some(self.subtree_end(child)))
            .take_while(move |&child| child < end)
    }

    pub(crate) fn child(&self, node: NodeIndex, field: F) -> Option<NodeIndex> {
        self.children(node)
            .find(|&child| self.node(child).field == field)
    }

    /// Returns the children that are not keywords, operators, brackets or comments.
    pub(crate) fn operands(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        self.children(node).filter(|&child| {
            !matches!(
                self.kind(child).class(),
                NodeClass::Token | NodeClass::Extra
            )
        })
    }

    pub(crate) fn text(&self, node: NodeIndex) -> &'t str {
        let span = self.node(node);
        self.slice(span.start, span.end)
    }

    /// Returns the text of a name, without the backquotes of a name such as `` `a b` `` in Kotlin.
    pub(crate) fn name(&self, node: NodeIndex) -> &'t str {
        self.text(node).trim_matches('`')
    }

    /// Returns the segments before a name in a dotted name without nodes for them: `A.B` before
    /// `C` in `A.B.C`.
    pub(crate) fn path_before(&self, node: NodeIndex) -> Option<&'t str> {
        let before = self.slice(0, self.node(node).start).strip_suffix('.')?;
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
        let path = before.trim_end_matches(is_part);
        before.get(path.len()..).filter(|path| !path.is_empty())
    }

    /// Returns the byte offset of a part of the text, or `None` for another text.
    pub(crate) fn offset_of(&self, part: &str) -> Option<usize> {
        let start = self.text.as_ptr().addr();
        let offset = part.as_ptr().addr().checked_sub(start)?;
        (offset + part.len() <= self.text.len()).then_some(offset)
    }

    pub(crate) fn slice(&self, start: u32, end: u32) -> &'t str {
        self.text
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }
}
