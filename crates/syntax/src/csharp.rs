//! C#: namespaces, classes, structs, records, interfaces, enums, delegates and their members.
//!
//! Properties, indexers and events are methods, since they consist of accessors. Fields are no
//! definitions, as in Java. The rules find the definitions; [`facts`] finds scopes, bindings and
//! references.

mod builder;
mod constructors;
mod declarations;
mod definitions;
mod facts;
mod inferring_calls;
mod kinds;
mod known_calls;
mod overloads;
mod patterns;
mod prepare;
mod references;
mod types;
mod usings;
mod values;

use std::sync::OnceLock;

use super::conditionals::{join_switch_sections, keep_first_branches};
use super::directive_lines;
use super::language::{Code, Extractor, Language};
use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, KindTable, MembersInScope, Rule, type_name,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

/// The maximum number of nodes from an expression or type to its innermost name.
const MAX_STEPS: usize = 24;

static KIND_TABLE: OnceLock<KindTable> = OnceLock::new();

pub(super) static LANGUAGE: Language = Language {
    name: "csharp",
    extensions: &["cs", "csx"],
    package_file: None,
    extractor: Extractor::Code(Code {
        prepare: prepare::prepare,
        repair: |text| {
            let joined = join_switch_sections(text);
            let kept = keep_first_branches(joined.as_deref().unwrap_or(text)).or(joined)?;
            Some(prepare::prepare(&kept).unwrap_or(kept))
        },
        definitions: |tree, text| RULES.definitions(tree, text, &KIND_TABLE),
        facts: |tree, text| {
            let found = RULES.find_definitions(tree, text.code, &KIND_TABLE);
            facts::build_facts(tree, text.code, found)
        },
        bodies: |tree, text, indices| {
            let flat = kinds::FlatTree::new(tree, text, kinds::kind_table(tree));
            RULES.bodies_by(&flat, (tree, text), &KIND_TABLE, indices)
        },
        conditions: directive_lines::conditions,
    }),
};

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: None,
    refine_field: None,
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::All,
    has_methods_in_namespaces: false,
    path_separator: ".",
};

fn classify(node: &str) -> Rule {
    match node {
        "class_declaration" | "struct_declaration" | "record_declaration" => {
            Rule::Definition(DefinitionKind::Class)
        }
        "interface_declaration" => Rule::Definition(DefinitionKind::Interface),
        "enum_declaration" => Rule::Definition(DefinitionKind::Enum),
        "delegate_declaration" => Rule::Definition(DefinitionKind::Type),
        "namespace_declaration" => Rule::Definition(DefinitionKind::Namespace),
        "file_scoped_namespace_declaration" => Rule::DefinitionOfRest(DefinitionKind::Namespace),
        "method_declaration"
        | "constructor_declaration"
        | "destructor_declaration"
        | "operator_declaration"
        | "conversion_operator_declaration"
        | "indexer_declaration"
        | "property_declaration"
        | "event_declaration"
        | "event_field_declaration" => Rule::Definition(DefinitionKind::Method),
        "local_function_statement" => Rule::Definition(DefinitionKind::Function),
        "using_directive" => Rule::Import,
        "base_list" => Rule::Inherit,
        "attribute_list" => Rule::Decorator,
        "block"
        | "declaration_list"
        | "enum_member_declaration_list"
        | "accessor_list"
        | "switch_body" => Rule::Block,
        "identifier" | "implicit_parameter" => Rule::Name,
        "comment" => Rule::Comment,
        "string_literal"
        | "verbatim_string_literal"
        | "raw_string_literal"
        | "character_literal"
        | "preproc_arg" => Rule::Text,
        _ => classify_expression(node),
    }
}

/// Classifies the nodes of references, and those that declare variables.
fn classify_expression(node: &str) -> Rule {
    match node {
        "invocation_expression" => Rule::Call(Field::Function),
        "object_creation_expression" => Rule::Call(Field::Type),
        "member_access_expression" => Rule::Member {
            receiver: Field::Expression,
            name: Field::Name,
            is_value: true,
        },
        // The grammar has the receiver of `a?.b` in another node.
        "member_binding_expression" => Rule::Member {
            receiver: Field::Other,
            name: Field::Name,
            is_value: true,
        },
        "qualified_name" => Rule::Member {
            receiver: Field::Qualifier,
            name: Field::Name,
            is_value: true,
        },
        "alias_qualified_name" => Rule::Member {
            receiver: Field::Alias,
            name: Field::Name,
            is_value: true,
        },
        "conditional_access_expression" => Rule::Except(Field::Condition),
        "generic_name" => Rule::Transparent,
        "type_argument_list" | "argument_list" => Rule::ReadChildren,
        "initializer_expression" | "with_initializer" => Rule::Initializer,
        "assignment_expression" => Rule::Assignment,
        "subpattern" => Rule::MemberOfOther,
        "foreach_statement" => Rule::Declaration(Field::Left, Field::Other),
        "variable_declarator"
        | "parameter"
        | "parameter_list"
        | "bracketed_parameter_list"
        | "type_parameter"
        | "enum_member_declaration"
        | "catch_declaration"
        | "declaration_expression"
        | "declaration_pattern"
        | "recursive_pattern"
        | "var_pattern"
        | "tuple_pattern"
        | "parenthesized_variable_designation"
        | "from_clause" => Rule::Declaration(Field::Name, Field::Other),
        "let_clause" | "join_clause" | "join_into_clause" | "labeled_statement" => {
            Rule::DeclaredNames
        }
        "lambda_expression" => Rule::Scope(Field::Parameters),
        "anonymous_method_expression"
        | "for_statement"
        | "using_statement"
        | "fixed_statement"
        | "catch_clause"
        | "switch_section"
        | "switch_expression_arm" => Rule::Scope(Field::Other),
        "argument" | "tuple_element" => Rule::SkipField(Field::Name),
        "preproc_if" | "preproc_elif" => Rule::SkipField(Field::Condition),
        "extern_alias_directive" | "goto_statement" | "preproc_pragma" => Rule::Skip,
        _ => Rule::Other,
    }
}

