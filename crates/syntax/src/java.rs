//! Java: classes, records, interfaces, enums and their methods. A package is the file's folder and in no name path.

use std::sync::LazyLock;

use super::language::Language;
use super::rule_based::{Defined, Field, Numbers, Rule, Table};
use ragnav_base::item::DefinitionKind;

static NUMBERS: LazyLock<Numbers> =
    LazyLock::new(|| TABLE.numbers(&tree_sitter_java::LANGUAGE.into()));

pub(super) static LANGUAGE: Language = Language {
    name: "java",
    extensions: &["java"],
    package_file: None,
    grammar: || tree_sitter_java::LANGUAGE.into(),
    prepare: |_| None,
    mend: |_| None,
    definitions: |tree, text| TABLE.definitions(tree, text, &NUMBERS),
    facts: |tree, text| TABLE.facts(tree, text, &NUMBERS),
};

static TABLE: Table = Table {
    rule,
    defined: Defined::by_field,
    sees_members: true,
    seals_namespaces: false,
    has_open_classes: false,
    separator: ".",
};

fn rule(node: &str) -> Rule {
    match node {
        "class_declaration" | "record_declaration" => Rule::Defines(DefinitionKind::Class),
        "interface_declaration" | "annotation_type_declaration" => {
            Rule::Defines(DefinitionKind::Interface)
        }
        "enum_declaration" => Rule::Defines(DefinitionKind::Enum),
        "method_declaration"
        | "constructor_declaration"
        | "compact_constructor_declaration"
        | "annotation_type_element_declaration" => Rule::Defines(DefinitionKind::Method),
        "method_invocation" => Rule::Invokes {
            of: Field::Object,
            name: Field::Name,
        },
        "object_creation_expression" => Rule::Call(Field::Type),
        "field_access" => Rule::Member {
            of: Field::Object,
            name: Field::Member,
            is_value: false,
        },
        "scoped_identifier" => Rule::Member {
            of: Field::Scope,
            name: Field::Name,
            is_value: false,
        },
        "scoped_type_identifier" => Rule::Path,
        "generic_type" | "annotated_type" => Rule::Through,
        "type_arguments" => Rule::Reads,
        "method_reference" => Rule::Mentions,
        "import_declaration" => Rule::Import,
        "superclass" | "super_interfaces" | "extends_interfaces" => Rule::Inherit,
        "variable_declarator" => Rule::Local(Field::Name, Field::Value),
        "formal_parameter"
        | "catch_formal_parameter"
        | "resource"
        | "instanceof_expression"
        | "enhanced_for_statement" => Rule::Local(Field::Name, Field::Other),
        "type_parameter" | "inferred_parameters" | "type_pattern" | "record_pattern_component" => {
            Rule::Locals
        }
        "lambda_expression" => Rule::Region(Field::Parameters),
        "for_statement" | "catch_clause" | "try_with_resources_statement" => {
            Rule::Region(Field::Other)
        }
        "package_declaration" | "module_declaration" => Rule::Skip,
        "modifiers" => Rule::Modifiers,
        "annotation" | "marker_annotation" => Rule::Decorator,
        "block" | "constructor_body" | "class_body" | "interface_body" | "enum_body" => Rule::Block,
        "type_identifier" => Rule::Name,
        "identifier" => Rule::Variable,
        "line_comment" | "block_comment" => Rule::Comment,
        "string_literal" | "character_literal" => Rule::Text,
        _ => Rule::Other,
    }
}
