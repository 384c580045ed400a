//! Finding again what was known in a whole repository: file by file, then what moved between files.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use crate::rejoin::{Join, Shape, counts, rejoin};
use ragnav_base::item::Match;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::BodyHash;

/// The definitions of files, each in the order of its text.
pub type Shapes = BTreeMap<RepoPath, Vec<Shape>>;

/// Bodies of fewer tokens are alike by chance, in a whole repository.
const DISTINCT_TOKENS: u32 = 20;

/// A file that shares no body of as many tokens with another one may be like it by chance.
const TELLING_TOKENS: u32 = 12;

/// A definition that more files have tells none of them.
const MAX_OWNERS: usize = 8;

/// As many are enough for definitions at the top of a file that also have one name.
const NAMED_TOKENS: u32 = 8;

/// The share of definitions that two files must have in common for a rename of the file, in parts of a hundred.
const KEPT_DEFINITIONS: usize = 50;

/// What a definition of now was then, in whichever file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileJoin {
    /// The file it was in.
    pub file: RepoPath,
    /// Its place among the definitions of that file.
    pub known: usize,
    /// How it was found again.
    pub found: Match,
}

/// For each file of now a list with a place for each of its definitions.
pub type FileJoins = BTreeMap<RepoPath, Vec<Option<FileJoin>>>;

/// Finds the definitions of many files again.
///
/// A file keeps what was known of it. What was known of a file that is gone goes to the one new file that has most of its
/// definitions, if no other does. What is then left over goes to a definition with the same body, if neither has a second.
#[must_use]
pub fn rejoin_files(known: &Shapes, now: &Shapes) -> FileJoins {
    let mut joins = FileJoins::new();
    for (file, shapes) in now {
        let known_here = known.get(file).map_or(&[][..], Vec::as_slice);
        joins.insert(file.clone(), in_file(file, known_here, shapes, false));
    }
    for (gone, new) in renamed_files(known, now) {
        if let (Some(then), Some(shapes)) = (known.get(gone), now.get(new)) {
            joins.insert(new.clone(), in_file(gone, then, shapes, true));
        }
    }
    between_files(known, now, &mut joins);
    joins
}

fn in_file(
    file: &RepoPath,
    known: &[Shape],
    now: &[Shape],
    renamed: bool,
) -> Vec<Option<FileJoin>> {
    let joins = rejoin(known, now).into_iter();
    let file_join = |join: Join| FileJoin {
        file: file.clone(),
        known: join.known,
        found: match join.found {
            Match::Exact | Match::Moved if renamed => Match::Renamed,
            found => found,
        },
    };
    joins.map(|join| join.map(file_join)).collect()
}

type Definition<'s> = (&'s str, Option<BodyHash>);

fn definition(shape: &Shape) -> Definition<'_> {
    (&shape.name_path, shape.body)
}

/// Pairs of a file that is gone and the new one that has most of its definitions, where neither fits another one.
///
/// Two files without a body that tells anything are a pair only if they are all the same.
fn renamed_files<'s>(known: &'s Shapes, now: &'s Shapes) -> Vec<(&'s RepoPath, &'s RepoPath)> {
    let gone = known.iter().filter(|(file, _)| !now.contains_key(*file));
    let gone: Vec<(&RepoPath, &Vec<Shape>)> = gone.collect();
    let mut owners: HashMap<Definition<'_>, Vec<usize>> = HashMap::new();
    for (at, (_, shapes)) in gone.iter().enumerate() {
        for definition in definitions(shapes) {
            owners.entry(definition).or_default().push(at);
        }
    }
    let is_new = |(file, shapes): &(&RepoPath, &Vec<Shape>)| {
        !known.contains_key(*file) && !shapes.is_empty()
    };
    let mut claims: Vec<(usize, &RepoPath)> = Vec::new();
    for (file, shapes) in now.iter().filter(is_new) {
        let mut shared: BTreeMap<usize, Shared> = BTreeMap::new();
        for definition in definitions(shapes) {
            let owners = owners.get(&definition).map_or(&[][..], Vec::as_slice);
            for owner in owners.iter().filter(|_| owners.len() <= MAX_OWNERS) {
                let shared = shared.entry(*owner).or_default();
                shared.all += 1;
                shared.telling += usize::from(is_telling(definition));
            }
        }
        let kept = shared.into_iter().filter(|(owner, shared)| {
            let theirs = gone.get(*owner).map_or(0, |(_, shapes)| shapes.len());
            let larger = theirs.max(shapes.len());
            let is_same = shared.all == larger && larger > 1;
            is_same || (shared.telling > 0 && shared.all * 100 >= larger * KEPT_DEFINITIONS)
        });
        claims.extend(kept.map(|(owner, _)| (owner, file)));
    }
    let by_owner = counts(claims.iter().map(|(owner, _)| *owner));
    let by_file = counts(claims.iter().map(|(_, file)| *file));
    let is_sole = |(owner, file): &(usize, &RepoPath)| {
        by_owner.get(owner) == Some(&1) && by_file.get(file) == Some(&1)
    };
    let sole = claims.into_iter().filter(is_sole);
    sole.filter_map(|(owner, file)| Some((gone.get(owner)?.0, file)))
        .collect()
}

