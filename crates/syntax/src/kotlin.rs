//! Kotlin: classes, objects, interfaces, enums, functions, constructors and type aliases.
//!
//! A property with an accessor of its own is a function or a method. Other properties are not
//! definitions, just as fields in Java are not. The members of a companion object without a name
//! belong to its class, since callers write `A.f()`. Name paths do not contain the package.

mod prepare;

use self::prepare::prepare;
use super::language::no_conditions;
use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, MembersInScope, Rule, accessors_after,
    rule_based_language,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

/// The number of enclosing nodes that are searched for the accessor around `field`.
const MAX_AROUND: usize = 32;

rule_based_language! {
    name: "kotlin",
    extensions: &["kt", "kts"],
    package_file: None,
    prepare: prepare,
    repair: |_| None,
    conditions: no_conditions,
    rules: RULES,
}

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: Some(refine),
    refine_field: Some(refine_field),
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::All,
    has_methods_in_namespaces: false,
    path_separator: ".",
};

const CLASS: Rule = Rule::Definition(DefinitionKind::Class);
const INTERFACE: Rule = Rule::Definition(DefinitionKind::Interface);
const ENUM: Rule = Rule::Definition(DefinitionKind::Enum);
const FUNCTION: Rule = Rule::Definition(DefinitionKind::Function);
const CONSTRUCTOR: Rule = Rule::Definition(DefinitionKind::Method);
/// A property, or the variable of `when (val a = b)`.
const PROPERTY: Rule = Rule::Declaration(Field::Pattern, Field::Value);
const PROPERTY_WITH_ACCESSORS: Rule = Rule::DefinitionWithAccessors(DefinitionKind::Function);
/// A companion object. Only a named one is a definition.
const COMPANION: Rule = Rule::Definition(DefinitionKind::Namespace);
const OBJECT_LITERAL: Rule = Rule::Scope(Field::Object);
const ENUM_ENTRY: Rule = Rule::Declaration(Field::Name, Field::Body);
const PARAMETER: Rule = Rule::Declaration(Field::Name, Field::Other);
const FUNCTION_TYPE: Rule = Rule::ReadChildren;
const BASE: Rule = Rule::Inherit;
const CONSTRUCTOR_CALL: Rule = Rule::First;
const CALL: Rule = Rule::New;
const MEMBER: Rule = Rule::Member {
    receiver: Field::Object,
    name: Field::Name,
    is_value: true,
};
const INFIX_CALL: Rule = Rule::MethodCall {
    receiver: Field::Object,
    name: Field::Name,
};
const ARGUMENTS: Rule = Rule::ReadChildren;
const ARGUMENT: Rule = Rule::SkipField(Field::Name);
/// The left side of an assignment.
const ASSIGNED: Rule = Rule::SkipField(Field::Other);
const IMPORT: Rule = Rule::Import;
const STAR: Rule = Rule::ImportStar;
/// The dotted name after `import`, among others.
const PATH: Rule = Rule::Path;
/// A label. Only the one of `return@f` may name a function.
const LABEL: Rule = Rule::Identifier;

fn classify(node: &str) -> Rule {
    match node {
        "class_declaration" | "object_declaration" => CLASS,
        "companion_object" => COMPANION,
        "function_declaration" => FUNCTION,
        "secondary_constructor" => CONSTRUCTOR,
        "type_alias" => Rule::Definition(DefinitionKind::Type),
        "property_declaration" => PROPERTY,
        "getter" | "setter" => Rule::Accessor,
        "object_literal" => OBJECT_LITERAL,
        "enum_entry" => ENUM_ENTRY,
        "delegation_specifier" => BASE,
        "constructor_invocation" => CONSTRUCTOR_CALL,
        "explicit_delegation" => Rule::First,
        "import_header" => IMPORT,
        "identifier" => PATH,
        "wildcard_import" => STAR,
        "package_header" | "import_alias" => Rule::Skip,
        "label" => LABEL,
        "modifiers" => Rule::Modifiers,
        "annotation" => Rule::Decorator,
        "class_body"
        | "enum_class_body"
        | "function_body"
        | "control_structure_body"
        | "statements" => Rule::Block,
        "simple_identifier" | "type_identifier" | "interpolated_identifier" => Rule::Name,
        "line_comment" | "multiline_comment" | "shebang_line" => Rule::Comment,
        "string_content" | "character_literal" => Rule::Text,
        "binding_pattern_kind" => Rule::Token,
        _ => classify_expression(node),
    }
}

