//! Days and weekdays of the Gregorian calendar.
//!
//! Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (`days_from_civil`,
//! `civil_from_days`), within the years 1 to 9999.

use serde::{Deserialize, Serialize};

/// The first and the last day of the years 1 to 9999.
const FIRST: i64 = -719_162;
const LAST: i64 = 2_932_896;

/// A day, as the number of days since 1970-01-01.
///
/// # Examples
///
/// ```
/// use ragnav_agent::calendar::Day;
///
/// let day = Day::parse("2024-02-28").unwrap();
/// assert_eq!(day.plus(1).to_string(), "2024-02-29");
/// assert!(day < day.plus(1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(i64);

/// A day of the week.
///
/// # Examples
///
/// ```
/// use ragnav_agent::calendar::Weekday;
///
/// assert_eq!(serde_json::to_value(Weekday::Sunday).unwrap(), "sunday");
/// assert_eq!(Weekday::default(), Weekday::Monday);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Weekday {
    /// Monday, where a week begins by ISO 8601.
    #[default]
    Monday,
    /// Tuesday.
    Tuesday,
    /// Wednesday.
    Wednesday,
    /// Thursday.
    Thursday,
    /// Friday.
    Friday,
    /// Saturday.
    Saturday,
    /// Sunday, where a week begins in the United States.
    Sunday,
}

impl Weekday {
    /// All weekdays, from Monday.
    pub(crate) const ALL: [Self; 7] = [
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];

    /// Returns the English name in lower case.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Monday => "monday",
            Self::Tuesday => "tuesday",
            Self::Wednesday => "wednesday",
            Self::Thursday => "thursday",
            Self::Friday => "friday",
            Self::Saturday => "saturday",
            Self::Sunday => "sunday",
        }
    }
}

impl Day {
    /// Returns the day that is `days` days after 1970-01-01, clamped to the years 1 to 9999.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::calendar::Day;
    ///
    /// assert_eq!(Day::new(31).to_string(), "1970-02-01");
    /// assert_eq!(Day::new(i64::MAX).to_string(), "9999-12-31");
    /// ```
    #[must_use]
    pub fn new(days: i64) -> Self {
        Self(days.clamp(FIRST, LAST))
    }

    /// Returns the day of a date, or `None` if the date does not exist.
    #[must_use]
    pub(crate) fn of(year: i64, month: i64, day: i64) -> Option<Self> {
        let is_date = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day);
        is_date.then(|| {
            let year = if month <= 2 { year - 1 } else { year };
            let era = year.div_euclid(400);
            let year_of_era = year.rem_euclid(400);
            let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
            let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
            Self(era * 146_097 + day_of_era - 719_468)
        })
    }

    /// Returns the first day of a month. The month may be below 1 or above 12.
    #[must_use]
    pub(crate) fn month_start(year: i64, month: i64) -> Self {
        let months = year.saturating_mul(12).saturating_add(month - 1);
        let months = months.clamp(12, 9999 * 12 + 11);
        let first = Self::of(months.div_euclid(12), months.rem_euclid(12) + 1, 1);
        first.unwrap_or(Self(0))
    }

    /// Returns the year, the month and the day of the month.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::calendar::Day;
    ///
    /// assert_eq!(Day::new(-1).date(), (1969, 12, 31));
    /// ```
    #[must_use]
    pub fn date(self) -> (i64, i64, i64) {
        let days = self.0 + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 {
            shifted + 3
        } else {
            shifted - 9
        };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        (year, month, day)
    }

    /// Returns the number of days since 1970-01-01.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::calendar::Day;
    ///
    /// assert_eq!(Day::parse("1970-01-08").unwrap().days(), 7);
    /// ```
    #[must_use]
    pub fn days(self) -> i64 {
        self.0
    }

    /// Returns the day that is `days` days later.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::calendar::Day;
    ///
    /// let day = Day::parse("2023-12-31").unwrap();
    /// assert_eq!(day.plus(1).date(), (2024, 1, 1));
    /// ```
    #[must_use]
    pub fn plus(self, days: i64) -> Self {
        Self::new(self.0.saturating_add(days))
    }

    /// Returns the same day of the month `months` months later, or the last day of a shorter month.
    #[must_use]
    pub(crate) fn plus_months(self, months: i64) -> Self {
        let (year, month, day) = self.date();
        let (year, month, _) = Self::month_start(year, month.saturating_add(months)).date();
        Self::of(year, month, day.min(days_in(year, month))).unwrap_or(self)
    }

    /// Returns the number of days since the last such weekday.
    #[must_use]
    pub(crate) fn since(self, weekday: Weekday) -> i64 {
        // 1970-01-01 was a Thursday, three days after a Monday.
        (self.0 + 3 - weekday as i64).rem_euclid(7)
    }

    /// Returns the day of the week.
    #[must_use]
    pub(crate) fn weekday(self) -> Weekday {
        let is_it = |weekday: &Weekday| self.since(*weekday) == 0;
        Weekday::ALL.into_iter().find(is_it).unwrap_or_default()
    }

    /// Parses `YYYY-MM-DD`. Returns `None` for any other text and for a date that does not exist.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::calendar::Day;
    ///
    /// assert_eq!(Day::parse("1970-01-02"), Some(Day::new(1)));
    /// assert_eq!(Day::parse("2023-02-29"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let year = digits(parts.next()?, 4)?;
        let month = digits(parts.next()?, 2)?;
        let day = digits(parts.next()?, 2)?;
        parts.next().is_none().then(|| Self::of(year, month, day))?
    }
}

impl std::fmt::Display for Day {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (year, month, day) = self.date();
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

/// Parses a number of exactly `len` digits.
pub(super) fn digits(text: &str, len: usize) -> Option<i64> {
    let fits = text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok())?
}

fn days_in(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_has_its_date_and_back() {
        let mut last = (0, 12, 31);
        for days in FIRST..=LAST {
            let day = Day::new(days);
            let (year, month, of_month) = day.date();
            assert_eq!(Day::of(year, month, of_month), Some(day));
            let follows = match of_month {
                1 => last.2 == days_in(last.0, last.1) || last.0 == 0,
                _ => (year, month, of_month - 1) == last,
            };
            assert!(follows, "{last:?} {day}");
            last = (year, month, of_month);
        }
        assert_eq!(last, (9999, 12, 31));
    }

    #[test]
    fn dates_that_are_none() {
        for text in [
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-1-1",
            "0000-01-01",
            "2024-01-01-01",
            "+024-01-01",
            "",
        ] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
        assert_eq!(Day::parse("1970-01-01"), Some(Day(0)));
    }

    #[test]
    fn weekdays_and_months() {
        let day = Day::parse("2024-01-31").unwrap_or(Day(0));
        assert_eq!(day.weekday(), Weekday::Wednesday);
        assert_eq!(day.plus_months(1).to_string(), "2024-02-29");
        assert_eq!(day.plus_months(-2).to_string(), "2023-11-30");
        assert_eq!(Day::month_start(2024, 0).to_string(), "2023-12-01");
        assert_eq!(Day::month_start(2023, 13).to_string(), "2024-01-01");
    }
}
