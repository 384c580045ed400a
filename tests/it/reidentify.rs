//! Re-identification: equal identities first, then certain renames.

use ragnav::base::item::Match;
use ragnav::base::path::RepoPath;
use ragnav::index::reidentify::reidentify;
use ragnav::index::reidentify_files::reidentify_files;
use ragnav::index::shapes::{Shape, ShapesByFile};
use ragnav::syntax::facts::BodyHash;

/// Definitions from text: `name`, `:` and its body, `@` and its first line. A capital letter is a
/// large body, a digit a tiny one.
fn shapes(text: &str) -> Vec<Shape> {
    let words = text.split_whitespace().enumerate();
    words
        .map(|(place, word)| {
            let (word, line) = match word.split_once('@') {
                Some((word, line)) => (word, line.parse().unwrap()),
                None => (word, u32::try_from(place * 10 + 1).unwrap()),
            };
            let (name, body) = word.split_once(':').unwrap_or((word, ""));
            let last = name.rsplit('.').next().unwrap();
            let body = body.chars().next().map(|letter| BodyHash {
                hash: u64::from(letter),
                tokens: match letter {
                    'A'..='Z' => 40,
                    'a'..='z' => 7,
                    _ => 3,
                },
            });
            Shape {
                name_path: name.to_owned(),
                is_class: Some(last.chars().all(char::is_uppercase)),
                start_line: Some(line),
                end_line: Some(line + 5),
                decorated_start_line: Some(line),
                body,
                enrichment_hash: place as u64,
            }
        })
        .collect()
}

fn word(found: Match) -> &'static str {
    match found {
        Match::Exact => "exact",
        Match::Moved => "moved",
        Match::Renamed => "renamed",
        Match::Ambiguous => "ambiguous",
    }
}

#[track_caller]
fn check(known: &str, now: &str, expected: &str) {
    let (known, now) = (shapes(known), shapes(now));
    let joins = reidentify(&known, &now);
    let found: Vec<String> = joins
        .iter()
        .zip(&now)
        .filter_map(|(join, shape)| {
            let join = join.as_ref()?;
            let then = &known[join.before].name_path;
            Some(format!(
                "{}<{then}#{} {}",
                shape.name_path,
                join.before,
                word(join.how)
            ))
        })
        .collect();
    assert_eq!(found.join(", "), expected);
}

#[test]
fn the_same_name_path_is_the_same_symbol() {
    check("f:a g:b", "f:a g:c", "f<f#0 exact, g<g#1 exact");
    check("f:a", "x:y f:a", "f<f#0 moved");
    check("f:a", "", "");
    check("", "f:a", "");
}

#[test]
fn equal_names_are_distinguished_by_bodies_and_order() {
    check("f:A f:B", "f:A f:B", "f<f#0 exact, f<f#1 exact");
    check("f:A f:B", "x f:B f:A", "f<f#1 exact, f<f#0 moved");
    check("f:A f:B", "f:A@15 f:D@35", "f<f#0 moved, f<f#1 moved");
    // Both bodies changed, or the first definition was removed and another one added after the
    // second.
    check(
        "f:A f:B",
        "f:C@15 f:D@35",
        "f<f#0 ambiguous, f<f#1 ambiguous",
    );
    check("f:A f:B f:C", "x f:A f:C", "f<f#0 moved, f<f#2 exact");
    // The second stays, the first is gone, and a new one follows: its identity is ambiguous.
    check("f:A f:B", "f:B@50 f:C@80", "f<f#1 moved, f<f#1 ambiguous");
    check("f:a f:a", "x f:a@30", "f<f#0 ambiguous");
}

#[test]
fn a_large_unique_body_is_reidentified_under_another_name() {
    check("f:A", "g:A", "g<f#0 renamed");
    check("f:A g:B", "h:A i:C", "h<f#0 renamed");
    check("f:A", "g:A h:A", "");
    check("f:A g:A", "h:A", "");
    check("f:A", "K.f:A K", "K.f<f#0 renamed");
    check("K.f:A K", "f:A", "f<K.f#0 renamed");
}

