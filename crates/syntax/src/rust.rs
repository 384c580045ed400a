//! Rust: functions, structs, unions, enums, traits, types, modules and macros; what an `impl` holds is its type's.

use std::sync::LazyLock;

use super::language::Language;
use super::rule_based::{Defined, Field, FlatTree, Numbers, Rule, Table};
use super::tree::At;
use ragnav_base::item::DefinitionKind;

static NUMBERS: LazyLock<Numbers> =
    LazyLock::new(|| TABLE.numbers(&tree_sitter_rust::LANGUAGE.into()));

pub(super) static LANGUAGE: Language = Language {
    name: "rust",
    extensions: &["rs"],
    package_file: Some("mod"),
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    prepare: |_| None,
    mend: |_| None,
    definitions: |tree, text| TABLE.definitions(tree, text, &NUMBERS),
    facts: |tree, text| TABLE.facts(tree, text, &NUMBERS),
};

static TABLE: Table = Table {
    rule,
    defined,
    sees_members: false,
    seals_namespaces: true,
    has_open_classes: false,
    separator: "::",
};

fn rule(node: &str) -> Rule {
    match node {
        "function_item" | "function_signature_item" => Rule::Function,
        "struct_item" | "union_item" => Rule::Defines(DefinitionKind::Class),
        "enum_item" => Rule::Defines(DefinitionKind::Enum),
        "trait_item" => Rule::Defines(DefinitionKind::Interface),
        "type_item" | "associated_type" => Rule::Defines(DefinitionKind::Type),
        "mod_item" => Rule::Defines(DefinitionKind::Namespace),
        "macro_definition" => Rule::Defines(DefinitionKind::Function),
        "impl_item" => Rule::Members,
        "call_expression" => Rule::Call(Field::Function),
        "macro_invocation" => Rule::Call(Field::Macro),
        "field_expression" => Rule::Member {
            of: Field::Value,
            name: Field::Member,
            is_value: false,
        },
        "scoped_identifier" | "scoped_type_identifier" => Rule::Member {
            of: Field::Path,
            name: Field::Name,
            is_value: true,
        },
        "generic_function" | "generic_type" | "generic_type_with_turbofish" => Rule::Through,
        "type_arguments" | "tuple_type" | "array_type" | "function_type" | "bounded_type" => {
            Rule::Reads
        }
        "use_declaration" => Rule::Import,
        "use_as_clause" => Rule::ImportAs,
        "scoped_use_list" => Rule::Skips(Field::Path),
        "use_wildcard" => Rule::Star,
        "let_declaration" | "let_condition" => Rule::Local(Field::Pattern, Field::Value),
        "parameter" => Rule::Local(Field::Pattern, Field::Other),
        "const_item" | "static_item" | "const_parameter" => Rule::Local(Field::Name, Field::Value),
        "type_parameter" => Rule::Local(Field::Name, Field::Other),
        "closure_expression" => Rule::Region(Field::Parameters),
        "for_expression" | "match_arm" => Rule::Region(Field::Pattern),
        "if_expression" | "while_expression" => Rule::Region(Field::Other),
        "match_pattern" => Rule::Except(Field::Condition),
        "tuple_struct_pattern" | "struct_pattern" => Rule::Except(Field::Type),
        "enum_variant" | "type_binding" => Rule::Skips(Field::Name),
        "lifetime" | "label" | "token_tree_pattern" | "extern_crate_declaration" => Rule::Skip,
        "token_tree" => Rule::Tokens,
        "attribute_item" => Rule::Decorator,
        "block" | "declaration_list" => Rule::Block,
        "identifier" | "type_identifier" | "shorthand_field_identifier" => Rule::Name,
        "field_identifier" => Rule::Variable,
        "line_comment" | "block_comment" => Rule::Comment,
        "string_literal" | "raw_string_literal" | "char_literal" => Rule::Text,
        _ => Rule::Other,
    }
}

/// A module without a body is a file.
fn defined(tree: &FlatTree<'_>, at: At) -> Option<Defined> {
    let is_module = tree.kind(at) == Rule::Defines(DefinitionKind::Namespace);
    if is_module && tree.child(at, Field::Body).is_none() {
        return None;
    }
    Defined::by_field(tree, at)
}
