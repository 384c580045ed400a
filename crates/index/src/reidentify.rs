//! Re-identification: which current definition is which definition of an earlier build.
//!
//! Definitions with an equal name path are matched first; several of one name path are told apart
//! by body and order. The rest is matched as renamed only if that is certain: an equal and unique
//! body, a class with the same members, or the only gap between the same neighbours. Lines never
//! match definitions; they only tell "moved" from "exact".

mod matcher;
mod renames;

pub use self::matcher::Reidentification;
pub(crate) use self::matcher::count_occurrences;

use self::matcher::Matcher;
use crate::shapes::Shape;

/// Re-identifies the definitions of one file. Returns an entry for each current definition.
///
/// Both lists are in the order of their text. Time is O(n log n).
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Match;
/// use ragnav_index::reidentify::reidentify;
/// use ragnav_index::shapes::Shape;
///
/// let shape = |line| Shape { name_path: "f".into(), start_line: Some(line), ..Shape::default() };
/// let result = reidentify(&[shape(1)], &[shape(5)]);
/// assert_eq!(result[0].unwrap().how, Match::Moved);
/// ```
#[must_use]
pub fn reidentify(known: &[Shape], now: &[Shape]) -> Vec<Option<Reidentification>> {
    let mut matcher = Matcher::new(known, now);
    matcher.match_name_paths();
    matcher.match_renames();
    matcher.mark_moved_bodies_ambiguous();
    matcher.results
}
