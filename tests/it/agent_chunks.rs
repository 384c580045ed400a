//! The chunks of files.

use proptest::prelude::*;
use ragnav::agent::chunk::{Chunk, ChunkedFile, MAX_TOKENS, chunk, tokens};
use ragnav::agent::metadata::{MetaValue, text};
use ragnav::base::path::RepoPath;
use ragnav::base::position::LineIndex;
use ragnav::syntax;

fn divided(path: &str, text: &str) -> ChunkedFile {
    let path = RepoPath::parse(path).unwrap();
    let facts =
        syntax::detect_language(&path).map(|language| syntax::extract_facts(language, text));
    chunk(&path, text, facts.as_ref())
}

/// Returns the chunks as names with first and last lines.
fn rows(chunked: &ChunkedFile) -> Vec<(String, u32, u32)> {
    let rows = chunked.chunks.iter().map(|chunk| {
        let (first, last) = (chunk.lines.first().unwrap(), chunk.lines.last().unwrap());
        (chunk.name(), first.start, last.end)
    });
    rows.collect()
}

fn row(name: &str, start: u32, end: u32) -> (String, u32, u32) {
    (name.to_owned(), start, end)
}

const NOTE: &str = "---
title: Notes on search
tags: [rag, '#search tools']
created_date: 2024-05-01
updated: 2024-05-02T10:00:00Z
---
Before. #inline and [[Project|the project]].

