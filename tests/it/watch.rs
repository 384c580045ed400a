//! The watcher's token: the requests that it saves, and equal answers with it.

use serde_json::{Value, json};

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;
use ragnav::base::argument::Count;
use ragnav::base::envelope::{Proof, RouteReason};
use ragnav::base::host::{Buffer, Host, HostError, IgnoreRules, Request, Response, WatchToken};
use ragnav::base::item::{FileVerdict, Verdict};
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::identify::identify;
use ragnav::query::lineage::{LineageOptions, lineage};
use ragnav::query::locate::locate;
use ragnav::query::route::compute_route;
use ragnav::query::search::{SearchOptions, search};
use ragnav::query::status::status;
use ragnav::query::where_used::{WhereUsedOptions, where_used};
use ragnav::query::{FileOptions, QuestionOptions, Settings, StalePolicy};
use ragnav::repository::walk::Limits;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const OTHER_COMMIT: &str = "76543210fedcba9876543210fedcba9876543210";

/// Creates a watched repository with an index.
fn watched() -> MemoryHost {
    let host = MemoryHost {
        head: Some(COMMIT.into()),
        git_root: Some(String::new()),
        ..MemoryHost::new(&[
            ("pkg/__init__.py", ""),
            ("pkg/a.py", "def one():\n    return two()\n"),
            (
                "pkg/b.py",
                "from pkg.a import one\n\n\ndef two():\n    return one()\n",
            ),
            ("web/index.js", "import { f } from './f';\nf();\n"),
            ("web/f.js", "export function f() { return 1; }\n"),
            ("package.json", "{\"name\": \"web\"}\n"),
            ("notes.txt", "one and two\n"),
            ("logo.bin", "one\0"),
            (".gitignore", "*.log\n"),
            (".git/info/exclude", "*.tmp\n"),
            ("x.log", "one\n"),
        ])
    };
    build(&host, &settings());
    say(&host, "t1");
    host
}

fn build(host: &MemoryHost, settings: &Settings) {
    let result = run(build_graph(host, settings, &BuildOptions::default(), "me"));
    assert_eq!(result.meta.error_code, None, "{:?}", result.meta.message);
}

fn say(host: &MemoryHost, word: &str) {
    host.token
        .replace(Some(WatchToken::Watcher(word.to_owned())));
}

/// The names of the asks that a question comes to.
fn asks_of<T>(host: &MemoryHost, question: impl FnOnce() -> T) -> Vec<&'static str> {
    host.requested.borrow_mut().clear();
    question();
    host.requested.take()
}

fn verdicts(host: &MemoryHost, settings: &Settings) -> Vec<FileVerdict> {
    run(status(host, settings, &QuestionOptions::default())).items
}

fn verdict_on(host: &MemoryHost, settings: &Settings, file: &str) -> Option<(Verdict, Proof)> {
    let verdicts = verdicts(host, settings);
    let row = verdicts.iter().find(|row| row.file == file)?;
    Some((row.verdict, row.proof))
}

/// Runs all kinds of queries, and returns the answers without proofs.
fn answers(host: &impl Host, settings: &Settings) -> Value {
    let globs = SearchOptions {
        include: Some(vec!["pkg/".to_owned()]),
        ..SearchOptions::default()
    };
    let policy = |policy| QuestionOptions {
        stale_policy: Some(policy),
        ..QuestionOptions::default()
    };
    let plain = QuestionOptions::default();
    let used = WhereUsedOptions::default();
    let mut all = json!([
        run(status(host, settings, &plain)),
        run(compute_route(host, settings)),
        run(search(host, settings, "one", &SearchOptions::default())),
        run(search(host, settings, "one", &globs)),
        run(locate(host, settings, "two", &plain)),
        run(locate(host, settings, "one", &policy(StalePolicy::Allow))),
        run(locate(host, settings, "one", &policy(StalePolicy::Live))),
        run(locate(host, settings, "one", &policy(StalePolicy::Error))),
        run(identify(
            host,
            settings,
            "pkg/b.py",
            5,
            &FileOptions::default()
        )),
        run(identify(
            host,
            settings,
            "pkg/new.py",
            1,
            &FileOptions::default()
        )),
        run(where_used(host, settings, "one", &used)),
        run(where_used(host, settings, "f", &used)),
        run(lineage(
            host,
            settings,
            "two",
            "upstream",
            &LineageOptions::default()
        )),
    ]);
    forget_proofs(&mut all);
    all
}

