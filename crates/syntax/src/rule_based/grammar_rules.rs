//! What a language says of its grammar.

use super::rules::{Field, FlatTree, Rule};
use crate::tree::{self, At};
use ragnav_base::item::DefinitionKind;

/// A grammar's numbers.
pub(crate) type Numbers = tree::Numbers<Rule, Field>;

/// What a language is to these files.
#[derive(Debug)]
pub(crate) struct Table {
    /// What each named node of the grammar is.
    pub(crate) rule: fn(&str) -> Rule,
    /// What a node defines whose rule says that it may.
    pub(crate) defined: fn(&FlatTree<'_>, At) -> Option<Defined>,
    /// Whether the members of a class are seen by their names inside it.
    pub(crate) sees_members: bool,
    /// Whether what is in a namespace does not see what is around it.
    pub(crate) seals_namespaces: bool,
    /// Whether a name that is no variable is a call, modules have methods, and any class may get more of them anywhere: Ruby.
    pub(crate) has_open_classes: bool,
    /// What imports separate the segments of modules with.
    pub(crate) separator: &'static str,
}

/// What a node defines.
#[derive(Debug, Clone)]
pub(crate) struct Defined {
    /// Its own name.
    pub(crate) name: At,
    /// What it is, where its rule does not say.
    pub(crate) kind: Option<DefinitionKind>,
    /// What its name path has before its name, beside what is around it, joined with dots.
    pub(crate) qualifier: Option<String>,
    /// What the function calls the instance that it is a method of, beside the language's words.
    pub(crate) own: Option<At>,
}

impl Defined {
    /// A definition that its name says all of.
    pub(crate) fn named(name: At) -> Self {
        Self {
            name,
            kind: None,
            qualifier: None,
            own: None,
        }
    }

    /// One whose name is in the field for it.
    pub(crate) fn by_field(tree: &FlatTree<'_>, at: At) -> Option<Self> {
        tree.child(at, Field::Name).map(Self::named)
    }
}
