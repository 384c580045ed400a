//! The state of the pass that builds facts, and the roles of nodes.

use ragnav_base::hash::{HashMap, HashSet};

use super::is_keyword;
use super::kinds::{Dialect, Field, FlatTree, Kind};
use crate::facts::{
    BindingTarget, MODULE, Receiver, ReferenceKind, ScopeId, ScopeKind, Space, TAG, Value,
};
use crate::facts_writer::{FactsWriter, NameAt, ReferenceTo};
use crate::node_roles::{self, NodeRoles};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The longest path of a declaration, in bytes.
const MAX_PATH: usize = 200;

/// The role of a node in its parent, which decides what a name in it becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The visitor that assigned this role has handled the name in the node, and not its template
    /// arguments.
    Arguments,
    /// The node is read.
    Read,
    /// The node is called.
    Callee,
    /// The node is a base class.
    Base,
    /// The node declares a name. Only the types in it are references.
    Declarator,
    /// The node has a scope already: the body of a function has that of the parameters.
    OwnScope,
    /// The visitor that assigned this role has handled the node, and its names are no references.
    Handled,
}

/// The role of a node and the scope in which its names are looked up.
pub(super) type Context = node_roles::Context<Role>;

/// The place of what a scope declares, if other files may see it.
#[derive(Debug, Clone)]
pub(super) struct DeclaredPlace {
    /// The names of the namespaces and classes around, each with a dot behind it.
    pub(super) prefix: String,
    /// Whether other files do not see it: that of a namespace without a name.
    pub(super) is_internal: bool,
}

/// The builder of the facts of one file.
pub(super) struct FactsBuilder<'t> {
    pub(super) dialect: Dialect,
    pub(super) tree: &'t FlatTree<'t>,
    pub(super) writer: FactsWriter<'t>,
    pub(super) roles: NodeRoles<'t, 't, Kind, Field, Role>,
    /// The places of scopes: `None` for what is local to a function.
    pub(super) places: HashMap<ScopeId, Option<DeclaredPlace>>,
    /// The declarations without a definition that are bound already.
    pub(super) declared: HashSet<String>,
    /// The scopes of return types behind parameters, which see these.
    pub(super) signatures: HashMap<NodeIndex, ScopeId>,
    /// The names whose references are added already.
    pub(super) handled: HashSet<NodeIndex>,
    /// The scopes of functions without a declared result. What their `return` statements return
    /// stands for it.
    pub(super) returning: HashSet<ScopeId>,
    /// The number of fields that each class has so far, without static ones.
    pub(super) field_counts: HashMap<ScopeId, usize>,
}

impl<'t> FactsBuilder<'t> {
    pub(super) fn is_c(&self) -> bool {
        self.dialect == Dialect::C
    }

    pub(super) fn name_at(&self, node: NodeIndex) -> NameAt<'t> {
        NameAt {
            text: self.tree.text(node),
            offset: self.tree.node(node).start,
        }
    }

    /// Returns the place of what a scope declares, or `None` in a function.
    pub(super) fn place_of(&self, scope: ScopeId) -> Option<DeclaredPlace> {
        let mut scope = scope;
        while scope != MODULE {
            if let Some(place) = self.places.get(&scope) {
                return place.clone();
            }
            scope = self.writer.facts.enclosing_scope(scope);
        }
        Some(DeclaredPlace {
            prefix: String::new(),
            is_internal: false,
        })
    }

    /// Opens the scope of a namespace or a class, whose members have its name before theirs.
    pub(super) fn open_named(
        &mut self,
        kind: ScopeKind,
        scope: ScopeId,
        (name, definition): (&str, Option<crate::facts::DefinitionId>),
    ) -> ScopeId {
        let place = self.place_of(scope);
        let inside = self.writer.open_scope(kind, scope, definition);
        if !self.is_c() {
            let place = place.map(|place| DeclaredPlace {
                prefix: format!("{}{name}.", place.prefix),
                ..place
            });
            self.places
                .insert(inside, place.filter(|place| place.prefix.len() <= MAX_PATH));
        }
        inside
    }

    /// Opens the scope of a function. What it declares is local.
    pub(super) fn open_function(
        &mut self,
        kind: ScopeKind,
        scope: ScopeId,
        definition: Option<crate::facts::DefinitionId>,
    ) -> ScopeId {
        let inside = self.writer.open_scope(kind, scope, definition);
        self.places.insert(inside, None);
        inside
    }

    /// Binds a name that a scope declares. Outside of functions, it is bound in the file by its
    /// whole path: `a.b` of `namespace a { int b; }`.
    pub(super) fn declare(&mut self, name: NodeIndex, scope: ScopeId, target: BindingTarget) {
        let text = self.tree.text(name).to_owned();
        self.declare_text((text, self.tree.node(name).start), scope, target);
    }

    pub(super) fn declare_text(
        &mut self,
        (text, offset): (String, u32),
        scope: ScopeId,
        target: BindingTarget,
    ) {
        if text.is_empty() {
            return;
        }
        let (text, bound) = match self.place_of(scope) {
            Some(place) => (format!("{}{text}", place.prefix), MODULE),
            None => (text, scope),
        };
        self.writer
            .bind_text_in(text, offset, bound, (target, scope));
    }

    /// Binds a name that is declared and not defined here: that of a prototype, or of a type.
    /// [`BindingTarget::Attribute`] sets it apart from variables.
    pub(super) fn declare_only(
        &mut self,
        (text, offset): (String, u32),
        scope: ScopeId,
        value: Option<ValueText>,
    ) {
        let prefix = self.place_of(scope).map(|place| place.prefix);
        let path = format!("{}{text}", prefix.unwrap_or_default());
        if text.is_empty() || !self.declared.insert(path.clone()) {
            return;
        }
        let value: Option<Value> = self.writer.intern_value(value);
        let target = (BindingTarget::Attribute(value), scope);
        self.writer.bind_text_in(path, offset, MODULE, target);
    }

    /// Returns the name by which a struct, union or enum is bound. In C, it is no other name.
    pub(super) fn tag_of(&self, name: NodeIndex) -> String {
        let text = self.tree.text(name);
        if self.is_c() {
            format!("{TAG}{text}")
        } else {
            text.to_owned()
        }
    }

    pub(super) fn add_reference(
        &mut self,
        node: NodeIndex,
        scope: ScopeId,
        (kind, receiver, space): (ReferenceKind, Receiver, Space),
    ) {
        if is_keyword(self.tree.text(node)) {
            return;
        }
        let to = ReferenceTo {
            kind,
            receiver,
            space,
        };
        self.writer.add_reference(self.name_at(node), scope, to);
    }

    /// Opens a scope. All children of the node are in it.
    pub(super) fn open_block(&mut self, node: NodeIndex, scope: ScopeId) -> ScopeId {
        let inside = self.writer.open_scope(ScopeKind::Block, scope, None);
        self.roles.set_children(node, Role::Read, inside);
        inside
    }
}
