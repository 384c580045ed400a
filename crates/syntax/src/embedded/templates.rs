//! Finds the code in the markup of a component: the names of other components, and expressions.
//!
//! Specifications: <https://vuejs.org/guide/essentials/template-syntax.html>,
//! <https://svelte.dev/docs/svelte/basic-markup> and
//! <https://docs.astro.build/en/reference/astro-syntax/>.

mod directives;

use std::collections::BTreeSet;
use std::ops::Range;

use self::directives::{
    Piece, PieceKind, Template, command, directive, is_of_name, named_function, names,
};
use super::blanked_text::BlankedText;

/// The templates of a framework.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Templates {
    /// Expressions stand in `{{ a }}` and in attributes such as `:a="b"` and `@click="b()"`.
    Vue,
    /// Expressions stand in `{a}`, and commands in `{#each a as b}`.
    Svelte,
    /// Expressions stand in `{a}`, and may hold markup themselves.
    Astro,
}

/// Copies the code of the markup in a range of a text.
pub(super) fn keep_code(
    templates: Templates,
    text: &str,
    markup: impl Iterator<Item = Range<usize>>,
    blanked: &mut BlankedText<'_>,
) {
    let mut template = Template::default();
    for range in markup {
        let end = range.end;
        Scanner {
            templates,
            text: text.get(..end).unwrap_or_default(),
            at: range.start,
        }
        .scan(&mut template);
    }
    for piece in &template.pieces {
        piece.keep(blanked);
    }
    for piece in &template.pieces {
        mask_names(text, &piece.code, &template.declared, blanked);
    }
}

impl Piece {
    fn keep(&self, blanked: &mut BlankedText<'_>) {
        let Range { start, end } = self.code;
        let (before, after) = match self.kind {
            PieceKind::Expression => (";", ";"),
            PieceKind::Enclosed => (";(", ")"),
            PieceKind::Statements => (";{", "}"),
        };
        blanked.put(start.saturating_sub(before.len()), before);
        blanked.put(end, after);
        blanked.keep(self.code.clone());
    }
}

/// Replaces the names that the template declares, such as `a` of `v-for="a in b"`: in the script
/// they would mean something else.
fn mask_names(
    text: &str,
    code: &Range<usize>,
    declared: &BTreeSet<&str>,
    blanked: &mut BlankedText<'_>,
) {
    for name in names(text, code.clone()) {
        let is_member = text
            .get(..name.start)
            .is_some_and(|before| before.ends_with('.'));
        if !is_member && declared.contains(text.get(name.clone()).unwrap_or_default()) {
            blanked.put(name.start, &"_".repeat(name.len()));
        }
    }
}

struct Scanner<'t> {
    templates: Templates,
    /// The text up to the end of the markup.
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn scan(&mut self, template: &mut Template<'t>) {
        while let Some(next) = memchr::memchr2(b'<', b'{', self.rest().as_bytes()) {
            self.at += next;
            let rest = self.rest();
            if rest.starts_with("<!--") {
                self.skip_past("-->");
            } else if rest.starts_with("<style") {
                self.skip_past("</style");
            } else if rest.starts_with('<') {
                self.tag(template);
            } else if self.templates == Templates::Vue {
                self.mustache(template);
            } else {
                self.braces(template);
            }
        }
    }

    fn skip_past(&mut self, end: &str) {
        let rest = self.rest();
        self.at += rest.find(end).map_or(rest.len(), |at| at + end.len());
    }

    /// Reads a tag: `<Row :item="a">`.
    fn tag(&mut self, template: &mut Template<'t>) {
        let start = self.at + 1;
        let after = self.text.get(start..).unwrap_or_default();
        let length = after
            .find(|next| !is_of_name(next) && next != '.')
            .unwrap_or(after.len());
        self.at = start + length;
        if after.starts_with(char::is_uppercase) {
            let code = start..self.at;
            template.pieces.push(Piece {
                code,
                kind: PieceKind::Expression,
            });
        }
        if !after.starts_with(char::is_alphabetic) {
            return;
        }
        while let Some(next) = self.rest().chars().next() {
            match next {
                '>' | '<' => return,
                '{' if self.templates != Templates::Vue => self.braces(template),
                next if next.is_whitespace() || next == '/' => self.at += 1,
                _ => self.attribute(template),
            }
        }
    }

    fn attribute(&mut self, template: &mut Template<'t>) {
        let rest = self.rest();
        let is_end = |next: char| next.is_whitespace() || matches!(next, '=' | '>' | '/' | '{');
        let length = rest.find(is_end).unwrap_or(rest.len()).max(1);
        let length = (length..rest.len()).find(|at| rest.is_char_boundary(*at));
        let (name, after) = rest.split_at(length.unwrap_or(rest.len()));
        self.at += name.len();
        if let Some(declared) = name.strip_prefix("let:") {
            template.declared.insert(declared);
        }
        if self.templates == Templates::Svelte {
            template.pieces.extend(named_function(name, self.at));
        }
        let Some(value) = after.strip_prefix('=') else {
            return;
        };
        self.at += 1;
        let Some(quote) = value
            .chars()
            .next()
            .filter(|first| matches!(first, '"' | '\''))
        else {
            return;
        };
        let value = value.get(1..).unwrap_or_default();
        let length = value.find(quote).unwrap_or(value.len());
        let code = self.at + 1..self.at + 1 + length;
        self.at = (code.end + 1).min(self.text.len());
        match self.templates {
            Templates::Vue => directive(name, self.text, code, template),
            // `class="a {b}"` holds expressions.
            Templates::Svelte | Templates::Astro => {
                let text = self.text.get(..code.end).unwrap_or_default();
                let mut inside = Scanner {
                    text,
                    at: code.start,
                    ..*self
                };
                while let Some(next) = memchr::memchr(b'{', inside.rest().as_bytes()) {
                    inside.at += next;
                    inside.braces(template);
                }
            }
        }
    }

    /// Reads `{{ a }}`.
    fn mustache(&mut self, template: &mut Template<'t>) {
        let start = self.at + 2;
        let is_mustache = self.rest().starts_with("{{");
        let length = self.text.get(start..).and_then(|rest| rest.find("}}"));
        self.at += 1;
        if let Some(length) = length.filter(|_| is_mustache) {
            let code = start..start + length;
            self.at = code.end + 2;
            template.pieces.push(Piece {
                code,
                kind: PieceKind::Enclosed,
            });
        } else if length.is_none() {
            self.at = self.text.len();
        }
    }

    /// Reads `{a}`.
    fn braces(&mut self, template: &mut Template<'t>) {
        let start = self.at + 1;
        let Some(length) = closing_brace(self.text.get(start..).unwrap_or_default()) else {
            self.at = self.text.len();
            return;
        };
        let code = start..start + length;
        self.at = code.end + 1;
        let code = match self.templates {
            Templates::Svelte => command(self.text, code, template),
            Templates::Vue | Templates::Astro => Some(code),
        };
        if let Some(code) = code {
            let code = after_spread(self.text, code);
            template.pieces.push(Piece {
                code,
                kind: PieceKind::Expression,
            });
        }
    }
}

