//! The state of the pass that builds facts, and the roles of nodes.

use ragnav_base::hash::{HashMap, HashSet};

use super::addition::Addition;
use super::kinds::{Field, FlatTree, Kind};
use super::library_object::LibraryObject;
use super::values::CallNumbers;
use crate::body_hash::NamedNode;
pub(super) use crate::facts::MODULE;
use crate::facts::{DefinitionId, Facts, Name, Outer, ReferenceKind, ScopeId, ScopeKind, Value};
use crate::name_interner::NameInterner;
use crate::node_roles::{self, NodeRoles};
use crate::position_cursor::PositionCursor;
use crate::raw_definition::RawDefinition;
use crate::symbol::Symbol;
use crate::tree::NodeIndex;

/// The role of a node in its parent, which decides what a name in it becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The node is read.
    Read,
    /// The node is an annotation, parts of which may be quoted.
    Annotation,
    /// The node is called.
    Callee,
    /// The node is a base class.
    Base,
    /// The node is assigned this value.
    Target(Option<Value>),
    /// The node is read and assigned this value: `target += 1`.
    Updated(Option<Value>),
    /// The node is a parameter with this type.
    Parameter(Option<Value>),
    /// The node declares type parameters, which must be of this type.
    TypeParameter(Option<Value>),
    /// The node is the last segment of a dotted name.
    Member(ReferenceKind),
    /// The node is the last segment of a dotted name that is assigned this value.
    TargetMember(Option<Value>),
    /// The node is declared to belong to an outer scope.
    Outer(Outer),
    /// The node is the argument list of a class statement.
    Superclasses,
    /// The node is the class in a pattern: `A` of `case A(x):`.
    PatternClass,
    /// The node is the first `for` of a comprehension.
    FirstFor,
    /// The visitor that assigned this role has handled the whole subtree.
    Handled,
}

impl Role {
    /// Returns the role of the elements of a tuple or list with this role.
    pub(super) fn for_elements(self) -> Self {
        match self {
            Self::Target(_) => Self::Target(None),
            Self::Parameter(_) => Self::Parameter(None),
            Self::Annotation => Self::Annotation,
            _ => Self::Read,
        }
    }
}

/// The role of a node and the scope in which its names are looked up.
pub(super) type Context = node_roles::Context<Role>;

/// Properties of a scope that facts do not contain.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScopeInfo {
    /// The nearest scope that is not a comprehension.
    pub(super) binding_scope: ScopeId,
    /// The first parameter of a method, and the scope of its class.
    pub(super) instance: Option<(Name, ScopeId)>,
    /// The scope of the function whose `return` statements imply its return type.
    pub(super) returns: Option<ScopeId>,
}

impl Default for ScopeInfo {
    fn default() -> Self {
        Self {
            binding_scope: MODULE,
            instance: None,
            returns: None,
        }
    }
}

/// The builder of the facts of one file.
pub(super) struct FactsBuilder<'t> {
    pub(super) tree: &'t FlatTree<'t>,
    pub(super) facts: Facts,
    pub(super) names: NameInterner<'t>,
    pub(super) positions: PositionCursor<'t>,
    /// The properties of each scope in [`Facts::scopes`].
    pub(super) scope_info: Vec<ScopeInfo>,
    /// The definitions that the walk has not reached, in reverse order.
    pub(super) pending_definitions: Vec<(RawDefinition, Symbol)>,
    /// The nodes of the definitions that the walk has reached.
    pub(super) definition_nodes: Vec<NamedNode>,
    pub(super) roles: NodeRoles<'t, 't, Kind, Field, Role>,
    /// The nodes of the names that bindings bind.
    pub(super) bound_nodes: Vec<(ScopeId, Name, NodeIndex)>,
    /// The numbers of the calls in [`Flow::calls`](crate::facts::Flow::calls).
    pub(super) call_numbers: CallNumbers,
    /// The names that each scope binds, and whether it declares them as global.
    pub(super) local_names: HashMap<(ScopeId, Name), bool>,
    /// The names that the file binds other than by imports.
    pub(super) bound_names: HashSet<Name>,
    /// The definitions by their nodes.
    pub(super) definition_ids: HashMap<NodeIndex, DefinitionId>,
    /// The containers that expressions create, by node, with their paths.
    pub(super) literals: HashMap<NodeIndex, String>,
    /// The names that each scope binds other than by imports.
    pub(super) own_bindings: HashSet<(ScopeId, Name)>,
    /// The variables and attributes that get objects of the library, by their text.
    pub(super) library_objects: HashMap<String, LibraryObject>,
    /// What statements add to containers.
    pub(super) additions: Vec<Addition>,
    /// The nodes of the assigned values that are types with type arguments, or type variables.
    pub(super) types_by_value: HashSet<NodeIndex>,
    /// The classes of the file that have the names of generics of `typing`.
    pub(super) own_generics: Vec<String>,
    /// The number of containers and calls around the expression that is read.
    pub(super) values_around: usize,
}

impl FactsBuilder<'_> {
    pub(super) fn scope_info(&self, scope: ScopeId) -> ScopeInfo {
        let scope_info = self.scope_info.get(scope.0 as usize);
        scope_info.copied().unwrap_or_default()
    }

    pub(super) fn open_scope(
        &mut self,
        kind: ScopeKind,
        parent: ScopeId,
        definition: Option<DefinitionId>,
    ) -> ScopeId {
        let scope = self.facts.next_scope();
        let enclosing = self.scope_info(parent);
        let is_comprehension = kind == ScopeKind::Comprehension;
        self.scope_info.push(ScopeInfo {
            binding_scope: if is_comprehension {
                enclosing.binding_scope
            } else {
                scope
            },
            returns: None,
            ..enclosing
        });
        self.facts.add_scope(kind, parent, definition)
    }
}
