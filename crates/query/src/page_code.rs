//! Where a page has code: in its tags and expressions, and not in the text between them.

use std::ops::Range;

use memchr::{memchr2, memchr3, memmem};

/// The marks before and after an expression of a template. Where two rows match, the first counts.
const EXPRESSIONS: [(&[u8], &[u8]); 5] = [
    (b"<%", b"%>"),
    (b"<?", b"?>"),
    (b"{{", b"}}"),
    (b"{%", b"%}"),
    (b"{", b"}"),
];

/// The marks before and after a comment of a template.
const COMMENTS: [(&[u8], &[u8]); 2] = [(b"<%--", b"--%>"), (b"{#", b"#}")];

/// The longest comment of a template, in bytes; a longer one counts as code.
const MAX_COMMENT: usize = 4096;

/// The attributes whose values are for people or style sheets.
const TEXTUAL: [&[u8]; 12] = [
    b"alt",
    b"aria-label",
    b"class",
    b"content",
    b"for",
    b"href",
    b"id",
    b"name",
    b"placeholder",
    b"src",
    b"style",
    b"title",
];

/// The beginning of the value of an attribute that is code.
const SCRIPT_URL: &[u8] = b"javascript:";

/// Reports whether any of some words of a page, byte ranges in order, is in its code.
pub(super) fn has_code(page: &str, words: &[(usize, usize)]) -> bool {
    let mut ranges = code_of(page).into_iter().peekable();
    words.iter().any(|(start, _)| {
        while ranges.next_if(|range| range.end <= *start).is_some() {}
        ranges.peek().is_some_and(|range| range.contains(start))
    })
}

/// Returns the byte ranges of the code of a page, in order.
fn code_of(page: &str) -> Vec<Range<usize>> {
    let mut scanner = Scanner {
        page: page.as_bytes(),
        at: 0,
        code: Vec::new(),
    };
    while let Some(next) = memchr2(b'<', b'{', scanner.rest()) {
        scanner.at += next;
        scanner.scan_part();
    }
    scanner.code
}

struct Scanner<'p> {
    page: &'p [u8],
    at: usize,
    code: Vec<Range<usize>>,
}

