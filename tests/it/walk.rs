//! The walk: the files in scope.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::MemoryHost;
use crate::fs_host::{FsHost, run};
use proptest::prelude::*;
use ragnav::base::host::{GitHead, HostError, IgnoreRules};
use ragnav::base::item::{SkipReason, Skipped};
use ragnav::repository::walk::{Limits, Walk, walk};

fn found(host: &MemoryHost) -> Walk {
    run(walk(host, Limits::default(), host.git_root.is_some())).unwrap()
}

fn files(walk: &Walk) -> Vec<&str> {
    walk.files
        .iter()
        .map(ragnav::base::path::RepoPath::as_str)
        .collect()
}

fn check(repository: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(files(&found(&MemoryHost::new(repository))), expected);
}

#[test]
fn gitignore_applies_only_in_git() {
    check(
        &[(".gitignore", "*.log"), ("a.log", ""), ("a.py", "")],
        &["a.log", "a.py"],
    );
    check(
        &[
            (".git/HEAD", ""),
            (".gitignore", "*.log"),
            ("a.log", ""),
            ("a.py", ""),
        ],
        &["a.py"],
    );
    let below = MemoryHost {
        git_root: Some("..".into()),
        ..MemoryHost::new(&[(".gitignore", "*.log"), ("a.log", ""), ("a.py", "")])
    };
    assert_eq!(files(&found(&below)), ["a.py"]);
}

#[test]
fn ignore_files_apply_everywhere_and_before_gitignore() {
    check(
        &[(".ignore", "*.log"), ("a.log", ""), ("a.py", "")],
        &["a.py"],
    );
    check(
        &[
            (".git/HEAD", ""),
            (".gitignore", "*.log"),
            (".ignore", "!a.log"),
            ("a.log", ""),
            ("b.log", ""),
        ],
        &["a.log"],
    );
}

#[test]
fn deeper_rules_win_and_later_lines_win() {
    check(
        &[
            (".git/HEAD", ""),
            (".gitignore", "*.log\n!keep.log\n/build\n"),
            ("keep.log", ""),
            ("a.log", ""),
            ("build/x", ""),
            ("sub/build/x", ""),
            ("sub/.gitignore", "!a.log\n"),
            ("sub/a.log", ""),
            ("sub/b.log", ""),
        ],
        &["keep.log", "sub/a.log", "sub/build/x"],
    );
}

#[test]
fn a_file_below_an_ignored_folder_cannot_be_admitted() {
    check(
        &[
            (".git/HEAD", ""),
            (".gitignore", "out/\n!out/a\n"),
            ("out/a", ""),
            ("b", ""),
        ],
        &["b"],
    );
}

#[test]
fn each_repository_in_a_folder_has_its_own_rules() {
    check(
        &[
            (".gitignore", "*.log"),
            ("a.log", ""),
            ("one/.git/HEAD", ""),
            ("one/.gitignore", "build/"),
            ("one/build/x", ""),
            ("one/a.log", ""),
            ("one/sub/build/x", ""),
            ("two/build/x", ""),
        ],
        &["a.log", "one/a.log", "two/build/x"],
    );
}

#[test]
fn one_invalid_line_does_not_affect_the_others() {
    let host = MemoryHost::new(&[(".git/HEAD", ""), ("secret.txt", ""), ("a.txt", "")]);
    host.put(".gitignore", b"# caf\xe9\nsecret.txt\n");
    assert_eq!(files(&found(&host)), ["a.txt"]);
}

#[test]
fn unreadable_rules_are_reported() {
    let broken = [(".gitignore".to_owned(), HostError::Denied)].into();
    let host = MemoryHost {
        broken,
        ..MemoryHost::new(&[(".git/HEAD", ""), (".gitignore", "a"), ("a", "")])
    };
    let walk = found(&host);
    assert_eq!(files(&walk), ["a"]);
    assert_eq!(
        walk.skipped,
        [Skipped {
            file: ".gitignore".into(),
            reason: SkipReason::Denied
        }]
    );
}

