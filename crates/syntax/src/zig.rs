//! Zig: functions, and the constants whose values are types: structs, unions, enums, error sets.
//!
//! A constant with the name of a member, `a` of `const a = b.a`, is no variable: it stands for that
//! member. Tests are no definitions, since their names are texts.

use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, MembersInScope, Rule, rule_based_language,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

/// The number of children up to the brace of a type, which bounds the work.
const MAX_HEAD: usize = 16;

rule_based_language! {
    name: "zig",
    extensions: &["zig"],
    package_file: None,
    rules: RULES,
}

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: Some(refine),
    refine_field: None,
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::All,
    has_methods_in_namespaces: false,
    path_separator: ".",
};

/// A declaration of constants or variables. The last operand is the value.
const DECLARATION: Rule = Rule::DeclaredFirst;
const ALIAS: Rule = Rule::ReadChildren;
const FUNCTION: Rule = Rule::Definition(DefinitionKind::Function);
const MEMBER: Rule = Rule::Member {
    receiver: Field::Object,
    name: Field::MemberName,
    is_value: true,
};
/// `.a`, whose type the context decides. Its receiver is the dot.
const MEMBER_OF_CONTEXT: Rule = Rule::Member {
    receiver: Field::Other,
    name: Field::MemberName,
    is_value: true,
};

fn classify(node: &str) -> Rule {
    match node {
        "function_declaration" => FUNCTION,
        "variable_declaration" => DECLARATION,
        "call_expression" => Rule::Call(Field::Function),
        "field_expression" => MEMBER,
        "container_field" => Rule::SkipField(Field::Name),
        "parameter" => Rule::Declaration(Field::Name, Field::Other),
        "payload" => Rule::DeclaredNames,
        "struct_declaration" | "union_declaration" | "enum_declaration" | "opaque_declaration"
        | "function_signature" | "test_declaration" | "if_statement" | "if_expression"
        | "for_statement" | "for_expression" | "while_statement" | "while_expression"
        | "switch_case" | "catch_expression" | "errdefer_statement" => Rule::Scope(Field::Other),
        "error_set_declaration" | "error_type" | "block_label" | "break_label" => Rule::Skip,
        "block" => Rule::Block,
        "identifier" => Rule::Name,
        "comment" => Rule::Comment,
        "string" | "string_content" | "multiline_string" | "character" => Rule::Text,
        _ => Rule::Other,
    }
}

fn refine(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    match tree.kind(node) {
        DECLARATION if !has_keyword(tree, node) => Some(Rule::Assignment),
        DECLARATION => {
            let value = tree.operands(node).last();
            // The value `undefined` is a token, so that the type is the last operand.
            let value = value.filter(|value| tree.node(*value).field != Field::Type)?;
            let name = tree.operands(node).next()?;
            let kind = kind_of_type(tree, value).filter(|_| tree.kind(name).is_name());
            let of_member = tree.child(value, Field::MemberName);
            let is_alias = of_member.is_some_and(|of| tree.text(of) == tree.text(name));
            let alias = is_alias.then_some(ALIAS);
            kind.map(Rule::Definition).or(alias)
        }
        MEMBER if tree.child(node, Field::Object).is_none() => Some(MEMBER_OF_CONTEXT),
        // The constant itself is no reference.
        Rule::Name if is_name_of_alias(tree, node) => Some(Rule::Other),
        _ => None,
    }
}

/// Reports whether a declaration has its keyword. The grammar reads assignments likewise.
fn has_keyword(tree: &FlatTree<'_>, declaration: NodeIndex) -> bool {
    let mut children = tree.children(declaration);
    children.any(|child| matches!(tree.text(child), "const" | "var"))
}

fn is_name_of_alias(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    let parent = tree.parent(node);
    tree.kind(parent) == ALIAS && tree.operands(parent).next() == Some(node)
}

/// Returns the kind of a type by its keyword: `struct` of `extern struct {}`.
fn kind_of_type(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionKind> {
    let head = || tree.children(node).take(MAX_HEAD);
    head().find(|child| tree.text(*child) == "{")?;
    head().find_map(|child| match tree.text(child) {
        "struct" | "union" | "opaque" => Some(DefinitionKind::Class),
        "enum" | "error" => Some(DefinitionKind::Enum),
        _ => None,
    })
}

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    if tree.kind(node) != FUNCTION {
        return tree.operands(node).next().map(DefinitionName::named);
    }
    let named = DefinitionName::by_field(tree, node)?;
    if kind_of_type(tree, tree.parent(node)).is_none() {
        return Some(named);
    }
    Some(DefinitionName {
        kind: Some(DefinitionKind::Method),
        own: instance_parameter(tree, node),
        ..named
    })
}

/// Returns the first parameter if its type is `Self`, `@This()` or a pointer to one.
fn instance_parameter(tree: &FlatTree<'_>, function: NodeIndex) -> Option<NodeIndex> {
    let mut parts = tree.operands(function);
    let parameter = parts.find_map(|part| {
        let first = tree.operands(part).next()?;
        matches!(tree.kind(first), Rule::Declaration(..)).then_some(first)
    })?;
    let of = tree.text(tree.child(parameter, Field::Type)?);
    let of = of.trim_start_matches(['*', '?']).trim_start();
    let of = of.strip_prefix("const ").unwrap_or(of);
    let is_own = matches!(of, "Self" | "@This()");
    is_own.then(|| tree.child(parameter, Field::Name))?
}
