//! The local time of the user, and the instants at which local days begin.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::calendar::{Day, Weekday};
use ragnav_base::error::RagnavError;
use ragnav_base::host::{Host, OffsetsRequest};

const DAY_S: i64 = 86_400;

/// The offset of local time from UTC at any instant.
///
/// # Examples
///
/// ```
/// use ragnav_agent::clock::{TimeZone, Utc};
///
/// // A closure is a zone too: this one has the time of Berlin in winter.
/// let berlin = |_: i64| 3_600;
/// assert_eq!(berlin.offset_s(0) - Utc.offset_s(0), 3_600);
/// ```
pub trait TimeZone {
    /// Returns the offset in seconds at an instant in seconds since 1970. It is within a day.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::clock::{TimeZone, Utc};
    ///
    /// assert_eq!(Utc.offset_s(1_700_000_000), 0);
    /// ```
    fn offset_s(&self, at_s: i64) -> i32;
}

impl<F: Fn(i64) -> i32> TimeZone for F {
    fn offset_s(&self, at_s: i64) -> i32 {
        self(at_s)
    }
}

/// UTC.
///
/// # Examples
///
/// ```
/// use ragnav_agent::calendar::Weekday;
/// use ragnav_agent::clock::{Clock, Utc};
///
/// let clock = Clock { now_ms: 0, zone: &Utc, first_day_of_week: Weekday::Monday };
/// assert_eq!(clock.today().to_string(), "1970-01-01");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Utc;

impl TimeZone for Utc {
    fn offset_s(&self, _: i64) -> i32 {
        0
    }
}

/// The local time that date names such as `today` refer to.
///
/// # Examples
///
/// ```
/// use ragnav_agent::calendar::Weekday;
/// use ragnav_agent::clock::Clock;
///
/// let new_york = |_: i64| -5 * 3_600;
/// let clock = Clock { now_ms: 0, zone: &new_york, first_day_of_week: Weekday::Sunday };
/// assert_eq!(clock.today().to_string(), "1969-12-31");
/// ```
#[derive(Clone, Copy)]
pub struct Clock<'a> {
    /// The milliseconds since 1970.
    pub now_ms: i64,
    /// The time zone of the user.
    pub zone: &'a dyn TimeZone,
    /// The first day of the user's week.
    pub first_day_of_week: Weekday,
}

impl Clock<'_> {
    /// Returns the local day.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
    /// # use setup::clock;
    /// assert_eq!(clock().today().to_string(), "1970-01-01");
    /// ```
    #[must_use]
    pub fn today(&self) -> Day {
        let now_s = self.now_ms.div_euclid(1000);
        Day::new((now_s + self.offset(now_s)).div_euclid(DAY_S))
    }

    /// Returns the start of a day in seconds since 1970: the first instant with that local date.
    ///
    /// If clocks go forward over midnight, it is the instant of the change. If midnight occurs
    /// twice, it is the first one. A day that a zone skipped begins with the next day.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::calendar::{Day, Weekday};
    /// use ragnav_agent::clock::Clock;
    ///
    /// let berlin = |_: i64| 3_600;
    /// let clock = Clock { now_ms: 0, zone: &berlin, first_day_of_week: Weekday::Monday };
    /// assert_eq!(clock.start_of(Day::parse("1970-01-02").unwrap()), 23 * 3_600);
    /// ```
    #[must_use]
    pub fn start_of(&self, day: Day) -> i64 {
        let midnight = day.days() * DAY_S;
        let before = self.offset(midnight - DAY_S);
        let after = self.offset(midnight + DAY_S);
        let candidates = [midnight - before, midnight - after].into_iter();
        let shown = candidates.filter(|at| at + self.offset(*at) == midnight);
        shown.min().unwrap_or_else(|| {
            let is_there = |at: i64| at + self.offset(at) >= midnight;
            find_first(
                midnight - before.max(after),
                midnight - before.min(after),
                is_there,
            )
        })
    }

    fn offset(&self, at_s: i64) -> i64 {
        i64::from(self.zone.offset_s(at_s)).clamp(-DAY_S, DAY_S)
    }
}

