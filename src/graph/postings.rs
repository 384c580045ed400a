//! Which files define or mention a name.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::position::wire;

/// A name as postings know it: the low half of the hash of its lower case. Two names may share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NameKey(u32);

impl NameKey {
    /// The key of a name, the same in every case of its letters.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let hash = xxh3_64(name.to_lowercase().as_bytes());
        let [a, b, c, d, ..] = hash.to_le_bytes();
        Self(u32::from_le_bytes([a, b, c, d]))
    }
}

/// A file in which a name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Posting {
    /// Its place among the files of the index.
    pub file: u32,
    /// Whether the file defines the name.
    pub defines: bool,
}

/// The postings of all names.
///
/// `keys` are sorted; the entries of the `n`th end at the `n`th of `ends`. An entry is a file's place with the bit
/// for "defines" below it, so a list is sorted by file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Postings {
    keys: Vec<NameKey>,
    ends: Vec<u32>,
    entries: Vec<u32>,
}

impl Postings {
    /// The files in which a name, or another one with its key, stands.
    pub fn of<'p>(&'p self, name: &str) -> impl Iterator<Item = Posting> + use<'p> {
        let at = self.keys.binary_search(&NameKey::of(name)).ok();
        let entries = at.and_then(|at| self.list(at)).unwrap_or_default();
        entries.iter().map(|entry| posting(*entry))
    }

    fn list(&self, at: usize) -> Option<&[u32]> {
        let start = match at.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        let end = *self.ends.get(at)?;
        self.entries.get(start as usize..end as usize)
    }

    fn lists(&self) -> impl Iterator<Item = (NameKey, &[u32])> {
        let keys = self.keys.iter().enumerate();
        keys.filter_map(|(at, key)| Some((*key, self.list(at)?)))
    }

    fn push_list(&mut self, key: NameKey, entries: impl Iterator<Item = u32>) {
        let start = self.entries.len();
        self.entries.extend(entries);
        if self.entries.len() > start {
            self.keys.push(key);
            self.ends.push(wire(self.entries.len()));
        }
    }
}

fn posting(entry: u32) -> Posting {
    Posting {
        file: entry >> 1,
        defines: entry & 1 == 1,
    }
}

fn entry(posting: Posting) -> u32 {
    posting.file << 1 | u32::from(posting.defines)
}

/// Postings that are being collected, in any order; each name once a file.
#[derive(Debug, Default)]
pub struct PostingsBuilder(Vec<(NameKey, u32)>);

impl PostingsBuilder {
    /// Notes a file in which a name stands.
    pub fn add(&mut self, key: NameKey, posting: Posting) {
        self.0.push((key, entry(posting)));
    }

    /// The postings of what was added, whose files are at the places that `added` gives, and of the files that stay as they were in
    /// others, where `kept` gives their places. Both keep the order of the files.
    #[must_use]
    pub fn finish(
        self,
        added: &[Option<u32>],
        before: &Postings,
        kept: &[Option<u32>],
    ) -> Postings {
        let place = |places: &[Option<u32>], old: u32| {
            let found = posting(old);
            let file = places.get(found.file as usize).copied().flatten()?;
            Some(entry(Posting { file, ..found }))
        };
        let mut new = self.0;
        new.retain_mut(|(_, old)| match place(added, *old) {
            Some(now) => {
                *old = now;
                true
            }
            None => false,
        });
        new.sort_unstable();
        let mut new = new.as_slice();
        let mut postings = Postings::default();
        for (key, list) in before.lists() {
            let (first, rest) = new.split_at(new.partition_point(|(other, _)| *other < key));
            postings.push_lists(first);
            let (same, rest) = rest.split_at(rest.partition_point(|(other, _)| *other == key));
            let old = list.iter().filter_map(|old| place(kept, *old));
            postings.push_list(key, merged(old, same.iter().map(|(_, entry)| *entry)));
            new = rest;
        }
        postings.push_lists(new);
        postings
    }
}

impl Postings {
    fn push_lists(&mut self, lists: &[(NameKey, u32)]) {
        for list in lists.chunk_by(|(a, _), (b, _)| a == b) {
            if let Some((key, _)) = list.first() {
                self.push_list(*key, list.iter().map(|(_, entry)| *entry));
            }
        }
    }
}

/// Two sorted lists as one.
fn merged(a: impl Iterator<Item = u32>, b: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    std::iter::from_fn(move || match (a.peek(), b.peek()) {
        (Some(first), Some(second)) if second < first => b.next(),
        (Some(_), _) => a.next(),
        (None, _) => b.next(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(file: u32, defines: bool) -> Posting {
        Posting { file, defines }
    }

    fn same(files: u32) -> Vec<Option<u32>> {
        (0..files).map(Some).collect()
    }

    #[test]
    fn files_are_found_by_name_in_any_case() {
        let mut builder = PostingsBuilder::default();
        builder.add(NameKey::of("login"), at(3, false));
        builder.add(NameKey::of("Login"), at(1, true));
        builder.add(NameKey::of("other"), at(0, true));
        let postings = builder.finish(&same(4), &Postings::default(), &[]);
        let found: Vec<Posting> = postings.of("LOGIN").collect();
        assert_eq!(found, [at(1, true), at(3, false)]);
        assert_eq!(postings.of("absent").count(), 0);
    }

    #[test]
    fn kept_files_move_to_their_new_places_among_the_new_ones() {
        let mut builder = PostingsBuilder::default();
        for (name, file) in [("a", 0), ("a", 1), ("a", 2), ("gone", 0), ("z", 2)] {
            builder.add(NameKey::of(name), at(file, file == 1));
        }
        let old = builder.finish(&same(3), &Postings::default(), &[]);
        let mut builder = PostingsBuilder::default();
        for (name, file) in [("a", 1), ("a", 3), ("new", 1), ("vanished", 0)] {
            builder.add(NameKey::of(name), at(file, false));
        }
        let added = [None, Some(5), None, Some(8)];
        let postings = builder.finish(&added, &old, &[None, Some(4), Some(7)]);
        let files = |name| -> Vec<u32> { postings.of(name).map(|found| found.file).collect() };
        assert_eq!(files("a"), [4, 5, 7, 8]);
        assert_eq!((files("z"), files("new")), (vec![7], vec![5]));
        assert_eq!((files("gone"), files("vanished")), (vec![], vec![]));
    }
}
