//! C++: namespaces, classes, enums, types, concepts, functions, methods and macros with arguments.
//!
//! A method that a class declares is a definition, and so is its body outside of the class. Another
//! declaration is a reference, as in C.

mod annotations;
mod builder;
mod declarations;
mod definitions;
mod directives;
mod facts;
mod feature_tests;
mod keywords;
mod kinds;
mod macro_names;
mod macros;
mod mock_methods;
mod names;
mod namespaces;
mod operations;
mod removed_macros;
mod standard;
mod templates;
mod tokens;
mod unknown_syntax;
mod values;

use std::sync::OnceLock;

pub(super) use self::facts::build_facts;
use self::feature_tests::name_tested_features;
pub(super) use self::kinds::Dialect;
use self::macros::blank_macros;
pub(super) use self::names::is_keyword;
use self::names::{MAX_DECLARATORS, declared, namespace, search_name};
use super::conditionals::keep_first_branches;
use super::directive_conditions;
use super::facts::{BodyHash, Conditions};
use super::language::{Code, Extractor, Language};
use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, KindTable, MembersInScope, Rule,
};
use super::syntax_tree::SyntaxTree;
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
        bodies: |tree, text, indices| {
            bodies(tree, text, (&RULES, &KIND_TABLE, Dialect::Cpp), indices)
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
/// it has a qualified name or a method.
pub(super) fn is_cpp(text: &str) -> bool {
    let is_possible = text.contains("::") || HEADS.iter().any(|head| text.contains(head));
    if !is_possible {
        return false;
    }
    let tokens = tokens::Tokens::new(text);
    tokens.any_line(is_cpp_line) || tokens.has_qualified_name() || tokens.has_method()
}

/// The words without which, and without `::`, a text is no C++. C has `struct`, too, but a struct
/// of C has no methods.
const HEADS: [&str; 9] = [
    "namespace",
    "template",
    "class",
    "public",
    "protected",
    "private",
    "struct",
    "virtual",
    "explicit",
];

fn is_cpp_line(first: &str, second: &str) -> bool {
    let is_word = second.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    match first {
        "namespace" => is_word || second == "{",
        "template" => second == "<",
        "class" | "explicit" => is_word,
        "virtual" => is_word || second == "~",
        "public" | "protected" | "private" => second == ":",
        _ => false,
    }
}

/// Hashes the bodies of those definitions of C or C++ that have these indices.
pub(super) fn bodies(
    tree: &SyntaxTree,
    text: &str,
    (rules, table, dialect): (&GrammarRules, &OnceLock<KindTable>, Dialect),
    indices: &[usize],
) -> Vec<BodyHash> {
    let flat = kinds::FlatTree::new(tree, text, kinds::kind_table(tree, dialect));
    rules.bodies_by(&flat, (tree, text), table, indices)
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
    let named = name_tested_features(text);
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
            (!is_macro_call(tree, node, &name) && !is_assignment(tree, node)).then_some(name)
        }
        Rule::Definition(DefinitionKind::Namespace) => namespace(tree, node),
        Rule::Definition(DefinitionKind::Function) => DefinitionName::by_field(tree, node),
        Rule::Definition(DefinitionKind::Type) => {
            DefinitionName::by_field(tree, node).or_else(|| defined_type(tree, node))
        }
        _ => tag(tree, node),
    }
}

/// Returns the name of a function with a body, or of the use of a macro that has one.
fn function(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let found = declared(tree, node)?.into_name(tree);
    if is_keyword(tree.text(found.name)) || is_assignment(tree, node) {
        return None;
    }
    if is_macro_head(tree, node, &found) && !is_constructor(tree, node, &found) {
        return macro_body(tree, node, found);
    }
    // The grammar reads the body of a friend as that of a member.
    let is_friend = tree.kind(tree.parent(node)) == Rule::ReadChildren;
    Some(DefinitionName {
        kind: is_friend.then_some(DefinitionKind::Function),
        ..found
    })
}

