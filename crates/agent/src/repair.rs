//! Extracting a plan from the text of a language model.
//!
//! Models write JSON in code fences, in prose, in single quotes, twice or incompletely. A lenient
//! reader reads every object in the text, and the object most similar to a plan is chosen. Two
//! different plans of equal rank are an error, as is a text without a plan: the deterministic plan
//! is better than a wrong one. Of a truncated text only complete values are used, and the start of
//! the query.

mod bare_values;
mod candidates;
mod lookahead;
mod order;
mod reader;
mod strict;
mod strings;

use std::collections::BTreeSet;

pub use self::order::order_from_text;

use self::candidates::{Candidate, read_candidate};
use self::lookahead::is_plan_key;
use self::reader::{Node, Reader, TooDeep};
use super::draft::RepairedPlan;
use super::plan::Repair;
use ragnav_base::error::{ErrorCode, RagnavError};

/// The longest text that is read, in bytes.
pub const MAX_TEXT: usize = 256 * 1024;

/// The largest number of times that JSON may be encoded in a string.
const MAX_ENCODED: usize = 2;

/// Extracts the plan from a model's text.
///
/// Time is linear in the text. The limits are a nesting depth of 64 and [`MAX_TEXT`] bytes.
///
/// # Errors
/// `PLAN_FAILED` if the text holds no plan or two different ones, or exceeds a limit.
///
/// # Examples
///
/// ```
/// let text = "Sure! ```json\n{'semantic_query': 'deployment', 'filters': []}\n```";
/// let repaired = ragnav_agent::repair::plan_from_text(text).unwrap();
/// assert_eq!(repaired.draft.semantic_query.as_deref(), Some("deployment"));
/// ```
pub fn plan_from_text(text: &str) -> Result<RepairedPlan, RagnavError> {
    if text.len() > MAX_TEXT {
        return Err(plan_failed(format!(
            "the text is longer than {MAX_TEXT} bytes"
        )));
    }
    let mut around = BTreeSet::new();
    let bare =
        strip_reasoning(text).ok_or_else(|| plan_failed("the text is reasoning without an end"))?;
    if bare.len() < text.len() {
        around.insert(Repair::Thoughts);
    }
    let letters: Vec<char> = bare.trim().chars().collect();
    let mut candidates = Vec::new();
    let too_deep = |_: TooDeep| {
        plan_failed(format!(
            "the text is nested deeper than {}",
            reader::MAX_DEPTH
        ))
    };
    find_candidates(&letters, 0, &around, &mut candidates).map_err(too_deep)?;
    if candidates.is_empty() {
        find_bare_pairs(&letters, &around, &mut candidates).map_err(too_deep)?;
    }
    choose_best(candidates)
}

fn plan_failed(message: impl Into<String>) -> RagnavError {
    RagnavError::new(ErrorCode::PlanFailed, message)
}

/// Returns the text behind a block of reasoning, or `None` if the block has no end.
fn strip_reasoning(text: &str) -> Option<&str> {
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
    // Some chat templates open the block before the model begins to write.
    if trimmed.starts_with(['{', '`', '[', '"']) {
        return Some(text);
    }
    let closed = TAGS.iter().find_map(|(_, close)| text.split_once(close));
    Some(closed.map_or(text, |(_, behind)| behind))
}

