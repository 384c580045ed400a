//! The statements of JavaScript and TypeScript.

use tree_sitter::Node;

use super::{ImportForm, ImportItem, ImportStatement, Layout, Statement, StatementKind, children};

pub(super) fn read(layout: &mut Layout, node: Node<'_>, is_at_top: bool) {
    if is_at_top && node.is_named() {
        layout.statements.push(Statement {
            kind: kind_of(node),
            range: node.byte_range(),
        });
    }
    let module = node.child_by_field_name("source");
    let is_import = matches!(node.kind(), "import_statement" | "export_statement");
    if let Some(module) = module.filter(|_| is_import) {
        let (form, items) = clause(node);
        layout.imports.push(ImportStatement {
            range: node.byte_range(),
            is_at_top,
            form,
            module: Some(module.byte_range()),
            items,
        });
    }
}

fn kind_of(node: Node<'_>) -> StatementKind {
    match node.kind() {
        "comment" | "hash_bang_line" => StatementKind::Comment,
        "import_statement" => StatementKind::Import,
        "export_statement" if node.child_by_field_name("source").is_some() => StatementKind::Import,
        "export_statement" => {
            let declared = node.child_by_field_name("declaration");
            declared.map_or(StatementKind::Other, kind_of)
        }
        "ambient_declaration" => children(node)
            .first()
            .map_or(StatementKind::Other, |one| kind_of(*one)),
        "function_declaration"
        | "generator_function_declaration"
        | "class_declaration"
        | "abstract_class_declaration"
        | "interface_declaration"
        | "enum_declaration"
        | "type_alias_declaration"
        | "lexical_declaration" => StatementKind::Definition,
        "expression_statement" => match children(node).as_slice() {
            [only] if only.kind() == "string" => StatementKind::Text,
            _ => StatementKind::Other,
        },
        _ => StatementKind::Other,
    }
}

/// Returns how a statement imports, and what by name.
fn clause(node: Node<'_>) -> (ImportForm, Vec<ImportItem>) {
    let mut cursor = node.walk();
    let is_type = node.children(&mut cursor).any(|one| one.kind() == "type");
    let is_export = node.kind() == "export_statement";
    let parts = children(node);
    let holder = if is_export {
        parts
            .iter()
            .find(|one| one.kind() == "export_clause")
            .copied()
    } else {
        let clause = parts.iter().find(|one| one.kind() == "import_clause");
        let inside = clause.map(|one| children(*one)).unwrap_or_default();
        match inside.as_slice() {
            [only] if only.kind() == "named_imports" => Some(*only),
            _ => None,
        }
    };
    let Some(holder) = holder else {
        return (ImportForm::Other, Vec::new());
    };
    let specifiers = children(holder).into_iter();
    let specifiers =
        specifiers.filter(|one| matches!(one.kind(), "import_specifier" | "export_specifier"));
    let form = match (is_export, is_type) {
        (false, false) => ImportForm::Names,
        (false, true) => ImportForm::Types,
        (true, false) => ImportForm::Exports,
        (true, true) => ImportForm::ExportedTypes,
    };
    (form, specifiers.map(item).collect())
}

fn item(node: Node<'_>) -> ImportItem {
    let field = |name| {
        node.child_by_field_name(name)
            .map(|one: Node<'_>| one.byte_range())
    };
    ImportItem {
        range: node.byte_range(),
        name: field("name").unwrap_or_else(|| node.byte_range()),
        alias: field("alias"),
    }
}
