//! From what a language model wrote to the plan in it, where there is one.
//!
//! Models write JSON in fences, in prose, in single quotes, twice, or half. The text is read by a reader that goes on where JSON would
//! stop, and every object in it is held against a plan; the one that is most like one wins. Two different ones that are alike,
//! and a text without any, are an error and no plan: a wrong plan is worse than none, since the deterministic one is at hand.
//! Of a text that was cut, only what is whole is taken, and as much of the query as there is.
//!
//! Source: seed `micro-agent`, section 1, "Fallback to manual JSON parsing"; the kinds are those that models' texts and the issue lists of the repairing libraries show.

mod drafts;
mod letters;
mod reader;
mod strict;
mod strings;
mod words;

use std::collections::BTreeSet;

use self::drafts::{Candidate, candidate};
use self::letters::is_plan_key;
use self::reader::{Node, Reader, TooDeep};
use super::draft::Repaired;
use super::plan::Repair;
use ragnav_base::error::{ErrorCode, RagnavError};

/// Longest text that is read, in bytes.
pub const MAX_TEXT: usize = 256 * 1024;

/// How often JSON may stand in a string inside JSON.
const MAX_ENCODED: usize = 2;

/// The plan in a model's text.
///
/// Time grows linearly with the text; objects and lists are read 64 deep, and [`MAX_TEXT`] bytes of text.
///
/// # Errors
/// `PLAN_FAILED` where the text holds no plan, two different ones, or is over a limit.
pub fn plan_from_text(text: &str) -> Result<Repaired, RagnavError> {
    if text.len() > MAX_TEXT {
        return Err(failed(format!("the text is longer than {MAX_TEXT} bytes")));
    }
    let mut around = BTreeSet::new();
    let bare =
        without_thoughts(text).ok_or_else(|| failed("the text is thoughts without an end"))?;
    if bare.len() < text.len() {
        around.insert(Repair::Thoughts);
    }
    let letters: Vec<char> = bare.trim().chars().collect();
    let mut candidates = Vec::new();
    let too_deep = |_: TooDeep| {
        failed(format!(
            "the text is nested deeper than {}",
            reader::MAX_DEPTH
        ))
    };
    search(&letters, 0, &around, &mut candidates).map_err(too_deep)?;
    if candidates.is_empty() {
        without_braces(&letters, &around, &mut candidates).map_err(too_deep)?;
    }
    best(candidates)
}

fn failed(message: impl Into<String>) -> RagnavError {
    RagnavError::new(ErrorCode::PlanFailed, message)
}

/// What stands behind a block of thoughts; `None` where the block has no end.
fn without_thoughts(text: &str) -> Option<&str> {
    const TAGS: [(&str, &str); 4] = [
        ("<think>", "</think>"),
        ("<thinking>", "</thinking>"),
        ("<thought>", "</thought>"),
        ("<reasoning>", "</reasoning>"),
    ];
    let trimmed = text.trim_start();
    for (open, close) in TAGS {
        if let Some(inside) = trimmed.strip_prefix(open) {
            return inside.split_once(close).map(|(_, behind)| behind);
        }
    }
    // Some templates open the block before the model begins to write.
    if trimmed.starts_with(['{', '`', '[', '"']) {
        return Some(text);
    }
    let closed = TAGS.iter().find_map(|(_, close)| text.split_once(close));
    Some(closed.map_or(text, |(_, behind)| behind))
}

/// Reads every object of a text, and the text in its strings.
fn search(
    letters: &[char],
    encoded: usize,
    around: &BTreeSet<Repair>,
    candidates: &mut Vec<Candidate>,
) -> Result<(), TooDeep> {
    let mut at = 0;
    // Only once: a second try might read what the first one has read.
    let mut is_first = true;
    while let Some(letter) = letters.get(at) {
        if *letter != '{' {
            at += 1;
            continue;
        }
        if encoded < MAX_ENCODED && is_escaped(letters, at) {
            let around = with(around, Repair::Encoded);
            let inner = unescaped(letters.get(at..).unwrap_or_default());
            return search(&inner, encoded + 1, &around, candidates);
        }
        let mut reader = Reader::new(letters, at);
        if !reader.is_object() {
            at += 1;
            continue;
        }
        let mut around = around.clone();
        let clean = if is_first {
            strict::object(letters.get(at..).unwrap_or_default(), &mut around)
        } else {
            None
        };
        is_first = false;
        let (node, end) = match clean {
            Some((node, len)) => (node, at + len),
            None => (reader.object()?, reader.at),
        };
        around.extend(&reader.repairs);
        if at > 0 || end < letters.len() {
            around.insert(Repair::Surroundings);
        }
        at = end.max(at + 1);
        collect(&node, 0, encoded, &around, candidates)?;
    }
    Ok(())
}

