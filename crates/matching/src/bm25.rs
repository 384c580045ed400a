//! BM25F, the relevance of a document to a query.
//!
//! Source: Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond* (2009),
//! section 3.6. The counts of a term in all fields are weighted, normalised by length and summed,
//! and only the sum saturates. A term in two fields therefore scores less than two terms:
//!
//! ```text
//! frequency(t) = Σ weight(f) · count(t, f) / (1 − b(f) + b(f) · length(f) / typical_length(f))
//! score        = Σ idf(t) · frequency(t) / (K1 + frequency(t))
//! ```
//!
//! The factor `K1 + 1` of some variants is omitted: it changes no order, and without it no score
//! exceeds the sum of the idf. The four basic operations compute everything, so that every machine
//! computes the same bits.

use ragnav_base::sort::SmallSort;

/// The frequency at which a term contributes half of its idf.
const K1: f64 = 1.2;

/// The parameters of a document's field. Weights and scores are real numbers in the formula, and
/// rounding them to integers would change the order of documents.
///
/// # Examples
///
/// ```
/// use ragnav_matching::fields::{BODY, NAME};
///
/// // A term counts six times as much in the name of a definition as in its text.
/// let in_name = NAME.frequency(1, 16);
/// let in_text = BODY.frequency(1, 600);
/// assert_eq!((in_name, in_text), (6.0, 1.0));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The weight of one occurrence.
    pub weight: f64,
    /// The strength of the length normalisation, from 0 to 1.
    pub b: f64,
    /// The length, in bytes, at which an occurrence counts with exactly its weight.
    pub typical_length: f64,
}

impl Field {
    /// Returns what the occurrences in a field of this length add to a term's frequency.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::bm25::Field;
    ///
    /// let field = Field { weight: 2.0, b: 0.5, typical_length: 100.0 };
    /// assert_eq!(field.frequency(3, 100), 6.0);
    /// // The same occurrences count less in a longer field.
    /// assert_eq!(field.frequency(3, 300), 3.0);
    /// ```
    #[must_use]
    pub fn frequency(&self, count: u32, length: usize) -> f64 {
        if count == 0 {
            return 0.0;
        }
        let length = 1.0 - self.b + self.b * as_f64(length) / self.typical_length;
        self.weight * f64::from(count) / length
    }
}

/// The idf of each term of a query.
///
/// # Examples
///
/// ```
/// use ragnav_matching::bm25::IdfTable;
///
/// // The first term is in 3 of 100 documents, the second in 90, and the third in none.
/// let idf = IdfTable::new(100, &[3, 90, 0]);
/// assert!(idf.get(0) > 10.0 * idf.get(1));
/// assert_eq!(idf.get(2), 0.0);
/// ```
#[derive(Debug, Clone)]
pub struct IdfTable(Vec<f64>);

impl IdfTable {
    /// Computes the idf of each term from the number of documents that hold it. A term that no
    /// document holds has an idf of 0, since it cannot tell documents apart.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::bm25::IdfTable;
    ///
    /// let idf = IdfTable::new(100, &[3, 90]);
    /// assert!(idf.get(0) > idf.get(1));
    /// let rare = idf.score(|term| if term == 0 { 1.0 } else { 0.0 });
    /// let common = idf.score(|term| if term == 1 { 1.0 } else { 0.0 });
    /// assert!(rare > common);
    /// ```
    #[must_use]
    pub fn new(documents: usize, holding: &[usize]) -> Self {
        let idf_of = |holding: &usize| match holding {
            0 => 0.0,
            holding => idf(documents, *holding),
        };
        Self(holding.iter().map(idf_of).collect())
    }

    /// Multiplies the idf of each term by a weight. Terms with less than the `best` highest products
    /// get 0.
    pub(crate) fn weighted(self, weights: impl Iterator<Item = f64>, best: usize) -> Self {
        let products = self.0.iter().zip(weights).map(|(idf, weight)| idf * weight);
        let mut idf: Vec<f64> = products.collect();
        let mut sorted = idf.clone();
        sorted.small_sort_by(|a, b| b.total_cmp(a));
        let least = sorted
            .get(best.saturating_sub(1))
            .copied()
            .unwrap_or_default();
        for idf in idf.iter_mut().filter(|idf| **idf < least) {
            *idf = 0.0;
        }
        Self(idf)
    }

    /// Returns the idf of a term, or 0 for a term that does not exist.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::bm25::{IdfTable, idf};
    ///
    /// let table = IdfTable::new(100, &[3]);
    /// assert_eq!((table.get(0), table.get(1)), (idf(100, 3), 0.0));
    /// ```
    #[must_use]
    pub fn get(&self, term: usize) -> f64 {
        self.0.get(term).copied().unwrap_or_default()
    }

