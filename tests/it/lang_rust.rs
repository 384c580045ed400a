//! Rust: definitions and references.

use ragnav::syntax::{extract_facts, find_language};

use crate::lang_rows::check;

#[test]
fn definitions_have_the_name_paths_of_their_parents() {
    check(
        "a.rs",
        "use std::fmt;

/// A thing.
#[derive(Debug)]
#[must_use]
pub struct Thing<T> {
    name: String,
}

impl<T> Thing<T> {
    fn new() -> Self {
        fn inner() {}
        Self
    }
} // end

impl fmt::Display for &'static Thing<u8> {
    fn fmt(&self) {}
}

trait Shape: Base {
    type Out;
    fn area(&self) -> f64;
}
enum Kind { A, B(u8) }
union Bits { a: u8 }
type Alias = Thing<u8>;
mod inner { pub fn f() {} }
mod elsewhere;
macro_rules! m { () => { helper() } }
",
        &[
            "Thing class 4 6-8",
            "Thing.new method 11 11-14",
            "Thing.new.inner function 12 12-12",
            "Thing.fmt method 18 18-18",
            "Shape interface 21 21-24",
            "Shape.Out type 22 22-22",
            "Shape.area method 23 23-23",
            "Kind enum 25 25-25",
            "Bits class 26 26-26",
            "Alias type 27 27-27",
            "inner namespace 28 28-28",
            "inner.f function 28 28-28",
            "m function 30 30-30",
        ],
        &[
            "#0 1:4 std read",
            "#0 1:9 std::.fmt import",
            "#2 7:10 String read",
            "#3 10:8 Thing read",
            "#3 10:14 T read",
            "#6 17:5 fmt read",
            "#6 17:10 fmt::.Display inherit",
            "#6 17:31 Thing read",
            "#8 21:13 Base inherit",
            "#0 27:13 Thing read",
            "#19 30:25 ?.helper call",
        ],
        &["#0 1:9 std:: fmt -", "#0 29:4 .elsewhere module -"],
    );
}

#[test]
fn references_exclude_variables_and_fields() {
    check(
        "a.rs",
        r#"fn helper(helper: u8) { helper; }
fn name() {}
fn caller(list: &[u8]) {
    let name = name();
    name.len();
    for helper in list { helper; }
    helper(|helper| helper);
    if let Some(x) = helper(1) { x; }
    match list { [name, ..] if name() => name, _ => helper(2) };
    assert_eq!(helper(3), name, "{}", list.helper());
    thing.name;
    thing.name();
    elsewhere::name();
    helper::<u8>(4);
}
"#,
        &[
            "helper function 1 1-1",
            "name function 2 2-2",
            "caller function 3 3-15",
        ],
        &[
            "#1 1:24 helper read",
            "#3 4:15 name call",
            "#4 5:4 name read",
            "#4 5:9 name.len call",
            "#4 6:18 list read",
            "#6 6:25 helper read",
            "#4 7:4 helper call",
            "#7 7:20 helper read",
            "#8 8:11 Some read",
            "#8 8:21 helper call",
            "#9 8:33 x read",
            "#4 9:10 list read",
            "#10 9:31 name call",
            "#10 9:41 name read",
            "#11 9:52 helper call",
            "#4 10:4 assert_eq call",
            "#4 10:15 helper call",
            "#4 10:26 name read",
            "#4 10:38 list read",
            "#4 10:43 list.helper call",
            "#4 11:4 thing read",
            "#4 12:4 thing read",
            "#4 12:10 thing.name call",
            "#4 13:4 elsewhere read",
            "#4 13:15 elsewhere::.name call",
            "#4 14:4 helper call",
        ],
        &[],
    );
}

#[test]
fn members_belong_to_the_named_type() {
    check(
        "a.rs",
        "struct A;
impl A {
    fn new() -> Self { Self::new() }
    fn run(&self) {
        self.run();
        A::new();
        self::run();
        other.run();
        self.field.run();
    }
}
fn run() { run() }
mod sees { use super::*; fn g() { run() } }
mod sees_not { fn g() { run() } }
",
        &[
            "A class 1 1-1",
            "A.new method 3 3-3",
            "A.run method 4 4-10",
            "run function 12 12-12",
            "sees namespace 13 13-13",
            "sees.g function 13 13-13",
            "sees_not namespace 14 14-14",
            "sees_not.g function 14 14-14",
        ],
        &[
            "#3 2:5 A read",
            "#4 3:29 Self::.new call",
            "#5 5:13 self.run call",
            "#5 6:8 A read",
            "#5 6:11 A::.new call",
            "#5 7:14 self::.run call",
            "#5 8:8 other read",
            "#5 8:14 other.run call",
            "#5 9:19 self.@field.run call",
            "#6 12:11 run call",
            "#8 13:34 run call",
            "#10 14:24 run call",
        ],
        &["#7 13:15 super:: * -"],
    );
}

