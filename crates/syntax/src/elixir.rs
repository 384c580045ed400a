//! Elixir: modules, protocols and their implementations, functions, macros, guards, callbacks and
//! types.
//!
//! Each clause of a function is a definition. The last segment of a module's name is its name, and
//! the others are its qualifier. Callbacks are called through other modules, so no bare name refers
//! to them.

use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, MembersInScope, Rule, rule_based_language,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

/// The number of nodes of a module among which its documentation is searched.
const MAX_BEFORE_DOC: usize = 8;

rule_based_language! {
    name: "elixir",
    extensions: &["ex", "exs"],
    package_file: None,
    rules: RULES,
}

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: Some(refine),
    refine_field: None,
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::None,
    has_methods_in_namespaces: false,
    path_separator: ".",
};

const CALL: Rule = Rule::Call(Field::Target);
const ARGUMENTS: Rule = Rule::Transparent;
/// Segments with their types: `<<a::8>>`. No child has the field.
const BITSTRING: Rule = Rule::SkipField(Field::Alias);
const KEYWORDS: Rule = Rule::Initializer;
/// An operation with two operands. No child has the field.
const BINARY: Rule = Rule::Except(Field::Body);
/// A guard after the head of a clause: `a when b`.
const WHEN: Rule = Rule::Except(Field::Right);
/// An operation with one operand. No child has the field.
const UNARY: Rule = Rule::Except(Field::Bounds);
const MEMBER: Rule = Rule::Member {
    receiver: Field::Left,
    name: Field::Right,
    is_value: false,
};

const MODULE: Rule = Rule::Definition(DefinitionKind::Namespace);
const PROTOCOL: Rule = Rule::Definition(DefinitionKind::Interface);
const FUNCTION: Rule = Rule::Definition(DefinitionKind::Function);
const TYPE: Rule = Rule::Definition(DefinitionKind::Type);
/// The head of a function or type, whose arguments are variables.
const HEAD: Rule = Rule::Declaration(Field::Other, Field::Body);
/// A call of a special form or of a macro for control flow, which is no reference.
const SPECIAL: Rule = Rule::Scope(Field::Body);
/// A call of a macro that takes the pattern of a context: `test "a", %{b: c} do`.
const TEST: Rule = Rule::Scope(Field::Bounds);
/// An attribute of a module, or the call in it that has the value. No child has the field.
const ATTRIBUTE: Rule = Rule::SkipField(Field::Body);
const BEHAVIOUR: Rule = Rule::SkipField(Field::Bounds);

fn classify(node: &str) -> Rule {
    match node {
        "call" => CALL,
        "arguments" => ARGUMENTS,
        "keywords" => KEYWORDS,
        "pair" => Rule::SkipField(Field::Key),
        "dot" => MEMBER,
        "bitstring" => BITSTRING,
        "binary_operator" => BINARY,
        "unary_operator" => UNARY,
        "anonymous_function" => Rule::Scope(Field::Other),
        "stab_clause" => Rule::Scope(Field::Left),
        "do_block" | "else_block" | "after_block" | "rescue_block" | "catch_block" | "body" => {
            Rule::Block
        }
        "identifier" => Rule::Name,
        "alias" => Rule::PathName,
        "comment" => Rule::Comment,
        "quoted_content" | "escape_sequence" => Rule::Text,
        _ => Rule::Other,
    }
}

/// Decides by names and operators, since definitions are calls of macros.
fn refine(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    let parent = tree.parent(node);
    match tree.kind(node) {
        CALL => refine_call(tree, node, parent),
        BINARY => refine_binary(tree, node),
        UNARY => refine_unary(tree, node),
        Rule::Name => refine_identifier(tree, node, parent),
        ARGUMENTS if tree.kind(parent) == TEST => Some(HEAD),
        // The options of an import: `only: [a: 1]`.
        KEYWORDS if is_import(tree.kind(tree.parent(parent))) => Some(Rule::Skip),
        _ => None,
    }
}

fn is_import(rule: Rule) -> bool {
    matches!(rule, Rule::Import | Rule::ImportAll)
}

