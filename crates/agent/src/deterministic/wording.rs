//! What the words of a question ask for, and which of them carry no meaning of their own.

use super::tokens::{Kind, Token};
use crate::plan::ResponseFormat;

/// Words for documents.
const DOCUMENTS: [&str; 22] = [
    "note",
    "notes",
    "file",
    "files",
    "document",
    "documents",
    "doc",
    "docs",
    "entry",
    "entries",
    "page",
    "pages",
    "result",
    "results",
    "heading",
    "headings",
    "section",
    "sections",
    "item",
    "items",
    "ones",
    "everything",
];

/// Words around what a question is about.
const AROUND: [&str; 69] = [
    "a",
    "about",
    "all",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "been",
    "but",
    "can",
    "concerning",
    "containing",
    "could",
    "did",
    "do",
    "does",
    "each",
    "every",
    "for",
    "from",
    "had",
    "has",
    "have",
    "having",
    "how",
    "i",
    "in",
    "into",
    "is",
    "many",
    "me",
    "mentioning",
    "mine",
    "much",
    "my",
    "of",
    "on",
    "or",
    "our",
    "please",
    "regarding",
    "related",
    "some",
    "that",
    "the",
    "there",
    "these",
    "they",
    "those",
    "thoughts",
    "to",
    "up",
    "us",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "who",
    "whose",
    "why",
    "will",
    "with",
    "you",
];

/// What is asked for, where it stands before what it is about.
const ASKING: [&str; 18] = [
    "count",
    "describe",
    "display",
    "explain",
    "fetch",
    "find",
    "get",
    "give",
    "list",
    "locate",
    "look",
    "retrieve",
    "search",
    "see",
    "show",
    "summarise",
    "summarize",
    "tell",
];

/// Words about writing, which mean nothing where the writer asks for what is written.
const WRITING: [&str; 4] = ["written", "wrote", "write", "stored"];

/// Words that ask for a list.
pub(super) const LISTING: [&str; 5] = ["list", "show", "find", "which", "count"];
const EXPLAINING: [&str; 7] = [
    "what",
    "why",
    "how",
    "explain",
    "summarise",
    "summarize",
    "describe",
];

/// Whether a word stands for documents.
pub(super) fn is_document(word: &str) -> bool {
    DOCUMENTS.contains(&word)
}

/// Whether a word names nothing: neither a tag nor a folder is called like that, unless it is quoted.
pub(super) fn is_small(word: &str) -> bool {
    word.is_empty() || is_document(word) || AROUND.contains(&word) || WRITING.contains(&word)
}

fn is_around(word: &str) -> bool {
    is_small(word) || ASKING.contains(&word)
}

/// What the answer shall hold, where the words say it. The first word that says something counts.
pub(super) fn response_format(tokens: &[Token<'_>]) -> Option<ResponseFormat> {
    let words: Vec<&str> = tokens.iter().map(|token| token.word.as_str()).collect();
    if words
        .windows(3)
        .any(|three| three == ["have", "i", "written"])
    {
        return Some(ResponseFormat::MetadataOnly);
    }
    let is_cue = |word: &&str| LISTING.contains(word) || EXPLAINING.contains(word);
    let first = words.iter().position(is_cue)?;
    let from: Vec<&str> = words.into_iter().skip(first).collect();
    let lists = match from.as_slice() {
        ["how", "many", ..] => true,
        // "Show me how" and "find out why" want to read.
        [_, "me" | "us" | "out", next, ..] | [_, next, ..] if EXPLAINING.contains(next) => false,
        [word, ..] => LISTING.contains(word),
        [] => false,
    };
    Some(if lists {
        ResponseFormat::MetadataOnly
    } else {
        ResponseFormat::SelectiveContext
    })
}

/// The words that no filter took, without those around what they are about.
pub(super) fn query(rest: &[&Token<'_>]) -> String {
    let carries = |token: &&Token<'_>| token.kind != Kind::Word || !is_around(&token.word);
    let Some(first) = rest.iter().position(carries) else {
        return String::new();
    };
    let last = rest.iter().rposition(carries).unwrap_or(first);
    let words = rest.get(first..=last).unwrap_or_default();
    let shown = words.iter().map(|token| match token.kind {
        Kind::Link | Kind::Tag => token.text,
        _ => token.whole,
    });
    shown.collect::<Vec<_>>().join(" ")
}
