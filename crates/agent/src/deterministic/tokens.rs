//! A question in pieces: words, quoted phrases, `[[links]]`, `#tags` and `field:value`.

/// Longest quoted phrase, in bytes: a quote that is never closed is no quote.
const MAX_QUOTED: usize = 300;

/// Quotes that open and those that close them.
const QUOTES: [(char, char); 6] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('‘', '’'),
    ('«', '»'),
];

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, with the signs inside it.
    Word,
    /// A phrase in quotes.
    Quoted,
    /// `[[target]]`.
    Link,
    /// `#tag`.
    Tag,
    /// `name:value`; the value may be quoted or a link.
    Pair,
}

/// A piece of a question.
#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    /// A word without the signs around it, what is in the quotes or brackets, the value of a pair.
    pub(super) text: &'a str,
    /// The name before a pair's colon.
    pub(super) name: &'a str,
    /// A word in lower case, without a possessive's ending; empty for everything else.
    pub(super) word: String,
    /// All of it, signs included.
    pub(super) whole: &'a str,
    /// Whether a comma comes behind it.
    pub(super) has_comma: bool,
}

/// The pieces of a question. `is_name` says which names before a colon make a pair.
pub(super) fn tokens<'a>(question: &'a str, is_name: impl Fn(&str) -> bool) -> Vec<Token<'a>> {
    let mut tokens: Vec<Token<'a>> = Vec::new();
    let mut rest = question.trim_start();
    while !rest.is_empty() {
        let (found, len) = marked(rest)
            .or_else(|| pair(rest, &is_name))
            .unwrap_or_else(|| word(rest));
        // Signs alone, as those behind a closing quote, are no piece of their own.
        let has_comma = rest.get(..len).is_some_and(|signs| signs.contains(','));
        if let Some(token) = found {
            tokens.push(token);
        } else if let Some(last) = tokens.last_mut() {
            last.has_comma |= has_comma;
        }
        rest = rest.get(len.max(1)..).unwrap_or_default().trim_start();
    }
    tokens
}

type Found<'a> = (Option<Token<'a>>, usize);

fn token<'a>(kind: Kind, name: &'a str, text: &'a str, whole: &'a str) -> Found<'a> {
    let token = Token {
        kind,
        text,
        name,
        word: String::new(),
        whole,
        has_comma: false,
    };
    (Some(token), whole.len())
}

/// A quoted phrase, a link or a tag at the beginning of a text.
fn marked(rest: &str) -> Option<Found<'_>> {
    if let Some((text, len)) = quoted(rest) {
        return Some(token(Kind::Quoted, "", text, rest.get(..len)?));
    }
    if let Some((text, len)) = link(rest) {
        return Some(token(Kind::Link, "", text, rest.get(..len)?));
    }
    let tag = tag(rest)?;
    Some(token(Kind::Tag, "", tag, rest.get(..=tag.len())?))
}

fn quoted(rest: &str) -> Option<(&str, usize)> {
    let first = rest.chars().next()?;
    let (open, close) = QUOTES.into_iter().find(|(open, _)| *open == first)?;
    let inside = rest.get(open.len_utf8()..)?;
    let ends = inside
        .match_indices(close)
        .take_while(|(at, _)| *at <= MAX_QUOTED);
    // An apostrophe inside a word closes nothing.
    let closes = |at: &usize| {
        let behind = inside.get(at + close.len_utf8()..).unwrap_or_default();
        !behind.starts_with(char::is_alphanumeric)
    };
    let end = ends.map(|(at, _)| at).find(closes)?;
    let text = inside.get(..end)?.trim();
    let len = open.len_utf8() + end + close.len_utf8();
    (!text.is_empty() && !text.contains('\n')).then_some((text, len))
}

/// The note that a link leads to, without the heading and the words that are shown for it.
fn link(rest: &str) -> Option<(&str, usize)> {
    let inside = rest.strip_prefix("[[")?;
    let end = inside.find("]]").filter(|end| *end <= MAX_QUOTED)?;
    let text = inside.get(..end)?;
    let target = text.split(['|', '#']).next()?.trim();
    (!target.is_empty()).then_some((target, end + 4))
}

/// A tag has a letter: `#12` is the number of something.
fn tag(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix('#')?;
    let fits = |letter: char| letter.is_alphanumeric() || "_-/".contains(letter);
    let end = inside.find(|letter| !fits(letter)).unwrap_or(inside.len());
    let tag = inside.get(..end)?.trim_end_matches(['/', '-']);
    tag.contains(char::is_alphabetic).then_some(tag)
}

fn pair(rest: &str, is_name: impl Fn(&str) -> bool) -> Option<Found<'_>> {
    let end = rest.find(|letter: char| !(letter.is_alphanumeric() || "_-".contains(letter)))?;
    let (name, behind) = rest.split_at_checked(end)?;
    let value = behind.strip_prefix(':')?;
    if !is_name(name.trim_start_matches('-')) {
        return None;
    }
    let marked = quoted(value)
        .or_else(|| link(value))
        .or_else(|| tag(value).map(|tag| (tag, tag.len() + 1)));
    let (text, len) = marked.unwrap_or_else(|| {
        let len = value.find(char::is_whitespace).unwrap_or(value.len());
        let text = value.get(..len).unwrap_or_default();
        (text.trim_end_matches(['.', ',', ';', '!', '?', ')']), len)
    });
    (!text.is_empty()).then_some(())?;
    Some(token(Kind::Pair, name, text, rest.get(..end + 1 + len)?))
}

fn word(rest: &str) -> Found<'_> {
    let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let whole = rest.get(..len).unwrap_or_default();
    let inner = whole.trim_start_matches(['(', '[', '{', '"', '\'', '“', '‘', ',', '¿', '¡']);
    let text = inner.trim_end_matches([
        '.', ',', ';', ':', '!', '?', ')', ']', '}', '"', '\'', '”', '’', '…',
    ]);
    if text.is_empty() {
        return (None, len);
    }
    let behind = inner.get(text.len()..).unwrap_or_default();
    let lower = text.to_lowercase();
    let bare = lower
        .strip_suffix("'s")
        .or_else(|| lower.strip_suffix("’s"));
    let token = Token {
        kind: Kind::Word,
        text,
        name: "",
        word: bare.unwrap_or(&lower).to_owned(),
        whole: text,
        has_comma: behind.contains(','),
    };
    (Some(token), len)
}
