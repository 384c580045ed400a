//! `where_used` in Rust: crates, modules, `use`, `impl` blocks, traits, and the types of receivers.

use crate::common::MemoryHost;
use crate::where_used::{ask, check};

const CARGO: (&str, &str) = ("Cargo.toml", "[package]\nname = \"my-shop\"\n");

#[test]
fn modules_are_files_of_their_parents() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "mod cart;\nmod pay;\nuse cart::open;\nfn f() { open(); }\nfn g() { cart::open(); }\n",
            ),
            ("src/cart.rs", "pub fn open() {}\nmod item;\n"),
            (
                "src/cart/item.rs",
                "fn f() { super::open(); }\nfn open() {}\nfn g() { open(); }\n",
            ),
            (
                "src/pay/mod.rs",
                "fn f() { crate::cart::open(); }\nmod card;\n",
            ),
            (
                "src/pay/card.rs",
                "use super::super::cart::{self, open as start};\nfn f() { start(); cart::open(); }\n",
            ),
            // Another crate, and a module with a function of the same name.
            ("src/main.rs", "fn open() {}\nfn main() { open(); }\n"),
            (
                "tests/all.rs",
                "use my_shop::cart;\nfn f() { cart::open(); my_shop::cart::open(); }\n",
            ),
        ],
        "src.cart.open",
        &[
            "src/cart/item.rs:1:16 call",
            "src/lib.rs:3:10 import",
            "src/lib.rs:4:9 call",
            "src/lib.rs:5:15 call",
            "src/pay/card.rs:1:31 import",
            "src/pay/card.rs:2:9 call",
            "src/pay/card.rs:2:24 call",
            "src/pay/mod.rs:1:22 call",
            "tests/all.rs:2:15 call",
            "tests/all.rs:2:38 call",
        ],
    );
}

#[test]
fn blocks_are_modules_that_do_not_see_outer_names() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "fn open() {}
mod a { fn f() { open(); } }
mod b { use super::*; fn f() { open(); } }
mod c { fn f() { super::open(); self::g(); } fn g() {} }
mod d { pub mod e { pub fn open() {} } pub use self::e::open; }
mod f { fn f() { crate::d::open(); crate::open(); } }
",
            ),
        ],
        "src.lib.open",
        &[
            "src/lib.rs:3:31 call",
            "src/lib.rs:4:24 call",
            "src/lib.rs:6:42 call",
        ],
    );
}

#[test]
fn reexports_and_stars_are_followed() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "mod a;\nmod b;\nmod c;\npub use a::*;\npub use a::open as start;\n",
            ),
            ("src/a.rs", "pub fn open() {}\n"),
            ("src/b.rs", "fn f() { crate::open(); crate::start(); }\n"),
            (
                "src/c.rs",
                "use crate::*;\nfn f() { open(); }\nfn g(open: F) { open(); }\n",
            ),
        ],
        "src.a.open",
        &[
            "src/b.rs:1:16 call",
            "src/b.rs:1:31 call",
            "src/c.rs:2:9 call",
            "src/lib.rs:5:11 import",
        ],
    );
}

#[test]
fn paths_in_attributes_are_files() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "#[path = \"sys/unix.rs\"]\nmod sys;\nfn f() { sys::open(); }\n",
            ),
            ("src/sys/unix.rs", "pub fn open() {}\n"),
        ],
        "src.sys.unix.open",
        &["src/lib.rs:3:14 call"],
    );
}

#[test]
fn paths_in_attributes_lead_into_other_folders_and_back() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "#[path = \"../shared/money.rs\"]\npub mod cash;\npub fn open() {}\n\
                 mod unix { #[path = \"a.rs\"] pub mod b; }\n\
                 fn f() { unix::b::start(); }\n",
            ),
            (
                "shared/money.rs",
                "\nuse super::open;\nfn f() { open(); crate::open(); }\n",
            ),
            (
                "src/unix/a.rs",
                "pub fn start() { super::super::open(); }\n",
            ),
        ],
        "src.lib.open",
        &[
            "shared/money.rs:2:11 import",
            "shared/money.rs:3:9 call",
            "shared/money.rs:3:24 call",
            "src/unix/a.rs:1:31 call",
        ],
    );
}

#[test]
fn a_file_that_a_path_declares_has_its_modules_beside_it() {
    check(
        &[
            CARGO,
            (
                "tests/all.rs",
                "#[path = \"../shared/money.rs\"]\nmod cash;\n",
            ),
            ("shared/money.rs", "mod coin;\nfn f() { coin::open(); }\n"),
            ("shared/coin.rs", "pub fn open() {}\n"),
        ],
        "shared.coin.open",
        &["shared/money.rs:2:15 call"],
    );
}

#[test]
fn each_file_that_an_attribute_may_choose_is_the_module() {
    let files = [
        CARGO,
        (
            "src/lib.rs",
            "#[cfg_attr(unix, path = \"unix.rs\")]\n#[cfg_attr(windows, path = \"windows.rs\")]\n\
             mod imp;\nfn f() { imp::open(); }\n",
        ),
        ("src/unix.rs", "pub fn open() {}\n"),
        ("src/windows.rs", "pub fn open() {}\n"),
    ];
    check(&files, "src.unix.open", &["src/lib.rs:4:14 call"]);
    check(&files, "src.windows.open", &["src/lib.rs:4:14 call"]);
}

#[test]
fn the_branches_of_cfg_if_are_code() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "cfg_if::cfg_if! {
    if #[cfg(unix)] {
        mod sys;
        pub use sys::open;
    } else {
        pub fn open() {}
    }
}
fn f() { open(); }
fn g() -> u8 {
    cfg_if! { if #[cfg(a)] { sys::open() } else { use self::sys as s; s::open() } }
}
",
            ),
            ("src/sys.rs", "pub fn open() {}\n"),
        ],
        "src.sys.open",
        &[
            "src/lib.rs:4:21 import",
            "src/lib.rs:9:9 call",
            "src/lib.rs:11:34 call",
            "src/lib.rs:11:73 call",
        ],
    );
}

