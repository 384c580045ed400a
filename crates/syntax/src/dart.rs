//! Dart: classes, mixins, extensions, enums, functions, accessors, constructors and type aliases.
//!
//! A constructor is a method. Its name is that of its class, or the one after the dot: `named` of
//! `A.named()`. Fields and variables are no definitions.

use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, MembersInScope, Rule, rule_based_language,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

rule_based_language! {
    name: "dart",
    extensions: &["dart"],
    package_file: None,
    rules: RULES,
}

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: Some(refine),
    refine_field: Some(refine_field),
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::Declared,
    has_methods_in_namespaces: false,
    path_separator: ".",
};

const CLASS: Rule = Rule::Definition(DefinitionKind::Class);
const ENUM: Rule = Rule::Definition(DefinitionKind::Enum);
/// An extension with a name; [`Rule::Members`] is one without.
const EXTENSION: Rule = Rule::Definition(DefinitionKind::Namespace);
const ALIAS: Rule = Rule::Definition(DefinitionKind::Type);
const FUNCTION: Rule = Rule::Definition(DefinitionKind::Function);
const METHOD: Rule = Rule::Definition(DefinitionKind::Method);
/// A member without a body. Only one with a signature is a definition.
const DECLARATION: Rule = Rule::DeclaredNames;
const SIGNATURE: Rule = Rule::Except(Field::Name);
const OPERATOR_SIGNATURE: Rule = Rule::Except(Field::Operator);
const CONSTRUCTOR_SIGNATURE: Rule = Rule::SkipField(Field::Name);
const METHOD_SIGNATURE: Rule = Rule::Transparent;
const PARAMETER: Rule = Rule::Declaration(Field::Name, Field::Other);
const NAMED: Rule = Rule::SkipField(Field::Property);
const MEMBER: Rule = Rule::Member {
    receiver: Field::Object,
    name: Field::Property,
    is_value: true,
};
/// The member of an object that the context implies: `.a` of `A b = .a`.
const SHORTHAND: Rule = Rule::Member {
    receiver: Field::Other,
    name: Field::Property,
    is_value: true,
};
const ASSIGNED: Rule = Rule::Assignment;
const NEW: Rule = Rule::Call(Field::Type);
const NEW_NAMED: Rule = Rule::MethodCall {
    receiver: Field::Type,
    name: Field::Constructor,
};
/// A call of another constructor in the head of one: `this.a()` and `super.a()`.
const CONSTRUCTOR_CALL: Rule = Rule::MethodCall {
    receiver: Field::Object,
    name: Field::Property,
};
/// A call in a cascade. The grammar has the receiver of `a..b()` in another node.
const CASCADE_CALL: Rule = Rule::MethodCall {
    receiver: Field::Other,
    name: Field::Property,
};
const COMBINATOR: Rule = Rule::ImportedNames;

fn classify(node: &str) -> Rule {
    match node {
        "class_declaration" | "mixin_declaration" | "extension_type_declaration" => CLASS,
        "enum_declaration" => ENUM,
        "extension_declaration" => EXTENSION,
        "type_alias" => ALIAS,
        "function_declaration"
        | "getter_declaration"
        | "setter_declaration"
        | "external_function_declaration"
        | "external_getter_declaration"
        | "external_setter_declaration"
        | "local_function_declaration" => FUNCTION,
        "method_declaration" => METHOD,
        "declaration" => DECLARATION,
        "member_declaration" => Rule::Wrapper,
        "function_signature" | "getter_signature" | "setter_signature" => SIGNATURE,
        "operator_signature" => OPERATOR_SIGNATURE,
        "constructor_signature"
        | "constant_constructor_signature"
        | "factory_constructor_signature"
        | "redirecting_factory_constructor_signature" => CONSTRUCTOR_SIGNATURE,
        "method_signature" => METHOD_SIGNATURE,
        "import_specification" | "library_export" | "part_directive" => Rule::ImportPath,
        "combinator" => COMBINATOR,
        "superclass" | "mixins" | "interfaces" | "mixin_application" => Rule::Inherit,
        "annotation" => Rule::Decorator,
        "block" | "class_body" | "extension_body" | "enum_body" | "switch_block" => Rule::Block,
        "identifier" | "type_identifier" | "identifier_dollar_escaped" => Rule::Name,
        "comment"
        | "block_comment"
        | "documentation_comment"
        | "documentation_block_comment"
        | "script_tag" => Rule::Comment,
        "template_chars_single"
        | "template_chars_double"
        | "template_chars_single_single"
        | "template_chars_double_single"
        | "template_chars_raw_slash"
        | "raw_string_literal_double_quotes"
        | "raw_string_literal_single_quotes"
        | "raw_string_literal_double_quotes_multiple"
        | "raw_string_literal_single_quotes_multiple" => Rule::Text,
        _ => classify_expression(node),
    }
}

