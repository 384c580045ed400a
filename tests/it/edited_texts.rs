//! A text that is edited step by step has the facts, and its definitions the bodies, of a text that
//! is parsed afresh.

use proptest::prelude::*;
use proptest::sample::Index;
use ragnav_syntax::{extract_facts, extract_outline, find_language, kept};

/// Texts of this repository. Each is read twice over, since the trees of short texts are not kept.
const TEXTS: [(&str, &str); 9] = [
    ("csharp", include_str!("../../bench/truth/CSharpUses.cs")),
    ("go", include_str!("../../bench/truth/go_uses.go")),
    ("java", include_str!("../../bench/truth/JavaUses.java")),
    (
        "javascript",
        include_str!("../../bench/links-compilers.mjs"),
    ),
    ("php", include_str!("../../bench/truth/php_names.php")),
    ("python", include_str!("../../bench/truth/clang_uses.py")),
    ("ruby", include_str!("../../bench/truth/ruby_calls.rb")),
    (
        "rust",
        include_str!("../../crates/syntax/src/recent_trees.rs"),
    ),
    ("typescript", include_str!("../../js/core/pure.ts")),
];

/// What an edit inserts besides parts of the text itself.
const WORDS: [&str; 12] = [
    "x", " ", "\n", "\t", "(", ")", "\"", "{", "}", "/*", "é", "# a\n",
];

#[derive(Debug, Clone)]
enum Edit {
    Insert(Index, &'static str),
    Delete(Index, usize),
    DeleteLine(Index),
    RepeatLine(Index),
    Copy(Index, Index, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        (at(), prop::sample::select(&WORDS[..])).prop_map(|(at, word)| Edit::Insert(at, word)),
        (at(), 1..40_usize).prop_map(|(at, len)| Edit::Delete(at, len)),
        at().prop_map(Edit::DeleteLine),
        at().prop_map(Edit::RepeatLine),
        (at(), at(), 1..40_usize).prop_map(|(from, to, len)| Edit::Copy(from, to, len)),
    ]
}

impl Edit {
    fn apply(&self, text: &mut String) {
        let boundary = |at: usize| {
            let mut before = (0..=at.min(text.len())).rev();
            before
                .find(|at| text.is_char_boundary(*at))
                .unwrap_or_default()
        };
        let offset = |index: &Index| boundary(index.index(text.len().max(1)));
        let until = |start: usize, len: usize| boundary(start + len).max(start);
        let line = |index: &Index| {
            let at = offset(index);
            let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
            (start, end)
        };
        match self {
            Self::Insert(at, word) => text.insert_str(offset(at), word),
            Self::Delete(at, len) => {
                let start = offset(at);
                text.replace_range(start..until(start, *len), "");
            }
            Self::DeleteLine(at) => {
                let (start, end) = line(at);
                text.replace_range(start..end, "");
            }
            Self::RepeatLine(at) => {
                let (start, end) = line(at);
                let copy = text[start..end].to_owned();
                text.insert_str(start, &copy);
            }
            Self::Copy(from, to, len) => {
                let (start, to) = (offset(from), offset(to));
                let copy = text[start..until(start, *len)].to_owned();
                text.insert_str(to, &copy);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn edits_leave_no_trace(
        (language, text) in prop::sample::select(&TEXTS[..]),
        edits in prop::collection::vec(edit(), 1..5),
    ) {
        let language = find_language(language).unwrap();
        let mut text = text.repeat(2);
        let _ = kept::bodies(language, &text);
        prop_assert_eq!(&*kept::facts(language, &text), &extract_facts(language, &text));
        for edit in edits {
            edit.apply(&mut text);
            let afresh = extract_facts(language, &text);
            let bodies: Vec<_> = afresh.definitions.iter().map(|one| one.body).collect();
            prop_assert_eq!(&*kept::bodies(language, &text), &bodies);
            prop_assert_eq!(&*kept::facts(language, &text), &afresh);
            prop_assert_eq!(&*kept::outline(language, &text), &extract_outline(language, &text));
        }
    }
}

#[test]
fn an_error_between_two_edits_leaves_no_trace() {
    let python = find_language("python").unwrap();
    let text: String = (0..600)
        .map(|n| format!("def f{n}(a):\n    return g(a)\n"))
        .collect();
    let broken = text.replacen("def f300(a):", "def f300(a:", 1);
    let renamed = text.replacen("def f300(a):", "def other(a):", 1);
    for text in [&text, &broken, &renamed, &broken, &text] {
        assert_eq!(*kept::facts(python, text), extract_facts(python, text));
        assert_eq!(*kept::outline(python, text), extract_outline(python, text));
    }
}

#[test]
fn the_last_line_of_a_definition_counts() {
    let python = find_language("python").unwrap();
    let text: String = (0..400)
        .map(|n| format!("def f{n}(a):\n    b = g(a)\n    return b\n\n"))
        .collect();
    let removed = text.replacen(
        "def f7(a):\n    b = g(a)\n    return b\n",
        "def f7(a):\n    b = g(a)\n",
        1,
    );
    let moved = removed.replacen("def f9(a):", "x = 1\n\ndef f9(a):", 1);
    for text in [&text, &removed, &moved, &removed, &text] {
        let afresh = extract_facts(python, text);
        let bodies: Vec<_> = afresh.definitions.iter().map(|one| one.body).collect();
        assert_eq!(*kept::bodies(python, text), bodies);
    }
}
