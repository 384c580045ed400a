//! Finds the definitions of a text in one pass over the tree.

use tree_sitter::{Node, Tree, TreeCursor};

use crate::facts::Conditions;
use crate::raw_definition::{LimitExceeded, RawDefinition, name_path};
use crate::symbol::Outline;
use ragnav_base::item::DefinitionKind;

/// Returns the definitions in source order.
///
/// The walk is iterative, since the author of a text controls the depth of its tree. A definition
/// ends at the last token before the first node after it. Comments do not count: the grammar
/// attaches them to either side.
pub(super) fn find_definitions(tree: &Tree, text: &str) -> Outline<RawDefinition> {
    let mut found: Vec<RawDefinition> = Vec::new();
    let mut is_partial = false;
    let mut scopes: Vec<Scope> = Vec::new();
    let mut last_token_end = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        while let Some(scope) = scopes.pop_if(|scope| scope.end <= node.start_byte()) {
            end_at(&mut found, &scope, last_token_end);
        }
        let enclosing = scopes.last().map(|scope| scope.index);
        match read_definition(node, &cursor, text, &found, enclosing) {
            Ok(Some(definition)) => {
                scopes.push(Scope {
                    end: node.end_byte(),
                    index: found.len(),
                });
                found.push(definition);
            }
            Ok(None) => {}
            Err(LimitExceeded) => is_partial = true,
        }
        let is_opaque = !may_hold_definitions(node) || node.child_count() == 0;
        if is_opaque && !node.is_extra() && node.start_byte() < node.end_byte() {
            last_token_end = node.end_byte();
        }
        if !advance(&mut cursor, is_opaque) {
            break;
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
    end: usize,
    index: usize,
}

fn end_at(found: &mut [RawDefinition], scope: &Scope, end: usize) {
    if let Some(definition) = found.get_mut(scope.index) {
        definition.end = end;
    }
}

/// Moves the cursor to the next node in source order.
fn advance(cursor: &mut TreeCursor<'_>, is_opaque: bool) -> bool {
    if !is_opaque && cursor.goto_first_child() {
        return true;
    }
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}

/// Reports whether a node may contain definitions: statements with a block can, and any node with a
/// syntax error. All others, the expressions, make up most of a tree.
fn may_hold_definitions(node: Node<'_>) -> bool {
    match node.kind() {
        "module"
        | "block"
        | "class_definition"
        | "function_definition"
        | "decorated_definition"
        | "if_statement"
        | "elif_clause"
        | "else_clause"
        | "for_statement"
        | "while_statement"
        | "try_statement"
        | "except_clause"
        | "except_group_clause"
        | "finally_clause"
        | "with_statement"
        | "match_statement"
        | "case_clause" => true,
        "expression_statement"
        | "return_statement"
        | "import_statement"
        | "import_from_statement"
        | "parameters"
        | "argument_list"
        | "decorator"
        | "string"
        | "comment" => false,
        _ => node.has_error(),
    }
}

fn read_definition(
    node: Node<'_>,
    cursor: &TreeCursor<'_>,
    text: &str,
    found: &[RawDefinition],
    parent: Option<usize>,
) -> Result<Option<RawDefinition>, LimitExceeded> {
    let enclosing = parent.and_then(|index| found.get(index));
    let kind = match (node.kind(), enclosing.map(|enclosing| enclosing.kind)) {
        ("class_definition", _) => DefinitionKind::Class,
        ("function_definition", Some(DefinitionKind::Class)) => DefinitionKind::Method,
        ("function_definition", _) => DefinitionKind::Function,
        _ => return Ok(None),
    };
    let name = node.child_by_field_name("name");
    let name = name.and_then(|name| text.get(name.byte_range()));
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return Ok(None);
    };
    Ok(Some(RawDefinition {
        kind,
        name_path: name_path(enclosing, None, name)?,
        parent,
        decorated_start: decorated_start(cursor).unwrap_or(node.start_byte()),
        start: node.start_byte(),
        end: node.end_byte(),
    }))
}

fn decorated_start(cursor: &TreeCursor<'_>) -> Option<usize> {
    let mut above = cursor.clone();
    let has_parent = above.goto_parent();
    let parent = above.node();
    (has_parent && parent.kind() == "decorated_definition").then(|| parent.start_byte())
}
