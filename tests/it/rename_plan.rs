//! `rename_plan`: the edits that give a symbol another name, and why a plan is refused.

use std::collections::BTreeMap;

use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::rename_plan::{
    CandidateRule, RefusalReason, RenamePlanOptions, RenamePlanResult, RenameRisk, rename_plan,
};
use ragnav_base::completeness::Completeness;
use ragnav_base::text_edit::edited_bytes;
use ragnav_index::content::ContentHash;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

type Files<'t> = &'t [(&'t str, &'t str)];

fn plan_with(
    files: Files,
    symbol: &str,
    new_name: &str,
    options: &RenamePlanOptions,
) -> RenamePlanResult {
    let host = MemoryHost::new(files);
    run(rename_plan(&host, &settings(), symbol, new_name, options))
}

fn plan(files: Files, symbol: &str, new_name: &str) -> RenamePlanResult {
    plan_with(files, symbol, new_name, &RenamePlanOptions::default())
}

/// Returns the files that a plan changes, as they are afterwards.
fn applied(files: Files, plan: &RenamePlanResult) -> BTreeMap<String, String> {
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    let after = plan.head.files.iter().map(|edited| {
        let before = files[edited.file.as_str()].as_bytes();
        assert_eq!(edited.hash, Some(ContentHash::of(before).to_hex()));
        let own = plan.items.iter().filter(|one| one.file == edited.file);
        let edits: Vec<_> = own.map(|one| one.edit.clone()).collect();
        let text = String::from_utf8(edited_bytes(before, &edits).unwrap()).unwrap();
        (
            edited
                .moves_to
                .clone()
                .unwrap_or_else(|| edited.file.clone()),
            text,
        )
    });
    after.collect()
}

fn reasons(plan: &RenamePlanResult) -> Vec<RefusalReason> {
    plan.head.refusals.iter().map(|one| one.reason).collect()
}

/// Asserts that a plan is allowed and gives these files.
fn assert_renames(files: Files, symbol: &str, new_name: &str, expected: Files) {
    let plan = plan(files, symbol, new_name);
    assert_eq!(plan.head.refusals, [], "{symbol}");
    let expected = expected
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    assert_eq!(applied(files, &plan), expected.collect(), "{symbol}");
}

#[test]
fn a_function_of_python_is_renamed_with_its_imports_and_its_export() {
    let files = [
        ("a.py", "__all__ = ['total']\ndef total(): return 1\n"),
        (
            "b.py",
            "from a import total as t, total\nimport a\nt() + total() + a.total()\n",
        ),
        ("c.py", "total = 3\nprint(total)\n"),
    ];
    let expected = [
        ("a.py", "__all__ = ['price']\ndef price(): return 1\n"),
        (
            "b.py",
            "from a import price as t, price\nimport a\nt() + price() + a.price()\n",
        ),
    ];
    assert_renames(&files, "a.total", "price", &expected);
}

#[test]
fn an_import_that_repeats_the_name_is_renamed_in_both_places() {
    let files = [
        ("pkg/app.py", "class App: pass\n"),
        (
            "pkg/__init__.py",
            "from .app import App  as App, Other as App2\n",
        ),
        ("use.py", "from pkg import App\nApp()\n"),
    ];
    let expected = [
        ("pkg/app.py", "class Site: pass\n"),
        (
            "pkg/__init__.py",
            "from .app import Site  as Site, Other as App2\n",
        ),
        ("use.py", "from pkg import Site\nSite()\n"),
    ];
    assert_renames(&files, "pkg.app.App", "Site", &expected);
}

#[test]
fn a_name_that_begins_like_the_symbol_is_left() {
    let files = [
        (
            "a.py",
            "def total(): return 1\ndef initialize(): return 2\n",
        ),
        (
            "b.py",
            "from a import total as totals, initialize\ntotals()\ninitialize()\n",
        ),
    ];
    let expected = [
        (
            "a.py",
            "def price(): return 1\ndef initialize(): return 2\n",
        ),
        (
            "b.py",
            "from a import price as totals, initialize\ntotals()\ninitialize()\n",
        ),
    ];
    assert_renames(&files, "a.total", "price", &expected);
    assert_eq!(reasons(&plan(&files, "a.initialize", "start")), []);
}

