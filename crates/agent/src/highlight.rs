//! The places in a passage that have terms of the question.

use std::ops::Range;

use ragnav_base::position::{utf16_len, wire};
use ragnav_base::sort::SmallSort;
use ragnav_matching::terms::Terms;

/// Returns where a text has terms, in order, as offsets in UTF-16 units. Occurrences that touch are
/// one.
#[must_use]
pub(crate) fn highlights(terms: &Terms, text: &str) -> Vec<(u32, u32)> {
    let mut found: Vec<Range<usize>> = Vec::new();
    terms.visit(text, |occurrence| found.push(occurrence.at));
    found.small_sort_by_key(|at| (at.start, at.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(found.len());
    for at in found {
        match merged.last_mut() {
            Some(last) if at.start <= last.end => last.end = last.end.max(at.end),
            _ => merged.push(at),
        }
    }
    let (mut bytes, mut units) = (0, 0);
    let mut to_utf16 = |offset: usize| {
        units += utf16_len(text.get(bytes..offset).unwrap_or_default());
        bytes = offset;
        wire(units)
    };
    let ranges = merged.into_iter();
    ranges
        .map(|at| (to_utf16(at.start), to_utf16(at.end)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ragnav_base::error::RagnavError;

    #[test]
    fn terms_are_found_in_utf16_units() -> Result<(), RagnavError> {
        let terms = Terms::new("how is the user name cached")?;
        let text = "😀 caching of getUserName";
        assert_eq!(highlights(&terms, text), [(3, 10), (17, 25)]);
        assert_eq!(highlights(&terms, "none of it"), []);
        Ok(())
    }
}
