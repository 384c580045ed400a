//! `where_used`: references through imports, aliases, classes and inheritance.

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use ragnav::base::argument::Count;
use ragnav::base::item::{ItemKind, NavItem, Resolution};
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::where_used::WhereUsedResult;
use ragnav::query::where_used::{Confidence, WhereUsedOptions, where_used};

pub fn ask(host: &MemoryHost, symbol: &str) -> WhereUsedResult {
    run(where_used(
        host,
        &settings(),
        symbol,
        &WhereUsedOptions::default(),
    ))
}

pub fn rows(result: &WhereUsedResult) -> Vec<String> {
    let kind = |kind| match kind {
        ItemKind::Call => "call",
        ItemKind::Import => "import",
        ItemKind::Inherit => "inherit",
        ItemKind::Reference => "reference",
        ItemKind::Text => "text",
        ItemKind::Definition => "definition",
    };
    let items = result.items.iter();
    items
        .map(|item| {
            let doubt = match item.resolution {
                Some(Resolution::Candidate) => "?",
                _ => "",
            };
            let (file, line) = (&item.file, item.line);
            format!(
                "{file}:{line}:{} {}{doubt}",
                item.start_utf16,
                kind(item.kind)
            )
        })
        .collect()
}

/// Runs a query without and with an index, and asserts equal rows.
#[track_caller]
pub fn check(files: &[(&str, &str)], symbol: &str, expected: &[&str]) {
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::new(files)
    };
    let live = ask(&host, symbol);
    assert_eq!(live.meta.error_code, None, "{:?}", live.meta.message);
    assert!(!live.truncated, "a limit was exceeded");
    assert_eq!(rows(&live), expected, "live, {:?}", live.head.definitions);
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "test",
    ));
    let indexed = ask(&host, symbol);
    assert_eq!(indexed.meta.message, None);
    assert_eq!(rows(&indexed), expected, "indexed");
}

/// Returns the rows of the calls `.total()` and `->total()` in some texts. In a line that ends in `?` the call is
/// only known by name, and in one that ends in `-` it is none of the method that is asked for.
pub fn rows_of_totals(files: &[(&str, &str)]) -> Vec<String> {
    let mut resolved = Vec::new();
    let mut candidates = Vec::new();
    for (path, text) in files {
        for (line, number) in text.lines().zip(1..) {
            let calls = line.match_indices("total()").map(|(at, _)| at);
            for at in calls.filter(|at| line[..*at].ends_with(['.', '>'])) {
                let row = format!("{path}:{number}:{at} call");
                if line.ends_with(" ?") {
                    candidates.push(format!("{row}?"));
                } else if !line.ends_with(" -") {
                    resolved.push(row);
                }
            }
        }
    }
    resolved.extend(candidates);
    resolved
}

#[test]
fn names_are_followed_through_imports() {
    check(
        &[
            ("a.py", "def f(): pass\nf()\n"),
            ("b.py", "from a import f\nf()\n"),
            ("c.py", "import a\na.f()\n"),
            ("d.py", "from a import f as g\ng()\n"),
            ("e.py", "import a as x\nx.f\n"),
            ("f.py", "def f(): pass\nf()\n"),
            ("g.py", "from a import *\nf()\n"),
        ],
        "a.f",
        &[
            "a.py:2:0 call",
            "b.py:1:14 import",
            "b.py:2:0 call",
            "c.py:2:2 call",
            "d.py:1:14 import",
            "d.py:2:0 call",
            "e.py:2:2 reference",
            "g.py:2:0 call",
        ],
    );
}

#[test]
fn packages_reexport_names() {
    check(
        &[
            (
                "p/__init__.py",
                "from .impl import f as public\nfrom . import impl\n",
            ),
            ("p/impl.py", "def f(): pass\n"),
            (
                "p/sub/x.py",
                "from ..impl import f\nfrom .. import impl\nimpl.f()\n",
            ),
            (
                "use.py",
                "import p\nfrom p import public\np.public()\npublic()\np.impl.f()\n",
            ),
            ("src/q/m.py", "def f(): pass\n"),
            ("src/q/use.py", "from q.m import f\nf()\n"),
        ],
        "p.impl.f",
        &[
            "p/__init__.py:1:18 import",
            "p/sub/x.py:1:19 import",
            "p/sub/x.py:3:5 call",
            "use.py:2:14 import",
            "use.py:3:2 call",
            "use.py:4:0 call",
            "use.py:5:7 call",
        ],
    );
}

