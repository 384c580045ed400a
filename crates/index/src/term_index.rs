//! The terms of all files: how often each text holds each stem and word, and which stems are in
//! words that it seems to declare. A ranked query finds the best files by them, without reading the
//! others.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::file_terms::{FileTerms, declared_key, stem_key, word_key};
use crate::postings::{Posting, Postings, PostingsBuilder};
use crate::segments::{Segment, SegmentCache, SegmentId};
use ragnav_base::host::Host;
use ragnav_base::position::wire;
use ragnav_matching::text_terms::MIN_WORD;

/// The number of bits of a payload: a count up to
/// [`MAX_COUNT`](ragnav_matching::terms_in_text::MAX_COUNT), or an
/// [`exactness`](ragnav_matching::declarations::exactness).
const COUNT_BITS: u32 = 8;

/// The terms of all files of an index.
///
/// # Examples
///
/// ```
/// use ragnav_index::term_index::TermIndex;
///
/// // The index of a repository without files.
/// assert_eq!(TermIndex::default().length(0), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermIndex {
    /// The length of each text, by the position of its file in the index; `None` for a file whose
    /// terms are not indexed.
    lengths: Vec<Option<u32>>,
    postings: Postings<COUNT_BITS>,
}

impl TermIndex {
    /// Returns the [length](ranked_length) of a text, or 0 for a text without words; `None` if its
    /// terms are not indexed.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::segments::SegmentCache;
    /// use ragnav_index::term_index::TermCache;
    ///
    /// let built = build(&[("a.txt", "a text\r\n"), ("b.txt", "?!\n")]);
    /// let segments = SegmentCache::default();
    /// segments.stage(built.unwritten);
    /// let (host, cache) = (MemoryHost::default(), TermCache::default());
    /// let terms = block_on(built.index.terms(&host, &segments, &cache)).unwrap();
    /// assert_eq!([0, 1, 2].map(|file| terms.length(file)), [Some(7), Some(0), None]);
    /// ```
    #[must_use]
    pub fn length(&self, file: usize) -> Option<usize> {
        self.lengths
            .get(file)?
            .map(|length| usize::try_from(length).unwrap_or(usize::MAX))
    }

    /// Returns the files that hold words with a stem, sorted, with the number of these words up to
    /// [`MAX_COUNT`].
    pub(crate) fn files_with_stem(&self, stem: &str) -> impl Iterator<Item = (usize, u32)> {
        let postings = self.postings.lookup(stem_key(stem));
        postings.map(|posting| (posting.file as usize, posting.payload))
    }

    /// Returns the files with a word in lower case, sorted, with its count up to [`MAX_COUNT`].
    /// Underscores around the word do not count. Returns `None` for a word that is too short to be
    /// counted.
    #[must_use]
    pub(crate) fn files_with_word(&self, word: &str) -> Option<impl Iterator<Item = (usize, u32)>> {
        let postings = self.postings.lookup(word_key(word));
        let files = postings.map(|posting| (posting.file as usize, posting.payload));
        (word.len() >= MIN_WORD).then_some(files)
    }

    /// Returns the files that seem to declare a word with a stem, sorted, with the largest
    /// [`exactness`](ragnav_matching::declarations::exactness).
    pub(crate) fn files_declaring(&self, stem: &str) -> impl Iterator<Item = (usize, u32)> {
        let postings = self.postings.lookup(declared_key(stem));
        postings.map(|posting| (posting.file as usize, posting.payload))
    }

    /// Returns the bytes of a segment that holds only this.
    #[must_use]
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Writing to memory cannot fail, and every type here serialises.
        postcard::to_allocvec(self).unwrap_or_default()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }
}

/// A builder of the terms of all files.
#[derive(Debug, Default)]
pub(super) struct TermIndexBuilder {
    lengths: Vec<(usize, u32)>,
    postings: PostingsBuilder<COUNT_BITS>,
}

impl TermIndexBuilder {
    /// Adds a file by its slot.
    pub(super) fn add(&mut self, slot: usize, terms: FileTerms) {
        self.lengths.push((slot, terms.length));
        for (key, count) in terms.counts {
            let posting = Posting {
                file: wire(slot),
                payload: count,
            };
            self.postings.add(key, posting);
        }
    }