/// Returns the name of a definition, without the `@` that keeps a name from being a keyword.
fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let found = find_written_name(tree, node)?;
    let plain = tree.text(found.name).strip_prefix('@');
    Some(DefinitionName {
        qualifier: found.qualifier.map(|qualifier| qualifier.replace('@', "")),
        spelled: found.spelled.or_else(|| plain.map(str::to_owned)),
        ..found
    })
}

fn find_written_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let first = first_declarator(tree, node);
    let Some(name) = tree.child(node, Field::Name).or(first) else {
        return nameless(tree, node);
    };
    match tree.kind(node) {
        Rule::Definition(DefinitionKind::Namespace) | Rule::DefinitionOfRest(_) => {
            Some(namespace(tree, name))
        }
        Rule::Definition(DefinitionKind::Method) if has_token(tree, node, "~") => {
            Some(DefinitionName {
                spelled: Some(format!("~{}", tree.text(name))),
                ..DefinitionName::named(name)
            })
        }
        Rule::Definition(DefinitionKind::Method) => Some(DefinitionName {
            qualifier: implemented_interface(tree, node, name),
            ..DefinitionName::named(name)
        }),
        rule => Some(DefinitionName {
            kind: (rule == Rule::Definition(DefinitionKind::Class)
                && has_head_word(tree, node, name, "interface"))
            .then_some(DefinitionKind::Interface),
            is_open: has_token(tree, node, "partial") || has_head_word(tree, node, name, "partial"),
            ..DefinitionName::named(name)
        }),
    }
}

/// Reports whether a word stands before the name of a type. A type without a body is read as a
/// record, and has no tokens for what it says instead.
fn has_head_word(tree: &FlatTree<'_>, node: NodeIndex, name: NodeIndex, word: &str) -> bool {
    let head = tree.slice(tree.node(node).start, tree.node(name).start);
    head.split_whitespace().any(|one| one == word)
}

/// Returns the name of a namespace, `c` of `a.b.c`. Other files may add members to it.
fn namespace(tree: &FlatTree<'_>, name: NodeIndex) -> DefinitionName {
    let last = tree.child(name, Field::Name);
    let before = last.and_then(|_| tree.child(name, Field::Qualifier));
    let text = |node| tree.text(node).split_whitespace().collect::<String>();
    DefinitionName {
        qualifier: before.map(text),
        is_open: true,
        ..DefinitionName::named(last.unwrap_or(name))
    }
}

/// Returns the first event of `event Handler a, b;`.
fn first_declarator(tree: &FlatTree<'_>, node: NodeIndex) -> Option<NodeIndex> {
    let of_variables = |child: &NodeIndex| tree.child(*child, Field::Type).is_some();
    let declaration = tree.operands(node).find(of_variables)?;
    let mut declarators = tree.operands(declaration);
    declarators.find_map(|declarator| match tree.kind(declarator) {
        Rule::Declaration(name, _) => tree.child(declarator, name),
        _ => None,
    })
}

/// Returns the name of a definition without an identifier: an operator, a conversion or an indexer.
fn nameless(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let token = |text: &str| tree.children(node).find(|child| tree.text(*child) == text);
    if let Some(operator) = tree.child(node, Field::Operator) {
        return Some(DefinitionName {
            spelled: Some(format!("operator{}", tree.text(operator))),
            ..DefinitionName::named(operator)
        });
    }
    if let Some(operator) = token("operator") {
        let of = tree.child(node, Field::Type)?;
        let of = type_name(tree, of).unwrap_or_else(|| tree.text(of).replace('.', ""));
        return Some(DefinitionName {
            spelled: Some(format!("operator {of}")),
            ..DefinitionName::named(operator)
        });
    }
    let this = token("this")?;
    Some(DefinitionName {
        spelled: Some("this".to_owned()),
        qualifier: implemented_interface(tree, node, this),
        ..DefinitionName::named(this)
    })
}

/// Returns the interface `I` of a member `I.f`, which only a receiver of that type reaches.
fn implemented_interface(tree: &FlatTree<'_>, node: NodeIndex, name: NodeIndex) -> Option<String> {
    let before = tree.node(name).start.checked_sub(1)?;
    if tree.slice(before, before + 1) != "." {
        return None;
    }
    let specifier = tree
        .children(node)
        .take_while(|child| *child < name)
        .last()?;
    type_name(tree, specifier)
}

/// Reports whether a definition has a token or modifier.
fn has_token(tree: &FlatTree<'_>, node: NodeIndex, token: &str) -> bool {
    let mut children = tree.children(node);
    children.any(|child| tree.text(child) == token)
}
