//! Reads the tags of documentation comments: `@param {A} b`.
//!
//! <https://jsdoc.app> describes them; TypeScript adds `@import` and `@template`.

use super::types::{DocType, is_letter};

/// The maximum length of the type of a tag, in bytes.
const MAX_TYPE: usize = 2_000;

/// The maximum number of tags of one comment.
const MAX_TAGS: usize = 256;

/// The names of tags that have synonyms.
pub(super) const PARAM: &str = "param";
pub(super) const RETURNS: &str = "returns";
pub(super) const PROPERTY: &str = "property";

/// A tag of a documentation comment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag<'t> {
    /// `param` of `@param`, also for a synonym of it.
    pub(super) name: &'t str,
    /// The text between the braces, if there are any.
    type_text: Option<&'t str>,
    /// The text after the type, up to the next tag.
    pub(super) rest: &'t str,
}

impl<'t> Tag<'t> {
    fn parse(text: &'t str) -> Self {
        let end = text.find(|letter| !is_letter(letter));
        let (name, after) = text.split_at(end.unwrap_or(text.len()));
        let after = after.trim_start();
        let (type_text, rest) = match in_braces(after).filter(|_| name != "import") {
            Some((inside, rest)) => (Some(inside), rest),
            None => (None, after),
        };
        let name = match name {
            "arg" | "argument" => PARAM,
            "return" => RETURNS,
            "prop" => PROPERTY,
            name => name,
        };
        Self {
            name,
            type_text,
            rest: rest.trim_start(),
        }
    }

    /// Returns the type, if its syntax is known.
    pub(super) fn doc_type(&self) -> Option<DocType<'t>> {
        DocType::parse(self.type_text?)
    }

    /// Reports whether the tag has no type or the type `Object`, whose members other tags list.
    pub(super) fn is_object(&self) -> bool {
        let is_object = |text: &str| matches!(text.trim(), "Object" | "object");
        self.type_text.is_none_or(is_object)
    }

    /// Returns the name that the tag describes: `a.b` of `[a.b=1]`.
    pub(super) fn described(&self) -> &'t str {
        let text = self.rest.strip_prefix('[').unwrap_or(self.rest);
        let text = text.trim_start();
        let is_part = |letter| is_letter(letter) || letter == '.';
        let end = text.find(|letter| !is_part(letter));
        text.get(..end.unwrap_or(text.len())).unwrap_or(text)
    }
}

/// Returns the tags of a comment.
pub(super) fn tags(comment: &str) -> impl Iterator<Item = Tag<'_>> {
    let inside = comment.strip_prefix("/**").unwrap_or("");
    let inside = inside.strip_suffix("*/").unwrap_or(inside);
    let mut rest = from_tag(inside);
    let next = move || {
        let text = rest?;
        let line = text.lines().next().unwrap_or("");
        let after_type = line.find('{').and_then(|brace| {
            let (_, after) = in_braces(text.get(brace..)?)?;
            Some(text.len() - after.len())
        });
        let further = from_tag(text.get(after_type.unwrap_or(0)..).unwrap_or(""));
        let length = text.len() - further.map_or(0, |further| further.len() + 1);
        rest = further;
        Some(Tag::parse(text.get(..length).unwrap_or(text)))
    };
    std::iter::from_fn(next).take(MAX_TAGS)
}

/// Returns the text from the name of the first tag on. A tag is the first word of its line.
fn from_tag(text: &str) -> Option<&str> {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let word = line.trim_start();
        let word = word.trim_start_matches('*').trim_start();
        if let Some(tag) = word.strip_prefix('@') {
            return text.get(offset + line.len() - tag.len()..);
        }
        offset += line.len();
    }
    None
}

/// Splits a text that begins with a brace into the text up to the closing brace and the rest.
fn in_braces(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('{')?;
    let mut depth = 1_usize;
    let end = inside.bytes().take(MAX_TYPE).position(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let (inside, rest) = inside.split_at_checked(end?)?;
    Some((inside, rest.strip_prefix('}')?))
}

/// The names that `@import` binds, with what it imports: nothing for the whole module.
pub(super) struct ImportTag<'t> {
    pub(super) module: &'t str,
    pub(super) names: Vec<(&'t str, &'t str)>,
}

impl<'t> ImportTag<'t> {
    /// Parses `a, { b, c as d } from "module"` or `* as a from "module"`, as in the language itself.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let (clause, from) = text.split_once(" from ")?;
        let mut quoted = from.split(['"', '\'']);
        let module = quoted.nth(1)?;
        let (outer, inner) = clause.split_once('{').unwrap_or((clause, ""));
        let outer = outer.split(',').map(|part| (part, "default"));
        let inner = inner.split([',', '}']).map(|part| (part, ""));
        let names = outer.chain(inner).filter_map(|(part, kind)| {
            // The lines of a comment begin with `*`, too.
            let words = part.split_whitespace();
            let mut words = words.filter(|word| !matches!(*word, "*" | "type"));
            match (words.next()?, words.next_back(), kind) {
                ("as", Some(all), _) => Some((all, "")),
                (name, Some(alias), _) => Some((alias, name)),
                (alias, None, "default") => Some((alias, kind)),
                (name, None, _) => Some((name, name)),
            }
        });
        Some(Self {
            module,
            names: names.collect(),
        })
    }
}
