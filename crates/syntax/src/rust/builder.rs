//! The state of the pass that builds facts, and the roles of nodes.

use ragnav_base::hash::{HashMap, HashSet};

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{
    BindingTarget, DefinitionId, FIELD, Receiver, ReferenceKind, ScopeId, ScopeKind, Space,
};
use crate::facts_writer::{FactsWriter, NameAt, ReferenceTo};
use crate::node_roles::{self, NodeRoles};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The role of a node in its parent, which decides what a name in it becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The node is read.
    Read,
    /// The node is called.
    Callee,
    /// The node is a trait that a type implements or that another trait extends.
    Base,
    /// The node stands before `::`, where only modules and types are looked up.
    Path,
    /// The node has a scope already: the body of a function has that of the parameters.
    OwnScope,
    /// The node is in the body of a macro, whose names depend on where the macro is used.
    MacroBody,
    /// The node is an attribute, or the list of arguments of one.
    Attribute,
    /// The visitor that assigned this role has handled the node, and its names are no references.
    Handled,
}

/// The role of a node and the scope in which its names are looked up.
pub(super) type Context = node_roles::Context<Role>;

/// An `impl` block.
pub(super) struct Implementation<'t> {
    /// The name of the type, and the scope of the block.
    pub(super) of: String,
    pub(super) scope: ScopeId,
    /// The trait that it implements.
    pub(super) base: Option<String>,
    /// The scope of its type parameters.
    pub(super) inside: ScopeId,
    /// The names of the arguments of the type.
    pub(super) arguments: Vec<&'t str>,
}

/// A constant of an `impl` block.
pub(super) struct AssociatedConstant<'t> {
    /// The scope of the block.
    pub(super) inside: ScopeId,
    pub(super) name: NameAt<'t>,
    pub(super) value: Option<ValueText>,
}

/// How a method takes its receiver, in the order in which [calls] look for methods.
///
/// [calls]: https://doc.rust-lang.org/reference/expressions/method-call-expr.html
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MethodReceiver {
    /// `self`, also with a type, or no receiver.
    Value,
    /// `&self`
    Shared,
    /// `&mut self`
    Exclusive,
}

/// A method of a type itself, not of a trait, by who sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnMethod {
    /// All of the crate, or all code.
    Public,
    /// The module around its own sees it, and those in that.
    Beside,
    /// Its own module sees it, and those in it.
    Private,
}

/// A bound of a type parameter.
pub(super) struct Bound<'t> {
    pub(super) scope: ScopeId,
    pub(super) name: NameAt<'t>,
    pub(super) of: ValueText,
}

/// A variable whose declaration leaves its type to later statements.
pub(super) struct UntypedVariable {
    /// The index of its binding.
    pub(super) binding: usize,
    pub(super) is_mapping: bool,
}

/// The builder of the facts of one file.
pub(super) struct FactsBuilder<'t> {
    pub(super) tree: &'t FlatTree<'t>,
    pub(super) writer: FactsWriter<'t>,
    pub(super) roles: NodeRoles<'t, 't, Kind, Field, Role>,
    /// The names in patterns that are variables.
    pub(super) bound: HashSet<NodeIndex>,
    /// The variables that blocks declare.
    pub(super) variables: HashSet<(ScopeId, &'t str)>,
    pub(super) implementations: Vec<Implementation<'t>>,
    pub(super) constants: Vec<AssociatedConstant<'t>>,
    /// The methods of types themselves, for all type arguments.
    pub(super) own_methods: HashMap<DefinitionId, OwnMethod>,
    /// How methods take their receivers.
    pub(super) receivers: HashMap<DefinitionId, MethodReceiver>,
    pub(super) bounds: Vec<Bound<'t>>,
    /// The names of the type parameters of types, by the scope of the parameters.
    pub(super) type_parameters: HashMap<ScopeId, Vec<&'t str>>,
    /// The variables whose type a later statement may tell, by their scopes and names.
    pub(super) untyped: HashMap<(ScopeId, &'t str), UntypedVariable>,
    /// The number of scopes that were opened for the rest of a block.
    pub(super) rests: usize,
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

    /// Binds a variable to a value, which is looked up in another scope.
    pub(super) fn bind_variable(
        &mut self,
        name: NodeIndex,
        scope: ScopeId,
        value: (Option<ValueText>, ScopeId),
    ) {
        let name = self.name_at(name);
        self.variables.insert((scope, name.text));
        self.writer
            .bind_value(name, scope, value, BindingTarget::Variable);
    }

    /// Binds a field or a variant, which other code reads with [`FIELD`] before its name.
    pub(super) fn bind_field(
        &mut self,
        name: &str,
        place: NodeIndex,
        (scope, value): (ScopeId, Option<ValueText>),
    ) {
        let offset = self.tree.node(place).start;
        let has_arguments = value.as_ref().is_some_and(|value| value.has_arguments);
        let target = BindingTarget::Attribute(self.writer.intern_value(value));
        let text = format!("{FIELD}{name}");
        self.writer.bind_text(text.clone(), offset, scope, target);
        if has_arguments {
            let target = BindingTarget::Attribute(None);
            self.writer.bind_text(text, offset, scope, target);
        }
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
    pub(super) fn open_block(&mut self, node: NodeIndex, scope: ScopeId) -> ScopeId {
        let inside = self.open_scope(ScopeKind::Block, scope, None);
        self.roles.set_children(node, Role::Read, inside);
        inside
    }

    pub(super) fn add_reference(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        (kind, receiver, space): (ReferenceKind, Receiver, Space),
    ) {
        let to = ReferenceTo {
            kind,
            receiver,
            space,
        };
        self.writer.add_reference(self.name_at(node), scope, to);
    }

    pub(super) fn operands_of(&self, list: Option<NodeIndex>) -> Vec<NodeIndex> {
        let operands = list.into_iter().flat_map(|list| self.tree.operands(list));
        operands.collect()
    }
}