fn forget_proofs(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.remove("proof");
            object.values_mut().for_each(forget_proofs);
        }
        Value::Array(array) => array.iter_mut().for_each(forget_proofs),
        _ => {}
    }
}

/// A host of the same files without a watcher.
struct Unwatched<'h>(&'h MemoryHost);

impl Host for Unwatched<'_> {
    async fn respond(&self, request: Request) -> Response {
        match request {
            Request::Watch(_) => Response::Watch(None),
            other => self.0.respond(other).await,
        }
    }
}

fn assert_same(host: &MemoryHost, kept: &Settings, at: &str) {
    let anew = Settings {
        snapshots: Settings::default().snapshots,
        caches: Settings::default().caches,
        ..kept.clone()
    };
    let right = answers(&Unwatched(host), &anew);
    assert_eq!(answers(host, kept), right, "{at}");
    assert_eq!(answers(host, kept), right, "{at}, again");
}

/// A host that records which files of the folder `pkg` are read.
struct Recording<'h> {
    host: &'h MemoryHost,
    read: std::cell::RefCell<Vec<String>>,
}

impl Host for Recording<'_> {
    async fn respond(&self, request: Request) -> Response {
        if let Request::ReadMany(read) = &request {
            let paths = read.paths.iter().map(ToString::to_string);
            let paths = paths.filter(|path| path.starts_with("pkg/"));
            self.read.borrow_mut().extend(paths);
        }
        self.host.respond(request).await
    }
}

#[test]
fn references_among_proven_files_are_resolved_once() {
    let host = watched();
    let settings = settings();
    // It only mentions the name.
    host.put("pkg/c.py", b"# one\n");
    build(&host, &settings);
    let ask = |options: &WhereUsedOptions| {
        let recording = Recording {
            host: &host,
            read: std::cell::RefCell::default(),
        };
        let answer = run(where_used(&recording, &settings, "one", options));
        (answer, recording.read.take())
    };
    let all = WhereUsedOptions::default();
    // From the second query on, it is the watcher that proves the files.
    ask(&all);
    let (first, read) = ask(&all);
    assert!(read.contains(&"pkg/c.py".to_owned()), "{read:?}");
    let (again, read) = ask(&all);
    assert_eq!(read, ["pkg/b.py"]);
    assert_eq!(again.items, first.items);
    assert_eq!(again.head.definitions, first.head.definitions);
    assert_eq!((again.total, &again.doubts), (first.total, &first.doubts));
    let one_row = WhereUsedOptions {
        limit: Some(Count::ONE),
        ..WhereUsedOptions::default()
    };
    let (page, _) = ask(&one_row);
    let (last, read) = ask(&WhereUsedOptions {
        cursor: page.cursor,
        ..one_row
    });
    assert_eq!([page.items, last.items].concat(), first.items);
    assert_eq!(read, ["pkg/b.py"]);
    host.put("pkg/c.py", b"from pkg.a import one\n");
    say(&host, "t2");
    assert_eq!(ask(&all).0.items.len(), first.items.len() + 1);
    assert_same(&host, &settings, "edited");
}

#[test]
fn a_change_that_the_watcher_missed_shows_in_the_file_of_a_row() {
    let host = watched();
    let settings = settings();
    let ask = || {
        run(where_used(
            &host,
            &settings,
            "one",
            &WhereUsedOptions::default(),
        ))
    };
    let lines = || ask().items.iter().map(|row| row.line).collect::<Vec<_>>();
    assert_eq!(lines(), [1, 5]);
    host.put(
        "pkg/b.py",
        b"# moved\nfrom pkg.a import one\n\n\ndef two():\n    return one()\n",
    );
    assert_eq!(lines(), [2, 6]);
    assert_same(&host, &settings, "missed");
}

