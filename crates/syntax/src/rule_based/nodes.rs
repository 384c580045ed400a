//! Where definitions end, and the names of types.

use super::rules::{Field, FlatTree, Rule};
use crate::tree::NodeIndex;

/// The depth to which types are searched for their name.
const MAX_TYPE_DEPTH: usize = 8;

/// Computes the ends from the last node to the first, so that children precede their parents.
pub(super) fn token_ends(tree: &FlatTree<'_>) -> Vec<u32> {
    let mut ends = vec![0; tree.len()];
    for node in (0..tree.len()).rev() {
        let span = tree.node(node);
        if span.kind == Rule::Comment {
            continue;
        }
        let own = ends.get(node).copied().unwrap_or_default();
        let own = if tree.is_leaf(node) && span.start < span.end {
            let text = tree.text(node).trim_end();
            span.start + ragnav_base::position::wire(text.len())
        } else {
            own
        };
        for place in [node, tree.parent(node)] {
            if let Some(end) = ends.get_mut(place) {
                *end = own.max(*end);
            }
        }
    }
    ends
}

/// Returns the first node after a definition.
pub(super) fn definition_end(tree: &FlatTree<'_>, node: NodeIndex) -> NodeIndex {
    tree.subtree_end(last_node(tree, node))
}

/// Returns the node with which a definition ends.
pub(super) fn last_node(tree: &FlatTree<'_>, node: NodeIndex) -> NodeIndex {
    match tree.kind(node) {
        Rule::DefinitionOfRest(_) => tree.parent(node),
        Rule::DefinitionWithAccessors(_) => accessors_after(tree, node).last().unwrap_or(node),
        _ => node,
    }
}

/// Returns the accessors that follow a property in its block.
pub(crate) fn accessors_after<'t>(
    tree: &'t FlatTree<'_>,
    property: NodeIndex,
) -> impl Iterator<Item = NodeIndex> + 't {
    let end = tree.subtree_end(tree.parent(property));
    let next = tree.subtree_end(property);
    std::iter::successors(Some(next), |&sibling| Some(tree.subtree_end(sibling)))
        .take_while(move |&sibling| sibling < end)
        .filter(|&sibling| !matches!(tree.kind(sibling), Rule::Comment | Rule::Token))
        .take_while(|&sibling| tree.kind(sibling) == Rule::Accessor)
}

/// Returns the name of the type that a node names, refers to or instantiates.
pub(crate) fn type_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<String> {
    let mut of = node;
    for _ in 0..MAX_TYPE_DEPTH {
        of = match tree.kind(of) {
            Rule::Name | Rule::Identifier | Rule::PathName => {
                return Some(tree.text(of).to_owned());
            }
            Rule::Member { name, .. } => tree.child(of, name)?,
            Rule::DottedName => tree
                .operands(of)
                .filter(|part| tree.kind(*part).is_name())
                .last()?,
            // A tuple or function type has no name of its own.
            Rule::ReadChildren => return None,
            _ => {
                let named = tree.child(of, Field::Type);
                named.or_else(|| tree.operands(of).next())?
            }
        };
    }
    None
}
