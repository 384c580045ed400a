//! What calls pass to the parameters of functions, and functions that arrays name.
//!
//! <https://www.php.net/manual/language.types.callable.php>

use std::borrow::Cow;

use super::CONSTRUCTOR;
use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::values::is_plain;
use crate::facts::{METHOD, Receiver, ReferenceKind, ScopeId, Space};
use crate::facts_writer::{NameAt, ReferenceTo};
use crate::passed_arguments::{ParameterNames, PassedTo};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

impl<'t> FlatTree<'t> {
    /// Returns the names of the parameters in a list, with `$`.
    pub(super) fn parameter_names(&self, list: NodeIndex) -> ParameterNames<'t> {
        let mut found = ParameterNames::default();
        for parameter in self.operands(list) {
            let name = self.child(parameter, Field::Name);
            let name = name.map_or("", |name| self.text(name));
            match self.kind(parameter) {
                Kind::Parameter => found.names.push(name),
                Kind::Variadic => found.rest = Some(name),
                _ => {}
            }
        }
        found
    }

    /// Returns what a call calls, as the receiver of its arguments.
    fn called_value(&self, call: NodeIndex) -> Option<ValueText> {
        let member = |of: Field| {
            let name = self.child(call, Field::Name)?;
            let is_name = self.kind(name) == Kind::Name;
            let of = self.value_text(self.child(call, of)?)?;
            of.member(self.text(name)).filter(|_| is_name)
        };
        match self.kind(call) {
            Kind::MemberCall => member(Field::Object),
            Kind::ScopedCall => member(Field::Scope),
            Kind::Creation => {
                let class = self.class_path(self.operands(call).next()?)?;
                ValueText::name(class).member(CONSTRUCTOR)
            }
            Kind::FunctionCall => {
                let path = self.class_path(self.child(call, Field::Function)?)?;
                Some(ValueText::name(format!("{METHOD}{path}")))
            }
            _ => None,
        }
    }

    /// Returns the list of the arguments of a call.
    fn argument_list(&self, call: NodeIndex) -> Option<NodeIndex> {
        match self.kind(call) {
            Kind::Creation => self.operands(call).nth(1),
            _ => self.child(call, Field::Arguments),
        }
    }
}

impl FactsBuilder<'_> {
    /// Notes what a call passes to the parameters of what it calls.
    pub(super) fn note_arguments(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let list = tree.argument_list(call);
        let (Some(list), Some(callee)) = (list, tree.called_value(call)) else {
            return;
        };
        let mut values = Vec::new();
        for (index, argument) in tree.operands(list).enumerate() {
            if tree.kind(argument) != Kind::Argument || tree.text(argument).starts_with("...") {
                break;
            }
            let place = match tree.child(argument, Field::Name) {
                Some(name) => PassedTo::Keyword(Cow::Owned(format!("${}", tree.text(name)))),
                None => PassedTo::Index(index),
            };
            let value = tree.operands(argument).last();
            let known = value.map(|value| self.possible_values(value));
            let known = known.into_iter().flatten().filter(|value| !is_plain(value));
            values.extend(known.map(|value| (place.clone(), value)));
        }
        let at = (tree.node(call).start, scope);
        self.writer.add_passing_call(at, callee, values);
    }

    /// Adds the reference of `[$this, 'b']` or `[A::class, 'b']` to the method `b`.
    pub(super) fn refer_to_callable(&mut self, array: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let parts: Vec<NodeIndex> = tree.operands(array).take(3).collect();
        let parts: Vec<Vec<NodeIndex>> = parts
            .into_iter()
            .map(|part| tree.operands(part).take(2).collect())
            .collect();
        let [of, name] = &parts[..] else {
            return;
        };
        let ([of], [name]) = (&of[..], &name[..]) else {
            return;
        };
        let quoted = tree.text(*name);
        let text = quoted.trim_matches(['\'', '"']);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let is_name = tree.kind(*name) == Kind::String && text.chars().all(is_part);
        let is_object = match tree.kind(*of) {
            // What another variable has is often text.
            Kind::Variable => tree.text(*of) == "$this",
            Kind::ConstantAccess => tree.text(*of).ends_with("::class"),
            _ => false,
        };
        let receiver = tree.value_text(*of).filter(|_| is_object && is_name);
        let Some(receiver) = receiver else {
            return;
        };
        let at = NameAt {
            text,
            offset: tree.node(*name).start + 1,
        };
        let to = ReferenceTo {
            kind: ReferenceKind::Reference,
            receiver: self.writer.receiver(Some(receiver)),
            space: Space::Any,
        };
        if to.receiver != Receiver::Unknown {
            self.writer.add_reference(at, scope, to);
        }
    }
}
