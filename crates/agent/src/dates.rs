//! The date names of plans: `today`, `last_week`, `2024-01-31`. Each is a range of days, which an
//! operator converts to bounds.
//!
//! Language models name dates well but calculate them badly, so this module calculates.

use super::calendar::{Day, Weekday, digits};
use super::clock::Clock;
use super::plan::Operator;

/// The names of ranges without a number, with their meanings.
pub(crate) const NAMES: [(&str, &str); 10] = [
    ("today", "the current day"),
    ("yesterday", "the day before"),
    ("this_week", "the current week, all of it"),
    ("last_week", "the week before"),
    ("this_month", "the current month, all of it"),
    ("last_month", "the month before"),
    ("this_quarter", "the current quarter, all of it"),
    ("last_quarter", "the quarter before"),
    ("this_year", "the current year, all of it"),
    ("last_year", "the year before"),
];

/// Examples of the names of ranges with a number.
pub(crate) const NUMBERED_NAMES: [&str; 3] = ["last_7_days", "last_4_weeks", "last_6_months"];

/// The largest `N` in `last_N_days`: a hundred years.
const MAX_COUNT: i64 = 36_525;

/// A range of days, with an exclusive end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DayRange {
    /// The first day.
    pub(crate) start: Day,
    /// The day after the last one.
    pub(crate) end: Day,
}

impl DayRange {
    /// Returns the range of one day.
    #[must_use]
    pub(crate) fn day(day: Day) -> Self {
        let end = day.plus(1);
        Self { start: day, end }
    }

    /// Returns the range of `count` months from the first day of a month on.
    #[must_use]
    pub(crate) fn months(year: i64, month: i64, count: i64) -> Self {
        Self {
            start: Day::month_start(year, month),
            end: Day::month_start(year, month.saturating_add(count)),
        }
    }
}

/// Returns the range that a name or date means, or `None` for any other text.
///
/// Dates are `YYYY-MM-DD`, also with a time of midnight, `YYYY-MM` and `YYYY`. `last_7_days` are
/// the seven days that end today. `last_6_months` begin on the same day of the month six months
/// ago. `last_month` and other names without a number are calendar periods.
#[must_use]
pub(crate) fn parse_range(name: &str, today: Day, first_day_of_week: Weekday) -> Option<DayRange> {
    let name = name.trim().to_ascii_lowercase().replace([' ', '-'], "_");
    let (year, month, _) = today.date();
    let quarter = (month - 1) / 3 * 3 + 1;
    let week = today.plus(-today.since(first_day_of_week));
    let seven = |start: Day| DayRange {
        start,
        end: start.plus(7),
    };
    match name.as_str() {
        "today" => Some(DayRange::day(today)),
        "yesterday" => Some(DayRange::day(today.plus(-1))),
        "tomorrow" => Some(DayRange::day(today.plus(1))),
        "this_week" => Some(seven(week)),
        "last_week" => Some(seven(week.plus(-7))),
        "this_month" => Some(DayRange::months(year, month, 1)),
        "last_month" => Some(DayRange::months(year, month - 1, 1)),
        "this_quarter" => Some(DayRange::months(year, quarter, 3)),
        "last_quarter" => Some(DayRange::months(year, quarter - 3, 3)),
        "this_year" => Some(DayRange::months(year, 1, 12)),
        "last_year" => Some(DayRange::months(year - 1, 1, 12)),
        _ => parse_numbered(&name, today).or_else(|| parse_date(&name)),
    }
}

/// Parses `last_7_days` and similar names.
fn parse_numbered(name: &str, today: Day) -> Option<DayRange> {
    let (count, unit) = name.strip_prefix("last_")?.split_once('_')?;
    let count = count.parse::<i64>().ok()?;
    if !(1..=MAX_COUNT).contains(&count) {
        return None;
    }
    let start = match unit {
        "day" | "days" => today.plus(1 - count),
        "week" | "weeks" => today.plus(1 - 7 * count),
        "month" | "months" => today.plus_months(-count),
        "year" | "years" => today.plus_months(-12 * count),
        _ => return None,
    };
    let end = today.plus(1);
    Some(DayRange { start, end })
}

/// Parses a date, a month or a year. Their hyphens are underscores here.
fn parse_date(name: &str) -> Option<DayRange> {
    let name = name.replace('_', "-");
    let name = ["t00:00:00z", "t00:00:00.000z", "t00:00:00", "t00:00"]
        .into_iter()
        .find_map(|midnight| name.strip_suffix(midnight))
        .unwrap_or(&name);
    let mut parts = name.split('-');
    let year = digits(parts.next()?, 4).filter(|year| *year >= 1)?;
    let Some(month) = parts.next() else {
        return Some(DayRange::months(year, 1, 12));
    };
    if parts.next().is_some() {
        return Day::parse(name).map(DayRange::day);
    }
    let month = digits(month, 2).filter(|month| (1..=12).contains(month))?;
    Some(DayRange::months(year, month, 1))
}

/// Returns the bounds of a comparison with a range of days, as `gte` and `lt` in seconds since
/// 1970.
/// Returns `None` for an operator that does not compare dates.
#[must_use]
pub(crate) fn compare_bounds(
    operator: Operator,
    days: DayRange,
    clock: &Clock<'_>,
) -> Option<Vec<(Operator, i64)>> {
    let from = |day| (Operator::Gte, clock.start_of(day));
    let before = |day| (Operator::Lt, clock.start_of(day));
    match operator {
        Operator::Eq => Some(vec![from(days.start), before(days.end)]),
        Operator::Gte => Some(vec![from(days.start)]),
        Operator::Gt => Some(vec![from(days.end)]),
        Operator::Lt => Some(vec![before(days.start)]),
        Operator::Lte => Some(vec![before(days.end)]),
        _ => None,
    }
}
