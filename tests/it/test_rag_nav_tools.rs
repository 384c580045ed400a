//! The queries over live files.

use crate::common::{MemoryHost, assert_holds, cases, settings, title};
use crate::fs_host::run;
use ragnav::base::argument::Count;
use ragnav::base::envelope::{FreshnessState, Proof, RagToolSource, RagToolStatus, RouteReason};
use ragnav::base::error::ErrorCode;
use ragnav::base::host::{Buffer, HostError};
use ragnav::base::item::{Match, SkipReason, Skipped};
use ragnav::query::answer_arguments;
use ragnav::query::identify::Identify;
use ragnav::query::identify::identify;
use ragnav::query::locate::{Locate, locate};
use ragnav::query::search::Search;
use ragnav::query::search::SearchResult;
use ragnav::query::search::{SearchOptions, search};
use ragnav::query::{FileOptions, QuestionOptions, Settings, StalePolicy};
use ragnav::repository::walk::Limits;
use serde_json::{Value, json};

fn ask(host: &MemoryHost, query: &str, options: &SearchOptions) -> SearchResult {
    run(search(host, &settings(), query, options))
}

fn ask_json(host: &MemoryHost, arguments: &Value) -> SearchResult {
    run(answer_arguments::<Search, _>(
        host,
        &settings(),
        arguments.clone(),
    ))
}

fn find(host: &MemoryHost, query: &str) -> SearchResult {
    ask(host, query, &SearchOptions::default())
}

fn limit(limit: u32) -> SearchOptions {
    SearchOptions {
        limit: Count::new(limit),
        ..SearchOptions::default()
    }
}

fn rows(result: &SearchResult) -> Vec<(String, u32)> {
    result
        .items
        .iter()
        .map(|item| (item.file.clone(), item.line))
        .collect()
}

fn skipped(result: &SearchResult) -> Vec<(&str, SkipReason)> {
    result
        .skipped
        .iter()
        .map(|Skipped { file, reason }| (file.as_str(), *reason))
        .collect()
}

/// A repository of two modules.
fn two_modules() -> MemoryHost {
    MemoryHost::new(&[
        ("module_a.py", "def target_symbol():\n    return 1\n"),
        (
            "module_b.py",
            "from module_a import target_symbol\n\ndef use():\n    return target_symbol()\n",
        ),
    ])
}

#[test]
fn answers_every_search_of_the_table() {
    for case in cases("search.json") {
        let files = case["files"].as_object().unwrap();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str().unwrap()))
            .collect();
        let options = serde_json::from_value(case["options"].clone()).unwrap();
        let result = ask(
            &MemoryHost::new(&files),
            case["query"].as_str().unwrap(),
            &options,
        );
        assert_holds(
            &serde_json::to_value(result).unwrap(),
            &case["expect"],
            &title(&case),
        );
    }
}

