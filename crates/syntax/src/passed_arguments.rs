//! The arguments of calls and the parameters that receive them, for languages in which most
//! parameters have no types.

use std::borrow::Cow;

use ragnav_base::hash::HashSet;
use ragnav_base::position::wire;

use crate::facts::{Argument, ArgumentPlace, CallFact, METHOD, ScopeId, Signature};
use crate::facts_writer::FactsWriter;
use crate::value_text::ValueText;

/// The maximum number of calls of a file whose arguments are kept.
const MAX_CALLS: usize = 10_000;

/// The maximum number of values of a call that are kept.
const MAX_VALUES: usize = 16;

/// The parameter that an argument is for.
#[derive(Debug, Clone)]
pub(crate) enum PassedTo<'t> {
    Index(usize),
    Keyword(Cow<'t, str>),
}

/// The names of the parameters of a function.
#[derive(Debug, Default)]
pub(crate) struct ParameterNames<'t> {
    /// Those that receive arguments by their index, and behind them those that receive them by
    /// name only.
    pub(crate) names: Vec<&'t str>,
    /// The one that receives all further arguments.
    pub(crate) rest: Option<&'t str>,
}

impl<'t> FactsWriter<'t> {
    /// Adds a call with the values that it passes. Each argument may have several.
    pub(crate) fn add_passing_call(
        &mut self,
        (offset, scope): (u32, ScopeId),
        callee: ValueText,
        values: Vec<(PassedTo<'t>, ValueText)>,
    ) {
        if values.is_empty() || self.facts.flow.calls.len() == MAX_CALLS {
            return;
        }
        let Some(callee) = self.intern_value(callee.within_limit()) else {
            return;
        };
        let arguments = values.into_iter().take(MAX_VALUES);
        let arguments = arguments.filter_map(|(place, value)| {
            let value = self.intern_value(value.within_limit())?;
            let place = match place {
                PassedTo::Index(index) => ArgumentPlace::Index(wire(index)),
                PassedTo::Keyword(name) => ArgumentPlace::Keyword(self.names.intern(name)),
            };
            Some(Argument { place, value })
        });
        let arguments = arguments.collect();
        let position = self.position_at(offset);
        self.facts.flow.calls.push(CallFact {
            scope,
            position,
            callee,
            arguments,
        });
    }

    /// Adds the parameters of the function with a scope.
    pub(crate) fn add_signature(&mut self, scope: ScopeId, parameters: &ParameterNames<'t>) {
        if parameters.names.is_empty() && parameters.rest.is_none() {
            return;
        }
        let names = parameters.names.iter();
        let names = names.map(|name| self.names.intern(*name)).collect();
        let rest = parameters.rest.map(|name| self.names.intern(name));
        self.facts.flow.signatures.push(Signature {
            scope,
            parameters: names,
            rest,
            has_receiver: false,
        });
    }

    /// Drops the calls of functions that the file does not define: their arguments reach no
    /// parameter of it.
    pub(crate) fn drop_calls_of_others(&mut self) {
        let definitions = self.facts.definitions.iter();
        let defined: HashSet<&str> = definitions
            .map(|definition| self.names.text(definition.name))
            .collect();
        let names = &self.names;
        let last_name = |call: &CallFact| {
            let path = names.text(call.callee.path);
            let last = path.rsplit(['.', '\\']).next().unwrap_or(path);
            last.trim_start_matches(METHOD)
        };
        let mut calls = std::mem::take(&mut self.facts.flow.calls);
        calls.retain(|call| defined.contains(last_name(call)));
        self.facts.flow.calls = calls;
    }
}
