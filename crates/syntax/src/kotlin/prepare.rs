//! Rewrites what the grammar of Kotlin reads wrongly, and what its scanner cannot bear.

use std::ops::Range;

use crate::replaced_text::is_word_byte;

/// The number of templates `${}` in a text up to which nothing bounds their nesting. The scanner
/// ends the process at 512 nested strings.
const MAX_TEMPLATES: usize = 500;

/// The number of bytes after a class that are searched for a constructor.
const MAX_AHEAD: usize = 1_000;

/// The words that may stand before a declaration.
const MODIFIERS: [&[u8]; 18] = [
    b"abstract",
    b"actual",
    b"annotation",
    b"data",
    b"enum",
    b"expect",
    b"external",
    b"final",
    b"infix",
    b"inline",
    b"internal",
    b"open",
    b"operator",
    b"override",
    b"private",
    b"protected",
    b"public",
    b"suspend",
];

/// The words that begin a declaration.
const DECLARATIONS: [&[u8]; 9] = [
    b"class",
    b"constructor",
    b"fun",
    b"init",
    b"interface",
    b"object",
    b"typealias",
    b"val",
    b"var",
];

/// Ends the last declaration before a brace on the same line by a semicolon, as in
/// `class A { fun f() {};}`, and each class outside of braces. Otherwise the grammar may read
/// `internal open class A {}` as calls, since each word may be a name.
///
/// Removes what the grammar does not know: comments and line breaks before a constructor, context
/// parameters, a semicolon behind an opening brace, and `actual` before `companion object`. Removes
/// the templates of strings if there are very many.
///
/// Every offset stays. Returns `None` if nothing changes.
pub(super) fn prepare(text: &str) -> Option<String> {
    let mut found = Scanner::new(text.as_bytes());
    found.scan();
    let count = count_templates(text.as_bytes());
    if found.unended.is_empty() && found.unknown.is_empty() && count <= MAX_TEMPLATES {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for part in found.unknown {
        replace(&mut bytes, part, b' ');
    }
    for space in found.unended {
        replace(&mut bytes, space..space + 1, b';');
    }
    if count > MAX_TEMPLATES {
        for template in found.templates {
            replace(&mut bytes, template, b' ');
        }
        if count_templates(&bytes) > MAX_TEMPLATES {
            let starts: Vec<usize> = memchr::memmem::find_iter(&bytes, b"${").collect();
            for start in starts {
                replace(&mut bytes, start..start + 2, b' ');
            }
        }
    }
    String::from_utf8(bytes).ok()
}

fn count_templates(bytes: &[u8]) -> usize {
    memchr::memmem::find_iter(bytes, b"${").count()
}

fn replace(bytes: &mut [u8], range: Range<usize>, by: u8) {
    let part = bytes.get_mut(range).into_iter().flatten();
    part.for_each(|byte| *byte = by);
}

/// What encloses a place in a text.
enum Open {
    /// A brace, with whether a declaration stands directly inside.
    Brace { has_declaration: bool },
    /// A string; `is_raw` if three quotes enclose it.
    Text { is_raw: bool },
    /// A template `${}` in a string, with its offset.
    Template(usize),
}

/// Finds braces and strings.
struct Scanner<'t> {
    bytes: &'t [u8],
    at: usize,
    open: Vec<Open>,
    /// The offset of the last byte that is neither whitespace nor in a comment.
    last: usize,
    /// The spaces and line breaks that a semicolon replaces.
    unended: Vec<usize>,
    /// Whether a class outside of braces has begun.
    is_class: bool,
    /// The number of parentheses that are open outside of braces.
    parentheses: usize,
    /// What the grammar does not know.
    unknown: Vec<Range<usize>>,
    /// The outermost templates.
    templates: Vec<Range<usize>>,
    template_depth: usize,
}

