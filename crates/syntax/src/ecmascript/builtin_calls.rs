//! Calls of functions of ECMA-262 whose results depend on their arguments: `Promise.all([a, b])`.
//!
//! <https://tc39.es/ecma262/>: Array, Object and Promise.

use super::builder::FactsBuilder;
use super::kinds::{FlatTree, Kind};
use super::value_text::ValueText;
use crate::facts::{TYPE_NUMBER, TypeShape, Value};
use crate::tree::NodeIndex;

/// The maximum number of parts of an array whose values are known one by one.
const MAX_PARTS: usize = 16;

/// What a call of a builtin function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Returned {
    /// The parts of the array that is its argument, once they are fulfilled.
    Parts,
    /// One of the parts.
    AnyPart,
    /// The argument.
    Argument,
    /// An array of what a loop over the argument gets.
    Elements,
    /// An array of the values of the argument's properties.
    Values,
    /// An array of pairs of a key and a value.
    Entries,
    /// An object with the values of the pairs in an array.
    FromEntries,
    /// An object whose values are arrays of what a loop over the argument gets.
    Groups,
}

/// How a call returns the results of its callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Results {
    /// An array of them.
    Array,
    /// An array of the elements of each of them.
    Flat,
    /// The only one.
    Single,
    /// An array of the elements that have passed its test.
    Passed,
}

impl<'t> FlatTree<'t> {
    /// Reports whether a node is a call whose result follows from its argument.
    pub(super) fn is_builtin_call(&self, node: NodeIndex) -> bool {
        self.builtin_call(node).is_some()
    }

    /// Returns the argument of a call of a builtin function, and what the call returns.
    fn builtin_call(&self, node: NodeIndex) -> Option<(NodeIndex, Returned)> {
        if self.kind(node) != Kind::Call {
            return None;
        }
        let callee = self.callee(node)?;
        let list = self.children(node).last()?;
        let mut arguments = self.operands(list);
        let argument = arguments.next()?;
        let is_only = arguments.next().is_none();
        let returned = match self.text(callee) {
            "Promise.all" => Returned::Parts,
            "Promise.any" | "Promise.race" => Returned::AnyPart,
            "Object.freeze" | "Object.seal" | "Promise.resolve" | "structuredClone" => {
                Returned::Argument
            }
            "Array.from" if is_only => Returned::Elements,
            "Object.values" => Returned::Values,
            "Object.entries" => Returned::Entries,
            "Object.fromEntries" => Returned::FromEntries,
            "Map.groupBy" | "Object.groupBy" => Returned::Groups,
            _ => return None,
        };
        let is_call = self.kind(list) == Kind::Arguments && self.kind(argument) != Kind::Spread;
        is_call.then_some((argument, returned))
    }

    /// Reports whether a node is a call that returns what its callback does: `a.map((b) => b.c)`.
    pub(super) fn is_callback_call(&self, node: NodeIndex) -> bool {
        self.callback_of(node).is_some()
    }

    /// Returns the callback of a call, and how the call returns its results.
    fn callback_of(&self, node: NodeIndex) -> Option<(NodeIndex, Results)> {
        let callee = self
            .callee(node)
            .filter(|_| self.kind(node) == Kind::Call)?;
        let name = self.operands(callee).last()?;
        let callback = self.operands(self.argument_list(node)?).next()?;
        let (callback, results) = match self.text(name) {
            "map" => (callback, Results::Array),
            "from" => (self.mapping_from(node)?, Results::Array),
            "flatMap" => (callback, Results::Flat),
            "then" => (callback, Results::Single),
            "filter" if self.is_guard(callback) => (callback, Results::Passed),
            _ => return None,
        };
        let is_member = self.kind(callee) == Kind::Member;
        let is_known = self.is_function(callback)
            || matches!(self.kind(callback), Kind::Identifier | Kind::Member);
        (is_member && is_known).then_some((callback, results))
    }

    /// Returns the callback of `Array.from(a, f)`.
    pub(super) fn mapping_from(&self, call: NodeIndex) -> Option<NodeIndex> {
        let callee = self.callee(call)?;
        let callback = self.operands(self.argument_list(call)?).nth(1)?;
        (self.text(callee) == "Array.from").then_some(callback)
    }

    /// Reports whether a callback tests the type of its argument, `(a): a is B => …`, or has the
    /// name of a function that does: `isB`.
    fn is_guard(&self, callback: NodeIndex) -> bool {
        if self.is_function(callback) {
            return self.predicate(callback).is_some();
        }
        let name = self.operands(callback).last().unwrap_or(callback);
        self.text(name).starts_with("is")
    }

    /// Reports whether an expression is a function.
    pub(super) fn is_function(&self, node: NodeIndex) -> bool {
        matches!(
            self.kind(node),
            Kind::ArrowFunction | Kind::FunctionExpression
        )
    }

    /// Returns the value of an argument with a suffix: `a[]` of `a`.
    fn with_suffix(&self, argument: NodeIndex, suffix: &str) -> Option<ValueText<'t>> {
        let of = self.typed_text(argument)?;
        Some(ValueText {
            path: format!("{}{suffix}", of.into_path()).into(),
            is_called: false,
        })
    }
}

