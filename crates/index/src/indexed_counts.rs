//! The terms of a query in the files of an index, without their texts.

use crate::filter::Needle;
use crate::index::{FileRecord, Index};
use crate::term_index::TermIndex;
use ragnav_matching::terms::{Occurs, Terms};
use ragnav_matching::terms_in_text::TermsInText;

/// The terms of a query in all files of an index.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
/// # use setup::build;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::indexed_counts::IndexedCounts;
/// use ragnav_index::segments::SegmentCache;
/// use ragnav_index::term_index::TermCache;
/// use ragnav_matching::terms::Terms;
///
/// let built = build(&[("a.py", "def total(): return total\n")]);
/// let segments = SegmentCache::default();
/// segments.stage(built.unwritten);
/// let (host, cache) = (MemoryHost::default(), TermCache::default());
/// let term_index = block_on(built.index.terms(&host, &segments, &cache)).unwrap();
/// let terms = Terms::new("total").unwrap();
/// let counts = IndexedCounts::new(&built.index, &term_index, &terms);
/// let found = counts.of_file(&built.index.files()[0]).unwrap();
/// assert_eq!((found.counts, found.declared), (vec![2], vec![255]));
/// ```
#[derive(Debug)]
pub struct IndexedCounts<'i> {
    index: &'i Index,
    term_index: &'i TermIndex,
    terms: usize,
    /// The counts of the terms, file after file.
    counts: Vec<u8>,
    /// The exactness of the terms in declared words, file after file.
    declared: Vec<u8>,
    /// The spellings that the index does not count.
    uncounted: Vec<Needle>,
}

impl<'i> IndexedCounts<'i> {
    /// Looks up the terms of a query.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::indexed_counts::IndexedCounts;
    /// use ragnav_index::term_index::TermIndex;
    /// use ragnav_matching::terms::Terms;
    ///
    /// let index = build(&[]).index;
    /// let (terms, none) = (Terms::new("total").unwrap(), TermIndex::default());
    /// let counts = IndexedCounts::new(&index, &none, &terms);
    /// # let _ = counts;
    /// ```
    #[must_use]
    pub fn new(index: &'i Index, term_index: &'i TermIndex, terms: &Terms) -> Self {
        let all = terms.terms();
        let mut counts = vec![0; index.files().len() * all.len()];
        let mut declared = counts.clone();
        let mut uncounted = Vec::new();
        for (place, term) in all.iter().enumerate() {
            let column = (place, all.len());
            match &term.occurs {
                Occurs::Subword => {
                    let stem = &term.stem;
                    add_to_column(&mut counts, column, term_index.files_with_stem(stem));
                    add_to_column(&mut declared, column, term_index.files_declaring(stem));
                }
                Occurs::Identifier { words, kebab } => {
                    uncounted.push(kebab);
                    for word in words {
                        match term_index.files_with_word(word) {
                            Some(files) => add_to_column(&mut counts, column, files),
                            None => uncounted.push(word),
                        }
                    }
                }
                Occurs::Literal => uncounted.push(&term.text),
            }
        }
        let uncounted = uncounted.into_iter();
        let uncounted = uncounted.map(|literal| Needle::new(literal, false));
        Self {
            index,
            term_index,
            terms: all.len(),
            counts,
            declared,
            uncounted: uncounted.collect(),
        }
    }

    /// Returns the terms in the text of a file as it was indexed. Returns `None` if the text must
    /// be read, since it may hold terms that the index does not count, such as `a.b`.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::build;
    /// use ragnav_index::indexed_counts::IndexedCounts;
    /// use ragnav_index::term_index::TermIndex;
    /// use ragnav_matching::terms::Terms;
    ///
    /// let index = build(&[("a.py", "cart.total()\n")]).index;
    /// let (terms, none) = (Terms::new("total").unwrap(), TermIndex::default());
    /// let counts = IndexedCounts::new(&index, &none, &terms);
    /// // The terms of the file are not indexed.
    /// assert_eq!(counts.of_file(&index.files()[0]), None);
    /// ```
    #[must_use]
    pub fn of_file(&self, record: &FileRecord) -> Option<TermsInText> {
        let file = self.index.position(&record.path)?;
        let length = self.term_index.length(file)?;
        let mut uncounted = self.uncounted.iter();
        if uncounted.any(|literal| self.index.may_contain(record, literal)) {
            return None;
        }
        let row = file * self.terms..(file + 1) * self.terms;
        Some(TermsInText {
            counts: widened(self.counts.get(row.clone())?),
            declared: widened(self.declared.get(row)?),
            length,
        })
    }
}

fn widened(bytes: &[u8]) -> Vec<u32> {
    bytes.iter().copied().map(u32::from).collect()
}

/// Adds to the numbers in a column of a table, which has a row for each file. A number is a byte,
/// since the table has one for each file and term.
fn add_to_column(
    table: &mut [u8],
    (column, columns): (usize, usize),
    values: impl Iterator<Item = (usize, u32)>,
) {
    for (file, value) in values {
        if let Some(own) = table.get_mut(file * columns + column) {
            *own = own.saturating_add(u8::try_from(value).unwrap_or(u8::MAX));
        }
    }
}