#[test]
fn methods_are_found_through_instances_and_inheritance() {
    check(
        &[
            (
                "a.py",
                "class A:\n    \
                 def m(self): pass\n    \
                 def n(self):\n        \
                 self.m()\n    \
                 @classmethod\n    \
                 def c(cls):\n        \
                 cls.m\n\
                 class B(A):\n    \
                 def k(self):\n        \
                 self.m()\n        \
                 super().m()\n",
            ),
            (
                "b.py",
                "from a import A, B\n\
                 A().m()\n\
                 b = B()\n\
                 b.m()\n\
                 def f(x: A, y):\n    \
                 x.m()\n    \
                 y.m()\n\
                 def make() -> B: ...\n\
                 make().m()\n\
                 class C:\n    \
                 def __init__(self):\n        \
                 self.a = A()\n    \
                 def go(self):\n        \
                 self.a.m()\n",
            ),
        ],
        "A.m",
        &[
            "a.py:4:13 call",
            "a.py:7:12 reference",
            "a.py:10:13 call",
            "a.py:11:16 call",
            "b.py:2:4 call",
            "b.py:4:2 call",
            "b.py:6:6 call",
            "b.py:9:7 call",
            "b.py:14:15 call",
            "b.py:7:6 call?",
        ],
    );
}

#[test]
fn other_definitions_of_the_name_are_not_referenced() {
    check(
        &[
            (
                "a.py",
                "def f(): pass\n\
                 def g(f):\n    \
                 f()\n\
                 def h():\n    \
                 f = 1\n    \
                 f\n\
                 def i():\n    \
                 def f(): pass\n    \
                 f()\n\
                 [f for f in ()]\n",
            ),
            (
                "b.py",
                "class f: pass\nf()\nimport os\nos.f()\nfrom elsewhere import f\nf()\n",
            ),
        ],
        "a.f",
        &[],
    );
}

#[test]
fn classes_are_inherited_from_and_called() {
    check(
        &[
            ("a.py", "class A: pass\nA()\n"),
            ("b.py", "import a\nclass B(a.A): pass\nx: a.A = None\n"),
        ],
        "A",
        &["a.py:2:0 call", "b.py:2:10 inherit", "b.py:3:5 reference"],
    );
}

#[test]
fn confidence_leaves_candidates_out_and_an_unknown_symbol_is_no_error() {
    let host = MemoryHost::new(&[(
        "a.py",
        "class A:\n    def m(self): pass\ndef f(x):\n    x.m()\n",
    )]);
    assert_eq!(rows(&ask(&host, "A.m")), ["a.py:4:6 call?"]);
    let options = WhereUsedOptions {
        confidence: Some(Confidence::Resolved),
        ..WhereUsedOptions::default()
    };
    assert!(
        run(where_used(&host, &settings(), "A.m", &options))
            .items
            .is_empty()
    );
    let nothing = ask(&host, "nobody");
    assert!(nothing.items.is_empty() && nothing.head.definitions.is_empty());
    assert_eq!(nothing.meta.error_code, None);
}

#[test]
fn pages_together_are_the_whole() {
    let calls = "f()\n".repeat(7);
    let host = MemoryHost::new(&[("a.py", &format!("def f(): pass\n{calls}"))]);
    let mut options = WhereUsedOptions {
        limit: Count::new(3),
        ..WhereUsedOptions::default()
    };
    let mut lines = Vec::new();
    loop {
        let page = run(where_used(&host, &settings(), "f", &options));
        assert_eq!(page.total, Some(7));
        lines.extend(page.items.iter().map(|item| item.line));
        assert_eq!(page.truncated, page.cursor.is_some());
        let Some(cursor) = page.cursor else { break };
        options.cursor = Some(cursor);
    }
    assert_eq!(lines, (2..=8).collect::<Vec<_>>());
}

#[test]
fn a_module_with_the_name_of_another_one_is_imported_by_it() {
    check(
        &[
            (
                "os.py",
                "import sys\n\
                 if sys.x:\n    \
                 import posixpath as path\n\
                 else:\n    \
                 import ntpath as path\n",
            ),
            ("posixpath.py", "def join(): pass\n"),
            ("ntpath.py", "def join(): pass\n"),
            ("a.py", "from os.path import join\njoin()\n"),
            ("b.py", "import os.path\nos.path.join()\n"),
            ("c.py", "import os.path as p\np.join()\n"),
            ("d.py", "from os.path import *\njoin()\n"),
        ],
        "posixpath.join",
        &[
            "a.py:1:20 import",
            "a.py:2:0 call",
            "b.py:2:8 call",
            "c.py:2:2 call",
            "d.py:2:0 call",
        ],
    );
}

