//! Extracts definitions and facts from a table of rules.
//!
//! It serves the languages whose names are not resolved across files. Each language maps the node
//! kinds of its grammar to a [`Rule`]. The first pass finds definitions, the second assigns each
//! node a role and turns names into references.
//!
//! A name that the file does not define becomes a member of an unknown receiver. It may come from a
//! package or an included file.

mod builder;
mod definition_facts;
mod definitions;
mod docstrings;
mod facts;
mod grammar_rules;
mod imports;
mod name_scopes;
mod nodes;
mod references;
mod roles;
mod rules;

use std::sync::OnceLock;

pub(super) use self::definitions::FoundDefinition;
pub(super) use self::grammar_rules::{DefinitionName, GrammarRules, KindTable, MembersInScope};
pub(super) use self::nodes::{accessors_after, type_name};
pub(super) use self::rules::{Field, FlatTree, Rule};
use crate::body_hash::{self, NamedNode};
use crate::facts::{BodyHash, Facts};
use crate::raw_definition::RawDefinition;
use crate::symbol::Outline;
use crate::syntax_tree::SyntaxTree;
use crate::tree::{self, NodeField, NodeKind};

/// Declares the `LANGUAGE` of a module. The table of its node kinds is built at its first use.
macro_rules! rule_based_language {
    (
        name: $name:literal,
        extensions: $extensions:expr,
        package_file: $package_file:expr,
        rules: $rules:ident,
    ) => {
        crate::rule_based::rule_based_language! {
            name: $name,
            extensions: $extensions,
            package_file: $package_file,
            prepare: |_| None,
            repair: |_| None,
            conditions: crate::language::no_conditions,
            rules: $rules,
        }
    };
    (
        name: $name:literal,
        extensions: $extensions:expr,
        package_file: $package_file:expr,
        prepare: $prepare:expr,
        repair: $repair:expr,
        conditions: $conditions:expr,
        rules: $rules:ident,
    ) => {
        static KIND_TABLE: std::sync::OnceLock<crate::rule_based::KindTable> =
            std::sync::OnceLock::new();

        pub(super) static LANGUAGE: crate::language::Language = crate::language::Language {
            name: $name,
            extensions: $extensions,
            package_file: $package_file,
            extractor: crate::language::Extractor::Code(crate::language::Code {
                prepare: $prepare,
                repair: $repair,
                definitions: |tree, text| $rules.definitions(tree, text, &KIND_TABLE),
                facts: |tree, text| $rules.facts(tree, text.code, &KIND_TABLE),
                bodies: |tree, text, indices| $rules.bodies(tree, text, &KIND_TABLE, indices),
                conditions: $conditions,
            }),
        };
    };
}

pub(super) use rule_based_language;

impl GrammarRules {
    pub(super) fn definitions(
        &self,
        tree: &SyntaxTree,
        text: &str,
        kind_table: &OnceLock<KindTable>,
    ) -> Outline<RawDefinition> {
        let found = self.find_definitions(tree, text, kind_table);
        found.map(|found| found.into_iter().map(|found| found.raw).collect())
    }

    /// Finds the definitions with their nodes, for a language that builds its facts itself.
    pub(super) fn find_definitions(
        &self,
        tree: &SyntaxTree,
        text: &str,
        kind_table: &OnceLock<KindTable>,
    ) -> Outline<FoundDefinition> {
        let flat = self.flatten(tree, text, kind_table);
        definitions::find_definitions(&flat, self)
    }

    pub(super) fn facts(
        &self,
        tree: &SyntaxTree,
        text: &str,
        kind_table: &OnceLock<KindTable>,
    ) -> Facts {
        let flat = self.flatten(tree, text, kind_table);
        let found = definitions::find_definitions(&flat, self);
        let hashes = body_hash::hash_bodies(&flat, &named_nodes(&found));
        Facts {
            is_partial: found.is_partial,
            ..facts::build_facts(&flat, text, self, &found.definitions, &hashes)
        }
    }

    /// Hashes the bodies of those definitions that have these indices.
    pub(super) fn bodies(
        &self,
        tree: &SyntaxTree,
        text: &str,
        kind_table: &OnceLock<KindTable>,
        indices: &[usize],
    ) -> Vec<BodyHash> {
        let flat = self.flatten(tree, text, kind_table);
        let found = definitions::find_definitions(&flat, self);
        body_hash::hash_bodies_at(&flat, &named_nodes(&found), indices)
    }

    /// Hashes bodies by the nodes of a language that builds its facts itself.
    pub(super) fn bodies_by<K: NodeKind, F: NodeField>(
        &self,
        flat: &tree::FlatTree<'_, K, F>,
        (tree, text): (&SyntaxTree, &str),
        kind_table: &OnceLock<KindTable>,
        indices: &[usize],
    ) -> Vec<BodyHash> {
        let found = self.find_definitions(tree, text, kind_table);
        body_hash::hash_bodies_at(flat, &named_nodes(&found), indices)
    }

    fn flatten<'t>(
        &self,
        tree: &SyntaxTree,
        text: &'t str,
        kind_table: &OnceLock<KindTable>,
    ) -> FlatTree<'t> {
        let kinds = kind_table.get_or_init(|| KindTable::new(&tree.language(), self.classify));
        let mut flat = FlatTree::new(tree, text, kinds);
        if let Some(refine) = self.refine {
            flat.replace_kinds(refine);
        }
        if let Some(refine) = self.refine_field {
            flat.replace_fields(refine);
        }
        flat.trim_names();
        flat
    }
}

fn named_nodes(found: &Outline<FoundDefinition>) -> Vec<NamedNode> {
    found.definitions.iter().map(|found| found.named).collect()
}
