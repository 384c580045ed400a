//! Files with more facts than the limits allow: answers report them, with and without an index.

use ragnav::base::argument::Count;
use ragnav::base::envelope::RagToolMeta;
use ragnav::matching::pattern::SearchMode;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::identify::identify;
use ragnav::query::lineage::{LineageOptions, lineage};
use ragnav::query::locate::locate;
use ragnav::query::search::{SearchOptions, search};
use ragnav::query::where_used::{WhereUsedOptions, where_used};
use ragnav::query::{FileOptions, QuestionOptions, Settings, StalePolicy};
use ragnav::syntax;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

/// A definition whose name path is too long, around a use of `f`, in a file that defines `f` and
/// `g`.
fn long_name() -> String {
    let name = "a".repeat(1 << 10);
    format!(
        "def f():\n    pass\n\ndef g():\n    f()\n\nclass Outer:\n    def {name}():\n        f()\n"
    )
}

/// Nested functions, of which the innermost is too deep, in a file that uses `f`.
fn deep() -> String {
    let times = 257;
    format!(
        "{}f();{}",
        "function inner() {".repeat(times),
        "}".repeat(times)
    )
}

/// A text that takes the parser too long, so that it has no facts.
fn too_much() -> String {
    format!("def f():\n    pass\n{}", "\\\n".repeat(1 << 20))
}

#[test]
fn a_text_with_more_facts_than_the_limit_is_partial() {
    let nested = |open: &str, times: usize| format!("{}{}", open.repeat(times), "}".repeat(times));
    for (language, whole, partial) in [
        ("python", "def f(): pass\n".to_owned(), long_name()),
        ("python", "\\\n".repeat(1 << 10), too_much()),
        (
            "javascript",
            nested("function f() {", 256),
            nested("function f() {", 257),
        ),
        (
            "typescript",
            "class A { f() {} }".to_owned(),
            format!("class A {{ {}() {{}} }}", "a".repeat(1 << 10)),
        ),
        ("rust", nested("mod a {", 256), nested("mod a {", 257)),
        ("java", nested("class A {", 256), nested("class A {", 257)),
    ] {
        let language = syntax::find_language(language).unwrap();
        for (text, is_partial) in [(whole, false), (partial, true)] {
            let outline = syntax::extract_outline(language, &text);
            let facts = syntax::extract_facts(language, &text);
            assert_eq!(outline.is_partial, is_partial, "{}", language.name);
            assert_eq!(facts.is_partial, is_partial, "{}", language.name);
            assert_eq!(facts.symbols(), outline.definitions);
        }
    }
}

const SENTENCE: &str = "parsed only in part: the content is malformed, or a limit on nesting, \
     names or repetitions was exceeded. There may be more rows.";

/// Returns the partial files of an answer.
fn told(meta: &RagToolMeta) -> Option<String> {
    assert_eq!(meta.error_code, None, "{:?}", meta.message);
    let message = meta.message.as_deref().unwrap_or_default();
    let (before, _) = message.split_once(SENTENCE)?;
    let before = before.rsplit(". ").next().unwrap_or_default();
    Some(before.to_owned())
}

fn build(host: &MemoryHost) -> RagToolMeta {
    let options = BuildOptions::default();
    run(build_graph(host, &settings(), &options, "test")).meta
}

/// Returns the partial files of locate, `where_used` and lineage, which are equal; the latter two are
/// then truncated.
#[track_caller]
fn told_of(host: &MemoryHost, symbol: &str, policy: StalePolicy) -> Option<String> {
    let settings = Settings {
        stale_policy: policy,
        ..settings()
    };
    let options = QuestionOptions::default();
    let located = told(&run(locate(host, &settings, symbol, &options)).meta);
    let used = run(where_used(
        host,
        &settings,
        symbol,
        &WhereUsedOptions::default(),
    ));
    assert_eq!(told(&used.meta), located, "where used");
    assert_eq!(used.truncated, located.is_some());
    assert_eq!(used.total.is_none(), located.is_some());
    let options = LineageOptions::default();
    let lineage = run(lineage(host, &settings, symbol, "callers", &options));
    assert_eq!(told(&lineage.meta), located, "lineage");
    assert_eq!(lineage.truncated, located.is_some());
    located
}