const SHAPES: &str =
    "class A:\n    def m(self): return self\n    @property\n    def p(self): return A()\n";

#[test]
fn names_in_quoted_annotations_are_references() {
    check(
        &[(
            "a.py",
            "from typing import cast, Dict, Literal, Annotated\n\
             class A: pass\n\
             def f(x: 'A', y: list['A | None']) -> \"dict[str, A]\": pass\n\
             B = Dict['A', int]\n\
             z: Literal['A'] = 'A'\n\
             cast('A', z)\n\
             w: 'an A'\n\
             v: Annotated['A', 'A']\n",
        )],
        "a.A",
        &[
            "a.py:3:10 reference",
            "a.py:3:23 reference",
            "a.py:3:49 reference",
            "a.py:4:10 reference",
            "a.py:6:6 reference",
            "a.py:8:14 reference",
        ],
    );
}

#[test]
fn chains_of_calls_are_followed() {
    check(
        &[
            ("a.py", SHAPES),
            (
                "b.py",
                "from a import A\n\
                 def make(): return A()\n\
                 make().m().m()\n\
                 A().p.m().p.m\n\
                 make\\\n  \
                 ().m\n\
                 x = make().p\n\
                 x.m()\n\
                 A().m(1)(2).m()\n",
            ),
        ],
        "A.m",
        &[
            "b.py:3:7 call",
            "b.py:3:11 call",
            "b.py:4:6 call",
            "b.py:4:12 reference",
            "b.py:6:5 reference",
            "b.py:8:2 call",
            "b.py:9:4 call",
            "b.py:9:12 call?",
        ],
    );
}

#[test]
fn what_functions_return_is_inferred() {
    check(
        &[
            ("a.py", SHAPES),
            (
                "b.py",
                "from a import A\n\
                 def f(c):\n    \
                 if c: return None\n    \
                 return A() if c else c\n\
                 def g(): return f(1)\n\
                 async def h(): return A()\n\
                 def i() -> str: return A()\n\
                 f(1).m()\n\
                 g().m()\n\
                 (await h()).m()\n\
                 i().m()\n",
            ),
        ],
        "A.m",
        &["b.py:8:5 call", "b.py:9:4 call", "b.py:10:12 call"],
    );
}

#[test]
fn elements_of_annotated_values_have_types() {
    check(
        &[
            ("a.py", SHAPES),
            (
                "b.py",
                "from a import A\n\
                 from typing import Iterator\n\
                 class Box:\n    \
                 def __iter__(self) -> Iterator[A]: ...\n    \
                 def __getitem__(self, at) -> A: ...\n\
                 def f(xs: list[A], ys: 'dict[str, A]', box: Box):\n    \
                 for x in xs: x.m()\n    \
                 [x.m() for x in box]\n    \
                 xs[0].m()\n    \
                 ys['a'].m()\n    \
                 for y in ys.values(): y.m()\n    \
                 for k in ys: k.m()\n    \
                 box[1].m()\n    \
                 xs[1:].m()\n    \
                 xs.m()\n",
            ),
        ],
        "A.m",
        &[
            "b.py:7:19 call",
            "b.py:8:7 call",
            "b.py:9:10 call",
            "b.py:10:12 call",
            "b.py:11:28 call",
            "b.py:13:11 call",
            "b.py:12:19 call?",
        ],
    );
}

#[test]
fn either_side_of_a_conditional_may_be_the_value() {
    check(
        &[
            ("a.py", SHAPES),
            (
                "b.py",
                "from a import A\n\
                 class C:\n    \
                 def __init__(self, a):\n        \
                 self.a = a or A()\n    \
                 def n(self): self.a.m()\n\
                 def f(b):\n    \
                 c = A() if b else None\n    \
                 c.m()\n    \
                 with A() as d: d.m()\n",
            ),
        ],
        "A.m",
        &["b.py:5:24 call", "b.py:8:6 call", "b.py:9:21 call"],
    );
}

