//! C++: namespaces, classes, enums, types, concepts, functions, methods and macros with arguments.
//!
//! A method that a class declares is a definition, and so is its body outside of the class. Another
//! declaration is a reference, as in C.

mod builder;
mod declarations;
mod definitions;
mod directives;
mod facts;
mod include_tests;
mod kinds;
mod macros;
mod names;
mod namespaces;
mod removed_macros;
mod standard;
mod tokens;
mod values;

use std::sync::OnceLock;

pub(super) use self::facts::build_facts;
use self::include_tests::name_tested_files;
pub(super) use self::kinds::Dialect;
use self::macros::blank_macros;
pub(super) use self::names::is_keyword;
use self::names::{MAX_DECLARATORS, declared, namespace, search_name};
use super::conditionals::keep_first_branches;
use super::directive_conditions;
use super::facts::Conditions;
use super::language::{Code, Extractor, Language};
use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, KindTable, MembersInScope, Rule,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

static KIND_TABLE: OnceLock<KindTable> = OnceLock::new();

pub(super) static LANGUAGE: Language = Language {
    name: "cpp",
    extensions: &[
        "cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tcc",
    ],
    package_file: None,
    extractor: Extractor::Code(Code {
        prepare: |text| prepare(text, Dialect::Cpp),
        repair,
        definitions: |tree, text| RULES.definitions(tree, text, &KIND_TABLE),
        facts: |tree, text| {
            let found = RULES.find_definitions(tree, text.code, &KIND_TABLE);
            build_facts(tree, text.code, found, Dialect::Cpp)
        },
        conditions: |_, text| conditions(text),
    }),
};

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: None,
    refine_field: None,
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::All,
    has_methods_in_namespaces: false,
    path_separator: "::",
};

/// Reports whether a text that may be C is C++: whether a line begins as only a line of C++ does, or
/// has a qualified name.
pub(super) fn is_cpp(text: &str) -> bool {
    let is_possible = text.contains("::") || HEADS.iter().any(|head| text.contains(head));
    if !is_possible {
        return false;
    }
    let tokens = tokens::Tokens::new(text);
    tokens.any_line(is_cpp_line) || tokens.has_qualified_name()
}

/// The words with which lines of C++ begin, and lines of C do not.
const HEADS: [&str; 6] = [
    "namespace",
    "template",
    "class",
    "public",
    "protected",
    "private",
];

fn is_cpp_line(first: &str, second: &str) -> bool {
    let is_word = second.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    match first {
        "namespace" => is_word || second == "{",
        "template" => second == "<",
        "class" => is_word,
        "public" | "protected" | "private" => second == ":",
        _ => false,
    }
}

/// Returns the conditions under which the parts of a text of C or C++ are compiled.
pub(super) fn conditions(text: &str) -> Conditions {
    if memchr::memchr(b'#', text.as_bytes()).is_none() {
        return Conditions::default();
    }
    directive_conditions::conditions(text, directives::Tokens::new(text))
}

/// Replaces what the grammars of C and C++ cannot read. Keeps every byte offset. Returns `None` if
/// there is nothing.
pub(super) fn prepare(text: &str, dialect: Dialect) -> Option<String> {
    let named = name_tested_files(text);
    blank_macros(named.as_deref().unwrap_or(text), dialect).or(named)
}

fn repair(text: &str) -> Option<String> {
    let kept = keep_first_branches(text)?;
    let prepared = blank_macros(&kept, Dialect::Cpp);
    Some(prepared.unwrap_or(kept))
}

fn classify(node: &str) -> Rule {
    match node {
        "function_definition" => Rule::Function,
        "preproc_function_def" => Rule::Definition(DefinitionKind::Function),
        "class_specifier" | "struct_specifier" | "union_specifier" => {
            Rule::Definition(DefinitionKind::Class)
        }
        "enum_specifier" => Rule::Definition(DefinitionKind::Enum),
        "type_definition" | "alias_declaration" | "concept_definition" => {
            Rule::Definition(DefinitionKind::Type)
        }
        "namespace_definition" => Rule::Definition(DefinitionKind::Namespace),
        "declaration" | "field_declaration" => {
            Rule::MemberDeclaration(Field::Declarator, Field::Other)
        }
        "template_declaration" => Rule::Template,
        "preproc_include" => Rule::ImportPath,
        "using_declaration" => Rule::Import,
        "base_class_clause" => Rule::Inherit,
        "compound_statement" | "field_declaration_list" | "declaration_list" => Rule::Block,
        "identifier" | "type_identifier" => Rule::Name,
        "field_identifier" | "namespace_identifier" => Rule::Identifier,
        "operator_name" | "destructor_name" | "operator_cast" => Rule::SpecialName,
        "comment" => Rule::Comment,
        "string_literal" | "raw_string_literal" | "char_literal" | "system_lib_string"
        | "preproc_arg" => Rule::Text,
        _ => classify_expression(node),
    }
}

