//! A file that contains terms of a query, and its rows.

use super::fit::Fits;
use super::scored_file::Fit;
use crate::surveyed_file::SurveyedFile;
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;
use ragnav_matching::relevance::{FileParts, row_share};
use ragnav_matching::terms::Terms;
use ragnav_matching::terms_in_text::TermsInText;

/// A file that contains terms.
pub(super) struct MatchingFile {
    pub(super) file: SurveyedFile,
    /// The hash of its bytes, if they were read.
    pub(super) hash: Option<u64>,
}

impl MatchingFile {
    /// Describes a file; returns `None` for a file without any term.
    pub(super) fn new(path: &RepoPath, hash: Option<u64>, terms: TermsInText) -> Option<Self> {
        let file = SurveyedFile::new(path, terms)?;
        Some(Self { file, hash })
    }

    /// Returns the rows of the file with their scores, and what the file adds to these.
    pub(super) fn complete(&self, fits: Fits, terms: &Terms) -> (Vec<Fit>, FileParts) {
        let Fits {
            mut rows,
            documents,
        } = fits;
        let parts = self.file.signals.parts(documents, terms);
        rows.small_sort_by(|a, b| b.document.total_cmp(&a.document));
        for (better, fit) in rows.iter_mut().enumerate() {
            fit.share = row_share(better);
            fit.score = parts.score(fit.document, fit.share, self.file.factor);
        }
        (rows, parts)
    }
}
