//! Reads the tags of documentation comments: `@param {A} b`.
//!
//! <https://jsdoc.app> describes them; TypeScript adds `@import` and `@template`.

use super::types::{DocType, is_letter};

/// The maximum length of the type of a tag, in bytes.
const MAX_TYPE: usize = 8_000;

/// The maximum number of tags of one comment.
const MAX_TAGS: usize = 256;

/// The names of tags that have synonyms.
pub(super) const PARAM: &str = "param";
pub(super) const RETURNS: &str = "returns";
pub(super) const PROPERTY: &str = "property";

/// The tags whose braces hold a type.
const TYPED: [&str; 17] = [
    "augments",
    "enum",
    "exception",
    "extends",
    "implements",
    "member",
    PARAM,
    PROPERTY,
    RETURNS,
    "satisfies",
    "template",
    "this",
    "throws",
    "type",
    "typedef",
    "var",
    "yields",
];

/// A tag of a documentation comment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag<'t> {
    /// The name without `@`. A synonym has the usual name: `param` for `@arg`.
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
        let name = match name {
            "arg" | "argument" => PARAM,
            "return" => RETURNS,
            "prop" => PROPERTY,
            name => name,
        };
        let (type_text, rest) = match in_braces(after).filter(|_| TYPED.contains(&name)) {
            Some((inside, rest)) => (Some(inside), rest),
            None => (None, after),
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

    /// Returns the name that the tag describes: `a.b` of `[a.b=1]`, `a[].b` of a member of
    /// elements.
    pub(super) fn described(&self) -> &'t str {
        let optional = self.rest.strip_prefix('[');
        let text = optional.unwrap_or(self.rest).trim_start();
        let end = text.find(|letter: char| letter.is_whitespace() || letter == '=');
        let name = text.get(..end.unwrap_or(text.len())).unwrap_or(text);
        match optional {
            Some(_) => name.strip_suffix(']').unwrap_or(name),
            None => name,
        }
    }

    /// Returns the names of `@template A, [B=C] description`.
    pub(super) fn described_names(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        let mut is_last = false;
        let names = self.rest.split(',').take_while(move |part| {
            let is_taken = !is_last;
            is_last = part.split_whitespace().count() > 1;
            is_taken
        });
        names.filter_map(|part| {
            let name = part.split_whitespace().next()?.trim_start_matches('[');
            let end = name.find(|letter| !is_letter(letter));
            name.get(..end.unwrap_or(name.len()))
        })
    }

    /// Reports whether the tags that follow describe something else than the code after the
    /// comment.
    pub(super) fn begins_another(&self) -> bool {
        matches!(self.name, "callback" | "overload" | "typedef")
    }
}

/// Returns the tags of a comment.
pub(super) fn tags(comment: &str) -> impl Iterator<Item = Tag<'_>> {
    let inside = comment.strip_prefix("/**").unwrap_or("");
    let inside = inside.strip_suffix("*/").unwrap_or(inside);
    let mut rest = from_tag(inside);
    let next = move || {
        let text = rest?;
        let after_name = text.trim_start_matches(is_letter).trim_start();
        let after_type = in_braces(after_name).map(|(_, after)| text.len() - after.len());
        let further = from_tag(text.get(after_type.unwrap_or(0)..).unwrap_or(""));
        let length = text.len() - further.map_or(0, |further| further.len() + 1);
        rest = further;
        Some(Tag::parse(text.get(..length).unwrap_or(text)))
    };
    std::iter::from_fn(next).take(MAX_TAGS)
}

/// Returns the text from the name of the first tag on. A tag begins a line or follows a blank.
fn from_tag(text: &str) -> Option<&str> {
    let is_tag = |&(at, _): &(usize, &str)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + 1..).unwrap_or("");
        let is_separate = |letter: char| letter.is_whitespace() || letter == '*';
        before.is_none_or(is_separate) && after.starts_with(char::is_alphabetic)
    };
    let (at, _) = text.match_indices('@').find(is_tag)?;
    text.get(at + 1..)
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

/// A name that `@import` binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImportedName<'t> {
    /// `a` of `a from "module"`.
    Default(&'t str),
    /// `a` of `* as a from "module"`.
    Module(&'t str),
    /// `{ a as b } from "module"`.
    Member { name: &'t str, alias: &'t str },
}

/// What `@import` imports from a module.
pub(super) struct ImportTag<'t> {
    pub(super) module: &'t str,
    pub(super) names: Vec<ImportedName<'t>>,
}

impl<'t> ImportTag<'t> {
    /// Parses `a, { b, c as d } from "module"` or `* as a from "module"`, as in the language
    /// itself.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let (clause, from) = text.split_once(" from ")?;
        let mut quoted = from.split(['"', '\'']);
        let module = quoted.nth(1)?;
        let (outer, inner) = clause.split_once('{').unwrap_or((clause, ""));
        let outer = outer.split(',').filter_map(|part| {
            Some(match first_and_last(part)? {
                ("as", Some(all)) => ImportedName::Module(all),
                (name, _) => ImportedName::Default(name),
            })
        });
        let inner = inner.split([',', '}']).filter_map(|part| {
            let (name, alias) = first_and_last(part)?;
            let alias = alias.unwrap_or(name);
            Some(ImportedName::Member { name, alias })
        });
        Some(Self {
            module,
            names: outer.chain(inner).collect(),
        })
    }
}

/// Returns the first and the last word of a part of an import. The lines of a comment begin with
/// `*`, too.
fn first_and_last(part: &str) -> Option<(&str, Option<&str>)> {
    let words = part.split_whitespace();
    let mut words = words.filter(|word| !matches!(*word, "*" | "type"));
    Some((words.next()?, words.next_back()))
}
