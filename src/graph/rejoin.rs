//! Finding again what was known: which definition of now is which of then.
//!
//! Source: seed `locator`, sections 3.2 to 3.4. Identity comes first: the same name path, several of one being told apart by
//! their bodies and their order. What is left is a rename only where that is certain: an equal body that no
//! other definition has, a class with the same members, or the only gap between the same neighbours. Lines never join
//! anything; they tell "moved" from "exact".

use std::collections::{HashMap, HashSet};

use crate::item::Match;
use crate::lang::facts::BodyHash;

/// Bodies of fewer tokens are alike by chance.
const DISTINCT_TOKENS: u32 = 12;

/// The share of its members that a class must have kept for a rename of it, in parts of a hundred.
const KEPT_MEMBERS: usize = 60;

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
/// Both are in the order of their text. Time is linear, but for definitions of one name path that all have
/// one body.
#[must_use]
pub fn rejoin(known: &[Shape], now: &[Shape]) -> Vec<Option<Join>> {
    let mut joins = Joins::new(known, now);
    joins.by_identity();
    joins.by_rename();
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
        for (order, at) in now.iter().enumerate() {
            let paired = pairs.get(order).copied().flatten();
            let fallback = || {
                let mut standing = known.iter().filter(|known| self.stands_there(**known, *at));
                standing
                    .next()
                    .or(known.get(order))
                    .or(known.first())
                    .copied()
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

    /// Which of then each of now is, `None` for those that bodies and order do not tell.
    fn pairs(&self, known: &[usize], now: &[usize]) -> Vec<Option<usize>> {
        if let ([known], [_]) = (known, now) {
            return vec![Some(*known)];
        }
        let by_body = self.paired_by_body(known, now);
        let left_known: Vec<usize> = (0..known.len())
            .filter(|place| !by_body.contains(&Some(*place)))
            .collect();
        let left_now: Vec<usize> = (0..now.len())
            .filter(|order| by_body.get(*order).copied().flatten().is_none())
            .collect();
        let mut places = by_body;
        if left_known.len() == left_now.len() {
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

    /// Whether pairs run in one order, and no one of then stands where another one is now.
    fn keeps_order(&self, places: &[Option<usize>], known: &[usize], now: &[usize]) -> bool {
        let in_order = places.iter().flatten().is_sorted();
        let elsewhere = |(order, place): (usize, &Option<usize>)| {
            let known = place.and_then(|place| known.get(place));
            let mut others = now.iter().enumerate();
            known.is_some_and(|known| {
                others.any(|(other, at)| other != order && self.stands_there(*known, *at))
            })
        };
        in_order && !places.iter().enumerate().any(elsewhere)
    }

    fn agree(&self, known: &[usize]) -> bool {
        let mut knowledge = known
            .iter()
            .filter_map(|at| self.known.get(*at))
            .map(|shape| shape.knowledge);
        let first = knowledge.next();
        knowledge.all(|other| Some(other) == first)
    }

    /// Joins what is left of both, from the outside in, so that the members of a renamed class are found by their names.
    fn by_rename(&mut self) {
        if self.found.len() == self.known.len() || self.joined.iter().all(Option::is_some) {
            return;
        }
        let known_below = groups(self.known, |shape| parent(&shape.name_path));
        let now_below = groups(self.now, |shape| parent(&shape.name_path));
        let mut renamed: Vec<(String, String)> = vec![(String::new(), String::new())];
        let mut same: Vec<&str> = now_below
            .keys()
            .copied()
            .filter(|name| !name.is_empty())
            .collect();
        same.sort_unstable();
        renamed.extend(
            same.iter()
                .map(|name| ((*name).to_owned(), (*name).to_owned())),
        );
        while let Some((then, at)) = renamed.pop() {
            let known = known_below
                .get(then.as_str())
                .map_or(&[][..], Vec::as_slice);
            let now = now_below.get(at.as_str()).map_or(&[][..], Vec::as_slice);
            if then != at {
                self.members(known, now);
            }
            let inside = Inside {
                known,
                now,
                known_below: &known_below,
                now_below: &now_below,
            };
            renamed.extend(self.inside(&inside));
        }
        self.anywhere();
    }

    /// Joins the members of a renamed class by their own names.
    fn members(&mut self, known: &[usize], now: &[usize]) {
        let mut by_name: HashMap<&str, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for at in known.iter().filter(|at| !self.found.contains(at)) {
            if let Some(shape) = self.known.get(*at) {
                by_name
                    .entry(own_name(&shape.name_path))
                    .or_default()
                    .0
                    .push(*at);
            }
        }
        for at in now.iter().filter(|at| self.is_open(**at)) {
            if let Some(shape) = self.now.get(*at) {
                by_name
                    .entry(own_name(&shape.name_path))
                    .or_default()
                    .1
                    .push(*at);
            }
        }
        for (known, now) in by_name.values() {
            if !known.is_empty() && !now.is_empty() {
                self.namesakes(known, now, true);
            }
        }
    }

    fn is_open(&self, now: usize) -> bool {
        matches!(self.joined.get(now), Some(None))
    }

    /// Joins what is left among the members of one definition; gives the name paths of classes whose members may follow.
    fn inside(&mut self, inside: &Inside<'_, '_>) -> Vec<(String, String)> {
        let mut followers = self.joined_classes(inside);
        let known = || inside.known.iter().copied();
        let now = || inside.now.iter().copied();
        let left_known: Vec<usize> = known().filter(|at| !self.found.contains(at)).collect();
        let left_now: Vec<usize> = now().filter(|at| self.is_open(*at)).collect();
        if left_known.is_empty() || left_now.is_empty() {
            return followers;
        }
        let mut pairs = self.unique_bodies(&left_known, &left_now, DISTINCT_TOKENS);
        pairs.extend(self.kept_classes(&left_known, &left_now, inside));
        for (known, now) in &pairs {
            self.join_renamed(*known, *now);
        }
        for (known, now) in self.gaps(inside) {
            self.join_renamed(known, now);
            pairs.push((known, now));
        }
        followers.extend(pairs.into_iter().filter_map(|(known, now)| {
            let (known, now) = self.shapes(known, now)?;
            Some((known.name_path.clone(), now.name_path.clone()))
        }));
        followers
    }

    /// Members that were joined by name below a renamed definition: their own members follow.
    fn joined_classes(&self, inside: &Inside<'_, '_>) -> Vec<(String, String)> {
        let joined = inside.now.iter().filter_map(|at| {
            let join = self.joined.get(*at).copied().flatten()?;
            let (known, now) = self.shapes(join.known, *at)?;
            let differs = known.name_path != now.name_path;
            let has_members = inside.now_below.contains_key(now.name_path.as_str());
            (differs && has_members && join.found == Match::Renamed)
                .then(|| (known.name_path.clone(), now.name_path.clone()))
        });
        joined.collect()
    }

    fn join_renamed(&mut self, known: usize, now: usize) {
        if !self.found.contains(&known) && self.is_open(now) {
            self.join(known, now, Match::Renamed);
        }
    }

    fn same_kind(&self, known: usize, now: usize) -> bool {
        self.shapes(known, now)
            .is_some_and(|(known, now)| known.is_class.is_none() || known.is_class == now.is_class)
    }

    /// Pairs whose body is large enough to be told from others, and that no other one has.
    fn unique_bodies(&self, known: &[usize], now: &[usize], tokens: u32) -> Vec<(usize, usize)> {
        let distinct = |shape: &Shape| shape.body.filter(|body| body.tokens >= tokens);
        let body_known = |at: &usize| self.known.get(*at).and_then(distinct);
        let body_now = |at: &usize| self.now.get(*at).and_then(distinct);
        let counts_known = counts(known.iter().filter_map(body_known));
        let counts_now = counts(now.iter().filter_map(body_now));
        let places: HashMap<BodyHash, usize> = known
            .iter()
            .filter_map(|at| Some((body_known(at)?, *at)))
            .collect();
        let pairs = now.iter().filter_map(|at| {
            let body = body_now(at)?;
            let is_only = counts_known.get(&body) == Some(&1) && counts_now.get(&body) == Some(&1);
            let known = places.get(&body).filter(|_| is_only)?;
            self.same_kind(*known, *at).then_some((*known, *at))
        });
        pairs.collect()
    }

    /// Pairs of classes that have most of their members in common, and neither with another one.
    fn kept_classes(
        &self,
        known: &[usize],
        now: &[usize],
        inside: &Inside<'_, '_>,
    ) -> Vec<(usize, usize)> {
        let members = |shapes: &'s [Shape], below: &Group<'_>, at: usize| {
            let name_path = shapes.get(at).map_or("", |shape| &shape.name_path);
            let members = below.get(name_path).into_iter().flatten();
            let members = members.filter_map(|at| shapes.get(*at));
            let named = members.map(|shape| (own_name(&shape.name_path), shape.body));
            named.collect::<HashSet<_>>()
        };
        let mut owners: HashMap<(&str, Option<BodyHash>), Vec<usize>> = HashMap::new();
        for at in known.iter().filter(|at| !self.found.contains(at)) {
            for member in members(self.known, inside.known_below, *at) {
                owners.entry(member).or_default().push(*at);
            }
        }
        let mut best: HashMap<usize, Vec<usize>> = HashMap::new();
        for at in now.iter().filter(|at| self.is_open(**at)) {
            let mine = members(self.now, inside.now_below, *at);
            let mut shared: HashMap<usize, usize> = HashMap::new();
            for owner in mine
                .iter()
                .filter_map(|member| owners.get(member))
                .flatten()
            {
                *shared.entry(*owner).or_default() += 1;
            }
            for (owner, count) in shared {
                let theirs = members(self.known, inside.known_below, owner).len();
                let is_kept = count * 100 >= mine.len().max(theirs) * KEPT_MEMBERS;
                if is_kept && count > 1 && self.same_kind(owner, *at) {
                    best.entry(owner).or_default().push(*at);
                }
            }
        }
        let claims = counts(best.values().flatten().copied());
        let sole = best
            .into_iter()
            .filter_map(|(owner, claimed)| match claimed[..] {
                [now] if claims.get(&now) == Some(&1) => Some((owner, now)),
                _ => None,
            });
        sole.collect()
    }

    /// Pairs with an equal body, however small, that are the only ones left between the same neighbours.
    fn gaps(&self, inside: &Inside<'_, '_>) -> Vec<(usize, usize)> {
        let place_of: HashMap<usize, usize> = inside
            .now
            .iter()
            .enumerate()
            .filter_map(|(order, at)| Some((self.joined.get(*at).copied().flatten()?.known, order)))
            .collect();
        let mut gaps: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        let mut before = None;
        for at in inside.known {
            match place_of.get(at) {
                Some(order) => before = Some(*order),
                None => gaps.entry(before).or_default().push(*at),
            }
        }
        let mut open: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        let mut before = None;
        for (order, at) in inside.now.iter().enumerate() {
            if self.is_open(*at) {
                open.entry(before).or_default().push(*at);
            } else {
                before = Some(order);
            }
        }
        let pairs = gaps.into_iter().filter_map(|(before, known)| {
            let (known, now) = match (&known[..], open.get(&before).map(Vec::as_slice)) {
                ([known], Some([now])) => (*known, *now),
                _ => return None,
            };
            (self.same_body(known, now) && self.same_kind(known, now)).then_some((known, now))
        });
        pairs.collect()
    }

    /// Joins what moved to another place in the file, as into or out of a class, by its body.
    fn anywhere(&mut self) {
        let known: Vec<usize> = (0..self.known.len())
            .filter(|at| !self.found.contains(at))
            .collect();
        let now: Vec<usize> = (0..self.now.len()).filter(|at| self.is_open(*at)).collect();
        for (known, now) in self.unique_bodies(&known, &now, DISTINCT_TOKENS) {
            self.join_renamed(known, now);
        }
    }
}

/// The members of one definition, or of the file.
struct Inside<'g, 's> {
    known: &'g [usize],
    now: &'g [usize],
    known_below: &'g Group<'s>,
    now_below: &'g Group<'s>,
}

fn counts<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> HashMap<K, usize> {
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
