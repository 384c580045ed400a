//! C: functions, structs, unions, enums, types, and macros that take arguments. What is declared and not defined is a mention.

use std::sync::LazyLock;

use super::language::Language;
use super::rule_based::{Defined, Field, FlatTree, Numbers, Rule, Table};
use super::tree::At;
use ragnav_base::item::DefinitionKind;

static NUMBERS: LazyLock<Numbers> =
    LazyLock::new(|| TABLE.numbers(&tree_sitter_c::LANGUAGE.into()));

pub(super) static LANGUAGE: Language = Language {
    name: "c",
    extensions: &["c", "h"],
    package_file: None,
    grammar: || tree_sitter_c::LANGUAGE.into(),
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
    separator: "/",
};

fn rule(node: &str) -> Rule {
    match node {
        "function_definition" => Rule::Function,
        "preproc_function_def" => Rule::Defines(DefinitionKind::Function),
        "struct_specifier" | "union_specifier" => Rule::Defines(DefinitionKind::Class),
        "enum_specifier" => Rule::Defines(DefinitionKind::Enum),
        "type_definition" => Rule::Defines(DefinitionKind::Type),
        "call_expression" => Rule::Call(Field::Function),
        "field_expression" => Rule::Skips(Field::Member),
        "preproc_include" => Rule::ImportPath,
        "declaration" | "parameter_declaration" => Rule::Local(Field::Declarator, Field::Other),
        "init_declarator" => Rule::Local(Field::Declarator, Field::Value),
        "enumerator" => Rule::Local(Field::Name, Field::Value),
        "preproc_def" => Rule::Local(Field::Name, Field::Other),
        "function_declarator" => Rule::Declarator,
        "array_declarator" => Rule::Except(Field::Size),
        "preproc_params" | "preproc_defined" | "attribute_specifier" => Rule::Skip,
        "preproc_ifdef" | "preproc_elifdef" => Rule::Skips(Field::Name),
        "compound_statement" => Rule::Block,
        "for_statement" => Rule::Region(Field::Other),
        "identifier" | "type_identifier" => Rule::Name,
        "comment" => Rule::Comment,
        "string_literal" | "char_literal" | "system_lib_string" | "preproc_arg" => Rule::Text,
        _ => Rule::Other,
    }
}

fn defined(tree: &FlatTree<'_>, at: At) -> Option<Defined> {
    match tree.kind(at) {
        Rule::Function => declared(tree, at).map(Defined::named),
        Rule::Defines(DefinitionKind::Type) => defined_type(tree, at),
        Rule::Defines(DefinitionKind::Function) => Defined::by_field(tree, at),
        _ => tag(tree, at),
    }
}

/// The name in a declarator, behind what says what it is: `*f(int)`.
fn declared(tree: &FlatTree<'_>, at: At) -> Option<At> {
    let mut inner = tree.child(at, Field::Declarator)?;
    for _ in 0..MAX_DECLARATORS {
        if tree.kind(inner) == Rule::Name {
            return Some(inner);
        }
        let further = tree.child(inner, Field::Declarator);
        inner = further.or_else(|| tree.operands(inner).last())?;
    }
    None
}

/// Declarators are looked into no deeper than this.
const MAX_DECLARATORS: usize = 16;

/// `typedef struct { … } a` and `typedef struct a { … } a` define one thing.
fn defined_type(tree: &FlatTree<'_>, at: At) -> Option<Defined> {
    let name = declared(tree, at)?;
    let of = tree.child(at, Field::Type)?;
    let tag = tree.child(of, Field::Name).map(|tag| tree.text(tag));
    let is_one =
        tree.child(of, Field::Body).is_some() && tag.is_none_or(|tag| tag == tree.text(name));
    let kind = match tree.kind(of) {
        Rule::Defines(kind) if is_one => kind,
        _ => DefinitionKind::Type,
    };
    Some(Defined {
        kind: Some(kind),
        ..Defined::named(name)
    })
}

fn tag(tree: &FlatTree<'_>, at: At) -> Option<Defined> {
    tree.child(at, Field::Body)?;
    let tag = tree.child(at, Field::Name)?;
    let around = tree.parent(at);
    let is_typed = tree.kind(around) == Rule::Defines(DefinitionKind::Type);
    let typed = is_typed.then(|| declared(tree, around)).flatten();
    if typed.is_some_and(|name| tree.text(name) == tree.text(tag)) {
        return None;
    }
    Some(Defined::named(tag))
}
