//! What nodes are for, handed down from each to those inside it.

use super::builder::{Role, Walk};
use super::rules::{Field, Rule};
use crate::tree::At;

impl Walk<'_> {
    /// `struct a { … }` that another name stands for.
    pub(super) fn give_undefined(&mut self, at: At) {
        if self.tree.child(at, Field::Body).is_some() {
            self.give_field(at, Field::Name, Role::Skip);
        }
    }

    /// Tells the children of a node what they are for.
    pub(super) fn give(&mut self, at: At, kind: Rule, role: Role) {
        let handed_on = match role {
            Role::Callee | Role::Mentioned => Role::Read,
            _ => role,
        };
        let read = if role == Role::Skip {
            Role::Skip
        } else {
            Role::Read
        };
        match kind {
            Rule::Skip => self.give_all(at, Role::Skip),
            _ if role == Role::Skip => self.give_all(at, Role::Skip),
            Rule::Import => self.give_all(at, Role::Import),
            Rule::Inherit => self.give_all(at, Role::Inherit),
            Rule::Reads => self.give_all(at, read),
            Rule::Mentions => self.give_all(at, Role::Mentioned),
            Rule::Through => self.give_all(at, role),
            Rule::Star => {
                self.star(at);
                self.give_all(at, Role::Skip);
            }
            Rule::ImportPath => {
                self.module_import(at);
                self.give_all(at, Role::Skip);
            }
            Rule::ImportAs => {
                self.give_all(at, role);
                self.give_field(at, Field::Alias, Role::Skip);
            }
            Rule::Call(callee) => {
                self.give_all(at, Role::Read);
                self.give_field(at, callee, Role::Callee);
            }
            Rule::New => {
                self.give_all(at, Role::Read);
                if let Some(callee) = self.tree.operands(at).next() {
                    self.set(callee, Role::Callee);
                }
            }
            Rule::Invokes { of, name } => {
                self.give_all(at, Role::Read);
                self.give_field(at, name, Role::Callee);
                let constructs = self.table.has_open_classes && self.is_new(at, name);
                let of_role = if constructs {
                    Role::Callee
                } else {
                    Role::Mentioned
                };
                self.give_field(at, of, of_role);
            }
            Rule::Member { of, name, is_value } => self.give_member(at, role, (of, name, is_value)),
            _ => self.give_names(at, kind, role, handed_on),
        }
    }

    fn give_names(&mut self, at: At, kind: Rule, role: Role, handed_on: Role) {
        match kind {
            Rule::Path => {
                self.give_all(at, Role::Skip);
                if let Some(last) = self.tree.operands(at).last() {
                    self.set(last, role);
                }
            }
            Rule::Except(field) => {
                self.give_all(at, handed_on);
                self.give_field(at, field, Role::Read);
            }
            Rule::First => {
                self.give_all(at, Role::Skip);
                if let Some(first) = self.tree.operands(at).next() {
                    self.set(first, Role::Mentioned);
                }
            }
            Rule::Skips(field) => {
                self.give_all(at, handed_on);
                self.give_field(at, field, Role::Skip);
            }
            Rule::Embeds if self.tree.child(at, Field::Name).is_none() => {
                self.give_field(at, Field::Type, Role::Inherit);
            }
            Rule::Local(names, value) => {
                self.give_all(at, Role::Read);
                let value = self.tree.child(at, value);
                let from = value.map_or(0, |value| self.tree.node(value).end);
                self.give_field(at, names, Role::Local(from));
            }
            Rule::Locals => {
                for child in self.tree.children(at) {
                    if self.tree.kind(child).is_name() {
                        self.set(child, Role::Local(0));
                    }
                }
            }
            Rule::Region(field) if field != Field::Other => {
                self.give_field(at, field, Role::Local(0));
            }
            Rule::Declarator => self.give_declarator(at, role),
            Rule::Decorator => self.give_field(at, Field::Name, Role::Mentioned),
            Rule::Members => {
                self.give_field(at, Field::Type, Role::Mentioned);
                self.give_field(at, Field::Trait, Role::Inherit);
            }
            Rule::Tokens => self.give_tokens(at),
            Rule::Block | Rule::Region(_) | Rule::Defines(_) | Rule::Function => {}
            _ => self.give_all(at, handed_on),
        }
    }

    fn give_member(&mut self, at: At, role: Role, (of, name, is_value): (Field, Field, bool)) {
        let (of_role, name_role) = match role {
            Role::Import => (Role::Skip, Role::Import),
            Role::Callee | Role::Inherit => (Role::Mentioned, role),
            _ if is_value => (Role::Mentioned, Role::Mentioned),
            _ => (Role::Mentioned, Role::Skip),
        };
        self.give_all(at, Role::Read);
        self.give_field(at, of, of_role);
        self.give_field(at, name, name_role);
    }

    /// A function that is declared and not defined is mentioned; what points to one is a variable.
    fn give_declarator(&mut self, at: At, role: Role) {
        let declares = matches!(role, Role::Local(_));
        let Some(name) = self.tree.child(at, Field::Declarator) else {
            return;
        };
        let is_function = self.tree.kind(name).is_name();
        let name_role = if declares && is_function {
            Role::Mentioned
        } else {
            role
        };
        self.set(name, name_role);
        if declares {
            self.give_field(at, Field::Parameters, Role::Skip);
        }
    }

    /// A name before brackets is called; one behind a dot is a field otherwise.
    fn give_tokens(&mut self, at: At) {
        let tree = self.tree;
        let mut last: Option<At> = None;
        let mut is_field = false;
        for child in tree.children(at) {
            let text = tree.text(child);
            let is_call = tree.kind(child) == Rule::Tokens && text.starts_with('(');
            if let Some(name) = last.filter(|_| is_call) {
                self.set(name, Role::Callee);
            }
            last = tree.kind(child).is_name().then_some(child);
            if last.is_some() && is_field {
                self.set(child, Role::Skip);
            }
            is_field = text == ".";
        }
    }

    fn is_new(&self, at: At, name: Field) -> bool {
        let name = self.tree.child(at, name);
        name.is_some_and(|name| self.tree.text(name) == "new")
    }
}
