//! Swift: classes, structs, actors, enums, protocols, their extensions, functions, methods,
//! computed properties and type aliases.
//!
//! An extension is a definition with the name of its type, so that the members of both have the
//! same name paths. Stored properties and cases are no definitions. Any file may extend a type, so
//! a bare name inside of a type is resolved only if the type itself defines it there.

mod prepare;

use super::directive_lines;
use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, MembersInScope, Rule, rule_based_language,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

/// The number of patterns inside each other that are searched for the name of a property.
const MAX_PATTERNS: usize = 4;

rule_based_language! {
    name: "swift",
    extensions: &["swift"],
    package_file: None,
    prepare: prepare::prepare,
    repair: |_| None,
    conditions: directive_lines::conditions,
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

const TYPE: Rule = Rule::Definition(DefinitionKind::Class);
const METHOD: Rule = Rule::Definition(DefinitionKind::Method);
/// The members of a type. No child has the field.
const MEMBERS: Rule = Rule::Scope(Field::Body);
const PROPERTY: Rule = Rule::Declaration(Field::Name, Field::Value);
const PATTERN: Rule = Rule::Transparent;
/// A pattern that declares the names in the patterns inside: `let (a, b)`.
const BINDING: Rule = Rule::Declaration(Field::Other, Field::Body);
const PREFIX: Rule = Rule::Except(Field::Body);
/// `.a`, whose type the context decides. Its receiver is the dot.
const MEMBER_OF_CONTEXT: Rule = Rule::Member {
    receiver: Field::Other,
    name: Field::Target,
    is_value: true,
};
/// The types of the values of a case, with their labels.
const CASE_VALUES: Rule = Rule::Except(Field::Bounds);

fn classify(node: &str) -> Rule {
    match node {
        "class_declaration" => TYPE,
        "protocol_declaration" => Rule::Definition(DefinitionKind::Interface),
        "typealias_declaration" | "associatedtype_declaration" => {
            Rule::Definition(DefinitionKind::Type)
        }
        "function_declaration" | "macro_declaration" => Rule::Function,
        "protocol_function_declaration"
        | "protocol_property_declaration"
        | "init_declaration"
        | "deinit_declaration"
        | "subscript_declaration" => METHOD,
        "property_declaration" => PROPERTY,
        "class_body" | "enum_class_body" | "protocol_body" => MEMBERS,
        "inheritance_specifier" => Rule::Inherit,
        "import_declaration" => Rule::Import,
        "modifiers" => Rule::Modifiers,
        "attribute" => Rule::Decorator,
        "statements" => Rule::Block,
        "operator_declaration"
        | "precedence_group_declaration"
        | "directive"
        | "availability_condition"
        | "value_argument_label"
        | "statement_label" => Rule::Skip,
        "simple_identifier" | "type_identifier" => Rule::Name,
        "comment" | "multiline_comment" => Rule::Comment,
        "line_str_text"
        | "multi_line_str_text"
        | "raw_str_part"
        | "raw_str_end_part"
        | "regex_literal" => Rule::Text,
        _ => classify_expression(node),
    }
}

/// Classifies the nodes of references, and those that declare variables.
fn classify_expression(node: &str) -> Rule {
    match node {
        "call_expression" | "constructor_expression" => Rule::New,
        "navigation_expression" => Rule::Member {
            receiver: Field::Target,
            name: Field::Suffix,
            is_value: true,
        },
        "navigation_suffix" | "pattern" => PATTERN,
        "prefix_expression" => PREFIX,
        "user_type" | "identifier" => Rule::DottedName,
        "type_arguments" => Rule::ReadChildren,
        "enum_entry" | "tuple_expression" => Rule::SkipField(Field::Name),
        "enum_type_parameters" => CASE_VALUES,
        "parameter" | "lambda_parameter" => Rule::Declaration(Field::Name, Field::Other),
        "capture_list_item" => Rule::Declaration(Field::Name, Field::Value),
        "type_parameter" => Rule::DeclaredNames,
        "guard_statement" => Rule::Declaration(Field::BoundIdentifier, Field::Other),
        "if_statement" | "while_statement" => Rule::Scope(Field::BoundIdentifier),
        "for_statement" => Rule::Scope(Field::Item),
        "catch_block" => Rule::Scope(Field::Error),
        "switch_entry"
        | "lambda_literal"
        | "computed_property"
        | "computed_setter"
        | "willset_didset_block" => Rule::Scope(Field::Other),
        _ => Rule::Other,
    }
}

fn refine(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    let parent = tree.parent(node);
    match tree.kind(node) {
        Rule::Name => refine_name(tree, node, parent),
        TYPE => {
            let is_enum = keyword(tree, node) == "enum";
            is_enum.then_some(Rule::Definition(DefinitionKind::Enum))
        }
        PROPERTY if tree.child(node, Field::ComputedValue).is_some() => Some(Rule::Function),
        PROPERTY if parent == 0 || tree.kind(parent) == MEMBERS => {
            Some(Rule::FieldDeclaration(Field::Name))
        }
        PATTERN if has_binding(tree, node) => Some(BINDING),
        PREFIX if tree.text(node).starts_with('.') => Some(MEMBER_OF_CONTEXT),
        _ => None,
    }
}

fn refine_name(tree: &FlatTree<'_>, name: NodeIndex, parent: NodeIndex) -> Option<Rule> {
    let start = tree.node(name).start;
    match tree.kind(parent) {
        // The name of a case: `a` of `case let .a(b)`.
        PATTERN | BINDING
            if start > 0 && tree.slice(start - 1, start) == "." && !is_suffix(tree, name) =>
        {
            Some(Rule::ReferenceName)
        }
        CASE_VALUES => Some(Rule::Other),
        _ if tree.node(name).field == Field::ExternalName => Some(Rule::Other),
        _ if tree.text(name) == "_" || tree.text(name).starts_with('$') => Some(Rule::Other),
        _ if tree.node(name).field == Field::BoundIdentifier => Some(Rule::VariableName),
        _ => None,
    }
}

/// Reports whether a name is that of a member in an expression: `b` of `a.b`.
fn is_suffix(tree: &FlatTree<'_>, name: NodeIndex) -> bool {
    tree.node(name).field == Field::Suffix
}

/// Returns the keyword of a type: `class`, `struct`, `actor`, `enum` or `extension`.
fn keyword<'t>(tree: &FlatTree<'t>, node: NodeIndex) -> &'t str {
    let keyword = tree.child(node, Field::DeclarationKind);
    keyword.map_or("", |keyword| tree.text(keyword))
}

