//! What time it is where the question is asked, and when days begin there.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::civil::{Day, Weekday};
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host};

const DAY_S: i64 = 86_400;

/// How far local time is ahead of UTC, at any instant.
pub trait TimeZone {
    /// In seconds, at an instant in seconds since 1970; within a day either way.
    fn offset_s(&self, at_s: i64) -> i32;
}

impl<F: Fn(i64) -> i32> TimeZone for F {
    fn offset_s(&self, at_s: i64) -> i32 {
        self(at_s)
    }
}

/// UTC.
#[derive(Debug, Clone, Copy)]
pub struct Utc;

impl TimeZone for Utc {
    fn offset_s(&self, _: i64) -> i32 {
        0
    }
}

/// What the words for dates are understood by.
#[derive(Clone, Copy)]
pub struct Clock<'a> {
    /// Milliseconds since 1970.
    pub now_ms: i64,
    /// Where the question is asked.
    pub zone: &'a dyn TimeZone,
    /// On which day a week begins there.
    pub first_day_of_week: Weekday,
}

impl Clock<'_> {
    /// The day it is.
    #[must_use]
    pub fn today(&self) -> Day {
        let now_s = self.now_ms.div_euclid(1000);
        Day::new((now_s + self.offset(now_s)).div_euclid(DAY_S))
    }

    /// When a day begins, in seconds since 1970: the first instant at which the clocks show that day.
    ///
    /// Where clocks are put forward over midnight this is when that happens; where midnight comes twice, the first. A day that a zone left out begins with the day after it.
    #[must_use]
    pub fn start_of(&self, day: Day) -> i64 {
        let midnight = day.days() * DAY_S;
        let before = self.offset(midnight - DAY_S);
        let after = self.offset(midnight + DAY_S);
        let candidates = [midnight - before, midnight - after].into_iter();
        let shown = candidates.filter(|at| at + self.offset(*at) == midnight);
        shown.min().unwrap_or_else(|| {
            let is_there = |at: i64| at + self.offset(at) >= midnight;
            first_that(
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

/// The first of `low..=high` for which `holds`, which holds for `high` and from some point on.
fn first_that(mut low: i64, mut high: i64, holds: impl Fn(i64) -> bool) -> i64 {
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

/// Offsets that a host was asked for. Others are noted as wanted and taken as none meanwhile, so what was worked out counts only
/// where [`wanted`](Self::wanted) is empty afterwards.
#[derive(Debug, Default)]
pub struct KnownOffsets {
    known: BTreeMap<i64, i32>,
    wanted: RefCell<BTreeSet<i64>>,
}

impl KnownOffsets {
    /// Takes what is wanted, in seconds since 1970.
    pub fn wanted(&self) -> Vec<i64> {
        self.wanted.take().into_iter().collect()
    }

    /// Adds the offset at an instant, both in seconds.
    pub fn add(&mut self, at_s: i64, offset_s: i32) {
        self.known.insert(at_s, offset_s);
    }
}

impl TimeZone for KnownOffsets {
    fn offset_s(&self, at_s: i64) -> i32 {
        let known = self.known.get(&at_s).copied();
        known.unwrap_or_else(|| {
            self.wanted.borrow_mut().insert(at_s);
            0
        })
    }
}

/// Rounds of asking: each is wanted by what the one before told, and finding a clock change within a day takes 17.
const MAX_ROUNDS: usize = 64;

/// What `work` comes to with the host's offsets; it is done again until it wants no more of them.
///
/// # Errors
/// `HOST_FAILED` where the host throws or answers for another number of instants, and where it contradicts itself.
pub async fn with_offsets<T>(
    host: &impl Host,
    mut work: impl FnMut(&dyn TimeZone) -> T,
) -> Result<T, RagnavError> {
    let mut zone = KnownOffsets::default();
    for _ in 0..MAX_ROUNDS {
        let done = work(&zone);
        let wanted = zone.wanted();
        if wanted.is_empty() {
            return Ok(done);
        }
        let instants = wanted.iter().map(|at_s| at_s * 1000).collect();
        let offsets = host::offsets(host, instants).await?;
        for (at_s, offset_s) in wanted.into_iter().zip(offsets) {
            zone.add(at_s, offset_s);
        }
    }
    Err(RagnavError::new(
        ragnav_base::error::ErrorCode::HostFailed,
        "the host's offsets lead from one to the next without end",
    ))
}