#[test]
fn assigning_to_an_attribute_refers_to_the_replaced_definition() {
    check(
        &[(
            "a.py",
            "class A:\n    \
             @property\n    \
             def p(self) -> int: ...\n    \
             @p.setter\n    \
             def p(self, value): ...\n    \
             def n(self):\n        \
             self.p = 1\n        \
             p = self.p\n        \
             p\n\
             def f(a: A):\n    \
             a.p = 2\n    \
             a.p += 2\n",
        )],
        "A.p",
        &[
            "a.py:4:5 reference",
            "a.py:7:13 reference",
            "a.py:8:17 reference",
            "a.py:11:6 reference",
            "a.py:12:6 reference",
        ],
    );
}

#[test]
fn calls_of_a_class_run_its_constructor() {
    let files = [
        (
            "a.py",
            "class A:\n    \
             def __init__(self): pass\n\
             class B(A): pass\n\
             class C(A):\n    \
             def __init__(self):\n        \
             super().__init__()\n\
             A()\n\
             B()\n\
             C()\n",
        ),
        ("b.py", "from a import B as D\nclass E(D): pass\nE()\nD()\n"),
    ];
    check(
        &files,
        "A.__init__",
        &[
            "a.py:6:16 call",
            "a.py:7:0 call",
            "a.py:8:0 call",
            "b.py:3:0 call",
            "b.py:4:0 call",
        ],
    );
    check(&files, "C.__init__", &["a.py:9:0 call"]);
}

#[test]
fn a_method_that_overrides_another_may_run_in_its_place() {
    let files = [(
        "a.py",
        "class A:\n    \
         def m(self): pass\n    \
         def n(self): self.m()\n\
         class B(A): pass\n\
         class C(B):\n    \
         def m(self): super().m()\n\
         def f(a: A, c: C):\n    \
         a.m()\n    \
         c.m()\n    \
         A.m(c)\n",
    )];
    check(
        &files,
        "A.m",
        &[
            "a.py:3:22 call",
            "a.py:6:25 call",
            "a.py:8:6 call",
            "a.py:10:6 call",
        ],
    );
    check(
        &files,
        "C.m",
        &["a.py:9:6 call", "a.py:3:22 call?", "a.py:8:6 call?"],
    );
}

#[test]
fn the_type_of_a_type_variable_is_unknown() {
    check(
        &[
            ("a.py", SHAPES),
            (
                "b.py",
                "from typing import TypeVar\n\
                 T = TypeVar('T')\n\
                 def f(x: T) -> T:\n    \
                 x.m()\n\
                 f(1).m()\n",
            ),
        ],
        "A.m",
        &["b.py:4:6 call?", "b.py:5:5 call?"],
    );
}

/// Prints the steps of each resolved row as `line: kind name file:line, …`.
fn steps(files: &[(&str, &str)], symbol: &str) -> Vec<String> {
    let host = MemoryHost::new(files);
    let options = WhereUsedOptions {
        explain: Some(true),
        ..WhereUsedOptions::default()
    };
    let answer = run(where_used(&host, &settings(), symbol, &options));
    let row = |row: &NavItem| {
        let steps = row.steps.iter().flatten().map(|step| {
            let kind = serde_json::to_value(step.kind).unwrap();
            let kind = kind.as_str().unwrap();
            format!("{kind} {} {}:{}", step.name, step.file, step.line)
        });
        let steps: Vec<String> = steps.collect();
        format!("{}:{} {}", row.file, row.line, steps.join(", "))
    };
    answer.items.iter().map(row).collect()
}

