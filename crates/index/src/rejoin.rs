//! Finding again what was known: which definition of now is which of then.
//!
//! Source: seed `locator`, sections 3.2 to 3.4. Identity comes first: the same name path, several of one being told apart by
//! their bodies and their order. What is left is a rename only where that is certain: an equal body that no
//! other definition has, a class with the same members, or the only gap between the same neighbours. Lines never join
//! anything; they tell "moved" from "exact".

mod renames;

use std::collections::{HashMap, HashSet};

use renames::DISTINCT_TOKENS;

use ragnav_base::item::Match;
use ragnav_syntax::facts::BodyHash;

/// A definition of then or of now, as far as finding it again goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The names of the definitions around it and its own, joined with dots.
    pub name_path: String,
    /// Whether it is a class; `None` where that was not written down.
    pub is_class: Option<bool>,
    /// Its first line, without decorators; `None` where it was not written down.
    pub start_line: Option<u32>,
    /// Its last line; `None` where it was not written down.
    pub end_line: Option<u32>,
    /// The line of its first decorator.
    pub decorated_start_line: Option<u32>,
    /// Its body; `None` where it was not written down.
    pub body: Option<BodyHash>,
    /// A fingerprint of what is known of it: those that say the same need not be told apart.
    pub knowledge: u64,
}

/// What a definition of now was then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Join {
    /// Its place among those of then.
    pub known: usize,
    /// How it was found again.
    pub found: Match,
}

/// The parent's name path, `""` at the top.
fn parent(name_path: &str) -> &str {
    name_path.rsplit_once('.').map_or("", |(parent, _)| parent)
}

fn own_name(name_path: &str) -> &str {
    name_path
        .rsplit_once('.')
        .map_or(name_path, |(_, name)| name)
}

/// Finds the definitions of one file again; a list with a place for each of now.
///
/// Both are in the order of their text. Time is linear, but for a logarithm.
#[must_use]
pub fn rejoin(known: &[Shape], now: &[Shape]) -> Vec<Option<Join>> {
    let mut joins = Joins::new(known, now);
    joins.by_identity();
    joins.by_rename();
    joins.doubt_moved_bodies();
    joins.joined
}

struct Joins<'s> {
    known: &'s [Shape],
    now: &'s [Shape],
    joined: Vec<Option<Join>>,
    /// Those of then that were found, for sure or not.
    found: HashSet<usize>,
}

type Group<'s> = HashMap<&'s str, Vec<usize>>;

fn groups<'s>(shapes: &'s [Shape], key: impl Fn(&'s Shape) -> &'s str) -> Group<'s> {
    let mut groups = Group::new();
    for (at, shape) in shapes.iter().enumerate() {
        groups.entry(key(shape)).or_default().push(at);
    }
    groups
}

impl<'s> Joins<'s> {
    fn new(known: &'s [Shape], now: &'s [Shape]) -> Self {
        Self {
            known,
            now,
            joined: vec![None; now.len()],
            found: HashSet::new(),
        }
    }

    fn join(&mut self, known: usize, now: usize, found: Match) {
        self.found.insert(known);
        if let Some(place) = self.joined.get_mut(now) {
            *place = Some(Join { known, found });
        }
    }

    fn shapes(&self, known: usize, now: usize) -> Option<(&'s Shape, &'s Shape)> {
        Some((self.known.get(known)?, self.now.get(now)?))
    }

    fn same_body(&self, known: usize, now: usize) -> bool {
        self.shapes(known, now)
            .is_some_and(|(known, now)| known.body.is_some() && known.body == now.body)
    }

    fn stands_there(&self, known: usize, now: usize) -> bool {
        self.shapes(known, now)
            .is_some_and(|(known, now)| stands_there(known, now))
    }

    /// Joins those that have one name path.
    fn by_identity(&mut self) {
        let known = groups(self.known, |shape| &shape.name_path);
        let now = groups(self.now, |shape| &shape.name_path);
        for (name_path, now) in &now {
            if let Some(known) = known.get(name_path) {
                self.namesakes(known, now, false);
            }
        }
    }

    /// Joins definitions of one name path: as many of the one as of the other are paired in their order, unless bodies or
    /// places tell otherwise. What cannot be told apart is ambiguous, unless all that is known of them is the same.
    fn namesakes(&mut self, known: &[usize], now: &[usize], renamed: bool) {
        let pairs = self.pairs(known, now);
        let agree = self.agree(known);
        let by_start = self.by_start(known);
        for (order, at) in now.iter().enumerate() {
            let paired = pairs.get(order).copied().flatten();
            let fallback = || {
                let standing = self.standing(&by_start, *at);
                let namesake = || known.get(order).or(known.first()).copied();
                standing.or_else(namesake)
            };
            let Some(found) = paired.or_else(fallback) else {
                continue;
            };
            let is_sure = paired.is_some() || (agree && known.len() >= now.len());
            let how = match (is_sure, renamed, self.stands_there(found, *at)) {
                (false, _, _) => Match::Ambiguous,
                (true, true, _) => Match::Renamed,
                (true, false, true) => Match::Exact,
                (true, false, false) => Match::Moved,
            };
            self.join(found, *at, how);
        }
    }

