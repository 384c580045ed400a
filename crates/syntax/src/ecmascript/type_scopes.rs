//! Opens the scopes of function types, object types and objects, which bind their parts.

use super::annotations::type_number;
use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use crate::facts::{
    BindingTarget, CALL_SIGNATURE, EMBEDDED, INDEX_SIGNATURE, RETURNED, ScopeId, ScopeKind,
};
use crate::tree::NodeIndex;

impl FactsBuilder<'_, '_> {
    /// Opens a scope with the parameters and the result of a function type.
    pub(super) fn function_type_scope(&mut self, node: NodeIndex) -> ScopeId {
        let tree = self.tree;
        let parameters = tree.child(node, Field::Parameters);
        let enclosing = self.scope_at(parameters.unwrap_or(node));
        let scope = self.open_scope(ScopeKind::Arrow, enclosing, None);
        let operands = parameters.into_iter().flat_map(|list| tree.operands(list));
        for parameter in operands.collect::<Vec<_>>() {
            let pattern = tree.child(parameter, Field::Pattern).unwrap_or(parameter);
            let named = match tree.kind(pattern) {
                Kind::RestPattern => tree.operands(pattern).next().unwrap_or(pattern),
                _ => pattern,
            };
            if tree.kind(named) == Kind::Identifier {
                let value = tree.declared_text(parameter);
                let target = BindingTarget::Parameter(self.intern_value(value));
                let name = self.intern(tree.text(named));
                self.bind_name(name, named, scope, target, enclosing);
            }
        }
        self.add_signature_of(node, scope);
        let returned = tree
            .child(node, Field::ReturnType)
            .or_else(|| tree.child(node, Field::Type));
        let is_test = self.bind_predicate(node, scope, enclosing);
        if let Some(returned) = returned.filter(|_| !is_test) {
            let target = BindingTarget::Variable(self.type_value(returned));
            let name = self.intern(RETURNED);
            self.bind_name(name, returned, scope, target, enclosing);
        }
        scope
    }

    /// Opens a scope with the members of an object type.
    pub(super) fn object_type_scope(&mut self, node: NodeIndex) -> ScopeId {
        let tree = self.tree;
        let enclosing = self.scope_at(node);
        let scope = self.open_scope(ScopeKind::Class, enclosing, None);
        for member in tree.operands(node).collect::<Vec<_>>() {
            let name = match tree.kind(member) {
                Kind::PropertySignature | Kind::MethodSignature => {
                    let name = tree.child(member, Field::Name);
                    name.and_then(|name| tree.key(name))
                }
                Kind::FunctionType => Some(CALL_SIGNATURE.into()),
                Kind::IndexSignature => Some(INDEX_SIGNATURE.into()),
                _ => None,
            };
            let Some(name) = name else { continue };
            let value = match tree.kind(member) {
                Kind::MethodSignature | Kind::FunctionType => Some(type_number(member)),
                _ => tree.declared_text(member),
            };
            let target = BindingTarget::Attribute(self.intern_value(value));
            let name = self.intern(name);
            self.bind_name(name, member, scope, target, enclosing);
        }
        scope
    }

    /// Opens a scope with the members of an object. Members before the last `...a` may be those of
    /// `a` instead.
    pub(super) fn object_scope(&mut self, node: NodeIndex) -> ScopeId {
        let tree = self.tree;
        let members: Vec<NodeIndex> = tree.operands(node).collect();
        let around = self.scope_at(node);
        let scope = self.open_scope(ScopeKind::Class, around, None);
        let is_spread = |one: &NodeIndex| tree.kind(*one) == Kind::Spread;
        let own = members
            .iter()
            .rposition(is_spread)
            .map_or(0, |last| last + 1);
        for (place, member) in members.into_iter().enumerate() {
            if is_spread(&member) {
                let of = tree.operands(member).next();
                let value = of.and_then(|of| tree.typed_text(of));
                let target = BindingTarget::Attribute(self.intern_value(value));
                let name = self.intern(EMBEDDED);
                self.bind_name(name, member, scope, target, around);
                continue;
            }
            let (name, value) = match tree.kind(member) {
                Kind::Pair => (
                    tree.child(member, Field::Key),
                    tree.child(member, Field::Value),
                ),
                Kind::Method => (tree.child(member, Field::Name), Some(member)),
                _ => (Some(member), Some(member)),
            };
            let Some((name, value)) = name.and_then(|name| tree.key(name)).zip(value) else {
                continue;
            };
            let target = if let Some(id) = self.definition_at(tree.strip_components(value)) {
                BindingTarget::Definition(id)
            } else {
                let value_text = tree.typed_text(value);
                BindingTarget::Attribute(self.intern_value(value_text))
            };
            let name = if place < own {
                self.intern(format!("{EMBEDDED}{name}"))
            } else {
                self.intern(name)
            };
            self.bind_name(name, member, scope, target, around);
        }
        scope
    }
}