/// What two files have in common.
#[derive(Debug, Clone, Copy, Default)]
struct Shared {
    all: usize,
    /// Those whose body is not alike by chance.
    telling: usize,
}

/// The definitions of a file whose bodies were written down.
fn definitions(shapes: &[Shape]) -> HashSet<Definition<'_>> {
    let definitions = shapes.iter().map(definition);
    definitions.filter(|(_, body)| body.is_some()).collect()
}

fn is_telling((_, body): Definition<'_>) -> bool {
    body.is_some_and(|body| body.tokens >= TELLING_TOKENS)
}

/// Joins what is left over in all files: by its body, by name and body at the top of a file, and with its class.
fn between_files(known: &Shapes, now: &Shapes, joins: &mut FileJoins) {
    let mut left = Left { known, now, joins };
    left.join_by(|shape| {
        let body = shape.body.filter(|body| body.tokens >= DISTINCT_TOKENS)?;
        Some((String::new(), body))
    });
    left.join_by(|shape| {
        let is_top = !shape.name_path.contains('.');
        let body = shape.body.filter(|body| body.tokens >= NAMED_TOKENS)?;
        is_top.then(|| (shape.name_path.clone(), body))
    });
    left.join_members();
    left.doubt_moved_bodies();
}

/// A definition's file and its place in it.
type Place<'s> = (&'s RepoPath, usize);

/// What is not joined yet.
struct Left<'s, 'j> {
    known: &'s Shapes,
    now: &'s Shapes,
    joins: &'j mut FileJoins,
}

