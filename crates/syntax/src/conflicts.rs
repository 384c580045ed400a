//! Blanks out the marks that a merge leaves in a file with conflicts.
//!
//! git writes both sides of a conflict between lines that begin with `<<<<<<<`, `=======` and
//! `>>>>>>>`, and the common ancestor after `|||||||` where `merge.conflictStyle` asks for it.

use std::ops::Range;

use crate::replaced_text::blank;

/// A text without the marks of its conflicts. Each token has the byte offset that it has there.
pub(crate) struct Unmarked {
    /// With both sides of each conflict, one after the other.
    pub(crate) both_sides: String,
    /// With the first side of each conflict, which is that of the current branch.
    pub(crate) first_sides: String,
}

/// Removes the marks of conflicts. Returns `None` for a text without a conflict.
pub(crate) fn unmark(text: &str) -> Option<Unmarked> {
    let conflicts = find_conflicts(text);
    if conflicts.is_empty() {
        return None;
    }
    let mut both = text.as_bytes().to_vec();
    for Conflict { not_code, .. } in &conflicts {
        for range in not_code {
            blank(&mut both, range.start, range.end);
        }
    }
    let mut first = both.clone();
    for Conflict { second, .. } in &conflicts {
        blank(&mut first, second.start, second.end);
    }
    Some(Unmarked {
        both_sides: String::from_utf8(both).ok()?,
        first_sides: String::from_utf8(first).ok()?,
    })
}

/// A conflict, in byte offsets.
struct Conflict {
    /// The mark at the start, the one between the sides with the ancestor, and the one at the end.
    not_code: [Range<usize>; 3],
    /// The second side.
    second: Range<usize>,
}

/// The part of a conflict that a line is in.
enum Part {
    Outside,
    First {
        begin: Range<usize>,
    },
    Ancestor {
        begin: Range<usize>,
        start: usize,
    },
    Second {
        begin: Range<usize>,
        between: Range<usize>,
    },
}

fn find_conflicts(text: &str) -> Vec<Conflict> {
    let mut found = Vec::new();
    if memchr::memmem::find(text.as_bytes(), b"<<<<<<<").is_none() {
        return found;
    }
    let mut part = Part::Outside;
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let end = start + line.len();
        part = match (mark(line), part) {
            (Some('<'), _) => Part::First { begin: start..end },
            (Some('|'), Part::First { begin }) => Part::Ancestor { begin, start },
            (Some('='), Part::First { begin }) => {
                let between = start..end;
                Part::Second { begin, between }
            }
            (Some('='), Part::Ancestor { begin, start }) => {
                let between = start..end;
                Part::Second { begin, between }
            }
            (Some('>'), Part::Second { begin, between }) => {
                found.push(Conflict {
                    second: between.end..start,
                    not_code: [begin, between, start..end],
                });
                Part::Outside
            }
            (_, part) => part,
        };
        start = end;
    }
    found
}

/// Returns the character of which a line's mark consists: seven of it, then a blank or nothing.
fn mark(line: &str) -> Option<char> {
    let letter = line.chars().next()?;
    let mark = match letter {
        '<' => "<<<<<<<",
        '|' => "|||||||",
        '=' => "=======",
        '>' => ">>>>>>>",
        _ => return None,
    };
    let rest = line.strip_prefix(mark)?;
    let ends = rest.is_empty() || rest.starts_with([' ', '\n', '\r']);
    ends.then_some(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, both: &str, first: &str) {
        let unmarked = unmark(text).map(|found| (found.both_sides, found.first_sides));
        assert_eq!(unmarked, Some((both.to_owned(), first.to_owned())));
        assert_eq!(both.len(), text.len());
    }

    #[test]
    fn marks_become_blank() {
        check(
            "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> é\nc\n",
            "            \na\n       \nb\n          \nc\n",
            "            \na\n       \n \n          \nc\n",
        );
    }

    #[test]
    fn the_ancestor_counts_as_no_side() {
        check(
            "<<<<<<< HEAD\r\na\r\n||||||| 0a1b\r\nx\r\n=======\r\nb\r\n>>>>>>>\r\n",
            "            \r\na\r\n            \r\n \r\n       \r\nb\r\n       \r\n",
            "            \r\na\r\n            \r\n \r\n       \r\n \r\n       \r\n",
        );
    }

    #[test]
    fn other_lines_stay() {
        for text in [
            "",
            "=======\n>>>>>>> a\n",
            "<<<<<<< HEAD\na\n",
            "<<<<<<<<<\na\n=======\nb\n>>>>>>> c\n",
            " <<<<<<< HEAD\na\n=======\nb\n>>>>>>> c\n",
            "<<<<<<< HEAD\na\n>>>>>>> c\n=======\n",
        ] {
            assert!(unmark(text).is_none(), "{text:?}");
        }
    }
}