/// Classifies the nodes of references, and those that declare variables.
fn classify_expression(node: &str) -> Rule {
    match node {
        "call_expression" => Rule::Call(Field::Function),
        "new_expression" | "compound_literal_expression" => Rule::Call(Field::Type),
        "field_expression" => Rule::Member {
            receiver: Field::Argument,
            name: Field::Member,
            is_value: false,
        },
        "qualified_identifier" => Rule::Member {
            receiver: Field::Scope,
            name: Field::Name,
            is_value: true,
        },
        "template_type" | "template_function" | "template_method" | "dependent_name" => {
            Rule::Transparent
        }
        "template_argument_list" | "friend_declaration" => Rule::ReadChildren,
        "parameter_declaration"
        | "optional_parameter_declaration"
        | "variadic_parameter_declaration"
        | "for_range_loop" => Rule::Declaration(Field::Declarator, Field::Other),
        "init_declarator" => Rule::Declaration(Field::Declarator, Field::Value),
        "enumerator" => Rule::Declaration(Field::Name, Field::Value),
        "lambda_capture_initializer" => Rule::Declaration(Field::Left, Field::Right),
        "preproc_def" | "namespace_alias_definition" | "optional_type_parameter_declaration" => {
            Rule::Declaration(Field::Name, Field::Other)
        }
        "type_parameter_declaration"
        | "variadic_type_parameter_declaration"
        | "structured_binding_declarator" => Rule::DeclaredNames,
        "function_declarator" => Rule::Declarator,
        "array_declarator" => Rule::Except(Field::Size),
        "lambda_expression"
        | "requires_expression"
        | "catch_clause"
        | "for_statement"
        | "if_statement"
        | "while_statement"
        | "switch_statement" => Rule::Scope(Field::Other),
        "preproc_ifdef" | "preproc_elifdef" => Rule::SkipField(Field::Name),
        "preproc_params"
        | "preproc_defined"
        | "attribute_specifier"
        | "attribute_declaration"
        | "ms_declspec_modifier"
        | "field_designator" => Rule::Skip,
        _ => Rule::Other,
    }
}

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    match tree.kind(node) {
        Rule::Function => function(tree, node),
        Rule::MemberDeclaration(..) => {
            let is_friend = tree.kind(tree.parent(node)) == Rule::ReadChildren;
            let declared = declared(tree, node).filter(|declared| declared.is_function);
            let name = declared.filter(|_| !is_friend)?.into_name(tree);
            (!is_macro_call(tree, node, &name)).then_some(name)
        }
        Rule::Definition(DefinitionKind::Namespace) => namespace(tree, node),
        Rule::Definition(DefinitionKind::Function) => DefinitionName::by_field(tree, node),
        Rule::Definition(DefinitionKind::Type) => {
            DefinitionName::by_field(tree, node).or_else(|| defined_type(tree, node))
        }
        _ => tag(tree, node),
    }
}

/// Returns the name of a function with a body.
fn function(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let found = declared(tree, node)?.into_name(tree);
    if is_macro_call(tree, node, &found) || is_keyword(tree.text(found.name)) {
        return None;
    }
    // The grammar reads the body of a friend as that of a member.
    let is_friend = tree.kind(tree.parent(node)) == Rule::ReadChildren;
    Some(DefinitionName {
        kind: is_friend.then_some(DefinitionKind::Function),
        ..found
    })
}

/// Reports whether a node is the use of a macro, which the grammar reads as a function: `MOCK(int)`
/// in a class, `CATCH(int)` in a function, `TEST(a, b) {}` outside of both.
fn is_macro_call(tree: &FlatTree<'_>, node: NodeIndex, name: &DefinitionName) -> bool {
    let is_qualified = name.qualifier.is_some();
    let name = tree.text(name.name);
    if !macros::is_macro_name(name) || tree.child(node, Field::Type).is_some() {
        return false;
    }
    let mut enclosing = node;
    for _ in 0..MAX_DECLARATORS {
        enclosing = tree.parent(enclosing);
        match tree.kind(enclosing) {
            Rule::Function => return true,
            // A constructor has the name of its class.
            Rule::Definition(DefinitionKind::Class) => {
                let class = tree.child(enclosing, Field::Name);
                return class.is_none_or(|class| tree.text(class) != name);
            }
            _ => {}
        }
    }
    // A constructor outside of its class has the name of the class before its own.
    !is_qualified
}

/// Returns the name of a `typedef`.
///
/// `typedef struct { … } a` and `typedef struct a { … } a` each define one type.
fn defined_type(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let name = declared(tree, node)?.name;
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

/// Returns the name of a class or an enum with a body.
fn tag(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    tree.child(node, Field::Body)?;
    let tag = search_name(tree, tree.child(node, Field::Name)?)?;
    let enclosing = tree.parent(node);
    let is_typed = tree.kind(enclosing) == Rule::Definition(DefinitionKind::Type);
    let typed = is_typed.then(|| declared(tree, enclosing)).flatten();
    if typed.is_some_and(|typed| tree.text(typed.name) == tree.text(tag.name)) {
        return None;
    }
    Some(tag.into_name(tree))
}
