//! Finding again what was known in a whole repository: file by file, then what moved between files.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::graph::rejoin::{Shape, rejoin};
use crate::item::Match;
use crate::lang::facts::BodyHash;
use crate::path::RepoPath;

/// The definitions of files, each in the order of its text.
pub type Shapes = BTreeMap<RepoPath, Vec<Shape>>;

/// Bodies of fewer tokens are alike by chance, in a whole repository.
const DISTINCT_TOKENS: u32 = 20;

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
    let file_join = |join: crate::graph::rejoin::Join| FileJoin {
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
fn renamed_files<'s>(known: &'s Shapes, now: &'s Shapes) -> Vec<(&'s RepoPath, &'s RepoPath)> {
    let gone = known.iter().filter(|(file, _)| !now.contains_key(*file));
    let gone: Vec<(&RepoPath, &Vec<Shape>)> = gone.collect();
    let mut owners: HashMap<Definition<'_>, Vec<usize>> = HashMap::new();
    for (at, (_, shapes)) in gone.iter().enumerate() {
        let definitions: HashSet<Definition<'_>> = shapes.iter().map(definition).collect();
        for definition in definitions.into_iter().filter(|(_, body)| body.is_some()) {
            owners.entry(definition).or_default().push(at);
        }
    }
    let is_new = |(file, shapes): &(&RepoPath, &Vec<Shape>)| {
        !known.contains_key(*file) && !shapes.is_empty()
    };
    let mut claims: Vec<(usize, &RepoPath)> = Vec::new();
    for (file, shapes) in now.iter().filter(is_new) {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        let definitions: HashSet<Definition<'_>> = shapes.iter().map(definition).collect();
        for owner in definitions
            .iter()
            .filter_map(|one| owners.get(one))
            .flatten()
        {
            *shared.entry(*owner).or_default() += 1;
        }
        let kept = shared.into_iter().filter(|(owner, count)| {
            let theirs = gone.get(*owner).map_or(0, |(_, shapes)| shapes.len());
            count * 100 >= theirs.max(shapes.len()) * KEPT_DEFINITIONS
        });
        claims.extend(kept.map(|(owner, _)| (owner, file)));
    }
    let sole = claims.iter().filter(|(owner, file)| {
        let mut others = claims.iter();
        !others.any(|(other, claimed)| (other == owner) != (claimed == file))
    });
    sole.filter_map(|(owner, file)| Some((gone.get(*owner)?.0, *file)))
        .collect()
}

/// Joins what is left over in all files by its body.
fn between_files(known: &Shapes, now: &Shapes, joins: &mut FileJoins) {
    let found: HashSet<(RepoPath, usize)> = joins
        .values()
        .flatten()
        .flatten()
        .map(|join| (join.file.clone(), join.known))
        .collect();
    let is_lost = |file: &RepoPath, at: usize| !found.contains(&(file.clone(), at));
    let lost = places(known, is_lost);
    let is_open =
        |file: &RepoPath, at: usize| joins.get(file).and_then(|joins| joins.get(at)) == Some(&None);
    let open = places(now, is_open);
    for (body, now_places) in open {
        let ([(new, at)], Some([(file, place)])) =
            (&now_places[..], lost.get(&body).map(Vec::as_slice))
        else {
            continue;
        };
        let then = known.get(*file).and_then(|shapes| shapes.get(*place));
        let is_class = now.get(*new).and_then(|shapes| shapes.get(*at)?.is_class);
        let same_kind =
            then.is_some_and(|then| then.is_class.is_none() || then.is_class == is_class);
        let joined = joins.get_mut(*new).and_then(|joins| joins.get_mut(*at));
        if let Some(joined) = joined.filter(|_| same_kind) {
            *joined = Some(FileJoin {
                file: (*file).clone(),
                known: *place,
                found: Match::Renamed,
            });
        }
    }
}

type Places<'s> = HashMap<BodyHash, Vec<(&'s RepoPath, usize)>>;

fn places(shapes: &Shapes, wanted: impl Fn(&RepoPath, usize) -> bool) -> Places<'_> {
    let mut places = Places::new();
    for (file, shapes) in shapes {
        for (at, shape) in shapes.iter().enumerate() {
            let distinct = shape.body.filter(|body| body.tokens >= DISTINCT_TOKENS);
            if let Some(body) = distinct.filter(|_| wanted(file, at)) {
                places.entry(body).or_default().push((file, at));
            }
        }
    }
    places
}
