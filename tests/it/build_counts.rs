//! The numbers of a build: they agree with those of queries, and progress ends at the total.

use std::cell::RefCell;

use ragnav::base::host::{Host, Request, Response};
use ragnav::base::item::Verdict;
use ragnav::query::build_graph::{BuildCounts, BuildOptions, BuildResult, build_graph};
use ragnav::query::files::{FilesOptions, files};
use ragnav::query::search::{SearchOptions, search};
use ragnav::query::status::status;
use ragnav::query::{QuestionOptions, Settings};
use ragnav::repository::walk::Limits;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

/// The limit on the size of a file, in bytes.
const MAX_BYTES: u32 = 100;

fn small_files() -> Settings {
    let limits = Limits {
        max_file_bytes: MAX_BYTES,
        ..Limits::default()
    };
    Settings {
        limits,
        ..settings()
    }
}

/// A repository with two texts, and with files and folders of each kind that is not searched.
fn repository() -> MemoryHost {
    let host = MemoryHost {
        head: Some("a".repeat(40)),
        git_root: Some(String::new()),
        links: vec!["link.py".to_owned()],
        ..MemoryHost::new(&[
            (".gitignore", "*.log\nout/\n"),
            ("a.py", "x = 1\n"),
            ("b.txt", "x"),
            ("debug.log", "x"),
            ("out/c.py", "x = 1\n"),
            ("large.txt", &"x".repeat(MAX_BYTES as usize + 1)),
            ("node_modules/d.js", "x"),
        ])
    };
    host.put("binary.bin", b"x\0");
    host.put("other.bin", b"\0");
    host
}

fn build(host: &impl Host) -> BuildResult {
    let options = BuildOptions::default();
    let result = run(build_graph(host, &small_files(), &options, "one"));
    assert_eq!(result.meta.error_code, None, "{:?}", result.meta.message);
    result
}

/// Returns the numbers of files that are searched and skipped, as a search counts them.
fn searched(host: &MemoryHost) -> (u32, u32) {
    let result = run(search(host, &small_files(), "x", &SearchOptions::default()));
    let counts = result.meta.files.unwrap();
    (counts.graph + counts.live, counts.skipped)
}

#[test]
fn builds_and_queries_count_the_same_files() {
    let host = repository();
    // The texts; and the binary files, the large one, the link and the folder.
    let (texts, skipped) = (2, 5);
    assert_eq!(searched(&host), (texts, skipped));
    let first = build(&host);
    let expected = BuildCounts {
        added: texts,
        skipped,
        ..BuildCounts::default()
    };
    assert_eq!(first.counts, expected);
    assert_eq!(first.skipped.len(), skipped as usize);
    let again = build(&host);
    let expected = BuildCounts {
        unchanged: texts,
        skipped,
        ..BuildCounts::default()
    };
    assert_eq!((again.counts, again.up_to_date), (expected, true));
    assert_eq!(searched(&host), (texts, skipped));
    let listed = run(files(&host, &small_files(), &FilesOptions::default()));
    assert_eq!(listed.meta.files.unwrap().skipped, skipped);
    let compared = run(status(&host, &small_files(), &QuestionOptions::default()));
    assert_eq!(compared.meta.files.unwrap().skipped, skipped);
    let unchanged = compared
        .items
        .iter()
        .filter(|item| item.verdict == Verdict::Unchanged);
    assert_eq!(unchanged.count(), texts as usize);
}

#[test]
fn a_changed_binary_file_counts_once() {
    let host = repository();
    build(&host);
    host.put("binary.bin", b"y\0");
    host.put("other.bin", b"now a text");
    host.put("a.py", b"\0");
    let result = build(&host);
    let expected = BuildCounts {
        changed: 1,
        unchanged: 1,
        skipped: 5,
        ..BuildCounts::default()
    };
    assert_eq!((result.counts, result.items.len()), (expected, 1));
}

/// Records the progress that a build shows.
struct ProgressRecorder {
    host: MemoryHost,
    shown: RefCell<Vec<(u32, Option<u32>)>>,
}

impl Host for ProgressRecorder {
    async fn respond(&self, request: Request) -> Response {
        let progress = match &request {
            Request::Yield(request) => Some(request.progress),
            Request::Extract(request) => Some(request.progress),
            _ => None,
        };
        let progress = progress.map(|progress| (progress.done, progress.total));
        self.shown.borrow_mut().extend(progress);
        self.host.respond(request).await
    }
}

#[test]
fn progress_ends_at_the_total_when_files_are_scanned_again() {
    for helps in [false, true] {
        let host = MemoryHost::default();
        for number in 0..200 {
            let path = format!("{number}.txt");
            host.racy.borrow_mut().insert(path.clone());
            host.put(&path, b"x");
        }
        let host = MemoryHost { helps, ..host };
        let recorder = ProgressRecorder {
            host,
            shown: RefCell::default(),
        };
        build(&recorder);
        let shown = recorder.shown.take();
        assert!(shown.is_sorted(), "{shown:?}");
        assert!(
            shown
                .iter()
                .all(|(done, total)| *total == Some(200) && *done <= 200)
        );
        assert!(
            helps || shown.last() == Some(&(200, Some(200))),
            "{shown:?}"
        );
    }
}
