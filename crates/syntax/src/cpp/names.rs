//! Finds the names inside declarators and heads.

use crate::rule_based::{DefinitionName, Field, FlatTree, Rule, type_name};
use crate::tree::NodeIndex;

/// The depth to which declarators are searched for their name.
pub(super) const MAX_DECLARATORS: usize = 24;

/// The keywords that the grammars read as names: casts of C++, and others where macros confuse them.
const KEYWORDS: [&str; 36] = [
    "auto",
    "break",
    "case",
    "char",
    "const",
    "const_cast",
    "continue",
    "default",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "reinterpret_cast",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_cast",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
];

/// Reports whether a word is a keyword, which is never the name of a definition or a reference.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// The name in a declarator: `f` of `*a::f(int)`.
pub(super) struct Declared {
    pub(super) name: NodeIndex,
    /// The segments before the name: `a` of `a::f`.
    scopes: Vec<String>,
    /// Whether parameters follow the name.
    pub(super) is_function: bool,
}

impl Declared {
    pub(super) fn into_name(self, tree: &FlatTree<'_>) -> DefinitionName {
        let is_special = tree.kind(self.name) == Rule::SpecialName;
        let is_open = !self.scopes.is_empty();
        DefinitionName {
            qualifier: is_open.then(|| self.scopes.join(".")),
            spelled: is_special.then(|| spelled(tree.text(self.name))),
            is_open,
            ..DefinitionName::named(self.name)
        }
    }
}

/// Finds the name inside the declarator of a node.
pub(super) fn declared(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Declared> {
    search_name(tree, tree.child(node, Field::Declarator)?)
}

pub(super) fn search_name(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Declared> {
    let mut name = node;
    let mut scopes = Vec::new();
    let mut is_function = false;
    for _ in 0..MAX_DECLARATORS {
        name = match tree.kind(name) {
            Rule::SpecialName => {
                is_function |= tree.child(name, Field::Declarator).is_some();
                return Some(Declared {
                    name,
                    scopes,
                    is_function,
                });
            }
            Rule::Name | Rule::Identifier => {
                return Some(Declared {
                    name,
                    scopes,
                    is_function,
                });
            }
            Rule::Member { .. } => {
                let scope = tree.child(name, Field::Scope);
                scopes.extend(scope.and_then(|scope| type_name(tree, scope)));
                tree.child(name, Field::Name)?
            }
            Rule::Transparent => tree.child(name, Field::Name)?,
            kind => {
                is_function = kind == Rule::Declarator;
                let further = tree.child(name, Field::Declarator);
                further.or_else(|| tree.operands(name).last())?
            }
        };
    }
    None
}

/// Returns the name of an operator, a conversion or a destructor, with spaces between words only.
fn spelled(text: &str) -> String {
    let Some(operator) = text.strip_prefix("operator") else {
        return text.split_whitespace().collect();
    };
    let operator = operator.trim_start();
    let of = operator.trim_start_matches("::").trim_start();
    let is_type = of.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    if !is_type {
        let operator: String = operator.split_whitespace().collect();
        return format!("operator{operator}");
    }
    let operator = operator.split('(').next().unwrap_or_default();
    format!("operator {}", without_arguments(operator))
}

/// Removes scopes and template arguments from a type: `A` of `::a::A<T>`.
fn without_arguments(of: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::new();
    for letter in of.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 && letter != '.' => kept.push(letter),
            _ => {}
        }
    }
    let words = kept.split_whitespace();
    let words = words.map(|word| word.rsplit("::").next().unwrap_or(word));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the name of a namespace, `b` of `a::b`. Other files may add members to it.
pub(super) fn namespace(tree: &FlatTree<'_>, node: NodeIndex) -> Option<DefinitionName> {
    let names = tree.child(node, Field::Name)?;
    let mut name = names;
    for _ in 0..MAX_DECLARATORS {
        if tree.kind(name).is_name() {
            break;
        }
        name = tree.operands(name).last()?;
    }
    let before = tree.slice(tree.node(names).start, tree.node(name).start);
    // `a::inline b::c`
    let before = before.split("::").map(|name| {
        let name = name.trim();
        name.strip_prefix("inline")
            .filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
            .map_or(name, str::trim_start)
    });
    let before: Vec<&str> = before.filter(|name| !name.is_empty()).collect();
    Some(DefinitionName {
        qualifier: (!before.is_empty()).then(|| before.join(".")),
        is_open: true,
        ..DefinitionName::named(name)
    })
}
