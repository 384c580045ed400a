//! What is the same for languages whose names are not followed from file to file: definitions, and mentions by name.
//!
//! A language says in a table what each of its grammar's nodes is to a reader ([`Rule`]). Nodes hand what they are for down to those
//! inside them ([`roles`]), and names become mentions. A name that this file does not define is said to be a member of something unknown,
//! as it is one of a package or of what is included.

mod definitions;
mod imports;
mod mentions;
mod roles;
mod rules;
mod scopes;
mod walk;

use tree_sitter::{Language as Grammar, Tree};

pub(super) use self::definitions::Defined;
#[cfg(feature = "go")]
pub(super) use self::definitions::type_name;
pub(super) use self::rules::{Field, FlatTree, Rule};
use super::facts::Facts;
use super::tree::{self, At};
use super::{Outline, RawDefinition, body};

/// A grammar's numbers.
pub(super) type Numbers = tree::Numbers<Rule, Field>;

/// What a language is to these files.
#[derive(Debug)]
pub(super) struct Table {
    /// What each named node of the grammar is.
    pub(super) rule: fn(&str) -> Rule,
    /// What a node defines whose rule says that it may.
    pub(super) defined: fn(&FlatTree<'_>, At) -> Option<Defined>,
    /// Whether the members of a class are seen by their names inside it.
    pub(super) sees_members: bool,
    /// Whether what is in a namespace does not see what is around it.
    pub(super) seals_namespaces: bool,
    /// Whether a name that is no variable is a call, modules have methods, and any class may get more of them anywhere: Ruby.
    pub(super) has_open_classes: bool,
    /// What imports separate the segments of modules with.
    pub(super) separator: &'static str,
}

impl Table {
    pub(super) fn numbers(&self, grammar: &Grammar) -> Numbers {
        Numbers::new(grammar, self.rule)
    }

    pub(super) fn definitions(
        &self,
        tree: &Tree,
        text: &str,
        numbers: &Numbers,
    ) -> Outline<RawDefinition> {
        let flat = FlatTree::new(tree, text, numbers);
        let found = definitions::find(&flat, self);
        found.map(|found| found.into_iter().map(|found| found.raw).collect())
    }

    pub(super) fn facts(&self, tree: &Tree, text: &str, numbers: &Numbers) -> Facts {
        let flat = FlatTree::new(tree, text, numbers);
        let found = definitions::find(&flat, self);
        let named = found.definitions.iter().map(|found| found.named);
        let named: Vec<body::Named> = named.collect();
        let hashes = body::hashes(&flat, &named);
        Facts {
            is_partial: found.is_partial,
            ..walk::facts(&flat, text, self, &found.definitions, &hashes)
        }
    }
}