fn refine_call(tree: &FlatTree<'_>, call: NodeIndex, parent: NodeIndex) -> Option<Rule> {
    let target = tree.child(call, Field::Target)?;
    let arguments = arguments(tree, call);
    if tree.kind(target) == MEMBER {
        // `a.b` reads a key of a map, unless `a` is a module.
        let of = tree.child(target, Field::Left)?;
        let is_module = tree.kind(of) == Rule::PathName || tree.text(of) == "__MODULE__";
        return (arguments.is_none() && !is_module).then_some(Rule::Transparent);
    }
    match tree.kind(parent) {
        Rule::Comment => return Some(Rule::Skip),
        BEHAVIOUR => return Some(Rule::Inherit),
        ATTRIBUTE | Rule::Decorator | TYPE | FUNCTION => return Some(ATTRIBUTE),
        _ => {}
    }
    match attribute_of_head(tree, call) {
        Some(TYPE) => return Some(HEAD),
        Some(_) => return Some(ATTRIBUTE),
        None if is_head(tree, call) => return Some(HEAD),
        None => {}
    }
    Some(match tree.text(target) {
        "defmodule" | "defimpl" => MODULE,
        "defprotocol" => PROTOCOL,
        "def" | "defp" | "defmacro" | "defmacrop" | "defguard" | "defguardp" | "defdelegate"
        | "defn" | "defnp" => FUNCTION,
        "alias" | "require" => Rule::Import,
        "import" | "use" => Rule::ImportAll,
        "case" | "cond" | "defexception" | "defstruct" | "for" | "if" | "quote" | "receive"
        | "try" | "unless" | "unquote" | "unquote_splicing" | "with" => SPECIAL,
        "property" | "setup" | "setup_all" | "test" => TEST,
        _ => return None,
    })
}

fn refine_binary(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    let operator = tree.child(node, Field::Operator)?;
    Some(match tree.text(operator) {
        "when" => WHEN,
        _ if is_head(tree, node) => Rule::DeclaredNames,
        "=" => Rule::Match(Field::Left, Field::Right),
        "<-" => Rule::Declaration(Field::Left, Field::Right),
        "::" | "\\\\" => WHEN,
        _ => return None,
    })
}

fn refine_unary(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    let operator = tree.child(node, Field::Operator)?;
    match tree.text(operator) {
        // A variable that a pattern compares with.
        "^" => return Some(Rule::ReadChildren),
        "@" => {}
        _ => return None,
    }
    let operand = tree.child(node, Field::Operand)?;
    let Some(name) = tree.child(operand, Field::Target) else {
        return Some(ATTRIBUTE);
    };
    Some(match tree.text(name) {
        "type" | "typep" | "opaque" => TYPE,
        "callback" | "macrocallback" => FUNCTION,
        "behaviour" => BEHAVIOUR,
        "doc" | "typedoc" if documentation(tree, operand).is_some() => Rule::Comment,
        "spec" | "impl" | "deprecated" | "doc" | "typedoc" => Rule::Decorator,
        _ => ATTRIBUTE,
    })
}

fn refine_identifier(tree: &FlatTree<'_>, name: NodeIndex, parent: NodeIndex) -> Option<Rule> {
    let is_special = matches!(
        tree.text(name),
        "__MODULE__" | "__ENV__" | "__DIR__" | "__CALLER__" | "__STACKTRACE__"
    );
    let is_reference = match tree.node(name).field {
        Field::Target => tree.kind(parent) == CALL,
        Field::Operand => tree.kind(parent) != ATTRIBUTE,
        // The name of a type or of a parameter: `a` of `@type a :: b` and of `@spec f(a :: b)`.
        Field::Left if is_operator(tree, parent, "::") => {
            tree.kind(tree.parent(parent)) == BITSTRING
        }
        _ => true,
    };
    (is_special || !is_reference).then_some(Rule::Other)
}

/// Returns the arguments of a call.
fn arguments(tree: &FlatTree<'_>, call: NodeIndex) -> Option<NodeIndex> {
    tree.operands(call).find(|child| {
        let kind = tree.kind(*child);
        kind == ARGUMENTS && tree.node(*child).field == Field::Other
    })
}

/// Reports whether a node is the head of a function: `f(a)` of `def f(a) when b, do: c`.
fn is_head(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    let list = around_head(tree, node);
    list.is_some_and(|call| {
        tree.kind(call) == FUNCTION && tree.child(call, Field::Target).is_some()
    })
}

/// Returns the rule of the attribute whose head a node is: that of `@spec` for `f(a)` of
/// `@spec f(a) :: b`.
fn attribute_of_head(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    let typed = tree.parent(node);
    if tree.node(node).field != Field::Left || !is_operator(tree, typed, "::") {
        return None;
    }
    let call = around_head(tree, typed)?;
    let attribute = tree.parent(call);
    let rule = tree.kind(attribute);
    matches!(rule, TYPE | FUNCTION | Rule::Decorator).then_some(rule)
}

fn is_operator(tree: &FlatTree<'_>, node: NodeIndex, operator: &str) -> bool {
    let own = tree.child(node, Field::Operator);
    own.is_some_and(|own| tree.text(own) == operator)
}

