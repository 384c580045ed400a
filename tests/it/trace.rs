//! `trace`: a symbol at a place of a commit, and where it is now.

use std::collections::BTreeMap;

use ragnav::query::trace::{TraceOptions, trace};
use ragnav_base::item::Match;

use crate::common::{MemoryHost, settings};
use crate::fs_host::run;

type Files<'t> = &'t [(&'t str, &'t str)];

/// A symbol, the file and line where it is in the other state, and how it was found.
type Traced = (String, Option<(String, u32)>, Option<Match>);

fn host(before: Files, now: Files) -> MemoryHost {
    let mut host = MemoryHost::new(now);
    let state = before
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    host.states = BTreeMap::from([("v1".to_owned(), state.collect())]);
    host
}

/// Returns the symbols at a place, innermost first, with where they are in the other state.
fn traced(host: &MemoryHost, place: (&str, u32), reverse: bool) -> Vec<Traced> {
    let options = TraceOptions {
        reverse: Some(reverse),
        ..TraceOptions::default()
    };
    let answer = run(trace(host, &settings(), place, "v1", &options));
    let items = answer.items.into_iter().map(|item| {
        let found = item.found.map(|found| (found.file, found.start_line));
        (item.symbol.dotted().to_owned(), found, item.r#match)
    });
    items.collect()
}

const OLD: &str = "class Cart:
    def total(self):
        rows = self.rows()
        return sum(row.price * row.count for row in rows)

    def rows(self):
        return [row for row in self.all if row.count > 0 and row.price is not None]
";

#[test]
fn a_symbol_is_followed_over_edits_renames_and_moves_and_back() {
    let new = format!("import math\n\n\n{}", OLD.replace("total", "amount"));
    for path in ["cart.py", "shop/cart.py"] {
        let host = host(&[("cart.py", OLD)], &[(path, &new)]);
        let file = |line| Some((path.to_owned(), line));
        let moved = if path == "cart.py" {
            Match::Moved
        } else {
            Match::Renamed
        };
        assert_eq!(
            traced(&host, ("cart.py", 3), false),
            [
                ("cart.Cart.total".to_owned(), file(5), Some(Match::Renamed)),
                ("cart.Cart".to_owned(), file(4), Some(moved)),
            ],
            "{path}"
        );
        let back = traced(&host, (path, 6), true);
        let was = |line| Some(("cart.py".to_owned(), line));
        assert_eq!(back[0].1, was(2), "{path}");
        assert_eq!(back[1].1, was(1), "{path}");
    }
}

#[test]
fn unchanged_files_and_removed_symbols() {
    let gone = "def gone():\n    return 1\n";
    let host = host(
        &[("same.py", OLD), ("a.py", gone)],
        &[
            ("same.py", OLD),
            ("a.py", "x = 1\n"),
            ("new.py", "def f(): ...\n"),
        ],
    );
    let same = |line| Some(("same.py".to_owned(), line));
    assert_eq!(
        traced(&host, ("same.py", 2), false),
        [
            ("same.Cart.total".to_owned(), same(2), Some(Match::Exact)),
            ("same.Cart".to_owned(), same(1), Some(Match::Exact)),
        ]
    );
    assert_eq!(
        traced(&host, ("a.py", 2), false),
        [("a.gone".to_owned(), None, None)]
    );
    assert_eq!(traced(&host, ("a.py", 9), false), []);
    let answer = run(trace(
        &host,
        &settings(),
        ("new.py", 1),
        "v1",
        &TraceOptions::default(),
    ));
    assert!(answer.items.is_empty());
    assert!(
        answer
            .meta
            .message
            .unwrap()
            .contains("new.py is not in that state")
    );
}

#[test]
fn a_file_that_is_not_searched_is_not_said_to_be_unchanged() {
    let now = [("a.py", OLD), (".gitignore", "left.py\n"), ("left.py", OLD)];
    let mut host = host(&[("a.py", OLD)], &now);
    host.git_root = Some(String::new());
    for file in ["left.py", "nowhere.py"] {
        let options = TraceOptions::default();
        let answer = run(trace(&host, &settings(), (file, 1), "v1", &options));
        assert!(answer.items.is_empty());
        let message = answer.meta.message.unwrap();
        assert!(message.contains("not among the files of code"), "{message}");
    }
}

#[test]
fn an_unknown_commit_and_an_outside_file_are_refused() {
    let host = host(&[], &[]);
    for (file, commit, words) in [
        ("a.py", "nowhere", "no commit `nowhere`"),
        ("a.py", "--help", "`commit` must be"),
        ("../a.py", "v1", "a.py"),
    ] {
        let options = TraceOptions::default();
        let answer = run(trace(&host, &settings(), (file, 1), commit, &options));
        let message = answer.meta.message.unwrap();
        assert!(message.contains(words), "{message}");
    }
}

/// Returns a host with a line of commits `v1`, `v2` and so on; the last one is checked out.
fn line_of(states: &[Files]) -> MemoryHost {
    let mut host = MemoryHost::new(states.last().unwrap());
    for (number, files) in (1..).zip(states) {
        let files = files.iter();
        let files = files.map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        host.states.insert(format!("v{number}"), files.collect());
        host.line.push(format!("v{number}"));
    }
    host
}

#[test]
fn a_symbol_is_followed_through_the_commits_where_the_states_differ_too_much() {
    let old = "def total(rows):\n    return sum(row.price * row.count for row in rows)\n";
    let renamed = old.replace("total", "amount");
    let edited = "def amount(rows, rate):\n    found = [row.price for row in rows]\n    return rate * max(found)\n";
    let host = line_of(&[
        &[("a.py", old)],
        &[("a.py", &renamed)],
        &[("b.py", &renamed)],
        &[("b.py", edited)],
    ]);
    let there = Some(("b.py".to_owned(), 1));
    assert_eq!(
        traced(&host, ("a.py", 2), false),
        [("a.total".to_owned(), there, Some(Match::Renamed))]
    );
    let back = Some(("a.py".to_owned(), 1));
    assert_eq!(
        traced(&host, ("b.py", 2), true),
        [("b.amount".to_owned(), back, Some(Match::Renamed))]
    );
}

#[test]
fn a_symbol_that_a_commit_removes_is_gone() {
    let old = "def total(rows):\n    return sum(row.price * row.count for row in rows)\n";
    let other = "def other(text):\n    return text.strip().split(',')\n";
    let host = line_of(&[&[("a.py", old)], &[("a.py", other)], &[("a.py", other)]]);
    assert_eq!(
        traced(&host, ("a.py", 1), false),
        [("a.total".to_owned(), None, None)]
    );
}

#[test]
fn a_definition_inside_of_another_one_goes_with_it() {
    let old = "def total(rows):\n    def price(row):\n        return row.price\n    return sum(price(row) * row.count for row in rows)\n";
    let changed = old.replace("row.price\n", "row.price * 2\n");
    let host = line_of(&[
        &[("a.py", old), ("b.py", "x = 1\n")],
        &[("b.py", old)],
        &[("b.py", &changed)],
    ]);
    let there = Some(("b.py".to_owned(), 2));
    assert_eq!(
        traced(&host, ("a.py", 3), false)[0],
        ("a.total.price".to_owned(), there, Some(Match::Renamed))
    );
}
