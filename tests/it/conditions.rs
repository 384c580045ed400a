//! The conditions under which rows are compiled: `#if` in C and C++, build constraints in Go,
//! `cfg` in Rust.

use ragnav::base::item::Definition;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::locate::locate;
use ragnav::query::occurrences::{OccurrencesOptions, occurrences};
use ragnav::query::outline::{OutlineItem, outline};
use ragnav::query::search::{SearchOptions, search};
use ragnav::query::where_used::{WhereUsedOptions, where_used};
use ragnav::query::{FileOptions, QuestionOptions};
use ragnav::syntax;
use ragnav::syntax::facts::Position;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

/// Returns the condition of each line of a text that has one, as `line condition`.
pub fn conditions(language: &str, text: &str) -> Vec<String> {
    let language = syntax::find_language(language).unwrap();
    let facts = syntax::extract_facts(language, text);
    let outline = syntax::extract_outline(language, text);
    assert_eq!(facts.conditions, outline.conditions);
    let lines = (1..).zip(text.lines());
    let lines = lines.filter_map(|(line, _)| {
        let at = Position {
            line,
            start_utf16: 0,
        };
        Some(format!("{line} {}", facts.conditions.at(at)?))
    });
    lines.collect()
}

#[test]
fn every_branch_of_c_says_its_condition() {
    let text = "\
#ifdef _WIN32
int a;
#elif defined(__APPLE__) || B
int b;
#elif C
int c;
#else
int d;
#endif
int e;
#ifndef X
int f;
#else
int g;
#endif
";
    let expected = [
        "2 defined(_WIN32)",
        "4 !defined(_WIN32) && (defined(__APPLE__) || B)",
        "5 !defined(_WIN32)",
        "6 !defined(_WIN32) && !(defined(__APPLE__) || B) && C",
        "7 !defined(_WIN32) && !(defined(__APPLE__) || B)",
        "8 !defined(_WIN32) && !(defined(__APPLE__) || B) && !(C)",
        "12 !defined(X)",
        "14 defined(X)",
    ];
    // A directive is outside of its branch, and stands under the opposites of those before.
    assert_eq!(conditions("c", text), expected);
    assert_eq!(conditions("cpp", text), expected);
}

#[test]
fn nested_conditions_of_c_are_joined() {
    let text = "\
#if defined(_WIN32) /* a
 comment */ && \\
    !X // another
# if A || B
int a;
# endif
int b;
#endif
";
    assert_eq!(
        conditions("c", text),
        [
            "4 defined(_WIN32) && !X",
            "5 defined(_WIN32) && !X && (A || B)",
            "6 defined(_WIN32) && !X",
            "7 defined(_WIN32) && !X",
        ]
    );
}

#[test]
fn directives_in_comments_and_literals_are_text() {
    let text = "\
/*
#if A
*/
char *a = \"\\
#if B\";
char q = '\"';
// \\
#if C
int x = '\\'';
auto s = R\"(
#if D
)\";
int n = 1'000;
int b;
";
    assert!(conditions("cpp", text).is_empty());
}

#[test]
fn the_guard_of_a_header_is_no_condition() {
    for text in [
        "/* A. */\n#ifndef A_H\n#define A_H\nint a;\n#endif\n",
        "#pragma once\n#if !defined(A_H)\n# define A_H 1\nint a;\n#endif /* A_H */\n",
        "#if !defined A_H\n\n#define A_H\nint a;\n#endif // A_H",
        "#ifndef A_H\n#define A_H\nint a;\n",
    ] {
        assert_eq!(conditions("c", text), [""; 0], "{text}");
    }
    for text in [
        // Something precedes or follows it, it has another branch, or it defines another name.
        "int b;\n#ifndef A_H\n#define A_H\nint a;\n#endif\n",
        "#ifndef A_H\n#define A_H\nint a;\n#endif\nint b;\n",
        "#ifndef A_H\n#define A_H\nint a;\n#else\nint b;\n#endif\n",
        "#ifndef A_H\n#define B_H\nint a;\n#endif\n",
        "#ifndef A_H\nint a;\n#define A_H\n#endif\n",
    ] {
        let found = conditions("c", text);
        assert!(found.iter().any(|row| row.contains("A_H")), "{text}");
    }
    let inside = "#ifndef A_H\n#define A_H\n#ifdef B\nint a;\n#endif\n#endif\n";
    assert!(conditions("c", inside).contains(&"4 defined(B)".to_owned()));
}

