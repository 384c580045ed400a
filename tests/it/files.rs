//! `files`: what the walk admits and what it skips.

use ragnav::base::argument::Count;
use ragnav::base::error::ErrorCode;
use ragnav::base::item::SkipReason;
use ragnav::query::build_graph::{BuildOptions, build_graph};
use ragnav::query::files::FilesOptions;
use ragnav::query::files::FilesResult;
use ragnav::query::files::files;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

fn rows(answer: &FilesResult) -> Vec<(&str, Option<&str>, Option<SkipReason>)> {
    let items = answer.items.iter();
    items
        .map(|item| (item.file.as_str(), item.language.as_deref(), item.skipped))
        .collect()
}

fn repository() -> MemoryHost {
    let mut host = MemoryHost::new(&[
        (".gitignore", "build/\n"),
        ("a.py", "x = 1\n"),
        ("build/out.py", "x = 2\n"),
        ("node_modules/p/index.js", ""),
        ("notes.md", "# Notes\n"),
    ]);
    host.head = Some("a".repeat(40));
    host.put("image.bin", b"\0\0");
    host
}

#[test]
fn files_are_listed_by_path_with_their_language_and_what_is_skipped() {
    let host = repository();
    let options = FilesOptions::default();
    let expected = [
        ("a.py", Some("python"), None),
        ("image.bin", None, None),
        ("node_modules/", None, Some(SkipReason::InstalledPackages)),
        ("notes.md", Some("markdown"), None),
    ];
    let live = run(files(&host, &settings(), &options));
    assert_eq!(rows(&live), expected);
    assert_eq!(live.total, Some(4));
    assert!(!host.requested.borrow().contains(&"extract"));
    run(build_graph(
        &host,
        &settings(),
        &BuildOptions::default(),
        "one",
    ));
    // The walk admits a file that the index has recorded as binary.
    let indexed = run(files(&host, &settings(), &options));
    assert_eq!(rows(&indexed), expected);
}

#[test]
fn globs_and_pages_cut_the_list_and_a_changed_list_refuses_the_cursor() {
    let host = repository();
    let mut options = FilesOptions {
        include: Some(vec!["*.py".into(), "*.md".into()]),
        limit: Count::new(1),
        ..FilesOptions::default()
    };
    let first = run(files(&host, &settings(), &options));
    assert_eq!(first.items.len(), 1);
    assert_eq!(first.items[0].file, "a.py");
    assert!(first.truncated);
    options.cursor = first.cursor;
    let second = run(files(&host, &settings(), &options));
    assert!(second.items.iter().all(|item| item.file != "a.py"));
    host.put("b.py", b"y = 1\n");
    let stale = run(files(&host, &settings(), &options));
    assert_eq!(stale.meta.error_code, Some(ErrorCode::StaleCursor.into()));
}

#[test]
fn a_folder_without_files_is_named() {
    let host = repository();
    let in_folder = |folder: &str| {
        let options = FilesOptions {
            folder: Some(folder.to_owned()),
            ..FilesOptions::default()
        };
        run(files(&host, &settings(), &options)).meta.message
    };
    let message = in_folder("nowhere/").unwrap();
    assert!(message.ends_with("The folder nowhere has no files that were searched."));
    assert!(!in_folder(".").unwrap_or_default().contains("folder"));
}

#[test]
fn globs_that_no_file_fits_are_said() {
    let host = repository();
    let message = |include: &str| {
        let options = FilesOptions {
            include: Some(vec![include.to_owned()]),
            ..FilesOptions::default()
        };
        let meta = run(files(&host, &settings(), &options)).meta;
        meta.message.unwrap_or_default()
    };
    assert!(message("*.py,*.md").contains("No file in scope fits `include`"));
    assert!(!message("*.{py,md}").contains("No file"));
}
