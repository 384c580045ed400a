//! Visits namespaces, their aliases and `using`.

use super::builder::{DeclaredPlace, FactsBuilder, Role};
use super::kinds::{Field, Kind};
use crate::facts::{
    BindingTarget, Import, ImportId, ImportedItem, NAMESPACE, ScopeId, ScopeKind, USING,
};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;
use ragnav_base::position::wire;

impl FactsBuilder<'_> {
    /// Visits `namespace a::b { … }`. One without a name hides its members from other files, and
    /// those of an `inline` namespace belong to the one around.
    pub(super) fn visit_namespace(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let name = tree.child(node, Field::Name);
        let id = self.writer.next_definition(node);
        let is_inline = tree
            .children(node)
            .any(|child| tree.text(child) == "inline");
        let inside = self.writer.open_scope(ScopeKind::Namespace, scope, id);
        self.roles.set_field(node, Field::Body, Role::Read, inside);
        let around = self.place_of(scope);
        let path = name.filter(|_| !is_inline).map(|name| {
            let names = (name..tree.subtree_end(name)).filter(|one| {
                tree.kind(*one) == Kind::NamespaceIdentifier || tree.kind(*one) == Kind::Identifier
            });
            let names: Vec<&str> = names.map(|one| tree.text(one)).collect();
            names.join(".")
        });
        let place = around.map(|around| DeclaredPlace {
            prefix: match &path {
                Some(path) => format!("{}{path}.", around.prefix),
                None => around.prefix,
            },
            is_internal: around.is_internal || name.is_none(),
        });
        if let Some(place) = &place {
            let value = ValueText::name(place.prefix.trim_end_matches('.'));
            let value = self.writer.intern_value(value.within_limit());
            let target = (BindingTarget::Variable(value), scope);
            let offset = tree.node(node).start;
            self.writer
                .bind_text_in(NAMESPACE.to_owned(), offset, inside, target);
        }
        self.set_place(inside, place);
        let Some(name) = name else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let own = self.writer.next_name();
        if let (Some(id), Some(own)) = (id, own) {
            let offset = tree.node(own).start;
            let at = self.name_at(own);
            self.writer
                .add_definition(at, inside, Vec::new(), Vec::new());
            if let Some(path) = path {
                let target = BindingTarget::Definition(id);
                self.declare_text((path, offset), scope, target);
            }
        }
    }

    /// Visits `namespace a = b::c;`.
    pub(super) fn visit_namespace_alias(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let of = tree.operands(node).last().filter(|of| *of != name);
        let value = of.map(|of| ValueText::name(dotted(tree.text(of))));
        let Some(value) = value.and_then(ValueText::within_limit) else {
            return;
        };
        let offset = tree.node(name).start;
        let declared = (tree.text(name), offset);
        let (module, member) = value.path.rsplit_once('.').unwrap_or(("", &value.path));
        self.import(declared, scope, (module, member));
    }

    /// Visits `using a::b;` or `using namespace a;`.
    pub(super) fn visit_using(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(of) = tree.operands(node).last() else {
            return;
        };
        let path = dotted(tree.text(of));
        let Some(value) = ValueText::name(path).within_limit() else {
            return;
        };
        let offset = tree.node(of).start;
        let is_namespace = tree.children(node).any(|one| tree.text(one) == "namespace");
        if is_namespace {
            let value = self.writer.intern_value(Some(value));
            let target = (BindingTarget::Variable(value), scope);
            for scope in self.scopes_with_members_of(scope) {
                self.writer
                    .bind_text_in(USING.to_owned(), offset, scope, target.clone());
            }
            return;
        }
        let Some((module, name)) = value.path.rsplit_once('.') else {
            return;
        };
        let offset = tree.node(of).end.saturating_sub(wire(name.len()));
        self.import((name, offset), scope, (module, name));
    }

    /// Returns the scopes that have the members of a scope: those around a namespace without a name
    /// or an `inline` one, too.
    fn scopes_with_members_of(&self, scope: ScopeId) -> Vec<ScopeId> {
        let around = std::iter::successors(Some(scope), |inside| {
            let scope = self.writer.facts.scope(*inside)?;
            let around = scope
                .parent
                .filter(|_| scope.kind == ScopeKind::Namespace)?;
            let prefix = |scope| self.place_of(scope).map(|place| place.prefix);
            (prefix(*inside)? == prefix(around)?).then_some(around)
        });
        around.collect()
    }

    /// Declares a name for a member of a namespace, which is empty for the one without a name.
    fn import(
        &mut self,
        (name, offset): (&str, u32),
        scope: ScopeId,
        (module, member): (&str, &str),
    ) {
        let id = ImportId(wire(self.writer.facts.imports.len()));
        let import = Import {
            module: self.writer.names.intern(module.to_owned()),
            level: 0,
            item: ImportedItem::Member(self.writer.names.intern(member.to_owned())),
            alias: Some(self.writer.names.intern(name.to_owned())),
            scope,
            position: self.writer.position_at(offset),
        };
        self.writer.facts.imports.push(import);
        let target = BindingTarget::Import(id);
        self.declare_text((name.to_owned(), offset), scope, target);
    }
}

/// Returns a qualified name with dots: `a.b` of `::a::b`.
pub(super) fn dotted(text: &str) -> String {
    let segments = text.split("::").map(str::trim);
    let segments: Vec<&str> = segments.filter(|segment| !segment.is_empty()).collect();
    segments.join(".")
}