#[test]
fn a_small_body_is_reidentified_only_between_equal_neighbours() {
    check(
        "a:A f:s b:B",
        "a:A g:s b:B",
        "a<a#0 exact, g<f#1 renamed, b<b#2 exact",
    );
    check("a:A f:s b:B", "a:A g:t b:B", "a<a#0 exact, b<b#2 exact");
    check("a:A f:s b:B", "a:A b:B g:s", "a<a#0 exact, b<b#2 moved");
    check("a:A f:s g:s b:B", "a:A h:s b:B", "a<a#0 exact, b<b#3 moved");
    check("a:A f:1 b:B", "a:A g:1 b:B", "a<a#0 exact, b<b#2 exact");
    check("a:A f:s b:B", "a:A g:s c:C b:B", "a<a#0 exact, b<b#2 moved");
    check("f:s", "g:s", "");
}

#[test]
fn members_follow_their_class() {
    check(
        "K:K K.f:a K.g:b K.h:c",
        "L:K L.f:a L.g:z L.h:c",
        "L<K#0 renamed, L.f<K.f#1 renamed, L.g<K.g#2 renamed, L.h<K.h#3 renamed",
    );
    check(
        "K:K K.f:A K.g:B K.h:c",
        "L:L L.f:A L.g:B L.h:z",
        "L<K#0 renamed, L.f<K.f#1 renamed, L.g<K.g#2 renamed, L.h<K.h#3 renamed",
    );
    check(
        "K:K K.I:I K.I.f:a",
        "L:K L.I:I L.I.f:z",
        "L<K#0 renamed, L.I<K.I#1 renamed, L.I.f<K.I.f#2 renamed",
    );
    check("K:K K.f:a K.g:b", "L:L L.f:y L.g:z", "");
    // Accidentally equal members do not re-identify a class.
    check("K:K K.f:1 K.g:2 K.h:C", "L:L L.f:1 L.g:2 L.h:D", "");
    check(
        "K:K K.f:A K.g:b",
        "K:K K.h:A K.g:b",
        "K<K#0 exact, K.h<K.f#1 renamed, K.g<K.g#2 exact",
    );
}

#[test]
fn a_function_is_not_reidentified_as_a_class() {
    check("f:A", "K:A", "");
}

fn files(text: &str) -> ShapesByFile {
    let files = text.split('|').filter_map(|file| {
        let (path, text) = file.trim().split_once(' ')?;
        Some((RepoPath::parse(path).unwrap(), shapes(text)))
    });
    files.collect()
}

#[track_caller]
fn check_files(known: &str, now: &str, expected: &str) {
    let (known, now) = (files(known), files(now));
    let mut found = Vec::new();
    for (file, joins) in reidentify_files(&known, &now) {
        for (join, shape) in joins.iter().zip(&now[&file]) {
            if let Some(join) = join {
                let then = &known[&join.file][join.before].name_path;
                let (now, file_then) = (&shape.name_path, &join.file);
                found.push(format!(
                    "{file}:{now}<{file_then}:{then} {}",
                    word(join.how)
                ));
            }
        }
    }
    assert_eq!(found.join(", "), expected);
}

#[test]
fn a_file_is_reidentified_under_another_path() {
    check_files(
        "a.py f:a g:b",
        "b.py f:a g:b",
        "b.py:f<a.py:f renamed, b.py:g<a.py:g renamed",
    );
    check_files(
        "a.py f:A g:b h:c",
        "b.py f:A g:z h:c",
        "b.py:f<a.py:f renamed, b.py:g<a.py:g renamed, b.py:h<a.py:h renamed",
    );
    // A copy, and two equally good candidates.
    check_files("a.py f:A", "a.py f:A | b.py f:A", "a.py:f<a.py:f exact");
    check_files("a.py f:a g:b", "b.py f:a g:b | c.py f:a g:b", "");
}

