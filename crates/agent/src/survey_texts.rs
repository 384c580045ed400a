//! Choosing the files whose documents a question needs, where most files have none yet.
//!
//! Counting the terms of a question in a text takes a small part of the time that its documents
//! take. The files with the best [estimates](FileSignals::estimate) get documents, and the counts of
//! the others determine the idf.

use super::passage_kind::PassageKind;
use ragnav_base::path::RepoPath;
use ragnav_matching::bm25::IdfTable;
use ragnav_matching::relevance::{FILE_TEXT, FileSignals, Question, choose_files};
use ragnav_matching::terms::{Terms, count_of};

/// The number of files without documents up to which all of them get documents.
pub(super) const MAX_WITHOUT_SURVEY: usize = 512;

/// The files of a repository that have no documents in a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OtherFiles {
    /// The number of these files.
    pub count: usize,
    /// The number of these files that hold each term of the question.
    pub holding: Vec<usize>,
}

/// The texts that were looked at.
pub(super) struct TextSurvey<'t> {
    terms: &'t Terms,
    files: Vec<SurveyedText>,
    count: usize,
}

/// A text that holds terms.
struct SurveyedText {
    path: RepoPath,
    length: usize,
    counts: Vec<u32>,
}

impl SurveyedText {
    fn code_bytes(&self) -> usize {
        let is_code = ragnav_syntax::detect_language(&self.path).is_some();
        if is_code { self.length } else { 0 }
    }
}

impl<'t> TextSurvey<'t> {
    pub(super) fn new(terms: &'t Terms) -> Self {
        Self {
            terms,
            files: Vec::new(),
            count: 0,
        }
    }

    pub(super) fn add(&mut self, path: &RepoPath, text: &str) {
        // A file without words, such as an empty `__init__.py`, has no documents in a store either.
        if !text.contains(char::is_alphanumeric) {
            return;
        }
        self.count += 1;
        let counts = self.terms.counts(text);
        if counts.iter().any(|count| *count > 0) {
            self.files.push(SurveyedText {
                path: path.clone(),
                length: text.len(),
                counts,
            });
        }
    }

    /// Returns the best files, sorted by path, and the others. If a kind is given, the best files
    /// are all of this kind.
    pub(super) fn choose(mut self, only: Option<PassageKind>) -> (Vec<RepoPath>, OtherFiles) {
        let idf = self.terms.idf(self.count, &self.holding());
        let is_wanted =
            |file: &SurveyedText| only.is_none_or(|kind| PassageKind::of(&file.path) == kind);
        let wanted: Vec<bool> = self.files.iter().map(is_wanted).collect();
        let code_bytes = self.files.iter().map(SurveyedText::code_bytes);
        let files = self.estimates(&idf).zip(code_bytes).zip(&wanted);
        let files = files.filter_map(|(file, wanted)| wanted.then_some(file));
        let mut is_chosen = choose_files(files).into_iter();
        let mut is_best = wanted
            .iter()
            .map(|wanted| *wanted && is_chosen.next() == Some(true));
        let best = self.files.extract_if(.., |_| is_best.next() == Some(true));
        let best: Vec<RepoPath> = best.map(|file| file.path).collect();
        let others = OtherFiles {
            count: self.count - best.len(),
            holding: self.holding(),
        };
        (best, others)
    }

    fn holding(&self) -> Vec<usize> {
        let terms = 0..self.terms.terms().len();
        let holding = |term| {
            let held = self
                .files
                .iter()
                .filter(|file| count_of(&file.counts, term) > 0);
            held.count()
        };
        terms.map(holding).collect()
    }

    fn estimates(&self, idf: &IdfTable) -> impl Iterator<Item = f64> {
        let paths = self.files.iter().map(|file| &file.path);
        let question = Question::new(self.terms, paths);
        self.files.iter().map(move |file| {
            let frequency = |term| FILE_TEXT.frequency(count_of(&file.counts, term), file.length);
            let signals = FileSignals::new(&file.path, idf.share(frequency), &question, idf);
            question.factor(&file.path) * signals.estimate()
        })
    }
}
