//! Arguments as callers give them.

use crate::error::RagnavError;

/// A number that counts something: whole and at least 1.
///
/// # Errors
/// `INVALID_ARGUMENT` for any other number, with the argument's name.
pub fn whole_number(name: &str, given: f64) -> Result<usize, RagnavError> {
    let fits = given.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&given);
    if !fits {
        let message = format!("{name} must be a whole number of at least 1, not {given}");
        return Err(RagnavError::invalid(message));
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
        assert_eq!(whole_number("limit", 20.0), Ok(20));
        for given in [0.0, -1.0, 1.5, f64::NAN, f64::INFINITY, 1e12] {
            assert!(whole_number("limit", given).is_err(), "{given}");
        }
    }
}
