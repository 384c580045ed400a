//! Finds the definitions of a text in one pass over the tree.

use super::kinds::{Field, FlatTree, Kind};
use crate::body_hash::NamedNode;
use crate::facts::Conditions;
use crate::raw_definition::{LimitExceeded, RawDefinition, name_path};
use crate::symbol::Outline;
use crate::tree::{NodeClass, NodeIndex, NodeKind};
use ragnav_base::item::DefinitionKind;

/// A definition with its nodes.
pub(super) struct FoundDefinition {
    pub(super) raw: RawDefinition,
    pub(super) named: NamedNode,
}

/// Returns the definitions in source order.
///
/// A definition ends at the last token before the first node after it. Comments do not count: the
/// grammar attaches them to either side.
pub(super) fn find_definitions(tree: &FlatTree<'_>) -> Outline<FoundDefinition> {
    let mut found: Vec<FoundDefinition> = Vec::new();
    let mut is_partial = false;
    let mut scopes: Vec<Scope> = Vec::new();
    let mut last_token_end = 0;
    for index in 0..tree.len() {
        let node = tree.node(index);
        while let Some(scope) = scopes.pop_if(|scope| scope.end <= node.start) {
            end_at(&mut found, &scope, last_token_end);
        }
        let enclosing = scopes.last().map(|scope| scope.index);
        if matches!(node.kind, Kind::ClassDefinition | Kind::FunctionDefinition) {
            match read_definition(tree, index, &found, enclosing) {
                Ok(Some(definition)) => {
                    scopes.push(Scope {
                        end: node.end,
                        index: found.len(),
                    });
                    found.push(definition);
                }
                Ok(None) => {}
                Err(LimitExceeded) => is_partial = true,
            }
        }
        if tree.is_leaf(index) && node.kind.class() != NodeClass::Extra && node.start < node.end {
            last_token_end = node.end as usize;
        }
    }
    for scope in &scopes {
        end_at(&mut found, scope, last_token_end);
    }
    Outline {
        has_errors: false,
        definitions: found,
        conditions: Conditions::default(),
        is_partial,
    }
}

/// A definition whose body encloses the current node.
struct Scope {
    end: u32,
    index: usize,
}

fn end_at(found: &mut [FoundDefinition], scope: &Scope, end: usize) {
    if let Some(definition) = found.get_mut(scope.index) {
        definition.raw.end = end;
    }
}

fn read_definition(
    tree: &FlatTree<'_>,
    index: NodeIndex,
    found: &[FoundDefinition],
    parent: Option<usize>,
) -> Result<Option<FoundDefinition>, LimitExceeded> {
    let enclosing = parent.and_then(|index| found.get(index));
    let enclosing = enclosing.map(|enclosing| &enclosing.raw);
    let is_member = enclosing.is_some_and(|enclosing| enclosing.kind == DefinitionKind::Class);
    let kind = match tree.kind(index) {
        Kind::ClassDefinition => DefinitionKind::Class,
        _ if is_member => DefinitionKind::Method,
        _ => DefinitionKind::Function,
    };
    let name = tree.child(index, Field::Name);
    let Some(name) = name.filter(|name| !tree.text(*name).is_empty()) else {
        return Ok(None);
    };
    let node = tree.node(index);
    let above = tree.node(tree.parent(index));
    let is_decorated = above.kind == Kind::DecoratedDefinition;
    let decorated_start = if is_decorated {
        above.start
    } else {
        node.start
    };
    let raw = RawDefinition {
        kind,
        name_path: name_path(enclosing, None, tree.text(name))?,
        parent,
        decorated_start: decorated_start as usize,
        start: node.start as usize,
        end: node.end as usize,
    };
    let named = NamedNode {
        definition: index,
        name,
    };
    Ok(Some(FoundDefinition { raw, named }))
}
