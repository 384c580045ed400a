//! Matching the definitions of one file by name path, body and order.

use ragnav_base::hash::{HashMap, HashSet};

use crate::shapes::Shape;
use ragnav_base::item::Match;
use ragnav_syntax::facts::BodyHash;

/// Smaller bodies, in tokens, are equal by chance.
pub(super) const DISTINCT_TOKENS: u32 = 12;

/// The earlier definition that a current one was matched with.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Match;
/// use ragnav_index::reidentify::reidentify;
/// use ragnav_index::shapes::Shape;
///
/// let shape = |name: &str| Shape { name_path: name.into(), ..Shape::default() };
/// let result = reidentify(&[shape("f"), shape("g")], &[shape("g")]);
/// assert_eq!(result[0].as_ref().unwrap().before, 1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reidentification {
    /// The index of the earlier definition.
    pub before: usize,
    /// How it was matched.
    pub how: Match,
}

/// The state of matching one file: both lists and the matches so far.
pub(super) struct Matcher<'s> {
    pub(super) known: &'s [Shape],
    pub(super) now: &'s [Shape],
    pub(super) results: Vec<Option<Reidentification>>,
    /// The earlier definitions that were matched, also ambiguous ones.
    pub(super) found: HashSet<usize>,
}

pub(super) type Group<'s> = HashMap<&'s str, Vec<usize>>;

pub(super) fn group_shapes<'s>(
    shapes: &'s [Shape],
    key: impl Fn(&'s Shape) -> &'s str,
) -> Group<'s> {
    let mut groups = Group::default();
    for (at, shape) in shapes.iter().enumerate() {
        groups.entry(key(shape)).or_default().push(at);
    }
    groups
}

impl<'s> Matcher<'s> {
    pub(super) fn new(known: &'s [Shape], now: &'s [Shape]) -> Self {
        Self {
            known,
            now,
            results: vec![None; now.len()],
            found: HashSet::default(),
        }
    }

    pub(super) fn pair(&mut self, known: usize, now: usize, found: Match) {
        self.found.insert(known);
        if let Some(place) = self.results.get_mut(now) {
            *place = Some(Reidentification {
                before: known,
                how: found,
            });
        }
    }

    pub(super) fn shapes(&self, known: usize, now: usize) -> Option<(&'s Shape, &'s Shape)> {
        Some((self.known.get(known)?, self.now.get(now)?))
    }

    pub(super) fn have_same_body(&self, known: usize, now: usize) -> bool {
        self.shapes(known, now)
            .is_some_and(|(known, now)| known.body.is_some() && known.body == now.body)
    }

    fn is_on_same_lines(&self, known: usize, now: usize) -> bool {
        self.shapes(known, now)
            .is_some_and(|(known, now)| is_on_same_lines(known, now))
    }

    /// Matches definitions of equal name path.
    pub(super) fn match_name_paths(&mut self) {
        let known = group_shapes(self.known, |shape| &shape.name_path);
        let now = group_shapes(self.now, |shape| &shape.name_path);
        for (name_path, now) in &now {
            if let Some(known) = known.get(name_path) {
                self.match_namesakes(known, now, false);
            }
        }
    }

    /// Matches definitions of one name path. Equal numbers are paired in order, unless bodies or
    /// lines contradict. Definitions that cannot be told apart are ambiguous, unless their
    /// enrichment is equal.
    pub(super) fn match_namesakes(&mut self, known: &[usize], now: &[usize], renamed: bool) {
        let pairs = self.pair_in_order(known, now);
        let have_equal_enrichment = self.have_equal_enrichment(known);
        let by_start = self.group_by_start(known);
        for (order, at) in now.iter().enumerate() {
            let paired = pairs.get(order).copied().flatten();
            let fallback = || {
                let on_same_lines = self.find_on_same_lines(&by_start, *at);
                let namesake = || known.get(order).or(known.first()).copied();
                on_same_lines.or_else(namesake)
            };
            let Some(found) = paired.or_else(fallback) else {
                continue;
            };
            let is_sure = paired.is_some() || (have_equal_enrichment && known.len() >= now.len());
            let how = match (is_sure, renamed, self.is_on_same_lines(found, *at)) {
                (false, _, _) => Match::Ambiguous,
                (true, true, _) => Match::Renamed,
                (true, false, true) => Match::Exact,
                (true, false, false) => Match::Moved,
            };
            self.pair(found, *at, how);
        }
    }

