//! Postings: the files that hold a name or a term, with a small number for each.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use ragnav_base::position::wire;

/// The key of a list: the low half of the hash of a text. Two texts may share a key.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_index::extract::{ExtractedContent, extract};
///
/// let keys = |text: &str| {
///     let extracted = extract(&RepoPath::parse("a.py").unwrap(), text.as_bytes(), None);
///     let ExtractedContent::Text(text) = extracted.content else {
///         panic!("the file is a text");
///     };
///     text.names
/// };
/// // The names in an index have the same key in any case.
/// assert_eq!(keys("def login(): pass\n"), keys("def Login(): pass\n"));
/// assert_ne!(keys("def login(): pass\n"), keys("def logout(): pass\n"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PostingKey(u32);

impl PostingKey {
    /// Hashes a text.
    #[must_use]
    pub(crate) fn of(text: &str) -> Self {
        let [a, b, c, d, ..] = xxh3_64(text.as_bytes()).to_le_bytes();
        Self(u32::from_le_bytes([a, b, c, d]))
    }

    /// Returns the key of a name, which is the same for any case.
    #[must_use]
    pub(crate) fn of_name(name: &str) -> Self {
        Self::of(&name.to_lowercase())
    }
}

/// Returns the name under which postings list the files that import by a key. The blank
/// tells it from other names.
pub(super) fn import_posting_name(key: &str) -> String {
    format!("from {key}")
}

/// Returns the name under which postings list the files that mention a function which computes
/// names. The blank tells it from other names.
pub(super) fn computing_posting_name(function: &str) -> String {
    format!("by {function}")
}

/// A file in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting {
    /// The position of the file in the index.
    pub file: u32,
    /// What the list says of the file. It fits into the bits that the postings have for it.
    pub payload: u32,
}

/// Lists of files in their serialised form, since most are never looked up.
///
/// `keys` holds sorted numbers of four bytes. The `n`th of `ends` is the end of the `n`th list. An
/// entry is the position of a file, shifted by the bits of the payload below it. A list stores the
/// differences between entries as LEB128.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Postings<const PAYLOAD_BITS: u32> {
    #[serde(with = "serde_bytes")]
    keys: Vec<u8>,
    #[serde(with = "serde_bytes")]
    ends: Vec<u8>,
    #[serde(with = "serde_bytes")]
    lists: Vec<u8>,
}

/// The size of a key and of an end, in bytes.
const NUMBER_BYTES: usize = size_of::<u32>();

impl<const PAYLOAD_BITS: u32> Postings<PAYLOAD_BITS> {
    /// Returns the list of a key, sorted by file.
    pub(crate) fn lookup(
        &self,
        key: PostingKey,
    ) -> impl Iterator<Item = Posting> + use<'_, PAYLOAD_BITS> {
        let PostingKey(wanted) = key;
        let keys = self.keys.len() / NUMBER_BYTES;
        let at = partition_point(keys, |at| read_number(&self.keys, at) < Some(wanted));
        let is_there = read_number(&self.keys, at) == Some(wanted);
        let list = is_there.then(|| self.list(at)).flatten();
        list.unwrap_or_default().map(Self::decode_entry)
    }

    fn decode_entry(entry: u32) -> Posting {
        Posting {
            file: entry >> PAYLOAD_BITS,
            payload: entry & ((1 << PAYLOAD_BITS) - 1),
        }
    }

    fn encode_entry(posting: Posting) -> u32 {
        posting.file << PAYLOAD_BITS | posting.payload
    }

    fn list(&self, at: usize) -> Option<Entries<'_>> {
        let start = match at.checked_sub(1) {
            Some(before) => read_number(&self.ends, before)?,
            None => 0,
        };
        let end = read_number(&self.ends, at)?;
        let bytes = self.lists.get(start as usize..end as usize)?;
        Some(Entries { bytes, last: 0 })
    }

    fn lists(&self) -> impl Iterator<Item = (PostingKey, Entries<'_>)> {
        let all = 0..self.keys.len() / NUMBER_BYTES;
        all.filter_map(|at| Some((PostingKey(read_number(&self.keys, at)?), self.list(at)?)))
    }

    fn push_list(&mut self, PostingKey(key): PostingKey, entries: impl Iterator<Item = u32>) {
        let start = self.lists.len();
        let mut last = 0;
        for entry in entries {
            push_number(&mut self.lists, entry - last);
            last = entry;
        }
        if self.lists.len() > start {
            self.keys.extend(key.to_le_bytes());
            self.ends.extend(wire(self.lists.len()).to_le_bytes());
        }
    }
}

fn read_number(numbers: &[u8], at: usize) -> Option<u32> {
    let start = at.checked_mul(NUMBER_BYTES)?;
    let (bytes, _) = numbers.get(start..)?.split_first_chunk::<NUMBER_BYTES>()?;
    Some(u32::from_le_bytes(*bytes))
}

/// Returns the first index below `count` for which `is_before` is false.
fn partition_point(count: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// An iterator over the entries of a list.
#[derive(Debug, Default, Clone)]
struct Entries<'p> {
    bytes: &'p [u8],
    last: u32,
}

