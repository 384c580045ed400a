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

/// The names that the grammar reads as keywords among tokens, unless another word follows.
const CONTEXTUAL_KEYWORDS: [&str; 4] = ["auto", "default", "gen", "union"];

/// The keywords that the grammar reads as names among tokens.
const KEYWORDS: [&str; 5] = ["box", "dyn", "else", "in", "move"];

/// The maximum number of tokens of type arguments.
const MAX_TYPE_ARGUMENTS: usize = 128;

/// The maximum number of tokens of the parameters of a closure.
const MAX_PARAMETER_TOKENS: usize = 64;

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
        if tree.kind(called) == Kind::Scoped {
            return self.roles.set(called, Role::Callee, scope);
        }
        self.roles.set(called, Role::Handled, scope);
        let to = (ReferenceKind::Call, Receiver::None, Space::Macros);
        self.add_reference(called, scope, to);
    }

    /// Visits the tokens in the brackets of a macro.
    pub(super) fn visit_tokens(&mut self, node: NodeIndex, scope: ScopeId) {
        let tokens: Vec<NodeIndex> = self.tree.children(node).collect();
        self.visit_token_list(&tokens, scope);
    }

    /// Visits tokens that follow each other.
    pub(super) fn visit_token_list(&mut self, tokens: &[NodeIndex], scope: ScopeId) {
        let tree = self.tree;
        let mut before = Before::Nothing;
        let (outer, mut scope) = (scope, scope);
        let mut parameters = Vec::new();
        let mut is_in_parameters = false;
        // What continues after type arguments, in which names stand on their own.
        let mut suspended: Vec<(usize, Before)> = Vec::new();
        for (place, token) in tokens.iter().enumerate() {
            while let Some((_, outer)) = suspended.pop_if(|(end, _)| *end == place) {
                before = outer;
            }
            let may_be_closure = is_in_parameters || matches!(before, Before::Nothing);
            if tree.text(*token) == "|" && may_be_closure {
                before = Before::Nothing;
                is_in_parameters = !is_in_parameters;
                if is_in_parameters {
                    parameters = self.closure_parameters(tokens, place + 1);
                    scope = self.bind_closure_parameters(&parameters, scope);
                }
                continue;
            }
            if !is_in_parameters && matches!(tree.text(*token), "," | ";" | "=>") {
                // The closure ends, and its parameters with it.
                scope = outer;
            }
            if parameters.contains(token) {
                self.roles.set(*token, Role::Handled, scope);
                continue;
            }
            let end = match tree.kind(*token) {
                Kind::Identifier => self.type_arguments_end(tokens, place + 1),
                _ => None,
            };
            let next = tokens.get(end.unwrap_or(place + 1));
            let next = next.map_or("", |next| tree.text(*next));
            before = self.visit_token(*token, scope, (before, next));
            if let Some(end) = end {
                suspended.push((end, before));
                before = Before::Nothing;
            }
        }
    }

    /// Returns the names of the parameters of a closure, whose first token is at a place: `a` and
    /// `b` of `|a, mut b: T|`.
    fn closure_parameters(&self, tokens: &[NodeIndex], start: usize) -> Vec<NodeIndex> {
        let tree = self.tree;
        let list = tokens.iter().skip(start);
        let list = list.take_while(|token| tree.text(**token) != "|");
        let mut names = Vec::new();
        let mut is_pattern = true;
        let mut depth = 0_usize;
        for token in list.take(MAX_PARAMETER_TOKENS) {
            let text = tree.text(*token);
            match text {
                "<" => depth += 1,
                ">" => depth = depth.saturating_sub(1),
                ">>" => depth = depth.saturating_sub(2),
                "," if depth == 0 => is_pattern = true,
                ":" => is_pattern = false,
                // A type has a capital: `A` of `|A { b }|`.
                _ if is_pattern
                    && tree.kind(*token) == Kind::Identifier
                    && !text.starts_with(char::is_uppercase) =>
                {
                    names.push(*token);
                }
                _ => {}
            }
        }
        names
    }

    /// Binds the parameters of a closure in a scope of their own, and returns it.
    fn bind_closure_parameters(&mut self, names: &[NodeIndex], scope: ScopeId) -> ScopeId {
        if names.is_empty() {
            return scope;
        }
        let inside = self.open_scope(ScopeKind::Block, scope, None);
        for name in names {
            let (text, offset) = (self.tree.text(*name), self.tree.node(*name).start);
            let target = BindingTarget::Variable(None);
            self.writer
                .bind_text(text.to_owned(), offset, inside, target);
        }
        inside
    }

    /// Returns the place after the type arguments that begin at a place: `::<A, B>`.
    fn type_arguments_end(&self, tokens: &[NodeIndex], start: usize) -> Option<usize> {
        let text = |place: usize| tokens.get(place).map(|token| self.tree.text(*token));
        if text(start) != Some("::") || text(start + 1) != Some("<") {
            return None;
        }
        let mut depth = 0_usize;
        for place in start + 1..start + MAX_TYPE_ARGUMENTS {
            match text(place)? {
                "<" => depth += 1,
                ">" => depth = depth.saturating_sub(1),
                ">>" => depth = depth.saturating_sub(2),
                _ => {}
            }
            if depth == 0 {
                return Some(place + 1);
            }
        }
        None
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
            (Kind::Identifier, _) if KEYWORDS.contains(&text) => {
                self.roles.set(token, Role::Handled, scope);
                Before::Nothing
            }
            (Kind::Token, before)
                if CONTEXTUAL_KEYWORDS.contains(&text)
                    && !next.starts_with(|letter: char| letter.is_alphabetic()) =>
            {
                self.visit_token_name(token, scope, (before, next))
            }
            // The name of a field: `b` of `A { b: c }`.
            (Kind::Identifier, Before::Nothing) if next == ":" => {
                self.roles.set(token, Role::Handled, scope);
                Before::Nothing
            }
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
        let is_name = matches!(tree.kind(token), Kind::Identifier | Kind::Token) && text != "Self";
        if is_name {
            self.add_reference(token, scope, (kind, receiver, space));
        }
        let after = after.map(ValueText::name);
        Before::Value(after.and_then(ValueText::within_limit))
    }
}
