//! What the names of a definition say by themselves: whether it is what the query asks for, or only close to it.

use super::scored_file::count;
use ragnav_base::position::wire;
use ragnav_matching::bm25::IdfTable;
use ragnav_matching::terms::{self, Occurrence, Terms};

/// What a definition gets for the terms in its own name and in those around it, in worths of the whole query: this times the
/// share of the query's worth that they have, times the share of the names that they are. Its own name must hold one of them.
const NAMED: f64 = 1.0;

/// What a definition gets that the query names, in worths of the whole query: its own name holds every term, or it and the names
/// around it are the query's terms and nothing else, or its id ends with all of the query (`auth.login`). No other row comes to
/// `1 + NAMED` of them, so such a definition stands before everything that only mentions the query.
const COVERING: f64 = 1.0 + NAMED;

/// What a term is worth as a name if it stands in the module or a definition around, and not in the definition's own name.
const AROUND: f64 = 0.5;

/// What a letter of the names around a definition's is worth in the share of the name that the terms are.
const QUALIFIER_LETTER: f64 = 0.25;

/// What the names of a definition hold of a query.
pub(super) struct Named {
    /// How often its own name mentions each term.
    pub(super) own: Vec<u32>,
    /// How often the names of the definitions around it do.
    pub(super) around: Vec<u32>,
    /// How often its module's name does.
    module: Vec<u32>,
    /// How much of its own name and of those around it is mentioned.
    share: f64,
    /// Whether they end with all of the query.
    is_whole: bool,
}

impl Named {
    /// `id` is the module, the names around and the definition's own, joined with dots.
    pub(super) fn new(id: &str, name_path: &str, own: &str, terms: &Terms) -> Self {
        let path_start = id.len().saturating_sub(name_path.len());
        let own_start = id.len().saturating_sub(own.len());
        let none = vec![0; terms.terms().len()];
        let mut named = Self {
            own: none.clone(),
            around: none.clone(),
            module: none,
            share: 0.0,
            is_whole: false,
        };
        let mut mentioned = 0.0;
        terms.visit(id, |Occurrence { term, at }| {
            let (counts, letter) = if at.end > own_start {
                (&mut named.own, 1.0)
            } else if at.end > path_start {
                (&mut named.around, QUALIFIER_LETTER)
            } else {
                (&mut named.module, 0.0)
            };
            terms::increment(counts, term);
            named.is_whole |= terms.whole_query() == Some(term) && at.end == id.len();
            if is_essential(terms, term) {
                mentioned += letter * letters(id.get(at).unwrap_or_default());
            }
        });
        let around = id.get(path_start..own_start).unwrap_or_default();
        // `_get` is less of a `get` than `get` is.
        let hidden = own.len() - own.trim_matches('_').len();
        let all = letters(own) + f64::from(wire(hidden)) + QUALIFIER_LETTER * letters(around);
        if all > 0.0 {
            named.share = (mentioned / all).min(1.0);
        }
        named
    }

    /// What the names give, in worths of the whole query.
    pub(super) fn bonus(&self, terms: &Terms, worths: &IdfTable) -> f64 {
        let is_own = |term: usize| is_essential(terms, term) && count(&self.own, term) > 0;
        let is_named = |term: usize| is_own(term) || count(&self.around, term) > 0;
        let is_around = |term: usize| {
            let is_held = is_named(term) || count(&self.module, term) > 0;
            is_essential(terms, term) && !is_own(term) && is_held
        };
        let own = worths.sum(is_own);
        if own <= 0.0 {
            return 0.0;
        }
        let held = own + AROUND * worths.sum(is_around);
        let named = NAMED * self.share * held / worths.sum(|term| is_essential(terms, term));
        let mut essential = (0..terms.terms().len()).filter(|term| is_essential(terms, *term));
        let is_nothing_else = self.share >= 1.0 && essential.clone().all(is_named);
        if self.is_whole || is_nothing_else || essential.all(is_own) {
            return COVERING + named;
        }
        named
    }
}

fn is_essential(terms: &Terms, term: usize) -> bool {
    let term = terms.terms().get(term);
    term.is_some_and(|term| term.is_essential)
}

/// How many letters and digits there are; what a name is long in, underscores and dots left out.
fn letters(text: &str) -> f64 {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    f64::from(wire(letters.count()))
}
