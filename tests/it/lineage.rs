//! Lineage: upstream and downstream, over several steps.

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use ragnav::base::argument::Count;
use ragnav::base::error::ErrorCode;
use ragnav::base::item::{Direction, Resolution};
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::lineage::LineageResult;
use ragnav::query::lineage::{LineageOptions, direction, lineage};

fn ask(host: &MemoryHost, symbol: &str, word: &str, depth: u32) -> LineageResult {
    let options = LineageOptions {
        depth: Count::new(depth),
        ..LineageOptions::default()
    };
    run(lineage(host, &settings(), symbol, word, &options))
}

fn rows(result: &LineageResult) -> Vec<String> {
    let items = result.items.iter();
    items
        .map(|step| {
            let via: Vec<&str> = step
                .via
                .iter()
                .map(ragnav::base::symbol_id::SymbolId::dotted)
                .collect();
            let (file, line) = (&step.item.file, step.item.line);
            let edge = format!("{:?}", step.edge).to_lowercase();
            let doubt = match step.item.resolution {
                Some(Resolution::Candidate) => "?",
                _ => "",
            };
            let via = via.join(" > ");
            format!("{file}:{line} {} {edge}{doubt} {via}", step.depth)
        })
        .collect()
}

#[track_caller]
fn check(files: &[(&str, &str)], symbol: &str, word: &str, depth: u32, expected: &[&str]) {
    let host = MemoryHost::new(files);
    let live = ask(&host, symbol, word, depth);
    assert_eq!(live.meta.error_code, None, "{:?}", live.meta.message);
    assert_eq!(rows(&live), expected, "live");
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "test",
    ));
    assert_eq!(rows(&ask(&host, symbol, word, depth)), expected, "indexed");
}

const CHAIN: [(&str, &str); 3] = [
    ("a.py", "def base(): pass\n"),
    ("b.py", "from a import base\ndef middle():\n    base()\n"),
    (
        "c.py",
        "from b import middle\ndef top():\n    middle()\ntop()\n",
    ),
];

#[test]
fn a_call_of_several_functions_has_a_row_for_each() {
    check(
        &[(
            "a.py",
            "def a(): pass\ndef b(): pass\ndef top(c):\n    f = a if c else b\n    f()\n",
        )],
        "top",
        "downstream",
        1,
        &["a.py:5 1 calls a.a", "a.py:5 1 calls a.b"],
    );
}

#[test]
fn callers_and_importers_are_upstream() {
    check(
        &CHAIN,
        "base",
        "upstream",
        1,
        &["b.py:1 1 imports ", "b.py:3 1 calls b.middle"],
    );
    check(
        &CHAIN,
        "base",
        "callers",
        3,
        &[
            "b.py:1 1 imports ",
            "b.py:3 1 calls b.middle",
            "c.py:1 2 imports b.middle",
            "c.py:3 2 calls b.middle > c.top",
            "c.py:4 3 calls b.middle > c.top",
        ],
    );
}

#[test]
fn callees_and_bases_are_downstream() {
    check(
        &CHAIN,
        "top",
        " Callees ",
        2,
        &[
            "b.py:3 2 calls b.middle > a.base",
            "c.py:3 1 calls b.middle",
        ],
    );
    check(
        &[(
            "a.py",
            "class A: pass\nclass B(A):\n    x = A()\n    def m(self):\n        print()\n",
        )],
        "B",
        "downstream",
        1,
        &["a.py:2 1 extends a.A", "a.py:3 1 calls a.A"],
    );
}

#[test]
fn a_call_of_a_class_leads_to_its_constructor() {
    let files = [(
        "a.py",
        "class A:\n    \
         def __init__(self): helper()\n\
         def helper(): pass\n\
         def make():\n    \
         return A()\n",
    )];
    check(
        &files,
        "make",
        "downstream",
        2,
        &[
            "a.py:2 2 calls a.A.__init__ > a.helper",
            "a.py:5 1 calls a.A",
        ],
    );
    check(
        &files,
        "helper",
        "upstream",
        2,
        &[
            "a.py:2 1 calls a.A.__init__",
            "a.py:5 2 calls a.A.__init__ > a.make",
        ],
    );
    check(&files, "A", "upstream", 1, &["a.py:5 1 calls a.make"]);
}

#[test]
fn a_rare_name_of_an_unknown_receiver_is_a_candidate() {
    let six: String = (0..6)
        .map(|at| format!("class C{at}:\n    def often(self): pass\n"))
        .collect();
    check(
        &[
            (
                "a.py",
                "class A:\n    def rare(self): inner()\ndef inner(): pass\n",
            ),
            (
                "b.py",
                "def f(x):\n    x.rare()\n    x.often()\n    x.missing()\n",
            ),
            ("c.py", &six),
        ],
        "f",
        "downstream",
        3,
        &["b.py:2 1 calls? a.A.rare"],
    );
}

