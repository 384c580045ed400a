//! The state of the pass that builds facts.

use ragnav_base::hash::{HashMap, HashSet};

use super::definitions::FoundDefinition;
use super::documented_types::DocumentedTypes;
use super::flow_state::FlowState;
use super::kinds::{Field, FlatTree, Kind};
use super::roles::{DeclaredTarget, MODULE, Role};
use crate::facts::{Binding, DefinitionId, Facts, ImportId, Name, Position, ScopeId, ScopeKind};
use crate::name_interner::NameInterner;
use crate::node_roles::NodeRoles;
use crate::position_cursor::PositionCursor;
use crate::tree::NodeIndex;

/// An assignment to a name whose declaration may come later in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingAssignment {
    pub(super) name: Name,
    pub(super) position: Position,
    pub(super) node: NodeIndex,
    pub(super) target: DeclaredTarget,
    pub(super) scope: ScopeId,
}

/// A module whose exports are all exported again, by its name in this file.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingStar {
    pub(super) name: Name,
    pub(super) position: Position,
}

/// Properties of a scope that facts do not contain.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScopeInfo {
    /// The scope in which `var` and function declarations bind their names.
    pub(super) variable_scope: ScopeId,
    /// The scope of the enclosing function, or else of the namespace or module.
    pub(super) function: ScopeId,
    /// The scope of the class or function of which `this` is an instance.
    pub(super) instance: Option<ScopeId>,
    /// Whether function declarations in blocks are local to the block, as in strict mode.
    pub(super) is_strict: bool,
    /// Whether it belongs to a function without a name whose results are facts.
    pub(super) has_results: bool,
}

impl Default for ScopeInfo {
    fn default() -> Self {
        Self {
            variable_scope: MODULE,
            function: MODULE,
            instance: None,
            is_strict: false,
            has_results: false,
        }
    }
}

/// The builder of the facts of one file.
pub(super) struct FactsBuilder<'f, 't> {
    pub(super) tree: &'f FlatTree<'t>,
    pub(super) facts: Facts,
    pub(super) names: NameInterner<'t>,
    pub(super) positions: PositionCursor<'t>,
    /// The properties of each scope in [`Facts::scopes`].
    pub(super) scope_info: Vec<ScopeInfo>,
    pub(super) definitions: Vec<FoundDefinition<'t>>,
    pub(super) pending_assignments: Vec<PendingAssignment>,
    /// The arrays and objects that the module exports, by the places of their exports.
    pub(super) exported_containers: Vec<(usize, NodeIndex)>,
    /// The imports of calls such as `require("a")`, and of members of such calls.
    pub(super) imported: HashMap<NodeIndex, ImportId>,
    /// The imports to which names are bound.
    pub(super) bound_imports: HashMap<NodeIndex, ImportId>,
    /// The scopes that bind `exports` or `module`, with that name.
    pub(super) shadows: HashSet<(ScopeId, &'static str)>,
    pub(super) stars: Vec<PendingStar>,
    /// The names of import aliases: `A` of `import A = B.C`.
    pub(super) aliases: HashSet<&'t str>,
    pub(super) roles: NodeRoles<'f, 't, Kind, Field, Role>,
    pub(super) flow: FlowState,
    pub(super) documented: DocumentedTypes<'t>,
    /// Whether the language declares types, which callers may rely on.
    pub(super) is_typed: bool,
    /// The variables, parameters and fields with a declared type.
    pub(super) declared_types: HashSet<(ScopeId, Name)>,
    /// The attributes that methods of typed classes assign.
    pub(super) assigned_attributes: Vec<Binding>,
}

impl FactsBuilder<'_, '_> {
    pub(super) fn role(&self, node: NodeIndex) -> Role {
        let context = self.roles.get(node);
        context.map_or(Role::Read, |context| context.role)
    }

    pub(super) fn scope_info(&self, scope: ScopeId) -> ScopeInfo {
        let scope_info = self.scope_info.get(scope.0 as usize);
        scope_info.copied().unwrap_or_default()
    }

    pub(super) fn set_instance(&mut self, scope: ScopeId, instance: Option<ScopeId>) {
        if let Some(inside) = self.scope_info.get_mut(scope.0 as usize) {
            inside.instance = instance;
        }
    }

    pub(super) fn set_variable_scope(&mut self, scope: ScopeId) {
        if let Some(inside) = self.scope_info.get_mut(scope.0 as usize) {
            inside.variable_scope = scope;
        }
    }

    pub(super) fn set_strict(&mut self, scope: ScopeId) {
        if let Some(inside) = self.scope_info.get_mut(scope.0 as usize) {
            inside.is_strict = true;
        }
    }

    pub(super) fn keep_results(&mut self, scope: ScopeId) {
        if let Some(inside) = self.scope_info.get_mut(scope.0 as usize) {
            inside.has_results = true;
        }
    }

    pub(super) fn open_scope(
        &mut self,
        kind: ScopeKind,
        parent: ScopeId,
        definition: Option<DefinitionId>,
    ) -> ScopeId {
        let scope = self.facts.next_scope();
        let enclosing = self.scope_info(parent);
        let is_host = matches!(
            kind,
            ScopeKind::Arrow | ScopeKind::Function | ScopeKind::Namespace
        );
        self.scope_info.push(ScopeInfo {
            variable_scope: if is_host {
                scope
            } else {
                enclosing.variable_scope
            },
            function: if is_host { scope } else { enclosing.function },
            has_results: false,
            ..enclosing
        });
        self.facts.add_scope(kind, parent, definition)
    }
}
