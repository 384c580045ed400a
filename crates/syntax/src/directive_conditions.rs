//! Reads the conditions of `#if` and its relatives. Every branch counts, whatever is defined.
//!
//! The guard of a header, `#ifndef A_H` with `#define A_H` around the whole text, is no condition.

use crate::conditions_writer::{ConditionRange, ConditionsWriter};
use crate::facts::Conditions;

/// A part of a text: a directive, or code between directives.
pub(crate) enum Token {
    /// A piece of anything but comments and directives.
    Code,
    Directive(Directive),
}

/// A directive without comments, with its lines joined.
pub(crate) struct Directive {
    /// The offset of its `#`.
    pub(crate) start: usize,
    /// The offset of the end of its last line.
    pub(crate) end: usize,
    /// Its name: `if`.
    pub(crate) name: String,
    /// What follows the name.
    pub(crate) rest: String,
}

/// Returns the conditions under which the parts of a text are compiled, by its tokens.
pub(crate) fn conditions(text: &str, tokens: impl Iterator<Item = Token>) -> Conditions {
    let mut reader = ConditionReader::default();
    for token in tokens {
        match token {
            Token::Code => reader.read_code(),
            Token::Directive(directive) => reader.read_directive(&directive),
        }
    }
    reader.finish(text)
}

/// A branch of a construct: the text of its condition, and whether that must not hold.
#[derive(Clone, Copy)]
struct Branch {
    start: usize,
    text: u32,
    is_negated: bool,
}

impl Branch {
    fn to(self, end: usize) -> ConditionRange {
        ConditionRange {
            start: self.start,
            end,
            text: self.text,
            is_negated: self.is_negated,
        }
    }
}

/// An `#if` whose `#endif` was not reached.
struct Construct {
    /// The opposites of the branches before the current one. Each holds up to the `#endif`.
    before: Vec<Branch>,
    /// The current branch; `None` in `#else`.
    current: Option<Branch>,
    guard: Guard,
}

/// Whether a construct may be the guard of a header.
#[derive(Clone, PartialEq, Eq)]
enum Guard {
    /// It is none.
    No,
    /// Nothing precedes it, and `#define` of this name must follow.
    Tests(String),
    /// It is one, unless it has another branch or something follows it.
    Defines,
}

#[derive(Default)]
struct ConditionReader {
    writer: ConditionsWriter,
    open: Vec<Construct>,
    /// Whether the text has had anything but comments and `#pragma`.
    has_begun: bool,
    /// The guard of the header, after its `#endif`.
    closed_guard: Option<ConditionRange>,
}

impl ConditionReader {
    /// Reads anything but comments and directives.
    fn read_code(&mut self) {
        self.has_begun = true;
        self.reject_guard();
    }

    fn read_directive(&mut self, directive: &Directive) {
        match directive.name.as_str() {
            "if" => self.open(directive, (&directive.rest, false)),
            "ifdef" => self.open(directive, (&defined(directive), false)),
            "ifndef" => self.open(directive, (&defined(directive), true)),
            "elif" | "elseif" => self.next_branch(directive, Some((&directive.rest, false))),
            "elifdef" => self.next_branch(directive, Some((&defined(directive), false))),
            "elifndef" => self.next_branch(directive, Some((&defined(directive), true))),
            "else" => self.next_branch(directive, None),
            "endif" => self.close(directive.start),
            "define" => self.define(directive),
            "pragma" if !self.has_begun => return,
            _ => self.reject_guard(),
        }
        self.has_begun = true;
    }

    fn open(&mut self, directive: &Directive, (condition, is_negated): (&str, bool)) {
        self.reject_guard();
        let guard = guarded_name(condition, is_negated).filter(|_| !self.has_begun);
        let text = self.writer.intern(condition);
        self.open.push(Construct {
            before: Vec::new(),
            current: Some(Branch {
                start: directive.end,
                text,
                is_negated,
            }),
            guard: guard.map_or(Guard::No, |name| Guard::Tests(name.to_owned())),
        });
    }

    /// Ends the current branch, and opens one with a condition or, for `#else`, without.
    fn next_branch(&mut self, directive: &Directive, condition: Option<(&str, bool)>) {
        self.closed_guard_follows();
        let Some(construct) = self.open.last_mut() else {
            return;
        };
        construct.guard = Guard::No;
        if let Some(branch) = construct.current.take() {
            self.writer.add(branch.to(directive.start));
            construct.before.push(Branch {
                start: directive.end,
                is_negated: !branch.is_negated,
                ..branch
            });
        }
        construct.current = condition.map(|(condition, is_negated)| Branch {
            start: directive.end,
            text: self.writer.intern(condition),
            is_negated,
        });
    }

    fn close(&mut self, end: usize) {
        self.closed_guard_follows();
        let Some(construct) = self.open.pop() else {
            return;
        };
        for branch in construct.before {
            self.writer.add(branch.to(end));
        }
        let Some(branch) = construct.current else {
            return;
        };
        if construct.guard == Guard::Defines {
            self.closed_guard = Some(branch.to(end));
        } else {
            self.writer.add(branch.to(end));
        }
    }

    fn define(&mut self, directive: &Directive) {
        self.closed_guard_follows();
        let Some(construct) = self.open.last_mut() else {
            return;
        };
        if let Guard::Tests(name) = &construct.guard {
            let is_same = first_word(&directive.rest) == name;
            construct.guard = if is_same { Guard::Defines } else { Guard::No };
        }
    }

    /// Notes that something else than `#define` follows the test of a guard, or a guard.
    fn reject_guard(&mut self) {
        self.closed_guard_follows();
        let last = self.open.last_mut();
        if let Some(construct) = last.filter(|one| matches!(one.guard, Guard::Tests(_))) {
            construct.guard = Guard::No;
        }
    }

    /// Notes that something follows the `#endif` of a guard, which therefore is a condition.
    fn closed_guard_follows(&mut self) {
        if let Some(range) = self.closed_guard.take() {
            self.writer.add(range);
        }
    }

    /// Returns the conditions. A construct without `#endif` reaches to the end of the text.
    fn finish(mut self, text: &str) -> Conditions {
        while !self.open.is_empty() {
            self.close(text.len());
        }
        self.writer.finish(text)
    }
}

fn defined(directive: &Directive) -> String {
    format!("defined({})", first_word(&directive.rest))
}

fn first_word(text: &str) -> &str {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let end = text.find(|letter| !is_part(letter));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

/// Returns the name that a guard tests: `A_H` of `#ifndef A_H` and of `#if !defined(A_H)`.
fn guarded_name(condition: &str, is_negated: bool) -> Option<&str> {
    let condition = match condition.strip_prefix('!') {
        Some(tested) if !is_negated => tested.trim_start(),
        None if is_negated => condition,
        _ => return None,
    };
    let operand = condition.strip_prefix("defined")?.trim();
    let bracketed = operand.strip_prefix('(');
    let name = match bracketed.and_then(|rest| rest.strip_suffix(')')) {
        Some(name) => name.trim(),
        None => operand,
    };
    (!name.is_empty() && first_word(name) == name).then_some(name)
}
