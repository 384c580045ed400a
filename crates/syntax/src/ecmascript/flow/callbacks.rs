//! Functions that builtin functions call.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::Kind;
use crate::facts::{Argument, ArgumentPlace};
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

/// A builtin function that calls some of its arguments.
struct Caller {
    name: &'static str,
    /// The places of the arguments that it calls.
    callbacks: &'static [usize],
    /// The parameter of the callback that receives the elements of the object.
    element: Option<u32>,
}

const fn caller(name: &'static str, callbacks: &'static [usize], element: Option<u32>) -> Caller {
    Caller {
        name,
        callbacks,
        element,
    }
}

/// Methods that call their arguments: of arrays and promises (ECMA-262), of event targets (WHATWG
/// DOM).
const METHODS: [Caller; 20] = [
    caller("map", &[0], Some(0)),
    caller("filter", &[0], Some(0)),
    caller("forEach", &[0], Some(0)),
    caller("find", &[0], Some(0)),
    caller("findIndex", &[0], Some(0)),
    caller("findLast", &[0], Some(0)),
    caller("findLastIndex", &[0], Some(0)),
    caller("flatMap", &[0], Some(0)),
    caller("every", &[0], Some(0)),
    caller("some", &[0], Some(0)),
    caller("reduce", &[0], Some(1)),
    caller("reduceRight", &[0], Some(1)),
    caller("sort", &[0], Some(0)),
    caller("toSorted", &[0], Some(0)),
    caller("then", &[0, 1], None),
    caller("catch", &[0], None),
    caller("finally", &[0], None),
    caller("addEventListener", &[1], None),
    caller("from", &[1], None),
    caller("replace", &[1], None),
];

/// Functions that call their arguments: timers and microtasks (WHATWG HTML), and of Node.js.
const FUNCTIONS: [Caller; 6] = [
    caller("setTimeout", &[0], None),
    caller("setInterval", &[0], None),
    caller("setImmediate", &[0], None),
    caller("queueMicrotask", &[0], None),
    caller("requestAnimationFrame", &[0], None),
    caller("requestIdleCallback", &[0], None),
];

impl FactsBuilder<'_, '_> {
    /// Marks the arguments that a builtin function calls.
    pub(super) fn flow_into_callbacks(&mut self, call: NodeIndex, function: NodeIndex) {
        let tree = self.tree;
        let is_name = tree.kind(function) == Kind::Identifier;
        let member = self.called_member(call);
        let (name, callers) = match member {
            Some((_, name)) => (name, METHODS.as_slice()),
            None if is_name => (tree.text(function), FUNCTIONS.as_slice()),
            None => return,
        };
        let object = member.map(|(object, _)| object);
        if let Some(object) = object.filter(|_| matches!(name, "call" | "apply")) {
            let is_applied = name == "apply";
            return self.flow_into_applied(call, object, is_applied);
        }
        if object.is_some_and(|object| tree.text(object) == "Object") && name == "assign" {
            return self.flow_into_assigned(call);
        }
        let Some(caller) = callers.iter().find(|caller| caller.name == name) else {
            return;
        };
        let is_own = match member {
            Some(_) => self.has_own_member(name) && !matches!(name, "then" | "catch" | "finally"),
            None => self.has_own(name),
        };
        if is_own {
            return;
        }
        let arguments = self.arguments_of(call);
        for place in caller.callbacks {
            let Some(callback) = arguments.get(*place).copied() else {
                continue;
            };
            self.mark_called(callback);
            let Some(object) = object else {
                continue;
            };
            match (caller.element, name) {
                (Some(element), _) => self.pass_elements(callback, (object, name), element),
                (None, "then" | "catch" | "finally") if *place == 0 => {
                    self.pass_promised(callback, (object, name));
                }
                (None, "from") => self.pass_mapped(callback, arguments.first().copied()),
                (None, _) => {}
            }
            if let Some(initial) = arguments.get(1).filter(|_| name.starts_with("reduce")) {
                self.pass(callback, *initial, ("", 0));
            }
        }
    }

    /// Passes the elements of an array to the function that is called with each.
    fn pass_elements(
        &mut self,
        callback: NodeIndex,
        (object, name): (NodeIndex, &str),
        parameter: u32,
    ) {
        self.pass(callback, object, ("*", parameter));
        match name {
            // Loops over a mapping have pairs, but this method has values.
            "forEach" => self.pass(callback, object, (".forEach;0;0", 0)),
            // Both parameters are elements.
            "sort" | "toSorted" => self.pass(callback, object, ("*", 1)),
            _ => {}
        }
    }

    /// Passes to a function what the method `then`, `catch` or `finally` of the object passes to
    /// its first argument. The path ends with the first parameter of that argument, so that a
    /// class with its own method of the name is asked, and not a promise.
    fn pass_promised(&mut self, callback: NodeIndex, (object, name): (NodeIndex, &str)) {
        self.pass(callback, object, (&format!(".{name};0;0"), 0));
    }

    /// Passes the elements of `a` to the function in `Array.from(a, f)`.
    fn pass_mapped(&mut self, callback: NodeIndex, source: Option<NodeIndex>) {
        if let Some(source) = source {
            self.pass(callback, source, ("*", 0));
        }
    }

    /// Passes the values of an expression to a parameter of a function, with a suffix.
    fn pass(&mut self, callback: NodeIndex, of: NodeIndex, (suffix, parameter): (&str, u32)) {
        let Some(callee) = self.first_value(callback) else {
            return;
        };
        let mut arguments = Vec::new();
        for path in self.values_of(of) {
            let value = self.path_value(&format!("{path}{suffix}"));
            let place = ArgumentPlace::Index(parameter);
            arguments.push(Argument { place, value });
        }
        let scope = self.scope_of(callback);
        self.add_call(callback, (&callee, scope), arguments);
    }

    /// Visits `a.call(this, b)` and `a.apply(this, [b])`, which call `a` with `b`.
    fn flow_into_applied(&mut self, call: NodeIndex, function: NodeIndex, is_applied: bool) {
        let tree = self.tree;
        self.mark_called(function);
        let Some(callee) = self.first_value(function) else {
            return;
        };
        let arguments = self.arguments_of(call);
        let passed = match arguments.get(1) {
            Some(list) if is_applied && tree.kind(*list) == Kind::Array => {
                let elements = self.indexed_elements(*list);
                elements.into_iter().map(|(_, element)| element).collect()
            }
            Some(list) if is_applied => {
                let scope = self.scope_of(call);
                let passed = self.elements_as_arguments(*list);
                return self.add_call(call, (&callee, scope), passed);
            }
            Some(_) => arguments.get(1..).unwrap_or_default().to_vec(),
            None => return,
        };
        let passed = self.passed(&passed);
        let scope = self.scope_of(call);
        self.add_call(call, (&callee, scope), passed);
    }

    /// Returns the first elements of an array as arguments.
    fn elements_as_arguments(&mut self, list: NodeIndex) -> Vec<Argument> {
        let Some(path) = self.first_value(list) else {
            return Vec::new();
        };
        let mut arguments = Vec::new();
        for index in 0..4 {
            let value = self.path_value(&format!("{path}[{index}]"));
            let place = ArgumentPlace::Index(wire(index));
            arguments.push(Argument { place, value });
        }
        arguments
    }
}
