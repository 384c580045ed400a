//! The rules for tags, links and heading levels.

use super::cursor::{Cursor, RuleMatch};
use super::tokens::Kind;
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

/// Parses `#tag`, "tagged X" and "with the tag X", also with several values.
pub(super) fn match_tag(cursor: &Cursor<'_>) -> Option<RuleMatch> {
    let field = cursor.field(Role::Tags)?;
    let negated = cursor.skip(0, &NOT);
    let mut at = negated;
    let is_marked = cursor.is(at, Kind::Tag);
    if !is_marked {
        at += count_lead_words(&cursor.ahead(at))?;
    }
    let (values, joined, used) = parse_values(&cursor.ahead(at), is_marked)?;
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
    Some(RuleMatch {
        used: at + used,
        filters,
        is_explicit: is_marked,
    })
}

/// Returns the number of words that lead to a tag: "tagged with", "with the tag".
fn count_lead_words(cursor: &Cursor<'_>) -> Option<usize> {
    const TAG: [&str; 4] = ["tag", "tags", "hashtag", "hashtags"];
    if cursor.word(0) == "tagged" {
        let with = 1 + cursor.skip(1, &["with", "as", "by"]);
        let the = with + cursor.skip(with, &["the"]);
        return Some(the + cursor.skip(the, &TAG));
    }
    if ["with", "having", "has", "have", "by", "the"].contains(&cursor.word(0))
        || cursor.before() == "without"
    {
        let the = cursor.skip(0, &["with", "having", "has", "have", "by"]);
        let the = the + cursor.skip(the, &["the", "a"]);
        return TAG.contains(&cursor.word(the)).then_some(the + 1);
    }
    let is_named =
        TAG.contains(&cursor.word(0)) && (cursor.is(1, Kind::Quoted) || cursor.is(1, Kind::Tag));
    is_named.then_some(1)
}

/// Parses values joined by commas, "and" or "or". Returns the values, the conjunction and the
/// number of tokens.
fn parse_values(
    cursor: &Cursor<'_>,
    is_marked: bool,
) -> Option<(Vec<String>, &'static str, usize)> {
    let mut values = vec![parse_value(cursor, 0, is_marked)?];
    let mut joined = "";
    let mut used = 1;
    loop {
        let has_comma = cursor.token(used - 1).is_some_and(|token| token.has_comma);
        let word = match cursor.word(used) {
            "or" => "or",
            "and" => "and",
            _ => "",
        };
        let next = used + usize::from(!word.is_empty());
        let fits = (has_comma || !word.is_empty())
            && (joined.is_empty() || word.is_empty() || joined == word);
        // A list of unquoted words ends at the next clause: "tagged rag and notes about …".
        let Some(value) = parse_value(cursor, next, is_marked).filter(|_| fits) else {
            return Some((values, joined, used));
        };
        if !word.is_empty() {
            joined = word;
        }
        values.push(value);
        used = next + 1;
    }
}

fn parse_value(cursor: &Cursor<'_>, ahead: usize, is_marked: bool) -> Option<String> {
    let token = cursor.token(ahead)?;
    let fits = match token.kind {
        Kind::Tag => true,
        Kind::Quoted => !is_marked,
        Kind::Word => {
            !is_marked && !wording::is_stop_word(&token.word) && !begins_another(&token.word)
        }
        Kind::Link | Kind::Pair => false,
    };
    fits.then(|| token.text.trim_start_matches('#').to_owned())
}

/// Reports whether a word probably begins another filter.
fn begins_another(word: &str) -> bool {
    [
        "created", "modified", "changed", "edited", "updated", "since", "before", "after",
        "between", "linking", "under", "inside", "within", "during", "level", "not", "without",
        "tagged", "last", "this",
    ]
    .contains(&word)
}

/// Parses `[[link]]` with the words that lead to it.
pub(super) fn match_link(cursor: &Cursor<'_>) -> Option<RuleMatch> {
    let field = cursor.field(Role::Links)?;
    let negated = cursor.skip(0, &NOT);
    let mut at = negated;
    while at < 8 && LINKING.contains(&cursor.word(at)) {
        at += 1;
    }
    let names_link = at > 0 && ["wikilink", "wikilinks"].contains(&cursor.word(at - 1));
    let token = cursor.token(at)?;
    let is_named = token.kind == Kind::Quoted
        || (token.kind == Kind::Word && !wording::is_stop_word(&token.word));
    if token.kind != Kind::Link && !(names_link && is_named) {
        return None;
    }
    let operator = match (field.kind, negated) {
        (FieldType::StringList, 0) => "contains",
        (FieldType::StringList, _) => "not_contains",
        (_, 0) => "eq",
        _ => "ne",
    };
    Some(RuleMatch {
        used: at + 1,
        filters: vec![DraftFilter::new(&field.name, operator, token.text)],
        is_explicit: token.kind == Kind::Link,
    })
}

/// Parses "level 2", "level-2 headings", "h2 headings" and "top-level headings".
pub(super) fn match_level(cursor: &Cursor<'_>) -> Option<RuleMatch> {
    let field = cursor.field(Role::Level)?;
    let of_heading = [
        "heading", "headings", "header", "headers", "section", "sections",
    ];
    let first = cursor.word(0);
    let (level, used) = if let Some(level) = first.strip_prefix("level-").and_then(parse_count) {
        (level, 1)
    } else if first == "level" {
        (parse_count(cursor.word(1))?, 2)
    } else if of_heading.contains(&first) && cursor.word(1) == "level" {
        (parse_count(cursor.word(2))?, 3)
    } else {
        let named = first.strip_suffix("-level").and_then(parse_ordinal);
        let level = named.or_else(|| first.strip_prefix('h').and_then(parse_count))?;
        of_heading.contains(&cursor.word(1)).then_some((level, 1))?
    };
    Some(RuleMatch {
        used: used + cursor.skip(used, &of_heading),
        filters: vec![DraftFilter::new(&field.name, "eq", level)],
        is_explicit: false,
    })
}

fn parse_count(word: &str) -> Option<u32> {
    let named = ["one", "two", "three", "four", "five", "six"];
    let at = named.iter().position(|known| *known == word);
    let level = at
        .and_then(|at| u32::try_from(at + 1).ok())
        .or_else(|| word.parse().ok());
    level.filter(|level| (1..=6).contains(level))
}

fn parse_ordinal(word: &str) -> Option<u32> {
    let named = ["first", "second", "third", "fourth", "fifth", "sixth"];
    let at = named.iter().position(|known| *known == word);
    let top = (word == "top").then_some(0);
    u32::try_from(top.or(at)? + 1).ok()
}