#[test]
fn a_method_is_renamed_with_those_that_override_it() {
    let files = [
        (
            "a.py",
            "class Base:\n    def run(self): pass\nclass Cart(Base):\n    def run(self): super().run()\n",
        ),
        (
            "b.py",
            "from a import Cart\ndef f(cart: Cart): cart.run()\n",
        ),
        (
            "c.py",
            "class Other:\n    def run(self): pass\nOther().run()\n",
        ),
    ];
    let expected = [
        (
            "a.py",
            "class Base:\n    def go(self): pass\nclass Cart(Base):\n    def go(self): super().go()\n",
        ),
        ("b.py", "from a import Cart\ndef f(cart: Cart): cart.go()\n"),
    ];
    assert_renames(&files, "Base.run", "go", &expected);
    assert_renames(&files, "Cart.run", "go", &expected);
}

#[test]
fn overloads_are_renamed_with_the_overrides_of_each() {
    let files = [(
        "P.java",
        "interface Sh { void put(int x); }
class P implements Sh {
    public void put(int x) {}
    public void put(String x) {}
}
class Q extends P {
    public void put(int x) { super.put(\"\"); }
}
",
    )];
    let expected = [(
        "P.java",
        "interface Sh { void set(int x); }
class P implements Sh {
    public void set(int x) {}
    public void set(String x) {}
}
class Q extends P {
    public void set(int x) { super.set(\"\"); }
}
",
    )];
    assert_renames(&files, "P.java:4:17", "set", &expected);
}

#[test]
fn a_property_is_renamed_with_its_setter() {
    let files = [(
        "a.py",
        "class A:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, v): pass\nA().x\n",
    )];
    let expected = [(
        "a.py",
        "class A:\n    @property\n    def y(self): return 1\n    @y.setter\n    def y(self, v): pass\nA().y\n",
    )];
    assert_renames(&files, "A.x", "y", &expected);
}

#[test]
fn a_member_of_an_interface_is_renamed_with_the_properties_of_objects() {
    let text = "\
interface Api { load(id: number): string; size: number }
const load = (id: number) => 'x';
const api: Api = { load, size: 1 };
const other: Api = { load: (id) => 'y', size: 2 };
const third: Api = { load() { return 'z'; }, size: 3 };
function make(): Api { return { load, size: 4 }; }
function use(a: Api) { return a.load(1) + other.load(2); }
use({ load: () => load(5), size: 5 });
const { load: first } = api;
";
    let expected = "\
interface Api { fetch(id: number): string; size: number }
const load = (id: number) => 'x';
const api: Api = { fetch: load, size: 1 };
const other: Api = { fetch: (id) => 'y', size: 2 };
const third: Api = { fetch() { return 'z'; }, size: 3 };
function make(): Api { return { fetch: load, size: 4 }; }
function use(a: Api) { return a.fetch(1) + other.fetch(2); }
use({ fetch: () => load(5), size: 5 });
const { fetch: first } = api;
";
    let files = [("a.ts", text)];
    assert_renames(&files, "Api.load", "fetch", &[("a.ts", expected)]);
    assert_renames(&files, "other.load", "fetch", &[("a.ts", expected)]);
    let of_variable = text
        .replace("const load", "const fetch")
        .replace("{ load,", "{ load: fetch,")
        .replace("load(5)", "fetch(5)");
    assert_renames(&files, "a.load", "fetch", &[("a.ts", &of_variable)]);
}

#[test]
fn a_type_with_parameters_is_renamed_alone() {
    let text = "class Box { }\npartial class Box<T> { Box a; Box<int> b; }\n";
    let other = "partial class Box<T> { void F(Box a, Box<T> b) { } }\n";
    let files = [("A.cs", text), ("B.cs", other)];
    let expected = [
        (
            "A.cs",
            "class Box { }\npartial class Crate<T> { Box a; Crate<int> b; }\n",
        ),
        (
            "B.cs",
            "partial class Crate<T> { void F(Box a, Crate<T> b) { } }\n",
        ),
    ];
    assert_renames(&files, "A.cs:2:15", "Crate", &expected);
    let expected = [
        (
            "A.cs",
            "class Crate { }\npartial class Box<T> { Crate a; Box<int> b; }\n",
        ),
        (
            "B.cs",
            "partial class Box<T> { void F(Crate a, Box<T> b) { } }\n",
        ),
    ];
    assert_renames(&files, "A.cs:1:7", "Crate", &expected);
}

#[test]
fn a_property_of_an_object_keeps_its_name_where_others_read_it() {
    let files = [(
        "a.js",
        "export function sum() {}\nfetch({ sum });\nexport { sum as plus };\n",
    )];
    let expected = [(
        "a.js",
        "export function add() {}\nfetch({ sum: add });\nexport { add as plus };\n",
    )];
    assert_renames(&files, "a.sum", "add", &expected);
}

#[test]
fn types_in_comments_of_javascript_are_renamed() {
    let files = [
        ("cart.js", "/** Cart */\nexport class Cart {}\n"),
        (
            "a.js",
            "/** @import { Cart } from './cart.js' */\n\
             /** @param {Cart[]} carts all of a Cart */\n\
             export function pay(carts) {}\n\
             /** @typedef {import('./cart.js').Cart} Paid */\n",
        ),
    ];
    let expected = [
        ("cart.js", "/** Cart */\nexport class Basket {}\n"),
        (
            "a.js",
            "/** @import { Basket } from './cart.js' */\n\
             /** @param {Basket[]} carts all of a Cart */\n\
             export function pay(carts) {}\n\
             /** @typedef {import('./cart.js').Basket} Paid */\n",
        ),
    ];
    assert_renames(&files, "cart.Cart", "Basket", &expected);
    let taken = "/** @import { Cart } from './cart.js' */\n/** @typedef {object} Basket */\n\
         /** @param {Cart} cart */\nexport function pay(cart) {}\n";
    let files = [("cart.js", "export class Cart {}\n"), ("a.js", taken)];
    let refused = plan(&files, "cart.Cart", "Basket");
    assert_eq!(reasons(&refused), [RefusalReason::Captured]);
}

#[test]
fn an_export_of_commonjs_is_renamed_where_it_is_required() {
    let files = [
        ("c.js", "function mul() {}\nmodule.exports = { mul };\n"),
        ("d.js", "const { mul } = require('./c');\nmul();\n"),
    ];
    let expected = [
        ("c.js", "function times() {}\nmodule.exports = { times };\n"),
        ("d.js", "const { times } = require('./c');\ntimes();\n"),
    ];
    assert_renames(&files, "c.mul", "times", &expected);
}

#[test]
fn a_class_of_java_is_renamed_with_its_constructors_and_its_file() {
    let files = [
        (
            "Cart.java",
            "public class Cart { Cart() {} Cart copy() { return new Cart(); } }\n",
        ),
        ("Shop.java", "class Shop { Cart cart = new Cart(); }\n"),
    ];
    let expected = [
        (
            "Basket.java",
            "public class Basket { Basket() {} Basket copy() { return new Basket(); } }\n",
        ),
        ("Shop.java", "class Shop { Basket cart = new Basket(); }\n"),
    ];
    assert_renames(&files, "sym:Cart.Cart", "Basket", &expected);
    assert_renames(&files, "Cart.Cart.Cart", "Basket", &expected);
}

#[test]
fn a_function_of_c_is_renamed_in_its_header_too() {
    let files = [
        ("m.h", "int addup(int a);\n"),
        ("m.c", "#include \"m.h\"\nint addup(int a) { return a; }\n"),
        (
            "n.c",
            "#include \"m.h\"\nint f(void) { return addup(1); }\n",
        ),
    ];
    let expected = [
        ("m.h", "int plus(int a);\n"),
        ("m.c", "#include \"m.h\"\nint plus(int a) { return a; }\n"),
        ("n.c", "#include \"m.h\"\nint f(void) { return plus(1); }\n"),
    ];
    assert_renames(&files, "addup", "plus", &expected);
}

#[test]
fn a_class_of_cpp_is_renamed_with_what_other_files_define_of_it() {
    let files = [
        (
            "cart.h",
            "class Cart {\npublic:\n  Cart();\n  ~Cart();\n  int total();\n};\n",
        ),
        (
            "cart.cpp",
            "#include \"cart.h\"\nCart::Cart() {}\nCart::~Cart() {}\nint Cart::total() { return 1; }\n",
        ),
    ];
    let expected = [
        (
            "cart.h",
            "class Basket {\npublic:\n  Basket();\n  ~Basket();\n  int total();\n};\n",
        ),
        (
            "cart.cpp",
            "#include \"cart.h\"\nBasket::Basket() {}\nBasket::~Basket() {}\nint Basket::total() { return 1; }\n",
        ),
    ];
    assert_renames(&files, "sym:cart.Cart", "Basket", &expected);
}

#[test]
fn go_rust_csharp_php_and_ruby_are_renamed() {
    let go = [
        ("go.mod", "module m\n"),
        (
            "a/a.go",
            "package a\n\ntype Cart struct{}\n\nfunc (c *Cart) Total() int { return 1 }\n",
        ),
        (
            "b/b.go",
            "package b\n\nimport \"m/a\"\n\nfunc f(c *a.Cart) int { return c.Total() }\n",
        ),
    ];
    let expected = [
        (
            "a/a.go",
            "package a\n\ntype Cart struct{}\n\nfunc (c *Cart) Price() int { return 1 }\n",
        ),
        (
            "b/b.go",
            "package b\n\nimport \"m/a\"\n\nfunc f(c *a.Cart) int { return c.Price() }\n",
        ),
    ];
    assert_renames(&go, "Cart.Total", "Price", &expected);
    let rust = [
        ("Cargo.toml", "[package]\nname = \"m\"\n"),
        (
            "src/lib.rs",
            "mod cart;\nuse cart::Cart;\nfn f(cart: &Cart) -> u32 { cart.total() }\n",
        ),
        (
            "src/cart.rs",
            "pub struct Cart;\nimpl Cart { pub fn total(&self) -> u32 { 1 } }\n",
        ),
    ];
    let expected = [
        (
            "src/lib.rs",
            "mod cart;\nuse cart::Basket;\nfn f(cart: &Basket) -> u32 { cart.total() }\n",
        ),
        (
            "src/cart.rs",
            "pub struct Basket;\nimpl Basket { pub fn total(&self) -> u32 { 1 } }\n",
        ),
    ];
    assert_renames(&rust, "sym:src.cart.Cart", "Basket", &expected);
    let csharp = [
        ("a.cs", "partial class Cart { public int Total() => 1; }\n"),
        (
            "b.cs",
            "partial class Cart { public Cart() {} }\nclass Shop { Cart cart = new Cart(); }\n",
        ),
    ];
    let expected = [
        (
            "a.cs",
            "partial class Basket { public int Total() => 1; }\n",
        ),
        (
            "b.cs",
            "partial class Basket { public Basket() {} }\nclass Shop { Basket cart = new Basket(); }\n",
        ),
    ];
    assert_renames(&csharp, "sym:a.Cart", "Basket", &expected);
    let php = [
        (
            "Cart.php",
            "<?php\nclass Cart { function total() { return 1; } }\n",
        ),
        ("shop.php", "<?php\n$cart = new Cart();\n$cart->total();\n"),
    ];
    let expected = [
        (
            "Basket.php",
            "<?php\nclass Basket { function total() { return 1; } }\n",
        ),
        (
            "shop.php",
            "<?php\n$cart = new Basket();\n$cart->total();\n",
        ),
    ];
    assert_renames(&php, "sym:Cart.Cart", "Basket", &expected);
    let ruby = [
        ("cart.rb", "class Cart\n  def total\n    1\n  end\nend\n"),
        (
            "shop.rb",
            "class Cart\n  def price\n    total\n  end\nend\nCart.new.total\n",
        ),
    ];
    let expected = [
        ("cart.rb", "class Cart\n  def amount\n    1\n  end\nend\n"),
        (
            "shop.rb",
            "class Cart\n  def price\n    amount\n  end\nend\nCart.new.amount\n",
        ),
    ];
    assert_renames(&ruby, "Cart.total", "amount", &expected);
}

#[test]
fn a_plan_is_refused_where_a_candidate_could_be_meant_unless_allowed() {
    let files = [
        ("a.py", "class Cart:\n    def total(self): pass\n"),
        ("b.py", "def f(cart):\n    cart.total()\n"),
    ];
    let refused = plan(&files, "Cart.total", "price");
    assert_eq!(reasons(&refused), [RefusalReason::Candidates]);
    assert_eq!(refused.head.candidates[0].file, "b.py");
    let with = |candidates| RenamePlanOptions {
        candidates: Some(candidates),
        ..RenamePlanOptions::default()
    };
    let left = plan_with(&files, "Cart.total", "price", &with(CandidateRule::Leave));
    assert_eq!((reasons(&left), left.head.candidates_total), (vec![], 1));
    assert_eq!(applied(&files, &left).len(), 1);
    let renamed = plan_with(&files, "Cart.total", "price", &with(CandidateRule::Rename));
    assert_eq!(reasons(&renamed), []);
    assert_eq!(
        applied(&files, &renamed)["b.py"],
        "def f(cart):\n    cart.price()\n"
    );
}

#[test]
fn a_variable_of_an_unknown_value_keeps_its_name() {
    let files = [
        ("a.ts", "export function total() {}\n"),
        (
            "b.ts",
            "import * as a from \"./a\";\nconst { total } = a as any;\ntotal();\n",
        ),
    ];
    let options = RenamePlanOptions {
        candidates: Some(CandidateRule::Rename),
        ..RenamePlanOptions::default()
    };
    let plan = plan_with(&files, "a.total", "price", &options);
    assert_eq!(reasons(&plan), []);
    let edited = applied(&files, &plan);
    assert_eq!(
        edited["b.ts"],
        "import * as a from \"./a\";\nconst { price: total } = a as any;\ntotal();\n"
    );
}

#[test]
fn a_plan_is_refused_where_it_would_change_what_code_means() {
    let files = [(
        "a.py",
        "def total(): return 1\ndef free(): return 2\ndef f(price): return total() + price\n",
    )];
    // A parameter has the name, another function has it, and no function can have it.
    assert_eq!(
        reasons(&plan(&files, "total", "price")),
        [RefusalReason::Captured]
    );
    assert!(!reasons(&plan(&files, "total", "free")).is_empty());
    assert_eq!(
        reasons(&plan(&files, "total", "class")),
        [RefusalReason::InvalidName]
    );
    assert_eq!(
        reasons(&plan(&files, "total", "total")),
        [RefusalReason::NameTaken]
    );
    assert_eq!(
        reasons(&plan(&files, "total", "__init__")),
        [RefusalReason::Reserved]
    );
    assert_eq!(
        reasons(&plan(&files, "missing", "x")),
        [RefusalReason::Undefined]
    );
    let class = [(
        "a.py",
        "class A:\n    def f(self): pass\n    def g(self): pass\nclass B(A):\n    def h(self): pass\nB().h()\n",
    )];
    assert_eq!(
        reasons(&plan(&class, "B.h", "g")),
        [RefusalReason::NameTaken]
    );
    let shadowed = [
        ("a.py", "def price(): return 1\n"),
        ("b.py", "from a import price\ndef order(): return price()\n"),
    ];
    assert_eq!(
        reasons(&plan(&shadowed, "price", "order")),
        [RefusalReason::Captured]
    );
    let names = [("a.py", "def f(): pass\n"), ("b.py", "def f(): pass\n")];
    assert_eq!(reasons(&plan(&names, "f", "g")), [RefusalReason::Ambiguous]);
}

#[test]
fn a_method_that_a_foreign_class_may_declare_is_refused_unless_accepted() {
    let files = [(
        "a.py",
        "from threading import Thread\nclass Job(Thread):\n    def run(self): pass\n",
    )];
    assert_eq!(
        reasons(&plan(&files, "Job.run", "go")),
        [RefusalReason::OutsideBase]
    );
    let options = RenamePlanOptions {
        accept: Some(vec![RenameRisk::OutsideBase]),
        ..RenamePlanOptions::default()
    };
    assert_eq!(reasons(&plan_with(&files, "Job.run", "go", &options)), []);
}

#[test]
fn a_method_that_the_type_of_its_object_declares_is_refused() {
    let files = [(
        "a.ts",
        "interface Text { trim(): Text }\nfunction init(inst: Text) {\n  inst.trim = () => inst;\n}\n",
    )];
    let assigned = plan(&files, "sym:a.init.inst.trim", "cut");
    assert_eq!(
        reasons(&assigned),
        [RefusalReason::Candidates, RefusalReason::OutsideBase]
    );
}

#[test]
fn references_that_mean_several_symbols_are_refused() {
    let files = [(
        "a.py",
        "class A:\n    def f(self): pass\nclass B:\n    def f(self): pass\ndef g(x: A | B): x.f()\n",
    )];
    assert_eq!(reasons(&plan(&files, "A.f", "h")), [RefusalReason::Shared]);
}

#[test]
fn what_is_not_edited_is_said() {
    let files = [("a.py", "def total(): return 1\nNAMES = {'f': 'total'}\n")];
    let plan = plan(&files, "total", "price");
    assert_eq!(reasons(&plan), []);
    assert_eq!(plan.completeness, Completeness::Bounded);
    let latin = b"# coding: latin-1\ndef total(): return '\xe9'\n".to_vec();
    let host = MemoryHost::new(&[]);
    host.put("a.py", &latin);
    let options = RenamePlanOptions::default();
    let plan = run(rename_plan(&host, &settings(), "total", "price", &options));
    assert_eq!(reasons(&plan), [RefusalReason::Encoding]);
    assert_eq!(plan.items, []);
}

#[test]
fn a_name_that_is_none_is_an_invalid_argument() {
    let files = [("a.py", "def total(): return 1\n")];
    for name in ["", "1a", "a b", "a.b", "a(", "a\n"] {
        let plan = plan(&files, "total", name);
        assert!(
            plan.meta.message.unwrap().contains("is not a name"),
            "{name}"
        );
    }
}

#[test]
fn an_index_gives_the_same_plan() {
    let files = [
        ("a.py", "def total(): return 1\n"),
        ("b.py", "from a import total\ntotal()\n"),
    ];
    let live = plan(&files, "total", "price");
    let mut host = MemoryHost::new(&files);
    host.head = Some("a".repeat(40));
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "me",
    ));
    let options = RenamePlanOptions::default();
    let indexed = run(rename_plan(&host, &settings(), "total", "price", &options));
    let edits = |plan: &RenamePlanResult| {
        let rows = plan.items.iter();
        rows.map(|one| (one.file.clone(), one.edit.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(edits(&live), edits(&indexed));
    assert_eq!(live.head.files, indexed.head.files);
}

#[test]
fn a_file_is_not_renamed_as_a_symbol() {
    let files = [("shop/cart.py", "def total(): pass\n")];
    let refused = plan(&files, "sym:shop.cart", "basket");
    assert_eq!(reasons(&refused), [RefusalReason::Undefined]);
    assert_eq!(
        refused.head.refusals[0].message,
        "`shop.cart` is the file shop/cart.py, and no definition in it."
    );
}

#[test]
fn a_setter_of_ruby_is_refused() {
    let files = [(
        "a.rb",
        "class A\n  def size=(n); end\nend\na = A.new\na.size = 1\n",
    )];
    let plan = plan(&files, "A.size=", "length=");
    assert_eq!(reasons(&plan), [RefusalReason::Unwritten]);
}

#[test]
fn what_calls_a_renamed_symbol_without_its_name_stays() {
    let before = "class A { A() {} }\nclass B extends A { B() { super(); run(A::new); } }\n";
    let after = "class C { C() {} }\nclass B extends C { B() { super(); run(C::new); } }\n";
    assert_renames(&[("B.java", before)], "A", "C", &[("B.java", after)]);
    let before = "enum A { ONE(1); A(int a) { this(); } A() {} }\n";
    let after = "enum C { ONE(1); C(int a) { this(); } C() {} }\n";
    assert_renames(&[("E.java", before)], "A", "C", &[("E.java", after)]);
    let before = "class A { public A() {} }\nclass B : A { A a = new(); B() : base() {} }\n";
    let after = "class C { public C() {} }\nclass B : C { C a = new(); B() : base() {} }\n";
    assert_renames(&[("B.cs", before)], "A", "C", &[("B.cs", after)]);
    let before = "class A { constructor() {} }\nclass B extends A { constructor() { super(); } }\n";
    let after = "class C { constructor() {} }\nclass B extends C { constructor() { super(); } }\n";
    assert_renames(&[("b.js", before)], "A", "C", &[("b.js", after)]);
    let before = "class A\n  def f; end\nend\nclass B < A\n  def f; super; end\nend\n";
    let after = "class A\n  def g; end\nend\nclass B < A\n  def g; super; end\nend\n";
    assert_renames(&[("b.rb", before)], "A.f", "g", &[("b.rb", after)]);
}

#[test]
fn a_method_of_java_is_renamed_in_classes_without_a_name() {
    let before = "interface I { void g(); }
class U {
    I i = new I() { public void g() {} };
    void m(I i) { i.g(); }
}
";
    let after = before.replace("g()", "h()");
    assert_renames(
        &[("U.java", before)],
        "I.g",
        "h",
        &[("U.java", after.as_str())],
    );
}
