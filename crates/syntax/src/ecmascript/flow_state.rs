//! The state of the pass that collects the flow of values.

use std::ops::Range;

use ragnav_base::hash::{HashMap, HashSet};

use crate::facts::{Name, ScopeId};
use crate::flow_order::BoundNode;
use crate::tree::NodeIndex;

/// A variable or member that holds containers: the scope that binds it, with its path.
pub(super) type Holder = (ScopeId, String);

/// A class that a variable has in a range of bytes, as what a call of the class gives.
pub(super) type Tested = (Range<u32>, String);

/// The state of the pass that collects the flow of values.
#[derive(Default)]
pub(super) struct FlowState {
    /// The nodes of the names that bindings bind.
    pub(super) bound_nodes: Vec<BoundNode>,
    /// The numbers of the calls in [`Flow::calls`](crate::facts::Flow::calls).
    pub(super) call_numbers: HashMap<NodeIndex, u32>,
    /// The names that each scope binds.
    pub(super) local_names: HashSet<(ScopeId, Name)>,
    /// The names that the file binds other than by imports, and those of definitions, whatever
    /// they are members of.
    pub(super) own_names: HashSet<Name>,
    /// The parameters without a type.
    pub(super) parameters: HashSet<(ScopeId, Name)>,
    /// The number of assignments to the members of each name.
    pub(super) member_assignments: HashMap<Name, usize>,
    /// The scopes of the classes whose instances code of other files may change.
    pub(super) changed_classes: HashSet<ScopeId>,
    /// The least number of arguments in the calls of each name.
    pub(super) fewest_arguments: HashMap<Name, usize>,
    /// The values of constants that are bound once: an index or a key.
    pub(super) constants: HashMap<(ScopeId, Name), NodeIndex>,
    /// The constant keys that calls pass to parameters.
    pub(super) parameter_keys: HashMap<(ScopeId, Name), Vec<String>>,
    /// The variables that a loop counts or iterates over.
    pub(super) loop_variables: HashSet<(ScopeId, Name)>,
    /// The containers that expressions create, by node, with their paths.
    pub(super) literals: HashMap<NodeIndex, String>,
    /// The classes that tests tell of variables, with where they hold.
    pub(super) tested: HashMap<(ScopeId, Name), Vec<Tested>>,
    /// What calls of builtin functions give, by node.
    pub(super) builtin_results: HashMap<NodeIndex, Option<String>>,
    /// The number of containers that have a path.
    pub(super) literal_count: usize,
    /// The names that the file binds, also by imports.
    pub(super) bound_names: HashSet<Name>,
    /// The names of members that the file declares or assigns.
    pub(super) member_names: HashSet<Name>,
    /// The new containers that variables and members hold.
    pub(super) holders: HashMap<Holder, Vec<NodeIndex>>,
    /// What the file adds to new containers.
    pub(super) fills: HashMap<NodeIndex, Vec<NodeIndex>>,
    /// Whether the expression that is read is assigned, or gets elements. What a filled container
    /// gets at any key is known already.
    pub(super) is_target: bool,
    /// The number of expressions around the one that is read.
    pub(super) values_around: usize,
}