# First
Text `#no` [[a/Other#Part]].

```sh
# no heading
[[no link]]
```

Second
======
under
## Third ##
### First
last
";

#[test]
fn notes_are_chunked_by_headings() {
    for note in [NOTE.to_owned(), NOTE.replace('\n', "\r\n")] {
        let chunked = divided("notes/search.md", &note);
        assert_eq!(
            rows(&chunked),
            [
                row("", 7, 7),
                row("First", 9, 15),
                row("Second", 17, 19),
                row("Third", 20, 20),
                row("First~1", 21, 22),
            ]
        );
        let of = |field: &str| chunked.metadata.get(field).cloned();
        assert_eq!(of("title"), Some("Notes on search".into()));
        let tags = MetaValue::texts(["rag", "search", "tools", "inline"]);
        assert_eq!(of("tags"), Some(tags));
        let linked = MetaValue::texts(["Project", "a/Other", "Other", "Other#Part"]);
        assert_eq!(of("wikilinks"), Some(linked));
        assert_eq!(of("created_date"), Some(1_714_521_600.0.into()));
        assert_eq!(of("modified_date"), Some(1_714_644_000.0.into()));
        assert_eq!(chunked.local_dates, ["created_date"]);
        assert_eq!(of("file_path"), Some("notes/search.md".into()));
        let third = &chunked.chunks[3].metadata;
        assert_eq!(third.get("level"), Some(&2.0.into()));
        assert_eq!(text(third, "heading"), Some("Third"));
        let lines = LineIndex::new(&note);
        let second = chunked.chunks[2].text(&note, &lines);
        assert_eq!(second, "Second\n======\nunder");
    }
}

#[test]
fn headings_follow_common_mark() {
    for (text, expected) in [
        ("#tag\n#  A  #\n", vec!["", "A"]),
        ("####### seven\n", vec![""]),
        ("text\n---\n", vec!["text"]),
        ("- item\n---\nx\n", vec![""]),
        ("one\ntwo\n===\n", vec!["one two"]),
        ("    # code\n", vec![""]),
        ("~~~\n# a\n```\n# b\n~~~\n# c\n", vec!["", "c"]),
        ("\n---\nx\n", vec![""]),
        ("# C# #\n", vec!["C#"]),
        ("", vec![]),
    ] {
        let chunked = divided("a.md", text);
        let names: Vec<&str> = chunked
            .chunks
            .iter()
            .map(|chunk| chunk.heading.as_str())
            .collect();
        assert_eq!(names, expected, "{text:?}");
    }
    let titled = divided("notes/Name of it.md", "text\n");
    assert_eq!(text(&titled.metadata, "title"), Some("Name of it"));
}

const CODE: &str = "\"\"\"Module.\"\"\"
import os

LIMIT = 10


@register
def one(x):
    \"\"\"Says one.\"\"\"
    def inner():
        return 1
    return inner()


class Box:
    \"\"\"Holds.\"\"\"

    size = 3

    def put(self, x):
        return x

    other = 4

    def get(self):
        return self


print(LIMIT)
";

#[test]
fn code_is_chunked_by_definitions() {
    let chunked = divided("pkg/box.py", CODE);
    assert_eq!(
        rows(&chunked),
        [
            row("", 1, 4),
            row("one", 7, 12),
            row("Box", 15, 23),
            row("Box.put", 20, 21),
            row("Box.get", 25, 26),
            row("~1", 29, 29),
        ]
    );
    let lines = LineIndex::new(CODE);
    let head = chunked.chunks[2].text(CODE, &lines);
    assert_eq!(
        head,
        "class Box:\n    \"\"\"Holds.\"\"\"\n\n    size = 3\n    other = 4"
    );
    let put = &chunked.chunks[3].metadata;
    assert_eq!(text(put, "kind"), Some("method"));
    assert_eq!(text(put, "symbol"), Some("put"));
    assert_eq!(text(&chunked.metadata, "language"), Some("python"));
    assert_eq!(text(&chunked.metadata, "module"), Some("pkg.box"));
    assert_eq!(text(&chunked.metadata, "path"), Some("pkg/box.py"));
}

#[test]
fn long_definitions_are_split_into_labelled_chunks() {
    let body: String = (0..200)
        .map(|at| format!("    value_{at} = compute({at})\n"))
        .collect();
    let code = format!("def long(x):\n{body}    return x\n");
    let chunked = divided("a.py", &code);
    let lines = LineIndex::new(&code);
    assert!(chunked.chunks.len() > 2);
    let mut next = 1;
    for (part, chunk) in chunked.chunks.iter().enumerate() {
        let text = chunk.text(&code, &lines);
        assert!(tokens(&text) <= MAX_TOKENS && text.starts_with("def long(x):"));
        assert_eq!(chunk.part as usize, part);
        assert_eq!(chunk.lines.first().unwrap().start, next);
        next = chunk.lines.last().unwrap().end + 1;
    }
    assert_eq!(next, 203);
    // A long function with nested ones is chunked by them.
    let nested = format!("def outer():\n    def inner():\n        pass\n{body}");
    let names: Vec<String> = divided("a.py", &nested)
        .chunks
        .iter()
        .map(|chunk| chunk.heading.clone())
        .collect();
    assert!(names.contains(&"outer.inner".to_owned()), "{names:?}");
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z #`=-]{0,12}",
        Just("# Heading".to_owned()),
        Just("Heading".to_owned()),
        Just("===".to_owned()),
        Just("== Heading".to_owned()),
        Just("----".to_owned()),
        Just("```".to_owned()),
        Just("def f():".to_owned()),
        Just("    return 1".to_owned()),
        Just("class A:".to_owned()),
        Just("    def g(self):".to_owned()),
        "[a-z ]{300,700}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_nonblank_line_is_in_one_chunk(
        lines in prop::collection::vec(line(), 0..60),
        path in prop::sample::select(&["a.py", "a.md", "a.adoc", "README"]),
    ) {
        let text = lines.join("\n");
        let chunked = divided(path, &text);
        let mut names: Vec<String> = chunked.chunks.iter().map(Chunk::name).collect();
        names.sort();
        let count = names.len();
        names.dedup();
        prop_assert_eq!(names.len(), count, "{:?}", chunked);
        let mut covered = vec![0; lines.len() + 1];
        for chunk in &chunked.chunks {
            prop_assert!(!chunk.lines.is_empty());
            for span in &chunk.lines {
                for line in span.start..=span.end {
                    covered[line as usize] += 1;
                }
            }
        }
        let index = LineIndex::new(&text);
        for (line, times) in covered.iter().enumerate().skip(1) {
            let is_said = index.line(&text, line).contains(char::is_alphanumeric);
            prop_assert!(*times <= 1, "line {line} {chunked:?}");
            prop_assert!(!is_said || *times == 1, "line {line} {chunked:?}");
        }
    }
}

const MANUAL: &str = "=========\nSearching\n=========\n\n\
    Intro, with a table::\n\n    ====  ====\n    a     b\n\n\
    Options\n=======\n\nText.\n\n\
    Limits\n------\n\nMore.\n\n\
    Options\n=======\nAgain.\n";

#[test]
fn restructured_text_has_its_sections_with_levels() {
    let chunked = divided("docs/topics/search.txt", MANUAL);
    let expected = [
        row("Searching", 1, 8),
        row("Options", 10, 13),
        row("Limits", 15, 18),
        row("Options~1", 20, 22),
    ];
    assert_eq!(rows(&chunked), expected);
    assert_eq!(chunked.metadata.get("title"), Some(&"Searching".into()));
    let levels = chunked
        .chunks
        .iter()
        .map(|chunk| chunk.metadata.get("level"));
    let level = |level: i64| Some(MetaValue::from(level));
    let levels: Vec<_> = levels.map(Option::<&MetaValue>::cloned).collect();
    assert_eq!(levels, [level(1), level(2), level(3), level(2)]);
}

#[test]
fn plain_text_is_a_note_only_where_it_documents() {
    use ragnav::agent::chunk::has_documents;
    let is_note = |path: &str| has_documents(&RepoPath::parse(path).unwrap());
    for path in [
        "docs/ref/models.txt",
        "README.txt",
        "notes.rst",
        "a/Doc/x.TXT",
        "notes.adoc",
        "README",
        "pkg/CHANGES",
        "HISTORY.rst",
        "README.org",
    ] {
        assert!(is_note(path), "{path}");
    }
    for path in [
        "requirements.txt",
        "docs/requirements.txt",
        "data/words.txt",
        "robots.txt",
        "README.html",
        "CHANGELOG.json",
        "bin/install",
        "docs/logo.svg",
    ] {
        assert!(!is_note(path), "{path}");
    }
}

const GUIDE: &str = "= The guide\n:toc:\n\nPreface.\n\n\
    == Set up ==\n\nRun it:\n\n\
    ----\n== not a title\n----\n\n\
    === On *Linux*\n\nSteps.\n\n\
    Old style\n---------\n\nUnderlined.\n";

#[test]
fn asciidoc_has_its_sections_with_levels() {
    let chunked = divided("guide.adoc", GUIDE);
    let expected = [
        row("The guide", 1, 4),
        row("Set up", 6, 12),
        row("On *Linux*", 14, 16),
        row("Old style", 18, 21),
    ];
    assert_eq!(rows(&chunked), expected);
    assert_eq!(chunked.metadata.get("title"), Some(&"The guide".into()));
    assert_eq!(chunked.metadata.get("language"), Some(&"asciidoc".into()));
    let levels = chunked
        .chunks
        .iter()
        .map(|chunk| chunk.metadata.get("level").cloned());
    let level = |level: i64| Some(MetaValue::from(level));
    assert!(levels.eq([level(1), level(2), level(3), level(2)]));
}

#[test]
fn plain_text_without_headings_is_cut_between_paragraphs() {
    let paragraph = "A line of some length that says nothing at all.\n".repeat(20);
    let text = format!("{paragraph}\n{paragraph}\n{paragraph}");
    let chunked = divided("CHANGES", &text);
    assert_eq!(rows(&chunked), [row("", 1, 41), row("/1", 43, 62)]);
    assert_eq!(chunked.metadata.get("title"), Some(&"CHANGES".into()));
}

#[test]
fn a_docstring_is_in_the_metadata_of_its_definition() {
    let text = "def f():\n    \"\"\"Returns one.\n\n    Always.\"\"\"\n    return 1\n";
    let chunked = divided("a.py", text);
    let summary = chunked.chunks[0].metadata.get("summary");
    assert_eq!(summary, Some(&"Returns one.".into()));
}
