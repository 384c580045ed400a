//! The rule for dates: "from last week", "since 2024-01-31", "between March and May 2024".

use super::cursor::{Cursor, RuleMatch};
use super::wording;
use crate::calendar::{Day, Weekday, digits};
use crate::catalogue::{Field, Role};
use crate::draft::DraftFilter;

const CREATED: [&str; 6] = ["created", "written", "made", "added", "authored", "dated"];
const MODIFIED: [&str; 6] = [
    "modified", "changed", "edited", "updated", "touched", "revised",
];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The certainty that words are a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strength {
    /// The words are a date anywhere: `2024-01-31`, "last week".
    Strong,
    /// The words are a date beside a word for documents or for changes: "today".
    Weak,
    /// The words are a date behind a preposition: "2024", "May".
    Cued,
}

/// A date in words, as a date name of plans.
struct DateName {
    name: String,
    used: usize,
    strength: Strength,
}

pub(super) fn match_date(cursor: &Cursor<'_>) -> Option<RuleMatch> {
    if cursor.before() == "not" {
        return None;
    }
    let subject = cursor.word(0);
    let role = if CREATED.contains(&subject) {
        Some(Role::Created)
    } else {
        MODIFIED.contains(&subject).then_some(Role::Modified)
    };
    let lead = usize::from(role.is_some());
    let field = date_field(cursor, role.unwrap_or(Role::Created))?;
    let (bounds, used) = parse_comparison(&cursor.ahead(lead), role.is_some())?;
    let filters = bounds
        .into_iter()
        .map(|(operator, name)| DraftFilter::new(&field.name, operator, name));
    Some(RuleMatch {
        used: lead + used,
        filters: filters.collect(),
        is_explicit: false,
    })
}

/// Returns the field with this role, or the field with the other date role if that is missing.
fn date_field<'a>(cursor: &Cursor<'a>, role: Role) -> Option<&'a Field> {
    let other = if role == Role::Created {
        Role::Modified
    } else {
        Role::Created
    };
    cursor.field(role).or_else(|| cursor.field(other))
}