#[test]
fn methods_follow_the_types_of_receivers() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "mod cart;\nmod shop;\n",
            ),
            (
                "src/cart.rs",
                "pub struct Cart { pub items: Vec<Item> }
pub struct Item(u8);
impl Cart {
    pub fn new() -> Self { Self { items: Vec::new() } }
    pub fn find() -> Option<Cart> { None }
    pub fn load() -> Result<Box<Cart>, u8> { Err(0) }
    pub fn first(&self) -> &Item { &self.items[0] }
}
impl Item {
    pub fn total(&self) -> u8 { self.0 }
    fn twice(&self) -> u8 { self.total() * 2 }
}
",
            ),
            (
                "src/shop.rs",
                "use crate::cart::{Cart, Item};
struct Shop { cart: Cart, all: std::collections::HashMap<u8, Item> }
fn a(item: &Item) { item.total(); }
fn b() { Cart::new().first().total(); }
fn c() { let cart = Cart::new(); for item in cart.items.iter() { item.total(); } }
fn d() -> Option<u8> { Some(Cart::find()?.first().total()) }
fn e() { if let Some(cart) = Cart::find() { cart.first().total(); } }
fn f() { let cart = Cart::load().unwrap(); cart.first().total(); }
impl Shop {
    fn g(&self) { self.cart.first().total(); self.all[&0].total(); }
    fn h(&self) { self.cart.items.iter().map(|item| item.total()).sum(); }
    fn i(&self) { assert_eq!(self.cart.first().total(), 1); }
}
fn j(text: String) { text.total(); }
fn k(other: Unknown) { other.total(); }
fn l(total: u8) { total; }
fn m() { match Cart::load() { Ok(cart) => { cart.first().total(); } Err(cart) => { cart.total(); } } }
fn n((item, _): (Item, u8)) { let item = &item; item.total(); Item::total(item); }
fn o(shop: Shop) { let Shop { cart, .. } = shop; cart.first().total(); }
fn p() { let item = 1; item.total(); }
",
            ),
        ],
        "src.cart.Item.total",
        &[
            "src/cart.rs:11:33 call",
            "src/shop.rs:3:25 call",
            "src/shop.rs:4:29 call",
            "src/shop.rs:5:70 call",
            "src/shop.rs:6:50 call",
            "src/shop.rs:7:57 call",
            "src/shop.rs:8:56 call",
            "src/shop.rs:10:36 call",
            "src/shop.rs:10:58 call",
            "src/shop.rs:11:57 call",
            "src/shop.rs:12:47 call",
            "src/shop.rs:17:57 call",
            "src/shop.rs:18:53 call",
            "src/shop.rs:18:68 call",
            "src/shop.rs:19:62 call",
            "src/shop.rs:15:29 call?",
            "src/shop.rs:17:88 call?",
        ],
    );
}

#[test]
fn calls_of_trait_methods_follow_bounds_and_implementations() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "pub trait Shape { fn area(&self) -> u8; fn twice(&self) -> u8 { self.area() * 2 } }
pub trait Solid: Shape {}
pub struct Square;
impl Shape for Square { fn area(&self) -> u8 { 1 } }
struct Other;
impl Other { fn area(&self) {} }
fn a<T: Shape>(shape: T) { shape.area(); }
fn b<T>(shape: T) where T: Solid { shape.area(); }
fn c(shape: &dyn Shape) { shape.area(); }
fn d(shape: impl Shape) { shape.area(); }
fn e(shapes: Vec<Box<dyn Shape>>) { for shape in &shapes { shape.area(); } }
fn f() { Square.area(); Square.twice(); }
fn g() { Shape::area(&Square); <Square as Shape>::area(&Square); }
fn h(other: Other) { other.area(); }
",
            ),
        ],
        "src.lib.Shape.area",
        &[
            "src/lib.rs:1:69 call",
            "src/lib.rs:7:33 call",
            "src/lib.rs:8:41 call",
            "src/lib.rs:9:32 call",
            "src/lib.rs:10:32 call",
            "src/lib.rs:11:65 call",
            "src/lib.rs:12:16 call",
            "src/lib.rs:13:16 call",
            "src/lib.rs:13:50 call",
        ],
    );
}

#[test]
fn types_are_not_variables_or_modules_of_the_same_name() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "mod item;
use item::Item;
enum Kind { Item(Item), None }
impl From<Item> for Kind { fn from(item: Item) -> Self { Kind::Item(item) } }
fn item(item: item::Item) -> Kind { let other = item::Item {}; Kind::Item(other) }
type Items = Vec<Item>;
fn all<Item>(item: Item) {}
",
            ),
            (
                "src/item.rs",
                "pub struct Item {}\nimpl Item { fn new() -> Self { Self {} } }\n",
            ),
        ],
        "src.item.Item",
        &[
            "src/item.rs:2:5 reference",
            "src/lib.rs:2:10 import",
            "src/lib.rs:3:17 reference",
            "src/lib.rs:4:10 reference",
            "src/lib.rs:4:41 reference",
            "src/lib.rs:5:20 reference",
            "src/lib.rs:5:54 reference",
            "src/lib.rs:6:17 reference",
        ],
    );
}

#[test]
fn the_arguments_of_attributes_name_values() {
    let text = "enum Color { Auto }
fn short() {}
fn parse() {}
#[derive(Args)]
struct A {
    #[arg(short, default_value_t = Color::Auto, value_parser = parse, group(f = Color::Auto))]
    color: Color,
}
#[test_case(Color::Auto, short)]
#[cfg(short = Color)]
#[allow(Color::Auto)]
fn f() {}
";
    let files = [
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ("src/lib.rs", text),
    ];
    check(
        &files,
        "Color",
        &[
            "src/lib.rs:6:35 reference",
            "src/lib.rs:6:80 reference",
            "src/lib.rs:7:11 reference",
            "src/lib.rs:9:12 reference",
        ],
    );
    check(&files, "parse", &["src/lib.rs:6:63 reference"]);
    check(&files, "short", &[]);
}

#[test]
fn variables_among_the_tokens_of_a_macro_may_have_any_type() {
    check(
        &[
            ("Cargo.toml", "[package]\nname = \"shop\"\n"),
            (
                "src/lib.rs",
                "pub struct Cart;
impl Cart {
    pub fn total(&self) -> u64 { 1 }
}
fn f(carts: Vec<Cart>, number: u64) {
    show!(carts, |cart| cart.total(), number.total());
    show!(match g() { Some(one) => one.total() });
    let cart = Cart;
    show!(cart.total());
    show!(|a: u8| a | 1, |cart: &mut T| cart.total(), |cart, _| cart.total());
    show!(|Cart { a }: Map<u8, Cart>| a, cart.total());
}
",
            ),
        ],
        "Cart.total",
        &[
            "src/lib.rs:9:15 call",
            "src/lib.rs:11:46 call",
            "src/lib.rs:6:29 call?",
            "src/lib.rs:7:39 call?",
            "src/lib.rs:10:45 call?",
            "src/lib.rs:10:69 call?",
        ],
    );
}