#[test]
fn modules_and_components_have_a_lineage() {
    let files = [
        (
            "a.ts",
            "export abstract class Base { run() { this.step(); } abstract step(): void }\n",
        ),
        (
            "b.ts",
            "import { Base } from './a';\n\
             export class Job extends Base { step() { log(); } }\n\
             const log = () => {};\n\
             export default function start() { new Job().run(); }\n",
        ),
        (
            "c.jsx",
            "import begin from './b';\n\
             export const App = () => <Page on={begin()}/>;\n\
             function Page() {}\n",
        ),
    ];
    check(
        &files,
        "Base.run",
        "upstream",
        3,
        &[
            "b.ts:4 1 calls b.start",
            "c.jsx:1 2 imports b.start",
            "c.jsx:2 2 calls b.start > c.App",
        ],
    );
    check(
        &files,
        "App",
        "downstream",
        2,
        &[
            "b.ts:4 2 calls b.start > b.Job",
            "b.ts:4 2 calls b.start > a.Base.run",
            "c.jsx:2 1 calls c.Page",
            "c.jsx:2 1 calls b.start",
        ],
    );
    check(
        &files,
        "Base",
        "upstream",
        2,
        &[
            "b.ts:1 1 imports ",
            "b.ts:2 1 extends b.Job",
            "b.ts:4 2 calls b.Job > b.start",
        ],
    );
}

#[test]
fn definitions_on_one_line_are_distinct() {
    let files = [(
        "a.js",
        "function a(){b()} function b(){} function c(){d()} function d(){}\n\
         class A { m() { b(); } n() { d(); } } class B extends A {} class C extends B {}\n\
         export const api = { x: () => b(), y: () => d() };\n",
    )];
    check(&files, "a.a", "downstream", 1, &["a.js:1 1 calls a.b"]);
    check(&files, "A.m", "downstream", 1, &["a.js:2 1 calls a.b"]);
    check(&files, "api.x", "downstream", 1, &["a.js:3 1 calls a.b"]);
    check(&files, "a.B", "downstream", 1, &["a.js:2 1 extends a.A"]);
}

#[test]
fn code_after_a_definition_on_its_last_line_is_outside_of_it() {
    let files = [
        ("é.js", "function c() { return 'é' } c();\n"),
        ("r.rs", "fn t() -> i32 {\n    1\n} const K: i32 = t();\n"),
        (
            "s.js",
            "if (x) { function h() {} h(); }\nfunction k() { h2() } function h2() {}\n",
        ),
    ];
    check(&files, "c", "upstream", 1, &["é.js:1 1 calls "]);
    check(&files, "t", "upstream", 1, &["r.rs:3 1 calls "]);
    check(&files, "h", "upstream", 1, &["s.js:1 1 calls "]);
    check(&files, "h2", "upstream", 1, &["s.js:2 1 calls s.k"]);
}

#[test]
fn cycles_end() {
    check(
        &[("a.py", "def f():\n    g()\ndef g():\n    f()\n")],
        "f",
        "downstream",
        9,
        &["a.py:2 1 calls a.g", "a.py:4 2 calls a.g > a.f"],
    );
}

#[test]
fn directions_are_parsed_and_invalid_ones_are_refused() {
    for (word, expected) in [
        ("upstream", Direction::Upstream),
        (" Callers", Direction::Upstream),
        ("DOWNSTREAM ", Direction::Downstream),
        ("callees", Direction::Downstream),
    ] {
        assert_eq!(direction(word), Ok(expected));
    }
    let refused = ask(&MemoryHost::new(&CHAIN), "base", "sideways", 1);
    assert_eq!(
        refused.meta.error_code,
        Some(ErrorCode::InvalidArgument.into())
    );
}

#[test]
fn a_stub_declares_what_its_module_defines() {
    let files = [
        (
            "shop/cart.py",
            "class Cart:\n    def total(self): return 1\n\ndef make(): return Cart()\n",
        ),
        (
            "shop/cart.pyi",
            "class Cart:\n    def total(self) -> int: ...\n\ndef make() -> Cart: ...\n",
        ),
        ("shop-stubs/cart.pyi", "def make(): ...\n"),
        ("other/cart.pyi", "def make(): ...\n"),
    ];
    check(
        &files,
        "shop/cart.py:4:5",
        "upstream",
        1,
        &[
            "shop-stubs/cart.pyi:1 1 declares shop-stubs.cart.make",
            "shop/cart.pyi:4 1 declares shop.cart.make",
        ],
    );
    check(
        &files,
        "shop/cart.py:2:9",
        "upstream",
        1,
        &["shop/cart.pyi:2 1 declares shop.cart.Cart.total"],
    );
    check(
        &files,
        "shop/cart.pyi:2:9",
        "downstream",
        1,
        &["shop/cart.pyi:2 1 declares shop.cart.Cart.total"],
    );
    // A definition declares nothing.
    check(&files, "shop/cart.py:2:9", "downstream", 1, &[]);
}

