//! Matching definitions that have another name now, if that is certain.

use ragnav_base::hash::{HashMap, HashSet};

use super::matcher::{DISTINCT_TOKENS, Group, Matcher, count_occurrences, group_shapes};
use crate::shapes::Shape;
use ragnav_base::item::Match;
use ragnav_syntax::facts::BodyHash;

/// Smaller bodies, in tokens, carry no information, as `pass` does.
const MEANINGFUL_TOKENS: u32 = 6;

/// A member that more classes have identifies none of them.
const MAX_OWNERS: usize = 8;

/// The percentage of its members that a renamed class must have kept.
const KEPT_MEMBERS: usize = 60;

/// Returns the name path of the enclosing definition, or `""` at module level.
fn parent(name_path: &str) -> &str {
    name_path.rsplit_once('.').map_or("", |(parent, _)| parent)
}

fn own_name(name_path: &str) -> &str {
    name_path
        .rsplit_once('.')
        .map_or(name_path, |(_, name)| name)
}

/// The members of one definition, or of the file.
struct Siblings<'g, 's> {
    known: &'g [usize],
    now: &'g [usize],
    known_below: &'g Group<'s>,
    now_below: &'g Group<'s>,
}

impl<'s> Matcher<'s> {
    /// Matches the remaining definitions from the outside in, so that the members of a renamed
    /// class match by their names.
    pub(super) fn match_renames(&mut self) {
        if self.found.len() == self.known.len() || self.results.iter().all(Option::is_some) {
            return;
        }
        let known_below = group_shapes(self.known, |shape| parent(&shape.name_path));
        let now_below = group_shapes(self.now, |shape| parent(&shape.name_path));
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
                self.match_members(known, now);
            }
            let siblings = Siblings {
                known,
                now,
                known_below: &known_below,
                now_below: &now_below,
            };
            renamed.extend(self.match_inside(&siblings));
        }
        self.match_anywhere();
    }

    /// Matches the members of a renamed class by their own names.
    fn match_members(&mut self, known: &[usize], now: &[usize]) {
        let mut by_name: HashMap<&str, (Vec<usize>, Vec<usize>)> = HashMap::default();
        for at in known.iter().filter(|at| !self.found.contains(at)) {
            if let Some(shape) = self.known.get(*at) {
                by_name
                    .entry(own_name(&shape.name_path))
                    .or_default()
                    .0
                    .push(*at);
            }
        }
        for at in now.iter().filter(|at| self.is_unmatched(**at)) {
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
                self.match_namesakes(known, now, true);
            }
        }
    }

    fn is_unmatched(&self, now: usize) -> bool {
        matches!(self.results.get(now), Some(None))
    }

    /// Matches the remaining members of one definition. Returns the name paths of the pairs whose
    /// members can be matched next.
    fn match_inside(&mut self, siblings: &Siblings<'_, '_>) -> Vec<(String, String)> {
        let mut followers = self.find_renamed_members(siblings);
        let known = || siblings.known.iter().copied();
        let now = || siblings.now.iter().copied();
        let left_known: Vec<usize> = known().filter(|at| !self.found.contains(at)).collect();
        let left_now: Vec<usize> = now().filter(|at| self.is_unmatched(*at)).collect();
        if left_known.is_empty() || left_now.is_empty() {
            return followers;
        }
        let mut pairs = self.pair_unique_bodies(&left_known, &left_now, DISTINCT_TOKENS);
        pairs.extend(self.find_kept_classes(&left_known, &left_now, siblings));
        for (known, now) in &pairs {
            self.pair_renamed(*known, *now);
        }
        for (known, now) in self.find_gaps(siblings) {
            self.pair_renamed(known, now);
            pairs.push((known, now));
        }
        followers.extend(pairs.into_iter().filter_map(|(known, now)| {
            let (known, now) = self.shapes(known, now)?;
            Some((known.name_path.clone(), now.name_path.clone()))
        }));
        followers
    }

    /// Returns the members below a renamed definition that matched by name and have members.
    fn find_renamed_members(&self, siblings: &Siblings<'_, '_>) -> Vec<(String, String)> {
        let results = siblings.now.iter().filter_map(|at| {
            let result = self.results.get(*at).copied().flatten()?;
            let (known, now) = self.shapes(result.before, *at)?;
            let differs = known.name_path != now.name_path;
            let has_members = siblings.now_below.contains_key(now.name_path.as_str());
            (differs && has_members && result.how == Match::Renamed)
                .then(|| (known.name_path.clone(), now.name_path.clone()))
        });
        results.collect()
    }

    fn pair_renamed(&mut self, known: usize, now: usize) {
        if !self.found.contains(&known) && self.is_unmatched(now) {
            self.pair(known, now, Match::Renamed);
        }
    }

    /// Returns pairs of classes that share most of their members, and with no other class.
    fn find_kept_classes(
        &self,
        known: &[usize],
        now: &[usize],
        siblings: &Siblings<'_, '_>,
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
        let mut owners: HashMap<(&str, Option<BodyHash>), Vec<usize>> = HashMap::default();
        for at in known.iter().filter(|at| !self.found.contains(at)) {
            for member in members(self.known, siblings.known_below, *at) {
                owners.entry(member).or_default().push(*at);
            }
        }
        let mut best: HashMap<usize, Vec<usize>> = HashMap::default();
        for at in now.iter().filter(|at| self.is_unmatched(**at)) {
            let mine = members(self.now, siblings.now_below, *at);
            let mut shared: HashMap<usize, usize> = HashMap::default();
            let meaningful = mine.iter().filter_map(|member| owners.get(member));
            for owner in meaningful
                .filter(|owners| owners.len() <= MAX_OWNERS)
                .flatten()
            {
                *shared.entry(*owner).or_default() += 1;
            }
            for (owner, count) in shared {
                let theirs = members(self.known, siblings.known_below, owner).len();
                let is_kept = count * 100 >= mine.len().max(theirs) * KEPT_MEMBERS;
                if is_kept && count > 1 && self.have_same_kind(owner, *at) {
                    best.entry(owner).or_default().push(*at);
                }
            }
        }
        let claims = count_occurrences(best.values().flatten().copied());
        let sole = best
            .into_iter()
            .filter_map(|(owner, claimed)| match claimed[..] {
                [now] if claims.get(&now) == Some(&1) => Some((owner, now)),
                _ => None,
            });
        sole.collect()
    }

    /// Returns pairs with an equal body of any size that are alone between the same neighbours.
    fn find_gaps(&self, siblings: &Siblings<'_, '_>) -> Vec<(usize, usize)> {
        let place_of: HashMap<usize, usize> = siblings
            .now
            .iter()
            .enumerate()
            .filter_map(|(order, at)| {
                Some((self.results.get(*at).copied().flatten()?.before, order))
            })
            .collect();
        let orders = siblings
            .known
            .iter()
            .map(|at| (*at, place_of.get(at).copied()));
        let gaps = split_runs(orders);
        let orders = siblings.now.iter().enumerate();
        let orders = orders.map(|(order, at)| (*at, (!self.is_unmatched(*at)).then_some(order)));
        let open = split_runs(orders);
        let pairs = gaps.into_iter().filter_map(|(between, known)| {
            let (known, now) = match (&known[..], open.get(&between).map(Vec::as_slice)) {
                ([known], Some([now])) => (*known, *now),
                _ => return None,
            };
            let body = self.known.get(known)?.body?;
            let is_meaningful = body.tokens >= MEANINGFUL_TOKENS && between != (None, None);
            let fits = self.have_same_body(known, now) && self.have_same_kind(known, now);
            (is_meaningful && fits).then_some((known, now))
        });
        pairs.collect()
    }

    /// Matches definitions that moved within the file, such as into a class, by their body.
    fn match_anywhere(&mut self) {
        let known: Vec<usize> = (0..self.known.len())
            .filter(|at| !self.found.contains(at))
            .collect();
        let now: Vec<usize> = (0..self.now.len())
            .filter(|at| self.is_unmatched(*at))
            .collect();
        for (known, now) in self.pair_unique_bodies(&known, &now, DISTINCT_TOKENS) {
            self.pair_renamed(known, now);
        }
    }
}

/// Runs of unmatched definitions, by the current indexes of the matched neighbours.
type Runs = HashMap<(Option<usize>, Option<usize>), Vec<usize>>;

/// Splits definitions into runs without an order, between the orders around them.
fn split_runs(orders: impl Iterator<Item = (usize, Option<usize>)>) -> Runs {
    let mut runs = Runs::default();
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
