//! Any text divides into documents that stand inside it, each within its bound and under a name of
//! its own. The first byte chooses the kind of file.

#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use ragnav::agent::chunk::{Lines, MAX_TOKENS, chunk, tokens};
use ragnav::base::path::RepoPath;
use ragnav::base::position::LineIndex;
use ragnav::syntax;
use ragnav_fuzz as _;

const FILES: [&str; 8] = [
    "a.md", "a.adoc", "README", "a.py", "a.ts", "a.rs", "a.rb", "a.c",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(rest) else {
        return;
    };
    let file = FILES[usize::from(*first) % FILES.len()];
    let path = RepoPath::parse(file).expect("it is a path");
    let facts =
        syntax::detect_language(&path).map(|language| syntax::extract_facts(language, text));
    let chunked = chunk(&path, text, facts.as_ref());
    let lines = LineIndex::new(text);
    let mut names = HashSet::new();
    let mut own = HashSet::new();
    for chunk in &chunked.chunks {
        assert!(names.insert(chunk.name()), "{:?}", chunk.name());
        assert!(!chunk.lines.is_empty());
        assert!(chunk.lines.is_sorted_by(|one, next| one.end < next.start));
        for Lines { start, end } in chunk.lines.iter().chain(&chunk.head) {
            assert!(*start >= 1 && start <= end && *end as usize <= lines.count());
        }
        for Lines { start, end } in &chunk.lines {
            assert!((*start..=*end).all(|line| own.insert(line)), "{chunk:?}");
        }
        let is_line = matches!(chunk.lines[..], [Lines { start, end }] if start == end);
        let bound = MAX_TOKENS * (1 + usize::from(chunk.head.is_some()));
        let text = chunk.text(text, &lines);
        assert!(
            is_line || tokens(&text) <= bound,
            "{} {chunk:?}",
            tokens(&text)
        );
    }
});
