//! Resolves conditional compilation that divides a construct: `#if` in the middle of a statement.
//!
//! The grammars of C, C++ and C# know `#if` between whole declarations and statements only.

use crate::c_text::{comment_len, directive_len, literal_len};
use crate::replaced_text::blank;

/// The nesting up to which directives are read, which bounds the work.
const MAX_NESTING: usize = 16;

/// An `#if` that is open, with the lines of its directives.
struct Conditional {
    directives: Vec<Line>,
}

/// The offsets of a line, without its line break.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    end: usize,
}

/// Keeps the first branch of each conditional that divides a construct, and removes its directives.
///
/// Removed text becomes spaces, so that every offset stays. Returns `None` if nothing changes.
pub(crate) fn keep_first_branches(text: &str) -> Option<String> {
    change_conditionals(text, keep_first_branch)
}

/// Removes the directives of each conditional with sections of a `switch`, which the grammar of C#
/// does not know there. All branches stay.
///
/// Removed text becomes spaces, so that every offset stays. Returns `None` if nothing changes.
pub(crate) fn join_switch_sections(text: &str) -> Option<String> {
    change_conditionals(text, join_sections)
}

/// Changes each conditional of a text. `change` reports whether it has done so.
fn change_conditionals(
    text: &str,
    change: fn(directives: &[Line], bytes: &mut [u8]) -> bool,
) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut open: Vec<Conditional> = Vec::new();
    let mut is_changed = false;
    for line in lines(text) {
        let directive = text.get(line.start..line.end).and_then(directive);
        match directive {
            Some("if" | "ifdef" | "ifndef") => open.push(Conditional {
                directives: vec![line],
            }),
            Some("else" | "elif" | "elifdef" | "elifndef") => {
                if let Some(conditional) = open.last_mut() {
                    conditional.directives.push(line);
                }
            }
            Some("endif") => {
                if let Some(mut conditional) = open.pop().filter(|_| open.len() < MAX_NESTING) {
                    conditional.directives.push(line);
                    is_changed |= change(&conditional.directives, &mut bytes);
                }
            }
            _ => {}
        }
    }
    let changed = is_changed.then(|| String::from_utf8(bytes).ok());
    changed.flatten()
}

/// Returns the lines of a text. A directive is one line with those that it continues on.
fn lines(text: &str) -> impl Iterator<Item = Line> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let len = match rest.trim_start_matches([' ', '\t']) {
            directive if directive.starts_with('#') => {
                rest.len() - directive.len() + directive_len(directive.as_bytes())
            }
            _ => memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len()),
        };
        let end = (start + len + 1).min(text.len());
        let line = Line { start, end };
        start = end;
        Some(line)
    })
}

/// Returns the name of the directive of a line: `if` of `# if A`.
fn directive(line: &str) -> Option<&str> {
    let name = line.trim_start().strip_prefix('#')?.trim_start();
    name.split(|letter: char| !letter.is_ascii_alphabetic())
        .next()
}

/// Returns the offsets of the branches between directives.
fn branches(directives: &[Line]) -> Vec<(usize, usize)> {
    let branches = directives.windows(2).filter_map(|pair| match pair {
        [from, to] => Some((from.end, to.start)),
        _ => None,
    });
    branches.collect()
}

/// Removes the directives if each branch begins with a section of a `switch`. Reports whether it
/// has done so.
fn join_sections(directives: &[Line], bytes: &mut [u8]) -> bool {
    let is_section = |(start, end): (usize, usize)| {
        let branch = bytes.get(start..end).unwrap_or_default();
        is_whole(branch) && begins_with(code(branch), &[b"case", b"default"])
    };
    if !branches(directives).into_iter().all(is_section) {
        return false;
    }
    for line in directives {
        blank(bytes, line.start, line.end);
    }
    true
}

/// Returns a text without the spaces, comments and directives before its code.
fn code(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii_start();
    while let Some(len) = skipped(rest).filter(|_| !rest.is_empty()) {
        rest = rest.get(len..).unwrap_or_default().trim_ascii_start();
    }
    rest
}