#[test]
fn a_moved_file_is_the_one_most_similar_to_it() {
    // Most names are equal, and every body was edited.
    check_files(
        "old/a.py f:a g:b h:c i:d",
        "new/a.py f:w g:x h:y i:z | new/b.py f:w k:x l:y m:z",
        "new/a.py:f<old/a.py:f renamed, new/a.py:g<old/a.py:g renamed, \
         new/a.py:h<old/a.py:h renamed, new/a.py:i<old/a.py:i renamed",
    );
    // Part of it was copied elsewhere.
    check_files(
        "old/a.py f:A g:b h:c",
        "new/a.py f:A g:b h:c | new/b.py f:A g:y h:z",
        "new/a.py:f<old/a.py:f renamed, new/a.py:g<old/a.py:g renamed, \
         new/a.py:h<old/a.py:h renamed",
    );
    // Too few names are equal.
    check_files("old/a.py f:a g:b h:c i:d", "new/a.py f:w g:x j:y k:z", "");
}

#[test]
fn equal_files_follow_their_folders() {
    check_files(
        "one/a.py f:a g:b | two/a.py f:a g:b | two/b.py h:C",
        "x/one/a.py f:a g:b | x/two/a.py f:a g:b | x/two/b.py h:C",
        "x/one/a.py:f<one/a.py:f renamed, x/one/a.py:g<one/a.py:g renamed, \
         x/two/a.py:f<two/a.py:f renamed, x/two/a.py:g<two/a.py:g renamed, \
         x/two/b.py:h<two/b.py:h renamed",
    );
    // One of two equal files was removed, and no folder says which one.
    check_files("one/a.py f:a g:b | two/a.py f:a g:b", "x/a.py f:a g:b", "");
    // Another file shows where its folder went.
    check_files(
        "one/a.py f:a g:b | two/a.py f:a g:b | two/b.py h:C i:D",
        "x/a.py f:a g:b | x/b.py h:C i:D",
        "x/a.py:f<two/a.py:f renamed, x/a.py:g<two/a.py:g renamed, \
         x/b.py:h<two/b.py:h renamed, x/b.py:i<two/b.py:i renamed",
    );
}

#[test]
fn a_definition_is_reidentified_in_another_file_by_its_body() {
    check_files(
        "a.py f:A g:b | b.py h:c",
        "a.py g:b | b.py h:c f:A",
        "a.py:g<a.py:g moved, b.py:h<b.py:h exact, b.py:f<a.py:f renamed",
    );
    // A small body is ambiguous.
    check_files(
        "a.py f:a g:B | b.py h:c",
        "a.py g:B@11 | b.py h:c f:a",
        "a.py:g<a.py:g exact, b.py:h<b.py:h exact",
    );
    check_files(
        "a.py f:A g:b | b.py h:A i:c",
        "a.py g:b | b.py i:c | c.py f:A",
        "a.py:g<a.py:g moved, b.py:i<b.py:i moved, c.py:f<a.py:f renamed",
    );
}

#[test]
fn members_follow_their_class_into_another_file() {
    check_files(
        "a.py K:K K.f:a K.g:b x:c | b.py h:d",
        "a.py x:c | b.py h:d K:K K.f:a K.g:z",
        "a.py:x<a.py:x moved, b.py:h<b.py:h exact, b.py:K<a.py:K renamed, b.py:K.f<a.py:K.f \
         renamed, b.py:K.g<a.py:K.g renamed",
    );
}

#[test]
fn a_body_under_another_name_makes_both_ambiguous() {
    check("f:A", "f:B g:A", "f<f#0 ambiguous, g<f#0 ambiguous");
    check("f:A g:B", "f:B g:A", "f<g#1 ambiguous, g<f#0 ambiguous");
    check(
        "K:K K.m:A L:L",
        "K:M K.m:B L:N L.m:A",
        "K<K#0 exact, K.m<K.m#1 ambiguous, L<L#2 exact, L.m<K.m#1 ambiguous",
    );
    check_files(
        "a.py f:A | b.py h:c",
        "a.py f:B | b.py h:c f:A",
        "a.py:f<a.py:f ambiguous, b.py:h<b.py:h exact, b.py:f<a.py:f ambiguous",
    );
    check_files(
        "a.py f:A | b.py f:B",
        "a.py f:B | b.py f:A",
        "a.py:f<b.py:f ambiguous, b.py:f<a.py:f ambiguous",
    );
}

#[test]
fn files_with_only_stubs_in_common_are_not_reidentified() {
    check_files("a.py f:1 g:2 h:A i:B", "b.py f:1 g:2 j:C k:D", "");
}
