//! Tokenizing a question into words, quoted phrases, `[[links]]`, `#tags` and `field:value`.

/// The longest quoted phrase, in bytes. A quote without an end is not a quote.
const MAX_QUOTED: usize = 300;

/// Opening quotes and their closing quotes.
const QUOTES: [(char, char); 6] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('‘', '’'),
    ('«', '»'),
];

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, with punctuation inside it.
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

/// A token of a question.
#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    /// The word without surrounding punctuation, the text in quotes or brackets, or the value of a
    /// pair.
    pub(super) text: &'a str,
    /// The name before the colon of a pair.
    pub(super) name: &'a str,
    /// The word in lower case, without a possessive `'s`; empty for other kinds.
    pub(super) word: String,
    /// The whole token, with punctuation.
    pub(super) whole: &'a str,
    /// Whether a comma follows.
    pub(super) has_comma: bool,
}

/// Tokenizes a question. `is_name` reports which names before a colon make a pair.
pub(super) fn tokenize<'a>(question: &'a str, is_name: impl Fn(&str) -> bool) -> Vec<Token<'a>> {
    let mut tokens: Vec<Token<'a>> = Vec::new();
    let mut rest = question.trim_start();
    while !rest.is_empty() {
        let (found, len) = parse_marked(rest)
            .or_else(|| parse_pair(rest, &is_name))
            .unwrap_or_else(|| parse_word(rest));
        // Punctuation alone, as behind a closing quote, is not a token.
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

type ParsedToken<'a> = (Option<Token<'a>>, usize);

fn build_token<'a>(kind: Kind, name: &'a str, text: &'a str, whole: &'a str) -> ParsedToken<'a> {
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

/// Parses a quoted phrase, a link or a tag at the start of a text.
fn parse_marked(rest: &str) -> Option<ParsedToken<'_>> {
    if let Some((text, len)) = parse_quoted(rest) {
        return Some(build_token(Kind::Quoted, "", text, rest.get(..len)?));
    }
    if let Some((text, len)) = parse_link(rest) {
        return Some(build_token(Kind::Link, "", text, rest.get(..len)?));
    }
    let tag = parse_tag(rest)?;
    Some(build_token(Kind::Tag, "", tag, rest.get(..=tag.len())?))
}

fn parse_quoted(rest: &str) -> Option<(&str, usize)> {
    let first = rest.chars().next()?;
    let (open, close) = QUOTES.into_iter().find(|(open, _)| *open == first)?;
    let inside = rest.get(open.len_utf8()..)?;
    let ends = inside
        .match_indices(close)
        .take_while(|(at, _)| *at <= MAX_QUOTED);
    // An apostrophe inside a word closes no quote.
    let closes = |at: &usize| {
        let behind = inside.get(at + close.len_utf8()..).unwrap_or_default();
        !behind.starts_with(char::is_alphanumeric)
    };
    let end = ends.map(|(at, _)| at).find(closes)?;
    let text = inside.get(..end)?.trim();
    let len = open.len_utf8() + end + close.len_utf8();
    (!text.is_empty() && !text.contains('\n')).then_some((text, len))
}

/// Parses a link and returns its target, without the heading and the alias.
fn parse_link(rest: &str) -> Option<(&str, usize)> {
    let inside = rest.strip_prefix("[[")?;
    let end = inside.find("]]").filter(|end| *end <= MAX_QUOTED)?;
    let text = inside.get(..end)?;
    let target = text.split(['|', '#']).next()?.trim();
    (!target.is_empty()).then_some((target, end + 4))
}

/// Parses a tag, which must have a letter: `#12` is a number.
fn parse_tag(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix('#')?;
    let fits = |letter: char| letter.is_alphanumeric() || "_-/".contains(letter);
    let end = inside.find(|letter| !fits(letter)).unwrap_or(inside.len());
    let tag = inside.get(..end)?.trim_end_matches(['/', '-']);
    tag.contains(char::is_alphabetic).then_some(tag)
}

fn parse_pair(rest: &str, is_name: impl Fn(&str) -> bool) -> Option<ParsedToken<'_>> {
    let end = rest.find(|letter: char| !(letter.is_alphanumeric() || "_-".contains(letter)))?;
    let (name, behind) = rest.split_at_checked(end)?;
    let value = behind.strip_prefix(':')?;
    if !is_name(name.trim_start_matches('-')) {
        return None;
    }
    let marked = parse_quoted(value)
        .or_else(|| parse_link(value))
        .or_else(|| parse_tag(value).map(|tag| (tag, tag.len() + 1)));
    let (text, len) = marked.unwrap_or_else(|| {
        let len = value.find(char::is_whitespace).unwrap_or(value.len());
        let text = value.get(..len).unwrap_or_default();
        (text.trim_end_matches(['.', ',', ';', '!', '?', ')']), len)
    });
    (!text.is_empty()).then_some(())?;
    Some(build_token(
        Kind::Pair,
        name,
        text,
        rest.get(..end + 1 + len)?,
    ))
}

fn parse_word(rest: &str) -> ParsedToken<'_> {
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