/// Classifies the nodes of references, and those that declare variables.
fn classify_expression(node: &str) -> Rule {
    match node {
        "call_expression" => Rule::Call(Field::Function),
        "member_expression"
        | "null_aware_member_expression"
        | "cascade_member_expression"
        | "cascade_null_aware_member_expression" => MEMBER,
        "static_member_shorthand" => SHORTHAND,
        "cascade_call_expression" => CASCADE_CALL,
        "cascade_selector" => Rule::MemberOfOther,
        "assignable_expression" => ASSIGNED,
        "new_expression" | "const_object_expression" => NEW,
        "constructor_invocation" => NEW_NAMED,
        "redirection" | "initializer_list_entry" => CONSTRUCTOR_CALL,
        "type" | "qualified_name" | "constructor_tearoff" | "object_pattern" => Rule::Segments,
        "type_arguments" | "arguments" | "function_type" => Rule::ReadChildren,
        "formal_parameter"
        | "field_formal_parameter"
        | "super_formal_parameter"
        | "extension_type_representation"
        | "enum_entry"
        | "variable_pattern" => PARAMETER,
        "initialized_variable_declaration"
        | "initialized_identifier"
        | "static_final_declaration" => Rule::Declaration(Field::Name, Field::Value),
        "identifier_list" | "type_parameter" | "catch_clause" => Rule::DeclaredNames,
        "for_statement" | "for_element" => Rule::Scope(Field::Name),
        "function_expression" | "switch_statement_case" | "switch_expression_case" => {
            Rule::Scope(Field::Other)
        }
        "typed_identifier" | "record_type_field" | "field_initializer" | "labeled_statement" => {
            NAMED
        }
        "library_name" | "part_of_directive" | "configuration_uri" | "label" | "symbol_literal"
        | "break_statement" | "continue_statement" => Rule::Skip,
        _ => Rule::Other,
    }
}

/// Returns the rule of a node whose kind alone does not decide it.
fn refine(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    match tree.kind(node) {
        DECLARATION => signature_of(tree, node).map(|_| METHOD),
        EXTENSION => tree
            .child(node, Field::Name)
            .is_none()
            .then_some(Rule::Members),
        COMBINATOR => (!tree.text(node).starts_with("show")).then_some(Rule::Skip),
        NEW => tree.child(node, Field::Constructor).map(|_| NEW_NAMED),
        CASCADE_CALL => {
            let callee = tree.child(node, Field::Function);
            callee.map(|_| Rule::Call(Field::Function))
        }
        ASSIGNED => Some(match tree.child(node, Field::Property) {
            Some(_) => MEMBER,
            None => Rule::Other,
        }),
        // The wildcard of a pattern. `A._` is a constructor.
        Rule::Name if tree.text(node) == "_" => {
            let is_pattern = tree.kind(tree.parent(node)) == Rule::Other;
            is_pattern.then_some(Rule::Other)
        }
        _ => None,
    }
}