/// Leaves out the dots of `...a`, which is no expression.
fn after_spread(text: &str, code: Range<usize>) -> Range<usize> {
    let value = text.get(code.clone()).unwrap_or_default();
    let rest = value.trim_start().strip_prefix("...");
    rest.map_or(code.clone(), |rest| code.end - rest.len()..code.end)
}

/// Returns the offset of the brace that closes one before the text.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0;
    memchr::memchr2_iter(b'{', b'}', text.as_bytes()).find(|at| {
        let is_closing = text.as_bytes().get(*at) == Some(&b'}');
        if is_closing && depth == 0 {
            return true;
        }
        depth += if is_closing { -1 } else { 1 };
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(templates: Templates, text: &str, expected: &str) {
        let mut blanked = BlankedText::new(text);
        keep_code(
            templates,
            text,
            std::iter::once(0..text.len()),
            &mut blanked,
        );
        let code = blanked.finish().unwrap_or_default();
        let words: Vec<&str> = code.split_whitespace().collect();
        assert_eq!(
            (words.join(" ").as_str(), code.len()),
            (expected, text.len())
        );
    }

    #[test]
    fn expressions_of_vue() {
        check(
            Templates::Vue,
            "<p :a=\"b\" c=\"d\" @e=\"f(); g\">{{ h }}</p>",
            ";(b) ;{f(); g} ;( h )",
        );
        check(
            Templates::Vue,
            "<Row v-if='a'/><!-- {{ b }} --><x-y/>",
            ";Row; ;(a)",
        );
        check(
            Templates::Vue,
            "<p v-for=\"(a, i) in b\" :c=\"a.i\">{{ d(a) }}",
            ";(b) ;(_.i) ;( d(_) )",
        );
        check(Templates::Vue, "{ a } {{ b", "");
    }

    #[test]
    fn expressions_of_svelte() {
        check(
            Templates::Svelte,
            "<A b={c} d=\"e {f}\" {...g} {h}>{i}",
            ";A; ;c; ;f; ;g; ;h; ;i;",
        );
        check(
            Templates::Svelte,
            "{#each a as b}{c(b)}{/each}{#if d}{:else if e}{/if}",
            ";a; ;c(_); ;d; ;e;",
        );
        check(
            Templates::Svelte,
            "<p use:a use:b.c={d} transition:e|local in:f out:use on:g>",
            ";a; ;b.c;;d; ;e; ;f; ;use;",
        );
        check(Templates::Svelte, "<style>p { a }</style>{{ a", "");
    }

    #[test]
    fn expressions_of_astro() {
        check(
            Templates::Astro,
            "<ul>{a.map((b) => <li>{b}</li>)}</ul>",
            ";a.map((b) => <li>{b}</li>);",
        );
    }
}