#[test]
fn a_resolved_row_says_how_its_name_leads_to_the_symbol() {
    let python = [
        (
            "cart.py",
            "class Base:\n    def total(self): pass\nclass Cart(Base): pass\ndef make() -> Cart: ...\ndef build():\n    return Cart()\n",
        ),
        ("shop.py", "from cart import Cart as Basket, make\n"),
        (
            "pay.py",
            "from shop import Basket, make\nimport cart\n\ndef pay(one: Basket, two):\n    one.total()\n    two.total()\n\npay(None, cart.build())\nbasket = Basket()\nbasket.total()\nmake().total()\n",
        ),
    ];
    assert_eq!(
        steps(&python, "Base.total"),
        [
            "pay.py:5 typed_by one pay.py:4, imported_as Basket pay.py:1, \
             imported_as Basket shop.py:1, inherited_by Cart cart.py:3",
            "pay.py:6 passed_to pay pay.py:8, imported_as cart pay.py:2, \
             returned_by build cart.py:5, inherited_by Cart cart.py:3",
            "pay.py:10 assigned_to basket pay.py:9, imported_as Basket pay.py:1, \
             imported_as Basket shop.py:1, inherited_by Cart cart.py:3",
            "pay.py:11 imported_as make pay.py:1, imported_as make shop.py:1, \
             returned_by make cart.py:4, inherited_by Cart cart.py:3",
        ]
    );
    let several = [
        ("base.py", "class Base:\n    def total(self): pass\n"),
        (
            "cart.py",
            "from base import Base\nclass Cart(Base): pass\nclass Other:\n    def total(self): pass\n",
        ),
        (
            "pay.py",
            "from cart import Cart, Other\nif now:\n    cart = Cart()\nelse:\n    cart = Other()\ncart.total()\n",
        ),
    ];
    assert_eq!(
        steps(&several, "Base.total"),
        [
            "pay.py:6 assigned_to cart pay.py:3, imported_as Cart pay.py:1, \
             assigned_to cart pay.py:5, imported_as Other pay.py:1, \
             inherited_by Cart cart.py:2, imported_as Base cart.py:1"
        ]
    );
    let typescript = [
        (
            "cart.ts",
            "export class Cart { total() {} }\nexport default () => new Cart();\n",
        ),
        (
            "pay.ts",
            "import { Cart } from './cart';\nfunction pay(cart: Cart, other: any) {\n  cart.total();\n  other.total();\n}\n",
        ),
    ];
    assert_eq!(
        steps(&typescript, "Cart.total"),
        [
            "pay.ts:3 typed_by cart pay.ts:2, imported_as Cart pay.ts:1",
            // A candidate has no steps.
            "pay.ts:4 ",
        ]
    );
}

#[test]
fn a_root_may_be_above_folders_that_are_packages_without_saying_so() {
    let files = [
        ("services/a/shop/prices.py", "def price(): pass\n"),
        (
            "services/a/shop/cart.py",
            "from shop.prices import price\nprice()\n",
        ),
        (
            "services/a/main.py",
            "from shop.prices import price\nprice()\n",
        ),
        ("services/b/shop/prices.py", "def price(): pass\n"),
        (
            "services/b/shop/cart.py",
            "import shop.prices\nshop.prices.price()\n",
        ),
    ];
    let host = MemoryHost::new(&files);
    let resolved = |symbol: &str| {
        let items = ask(&host, symbol).items;
        let resolved = items
            .into_iter()
            .filter(|row| row.resolution == Some(Resolution::Resolved));
        let places = resolved.map(|row| format!("{}:{}", row.file, row.line));
        places.collect::<Vec<_>>()
    };
    assert_eq!(
        resolved("sym:services.a.shop.prices.price"),
        [
            "services/a/main.py:1",
            "services/a/main.py:2",
            "services/a/shop/cart.py:1",
            "services/a/shop/cart.py:2",
        ]
    );
    assert_eq!(
        resolved("sym:services.b.shop.prices.price"),
        ["services/b/shop/cart.py:2"]
    );
}

#[test]
fn a_bare_call_may_run_what_overrides_the_method() {
    check(
        &[(
            "A.java",
            "abstract class A { abstract void step(); void run() { step(); } static void go() {} }
class B extends A { void step() {} }
",
        )],
        "B.step",
        &["A.java:1:54 call?"],
    );
    check(
        &[(
            "a.cpp",
            "struct A { virtual void step() = 0; void run() { step(); A::step(); } };
struct B : A { void step() override {} };
",
        )],
        "B.step",
        &["a.cpp:1:49 call?"],
    );
    check(
        &[(
            "A.cs",
            "abstract class A { protected abstract void Step(); void Run() { Step(); } }
class B : A { protected override void Step() {} }
",
        )],
        "B.Step",
        &["A.cs:1:64 call?"],
    );
}

/// An asynchronous host pays a round trip for each request.
#[test]
fn files_are_read_in_batches() {
    let files: Vec<(String, String)> = (0..60)
        .map(|at| (format!("a{at:02}.py"), "from b import f\nf()\n".to_owned()))
        .collect();
    let mut named: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    named.push(("b.py", "def f(): pass\n"));
    let host = MemoryHost::new(&named);
    let check = || {
        host.requested.take();
        let answer = ask(&host, "b.f");
        assert_eq!(answer.items.len(), 50);
        let requested = host.requested.take();
        let reads = requested.iter().filter(|name| **name == "readMany");
        let count = reads.count();
        assert!(count > 0 && count < 20, "{count} requests");
    };
    check();
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "me",
    ));
    check();
}