/// Classifies the nodes of references, and those that declare variables.
fn classify_expression(node: &str) -> Rule {
    match node {
        "call_expression" => CALL,
        "navigation_expression" | "callable_reference" => MEMBER,
        "infix_expression" => INFIX_CALL,
        "directly_assignable_expression" => ASSIGNED,
        "value_argument" => ARGUMENT,
        "user_type" => Rule::Segments,
        "function_type" | "function_type_parameters" => FUNCTION_TYPE,
        "type_arguments" | "value_arguments" => ARGUMENTS,
        "parameter" | "class_parameter" | "parameter_with_optional_type" => PARAMETER,
        "variable_declaration" => Rule::First,
        "navigation_suffix" | "multi_variable_declaration" | "lambda_parameters" => {
            Rule::Transparent
        }
        "type_parameter" => Rule::DeclaredNames,
        "lambda_literal" => Rule::ReceiverScope(Field::Parameters),
        "anonymous_function" => Rule::ReceiverScope(Field::Other),
        "for_statement" => Rule::Scope(Field::Pattern),
        "catch_block" => Rule::Scope(Field::Name),
        "when_subject" => PROPERTY,
        "when_expression" => Rule::Scope(Field::Other),
        _ => Rule::Other,
    }
}

/// Returns the rule of a node whose kind alone does not decide it.
fn refine(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    let parent = tree.parent(node);
    match (tree.kind(node), tree.kind(parent)) {
        (CLASS, _) => kind_of_class(tree, node),
        (PROPERTY, _) => has_accessors(tree, node).then_some(PROPERTY_WITH_ACCESSORS),
        (BASE, OBJECT_LITERAL | COMPANION) if !is_named(tree, parent) => Some(Rule::Other),
        (CONSTRUCTOR_CALL, Rule::Other) if has_arguments(tree, node) => Some(CALL),
        (PARAMETER, FUNCTION_TYPE) => Some(ARGUMENT),
        (IMPORT, _) => {
            let is_star = tree.operands(node).any(|child| tree.kind(child) == STAR);
            is_star.then_some(Rule::WeakImportStar)
        }
        (ASSIGNED, _) => {
            let is_member = |child| tree.kind(child) == Rule::Transparent;
            Some(if tree.children(node).any(is_member) {
                MEMBER
            } else {
                Rule::Other
            })
        }
        (LABEL, _) => (tree.text(node.saturating_sub(1)) == "return@").then_some(Rule::Name),
        (Rule::Name, PATH) => is_imported_type(tree, node).then_some(Rule::ReferenceName),
        (Rule::Name, within) => is_implicit(tree, node, within).then_some(Rule::Other),
        _ => None,
    }
}

/// Returns the kind of `enum class` and `interface`.
fn kind_of_class(tree: &FlatTree<'_>, class: NodeIndex) -> Option<Rule> {
    let tokens = tree.children(class);
    let tokens = tokens.take_while(|child| !tree.kind(*child).is_name());
    let mut tokens = tokens.map(|child| tree.text(child));
    tokens.find_map(|token| match token {
        "interface" => Some(INTERFACE),
        "enum" => Some(ENUM),
        _ => None,
    })
}

/// Reports whether a property has an accessor with a body.
fn has_accessors(tree: &FlatTree<'_>, property: NodeIndex) -> bool {
    let inner = tree.children(property);
    let inner = inner.filter(|child| tree.kind(*child) == Rule::Accessor);
    let mut all = inner.chain(accessors_after(tree, property));
    all.any(|accessor| {
        let mut parts = tree.children(accessor);
        parts.any(|part| tree.kind(part) == Rule::Block)
    })
}

