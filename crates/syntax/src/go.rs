//! Go: functions, types, and methods under the type of their receiver.

use std::sync::LazyLock;

use super::language::Language;
use super::rule_based::{Defined, Field, FlatTree, Numbers, Rule, Table, type_name};
use super::tree::At;
use ragnav_base::item::DefinitionKind;

static NUMBERS: LazyLock<Numbers> =
    LazyLock::new(|| TABLE.numbers(&tree_sitter_go::LANGUAGE.into()));

pub(super) static LANGUAGE: Language = Language {
    name: "go",
    extensions: &["go"],
    package_file: None,
    grammar: || tree_sitter_go::LANGUAGE.into(),
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
        "function_declaration" => Rule::Function,
        "method_declaration" | "method_elem" => Rule::Defines(DefinitionKind::Method),
        "type_spec" | "type_alias" => Rule::Defines(DefinitionKind::Type),
        "call_expression" => Rule::Call(Field::Function),
        // `f[int](a)` is one to the grammar.
        "type_conversion_expression" => Rule::Call(Field::Type),
        "selector_expression" => Rule::Member {
            of: Field::Operand,
            name: Field::Member,
            is_value: true,
        },
        "qualified_type" => Rule::Member {
            of: Field::Package,
            name: Field::Name,
            is_value: true,
        },
        "generic_type" | "pointer_type" | "parenthesized_expression" => Rule::Through,
        "type_arguments" => Rule::Reads,
        "import_spec" => Rule::ImportPath,
        "interface_type" => Rule::Inherit,
        "field_declaration" => Rule::Embeds,
        "short_var_declaration" | "range_clause" | "receive_statement" => {
            Rule::Local(Field::Left, Field::Right)
        }
        "var_spec" | "const_spec" => Rule::Local(Field::Name, Field::Value),
        "parameter_declaration"
        | "variadic_parameter_declaration"
        | "type_parameter_declaration" => Rule::Local(Field::Name, Field::Other),
        "type_switch_statement" => Rule::Region(Field::Alias),
        "func_literal"
        | "if_statement"
        | "for_statement"
        | "expression_switch_statement"
        | "expression_case"
        | "type_case"
        | "default_case"
        | "communication_case" => Rule::Region(Field::Other),
        "keyed_element" => Rule::Skips(Field::Key),
        "package_clause" => Rule::Skip,
        "block" => Rule::Block,
        "identifier" | "type_identifier" => Rule::Name,
        "field_identifier" | "package_identifier" => Rule::Variable,
        "comment" => Rule::Comment,
        "interpreted_string_literal" | "raw_string_literal" | "rune_literal" => Rule::Text,
        _ => Rule::Other,
    }
}

fn defined(tree: &FlatTree<'_>, at: At) -> Option<Defined> {
    let named = Defined::by_field(tree, at)?;
    match tree.kind(at) {
        Rule::Defines(DefinitionKind::Type) => Some(Defined {
            kind: Some(kind_of_type(tree, at)),
            ..named
        }),
        _ => Some(of_receiver(tree, at, named)),
    }
}

/// What a type is says the first word of it.
fn kind_of_type(tree: &FlatTree<'_>, at: At) -> DefinitionKind {
    let of = tree.child(at, Field::Type);
    let word = of.and_then(|of| tree.children(of).next());
    match word.map(|word| tree.text(word)) {
        Some("struct") => DefinitionKind::Class,
        Some("interface") => DefinitionKind::Interface,
        _ => DefinitionKind::Type,
    }
}

fn of_receiver(tree: &FlatTree<'_>, at: At, named: Defined) -> Defined {
    let receiver = tree.child(at, Field::Receiver);
    let Some(receiver) = receiver.and_then(|list| tree.operands(list).next()) else {
        return named;
    };
    let of = tree.child(receiver, Field::Type);
    Defined {
        qualifier: of.and_then(|of| type_name(tree, of)),
        own: tree.child(receiver, Field::Name),
        ..named
    }
}
