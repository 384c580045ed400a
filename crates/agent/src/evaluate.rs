//! Evaluating filters on the metadata of documents.
//!
//! [`meets`] evaluates the filters of a plan, as [`Operator`] defines them. [`meets_where`]
//! evaluates a `where` like Chroma. There a document without the field meets only `$ne`, `$nin` and
//! `$not_contains`, only numbers are ordered, and `$contains` matches only lists.

use serde_json::Value;

use super::metadata::MetaValue;
use super::plan::{Filter, FilterValue, Operator, Scalar};

/// Reports whether a document meets all filters. `of` returns the value of a field.
///
/// # Examples
///
/// ```
/// use ragnav_agent::evaluate::meets;
/// use ragnav_agent::metadata::MetaValue;
/// use ragnav_agent::plan::{Filter, Operator};
///
/// let tags = MetaValue::texts(["ops"]);
/// let filter = Filter::new("tags", Operator::Contains, "ops");
/// assert!(meets(&[filter], |_| Some(&tags)));
/// ```
pub fn meets<'m>(filters: &[Filter], of: impl Fn(&str) -> Option<&'m MetaValue>) -> bool {
    filters
        .iter()
        .all(|filter| meets_one(filter, of(&filter.field)))
}

/// Reports whether the value of a field, `None` if the document lacks it, meets a filter.
#[must_use]
pub(crate) fn meets_one(filter: &Filter, value: Option<&MetaValue>) -> bool {
    let (operator, is_negated) = split_negation(filter.operator);
    let is_met = match (&filter.value, value) {
        (_, None) => false,
        (FilterValue::One(wanted), Some(value)) => match operator {
            Operator::Contains => list_contains(value, wanted) || text_contains(value, wanted),
            Operator::Like => {
                texts(value, wanted).is_some_and(|(text, like)| like_matches(like, text))
            }
            Operator::StartsWith => {
                texts(value, wanted).is_some_and(|(text, start)| text.starts_with(start))
            }
            _ => compare_values(operator, value, wanted),
        },
        (FilterValue::List(wanted), Some(value)) => {
            let is_one =
                |wanted: &Scalar| equals_value(value, wanted) || list_contains(value, wanted);
            operator == Operator::In && wanted.iter().any(is_one)
        }
    };
    is_met != is_negated
}

/// Reports whether a document meets a `where` of Chroma. No document meets an invalid one.
///
/// # Examples
///
/// ```
/// use ragnav_agent::evaluate::meets_where;
/// use ragnav_agent::metadata::MetaValue;
///
/// let level = MetaValue::from(2.0);
/// let clause = serde_json::json!({"level": {"$gte": 2}});
/// assert!(meets_where(&clause, &|_| Some(&level)));
/// assert!(!meets_where(&clause, &|_| None));
/// ```
pub fn meets_where<'m>(clause: &Value, of: &impl Fn(&str) -> Option<&'m MetaValue>) -> bool {
    let Some((key, condition)) = single_entry(clause) else {
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
    let Some((name, wanted)) = single_entry(condition) else {
        return false;
    };
    let Some(named) = name.strip_prefix('$').and_then(Operator::parse) else {
        return false;
    };
    let Ok(wanted) = serde_json::from_value::<FilterValue>(wanted.clone()) else {
        return false;
    };
    let (operator, is_negated) = split_negation(named);
    let is_met = match (wanted, value) {
        (_, None) => false,
        (FilterValue::One(wanted), Some(value)) if operator == Operator::Contains => {
            list_contains(value, &wanted)
        }
        (FilterValue::One(wanted), Some(value)) => compare_values(operator, value, &wanted),
        (FilterValue::List(wanted), Some(value)) => {
            operator == Operator::In && wanted.iter().any(|wanted| equals_value(value, wanted))
        }
    };
    is_met != is_negated
}

fn single_entry(object: &Value) -> Option<(&str, &Value)> {
    let object = object.as_object().filter(|object| object.len() == 1)?;
    let (key, value) = object.iter().next()?;
    Some((key, value))
}

/// Splits an operator into its positive form and whether it is negated.
fn split_negation(operator: Operator) -> (Operator, bool) {
    match operator {
        Operator::Ne => (Operator::Eq, true),
        Operator::Nin => (Operator::In, true),
        Operator::NotContains => (Operator::Contains, true),
        other => (other, false),
    }
}

fn equals_value(value: &MetaValue, wanted: &Scalar) -> bool {
    matches!(value, MetaValue::One(own) if own == wanted)
}

fn list_contains(value: &MetaValue, wanted: &Scalar) -> bool {
    matches!(value, MetaValue::List(own) if own.contains(wanted))
}

fn text_contains(value: &MetaValue, wanted: &Scalar) -> bool {
    texts(value, wanted)
        .is_some_and(|(text, part)| to_lowercase(text).contains(&to_lowercase(part)))
}

fn texts<'v>(value: &'v MetaValue, wanted: &'v Scalar) -> Option<(&'v str, &'v str)> {
    match wanted {
        Scalar::String(wanted) => Some((value.as_text()?, wanted)),
        _ => None,
    }
}

fn compare_values(operator: Operator, value: &MetaValue, wanted: &Scalar) -> bool {
    if operator == Operator::Eq {
        return equals_value(value, wanted);
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

fn to_lowercase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// One element of a `LIKE` pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LikeElement {
    AnyText,
    AnyLetter,
    Letter(char),
}

/// Matches SQL's `LIKE` in any case: `%` is any text, `_` any character, `\` escapes the next one.
///
/// Time is at most the product of both lengths, and the stack depth is constant.
fn like_matches(pattern: &str, text: &str) -> bool {
    let mut escaped = false;
    let mut wanted = Vec::new();
    for letter in pattern.chars() {
        match letter {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '%' if !escaped => wanted.push(LikeElement::AnyText),
            '_' if !escaped => wanted.push(LikeElement::AnyLetter),
            letter => wanted.extend(letter.to_lowercase().map(LikeElement::Letter)),
        }
        escaped = false;
    }
    if escaped {
        wanted.push(LikeElement::Letter('\\'));
    }
    let text: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    let (mut at, mut next) = (0, 0);
    // The position of the last `%`, and the text position up to which it matches.
    let mut back: Option<(usize, usize)> = None;
    while let Some(letter) = text.get(at) {
        match wanted.get(next) {
            Some(LikeElement::AnyText) => {
                back = Some((next, at));
                next += 1;
                continue;
            }
            Some(LikeElement::AnyLetter) => {}
            Some(LikeElement::Letter(own)) if own == letter => {}
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
    rest.iter().all(|letter| *letter == LikeElement::AnyText)
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