#[test]
fn macros_are_visible_after_their_modules() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "#[macro_use]\nmod macros;\nmod a;\nfn f() { open!(1); }\nfn open() { open(); }\n",
            ),
            (
                "src/macros.rs",
                "#[macro_export]\nmacro_rules! open { ($a:expr) => { close($a) }; }\n",
            ),
            (
                "src/a.rs",
                "use crate::open;\nfn f() { crate::open!(open!(2)); }\n",
            ),
        ],
        "src.macros.open",
        &[
            "src/a.rs:1:11 import",
            "src/a.rs:2:16 call",
            "src/a.rs:2:22 call",
            "src/lib.rs:4:9 call",
        ],
    );
}

#[test]
fn impl_blocks_may_stand_in_other_files() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "mod a;\npub struct Cart;\nfn f(cart: Cart) { cart.total(); }\n",
            ),
            (
                "src/a.rs",
                "use crate::Cart;\nimpl Cart { pub fn total(&self) {} }\n",
            ),
            (
                "src/b.rs",
                "struct Cart;\nimpl Cart { fn total(&self) {} fn g(&self) { self.total(); } }\n",
            ),
        ],
        "src.a.Cart.total",
        &["src/lib.rs:3:24 call"],
    );
}

#[test]
fn a_shadowed_variable_has_its_latest_type() {
    check(
        &[
            CARGO,
            (
                "src/lib.rs",
                "struct A; struct B;
impl A { fn run(&self) {} fn next(&self) -> B { B } }
impl B { fn run(&self) {} }
fn f(a: A) {
    a.run();
    let a = a.next();
    a.run();
    let a = A;
    a.run();
    if let Some(a) = Some(B) { a.run(); }
}
",
            ),
        ],
        "src.lib.A.run",
        &["src/lib.rs:5:6 call", "src/lib.rs:9:6 call"],
    );
}

#[test]
fn a_crate_may_have_a_member_of_its_own_name() {
    check(
        &[
            ("Cargo.toml", "[package]\nname = \"total\"\n"),
            ("src/lib.rs", "pub fn total() {}\n"),
            (
                "tests/a.rs",
                "use total::total;\nfn f() { total(); total::total(); }\n",
            ),
        ],
        "total",
        &[
            "tests/a.rs:1:11 import",
            "tests/a.rs:2:9 call",
            "tests/a.rs:2:25 call?",
        ],
    );
}

#[test]
fn a_file_of_tests_may_be_a_module_of_another() {
    let files = [
        ("src/lib.rs", ""),
        (
            "tests/lib.rs",
            "mod support;\nmod help;\nuse support::Test;\n",
        ),
        (
            "tests/support.rs",
            "pub struct Test;\nimpl Test { pub fn new() -> Self { Test } pub fn run(self) {} }\n",
        ),
        (
            "tests/help.rs",
            "use super::*;\nfn f() { Test::new().run(); super::Test::new().run(); }\n",
        ),
        ("tests/other.rs", "fn f() { Test::new().run(); }\n"),
    ];
    let uses = [
        "tests/help.rs:2:21 call",
        "tests/help.rs:2:47 call",
        "tests/other.rs:1:21 call?",
    ];
    let package = ("Cargo.toml", "[package]\nname = \"shop\"\n");
    let files = |manifest| [&[manifest], &files[..]].concat();
    check(&files(package), "Test.run", &uses);
    let one_crate = (
        "Cargo.toml",
        "[package]\nname = \"shop\"\nautotests = false # one program\n\n\
    [[test]]\nname = \"all\"\npath = \"tests/lib.rs\"\n",
    );
    check(&files(one_crate), "Test.run", &uses);
}

#[test]
fn a_renamed_dependency_is_its_package() {
    check(
        &[
            (
                "Cargo.toml",
                "[package]\nname = \"app\"\n[workspace.dependencies]\n\
                 deep = { path = \"sub\", package = \"sub-lib\" }\n[dependencies]\n\
                 my-sub = { path = \"sub\", package = \"sub-lib\" }\n",
            ),
            (
                "src/lib.rs",
                "use my_sub::helper;\npub fn a() -> u8 { helper() + my_sub::helper() }\n",
            ),
            (
                "member/Cargo.toml",
                "[package]\nname = \"member\"\n[dependencies]\ndeep.workspace = true\n",
            ),
            // Another package has other dependencies.
            ("other/Cargo.toml", "[package]\nname = \"other\"\n"),
            (
                "other/src/lib.rs",
                "fn f() { deep::helper(); my_sub::helper(); }\n",
            ),
            ("member/src/lib.rs", "fn f() { deep::helper(); }\n"),
            ("sub/Cargo.toml", "[package]\nname = \"sub-lib\"\n"),
            ("sub/src/lib.rs", "pub fn helper() -> u8 { 1 }\n"),
        ],
        "helper",
        &[
            "member/src/lib.rs:1:15 call",
            "src/lib.rs:1:12 import",
            "src/lib.rs:2:19 call",
            "src/lib.rs:2:38 call",
        ],
    );
}

#[test]
fn items_in_macros_are_items() {
    let macros = "macro_rules! cfg_rt { ($($item:item)*) => { $( $item )* } }\n";
    let lib = "#[macro_use]
mod macros;

cfg_rt! {
    pub mod rt;

    /// Spawns.
    pub fn spawn(x: u32) -> u32 { helper(x) }

    cfg_rt! {
        pub fn spawn_local() { spawn(1); }
    }
}

cfg_rt! {
    #![any(unix, windows)]

    pub mod net;
    pub use net::listen;
}

cfg_rt! {
    pub use self::rt::block as wait;
}

pin_project! {
    #[derive(Debug)]
    pub struct Fuse<T> {
        #[pin]
        inner: T,
    }
}

impl<T> Fuse<T> {
    pub fn new(inner: T) -> Self { Fuse { inner } }

    cfg_rt! {
        pub fn go(&self) { self.stop() }
    }

    fn stop(&self) {}
}

fn helper(x: u32) -> u32 { x }
";
    let app = "use crate::{spawn, Fuse};

fn run() {
    spawn(2);
    crate::spawn_local();
    crate::rt::block();
    Fuse::new(1).go();
    crate::listen();
    crate::wait();
}
";
    let files = [
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"1.0.0\"\n",
        ),
        ("src/lib.rs", lib),
        ("src/macros.rs", macros),
        ("src/rt.rs", "pub fn block() {}\n"),
        ("src/net.rs", "pub fn listen() {}\n"),
        ("src/app.rs", app),
    ];
    check(
        &files,
        "src.lib.spawn",
        &[
            "src/app.rs:1:12 import",
            "src/app.rs:4:4 call",
            "src/lib.rs:11:31 call",
        ],
    );
    check(&files, "spawn_local", &["src/app.rs:5:11 call"]);
    check(
        &files,
        "block",
        &[
            "src/app.rs:6:15 call",
            "src/app.rs:9:11 call",
            "src/lib.rs:23:22 import",
        ],
    );
    check(
        &files,
        "listen",
        &["src/app.rs:8:11 call", "src/lib.rs:19:17 import"],
    );
    check(&files, "helper", &["src/lib.rs:8:34 call"]);
    check(&files, "Fuse.go", &["src/app.rs:7:17 call"]);
    check(&files, "Fuse.stop", &["src/lib.rs:38:32 call"]);
}

