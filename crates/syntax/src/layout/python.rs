//! The statements of Python.

use tree_sitter::Node;

use super::{
    ImportForm, ImportItem, ImportStatement, Layout, Statement, StatementKind, children, fields,
};

pub(super) fn read(layout: &mut Layout, node: Node<'_>, is_at_top: bool) {
    if is_at_top && node.is_named() {
        layout.statements.push(Statement {
            kind: kind_of(node),
            range: node.byte_range(),
        });
    }
    if let Some(form) = import_form(node) {
        layout.imports.push(ImportStatement {
            range: node.byte_range(),
            is_at_top,
            form,
            module: node
                .child_by_field_name("module_name")
                .map(|one| one.byte_range()),
            items: fields(node, "name").into_iter().map(item).collect(),
        });
    }
}

fn kind_of(node: Node<'_>) -> StatementKind {
    match node.kind() {
        "comment" => StatementKind::Comment,
        "import_statement" | "import_from_statement" | "future_import_statement" => {
            StatementKind::Import
        }
        "function_definition" | "class_definition" | "decorated_definition" => {
            StatementKind::Definition
        }
        "expression_statement" => match children(node).as_slice() {
            [only] if only.kind() == "string" => StatementKind::Text,
            _ => StatementKind::Other,
        },
        _ => StatementKind::Other,
    }
}

fn import_form(node: Node<'_>) -> Option<ImportForm> {
    let has_star = || {
        children(node)
            .iter()
            .any(|one| one.kind() == "wildcard_import")
    };
    match node.kind() {
        "import_statement" => Some(ImportForm::Modules),
        "import_from_statement" if has_star() => Some(ImportForm::Other),
        "import_from_statement" => Some(ImportForm::Names),
        // No other module has what it imports.
        "future_import_statement" => Some(ImportForm::Other),
        _ => None,
    }
}

fn item(node: Node<'_>) -> ImportItem {
    let field = |name| {
        node.child_by_field_name(name)
            .map(|one: Node<'_>| one.byte_range())
    };
    let is_aliased = node.kind() == "aliased_import";
    ImportItem {
        range: node.byte_range(),
        name: field("name")
            .filter(|_| is_aliased)
            .unwrap_or_else(|| node.byte_range()),
        alias: field("alias").filter(|_| is_aliased),
    }
}
