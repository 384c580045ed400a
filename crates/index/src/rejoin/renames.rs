//! Joining what has another name now, where that is certain.

use std::collections::{HashMap, HashSet};

use super::{Group, Joins, Shape, counts, groups, own_name, parent};
use ragnav_base::item::Match;
use ragnav_syntax::facts::BodyHash;

/// Bodies of fewer tokens are alike by chance.
pub(super) const DISTINCT_TOKENS: u32 = 12;

/// Bodies of fewer tokens say nothing at all, as `pass` does.
const TELLING_TOKENS: u32 = 6;

/// A body that more definitions have tells none of them.
const MAX_OWNERS: usize = 8;

/// The share of its members that a class must have kept for a rename of it, in parts of a hundred.
const KEPT_MEMBERS: usize = 60;

/// The members of one definition, or of the file.
struct Inside<'g, 's> {
    known: &'g [usize],
    now: &'g [usize],
    known_below: &'g Group<'s>,
    now_below: &'g Group<'s>,
}

impl<'s> Joins<'s> {
    /// Joins what is left of both, from the outside in, so that the members of a renamed class are found by their names.
    pub(super) fn by_rename(&mut self) {
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
    pub(super) fn unique_bodies(
        &self,
        known: &[usize],
        now: &[usize],
        tokens: u32,
    ) -> Vec<(usize, usize)> {
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
            let distinct = |shape: &&Shape| {
                let body = shape.body;
                body.is_some_and(|body| body.tokens >= DISTINCT_TOKENS)
            };
            let named = members.filter(distinct);
            let named = named.map(|shape| (own_name(&shape.name_path), shape.body));
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
            let telling = mine.iter().filter_map(|member| owners.get(member));
            for owner in telling
                .filter(|owners| owners.len() <= MAX_OWNERS)
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
        let orders = inside
            .known
            .iter()
            .map(|at| (*at, place_of.get(at).copied()));
        let gaps = runs(orders);
        let orders = inside.now.iter().enumerate();
        let orders = orders.map(|(order, at)| (*at, (!self.is_open(*at)).then_some(order)));
        let open = runs(orders);
        let pairs = gaps.into_iter().filter_map(|(between, known)| {
            let (known, now) = match (&known[..], open.get(&between).map(Vec::as_slice)) {
                ([known], Some([now])) => (*known, *now),
                _ => return None,
            };
            let body = self.known.get(known)?.body?;
            let is_telling = body.tokens >= TELLING_TOKENS && between != (None, None);
            let fits = self.same_body(known, now) && self.same_kind(known, now);
            (is_telling && fits).then_some((known, now))
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

/// What stands between two neighbours that were joined, by the neighbours' places among those of now.
type Runs = HashMap<(Option<usize>, Option<usize>), Vec<usize>>;

/// The runs of those without an order, between the orders around them.
fn runs(orders: impl Iterator<Item = (usize, Option<usize>)>) -> Runs {
    let mut runs = Runs::new();
    let mut before = None;
    let mut run = Vec::new();
    for (at, order) in orders {
        if order.is_none() {
            run.push(at);
        } else {
            if !run.is_empty() {
                runs.insert((before, order), std::mem::take(&mut run));
            }
            before = order;
        }
    }
    if !run.is_empty() {
        runs.insert((before, None), run);
    }
    runs
}