impl Iterator for Entries<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let mut step = 0_u32;
        for shift in (0..u32::BITS).step_by(7) {
            let (byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            step |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        self.last = self.last.checked_add(step)?;
        Some(self.last)
    }
}

/// A builder of postings. Files are added to lists in any order, each once for a list.
#[derive(Debug, Default)]
pub(crate) struct PostingsBuilder<const PAYLOAD_BITS: u32>(Vec<(PostingKey, u32)>);

impl<const PAYLOAD_BITS: u32> PostingsBuilder<PAYLOAD_BITS> {
    /// Adds a file to a list.
    pub(crate) fn add(&mut self, key: PostingKey, posting: Posting) {
        let entry = Postings::<PAYLOAD_BITS>::encode_entry(posting);
        self.0.push((key, entry));
    }

    /// Merges the added postings with those of unchanged files. `added` and `kept` map the
    /// positions of both to positions in the new index, and keep the order of the files.
    #[must_use]
    pub(crate) fn finish(
        self,
        added: &[Option<u32>],
        before: &Postings<PAYLOAD_BITS>,
        kept: &[Option<u32>],
    ) -> Postings<PAYLOAD_BITS> {
        let place = |places: &[Option<u32>], old: u32| {
            let found = Postings::<PAYLOAD_BITS>::decode_entry(old);
            let file = places.get(found.file as usize).copied().flatten()?;
            Some(Postings::<PAYLOAD_BITS>::encode_entry(Posting {
                file,
                ..found
            }))
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
            let is_before = |(other, _): &(PostingKey, u32)| *other < key;
            let (first, rest) = new.split_at(new.partition_point(is_before));
            postings.push_lists(first);
            let (same, rest) = rest.split_at(rest.partition_point(|(other, _)| *other == key));
            let old = list.filter_map(|old| place(kept, old));
            postings.push_list(key, merge(old, same.iter().map(|(_, entry)| *entry)));
            new = rest;
        }
        postings.push_lists(new);
        postings
    }
}

impl<const PAYLOAD_BITS: u32> Postings<PAYLOAD_BITS> {
    fn push_lists(&mut self, lists: &[(PostingKey, u32)]) {
        for list in lists.chunk_by(|(a, _), (b, _)| a == b) {
            if let Some((key, _)) = list.first() {
                self.push_list(*key, list.iter().map(|(_, entry)| *entry));
            }
        }
    }
}

/// Merges two sorted lists.
fn merge(a: impl Iterator<Item = u32>, b: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
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

    fn at(file: u32, payload: u32) -> Posting {
        Posting { file, payload }
    }

    fn same(files: u32) -> Vec<Option<u32>> {
        (0..files).map(Some).collect()
    }

    #[test]
    fn numbers_of_any_size_come_back() {
        let entries = [0, 1, 2, 127, 128, 300, 70_000, 1 << 29, u32::MAX];
        let mut postings = Postings::<1>::default();
        postings.push_list(PostingKey(7), entries.into_iter());
        let read = postings.list(0).map(Iterator::collect::<Vec<u32>>);
        assert_eq!(read, Some(entries.to_vec()));
    }

    #[test]
    fn files_are_found_by_name_in_any_case() {
        let mut builder = PostingsBuilder::<1>::default();
        builder.add(PostingKey::of_name("login"), at(3, 0));
        builder.add(PostingKey::of_name("Login"), at(1, 1));
        builder.add(PostingKey::of_name("other"), at(0, 1));
        let postings = builder.finish(&same(4), &Postings::default(), &[]);
        let found: Vec<Posting> = postings.lookup(PostingKey::of_name("LOGIN")).collect();
        assert_eq!(found, [at(1, 1), at(3, 0)]);
        assert_eq!(postings.lookup(PostingKey::of_name("absent")).count(), 0);
    }

    #[test]
    fn kept_files_move_to_their_new_places_among_the_new_ones() {
        let mut builder = PostingsBuilder::<1>::default();
        for (name, file) in [("a", 0), ("a", 1), ("a", 2), ("gone", 0), ("z", 2)] {
            builder.add(PostingKey::of(name), at(file, u32::from(file == 1)));
        }
        let old = builder.finish(&same(3), &Postings::default(), &[]);
        let mut builder = PostingsBuilder::<1>::default();
        for (name, file) in [("a", 1), ("a", 3), ("new", 1), ("vanished", 0)] {
            builder.add(PostingKey::of(name), at(file, 0));
        }
        let added = [None, Some(5), None, Some(8)];
        let postings = builder.finish(&added, &old, &[None, Some(4), Some(7)]);
        let files = |name| -> Vec<u32> {
            let found = postings.lookup(PostingKey::of(name));
            found.map(|found| found.file).collect()
        };
        assert_eq!(files("a"), [4, 5, 7, 8]);
        assert_eq!((files("z"), files("new")), (vec![7], vec![5]));
        assert_eq!((files("gone"), files("vanished")), (vec![], vec![]));
    }
}