#[test]
fn a_manifest_may_name_the_files_of_its_programs() {
    let manifest = "[package]
name = \"cli\"
build = \"make/build.rs\"

[[bin]]
path = \"main.rs\"
name = \"cli\"

[[ bench ]] # A comment.
name = \"speed\"
path = 'speed/all.rs'
";
    let command = "use crate::args::{self, Configurable};
struct Config;
impl Configurable for Config { fn usage(&self) {} }
pub fn run() { let c: &dyn Configurable = &Config; c.usage(); args::go(); }
";
    let args = "pub trait Configurable { fn usage(&self); }\npub fn go() {}\n";
    let files = [
        ("Cargo.toml", manifest),
        ("main.rs", "mod args; mod cmd; fn main() { cmd::run(); }\n"),
        ("args/mod.rs", args),
        ("cmd.rs", command),
        (
            "make/build.rs",
            "mod tool;\nfn main() { crate::tool::make(); }\n",
        ),
        ("make/tool.rs", "pub fn make() {}\n"),
        ("speed/all.rs", "mod one;\nfn main() { one::measure() }\n"),
        ("speed/one.rs", "pub fn measure() { crate::main() }\n"),
    ];
    check(
        &files,
        "Configurable",
        &[
            "cmd.rs:1:24 import",
            "cmd.rs:3:5 inherit",
            "cmd.rs:4:27 reference",
        ],
    );
    check(&files, "go", &["cmd.rs:4:68 call"]);
    check(&files, "make", &["make/build.rs:2:25 call"]);
    check(&files, "speed.all.main", &["speed/one.rs:1:26 call"]);
}

#[test]
fn a_function_of_a_module_from_elsewhere_is_no_method_of_a_trait() {
    let text = "use crate::iter::P;
use core::cmp;
pub fn f() -> i32 { cmp::min(1, 2); std::cmp::min(3, 4); i32::min(5, 6); 7.min(8) }
";
    let files = [
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"1.0.0\"\n",
        ),
        ("src/lib.rs", "mod s;\npub mod iter;\n"),
        ("src/iter.rs", "pub trait P { fn min(self) -> i32; }\n"),
        ("src/s.rs", text),
    ];
    check(
        &files,
        "P.min",
        &["src/s.rs:3:62 call", "src/s.rs:3:75 call"],
    );
}

#[test]
fn a_value_of_a_trait_is_not_what_the_trait_produces() {
    let files = [
        (
            "Cargo.toml",
            "[package]\nname = \"a\"\nversion = \"0.1.0\"\n",
        ),
        (
            "src/lib.rs",
            "pub trait Mode {\n    fn map(x: u8) -> u8;\n}\n\
             pub trait Parser {\n    type Output;\n    fn map(self) -> u8;\n}\n\
             pub fn byte() -> impl Parser<Output = u8> {\n    todo!()\n}\n\
             pub fn word() -> u8 {\n    byte().map()\n}\n",
        ),
    ];
    check(&files, "src/lib.rs:2:8", &[]);
    check(&files, "src/lib.rs:6:8", &["src/lib.rs:12:11 call"]);
}

#[test]
fn branches_blocks_arrays_and_closures_have_the_type_of_what_they_return() {
    let text = "pub struct Cart;
impl Cart { pub fn new() -> Self { Cart } pub fn total(&self) {} }
fn run(n: u8, other: Other) {
    let a = if n > 1 { Cart::new() } else { Cart }; a.total();
    let b = match n { 1 => Cart::new(), _ => return }; b.total();
    let c = vec![Cart::new(), Cart::new()]; c[0].total();
    for d in &c { d.total(); }
    c.iter().map(|e| e.total()).count();
    let f = || Cart::new(); f().total();
    let g = [Cart::new()]; g[0].total();
    let h = { n.count(); Cart::new() }; h.total();
    let i = if n > 1 { return } else { Cart::new() }; i.total();
    let j = { let other = Cart::new(); other }; j.total();
    let k = { let cart = n; cart }; k.total();
    let l = vec![n; 3]; l[0].total();
}
";
    check(
        &[
            ("src/lib.rs", text),
            ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ],
        "Cart.total",
        &[
            "src/lib.rs:4:54 call",
            "src/lib.rs:5:57 call",
            "src/lib.rs:6:49 call",
            "src/lib.rs:7:20 call",
            "src/lib.rs:8:23 call",
            "src/lib.rs:9:32 call",
            "src/lib.rs:10:32 call",
            "src/lib.rs:11:42 call",
            "src/lib.rs:12:56 call",
            "src/lib.rs:13:50 call",
            "src/lib.rs:15:29 call?",
        ],
    );
}

#[test]
fn the_parts_of_a_tuple_in_a_branch_or_an_array_are_not_known() {
    let text = "pub struct Cart;
impl Cart { pub fn new() -> Self { Cart } pub fn total(&self) {} }
fn run(n: u8) {
    let (a, b) = if n > 1 { (Cart::new(), 1) } else { (Cart::new(), 2) }; a.total();
    for (name, cart) in [(\"a\", Cart::new())] { cart.total(); }
}
";
    check(
        &[
            ("src/lib.rs", text),
            ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ],
        "Cart.total",
        &["src/lib.rs:4:76 call?", "src/lib.rs:5:52 call?"],
    );
}

#[test]
fn blocks_in_modules_and_functions_declare_members_of_types_outside() {
    let text = "mod other;
pub struct Cart { total: u8 }
impl Cart {
    fn pay(&self) { self.add(); }
}
mod parsing {
    use crate::Cart;
    impl Cart {
        pub fn add(&self) { self.pay(); Self::parse(); }
        fn parse() {}
    }
    fn run(cart: &Cart) { Cart::parse(); cart.add(); cart.mark(); }
}
impl std::fmt::Debug for Cart {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        impl Cart {
            fn list(&self) {}
        }
        self.list();
        Ok(())
    }
}
mod garden {
    pub struct Cart;
    impl Cart {
        pub fn add(&self) {}
        fn run(&self) { self.add(); self.mark(); }
    }
}
";
    let other = "pub mod marks {
    impl super::super::Cart {
        pub fn mark(&self) { self.mark(); }
    }
}
";
    let files = [
        ("src/lib.rs", text),
        ("src/other.rs", other),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
    ];
    check(
        &files,
        "src.lib.parsing.Cart.add",
        &["src/lib.rs:4:25 call", "src/lib.rs:12:46 call"],
    );
    check(
        &files,
        "src.lib.parsing.Cart.parse",
        &["src/lib.rs:9:46 call", "src/lib.rs:12:32 call"],
    );
    check(&files, "Cart.list", &["src/lib.rs:19:13 call"]);
    check(
        &files,
        "Cart.mark",
        &[
            "src/lib.rs:12:58 call",
            "src/other.rs:3:34 call",
            "src/lib.rs:27:41 call?",
        ],
    );
}

