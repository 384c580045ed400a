//! Which new file is which removed one, by the similarity of their definitions.
//!
//! git finds renames in the same way, by the similarity of texts; see `--find-renames` in
//! [git-diff](https://git-scm.com/docs/git-diff). Where several files are alike, those pairs win
//! whose folders moved as the folders of other files did.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::reidentify::count_occurrences;
use crate::shapes::{Shape, ShapesByFile};
use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::BodyHash;

/// Two files that share no body of this size, in tokens, may be similar by chance.
const MEANINGFUL_TOKENS: u32 = 12;

/// A definition or a name that more files have identifies none of them.
const MAX_OWNERS: usize = 8;

/// The percentage of its definitions that a renamed file must have kept; one with another body
/// counts half.
const KEPT_DEFINITIONS: usize = 50;

/// The percentage of names that a file must have kept if no body shows that it is the same.
const KEPT_NAMES: usize = 75;

/// The smallest number of names that can show this.
const MIN_NAMES: usize = 4;

/// Returns pairs of a removed file and the new one that it has become.
///
/// A file is in one pair at most, and in none if two others are equally similar to it.
pub(crate) fn find_renamed_files<'s>(
    known: &'s ShapesByFile,
    now: &'s ShapesByFile,
) -> Vec<(&'s RepoPath, &'s RepoPath)> {
    let gone: Vec<File<'s>> = files_only_in(known, now).collect();
    let new: Vec<File<'s>> = files_only_in(now, known).collect();
    let pairs = similar_pairs(&gone, &new);
    let moves = folder_moves(&pairs);
    choose_best(pairs, &moves)
}

/// A file with its definitions.
struct File<'s> {
    path: &'s RepoPath,
    /// The definitions that have a body hash.
    definitions: HashSet<Definition<'s>>,
    names: HashSet<&'s str>,
    /// The number of definitions.
    len: usize,
}

type Definition<'s> = (&'s str, BodyHash);

/// Two files that may be one, before and after it was renamed.
#[derive(Clone, Copy)]
struct Pair<'s> {
    gone: &'s RepoPath,
    new: &'s RepoPath,
    /// The share of definitions that the file has kept, in percent.
    similarity: usize,
}

fn files_only_in<'s>(
    files: &'s ShapesByFile,
    others: &'s ShapesByFile,
) -> impl Iterator<Item = File<'s>> {
    let only = files
        .iter()
        .filter(|(path, shapes)| !others.contains_key(*path) && !shapes.is_empty());
    only.map(|(path, shapes)| File {
        path,
        definitions: shapes.iter().filter_map(definition).collect(),
        names: shapes
            .iter()
            .map(|shape| shape.name_path.as_str())
            .collect(),
        len: shapes.len(),
    })
}

fn definition(shape: &Shape) -> Option<Definition<'_>> {
    Some((&shape.name_path, shape.body?))
}

/// Returns the pairs of files that share enough definitions.
fn similar_pairs<'s>(gone: &[File<'s>], new: &[File<'s>]) -> Vec<Pair<'s>> {
    let owners = owners_of(gone, |file| &file.definitions);
    let owners_of_names = owners_of(gone, |file| &file.names);
    let mut pairs = Vec::new();
    for file in new {
        let mut shared: BTreeMap<usize, Shared> = BTreeMap::new();
        for definition in &file.definitions {
            for owner in few(owners.get(definition)) {
                let shared = shared.entry(*owner).or_default();
                shared.definitions += 1;
                shared.meaningful += usize::from(definition.1.tokens >= MEANINGFUL_TOKENS);
            }
        }
        for name in &file.names {
            for owner in few(owners_of_names.get(name)) {
                shared.entry(*owner).or_default().names += 1;
            }
        }
        pairs.extend(shared.into_iter().filter_map(|(owner, shared)| {
            let gone = gone.get(owner)?;
            let similarity = shared.similarity(gone.len.max(file.len))?;
            Some(Pair {
                gone: gone.path,
                new: file.path,
                similarity,
            })
        }));
    }
    pairs
}

/// Returns the files that have each definition or each name, as indices.
fn owners_of<'s, K: std::hash::Hash + Eq + Copy>(
    files: &[File<'s>],
    keys: for<'f> fn(&'f File<'s>) -> &'f HashSet<K>,
) -> HashMap<K, Vec<usize>> {
    let mut owners: HashMap<K, Vec<usize>> = HashMap::default();
    for (at, file) in files.iter().enumerate() {
        for key in keys(file) {
            owners.entry(*key).or_default().push(at);
        }
    }
    owners
}

fn few(owners: Option<&Vec<usize>>) -> &[usize] {
    let owners = owners.map_or(&[][..], Vec::as_slice);
    if owners.len() > MAX_OWNERS {
        &[]
    } else {
        owners
    }
}

/// What two files have in common.
#[derive(Debug, Clone, Copy, Default)]
struct Shared {
    /// The number of definitions with an equal name path and body.
    definitions: usize,
    /// Those whose body is not equal by chance.
    meaningful: usize,
    /// The number of name paths.
    names: usize,
}

impl Shared {
    /// Returns the share of `len` definitions that was kept, in percent; `None` if that shows
    /// nothing.
    fn similarity(self, len: usize) -> Option<usize> {
        let named_only = self.names.saturating_sub(self.definitions);
        let similarity = (2 * self.definitions + named_only) * 50 / len;
        let is_same = self.definitions == len && len > 1;
        let is_kept = self.meaningful > 0 && similarity >= KEPT_DEFINITIONS;
        let is_named = self.names >= MIN_NAMES && self.names * 100 >= len * KEPT_NAMES;
        (is_same || is_kept || is_named).then_some(similarity)
    }
}

/// A folder before and after it was moved: the paths without the end that they have in common.
type FolderMove<'s> = (&'s str, &'s str);

/// Counts how many files show each move of a folder, of those that are similar to one other.
fn folder_moves<'s>(pairs: &[Pair<'s>]) -> HashMap<FolderMove<'s>, usize> {
    let sole = sole_pairs(pairs);
    count_occurrences(sole.map(|pair| without_common_end(pair.gone.as_str(), pair.new.as_str()).0))
}