#[test]
fn a_tree_of_only_folders_ends() {
    let deep: Vec<String> = (0..30).map(|number| format!("{number}/x/y")).collect();
    let host = MemoryHost::new(
        &deep
            .iter()
            .map(|path| (path.as_str(), ""))
            .collect::<Vec<_>>(),
    );
    let limits = Limits {
        max_folders: 10,
        ..Limits::default()
    };
    assert!(!run(walk(&host, limits, false)).unwrap().complete);
}

#[test]
fn info_exclude_is_weaker_than_gitignore() {
    check(
        &[
            (".git/info/exclude", "*.tmp\n*.log\n"),
            (".gitignore", "!keep.tmp\n"),
            ("a.tmp", ""),
            ("keep.tmp", ""),
            ("a.log", ""),
            ("a.py", ""),
        ],
        &["a.py", "keep.tmp"],
    );
}

#[test]
fn rules_of_a_repository_end_at_a_repository_nested_in_it() {
    check(
        &[
            (".git/HEAD", ""),
            (".gitignore", "*.log\n"),
            ("a.log", ""),
            ("sub/.git", "gitdir: ../.git/modules/sub"),
            ("sub/a.log", ""),
            ("sub/deep/a.log", ""),
        ],
        &["sub/a.log", "sub/deep/a.log"],
    );
}

#[test]
fn rules_from_outside_the_root() {
    let rules = |prefix: &str, global, lines: &[&str]| IgnoreRules {
        folder: String::new(),
        prefix: prefix.into(),
        lines: lines.iter().map(ToString::to_string).collect(),
        global,
    };
    let above = ["/packages/app/dist", "!keep.tmp", "/other", "*.log"];
    let host = MemoryHost {
        ignore_rules: vec![
            rules(
                "packages/app",
                true,
                &["*.swp", "*.tmp", "/packages/app/src/mine"],
            ),
            rules("packages/app", false, &above),
        ],
        ..MemoryHost::new(&[
            ("a.swp", ""),
            ("a.log", ""),
            ("nested/.git/HEAD", ""),
            ("nested/a.log", ""),
            ("nested/a.swp", ""),
            ("a.tmp", ""),
            ("keep.tmp", ""),
            ("dist/a", ""),
            ("src/dist/a", ""),
            ("src/mine", ""),
            ("other", ""),
        ])
    };
    assert_eq!(
        files(&found(&host)),
        ["keep.tmp", "nested/a.log", "other", "src/dist/a"]
    );
}

#[test]
fn hidden_entries_unless_a_rule_admits_them() {
    check(
        &[
            (".git/HEAD", ""),
            (".gitignore", "!.github\n"),
            (".env", ""),
            (".github/a.yml", ""),
            (".x/a", ""),
        ],
        &[".github/a.yml"],
    );
}

#[test]
fn own_data_can_never_be_admitted() {
    check(
        &[
            (".git/HEAD", ""),
            (".gitignore", "!.git\n!.llmc\n"),
            (".llmc/rag/facts.bin", ""),
        ],
        &[],
    );
}

#[test]
fn built_in_skips_are_reported() {
    let host = MemoryHost::new(&[
        ("node_modules/a/index.js", ""),
        ("pkg/__pycache__/a.pyc", ""),
        ("env/pyvenv.cfg", ""),
        ("env/lib/a.py", ""),
        ("target/CACHEDIR.TAG", ""),
        ("target/debug/a.rs", ""),
        ("pkg/a.py", ""),
    ]);
    let walk = found(&host);
    assert_eq!(files(&walk), ["pkg/a.py"]);
    let skipped = |file: &str, reason| Skipped {
        file: file.into(),
        reason,
    };
    assert_eq!(
        walk.skipped,
        [
            skipped("env/", SkipReason::InstalledPackages),
            skipped("node_modules/", SkipReason::InstalledPackages),
            skipped("pkg/__pycache__/", SkipReason::Cache),
            skipped("target/", SkipReason::Cache),
        ]
    );
}

#[test]
fn a_root_that_looks_like_a_skipped_folder_is_walked() {
    check(
        &[("pyvenv.cfg", ""), ("lib/a.py", "")],
        &["lib/a.py", "pyvenv.cfg"],
    );
}

