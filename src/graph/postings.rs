//! Which files define or mention a name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

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
}

fn posting(entry: u32) -> Posting {
    Posting {
        file: entry >> 1,
        defines: entry & 1 == 1,
    }
}

/// Postings that are being collected.
#[derive(Debug, Default)]
pub struct PostingsBuilder(BTreeMap<NameKey, Vec<u32>>);

impl PostingsBuilder {
    /// Notes a file in which a name stands.
    pub fn add(&mut self, key: NameKey, posting: Posting) {
        let entry = posting.file << 1 | u32::from(posting.defines);
        self.0.entry(key).or_default().push(entry);
    }

    /// Takes over the postings of files that stay as they are; `places` gives each file's new place.
    pub fn add_kept(&mut self, postings: &Postings, places: &[Option<u32>]) {
        for (key, list) in postings.lists() {
            for kept in list.iter().map(|entry| posting(*entry)) {
                let place = places.get(kept.file as usize).copied().flatten();
                if let Some(file) = place {
                    self.add(key, Posting { file, ..kept });
                }
            }
        }
    }

    /// The postings, a file once a name.
    #[must_use]
    pub fn finish(self) -> Postings {
        let mut postings = Postings::default();
        for (key, mut list) in self.0 {
            // The entry that defines stands behind the one that does not, and is the one to keep.
            list.sort_unstable_by(|a, b| b.cmp(a));
            list.dedup_by_key(|entry| *entry >> 1);
            list.reverse();
            postings.entries.extend(list);
            postings.keys.push(key);
            postings
                .ends
                .push(crate::position::wire(postings.entries.len()));
        }
        postings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(file: u32, defines: bool) -> Posting {
        Posting { file, defines }
    }

    #[test]
    fn files_are_found_by_name_in_any_case() {
        let mut builder = PostingsBuilder::default();
        builder.add(NameKey::of("login"), at(3, false));
        builder.add(NameKey::of("Login"), at(1, true));
        builder.add(NameKey::of("login"), at(1, false));
        builder.add(NameKey::of("other"), at(0, true));
        let postings = builder.finish();
        let found: Vec<Posting> = postings.of("LOGIN").collect();
        assert_eq!(found, [at(1, true), at(3, false)]);
        assert_eq!(postings.of("absent").count(), 0);
    }

    #[test]
    fn kept_files_move_to_their_new_places() {
        let mut builder = PostingsBuilder::default();
        builder.add(NameKey::of("a"), at(0, true));
        builder.add(NameKey::of("a"), at(1, false));
        let old = builder.finish();
        let mut builder = PostingsBuilder::default();
        builder.add_kept(&old, &[None, Some(7)]);
        let found: Vec<Posting> = builder.finish().of("a").collect();
        assert_eq!(found, [at(7, false)]);
    }
}
