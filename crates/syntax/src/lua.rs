//! Lua: functions and methods, also those that are assigned to names or to fields of tables.
//!
//! The tables before the name of a function are its qualifier: `a.b` of `function a.b:c() end`, and
//! `t` of `t = { f = function() end }`.

use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, MembersInScope, Rule, rule_based_language,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

/// The number of enclosing tables that are part of a qualifier.
const MAX_TABLES: usize = 32;

rule_based_language! {
    name: "lua",
    extensions: &["lua"],
    package_file: None,
    rules: RULES,
}

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: Some(refine),
    refine_field: None,
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::None,
    has_methods_in_namespaces: false,
    path_separator: ".",
};

const FUNCTION: Rule = Rule::Definition(DefinitionKind::Function);
const ANONYMOUS_FUNCTION: Rule = Rule::Scope(Field::Other);
/// A declaration with `local`. With values, it contains an assignment.
const LOCAL: Rule = Rule::ForwardDeclaration;
const LOCAL_WITH_VALUES: Rule = Rule::Transparent;
const FIELD: Rule = Rule::SkipField(Field::Name);

fn classify(node: &str) -> Rule {
    match node {
        "function_declaration" => FUNCTION,
        "function_definition" => ANONYMOUS_FUNCTION,
        "variable_declaration" => LOCAL,
        "assignment_statement" => Rule::Assignment,
        "field" => FIELD,
        "function_call" => Rule::Call(Field::Name),
        "dot_index_expression" => Rule::Member {
            receiver: Field::Table,
            name: Field::Member,
            is_value: true,
        },
        "method_index_expression" => Rule::Member {
            receiver: Field::Table,
            name: Field::Method,
            is_value: true,
        },
        "for_generic_clause" => Rule::DeclaredFirst,
        "for_numeric_clause" | "parameters" => Rule::Declaration(Field::Name, Field::Other),
        "do_statement" | "for_statement" | "repeat_statement" => Rule::Scope(Field::Other),
        "attribute" | "goto_statement" | "label_statement" => Rule::Skip,
        "block" => Rule::Block,
        "identifier" => Rule::Name,
        "comment" => Rule::Comment,
        "string" | "string_content" => Rule::Text,
        _ => Rule::Other,
    }
}

/// Finds the assignments and fields that define functions, and those that declare variables.
fn refine(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    match tree.kind(node) {
        LOCAL => {
            let first = tree.operands(node).next();
            let assignment = first.filter(|first| tree.kind(*first) == Rule::Assignment)?;
            let function = assigned_name(tree, assignment);
            Some(function.map_or(LOCAL_WITH_VALUES, |_| FUNCTION))
        }
        Rule::Assignment => match tree.kind(tree.parent(node)) {
            FUNCTION | LOCAL_WITH_VALUES => Some(Rule::DeclaredFirst),
            _ => assigned_name(tree, node).map(|_| FUNCTION),
        },
        FIELD if has_function(tree, node) && field_name(tree, node).is_some() => Some(FUNCTION),
        // `[a] = b` reads the variable `a`.
        FIELD if is_computed(tree, node) => Some(Rule::Other),
        _ => None,
    }
}

/// Reports whether the value of a field is a function.
fn has_function(tree: &FlatTree<'_>, field: NodeIndex) -> bool {
    let value = tree.child(field, Field::Value);
    value.is_some_and(|value| tree.kind(value) == ANONYMOUS_FUNCTION)
}

/// Returns the expression that an assignment gives a function: `a.b` of `a.b = function() end`.
fn assigned_name(tree: &FlatTree<'_>, assignment: NodeIndex) -> Option<NodeIndex> {
    let value = tree.operands(tree.operands(assignment).nth(1)?).next()?;
    let is_function = tree.kind(value) == ANONYMOUS_FUNCTION;
    let name = is_function.then(|| assigned_to(tree, assignment, value))??;
    let has_name = name_in_table(tree, name).is_some() || tree.kind(name).is_name();
    has_name.then_some(name)
}