#[test]
fn answers_name_partial_files() {
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::new(&[
            ("part.py", &long_name()),
            ("deep.js", &deep()),
            ("whole.py", "def other(): pass\nother()\n"),
        ])
    };
    let of_f = Some("2 files (deep.js, part.py) are ".to_owned());
    let of_g = Some("part.py is ".to_owned());
    let check = |policy| {
        assert_eq!(told_of(&host, "f", policy), of_f);
        assert_eq!(told_of(&host, "g", policy), of_g);
        assert_eq!(told_of(&host, "other", policy), None);
    };
    check(StalePolicy::Live);
    assert_eq!(told(&build(&host)), of_f);
    check(StalePolicy::Error);
    // Also if a build changes nothing.
    assert_eq!(told(&build(&host)), of_f);
    host.put("part.py", format!("# edited\n{}", long_name()).as_bytes());
    check(StalePolicy::Live);
    // Also for a file that is known from the index only.
    assert_eq!(told_of(&host, "g", StalePolicy::Allow), of_g);
    host.put("part.py", b"def f(): pass\ndef g(): f()\n");
    assert_eq!(told_of(&host, "g", StalePolicy::Live), None);
    assert_eq!(
        told_of(&host, "f", StalePolicy::Live).as_deref(),
        Some("deep.js is ")
    );
}

#[test]
fn a_file_without_facts_makes_answers_partial() {
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::new(&[("none.py", &too_much())])
    };
    build(&host);
    let none = Some("none.py is ".to_owned());
    assert_eq!(told_of(&host, "f", StalePolicy::Error), none);
    assert_eq!(told_of(&host, "g", StalePolicy::Error), None);
}

#[test]
fn a_lineage_reports_partial_files_of_each_name() {
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::new(&[
            (
                "none.py",
                &format!("from way import second\nsecond()\n{}", too_much()),
            ),
            ("way.py", "def first(): pass\ndef second(): first()\n"),
        ])
    };
    let ask = |depth| {
        let options = LineageOptions {
            depth: Count::new(depth),
            ..LineageOptions::default()
        };
        let found = run(lineage(&host, &settings(), "first", "callers", &options));
        (told(&found.meta), found.total.is_some())
    };
    let check = || {
        assert_eq!(ask(1), (None, true));
        assert_eq!(ask(2), (Some("none.py is ".to_owned()), false));
    };
    check();
    build(&host);
    check();
}

#[test]
fn a_search_reports_that_enclosing_symbols_may_be_missing() {
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::new(&[
            ("part.py", &format!("{}needle\n", long_name())),
            ("whole.py", "def f():\n    needle, hay\n"),
        ])
    };
    let ask = |query, mode| {
        let options = SearchOptions {
            mode: Some(mode),
            ..SearchOptions::default()
        };
        let found = run(search(&host, &settings(), query, &options));
        (told(&found.meta), found.total.is_some())
    };
    let part = || Some("part.py is ".to_owned());
    let check = || {
        // All lines are found, but the enclosing definition of one may be missing.
        assert_eq!(ask("needle", SearchMode::Literal), (part(), true));
        assert_eq!(ask("n[e]+dle", SearchMode::Regex), (part(), true));
        assert_eq!(ask("hay", SearchMode::Literal), (None, true));
        // The best row may be missing.
        assert_eq!(ask("needle", SearchMode::Ranked), (part(), false));
        assert_eq!(ask("hay", SearchMode::Ranked), (None, true));
    };
    check();
    build(&host);
    check();
}

#[test]
fn identify_reports_that_enclosing_definitions_may_be_missing() {
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        ..MemoryHost::new(&[("part.py", &long_name()), ("whole.py", "def f(): pass\n")])
    };
    let ask = |path| {
        let found = run(identify(
            &host,
            &settings(),
            path,
            1,
            &FileOptions::default(),
        ));
        (found.items.len(), told(&found.meta))
    };
    let check = || {
        assert_eq!(ask("part.py"), (1, Some("part.py is ".to_owned())));
        assert_eq!(ask("whole.py"), (1, None));
    };
    check();
    build(&host);
    check();
}
