//! C: functions, structs, unions, enums, types, and macros with arguments.
//!
//! A declaration without a definition is a reference. The rules find the definitions; the pass that
//! [`cpp`] shares with C finds scopes, bindings and references.

use std::sync::OnceLock;

use super::conditionals::keep_first_branches;
use super::cpp::{self, Dialect, is_keyword};
use super::language::{Code, Extractor, Language};
use super::list_directives::remove_list_directives;
use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, KindTable, MembersInScope, Rule,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

static KIND_TABLE: OnceLock<KindTable> = OnceLock::new();

pub(super) static LANGUAGE: Language = Language {
    name: "c",
    extensions: &["c", "h"],
    package_file: None,
    extractor: Extractor::Code(Code {
        prepare: |text| cpp::prepare(text, Dialect::C),
        repair,
        definitions: |tree, text| RULES.definitions(tree, text, &KIND_TABLE),
        facts: |tree, text| {
            let found = RULES.find_definitions(tree, text.code, &KIND_TABLE);
            cpp::build_facts(tree, text.code, found, Dialect::C)
        },
        bodies: |tree, text, indices| {
            let rules = (&RULES, &KIND_TABLE, Dialect::C);
            cpp::bodies(tree, text, rules, indices)
        },
        conditions: |_, text| cpp::conditions(text),
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

fn repair(text: &str) -> Option<String> {
    let listed = remove_list_directives(text);
    keep_first_branches(listed.as_deref().unwrap_or(text)).or(listed)
}

fn classify(node: &str) -> Rule {
    match node {
        "function_definition" => Rule::Function,
        "preproc_function_def" => Rule::Definition(DefinitionKind::Function),
        "struct_specifier" | "union_specifier" => Rule::Definition(DefinitionKind::Class),
        "enum_specifier" => Rule::Definition(DefinitionKind::Enum),
        "type_definition" => Rule::Definition(DefinitionKind::Type),
        "call_expression" => Rule::Call(Field::Function),
        "field_expression" => Rule::SkipField(Field::Member),
        "preproc_include" => Rule::ImportPath,
        "declaration" | "parameter_declaration" => {
            Rule::Declaration(Field::Declarator, Field::Other)
        }
        "init_declarator" => Rule::Declaration(Field::Declarator, Field::Value),
        "enumerator" => Rule::Declaration(Field::Name, Field::Value),
        "preproc_def" => Rule::Declaration(Field::Name, Field::Other),
        "function_declarator" => Rule::Declarator,
        "array_declarator" => Rule::Except(Field::Size),
        "preproc_params" | "preproc_defined" | "attribute_specifier" => Rule::Skip,
        "preproc_ifdef" | "preproc_elifdef" => Rule::SkipField(Field::Name),
        "compound_statement" => Rule::Block,
        "for_statement" => Rule::Scope(Field::Other),
        "identifier" | "type_identifier" => Rule::Name,
        "comment" => Rule::Comment,
        "string_literal" | "char_literal" | "system_lib_string" | "preproc_arg" => Rule::Text,
        _ => Rule::Other,
    }
}

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    match tree.kind(node) {
        Rule::Function => {
            let name = declared(tree, node)?;
            (!is_keyword(tree.text(name))).then(|| DefinitionName::named(name))
        }
        Rule::Definition(DefinitionKind::Type) => defined_type(tree, node),
        Rule::Definition(DefinitionKind::Function) => DefinitionName::by_field(tree, node),
        _ => tag(tree, node),
    }
}

/// Returns the name inside a declarator: `f` of `*f(int)`.
fn declared(tree: &FlatTree<'_>, node: NodeIndex) -> Option<NodeIndex> {
    let mut inner = tree.child(node, Field::Declarator)?;
    for _ in 0..MAX_DECLARATORS {
        if tree.kind(inner) == Rule::Name {
            return Some(inner);
        }
        let further = tree.child(inner, Field::Declarator);
        inner = further.or_else(|| tree.operands(inner).last())?;
    }
    None
}

/// The depth to which declarators are searched for their name.
const MAX_DECLARATORS: usize = 16;

/// Returns the name of a `typedef`.
///
/// `typedef struct { … } a` and `typedef struct a { … } a` each define one type.
fn defined_type(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let name = declared(tree, node)?;
    let of = tree.child(node, Field::Type)?;
    let tag = tree.child(of, Field::Name).map(|tag| tree.text(tag));
    let is_one =
        tree.child(of, Field::Body).is_some() && tag.is_none_or(|tag| tag == tree.text(name));
    let kind = match tree.kind(of) {
        Rule::Definition(kind) if is_one => kind,
        _ => DefinitionKind::Type,
    };
    Some(DefinitionName {
        kind: Some(kind),
        ..DefinitionName::named(name)
    })
}

fn tag(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    tree.child(node, Field::Body)?;
    let tag = tree.child(node, Field::Name)?;
    let enclosing = tree.parent(node);
    let is_typed = tree.kind(enclosing) == Rule::Definition(DefinitionKind::Type);
    let typed = is_typed.then(|| declared(tree, enclosing)).flatten();
    if typed.is_some_and(|name| tree.text(name) == tree.text(tag)) {
        return None;
    }
    Some(DefinitionName::named(tag))
}