type Bounds = Vec<(&'static str, String)>;

/// Parses a comparison at a position. Returns its bounds and the number of tokens.
fn parse_comparison(cursor: &Cursor<'_>, has_subject: bool) -> Option<(Bounds, usize)> {
    if let Some(found) = parse_between(cursor) {
        return Some(found);
    }
    let (operator, lead) = parse_preposition(cursor);
    let the = lead + cursor.skip(lead, &["the"]);
    if operator == "lt" && cursor.word(0) == "older" {
        // "older than two weeks": a span counted back from today.
        if let Some((day, used)) = parse_span(&cursor.ahead(the)) {
            return Some((vec![("lt", day.to_string())], the + used));
        }
    }
    let named = parse_date(&cursor.ahead(the))?;
    let fits = match named.strength {
        Strength::Strong => true,
        Strength::Weak => {
            let around = [cursor.before(), cursor.word(the + named.used)];
            has_subject || lead > 0 || around.iter().any(|word| wording::is_document(word))
        }
        Strength::Cued => lead > 0,
    };
    let operator = if lead == 0 { "eq" } else { operator };
    fits.then(|| (vec![(operator, named.name)], the + named.used))
}

fn parse_preposition(cursor: &Cursor<'_>) -> (&'static str, usize) {
    match (cursor.word(0), cursor.word(1)) {
        ("since" | "starting", _) => ("gte", 1),
        ("newer" | "later", "than") => ("gt", 2),
        ("after", _) => ("gt", 1),
        ("older" | "earlier", "than") | ("prior", "to") => ("lt", 2),
        ("before", _) => ("lt", 1),
        ("up", "to") => ("lte", 2),
        ("until" | "till" | "by" | "through", _) => ("lte", 1),
        ("in" | "on" | "from" | "of" | "during" | "within" | "for" | "at", _) => ("eq", 1),
        _ => ("eq", 0),
    }
}

/// Parses "between A and B" and "from A to B".
fn parse_between(cursor: &Cursor<'_>) -> Option<(Bounds, usize)> {
    let joins: &[&str] = match cursor.word(0) {
        "between" => &["and"],
        "from" => &["to", "until", "till", "through"],
        _ => return None,
    };
    let from = parse_date(&cursor.ahead(1))?;
    let at = 1 + from.used;
    let to = joins
        .contains(&cursor.word(at))
        .then(|| parse_date(&cursor.ahead(at + 1)))??;
    let bounds = vec![("gte", from.name), ("lte", to.name)];
    Some((bounds, at + 1 + to.used))
}

/// Parses the date that begins at a position.
fn parse_date(cursor: &Cursor<'_>) -> Option<DateName> {
    parse_relative(cursor)
        .or_else(|| parse_ago(cursor))
        .or_else(|| parse_numeric(cursor))
        .or_else(|| parse_month(cursor))
        .or_else(|| parse_weekday(cursor))
}

fn date_name(name: impl Into<String>, used: usize, strength: Strength) -> DateName {
    DateName {
        name: name.into(),
        used,
        strength,
    }
}

/// Parses "today", "last week" and "the past 7 days".
fn parse_relative(cursor: &Cursor<'_>) -> Option<DateName> {
    let (first, second) = (cursor.word(0), cursor.word(1));
    if ["today", "yesterday", "tomorrow"].contains(&first) {
        return Some(date_name(first, 1, Strength::Weak));
    }
    let is_last = ["last", "past", "previous"].contains(&first);
    let is_unit = ["week", "month", "quarter", "year"].contains(&second);
    if is_unit && first == "past" {
        let name = match second {
            "week" => "last_7_days",
            "month" => "last_1_months",
            "quarter" => "last_3_months",
            _ => "last_1_years",
        };
        return Some(date_name(name, 2, Strength::Strong));
    }
    if is_unit && (is_last || first == "this") {
        let which = if is_last { "last" } else { "this" };
        return Some(date_name(format!("{which}_{second}"), 2, Strength::Strong));
    }
    let count = parse_count(second).filter(|_| is_last)?;
    let unit = cursor.word(2).trim_end_matches('s');
    let is_unit = ["day", "week", "month", "year"].contains(&unit);
    is_unit.then(|| date_name(format!("last_{count}_{unit}s"), 3, Strength::Strong))
}

fn parse_ago(cursor: &Cursor<'_>) -> Option<DateName> {
    let (day, used) = parse_span(cursor)?;
    (cursor.word(used) == "ago").then(|| date_name(day.to_string(), used + 1, Strength::Strong))
}

/// Parses a span and returns the day that lies so far before today: "3 days", "two weeks".
fn parse_span(cursor: &Cursor<'_>) -> Option<(Day, usize)> {
    let count = parse_count(cursor.word(0))?;
    let today = cursor.today;
    let day = match cursor.word(1).trim_end_matches('s') {
        "day" => today.plus(-count),
        "week" => today.plus(-7 * count),
        "month" => today.plus_months(-count),
        "year" => today.plus_months(-12 * count),
        _ => return None,
    };
    Some((day, 2))
}

/// Parses `2024-01-31`, `2024/01/31`, `2024-01` and `2024`.
fn parse_numeric(cursor: &Cursor<'_>) -> Option<DateName> {
    let text = cursor.word(0).replace('/', "-");
    if let Some(day) = Day::parse(&text) {
        return Some(date_name(day.to_string(), 1, Strength::Strong));
    }
    let (year, month) = match text.split_once('-') {
        Some((year, month)) => (year, Some(month)),
        None => (text.as_str(), None),
    };
    digits(year, 4).filter(|year| is_year(*year))?;
    let is_month = |month: &str| digits(month, 2).is_some_and(|month| (1..=12).contains(&month));
    month
        .is_none_or(is_month)
        .then(|| date_name(text.clone(), 1, Strength::Cued))
}

fn is_year(year: i64) -> bool {
    (1900..=2100).contains(&year)
}

/// Parses "March", "March 2024", "31 March 2024" and "March 31st, 2024".
fn parse_month(cursor: &Cursor<'_>) -> Option<DateName> {
    let day_first = parse_day_of_month(cursor.word(0));
    let of = 1 + cursor.skip(1, &["of"]);
    let at = if day_first.is_some() { of } else { 0 };
    let token = cursor.token(at)?;
    let month = MONTHS.iter().position(|name| {
        let is_short = token.word.len() >= 3 && token.word == name.get(..3).unwrap_or_default();
        token.word == *name || is_short || (token.word == "sept" && *name == "september")
    })?;
    // "may" and "march" in lower case are usually other words.
    if !token.text.starts_with(char::is_uppercase)
        && ["may", "march", "mar", "jan", "dec"].contains(&token.word.as_str())
    {
        return None;
    }
    let month = i64::try_from(month).ok()? + 1;
    let year_at = |at: usize| digits(cursor.word(at), 4).filter(|year| is_year(*year));
    let mut used = at + 1;
    let mut day = day_first;
    if day.is_none() && year_at(used).is_none() {
        day = parse_day_of_month(cursor.word(used));
        used += usize::from(day.is_some());
    }
    let year = year_at(used);
    used += usize::from(year.is_some());
    let (this_year, this_month, today) = cursor.today.date();
    let strength = if year.is_some() {
        Strength::Strong
    } else {
        Strength::Cued
    };
    let Some(day) = day else {
        // Without a year the month is the last one that has begun.
        let year = year.unwrap_or(this_year - i64::from(month > this_month));
        return Some(date_name(format!("{year:04}-{month:02}"), used, strength));
    };
    let is_ahead = (month, day) > (this_month, today);
    let year = year.unwrap_or(this_year - i64::from(is_ahead));
    let day = Day::of(year, month, day)?;
    Some(date_name(day.to_string(), used, strength))
}

fn parse_day_of_month(word: &str) -> Option<i64> {
    let bare = ["st", "nd", "rd", "th"]
        .into_iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    let day = bare.parse().ok().filter(|_| bare.len() <= 2)?;
    (1..=31).contains(&day).then_some(day)
}

/// Parses a weekday. "Monday" is the last one and may be today; "last Monday" is before today.
fn parse_weekday(cursor: &Cursor<'_>) -> Option<DateName> {
    let is_last = cursor.skip(0, &["last", "past", "previous", "this"]);
    let sought = cursor.word(is_last);
    let weekday = Weekday::ALL.into_iter().find(|day| day.name() == sought)?;
    let mut since = cursor.today.since(weekday);
    if since == 0 && is_last > 0 && cursor.word(0) != "this" {
        since = 7;
    }
    let strength = if is_last > 0 {
        Strength::Strong
    } else {
        Strength::Cued
    };
    Some(date_name(
        cursor.today.plus(-since).to_string(),
        is_last + 1,
        strength,
    ))
}

fn parse_count(word: &str) -> Option<i64> {
    let named = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let at = named.iter().position(|known| *known == word);
    let count = at.and_then(|at| i64::try_from(at + 1).ok());
    let count = count.or_else(|| word.parse().ok())?;
    (1..=36_525).contains(&count).then_some(count)
}
