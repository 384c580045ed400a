//! "from last week", "since 2024-01-31", "modified today", "between March and May 2024".

use super::view::{Claim, View};
use super::wording;
use crate::catalogue::{Field, Role};
use crate::civil::{Day, Weekday, digits};
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

/// How sure it is that words mean a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strength {
    /// Wherever it stands: `2024-01-31`, "last week".
    Strong,
    /// Beside a word for documents or for changing them: "today".
    Weak,
    /// Behind a preposition: "2024", "May".
    Cued,
}

/// A date in words, as a name that plans know.
struct Named {
    name: String,
    used: usize,
    strength: Strength,
}

pub(super) fn date(view: &View<'_>) -> Option<Claim> {
    if view.before() == "not" {
        return None;
    }
    let subject = view.word(0);
    let role = if CREATED.contains(&subject) {
        Some(Role::Created)
    } else {
        MODIFIED.contains(&subject).then_some(Role::Modified)
    };
    let lead = usize::from(role.is_some());
    let field = field(view, role.unwrap_or(Role::Created))?;
    let (bounds, used) = compared(&view.ahead(lead), role.is_some())?;
    let filters = bounds
        .into_iter()
        .map(|(operator, name)| DraftFilter::new(&field.name, operator, name));
    Some(Claim {
        used: lead + used,
        filters: filters.collect(),
        is_explicit: false,
    })
}

/// The field of that role; where a catalogue knows one date only, that one.
fn field<'a>(view: &View<'a>, role: Role) -> Option<&'a Field> {
    let other = if role == Role::Created {
        Role::Modified
    } else {
        Role::Created
    };
    view.field(role).or_else(|| view.field(other))
}

