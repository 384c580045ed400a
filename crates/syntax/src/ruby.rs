//! Ruby: classes, modules and methods. A name that is no variable is a call.

use std::sync::LazyLock;

use super::language::Language;
use super::rule_based::{Defined, Field, FlatTree, Numbers, Rule, Table};
use super::tree::At;
use ragnav_base::item::DefinitionKind;

static NUMBERS: LazyLock<Numbers> =
    LazyLock::new(|| TABLE.numbers(&tree_sitter_ruby::LANGUAGE.into()));

pub(super) static LANGUAGE: Language = Language {
    name: "ruby",
    extensions: &["rb", "rake", "gemspec"],
    package_file: None,
    grammar: || tree_sitter_ruby::LANGUAGE.into(),
    prepare: |_| None,
    mend: |_| None,
    definitions: |tree, text| TABLE.definitions(tree, text, &NUMBERS),
    facts: |tree, text| TABLE.facts(tree, text, &NUMBERS),
};

static TABLE: Table = Table {
    rule,
    defined,
    sees_members: true,
    seals_namespaces: false,
    has_open_classes: true,
    separator: "::",
};

fn rule(node: &str) -> Rule {
    match node {
        "class" => Rule::Defines(DefinitionKind::Class),
        "module" => Rule::Defines(DefinitionKind::Namespace),
        "method" => Rule::Function,
        "singleton_method" => Rule::Defines(DefinitionKind::Method),
        "superclass" => Rule::Inherit,
        "call" => Rule::Invokes {
            of: Field::Receiver,
            name: Field::Method,
        },
        "scope_resolution" => Rule::Member {
            of: Field::Scope,
            name: Field::Name,
            is_value: true,
        },
        "assignment" => Rule::Local(Field::Left, Field::Right),
        "operator_assignment" => Rule::Local(Field::Left, Field::Other),
        "optional_parameter"
        | "keyword_parameter"
        | "splat_parameter"
        | "block_parameter"
        | "hash_splat_parameter" => Rule::Local(Field::Name, Field::Other),
        "method_parameters"
        | "lambda_parameters"
        | "block_parameters"
        | "exception_variable"
        | "destructured_parameter" => Rule::Locals,
        "for" => Rule::Region(Field::Pattern),
        "block" | "do_block" | "lambda" | "singleton_class" => Rule::Region(Field::Other),
        "body_statement" | "block_body" => Rule::Block,
        "alias" | "undef" => Rule::Skip,
        "constant" => Rule::Name,
        "identifier" => Rule::Variable,
        "comment" => Rule::Comment,
        "string_content" | "simple_symbol" | "heredoc_content" => Rule::Text,
        _ => Rule::Other,
    }
}

fn defined(tree: &FlatTree<'_>, at: At) -> Option<Defined> {
    let name = tree.child(at, Field::Name)?;
    if let Rule::Member { of, name: last, .. } = tree.kind(name) {
        let around = tree.child(name, of).map(|of| dotted(tree.text(of)));
        return Some(Defined {
            qualifier: around.filter(|around| !around.is_empty()),
            ..Defined::named(tree.child(name, last)?)
        });
    }
    Some(Defined {
        qualifier: singleton(tree, at),
        ..Defined::named(name)
    })
}

/// `Foo` of `def Foo.bar`, where that is not what is around.
fn singleton(tree: &FlatTree<'_>, at: At) -> Option<String> {
    let object = tree.child(at, Field::Object)?;
    let around = tree.parent(tree.parent(at));
    let around = tree.child(around, Field::Name);
    let is_around = around.is_some_and(|name| tree.text(name) == tree.text(object));
    let is_named = tree.kind(object) == Rule::Name && !is_around;
    is_named.then(|| tree.text(object).to_owned())
}

fn dotted(path: &str) -> String {
    let segments = path.split("::").filter(|segment| !segment.is_empty());
    segments.collect::<Vec<_>>().join(".")
}
