//! PHP: classes, traits, interfaces, enums, functions and methods.
//!
//! A namespace with braces is part of name paths. One without braces equals the folder of the file.
//! The rules find the definitions; [`facts`] finds scopes, bindings and references.

mod arguments;
mod array_functions;
mod builder;
mod declarations;
mod doc_comments;
mod facts;
mod kinds;
mod narrowing;
mod order;
mod trait_use;
mod values;
mod variables;

use std::sync::OnceLock;

use super::language::{Code, Extractor, Language, no_conditions};
use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, KindTable, MembersInScope, Rule,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

/// The method that the creation of an object calls.
const CONSTRUCTOR: &str = "__construct";

static KIND_TABLE: OnceLock<KindTable> = OnceLock::new();

pub(super) static LANGUAGE: Language = Language {
    name: "php",
    extensions: &["php", "phtml"],
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
        conditions: no_conditions,
    }),
};

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: None,
    refine_field: None,
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::None,
    has_methods_in_namespaces: false,
    path_separator: "\\",
};

fn classify(node: &str) -> Rule {
    match node {
        "class_declaration" | "trait_declaration" => Rule::Definition(DefinitionKind::Class),
        "interface_declaration" => Rule::Definition(DefinitionKind::Interface),
        "enum_declaration" => Rule::Definition(DefinitionKind::Enum),
        "function_definition" => Rule::Definition(DefinitionKind::Function),
        "method_declaration" => Rule::Definition(DefinitionKind::Method),
        "namespace_definition" => Rule::Definition(DefinitionKind::Namespace),
        "function_call_expression" => Rule::Call(Field::Function),
        "object_creation_expression" => Rule::New,
        "member_call_expression" | "nullsafe_member_call_expression" => Rule::MethodCall {
            receiver: Field::Object,
            name: Field::Name,
        },
        "scoped_call_expression" => Rule::MethodCall {
            receiver: Field::Scope,
            name: Field::Name,
        },
        "member_access_expression" | "nullsafe_member_access_expression" => {
            Rule::SkipField(Field::Name)
        }
        "qualified_name" => Rule::Path,
        "namespace_use_declaration" => Rule::Import,
        "namespace_use_clause" => Rule::ImportAs,
        "base_clause" | "class_interface_clause" | "use_declaration" => Rule::Inherit,
        "argument" | "enum_case" => Rule::SkipField(Field::Name),
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

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let name = tree.child(node, Field::Name)?;
    if tree.kind(node) != Rule::Definition(DefinitionKind::Namespace) {
        return Some(DefinitionName::named(name));
    }
    tree.child(node, Field::Body)?;
    let last = tree.operands(name).last()?;
    let enclosing = tree.text(name).rsplit_once('\\');
    Some(DefinitionName {
        qualifier: enclosing.map(|(enclosing, _)| enclosing.replace('\\', ".")),
        ..DefinitionName::named(last)
    })
}
