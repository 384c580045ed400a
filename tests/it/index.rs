//! The index: builds, proofs and answers.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use ragnav::base::envelope::{FreshnessState, Proof, RagToolStatus, RouteReason, SourceTag};
use ragnav::base::error::ErrorCode;
use ragnav::base::host::{Buffer, HostError};
use ragnav::base::item::{Match, SkipReason, Verdict};
use ragnav::index::graph_file::GRAPH_FILE;
use ragnav::index::index::INDEX_FILE;
use ragnav::query::build_graph::{BuildOptions, BuildResult, Change, abandon_build, build_graph};
use ragnav::query::identify::identify;
use ragnav::query::locate::locate;
use ragnav::query::search::{SearchOptions, search};
use ragnav::query::status::status;
use ragnav::query::{FileOptions, QuestionOptions, Settings, StalePolicy};
use ragnav::repository::own_files::{OwnFiles, WithOwnFiles};
use ragnav::repository::status::STATUS_FILE;
use ragnav::repository::walk::Limits;
use serde_json::{Value, json};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const LOCK_FILE: &str = ".llmc/rag/build.lock";

/// Creates a repository with a commit checked out.
fn repository() -> MemoryHost {
    MemoryHost {
        head: Some(COMMIT.into()),
        git_root: Some(String::new()),
        ..MemoryHost::new(&[
            ("a.py", "def one():\n    return two()\n"),
            ("b.py", "def two():\n    return 2\n"),
            ("notes.txt", "one and two\n"),
        ])
    }
}

/// The name of a build.
fn owner() -> String {
    static BUILDS: AtomicUsize = AtomicUsize::new(0);
    format!("build {}", BUILDS.fetch_add(1, Ordering::Relaxed))
}

fn build(host: &MemoryHost) -> BuildResult {
    let options = BuildOptions::default();
    run(build_graph(host, &settings(), &options, &owner()))
}

fn built(host: &MemoryHost) -> BuildResult {
    let result = build(host);
    assert_eq!(result.meta.error_code, None, "{:?}", result.meta.message);
    result
}

fn check(host: &MemoryHost) -> BuildResult {
    let options = BuildOptions { check: Some(true) };
    run(build_graph(host, &settings(), &options, "me"))
}

fn changes(result: &BuildResult) -> Vec<(&str, Change)> {
    let changes = result.items.iter();
    changes
        .map(|item| (item.file.as_str(), item.change))
        .collect()
}

#[test]
fn status_counts_the_files_in_no_known_language() {
    let host = MemoryHost::new(&[
        ("a.py", "x = 1\n"),
        ("b.html", "<p>b</p>\n"),
        ("c.HTML", "<p>c</p>\n"),
        ("Makefile", "all:\n"),
        ("d.bin", "\0"),
    ]);
    let counted = |host: &MemoryHost| {
        let answer = run(status(host, &settings(), &QuestionOptions::default()));
        let counts = answer.without_symbols.into_iter();
        counts
            .map(|count| format!("{} {}", count.extension, count.files))
            .collect::<Vec<_>>()
    };
    // Without an index nothing says that a file is binary.
    assert_eq!(counted(&host), ["html 2", " 1", "bin 1"]);
    build(&host);
    assert_eq!(counted(&host), ["html 2", " 1"]);
}

/// Returns the statuses of files that are not unchanged by their stamp.
fn verdicts(host: &MemoryHost) -> Vec<(String, Verdict, Proof)> {
    let result = run(status(host, &settings(), &QuestionOptions::default()));
    let rows = result.items.into_iter();
    rows.filter(|row| (row.verdict, row.proof) != (Verdict::Unchanged, Proof::Stat))
        .map(|row| (row.file, row.verdict, row.proof))
        .collect()
}

fn policy(policy: StalePolicy) -> SearchOptions {
    SearchOptions {
        stale_policy: Some(policy),
        ..SearchOptions::default()
    }
}

/// Returns the rows of a search: file, line and proof.
fn rows(host: &MemoryHost, query: &str) -> Vec<(String, u32, SourceTag, Proof)> {
    let result = run(search(host, &settings(), query, &SearchOptions::default()));
    let rows = result.items.into_iter();
    rows.map(|row| (row.file, row.line, row.source, row.proof))
        .collect()
}

fn route(host: &MemoryHost) -> (RagToolStatus, FreshnessState, Option<RouteReason>) {
    let meta = run(search(host, &settings(), "one", &SearchOptions::default())).meta;
    (meta.status, meta.freshness_state, meta.reason)
}

const FRESH: (RagToolStatus, FreshnessState, Option<RouteReason>) = (
    RagToolStatus::Ok,
    FreshnessState::Fresh,
    Some(RouteReason::HeadMatches),
);

