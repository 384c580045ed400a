//! Tags, links and levels of headings.

use super::tokens::Kind;
use super::view::{Claim, View};
use super::wording;
use crate::catalogue::{FieldType, Role};
use crate::draft::DraftFilter;

const NOT: [&str; 3] = ["not", "without", "excluding"];

/// Words that may stand between a document and its link.
const LINKING: [&str; 21] = [
    "containing",
    "contains",
    "contain",
    "with",
    "having",
    "has",
    "linking",
    "links",
    "linked",
    "link",
    "referencing",
    "references",
    "mentioning",
    "mentions",
    "that",
    "which",
    "the",
    "a",
    "to",
    "wikilink",
    "wikilinks",
];

/// `#tag`, "tagged X", "with the tag X", and several of them.
pub(super) fn tag(view: &View<'_>) -> Option<Claim> {
    let field = view.field(Role::Tags)?;
    let negated = view.skip(0, &NOT);
    let mut at = negated;
    let is_marked = view.is(at, Kind::Tag);
    if !is_marked {
        at += lead(&view.ahead(at))?;
    }
    let (values, joined, used) = listed(&view.ahead(at), is_marked)?;
    let is_negated = negated > 0;
    let single = |value: &String| {
        let operator = match (field.kind, is_negated) {
            (FieldType::StringList, false) => "contains",
            (FieldType::StringList, true) => "not_contains",
            (_, false) => "eq",
            (_, true) => "ne",
        };
        DraftFilter::new(&field.name, operator, value.as_str())
    };
    let filters = match (joined, is_negated) {
        ("or", false) => vec![DraftFilter::new(&field.name, "in", values)],
        _ => values.iter().map(single).collect(),
    };
    Some(Claim {
        used: at + used,
        filters,
        is_explicit: is_marked,
    })
}

/// How many words lead to a tag: "tagged with", "with the tag".
fn lead(view: &View<'_>) -> Option<usize> {
    const TAG: [&str; 4] = ["tag", "tags", "hashtag", "hashtags"];
    if view.word(0) == "tagged" {
        let with = 1 + view.skip(1, &["with", "as", "by"]);
        let the = with + view.skip(with, &["the"]);
        return Some(the + view.skip(the, &TAG));
    }
    if ["with", "having", "has", "have", "by", "the"].contains(&view.word(0))
        || view.before() == "without"
    {
        let the = view.skip(0, &["with", "having", "has", "have", "by"]);
        let the = the + view.skip(the, &["the", "a"]);
        return TAG.contains(&view.word(the)).then_some(the + 1);
    }
    let is_named =
        TAG.contains(&view.word(0)) && (view.is(1, Kind::Quoted) || view.is(1, Kind::Tag));
    is_named.then_some(1)
}

/// Values joined by commas, "and" or "or": the values, what joins them, and how many pieces they are.
fn listed(view: &View<'_>, is_marked: bool) -> Option<(Vec<String>, &'static str, usize)> {
    let mut values = vec![value(view, 0, is_marked)?];
    let mut joined = "";
    let mut used = 1;
    loop {
        let has_comma = view.token(used - 1).is_some_and(|token| token.has_comma);
        let word = match view.word(used) {
            "or" => "or",
            "and" => "and",
            _ => "",
        };
        let next = used + usize::from(!word.is_empty());
        let fits = (has_comma || !word.is_empty())
            && (joined.is_empty() || word.is_empty() || joined == word);
        // What words alone name ends where the question goes on: "tagged rag and notes about …".
        let Some(value) = value(view, next, is_marked).filter(|_| fits) else {
            return Some((values, joined, used));
        };
        if !word.is_empty() {
            joined = word;
        }
        values.push(value);
        used = next + 1;
    }
}

fn value(view: &View<'_>, ahead: usize, is_marked: bool) -> Option<String> {
    let token = view.token(ahead)?;
    let fits = match token.kind {
        Kind::Tag => true,
        Kind::Quoted => !is_marked,
        Kind::Word => !is_marked && !wording::is_small(&token.word) && !begins_another(&token.word),
        Kind::Link | Kind::Pair => false,
    };
    fits.then(|| token.text.trim_start_matches('#').to_owned())
}

/// Whether a word is likely the beginning of another filter.
fn begins_another(word: &str) -> bool {
    [
        "created", "modified", "changed", "edited", "updated", "since", "before", "after",
        "between", "linking", "under", "inside", "within", "during", "level", "not", "without",
        "tagged", "last", "this",
    ]
    .contains(&word)
}

/// `[[link]]`, with the words that lead to it.
pub(super) fn link(view: &View<'_>) -> Option<Claim> {
    let field = view.field(Role::Links)?;
    let negated = view.skip(0, &NOT);
    let mut at = negated;
    while at < 8 && LINKING.contains(&view.word(at)) {
        at += 1;
    }
    let names_link = at > 0 && ["wikilink", "wikilinks"].contains(&view.word(at - 1));
    let token = view.token(at)?;
    let is_named =
        token.kind == Kind::Quoted || (token.kind == Kind::Word && !wording::is_small(&token.word));
    if token.kind != Kind::Link && !(names_link && is_named) {
        return None;
    }
    let operator = match (field.kind, negated) {
        (FieldType::StringList, 0) => "contains",
        (FieldType::StringList, _) => "not_contains",
        (_, 0) => "eq",
        _ => "ne",
    };
    Some(Claim {
        used: at + 1,
        filters: vec![DraftFilter::new(&field.name, operator, token.text)],
        is_explicit: token.kind == Kind::Link,
    })
}

/// "level 2", "level-2 headings", "h2 headings", "top-level headings".
pub(super) fn level(view: &View<'_>) -> Option<Claim> {
    let field = view.field(Role::Level)?;
    let of_heading = [
        "heading", "headings", "header", "headers", "section", "sections",
    ];
    let first = view.word(0);
    let (level, used) = if let Some(level) = first.strip_prefix("level-").and_then(count) {
        (level, 1)
    } else if first == "level" {
        (count(view.word(1))?, 2)
    } else if of_heading.contains(&first) && view.word(1) == "level" {
        (count(view.word(2))?, 3)
    } else {
        let named = first.strip_suffix("-level").and_then(ordinal);
        let level = named.or_else(|| first.strip_prefix('h').and_then(count))?;
        of_heading.contains(&view.word(1)).then_some((level, 1))?
    };
    Some(Claim {
        used: used + view.skip(used, &of_heading),
        filters: vec![DraftFilter::new(&field.name, "eq", level)],
        is_explicit: false,
    })
}

fn count(word: &str) -> Option<u32> {
    let named = ["one", "two", "three", "four", "five", "six"];
    let at = named.iter().position(|known| *known == word);
    let level = at
        .and_then(|at| u32::try_from(at + 1).ok())
        .or_else(|| word.parse().ok());
    level.filter(|level| (1..=6).contains(level))
}

fn ordinal(word: &str) -> Option<u32> {
    let named = ["first", "second", "third", "fourth", "fifth", "sixth"];
    let at = named.iter().position(|known| *known == word);
    let top = (word == "top").then_some(0);
    u32::try_from(top.or(at)? + 1).ok()
}
