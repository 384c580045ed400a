//! Stop words, and the words that state the response format.

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

/// Stop words around the topic of a question.
const STOP_WORDS: [&str; 69] = [
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

/// Verbs of a request, before its topic.
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

/// Words about writing, which carry no meaning in "what have I written".
const WRITING: [&str; 4] = ["written", "wrote", "write", "stored"];

/// Words that request a list.
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

/// Reports whether a word stands for documents.
pub(super) fn is_document(word: &str) -> bool {
    DOCUMENTS.contains(&word)
}

/// Reports whether a word is a stop word, which no unquoted tag or folder can be.
pub(super) fn is_stop_word(word: &str) -> bool {
    word.is_empty() || is_document(word) || STOP_WORDS.contains(&word) || WRITING.contains(&word)
}

fn is_filler(word: &str) -> bool {
    is_stop_word(word) || ASKING.contains(&word)
}

/// Returns the response format that the words state. The first such word decides.
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
        // "show me how" and "find out why" ask for text.
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

/// Returns the query: the tokens that no rule consumed, without stop words at both ends.
pub(super) fn build_query(rest: &[&Token<'_>]) -> String {
    let carries = |token: &&Token<'_>| token.kind != Kind::Word || !is_filler(&token.word);
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
