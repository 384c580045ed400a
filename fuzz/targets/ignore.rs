//! Ignore rules and globs judge any path, whatever stands in them: the first line is the path, what
//! follows are the rules.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ragnav::base::host::IgnoreRules;
use ragnav::base::path::RepoPath;
use ragnav::matching::globs::Globs;
use ragnav::repository::ignore_rules::{FolderFiles, FolderRules, OutsideRules};
use ragnav_fuzz as _;

fuzz_target!(|text: &str| {
    let (path, rules) = text.split_once('\n').unwrap_or(("src/a.rs", text));
    let Ok(path) = RepoPath::parse(path) else {
        return;
    };
    let files = FolderFiles {
        ignore: Some(rules.to_owned()),
        gitignore: Some(rules.to_owned()),
        exclude: None,
        is_git_root: rules.starts_with('#'),
    };
    let mut folders: Vec<RepoPath> =
        std::iter::successors(path.parent(), RepoPath::parent).collect();
    // Each level keeps its own rules: a few are as good as all.
    folders.truncate(4);
    let mut inside = FolderRules::default();
    for folder in folders.iter().rev() {
        inside = inside.enter(folder, &files);
    }
    let outside = [("", true), ("up/above", false)].map(|(prefix, global)| IgnoreRules {
        folder: String::new(),
        prefix: prefix.to_owned(),
        lines: rules.lines().map(str::to_owned).collect(),
        global,
    });
    let outside = OutsideRules::new(outside.to_vec());
    for is_dir in [true, false] {
        let matched = inside.match_path(&path, is_dir, Some(&outside));
        assert_eq!(matched, inside.match_path(&path, is_dir, Some(&outside)));
    }
    let globs: Vec<String> = rules.lines().map(str::to_owned).collect();
    if let Ok(globs) = Globs::new(&globs, &globs) {
        assert!(globs.admits_all() || !globs.admits(&path));
        let _ = globs.excludes(&path);
    }
});