    /// Those of then that begin in each line.
    fn by_start(&self, known: &[usize]) -> HashMap<u32, Vec<usize>> {
        let mut by_start: HashMap<u32, Vec<usize>> = HashMap::new();
        for at in known {
            if let Some(start) = self.known.get(*at).and_then(|shape| shape.start_line) {
                by_start.entry(start).or_default().push(*at);
            }
        }
        by_start
    }

    /// The first of then that stands where one of now does.
    fn standing(&self, by_start: &HashMap<u32, Vec<usize>>, now: usize) -> Option<usize> {
        let shape = self.now.get(now)?;
        let starts = [shape.start_line, shape.decorated_start_line];
        let there = starts.iter().flatten().filter_map(|start| {
            let mut there = by_start.get(start)?.iter();
            there.find(|known| self.stands_there(**known, now))
        });
        there.min().copied()
    }

    /// Which of then each of now is, `None` for those that bodies and order do not tell.
    fn pairs(&self, known: &[usize], now: &[usize]) -> Vec<Option<usize>> {
        if let ([known], [_]) = (known, now) {
            return vec![Some(*known)];
        }
        let by_body = self.paired_by_body(known, now);
        let taken: HashSet<usize> = by_body.iter().flatten().copied().collect();
        let left_known: Vec<usize> = (0..known.len())
            .filter(|place| !taken.contains(place))
            .collect();
        let left_now: Vec<usize> = (0..now.len())
            .filter(|order| by_body.get(*order).copied().flatten().is_none())
            .collect();
        let mut places = by_body;
        // Where several bodies are others than before, order alone does not tell which is which.
        let are_told = left_known.len() < 2 || !self.have_bodies(known);
        if left_known.len() == left_now.len() && are_told {
            for (place, order) in left_known.iter().zip(&left_now) {
                if let Some(pair) = places.get_mut(*order) {
                    *pair = Some(*place);
                }
            }
            if !left_known.is_empty() && !self.keeps_order(&places, known, now) {
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

    /// Places among those of then by a body that one of them and one of now has.
    fn paired_by_body(&self, known: &[usize], now: &[usize]) -> Vec<Option<usize>> {
        let body_known = |at: &usize| self.known.get(*at).and_then(|shape| shape.body);
        let body_now = |at: &usize| self.now.get(*at).and_then(|shape| shape.body);
        let counts_known = counts(known.iter().filter_map(body_known));
        let counts_now = counts(now.iter().filter_map(body_now));
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

    /// Whether pairs run in one order, and no one of then stands where another one is now.
    fn keeps_order(&self, places: &[Option<usize>], known: &[usize], now: &[usize]) -> bool {
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
                *other == order || !at.is_some_and(|(at, known)| self.stands_there(known, *at))
            })
        };
        places.iter().flatten().is_sorted() && places.iter().enumerate().all(stays)
    }

    /// Where one name's body went to another name while the name stayed with another body, nothing tells whether what is known
    /// goes with the one or the other.
    fn doubt_moved_bodies(&mut self) {
        let known: Vec<usize> = (0..self.known.len()).collect();
        let now: Vec<usize> = (0..self.now.len()).collect();
        let mut doubted = HashSet::new();
        for (known, now) in self.unique_bodies(&known, &now, DISTINCT_TOKENS) {
            let joined = self.joined.get(now).copied().flatten();
            if joined.is_some_and(|join| join.known == known) {
                continue;
            }
            doubted.insert(known);
            self.join(known, now, Match::Ambiguous);
        }
        for join in self.joined.iter_mut().flatten() {
            if doubted.contains(&join.known) {
                join.found = Match::Ambiguous;
            }
        }
    }

    fn agree(&self, known: &[usize]) -> bool {
        let mut knowledge = known
            .iter()
            .filter_map(|at| self.known.get(*at))
            .map(|shape| shape.knowledge);
        let first = knowledge.next();
        knowledge.all(|other| Some(other) == first)
    }
}

/// How often each key comes.
pub(super) fn counts<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> HashMap<K, usize> {
    let mut counts = HashMap::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    counts
}

fn stands_there(known: &Shape, now: &Shape) -> bool {
    let start = known.start_line;
    let starts = start.is_some() && (start == now.start_line || start == now.decorated_start_line);
    starts && (known.end_line.is_none() || known.end_line == now.end_line)
}