/// Returns the expression to which an assignment assigns one of its values.
fn assigned_to(tree: &FlatTree<'_>, assignment: NodeIndex, value: NodeIndex) -> Option<NodeIndex> {
    let mut lists = tree.operands(assignment);
    let (names, values) = (lists.next()?, lists.next()?);
    let index = tree.operands(values).position(|other| other == value)?;
    let of_list = |child: &NodeIndex| tree.node(*child).field == Field::Name;
    tree.operands(names).filter(of_list).nth(index)
}

/// Returns the table and the name of `a.b`, `a:b` or `a["b"]`.
fn name_in_table(tree: &FlatTree<'_>, node: NodeIndex) -> Option<(NodeIndex, NodeIndex)> {
    let table = tree.child(node, Field::Table)?;
    let name = tree.child(node, Field::Method);
    let name = name.or_else(|| tree.child(node, Field::Member))?;
    let is_variable = tree.kind(name) == Rule::Name && is_computed(tree, node);
    let name = key(tree, name).filter(|_| !is_variable)?;
    Some((table, name))
}

/// Returns the name in a table that an expression gives: that of a string if it is an identifier.
fn key(tree: &FlatTree<'_>, node: NodeIndex) -> Option<NodeIndex> {
    match tree.kind(node) {
        Rule::Name => Some(node),
        Rule::Text => {
            let content = tree.operands(node).find(|part| tree.is_leaf(*part))?;
            is_identifier(tree.text(content)).then_some(content)
        }
        _ => None,
    }
}

fn is_identifier(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.chars().all(is_letter) && !text.starts_with(|first: char| first.is_ascii_digit())
}

/// Reports whether the name of a field or of an index is in brackets.
fn is_computed(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    let mut children = tree.children(node);
    children.any(|child| tree.text(child) == "[")
}

/// Returns the name of a field: `a` of `{ a = 1 }` and `{ ["a"] = 1 }`.
fn field_name(tree: &FlatTree<'_>, field: NodeIndex) -> Option<NodeIndex> {
    let name = tree.child(field, Field::Name)?;
    let is_variable = is_computed(tree, field) && tree.kind(name) == Rule::Name;
    key(tree, name).filter(|_| !is_variable)
}

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    if tree.child(node, Field::Value).is_some() {
        return of_field(tree, node);
    }
    let name = tree.child(node, Field::Name);
    let name = name.or_else(|| {
        let first = tree.operands(node).next()?;
        assigned_name(tree, node).or_else(|| assigned_name(tree, first))
    })?;
    let Some((table, last)) = name_in_table(tree, name) else {
        return Some(DefinitionName::named(name));
    };
    let is_method = tree.child(name, Field::Method).is_some();
    Some(DefinitionName {
        kind: is_method.then_some(DefinitionKind::Method),
        qualifier: Some(dotted(tree, table)?),
        ..DefinitionName::named(last)
    })
}

/// Returns the dotted name of a table, unless it is computed.
fn dotted(tree: &FlatTree<'_>, node: NodeIndex) -> Option<String> {
    let mut segments = Vec::new();
    let mut node = node;
    for _ in 0..MAX_TABLES {
        let Some((table, name)) = name_in_table(tree, node) else {
            tree.kind(node).is_name().then_some(())?;
            segments.push(tree.text(node));
            segments.reverse();
            return Some(segments.join("."));
        };
        segments.push(tree.text(name));
        node = table;
    }
    None
}

/// Returns the name of a function in a table. Its qualifier are the names of the tables around it.
fn of_field(tree: &FlatTree<'_>, field: NodeIndex) -> Option<DefinitionName> {
    let name = field_name(tree, field)?;
    let mut tables = Vec::new();
    let mut table = tree.parent(field);
    for _ in 0..MAX_TABLES {
        let list = tree.parent(table);
        if let Some(name) = field_name(tree, list) {
            tables.push(tree.text(name).to_owned());
            table = tree.parent(list);
            continue;
        }
        let assigned = assigned_to(tree, tree.parent(list), table);
        tables.extend(assigned.and_then(|assigned| dotted(tree, assigned)));
        break;
    }
    tables.reverse();
    Some(DefinitionName {
        qualifier: (!tables.is_empty()).then(|| tables.join(".")),
        // No bare name refers to a field.
        spelled: Some(tree.text(name).to_owned()),
        ..DefinitionName::named(name)
    })
}
