//! `outline`: the definitions of a file as a tree.

use ragnav::base::envelope::RagToolStatus;
use ragnav::base::error::ErrorCode;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::outline::OutlineItem;
use ragnav::query::outline::{Outline, outline};
use ragnav::query::{FileOptions, answer_arguments};
use serde_json::json;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

const SOURCE: &str = "class Cart:\n    \
     def add(self):\n        \
     def check():\n            \
     pass\n        \
     check()\n\n    \
     def total(self):\n        \
     pass\n\n\
     def main():\n    \
     pass\n";

/// Prints each definition as `name kind first-last`, indented by its depth.
fn lines(items: &[OutlineItem], depth: usize) -> Vec<String> {
    items
        .iter()
        .flat_map(|item| {
            let kind = serde_json::to_value(item.definition.kind).unwrap();
            let own = format!(
                "{}{} {} {}-{}",
                "  ".repeat(depth),
                item.name,
                kind.as_str().unwrap(),
                item.definition.start_line,
                item.definition.end_line
            );
            [own].into_iter().chain(lines(&item.children, depth + 1))
        })
        .collect()
}

#[test]
fn methods_are_inside_their_class_with_and_without_an_index() {
    let mut host = MemoryHost::new(&[("shop/cart.py", SOURCE)]);
    host.head = Some("a".repeat(40));
    let expected = [
        "Cart class 1-8",
        "  add method 2-5",
        "    check function 3-4",
        "  total method 7-8",
        "main function 10-11",
    ];
    let live = run(outline(
        &host,
        &settings(),
        "shop/cart.py",
        &FileOptions::default(),
    ));
    assert_eq!(lines(&live.items, 0), expected);
    assert_eq!(live.meta.status, RagToolStatus::Fallback);
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "one",
    ));
    let indexed = run(outline(
        &host,
        &settings(),
        "shop/cart.py",
        &FileOptions::default(),
    ));
    assert_eq!(lines(&indexed.items, 0), expected);
    assert_eq!(indexed.meta.status, RagToolStatus::Ok);
    host.put("shop/cart.py", format!("import os\n{SOURCE}").as_bytes());
    let edited = run(outline(
        &host,
        &settings(),
        "shop/cart.py",
        &FileOptions::default(),
    ));
    assert_eq!(lines(&edited.items, 0)[1], "  add method 3-6");
}

#[test]
fn a_half_typed_head_keeps_the_later_members() {
    let members =
        "        return 1\n\n    def total(self):\n        return 2\n\ndef main(): pass\n";
    for (head, expected) in [
        (
            "def add(self, other",
            &["Cart class 1-6", "  add method 2-3"][..],
        ),
        ("def add(self)", &["Cart class 1-6", "  add method 2-3"]),
        ("async def add", &["Cart class 1-6"]),
        ("def (self):", &["Cart class 1-6"]),
    ] {
        let source = format!("class Cart:\n    {head}\n{members}");
        let host = MemoryHost::new(&[("cart.py", &source)]);
        let answer = run(outline(
            &host,
            &settings(),
            "cart.py",
            &FileOptions::default(),
        ));
        let rest = ["  total method 5-6", "main function 8-8"];
        assert_eq!(
            lines(&answer.items, 0),
            [expected, &rest].concat(),
            "{head}"
        );
    }
}

#[test]
fn definitions_of_one_name_keep_their_own_members() {
    let source = "if a:\n    \
         class A:\n        \
         def f(self): pass\n\
         else:\n    \
         class A:\n        \
         def g(self): pass\n";
    let host = MemoryHost::new(&[("a.py", source)]);
    let answer = run(outline(&host, &settings(), "a.py", &FileOptions::default()));
    let expected = [
        "A class 2-3",
        "  f method 3-3",
        "A class 5-6",
        "  g method 6-6",
    ];
    assert_eq!(lines(&answer.items, 0), expected);
}

#[test]
fn a_file_that_cannot_be_outlined_is_an_error() {
    let host = MemoryHost::new(&[("a.txt", "text\n")]);
    for (arguments, code) in [
        (json!({ "file": "gone.py" }), ErrorCode::FileUnreadable),
        (json!({ "file": "a.txt" }), ErrorCode::LanguageUnavailable),
        (json!({ "file": "../a.py" }), ErrorCode::InvalidArgument),
        (json!({}), ErrorCode::InvalidArgument),
    ] {
        let answer = run(answer_arguments::<Outline, _>(
            &host,
            &settings(),
            arguments,
        ));
        assert_eq!(answer.meta.error_code, Some(code.into()));
        assert_eq!(answer.meta.status, RagToolStatus::Error);
    }
}

#[test]
fn a_missing_file_is_no_file_of_an_unknown_language() {
    let host = MemoryHost::new(&[("notes.txt", "text\n"), ("src/a.py", SOURCE)]);
    let code = |file: &str| {
        let options = FileOptions::default();
        let meta = run(outline(&host, &settings(), file, &options)).meta;
        meta.error_code
    };
    assert_eq!(code("nowhere"), Some(ErrorCode::FileUnreadable.into()));
    assert_eq!(code("src"), Some(ErrorCode::FileUnreadable.into()));
    assert_eq!(
        code("notes.txt"),
        Some(ErrorCode::LanguageUnavailable.into())
    );
}