/// Returns the call whose first argument a node is, with or without a guard.
fn around_head(tree: &FlatTree<'_>, node: NodeIndex) -> Option<NodeIndex> {
    let (mut node, mut list) = (node, tree.parent(node));
    if tree.kind(list) == WHEN && tree.node(node).field == Field::Left {
        (node, list) = (list, tree.parent(list));
    }
    let is_first = tree.kind(list) == ARGUMENTS && tree.operands(list).next() == Some(node);
    is_first.then(|| tree.parent(list))
}

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    if let Some(attribute) = tree.child(node, Field::Operand) {
        let name = name_of_head(tree, first_argument(tree, attribute)?)?;
        let is_callback = tree.kind(node) == FUNCTION;
        return Some(DefinitionName {
            spelled: is_callback.then(|| tree.text(name).to_owned()),
            ..DefinitionName::named(name)
        });
    }
    let first = first_argument(tree, node)?;
    if tree.kind(node) == FUNCTION {
        return name_of_head(tree, first).map(DefinitionName::named);
    }
    let module = module_name(tree, node, first)?;
    Some(DefinitionName {
        // A module sees the functions of no other one.
        is_open: tree.parent(node) != 0,
        doc: documentation_inside(tree, node),
        ..module
    })
}

fn first_argument(tree: &FlatTree<'_>, call: NodeIndex) -> Option<NodeIndex> {
    tree.operands(arguments(tree, call)?).next()
}

/// Returns the name of a function or type, unless it is computed.
fn name_of_head(tree: &FlatTree<'_>, head: NodeIndex) -> Option<NodeIndex> {
    let mut head = head;
    for operator in ["when", "::"] {
        if is_operator(tree, head, operator) {
            head = tree.child(head, Field::Left)?;
        }
    }
    if let Some(operator) = tree.child(head, Field::Operator) {
        return Some(operator);
    }
    let name = tree.child(head, Field::Target).unwrap_or(head);
    let starts_name = |first: char| first.is_alphabetic() || first == '_';
    let is_name = tree.is_leaf(name) && tree.text(name).starts_with(starts_name);
    (is_name && tree.text(name) != "unquote").then_some(name)
}

/// Returns the name of a module. That of an implementation is the type, after the protocol.
fn module_name(tree: &FlatTree<'_>, module: NodeIndex, first: NodeIndex) -> Option<DefinitionName> {
    let path = |node| tree.path_before(node).map(str::to_owned);
    // `__MODULE__.A` is a part of the enclosing module.
    if let Some(part) = tree.child(first, Field::Right) {
        let is_alias = tree.kind(part) == Rule::PathName;
        return is_alias.then(|| DefinitionName {
            spelled: Some(tree.text(part).to_owned()),
            ..DefinitionName::named(part)
        });
    }
    let is_alias = tree.kind(first) == Rule::PathName;
    let Some(of) = implemented_for(tree, module) else {
        return is_alias.then(|| DefinitionName {
            qualifier: path(first),
            ..DefinitionName::named(first)
        });
    };
    let protocol = is_alias.then(|| tree.text(first).to_owned());
    let qualifier = [path(first), protocol, path(of)];
    let qualifier: Vec<String> = qualifier.into_iter().flatten().collect();
    Some(DefinitionName {
        qualifier: Some(qualifier.join(".")),
        ..DefinitionName::named(of)
    })
}

/// Returns the first type for which a protocol is implemented: `A` of `defimpl P, for: [A, B]`.
fn implemented_for(tree: &FlatTree<'_>, module: NodeIndex) -> Option<NodeIndex> {
    let target = tree.child(module, Field::Target)?;
    if tree.text(target) != "defimpl" {
        return None;
    }
    let mut keywords = tree.operands(arguments(tree, module)?);
    let keywords = keywords.find(|part| tree.kind(*part) == KEYWORDS)?;
    let mut values = tree.operands(keywords).filter(|pair| {
        let key = tree.child(*pair, Field::Key);
        key.is_some_and(|key| tree.text(key).starts_with("for:"))
    });
    let value = tree.child(values.next()?, Field::Value)?;
    let first = tree.operands(value).next().unwrap_or(value);
    (tree.kind(first) == Rule::PathName).then_some(first)
}

/// Returns the text of the string that an attribute has: that of `@doc "a"`.
fn documentation(tree: &FlatTree<'_>, attribute: NodeIndex) -> Option<NodeIndex> {
    let text = first_argument(tree, attribute)?;
    let mut parts = tree.operands(text);
    parts.find(|part| tree.kind(*part) == Rule::Text)
}

/// Returns the text of `@moduledoc` in a module.
fn documentation_inside(tree: &FlatTree<'_>, module: NodeIndex) -> Option<NodeIndex> {
    let mut parts = tree.operands(module);
    let body = parts.find(|part| tree.kind(*part) == Rule::Block)?;
    let mut statements = tree.operands(body).take(MAX_BEFORE_DOC);
    statements.find_map(|statement| {
        let attribute = tree.child(statement, Field::Operand)?;
        let name = tree.child(attribute, Field::Target)?;
        let is_doc = tree.kind(statement) == ATTRIBUTE && tree.text(name) == "moduledoc";
        is_doc.then(|| documentation(tree, attribute))?
    })
}