/// Reports whether a node has a direct name.
fn is_named(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    tree.children(node).any(|child| tree.kind(child).is_name())
}

/// Reports whether a constructor is called: by `A()`, but not by `A by b`.
fn has_arguments(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    let second = tree.operands(node).nth(1);
    second.is_some_and(|arguments| tree.kind(arguments) == ARGUMENTS)
}

/// Reports whether a name is a parameter that nothing declares: `it` of a lambda, and `field` of an
/// accessor.
fn is_implicit(tree: &FlatTree<'_>, node: NodeIndex, within: Rule) -> bool {
    match tree.text(node) {
        "it" => {
            let is_called = within == CALL && node == tree.parent(node) + 1;
            !is_called && !matches!(within, Rule::Definition(_))
        }
        "field" => {
            let mut around = std::iter::successors(Some(node), |&inner| Some(tree.parent(inner)));
            around
                .by_ref()
                .take(MAX_AROUND)
                .any(|node| tree.kind(node) == Rule::Accessor)
        }
        _ => false,
    }
}

/// Reports whether a segment of the path of an import names a type rather than a package: `A` of
/// `import a.A.B`. By convention, only types begin with a capital.
fn is_imported_type(tree: &FlatTree<'_>, segment: NodeIndex) -> bool {
    let path = tree.parent(segment);
    let is_imported = tree.kind(tree.parent(path)) == IMPORT || is_star_import(tree, path);
    let is_type = tree.text(segment).starts_with(char::is_uppercase);
    is_imported && is_type && (is_star_import(tree, path) || !is_last(tree, segment))
}

/// Reports whether all names of a path are imported.
fn is_star_import(tree: &FlatTree<'_>, path: NodeIndex) -> bool {
    tree.kind(tree.parent(path)) == Rule::WeakImportStar
}

/// Returns the field of a node. The grammar names hardly any.
fn refine_field(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Field> {
    let parent = tree.parent(node);
    let kind = tree.kind(node);
    let is_first = node == parent + 1;
    match tree.kind(parent) {
        MEMBER | INFIX_CALL if is_first && kind != Rule::Token => Some(Field::Object),
        MEMBER if kind.is_name() || kind == Rule::Transparent => Some(Field::Name),
        INFIX_CALL if kind.is_name() && !is_last(tree, node) => Some(Field::Name),
        ARGUMENT if kind.is_name() && is_followed_by_equals(tree, node) => Some(Field::Name),
        PROPERTY
        | Rule::Scope(Field::Pattern)
        | Rule::Declaration(Field::Pattern, Field::Other)
            if matches!(kind, Rule::First | Rule::Transparent) =>
        {
            Some(Field::Pattern)
        }
        PROPERTY if kind != Rule::Token && follows_equals(tree, node) => Some(Field::Value),
        Rule::ReceiverScope(Field::Parameters) if kind == Rule::Transparent => {
            Some(Field::Parameters)
        }
        IMPORT if kind == Rule::Skip => Some(Field::Alias),
        Rule::Definition(_) | PARAMETER | ENUM_ENTRY | Rule::Scope(Field::Name)
            if kind.is_name() && is_first_name(tree, node) =>
        {
            Some(Field::Name)
        }
        _ => None,
    }
}

fn is_last(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    tree.subtree_end(node) == tree.subtree_end(tree.parent(node))
}

fn is_followed_by_equals(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    let next = tree.subtree_end(node);
    next < tree.subtree_end(tree.parent(node)) && tree.text(next) == "="
}

fn follows_equals(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    tree.text(node.saturating_sub(1)) == "=" && tree.parent(node - 1) == tree.parent(node)
}

fn is_first_name(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    let mut children = tree.children(tree.parent(node));
    children.find(|child| tree.kind(*child).is_name()) == Some(node)
}

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let kind = tree.kind(node);
    let owner = owner_of(tree, node);
    match kind {
        CONSTRUCTOR => constructor(tree, node, owner?),
        FUNCTION => Some(member(
            tree,
            owner,
            DefinitionName {
                is_extension: tree.child(node, Field::Receiver).is_some(),
                ..DefinitionName::by_field(tree, node)?
            },
        )),
        PROPERTY_WITH_ACCESSORS => {
            let mut children = tree.operands(node);
            let variable = children.find(|child| tree.kind(*child) == Rule::First)?;
            let name = tree.operands(variable).next()?;
            Some(member(
                tree,
                owner,
                DefinitionName {
                    is_extension: tree.child(node, Field::Receiver).is_some(),
                    ..DefinitionName::named(name)
                },
            ))
        }
        COMPANION => Some(DefinitionName {
            kind: Some(DefinitionKind::Class),
            ..DefinitionName::by_field(tree, node)?
        }),
        _ => Some(DefinitionName {
            is_open: has_inherited_companion(tree, node),
            ..DefinitionName::by_field(tree, node)?
        }),
    }
}

