//! What is the same for languages whose names are not followed from file to file: definitions, and mentions by name.
//!
//! A language says in a table what each of its grammar's nodes is to a reader ([`Rule`]). Nodes hand what they are for down to those
//! inside them ([`roles`]), and names become mentions. A name that this file does not define is said to be a member of something unknown,
//! as it is one of a package or of what is included.

mod builder;
mod definition_facts;
mod definitions;
mod facts;
mod grammar_rules;
mod imports;
mod name_scopes;
mod references;
mod roles;
mod rules;

use tree_sitter::{Language as Grammar, Tree};

#[cfg(feature = "go")]
pub(super) use self::definitions::type_name;
pub(super) use self::grammar_rules::{Defined, Numbers, Table};
pub(super) use self::rules::{Field, FlatTree, Rule};
use crate::body_hash;
use crate::facts::Facts;
use crate::raw_definition::RawDefinition;
use crate::symbol::Outline;

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
        let named: Vec<body_hash::Named> = named.collect();
        let hashes = body_hash::hashes(&flat, &named);
        Facts {
            is_partial: found.is_partial,
            ..facts::facts(&flat, text, self, &found.definitions, &hashes)
        }
    }
}