#[test]
fn proven_files_are_not_read_again() {
    let host = watched();
    let settings = settings();
    let first = verdicts(&host, &settings);
    assert!(first.iter().any(|row| row.proof == Proof::Stat));
    let asks = asks_of(&host, || {
        let again = verdicts(&host, &settings);
        assert_eq!(again.len(), first.len());
        assert!(
            again.iter().all(|row| row.proof == Proof::Watch),
            "{again:?}"
        );
    });
    // The stats are of the index and the graph; the reads are of the status and git's own rules.
    assert!(!asks.contains(&"readDirs"), "{asks:?}");
    let looked = |name| asks.iter().filter(|ask| **ask == name).count();
    assert_eq!((looked("stat"), looked("readMany")), (2, 2), "{asks:?}");
    assert_same(&host, &settings, "nothing changed");
}

#[test]
fn files_proven_by_content_are_proven_by_the_watcher_too() {
    let host = watched();
    host.racy.borrow_mut().insert("pkg/a.py".to_owned());
    let settings = settings();
    let of_a = |proof| Some((Verdict::Unchanged, proof));
    assert_eq!(verdict_on(&host, &settings, "pkg/a.py"), of_a(Proof::Hash));
    assert_eq!(verdict_on(&host, &settings, "pkg/a.py"), of_a(Proof::Watch));
}

#[test]
fn concurrent_queries_share_a_walk_and_its_proofs() {
    let host = watched();
    let settings = settings();
    let at = |instant: &str| {
        host.token
            .replace(Some(WatchToken::Instant(instant.to_owned())))
    };
    at("1");
    let proven = Some((Verdict::Unchanged, Proof::Stat));
    assert_eq!(verdict_on(&host, &settings, "pkg/a.py"), proven);
    let asks = asks_of(&host, || {
        assert_eq!(verdict_on(&host, &settings, "pkg/a.py"), proven);
    });
    assert!(!asks.contains(&"readDirs"), "{asks:?}");
    host.put("pkg/a.py", b"# changed\n");
    at("2");
    let changed = Some((Verdict::Changed, Proof::Stat));
    assert_eq!(verdict_on(&host, &settings, "pkg/a.py"), changed);
    assert_same(&host, &settings, "of another instant");
}

#[test]
fn another_token_or_none_verifies_everything() {
    let host = watched();
    let settings = settings();
    verdicts(&host, &settings);
    let t2 = || Some(WatchToken::Watcher("t2".to_owned()));
    for word in [t2(), None, None, t2()] {
        host.put("pkg/a.py", format!("# {word:?}\n").as_bytes());
        let is_new = host.token.replace(word.clone()) != word || word.is_none();
        let asks = asks_of(&host, || {
            let changed = verdict_on(&host, &settings, "pkg/a.py").unwrap();
            assert_eq!(changed, (Verdict::Changed, Proof::Stat));
        });
        assert_eq!(asks.contains(&"readDirs"), is_new, "{word:?}");
    }
    assert_same(&host, &settings, "at last");
}

/// A host with a change during a request.
struct ChangesAt<'h> {
    host: &'h MemoryHost,
    at: fn(&Request) -> bool,
    change: fn(&MemoryHost),
    is_done: std::cell::Cell<bool>,
}

impl Host for ChangesAt<'_> {
    async fn respond(&self, request: Request) -> Response {
        let is_due = (self.at)(&request);
        let response = self.host.respond(request).await;
        if is_due && !self.is_done.replace(true) {
            (self.change)(self.host);
        }
        response
    }
}

#[test]
fn changes_during_the_walk_are_not_proven() {
    let at: [fn(&Request) -> bool; 3] = [
        |request| matches!(request, Request::Watch(_)),
        |request| matches!(request, Request::ReadDirs(_)),
        |request| matches!(request, Request::Stat(request) if request.paths.len() > 1),
    ];
    for (place, at) in at.into_iter().enumerate() {
        let host = watched();
        let settings = settings();
        let changing = ChangesAt {
            host: &host,
            at,
            change: |host| {
                host.put("pkg/new.py", b"def one():\n    pass\n");
                host.put("pkg/a.py", b"def two():\n    return one()\n");
                say(host, "t2");
            },
            is_done: std::cell::Cell::new(false),
        };
        run(status(&changing, &settings, &QuestionOptions::default()));
        assert!(changing.is_done.get(), "{place}");
        assert_same(&host, &settings, &format!("changed at {place}"));
    }
}

