//! Programs whose functions pass, keep, share and return values: an answer about them ends, and it
//! is the same live and from an index, in any order of the functions.

use std::collections::BTreeSet;
use std::ops::Range;

use proptest::prelude::*;
use ragnav::base::item::Resolution;
use ragnav::query::build_graph::{BuildOptions, build_graph};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use crate::links_properties::shown;
use crate::where_used::ask;

/// The number of functions. The second half are methods of `Box`.
const FUNCTIONS: usize = 4;

/// A value in a function with two parameters.
#[derive(Debug, Clone)]
enum Value {
    Parameter(usize),
    Variable,
    Cart,
    Kept,
    Shared,
    Box(Box<Value>),
    List(Box<Value>),
    First(Box<Value>),
    Call(usize, Box<[Value; 2]>),
}

#[derive(Debug, Clone)]
enum Statement {
    Return(Value),
    ReturnIf(Value),
    Assign(Value),
    Keep(Value),
    Share(Value),
}

type Function = Vec<Statement>;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => (0..2_usize).prop_map(Value::Parameter),
        1 => Just(Value::Variable),
        1 => Just(Value::Cart),
        1 => Just(Value::Kept),
        1 => Just(Value::Shared),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            1 => boxed().prop_map(Value::Box),
            1 => boxed().prop_map(Value::List),
            1 => boxed().prop_map(Value::First),
            4 => (0..FUNCTIONS, [inner.clone(), inner])
                .prop_map(|(of, passed)| Value::Call(of, Box::new(passed))),
        ]
    })
}

fn functions() -> impl Strategy<Value = Vec<Function>> {
    let statement = prop_oneof![
        2 => value().prop_map(Statement::Return),
        2 => value().prop_map(Statement::ReturnIf),
        1 => value().prop_map(Statement::Assign),
        1 => value().prop_map(Statement::Keep),
        1 => value().prop_map(Statement::Share),
    ];
    let function = prop::collection::vec(statement, 1..4);
    prop::collection::vec(function, FUNCTIONS)
}

/// A language that the programs are printed in.
struct Language {
    file: &'static str,
    new: &'static str,
    this: &'static str,
    comment: &'static str,
}

const PYTHON: Language = Language {
    file: "a.py",
    new: "",
    this: "self",
    comment: "#",
};
const JAVASCRIPT: Language = Language {
    file: "a.js",
    new: "new ",
    this: "this",
    comment: "//",
};

impl Language {
    fn is_python(&self) -> bool {
        self.this == PYTHON.this
    }

    fn value(&self, value: &Value) -> String {
        let (new, this) = (self.new, self.this);
        match value {
            Value::Parameter(number) => ["a", "b"][*number].to_owned(),
            Value::Variable => "x".to_owned(),
            Value::Cart => format!("{new}Cart()"),
            Value::Kept => format!("{this}.kept"),
            Value::Shared => "shared".to_owned(),
            Value::Box(inner) => format!("{new}Box({})", self.value(inner)),
            Value::List(inner) => format!("[{}]", self.value(inner)),
            Value::First(inner) => format!("{}[0]", self.value(inner)),
            Value::Call(of, passed) => {
                let [one, other] = passed.each_ref().map(|value| self.value(value));
                format!("{}({one}, {other})", self.callee(*of))
            }
        }
    }

    fn callee(&self, of: usize) -> String {
        if of < FUNCTIONS / 2 {
            format!("f{of}")
        } else {
            format!("{}Box(a).f{of}", self.new)
        }
    }

    fn statement(&self, statement: &Statement) -> String {
        let let_ = if self.is_python() { "" } else { "var " };
        match statement {
            Statement::Return(value) => format!("return {}", self.value(value)),
            Statement::ReturnIf(value) if self.is_python() => {
                format!("if b: return {}", self.value(value))
            }
            Statement::ReturnIf(value) => format!("if (b) return {}", self.value(value)),
            Statement::Assign(value) => format!("{let_}x = {}", self.value(value)),
            Statement::Keep(value) => format!("{}.kept = {}", self.this, self.value(value)),
            Statement::Share(value) => {
                let declared = if self.is_python() {
                    "global shared; "
                } else {
                    ""
                };
                format!("{declared}shared = {}", self.value(value))
            }
        }
    }

    fn function(&self, number: usize, function: &Function, is_method: bool) -> String {
        let body = function.iter().map(|statement| self.statement(statement));
        let body: Vec<String> = body.collect();
        match (self.is_python(), is_method) {
            (true, false) => {
                format!("def f{number}(a, b):\n    {}\n", body.join("\n    "))
            }
            (true, true) => format!(
                "    def f{number}(self, a, b):\n        {}\n",
                body.join("\n        ")
            ),
            (false, false) => format!("function f{number}(a, b) {{ {} }}\n", body.join("; ")),
            (false, true) => format!("  f{number}(a, b) {{ {} }}\n", body.join("; ")),
        }
    }

    /// Prints a program. Functions may stand in reverse order.
    fn print(&self, functions: &[Function], is_reversed: bool) -> String {
        let (new, comment) = (self.new, self.comment);
        let printed = |numbers: Range<usize>, is_method| {
            let printed =
                numbers.map(|number| self.function(number, &functions[number], is_method));
            let mut printed: Vec<String> = printed.collect();
            if is_reversed {
                printed.reverse();
            }
            printed.concat()
        };
        let methods = printed(FUNCTIONS / 2..FUNCTIONS, true);
        let functions = printed(0..FUNCTIONS / 2, false);
        let calls = (0..FUNCTIONS).map(|number| {
            let callee = self.callee(number).replace("(a)", "(0)");
            format!("{callee}({new}Cart(), 1).total() {comment} {number}\n")
        });
        let calls: String = calls.collect();
        let shared = if self.is_python() {
            "shared = None"
        } else {
            "let shared"
        };
        let (start, end) = if self.is_python() {
            let cart = "class Cart:\n    def total(self): ...\n";
            let box_ = "class Box:\n    def __init__(self, kept):\n        self.kept = kept\n";
            (format!("{cart}{box_}"), "")
        } else {
            let cart = "class Cart { total() {} }\n";
            let box_ = "class Box {\n  constructor(kept) { this.kept = kept }\n";
            (format!("{cart}{box_}"), "}\n")
        };
        format!("{shared}\n{start}{methods}{end}{functions}{calls}shared.total()\n")
    }

    /// Returns the lines that call `Cart.total`, and whether each is resolved.
    fn calls_of_total(host: &MemoryHost) -> BTreeSet<(u32, Option<Resolution>)> {
        let found = ask(host, "a.Cart.total");
        assert_eq!(found.meta.error_code, None, "{}", shown(host));
        let calls = found.items.iter().map(|row| (row.line, row.resolution));
        calls.collect()
    }

    fn check(&self, functions: &[Function]) {
        let text = self.print(functions, false);
        let host = MemoryHost {
            head: Some("a".repeat(40)),
            ..MemoryHost::new(&[(self.file, &text)])
        };
        let live = Self::calls_of_total(&host);
        let reversed = MemoryHost::new(&[(self.file, &self.print(functions, true))]);
        assert_eq!(Self::calls_of_total(&reversed), live, "{}", shown(&host));
        let options = BuildOptions::default();
        run(build_graph(&host, &settings(), &options, "test"));
        assert_eq!(Self::calls_of_total(&host), live, "{}", shown(&host));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn values_of_python_are_followed_to_an_end(functions in functions()) {
        PYTHON.check(&functions);
    }

    #[test]
    fn values_of_javascript_are_followed_to_an_end(functions in functions()) {
        JAVASCRIPT.check(&functions);
    }
}
