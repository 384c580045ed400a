//! What calls of builtin functions and methods of ECMA-262 give.
//!
//! <https://tc39.es/ecma262/>: Array, Map, Object, Promise, Reflect and Set.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::{Field, Kind};
use crate::facts::{BUILTIN_RESULT, CALL_RESULT, LITERAL, OWN_CALL, OWN_METHOD};
use crate::tree::NodeIndex;

/// The maximum number of nodes of the function of a promise that are read.
const MAX_EXECUTOR: usize = 2_000;

/// The methods of functions.
const OF_FUNCTIONS: [&str; 3] = ["apply", "bind", "call"];

impl FactsBuilder<'_, '_> {
    /// Reads the calls of builtin functions, the inner ones first, so that long chains of them need
    /// no deep recursion.
    pub(super) fn collect_builtin_results(&mut self) {
        for node in (0..self.tree.len()).rev() {
            if matches!(self.tree.kind(node), Kind::Call | Kind::New) {
                self.builtin(node);
            }
        }
    }

    /// Returns what a call of a builtin function, method or class gives.
    pub(super) fn builtin(&mut self, call: NodeIndex) -> Option<String> {
        if let Some(known) = self.flow.builtin_results.get(&call) {
            return known.clone();
        }
        // A call that is being read gives nothing to its own arguments.
        self.flow.builtin_results.insert(call, None);
        let found = match self.tree.kind(call) {
            Kind::New => self.builtin_instance(call),
            _ => self.builtin_result(call),
        };
        self.flow.builtin_results.insert(call, found.clone());
        found
    }

    /// Returns the result of a call of a builtin function or method.
    fn builtin_result(&mut self, call: NodeIndex) -> Option<String> {
        let tree = self.tree;
        let function = tree.child(call, Field::Function)?;
        if tree.kind(function) != Kind::Member {
            return self.function_result(call, tree.text(function));
        }
        let object = tree.operands(function).next()?;
        let name = tree.text(tree.operands(function).last()?);
        let of = tree.text(object);
        if matches!(of, "Array" | "Map" | "Object" | "Promise" | "Reflect") && self.is_global(of) {
            return self.static_result(call, (of, name));
        }
        if self.has_own_member(name) {
            return None;
        }
        let found = self.method_result(call, (object, name))?;
        let of = self.first_value(object);
        let is_literal_array = |of: &str| of.starts_with(LITERAL) && !of.contains('.');
        let named = of.filter(|of| !is_literal_array(of) && !OF_FUNCTIONS.contains(&name));
        match named {
            Some(of) => self.unless_own(call, &format!("{of}.{name}"), &found),
            None => Some(found),
        }
    }

    /// Returns what a call gives: the result of a method of the repository, if the object has one,
    /// or that of a builtin method.
    fn unless_own(&mut self, call: NodeIndex, method: &str, builtin: &str) -> Option<String> {
        let container = self.new_literal()?;
        self.bind_literal(&format!("{container}.{OWN_METHOD}"), call, method);
        self.bind_literal(
            &format!("{container}.{OWN_CALL}"),
            call,
            &format!("{method}()"),
        );
        self.bind_literal(&format!("{container}.{BUILTIN_RESULT}"), call, builtin);
        Some(format!("{container}.{CALL_RESULT}"))
    }

    /// Returns the result of a call of a builtin function.
    fn function_result(&mut self, call: NodeIndex, name: &str) -> Option<String> {
        match name {
            "structuredClone" if self.is_global(name) => {
                self.first_value(*self.arguments_of(call).first()?)
            }
            "Array" => self.filled_container(call),
            _ => None,
        }
    }

    /// Returns the result of a call of a static method of a builtin class.
    fn static_result(&mut self, call: NodeIndex, method: (&str, &str)) -> Option<String> {
        let arguments = self.arguments_of(call);
        if arguments
            .iter()
            .any(|one| self.tree.kind(*one) == Kind::Spread)
        {
            return None;
        }
        let first = arguments.first().copied();
        match method {
            ("Object", "values") => {
                let path = self.first_value(first?)?;
                self.array_with(call, format!("{path}[]"))
            }
            ("Object", "entries") => self.entries(call, first?),
            ("Object", "freeze" | "seal" | "create" | "preventExtensions")
            | ("Promise", "all" | "resolve") => {
                let made = self.filled_container(call);
                made.or_else(|| self.first_value(first?))
            }
            ("Object", "assign") => {
                // Only the first object keeps its methods. Of the others, the properties are
                // copied.
                let is_made = |node: &NodeIndex| self.tree.kind(*node) == Kind::New;
                let first = arguments.iter().take(1);
                let others = arguments.iter().skip(1).filter(|one| !is_made(one));
                let parts: Vec<NodeIndex> = first.chain(others).copied().collect();
                let values = self.values_of_each(&parts);
                self.any_of(call, &values)
            }
            ("Object", "fromEntries") => {
                let path = self.first_value(first?)?;
                self.mapping_with(call, &format!("{path}*[1]"))
            }
            ("Object" | "Map", "groupBy") => {
                let path = self.first_value(first?)?;
                let list = self.tree.operands(call).last()?;
                let group = self.array_with(list, format!("{path}*"))?;
                self.mapping_with(call, &group)
            }
            ("Array", "from") => {
                let value = match arguments.get(1) {
                    Some(callback) => format!("{}()", self.first_value(*callback)?),
                    None => format!("{}*", self.first_value(first?)?),
                };
                self.array_with(call, value)
            }
            ("Array", "of") => {
                let parts: Vec<_> = arguments.iter().copied().enumerate().collect();
                self.array_of(call, &parts)
            }
            ("Promise", "any" | "race") => Some(format!("{}*", self.first_value(first?)?)),
            ("Promise", "allSettled") => {
                let path = self.first_value(first?)?;
                let list = self.tree.operands(call).last()?;
                let scope = self.scope_of(call);
                let value = vec![format!("{path}*")];
                let settled = self.container(list, |_| vec![(".value".into(), value, scope)]);
                self.array_with(call, settled?)
            }
            ("Reflect", "construct") => Some(format!("{}()", self.first_value(first?)?)),
            _ => None,
        }
    }

