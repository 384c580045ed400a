//! The conditions of Rust beside `#[cfg]`: `cfg_attr`, and the branches of `cfg_if!`.

use ragnav::query::QuestionOptions;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::locate::locate;
use ragnav::query::where_used::{WhereUsedOptions, where_used};
use ragnav::syntax;

use crate::common::{MemoryHost, settings};
use crate::conditions::conditions;
use crate::fs_host::run;

/// Returns the condition of a line among those of [`conditions`].
fn at(rows: &[String], line: u32) -> &str {
    let start = format!("{line} ");
    let row = rows.iter().find_map(|row| row.strip_prefix(&start));
    row.unwrap_or("always")
}

#[test]
fn an_attribute_of_cfg_attr_is_no_condition_unless_it_is_cfg() {
    let text = "\
#[cfg_attr(test, derive(Clone))]
struct A;
#[cfg_attr(not(docs), allow(unused), cfg(any(a, b)))]
struct B;
#[cfg_attr(feature = \"x, y\", cfg(c))]
fn f() {}
";
    let rows = conditions("rust", text);
    assert_eq!(at(&rows, 2), "always");
    assert_eq!(at(&rows, 4), "any(docs, any(a, b))");
    assert_eq!(at(&rows, 6), "any(not(feature = \"x, y\"), c)");
}

#[test]
fn the_branches_of_cfg_if_stand_under_their_predicates() {
    let text = "\
#[cfg(outer)]
cfg_if::cfg_if! {
    // A comment.
    if #[cfg(unix)] {
        fn a() {}
    } else if #[cfg(not(feature = \"}\"))] {
        #[cfg(b)]
        fn a() {}
        cfg_if! { if #[cfg(inner)] {
            struct S;
        } }
    } else {
        mod c { fn d() { d(); } }
    }
}
fn e() -> u8 {
    cfg_if! {
        if #[cfg(miri)] {
            1
        } else {
            2
        }
    }
}
";
    let rows = conditions("rust", text);
    assert_eq!(at(&rows, 5), "outer && unix");
    let second = "outer && not(unix) && not(feature = \"}\")";
    assert_eq!(at(&rows, 8), format!("{second} && b"));
    assert_eq!(at(&rows, 10), format!("{second} && inner"));
    assert_eq!(at(&rows, 13), "outer && not(unix) && feature = \"}\"");
    assert_eq!(at(&rows, 16), "always");
    assert_eq!(at(&rows, 19), "miri");
    assert_eq!(at(&rows, 21), "not(miri)");
    let rust = syntax::find_language("rust").unwrap();
    let outline = syntax::extract_outline(rust, text);
    let names = outline.definitions.iter().map(|one| one.name_path.as_str());
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["a", "a", "S", "c", "c.d", "e"]);
    assert!(!outline.has_errors);
}

#[test]
fn the_branches_of_cfg_select_stand_under_their_predicates() {
    let text = "\
#[cfg(outer)]
std::cfg_select! {
    unix => {
        fn a() {}
    }
    any(windows, feature = \"=> }\") => {
        fn a() {}
        cfg_if! { if #[cfg(inner)] {
            struct S;
        } }
    },
    _ => {
        mod c { fn d() { d(); } }
    }
}
fn e() -> u8 {
    cfg_select! {
        miri => {
            1
        }
        _ => {
            2
        }
    }
}
";
    let rows = conditions("rust", text);
    assert_eq!(at(&rows, 4), "outer && unix");
    let second = "outer && not(unix) && any(windows, feature = \"=> }\")";
    assert_eq!(at(&rows, 7), second);
    assert_eq!(at(&rows, 9), format!("{second} && inner"));
    assert_eq!(
        at(&rows, 13),
        "outer && not(unix) && not(any(windows, feature = \"=> }\"))"
    );
    assert_eq!(at(&rows, 19), "miri");
    assert_eq!(at(&rows, 22), "not(miri)");
    let rust = syntax::find_language("rust").unwrap();
    let outline = syntax::extract_outline(rust, text);
    let names = outline.definitions.iter().map(|one| one.name_path.as_str());
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["a", "a", "S", "c", "c.d", "e"]);
    assert!(!outline.has_errors);
}

#[test]
fn other_macros_and_other_forms_stay_macros() {
    for text in [
        "cfg_if! { if x { fn f() {} } }\n",
        "cfg_if! { fn f() {} }\n",
        "my_cfg_if! { if #[cfg(a)] { fn f() {} } }\n",
        "cfg_if! { if #[cfg(a)] { fn f() {} } or { } }\n",
        "cfg_select! { a => 1, _ => 2 }\n",
        "cfg_select! { fn f() {} }\n",
        "cfg_select! { => { fn f() {} } }\n",
        "cfg_select! { }\n",
        "cfg_if!\n",
        "cfg_if! {",
    ] {
        assert!(conditions("rust", text).is_empty(), "{text}");
        let rust = syntax::find_language("rust").unwrap();
        assert!(syntax::extract_symbols(rust, text).is_empty(), "{text}");
    }
    let nested = "cfg_if! { if #[cfg(a)] { ".repeat(2_000);
    let text = format!("{nested}fn f() {{}}{}", " } }".repeat(2_000));
    assert!(conditions("rust", &text).len() <= 1);
}

const FILES: [(&str, &str); 6] = [
    ("Cargo.toml", "[package]\nname = \"shop\"\n"),
    (
        "src/lib.rs",
        "#[cfg(net)]\n#[cfg_attr(windows, path = \"win.rs\")]\n#[cfg_attr(wasm, path = \"web.rs\")]\n\
         mod dial;\ncfg_if::cfg_if! {\n    if #[cfg(unix)] {\n        mod sys;\n    } else {\n        \
         fn open_it() {}\n        fn start() { open_it(); }\n    }\n}\n",
    ),
    ("src/dial.rs", "pub fn dial() {}\n"),
    ("src/win.rs", "pub fn dial() {}\n"),
    ("src/web.rs", "pub fn dial() {}\n"),
    ("src/sys.rs", "pub fn open_it() {}\n"),
];

fn answers(host: &MemoryHost) -> Vec<String> {
    let settings = settings();
    let mut rows = Vec::new();
    for symbol in ["dial", "open_it"] {
        let found = run(locate(host, &settings, symbol, &QuestionOptions::default()));
        rows.extend(found.items.iter().map(|one| {
            let condition = one.condition.as_deref().unwrap_or("always");
            format!("{}:{} {condition}", one.file, one.start_line)
        }));
    }
    let options = WhereUsedOptions::default();
    let used = run(where_used(host, &settings, "src.lib.open_it", &options));
    rows.extend(used.items.iter().map(|one| {
        let condition = one.condition.as_deref().unwrap_or("always");
        format!("{}:{} {condition}", one.file, one.line)
    }));
    rows
}

#[test]
fn rows_say_their_condition_with_and_without_an_index() {
    let mut host = MemoryHost::new(&FILES);
    host.head = Some("a".repeat(40));
    let live = answers(&host);
    assert_eq!(
        live,
        [
            "src/dial.rs:1 net && not(windows) && not(wasm)",
            "src/web.rs:1 net && wasm",
            "src/win.rs:1 net && windows",
            "src/lib.rs:9 not(unix)",
            "src/sys.rs:1 unix",
            "src/lib.rs:10 not(unix)",
        ]
    );
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "one",
    ));
    assert_eq!(answers(&host), live);
}
