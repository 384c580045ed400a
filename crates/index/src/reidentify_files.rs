//! Re-identification in a whole repository: file by file, then between files.

use std::collections::BTreeMap;
use std::hash::Hash;

use crate::reidentify::{Reidentification, reidentify};
use crate::renamed_files::find_renamed_files;
use crate::shapes::{Shape, ShapesByFile};
use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::item::Match;
use ragnav_base::path::RepoPath;

/// Smaller bodies, in tokens, are equal by chance in a whole repository.
const DISTINCT_TOKENS: u32 = 20;

/// The smallest body, in tokens, for definitions at module level that also have an equal name.
const NAMED_TOKENS: u32 = 8;

/// The earlier definition that a current one was matched with, in any file.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Match;
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::reidentify_files::reidentify_files;
/// use ragnav_index::shapes::Shape;
/// use ragnav_syntax::facts::BodyHash;
///
/// let [old, new] = ["old.py", "new.py"].map(|path| RepoPath::parse(path).unwrap());
/// let body = Some(BodyHash { hash: 0xc0ffee, tokens: 40 });
/// let f = || vec![Shape { name_path: "f".into(), body, ..Shape::default() }];
/// let found = reidentify_files(&[(old.clone(), f())].into(), &[(new.clone(), f())].into());
/// let earlier = found[&new][0].as_ref().unwrap();
/// assert_eq!((&earlier.file, earlier.how), (&old, Match::Renamed));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReidentification {
    /// The file of the earlier definition.
    pub file: RepoPath,
    /// Its index among the definitions of that file.
    pub before: usize,
    /// How it was matched.
    pub how: Match,
}

/// For each current file an entry for each of its definitions.
pub type FileReidentifications = BTreeMap<RepoPath, Vec<Option<FileReidentification>>>;

/// Re-identifies the definitions of many files.
///
/// Definitions match within their file first. Those of a removed file match the new file that is
/// most similar to it. The rest matches definitions with an equal, unique body.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Match;
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::reidentify_files::reidentify_files;
/// use ragnav_index::shapes::Shape;
///
/// let path = RepoPath::parse("a.py").unwrap();
/// let files = |line| {
///     let f = Shape { name_path: "f".into(), start_line: Some(line), ..Shape::default() };
///     [(path.clone(), vec![f])].into()
/// };
/// let found = reidentify_files(&files(1), &files(5));
/// assert_eq!(found[&path][0].as_ref().unwrap().how, Match::Moved);
/// ```
#[must_use]
pub fn reidentify_files(known: &ShapesByFile, now: &ShapesByFile) -> FileReidentifications {
    let mut results = FileReidentifications::new();
    for (file, shapes) in now {
        let known_here = known.get(file).map_or(&[][..], Vec::as_slice);
        results.insert(
            file.clone(),
            reidentify_file(file, known_here, shapes, false),
        );
    }
    for (gone, new) in find_renamed_files(known, now) {
        if let (Some(then), Some(shapes)) = (known.get(gone), now.get(new)) {
            results.insert(new.clone(), reidentify_file(gone, then, shapes, true));
        }
    }
    match_between_files(known, now, &mut results);
    results
}

fn reidentify_file(
    file: &RepoPath,
    known: &[Shape],
    now: &[Shape],
    renamed: bool,
) -> Vec<Option<FileReidentification>> {
    let results = reidentify(known, now).into_iter();
    let file_join = |result: Reidentification| FileReidentification {
        file: file.clone(),
        before: result.before,
        how: match result.how {
            Match::Exact | Match::Moved if renamed => Match::Renamed,
            found => found,
        },
    };
    results.map(|result| result.map(file_join)).collect()
}

/// Matches the remaining definitions of all files: by body, by name and body at module level, and
/// with their class.
fn match_between_files(
    known: &ShapesByFile,
    now: &ShapesByFile,
    results: &mut FileReidentifications,
) {
    let mut left = UnmatchedDefinitions {
        known,
        now,
        results,
    };
    left.match_unique(|shape| {
        let body = shape.body.filter(|body| body.tokens >= DISTINCT_TOKENS)?;
        Some((String::new(), body))
    });
    left.match_unique(|shape| {
        let is_top = !shape.name_path.contains('.');
        let body = shape.body.filter(|body| body.tokens >= NAMED_TOKENS)?;
        is_top.then(|| (shape.name_path.clone(), body))
    });
    left.match_members();
    left.mark_moved_bodies_ambiguous();
}

/// The file of a definition and its index in it.
type Place<'s> = (&'s RepoPath, usize);

/// The definitions that are not matched yet.
struct UnmatchedDefinitions<'s, 'j> {
    known: &'s ShapesByFile,
    now: &'s ShapesByFile,
    results: &'j mut FileReidentifications,
}