    /// Returns the result of a call of a builtin method.
    fn method_result(
        &mut self,
        call: NodeIndex,
        (object, name): (NodeIndex, &str),
    ) -> Option<String> {
        let arguments = self.arguments_of(call);
        match name {
            "bind" if arguments.len() < 2 => self.first_value(object),
            "call" | "apply" => Some(format!("{}()", self.first_value(object)?)),
            "slice" => self.slice(call, object, &arguments),
            "filter" | "reverse" | "toSorted" | "toReversed" | "sort" | "splice" | "toSpliced" => {
                self.elements_of_all(call, &[object])
            }
            "concat" => {
                let parts: Vec<_> = [object].into_iter().chain(arguments).collect();
                self.elements_of_all(call, &parts)
            }
            "map" => {
                let function = self.first_value(*arguments.first()?)?;
                self.array_with(call, format!("{function}()"))
            }
            "flatMap" => {
                let function = self.first_value(*arguments.first()?)?;
                self.array_with(call, format!("{function}()*"))
            }
            "fill" => {
                let values = self.values_of(*arguments.first()?);
                self.array_with_any(call, values)
            }
            "with" => {
                let elements = self.values_of(object).into_iter();
                let mut values: Vec<_> = elements.map(|path| format!("{path}*")).collect();
                values.extend(self.values_of(*arguments.get(1)?));
                self.array_with_any(call, values)
            }
            "reduce" | "reduceRight" => self.reduced(call, (object, &arguments)),
            _ => None,
        }
    }

    /// Returns what a function makes of the elements of an array one after the other.
    fn reduced(
        &mut self,
        call: NodeIndex,
        (object, arguments): (NodeIndex, &[NodeIndex]),
    ) -> Option<String> {
        let function = self.first_value(*arguments.first()?)?;
        let mut values = vec![format!("{function}()")];
        match arguments.get(1) {
            Some(initial) => values.extend(self.values_of(*initial)),
            None => values.push(format!("{}*", self.first_value(object)?)),
        }
        self.any_of(call, &values)
    }

    fn values_of_each(&mut self, nodes: &[NodeIndex]) -> Vec<String> {
        let values = nodes.iter().flat_map(|node| self.values_of(*node));
        values.collect()
    }

    /// Returns an array of the elements of several arrays.
    fn elements_of_all(&mut self, call: NodeIndex, arrays: &[NodeIndex]) -> Option<String> {
        let values = self.values_of_each(arrays).into_iter();
        let elements = values.map(|path| format!("{path}*")).collect();
        self.array_with_any(call, elements)
    }

    /// Returns a mapping with one value for any key.
    fn mapping_with(&mut self, call: NodeIndex, value: &str) -> Option<String> {
        let path = format!("{}.map", self.new_literal()?);
        self.bind_literal(&path, call, &format!("{{{value}}}"));
        Some(path)
    }

    /// Returns the array `Object.entries(a)`, whose elements are keys with values.
    fn entries(&mut self, call: NodeIndex, object: NodeIndex) -> Option<String> {
        let path = self.first_value(object)?;
        let scope = self.scope_of(call);
        let list = self.tree.operands(call).last()?;
        let pair = self.container(list, |_| {
            vec![("[1]".into(), vec![format!("{path}[]")], scope)]
        });
        self.array_with(call, pair?)
    }

    /// Returns an instance of a builtin class: a container, or the value of a promise.
    fn builtin_instance(&mut self, new: NodeIndex) -> Option<String> {
        let tree = self.tree;
        let class = tree.text(tree.callee(new)?);
        match class {
            "Map" | "WeakMap" | "Set" | "WeakSet" | "Array" => self.filled_container(new),
            "Promise" if self.is_global(class) => self.promised(new),
            "Proxy" if self.is_global(class) => self.first_value(*self.arguments_of(new).first()?),
            _ => None,
        }
    }

    /// Returns what the function of `new Promise(f)` passes to its first parameter. A promise
    /// counts as its value.
    fn promised(&mut self, new: NodeIndex) -> Option<String> {
        let tree = self.tree;
        let executor = *self.arguments_of(new).first()?;
        let resolve = tree.child(executor, Field::Parameter).or_else(|| {
            let parameters = tree.child(executor, Field::Parameters)?;
            tree.operands(parameters).next()
        });
        let resolve = resolve.filter(|one| tree.kind(*one) == Kind::Identifier)?;
        let scope = self.function_scope(executor)?;
        let key = (scope, self.names.find(tree.text(resolve))?);
        let end = tree.node(executor).end;
        let mut values = Vec::new();
        for node in (executor..tree.len()).take(MAX_EXECUTOR) {
            if tree.node(node).start >= end {
                break;
            }
            let callee = tree.child(node, Field::Function);
            let callee = callee.filter(|_| tree.kind(node) == Kind::Call);
            if callee.and_then(|callee| self.bound_key(callee)) == Some(key)
                && let Some(value) = self.arguments_of(node).first().copied()
            {
                values.extend(self.values_of(value).into_iter().map(|path| (path, value)));
            }
        }
        if values.is_empty() {
            return None;
        }
        let name = format!("{}.value", self.new_literal()?);
        for (path, node) in values {
            self.bind_literal(&name, node, &path);
        }
        Some(name)
    }
}