/// Returns the smallest value of `low..=high` for which `holds`, given that it holds for `high` and
/// is monotonic.
fn find_first(mut low: i64, mut high: i64, holds: impl Fn(i64) -> bool) -> i64 {
    while low < high {
        let middle = low + (high - low).div_euclid(2);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The offsets that the host has sent. A missing offset is recorded and counts as 0 meanwhile, so a
/// result is valid only if [`take_missing`](Self::take_missing) is empty afterwards.
///
/// # Examples
///
/// ```
/// use ragnav_agent::clock::{KnownOffsets, TimeZone};
///
/// let mut zone = KnownOffsets::default();
/// assert_eq!((zone.offset_s(0), zone.take_missing()), (0, vec![0]));
/// zone.add(0, 3_600);
/// assert_eq!((zone.offset_s(0), zone.take_missing()), (3_600, vec![]));
/// ```
#[derive(Debug, Default)]
pub struct KnownOffsets {
    known: BTreeMap<i64, i32>,
    missing: RefCell<BTreeSet<i64>>,
}

impl KnownOffsets {
    /// Takes the instants whose offsets are missing, in seconds since 1970.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::clock::{KnownOffsets, TimeZone};
    ///
    /// let zone = KnownOffsets::default();
    /// zone.offset_s(60);
    /// assert_eq!(zone.take_missing(), [60]);
    /// assert!(zone.take_missing().is_empty());
    /// ```
    pub fn take_missing(&self) -> Vec<i64> {
        self.missing.take().into_iter().collect()
    }

    /// Adds the offset at an instant, both in seconds.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::clock::{KnownOffsets, TimeZone};
    ///
    /// let mut zone = KnownOffsets::default();
    /// zone.add(60, 3_600);
    /// assert_eq!(zone.offset_s(60), 3_600);
    /// ```
    pub fn add(&mut self, at_s: i64, offset_s: i32) {
        self.known.insert(at_s, offset_s);
    }
}

impl TimeZone for KnownOffsets {
    fn offset_s(&self, at_s: i64) -> i32 {
        let known = self.known.get(&at_s).copied();
        known.unwrap_or_else(|| {
            self.missing.borrow_mut().insert(at_s);
            0
        })
    }
}

/// The largest number of rounds. Each depends on the previous one, and finding a clock change
/// within a day takes 17.
const MAX_ROUNDS: usize = 64;

/// Runs `work` with the host's offsets, again and again until no offset is missing.
///
/// # Errors
/// `HOST_FAILED` if the host throws, responds for another number of instants, or contradicts
/// itself.
///
/// # Examples
///
/// ```
/// use ragnav_agent::calendar::{Day, Weekday};
/// use ragnav_agent::clock::{Clock, TimeZone, with_offsets};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let start = |zone: &dyn TimeZone| {
///     let clock = Clock { now_ms: 0, zone, first_day_of_week: Weekday::Monday };
///     clock.start_of(Day::new(1))
/// };
/// // The time of this host is in UTC.
/// let host = MemoryHost::default();
/// assert_eq!(block_on(with_offsets(&host, start)).unwrap(), 86_400);
/// ```
pub async fn with_offsets<T>(
    host: &impl Host,
    mut work: impl FnMut(&dyn TimeZone) -> T,
) -> Result<T, RagnavError> {
    let mut zone = KnownOffsets::default();
    for _ in 0..MAX_ROUNDS {
        let done = work(&zone);
        let missing = zone.take_missing();
        if missing.is_empty() {
            return Ok(done);
        }
        let instants = missing.iter().map(|at_s| at_s * 1000).collect();
        let offsets = host.send(OffsetsRequest { instants }).await?;
        for (at_s, offset_s) in missing.into_iter().zip(offsets) {
            zone.add(at_s, offset_s);
        }
    }
    Err(RagnavError::new(
        ragnav_base::error::ErrorCode::HostFailed,
        "the host's time zone offsets contradict each other",
    ))
}
