//! Completes the heads of definitions that are being typed.
//!
//! A block after a line such as `def total(self` is a syntax error, which ends the class around it
//! for tree-sitter. So the line becomes `def total():`, or `if 1:` if it has no room for that.

use std::ops::Range;

use super::tokens::token_end;

/// A statement that opens a block and defines nothing.
const BLOCK: &str = "if 1:";

/// Completes heads before a block. Keeps every byte offset outside of their lines.
///
/// Returns `None` if all are complete.
pub(super) fn repair(text: &str) -> Option<String> {
    let heads = incomplete_heads(text);
    if heads.is_empty() {
        return None;
    }
    let mut repaired = String::with_capacity(text.len());
    let mut done = 0;
    for (place, head) in heads {
        repaired.push_str(text.get(done..place.start)?);
        repaired.push_str(&head);
        repaired.extend(std::iter::repeat_n(' ', place.len() - head.len()));
        done = place.end;
    }
    repaired.push_str(text.get(done..)?);
    Some(repaired)
}

/// Returns the incomplete heads before a block, each with what takes its place.
fn incomplete_heads(text: &str) -> Vec<(Range<usize>, String)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut is_line_start = true;
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = token_end(bytes, at);
        match byte {
            b' ' | b'\t' => {}
            b'\n' | b'\r' => is_line_start = depth == 0,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ if is_line_start => {
                is_line_start = false;
                let line = at..line_end(bytes, at);
                let head = text.get(line.clone()).and_then(Head::new);
                let head = head.filter(|_| precedes_block(text, &line));
                if let Some(head) = head.and_then(|head| head.completed(line.len())) {
                    at = line.end;
                    found.push((line, head));
                    continue;
                }
            }
            _ => {}
        }
        at = end;
    }
    found
}

/// The head of a definition that is not complete, in one line.
struct Head<'t> {
    /// `def` or `class`, with `async`.
    keywords: &'t str,
    name: &'t str,
    /// The line up to the end of the name.
    named: &'t str,
    /// The line up to `(`, and what follows.
    parameters: Option<(&'t str, &'t str)>,
}

impl<'t> Head<'t> {
    /// Reads a line. Returns `None` for a complete head, and for another statement.
    fn new(line: &'t str) -> Option<Self> {
        let after_async = line.strip_prefix("async ").unwrap_or(line).trim_start();
        let after = after_async
            .strip_prefix("def")
            .or_else(|| after_async.strip_prefix("class"))?;
        if !after.is_empty() && !after.starts_with([' ', '\t', '(', ':']) {
            return None;
        }
        let rest = after.trim_start();
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let name = rest.get(..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len()))?;
        let parameters = rest.get(name.len()..)?.trim_start();
        let is_complete = !name.is_empty()
            && ends_head(parameters)
            && (parameters.starts_with(['(', '[']) || after_async.starts_with("class"));
        let given = parameters.strip_prefix('(');
        (!is_complete).then_some(Self {
            keywords: line.get(..line.len() - after.len())?,
            name,
            named: line.get(..line.len() - rest.len() + name.len())?,
            parameters: given.and_then(|given| line.split_at_checked(line.len() - given.len())),
        })
    }

    /// Returns a complete head of at most a number of bytes. What it keeps stays in its place.
    fn completed(&self, max_len: usize) -> Option<String> {
        let named = self.named;
        let mut heads = Vec::new();
        if !self.name.is_empty() {
            if self.keywords.ends_with("def") {
                let kept = self.parameters.and_then(|(opened, given)| {
                    let (kept, _) = given.rsplit_once(',')?;
                    Some(format!("{opened}{kept}):"))
                });
                heads.extend(kept);
                heads.push(format!("{named}():"));
            } else {
                heads.push(format!("{named}:"));
            }
        }
        heads.push(BLOCK.to_owned());
        heads.into_iter().find(|head| head.len() <= max_len)
    }
}

/// Reports whether a colon outside of brackets follows, or whether the head continues on the next
/// line.
fn ends_head(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b':' if depth == 0 => return true,
            b'\\' => return true,
            _ => {}
        }
        at = token_end(bytes, at);
    }
    depth > 0
}

/// Reports whether the next line with code is indented more than a line, which begins at its first
/// word.
fn precedes_block(text: &str, line: &Range<usize>) -> bool {
    let before = text.get(..line.start).unwrap_or_default();
    let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let own = line.start - start;
    let after = text.get(line.end..).unwrap_or_default();
    let mut lines = after.split(['\n', '\r']).skip(1);
    let next = lines.find(|line| {
        let words = line.trim_start();
        !words.is_empty() && !words.starts_with('#')
    });
    next.is_some_and(|next| next.len() - next.trim_start().len() > own)
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    memchr::memchr2(b'\n', b'\r', rest).map_or(bytes.len(), |length| from + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(repair(text).as_deref(), Some(expected), "{text:?}");
        assert_eq!(expected.len(), text.len());
    }

    #[test]
    fn heads_before_a_block_are_completed() {
        check("def f(self, a)\n    pass\n", "def f(self):  \n    pass\n");
        check(
            "  def f self\n\n    # a\n    pass\n",
            "  def f():  \n\n    # a\n    pass\n",
        );
        check(
            "def   f  (self, a, b)\n    pass\n",
            "def   f  (self, a):  \n    pass\n",
        );
        check("def    f self\n    pass\n", "def    f():  \n    pass\n");
        check("class A(B)\n    pass\n", "class A:  \n    pass\n");
        check(
            "async def f(a)\r\n    pass\n",
            "async def f():\r\n    pass\n",
        );
        check("def f\n    pass\n", "if 1:\n    pass\n");
        check("def (self):\n    pass\n", "if 1:      \n    pass\n");
        check("class A\n    pass\n", "if 1:  \n    pass\n");
    }

    #[test]
    fn other_lines_stay() {
        for text in [
            "def f(a):\n    pass\n",
            "def f(a): pass\n",
            "def f(a,\n      b):\n    pass\n",
            "class A:\n    pass\n",
            "class A(B): pass\n",
            "def f(a)\nx = 1\n",
            "def\n    pass\n",
            "definition\n    pass\n",
            "'''\ndef f(\n    a\n'''\n",
            "def f(a) -> {1: 2}:\n    pass\n",
        ] {
            assert_eq!(repair(text), None, "{text:?}");
        }
    }
}