    /// Groups earlier definitions by their first line.
    fn group_by_start(&self, known: &[usize]) -> HashMap<u32, Vec<usize>> {
        let mut by_start: HashMap<u32, Vec<usize>> = HashMap::default();
        for at in known {
            if let Some(start) = self.known.get(*at).and_then(|shape| shape.start_line) {
                by_start.entry(start).or_default().push(*at);
            }
        }
        by_start
    }

    /// Returns the first earlier definition on the lines of a current one.
    fn find_on_same_lines(&self, by_start: &HashMap<u32, Vec<usize>>, now: usize) -> Option<usize> {
        let shape = self.now.get(now)?;
        let starts = [shape.start_line, shape.decorated_start_line];
        let there = starts.iter().flatten().filter_map(|start| {
            let mut there = by_start.get(start)?.iter();
            there.find(|known| self.is_on_same_lines(**known, now))
        });
        there.min().copied()
    }

    /// Returns the earlier definition for each current one, or `None` if body and order do not
    /// tell.
    fn pair_in_order(&self, known: &[usize], now: &[usize]) -> Vec<Option<usize>> {
        if let ([known], [_]) = (known, now) {
            return vec![Some(*known)];
        }
        let by_body = self.pair_by_body(known, now);
        let taken: HashSet<usize> = by_body.iter().flatten().copied().collect();
        let left_known: Vec<usize> = (0..known.len())
            .filter(|place| !taken.contains(place))
            .collect();
        let left_now: Vec<usize> = (0..now.len())
            .filter(|order| by_body.get(*order).copied().flatten().is_none())
            .collect();
        let mut places = by_body;
        // With several changed bodies, order alone does not tell which is which.
        let is_order_reliable = left_known.len() < 2 || !self.have_bodies(known);
        if left_known.len() == left_now.len() && is_order_reliable {
            for (place, order) in left_known.iter().zip(&left_now) {
                if let Some(pair) = places.get_mut(*order) {
                    *pair = Some(*place);
                }
            }
            if !left_known.is_empty() && !self.keep_order(&places, known, now) {
                for order in &left_now {
                    if let Some(pair) = places.get_mut(*order) {
                        *pair = None;
                    }
                }
            }
        }
        let pair = |place: &Option<usize>| place.and_then(|place| known.get(place).copied());
        places.iter().map(pair).collect()
    }

    /// Pairs definitions by bodies that only one earlier and one current definition have.
    fn pair_by_body(&self, known: &[usize], now: &[usize]) -> Vec<Option<usize>> {
        let body_known = |at: &usize| self.known.get(*at).and_then(|shape| shape.body);
        let body_now = |at: &usize| self.now.get(*at).and_then(|shape| shape.body);
        let counts_known = count_occurrences(known.iter().filter_map(body_known));
        let counts_now = count_occurrences(now.iter().filter_map(body_now));
        let places: HashMap<BodyHash, usize> = known
            .iter()
            .enumerate()
            .filter_map(|(place, at)| Some((body_known(at)?, place)))
            .collect();
        now.iter()
            .map(|at| {
                let body = body_now(at)?;
                let is_only =
                    counts_known.get(&body) == Some(&1) && counts_now.get(&body) == Some(&1);
                is_only.then(|| places.get(&body).copied()).flatten()
            })
            .collect()
    }

    fn have_bodies(&self, known: &[usize]) -> bool {
        let mut shapes = known.iter().filter_map(|at| self.known.get(*at));
        shapes.all(|shape| shape.body.is_some())
    }