#[test]
fn folders_over_the_depth_limit_are_reported() {
    let host = MemoryHost::new(&[("a/b/c/d.py", ""), ("a/e.py", "")]);
    let limits = Limits {
        max_depth: 2,
        ..Limits::default()
    };
    let walk = run(walk(&host, limits, false)).unwrap();
    assert_eq!(files(&walk), ["a/e.py"]);
    assert_eq!(
        walk.skipped,
        [Skipped {
            file: "a/b/c/".into(),
            reason: SkipReason::TooDeep
        }]
    );
}

#[test]
fn invalid_names_are_reported() {
    let host = MemoryHost::new(&[
        ("a\\b", ""),
        ("gr\u{fffd}n", ""),
        ("new\nline", ""),
        ("ok", ""),
    ]);
    let walk = found(&host);
    assert_eq!(files(&walk), ["new\nline", "ok"]);
    let skipped = |file: &str| Skipped {
        file: file.into(),
        reason: SkipReason::BadName,
    };
    assert_eq!(walk.skipped, [skipped("a\\b"), skipped("gr\u{fffd}n")]);
}

/// Returns the files that git itself would add.
fn files_of_git(root: &Path) -> BTreeSet<String> {
    let output = Command::new("git")
        .args(["ls-files", "--others", "--exclude-standard", "-z"])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(root)
        .output()
        .expect("git runs");
    let text = String::from_utf8(output.stdout).unwrap();
    text.split('\0')
        .filter(|file| !file.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}

fn pattern() -> impl Strategy<Value = String> {
    let segment = prop::sample::select(vec![
        "a", "b", "c", "*", "a*", "?", "[ab]", "**", "d.x", "*.x",
    ]);
    (
        any::<bool>(),
        any::<bool>(),
        prop::collection::vec(segment, 1..4),
        any::<bool>(),
    )
        .prop_map(|(negated, anchored, segments, folder)| {
            let mark = |set: bool, text: &'static str| if set { text } else { "" };
            format!(
                "{}{}{}{}",
                mark(negated, "!"),
                mark(anchored, "/"),
                segments.join("/"),
                mark(folder, "/")
            )
        })
}

fn tree() -> impl Strategy<Value = (BTreeSet<String>, Vec<(String, Vec<String>)>)> {
    let segment = || prop::sample::select(vec!["a", "b", "c"]);
    let leaf = prop::sample::select(vec!["f", "d.x", "b.x"]);
    let file = (prop::collection::vec(segment(), 0..4), leaf).prop_map(|(mut path, leaf)| {
        path.push(leaf);
        path.join("/")
    });
    let rules = (
        prop::collection::vec(segment(), 0..3),
        prop::collection::vec(pattern(), 1..4),
    )
        .prop_map(|(path, lines)| (path.join("/"), lines));
    (
        prop::collection::btree_set(file, 1..15),
        prop::collection::vec(rules, 0..3),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_same_files_as_git((files, rules) in tree()) {
        let root = tempfile::tempdir().unwrap();
        for file in &files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        for (folder, lines) in &rules {
            let folder = root.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(".gitignore"), lines.join("\n")).unwrap();
        }
        let mut git = Command::new("git");
        let init = git.args(["init", "-q"]).current_dir(root.path()).status().unwrap();
        prop_assert!(init.success());
        let host = FsHost { root: root.path().into(), head: GitHead::default() };
        let walk = run(walk(&host, Limits::default(), false)).unwrap();
        let ours = walk.files.iter().map(ToString::to_string);
        let ours: BTreeSet<String> = ours.filter(|file| !file.ends_with(".gitignore")).collect();
        let gits: BTreeSet<String> =
            files_of_git(root.path())
                .into_iter()
                .filter(|file| !file.ends_with(".gitignore"))
                .collect();
        prop_assert_eq!(ours, gits);
    }

    #[test]
    fn the_order_of_listings_does_not_matter((files, _) in tree(), max_files in 1..6_usize) {
        let files: Vec<_> = files.iter().map(|file| (file.as_str(), "")).collect();
        let host = MemoryHost::new(&files);
        let limits = Limits { max_files, ..Limits::default() };
        let walk = run(walk(&host, limits, false)).unwrap();
        prop_assert_eq!(walk.files.len(), files.len().min(max_files));
        prop_assert_eq!(walk.complete, files.len() <= max_files);
        prop_assert!(walk.files.is_sorted());
    }
}
