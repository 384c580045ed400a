//! Which files cannot hold a literal: a Bloom filter of each file's trigrams with one hash function.
//!
//! A trigram is three bytes, ASCII letters in lower case. Whatever a file holds is in its filter; what is in the filter need not be in
//! the file. With a bit for every other byte about a third of the bits are set in ordinary code, so a literal of eight bytes
//! passes by chance in one file of a thousand.

use ragnav_base::position::wire;

/// Bits of a filter for each byte of the file.
const BYTES_PER_BIT: usize = 2;
const MIN_BYTES: usize = 8;
/// The longest filter: files that would have a longer one repeat most of their trigrams.
pub(super) const MAX_FILTER_BYTES: usize = 16 << 10;

/// The filter of a file's bytes.
#[must_use]
pub fn filter_of(bytes: &[u8]) -> Vec<u8> {
    let len = (bytes.len() / BYTES_PER_BIT / 8).clamp(MIN_BYTES, MAX_FILTER_BYTES);
    let mut filter = vec![0; len];
    for gram in trigrams(bytes) {
        let (byte, bit) = place(gram, len);
        if let Some(byte) = filter.get_mut(byte) {
            *byte |= bit;
        }
    }
    filter
}

/// The trigrams that every file has which holds a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needle(Vec<u32>);

impl Needle {
    /// Of a literal; without case where that does not count. One without trigrams may be in every file.
    #[must_use]
    pub fn new(literal: &str, case_sensitive: bool) -> Self {
        let may_be_folded = |gram: &u32| {
            let [a, b, c, _] = gram.to_le_bytes();
            // Letters beyond ASCII fold to `k` and `s`, and to each other.
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

    /// Whether a file with this filter may hold the literal.
    #[must_use]
    pub fn may_be_in(&self, filter: &[u8]) -> bool {
        self.0.iter().all(|gram| {
            let (byte, bit) = place(*gram, filter.len());
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

/// Where a trigram's bit is in a filter of so many bytes.
fn place(gram: u32, len: usize) -> (usize, u8) {
    // Fibonacci hashing, then scaled to the number of bits.
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
        fn what_a_file_holds_passes(text in "\\PC{0,300}", start in 0..300_usize, len in 0..20_usize, case: bool) {
            let letters: Vec<char> = text.chars().collect();
            let needle: String = letters.iter().skip(start).take(len).collect();
            let filter = filter_of(text.as_bytes());
            prop_assert!(Needle::new(&needle, case).may_be_in(&filter));
        }

        #[test]
        fn what_a_file_holds_in_another_case_passes(text in "[a-zA-ZſK_ ]{0,60}") {
            let filter = filter_of(text.as_bytes());
            for needle in [text.to_lowercase(), text.to_uppercase(), text.replace('ſ', "s").replace('K', "k")] {
                prop_assert!(Needle::new(&needle, false).may_be_in(&filter));
            }
        }
    }

    #[test]
    fn what_a_file_does_not_hold_seldom_passes() {
        let text = include_str!("filter.rs");
        let filter = filter_of(text.as_bytes());
        let absent = (0..1_000_u32).map(|number| format!("zq{number:06}xj"));
        let passed = absent.filter(|needle| Needle::new(needle, true).may_be_in(&filter));
        assert!(passed.count() < 10);
        assert!(Needle::new("ab", true).may_be_in(&filter));
    }
}