impl FactsBuilder<'_, '_> {
    /// Returns the type of what a call of a builtin function returns.
    pub(super) fn builtin_result_type(&mut self, call: NodeIndex) -> Option<TypeShape> {
        let tree = self.tree;
        let (argument, returned) = tree.builtin_call(call)?;
        if self.is_own_name(call) {
            return None;
        }
        let is_array = tree.kind(argument) == Kind::Array;
        match returned {
            Returned::Parts if is_array => Some(TypeShape::Tuple(self.parts_of(argument))),
            Returned::AnyPart if is_array => {
                let parts: Option<Vec<Value>> = self.parts_of(argument).into_iter().collect();
                parts.map(TypeShape::AnyOf)
            }
            Returned::Parts | Returned::Argument => self.same_as(argument, ""),
            Returned::AnyPart => self.same_as(argument, "[]"),
            Returned::Elements => self.array_of_each(argument, "*"),
            Returned::Values => self.array_of_each(argument, "[]"),
            Returned::FromEntries => {
                let value = tree.with_suffix(argument, "*[1]")?.into_path();
                Some(self.mapping_of(&value))
            }
            Returned::Groups => {
                let element = tree.with_suffix(argument, "*")?.into_path();
                Some(self.mapping_of(&format!("[{element}]")))
            }
            Returned::Entries => {
                // The callee stands for the pairs in the array.
                let pair = format!("{TYPE_NUMBER}{}", tree.callee(call)?);
                let path = self.intern(pair);
                let is_called = false;
                Some(self.array_type(vec![Some(Value { path, is_called })]))
            }
        }
    }

    /// Returns the type of what `a.map(f)`, `a.flatMap(f)` or `a.then(f)` returns: what a method of
    /// the repository declares, or what the callback returns.
    pub(super) fn callback_result_type(&mut self, call: NodeIndex) -> Option<TypeShape> {
        let tree = self.tree;
        let (callback, results) = tree.callback_of(call)?;
        let function = tree.argument_text(callback)?.into_path();
        let returned = match results {
            Results::Array => format!("[{function}()]"),
            Results::Flat => format!("[{function}()[]]"),
            Results::Single => format!("{function}()"),
            // The number of the list of arguments stands for an element that has passed the test.
            Results::Passed => format!("[{TYPE_NUMBER}{}]", tree.parent(callback)),
        };
        // The number of the callee refers to the method with what the arguments of the call tell.
        let declared = format!("{TYPE_NUMBER}{}()", tree.callee(call)?);
        let arms = [declared, returned].map(|path| Value {
            path: self.intern(path),
            is_called: false,
        });
        Some(TypeShape::AnyOf(arms.to_vec()))
    }

    /// Returns the type of an element that has passed the test of `a.filter(isB)`, by the arguments
    /// of the call.
    pub(super) fn passed_element(&mut self, arguments: NodeIndex) -> Option<TypeShape> {
        let tree = self.tree;
        let call = tree.parent(arguments);
        let (callback, results) = tree.callback_of(call)?;
        let array = tree.operands(tree.callee(call)?).next()?;
        let by = tree.argument_text(callback);
        let otherwise = tree.with_suffix(array, "*");
        (results == Results::Passed).then_some(TypeShape::Guarded {
            by: self.intern_value(by)?,
            otherwise: self.intern_value(otherwise)?,
            at: self.position_of(callback),
        })
    }

    /// Returns the type of the pairs that `Object.entries(a)` returns, or the array that
    /// `Array.from(a, f)` maps, by its callee.
    pub(super) fn entry_type(&mut self, callee: NodeIndex) -> Option<TypeShape> {
        let tree = self.tree;
        let call = tree.parent(callee);
        if tree.mapping_from(call).is_some() {
            let list = tree.argument_list(call)?;
            return self.array_of_each(tree.operands(list).next()?, "*");
        }
        let (argument, returned) = tree.builtin_call(call)?;
        let value = tree.with_suffix(argument, "[]");
        let parts = vec![None, self.intern_value(value)];
        (returned == Returned::Entries).then_some(TypeShape::Tuple(parts))
    }

    fn same_as(&mut self, argument: NodeIndex, suffix: &str) -> Option<TypeShape> {
        let value = self.tree.with_suffix(argument, suffix);
        Some(TypeShape::AnyOf(vec![self.intern_value(value)?]))
    }

    fn array_of_each(&mut self, argument: NodeIndex, suffix: &str) -> Option<TypeShape> {
        let element = self.tree.with_suffix(argument, suffix);
        let element = self.intern_value(element)?;
        Some(self.array_type(vec![Some(element)]))
    }

    /// Returns the type of an object whose values a path expresses.
    fn mapping_of(&mut self, value: &str) -> TypeShape {
        let path = self.intern(format!("{{{value}}}"));
        let is_called = false;
        TypeShape::AnyOf(vec![Value { path, is_called }])
    }

    /// Reports whether the file declares or imports what the callee of a call begins with.
    fn is_own_name(&self, call: NodeIndex) -> bool {
        let callee = self.tree.callee(call).unwrap_or(call);
        let head = self.tree.text(callee).split('.').next();
        let head = head.and_then(|head| self.names.find(head));
        let mut bindings = self.facts.bindings.iter();
        head.is_some_and(|head| bindings.any(|binding| binding.name == head))
    }

    /// Returns the values of the parts of an array. The last one stands for any number of parts if
    /// a spread or too many follow.
    fn parts_of(&mut self, array: NodeIndex) -> Vec<Option<Value>> {
        let tree = self.tree;
        let all: Vec<NodeIndex> = tree.operands(array).take(MAX_PARTS + 1).collect();
        let is_spread = |part: &NodeIndex| tree.kind(*part) == Kind::Spread;
        let known = all.iter().position(is_spread).unwrap_or(all.len());
        let known = known.min(MAX_PARTS);
        let parts = all.iter().take(known);
        let mut values: Vec<Option<Value>> = parts
            .map(|part| self.intern_value(tree.typed_text(*part)))
            .collect();
        if known < all.len() {
            values.push(None);
        }
        values
    }
}
