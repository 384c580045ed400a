//! Parameters and patterns.

use super::builder::Walk;
use super::kinds::{Field, Kind};
use super::roles::{Binds, Context, Role, To};
use crate::facts::{Bound, Receiver, ReferenceKind, ScopeId, Value};
use crate::tree::At;

/// Patterns in patterns make names longer than the text.
const MAX_PATH: usize = 200;

impl Walk<'_, '_> {
    pub(super) fn parameters(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let binds = Binds {
            scope: context.scope,
            to: To::Parameter(None),
            exported: false,
        };
        let role = match context.role {
            Role::Signature => Role::Signature,
            _ => Role::Bound(binds),
        };
        for parameter in tree.operands(at) {
            self.give(parameter, role, context.scope);
        }
    }

    /// TypeScript's parameters hold patterns.
    pub(super) fn parameter(&mut self, at: At, context: Context) {
        let tree = self.tree;
        let Some(pattern) = tree.child(at, Field::Pattern) else {
            return;
        };
        let Role::Bound(binds) = context.role else {
            return self.give(pattern, Role::Done, context.scope);
        };
        let around = self.around(binds.scope);
        let annotation = tree.child(at, Field::Type);
        if let Some(annotation) = annotation {
            self.give(annotation, Role::Read, around);
        }
        let said = annotation.and_then(|annotation| tree.annotation(annotation));
        let value = self.value(said);
        let role = Role::Bound(Binds {
            to: To::Parameter(value),
            ..binds
        });
        match tree.kind(pattern) {
            Kind::This => {
                let name = self.name("this");
                self.bind_as(name, pattern, binds.scope, Bound::Parameter(value), around);
                self.give(pattern, Role::Done, context.scope);
            }
            Kind::Identifier => {
                self.parameter_property(at, pattern, value, binds.scope);
                self.give(pattern, role, around);
            }
            _ => self.give(pattern, role, context.scope),
        }
    }

    /// `constructor(private name: Type)` declares an attribute.
    fn parameter_property(&mut self, at: At, name: At, value: Option<Value>, scope: ScopeId) {
        let tree = self.tree;
        let mut words = tree.children(at).take_while(|&child| child < name);
        let is_property = words
            .any(|word| tree.kind(word) == Kind::Accessibility || tree.text(word) == "readonly");
        let class = self.surroundings(scope).instance;
        let around = self.around(scope);
        if let Some(class) = class.filter(|_| is_property) {
            let text = self.name(tree.text(name));
            self.bind_as(text, name, class, Bound::Attribute(value), around);
        }
    }

    /// What is taken out of `a` by the name `b` is `a.b`.
    pub(super) fn object_pattern(&mut self, at: At, context: Context) {
        let tree = self.tree;
        for part in tree.operands(at) {
            let key = match tree.kind(part) {
                Kind::ShorthandPattern => Some(part),
                Kind::PairPattern => tree.child(part, Field::Key),
                _ => None,
            };
            if let (Some(key), Role::Bound(Binds { to, .. }) | Role::Assigned(to)) =
                (key, context.role)
            {
                self.taken_out_of(to, key, context.scope);
            }
            let role = match context.role {
                Role::Bound(binds) => Role::Bound(Binds {
                    to: self.part_of(binds.to, key),
                    ..binds
                }),
                Role::Assigned(to) => Role::Assigned(self.part_of(to, key)),
                Role::Done => Role::Done,
                _ => Role::Read,
            };
            self.give(part, role, context.scope);
        }
    }

    /// A key mentions the member that it takes, where it can be said of what.
    fn taken_out_of(&mut self, to: To, key: At, scope: ScopeId) {
        let is_name = matches!(
            self.tree.kind(key),
            Kind::PropertyName | Kind::ShorthandPattern
        );
        if let (To::Variable(Some(whole)) | To::Parameter(Some(whole)), true) = (to, is_name)
            && self.names.text(whole.path) != "require"
        {
            let kind = ReferenceKind::Reference;
            self.refer(key, scope, kind, Receiver::Value(whole));
        }
    }

    fn part_of(&mut self, to: To, key: Option<At>) -> To {
        let tree = self.tree;
        let key = key.and_then(|key| tree.key(key));
        let (To::Variable(Some(whole)), Some(key)) = (to, key) else {
            return to.of_parts();
        };
        let call = if whole.called { "()" } else { "" };
        let path = self.names.text(whole.path);
        if path.len() + key.len() > MAX_PATH {
            return to.of_parts();
        }
        let path = format!("{path}{call}.{key}");
        To::Variable(Some(Value {
            path: self.name(path),
            called: false,
        }))
    }

    pub(super) fn pair_pattern(&mut self, at: At, context: Context) {
        self.give_field(at, Field::Value, context.role, context.scope);
    }
}