#[test]
fn methods_of_a_type_may_come_before_those_of_its_traits() {
    let text = "pub struct Node<T>(T);
pub trait Index { fn index(&self) -> usize; fn mark(&self); fn hide(&self); \
     fn some(&self); fn change(&self); fn both(&mut self); }
impl<T> Node<T> {
    pub fn index(&self) -> usize { 1 }
    fn hide(&self) {}
    pub fn change(&mut self) {}
    pub fn both(&mut self) {}
}
impl Node<u8> { pub fn some(&self) {} }
impl<T> Index for Node<T> {
    fn index(&self) -> usize { self.index() }
    fn mark(&self) {}
    fn hide(&self) {}
    fn some(&self) {}
    fn change(&self) {}
    fn both(&mut self) { self.both() }
}
fn run(node: Node<u16>, other: impl Index) {
    node.index(); node.mark(); other.index();
    node.hide(); node.some(); node.change();
}
";
    let files = [
        ("src/lib.rs", text),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
    ];
    let own = ["src/lib.rs:11:36 call", "src/lib.rs:19:9 call"];
    check(&files, "src/lib.rs:4:12", &own);
    check(&files, "Index.index", &["src/lib.rs:19:37 call"]);
    check(&files, "Index.mark", &["src/lib.rs:19:23 call"]);
    check(&files, "Index.both", &[]);
    check(&files, "Index.hide", &[]);
    // Others are for some types only, or a trait finds the receiver earlier.
    check(&files, "Index.some", &["src/lib.rs:20:22 call"]);
    check(&files, "Index.change", &["src/lib.rs:20:35 call"]);
}

#[test]
fn a_private_method_comes_first_in_its_module() {
    let files = [
        (
            "src/lib.rs",
            "mod date;
mod text { use crate::{Year, date::Date}; pub fn f(date: Date) { date.year(); } }
pub trait Year { fn year(&self) -> i32; }
",
        ),
        (
            "src/date.rs",
            "use crate::Year;
pub struct Date;
impl Date { const fn year(&self) -> i32 { 1 } fn next(&self) { self.year(); } }
impl Year for Date { fn year(&self) -> i32 { self.year() } }
mod inner { fn g(date: super::Date) { date.year(); } }
mod made;
",
        ),
        (
            "src/date/made.rs",
            "fn h(date: super::Date) { date.year(); }
",
        ),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
    ];
    let own = [
        "src/date.rs:3:68 call",
        "src/date.rs:4:50 call",
        "src/date.rs:5:43 call",
        "src/date/made.rs:1:31 call",
    ];
    check(&files, "src/date.rs:3:22", &own);
    check(&files, "Year.year", &["src/lib.rs:2:70 call"]);
}

#[test]
fn a_method_of_the_type_comes_first_in_other_files() {
    let files = [
        (
            "src/lib.rs",
            "mod made; mod read;
pub struct Id;
",
        ),
        (
            "src/made.rs",
            "impl crate::Id { pub fn from_text(text: u8) -> Self { crate::Id } }
",
        ),
        (
            "src/read.rs",
            "use crate::Id;
trait Read { fn from_text(text: u8) -> Option<Id>; }
impl Read for Id { fn from_text(text: u8) -> Option<Id> { Some(Id::from_text(text)) } }
",
        ),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
    ];
    check(&files, "src/made.rs:1:25", &["src/read.rs:3:67 call"]);
    check(&files, "Read.from_text", &[]);
}

#[test]
fn types_in_themselves_end() {
    let mut text = String::from(
        "pub struct A;
impl A { pub fn total(&self) {} }
type R = (R, A);
type L = (A, Option<Box<M>>);
type M = (A, Option<Box<L>>);
type V = Vec<V>;
type T0 = (A, A);
",
    );
    for level in 1..40 {
        text.push_str(&format!("type T{level} = (T{0}, T{0});\n", level - 1));
    }
    text.push_str(
        "fn f(r: R, l: L, v: V, t: T39) { r.1.total(); l.0.total(); v[0].total(); t.0.total(); }\n",
    );
    let answer = ask(&MemoryHost::new(&[("src/lib.rs", &text)]), "A.total");
    assert_eq!(answer.meta.error_code, None);
}

#[test]
fn imported_variants_unwrapped_matches_and_own_iterators_have_their_types() {
    let text = "mod generic;
use self::Entry::{Full, Empty, Named};
pub struct Cart;
impl Cart { pub fn total(&self) {} pub fn other(&self) -> Option<Cart> { None } }
pub enum Entry { Full(Cart), Empty, Named { cart: Cart } }
pub struct Wrapper(Cart);
pub struct Carts<'a> { it: generic::Iter<'a>, first: Option<Cart> }
impl<'a> Carts<'a> {
    fn step(&mut self) { self.it.advance(); }
    fn run(&self, entry: Entry) -> Option<()> {
        match entry { Full(a) => a.total(), Named { cart } => cart.total(), Empty => {} }
        let Wrapper(b) = make(); b.total();
        let c = match &self.first { Some(c) => c, None => return None }; c.total();
        let d = if let Some(d) = &self.first { d } else { return None }; d.total();
        let e = match c.other() { Some(other) => 1, None => return None }; e.total();
        None
    }
}
fn make() -> Wrapper { Wrapper(Cart) }
";
    let files = [
        ("src/lib.rs", text),
        (
            "src/generic.rs",
            "pub struct Iter<'a> { of: &'a u8 }
impl<'a> Iter<'a> { pub fn advance(&mut self) {} }
",
        ),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
    ];
    check(
        &files,
        "Cart.total",
        &[
            "src/lib.rs:11:35 call",
            "src/lib.rs:11:67 call",
            "src/lib.rs:12:35 call",
            "src/lib.rs:13:75 call",
            "src/lib.rs:14:75 call",
        ],
    );
    check(&files, "Iter.advance", &["src/lib.rs:9:33 call"]);
}

