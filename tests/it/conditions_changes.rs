//! The conditions of the rows of `impact` and `trace`, each in the state of its row.

use std::collections::BTreeMap;

use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::impact::{ImpactOptions, impact};
use ragnav::query::trace::{TraceOptions, trace};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

const BEFORE: [(&str, &str); 4] = [
    (
        "a.c",
        "#if A\nint open_it(void) { return 1; }\nint gone(void) { return 2; }\n#endif\n",
    ),
    (
        "net_linux.go",
        "package net\n\nfunc Dial() int { return 1 }\n",
    ),
    ("src/lib.rs", "#[cfg(unix)]\nmod sys;\nmod kept;\n"),
    (
        "src/sys.rs",
        "fn stat() -> u8 { 1 }\nfn same() -> u8 { 2 }\n",
    ),
];

const NOW: [(&str, &str); 4] = [
    (
        "a.c",
        "int other;\n#if B\nint open_it(int n) { return 1; }\n#endif\n",
    ),
    (
        "net_linux.go",
        "package net\n\nfunc Dial() int { return 2 }\n",
    ),
    (
        "src/lib.rs",
        "#[cfg(windows)]\nmod sys;\n#[cfg(net)]\nmod kept;\n",
    ),
    (
        "src/sys.rs",
        "fn stat() -> u16 { 1 }\nfn same() -> u8 { 2 }\n",
    ),
];

/// A file that is the same in both states.
const KEPT: (&str, &str) = ("src/kept.rs", "#[cfg(test)]\nfn kept() {}\n");

fn host() -> MemoryHost {
    let mut host = MemoryHost::new(&[&NOW[..], &[KEPT]].concat());
    host.head = Some("a".repeat(40));
    let before = [&BEFORE[..], &[KEPT]].concat();
    let state = before
        .into_iter()
        .map(|(path, text)| (path.to_owned(), text.to_owned()));
    host.states = BTreeMap::from([("HEAD".to_owned(), state.collect())]);
    host
}

fn said(condition: Option<&String>) -> &str {
    condition.map_or("always", String::as_str)
}

fn changed(host: &MemoryHost) -> Vec<String> {
    let answer = run(impact(host, &settings(), &ImpactOptions::default()));
    let rows = answer.items.iter().map(|item| {
        let was = item
            .was
            .as_ref()
            .map_or("new", |was| said(was.condition.as_ref()));
        let now = said(item.condition.as_ref());
        format!("{}: {now}, was {was}", item.symbol.dotted())
    });
    rows.collect()
}

fn traced(host: &MemoryHost, (file, line): (&str, u32), reverse: bool) -> Vec<String> {
    let options = TraceOptions {
        reverse: Some(reverse),
        ..TraceOptions::default()
    };
    let answer = run(trace(host, &settings(), (file, line), "HEAD", &options));
    let rows = answer.items.iter().map(|item| {
        let here = said(item.condition.as_ref());
        let found = item.found.as_ref().unwrap();
        format!("{here}, found {}", said(found.condition.as_ref()))
    });
    rows.collect()
}

/// Runs a test without an index and with one.
fn live_and_indexed(test: impl Fn(&MemoryHost)) {
    let host = host();
    test(&host);
    let options = BuildOptions::default();
    run(build_graph(&host, &settings(), &options, "one"));
    test(&host);
}

#[test]
fn changed_symbols_have_the_condition_of_their_state() {
    live_and_indexed(|host| {
        assert_eq!(
            changed(host),
            [
                "a.gone: A, was A",
                "a.open_it: B, was A",
                "net_linux.Dial: linux, was linux",
                "src.sys.stat: windows, was unix",
            ]
        );
    });
}

#[test]
fn traced_symbols_have_the_conditions_of_both_states() {
    live_and_indexed(|host| {
        assert_eq!(traced(host, ("a.c", 2), false), ["A, found B"]);
        assert_eq!(traced(host, ("a.c", 3), true), ["B, found A"]);
        assert_eq!(
            traced(host, ("src/sys.rs", 2), false),
            ["unix, found windows"]
        );
        assert_eq!(
            traced(host, ("src/sys.rs", 2), true),
            ["windows, found unix"]
        );
        // The file is the same in both states; the one that declares it is not.
        let kept = ("src/kept.rs", 2);
        assert_eq!(traced(host, kept, false), ["test, found net && test"]);
        assert_eq!(traced(host, kept, true), ["net && test, found test"]);
    });
}
