//! Scala: classes, objects, traits, enums, givens, types, functions and methods.
//!
//! A package is not part of name paths, as in Java. Values and variables are no definitions, and a
//! given instance without a body or parameters is a value. The members of an anonymous class have
//! the name of the value that holds it before their own: `a.f` of `val a = new A { def f = 1 }`.

use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, MembersInScope, Rule, rule_based_language,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

rule_based_language! {
    name: "scala",
    extensions: &["scala", "sc", "sbt"],
    package_file: None,
    rules: RULES,
}

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: Some(refine),
    refine_field: None,
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::All,
    has_methods_in_namespaces: false,
    path_separator: ".",
};

const CLASS: Rule = Rule::Definition(DefinitionKind::Class);
/// The members of a class, of a package or of an anonymous class. No child has the field.
const MEMBERS: Rule = Rule::Scope(Field::Body);
/// A given instance. One with a name is refined.
const GIVEN: Rule = Rule::Scope(Field::Type);
const EXTENSION: Rule = Rule::Scope(Field::Receiver);
const PACKAGE: Rule = Rule::SkipField(Field::Name);
const TYPE_PARAMETERS: Rule = Rule::Declaration(Field::Name, Field::Bounds);
const SELF_TYPE: Rule = Rule::DeclaredFirst;
const VALUE: Rule = Rule::Declaration(Field::Pattern, Field::Value);
const ABSTRACT_VALUE: Rule = Rule::Declaration(Field::Name, Field::Value);
const CASE: Rule = Rule::Scope(Field::Pattern);
const PATTERN: Rule = Rule::Except(Field::Type);
const INTERPOLATED: Rule = Rule::Member {
    receiver: Field::Other,
    name: Field::Interpolator,
    is_value: true,
};

/// The methods of the standard library that are called for strings such as `s"a"`.
const INTERPOLATORS: [&str; 3] = ["f", "raw", "s"];

fn classify(node: &str) -> Rule {
    match node {
        "class_definition" | "object_definition" | "package_object" => CLASS,
        "given_definition" => GIVEN,
        "trait_definition" => Rule::Definition(DefinitionKind::Interface),
        "enum_definition" => Rule::Definition(DefinitionKind::Enum),
        "type_definition" => Rule::Definition(DefinitionKind::Type),
        "function_definition" | "function_declaration" => Rule::Function,
        "extension_definition" => EXTENSION,
        "template_body" | "with_template_body" | "enum_body" | "refinement" | "structural_type"
        | "early_defs" => MEMBERS,
        "extends_clause" => Rule::Inherit,
        "import_declaration" | "export_declaration" => Rule::Import,
        "namespace_selectors" => Rule::Transparent,
        "arrow_renamed_identifier" | "as_renamed_identifier" => Rule::ImportAs,
        "namespace_wildcard" => Rule::ImportStar,
        "annotation" => Rule::Decorator,
        "package_clause" => PACKAGE,
        "access_modifier" => Rule::Skip,
        "block" | "indented_block" => Rule::Block,
        "identifier" | "type_identifier" | "operator_identifier" => Rule::Name,
        "comment" | "block_comment" => Rule::Comment,
        "string"
        | "interpolated_string"
        | "character_literal"
        | "xml_text"
        | "xml_string"
        | "xml_cdata" => Rule::Text,
        _ => classify_expression(node),
    }
}

/// Classifies the nodes of references, and those that declare variables.
fn classify_expression(node: &str) -> Rule {
    match node {
        "call_expression" => Rule::Call(Field::Function),
        "instance_expression" => Rule::New,
        "infix_expression" => Rule::MethodCall {
            receiver: Field::Left,
            name: Field::Operator,
        },
        "field_expression" => Rule::Member {
            receiver: Field::Value,
            name: Field::Member,
            is_value: true,
        },
        "projected_type" => Rule::Member {
            receiver: Field::Type,
            name: Field::Selector,
            is_value: true,
        },
        "interpolated_string_expression" => INTERPOLATED,
        "stable_identifier" | "stable_type_identifier" | "postfix_expression" => Rule::DottedName,
        "generic_type"
        | "generic_function"
        | "annotated_type"
        | "applied_constructor_type"
        | "compound_type"
        | "identifiers" => Rule::Transparent,
        "arguments" | "type_arguments" => Rule::ReadChildren,
        "assignment_expression" => Rule::Assignment,
        "named_type_argument" | "name_and_type" | "simple_enum_case" => {
            Rule::SkipField(Field::Name)
        }
        "val_definition" | "var_definition" => VALUE,
        "val_declaration" | "var_declaration" => ABSTRACT_VALUE,
        "class_parameter"
        | "parameter"
        | "binding"
        | "covariant_type_parameter"
        | "contravariant_type_parameter"
        | "context_bound" => Rule::Declaration(Field::Name, Field::Other),
        "type_parameters" => TYPE_PARAMETERS,
        "self_type" => SELF_TYPE,
        "enumerator" => Rule::Generator,
        "case_clause" | "catch_clause" => CASE,
        "case_class_pattern"
        | "typed_pattern"
        | "tuple_pattern"
        | "alternative_pattern"
        | "capture_pattern"
        | "infix_pattern"
        | "named_pattern"
        | "repeat_pattern" => PATTERN,
        "lambda_expression" => Rule::Scope(Field::Parameters),
        "colon_argument" => Rule::Scope(Field::LambdaStart),
        "type_lambda" | "full_enum_case" => Rule::Scope(Field::Name),
        "for_expression" => Rule::Scope(Field::Other),
        _ => Rule::Other,
    }
}

