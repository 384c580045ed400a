//! Java: classes, records, interfaces, enums and their methods.
//!
//! A package equals the folder of the file, so it is not part of name paths. The rules find the
//! definitions; [`facts`] finds scopes, bindings and references.

mod builder;
mod constructors;
mod declarations;
mod definitions;
mod facts;
mod inferring_calls;
mod kinds;
mod library_calls;
mod module_imports;
mod overloads;
mod values;

use std::sync::OnceLock;

use super::language::{Code, Extractor, Language, no_conditions};
use super::rule_based::{DefinitionName, Field, GrammarRules, KindTable, MembersInScope, Rule};
use ragnav_base::item::DefinitionKind;

static KIND_TABLE: OnceLock<KindTable> = OnceLock::new();

pub(super) static LANGUAGE: Language = Language {
    name: "java",
    extensions: &["java"],
    package_file: None,
    extractor: Extractor::Code(Code {
        prepare: |_| None,
        repair: module_imports::repair,
        definitions: |tree, text| RULES.definitions(tree, text, &KIND_TABLE),
        facts: |tree, text| {
            let found = RULES.find_definitions(tree, text.code, &KIND_TABLE);
            facts::build_facts(tree, text.code, found)
        },
        bodies: |tree, text, indices| {
            let flat = kinds::FlatTree::new(tree, text, kinds::kind_table(tree));
            RULES.bodies_by(&flat, (tree, text), &KIND_TABLE, indices)
        },
        conditions: no_conditions,
    }),
};

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: None,
    refine_field: None,
    find_definition: DefinitionName::by_field,
    members_in_scope: MembersInScope::All,
    has_methods_in_namespaces: false,
    path_separator: ".",
};

fn classify(node: &str) -> Rule {
    match node {
        "class_declaration" | "record_declaration" => Rule::Definition(DefinitionKind::Class),
        "interface_declaration" | "annotation_type_declaration" => {
            Rule::Definition(DefinitionKind::Interface)
        }
        "enum_declaration" => Rule::Definition(DefinitionKind::Enum),
        "method_declaration"
        | "constructor_declaration"
        | "compact_constructor_declaration"
        | "annotation_type_element_declaration" => Rule::Definition(DefinitionKind::Method),
        "method_invocation" => Rule::MethodCall {
            receiver: Field::Object,
            name: Field::Name,
        },
        "object_creation_expression" => Rule::Call(Field::Type),
        "field_access" => Rule::Member {
            receiver: Field::Object,
            name: Field::Member,
            is_value: false,
        },
        "scoped_identifier" => Rule::Member {
            receiver: Field::Scope,
            name: Field::Name,
            is_value: false,
        },
        "scoped_type_identifier" => Rule::Path,
        "generic_type" | "annotated_type" => Rule::Transparent,
        "type_arguments" => Rule::ReadChildren,
        "method_reference" => Rule::ReferenceChildren,
        "import_declaration" => Rule::Import,
        "superclass" | "super_interfaces" | "extends_interfaces" => Rule::Inherit,
        "variable_declarator" => Rule::Declaration(Field::Name, Field::Value),
        "formal_parameter"
        | "catch_formal_parameter"
        | "resource"
        | "instanceof_expression"
        | "enhanced_for_statement" => Rule::Declaration(Field::Name, Field::Other),
        "type_parameter" | "inferred_parameters" | "type_pattern" | "record_pattern_component" => {
            Rule::DeclaredNames
        }
        "lambda_expression" => Rule::Scope(Field::Parameters),
        "for_statement" | "catch_clause" | "try_with_resources_statement" => {
            Rule::Scope(Field::Other)
        }
        "package_declaration" | "module_declaration" => Rule::Skip,
        "modifiers" => Rule::Modifiers,
        "annotation" | "marker_annotation" => Rule::Decorator,
        "block" | "constructor_body" | "class_body" | "interface_body" | "enum_body" => Rule::Block,
        "type_identifier" => Rule::Name,
        "identifier" => Rule::Identifier,
        "line_comment" | "block_comment" => Rule::Comment,
        "string_literal" | "character_literal" => Rule::Text,
        _ => Rule::Other,
    }
}
