//! Ruby: classes, modules and methods.
//!
//! A name that is not a variable is a call. The rules find the definitions; [`facts`] finds scopes,
//! bindings and references.

mod arguments;
mod block_values;
mod builder;
mod containers;
mod created_classes;
mod declarations;
mod definitions;
mod facts;
mod instance_eval;
mod kinds;
mod literals;
mod memoized_helpers;
mod named_methods;
mod narrowing;
mod order;
mod passed_values;
mod requires;
mod values;
mod yields;

use std::sync::OnceLock;

use super::language::{Code, Extractor, Language, no_conditions};
use super::rule_based::{
    DefinitionName, Field, FlatTree, GrammarRules, KindTable, MembersInScope, Rule,
};
use super::tree::NodeIndex;
use ragnav_base::item::DefinitionKind;

/// The method that the creation of an object runs.
const INITIALIZE: &str = "initialize";

static KIND_TABLE: OnceLock<KindTable> = OnceLock::new();

pub(super) static LANGUAGE: Language = Language {
    name: "ruby",
    extensions: &[
        "rb", "rake", "gemspec", "builder", "jbuilder", "podspec", "rabl", "ru", "thor",
    ],
    package_file: None,
    extractor: Extractor::Code(Code {
        prepare: |_| None,
        repair: |_| None,
        definitions: |tree, text| RULES.definitions(tree, text, &KIND_TABLE),
        facts: |tree, text| {
            let found = RULES.find_definitions(tree, text.code, &KIND_TABLE);
            facts::build_facts(tree, text.code, found)
        },
        bodies: |tree, text, indices| {
            let flat = kinds::FlatTree::new(tree, text, kinds::kind_table(tree));
            RULES.bodies_by(&flat, (tree, text), &KIND_TABLE, indices)
        },
        conditions: no_conditions,
    }),
};

static RULES: GrammarRules = GrammarRules {
    classify,
    refine: Some(refine),
    refine_field: None,
    find_definition: find_definition_name,
    members_in_scope: MembersInScope::All,
    has_methods_in_namespaces: true,
    path_separator: "::",
};

fn classify(node: &str) -> Rule {
    match node {
        "class" => Rule::Definition(DefinitionKind::Class),
        "module" => Rule::Definition(DefinitionKind::Namespace),
        "method" => Rule::Function,
        "singleton_method" => Rule::Definition(DefinitionKind::Method),
        "superclass" => Rule::Inherit,
        "call" => Rule::MethodCall {
            receiver: Field::Receiver,
            name: Field::Method,
        },
        "scope_resolution" => Rule::Member {
            receiver: Field::Scope,
            name: Field::Name,
            is_value: true,
        },
        "assignment" => ASSIGNMENT,
        "operator_assignment" => Rule::Declaration(Field::Left, Field::Other),
        "optional_parameter"
        | "keyword_parameter"
        | "splat_parameter"
        | "block_parameter"
        | "hash_splat_parameter" => Rule::Declaration(Field::Name, Field::Other),
        "method_parameters"
        | "lambda_parameters"
        | "block_parameters"
        | "exception_variable"
        | "destructured_parameter" => Rule::DeclaredNames,
        "for" => Rule::Scope(Field::Pattern),
        "block" | "do_block" | "lambda" | "singleton_class" => Rule::Scope(Field::Other),
        "body_statement" | "block_body" => Rule::Block,
        "alias" | "undef" => Rule::Skip,
        "constant" => Rule::Name,
        "identifier" => Rule::Identifier,
        "comment" => Rule::Comment,
        "string_content" | "simple_symbol" | "heredoc_content" => Rule::Text,
        _ => Rule::Other,
    }
}

/// The rule of an assignment.
const ASSIGNMENT: Rule = Rule::Declaration(Field::Left, Field::Right);

fn refine(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Rule> {
    if tree.kind(node) != ASSIGNMENT {
        return None;
    }
    created_classes::kind_of_assignment(tree, node).map(Rule::Definition)
}

fn find_definition_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    if let Some(constant) = tree.child(node, Field::Left) {
        return Some(DefinitionName::named(constant));
    }
    let name = tree.child(node, Field::Name)?;
    if let Rule::Member {
        receiver: of,
        name: last,
        ..
    } = tree.kind(name)
    {
        let enclosing = tree.child(name, of).map(|of| dotted(tree.text(of)));
        return Some(DefinitionName {
            qualifier: enclosing.filter(|enclosing| !enclosing.is_empty()),
            ..DefinitionName::named(tree.child(name, last)?)
        });
    }
    Some(DefinitionName {
        qualifier: singleton(tree, node),
        ..DefinitionName::named(name)
    })
}

/// Returns `Foo` of `def Foo.bar`, unless `Foo` is the enclosing class.
fn singleton(tree: &FlatTree<'_>, node: NodeIndex) -> Option<String> {
    let object = tree.child(node, Field::Object)?;
    let enclosing = tree.parent(tree.parent(node));
    let enclosing = tree.child(enclosing, Field::Name);
    let is_around = enclosing.is_some_and(|name| tree.text(name) == tree.text(object));
    let is_named = tree.kind(object) == Rule::Name && !is_around;
    is_named.then(|| tree.text(object).to_owned())
}

fn dotted(path: &str) -> String {
    let segments = path.split("::").filter(|segment| !segment.is_empty());
    segments.collect::<Vec<_>>().join(".")
}