/// Finds candidates in every object of a text, and in JSON inside its strings.
fn find_candidates(
    letters: &[char],
    encoded: usize,
    around: &BTreeSet<Repair>,
    candidates: &mut Vec<Candidate>,
) -> Result<(), TooDeep> {
    let mut at = 0;
    // Only the first object: a second attempt could read the same text again, in quadratic time.
    let mut is_first = true;
    while let Some(letter) = letters.get(at) {
        if *letter != '{' {
            at += 1;
            continue;
        }
        if encoded < MAX_ENCODED && is_escaped(letters, at) {
            let around = with_repair(around, Repair::Encoded);
            let inner = unescape(letters.get(at..).unwrap_or_default());
            return find_candidates(&inner, encoded + 1, &around, candidates);
        }
        let mut reader = Reader::new(letters, at);
        if !reader.is_object() {
            at += 1;
            continue;
        }
        let mut around = around.clone();
        let clean = if is_first {
            strict::read_object(letters.get(at..).unwrap_or_default(), &mut around)
        } else {
            None
        };
        is_first = false;
        let (node, end) = match clean {
            Some((node, len)) => (node, at + len),
            None => (reader.read_object()?, reader.at),
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

fn with_repair(repairs: &BTreeSet<Repair>, repair: Repair) -> BTreeSet<Repair> {
    let mut repairs = repairs.clone();
    repairs.insert(repair);
    repairs
}

/// Adds an object and everything in it to the candidates, if they resemble a plan.
fn collect(
    node: &Node,
    depth: usize,
    encoded: usize,
    around: &BTreeSet<Repair>,
    candidates: &mut Vec<Candidate>,
) -> Result<(), TooDeep> {
    match node {
        Node::Object(pairs) | Node::OpenObject(pairs) => {
            let found = read_candidate(pairs, matches!(node, Node::Object(_)));
            let is_plan = found.is_some();
            if let Some(mut found) = found {
                found.repairs.extend(around);
                if depth > 0 {
                    found.repairs.insert(Repair::OtherObjects);
                }
                candidates.push(found);
            }
            for (key, node) in pairs {
                // The query of a plan, or a filter value, may itself contain the text of a plan.
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
            let around = with_repair(around, Repair::Encoded);
            find_candidates(&letters, encoded + 1, &around, candidates)?;
        }
        _ => {}
    }
    Ok(())
}

/// Reports whether the first key behind a brace is in escaped quotes.
fn is_escaped(letters: &[char], at: usize) -> bool {
    let mut rest = letters
        .iter()
        .skip(at + 1)
        .skip_while(|letter| letter.is_whitespace());
    let mut next = rest.next();
    // Skips an escaped line break between the brace and the key.
    while next == Some(&'\\') && matches!(rest.clone().next(), Some('n' | 't' | 'r')) {
        rest.next();
        next = rest.find(|letter| !letter.is_whitespace());
    }
    next == Some(&'\\') && rest.find(|letter| **letter != '\\') == Some(&'"')
}

fn unescape(letters: &[char]) -> Vec<char> {
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

/// Finds pairs without braces on lines of their own, as when the prompt ends with the opening
/// brace.
fn find_bare_pairs(
    letters: &[char],
    around: &BTreeSet<Repair>,
    candidates: &mut Vec<Candidate>,
) -> Result<(), TooDeep> {
    let all = lookahead::Lookahead(letters);
    let begins = |at: &usize| {
        let is_line = *at == 0 || matches!(all.get(at - 1), Some('\n' | ' ' | '\t'));
        is_line && all.key(*at).is_some_and(|(key, _)| is_plan_key(&key))
    };
    let Some(first) = (0..letters.len()).find(begins) else {
        return Ok(());
    };
    let before = all.text(0, first);
    // In the middle of a sentence the key is part of prose.
    let is_prose = before
        .lines()
        .last()
        .is_some_and(|line| line.contains(char::is_alphanumeric));
    if is_prose {
        return Ok(());
    }
    let mut reader = Reader::new(letters, first);
    let node = reader.read_pairs()?;
    let mut around = with_repair(around, Repair::Brackets);
    around.extend(&reader.repairs);
    collect(&node, 0, MAX_ENCODED, &around, candidates)
}

/// Chooses the candidate that is most similar to a plan.
fn choose_best(candidates: Vec<Candidate>) -> Result<RepairedPlan, RagnavError> {
    let is_one_of_many = candidates.len() > 1;
    let most = candidates.iter().map(|candidate| candidate.score).max();
    let most = most.ok_or_else(|| plan_failed("the text holds no plan"))?;
    let mut fitting = candidates
        .into_iter()
        .filter(|candidate| candidate.score == most);
    let Some(mut first) = fitting.next() else {
        return Err(plan_failed("the text holds no plan"));
    };
    if fitting.any(|other| other.draft != first.draft) {
        return Err(plan_failed(
            "the text holds plans that contradict each other",
        ));
    }
    if is_one_of_many {
        first.repairs.insert(Repair::OtherObjects);
    }
    Ok(RepairedPlan {
        draft: first.draft,
        repairs: first.repairs,
    })
}