#[test]
fn a_new_head_is_noticed_with_an_equal_token() {
    let mut host = watched();
    let settings = settings();
    assert_same(&host, &settings, "at first");
    host.head = Some(OTHER_COMMIT.to_owned());
    let route = run(compute_route(&host, &settings));
    assert_eq!(route.reason, RouteReason::HeadMoved);
    assert_same(&host, &settings, "moved");
    host.head = None;
    host.git_root = None;
    assert_same(&host, &settings, "no repository any more: other rules hold");
}

#[test]
fn another_index_is_noticed_with_an_equal_token() {
    let host = watched();
    let settings = settings();
    host.put("pkg/a.py", b"def one():\n    return three()\n");
    say(&host, "t2");
    assert_same(&host, &settings, "edited");
    build(&host, &settings);
    assert_eq!(
        verdict_on(&host, &settings, "pkg/a.py"),
        Some((Verdict::Unchanged, Proof::Stat))
    );
    assert_same(&host, &settings, "built");
    for file in [
        ".llmc/rag/facts.bin",
        ".llmc/rag_graph.json",
        ".llmc/rag/index_status.json",
    ] {
        let bytes = host.files.borrow_mut().remove(file).unwrap();
        assert_same(&host, &settings, &format!("without {file}"));
        host.put(file, &bytes);
        assert_same(&host, &settings, &format!("with {file}"));
    }
}

#[test]
fn rules_outside_watched_folders_are_requested() {
    let mut host = watched();
    let settings = settings();
    assert_same(&host, &settings, "at first");
    host.put(".git/info/exclude", b"*.tmp\nnotes.txt\n");
    assert_eq!(
        verdict_on(&host, &settings, "notes.txt").unwrap().0,
        Verdict::Removed
    );
    assert_same(&host, &settings, "excluded");
    host.files.borrow_mut().remove(".git/info/exclude");
    assert_same(&host, &settings, "no excludes");
    host.ignore_rules = vec![IgnoreRules {
        lines: vec!["pkg".to_owned()],
        global: true,
        ..IgnoreRules::default()
    }];
    assert_same(&host, &settings, "the user's own");
}

