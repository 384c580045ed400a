//! PHP: classes, traits, interfaces, enums, functions and methods. A namespace counts where it has braces, else it is the file's.

use std::sync::LazyLock;

use super::language::Language;
use super::rule_based::{Defined, Field, FlatTree, Numbers, Rule, Table};
use super::tree::At;
use ragnav_base::item::DefinitionKind;

static NUMBERS: LazyLock<Numbers> =
    LazyLock::new(|| TABLE.numbers(&tree_sitter_php::LANGUAGE_PHP.into()));

pub(super) static LANGUAGE: Language = Language {
    name: "php",
    extensions: &["php", "phtml"],
    package_file: None,
    grammar: || tree_sitter_php::LANGUAGE_PHP.into(),
    prepare: |_| None,
    mend: |_| None,
    definitions: |tree, text| TABLE.definitions(tree, text, &NUMBERS),
    facts: |tree, text| TABLE.facts(tree, text, &NUMBERS),
};

static TABLE: Table = Table {
    rule,
    defined,
    sees_members: false,
    seals_namespaces: false,
    has_open_classes: false,
    separator: "\\",
};

fn rule(node: &str) -> Rule {
    match node {
        "class_declaration" | "trait_declaration" => Rule::Defines(DefinitionKind::Class),
        "interface_declaration" => Rule::Defines(DefinitionKind::Interface),
        "enum_declaration" => Rule::Defines(DefinitionKind::Enum),
        "function_definition" => Rule::Defines(DefinitionKind::Function),
        "method_declaration" => Rule::Defines(DefinitionKind::Method),
        "namespace_definition" => Rule::Defines(DefinitionKind::Namespace),
        "function_call_expression" => Rule::Call(Field::Function),
        "object_creation_expression" => Rule::New,
        "member_call_expression" | "nullsafe_member_call_expression" => Rule::Invokes {
            of: Field::Object,
            name: Field::Name,
        },
        "scoped_call_expression" => Rule::Invokes {
            of: Field::Scope,
            name: Field::Name,
        },
        "member_access_expression" | "nullsafe_member_access_expression" => {
            Rule::Skips(Field::Name)
        }
        "class_constant_access_expression" => Rule::First,
        "qualified_name" => Rule::Path,
        "namespace_use_declaration" => Rule::Import,
        "namespace_use_clause" => Rule::ImportAs,
        "base_clause" | "class_interface_clause" | "use_declaration" => Rule::Inherit,
        "argument" | "enum_case" => Rule::Skips(Field::Name),
        "variable_name"
        | "const_element"
        | "namespace_name"
        | "goto_statement"
        | "named_label_statement" => Rule::Skip,
        "attribute_list" => Rule::Decorator,
        "compound_statement" | "declaration_list" | "enum_declaration_list" => Rule::Block,
        "name" => Rule::Name,
        "comment" => Rule::Comment,
        "string" | "string_content" | "nowdoc_string" | "text" => Rule::Text,
        _ => Rule::Other,
    }
}

fn defined(tree: &FlatTree<'_>, at: At) -> Option<Defined> {
    let name = tree.child(at, Field::Name)?;
    if tree.kind(at) != Rule::Defines(DefinitionKind::Namespace) {
        return Some(Defined::named(name));
    }
    tree.child(at, Field::Body)?;
    let last = tree.operands(name).last()?;
    let around = tree.text(name).rsplit_once('\\');
    Some(Defined {
        qualifier: around.map(|(around, _)| around.replace('\\', ".")),
        ..Defined::named(last)
    })
}