/// Reports whether a node is the use of a macro, which the grammar reads as a declaration:
/// `MOCK(int)` in a class.
fn is_macro_call(tree: &FlatTree<'_>, node: NodeIndex, name: &DefinitionName) -> bool {
    is_macro_head(tree, node, name) && !is_constructor(tree, node, name)
}

fn is_macro_head(tree: &FlatTree<'_>, node: NodeIndex, name: &DefinitionName) -> bool {
    macro_names::is_macro_name(tree.text(name.name)) && tree.child(node, Field::Type).is_none()
}

/// Reports whether a name is that of the class around, or that of the class before it.
fn is_constructor(tree: &FlatTree<'_>, node: NodeIndex, name: &DefinitionName) -> bool {
    let around = enclosing(tree, node);
    let class = around.and_then(|around| tree.child(around, Field::Name));
    match around {
        Some(_) => class.is_some_and(|class| tree.text(class) == tree.text(name.name)),
        None => name.qualifier.is_some(),
    }
}

/// Reports whether a node in a function is no declaration. The grammar reads `f() = 0;` as one.
fn is_assignment(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    let is_untyped = tree.child(node, Field::Type).is_none();
    let around = is_untyped.then(|| enclosing(tree, node)).flatten();
    around.is_some_and(|around| tree.kind(around) == Rule::Function)
}

/// Returns the function or the class around a node.
fn enclosing(tree: &FlatTree<'_>, node: NodeIndex) -> Option<NodeIndex> {
    let around = std::iter::successors(Some(tree.parent(node)), |one| Some(tree.parent(*one)));
    let mut around = around.take(MAX_DECLARATORS);
    around.find(|one| {
        matches!(
            tree.kind(*one),
            Rule::Function | Rule::Definition(DefinitionKind::Class)
        )
    })
}

/// Returns the name of a body that the use of a macro has outside of classes and functions: `TEST`
/// of `TEST(Cart, IsEmpty) { … }`, with `Cart.IsEmpty` as its qualifier.
///
/// Parsers that expand no macros call it by the name of the macro.
fn macro_body(
    tree: &FlatTree<'_>,
    node: NodeIndex,
    found: DefinitionName,
) -> Option<DefinitionName> {
    if enclosing(tree, node).is_some() {
        return None;
    }
    Some(DefinitionName {
        kind: Some(DefinitionKind::Function),
        qualifier: macro_arguments(tree, node, found.name),
        ..found
    })
}

/// Returns the arguments of a macro, joined by dots, if they are names.
fn macro_arguments(tree: &FlatTree<'_>, node: NodeIndex, name: NodeIndex) -> Option<String> {
    let body = tree.child(node, Field::Body)?;
    let head = tree.slice(tree.node(name).end, tree.node(body).start);
    let (arguments, _) = head.trim_start().strip_prefix('(')?.split_once(')')?;
    let arguments: Vec<&str> = arguments.split(',').map(str::trim).collect();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_name = |text: &&str| !text.is_empty() && text.chars().all(is_part);
    arguments.iter().all(is_name).then(|| arguments.join("."))
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

#[cfg(test)]
mod tests {
    use super::is_cpp;

    #[test]
    fn structs_of_c_have_no_methods() {
        for of_cpp in [
            "struct A { void f(); };",
            "struct A { int a; const char* f() const; };",
            "struct A { bool f(int a) { return a > 0; } };",
            "struct A { A(int a); };",
            "struct A {\n  virtual ~A();\n};",
        ] {
            assert!(is_cpp(of_cpp), "{of_cpp}");
        }
        for of_c in [
            "struct a { int (*f)(int b); unsigned int (*g)(void); };",
            "struct a { const char *(API *f)(int b); };",
            "struct a { int b __packed(4); int c ALIGNED(8); };",
            "struct a { LIST_ENTRY(a) next; char b[MAX(4, 8)]; };",
            "struct a { int b; };\nint f(int c);",
            "typedef struct { int b; } a;\nstatic inline int f(a c) { return g(c); }",
        ] {
            assert!(!is_cpp(of_c), "{of_c}");
        }
    }
}
