//! Rewrites the macros of [GoogleMock] that declare methods as declarations that the grammar knows.
//!
//! `MOCK_METHOD(int, total, (int a), (const))` becomes `int total (int a)`, and
//! `MOCK_METHOD1(total, int(int a))` becomes `auto total (int a)`, with spaces for what is removed,
//! so that every offset stays.
//!
//! [GoogleMock]: https://google.github.io/googletest/reference/mocking.html

use std::ops::Range;

use super::tokens::Tokens;
use crate::replaced_text::ReplacedText;

/// The maximum number of tokens in the arguments of a macro.
const MAX_TOKENS: usize = 256;

/// The places of the parts of a method in a macro, by the indices of tokens.
struct MockMethod {
    name: usize,
    /// The type of the result. `None` if it stands behind the name, where a declaration has none.
    result: Option<Range<usize>>,
    parameters: Range<usize>,
}

/// Replaces the use of a macro by the declaration of its method, if it is one. Returns the index of
/// the last token.
pub(super) fn declare_mock_method(
    tokens: &Tokens<'_>,
    at: usize,
    replaced: &mut ReplacedText<'_>,
) -> Option<usize> {
    let order = order_of_arguments(tokens.at(at))?;
    let close = tokens.other_bracket(at + 1)?;
    let arguments = arguments(tokens, at + 2..close)?;
    let method = match order {
        Order::ResultFirst => result_first(tokens, &arguments),
        Order::NameFirst => name_first(tokens, &arguments),
        Order::NameSecond => name_first(tokens, arguments.get(1..)?),
    }?;
    if !tokens.is_word(method.name) {
        return None;
    }
    let start = tokens.get(at)?.start;
    let kept = [
        method.result.clone(),
        Some(method.name..method.name + 1),
        Some(method.parameters),
    ];
    let mut removed = start;
    for part in kept.into_iter().flatten() {
        let part = tokens.range(part)?;
        replaced.fill(removed..part.start, b' ');
        removed = part.end;
    }
    replaced.fill(removed..tokens.get(close)?.end, b' ');
    if method.result.is_none() {
        replaced.put(start, b"auto");
    }
    Some(close)
}

/// The order of the arguments of a macro.
#[derive(Clone, Copy)]
enum Order {
    /// `MOCK_METHOD(int, total, (int a))`
    ResultFirst,
    /// `MOCK_METHOD1(total, int(int a))`
    NameFirst,
    /// `MOCK_METHOD1_WITH_CALLTYPE(STDCALL, total, int(int a))`
    NameSecond,
}

/// Returns the order of the arguments of a macro, if it declares a method.
fn order_of_arguments(name: &str) -> Option<Order> {
    if name == "MOCK_METHOD" {
        return Some(Order::ResultFirst);
    }
    let rest = name.strip_prefix("MOCK_")?;
    let rest = rest.strip_prefix("CONST_").unwrap_or(rest);
    let counted = rest.strip_prefix("METHOD")?;
    let rest = counted.trim_start_matches(|digit: char| digit.is_ascii_digit());
    match rest.strip_prefix("_T").unwrap_or(rest) {
        _ if rest.len() == counted.len() => None,
        "" => Some(Order::NameFirst),
        "_WITH_CALLTYPE" => Some(Order::NameSecond),
        _ => None,
    }
}

/// Returns the arguments of a macro, or `None` if they are too long.
fn arguments(tokens: &Tokens<'_>, inside: Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut arguments = Vec::new();
    let mut start = inside.start;
    let mut at = inside.start;
    if inside.len() > MAX_TOKENS {
        return None;
    }
    while at < inside.end {
        if tokens.is(at, ",") {
            arguments.push(start..at);
            start = at + 1;
        }
        at = at.max(tokens.other_bracket(at).unwrap_or(at)) + 1;
    }
    arguments.push(start..inside.end);
    Some(arguments)
}

fn result_first(tokens: &Tokens<'_>, arguments: &[Range<usize>]) -> Option<MockMethod> {
    let [result, name, parameters, ..] = arguments else {
        return None;
    };
    // `(std::map<a, b>)`
    let is_enclosed = tokens.other_bracket(result.start) == result.end.checked_sub(1);
    let result = if is_enclosed {
        result.start + 1..result.end.saturating_sub(1)
    } else {
        result.clone()
    };
    let are_enclosed = tokens.other_bracket(parameters.start) == parameters.end.checked_sub(1);
    are_enclosed.then(|| MockMethod {
        name: name.start,
        result: Some(result),
        parameters: parameters.clone(),
    })
}

fn name_first(tokens: &Tokens<'_>, arguments: &[Range<usize>]) -> Option<MockMethod> {
    let (name, of) = (arguments.first()?, arguments.get(1)?);
    // The comma of `int(int a, std::map<b, c> d)` stands in brackets; that of a result does not.
    let end = arguments.last()?.end;
    let open = tokens.other_bracket(end.checked_sub(1)?)?;
    (of.start <= open && tokens.is(open, "(")).then_some(MockMethod {
        name: name.start,
        result: None,
        parameters: open..end,
    })
}