impl<'s> UnmatchedDefinitions<'s, '_> {
    fn matched_before(&self) -> HashSet<(&RepoPath, usize)> {
        let results = self.results.values().flatten().flatten();
        results
            .map(|result| (&result.file, result.before))
            .collect()
    }

    fn unmatched_before(&self) -> impl Iterator<Item = (Place<'s>, &'s Shape)> {
        let found = self.matched_before();
        all_places(self.known).filter(move |((file, at), _)| !found.contains(&(*file, *at)))
    }

    fn unmatched_now(&self) -> impl Iterator<Item = (Place<'s>, &'s Shape)> {
        all_places(self.now).filter(|((file, at), _)| {
            let results = self.results.get(*file);
            results.and_then(|results| results.get(*at)) == Some(&None)
        })
    }

    /// Matches definitions with a key that is unique both among the earlier and the current ones.
    fn match_unique<K: Hash + Eq>(&mut self, key: impl Fn(&Shape) -> Option<K>) {
        let lost = unique_places(self.unmatched_before(), &key);
        let open = unique_places(self.unmatched_now(), &key);
        let pairs = open
            .into_iter()
            .filter_map(|(key, now)| Some((now, *lost.get(&key)?)));
        for (now, then) in pairs.collect::<Vec<_>>() {
            self.pair(now, then, Match::Renamed);
        }
    }

    /// Matches the members of classes that moved to another file, by name.
    fn match_members(&mut self) {
        let classes: HashMap<(&RepoPath, &str), (&RepoPath, &str)> =
            self.find_moved_classes().collect();
        if classes.is_empty() {
            return;
        }
        let key =
            |(place, shape): (Place<'s>, &'s Shape)| ((place.0, shape.name_path.clone()), place);
        let lost = group_by_key(self.unmatched_before().map(key));
        let open = group_by_key(self.unmatched_now().map(key));
        for ((file, name_path), places) in open {
            let class = name_path.match_indices('.').rev().find_map(|(at, _)| {
                let (class, member) = name_path.split_at_checked(at)?;
                Some((*classes.get(&(file, class))?, member))
            });
            let then = class
                .and_then(|((file, class), member)| lost.get(&(file, format!("{class}{member}"))));
            if let ([now], Some([then])) = (&places[..], then.map(Vec::as_slice)) {
                self.pair(*now, *then, Match::Renamed);
            }
        }
    }

    /// Returns the current classes that were in another file.
    fn find_moved_classes(
        &self,
    ) -> impl Iterator<Item = ((&'s RepoPath, &'s str), (&'s RepoPath, &'s str))> {
        let results = all_places(self.now).filter_map(|((file, at), shape)| {
            let result = self.results.get(file)?.get(at)?.as_ref()?;
            let (known_file, shapes) = self.known.get_key_value(&result.file)?;
            let then = shapes.get(result.before)?;
            let moved = known_file != file && shape.is_class == Some(true);
            moved.then_some((
                (file, shape.name_path.as_str()),
                (known_file, then.name_path.as_str()),
            ))
        });
        results.collect::<Vec<_>>().into_iter()
    }

    /// Marks pairs as ambiguous if a body moved to another file while its old name got a new body.
    /// The enrichment may then belong to either.
    fn mark_moved_bodies_ambiguous(&mut self) {
        let key = |shape: &Shape| shape.body.filter(|body| body.tokens >= DISTINCT_TOKENS);
        let then = unique_places(all_places(self.known), key);
        let now = unique_places(all_places(self.now), key);
        let pairs = now
            .into_iter()
            .filter_map(|(body, now)| Some((now, *then.get(&body)?)));
        for ((file, at), then) in pairs {
            let is_then = |result: &FileReidentification| (&result.file, result.before) == then;
            let results = self
                .results
                .get(file)
                .and_then(|results| results.get(at)?.as_ref());
            if results.is_some_and(is_then) || file == then.0 {
                continue;
            }
            for result in self.results.get_mut(then.0).into_iter().flatten().flatten() {
                if is_then(result) {
                    result.how = Match::Ambiguous;
                }
            }
            self.pair((file, at), then, Match::Ambiguous);
        }
    }

    fn pair(&mut self, now: Place<'_>, then: Place<'_>, found: Match) {
        let shape = |shapes: &'s ShapesByFile, (file, at): Place<'_>| shapes.get(file)?.get(at);
        let (Some(was), Some(is)) = (shape(self.known, then), shape(self.now, now)) else {
            return;
        };
        let same_kind = was.is_class.is_none() || was.is_class == is.is_class;
        let results = self.results.get_mut(now.0);
        let results = results.and_then(|results| results.get_mut(now.1));
        if let Some(results) = results.filter(|_| same_kind) {
            *results = Some(FileReidentification {
                file: then.0.clone(),
                before: then.1,
                how: found,
            });
        }
    }
}

fn all_places(shapes: &ShapesByFile) -> impl Iterator<Item = (Place<'_>, &Shape)> {
    shapes.iter().flat_map(|(file, shapes)| {
        let shapes = shapes.iter().enumerate();
        shapes.map(move |(at, shape)| ((file, at), shape))
    })
}

/// Returns the places of the shapes with a unique key.
fn unique_places<'s, K: Hash + Eq>(
    shapes: impl Iterator<Item = (Place<'s>, &'s Shape)>,
    key: impl Fn(&Shape) -> Option<K>,
) -> HashMap<K, Place<'s>> {
    let places = group_by_key(shapes.filter_map(|(place, shape)| Some((key(shape)?, place))));
    let sole = places
        .into_iter()
        .filter_map(|(key, places)| match places[..] {
            [place] => Some((key, place)),
            _ => None,
        });
    sole.collect()
}

fn group_by_key<K: Hash + Eq, V>(pairs: impl Iterator<Item = (K, V)>) -> HashMap<K, Vec<V>> {
    let mut groups: HashMap<K, Vec<V>> = HashMap::default();
    for (key, value) in pairs {
        groups.entry(key).or_default().push(value);
    }
    groups
}