fn refine(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    let parent = tree.parent(node);
    match tree.kind(node) {
        Rule::Name => refine_name(tree, node, parent),
        VALUE if are_fields(tree, parent) => Some(Rule::FieldDeclaration(Field::Pattern)),
        ABSTRACT_VALUE if are_fields(tree, parent) => Some(Rule::FieldDeclaration(Field::Name)),
        GIVEN => refine_given(tree, node, parent),
        // The base of a case of an enumeration.
        Rule::Inherit if !matches!(tree.kind(parent), Rule::Definition(_)) => {
            Some(Rule::ReadChildren)
        }
        // The name of an argument: `a` of `f(a = 1)`.
        Rule::Assignment if tree.kind(parent) == Rule::ReadChildren => {
            Some(Rule::SkipField(Field::Left))
        }
        _ => None,
    }
}

fn refine_name(tree: &FlatTree<'_>, name: NodeIndex, parent: NodeIndex) -> Option<Rule> {
    let text = tree.text(name);
    // `?` is a wildcard of Scala 3 that the grammar reads as the name of a type.
    if matches!(text, "super" | "?") {
        return Some(Rule::Other);
    }
    match tree.kind(parent) {
        // The path before what is imported. Packages have lower-case names by convention.
        Rule::Import if is_before_dot(tree, name) => Some(if is_variable(text) {
            Rule::Other
        } else {
            Rule::ReferenceName
        }),
        INTERPOLATED if INTERPOLATORS.contains(&text) => Some(Rule::Other),
        PATTERN if !is_variable(text) => Some(Rule::ReferenceName),
        CASE if tree.node(name).field == Field::Pattern && !is_variable(text) => {
            Some(Rule::ReferenceName)
        }
        _ => None,
    }
}

/// Reports whether a pattern that is this name declares a variable.
fn is_variable(name: &str) -> bool {
    name.starts_with(|first: char| first.is_lowercase() || first == '_')
}

fn is_before_dot(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    let end = tree.node(node).end;
    tree.slice(end, end + 1) == "."
}

/// Reports whether the values that a node declares are fields of a class or of the file.
fn are_fields(tree: &FlatTree<'_>, parent: NodeIndex) -> bool {
    let is_body = tree.kind(parent) == MEMBERS;
    parent == 0 || is_body && matches!(tree.kind(tree.parent(parent)), Rule::Definition(_))
}

/// Returns the rule of a given instance with a name: that of a class, unless it has a value. With
/// parameters, the value is that of a function.
fn refine_given(tree: &FlatTree<'_>, node: NodeIndex, parent: NodeIndex) -> Option<Rule> {
    tree.child(node, Field::Name)?;
    let has_value = tree.children(node).any(|child| tree.text(child) == "=");
    let has_parameters = tree.children(node).any(|child| {
        tree.node(child).field == Field::Parameters || tree.kind(child) == TYPE_PARAMETERS
    });
    Some(match (has_value, has_parameters) {
        (false, _) => CLASS,
        (true, true) => Rule::Function,
        (true, false) if are_fields(tree, parent) => Rule::FieldDeclaration(Field::Name),
        (true, false) => ABSTRACT_VALUE,
    })
}

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let named = DefinitionName::by_field(tree, node)?;
    let is_function = tree.kind(node) == Rule::Function;
    let parent = tree.parent(node);
    let of = tree.parent(parent);
    let function = is_function.then_some(DefinitionKind::Function);
    let method = is_function.then_some(DefinitionKind::Method);
    let is_constructor = is_function && tree.text(named.name) == "this";
    Some(match (tree.kind(parent), tree.kind(of)) {
        (MEMBERS, Rule::Definition(_)) if is_constructor => DefinitionName {
            kind: method,
            spelled: Some("this".to_owned()),
            ..named
        },
        (MEMBERS, Rule::Definition(_)) => DefinitionName {
            kind: method,
            is_open: has_foreign_members(tree, node),
            ..named
        },
        (MEMBERS, PACKAGE) | (EXTENSION, _) => DefinitionName {
            is_open: has_foreign_members(tree, node),
            ..named
        },
        // No bare name outside refers to a member of an anonymous class, which inherits others.
        (MEMBERS, _) => DefinitionName {
            kind: method,
            qualifier: value_name(tree, of),
            spelled: Some(tree.text(named.name).to_owned()),
            is_open: true,
            ..named
        },
        _ => DefinitionName {
            kind: function,
            is_open: has_foreign_members(tree, node),
            ..named
        },
    })
}

/// Reports whether a class sees members that neither it nor its base classes spell out: those of
/// the classes that it requires, `self: A =>`, and those of the type of a given instance.
fn has_foreign_members(tree: &FlatTree<'_>, class: NodeIndex) -> bool {
    let body = tree.child(class, Field::Body);
    let first = body.and_then(|body| tree.operands(body).next());
    let of_self = first.filter(|first| tree.kind(*first) == SELF_TYPE);
    let mut before = tree
        .children(class)
        .take_while(|child| tree.node(*child).field != Field::Name);
    of_self.is_some_and(|of_self| tree.operands(of_self).nth(1).is_some())
        || before.any(|child| tree.text(child) == "given")
}

/// Returns the name of the value or type to which an instance of an anonymous class is assigned.
fn value_name(tree: &FlatTree<'_>, instance: NodeIndex) -> Option<String> {
    let value = tree.parent(instance);
    let field = match tree.kind(value) {
        VALUE | Rule::FieldDeclaration(Field::Pattern) => Field::Pattern,
        ABSTRACT_VALUE | Rule::FieldDeclaration(_) | Rule::Definition(DefinitionKind::Type) => {
            Field::Name
        }
        _ => return None,
    };
    let name = tree.child(value, field)?;
    tree.kind(name)
        .is_name()
        .then(|| tree.text(name).to_owned())
}