#[test]
fn imports_have_their_modules() {
    check(
        "a.rs",
        "use crate::auth::{self, Login, user::User as Person};
use std::io::Read;
use other::*;
fn f() { use a::helper; helper(); Login::new(); Person(1); }
fn helper() {}
",
        &["f function 4 4-4", "helper function 5 5-5"],
        &[
            "#0 1:11 crate::.auth read",
            "#0 1:24 crate::.auth.Login import",
            "#0 1:31 crate::.auth.user read",
            "#0 1:37 crate::.auth.user.User import",
            "#0 2:4 std read",
            "#0 2:9 std::.io read",
            "#0 2:13 std::.io.Read import",
            "#0 3:4 other read",
            "#1 4:13 a read",
            "#1 4:16 a::.helper import",
            "#1 4:24 helper call",
            "#1 4:34 Login read",
            "#1 4:41 Login::.new call",
            "#1 4:48 Person call",
        ],
        &[
            "#0 1:18 crate:: auth -",
            "#0 1:24 crate::.auth Login -",
            "#0 1:37 crate::.auth.user User Person",
            "#0 2:13 std::.io Read -",
            "#0 3:4 other:: * -",
            "#1 4:16 a:: helper -",
        ],
    );
}

#[test]
fn tokens_of_macros_are_read_as_expressions() {
    check(
        "a.rs",
        "fn f(a: A) {
    log::debug!(\"{}\", a);
    assert_eq!(parse::<u32, B>(a), map.get::<C>().len());
    vec![Item { id: 1, of: a.owner }, Item::default(), Vec::<D>::new()];
    (a.handler)(1);
    assert!(if default { a } else { b });
}
",
        &["f function 1 1-7"],
        &[
            "#1 1:8 A read",
            "#1 2:4 log read",
            "#1 2:9 log::.debug call",
            "#1 2:22 a read",
            "#1 3:4 assert_eq call",
            "#1 3:15 parse call",
            "#1 3:28 B read",
            "#1 3:31 a read",
            "#1 3:35 map read",
            "#1 3:39 map.get call",
            "#1 3:45 C read",
            "#1 3:50 map.get().len call",
            "#1 4:4 vec call",
            "#1 4:9 Item read",
            "#1 4:27 a read",
            "#1 4:38 Item read",
            "#1 4:44 Item::.default call",
            "#1 4:55 Vec read",
            "#1 4:61 D read",
            "#1 4:65 Vec::.new call",
            "#1 5:5 a read",
            "#1 6:4 assert call",
            "#1 6:15 default read",
            "#1 6:25 a read",
            "#1 6:36 b read",
        ],
        &[],
    );
}

#[test]
fn tokens_of_macros_that_are_no_items_stay_tokens() {
    check(
        "a.rs",
        "bitflags! {
    pub struct Flags: u32 { const A = 1; }
}
newtype!{struct Close(u32);}
mixed! { struct Some1; let x = 1; }
page! { fn = a }
/// Kept.
#[cfg(unix)]
thread_local! {
    // A comment.
    static LAST: u32 = open();
}
fn f() {
    quote! { struct Inner; }
}
libc! { pub fn a(); pub struct B { c: u32 } }
",
        &[
            "f function 13 13-15",
            "a function 16 16-16",
            "B class 16 16-16",
        ],
        &[
            "#0 1:0 bitflags call",
            "#0 2:34 A read",
            "#0 4:0 newtype call",
            "#0 4:16 Close call",
            "#0 5:0 mixed call",
            "#0 5:16 Some1 read",
            "#0 5:27 x read",
            "#0 6:0 page call",
            "#0 6:13 a read",
            "#0 9:0 thread_local call",
            "#0 11:23 open call",
            "#1 14:4 quote call",
            "#1 14:20 Inner read",
            "#0 16:0 libc call",
        ],
        &[],
    );
}

#[test]
fn hostile_macros_around_items_have_facts() {
    for text in [
        format!("{}fn f() {{}}{}", "a! { ".repeat(2_000), " }".repeat(2_000)),
        "a! { fn f() {} } ".repeat(2_000),
        format!(
            "a! {{ fn f() {{}} {}",
            "mod a { b! { fn g() {} } ".repeat(500)
        ),
        "! {".repeat(20_000),
        "a! { struct B; ".to_owned(),
    ] {
        let facts = extract_facts(find_language("rust").unwrap(), &text);
        let size: usize = facts.names.iter().map(String::len).sum();
        assert!(size <= 250 * text.len() + 1_000, "{size}");
    }
}
