//! Visits the traits that a class uses, and the rules about their methods.
//!
//! Source: <https://www.php.net/manual/en/language.oop5.traits.php>.

use super::builder::{FactsBuilder, Role};
use super::kinds::Kind;
use crate::facts::{BindingTarget, ReferenceKind, ScopeId, ScopeKind, Space};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The name of the traits of a `use` in the scope of its rules. No code can write it.
const TRAITS: &str = "$use ";

impl FactsBuilder<'_> {
    /// Visits `use A, B { … }` in a class.
    pub(super) fn visit_trait_use(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let rules = self.writer.open_scope(ScopeKind::Block, scope, None);
        let parts: Vec<NodeIndex> = tree.operands(node).collect();
        for part in parts {
            if matches!(tree.kind(part), Kind::Name | Kind::QualifiedName) {
                self.roles.set(part, Role::Base, scope);
                let value = tree.class_path(part).map(ValueText::name);
                let value = self.writer.intern_value(value);
                let target = BindingTarget::Variable(value);
                let offset = tree.node(part).start;
                self.writer
                    .bind_text(TRAITS.to_owned(), offset, rules, target);
            } else {
                self.roles.set(part, Role::Read, rules);
            }
        }
    }

    /// Visits `a as b` and `A::a as protected b`, which gives a method a second name.
    pub(super) fn visit_trait_alias(&mut self, rule: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let mut parts = tree.operands(rule);
        let Some(value) = parts
            .next()
            .and_then(|method| self.refer_to_method(method, scope))
        else {
            return;
        };
        if let Some(alias) = parts.find(|part| tree.kind(*part) == Kind::Name) {
            self.roles.set(alias, Role::Handled, scope);
            self.bind_method(alias, value, scope);
        }
    }

    /// Visits `A::a insteadof B, C`, which makes `a` of the class that of `A`.
    pub(super) fn visit_trait_choice(&mut self, rule: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(method) = tree.operands(rule).next() else {
            return;
        };
        let chosen = self.refer_to_method(method, scope);
        if let (Some(value), Some(name)) = (chosen, tree.operands(method).last()) {
            self.bind_method(name, value, scope);
        }
    }

    /// Binds the name of a method of a trait in the class around the rules of a `use`.
    fn bind_method(&mut self, name: NodeIndex, value: ValueText, rules: ScopeId) {
        let value = self.writer.intern_value(Some(value));
        let text = self.tree.text(name).to_owned();
        let target = BindingTarget::Variable(value);
        let offset = self.tree.node(name).start;
        let class = self.writer.facts.enclosing_scope(rules);
        self.writer
            .bind_text_in(text, offset, class, (target, rules));
    }

    /// Adds the reference of `a` or `A::a` to a method, and returns its value.
    fn refer_to_method(&mut self, method: NodeIndex, scope: ScopeId) -> Option<ValueText> {
        let tree = self.tree;
        let (of, name) = if tree.kind(method) == Kind::ConstantAccess {
            let mut parts = tree.operands(method);
            (tree.class_path(parts.next()?)?, parts.next()?)
        } else {
            self.roles.set(method, Role::Handled, scope);
            (TRAITS.to_owned(), method)
        };
        let of = ValueText::name(of);
        let receiver = self.writer.receiver(Some(of.clone()));
        let to = (ReferenceKind::Reference, receiver, Space::Any);
        self.add_reference(name, scope, to);
        of.member(tree.text(name))
    }
}
