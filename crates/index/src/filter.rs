//! Trigram filters that prove that a file does not contain a literal.
//!
//! Each file has a Bloom filter with one hash function. A trigram is three bytes, with ASCII
//! letters in lower case. Every trigram of the file is in its filter, and some others are too. With
//! one bit for two bytes, about a third of the bits are set in ordinary code. A literal of eight
//! bytes then passes by chance in one file of a thousand.

use ragnav_base::position::wire;

/// Bytes of the file for each bit of its filter.
const BYTES_PER_BIT: usize = 2;
const MIN_BYTES: usize = 8;
/// The largest filter in bytes. Files with a longer one would repeat most of their trigrams.
pub(super) const MAX_FILTER_BYTES: usize = 16 << 10;

/// Builds the filter of a file's bytes.
///
/// # Examples
///
/// ```
/// use ragnav_index::filter::{Needle, build_filter};
///
/// let filter = build_filter(b"def login(user): ...");
/// assert!(Needle::new("login", true).may_match(&filter));
/// ```
#[must_use]
pub fn build_filter(bytes: &[u8]) -> Vec<u8> {
    let len = (bytes.len() / BYTES_PER_BIT / 8).clamp(MIN_BYTES, MAX_FILTER_BYTES);
    let mut filter = vec![0; len];
    for gram in trigrams(bytes) {
        let (byte, bit) = bit_position(gram, len);
        if let Some(byte) = filter.get_mut(byte) {
            *byte |= bit;
        }
    }
    filter
}

/// The trigrams of a literal, which every file that contains it has too.
///
/// # Examples
///
/// ```
/// use ragnav_index::filter::{Needle, build_filter};
///
/// let filter = build_filter(b"def logout(user): ...");
/// assert!(!Needle::new("login", true).may_match(&filter));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needle(Vec<u32>);

impl Needle {
    /// Collects the trigrams of a literal. A literal without trigrams may be in every file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::filter::{Needle, build_filter};
    ///
    /// let filter = build_filter(b"LOGIN_URL = '/'");
    /// assert!(Needle::new("login", false).may_match(&filter));
    /// // A text of two letters has no trigrams.
    /// assert!(Needle::new("xy", true).may_match(&filter));
    /// ```
    #[must_use]
    pub fn new(literal: &str, case_sensitive: bool) -> Self {
        let may_be_folded = |gram: &u32| {
            let [a, b, c, _] = gram.to_le_bytes();
            // Non-ASCII characters fold to `k` and `s` (the Kelvin sign, `ſ`), and to each other.
            [a, b, c]
                .iter()
                .any(|byte| matches!(byte, b'k' | b's') || !byte.is_ascii())
        };
        let grams = trigrams(literal.as_bytes());
        Self(
            grams
                .filter(|gram| case_sensitive || !may_be_folded(gram))
                .collect(),
        )
    }

    /// Reports whether a file with this filter may contain the literal.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::filter::{Needle, build_filter};
    ///
    /// let filter = build_filter(b"def total(self): ...");
    /// assert!(Needle::new("total(", true).may_match(&filter));
    /// assert!(!Needle::new("price_of", true).may_match(&filter));
    /// ```
    #[must_use]
    pub fn may_match(&self, filter: &[u8]) -> bool {
        self.0.iter().all(|gram| {
            let (byte, bit) = bit_position(*gram, filter.len());
            filter.get(byte).is_none_or(|byte| byte & bit != 0)
        })
    }
}

fn trigrams(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.windows(3).map(|window| {
        let folded = window.iter().rev().map(u8::to_ascii_lowercase);
        folded.fold(0, |gram, byte| gram << 8 | u32::from(byte))
    })
}

/// Returns the byte and the bit of a trigram in a filter of `len` bytes.
fn bit_position(gram: u32, len: usize) -> (usize, u8) {
    // Fibonacci hashing, scaled to the number of bits.
    let hash = u64::from(gram.wrapping_mul(0x9E37_79B1));
    let at = (hash * (u64::from(wire(len)) * 8)) >> 32;
    let byte = usize::try_from(at >> 3).unwrap_or(usize::MAX);
    (byte, 1 << (at & 7))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_a_file_holds_passes(
            text in "\\PC{0,300}",
            start in 0..300_usize,
            len in 0..20_usize,
            case: bool,
        ) {
            let letters: Vec<char> = text.chars().collect();
            let needle: String = letters.iter().skip(start).take(len).collect();
            let filter = build_filter(text.as_bytes());
            prop_assert!(Needle::new(&needle, case).may_match(&filter));
        }

        #[test]
        fn what_a_file_holds_in_another_case_passes(text in "[a-zA-ZſK_ ]{0,60}") {
            let filter = build_filter(text.as_bytes());
            let plain = text.replace('ſ', "s").replace('K', "k");
            for needle in [text.to_lowercase(), text.to_uppercase(), plain] {
                prop_assert!(Needle::new(&needle, false).may_match(&filter));
            }
        }
    }

    #[test]
    fn what_a_file_does_not_hold_seldom_passes() {
        let text = include_str!("filter.rs");
        let filter = build_filter(text.as_bytes());
        let absent = (0..1_000_u32).map(|number| format!("zq{number:06}xj"));
        let passed = absent.filter(|needle| Needle::new(needle, true).may_match(&filter));
        assert!(passed.count() < 10);
        assert!(Needle::new("ab", true).may_match(&filter));
    }
}