#[test]
fn buffers_are_requested() {
    let buffer = |path: &str, text: &str| Buffer {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let of_b = "from pkg.a import one\n\n\ndef two():\n    return one()\n";
    let mut host = watched();
    let settings = settings();
    assert_same(&host, &settings, "at first");
    for buffers in [
        vec![buffer("pkg/b.py", "def two():\n    return one(), one()\n")],
        vec![buffer("pkg/b.py", of_b)],
        vec![buffer("pkg/b.py", "\0"), buffer("logo.bin", "one")],
        vec![buffer("package.json", "{\"name\": \"other\"}")],
        vec![buffer("pkg/new.py", "def one():\n    pass\n")],
        vec![buffer(".gitignore", "pkg\n")],
        vec![buffer("x.log", "one\none\n")],
        vec![buffer("new/.ignore", "*"), buffer("new/one.py", "one()")],
        vec![],
    ] {
        let names: Vec<String> = buffers.iter().map(|one| one.path.clone()).collect();
        host.buffers = buffers;
        assert_same(&host, &settings, &format!("{names:?}"));
    }
    host.put("pkg/b.py", b"def two():\n    pass\n");
    say(&host, "t2");
    for text in [of_b, "def three():\n    one()\n"] {
        host.buffers = vec![buffer("pkg/b.py", text)];
        assert_same(&host, &settings, "a buffer over an edited file");
        host.buffers = vec![];
        assert_same(&host, &settings, "an edited file");
    }
}

#[test]
fn a_buffer_needs_no_walk() {
    let mut host = watched();
    let settings = settings();
    verdicts(&host, &settings);
    host.buffers = vec![Buffer {
        path: "pkg/b.py".to_owned(),
        text: "def two():\n    pass\n".to_owned(),
    }];
    let asks = asks_of(&host, || {
        let check = verdict_on(&host, &settings, "pkg/b.py");
        assert_eq!(check, Some((Verdict::Changed, Proof::Overlay)));
    });
    assert!(!asks.contains(&"readDirs"), "{asks:?}");
}

#[test]
fn limits_apply_under_a_watcher() {
    let host = watched();
    for max_files in 0..12 {
        let settings = Settings {
            limits: Limits {
                max_files,
                max_file_bytes: 30,
                ..Limits::default()
            },
            ..settings()
        };
        assert_same(&host, &settings, &format!("{max_files} files"));
    }
}

#[test]
fn failed_reads_are_retried() {
    let mut host = watched();
    let settings = settings();
    for broken in ["pkg", "pkg/a.py"] {
        host.without_stamps = true;
        host.broken.insert(broken.to_owned(), HostError::Denied);
        say(&host, broken);
        assert_same(&host, &settings, &format!("{broken} is broken"));
        host.broken.clear();
        assert_same(&host, &settings, &format!("{broken} is mended"));
    }
    host.throws = vec!["stat"];
    say(&host, "throws");
    assert_same(&host, &settings, "stat throws");
    host.throws.clear();
    assert_same(&host, &settings, "stat is mended");
}

#[test]
fn a_watcher_that_missed_something_is_not_trusted_again() {
    let host = watched();
    let settings = settings();
    assert_same(&host, &settings, "at first");
    host.put("pkg/a.py", b"def one():\n    return one()\n");
    // The bytes are hashed for the row.
    let found = run(search(&host, &settings, "one", &SearchOptions::default()));
    let route = found.meta.reason;
    assert_eq!(route, Some(RouteReason::FilesChanged));
    assert_same(&host, &settings, "missed");
    let asks = asks_of(&host, || verdicts(&host, &settings));
    assert!(asks.contains(&"readDirs"), "{asks:?}");
    say(&host, "t2");
    verdicts(&host, &settings);
    let asks = asks_of(&host, || verdicts(&host, &settings));
    assert!(asks.contains(&"readDirs"), "{asks:?}");
}

#[test]
fn changes_after_the_token_do_not_invalidate_the_watcher() {
    let host = watched();
    let settings = settings();
    verdicts(&host, &settings);
    let changing = ChangesAt {
        host: &host,
        at: |request| matches!(request, Request::Watch(_)),
        change: |host| {
            host.put("pkg/a.py", b"def one():\n    return one()\n");
            say(host, "t2");
        },
        is_done: std::cell::Cell::new(false),
    };
    run(where_used(
        &changing,
        &settings,
        "one",
        &WhereUsedOptions::default(),
    ));
    verdicts(&host, &settings);
    let asks = asks_of(&host, || verdicts(&host, &settings));
    assert!(!asks.contains(&"readDirs"), "{asks:?}");
    assert_same(&host, &settings, "after");
}

#[test]
fn answers_are_equal_with_and_without_a_watcher() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 11).unwrap() % below
    };
    let paths = [
        "pkg/a.py",
        "pkg/b.py",
        "pkg/new.py",
        "web/f.js",
        "x.log",
        "package.json",
        ".gitignore",
    ];
    let texts = [
        "def one():\n    return two()\n",
        "from pkg.a import one\none()\n",
        "export function f() { return one(); }\n",
        "*.py\n",
        "{\"name\": \"web\"}\n",
        "one\0",
        "",
    ];
    let mut host = watched();
    let settings = settings();
    for round in 0..60 {
        let path = paths[next(paths.len())];
        let text = texts[next(texts.len())];
        match next(8) {
            0..=2 => {
                host.put(path, text.as_bytes());
                say(&host, &format!("round {round}"));
            }
            3 => {
                host.files.borrow_mut().remove(path);
                say(&host, &format!("round {round}"));
            }
            4 => {
                host.buffers = vec![Buffer {
                    path: path.to_owned(),
                    text: text.to_owned(),
                }];
            }
            5 => host.buffers.clear(),
            6 => build(&host, &settings),
            _ => {
                let head = [COMMIT, OTHER_COMMIT][next(2)];
                host.head = Some(head.to_owned());
            }
        }
        assert_same(&host, &settings, &format!("round {round}"));
    }
}