    /// Sums the idf of the terms that `admits` accepts, in the order of the terms.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::bm25::IdfTable;
    ///
    /// let idf = IdfTable::new(100, &[3, 90]);
    /// assert_eq!(idf.sum(|term| term == 1), idf.get(1));
    /// assert_eq!(idf.sum(|_| true), idf.get(0) + idf.get(1));
    /// ```
    #[must_use]
    pub fn sum(&self, admits: impl Fn(usize) -> bool) -> f64 {
        let terms = (0..self.0.len()).filter(|term| admits(*term));
        terms.map(|term| self.get(term)).sum()
    }

    /// Returns the score of a document with these frequencies. It is below [`sum`](Self::sum) of
    /// the terms in the document.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::bm25::IdfTable;
    ///
    /// let idf = IdfTable::new(100, &[3]);
    /// // A frequency of 1.2 scores half of the idf.
    /// assert_eq!(idf.score(|_| 1.2), idf.get(0) / 2.0);
    /// assert!(idf.score(|_| 1_000.0) < idf.get(0));
    /// ```
    #[must_use]
    pub fn score(&self, frequency: impl Fn(usize) -> f64) -> f64 {
        let terms = self.0.iter().enumerate();
        terms
            .map(|(term, idf)| idf * saturate(frequency(term)))
            .sum()
    }

    /// Returns the score of a document with these frequencies as a share of the query's idf, which
    /// is below 1. It is 0 if no document holds a term.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::bm25::IdfTable;
    ///
    /// let idf = IdfTable::new(100, &[3, 3]);
    /// // The document holds the first of two terms, which are equally rare.
    /// let share = idf.share(|term| if term == 0 { 1.2 } else { 0.0 });
    /// assert!((share - 0.25).abs() < 1e-9);
    /// ```
    #[must_use]
    pub fn share(&self, frequency: impl Fn(usize) -> f64) -> f64 {
        let all = self.sum(|_| true);
        if all <= 0.0 {
            return 0.0;
        }
        self.score(frequency) / all
    }
}

/// Returns the idf of a term: `ln(1 + (N − n + ½) / (n + ½))`, above 0 for every `n` up to `N`.
///
/// # Examples
///
/// ```
/// use ragnav_matching::bm25::idf;
///
/// assert!((idf(100, 1) - 4.210).abs() < 0.001);
/// assert!((idf(100, 100) - 0.005).abs() < 0.001);
/// ```
#[must_use]
pub fn idf(documents: usize, holding: usize) -> f64 {
    let others = as_f64(documents.saturating_sub(holding));
    ln(1.0 + (others + 0.5) / (as_f64(holding) + 0.5))
}

/// Returns the saturated frequency: 0 for none, and below 1 for any.
#[must_use]
fn saturate(frequency: f64) -> f64 {
    frequency / (K1 + frequency)
}

/// Returns the natural logarithm of a number of at least 1. The standard libraries of platforms
/// differ in the last bits.
///
/// The number is halved until it is below 2. There the series of `2 · artanh((x − 1) / (x + 1))`
/// yields all digits of a double within 17 terms.
pub(crate) fn ln(number: f64) -> f64 {
    let mut rest = number;
    let mut halvings = 0.0;
    while rest >= 2.0 {
        rest /= 2.0;
        halvings += 1.0;
    }
    let ratio = (rest - 1.0) / (rest + 1.0);
    let mut power = ratio;
    let mut series = 0.0;
    for odd in (1_u32..34).step_by(2) {
        series += power / f64::from(odd);
        power *= ratio * ratio;
    }
    halvings * std::f64::consts::LN_2 + 2.0 * series
}

/// Numbers of files and bytes are far below the range in which a double loses digits.
#[expect(
    clippy::cast_precision_loss,
    reason = "a double holds every size that a file or a list can have here"
)]
pub(crate) fn as_f64(size: usize) -> f64 {
    size as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for number in [1.0, 1.5, 2.0, 3.0, 10.0, 1e6, 13_573.0] {
            let error = (ln(number) - f64::ln(number)).abs();
            assert!(error < 1e-14 * (1.0 + f64::ln(number)), "{number}: {error}");
        }
    }

    #[test]
    fn rarer_terms_are_worth_more_and_every_term_something() {
        assert!(idf(1000, 1) > idf(1000, 10) && idf(1000, 10) > idf(1000, 1000));
        assert!(idf(1000, 1000) > 0.0 && idf(1, 1) > 0.0 && idf(0, 0) > 0.0);
    }

    #[test]
    fn mentions_saturate_and_length_counts_against_them() {
        let field = Field {
            weight: 2.0,
            b: 0.5,
            typical_length: 100.0,
        };
        assert!((field.frequency(1, 100) - 2.0).abs() < 1e-12);
        assert!(field.frequency(1, 300) < field.frequency(1, 100));
        assert!((saturate(K1) - 0.5).abs() < 1e-12);
        assert!(saturate(1e9) < 1.0 && field.frequency(0, 5) == 0.0);
    }
}
