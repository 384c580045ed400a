//! Validated arguments.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};

use crate::error::RagnavError;

/// A positive whole number. A JSON number with a fraction of zero is accepted, since JavaScript has
/// only floating-point numbers.
///
/// # Examples
///
/// ```
/// use ragnav_base::argument::Count;
///
/// assert_eq!(serde_json::from_str::<Count>("20.0").map(Count::get).ok(), Some(20));
/// assert!(serde_json::from_str::<Count>("1.5").is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Count(u32);

impl Count {
    /// The smallest count.
    pub const ONE: Self = Self(1);

    /// Returns a count, or `None` for 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::argument::Count;
    ///
    /// assert_eq!(Count::new(20).map(Count::get), Some(20));
    /// assert_eq!(Count::new(0), None);
    /// ```
    #[must_use]
    pub fn new(count: u32) -> Option<Self> {
        (count > 0).then_some(Self(count))
    }

    /// Returns the number.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::argument::Count;
    ///
    /// assert_eq!(Count::ONE.get(), 1);
    /// ```
    #[must_use]
    pub fn get(self) -> usize {
        self.0 as usize
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = Count;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a whole number of at least 1")
            }

            fn visit_u64<E: Error>(self, given: u64) -> Result<Count, E> {
                let count = u32::try_from(given).map_err(|_| E::custom(too_large(given)))?;
                Count::new(count).ok_or_else(|| E::custom(not_a_count(given)))
            }

            fn visit_i64<E: Error>(self, given: i64) -> Result<Count, E> {
                let count = u32::try_from(given).ok().and_then(Count::new);
                count.ok_or_else(|| E::custom(not_a_count(given)))
            }

            fn visit_f64<E: Error>(self, given: f64) -> Result<Count, E> {
                match parse_whole_number("", given) {
                    Ok(count) => self.visit_u64(count as u64),
                    Err(_) if given > f64::from(u32::MAX) => Err(E::custom(too_large(given))),
                    Err(_) => Err(E::custom(not_a_count(given))),
                }
            }
        }
        deserializer.deserialize_any(Number)
    }
}

fn not_a_count(given: impl fmt::Display) -> String {
    format!("must be a whole number of at least 1, not {given}")
}

fn too_large(given: impl fmt::Display) -> String {
    format!("must be at most {}, not {given}", u32::MAX)
}

/// Checks that a number is whole and at least 1.
///
/// # Errors
/// `INVALID_ARGUMENT`, with the name of the argument, for any other number.
///
/// # Examples
///
/// ```
/// use ragnav_base::argument::parse_whole_number;
///
/// assert_eq!(parse_whole_number("limit", 20.0), Ok(20));
/// let error = parse_whole_number("limit", 1.5).unwrap_err();
/// assert_eq!(error.message, "limit must be a whole number of at least 1, not 1.5");
/// ```
pub fn parse_whole_number(name: &str, given: f64) -> Result<usize, RagnavError> {
    let fits = given.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&given);
    if !fits {
        let problem = if given > f64::from(u32::MAX) {
            too_large(given)
        } else {
            not_a_count(given)
        };
        return Err(RagnavError::invalid(format!("{name} {problem}")));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number between 1 and u32::MAX"
    )]
    Ok(given as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole_and_positive() {
        assert_eq!(parse_whole_number("limit", 20.0), Ok(20));
        for given in [0.0, -1.0, 1.5, f64::NAN, f64::INFINITY, 1e12] {
            assert!(parse_whole_number("limit", given).is_err(), "{given}");
        }
        let message = |given| parse_whole_number("limit", given).map_err(|error| error.message);
        let expected = "limit must be at most 4294967295, not 4294967296";
        assert_eq!(message(4_294_967_296.0), Err(expected.to_owned()));
    }
}