impl<'t> Scanner<'t> {
    fn new(bytes: &'t [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            open: Vec::new(),
            last: 0,
            unended: Vec::new(),
            is_class: false,
            parentheses: 0,
            unknown: Vec::new(),
            templates: Vec::new(),
            template_depth: 0,
        }
    }

    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn scan(&mut self) {
        while self.at < self.bytes.len() {
            match self.open.last() {
                Some(Open::Text { is_raw }) => self.scan_text(*is_raw),
                _ => self.scan_code(),
            }
        }
    }

    fn scan_text(&mut self, is_raw: bool) {
        let rest = self.rest();
        let closing: &[u8] = if is_raw { b"\"\"\"" } else { b"\"" };
        if rest.starts_with(b"${") {
            self.open.push(Open::Template(self.at));
            self.template_depth += 1;
            self.at += 2;
        } else if rest.starts_with(closing) {
            self.at += closing.len();
            // Further quotes belong to the end of a raw string.
            while is_raw && self.rest().starts_with(b"\"") {
                self.at += 1;
            }
            self.last = self.at - 1;
            self.open.pop();
        } else if !is_raw && rest.starts_with(b"\n") {
            self.open.pop();
        } else if !is_raw && rest.starts_with(b"\\") {
            self.at += 2;
        } else {
            self.at += 1;
        }
    }

    fn scan_code(&mut self) {
        let rest = self.rest();
        let first = rest.first().copied().unwrap_or_default();
        match first {
            b'/' if rest.starts_with(b"//") => {
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                return;
            }
            b'/' if rest.starts_with(b"/*") => return self.skip_comment(),
            b'"' => {
                let is_raw = rest.starts_with(b"\"\"\"");
                self.open.push(Open::Text { is_raw });
                self.at += if is_raw { 3 } else { 1 };
                return;
            }
            b'\'' => return self.skip_character(),
            b'`' => {
                let name = rest.get(1..).unwrap_or_default();
                let end = memchr::memchr2(b'`', b'\n', name);
                self.last = self.at;
                self.at += end.map_or(1, |end| end + 2);
                return;
            }
            b'{' => self.open.push(Open::Brace {
                has_declaration: false,
            }),
            b'}' => self.close(),
            b'(' if self.open.is_empty() => self.parentheses += 1,
            b')' if self.open.is_empty() => {
                self.parentheses = self.parentheses.saturating_sub(1);
            }
            b'\n' if self.open.is_empty() => self.end_class(),
            b';' if self.bytes.get(self.last) == Some(&b'{') => {
                self.unknown.push(self.at..self.at + 1);
            }
            _ if is_word_byte(first) => return self.scan_word(),
            _ => {}
        }
        if !first.is_ascii_whitespace() {
            self.last = self.at;
        }
        self.at += 1;
    }

    fn scan_word(&mut self) {
        let rest = self.rest();
        let len = rest.iter().take_while(|byte| is_word_byte(**byte)).count();
        let word = rest.get(..len).unwrap_or_default();
        if let Some(Open::Brace { has_declaration }) = self.open.last_mut() {
            *has_declaration |= DECLARATIONS.contains(&word);
        }
        let rest = rest.get(len..).unwrap_or_default();
        if matches!(word, b"actual" | b"expect") && rest.starts_with(b" companion ") {
            self.unknown.push(self.at..self.at + len);
        }
        if word == b"context"
            && let Some(end) = self.context_end(len)
        {
            self.unknown.push(self.at..end);
            self.at = end;
            return;
        }
        let is_class = matches!(word, b"class" | b"interface" | b"object");
        let follows_colon = self.bytes.get(self.last) == Some(&b':');
        if is_class && self.open.is_empty() && self.parentheses == 0 && !follows_colon {
            self.is_class = true;
        }
        self.at += len;
        self.last = self.at - 1;
    }

    /// Returns the end of `context(a: A)` before a declaration. The word `context` begins here and
    /// has this length.
    fn context_end(&self, len: usize) -> Option<usize> {
        let last = self.bytes.get(self.last).copied();
        let begins = self.last == 0 || matches!(last, Some(b'{' | b'}' | b';' | b')' | b'"'));
        let starts_line = self.bytes.get(self.last..self.at)?.contains(&b'\n');
        let start = self.at + len;
        if !(begins || starts_line) || self.bytes.get(start) != Some(&b'(') {
            return None;
        }
        let mut depth = 0_usize;
        let near = self.bytes.get(start..)?;
        let close = near.iter().take(MAX_AHEAD).position(|byte| {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let end = start + close + 1;
        let after = self.bytes.get(end..)?;
        let after = after.get(code_start(after)..)?;
        let mut words = after.split(|byte| !is_word_byte(*byte));
        let word = words.next().unwrap_or_default();
        (DECLARATIONS.contains(&word) || MODIFIERS.contains(&word)).then_some(end)
    }

    /// Ends a class at a line break outside of braces, unless the class continues after it.
    fn end_class(&mut self) {
        let last = self.bytes.get(self.last).copied().unwrap_or_default();
        let is_whole = is_word_byte(last) || matches!(last, b')' | b'>' | b'}' | b'`');
        if !self.is_class || self.parentheses > 0 || !is_whole {
            return;
        }
        let rest = self.rest();
        let near = rest.get(..MAX_AHEAD).unwrap_or(rest);
        let start = code_start(near);
        let code = near.get(start..).unwrap_or_default();
        if continues_class(code) {
            if !code.starts_with(b"where") && !code.starts_with(b"by ") {
                self.unknown.push(self.at..self.at + start);
                self.at += start - 1;
            }
            return;
        }
        let next = code.first().copied().unwrap_or_default();
        let is_next = is_word_byte(next) || matches!(next, b'@' | b'/' | b'`');
        // A comment may stand before the line break.
        let after = self.last + 1;
        let is_space = self.bytes.get(after).is_some_and(u8::is_ascii_whitespace);
        if is_next && is_space {
            self.unended.push(after);
            self.is_class = false;
        }
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Open::Brace {
                has_declaration: true,
            }) => {
                let before = self.bytes.get(self.last + 1..self.at).unwrap_or_default();
                let is_ended = matches!(self.bytes.get(self.last), Some(b';' | b',' | b'{'));
                let is_on_line = !before.contains(&b'\n') && before.ends_with(b" ");
                if is_on_line && !is_ended {
                    self.unended.push(self.at - 1);
                }
            }
            Some(Open::Template(start)) => {
                self.template_depth = self.template_depth.saturating_sub(1);
                if self.template_depth == 0 {
                    self.templates.push(start..self.at + 1);
                }
            }
            _ => {}
        }
    }

    fn skip_comment(&mut self) {
        self.at += comment_len(self.rest());
    }

    /// Skips `'a'` and `'\''`.
    fn skip_character(&mut self) {
        let rest = self.rest();
        let from = if rest.get(1) == Some(&b'\\') { 3 } else { 2 };
        let text = rest.get(from..).unwrap_or_default();
        let end = memchr::memchr2(b'\'', b'\n', text);
        let is_closed = end.is_some_and(|end| text.get(end) == Some(&b'\'') && end < 8);
        self.last = self.at;
        self.at += match end {
            Some(end) if is_closed => from + end + 1,
            _ => 1,
        };
    }
}

