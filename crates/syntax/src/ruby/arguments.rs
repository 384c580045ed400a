//! What calls pass to the parameters of methods.
//!
//! <https://docs.ruby-lang.org/en/master/syntax/calling_methods_rdoc.html>

use std::borrow::Cow;

use super::INITIALIZE;
use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::literals::is_builtin;
use crate::facts::{INHERITED, ScopeId};
use crate::passed_arguments::{ParameterNames, PassedTo};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

impl<'t> FlatTree<'t> {
    /// Returns the names of the parameters in a list.
    pub(super) fn parameter_names(&self, list: NodeIndex) -> ParameterNames<'t> {
        let mut found = ParameterNames::default();
        let mut keywords = Vec::new();
        for parameter in self.operands(list) {
            if self.kind(parameter) == Kind::Identifier {
                found.names.push(self.text(parameter));
                continue;
            }
            let text = self.text(parameter);
            let name = self.child(parameter, Field::Name);
            let name = name.map_or("", |name| self.text(name));
            match self.kind(parameter) {
                Kind::DeclaredNames => found.names.push(""),
                Kind::Parameter if text.starts_with("**") => {}
                Kind::Parameter if text.starts_with('*') => found.rest = Some(name),
                Kind::Parameter if is_keyword(text, name) => keywords.push(name),
                Kind::Parameter => found.names.push(name),
                _ => {}
            }
        }
        // All arguments behind those with a place are for the rest.
        if found.rest.is_none() {
            found.names.extend(keywords);
        }
        found
    }

    /// Returns the arguments in a list, up to one whose number of values is not known, with the
    /// parameters that they are for.
    pub(super) fn arguments_in(&self, list: NodeIndex) -> Vec<(PassedTo<'t>, NodeIndex)> {
        let mut found = Vec::new();
        for (index, argument) in self.operands(list).enumerate() {
            match self.kind(argument) {
                Kind::Splat | Kind::BlockArgument => break,
                Kind::Pair => {
                    let key = self.operands(argument).next();
                    let value = self.child(argument, Field::Value).or(key);
                    let name = key.map(|key| self.text(key).trim_end_matches(':'));
                    let place = name.map(|name| PassedTo::Keyword(Cow::Borrowed(name)));
                    found.extend(place.zip(value));
                }
                _ => found.push((PassedTo::Index(index), argument)),
            }
        }
        found
    }
}

/// Reports whether a parameter is passed by its name: `a:` or `a: b`.
fn is_keyword(parameter: &str, name: &str) -> bool {
    let after = parameter.strip_prefix(name);
    after.is_some_and(|after| after.starts_with(':'))
}

impl FactsBuilder<'_> {
    /// Notes what a call of a method passes to its parameters. `A.new(b)` calls `initialize`.
    pub(super) fn note_arguments(
        &mut self,
        (call, name): (NodeIndex, &str),
        receiver: Option<ValueText>,
        scope: ScopeId,
    ) {
        let list = self.tree.child(call, Field::Arguments);
        let method = if name == "new" { INITIALIZE } else { name };
        let callee = receiver.and_then(|receiver| receiver.member(method));
        if let (Some(list), Some(callee)) = (list, callee) {
            self.note_values(list, callee, (call, scope));
        }
    }

    /// Notes what `super` or `super(a)` passes. Without a list it passes all parameters on.
    pub(super) fn note_arguments_of_super(
        &mut self,
        word: NodeIndex,
        method: &str,
        scope: ScopeId,
    ) {
        let tree = self.tree;
        let callee = ValueText::name(format!("{INHERITED}.{method}"));
        let call = tree.parent(word);
        if tree.kind(call) == Kind::Call
            && let Some(list) = tree.child(call, Field::Arguments)
        {
            return self.note_values(list, callee, (word, scope));
        }
        let parameters = self.parameters_around(scope);
        let values = parameters.into_iter().enumerate();
        let values = values.map(|(index, name)| (PassedTo::Index(index), ValueText::name(name)));
        let at = (tree.node(word).start, scope);
        self.writer.add_passing_call(at, callee, values.collect());
    }

    /// Returns the names of the parameters of the method around a scope that have a place.
    fn parameters_around(&self, scope: ScopeId) -> Vec<String> {
        let method = self.writer.function_around(scope);
        let signatures = &self.writer.facts.flow.signatures;
        let own = signatures
            .iter()
            .rev()
            .find(|one| Some(one.scope) == method);
        let names = own.into_iter().flat_map(|one| &one.parameters);
        names
            .map(|name| self.writer.names.text(*name).to_owned())
            .collect()
    }

    fn note_values(
        &mut self,
        list: NodeIndex,
        callee: ValueText,
        (call, scope): (NodeIndex, ScopeId),
    ) {
        let mut values = Vec::new();
        for (place, argument) in self.tree.arguments_in(list) {
            let known = self.alternative_values(argument, scope).into_iter();
            let known = known.flatten().filter(|value| !is_builtin(value));
            values.extend(known.map(|value| (place.clone(), value)));
        }
        let at = (self.tree.node(call).start, scope);
        self.writer.add_passing_call(at, callee, values);
    }
}
