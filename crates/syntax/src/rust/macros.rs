//! Visits macros and the tokens that are given to them.
//!
//! Tokens have no syntax of their own. Most macros take expressions, so that `a::b`, `a.b(c)` and
//! `a(b)` are read as such.

use super::builder::{FactsBuilder, Role};
use super::kinds::{Field, Kind};
use super::values::{element, literal_value};
use crate::facts::{
    BindingTarget, FIELD, MACRO, Receiver, ReferenceKind, ScopeId, ScopeKind, Space, TYPE_NAME,
};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// What stands before a token.
enum Before {
    /// Nothing that a name belongs to.
    Nothing,
    /// A value, or `None` if it is unknown.
    Value(Option<ValueText>),
    /// A value and a dot.
    Dot(Option<ValueText>),
    /// A path and `::`.
    Path(Option<String>),
}

impl FactsBuilder<'_> {
    pub(super) fn visit_macro(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        self.roles.set_children(node, Role::MacroBody, scope);
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        self.roles.set(name, Role::Handled, scope);
        let Some(id) = self.writer.next_definition(node) else {
            return;
        };
        let inside = self.open_scope(ScopeKind::Function, scope, Some(id));
        self.roles.set_children(node, Role::MacroBody, inside);
        self.roles.set(name, Role::Handled, scope);
        let offset = tree.node(name).start;
        let text = format!("{MACRO}{}", tree.text(name));
        let target = BindingTarget::Definition(id);
        self.writer.bind_text(text, offset, scope, target);
        let name = self.name_at(name);
        self.writer
            .add_definition(name, inside, Vec::new(), Vec::new());
    }

    pub(super) fn visit_macro_body(&mut self, node: NodeIndex, scope: ScopeId) {
        if self.tree.kind(node) == Kind::MacroPattern {
            self.roles.set_children(node, Role::Handled, scope);
        }
    }

    /// Visits `a!(…)`.
    pub(super) fn visit_macro_invocation(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let Some(called) = tree.child(node, Field::Macro) else {
            return;
        };
        let kind = ReferenceKind::Call;
        if tree.kind(called) != Kind::Scoped {
            self.roles.set(called, Role::Handled, scope);
            return self.add_reference(called, scope, (kind, Receiver::None, Space::Macros));
        }
        self.roles.set_children(called, Role::Read, scope);
        self.roles.set_field(called, Field::Path, Role::Path, scope);
        self.roles.set(called, Role::Handled, scope);
        let of = tree.child(called, Field::Path);
        let of = of.and_then(|of| tree.path(of));
        let receiver = self.writer.receiver(of.map(ValueText::name));
        if let Some(name) = tree.child(called, Field::Name) {
            self.add_reference(name, scope, (kind, receiver, Space::Macros));
        }
    }

    /// Visits the tokens in the brackets of a macro.
    pub(super) fn visit_tokens(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let tokens: Vec<NodeIndex> = tree.children(node).collect();
        let mut before = Before::Nothing;
        for (place, token) in tokens.iter().enumerate() {
            let next = tokens.get(place + 1).map(|next| tree.text(*next));
            before = self.visit_token(*token, scope, (before, next.unwrap_or_default()));
        }
    }

    fn visit_token(
        &mut self,
        token: NodeIndex,
        scope: ScopeId,
        (before, next): (Before, &str),
    ) -> Before {
        let tree = self.tree;
        let text = tree.text(token);
        match (tree.kind(token), before) {
            (
                Kind::Identifier
                | Kind::Crate
                | Kind::Super
                | Kind::SelfKeyword
                | Kind::PrimitiveType,
                before,
            ) => {
                self.roles.set(token, Role::Handled, scope);
                self.visit_token_name(token, scope, (before, next))
            }
            (Kind::TokenTree, Before::Value(value)) => Before::Value(match text.chars().next() {
                Some('(') => value.and_then(ValueText::called),
                Some('[') => value.and_then(element),
                _ => None,
            }),
            (Kind::String | Kind::Literal, _) => Before::Value(Some(literal_value())),
            (Kind::TokenTree, Before::Nothing) => Before::Value(None),
            (_, Before::Value(value)) => match text {
                "." => Before::Dot(value),
                "::" => Before::Path(value.map(|value| value.path)),
                "?" => Before::Value(value.and_then(element)),
                _ => Before::Nothing,
            },
            _ => Before::Nothing,
        }
    }

    /// Visits a name among tokens. Whether it is called or a path follows from the next token.
    fn visit_token_name(
        &mut self,
        token: NodeIndex,
        scope: ScopeId,
        (before, next): (Before, &str),
    ) -> Before {
        let tree = self.tree;
        let text = tree.text(token);
        let is_called = next.starts_with('(');
        let is_path = next == "::";
        let is_macro = next == "!";
        let space = match (is_path, is_macro) {
            (_, true) => Space::Macros,
            (true, _) => Space::Types,
            _ if text.starts_with(char::is_uppercase) => Space::Any,
            _ => Space::Values,
        };
        let kind = if is_called || is_macro {
            ReferenceKind::Call
        } else {
            ReferenceKind::Reference
        };
        let (receiver, after) = match before {
            Before::Dot(value) => {
                if text == "await" {
                    return Before::Value(value);
                }
                let member = if is_called {
                    text.to_owned()
                } else {
                    format!("{FIELD}{text}")
                };
                let after = value.clone().and_then(|value| value.member(&member));
                let receiver = self.writer.receiver(value);
                if is_called {
                    self.add_reference(token, scope, (kind, receiver, Space::Any));
                }
                return Before::Value(after.and_then(ValueText::within_limit));
            }
            Before::Path(path) => {
                let after = path.as_ref().map(|path| format!("{path}.{text}"));
                (self.writer.receiver(path.map(ValueText::name)), after)
            }
            _ if is_path => (Receiver::None, Some(format!("{text}{TYPE_NAME}"))),
            _ => (Receiver::None, Some(text.to_owned())),
        };
        let is_name = tree.kind(token) == Kind::Identifier && text != "Self";
        if is_name {
            self.add_reference(token, scope, (kind, receiver, space));
        }
        let after = after.map(ValueText::name);
        Before::Value(after.and_then(ValueText::within_limit))
    }
}
