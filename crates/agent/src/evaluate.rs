//! Whether a document meets filters, by its metadata.
//!
//! [`meets`] reads a plan's filters as [`Operator`] says. [`meets_where`] reads a `where` as Chroma does: a document that lacks
//! the field meets `$ne`, `$nin` and `$not_contains` alone, numbers alone have an order, and `$contains` looks into lists alone, so that on a
//! string or an unknown field it gives nothing.

use serde_json::Value;

use super::metadata::MetaValue;
use super::plan::{Filter, FilterValue, Operator, Scalar};

/// Whether a document meets all filters. `of` gives the value of a field.
pub fn meets<'m>(filters: &[Filter], of: impl Fn(&str) -> Option<&'m MetaValue>) -> bool {
    filters
        .iter()
        .all(|filter| meets_one(filter, of(&filter.field)))
}

/// Whether the value of a field, `None` where a document lacks it, meets a filter.
#[must_use]
pub fn meets_one(filter: &Filter, value: Option<&MetaValue>) -> bool {
    let (operator, is_opposite) = positive(filter.operator);
    let is_met = match (&filter.value, value) {
        (_, None) => false,
        (FilterValue::One(wanted), Some(value)) => match operator {
            Operator::Contains => holds(value, wanted) || text_holds(value, wanted),
            Operator::Like => {
                texts(value, wanted).is_some_and(|(text, like)| like_matches(like, text))
            }
            Operator::StartsWith => {
                texts(value, wanted).is_some_and(|(text, start)| text.starts_with(start))
            }
            _ => compares(operator, value, wanted),
        },
        (FilterValue::List(wanted), Some(value)) => {
            let is_one = |wanted: &Scalar| equals(value, wanted) || holds(value, wanted);
            operator == Operator::In && wanted.iter().any(is_one)
        }
    };
    is_met != is_opposite
}

/// Whether a document meets a `where` as Chroma has it. What Chroma would refuse is met by nothing.
pub fn meets_where<'m>(clause: &Value, of: &impl Fn(&str) -> Option<&'m MetaValue>) -> bool {
    let Some((key, condition)) = only(clause) else {
        return false;
    };
    let all = condition.as_array();
    match (key, all) {
        ("$and", Some(clauses)) => clauses.iter().all(|clause| meets_where(clause, of)),
        ("$or", Some(clauses)) => clauses.iter().any(|clause| meets_where(clause, of)),
        _ => meets_condition(condition, of(key)),
    }
}

fn meets_condition(condition: &Value, value: Option<&MetaValue>) -> bool {
    let Some((name, wanted)) = only(condition) else {
        return false;
    };
    let Some(named) = name.strip_prefix('$').and_then(Operator::parse) else {
        return false;
    };
    let Ok(wanted) = serde_json::from_value::<FilterValue>(wanted.clone()) else {
        return false;
    };
    let (operator, is_opposite) = positive(named);
    let is_met = match (wanted, value) {
        (_, None) => false,
        (FilterValue::One(wanted), Some(value)) if operator == Operator::Contains => {
            holds(value, &wanted)
        }
        (FilterValue::One(wanted), Some(value)) => compares(operator, value, &wanted),
        (FilterValue::List(wanted), Some(value)) => {
            operator == Operator::In && wanted.iter().any(|wanted| equals(value, wanted))
        }
    };
    is_met != is_opposite
}

fn only(object: &Value) -> Option<(&str, &Value)> {
    let object = object.as_object().filter(|object| object.len() == 1)?;
    let (key, value) = object.iter().next()?;
    Some((key, value))
}

/// The operator that an operator is the opposite of, and whether it is one.
fn positive(operator: Operator) -> (Operator, bool) {
    match operator {
        Operator::Ne => (Operator::Eq, true),
        Operator::Nin => (Operator::In, true),
        Operator::NotContains => (Operator::Contains, true),
        other => (other, false),
    }
}

fn equals(value: &MetaValue, wanted: &Scalar) -> bool {
    matches!(value, MetaValue::One(own) if own == wanted)
}

fn holds(value: &MetaValue, wanted: &Scalar) -> bool {
    matches!(value, MetaValue::List(own) if own.contains(wanted))
}

fn text_holds(value: &MetaValue, wanted: &Scalar) -> bool {
    texts(value, wanted).is_some_and(|(text, part)| folded(text).contains(&folded(part)))
}

fn texts<'v>(value: &'v MetaValue, wanted: &'v Scalar) -> Option<(&'v str, &'v str)> {
    match wanted {
        Scalar::String(wanted) => Some((value.as_text()?, wanted)),
        _ => None,
    }
}

fn compares(operator: Operator, value: &MetaValue, wanted: &Scalar) -> bool {
    if operator == Operator::Eq {
        return equals(value, wanted);
    }
    let (MetaValue::One(Scalar::Number(own)), Scalar::Number(wanted)) = (value, wanted) else {
        return false;
    };
    match operator {
        Operator::Gt => own > wanted,
        Operator::Gte => own >= wanted,
        Operator::Lt => own < wanted,
        Operator::Lte => own <= wanted,
        _ => false,
    }
}

fn folded(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// A letter of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Like {
    AnyText,
    AnyLetter,
    Letter(char),
}

/// SQL's `LIKE`, in any case: `%` is any text, `_` any letter, `\` takes the next one as it is.
///
/// Takes time in the product of both lengths at most, and no stack.
fn like_matches(pattern: &str, text: &str) -> bool {
    let mut escaped = false;
    let mut wanted = Vec::new();
    for letter in pattern.chars() {
        match letter {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '%' if !escaped => wanted.push(Like::AnyText),
            '_' if !escaped => wanted.push(Like::AnyLetter),
            letter => wanted.extend(letter.to_lowercase().map(Like::Letter)),
        }
        escaped = false;
    }
    if escaped {
        wanted.push(Like::Letter('\\'));
    }
    let text: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    let (mut at, mut next) = (0, 0);
    // Where the last `%` stands, and how much of the text it is taken for.
    let mut back: Option<(usize, usize)> = None;
    while let Some(letter) = text.get(at) {
        match wanted.get(next) {
            Some(Like::AnyText) => {
                back = Some((next, at));
                next += 1;
                continue;
            }
            Some(Like::AnyLetter) => {}
            Some(Like::Letter(own)) if own == letter => {}
            _ => {
                let Some((any, taken)) = back else {
                    return false;
                };
                back = Some((any, taken + 1));
                (at, next) = (taken + 1, any + 1);
                continue;
            }
        }
        (at, next) = (at + 1, next + 1);
    }
    let rest = wanted.get(next..).unwrap_or_default();
    rest.iter().all(|letter| *letter == Like::AnyText)
}

#[cfg(test)]
mod tests {
    use super::like_matches;

    #[test]
    fn like_is_sql_s() {
        for (pattern, text, expected) in [
            ("a%", "Abc", true),
            ("%c", "abc", true),
            ("a_c", "aXc", true),
            ("a_c", "ac", false),
            ("%b%d%", "abxcd", true),
            ("", "", true),
            ("%", "", true),
            ("_", "", false),
            (r"100\%", "100%", true),
            (r"100\%", "1000", false),
            (r"a\", r"a\", true),
            ("%é", "CAFÉ", true),
            ("abc", "abcd", false),
        ] {
            assert_eq!(like_matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
