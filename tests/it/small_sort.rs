//! The sort whose code is small.

use proptest::prelude::*;
use ragnav::base::sort::SmallSort;

proptest! {
    #[test]
    fn sorts_as_the_standard_library(
        values in prop::collection::vec((0_u8..8, 0_u8..200), 0..60),
    ) {
        let mut small = values.clone();
        small.small_sort_by_key(|(key, _)| *key);
        let mut expected = values;
        expected.sort_by_key(|(key, _)| *key);
        prop_assert_eq!(&small, &expected);
        small.small_sort();
        expected.sort_unstable();
        prop_assert_eq!(small, expected);
    }
}