/// Removes all but the first branch if a branch is not whole. Reports whether it has done so.
fn keep_first_branch(directives: &[Line], bytes: &mut [u8]) -> bool {
    let branches = branches(directives);
    let is_whole = |(start, end): &(usize, usize)| {
        let branch = bytes.get(*start..*end);
        branch.is_none_or(is_whole)
    };
    if branches.iter().all(is_whole) {
        return false;
    }
    for line in directives {
        blank(bytes, line.start, line.end);
    }
    for (start, end) in branches.into_iter().skip(1) {
        blank(bytes, start, end);
    }
    true
}

/// Reports whether a branch has whole statements or declarations: its brackets match, it ends with
/// `;` or `}`, and it does not continue what precedes it.
fn is_whole(branch: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut first = None;
    let mut last = b';';
    let mut at = 0;
    while let Some(&byte) = branch.get(at) {
        let rest = branch.get(at..).unwrap_or_default();
        if let Some(len) = skipped(rest) {
            at += len;
            continue;
        }
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            },
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            first.get_or_insert(at);
            last = byte;
        }
        at += 1;
    }
    let start = first.and_then(|first| branch.get(first..)).unwrap_or(b";");
    depth == 0 && matches!(last, b';' | b'}') && !continues(start)
}

/// Returns the length of a comment, a literal or a directive at the start of a text.
pub(crate) fn skipped(text: &[u8]) -> Option<usize> {
    let find = |needle: &[u8]| {
        let from = text.get(needle.len()..).unwrap_or_default();
        let found = memchr::memmem::find(from, needle);
        found.map_or(text.len(), |at| at + 2 * needle.len())
    };
    match text {
        [b'/', b'/', ..] => Some(memchr::memchr(b'\n', text).unwrap_or(text.len())),
        [b'#', ..] => Some(directive_len(text)),
        [b'/', b'*', ..] => Some(comment_len(text)),
        [b'"', b'"', b'"', ..] => Some(find(b"\"\"\"")),
        [b'"' | b'\'', ..] => Some(literal_len(text)),
        _ => None,
    }
}

/// Reports whether a text continues the construct before it.
fn continues(text: &[u8]) -> bool {
    let first = text.first().copied().unwrap_or_default();
    b",.&|:?=<>+*/{".contains(&first) || begins_with(text, &[b"else", b"catch", b"finally"])
}

/// Reports whether a text begins with one of some words.
fn begins_with(text: &[u8], words: &[&[u8]]) -> bool {
    words.iter().any(|word| {
        let after = text.get(word.len()).copied().unwrap_or_default();
        text.starts_with(word) && !after.is_ascii_alphanumeric() && after != b'_'
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use super::{join_switch_sections, keep_first_branches};

    #[test]
    fn whole_branches_stay() {
        for text in [
            "#if A\nint a;\n#else\nvoid f() { g(\"}\"); } // {\n#endif\n",
            "#if A\n#if B\nint b;\n#endif\n#endif\n",
            "#endif\n#else\nint a\n",
            "#if A\nint a;\n#else\n#define B \\\n  : C\n#endif\n",
        ] {
            assert_eq!(keep_first_branches(text), None, "{text}");
        }
    }

    #[test]
    fn divided_constructs_keep_their_first_branch() {
        let text = "class A\n#if B\n : C\n#else\n : é\n#endif\n{}\n";
        let kept = "class A\n     \n : C\n     \n     \n      \n{}\n";
        assert_eq!(keep_first_branches(text).unwrap(), kept);
        let text = "#if A\n#if B\nx\n#endif\nint a;\n#endif\n";
        let kept = "#if A\n     \nx\n      \nint a;\n#endif\n";
        assert_eq!(keep_first_branches(text).unwrap(), kept);
    }

    #[test]
    fn sections_of_a_switch_all_stay() {
        let text = "case A: f();\n#if B\n// c\ncase D: f();\n#else\ndefault: g();\n#endif\n";
        let kept = "case A: f();\n     \n// c\ncase D: f();\n     \ndefault: g();\n      \n";
        assert_eq!(join_switch_sections(text).unwrap(), kept);
        let text = "#if B\ncases();\n#endif\n#if B\ncase A:\n#endif\n";
        assert_eq!(join_switch_sections(text), None);
    }

    #[test]
    fn nesting_is_bounded() {
        let text = format!("{}x\n{}", "#if A\n".repeat(1_000), "#endif\n".repeat(1_000));
        assert_eq!(keep_first_branches(&text).unwrap().len(), text.len());
    }
}
