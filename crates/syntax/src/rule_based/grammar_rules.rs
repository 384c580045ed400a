//! The table in which a language describes its grammar.

use super::rules::{Field, FlatTree, Rule};
use crate::tree::{self, NodeIndex};
use ragnav_base::item::DefinitionKind;

/// The kinds and fields of a grammar by number.
pub(crate) type KindTable = tree::KindTable<Rule, Field>;

/// The properties of a language and the rules of its grammar.
#[derive(Debug)]
pub(crate) struct GrammarRules {
    /// Returns the rule of a named node kind.
    pub(crate) classify: fn(&str) -> Rule,
    /// Returns the rule of a node if it depends on more than the kind: on the parent, whose rule is
    /// final, or on what the node contains.
    pub(crate) refine: Option<fn(&FlatTree<'_>, NodeIndex) -> Option<Rule>>,
    /// Returns the field of a node that the grammar gives none. All rules are final.
    pub(crate) refine_field: Option<fn(&FlatTree<'_>, NodeIndex) -> Option<Field>>,
    /// Finds the name of a definition in a node whose rule permits one.
    pub(crate) find_definition: fn(&FlatTree<'_>, NodeIndex) -> Option<DefinitionName>,
    /// The members of a class that are visible by their bare names inside it.
    pub(crate) members_in_scope: MembersInScope,
    /// Whether the functions of a namespace are methods, as those of a module in Ruby.
    pub(crate) has_methods_in_namespaces: bool,
    /// The separator of the segments of an imported path.
    pub(crate) path_separator: &'static str,
}

/// The members of a class that are visible by their bare names inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MembersInScope {
    /// None: only a receiver reaches members.
    None,
    /// Those that the class itself declares. The names around it hide the inherited ones, and the
    /// members that an extension sees, as in Dart.
    Declared,
    /// All. The inherited ones hide the names around the class.
    All,
}

/// The name of a definition and what the name implies.
#[derive(Debug, Clone)]
pub(crate) struct DefinitionName {
    /// The node of its own name.
    pub(crate) name: NodeIndex,
    /// The kind of definition, if its rule leaves it open.
    pub(crate) kind: Option<DefinitionKind>,
    /// The part of the name path before the name that no enclosing definition supplies.
    pub(crate) qualifier: Option<String>,
    /// The parameter that holds the instance: `r` of Go's `func (r *T) f()`.
    pub(crate) own: Option<NodeIndex>,
    /// The name, if it differs from the text of its node: `~A` of a destructor. No bare name refers
    /// to such a definition.
    pub(crate) spelled: Option<String>,
    /// Whether other files may add members: `partial class` in C#.
    pub(crate) is_open: bool,
    /// Whether it is a function of another type, whose members its body sees: `fun A.f()` in
    /// Kotlin.
    pub(crate) is_extension: bool,
    /// The node of its documentation, if that is inside.
    pub(crate) doc: Option<NodeIndex>,
}

impl DefinitionName {
    /// Creates the name of a definition that has nothing but a name.
    pub(crate) fn named(name: NodeIndex) -> Self {
        Self {
            name,
            kind: None,
            qualifier: None,
            own: None,
            spelled: None,
            is_open: false,
            is_extension: false,
            doc: None,
        }
    }

    /// Creates the name from the `name` field of a node.
    pub(crate) fn by_field(tree: &FlatTree<'_>, node: NodeIndex) -> Option<Self> {
        tree.child(node, Field::Name).map(Self::named)
    }
}