fn json_file(host: &MemoryHost, path: &str) -> Value {
    serde_json::from_slice(&host.files.borrow()[path]).unwrap()
}

#[test]
fn a_build_writes_three_files_of_one_generation() {
    let host = repository();
    let result = built(&host);
    assert_eq!(
        changes(&result),
        [
            ("a.py", Change::Added),
            ("b.py", Change::Added),
            ("notes.txt", Change::Added)
        ]
    );
    assert_eq!(
        (result.meta.status, result.up_to_date),
        (RagToolStatus::Ok, false)
    );
    let (status, graph) = (json_file(&host, STATUS_FILE), json_file(&host, GRAPH_FILE));
    assert_eq!(status["index_state"], "fresh");
    assert_eq!(status["last_indexed_commit"], COMMIT);
    assert_eq!(status["generation"], graph["generation"]);
    assert_eq!(graph["files"], json!(["a.py", "b.py", "notes.txt"]));
    assert_eq!(graph["entities"][0]["id"], "sym:a.one");
    assert_eq!(host.files.borrow()[".llmc/.gitignore"], b"*\n");
    assert!(!host.files.borrow().contains_key(LOCK_FILE));
    assert_eq!(route(&host), FRESH);
}

#[test]
fn a_fresh_index_answers_with_proof() {
    let host = repository();
    built(&host);
    assert_eq!(
        rows(&host, "two"),
        [
            ("a.py".to_owned(), 2, SourceTag::RagGraph, Proof::Hash),
            ("b.py".to_owned(), 1, SourceTag::RagGraph, Proof::Hash),
            ("notes.txt".to_owned(), 1, SourceTag::RagGraph, Proof::Hash),
        ]
    );
    host.requested.borrow_mut().clear();
    let located = run(locate(
        &host,
        &settings(),
        "two",
        &QuestionOptions::default(),
    ));
    let [two] = &located.items[..] else {
        panic!("{located:?}")
    };
    assert_eq!((two.source, two.proof), (SourceTag::RagGraph, Proof::Stat));
    assert_eq!(two.r#match, Some(Match::Exact));
    assert_eq!(located.meta.status, RagToolStatus::Ok);
}

#[test]
fn only_what_changed_is_read_live() {
    let host = repository();
    built(&host);
    host.put("a.py", b"# two\ndef one():\n    return two()\n");
    assert_eq!(
        route(&host),
        (
            RagToolStatus::Fallback,
            FreshnessState::Stale,
            Some(RouteReason::FilesChanged)
        )
    );
    assert_eq!(
        rows(&host, "two")[..3],
        [
            ("a.py".to_owned(), 1, SourceTag::LocalFallback, Proof::Live),
            ("a.py".to_owned(), 3, SourceTag::LocalFallback, Proof::Live),
            ("b.py".to_owned(), 1, SourceTag::RagGraph, Proof::Hash),
        ]
    );
    let located = run(locate(
        &host,
        &settings(),
        "one",
        &QuestionOptions::default(),
    ));
    assert_eq!(located.items[0].r#match, Some(Match::Moved));
    assert_eq!(located.items[0].proof, Proof::Live);
}

#[test]
fn a_scope_without_the_changed_file_is_fresh() {
    let host = repository();
    built(&host);
    host.put("notes.txt", b"one\n");
    let options = SearchOptions {
        include: Some(vec!["*.py".to_owned()]),
        ..SearchOptions::default()
    };
    let meta = run(search(&host, &settings(), "one", &options)).meta;
    assert_eq!(
        (meta.status, meta.freshness_state),
        (RagToolStatus::Ok, FreshnessState::Fresh)
    );
    let meta = run(identify(
        &host,
        &settings(),
        "a.py",
        1,
        &FileOptions::default(),
    ))
    .meta;
    assert_eq!(
        (meta.status, meta.freshness_state),
        (RagToolStatus::Ok, FreshnessState::Fresh)
    );
}

#[test]
fn another_commit_makes_the_index_stale_and_leaves_unchanged_files_proven() {
    let mut host = repository();
    built(&host);
    host.head = Some("f".repeat(40));
    assert_eq!(
        route(&host),
        (
            RagToolStatus::Fallback,
            FreshnessState::Stale,
            Some(RouteReason::HeadMoved)
        )
    );
    assert!(
        rows(&host, "two")
            .iter()
            .all(|row| row.2 == SourceTag::RagGraph)
    );
}

#[test]
fn every_file_status() {
    let host = repository();
    host.put("image.bin", b"\0\0");
    built(&host);
    host.put("a.py", b"def one():\n    return six()\n");
    host.put("new.py", b"");
    host.files.borrow_mut().remove("b.py");
    let touched = ("notes.txt".to_owned(), "touched".to_owned());
    host.stamps.borrow_mut().extend([touched]);
    assert_eq!(
        verdicts(&host),
        [
            ("a.py".to_owned(), Verdict::Changed, Proof::Hash),
            ("b.py".to_owned(), Verdict::Removed, Proof::Live),
            ("image.bin".to_owned(), Verdict::Skipped, Proof::Stat),
            ("new.py".to_owned(), Verdict::Added, Proof::Live),
            ("notes.txt".to_owned(), Verdict::Unchanged, Proof::Hash),
        ]
    );
}

#[test]
fn a_file_that_was_just_saved_is_proven_by_its_content() {
    let host = repository();
    host.racy.borrow_mut().insert("a.py".to_owned());
    let stamp = ("a.py".to_owned(), "of this tick".to_owned());
    host.stamps.borrow_mut().extend([stamp]);
    built(&host);
    host.racy.borrow_mut().clear();
    assert_eq!(
        verdicts(&host),
        [("a.py".to_owned(), Verdict::Unchanged, Proof::Hash)]
    );
    // Within one tick of the clock: equal size and stamp, and another content.
    host.put("a.py", b"def one():\n    return six()\n");
    assert_eq!(
        verdicts(&host),
        [("a.py".to_owned(), Verdict::Changed, Proof::Hash)]
    );
}

#[test]
fn without_stamps_files_are_compared_by_content() {
    let host = MemoryHost {
        without_stamps: true,
        ..repository()
    };
    built(&host);
    assert_eq!(route(&host), FRESH);
    assert!(verdicts(&host).iter().all(|row| row.2 == Proof::Hash));
    host.put("b.py", b"def two():\n    return 3\n");
    assert_eq!(verdicts(&host)[1].1, Verdict::Changed);
}

#[test]
fn files_that_cannot_be_checked_are_unknown() {
    let mut host = repository();
    built(&host);
    host.without_stamps = true;
    host.broken.insert("b.py".to_owned(), HostError::Denied);
    assert_eq!(
        verdicts(&host)[1],
        ("b.py".to_owned(), Verdict::Unknown, Proof::None)
    );
    assert_eq!(
        route(&host),
        (
            RagToolStatus::Fallback,
            FreshnessState::Unknown,
            Some(RouteReason::FilesUnknown)
        )
    );
}

#[test]
fn a_file_over_the_limit_stays_skipped_until_the_limit_is_raised() {
    let host = repository();
    host.put("large.py", &b"x = 1\n".repeat(100));
    let small = Settings {
        limits: Limits {
            max_file_bytes: 100,
            ..Limits::default()
        },
        ..settings()
    };
    let result = run(build_graph(&host, &small, &BuildOptions::default(), "me"));
    assert_eq!(result.skipped[0].reason, SkipReason::TooLarge);
    let options = SearchOptions::default();
    let found = run(search(&host, &small, "x = 1", &options));
    assert_eq!(
        (found.meta.status, found.total),
        (RagToolStatus::Ok, Some(0))
    );
    let found = run(search(&host, &settings(), "x = 1", &options));
    assert_eq!(
        (found.meta.status, found.total),
        (RagToolStatus::Fallback, Some(100))
    );
}

#[test]
fn unsaved_text_replaces_the_file() {
    let mut host = repository();
    built(&host);
    let buffer = |text: &str| Buffer {
        path: "a.py".to_owned(),
        text: text.to_owned(),
    };
    host.buffers = vec![buffer("def one():\n    return two()\n")];
    assert_eq!(route(&host), FRESH);
    host.buffers = vec![buffer("def uno():\n    return two()\n")];
    assert_eq!(
        rows(&host, "two")[0],
        (
            "a.py".to_owned(),
            2,
            SourceTag::LocalFallback,
            Proof::Overlay
        )
    );
    assert_eq!(route(&host).2, Some(RouteReason::FilesChanged));
}

#[test]
fn policies_choose_the_sources_of_an_answer() {
    let host = repository();
    built(&host);
    let ask = |options| run(search(&host, &settings(), "two", &policy(options)));
    for fresh in [
        StalePolicy::Merge,
        StalePolicy::Live,
        StalePolicy::Error,
        StalePolicy::Allow,
    ] {
        assert_eq!(ask(fresh).meta.status, RagToolStatus::Ok, "{fresh:?}");
    }
    host.put("a.py", b"two\n");
    let live = ask(StalePolicy::Live);
    assert!(
        live.items
            .iter()
            .all(|row| row.source == SourceTag::LocalFallback)
    );
    let refused = ask(StalePolicy::Error).meta;
    assert_eq!(refused.error_code, Some(ErrorCode::StaleIndex.into()));
    assert_eq!(refused.reason, Some(RouteReason::FilesChanged));
    assert!(refused.index_status.is_some() && refused.head.is_some());
    let allowed = ask(StalePolicy::Allow);
    assert_eq!(
        (allowed.meta.status, allowed.meta.freshness_state),
        (RagToolStatus::Ok, FreshnessState::Stale)
    );
    assert_eq!(allowed.items.len(), 2, "{:?}", allowed.items);
    assert_eq!(allowed.skipped[0].reason, SkipReason::Changed);
    let options = QuestionOptions {
        stale_policy: Some(StalePolicy::Allow),
        ..QuestionOptions::default()
    };
    let one = &run(locate(&host, &settings(), "one", &options)).items[0];
    assert_eq!(
        (one.source, one.freshness_state, one.proof, one.r#match),
        (
            SourceTag::RagGraph,
            FreshnessState::Stale,
            Proof::None,
            None
        )
    );
}

#[test]
fn a_build_reports_what_changed_and_keeps_the_rest() {
    let host = repository();
    built(&host);
    assert!(build(&host).up_to_date && check(&host).up_to_date);
    host.put("a.py", b"def one(): pass\n");
    host.put("new.py", b"def new(): pass\n");
    host.files.borrow_mut().remove("notes.txt");
    let before = host.files.borrow().clone();
    let checked = check(&host);
    assert_eq!(*host.files.borrow(), before, "a check writes nothing");
    let expected = [
        ("a.py", Change::Changed),
        ("new.py", Change::Added),
        ("notes.txt", Change::Removed),
    ];
    assert_eq!(
        (changes(&checked), checked.up_to_date),
        (expected.to_vec(), false)
    );
    let result = built(&host);
    assert_eq!(changes(&result), expected);
    let counts = result.counts;
    assert_eq!(
        (
            counts.added,
            counts.changed,
            counts.removed,
            counts.unchanged
        ),
        (1, 1, 1, 1)
    );
    assert_eq!(route(&host), FRESH);
    let located = run(locate(
        &host,
        &settings(),
        "two",
        &QuestionOptions::default(),
    ));
    assert_eq!(located.items[0].source, SourceTag::RagGraph);
}

#[test]
fn without_git_the_index_is_built_and_used_file_by_file() {
    let host = MemoryHost {
        head: None,
        ..repository()
    };
    let result = built(&host);
    assert_eq!(result.meta.freshness_state, FreshnessState::Unknown);
    assert_eq!(
        route(&host),
        (
            RagToolStatus::Fallback,
            FreshnessState::Unknown,
            Some(RouteReason::HeadUnknown)
        )
    );
    assert!(
        rows(&host, "two")
            .iter()
            .all(|row| row.2 == SourceTag::RagGraph)
    );
    assert!(build(&host).up_to_date);
}

#[test]
fn a_host_that_cannot_write_has_its_index_in_memory() {
    let inner = MemoryHost {
        throws: vec!["write", "remove"],
        ..repository()
    };
    let own = OwnFiles::default();
    let host = WithOwnFiles::new(std::rc::Rc::new(inner), own);
    let settings = settings();
    let result = run(build_graph(
        &host,
        &settings,
        &BuildOptions::default(),
        "me",
    ));
    assert_eq!(result.meta.error_code, None, "{:?}", result.meta.message);
    let found = run(search(&host, &settings, "two", &SearchOptions::default()));
    assert_eq!(found.meta.status, RagToolStatus::Ok);
    let again = run(build_graph(
        &host,
        &settings,
        &BuildOptions::default(),
        "me",
    ));
    assert!(again.up_to_date);
}

#[test]
fn a_second_build_waits_for_the_lock() {
    let host = repository();
    host.now.set(1_000_000);
    let lock = json!({"owner": "other", "started_at": "noon", "renewed_ms": 990_000.0});
    host.put(LOCK_FILE, lock.to_string().as_bytes());
    let refused = build(&host);
    assert_eq!(refused.meta.error_code, Some(ErrorCode::IndexLocked.into()));
    assert!(refused.meta.message.unwrap().contains("begun at noon"));
    assert!(
        host.files.borrow().contains_key(LOCK_FILE),
        "the other's lock stays"
    );
    host.now.set(1_060_000);
    built(&host);
    assert!(!host.files.borrow().contains_key(LOCK_FILE));
}

#[test]
fn an_unreadable_lock_is_respected_and_an_impossible_one_is_ignored() {
    for (error, code) in [
        (HostError::Denied, ErrorCode::IndexWriteFailed),
        (HostError::Io, ErrorCode::HostFailed),
    ] {
        let mut host = repository();
        host.put(LOCK_FILE, b"somebody's");
        host.broken.insert(LOCK_FILE.to_owned(), error);
        let meta = build(&host).meta;
        assert_eq!(meta.error_code, Some(code.into()));
        let message = meta.message.unwrap();
        assert!(message.contains(LOCK_FILE), "{message}");
        let is_kept = host.files.borrow()[LOCK_FILE] == b"somebody's";
        assert_eq!(is_kept, error == HostError::Denied);
    }
}

#[test]
fn an_invalid_lock_is_replaced() {
    let host = repository();
    host.put(LOCK_FILE, b"");
    built(&host);
}

#[test]
fn an_interrupted_build_releases_its_lock() {
    let host = repository();
    let lock = json!({"owner": "me", "started_at": "", "renewed_ms": 0.0}).to_string();
    host.put(LOCK_FILE, lock.as_bytes());
    run(abandon_build(&host, "somebody"));
    assert!(
        host.files.borrow().contains_key(LOCK_FILE),
        "it is another build's"
    );
    run(abandon_build(&host, "me"));
    assert!(!host.files.borrow().contains_key(LOCK_FILE));
}

#[test]
fn a_build_that_ends_at_any_write_preserves_answers_and_enrichment() {
    let known = json!({"entities": [{"id": "sym:a.one", "file_path": "a.py", "metadata": {"summary": "One."}}]});
    for ask in ["write", "remove"] {
        for after in 0..6 {
            let host = repository();
            host.put(GRAPH_FILE, known.to_string().as_bytes());
            if after % 2 == 1 {
                built(&host);
                host.put("b.py", b"def two():\n    return 22\n");
            }
            host.throws_after.set(Some((ask, after / 2)));
            build(&host);
            host.throws_after.set(None);
            let found = rows(&host, "return");
            assert_eq!(found.len(), 2, "{ask} {after}: {found:?}");
            host.now.set(1_000_000);
            built(&host);
            assert_eq!(route(&host), FRESH, "{ask} {after}");
            let result = run(search(&host, &settings(), "one", &SearchOptions::default()));
            let enrichment = result.items[0].enrichment.clone().unwrap();
            assert_eq!(enrichment.summary.as_deref(), Some("One."), "{ask} {after}");
        }
    }
}

#[test]
fn damaged_foreign_and_older_index_files_are_ignored_and_repaired() {
    let host = repository();
    built(&host);
    let whole = host.files.borrow()[INDEX_FILE].clone();
    let mut flipped = whole.clone();
    let last = flipped.len() - 1;
    flipped[last] ^= 1;
    let mut older = whole.clone();
    older[8] = 1;
    let other = repository();
    other.put("c.py", b"");
    built(&other);
    let foreign = other.files.borrow()[INDEX_FILE].clone();
    let unreadable = RouteReason::GraphUnreadable;
    for (bytes, reason) in [
        (Vec::new(), unreadable),
        (b"garbage".to_vec(), unreadable),
        (whole[..40].to_vec(), unreadable),
        (whole[..last].to_vec(), unreadable),
        (flipped, unreadable),
        (foreign, unreadable),
        (older, RouteReason::SchemaUnsupported),
    ] {
        host.put(INDEX_FILE, &bytes);
        let (status, freshness, why) = route(&host);
        assert_eq!(
            (status, freshness, why),
            (
                RagToolStatus::Fallback,
                FreshnessState::Unknown,
                Some(reason)
            )
        );
        assert!(
            rows(&host, "two")
                .iter()
                .all(|row| row.2 == SourceTag::LocalFallback)
        );
        built(&host);
        assert_eq!(route(&host), FRESH);
    }
}

#[test]
fn an_unreadable_graph_is_set_aside() {
    let host = repository();
    host.put(GRAPH_FILE, b"{\"entities\": [{\"summary\": \"written by ha");
    let message = built(&host).meta.message.unwrap();
    assert!(message.contains("kept as .llmc/rag_graph."), "{message}");
    host.put(GRAPH_FILE, b"{\"entities\": [{\"summary\": \"another");
    built(&host);
    let files = host.files.borrow();
    let aside = files
        .iter()
        .filter(|(path, _)| path.starts_with(".llmc/rag_graph.") && path.as_str() != GRAPH_FILE);
    let mut texts: Vec<_> = aside
        .map(|(_, bytes)| bytes.ends_with(b"written by ha"))
        .collect();
    texts.sort_unstable();
    assert_eq!(texts, [false, true]);
    drop(files);
    assert_eq!(route(&host), FRESH);
}

#[test]
fn metadata_survives_rebuilds_and_a_build_without_its_symbol() {
    let host = repository();
    built(&host);
    let mut graph = json_file(&host, GRAPH_FILE);
    graph["entities"][0]["metadata"] = json!({"summary": "One.", "tags": ["x", 1]});
    host.put(GRAPH_FILE, graph.to_string().as_bytes());
    host.put("a.py", b"# moved\ndef one():\n    return two()\n");
    assert_eq!(built(&host).enrichment.moved, 1);
    host.put("a.py", b"");
    assert_eq!(built(&host).enrichment.lost, 1);
    assert_eq!(built(&host).enrichment.lost, 1);
    host.put("a.py", b"\n\ndef one():\n    pass\n");
    assert_eq!(built(&host).enrichment.moved, 1);
    let entity = json_file(&host, GRAPH_FILE)["entities"][0].clone();
    assert_eq!(
        entity["metadata"],
        json!({"summary": "One.", "tags": ["x", 1]})
    );
    assert_eq!(json_file(&host, GRAPH_FILE)["lost"], json!([]));
}

#[test]
fn a_build_without_changes_counts_enrichment_without_parsing_it() {
    let host = repository();
    built(&host);
    let mut graph = json_file(&host, GRAPH_FILE);
    graph["entities"][0]["metadata"] = json!({"summary": "One."});
    graph["entities"][1]["metadata"] = json!({"summary": "Doubtful."});
    graph["entities"][1]["ambiguous"] = json!(true);
    graph["entities"].as_array_mut().unwrap().push(
        json!({"id": "sym:gone.f", "file_path": "gone.py", "metadata": {"summary": "Lost."}}),
    );
    host.put(GRAPH_FILE, graph.to_string().as_bytes());
    host.put("a.py", b"def one():\n    return two()\n\n");
    built(&host);
    let told = built(&host);
    assert!(told.up_to_date);
    let counts = told.enrichment;
    assert_eq!((counts.exact, counts.ambiguous, counts.lost), (1, 1, 1));
    let mut status = json_file(&host, STATUS_FILE);
    status.as_object_mut().unwrap().remove("graph");
    host.put(STATUS_FILE, status.to_string().as_bytes());
    assert_eq!(built(&host).enrichment, counts, "parsed");
}

#[test]
fn paths_of_a_graph_that_leave_the_repository_are_refused() {
    let host = repository();
    let graph = json!({"entities": [
        {"id": "sym:passwd.root", "file_path": "../../etc/passwd", "metadata": {"summary": "x"}},
        {"id": "sym:__proto__.x", "file_path": "__proto__.py", "metadata": {"summary": "y"}}
    ]});
    host.put(GRAPH_FILE, graph.to_string().as_bytes());
    assert_eq!(built(&host).enrichment.lost, 2);
    let asked: BTreeSet<&str> = host.requested.borrow().iter().copied().collect();
    assert!(!asked.is_empty());
    let mut lost = json_file(&host, GRAPH_FILE)["lost"].clone();
    lost.as_array_mut().unwrap().reverse();
    assert_eq!(
        lost, graph["entities"],
        "kept as they were, and followed nowhere"
    );
}

/// A function large enough to be identified by its body.
fn large(name: &str) -> String {
    format!(
        "def {name}(first, second):\n    \
         total = first + second\n    \
         return total * first - second\n"
    )
}

#[test]
fn enrichment_follows_renames_and_moves() {
    let host = repository();
    host.put("c.py", large("before").as_bytes());
    host.put(
        "d.py",
        (large("first") + &large("second").replace('*', "/")).as_bytes(),
    );
    built(&host);
    let mut graph = json_file(&host, GRAPH_FILE);
    for entity in graph["entities"].as_array_mut().unwrap() {
        entity["metadata"] = json!({"summary": entity["id"]});
    }
    host.put(GRAPH_FILE, graph.to_string().as_bytes());
    host.put("c.py", large("after").as_bytes());
    let moved = host.files.borrow_mut().remove("d.py").unwrap();
    host.put("e/f.py", &moved);
    let summaries = |host: &MemoryHost| {
        let found = run(search(host, &settings(), "def ", &SearchOptions::default()));
        let rows = found.items.into_iter();
        rows.map(|row| {
            let known = row.enrichment.unwrap();
            (
                row.symbol.unwrap().as_str().to_owned(),
                known.summary.unwrap(),
                known.r#match,
            )
        })
        .collect::<Vec<_>>()
    };
    let row = |now: &str, then: &str, found| (format!("sym:{now}"), format!("sym:{then}"), found);
    let asked = [
        row("a.one", "a.one", Match::Exact),
        row("b.two", "b.two", Match::Exact),
        row("c.after", "c.before", Match::Renamed),
        row("e.f.first", "d.first", Match::Renamed),
        row("e.f.second", "d.second", Match::Renamed),
    ];
    assert_eq!(summaries(&host), asked);
    let located = run(locate(
        &host,
        &settings(),
        "d.first",
        &QuestionOptions::default(),
    ));
    assert_eq!(located.items.len(), 1, "{located:?}");
    assert_eq!(located.items[0].symbol.as_str(), "sym:e.f.first");
    assert_eq!(located.items[0].r#match, Some(Match::Renamed));
    let result = built(&host);
    assert_eq!((result.enrichment.exact, result.enrichment.renamed), (2, 3));
    let known: Vec<_> = summaries(&host).into_iter().map(|row| row.1).collect();
    let expected: Vec<_> = asked.iter().map(|row| row.1.clone()).collect();
    assert_eq!(known, expected);
}

#[test]
fn a_copy_gets_no_enrichment_of_the_original() {
    let host = repository();
    host.put("c.py", large("known").as_bytes());
    built(&host);
    let mut graph = json_file(&host, GRAPH_FILE);
    for entity in graph["entities"].as_array_mut().unwrap() {
        entity["metadata"] = json!({"summary": "known"});
    }
    host.put(GRAPH_FILE, graph.to_string().as_bytes());
    host.put("copy.py", large("other").as_bytes());
    let found = run(search(
        &host,
        &settings(),
        "def other",
        &SearchOptions::default(),
    ));
    assert_eq!(found.items[0].enrichment, None);
    assert_eq!(built(&host).enrichment.exact, 3);
}

#[test]
fn files_beyond_the_limit_make_no_answer_fresh() {
    let host = repository();
    let two = Settings {
        limits: Limits {
            max_files: 2,
            ..Limits::default()
        },
        ..settings()
    };
    let built = run(build_graph(&host, &two, &BuildOptions::default(), &owner()));
    assert_eq!(built.meta.freshness_state, FreshnessState::Unknown);
    let meta = run(search(&host, &two, "one", &SearchOptions::default())).meta;
    assert_eq!(meta.reason, Some(RouteReason::FilesUnknown));
    assert_eq!(meta.status, RagToolStatus::Fallback);
}

#[test]
fn a_file_deeper_than_the_limit_is_unknown_and_not_removed() {
    let host = repository();
    host.put("deep/down/b.py", b"one = 1\n");
    let options = BuildOptions::default();
    run(build_graph(&host, &settings(), &options, &owner()));
    let flat = Settings {
        limits: Limits {
            max_depth: 1,
            ..Limits::default()
        },
        ..settings()
    };
    let meta = run(search(&host, &flat, "one", &SearchOptions::default())).meta;
    assert_eq!(meta.reason, Some(RouteReason::FilesUnknown));
    assert_eq!(meta.files.map(|files| files.changed), Some(0));
    let message = meta.message.unwrap_or_default();
    let words = "Some files could not be compared with the index. 3 files proven unchanged.";
    assert_eq!(message, words);
}

#[test]
fn a_missing_or_damaged_index_is_detected_and_repaired() {
    let host = repository();
    let settings = settings();
    let build = || {
        run(build_graph(
            &host,
            &settings,
            &BuildOptions::default(),
            &owner(),
        ))
    };
    let reason = || {
        run(search(&host, &settings, "one", &SearchOptions::default()))
            .meta
            .reason
    };
    build();
    assert_eq!(reason(), Some(RouteReason::HeadMatches));
    let whole = host.files.borrow_mut().remove(INDEX_FILE).unwrap();
    assert_eq!(reason(), Some(RouteReason::GraphMissing));
    host.put(INDEX_FILE, &whole[..whole.len() - 1]);
    assert_eq!(reason(), Some(RouteReason::GraphUnreadable));
    assert!(!build().up_to_date);
    assert_eq!(reason(), Some(RouteReason::HeadMatches));
}

#[test]
fn a_graph_of_another_build_is_not_used() {
    let host = repository();
    built(&host);
    let earlier = host.files.borrow()[GRAPH_FILE].clone();
    host.put("a.py", b"def one(): pass\n");
    built(&host);
    host.put(GRAPH_FILE, &earlier);
    assert_eq!(route(&host).2, Some(RouteReason::GraphUnreadable));
    built(&host);
    assert_eq!(route(&host), FRESH);
}

#[test]
fn enrichment_of_any_shape_is_preserved() {
    for graph in [
        json!({"entities": [], "nodes": [{"id": "sym:a.one", "file_path": "a.py", "summary": "kept"}]}),
        json!({"nodes": {"sym:a.gone": {"file_path": "a.py", "metadata": {"summary": "kept"}}}}),
        json!({"nodes": {"sym:a.one": {"metadata": ["kept"]}}}),
        json!({"entities": [{"id": "sym:a.one", "file_path": "/repo/a.py", "metadata": {"summary": "kept"}}]}),
        json!({"entities": [{"metadata": {"summary": "kept"}}]}),
        json!({"entities": [{"id": "sym:a.one", "file_path": "a.py", "metadata": {"summary": null}, "summary": "kept"}]}),
        json!({"generation": "ours", "entities": [{"id": "sym:a.one", "file_path": "a.py", "tags": ["kept"]}]}),
    ] {
        let host = repository();
        host.put(GRAPH_FILE, graph.to_string().as_bytes());
        for _ in 0..3 {
            built(&host);
            let now = json_file(&host, GRAPH_FILE);
            let known = format!("{}{}", now["entities"], now["lost"]);
            assert_eq!(known.matches("kept").count(), 1, "{graph} became {now}");
            let other_text = now.to_string();
            host.put("notes.txt", other_text.as_bytes());
        }
        let files = host.files.borrow();
        let aside = files.iter().filter(|(path, _)| {
            path.starts_with(".llmc/rag_graph.") && path.as_str() != GRAPH_FILE
        });
        let is_ours = graph.get("generation").is_some();
        assert_eq!(aside.count(), usize::from(!is_ours), "{graph}");
    }
}

#[test]
fn enrichment_written_during_a_build_is_preserved() {
    let host = repository();
    built(&host);
    host.put("b.py", b"def two(): pass\n");
    let mut graph = json_file(&host, GRAPH_FILE);
    graph["entities"][0]["metadata"] = json!({"summary": "written meanwhile"});
    *host.at_commit.borrow_mut() = Some((GRAPH_FILE.to_owned(), graph.to_string().into_bytes()));
    built(&host);
    let entity = json_file(&host, GRAPH_FILE)["entities"][0].clone();
    assert_eq!(entity["metadata"]["summary"], "written meanwhile");
}

#[test]
fn a_node_without_a_file_that_fits_two_symbols_is_ambiguous() {
    let host = repository();
    host.put("p/m.py", b"def f(): pass\n");
    host.put("q/m.py", b"def f(): pass\n");
    let graph = json!({"entities": [{"id": "sym:m.f", "metadata": {"summary": "which?"}}]});
    host.put(GRAPH_FILE, graph.to_string().as_bytes());
    assert_eq!(built(&host).enrichment.ambiguous, 1);
}

#[test]
fn a_full_id_is_one_symbol_and_its_new_name_precedes_suffix_matches() {
    let host = repository();
    host.put("c.py", large("before").as_bytes());
    host.put("z/c.py", b"def before(): pass\n");
    built(&host);
    host.put("c.py", large("after").as_bytes());
    let located = run(locate(
        &host,
        &settings(),
        "sym:c.before",
        &QuestionOptions::default(),
    ));
    assert_eq!(located.items[0].symbol.as_str(), "sym:c.after");
    let located = run(locate(
        &host,
        &settings(),
        "before",
        &QuestionOptions::default(),
    ));
    assert_eq!(located.items[0].symbol.as_str(), "sym:z.c.before");
}

#[test]
fn an_ignored_file_makes_the_answer_unknown() {
    let host = repository();
    host.put(".ignore", b"gen/\n");
    host.put("gen/x.py", b"def x(): pass\n");
    built(&host);
    let result = run(identify(
        &host,
        &settings(),
        "gen/x.py",
        1,
        &FileOptions::default(),
    ));
    assert_eq!(result.items.len(), 1);
    assert_eq!(result.meta.reason, Some(RouteReason::FilesUnknown));
    assert_eq!(result.meta.freshness_state, FreshnessState::Unknown);
}

#[test]
fn a_query_waits_for_a_build_that_is_replacing_the_index() {
    let host = repository();
    let status_of = || host.files.borrow()[STATUS_FILE].clone();
    build(&host);
    let old = status_of();
    host.put("c.py", b"two()\n");
    build(&host);
    let new = status_of();
    let reason_now = || {
        let found = run(locate(
            &host,
            &settings(),
            "two",
            &QuestionOptions::default(),
        ));
        found.meta.reason
    };
    host.put(STATUS_FILE, &old);
    assert_eq!(reason_now(), Some(RouteReason::GraphUnreadable));
    host.at_wait.replace(vec![(STATUS_FILE.to_owned(), new)]);
    assert_eq!(reason_now(), Some(RouteReason::HeadMatches));
}