impl<'s> Left<'s, '_> {
    fn found(&self) -> HashSet<(&RepoPath, usize)> {
        let joins = self.joins.values().flatten().flatten();
        joins.map(|join| (&join.file, join.known)).collect()
    }

    fn lost(&self) -> impl Iterator<Item = (Place<'s>, &'s Shape)> {
        let found = self.found();
        each(self.known).filter(move |((file, at), _)| !found.contains(&(*file, *at)))
    }

    fn open(&self) -> impl Iterator<Item = (Place<'s>, &'s Shape)> {
        each(self.now).filter(|((file, at), _)| {
            let joins = self.joins.get(*file);
            joins.and_then(|joins| joins.get(*at)) == Some(&None)
        })
    }

    /// Joins those that have a key that no other one has, neither of then nor of now.
    fn join_by<K: Hash + Eq>(&mut self, key: impl Fn(&Shape) -> Option<K>) {
        let lost = sole(self.lost(), &key);
        let open = sole(self.open(), &key);
        let pairs = open
            .into_iter()
            .filter_map(|(key, now)| Some((now, *lost.get(&key)?)));
        for (now, then) in pairs.collect::<Vec<_>>() {
            self.join(now, then, Match::Renamed);
        }
    }

    /// Joins the members of classes that came from another file to those of the same name.
    fn join_members(&mut self) {
        let classes: HashMap<(&RepoPath, &str), (&RepoPath, &str)> = self.moved_classes().collect();
        if classes.is_empty() {
            return;
        }
        let key =
            |(place, shape): (Place<'s>, &'s Shape)| ((place.0, shape.name_path.clone()), place);
        let lost = grouped(self.lost().map(key));
        let open = grouped(self.open().map(key));
        for ((file, name_path), places) in open {
            let class = name_path.match_indices('.').rev().find_map(|(at, _)| {
                let (class, member) = name_path.split_at_checked(at)?;
                Some((*classes.get(&(file, class))?, member))
            });
            let then = class
                .and_then(|((file, class), member)| lost.get(&(file, format!("{class}{member}"))));
            if let ([now], Some([then])) = (&places[..], then.map(Vec::as_slice)) {
                self.join(*now, *then, Match::Renamed);
            }
        }
    }

    /// Classes of now that were in another file then.
    fn moved_classes(
        &self,
    ) -> impl Iterator<Item = ((&'s RepoPath, &'s str), (&'s RepoPath, &'s str))> {
        let joined = each(self.now).filter_map(|((file, at), shape)| {
            let join = self.joins.get(file)?.get(at)?.as_ref()?;
            let (known_file, shapes) = self.known.get_key_value(&join.file)?;
            let then = shapes.get(join.known)?;
            let moved = known_file != file && shape.is_class == Some(true);
            moved.then_some((
                (file, shape.name_path.as_str()),
                (known_file, then.name_path.as_str()),
            ))
        });
        joined.collect::<Vec<_>>().into_iter()
    }

    /// Where a body went to another file while its name stayed with another body, nothing tells whether what is known goes with the
    /// one or the other.
    fn doubt_moved_bodies(&mut self) {
        let key = |shape: &Shape| shape.body.filter(|body| body.tokens >= DISTINCT_TOKENS);
        let then = sole(each(self.known), key);
        let now = sole(each(self.now), key);
        let pairs = now
            .into_iter()
            .filter_map(|(body, now)| Some((now, *then.get(&body)?)));
        for ((file, at), then) in pairs {
            let is_then = |join: &FileJoin| (&join.file, join.known) == then;
            let joined = self
                .joins
                .get(file)
                .and_then(|joins| joins.get(at)?.as_ref());
            if joined.is_some_and(is_then) || file == then.0 {
                continue;
            }
            for join in self.joins.get_mut(then.0).into_iter().flatten().flatten() {
                if is_then(join) {
                    join.found = Match::Ambiguous;
                }
            }
            self.join((file, at), then, Match::Ambiguous);
        }
    }

    fn join(&mut self, now: Place<'_>, then: Place<'_>, found: Match) {
        let shape = |shapes: &'s Shapes, (file, at): Place<'_>| shapes.get(file)?.get(at);
        let (Some(was), Some(is)) = (shape(self.known, then), shape(self.now, now)) else {
            return;
        };
        let same_kind = was.is_class.is_none() || was.is_class == is.is_class;
        let joins = self.joins.get_mut(now.0);
        let joined = joins.and_then(|joins| joins.get_mut(now.1));
        if let Some(joined) = joined.filter(|_| same_kind) {
            *joined = Some(FileJoin {
                file: then.0.clone(),
                known: then.1,
                found,
            });
        }
    }
}

fn each(shapes: &Shapes) -> impl Iterator<Item = (Place<'_>, &Shape)> {
    shapes.iter().flat_map(|(file, shapes)| {
        let shapes = shapes.iter().enumerate();
        shapes.map(move |(at, shape)| ((file, at), shape))
    })
}

/// The places of those that have a key for themselves.
fn sole<'s, K: Hash + Eq>(
    shapes: impl Iterator<Item = (Place<'s>, &'s Shape)>,
    key: impl Fn(&Shape) -> Option<K>,
) -> HashMap<K, Place<'s>> {
    let places = grouped(shapes.filter_map(|(place, shape)| Some((key(shape)?, place))));
    let sole = places
        .into_iter()
        .filter_map(|(key, places)| match places[..] {
            [place] => Some((key, place)),
            _ => None,
        });
    sole.collect()
}

fn grouped<K: Hash + Eq, V>(pairs: impl Iterator<Item = (K, V)>) -> HashMap<K, Vec<V>> {
    let mut groups: HashMap<K, Vec<V>> = HashMap::new();
    for (key, value) in pairs {
        groups.entry(key).or_default().push(value);
    }
    groups
}
