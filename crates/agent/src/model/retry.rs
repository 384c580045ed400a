//! The delay before a retry.

use crate::calendar::Day;

/// The delay after the first failure, in milliseconds. It doubles with every further failure.
const FIRST_WAIT_MS: i64 = 2000;

/// Returns the delay after some failures, in milliseconds: the server's `Retry-After`, or 2 s, 4 s,
/// 8 s …
pub(super) fn wait_ms(failures: u32, retry_after: Option<&str>, now_ms: i64) -> i64 {
    let asked = retry_after.and_then(|header| parse_retry_after(header, now_ms));
    asked.unwrap_or_else(|| FIRST_WAIT_MS << failures.saturating_sub(1).min(10))
}

/// Parses `Retry-After`: seconds, or an HTTP date. Source: RFC 9110, sections 10.2.3 and 5.6.7.
fn parse_retry_after(header: &str, now_ms: i64) -> Option<i64> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        let fits = (0.0..=86_400.0).contains(&seconds);
        #[expect(clippy::cast_possible_truncation, reason = "at most a day")]
        return fits.then_some((seconds * 1000.0).ceil() as i64);
    }
    Some((parse_http_date(header)? - now_ms).max(0))
}

/// Parses `Sun, 06 Nov 1994 08:49:37 GMT`.
fn parse_http_date(header: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut parts = header.split_once(", ")?.1.split(' ');
    let day = parts.next()?.parse().ok()?;
    let month = parts.next()?;
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let year = parts.next()?.parse().ok()?;
    let mut time = parts
        .next()?
        .split(':')
        .map(|part| part.parse::<i64>().ok());
    let (hours, minutes, seconds) = (time.next()??, time.next()??, time.next()??);
    let is_time =
        (0..24).contains(&hours) && (0..60).contains(&minutes) && (0..=60).contains(&seconds);
    if !is_time || parts.next() != Some("GMT") {
        return None;
    }
    let day = Day::of(year, i64::try_from(month).ok()?, day)?;
    Some((day.days() * 86_400 + hours * 3600 + minutes * 60 + seconds) * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits() {
        let at = parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(at, Some(784_111_777_000));
        let now = 784_111_770_000;
        for (failures, header, expected) in [
            (1, None, 2000),
            (2, None, 4000),
            (3, None, 8000),
            (1, Some("7"), 7000),
            (1, Some("0.5"), 500),
            (1, Some("0"), 0),
            (1, Some("-1"), 2000),
            (2, Some("soon"), 4000),
            (1, Some("Sun, 06 Nov 1994 08:49:37 GMT"), 7000),
            (1, Some("Sun, 06 Nov 1994 08:00:00 GMT"), 0),
        ] {
            assert_eq!(wait_ms(failures, header, now), expected, "{header:?}");
        }
    }
}