    /// Merges the added files with the unchanged ones, like [`PostingsBuilder::finish`]. The index
    /// has this number of files.
    pub(super) fn finish(
        self,
        files: usize,
        added: &[Option<u32>],
        before: &TermIndex,
        kept: &[Option<u32>],
    ) -> TermIndex {
        let mut lengths = vec![None; files];
        let mut set = |place: Option<u32>, length: Option<u32>| {
            let place = place.and_then(|place| lengths.get_mut(place as usize));
            if let Some(place) = place {
                *place = length;
            }
        };
        for (slot, length) in self.lengths {
            set(added.get(slot).copied().flatten(), Some(length));
        }
        for (place, length) in kept.iter().zip(&before.lengths) {
            set(*place, *length);
        }
        TermIndex {
            lengths,
            postings: self.postings.finish(added, &before.postings, kept),
        }
    }
}

/// The terms that were read last.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::build;
/// use std::rc::Rc;
///
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::segments::SegmentCache;
/// use ragnav_index::term_index::TermCache;
///
/// let built = build(&[("a.txt", "a text\n")]);
/// let segments = SegmentCache::default();
/// segments.stage(built.unwritten);
/// let (host, cache) = (MemoryHost::default(), TermCache::default());
/// let read = || block_on(built.index.terms(&host, &segments, &cache)).unwrap();
/// // The segment is decoded once.
/// assert!(Rc::ptr_eq(&read(), &read()));
/// ```
#[derive(Debug, Default)]
pub struct TermCache(RefCell<Option<(SegmentId, Rc<TermIndex>)>>);

impl TermCache {
    /// Reads the terms from their segment. Returns `None` if it cannot be read.
    pub(super) async fn read(
        &self,
        host: &impl Host,
        segments: &SegmentCache,
        segment: Segment,
    ) -> Option<Rc<TermIndex>> {
        if let Some((id, terms)) = self.0.borrow().as_ref()
            && *id == segment.id
        {
            return Some(Rc::clone(terms));
        }
        let bytes = segments.read_once(host, segment).await?;
        let terms = Rc::new(TermIndex::from_bytes(&bytes)?);
        self.0.replace(Some((segment.id, Rc::clone(&terms))));
        Some(terms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(texts: &[&str]) -> TermIndex {
        let mut builder = TermIndexBuilder::default();
        for (slot, text) in texts.iter().enumerate() {
            if let Some(terms) = FileTerms::of(text) {
                builder.add(slot, terms);
            }
        }
        let places: Vec<Option<u32>> = (0..wire(texts.len())).map(Some).collect();
        builder.finish(texts.len(), &places, &TermIndex::default(), &[])
    }

    #[test]
    fn files_are_found_by_the_stems_of_their_words() {
        let index = built(&["caches, caching", "def get_cache():\r\n", "", "x"]);
        let files = |stem| index.files_with_stem(stem).collect::<Vec<_>>();
        assert_eq!(files("cach"), [(0, 2), (1, 1)]);
        assert_eq!(files("absent"), []);
        let declaring: Vec<_> = index.files_declaring("cach").collect();
        assert_eq!(declaring, [(1, 255 * 5 / 9)]);
        let named = index
            .files_with_word("get_cache")
            .map(Iterator::collect::<Vec<_>>);
        assert_eq!(named, Some(vec![(1, 1)]));
        assert!(index.files_with_word("get").is_none());
        assert_eq!(index.length(1), Some(17));
        assert_eq!(index.length(4), None);
        let restored = TermIndex::from_bytes(&index.to_bytes());
        assert_eq!(restored.as_ref(), Some(&index));
    }

    #[test]
    fn unchanged_files_keep_their_terms_at_their_new_places() {
        let before = built(&["one", "two two", "three"]);
        let mut builder = TermIndexBuilder::default();
        builder.add(
            0,
            FileTerms::of("new two").unwrap_or_else(|| FileTerms {
                length: 0,
                counts: Vec::new(),
            }),
        );
        let after = builder.finish(3, &[Some(1)], &before, &[Some(0), Some(2), None]);
        let files = |stem| after.files_with_stem(stem).collect::<Vec<_>>();
        assert_eq!(files("two"), [(1, 1), (2, 2)]);
        assert_eq!((files("one"), files("three")), (vec![(0, 1)], vec![]));
        assert_eq!(
            [0, 1, 2].map(|file| after.length(file)),
            [Some(3), Some(7), Some(7)]
        );
    }
}
