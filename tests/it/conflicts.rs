//! Files with the marks of a merge: both sides are read if they can stand one after the other.

use ragnav::query::FileOptions;
use ragnav::query::outline::outline;
use ragnav::query::where_used::{WhereUsedOptions, where_used};
use ragnav::syntax::{extract_facts, extract_outline, find_language};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

/// Sides that open a block each, which one line closes.
const TWO_HEADS: &str = "class A {\n<<<<<<< HEAD\n    void a() {\n=======\n    void b() {\n>>>>>>> topic\n    \
                         }\n    void c() {}\n}\n";

/// Returns the name paths of the definitions of a text, and whether it was read in part.
#[track_caller]
fn names(language: &str, text: &str) -> (Vec<String>, bool) {
    let language = find_language(language).unwrap();
    let outline = extract_outline(language, text);
    let facts = extract_facts(language, text);
    assert_eq!(facts.symbols(), outline.definitions);
    assert_eq!(facts.is_partial, outline.is_partial);
    let paths = outline.definitions.into_iter();
    (
        paths.map(|found| found.name_path).collect(),
        outline.is_partial,
    )
}

#[test]
fn both_sides_count_if_they_can_stand_one_after_the_other() {
    for (language, text) in [
        (
            "python",
            "<<<<<<< HEAD\ndef a(): pass\n||||||| base\ndef old(): pass\n=======\n\
             def b(): pass\n>>>>>>> topic\ndef c(): pass\n",
        ),
        (
            "typescript",
            "<<<<<<< HEAD\r\nfunction a() {}\r\n=======\r\nfunction b() {}\r\n>>>>>>> topic\r\n\
             function c() {}\r\n",
        ),
        (
            "go",
            "package p\n<<<<<<< HEAD\nfunc a() {}\n=======\nfunc b() {}\n>>>>>>> topic\n\
             func c() {}\n",
        ),
    ] {
        let expected = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(names(language, text), (expected, false), "{language}");
    }
}

#[test]
fn two_heads_of_a_python_function_count() {
    let text = "class A:\n<<<<<<< HEAD\n    def a(self):\n=======\n    def b(self):\n>>>>>>> topic\n        \
                return 1\n\n    def c(self): pass\n";
    let expected = ["A", "A.a", "A.b", "A.c"].map(str::to_owned).to_vec();
    assert_eq!(names("python", text), (expected, false));
}

#[test]
fn the_first_side_counts_alone_if_both_cannot_stand() {
    let expected = ["A", "A.a", "A.c"].map(str::to_owned).to_vec();
    assert_eq!(names("java", TWO_HEADS), (expected, true));
}

#[test]
fn components_are_read_with_the_first_side() {
    let text = "<script>\n<<<<<<< HEAD\nfunction a() {}\n=======\nfunction b() {}\n>>>>>>> topic\n\
                function c() {}\n</script>\n";
    let expected = ["a", "c"].map(str::to_owned).to_vec();
    assert_eq!(names("vue", text), (expected, true));
}

#[test]
fn rows_keep_the_places_that_they_have_in_the_file() {
    let host = MemoryHost::new(&[(
        "a.py",
        "def f(): pass\n<<<<<<< HEAD\nf()\n=======\nx = f()\n>>>>>>> topic\n",
    )]);
    let options = WhereUsedOptions::default();
    let used = run(where_used(&host, &settings(), "f", &options));
    let rows = used.items.iter().map(|row| (row.line, row.start_utf16));
    assert_eq!(rows.collect::<Vec<_>>(), [(3, 0), (5, 4)]);
}

#[test]
fn an_answer_says_that_a_side_was_not_read() {
    let host = MemoryHost::new(&[("A.java", TWO_HEADS)]);
    let message = run(outline(
        &host,
        &settings(),
        "A.java",
        &FileOptions::default(),
    ))
    .meta
    .message;
    assert!(message.unwrap().contains("A.java is parsed only in part"));
}