#[test]
fn a_construct_without_end_reaches_to_the_end_of_the_text() {
    let found = conditions("c", "#endif\n#else\n#if A\nint a;\n");
    assert_eq!(found, ["4 A"]);
}

#[test]
fn items_of_rust_stand_under_their_attributes() {
    let text = "\
#[cfg(unix)]
#[derive(Debug)]
// A comment.
#[cfg(feature = \"a\")]
struct A {
    #[cfg(test)]
    x: u8,
    y: u8,
}
#[cfg(not(unix))]
mod b {
    #[cfg(any(a,
              b))]
    fn f() {
        #[cfg(debug_assertions)]
        g();
        match 1 {
            #[cfg(c)]
            1 => h(),
            _ => i(),
        }
    }
}
#[cfg_attr(test, derive(Clone))]
struct C;
";
    let found = conditions("rust", text);
    let at = |line: &str| {
        let start = format!("{line} ");
        let row = found.iter().find_map(|row| row.strip_prefix(&start));
        row.unwrap_or("none")
    };
    assert_eq!(at("5"), "unix && feature = \"a\"");
    assert_eq!(at("7"), "unix && feature = \"a\" && test");
    assert_eq!(at("8"), "unix && feature = \"a\"");
    assert_eq!(at("14"), "not(unix) && any(a, b)");
    assert_eq!(at("16"), "not(unix) && any(a, b) && debug_assertions");
    assert_eq!(at("19"), "not(unix) && any(a, b) && c");
    assert_eq!(at("20"), "not(unix) && any(a, b)");
    assert_eq!(at("24"), "none");
    assert_eq!(at("25"), "none");
    let whole = conditions("rust", "//! A.\n#![cfg(windows)]\nfn f() {}\n");
    assert_eq!(whole, ["1 windows", "2 windows", "3 windows"]);
}

#[test]
fn a_file_of_go_has_a_constraint() {
    let text = "// A.\n\n//go:build linux && !cgo\n\npackage a\n\nfunc f() {}\n";
    assert_eq!(conditions("go", text).last().unwrap(), "7 linux && !cgo");
    // Only before the package clause.
    let text = "package a\n\n//go:build linux\nfunc f() {}\n";
    assert!(conditions("go", text).is_empty());
}

#[test]
fn thousands_of_nested_conditions_are_bounded() {
    let depth = 50_000;
    let nested = format!(
        "{}int x;\n{}",
        "#if A\n#if B\n".repeat(depth / 2),
        "#endif\n".repeat(depth)
    );
    let chain = format!("#if A\n{}int x;\n#endif\n", "#elif B\n".repeat(depth));
    let long = format!("#if {}\nint x;\n#endif\n", "A && ".repeat(depth));
    for text in [nested, chain, long] {
        let language = syntax::find_language("c").unwrap();
        let facts = syntax::extract_facts(language, &text);
        let line = 1 + text.lines().position(|line| line == "int x;").unwrap();
        let at = Position {
            line: u32::try_from(line).unwrap(),
            start_utf16: 0,
        };
        let condition = facts.conditions.at(at).unwrap();
        assert!(condition.len() < 300, "{condition}");
        assert!(condition.contains('…'), "{condition}");
    }
    // Raw strings without an end.
    let strings = "x R\"a( \n".repeat(depth);
    assert!(conditions("cpp", &format!("#if A\n{strings}")).len() > depth / 2);
}

const FILES: [(&str, &str); 8] = [
    (
        "a.c",
        "#ifdef _WIN32\nint open_it(void) { return 1; }\n#else\nint open_it(void) { return 2; }\n\
         #endif\nint main(void) {\n#if TRACE\n  return open_it();\n#endif\n  return 0;\n}\n",
    ),
    (
        "dial_linux_amd64.go",
        "//go:build cgo || netgo\n\npackage net\n\nfunc dial() {}\n",
    ),
    ("dial_windows.go", "package net\n\nfunc dial() {}\n"),
    ("Cargo.toml", "[package]\nname = \"shop\"\n"),
    (
        "src/lib.rs",
        "#[cfg(unix)]\nmod sys;\n#[cfg(windows)]\n#[path = \"sys_windows.rs\"]\nmod sys;\nmod plain;\n",
    ),
    (
        "src/sys/mod.rs",
        "#[cfg(feature = \"fast\")]\npub mod fast;\npub fn stat_it() {}\n",
    ),
    (
        "src/sys/fast.rs",
        "#[cfg(test)]\nmod tests {\n    fn read_it() { super::super::stat_it(); }\n}\n",
    ),
    ("src/sys_windows.rs", "pub fn stat_it() {}\n"),
];

