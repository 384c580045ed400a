//! Extracting an order of numbered passages from the text of a language model.

use super::{MAX_TEXT, strip_reasoning};
use ragnav_base::error::{ErrorCode, RagnavError};

/// Extracts an order of the numbers from 1 to `count` from a model's text, and returns it as
/// indexes from 0. It reads a list such as `{"order": [3, 1]}` in any surroundings, or a chain such
/// as `[3] > [1]`. Other numbers and repetitions are ignored. Numbers that are missing follow in
/// their own order, so the result always is a permutation.
///
/// # Errors
/// `PLAN_FAILED` if the text holds no order or two different ones, or exceeds a limit.
///
/// # Examples
///
/// ```
/// use ragnav_agent::repair::order_from_text;
///
/// let text = "Sure:\n```json\n{'order': [3, '1', 3, 9]}\n```";
/// assert_eq!(order_from_text(text, 4).unwrap(), [2, 0, 1, 3]);
/// assert!(order_from_text("I cannot tell.", 4).is_err());
/// ```
pub fn order_from_text(text: &str, count: usize) -> Result<Vec<usize>, RagnavError> {
    if text.len() > MAX_TEXT {
        return Err(failed("the text is too long"));
    }
    let text =
        strip_reasoning(text).ok_or_else(|| failed("the text is reasoning without an end"))?;
    let mut orders: Vec<Vec<usize>> = Vec::new();
    for numbers in lists_in(text) {
        let order = complete(&numbers, count);
        orders.extend(order.filter(|order| !orders.contains(order)));
    }
    match orders.as_slice() {
        [order] => return Ok(order.clone()),
        [_, ..] if !text.contains('>') => {
            return Err(failed("the text holds orders that contradict each other"));
        }
        _ => {}
    }
    complete(&chain_in(text), count).ok_or_else(|| failed("the text holds no order"))
}

fn failed(message: &str) -> RagnavError {
    RagnavError::new(ErrorCode::PlanFailed, message)
}

/// Returns the lists of whole numbers in a text. Of a list without an end, the last number may be
/// cut and is left out.
fn lists_in(text: &str) -> Vec<Vec<usize>> {
    let mut lists = Vec::new();
    for list in text.split('[').skip(1) {
        let end = list.find(|letter| !is_in_list(letter));
        match end.and_then(|end| list.split_at_checked(end)) {
            Some((numbers, rest)) if rest.starts_with(']') => lists.push(numbers_in(numbers)),
            Some(_) => {}
            None => {
                let complete = list.rsplit_once(',').map_or("", |(complete, _)| complete);
                lists.push(numbers_in(complete));
            }
        }
    }
    lists
}

/// Reports whether a character may be in a list of numbers, which may be quoted, also in a string.
fn is_in_list(letter: char) -> bool {
    letter.is_ascii_digit() || letter.is_whitespace() || matches!(letter, ',' | '"' | '\'' | '\\')
}

/// Returns the numbers of a chain such as `[3] > 1 > passage 2`.
fn chain_in(text: &str) -> Vec<usize> {
    let Some((first, rest)) = text.split_once('>') else {
        return Vec::new();
    };
    let first = numbers_in(first).last().copied();
    let rest = rest
        .split('>')
        .filter_map(|link| numbers_in(link).first().copied());
    first.into_iter().chain(rest).collect()
}

fn numbers_in(text: &str) -> Vec<usize> {
    let runs = text.split(|letter: char| !letter.is_ascii_digit());
    runs.filter_map(|run| run.parse().ok()).collect()
}

/// Returns the order of the valid numbers, with the others behind; `None` if no number is valid.
fn complete(numbers: &[usize], count: usize) -> Option<Vec<usize>> {
    let mut is_placed = vec![false; count];
    let mut order = Vec::with_capacity(count);
    for number in numbers {
        let at = number.checked_sub(1);
        let Some(is_placed) = at.and_then(|at| is_placed.get_mut(at)) else {
            continue;
        };
        if !std::mem::replace(is_placed, true) {
            order.extend(at);
        }
    }
    if order.is_empty() {
        return None;
    }
    order.extend((0..count).filter(|at| is_placed.get(*at) == Some(&false)));
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_from_sloppy_texts() {
        for (text, expected) in [
            ("{\"order\": [2, 3, 1]}", Some([1, 2, 0])),
            ("[3,2,1]", Some([2, 1, 0])),
            (
                "<think>[1, 2, 3]?</think>{\"order\":[3,1,2]}",
                Some([2, 0, 1]),
            ),
            ("{\"order\": [\"3\", \"1\"]}", Some([2, 0, 1])),
            ("\"{\\\"order\\\": [\\\"3\\\", 1]}\"", Some([2, 0, 1])),
            ("{\"order\": [3]} {\"order\": [3]}", Some([2, 0, 1])),
            ("{\"order\": [0, 4, 2, 2, -1]}", None),
            ("{\"order\": [0, 4, 2, 2]}", Some([1, 0, 2])),
            ("{\"order\": [2, 1", Some([1, 0, 2])),
            ("{\"order\": [2", None),
            ("[2] > [3] > [1]", Some([1, 2, 0])),
            ("The order is 3 > 2.", Some([2, 1, 0])),
            ("[1, 2] or [2, 1]", None),
            ("{\"order\": []}", None),
            ("{\"order\": [9]}", None),
            ("<think>[1]", None),
            ("", None),
        ] {
            let order = order_from_text(text, 3).ok();
            assert_eq!(
                order.as_deref(),
                expected.as_ref().map(|all| &all[..]),
                "{text}"
            );
        }
    }
}