/// Returns the class, the object or the entry of an enum whose body holds a node.
fn owner_of(tree: &FlatTree<'_>, node: NodeIndex) -> Option<NodeIndex> {
    let body = tree.parent(node);
    let owner = tree.parent(body);
    let is_owner = matches!(
        tree.kind(owner),
        CLASS | INTERFACE | ENUM | COMPANION | OBJECT_LITERAL | ENUM_ENTRY
    );
    (is_owner && tree.kind(body) == Rule::Block).then_some(owner)
}

/// Returns the name of a constructor, which is that of its class.
fn constructor(tree: &FlatTree<'_>, node: NodeIndex, class: NodeIndex) -> Option<DefinitionName> {
    let name = tree.child(class, Field::Name)?;
    let keyword = tree
        .children(node)
        .find(|child| tree.text(*child) == "constructor")?;
    Some(DefinitionName {
        spelled: Some(tree.name(name).to_owned()),
        ..DefinitionName::named(keyword)
    })
}

/// Returns the definition of a function or property in a body.
///
/// Only a receiver reaches a member of an entry of an enum or of a nameless object, so no bare name
/// refers to it. The entry, or the property that holds the object, is its qualifier: `a.f` of
/// `val a = object { fun f() {} }`.
fn member(
    tree: &FlatTree<'_>,
    owner: Option<NodeIndex>,
    defined: DefinitionName,
) -> DefinitionName {
    let Some(owner) = owner else {
        return defined;
    };
    let method = DefinitionName {
        kind: Some(DefinitionKind::Method),
        ..defined
    };
    let qualifier = match tree.kind(owner) {
        ENUM_ENTRY => tree.child(owner, Field::Name),
        OBJECT_LITERAL => property_of(tree, owner),
        _ => return method,
    };
    DefinitionName {
        qualifier: qualifier.map(|name| tree.name(name).to_owned()),
        spelled: Some(tree.name(method.name).to_owned()),
        is_open: true,
        ..method
    }
}

/// Returns the name of the property whose value is a nameless object.
fn property_of(tree: &FlatTree<'_>, object: NodeIndex) -> Option<NodeIndex> {
    let property = tree.parent(object);
    if tree.kind(property) != PROPERTY || tree.node(object).field != Field::Value {
        return None;
    }
    let pattern = tree.child(property, Field::Pattern)?;
    let name = tree.operands(pattern).next()?;
    tree.kind(name).is_name().then_some(name)
}

/// Reports whether a class has a companion object whose members this file does not spell out, or
/// whose members are no members of the class.
fn has_inherited_companion(tree: &FlatTree<'_>, class: NodeIndex) -> bool {
    let mut bodies = tree.operands(class);
    let body = bodies.find(|child| tree.kind(*child) == Rule::Block);
    body.is_some_and(|body| {
        let mut companions = tree
            .children(body)
            .filter(|child| tree.kind(*child) == COMPANION);
        companions.any(|companion| {
            let has_bases = |child| matches!(tree.kind(child), BASE | Rule::Other);
            is_named(tree, companion) || tree.operands(companion).any(has_bases)
        })
    })
}
