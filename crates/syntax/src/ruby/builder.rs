//! The state of the pass that builds facts, and the roles of nodes.

use ragnav_base::hash::{HashMap, HashSet};

use super::block_values::implicit_index;
use super::kinds::{Field, FlatTree, Kind};
use super::values::NameMeaning;
use crate::facts::{
    Binding, BindingTarget, DefinitionId, Receiver, ReferenceKind, ScopeId, ScopeKind, Space,
};
use crate::facts_writer::{FactsWriter, NameAt, ReferenceTo};
use crate::flow_order::BoundNode;
use crate::node_roles::{self, NodeRoles};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The role of a node in its parent, which decides what a name in it becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The node is read.
    Read,
    /// The node is a class of which an object is created.
    Created,
    /// The node is a superclass or a module that a class includes.
    Base,
    /// The node has a scope already.
    OwnScope,
    /// The visitor that assigned this role has handled the node, and its names are no references.
    Handled,
}

/// The role of a node and the scope in which its names are looked up.
pub(super) type Context = node_roles::Context<Role>;

/// The builder of the facts of one file.
pub(super) struct FactsBuilder<'t> {
    pub(super) tree: &'t FlatTree<'t>,
    pub(super) writer: FactsWriter<'t>,
    pub(super) roles: NodeRoles<'t, 't, Kind, Field, Role>,
    /// The variables that were assigned before a place, as in Ruby itself: any other name is that
    /// of a method.
    pub(super) variables: HashSet<(ScopeId, &'t str)>,
    /// The assignments to variables.
    pub(super) assigned: Vec<BoundNode>,
    /// The elements that statements add to what may be containers.
    pub(super) added: Vec<Binding>,
    /// The names that declare something, and so are no references.
    pub(super) declared: HashSet<NodeIndex>,
    /// The modules that classes include.
    pub(super) included: HashSet<NodeIndex>,
    /// The blocks that are bodies of classes, with their scopes.
    pub(super) class_bodies: HashMap<NodeIndex, ScopeId>,
    /// The bodies of methods with their scopes.
    pub(super) returns: HashMap<NodeIndex, ScopeId>,
    /// The parameters of methods that are their blocks.
    pub(super) block_parameters: HashSet<(ScopeId, &'t str)>,
    /// The attributes that the bodies of classes declare with a method to assign them.
    pub(super) setters: HashSet<(ScopeId, &'t str)>,
    /// The members of the classes that `Struct.new` and its like create, by the names of these.
    pub(super) structs: HashMap<&'t str, (ScopeId, Vec<&'t str>)>,
    /// What `let` and its like name.
    pub(super) memoized: HashSet<(ScopeId, &'t str)>,
    /// The names of parameters that blocks read and do not declare.
    pub(super) implicit: HashMap<NodeIndex, Vec<NodeIndex>>,
    /// The number of blocks around each block in which `self` is another object.
    pub(super) evaluated: HashMap<ScopeId, usize>,
}

impl<'t> FactsBuilder<'t> {
    pub(super) fn name_at(&self, node: NodeIndex) -> NameAt<'t> {
        NameAt {
            text: self.tree.text(node),
            offset: self.tree.node(node).start,
        }
    }

    pub(super) fn bind(&mut self, name: NodeIndex, scope: ScopeId, target: BindingTarget) {
        self.writer.bind(self.name_at(name), scope, (target, scope));
    }

    /// Binds a variable, in the block around it that has it already.
    pub(super) fn bind_variable(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        value: Option<ValueText>,
    ) {
        let place = self.name_at(name);
        let known = self.scope_of_variable(scope, place.text);
        // An assignment hides what `let` names in the block around.
        let known = known.filter(|known| !self.memoized.contains(&(*known, place.text)));
        let inside = known.unwrap_or(scope);
        self.variables.insert((inside, place.text));
        let text = self.writer.names.intern(place.text);
        self.assigned.push((inside, text, name));
        self.writer
            .bind_value(place, inside, (value, scope), BindingTarget::Variable);
    }

    /// Returns the scope that has a variable: a block sees those around it, a method does not.
    pub(super) fn scope_of_variable(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        let mut next = Some(scope);
        while let Some(current) = next {
            if self.variables.contains(&(current, name)) {
                return Some(current);
            }
            let found = self.writer.facts.scope(current)?;
            next = found.parent.filter(|_| found.kind == ScopeKind::Block);
        }
        None
    }

    pub(super) fn is_variable(&self, scope: ScopeId, name: &str) -> bool {
        self.scope_of_variable(scope, name).is_some()
    }

    pub(super) fn value_text(&self, node: NodeIndex, scope: ScopeId) -> Option<ValueText> {
        let meaning = |name: &str| self.meaning(scope, name);
        self.tree.value_text(node, &meaning)
    }

    /// Returns what a block of a call returns.
    pub(super) fn value_of_block(&self, block: NodeIndex, scope: ScopeId) -> Option<ValueText> {
        let meaning = |name: &str| self.meaning(scope, name);
        self.tree.value_of_block(block, &meaning)
    }

    fn meaning(&self, scope: ScopeId, name: &str) -> NameMeaning {
        if self.is_variable(scope, name) {
            return NameMeaning::Variable(Some(ValueText::name(name)));
        }
        NameMeaning::Method
    }

    pub(super) fn open_scope(
        &mut self,
        kind: ScopeKind,
        parent: ScopeId,
        definition: Option<DefinitionId>,
    ) -> ScopeId {
        self.writer.open_scope(kind, parent, definition)
    }

    /// Opens a scope. All children of the node are in it.
    pub(super) fn open_block(&mut self, node: NodeIndex, scope: ScopeId) {
        let inside = self.open_scope(ScopeKind::Block, scope, None);
        self.roles.set_children(node, Role::Read, inside);
        if let Some(around) = self.evaluated.get(&scope) {
            self.evaluated.insert(inside, *around);
        }
        self.bind_self_of_block(node, (scope, inside));
        self.bind_described(node, inside);
        self.declare_implicit(node, (scope, inside));
    }

    /// Declares `it`, or `_1` and `_2`, in a block that reads them.
    fn declare_implicit(&mut self, block: NodeIndex, (scope, inside): (ScopeId, ScopeId)) {
        let names = self.implicit.remove(&block).unwrap_or_default();
        let has_second = names.iter().any(|name| self.tree.text(*name) == "_2");
        let count = if has_second { 2 } else { 1 };
        for name in names {
            let text = self.tree.text(name);
            if self.is_variable(scope, text) {
                continue;
            }
            let values = implicit_index(text)
                .map(|index| self.block_parameter_values(block, (index, count), scope));
            self.declare(name, inside, (values.unwrap_or_default(), scope));
        }
    }

    pub(super) fn add_reference(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        (kind, receiver): (ReferenceKind, Receiver),
    ) {
        let to = ReferenceTo {
            kind,
            receiver,
            space: Space::Any,
        };
        self.writer.add_reference(self.name_at(node), scope, to);
    }

    /// Returns the innermost class or module around a scope, with the scope of its body.
    pub(super) fn class_around(&self, scope: ScopeId) -> Option<(ScopeId, DefinitionId)> {
        let mut next = Some(scope);
        while let Some(current) = next {
            let found = self.writer.facts.scope(current)?;
            if found.kind == ScopeKind::Namespace {
                return Some((current, found.definition?));
            }
            next = found.parent;
        }
        None
    }
}
