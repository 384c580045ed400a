//! Visits namespaces and `using` directives.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, Kind};
use crate::facts::{
    BindingTarget, GLOBAL_USING, Import, ImportId, ImportedItem, MODULE, Receiver, ReferenceKind,
    STATIC_USING, ScopeId, ScopeKind, Space, TYPE_ARGUMENT,
};
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

/// The longest stored path of a `using` directive, in bytes.
const MAX_MODULE: usize = 400;

impl FactsBuilder<'_> {
    pub(super) fn visit_namespace(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let id = self.writer.next_definition(node);
        let inside = self.writer.open_scope(ScopeKind::Namespace, scope, id);
        if let Some(name) = tree.child(node, Field::Name) {
            self.roles.set(name, Role::Handled, scope);
            if id.is_some() {
                let last = tree.child(name, Field::Name).unwrap_or(name);
                let name = self.name_at(last);
                self.writer
                    .add_definition(name, inside, Vec::new(), Vec::new());
            }
        }
        self.roles
            .set_field(node, Field::Body, Role::OwnScope, inside);
        if tree.kind(node) == Kind::FileNamespace {
            self.set_rest(node, inside);
        }
    }

    /// Gives everything after the namespace of a file its scope.
    fn set_rest(&mut self, node: NodeIndex, inside: ScopeId) {
        let tree = self.tree;
        let name = tree.child(node, Field::Name);
        let own = tree.children(node).filter(|one| Some(*one) != name);
        let siblings = tree.children(tree.parent(node));
        let rest: Vec<NodeIndex> = own.chain(siblings.filter(|one| *one > node)).collect();
        for one in rest {
            self.roles.set(one, Role::Read, inside);
        }
    }

    /// Visits `using A.B;`, `using static A.B;` and `using C = A.B;`.
    pub(super) fn visit_using(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        self.roles.set_children(node, Role::Handled, scope);
        let alias = tree.child(node, Field::Name);
        let path = tree.operands(node).find(|one| Some(*one) != alias);
        let Some(path) = path else {
            return;
        };
        let Some(dotted) = tree.dotted_path(path) else {
            // A tuple or an array of types.
            return self.roles.set(path, Role::Type, scope);
        };
        if dotted.len() > MAX_MODULE {
            return;
        }
        let last = match tree.kind(path) {
            Kind::Qualified | Kind::AliasQualified => tree.child(path, Field::Name).unwrap_or(path),
            _ => path,
        };
        let arguments = match tree.kind(last) {
            Kind::Generic => tree.type_argument_count(last),
            _ => 0,
        };
        let Some(last) = self.simple_name(last) else {
            return;
        };
        let level = u32::from(self.has_modifier(node, "global")) * GLOBAL_USING
            + u32::from(self.has_modifier(node, "static")) * STATIC_USING
            + u32::from(arguments) * TYPE_ARGUMENT;
        let (module, item) = match alias {
            Some(_) => {
                let module = dotted.rsplit_once('.').map_or("", |(module, _)| module);
                let name = self.name_at(last).text;
                (module, ImportedItem::Member(self.writer.names.intern(name)))
            }
            None => (dotted.as_str(), ImportedItem::Star),
        };
        let id = ImportId(wire(self.writer.facts.imports.len()));
        let position = self.writer.position_at(tree.node(last).start);
        let name = alias.map(|alias| self.name_at(alias).text);
        // A name after `global::` does not begin in the namespace around it.
        let is_global = tree.text(path).starts_with("global::");
        let seen_from = if is_global { MODULE } else { scope };
        let import = Import {
            module: self.writer.names.intern(module.to_owned()),
            level,
            item,
            alias: name.map(|name| self.writer.names.intern(name)),
            scope: seen_from,
            position,
        };
        self.writer.facts.imports.push(import);
        if let Some(alias) = alias {
            self.bind(alias, scope, BindingTarget::Import(id));
        }
        let kind = ReferenceKind::Import;
        self.add_reference(last, scope, (kind, Receiver::Unknown, Space::Any));
    }
}
