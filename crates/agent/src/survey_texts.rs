//! Choosing the files whose documents a question needs, where most files have none yet.
//!
//! Counting the terms of a question in a text takes a small part of the time that its documents
//! take, and none if the index has the counts. The best files get documents, and the counts of the
//! others determine the idf.

use super::passage_kind::PassageKind;
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;
use ragnav_matching::history::History;
use ragnav_matching::relevance::Question;
use ragnav_matching::terms::Terms;
use ragnav_matching::terms_in_text::TermsInText;
use ragnav_query::surveyed_file::{SurveyedFile, choose_best, count_files};

/// The number of files without documents up to which all of them get documents.
pub(super) const MAX_WITHOUT_SURVEY: usize = 512;

/// The files of a repository that have no documents in a store.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::{document, query};
/// use ragnav_agent::store::embedded::EmbeddedStore;
/// use ragnav_agent::store::{Query, Store};
/// use ragnav_agent::survey_texts::OtherFiles;
/// use ragnav_base::memory_host::block_on;
///
/// let mut store = EmbeddedStore::default();
/// block_on(store.upsert(vec![document("1", "red fox")])).unwrap();
/// // Of the 98 files without documents, one holds the only term of the query.
/// let others = OtherFiles { count: 98, holding: vec![1] };
/// let query = Query { others: Some(&others), ..query("fox") };
/// assert_eq!(block_on(store.query(query)).unwrap().len(), 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OtherFiles {
    /// The number of these files.
    pub count: usize,
    /// The number of these files that hold each term of the question.
    pub holding: Vec<usize>,
}

/// The files that were looked at.
pub(super) struct TextSurvey<'t> {
    terms: &'t Terms,
    /// All files with words.
    all: Vec<RepoPath>,
    /// Those that hold terms.
    files: Vec<SurveyedFile>,
}

impl<'t> TextSurvey<'t> {
    pub(super) fn new(terms: &'t Terms) -> Self {
        Self {
            terms,
            all: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Adds a text. One without words, such as an empty `__init__.py`, has no documents in a store
    /// either.
    pub(super) fn add_text(&mut self, path: &RepoPath, text: &str) {
        if text.contains(char::is_alphanumeric) {
            self.add(path, TermsInText::count(text, self.terms));
        }
    }

    /// Adds a file whose terms are in the index.
    pub(super) fn add_indexed(&mut self, path: &RepoPath, terms: TermsInText) {
        if terms.length > 0 {
            self.add(path, terms);
        }
    }

    fn add(&mut self, path: &RepoPath, terms: TermsInText) {
        self.all.push(path.clone());
        self.files.extend(SurveyedFile::new(path, terms));
    }

    /// Returns the best files that need documents, sorted by path, and the others. The history
    /// counts if there is one. If a kind is given, the best files are all of this kind. A file that
    /// has documents already may be one of the best, so that the same question asked again needs no
    /// more of them.
    pub(super) fn choose(
        mut self,
        (only, history): (Option<PassageKind>, Option<&History>),
        has_documents: impl Fn(&RepoPath) -> bool,
    ) -> (Vec<RepoPath>, OtherFiles) {
        let idf = self.terms.idf(self.all.len(), &self.holding());
        let files: Vec<RepoPath> = self.files.iter().map(|file| file.path.clone()).collect();
        let question = Question::new(self.terms, files.iter());
        for file in &mut self.files {
            file.assess(&question, &idf, history);
        }
        self.files.small_sort_by(|a, b| a.path.cmp(&b.path));
        let is_wanted =
            |file: &SurveyedFile| only.is_none_or(|kind| PassageKind::of(&file.path) == kind);
        let wanted: Vec<bool> = self.files.iter().map(is_wanted).collect();
        let files = self.files.iter().filter(|file| is_wanted(file));
        let mut is_chosen = choose_best(files, &idf).into_iter();
        let mut is_best = wanted
            .iter()
            .map(|wanted| *wanted && is_chosen.next() == Some(true));
        let best = self.files.extract_if(.., |_| is_best.next() == Some(true));
        let best = best.map(|file| file.path);
        let best: Vec<RepoPath> = best.filter(|path| !has_documents(path)).collect();
        self.files.retain(|file| !has_documents(&file.path));
        let without = self.all.iter().filter(|path| !has_documents(path));
        let others = OtherFiles {
            count: without.count() - best.len(),
            holding: self.holding(),
        };
        (best, others)
    }

    fn holding(&self) -> Vec<usize> {
        count_files(self.files.iter(), self.terms)
    }
}