#[test]
fn both_modules_are_found_with_their_symbols() {
    let result = find(&two_modules(), "target_symbol");
    let found: Vec<_> = result
        .items
        .iter()
        .map(|item| {
            (
                item.file.as_str(),
                item.line,
                item.symbol
                    .as_ref()
                    .map(ragnav::base::symbol_id::SymbolId::as_str),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("module_a.py", 1, Some("sym:module_a.target_symbol")),
            ("module_b.py", 1, None),
            ("module_b.py", 4, Some("sym:module_b.use")),
        ]
    );
}

#[test]
fn a_live_answer_says_so() {
    let meta = find(&two_modules(), "target_symbol").meta;
    assert_eq!(meta.status, RagToolStatus::Fallback);
    assert_eq!(meta.source, RagToolSource::LocalFallback);
    assert_eq!(meta.freshness_state, FreshnessState::Unknown);
    assert_eq!(meta.reason, Some(RouteReason::NoStatus));
    assert_eq!(meta.message.as_deref(), Some("No index yet; read live."));
    assert_eq!(
        meta.files
            .map(|files| (files.graph, files.live, files.skipped)),
        Some((0, 2, 0))
    );
}

#[test]
fn an_index_that_proves_nothing_makes_no_answer_fresh() {
    let commit = "a".repeat(40);
    let status = format!(r#"{{"index_state": "fresh", "last_indexed_commit": "{commit}"}}"#);
    let host = MemoryHost {
        head: Some(commit),
        ..two_modules()
    };
    host.put(".llmc/rag/index_status.json", status.as_bytes());
    host.put(".llmc/rag_graph.json", b"{\"entities\": []}");
    let meta = find(&host, "target_symbol").meta;
    assert_eq!(
        (meta.status, meta.freshness_state),
        (RagToolStatus::Fallback, FreshnessState::Unknown)
    );
    assert_eq!(meta.reason, Some(RouteReason::GraphMissing));
}

#[test]
fn the_default_limit_and_exact_truncation() {
    for (lines, rows, truncated) in [(19, 19, false), (20, 20, false), (21, 20, true)] {
        let host = MemoryHost::new(&[("a.txt", &"x\n".repeat(lines))]);
        let result = find(&host, "x");
        assert_eq!(
            (result.items.len(), result.truncated),
            (rows, truncated),
            "{lines} lines"
        );
        assert_eq!(result.total, Some(u32::try_from(lines).unwrap()));
    }
}

#[test]
fn pages_together_are_the_whole() {
    let host = MemoryHost::new(&[
        ("a.py", &"def f(): x\n".repeat(7)),
        ("b.txt", &"x\n".repeat(6)),
    ]);
    let whole = ask(&host, "x", &limit(100));
    let mut paged = Vec::new();
    let mut cursor = None;
    loop {
        let page = ask(&host, "x", &SearchOptions { cursor, ..limit(4) });
        assert_eq!(
            (page.total, page.truncated),
            (Some(13), page.cursor.is_some())
        );
        paged.extend(page.items);
        cursor = page.cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(paged, whole.items);
}

#[test]
fn a_cursor_goes_stale_with_the_rows_and_only_with_them() {
    let host = MemoryHost::new(&[("a.txt", "x1\nx2\n"), ("b.txt", "none\n")]);
    let first = ask(&host, "x", &limit(1));
    let next = SearchOptions {
        cursor: first.cursor,
        ..limit(1)
    };
    host.put("b.txt", b"still none\n");
    assert_eq!(rows(&ask(&host, "x", &next)), [("a.txt".to_owned(), 2)]);
    host.put("b.txt", b"an x\n");
    assert_eq!(
        ask(&host, "x", &next).meta.error_code,
        Some(ErrorCode::StaleCursor.into())
    );
}

#[test]
fn cursors_of_other_queries_are_refused() {
    let host = MemoryHost::new(&[("a.txt", "x\nx\n")]);
    let cursor = ask(&host, "x", &limit(1)).cursor;
    assert!(cursor.is_some());
    let other = ask(&host, "y", &SearchOptions { cursor, ..limit(1) });
    assert_eq!(
        other.meta.error_code,
        Some(ErrorCode::InvalidArgument.into())
    );
    for cursor in ["", "1", "1-2", "1-2-3-4", "zz-1-1", "1-2-3"] {
        let asked = SearchOptions {
            cursor: Some(cursor.into()),
            ..SearchOptions::default()
        };
        assert_eq!(
            ask(&host, "x", &asked).meta.error_code,
            Some(ErrorCode::InvalidArgument.into()),
            "{cursor:?}"
        );
    }
}

#[test]
fn binary_files_are_skipped_and_named() {
    let host = MemoryHost::new(&[
        ("a.txt", "needle\n"),
        ("huge.txt", &"needle\n".repeat(1 << 20)),
    ]);
    host.put("binary.bin", b"needle\0");
    host.put("latin1.txt", b"needle caf\xe9");
    let result = find(&host, "needle");
    assert_eq!(
        rows(&result),
        [("a.txt".to_owned(), 1), ("latin1.txt".to_owned(), 1)]
    );
    assert_eq!(
        skipped(&result),
        [
            ("binary.bin", SkipReason::Binary),
            ("huge.txt", SkipReason::TooLarge),
        ]
    );
    assert_eq!(
        result.meta.files.map(|files| (files.live, files.skipped)),
        Some((2, 2))
    );
}

#[test]
fn unreadable_files_and_folders_are_skipped_and_named() {
    let broken = [
        ("a.txt".to_owned(), HostError::Io),
        ("c".to_owned(), HostError::Denied),
    ]
    .into();
    let host = MemoryHost {
        broken,
        links: vec!["link".into()],
        ..MemoryHost::new(&[("a.txt", "x"), ("b.txt", "x"), ("c/d.txt", "x")])
    };
    let result = find(&host, "x");
    assert_eq!(rows(&result), [("b.txt".to_owned(), 1)]);
    assert_eq!(
        skipped(&result),
        [
            ("a.txt", SkipReason::Io),
            ("c/", SkipReason::Denied),
            ("link", SkipReason::Link)
        ]
    );
    let files = result.meta.files.unwrap();
    assert_eq!((files.live, files.skipped), (1, 3));
}

#[test]
fn twenty_skipped_files_are_named_and_all_are_counted() {
    let host = MemoryHost::default();
    for number in 0..30 {
        host.put(&format!("{number:02}.bin"), b"\0");
    }
    let result = find(&host, "x");
    assert_eq!(result.skipped.len(), 20);
    assert_eq!(
        result.meta.files.map(|files| (files.live, files.skipped)),
        Some((0, 30))
    );
}

#[test]
fn the_limit_on_files_is_reported() {
    let host = MemoryHost::new(&[("a.txt", "x"), ("b.txt", "x"), ("c.txt", "x")]);
    let limits = Limits {
        max_files: 2,
        ..Limits::default()
    };
    let result = run(search(
        &host,
        &Settings {
            limits,
            ..settings()
        },
        "x",
        &SearchOptions::default(),
    ));
    assert_eq!(rows(&result).len(), 2);
    assert_eq!(
        (result.truncated, result.total, result.cursor),
        (true, None, None)
    );
    assert!(
        result
            .meta
            .message
            .unwrap()
            .contains("only the first 2 (max_files)")
    );
    assert_eq!(
        result.skipped,
        [Skipped {
            file: "c.txt".into(),
            reason: SkipReason::TooManyFiles
        }]
    );
}

#[test]
fn invalid_queries_are_errors_that_say_what_to_do() {
    let host = two_modules();
    let bad = |mutate: fn(&mut SearchOptions)| {
        let mut options = SearchOptions::default();
        mutate(&mut options);
        ask(&host, "x", &options)
    };
    let regex = serde_json::from_value(json!("regex")).unwrap();
    let asked = [
        find(&host, ""),
        find(&host, "a\nb"),
        find(&host, "a\rb"),
        ask_json(&host, &json!({ "query": "x", "limit": 0 })),
        ask_json(&host, &json!({ "query": "x", "limit": 1.5 })),
        ask_json(&host, &json!({ "query": "x", "limt": 1 })),
        ask_json(&host, &json!({ "limit": 1 })),
        bad(|options| options.include = Some(vec!["!a".into()])),
        ask(
            &host,
            "(",
            &SearchOptions {
                mode: Some(regex),
                ..SearchOptions::default()
            },
        ),
        ask(
            &host,
            r"\w{999999}",
            &SearchOptions {
                mode: Some(regex),
                ..SearchOptions::default()
            },
        ),
    ];
    for result in asked {
        assert_eq!(
            result.meta.error_code,
            Some(ErrorCode::InvalidArgument.into()),
            "{result:?}"
        );
        assert_eq!(
            (result.meta.status, result.source),
            (RagToolStatus::Error, RagToolSource::None)
        );
        assert!(result.items.is_empty() && result.meta.message.is_some());
    }
    assert!(
        host.requested.borrow().is_empty(),
        "a bad question is refused before anything is read"
    );
}

#[test]
fn an_invalid_root_is_an_error() {
    for error in [HostError::Missing, HostError::Denied, HostError::Io] {
        let host = MemoryHost {
            broken: [(String::new(), error)].into(),
            ..two_modules()
        };
        assert_eq!(
            find(&host, "x").meta.error_code,
            Some(ErrorCode::RepoNotFound.into())
        );
        assert_eq!(
            run(locate(&host, &settings(), "x", &QuestionOptions::default()))
                .meta
                .error_code,
            Some(ErrorCode::RepoNotFound.into())
        );
    }
}

#[test]
fn a_throwing_host_is_an_error_with_its_message() {
    let host = MemoryHost {
        throws: vec!["readDirs"],
        ..two_modules()
    };
    let meta = find(&host, "x").meta;
    assert_eq!(meta.error_code, Some(ErrorCode::HostFailed.into()));
    assert!(meta.message.unwrap().contains("readDirs was told to fail"));
    let host = MemoryHost {
        throws: vec!["gitHead"],
        ..two_modules()
    };
    let meta = find(&host, "target_symbol").meta;
    assert_eq!(
        (meta.status, meta.reason),
        (RagToolStatus::Fallback, Some(RouteReason::HostFailed))
    );
    assert!(meta.message.unwrap().contains("gitHead was told to fail"));
}

#[test]
fn an_empty_repository_has_no_rows() {
    let result = find(&MemoryHost::default(), "x");
    assert_eq!(
        (result.meta.status, result.items.len(), result.truncated),
        (RagToolStatus::Fallback, 0, false)
    );
}

fn definitions(value: &impl serde::Serialize) -> Vec<(String, u64, u64)> {
    let value: Value = serde_json::to_value(value).unwrap();
    let items = value["items"].as_array().unwrap().iter();
    items
        .map(|item| {
            let place = format!(
                "{} {} {}",
                item["file"].as_str().unwrap(),
                item["symbol"].as_str().unwrap(),
                item["kind"].as_str().unwrap()
            );
            (
                place,
                item["start_line"].as_u64().unwrap(),
                item["end_line"].as_u64().unwrap(),
            )
        })
        .collect()
}

#[test]
fn identify_returns_the_innermost_definition_first() {
    let host = MemoryHost::new(&[(
        "src/a.py",
        "class A:\n    def b(self):\n        def c(): pass\n",
    )]);
    let at = |line| {
        run(identify(
            &host,
            &settings(),
            "./src/a.py",
            line,
            &FileOptions::default(),
        ))
    };
    assert_eq!(
        definitions(&at(3)),
        [
            ("src/a.py sym:src.a.A.b.c function".to_owned(), 3, 3),
            ("src/a.py sym:src.a.A.b method".to_owned(), 2, 3),
            ("src/a.py sym:src.a.A class".to_owned(), 1, 3),
        ]
    );
    let outside = at(9);
    assert!(outside.items.is_empty() && outside.meta.message.unwrap().contains("ends with line 3"));
}

#[test]
fn identify_refuses_invalid_arguments() {
    let host = MemoryHost::new(&[
        ("a.py", "x"),
        ("a.cobol", "x"),
        ("big.py", &"x = 1\n".repeat(1 << 20)),
    ]);
    host.put("binary.py", b"# \0");
    for (file, line, code) in [
        ("a.py", 0.0, ErrorCode::InvalidArgument),
        ("a.py", -1.0, ErrorCode::InvalidArgument),
        ("../a.py", 1.0, ErrorCode::InvalidArgument),
        ("/etc/passwd", 1.0, ErrorCode::InvalidArgument),
        ("a.cobol", 1.0, ErrorCode::LanguageUnavailable),
        ("gone.py", 1.0, ErrorCode::FileUnreadable),
        ("binary.py", 1.0, ErrorCode::FileUnreadable),
        ("big.py", 1.0, ErrorCode::FileUnreadable),
    ] {
        let arguments = json!({ "file": file, "line": line });
        let meta = run(answer_arguments::<Identify, _>(
            &host,
            &settings(),
            arguments,
        ))
        .meta;
        assert_eq!(meta.error_code, Some(code.into()), "{file}:{line}");
    }
}

#[test]
fn locate_prefers_exact_to_suffix_to_case() {
    let host = MemoryHost::new(&[
        (
            "auth.py",
            "class Auth:\n    def login(self):\n        pass\n\ndef login():\n    pass\n",
        ),
        (
            "web/auth.py",
            "class Auth:\n    def login(self):\n        pass\n",
        ),
        ("notes.txt", "login"),
    ]);
    let files = |symbol: &str| {
        let found = definitions(&run(locate(
            &host,
            &settings(),
            symbol,
            &QuestionOptions::default(),
        )));
        found
            .into_iter()
            .map(|(place, start, _)| format!("{start} {place}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        files("sym:auth.Auth.login"),
        ["2 auth.py sym:auth.Auth.login method"]
    );
    assert_eq!(files("auth.Auth"), ["1 auth.py sym:auth.Auth class"]);
    assert_eq!(
        files("Auth.login"),
        [
            "2 auth.py sym:auth.Auth.login method",
            "2 web/auth.py sym:web.auth.Auth.login method"
        ]
    );
    assert_eq!(files("login").len(), 3);
    assert_eq!(
        files("AUTH.LOGIN").len(),
        3,
        "auth.login and Auth.login both fit when case does not count"
    );
    assert!(files("uth.login").is_empty() && files("nothing").is_empty());
}

#[test]
fn locate_counts_definitions_of_one_name() {
    let host = MemoryHost::new(&[("a.py", "def f(): pass\ndef f(): pass\n")]);
    let found = run(locate(&host, &settings(), "f", &QuestionOptions::default()));
    let ordinals: Vec<_> = found
        .items
        .iter()
        .map(|item| (item.ordinal, item.start_line))
        .collect();
    assert_eq!(ordinals, [(0, 1), (1, 2)]);
}

#[test]
fn locate_refuses_invalid_symbols() {
    for symbol in ["", "  ", "sym:", "a..b", ".a", "a.", "a\nb"] {
        let meta = run(locate(
            &two_modules(),
            &settings(),
            symbol,
            &QuestionOptions::default(),
        ))
        .meta;
        assert_eq!(
            meta.error_code,
            Some(ErrorCode::InvalidArgument.into()),
            "{symbol:?}"
        );
    }
}

fn buffer(path: &str, text: &str) -> Buffer {
    Buffer {
        path: path.into(),
        text: text.into(),
    }
}

#[test]
fn unsaved_buffers_replace_files() {
    let host = MemoryHost {
        buffers: vec![
            buffer("module_a.py", "\n\ndef target_symbol():\n    return 2\n"),
            buffer("new/module_c.py", "target_symbol\n"),
        ],
        ..two_modules()
    };
    let result = find(&host, "target_symbol");
    let found: Vec<_> = result
        .items
        .iter()
        .map(|item| (item.file.as_str(), item.line, item.proof))
        .collect();
    assert_eq!(
        found,
        [
            ("module_a.py", 3, Proof::Overlay),
            ("module_b.py", 1, Proof::Live),
            ("module_b.py", 4, Proof::Live),
            ("new/module_c.py", 1, Proof::Overlay),
        ]
    );
    let located = run(locate(
        &host,
        &settings(),
        "target_symbol",
        &QuestionOptions::default(),
    ))
    .items;
    assert_eq!(
        (located[0].start_line, located[0].proof),
        (3, Proof::Overlay)
    );
    let identified = run(identify(
        &host,
        &settings(),
        "module_a.py",
        4,
        &FileOptions::default(),
    ))
    .items;
    assert_eq!(
        (identified[0].start_line, identified[0].proof),
        (3, Proof::Overlay)
    );
}

#[test]
fn a_buffer_replaces_a_link() {
    let host = MemoryHost {
        links: vec!["link.py".into(), "other".into()],
        buffers: vec![buffer("link.py", "x")],
        ..MemoryHost::default()
    };
    let result = find(&host, "x");
    assert_eq!(rows(&result), [("link.py".to_owned(), 1)]);
    assert_eq!(skipped(&result), [("other", SkipReason::Link)]);
}

#[test]
fn a_host_that_fails_on_the_graph_still_gives_an_answer() {
    let broken = [(".llmc/rag_graph.json".to_owned(), HostError::Io)].into();
    let host = MemoryHost {
        broken,
        ..two_modules()
    };
    host.put(".llmc/rag_graph.json", b"{}");
    let result = find(&host, "target_symbol");
    assert_eq!(result.items.len(), 3);
    assert!(result.meta.message.unwrap().contains("no enrichment"));
}

#[test]
fn ignore_rules_and_limits_apply_to_buffers() {
    let host = MemoryHost {
        git_root: Some(String::new()),
        buffers: vec![
            buffer("a.log", "x"),
            buffer("b.txt", "x\0"),
            buffer("c.txt", &"x".repeat(5 << 20)),
            buffer(".gitignore", "d.txt\n"),
        ],
        ..MemoryHost::new(&[(".gitignore", "*.log\n"), ("d.txt", "x")])
    };
    let result = find(&host, "x");
    assert_eq!(rows(&result), [("a.log".to_owned(), 1)]);
    assert_eq!(
        skipped(&result),
        [
            ("b.txt", SkipReason::Binary),
            ("c.txt", SkipReason::TooLarge)
        ]
    );
}

#[test]
fn buffers_outside_the_repository_are_the_hosts_failure() {
    for path in ["../a.py", "/etc/passwd", ""] {
        let host = MemoryHost {
            buffers: vec![buffer(path, "x")],
            ..two_modules()
        };
        let meta = find(&host, "x").meta;
        assert_eq!(
            meta.error_code,
            Some(ErrorCode::HostFailed.into()),
            "{path:?}"
        );
    }
    let broken = [(String::new(), HostError::Missing)].into();
    let host = MemoryHost {
        broken,
        buffers: vec![buffer("a.py", "x")],
        ..MemoryHost::default()
    };
    assert_eq!(
        find(&host, "x").meta.error_code,
        Some(ErrorCode::RepoNotFound.into())
    );
}

#[test]
fn the_policy_error_refuses_live_answers() {
    let host = two_modules();
    let refused = |meta: ragnav::base::envelope::RagToolMeta| {
        assert_eq!(meta.error_code, Some(ErrorCode::StaleIndex.into()));
        assert!(meta.message.unwrap().starts_with("There is no index."));
    };
    let policy = |stale_policy| QuestionOptions {
        stale_policy,
        ..QuestionOptions::default()
    };
    let strict = policy(Some(StalePolicy::Error));
    refused(run(locate(&host, &settings(), "use", &strict)).meta);
    refused(
        run(identify(
            &host,
            &settings(),
            "module_a.py",
            1,
            &FileOptions {
                stale_policy: strict.stale_policy,
                ..FileOptions::default()
            },
        ))
        .meta,
    );
    let options = SearchOptions {
        stale_policy: Some(StalePolicy::Error),
        ..SearchOptions::default()
    };
    refused(ask(&host, "x", &options).meta);
    let strict_settings = Settings {
        stale_policy: StalePolicy::Error,
        ..settings()
    };
    refused(run(locate(&host, &strict_settings, "use", &policy(None))).meta);
    let merged = run(locate(
        &host,
        &strict_settings,
        "use",
        &policy(Some(StalePolicy::Merge)),
    ));
    assert_eq!(merged.items.len(), 1);
}

#[test]
fn a_limit_on_definitions_is_reported() {
    let host = MemoryHost::new(&[("a.py", &"def f(): pass\n".repeat(5))]);
    let limited = |limit| QuestionOptions {
        limit: Count::new(limit),
        ..QuestionOptions::default()
    };
    let found = run(locate(&host, &settings(), "f", &limited(2)));
    assert_eq!(found.items.len(), 2);
    assert!(
        found
            .meta
            .message
            .unwrap()
            .ends_with("Only the first 2 of 5 rows are listed; raise `limit`.")
    );
    let arguments = json!({ "symbol": "f", "limit": 0 });
    let bad = run(answer_arguments::<Locate, _>(&host, &settings(), arguments));
    assert_eq!(bad.meta.error_code, Some(ErrorCode::InvalidArgument.into()));
}

#[test]
fn the_size_limit_applies_even_if_a_host_ignores_it() {
    let host = MemoryHost {
        unbounded: true,
        ..MemoryHost::new(&[("a.txt", &"x".repeat(5 << 20))])
    };
    assert_eq!(
        skipped(&find(&host, "x")),
        [("a.txt", SkipReason::TooLarge)]
    );
}

#[test]
fn rows_have_the_enrichment_of_their_current_symbol() {
    let host = MemoryHost::new(&[("a.py", "# moved down\n\ndef foo():\n    needle\n\nneedle\n")]);
    let graph = r#"{"entities": [{"id": "sym:a.foo", "file_path": "a.py", "start_line": 1, "metadata": {"summary": "Old."}}]}"#;
    host.put(".llmc/rag_graph.json", graph.as_bytes());
    let settings = settings();
    let summaries = || {
        let result = run(search(
            &host,
            &settings,
            "needle",
            &SearchOptions::default(),
        ));
        let known = result.items.iter().map(|item| item.enrichment.clone());
        known
            .map(|known| known.map(|known| (known.summary.unwrap(), known.r#match)))
            .collect::<Vec<_>>()
    };
    assert_eq!(summaries(), [Some(("Old.".to_owned(), Match::Moved)), None]);
    assert_eq!(summaries(), [Some(("Old.".to_owned(), Match::Moved)), None]);
    host.put(
        ".llmc/rag_graph.json",
        graph
            .replace("Old.", "New.")
            .replace(": 1,", ": 3,")
            .as_bytes(),
    );
    assert_eq!(summaries(), [Some(("New.".to_owned(), Match::Exact)), None]);
    host.files.borrow_mut().remove(".llmc/rag_graph.json");
    assert_eq!(summaries(), [None, None]);
}

#[test]
fn without_a_valid_graph_rows_lack_enrichment_and_the_answer_says_so() {
    let host = two_modules();
    host.put(".llmc/rag_graph.json", b"garbage");
    let result = find(&host, "target_symbol");
    assert_eq!(result.items.len(), 3);
    assert!(
        result
            .meta
            .message
            .unwrap()
            .ends_with("The graph cannot be read, so rows have no enrichment.")
    );
}