/// Reports whether a pattern begins with `let` or `var`.
fn has_binding(tree: &FlatTree<'_>, pattern: NodeIndex) -> bool {
    let mut parts = tree.operands(pattern);
    parts
        .next()
        .is_some_and(|first| matches!(tree.text(first), "let" | "var"))
}

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    match tree.kind(node) {
        TYPE if keyword(tree, node) == "extension" => extension(tree, node),
        TYPE | Rule::Definition(DefinitionKind::Enum | DefinitionKind::Interface) => {
            Some(DefinitionName {
                is_open: true,
                ..DefinitionName::by_field(tree, node)?
            })
        }
        METHOD | Rule::Function => function(tree, node),
        _ => DefinitionName::by_field(tree, node),
    }
}

/// Returns the name of an extension: the last segment of the type that it extends.
fn extension(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let of = tree.child(node, Field::Name)?;
    let parts = tree.operands(of).filter(|part| tree.kind(*part).is_name());
    let parts: Vec<NodeIndex> = parts.collect();
    let Some((last, before)) = parts.split_last() else {
        // The extension of `[A]` or `A?`.
        return Some(DefinitionName {
            spelled: Some(tree.text(of).to_owned()),
            is_open: true,
            ..DefinitionName::named(of)
        });
    };
    let before: Vec<&str> = before.iter().map(|part| tree.text(*part)).collect();
    Some(DefinitionName {
        qualifier: (!before.is_empty()).then(|| before.join(".")),
        // The type has the name, not the extension.
        spelled: Some(tree.text(*last).to_owned()),
        is_open: true,
        ..DefinitionName::named(*last)
    })
}

/// Returns the name of a function, of an initialiser and the like, or of a computed property.
fn function(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let special = |child: &NodeIndex| {
        let is_special = matches!(tree.text(*child), "init" | "deinit" | "subscript");
        is_special && tree.is_leaf(*child)
    };
    let named = tree.child(node, Field::Name);
    let is_named = named.is_some_and(|name| tree.kind(name).is_name());
    if !is_named && let Some(name) = tree.children(node).find(special) {
        return Some(DefinitionName {
            spelled: Some(tree.text(name).to_owned()),
            ..DefinitionName::named(name)
        });
    }
    let first = named.or_else(|| tree.operands(node).find(|part| tree.kind(*part).is_name()));
    let mut name = first?;
    for _ in 0..MAX_PATTERNS {
        if tree.is_leaf(name) {
            return Some(DefinitionName::named(name));
        }
        name = tree
            .child(name, Field::BoundIdentifier)
            .or_else(|| tree.operands(name).next())?;
    }
    None
}
