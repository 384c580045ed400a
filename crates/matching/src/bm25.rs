//! How well a document fits a query, by BM25F.
//!
//! Source: Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond* (2009), section 3.6. A document is some
//! fields. For each term of the query the counts in its fields are weighed, held against the fields' lengths, added up and only
//! then saturated, so that a term that stands in two fields is not worth two terms:
//!
//! ```text
//! frequency(t) = Σ weight(f) · count(t, f) / (1 − b(f) + b(f) · length(f) / typical(f))
//! score        = Σ idf(t) · frequency(t) / (K1 + frequency(t))
//! ```
//!
//! The factor `K1 + 1` of some accounts is left out: it changes no order, and without it no score is above the sum of the
//! `idf`. Everything is made of the four operations, which give the same bits on every machine.

/// How soon further mentions of a term are worth nothing: at this frequency a term is worth half of what it can be.
pub const K1: f64 = 1.2;

/// A field of a document.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// What a mention in it is worth.
    pub weight: f64,
    /// How far a field's length counts against it, from 0 to 1.
    pub b: f64,
    /// The length at which a mention is worth its weight, in whatever lengths are given in.
    pub typical: f64,
}

impl Field {
    /// What a term's mentions in a field of some length add to the term's frequency.
    #[must_use]
    pub fn frequency(&self, count: u32, length: usize) -> f64 {
        if count == 0 {
            return 0.0;
        }
        let length = 1.0 - self.b + self.b * as_f64(length) / self.typical;
        self.weight * f64::from(count) / length
    }
}

/// What each term of a query can be worth.
#[derive(Debug, Clone)]
pub struct Worths(Vec<f64>);

impl Worths {
    /// From how many of some documents hold each term. What none holds tells nothing apart and is worth nothing.
    #[must_use]
    pub fn new(documents: usize, holding: &[usize]) -> Self {
        let worth = |held: &usize| match held {
            0 => 0.0,
            held => idf(documents, *held),
        };
        Self(holding.iter().map(worth).collect())
    }

    /// What a term can be worth; nothing for one that is not there.
    #[must_use]
    pub fn of(&self, term: usize) -> f64 {
        self.0.get(term).copied().unwrap_or_default()
    }

    /// What some terms can be worth together, added in the order of the terms.
    #[must_use]
    pub fn of_all(&self, admits: impl Fn(usize) -> bool) -> f64 {
        let terms = (0..self.0.len()).filter(|term| admits(*term));
        terms.map(|term| self.of(term)).sum()
    }

    /// The score of a document from the frequencies of the terms in it, below [`of_all`](Self::of_all) of them.
    #[must_use]
    pub fn score(&self, frequency: impl Fn(usize) -> f64) -> f64 {
        let terms = self.0.iter().enumerate();
        terms
            .map(|(term, idf)| idf * saturated(frequency(term)))
            .sum()
    }
}

/// What a term can be worth, more for rarer ones: `ln(1 + (N − n + ½) / (n + ½))`, which is above 0 for every `n` up to `N`.
#[must_use]
pub fn idf(documents: usize, holding: usize) -> f64 {
    let others = as_f64(documents.saturating_sub(holding));
    ln(1.0 + (others + 0.5) / (as_f64(holding) + 0.5))
}

/// How much of its worth a term of some frequency has: 0 for none, below 1 for any.
#[must_use]
pub fn saturated(frequency: f64) -> f64 {
    frequency / (K1 + frequency)
}

/// The natural logarithm of a number of at least 1, from the four operations alone: libraries differ in the last bits.
///
/// The number is halved until it is below 2; the rest is `2 · artanh((x − 1) / (x + 1))`, whose series gives all of a double's
/// digits within 17 terms there.
fn ln(number: f64) -> f64 {
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

/// Numbers of files and bytes are far below where a double loses the last digit.
#[expect(
    clippy::cast_precision_loss,
    reason = "a double holds every size that a file or a list can have here"
)]
fn as_f64(size: usize) -> f64 {
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
            typical: 100.0,
        };
        assert!((field.frequency(1, 100) - 2.0).abs() < 1e-12);
        assert!(field.frequency(1, 300) < field.frequency(1, 100));
        assert!((saturated(K1) - 0.5).abs() < 1e-12);
        assert!(saturated(1e9) < 1.0 && field.frequency(0, 5) == 0.0);
    }
}
