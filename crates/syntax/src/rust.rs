//! Rust: functions, structs, unions, enums, traits, types, modules and macros.
//!
//! Items of an `impl` block are members of its type. The rules find the definitions; [`facts`]
//! finds scopes, bindings and references.

mod attribute_arguments;
mod attributes;
mod builder;
mod closures;
mod conditions;
mod definitions;
mod facts;
mod implementations;
mod imports;
mod item_macros;
mod kinds;
mod late_types;
mod linkage;
mod macros;
mod macros_of_code;
mod made_values;
mod patterns;
mod standard_calls;
mod standard_types;
mod values;

use std::sync::OnceLock;

use super::language::{Code, Extractor, Language};
use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, KindTable, MembersInScope, Rule,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

static KIND_TABLE: OnceLock<KindTable> = OnceLock::new();

pub(super) static LANGUAGE: Language = Language {
    name: "rust",
    extensions: &["rs"],
    package_file: Some("mod"),
    extractor: Extractor::Code(Code {
        prepare: |text| Some(macros_of_code::expand(text)?.text),
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
        conditions: conditions::conditions,
    }),
};

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: None,
    refine_field: None,
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::None,
    has_methods_in_namespaces: false,
    path_separator: "::",
};

fn classify(node: &str) -> Rule {
    match node {
        "function_item" | "function_signature_item" => Rule::Function,
        "struct_item" | "union_item" => Rule::Definition(DefinitionKind::Class),
        "enum_item" => Rule::Definition(DefinitionKind::Enum),
        "trait_item" => Rule::Definition(DefinitionKind::Interface),
        "type_item" | "associated_type" => Rule::Definition(DefinitionKind::Type),
        "mod_item" => Rule::Definition(DefinitionKind::Namespace),
        "macro_definition" => Rule::Definition(DefinitionKind::Function),
        "impl_item" => Rule::Members,
        "call_expression" => Rule::Call(Field::Function),
        "macro_invocation" => Rule::Call(Field::Macro),
        "field_expression" => Rule::Member {
            receiver: Field::Value,
            name: Field::Member,
            is_value: false,
        },
        "scoped_identifier" | "scoped_type_identifier" => Rule::Member {
            receiver: Field::Path,
            name: Field::Name,
            is_value: true,
        },
        "generic_function" | "generic_type" | "generic_type_with_turbofish" => Rule::Transparent,
        "type_arguments" | "tuple_type" | "array_type" | "function_type" | "bounded_type" => {
            Rule::ReadChildren
        }
        "use_declaration" => Rule::Import,
        "use_as_clause" => Rule::ImportAs,
        "scoped_use_list" => Rule::SkipField(Field::Path),
        "use_wildcard" => Rule::ImportStar,
        "let_declaration" | "let_condition" => Rule::Declaration(Field::Pattern, Field::Value),
        "parameter" => Rule::Declaration(Field::Pattern, Field::Other),
        "const_item" | "static_item" | "const_parameter" => {
            Rule::Declaration(Field::Name, Field::Value)
        }
        "type_parameter" => Rule::Declaration(Field::Name, Field::Other),
        "closure_expression" => Rule::Scope(Field::Parameters),
        "for_expression" | "match_arm" => Rule::Scope(Field::Pattern),
        "if_expression" | "while_expression" => Rule::Scope(Field::Other),
        "match_pattern" => Rule::Except(Field::Condition),
        "tuple_struct_pattern" | "struct_pattern" => Rule::Except(Field::Type),
        "enum_variant" | "type_binding" => Rule::SkipField(Field::Name),
        "lifetime" | "label" | "token_tree_pattern" | "extern_crate_declaration" => Rule::Skip,
        "attribute_item" => Rule::Decorator,
        "block" | "declaration_list" => Rule::Block,
        "identifier" | "type_identifier" | "shorthand_field_identifier" => Rule::Name,
        "field_identifier" => Rule::Identifier,
        "line_comment" | "block_comment" => Rule::Comment,
        "string_literal" | "raw_string_literal" | "char_literal" => Rule::Text,
        _ => Rule::Other,
    }
}

/// Finds the name of a definition. `mod a;` has no body, so it refers to a file.
fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let is_module = tree.kind(node) == Rule::Definition(DefinitionKind::Namespace);
    if is_module && tree.child(node, Field::Body).is_none() {
        return None;
    }
    DefinitionName::by_field(tree, node)
}