/// Returns the field of a node that the grammar leaves without one, or names unlike others.
fn refine_field(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Field> {
    let parent = tree.parent(node);
    let kind = tree.kind(node);
    let own = tree.node(node).field;
    match tree.kind(parent) {
        Rule::ImportPath if own == Field::Alias => Some(Field::Name),
        Rule::ImportPath if kind == Rule::Other && is_first_operand(tree, node) => {
            Some(Field::Path)
        }
        Rule::Members if kind == Rule::Segments => Some(Field::Type),
        // `on A` of a mixin names the types that the mixin requires.
        CLASS if kind == Rule::Segments => Some(Field::Bounds),
        ALIAS if kind.is_name() && is_first_name(tree, node) => Some(Field::Name),
        PARAMETER if kind.is_name() && own == Field::Other => Some(Field::Name),
        NAMED if kind.is_name() && (own == Field::Name || own == Field::Other) => {
            Some(Field::Property)
        }
        CONSTRUCTOR_CALL if matches!(tree.text(node), "this" | "super") => Some(Field::Object),
        CONSTRUCTOR_CALL | SHORTHAND if kind.is_name() => Some(Field::Property),
        _ => None,
    }
}

fn is_first_operand(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    tree.operands(tree.parent(node)).next() == Some(node)
}

fn is_first_name(tree: &FlatTree<'_>, node: NodeIndex) -> bool {
    let mut children = tree.children(tree.parent(node));
    children.find(|child| tree.kind(*child).is_name()) == Some(node)
}

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    match tree.kind(node) {
        FUNCTION | METHOD => {
            let signature = signature_of(tree, node)?;
            Some(DefinitionName {
                is_extension: is_in_extension(tree, node),
                ..named_by(tree, signature)?
            })
        }
        EXTENSION => Some(DefinitionName {
            kind: Some(DefinitionKind::Class),
            ..DefinitionName::by_field(tree, node)?
        }),
        CLASS => class_name(tree, node).map(DefinitionName::named),
        _ => DefinitionName::by_field(tree, node),
    }
}

/// Returns the name of a class: also that of `class A = B with C`, and `A` of
/// `extension type A.b(int c)`.
fn class_name(tree: &FlatTree<'_>, class: NodeIndex) -> Option<NodeIndex> {
    let is_around = |child: &NodeIndex| tree.kind(*child) == Rule::Other;
    let around = tree.child(class, Field::Name);
    let around = around.or_else(|| tree.operands(class).find(is_around))?;
    if tree.kind(around).is_name() {
        return Some(around);
    }
    let mut parts = tree.children(around);
    parts.find(|part| tree.kind(*part).is_name())
}

/// Returns the signature of a function or member.
fn signature_of(tree: &FlatTree<'_>, node: NodeIndex) -> Option<NodeIndex> {
    let is_signature = |child: &NodeIndex| {
        matches!(
            tree.kind(*child),
            SIGNATURE | OPERATOR_SIGNATURE | CONSTRUCTOR_SIGNATURE
        )
    };
    let direct = tree.children(node).find(is_signature);
    direct.or_else(|| {
        let mut children = tree.children(node);
        let around = children.find(|child| tree.kind(*child) == METHOD_SIGNATURE)?;
        tree.children(around).find(is_signature)
    })
}

fn named_by(tree: &FlatTree<'_>, signature: NodeIndex) -> Option<DefinitionName> {
    match tree.kind(signature) {
        CONSTRUCTOR_SIGNATURE => {
            let names = tree.children(signature);
            let names = names.filter(|child| tree.node(*child).field == Field::Name);
            let name = names.filter(|child| tree.kind(*child).is_name()).last()?;
            // No bare name refers to a constructor: that of the class means the class.
            Some(DefinitionName {
                spelled: Some(tree.name(name).to_owned()),
                ..DefinitionName::named(name)
            })
        }
        OPERATOR_SIGNATURE => {
            let operator = tree.child(signature, Field::Operator)?;
            Some(DefinitionName {
                spelled: Some(format!("operator{}", tree.text(operator))),
                ..DefinitionName::named(operator)
            })
        }
        _ => DefinitionName::by_field(tree, signature),
    }
}

/// Reports whether a member belongs to an extension, in which `this` is an object of another type.
fn is_in_extension(tree: &FlatTree<'_>, member: NodeIndex) -> bool {
    let body = tree.parent(tree.parent(member));
    matches!(tree.kind(tree.parent(body)), EXTENSION | Rule::Members)
        && tree.kind(body) == Rule::Block
}