type Bounds = Vec<(&'static str, String)>;

/// A comparison at a place, and how many pieces it is.
fn compared(view: &View<'_>, has_subject: bool) -> Option<(Bounds, usize)> {
    if let Some(found) = between(view) {
        return Some(found);
    }
    let (operator, lead) = preposition(view);
    let the = lead + view.skip(lead, &["the"]);
    if operator == "lt" && view.word(0) == "older" {
        // "Older than two weeks": a span, counted back from today.
        if let Some((day, used)) = span(&view.ahead(the)) {
            return Some((vec![("lt", day.to_string())], the + used));
        }
    }
    let named = named(&view.ahead(the))?;
    let fits = match named.strength {
        Strength::Strong => true,
        Strength::Weak => {
            let around = [view.before(), view.word(the + named.used)];
            has_subject || lead > 0 || around.iter().any(|word| wording::is_document(word))
        }
        Strength::Cued => lead > 0,
    };
    let operator = if lead == 0 { "eq" } else { operator };
    fits.then(|| (vec![(operator, named.name)], the + named.used))
}

fn preposition(view: &View<'_>) -> (&'static str, usize) {
    match (view.word(0), view.word(1)) {
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

/// "between A and B", "from A to B".
fn between(view: &View<'_>) -> Option<(Bounds, usize)> {
    let joins: &[&str] = match view.word(0) {
        "between" => &["and"],
        "from" => &["to", "until", "till", "through"],
        _ => return None,
    };
    let from = named(&view.ahead(1))?;
    let at = 1 + from.used;
    let to = joins
        .contains(&view.word(at))
        .then(|| named(&view.ahead(at + 1)))??;
    let bounds = vec![("gte", from.name), ("lte", to.name)];
    Some((bounds, at + 1 + to.used))
}

/// The date that begins at a place.
fn named(view: &View<'_>) -> Option<Named> {
    relative(view)
        .or_else(|| ago(view))
        .or_else(|| written(view))
        .or_else(|| month(view))
        .or_else(|| weekday(view))
}

fn is(name: impl Into<String>, used: usize, strength: Strength) -> Named {
    Named {
        name: name.into(),
        used,
        strength,
    }
}

/// "today", "last week", "the past 7 days".
fn relative(view: &View<'_>) -> Option<Named> {
    let (first, second) = (view.word(0), view.word(1));
    if ["today", "yesterday", "tomorrow"].contains(&first) {
        return Some(is(first, 1, Strength::Weak));
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
        return Some(is(name, 2, Strength::Strong));
    }
    if is_unit && (is_last || first == "this") {
        let which = if is_last { "last" } else { "this" };
        return Some(is(format!("{which}_{second}"), 2, Strength::Strong));
    }
    let count = count(second).filter(|_| is_last)?;
    let unit = view.word(2).trim_end_matches('s');
    let is_unit = ["day", "week", "month", "year"].contains(&unit);
    is_unit.then(|| is(format!("last_{count}_{unit}s"), 3, Strength::Strong))
}

fn ago(view: &View<'_>) -> Option<Named> {
    let (day, used) = span(view)?;
    (view.word(used) == "ago").then(|| is(day.to_string(), used + 1, Strength::Strong))
}

/// The day before today by a span: "3 days", "two weeks".
fn span(view: &View<'_>) -> Option<(Day, usize)> {
    let count = count(view.word(0))?;
    let today = view.today;
    let day = match view.word(1).trim_end_matches('s') {
        "day" => today.plus(-count),
        "week" => today.plus(-7 * count),
        "month" => today.plus_months(-count),
        "year" => today.plus_months(-12 * count),
        _ => return None,
    };
    Some((day, 2))
}

/// `2024-01-31`, `2024/01/31`, `2024-01`, `2024`.
fn written(view: &View<'_>) -> Option<Named> {
    let text = view.word(0).replace('/', "-");
    if let Some(day) = Day::parse(&text) {
        return Some(is(day.to_string(), 1, Strength::Strong));
    }
    let (year, month) = match text.split_once('-') {
        Some((year, month)) => (year, Some(month)),
        None => (text.as_str(), None),
    };
    digits(year, 4).filter(|year| is_year(*year))?;
    let is_month = |month: &str| digits(month, 2).is_some_and(|month| (1..=12).contains(&month));
    month
        .is_none_or(is_month)
        .then(|| is(text.clone(), 1, Strength::Cued))
}

fn is_year(year: i64) -> bool {
    (1900..=2100).contains(&year)
}

/// "March", "March 2024", "31 March 2024", "March 31st, 2024".
fn month(view: &View<'_>) -> Option<Named> {
    let day_first = day_of_month(view.word(0));
    let of = 1 + view.skip(1, &["of"]);
    let at = if day_first.is_some() { of } else { 0 };
    let token = view.token(at)?;
    let month = MONTHS.iter().position(|name| {
        let is_short = token.word.len() >= 3 && token.word == name.get(..3).unwrap_or_default();
        token.word == *name || is_short || (token.word == "sept" && *name == "september")
    })?;
    // "may" and "march" are words as well.
    if !token.text.starts_with(char::is_uppercase)
        && ["may", "march", "mar", "jan", "dec"].contains(&token.word.as_str())
    {
        return None;
    }
    let month = i64::try_from(month).ok()? + 1;
    let year_at = |at: usize| digits(view.word(at), 4).filter(|year| is_year(*year));
    let mut used = at + 1;
    let mut day = day_first;
    if day.is_none() && year_at(used).is_none() {
        day = day_of_month(view.word(used));
        used += usize::from(day.is_some());
    }
    let year = year_at(used);
    used += usize::from(year.is_some());
    let (this_year, this_month, today) = view.today.date();
    let strength = if year.is_some() {
        Strength::Strong
    } else {
        Strength::Cued
    };
    let Some(day) = day else {
        // Without a year it is the last one that has begun.
        let year = year.unwrap_or(this_year - i64::from(month > this_month));
        return Some(is(format!("{year:04}-{month:02}"), used, strength));
    };
    let is_ahead = (month, day) > (this_month, today);
    let year = year.unwrap_or(this_year - i64::from(is_ahead));
    let day = Day::of(year, month, day)?;
    Some(is(day.to_string(), used, strength))
}

fn day_of_month(word: &str) -> Option<i64> {
    let bare = ["st", "nd", "rd", "th"]
        .into_iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    let day = bare.parse().ok().filter(|_| bare.len() <= 2)?;
    (1..=31).contains(&day).then_some(day)
}

/// "Monday" is the last one, which may be today; "last Monday" was before today.
fn weekday(view: &View<'_>) -> Option<Named> {
    let is_last = view.skip(0, &["last", "past", "previous", "this"]);
    let sought = view.word(is_last);
    let weekday = Weekday::ALL.into_iter().find(|day| day.name() == sought)?;
    let mut since = view.today.since(weekday);
    if since == 0 && is_last > 0 && view.word(0) != "this" {
        since = 7;
    }
    let strength = if is_last > 0 {
        Strength::Strong
    } else {
        Strength::Cued
    };
    Some(is(
        view.today.plus(-since).to_string(),
        is_last + 1,
        strength,
    ))
}

fn count(word: &str) -> Option<i64> {
    let named = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let at = named.iter().position(|known| *known == word);
    let count = at.and_then(|at| i64::try_from(at + 1).ok());
    let count = count.or_else(|| word.parse().ok())?;
    (1..=36_525).contains(&count).then_some(count)
}