#[test]
fn a_call_of_a_method_in_a_block_elsewhere_is_one_of_its_trait() {
    let files = [
        ("src/lib.rs", "mod body;\nmod response;\n"),
        (
            "src/body.rs",
            "pub struct Body;\nimpl Body { pub fn new() -> Self { Body } }\n",
        ),
        (
            "src/response.rs",
            "use crate::body::Body;
pub trait Respond { fn respond(self); fn both(self); }
impl Respond for Body { fn respond(self) { self.both() } fn both(self) {} }
fn run() { Body::new().respond(); }
",
        ),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
    ];
    check(
        &files,
        "src/response.rs:2:24",
        &["src/response.rs:4:23 call"],
    );
    check(
        &files,
        "src/response.rs:2:42",
        &["src/response.rs:3:48 call"],
    );
}

#[test]
fn parts_of_tuples_have_their_types() {
    let text = "use std::collections::HashMap;
pub struct Cart;
impl Cart { pub fn total(&self) {} }
pub struct Shop { carts: Vec<(Cart, bool)>, own: (u8, Cart), \
     named: HashMap<String, Cart>, deep: HashMap<Cart, (Cart, u8)> }
fn pair() -> (Cart, u8) { (Cart, 1) }
fn maybe() -> Option<(u8, Cart)> { None }
impl Shop {
    fn run(&self, given: &(u8, Cart)) {
        self.carts[0].0.total();
        self.own.1.total();
        given.1.total();
        for (a, flag) in &self.carts { a.total(); flag.total(); }
        for (place, b) in self.named.iter() { b.total(); place.total(); }
        self.carts.iter().map(|(c, _)| c.total()).count();
        self.carts.iter().map(|d| d.0.total()).count();
        self.carts.iter().enumerate().for_each(|(i, (e, _))| { e.total(); });
        self.named.iter().for_each(|(name, f)| f.total());
        let (g, count) = pair(); g.total(); count.total();
        let h = pair(); h.0.total(); h.1.total();
        let i = (1, Cart); i.1.total();
        let Some((_, j)) = maybe() else { return }; j.total();
        if let Some((_, k)) = maybe() { k.total(); }
        let (_, l) = maybe().unwrap(); l.total();
        let (m, n) = given; n.total(); m.total();
        let (.., o) = given; o.total();
        let (p,) = (Cart,); p.total();
        for (key, (q, r)) in &self.deep { key.total(); q.total(); r.total(); }
        for (key, s) in self.deep.iter().enumerate() { s.1.0.total(); key.total(); }
        self.deep.values().for_each(|t| t.0.total());
        if let Some((_, (u, _))) = self.deep.iter().next() { u.total(); }
    }
}
";
    check(
        &[
            ("src/lib.rs", text),
            ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ],
        "Cart.total",
        &[
            "src/lib.rs:9:24 call",
            "src/lib.rs:10:19 call",
            "src/lib.rs:11:16 call",
            "src/lib.rs:12:41 call",
            "src/lib.rs:13:48 call",
            "src/lib.rs:14:41 call",
            "src/lib.rs:15:38 call",
            "src/lib.rs:16:65 call",
            "src/lib.rs:17:49 call",
            "src/lib.rs:18:35 call",
            "src/lib.rs:19:28 call",
            "src/lib.rs:20:31 call",
            "src/lib.rs:21:54 call",
            "src/lib.rs:22:42 call",
            "src/lib.rs:23:41 call",
            "src/lib.rs:24:30 call",
            "src/lib.rs:26:30 call",
            "src/lib.rs:27:57 call",
            "src/lib.rs:28:61 call",
            "src/lib.rs:29:44 call",
            "src/lib.rs:30:63 call",
            "src/lib.rs:13:63 call?",
            "src/lib.rs:25:31 call?",
            "src/lib.rs:27:46 call?",
            "src/lib.rs:28:74 call?",
        ],
    );
}

#[test]
fn tuples_have_the_methods_of_traits_that_are_seen() {
    let text = "pub struct Cart;
impl Cart { pub fn respond(&self) {} }
pub trait Respond { fn respond(self); }
impl Respond for (Cart, u8) { fn respond(self) { self.0.respond() } }
impl Respond for (u8, u8) { fn respond(self) {} }
fn run(cart: Cart) {
    (cart, 1).respond();
    let pair = (1, 2); pair.respond();
}
";
    let files = [
        ("src/lib.rs", text),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
    ];
    check(
        &files,
        "Respond.respond",
        &[
            "src/lib.rs:7:14 call",
            "src/lib.rs:8:28 call",
            "src/lib.rs:4:56 call?",
        ],
    );
    check(&files, "Cart.respond", &["src/lib.rs:4:56 call?"]);
}

#[test]
fn values_of_generic_types_carry_their_arguments() {
    let text = "pub struct Fixed;
impl Fixed { pub fn seconds(&self) {} }
pub trait Offset { fn fix(&self) -> Fixed; }
pub enum Found<T> { One(T), None }
impl<U> Found<U> {
    pub fn single(self) -> Option<U> { None }
    pub fn unwrap(self) -> U { self.single().unwrap() }
}
pub trait Zone: Clone {
    type Offset: Clone + Offset;
    fn offset(&self) -> Self::Offset;
    fn found(&self) -> Found<Date<Self>>;
}
pub struct Date<Tz: Zone> { offset: Tz::Offset }
impl<Tz: Zone> Date<Tz> {
    pub fn sum(&self) { self.offset.fix().seconds(); }
    pub fn zone(&self, zone: &Tz) { zone.offset().fix(); zone.found().unwrap().sum(); }
}
pub struct Utc;
impl Zone for Utc {
    type Offset = Utc;
    fn offset(&self) -> Utc { Utc }
    fn found(&self) -> Found<Date<Utc>> { Found::None }
}
struct Guard<T>(T);
impl<T> Deref for Guard<T> { type Target = T; fn deref(&self) -> &T { &self.0 } }
fn make<Z: Zone>() -> Z { todo!() }
fn run(all: Vec<Found<Date<Utc>>>, guard: Guard<Date<Utc>>) {
    Utc.found().unwrap().zone(&Utc);
    Utc.found().single().unwrap().zone(&Utc);
    for one in all { one.unwrap().sum(); }
    guard.sum();
    make().found();
}
";
    let files = [CARGO, ("src/lib.rs", text)];
    check(
        &files,
        "Offset.fix",
        &["src/lib.rs:16:36 call", "src/lib.rs:17:50 call"],
    );
    check(&files, "Fixed.seconds", &["src/lib.rs:16:42 call"]);
    let rows = [
        "src/lib.rs:17:79 call",
        "src/lib.rs:31:34 call",
        "src/lib.rs:32:10 call",
    ];
    check(&files, "Date.sum", &rows);
    let rows = ["src/lib.rs:29:25 call", "src/lib.rs:30:34 call"];
    check(&files, "Date.zone", &rows);
    let rows = [
        "src/lib.rs:17:62 call",
        "src/lib.rs:29:8 call",
        "src/lib.rs:30:8 call",
        "src/lib.rs:33:11 call",
    ];
    check(&files, "Zone.found", &rows);
}

