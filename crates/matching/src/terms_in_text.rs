//! The terms of a query in one text: what the choice of the best files needs of it.

use std::ops::Range;

use crate::declarations::{exactness, is_declared};
use crate::identifiers::word_around;
use crate::terms::{Occurrence, Occurs, Terms};

/// The largest count of a term in a text; more occurrences say nothing more about it.
pub const MAX_COUNT: u32 = 255;

/// The terms of a query in a text.
///
/// # Examples
///
/// ```
/// use ragnav_matching::terms::Terms;
/// use ragnav_matching::terms_in_text::TermsInText;
///
/// let terms = Terms::new("total").unwrap();
/// let found = TermsInText::count("def total(self):\r\n    return total\r\n", &terms);
/// assert_eq!((found.counts, found.length), (vec![2], 34));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermsInText {
    /// The number of occurrences of each term, up to [`MAX_COUNT`].
    pub counts: Vec<u32>,
    /// The largest [`exactness`] of each term in the words that the text seems to declare, or 0.
    pub declared: Vec<u32>,
    /// The [length](ranked_length) of the text.
    pub length: usize,
}

impl TermsInText {
    /// Counts the terms in a text.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::terms::Terms;
    /// use ragnav_matching::terms_in_text::TermsInText;
    ///
    /// let terms = Terms::new("price").unwrap();
    /// let found = TermsInText::count("def price(): return price", &terms);
    /// assert_eq!((found.counts, found.declared), (vec![2], vec![255]));
    /// ```
    #[must_use]
    pub fn count(text: &str, terms: &Terms) -> Self {
        let mut counts = vec![0; terms.terms().len()];
        let mut declared = counts.clone();
        terms.visit(text, |Occurrence { term, at }| {
            if let Some(count) = counts.get_mut(term) {
                *count = MAX_COUNT.min(*count + 1);
            }
            let occurs = terms.terms().get(term).map(|term| &term.occurs);
            if occurs == Some(&Occurs::Subword)
                && let Some(known) = declared.get_mut(term)
            {
                *known = exactness_at(text, &at).max(*known);
            }
        });
        Self {
            counts,
            declared,
            length: ranked_length(text),
        }
    }
}

/// Returns the length of a text for its ranking. Carriage returns do not count, so line endings do
/// not matter.
///
/// # Examples
///
/// ```
/// use ragnav_matching::terms_in_text::ranked_length;
///
/// assert_eq!(ranked_length("a\r\nb\r\n"), ranked_length("a\nb\n"));
/// ```
#[must_use]
pub fn ranked_length(text: &str) -> usize {
    text.len() - memchr::memchr_iter(b'\r', text.as_bytes()).count()
}

/// Returns the [`exactness`] of an occurrence; 0 if its word does not seem to be declared.
fn exactness_at(text: &str, at: &Range<usize>) -> u32 {
    let word = word_around(text, at);
    if !is_declared(text, &word) {
        return 0;
    }
    let [part, word] = [at.clone(), word].map(|at| text.get(at).unwrap_or_default());
    exactness(part, word)
}