fn located(definitions: &[Definition]) -> Vec<String> {
    let rows = definitions.iter();
    let rows = rows.map(|one| {
        let condition = one.condition.as_deref().unwrap_or("always");
        format!("{}:{} {condition}", one.file, one.start_line)
    });
    rows.collect()
}

fn flat(items: &[OutlineItem]) -> Vec<Definition> {
    let items = items.iter();
    items
        .flat_map(|item| {
            let inside = flat(&item.children);
            [item.definition.clone()].into_iter().chain(inside)
        })
        .collect()
}

/// Returns what several queries say about the conditions of their rows.
fn answers(host: &MemoryHost) -> Vec<Vec<String>> {
    let settings = settings();
    let options = QuestionOptions::default();
    let locate = |symbol: &str| located(&run(locate(host, &settings, symbol, &options)).items);
    let outline = |file: &str| {
        let answer = run(outline(host, &settings, file, &FileOptions::default()));
        located(&flat(&answer.items))
    };
    let used = run(where_used(
        host,
        &settings,
        "open_it",
        &WhereUsedOptions::default(),
    ));
    let found = run(search(host, &settings, "_it", &SearchOptions::default()));
    let rows = used.items.iter().chain(&found.items).map(|row| {
        let condition = row.condition.as_deref().unwrap_or("always");
        format!("{}:{} {condition}", row.file, row.line)
    });
    let options = OccurrencesOptions::default();
    let named = run(occurrences(host, &settings, "src/sys/fast.rs", &options));
    let named = named.items.iter().map(|row| {
        let condition = row.condition.as_deref().unwrap_or("always");
        format!("{}:{} {condition}", row.line, row.start_utf16)
    });
    vec![
        locate("open_it"),
        located(&used.head.definitions),
        locate("dial"),
        locate("stat_it"),
        locate("main"),
        outline("src/sys/fast.rs"),
        rows.collect(),
        named.collect(),
    ]
}

fn build(host: &MemoryHost) {
    run(build_graph(
        host,
        &settings(),
        &BuildOptions::default(),
        "one",
    ));
}

#[test]
fn rows_say_their_condition_with_and_without_an_index() {
    let mut host = MemoryHost::new(&FILES);
    host.head = Some("a".repeat(40));
    let live = answers(&host);
    let opened = ["a.c:2 defined(_WIN32)", "a.c:4 !defined(_WIN32)"];
    assert_eq!(live[0], opened);
    assert_eq!(live[1], opened);
    assert_eq!(
        live[2],
        [
            "dial_linux_amd64.go:5 linux && amd64 && (cgo || netgo)",
            "dial_windows.go:3 windows",
        ]
    );
    assert_eq!(
        live[3],
        ["src/sys/mod.rs:3 unix", "src/sys_windows.rs:1 windows"]
    );
    assert_eq!(live[4], ["a.c:6 always"]);
    let in_fast = "unix && feature = \"fast\" && test";
    assert_eq!(
        live[5],
        [
            format!("src/sys/fast.rs:2 {in_fast}"),
            format!("src/sys/fast.rs:3 {in_fast}")
        ]
    );
    assert_eq!(
        live[6],
        [
            "a.c:8 TRACE",
            "a.c:2 defined(_WIN32)",
            "a.c:4 !defined(_WIN32)",
            "a.c:8 TRACE",
            &format!("src/sys/fast.rs:3 {in_fast}"),
            "src/sys/mod.rs:3 unix",
            "src/sys_windows.rs:1 windows",
        ]
    );
    assert!(live[7].iter().all(|row| row.ends_with(in_fast)));
    build(&host);
    assert_eq!(answers(&host), live);
    // The file that declares a module has changed; the file of the module has not.
    host.put("src/lib.rs", b"#[cfg(target_os = \"linux\")]\nmod sys;\n");
    let changed = answers(&host);
    assert_eq!(
        changed[3],
        [
            "src/sys/mod.rs:3 target_os = \"linux\"",
            "src/sys_windows.rs:1 always"
        ]
    );
    build(&host);
    assert_eq!(answers(&host), changed);
}