fn sole_pairs<'p, 's>(pairs: &'p [Pair<'s>]) -> impl Iterator<Item = &'p Pair<'s>> {
    let gone = count_occurrences(pairs.iter().map(|pair| pair.gone));
    let new = count_occurrences(pairs.iter().map(|pair| pair.new));
    pairs
        .iter()
        .filter(move |pair| gone.get(pair.gone) == Some(&1) && new.get(pair.new) == Some(&1))
}

/// Removes the last segments of two paths that are equal, and returns their number, too.
fn without_common_end<'s>(gone: &'s str, new: &'s str) -> (FolderMove<'s>, usize) {
    let (mut left, mut right) = (gone, new);
    for segments in 0.. {
        let (before, last) = left.rsplit_once('/').unwrap_or(("", left));
        let (before_now, last_now) = right.rsplit_once('/').unwrap_or(("", right));
        if last != last_now || last.is_empty() {
            return ((left, right), segments);
        }
        (left, right) = (before, before_now);
    }
    ((left, right), 0)
}

/// What makes one pair better than another, the most important first: the similarity in tenths, the
/// number of equal segments at the end of the paths, and how many files show the same move.
type Rank = (usize, usize, usize);

/// Chooses the best pairs, the best of all first. Of equally good ones that share a file, none is
/// chosen.
fn choose_best<'s>(
    pairs: Vec<Pair<'s>>,
    moves: &HashMap<FolderMove<'s>, usize>,
) -> Vec<(&'s RepoPath, &'s RepoPath)> {
    let rank = |pair: &Pair<'s>| -> Rank {
        let (folders, segments) = without_common_end(pair.gone.as_str(), pair.new.as_str());
        let shown = moves.get(&folders).copied().unwrap_or_default();
        (pair.similarity / 10, segments, shown)
    };
    let mut ranked: BTreeMap<Reverse<Rank>, Vec<Pair<'s>>> = BTreeMap::new();
    for pair in pairs {
        ranked.entry(Reverse(rank(&pair))).or_default().push(pair);
    }
    let mut settled: HashSet<&RepoPath> = HashSet::default();
    let mut chosen = Vec::new();
    for pairs in ranked.into_values() {
        let is_open = |pair: &Pair<'s>| !settled.contains(pair.gone) && !settled.contains(pair.new);
        let open: Vec<Pair<'s>> = pairs.into_iter().filter(is_open).collect();
        chosen.extend(sole_pairs(&open).map(|pair| (pair.gone, pair.new)));
        settled.extend(open.iter().flat_map(|pair| [pair.gone, pair.new]));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::without_common_end;

    #[test]
    fn a_moved_folder_is_the_paths_without_their_common_end() {
        for (gone, new, expected) in [
            ("a/b/c.py", "x/b/c.py", (("a", "x"), 2)),
            ("b/c.py", "x/b/c.py", (("", "x"), 2)),
            ("a/c.py", "a/d.py", (("a/c.py", "a/d.py"), 0)),
        ] {
            assert_eq!(without_common_end(gone, new), expected);
        }
    }
}