impl Scanner<'_> {
    fn rest(&self) -> &[u8] {
        self.page.get(self.at..).unwrap_or_default()
    }

    /// Adds the code from a place to the current one.
    fn add_from(&mut self, start: usize) {
        if start < self.at {
            self.code.push(start..self.at);
        }
    }

    /// Scans what begins with `<` or `{`.
    fn scan_part(&mut self) {
        let start = self.at;
        if self.skip_comment() {
            return;
        }
        if self.skip_expression() {
            return self.add_from(start);
        }
        if self.rest().starts_with(b"<!--") {
            return self.scan_hidden(b"-->");
        }
        let name = self.rest().get(1..).unwrap_or_default();
        let name = name.strip_prefix(b"/").unwrap_or(name);
        if !name.first().is_some_and(u8::is_ascii_alphabetic) {
            self.at += 1;
            return;
        }
        let is_letter =
            |letter: &&u8| !matches!(letter, b'>' | b'/') && !letter.is_ascii_whitespace();
        let length = name.iter().take_while(is_letter).count();
        let name = name.get(..length).unwrap_or_default().to_ascii_lowercase();
        let is_opening = self.rest().get(1) != Some(&b'/');
        self.scan_tag();
        match name.as_slice() {
            b"script" if is_opening => {
                let start = self.at;
                self.at = self.end_of(b"</script");
                self.add_from(start);
            }
            b"style" if is_opening => self.scan_hidden(b"</style"),
            _ => {}
        }
    }

    /// Skips the comment of a template that begins here. Reports whether there is one.
    fn skip_comment(&mut self) -> bool {
        let rest = self.rest();
        let begun = COMMENTS.iter().find(|(open, _)| rest.starts_with(open));
        let within = rest.get(..MAX_COMMENT.min(rest.len())).unwrap_or_default();
        let end = begun.and_then(|(_, close)| Some(memmem::find(within, close)? + close.len()));
        self.at += end.unwrap_or_default();
        end.is_some()
    }

    /// Skips the expression that begins here. Reports whether there is one. An expression that does
    /// not end takes the rest of the page.
    fn skip_expression(&mut self) -> bool {
        let rest = self.rest();
        let begun = EXPRESSIONS.iter().find(|(open, _)| rest.starts_with(open));
        let Some((open, close)) = begun else {
            return false;
        };
        let inside = rest.get(open.len()..).unwrap_or_default();
        let end = memmem::find(inside, close).map(|end| open.len() + end + close.len());
        self.at += end.unwrap_or(rest.len());
        true
    }

    /// Returns where a mark of lower-case letters begins, in any case, or the end of the page.
    fn end_of(&self, mark: &[u8]) -> usize {
        let rest = self.rest();
        let first = mark.get(..1).unwrap_or_default();
        let mut places = memmem::find_iter(rest, first);
        let found = places.find(|at| {
            let text = rest.get(*at..at + mark.len());
            text.is_some_and(|text| text.eq_ignore_ascii_case(mark))
        });
        found.map_or(self.page.len(), |at| self.at + at)
    }

    /// Scans a comment or a style sheet of the page, in which a template still has expressions.
    fn scan_hidden(&mut self, close: &[u8]) {
        let end = self.end_of(close);
        while let Some(next) = memchr2(b'<', b'{', self.rest()) {
            let start = self.at + next;
            if start >= end {
                break;
            }
            self.at = start;
            let rest = self.rest();
            let begins = EXPRESSIONS
                .iter()
                .any(|(open, _)| open.len() > 1 && rest.starts_with(open));
            let is_placeholder = self
                .page
                .get(..start)
                .is_some_and(|text| text.ends_with(b"$"))
                && rest.starts_with(b"{");
            if self.skip_comment() {
                continue;
            }
            if begins || is_placeholder {
                self.skip_expression();
                self.add_from(start);
            } else {
                self.at += 1;
            }
        }
        self.at = self.at.max(end);
    }

    /// Scans a tag. All of it is code but the values of textual attributes.
    fn scan_tag(&mut self) {
        let mut start = self.at;
        let mut attribute = self.at;
        self.at += 1;
        while let Some(byte) = self.rest().first().copied() {
            match byte {
                b'>' => {
                    self.at += 1;
                    break;
                }
                b'"' | b'\'' => {
                    let name = self.page.get(attribute..self.at).unwrap_or_default();
                    let name = name.strip_suffix(b"=");
                    self.at += 1;
                    let is_textual = name.is_some_and(|name| TEXTUAL.contains(&name))
                        && !self.rest().starts_with(SCRIPT_URL);
                    if is_textual {
                        self.add_from(start);
                    }
                    self.scan_value(byte, is_textual);
                    if is_textual {
                        start = self.at;
                    }
                }
                b'<' | b'{' => {
                    if !self.skip_comment() && !self.skip_expression() {
                        self.at += 1;
                    }
                }
                byte => {
                    self.at += 1;
                    if byte.is_ascii_whitespace() {
                        attribute = self.at;
                    }
                }
            }
        }
        self.add_from(start);
    }

    /// Skips the value of an attribute. In the value of a textual one, only expressions are code.
    fn scan_value(&mut self, quote: u8, is_textual: bool) {
        while let Some(next) = memchr3(quote, b'<', b'{', self.rest()) {
            self.at += next;
            let start = self.at;
            if self.rest().first() == Some(&quote) {
                self.at += 1;
                return;
            }
            if self.skip_comment() {
                continue;
            }
            if !self.skip_expression() {
                self.at += 1;
            } else if is_textual {
                self.add_from(start);
            }
        }
        // No quote closes the value, so the rest of the page may be code.
        let start = self.at;
        self.at = self.page.len();
        if is_textual {
            self.add_from(start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{code_of, has_code};

    fn has_total(page: &str) -> bool {
        let words = page.match_indices("total");
        let words: Vec<_> = words.map(|(at, word)| (at, at + word.len())).collect();
        has_code(page, &words)
    }

    #[test]
    fn expressions_and_attributes_are_code() {
        for page in [
            "<p>{{ cart.total }}</p>",
            "{% if cart.total %}",
            "<b><%= cart.total %></b>",
            "<?= $cart->total() ?>",
            "<p>${cart.total}",
            "<a (click)=\"total()\">",
            "<button *ngIf=\"items.length > 0\" (click)=\"total()\">",
            "<a @click=\"() => total()\">",
            "<a href=\"<?= $cart->total() ?>\">",
            "<a href=\"<%= a > b ? total : 1 %>\">",
            "<a href=\"${a > b ? total : 0}\">",
            "<a href=\"javascript:total()\">",
            "<a title='it' (click)='total()'>",
            "<total />",
            "<b class=\"{{ total }}\">",
            "<b class='a' total>",
            "<script>show(total)</script>",
            "<SCRIPT type='module'>total()</SCRIPT>",
            "<styled-box (click)=\"total()\">",
            "<!-- <%= @cart.total %> -->",
            "<!-- {{ total }} -->",
            "<style>a { width: <%= total %> }</style>",
            "<style>a { width: ${total} }</style>",
            "{#if x}{total}{/if}",
            "<h2>A {#id}</h2>{{ total }}",
            "{{ total",
            "<a title=\"total",
            "<a total='",
        ] {
            assert!(has_total(page), "{page}");
        }
    }

    #[test]
    fn texts_comments_and_style_are_no_code() {
        for page in [
            "<p>The total</p>",
            "total",
            "<p> a < total </p>",
            "<!-- total -->",
            "<%-- total --%>",
            "{# {{ total }} #}",
            "<style>.total { total: red }</style>",
            "<STYLE>.total { color: red }</STYLE>",
            "<b class=\"a total\" id='total'>total</b>",
            "<script>show()</script> total",
        ] {
            assert!(!has_total(page), "{page}");
        }
    }

    #[test]
    fn code_is_listed_in_order() {
        let parts = [
            "<a ", "title=\"", "'", "\"", ">", "<%", "%>", "{", "}", "{{", "{#", "#}", "<!--",
            "-->", "<style>", "</style", "<script>", "$", "é", "total", "=",
        ];
        // The multiplier and the increment of Knuth's MMIX.
        let mut state: u64 = 1;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let index = usize::try_from(state >> 33).unwrap_or_default();
            parts.get(index % parts.len()).copied().unwrap_or_default()
        };
        for _ in 0..20_000 {
            let page: String = (0..12).map(|_| next()).collect();
            let ranges = code_of(&page);
            assert!(
                ranges.is_sorted_by(|one, next| one.end <= next.start),
                "{page}"
            );
            let is_inside = ranges.iter().all(|range| range.end <= page.len());
            assert!(is_inside, "{page}");
        }
    }

    #[test]
    fn pages_without_end_are_scanned_once() {
        for part in [
            "{#",
            "<!--",
            "<a class=\"",
            "{{",
            "<%",
            "<style>",
            "<b ",
            "<script>",
        ] {
            let page = part.repeat(100_000);
            assert!(!has_code(&page, &[]));
        }
        let page = format!("<b class=\"{}\">", "total ".repeat(100_000));
        assert!(!has_total(&page));
    }
}