    /// Reports whether pairs keep their order, and no earlier definition is on the lines of another
    /// current one.
    fn keep_order(&self, places: &[Option<usize>], known: &[usize], now: &[usize]) -> bool {
        let starts = now.iter().enumerate().filter_map(|(order, at)| {
            let shape = self.now.get(*at)?;
            Some([
                (shape.start_line, order),
                (shape.decorated_start_line, order),
            ])
        });
        let starts: HashMap<Option<u32>, usize> = starts.flatten().collect();
        let stays = |(order, place): (usize, &Option<usize>)| {
            let known = place.and_then(|place| known.get(place)).copied();
            let start = known.and_then(|known| self.known.get(known)?.start_line);
            let there = starts.get(&start).filter(|_| start.is_some());
            there.is_none_or(|other| {
                let at = now.get(*other).zip(known);
                *other == order || !at.is_some_and(|(at, known)| self.is_on_same_lines(known, *at))
            })
        };
        places.iter().flatten().is_sorted() && places.iter().enumerate().all(stays)
    }

    /// Marks pairs as ambiguous if a body moved to another name while its old name got a new body.
    /// The enrichment may then belong to either.
    pub(super) fn mark_moved_bodies_ambiguous(&mut self) {
        let known: Vec<usize> = (0..self.known.len()).collect();
        let now: Vec<usize> = (0..self.now.len()).collect();
        let mut ambiguous = HashSet::default();
        for (known, now) in self.pair_unique_bodies(&known, &now, DISTINCT_TOKENS) {
            let results = self.results.get(now).copied().flatten();
            if results.is_some_and(|result| result.before == known) {
                continue;
            }
            ambiguous.insert(known);
            self.pair(known, now, Match::Ambiguous);
        }
        for result in self.results.iter_mut().flatten() {
            if ambiguous.contains(&result.before) {
                result.how = Match::Ambiguous;
            }
        }
    }

    /// Returns pairs with an equal body that is large enough and that no other definition has.
    pub(super) fn pair_unique_bodies(
        &self,
        known: &[usize],
        now: &[usize],
        tokens: u32,
    ) -> Vec<(usize, usize)> {
        let distinct = |shape: &Shape| shape.body.filter(|body| body.tokens >= tokens);
        let body_known = |at: &usize| self.known.get(*at).and_then(distinct);
        let body_now = |at: &usize| self.now.get(*at).and_then(distinct);
        let counts_known = count_occurrences(known.iter().filter_map(body_known));
        let counts_now = count_occurrences(now.iter().filter_map(body_now));
        let places: HashMap<BodyHash, usize> = known
            .iter()
            .filter_map(|at| Some((body_known(at)?, *at)))
            .collect();
        let pairs = now.iter().filter_map(|at| {
            let body = body_now(at)?;
            let is_only = counts_known.get(&body) == Some(&1) && counts_now.get(&body) == Some(&1);
            let known = places.get(&body).filter(|_| is_only)?;
            self.have_same_kind(*known, *at).then_some((*known, *at))
        });
        pairs.collect()
    }

    pub(super) fn have_same_kind(&self, known: usize, now: usize) -> bool {
        self.shapes(known, now)
            .is_some_and(|(known, now)| known.is_class.is_none() || known.is_class == now.is_class)
    }

    fn have_equal_enrichment(&self, known: &[usize]) -> bool {
        let mut enrichment_hash = known
            .iter()
            .filter_map(|at| self.known.get(*at))
            .map(|shape| shape.enrichment_hash);
        let first = enrichment_hash.next();
        enrichment_hash.all(|other| Some(other) == first)
    }
}

/// Counts the occurrences of each key.
pub(crate) fn count_occurrences<K: std::hash::Hash + Eq>(
    keys: impl Iterator<Item = K>,
) -> HashMap<K, usize> {
    let mut counts = HashMap::default();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    counts
}

fn is_on_same_lines(known: &Shape, now: &Shape) -> bool {
    let start = known.start_line;
    let starts = start.is_some() && (start == now.start_line || start == now.decorated_start_line);
    starts && (known.end_line.is_none() || known.end_line == now.end_line)
}