#[test]
fn callers_of_a_declaration_follow_its_definition() {
    let files = [
        (
            "lib/add.js",
            "export function add(a, b) { return a + b; }\n",
        ),
        (
            "lib/add.d.ts",
            "export function add(a: number, b: number): number;\n",
        ),
        (
            "app.ts",
            "import { add } from \"./lib/add.js\";\nexport function main() { return add(1, 2); }\n",
        ),
    ];
    check(
        &files,
        "lib/add.js:1:17",
        "upstream",
        2,
        &[
            "app.ts:1 2 imports lib.add%2Ed.add",
            "app.ts:2 2 calls lib.add%2Ed.add > app.main",
            "lib/add.d.ts:1 1 declares lib.add%2Ed.add",
        ],
    );
    check(
        &files,
        "lib/add.d.ts:1:17",
        "downstream",
        1,
        &["lib/add.d.ts:1 1 declares lib.add.add"],
    );
}

#[test]
fn the_types_of_a_package_declare_its_main_file() {
    let files = [
        (
            "package.json",
            "{\"name\": \"add\", \"main\": \"./src/main\", \"types\": \"types/index.d.ts\"}",
        ),
        (
            "src/main.js",
            "exports.add = function add(a, b) { return a + b; };\n",
        ),
        (
            "types/index.d.ts",
            "export function add(a: number, b: number): number;\n",
        ),
    ];
    check(
        &files,
        "types/index.d.ts:1:17",
        "downstream",
        1,
        &["types/index.d.ts:1 1 declares src.main.add"],
    );
}

#[test]
fn a_header_declares_what_rust_exports() {
    let files = [
        (
            "src/lib.rs",
            "#[no_mangle]\npub extern \"C\" fn add(a: i32) -> i32 { a }\n\
             #[unsafe(export_name = \"sub_it\")]\npub unsafe extern \"C\" fn sub() {}\n\
             pub extern \"C\" fn mangled() {}\n\
             unsafe extern \"C\" {\n    fn twice(a: i32) -> i32;\n    fn helper();\n}\n",
        ),
        (
            "include/add.h",
            "int add(int a);\nvoid sub_it(void);\nvoid mangled(void);\nint twice(int a);\n",
        ),
        (
            "src/twice.c",
            "int twice(int a) { return 2 * a; }\nstatic void helper(void) {}\n",
        ),
    ];
    check(
        &files,
        "src/lib.rs:2:19",
        "upstream",
        1,
        &["include/add.h:1 1 declares "],
    );
    check(
        &files,
        "src/lib.rs:4:26",
        "upstream",
        1,
        &["include/add.h:2 1 declares "],
    );
    check(&files, "src/lib.rs:5:19", "upstream", 1, &[]);
    check(
        &files,
        "src/twice.c:1:5",
        "upstream",
        1,
        &["src/lib.rs:7 1 declares src.lib.twice"],
    );
    check(
        &files,
        "src/lib.rs:7:8",
        "downstream",
        1,
        &["src/lib.rs:7 1 declares src.twice.twice"],
    );
    check(&files, "src/lib.rs:8:8", "downstream", 1, &[]);
}

#[test]
fn a_cursor_belongs_to_the_same_question_about_modules() {
    let host = MemoryHost::new(&[
        ("a.py", "def total(): pass\ntotal()\n"),
        ("b.py", "import a\na.total()\n"),
    ]);
    let mut options = LineageOptions {
        limit: Count::new(1),
        ..LineageOptions::default()
    };
    let ask =
        |options: &LineageOptions| run(lineage(&host, &settings(), "total", "upstream", options));
    options.cursor = ask(&options).cursor;
    assert_eq!(ask(&options).meta.error_code, None);
    options.include_module = Some(true);
    let other = ask(&options).meta;
    assert_eq!(other.error_code, Some(ErrorCode::InvalidArgument.into()));
    assert!(other.message.unwrap().contains("another query"));
}

#[test]
fn interfaces_and_enums_do_not_depend_on_what_their_methods_call() {
    let java = "interface Rate {
    int of(int a);
    default int twice(int a) { return Rates.all(a); }
}
enum Fixed implements Rate {
    HIGH;
    public int of(int a) { return Rates.all(a); }
}
class Rates {
    static int all(int a) { return a; }
}
";
    let files = [("Rates.java", java)];
    check(&files, "Rates.Rate", "downstream", 1, &[]);
    check(
        &files,
        "Rates.Fixed",
        "downstream",
        1,
        &["Rates.java:5 1 extends Rates.Rate"],
    );
    check(
        &files,
        "Rate.twice",
        "downstream",
        1,
        &["Rates.java:3 1 calls Rates.Rates.all"],
    );
}