fn with(repairs: &BTreeSet<Repair>, repair: Repair) -> BTreeSet<Repair> {
    let mut repairs = repairs.clone();
    repairs.insert(repair);
    repairs
}

/// Holds an object and all in it against a plan.
fn collect(
    node: &Node,
    depth: usize,
    encoded: usize,
    around: &BTreeSet<Repair>,
    candidates: &mut Vec<Candidate>,
) -> Result<(), TooDeep> {
    match node {
        Node::Object(pairs) | Node::OpenObject(pairs) => {
            let found = candidate(pairs, matches!(node, Node::Object(_)));
            let is_plan = found.is_some();
            if let Some(mut found) = found {
                found.repairs.extend(around);
                if depth > 0 {
                    found.repairs.insert(Repair::OtherObjects);
                }
                candidates.push(found);
            }
            for (key, node) in pairs {
                // A plan's query may speak of plans, and so may the values of its filters.
                if !is_plan || !(is_plan_key(key) || matches!(node, Node::String(_))) {
                    collect(node, depth + 1, encoded, around, candidates)?;
                }
            }
        }
        Node::List(items) | Node::OpenList(items) => {
            for node in items {
                collect(node, depth + 1, encoded, around, candidates)?;
            }
        }
        Node::String(text) if encoded < MAX_ENCODED && text.trim_start().starts_with('{') => {
            let letters: Vec<char> = text.trim().chars().collect();
            let around = with(around, Repair::Encoded);
            search(&letters, encoded + 1, &around, candidates)?;
        }
        _ => {}
    }
    Ok(())
}

/// Whether the first key behind a brace stands in escaped quotes.
fn is_escaped(letters: &[char], at: usize) -> bool {
    let mut rest = letters
        .iter()
        .skip(at + 1)
        .skip_while(|letter| letter.is_whitespace());
    let mut next = rest.next();
    // An escaped line break between the brace and the key.
    while next == Some(&'\\') && matches!(rest.clone().next(), Some('n' | 't' | 'r')) {
        rest.next();
        next = rest.find(|letter| !letter.is_whitespace());
    }
    next == Some(&'\\') && rest.find(|letter| **letter != '\\') == Some(&'"')
}

fn unescaped(letters: &[char]) -> Vec<char> {
    let mut inner = Vec::with_capacity(letters.len());
    let mut rest = letters.iter().copied();
    while let Some(letter) = rest.next() {
        if letter != '\\' {
            inner.push(letter);
            continue;
        }
        match rest.next() {
            Some('n') => inner.push('\n'),
            Some('t') => inner.push('\t'),
            Some('r') => inner.push('\r'),
            Some(sign @ ('"' | '\\' | '/' | '\'')) => inner.push(sign),
            Some(other) => inner.extend(['\\', other]),
            None => {}
        }
    }
    inner
}

/// Reads pairs on lines of their own, as where the opening brace was the end of the prompt.
fn without_braces(
    letters: &[char],
    around: &BTreeSet<Repair>,
    candidates: &mut Vec<Candidate>,
) -> Result<(), TooDeep> {
    let all = letters::Letters(letters);
    let begins = |at: &usize| {
        let is_line = *at == 0 || matches!(all.get(at - 1), Some('\n' | ' ' | '\t'));
        is_line && all.key(*at).is_some_and(|(key, _)| is_plan_key(&key))
    };
    let Some(first) = (0..letters.len()).find(begins) else {
        return Ok(());
    };
    let before = all.text(0, first);
    // In the middle of a sentence a key is spoken of, and not given.
    let is_spoken = before
        .lines()
        .last()
        .is_some_and(|line| line.contains(char::is_alphanumeric));
    if is_spoken {
        return Ok(());
    }
    let mut reader = Reader::new(letters, first);
    let node = reader.pairs()?;
    let mut around = with(around, Repair::Brackets);
    around.extend(&reader.repairs);
    collect(&node, 0, MAX_ENCODED, &around, candidates)
}

/// The candidate that is most like a plan.
fn best(candidates: Vec<Candidate>) -> Result<Repaired, RagnavError> {
    let is_one_of_many = candidates.len() > 1;
    let most = candidates.iter().map(|candidate| candidate.score).max();
    let most = most.ok_or_else(|| failed("the text holds no plan"))?;
    let mut fitting = candidates
        .into_iter()
        .filter(|candidate| candidate.score == most);
    let Some(mut first) = fitting.next() else {
        return Err(failed("the text holds no plan"));
    };
    if fitting.any(|other| other.draft != first.draft) {
        return Err(failed("the text holds plans that contradict each other"));
    }
    if is_one_of_many {
        first.repairs.insert(Repair::OtherObjects);
    }
    Ok(Repaired {
        draft: first.draft,
        repairs: first.repairs,
    })
}