/// Returns the length of a comment, in which others may be nested.
fn comment_len(text: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        match rest {
            [b'/', b'*', ..] => (at, depth) = (at + 2, depth + 1),
            [b'*', b'/', ..] => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Returns the offset of the first byte that is neither white space nor in a comment.
fn code_start(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        at += match rest {
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'/', b'*', ..] => comment_len(rest),
            [byte, ..] if byte.is_ascii_whitespace() => 1,
            _ => return at,
        };
    }
    text.len()
}

/// Reports whether a text continues the class before it: by `where` or a constructor.
fn continues_class(near: &[u8]) -> bool {
    let mut words = near.split(|byte| !is_word_byte(*byte) && *byte != b':');
    // In `@A(B::class)`, the word is `B::class`.
    let first = words.find(|word| DECLARATIONS.contains(word));
    near.starts_with(b"where") || near.starts_with(b"by ") || first == Some(b"constructor")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use super::prepare;

    #[test]
    fn declarations_end_before_braces() {
        for (text, prepared) in [
            ("class A { fun f() {} }", "class A { fun f() {};}"),
            ("interface A { fun f() } ", "interface A { fun f();} "),
            (
                "val a = object : B { override fun f() = '}' }",
                "val a = object : B { override fun f() = '}';}",
            ),
            (
                "val a = \"${f { val b = \"}\" }} }\" /* { val } */",
                "val a = \"${f { val b = \"}\";}} }\" /* { val } */",
            ),
            (
                "class A { /* } */ val a = 1 }",
                "class A { /* } */ val a = 1;}",
            ),
            (
                "internal open class A {\n}\n\nfun f() {\n}\nfun g()",
                "internal open class A {\n};\nfun f() {\n}\nfun g()",
            ),
            (
                "object A : B() // {\nclass C\nval d = 1",
                "object A : B();// {\nclass C;val d = 1",
            ),
            (
                "class A\n// b\ninternal constructor(c: D)",
                "class A      internal constructor(c: D)",
            ),
            (
                "class A\n/** class */\n@B constructor(c: D)",
                "class A              @B constructor(c: D)",
            ),
            (
                "class A\n  @B(C::class) internal constructor()\n  where C : D\n  {\n}",
                "class A   @B(C::class) internal constructor()\n  where C : D\n  {\n}",
            ),
            (
                "actual class A {\n  actual companion object {\n  }\n}",
                "actual class A {\n         companion object {\n  }\n}",
            ),
            ("class A {; val b = 1\n}", "class A {  val b = 1\n}"),
            (
                "context(a: A) fun f()\n context(b: B, c: D)\nprivate val e: Int",
                "              fun f()\n                    \nprivate val e: Int",
            ),
            (
                "@A\nclass B(\n val a: C\n)\n@D(E::class)\nclass F<G>\n\n",
                "@A\nclass B(\n val a: C\n);@D(E::class)\nclass F<G>\n\n",
            ),
        ] {
            assert_eq!(prepare(text).unwrap(), prepared);
        }
        for text in [
            "class A {\n  fun f() {}\n}",
            "class A { val a = 1; }",
            "class A @B(C::class) internal constructor()\n  where C : D\n  {\n}",
            "class A :\n  B,\n  C {\n  class D\n  fun e()\n}\n",
            "f(A::class)\nval a = A::class\ng()",
            "f { a }",
            "context(a) { b }",
            "val a = context(b) val",
            "class A { }",
            "\"class A { fun f() {} }\"",
            "// class A { fun f() {} }",
            "'\\'' `{ val ` \"\\\" { val } \"",
            "'",
            "`",
            "\"${",
            "/*",
            "}",
        ] {
            assert_eq!(prepare(text), None, "{text}");
        }
    }

    #[test]
    fn very_many_templates_are_removed() {
        let templates = |count| "\"${a}é\"\n".repeat(count);
        assert_eq!(prepare(&templates(500)), None);
        assert_eq!(prepare(&templates(501)).unwrap(), "\"    é\"\n".repeat(501));
        let nested = "\"${".repeat(501);
        assert_eq!(prepare(&nested).unwrap(), "\"  ".repeat(501));
    }
}
