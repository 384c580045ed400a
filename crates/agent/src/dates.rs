//! Dates as plans name them: `today`, `last_week`, `2024-01-31`. Each is a range of days, and an operator makes bounds of it.
//!
//! Language models name days well and count them badly, so they are given names and the counting is done here.

use super::civil::{Day, Weekday, digits};
use super::clock::Clock;
use super::plan::Operator;

/// Names of ranges that need no number, with what they mean.
pub const TOKENS: [(&str, &str); 10] = [
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

/// Names of ranges with a number in them, as examples.
pub const COUNTED: [&str; 3] = ["last_7_days", "last_4_weeks", "last_6_months"];

/// Most of `N` in `last_N_days`: a hundred years.
const MAX_COUNT: i64 = 36_525;

/// Days from the first up to before the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayRange {
    /// The first day.
    pub start: Day,
    /// The day after the last.
    pub end: Day,
}

impl DayRange {
    /// One day.
    #[must_use]
    pub fn day(day: Day) -> Self {
        let end = day.plus(1);
        Self { start: day, end }
    }

    /// So many months from the first day of one.
    #[must_use]
    pub fn months(year: i64, month: i64, count: i64) -> Self {
        Self {
            start: Day::month_start(year, month),
            end: Day::month_start(year, month.saturating_add(count)),
        }
    }
}

/// The days that a name or date means; `None` for what is neither.
///
/// Dates are `YYYY-MM-DD`, also with a time of midnight behind, `YYYY-MM` and `YYYY`. `last_7_days` are the seven days that end
/// with today, `last_2_weeks` fourteen, `last_6_months` those since the same day of the month six months ago; other names are of the calendar.
#[must_use]
pub fn days(name: &str, today: Day, first_day_of_week: Weekday) -> Option<DayRange> {
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
        _ => counted(&name, today).or_else(|| written(&name)),
    }
}

/// `last_7_days` and the like.
fn counted(name: &str, today: Day) -> Option<DayRange> {
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

/// A date, a month, a year; their hyphens are underscores here.
fn written(name: &str) -> Option<DayRange> {
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

/// The bounds that comparing with some days means, as `gte` and `lt` in seconds since 1970; `None` where the operator does not compare dates.
#[must_use]
pub fn bounds(
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
