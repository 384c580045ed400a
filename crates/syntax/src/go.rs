//! Go: functions, types, and methods, which belong to the type of their receiver.
//!
//! The rules find the definitions; [`facts`] finds scopes, bindings and references.

mod builder;
mod conditions;
mod declarations;
mod definitions;
mod facts;
mod generics;
mod kinds;
mod unnamed_types;
mod values;

use std::sync::OnceLock;

use super::language::{Code, Extractor, Language};
use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, KindTable, MembersInScope, Rule, type_name,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

static KIND_TABLE: OnceLock<KindTable> = OnceLock::new();

pub(super) static LANGUAGE: Language = Language {
    name: "go",
    extensions: &["go"],
    package_file: None,
    extractor: Extractor::Code(Code {
        prepare: |_| None,
        repair: |_| None,
        definitions: |tree, text| RULES.definitions(tree, text, &KIND_TABLE),
        facts: |tree, text| {
            let found = RULES.find_definitions(tree, text.code, &KIND_TABLE);
            facts::build_facts(tree, text.code, found)
        },
        bodies: |tree, text, indices| {
            let flat = kinds::FlatTree::new(tree, text, kinds::kind_table(tree));
            RULES.bodies_by(&flat, (tree, text), &KIND_TABLE, indices)
        },
        conditions: |_, text| conditions::conditions(text),
    }),
};

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: None,
    refine_field: None,
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::None,
    has_methods_in_namespaces: false,
    path_separator: "/",
};

fn classify(node: &str) -> Rule {
    match node {
        "function_declaration" => Rule::Function,
        "method_declaration" | "method_elem" => Rule::Definition(DefinitionKind::Method),
        "type_spec" | "type_alias" => Rule::Definition(DefinitionKind::Type),
        "call_expression" => Rule::Call(Field::Function),
        // The grammar reads a call with type arguments, `f[int](a)`, as a conversion.
        "type_conversion_expression" => Rule::Call(Field::Type),
        "selector_expression" => Rule::Member {
            receiver: Field::Operand,
            name: Field::Member,
            is_value: true,
        },
        "qualified_type" => Rule::Member {
            receiver: Field::Package,
            name: Field::Name,
            is_value: true,
        },
        "generic_type" | "pointer_type" | "parenthesized_expression" => Rule::Transparent,
        "type_arguments" => Rule::ReadChildren,
        "import_spec" => Rule::ImportPath,
        "interface_type" => Rule::Inherit,
        "short_var_declaration" | "range_clause" | "receive_statement" => {
            Rule::Declaration(Field::Left, Field::Right)
        }
        "var_spec" | "const_spec" => Rule::Declaration(Field::Name, Field::Value),
        "parameter_declaration"
        | "variadic_parameter_declaration"
        | "type_parameter_declaration" => Rule::Declaration(Field::Name, Field::Other),
        "type_switch_statement" => Rule::Scope(Field::Alias),
        "func_literal"
        | "if_statement"
        | "for_statement"
        | "expression_switch_statement"
        | "expression_case"
        | "type_case"
        | "default_case"
        | "communication_case" => Rule::Scope(Field::Other),
        "keyed_element" => Rule::SkipField(Field::Key),
        "package_clause" => Rule::Skip,
        "block" => Rule::Block,
        "identifier" | "type_identifier" => Rule::Name,
        "field_identifier" | "package_identifier" => Rule::Identifier,
        "comment" => Rule::Comment,
        "interpreted_string_literal" | "raw_string_literal" | "rune_literal" => Rule::Text,
        _ => Rule::Other,
    }
}

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let named = DefinitionName::by_field(tree, node)?;
    match tree.kind(node) {
        Rule::Definition(DefinitionKind::Type) => Some(DefinitionName {
            kind: Some(kind_of_type(tree, node)),
            ..named
        }),
        _ => Some(of_receiver(tree, node, named)),
    }
}

/// Returns the kind of a type by its first keyword.
fn kind_of_type(tree: &FlatTree<'_>, node: NodeIndex) -> DefinitionKind {
    let of = tree.child(node, Field::Type);
    let word = of.and_then(|of| tree.children(of).next());
    match word.map(|word| tree.text(word)) {
        Some("struct") => DefinitionKind::Class,
        Some("interface") => DefinitionKind::Interface,
        _ => DefinitionKind::Type,
    }
}

fn of_receiver(tree: &FlatTree<'_>, node: NodeIndex, named: DefinitionName) -> DefinitionName {
    let receiver = tree.child(node, Field::Receiver);
    let Some(receiver) = receiver.and_then(|list| tree.operands(list).next()) else {
        return named;
    };
    let of = tree.child(receiver, Field::Type);
    DefinitionName {
        qualifier: of.and_then(|of| type_name(tree, of)),
        own: tree.child(receiver, Field::Name),
        ..named
    }
}