#[test]
fn types_have_the_methods_of_traits_for_all_types() {
    let files = [
        CARGO,
        (
            "src/lib.rs",
            "mod ext; use pin_project::pin_project;
use ext::{OtherExt, ServiceExt};
pub trait Service<R> { fn call(&mut self, r: R) -> R; }
pub struct Wrap<S> { inner: S }
impl<S: Service<u8>> Wrap<S> {
    pub const FIRST: Self = todo!();
    pub fn run(mut self) { self.inner.call(1); self.inner.map_future(1); }
    pub fn poll(self: Pin<&mut Self>) { let this = self.project(); this.inner.call(3); }
}
fn run<S>(s: S) where S: Service<u8> { s.map_future(1); Wrap::FIRST.run(); }
mod far { pub fn run<S: super::Service<u8>>(s: S) { s.map_future(4); } }
",
        ),
        (
            "src/ext.rs",
            "use crate::Service;
pub trait ServiceExt<R>: Service<R> { fn map_future(self, f: u8) {} }
impl<T: ?Sized, R> ServiceExt<R> for T where T: Service<R> {}
pub trait Other {}
pub trait OtherExt { fn map_future(self, f: u8) {} }
impl<T: Other> OtherExt for T {}
",
        ),
    ];
    let rows = [
        "src/lib.rs:7:58 call",
        "src/lib.rs:10:41 call",
        "src/lib.rs:11:54 call?",
    ];
    check(&files, "ServiceExt.map_future", &rows);
    check(&files, "OtherExt.map_future", &["src/lib.rs:11:54 call?"]);
    let rows = ["src/lib.rs:7:38 call", "src/lib.rs:8:78 call"];
    check(&files, "Service.call", &rows);
    check(&files, "Wrap.run", &["src/lib.rs:10:68 call"]);
}

#[test]
fn a_method_for_the_module_around_comes_first_there() {
    let files = [
        CARGO,
        (
            "src/lib.rs",
            "mod days;\nfn f(day: days::Day) { day.week(); }\n",
        ),
        (
            "src/days.rs",
            "mod day;\npub use day::Day;\nfn g(day: Day) { day.week(); }\n",
        ),
        (
            "src/days/day.rs",
            "pub struct Day;
pub trait Dated { fn week(&self); }
impl Day { pub(super) fn week(&self) {} }
impl Dated for Day { fn week(&self) {} }
fn h(day: Day) { day.week(); }
",
        ),
    ];
    check(&files, "Dated.week", &["src/lib.rs:2:27 call"]);
    let rows = ["src/days.rs:3:21 call", "src/days/day.rs:5:21 call"];
    check(&files, "src/days/day.rs:3:26", &rows);
}

#[test]
fn closures_receive_what_their_function_passes() {
    let text = "pub struct Item;
impl Item { pub fn line(&self) -> Line { Line } }
pub struct Line;
impl Line { pub fn text(&self) -> u8 { 1 } }
pub enum Found<T> { One(T), None }
impl<T> Found<T> {
    pub fn unwrap(self) -> T { todo!() }
    pub fn and_then<U, F: FnMut(T) -> Found<U>>(self, f: F) -> Found<U> { Found::None }
    pub fn apply<U>(self, f: impl Fn(&T, u8) -> U) -> U { f(self.unwrap(), 1) }
}
fn run<F>(f: F) where F: Fn(Item) -> Line { f(Item).text(); }
fn call(f: &dyn Fn(Item) -> Line, g: fn(Item) -> Line) { f(Item).text(); g(Item).text(); }
fn own(found: Found<Item>) {
    found.and_then(|a| Found::One(a.line()));
    run(|a| a.line());
    let line = found.apply(|a, _| a.line());
    line.text();
}
fn containers(all: Vec<Item>, one: Option<Item>) {
    all.iter().map(|a| a.line()).next().unwrap().text();
    one.and_then(|a| Some(a.line())).unwrap().text();
    all.iter().fold(0, |sum, a| sum + a.line().text());
    all.sort_by(|a, b| a.line().cmp(&b.line()));
    one.map_or(0, |a| a.line().text()); all.iter().fold(0, |_, a| a.line().text());
    for line in all.iter().filter(|a| a.line().text() > 1).map(|a| { a.line() }) { line.text(); }
}
";
    let files = [CARGO, ("src/lib.rs", text)];
    let rows = [
        "src/lib.rs:14:36 call",
        "src/lib.rs:15:14 call",
        "src/lib.rs:16:36 call",
        "src/lib.rs:20:25 call",
        "src/lib.rs:21:28 call",
        "src/lib.rs:22:40 call",
        "src/lib.rs:23:25 call",
        "src/lib.rs:23:39 call",
        "src/lib.rs:24:24 call",
        "src/lib.rs:24:68 call",
        "src/lib.rs:25:40 call",
        "src/lib.rs:25:71 call",
    ];
    check(&files, "Item.line", &rows);
    let rows = [
        "src/lib.rs:11:52 call",
        "src/lib.rs:12:65 call",
        "src/lib.rs:12:81 call",
        "src/lib.rs:17:9 call",
        "src/lib.rs:20:49 call",
        "src/lib.rs:21:46 call",
        "src/lib.rs:22:47 call",
        "src/lib.rs:24:31 call",
        "src/lib.rs:24:75 call",
        "src/lib.rs:25:47 call",
        "src/lib.rs:25:88 call",
    ];
    check(&files, "Line.text", &rows);
}

#[test]
fn types_of_rust_that_contain_themselves_end() {
    let text = "pub struct Node<T>(Option<Box<Node<Vec<T>>>>, T);
impl<T: Visit<T>> Node<T> { pub fn next(self) -> Node<Node<T>> { self.next().next() } }
pub trait Visit<T: Visit<T>> { type Out: Visit<Self::Out>; fn visit(&self) -> Self::Out; }
type A = Node<B>;
type B = Node<A>;
fn again<F: Fn(F) -> G, G: Fn(G) -> F>(f: F, g: G) { f(f)(g)(f).visit(); again(|a| a, |b| b); }
fn run(a: A) { a.next().next().1.visit(); a.0.unwrap().1.visit().visit(); }
";
    for symbol in ["Visit.visit", "Node.next"] {
        let answer = ask(&MemoryHost::new(&[CARGO, ("src/lib.rs", text)]), symbol);
        assert_eq!(answer.meta.error_code, None);
    }
}

