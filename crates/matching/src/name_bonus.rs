//! The score of a definition's names: whether the query names the definition or only resembles it.

use ragnav_base::position::wire;

use crate::bm25::IdfTable;
use crate::identifiers::is_word_char;
use crate::terms::{Occurrence, Terms, count_of, increment};

/// The bonus for terms in the names of a definition. It is multiplied by the terms' share of the idf
/// and by their share of the names' letters. At least one term must occur in the definition's own
/// name.
const NAME_BONUS: f64 = 0.5;

/// The additional bonus of a definition that the query names completely: its own name contains
/// every term, or the query's terms are all of its names, or its id ends with the query, as in
/// `auth.login`.
const FULL_NAME_BONUS: f64 = 2.0;

/// The additional bonus of a definition whose name is the last word of a query of one word, and the
/// part of it that upper and lower case decide.
const EXACT_NAME_BONUS: f64 = 2.0;
const CASE_BONUS: f64 = 0.5;

/// The weight of a term that occurs only in the module or an enclosing definition.
const ENCLOSING_WEIGHT: f64 = 0.5;

/// The weight of a letter in the names of enclosing definitions.
const ENCLOSING_LETTER_WEIGHT: f64 = 0.25;

/// The occurrences of a query in the names of a definition.
///
/// # Examples
///
/// ```
/// use ragnav_matching::name_bonus::NameCounts;
/// use ragnav_matching::terms::Terms;
///
/// let terms = Terms::new("cart total").unwrap();
/// let names = NameCounts::new("shop.Cart.total", "Cart.total", "total", &terms);
/// let texts: Vec<&str> = terms.terms().iter().map(|term| term.text.as_str()).collect();
/// assert_eq!(texts, ["cart", "total", "carttotal"]);
/// assert_eq!((names.own, names.around), (vec![0, 1, 0], vec![1, 0, 0]));
/// ```
#[derive(Debug, Clone)]
pub struct NameCounts {
    /// The count of each term in its own name.
    pub own: Vec<u32>,
    /// The count of each term in the names of the enclosing definitions.
    pub around: Vec<u32>,
    /// The count of each term in the module's name.
    module: Vec<u32>,
    /// The share of its own name and the enclosing names that the terms cover.
    share: f64,
    /// Whether the names end with the whole query.
    is_whole: bool,
    /// The bonus for a name that is spelled as in the query.
    exact: f64,
}

impl NameCounts {
    /// Counts the terms in `id`, which is the module, the enclosing names and the own name, joined
    /// by dots.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::name_bonus::NameCounts;
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("login").unwrap();
    /// let names = NameCounts::new("src.auth.Auth.login", "Auth.login", "login", &terms);
    /// assert_eq!(names.own, [1]);
    /// ```
    #[must_use]
    pub fn new(id: &str, name_path: &str, own: &str, terms: &Terms) -> Self {
        let path_start = id.len().saturating_sub(name_path.len());
        let own_start = id.len().saturating_sub(own.len());
        let none = vec![0; terms.terms().len()];
        let mut named = Self {
            own: none.clone(),
            around: none.clone(),
            module: none,
            share: 0.0,
            is_whole: false,
            exact: exact_bonus(own, terms),
        };
        let mut mentioned = 0.0;
        terms.visit(id, |Occurrence { term, at }| {
            let (counts, letter) = if at.end > own_start {
                (&mut named.own, 1.0)
            } else if at.end > path_start {
                (&mut named.around, ENCLOSING_LETTER_WEIGHT)
            } else {
                (&mut named.module, 0.0)
            };
            increment(counts, term);
            named.is_whole |= terms.whole_query() == Some(term) && at.end == id.len();
            if terms.is_essential(term) {
                mentioned += letter * letters(id.get(at).unwrap_or_default());
            }
        });
        let around = id.get(path_start..own_start).unwrap_or_default();
        // `get` matches `_get` less than `get`.
        let hidden = own.len() - own.trim_matches('_').len();
        let all =
            letters(own) + f64::from(wire(hidden)) + ENCLOSING_LETTER_WEIGHT * letters(around);
        if all > 0.0 {
            named.share = (mentioned / all).min(1.0);
        }
        named
    }

    /// Returns the bonus, beside scores that are shares of the query's idf.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::name_bonus::NameCounts;
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("login").unwrap();
    /// let idf = terms.idf(100, &[3]);
    /// let bonus = |own: &str| {
    ///     let id = format!("auth.{own}");
    ///     NameCounts::new(&id, own, own, &terms).bonus(&terms, &idf)
    /// };
    /// assert!(bonus("login") > bonus("login_required"));
    /// assert_eq!(bonus("price"), 0.0);
    /// ```
    #[must_use]
    pub fn bonus(&self, terms: &Terms, idf: &IdfTable) -> f64 {
        let is_own = |term: usize| terms.is_essential(term) && count_of(&self.own, term) > 0;
        let is_named = |term: usize| is_own(term) || count_of(&self.around, term) > 0;
        let is_around = |term: usize| {
            let is_held = is_named(term) || count_of(&self.module, term) > 0;
            terms.is_essential(term) && !is_own(term) && is_held
        };
        let own = idf.sum(is_own);
        if own <= 0.0 {
            return self.exact;
        }
        let held = own + ENCLOSING_WEIGHT * idf.sum(is_around);
        let named = NAME_BONUS * self.share * held / idf.sum(|term| terms.is_essential(term));
        let mut essential = (0..terms.terms().len()).filter(|term| terms.is_essential(*term));
        let is_nothing_else = self.share >= 1.0 && essential.clone().all(is_named);
        if self.is_whole || is_nothing_else || essential.all(is_own) {
            return self.exact + FULL_NAME_BONUS + named;
        }
        self.exact + named
    }
}

fn exact_bonus(own: &str, terms: &Terms) -> f64 {
    let word = if terms.is_name() {
        terms.query().trim()
    } else {
        ""
    };
    let last = word
        .rsplit(|letter| !is_word_char(letter))
        .find(|part| !part.is_empty());
    match last {
        Some(last) if last == own => EXACT_NAME_BONUS + CASE_BONUS,
        Some(last) if last.eq_ignore_ascii_case(own) => EXACT_NAME_BONUS,
        _ => 0.0,
    }
}

/// Returns the number of letters and digits. Underscores and dots do not count.
fn letters(text: &str) -> f64 {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    f64::from(wire(letters.count()))
}
