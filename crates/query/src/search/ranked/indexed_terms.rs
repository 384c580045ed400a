//! The terms of a query in the files whose terms are in the index.

use std::rc::Rc;

use super::matching_file::MatchingFile;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_index::index::Index;
use ragnav_index::indexed_counts::IndexedCounts;
use ragnav_index::term_index::TermIndex;
use ragnav_matching::terms::Terms;
use ragnav_repository::snapshot::Snapshot;

/// The files in scope, by what the index says of them.
pub(super) struct IndexedTerms {
    /// The number of texts whose terms are in the index.
    pub(super) documents: usize,
    /// The ones that contain terms.
    pub(super) matching: Vec<MatchingFile>,
    /// The other files in scope, sorted.
    pub(super) uncounted: Vec<RepoPath>,
}

impl IndexedTerms {
    /// Counts the terms of files that are proven unchanged.
    pub(super) async fn new<H: Host>(snapshot: &Snapshot<'_, H>, terms: &Terms) -> Self {
        let files = Rc::clone(snapshot.files());
        let Some((index, term_index)) = read_terms(snapshot).await else {
            return Self {
                documents: 0,
                matching: Vec::new(),
                uncounted: files.to_vec(),
            };
        };
        let counts = IndexedCounts::new(&index, &term_index, terms);
        let mut found = Self {
            documents: 0,
            matching: Vec::new(),
            uncounted: Vec::new(),
        };
        for path in files.iter() {
            let record = snapshot.proven(path).map(|(record, _)| record);
            match record.and_then(|record| counts.of_file(record)) {
                Some(in_text) => {
                    found.documents += 1;
                    found
                        .matching
                        .extend(MatchingFile::new(path, None, in_text));
                }
                None => found.uncounted.push(path.clone()),
            }
        }
        found
    }
}

async fn read_terms<H: Host>(snapshot: &Snapshot<'_, H>) -> Option<(Rc<Index>, Rc<TermIndex>)> {
    let index = Rc::clone(snapshot.index()?);
    let caches = &snapshot.settings().caches;
    let terms = index
        .terms(snapshot.host(), &caches.segments, &caches.terms)
        .await?;
    Some((index, terms))
}