#[test]
fn lines_that_only_a_macro_reads_are_no_part_of_its_items() {
    let text = "trait_template! {
/// A graph.
pub trait Graph {
    @escape [type Id]
    @section type
    type Id: Copy;
    @section self
    fn bound(self: &Self) -> usize;
}
}
fn run<G>(g: G) where G: Graph { g.bound(); }
";
    let files = [CARGO, ("src/lib.rs", text)];
    check(&files, "Graph.bound", &["src/lib.rs:11:35 call"]);
}

#[test]
fn a_call_with_a_closure_has_the_result_of_the_method_and_of_its_trait() {
    let text = "pub struct Item;
impl Item { pub fn line(&self) {} }
pub trait Visit { type Out; fn visit(&self, f: impl Fn(u8) -> Self::Out) -> Self::Out; }
pub struct Visitor;
impl Visit for Visitor { type Out = Item; fn visit(&self, f: impl Fn(u8) -> Item) -> Item { f(1) } }
fn run(visitor: Visitor) { visitor.visit(|_| Item).line(); }
";
    let files = [CARGO, ("src/lib.rs", text)];
    check(&files, "Item.line", &["src/lib.rs:6:51 call"]);
}

#[test]
fn a_constant_of_an_implementation_has_its_type_if_it_is_the_only_one() {
    let text = "pub struct Item;
impl Item { pub fn line(&self) {} }
pub struct Other;
impl Other { pub fn line(&self) {} }
pub struct Holder<T>(T);
impl Holder<Item> { const K: Item = Item; const ONLY: Item = Item; }
impl Holder<Other> { const K: Other = Other; }
fn run() { Holder::<Item>::K.line(); Holder::<Item>::ONLY.line(); }
";
    let files = [CARGO, ("src/lib.rs", text)];
    let rows = ["src/lib.rs:8:58 call", "src/lib.rs:8:29 call?"];
    check(&files, "Item.line", &rows);
    check(&files, "Other.line", &["src/lib.rs:8:29 call?"]);
}

#[test]
fn values_of_a_type_parameter_may_have_the_methods_of_an_outside_trait() {
    let text = "use other::Fused;
pub struct Ready;
impl Fused for Ready { fn is_done(&self) -> bool { true } }
pub trait Shape { fn area(&self); }
fn run<T: Fused + Shape>(value: T) { value.is_done(); value.area(); }
";
    let files = [CARGO, ("src/lib.rs", text)];
    check(&files, "Ready.is_done", &["src/lib.rs:5:43 call?"]);
    check(&files, "Shape.area", &["src/lib.rs:5:60 call"]);
}

#[test]
fn an_implementation_tells_more_than_the_bounds_of_its_trait() {
    let text = "pub trait Kind { fn name(&self) {} }
pub struct Item;
impl Kind for Item {}
impl Item { pub fn name(&self) {} }
pub trait Made { type Of: Kind; fn make(&self) -> Self::Of; }
pub struct Maker;
impl Made for Maker { type Of = Item; fn make(&self) -> Item { Item } }
fn same<T: Clone>(value: T) -> T { value }
fn run(maker: Maker, item: Item) { maker.make().name(); same(item).name(); }
";
    let files = [CARGO, ("src/lib.rs", text)];
    let rows = ["src/lib.rs:9:48 call", "src/lib.rs:9:67 call"];
    check(&files, "Item.name", &rows);
    check(&files, "Kind.name", &[]);
}

#[test]
fn a_method_of_a_trait_that_takes_the_receiver_earlier_counts_too() {
    let text = "pub struct Item;
impl Item { fn take(&self) {} }
pub trait Take { fn take(self); }
impl Take for Item { fn take(self) {} }
fn run(item: Item) { item.take(); }
";
    let files = [CARGO, ("src/lib.rs", text)];
    check(&files, "Take.take", &["src/lib.rs:5:26 call"]);
}

#[test]
fn the_receiver_of_a_block_for_a_reference_is_a_reference() {
    let text = "pub struct Graph;
impl Graph { pub fn edges(&self) {} fn nodes(&self) {} pub fn clear(&mut self) {} }
pub trait Edges { fn edges(self); fn nodes(self); fn clear(self); }
impl<'a> Edges for &'a Graph { fn edges(self) {} fn nodes(self) {} fn clear(self) {} }
fn run(graph: &Graph) { graph.edges(); graph.nodes(); graph.clear(); }
";
    let files = [CARGO, ("src/lib.rs", text)];
    check(&files, "src/lib.rs:2:21", &["src/lib.rs:5:30 call"]);
    check(&files, "src/lib.rs:2:40", &["src/lib.rs:5:45 call"]);
    check(&files, "Edges.edges", &[]);
    check(&files, "Edges.nodes", &[]);
    check(&files, "Edges.clear", &["src/lib.rs:5:60 call"]);
}

#[test]
fn arguments_tell_the_type_arguments_of_constructors() {
    let text = "pub struct Cart;
impl Cart { pub fn total(&self) {} }
pub struct Wrap<T> { inner: T }
impl<T> Wrap<T> {
    pub fn new(inner: T) -> Self { Wrap { inner } }
    pub fn get(&self) -> &T { &self.inner }
    pub fn kept(self) -> Self { self }
}
pub struct Two<A, B>(pub A, pub B);
impl<A, B> Two<A, B> { pub fn of(a: A, b: B) -> Self { Two(a, b) } }
impl<T> From<T> for Wrap<T> { fn from(inner: T) -> Self { Wrap { inner } } }
fn same<T>(value: T) -> T { value }
fn wrap<T>(inner: T) -> Wrap<T> { Wrap { inner } }
fn run(cart: Cart, other: u8) {
    let wrapped = Wrap::new(cart);
    wrapped.get().total();
    Wrap::new(Cart).kept().get().total();
    wrap(Cart {}).get().total();
    same(Cart {}).total();
    Two::of(1, Cart {}).1.total();
    Wrap::from(Cart {}).get().total();
    Wrap::new(other).get().total();
    let plain = Wrap::new(unknown());
    plain.get().total();
}
";
    check(
        &[CARGO, ("src/lib.rs", text)],
        "Cart.total",
        &[
            "src/lib.rs:16:18 call",
            "src/lib.rs:17:33 call",
            "src/lib.rs:18:24 call",
            "src/lib.rs:19:18 call",
            "src/lib.rs:20:26 call",
            "src/lib.rs:21:30 call",
            "src/lib.rs:22:27 call?",
            "src/lib.rs:24:16 call?",
        ],
    );
}
