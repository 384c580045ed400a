//! `where_used` of functions that flow through files with many values, objects of nameless
//! functions, and decorators in variables.

use crate::where_used::check;

/// A test file of JavaScript with so many cases, whose callbacks any function may get.
fn cases(count: usize) -> String {
    let case = |number| {
        format!(
            "  it(\"t{number}\", (done) => {{ const run = setup(0); \
             run((err, res) => {{ done(err); }}); }});\n"
        )
    };
    let cases: String = (0..count).map(case).collect();
    format!(
        "function same(z) {{ if (z) return z; return z; }}\n\
         function g() {{}}\n\
         function first(q) {{ const h = q; h(); }}\n\
         first(g);\n\
         function last(q) {{ const h = q; h(); }}\n\
         last(g);\n\
         describe(\"x\", (done) => {{\n{cases}}});\n"
    )
}

#[test]
fn many_callbacks_hide_no_rows() {
    for count in [60, 500] {
        check(
            &[("a.js", &cases(count))],
            "a.g",
            &[
                "a.js:3:30 reference",
                "a.js:3:33 call",
                "a.js:4:6 reference",
                "a.js:5:29 reference",
                "a.js:5:32 call",
                "a.js:6:5 reference",
            ],
        );
    }
}

#[test]
fn a_function_in_an_object_of_a_nameless_function_may_be_called_elsewhere() {
    let maker = "const lib = (function () {\n  \
                 function make() { return f; }\n  \
                 function f() {}\n  \
                 return { make };\n\
                 })();\n\
                 module.exports = lib;\n";
    let user = "const { make } = require(\"./u\");\nconst h = make();\nh();\n";
    check(
        &[("u.js", maker), ("b.js", user)],
        "u.f",
        &["b.js:3:0 call", "u.js:2:27 reference"],
    );
}

#[test]
fn a_decorator_in_a_variable_may_be_a_function_of_the_file() {
    let module = "from lib import get\n\
                  def own(fn):\n  \
                  q = fn\n  \
                  q()\n  \
                  return q\n\
                  d = get()\n\
                  @d\n\
                  def f(): pass\n";
    let library = "import m\ndef get(): return m.own\n";
    check(
        &[("m.py", module), ("lib.py", library)],
        "m.f",
        &["m.py:3:6 reference", "m.py:4:2 call", "m.py:5:9 reference"],
    );
}
