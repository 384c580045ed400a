//! A file by its terms alone, and the choice of the best files among many.

use ragnav_base::path::RepoPath;
use ragnav_matching::bm25::IdfTable;
use ragnav_matching::declarations::EXACT;
use ragnav_matching::history::History;
use ragnav_matching::relevance::{FILE_TEXT, FileSignals, Question, choose_files};
use ragnav_matching::terms::{Terms, count_of};
use ragnav_matching::terms_in_text::TermsInText;

/// The bonus of a file that seems to declare a name of the query, for the choice of the best files.
const DECLARATION_BONUS: f64 = 2.0;

/// A file that contains terms of a query.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::terms::Terms;
/// use ragnav_matching::terms_in_text::TermsInText;
/// use ragnav_query::surveyed_file::SurveyedFile;
///
/// let terms = Terms::new("total").unwrap();
/// let path = RepoPath::parse("tests/cart.py").unwrap();
/// let counted = TermsInText::count("def total(): ...\n", &terms);
/// let file = SurveyedFile::new(&path, counted).unwrap();
/// assert_eq!((file.path.as_str(), file.factor), ("tests/cart.py", 1.0));
/// ```
#[derive(Debug)]
pub struct SurveyedFile {
    /// The path.
    pub path: RepoPath,
    terms: TermsInText,
    /// What the file is about.
    pub signals: FileSignals,
    /// The factor of the scores in the file.
    pub factor: f64,
}

impl SurveyedFile {
    /// Describes a file; returns `None` for a file without any term.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::terms::Terms;
    /// use ragnav_matching::terms_in_text::TermsInText;
    /// use ragnav_query::surveyed_file::SurveyedFile;
    ///
    /// let terms = Terms::new("total").unwrap();
    /// let path = RepoPath::parse("cart.py").unwrap();
    /// let none = TermsInText::count("def price(): ...\n", &terms);
    /// assert!(SurveyedFile::new(&path, none).is_none());
    /// ```
    #[must_use]
    pub fn new(path: &RepoPath, terms: TermsInText) -> Option<Self> {
        let is_held = terms.counts.iter().any(|count| *count > 0);
        is_held.then(|| Self {
            path: path.clone(),
            terms,
            signals: FileSignals::default(),
            factor: 1.0,
        })
    }

    /// Computes what the file is about. The history counts if there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::relevance::Question;
    /// use ragnav_matching::terms::Terms;
    /// use ragnav_matching::terms_in_text::TermsInText;
    /// use ragnav_query::surveyed_file::SurveyedFile;
    ///
    /// let terms = Terms::new("total").unwrap();
    /// let path = RepoPath::parse("tests/cart.py").unwrap();
    /// let counted = TermsInText::count("def total(): ...\n", &terms);
    /// let mut file = SurveyedFile::new(&path, counted).unwrap();
    /// let question = Question::new(&terms, [&path].into_iter());
    /// file.assess(&question, &terms.idf(1, &[1]), None);
    /// // The query does not ask for tests.
    /// assert_eq!(file.factor, 0.25);
    /// ```
    pub fn assess(&mut self, question: &Question<'_>, idf: &IdfTable, history: Option<&History>) {
        let TermsInText { counts, length, .. } = &self.terms;
        let text = idf.share(|term| FILE_TEXT.frequency(count_of(counts, term), *length));
        let history = history.map_or(0.0, |history| history.score(&self.path));
        self.signals = FileSignals::new(&self.path, text, question, idf).with_history(history);
        self.factor = question.factor(&self.path);
    }

    /// Returns the number of bytes to parse.
    fn code_bytes(&self) -> usize {
        let language = ragnav_syntax::detect_language(&self.path);
        match language {
            Some(language) if !language.is_prose() => self.terms.length,
            _ => 0,
        }
    }

    /// Returns the score by which the best files are chosen.
    fn estimate(&self, idf: &IdfTable) -> f64 {
        let all = idf.sum(|_| true);
        let declared = self.terms.declared.iter().enumerate();
        let declared = declared.map(|(term, exactness)| idf.get(term) * f64::from(*exactness));
        let declared = declared.sum::<f64>() / f64::from(EXACT);
        let share = if all > 0.0 { declared / all } else { 0.0 };
        self.factor * (self.signals.estimate() + DECLARATION_BONUS * share)
    }
}

/// Returns the number of files with each term.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::terms::Terms;
/// use ragnav_matching::terms_in_text::TermsInText;
/// use ragnav_query::surveyed_file::{SurveyedFile, count_files};
///
/// let terms = Terms::new("total").unwrap();
/// let path = RepoPath::parse("tests/cart.py").unwrap();
/// let counted = TermsInText::count("def total(): ...\n", &terms);
/// let file = SurveyedFile::new(&path, counted).unwrap();
/// assert_eq!(count_files([&file].into_iter(), &terms), [1]);
/// ```
pub fn count_files<'f>(files: impl Iterator<Item = &'f SurveyedFile>, terms: &Terms) -> Vec<usize> {
    let mut holding = vec![0; terms.terms().len()];
    for file in files {
        for (holding, count) in holding.iter_mut().zip(&file.terms.counts) {
            *holding += usize::from(*count > 0);
        }
    }
    holding
}

/// Returns, for each file, whether it is one of the best, whose documents the query scores.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::terms::Terms;
/// use ragnav_matching::terms_in_text::TermsInText;
/// use ragnav_query::surveyed_file::{SurveyedFile, choose_best};
///
/// let terms = Terms::new("total").unwrap();
/// let path = RepoPath::parse("tests/cart.py").unwrap();
/// let counted = TermsInText::count("def total(): ...\n", &terms);
/// let file = SurveyedFile::new(&path, counted).unwrap();
/// assert_eq!(choose_best([&file].into_iter(), &terms.idf(1, &[1])), [true]);
/// ```
pub fn choose_best<'f>(files: impl Iterator<Item = &'f SurveyedFile>, idf: &IdfTable) -> Vec<bool> {
    choose_files(files.map(|file| (file.estimate(idf), file.code_bytes())))
}
