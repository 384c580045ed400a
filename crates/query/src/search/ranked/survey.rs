//! The files that contain terms of a query, and the best of them.
//!
//! For a file that is proven unchanged, the counts of the terms come from the index; for any other
//! file, from its text. The survey parses no file.

use std::rc::Rc;

use xxhash_rust::xxh3::xxh3_64;

use super::indexed_terms::IndexedTerms;
use super::matching_file::MatchingFile;
use crate::surveyed_file::{choose_best, count_files};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Skipped;
use ragnav_base::sort::SmallSort;
use ragnav_matching::bm25::IdfTable;
use ragnav_matching::history::History;
use ragnav_matching::relevance::Question;
use ragnav_matching::terms::Terms;
use ragnav_matching::terms_in_text::TermsInText;
use ragnav_repository::file_reader::FileReader;
use ragnav_repository::snapshot::Snapshot;

/// The files in scope that contain terms of a query.
pub(super) struct Survey {
    /// The files with at least one term, sorted by path.
    pub(super) matching: Vec<MatchingFile>,
    /// The idf of each term in all files.
    pub(super) idf: IdfTable,
    pub(super) unread: Vec<Skipped>,
}

impl Survey {
    /// Counts the terms in every file in scope.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn new<H: Host>(
        snapshot: &Snapshot<'_, H>,
        terms: &Terms,
        history: Option<&History>,
    ) -> Result<Self, RagnavError> {
        let IndexedTerms {
            mut documents,
            mut matching,
            uncounted,
        } = IndexedTerms::new(snapshot, terms).await;
        let mut files = snapshot.reader(&uncounted);
        documents += count_terms_of_texts(&mut files, terms, &mut matching).await?;
        matching.small_sort_by(|a, b| a.file.path.cmp(&b.file.path));
        let holding = count_files(matching.iter().map(|matching| &matching.file), terms);
        let idf = terms.idf(documents, &holding);
        let paths = Rc::clone(snapshot.files());
        let question = Question::new(terms, paths.iter());
        for matching in &mut matching {
            matching.file.assess(&question, &idf, history);
        }
        Ok(Self {
            matching,
            idf,
            unread: files.into_skipped(),
        })
    }

    /// Keeps the files whose documents are scored, sorted by path.
    pub(super) fn keep_best(&mut self) {
        let files = self.matching.iter().map(|matching| &matching.file);
        let mut is_kept = choose_best(files, &self.idf).into_iter();
        self.matching.retain(|_| is_kept.next().unwrap_or_default());
    }
}

/// Counts the terms in texts, and adds the files with terms. Returns the number of texts.
async fn count_terms_of_texts<H: Host>(
    files: &mut FileReader<'_, H>,
    terms: &Terms,
    matching: &mut Vec<MatchingFile>,
) -> Result<usize, RagnavError> {
    let mut documents = 0;
    while let Some((path, bytes)) = files.next().await? {
        let Some(text) = files.text(path, &bytes) else {
            continue;
        };
        documents += 1;
        let in_text = TermsInText::count(&text, terms);
        matching.extend(MatchingFile::new(path, Some(xxh3_64(&bytes)), in_text));
    }
    Ok(documents)
}
