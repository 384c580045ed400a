//! The relevance of a row to a ranked query: what its document says, and what its file is about.
//!
//! ```text
//! score = factor(file) · (document + W_text · text + W_path · path
//!                         + W_name · share · √name + W_mentioned + history
//!                         + W_documents · ln(1 + Σ documents) + W_similarity · similarity)
//! ```
//!
//! `document` and `text` are BM25F scores of the row's document and of the whole file, as shares of
//! the query's idf. `path` and `name` are the shares of the query's idf in the path and in the name
//! of the file, and `share` is the share of that name's letters. `W_mentioned` counts if the query
//! mentions the file. [`history`](crate::history) counts if the query asks for it. `Σ documents`
//! adds the scores of all documents of the file. `similarity` is the [excess](similarity_excess) of
//! the file's best vector, and the excess of the document's own vector is a part of `document`. The
//! factor is that of the file's [role](crate::file_role).
//!
//! The weights were chosen on questions about 21 public repositories, see `bench/retrieval`.

use std::ops::Range;

use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::sort::SmallSort;

use crate::bm25::{Field, IdfTable, as_f64, ln};
use crate::file_role::RoleFactors;
use crate::mentioned_files::MentionedFiles;
use crate::terms::{Occurrence, Terms, count_of, increment};

/// The parameters of a whole file: a long one contains many words by chance.
pub const FILE_TEXT: Field = Field {
    weight: 1.0,
    b: 0.75,
    typical_length: 8_000.0,
};

/// The number of files whose documents are scored; the others have lower estimates.
pub const MAX_FILES: usize = 256;

/// The bytes of code after which no further file is parsed, since parsing takes most of the time.
const MAX_CODE_BYTES: usize = 2 << 20;

/// The precision of a score: four decimal places.
const SCORE_UNIT: f64 = 1e4;

/// The weights of what a file is about, beside its documents.
struct Weights {
    text: f64,
    path: f64,
    name: f64,
    documents: f64,
}

/// A question in words is often about a file as a whole.
const OF_WORDS: Weights = Weights {
    text: 0.5,
    path: 0.75,
    name: 1.0,
    documents: 0.3,
};

/// A name is looked for among definitions, and the file only decides between equal ones.
const OF_NAME: Weights = Weights {
    text: 0.0,
    path: 0.0,
    name: 0.5,
    documents: 0.2,
};

/// The weight of a file that the query mentions.
const MENTIONED: f64 = 0.5;

/// The weights of the similarities of vectors. A static table separates files by 0.1 and a sentence
/// transformer by 0.3, so that the better one counts more without being told.
const FILE_SIMILARITY: f64 = 4.0;
const DOCUMENT_SIMILARITY: f64 = 2.0;

/// How fast the rows of a file lose what the file adds to them.
const DECAY: f64 = 0.5;

/// The file names that say nothing; the folder's name does.
const GENERIC_NAMES: [&str; 5] = ["__init__", "index", "lib", "main", "mod"];

/// A query, and what it says of files beside its terms.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::relevance::Question;
/// use ragnav_matching::terms::Terms;
///
/// let terms = Terms::new("where is the cache").unwrap();
/// let paths = ["src/cache.py", "tests/test_cache.py"].map(|path| RepoPath::parse(path).unwrap());
/// let question = Question::new(&terms, paths.iter());
/// assert_eq!(paths.each_ref().map(|path| question.factor(path)), [1.0, 0.25]);
/// ```
#[derive(Debug)]
pub struct Question<'q> {
    terms: &'q Terms,
    mentioned: MentionedFiles,
    factors: RoleFactors<'q>,
}

impl<'q> Question<'q> {
    /// Reads a query about a repository with these files.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::relevance::Question;
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("tests of the cache").unwrap();
    /// let path = RepoPath::parse("tests/test_cache.py").unwrap();
    /// // The question asks for tests.
    /// assert_eq!(Question::new(&terms, [&path].into_iter()).factor(&path), 1.0);
    /// ```
    #[must_use]
    pub fn new(terms: &'q Terms, files: impl Iterator<Item = &'q RepoPath>) -> Self {
        Self {
            terms,
            mentioned: MentionedFiles::new(terms.query()),
            factors: RoleFactors::new(terms.query(), files),
        }
    }

    /// Returns the factor of the scores in a file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::relevance::Question;
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("deploy").unwrap();
    /// let path = RepoPath::parse("docs/deploy.md").unwrap();
    /// assert_eq!(Question::new(&terms, [&path].into_iter()).factor(&path), 0.4);
    /// ```
    #[must_use]
    pub fn factor(&self, path: &RepoPath) -> f64 {
        self.factors.of(path)
    }
}

/// What a file is about, as shares of a query's idf.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::relevance::{FileSignals, Question};
/// use ragnav_matching::terms::Terms;
///
/// let terms = Terms::new("cart total").unwrap();
/// let paths = ["shop/cart.py", "shop/prices.py"].map(|path| RepoPath::parse(path).unwrap());
/// let question = Question::new(&terms, paths.iter());
/// let idf = terms.idf(2, &[1, 1, 0]);
/// let [cart, prices] =
///     paths.each_ref().map(|path| FileSignals::new(path, 0.2, &question, &idf).estimate());
/// assert!(cart > prices);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FileSignals {
    /// The BM25 score of the whole text.
    text: f64,
    /// The share of the idf in the path.
    path: f64,
    /// The share of the idf in the file's name, and the share of the name's letters.
    name: f64,
    name_share: f64,
    /// Whether the query mentions the file.
    is_mentioned: bool,
    /// The excess of the similarity of its vectors.
    similarity: f64,
    /// What commits say of the file.
    history: f64,
}

impl FileSignals {
    /// Computes the signals of a path; `text` is that of the file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::relevance::{FileSignals, Question};
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("see shop/cart.py").unwrap();
    /// let path = RepoPath::parse("shop/cart.py").unwrap();
    /// let question = Question::new(&terms, [&path].into_iter());
    /// let idf = terms.idf(1, &vec![1; terms.terms().len()]);
    /// let signals = FileSignals::new(&path, 0.0, &question, &idf);
    /// // The query mentions the file.
    /// assert_eq!(signals.parts(0.0, &terms).mentioned, 0.5);
    /// ```
    #[must_use]
    pub fn new(path: &RepoPath, text: f64, question: &Question<'_>, idf: &IdfTable) -> Self {
        let terms = question.terms;
        let all = idf.sum(|_| true);
        let essential = idf.sum(|term| terms.is_essential(term));
        if all <= 0.0 || essential <= 0.0 {
            return Self::default();
        }
        let is_mentioned = question.mentioned.has(path);
        let path = path.as_str();
        let name = telling_name(path);
        let mut in_path = vec![0; terms.terms().len()];
        let mut in_name = in_path.clone();
        let mut letters = 0.0;
        terms.visit(path, |Occurrence { term, at }| {
            increment(&mut in_path, term);
            let is_inside = name.start <= at.start && at.end <= name.end;
            if is_inside && terms.is_essential(term) {
                if count_of(&in_name, term) == 0 {
                    letters += count_letters(path.get(at).unwrap_or_default());
                }
                increment(&mut in_name, term);
            }
        });
        let of_name = count_letters(path.get(name).unwrap_or_default());
        Self {
            text,
            is_mentioned,
            similarity: 0.0,
            history: 0.0,
            path: idf.sum(|term| count_of(&in_path, term) > 0) / all,
            name: idf.sum(|term| count_of(&in_name, term) > 0) / essential,
            name_share: (letters / of_name.max(1.0)).min(1.0),
        }
    }

    /// Adds the excess of the similarity of the file's vectors, see [`similarity_excess`].
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::relevance::FileSignals;
    ///
    /// let signals = FileSignals::default();
    /// assert!(signals.with_similarity(0.1).estimate() > signals.estimate());
    /// ```
    #[must_use]
    pub fn with_similarity(self, similarity: f64) -> Self {
        Self { similarity, ..self }
    }

    /// Adds what commits say of the file, see [`history`](crate::history).
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::relevance::FileSignals;
    ///
    /// assert_eq!(FileSignals::default().with_history(0.25).estimate(), 0.25);
    /// ```
    #[must_use]
    pub fn with_history(self, history: f64) -> Self {
        Self { history, ..self }
    }

    /// Returns the score that the file alone has, before its documents are known.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::relevance::FileSignals;
    ///
    /// assert_eq!(FileSignals::default().estimate(), 0.0);
    /// ```
    #[must_use]
    pub fn estimate(&self) -> f64 {
        self.weigh(&OF_WORDS).sum()
    }

    /// Returns what the file adds to the scores of its rows; `documents` is the sum of the scores
    /// of its documents.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::relevance::FileSignals;
    /// use ragnav_matching::terms::Terms;
    ///
    /// let terms = Terms::new("cart total").unwrap();
    /// let signals = FileSignals::default();
    /// // The documents of a file add to its rows, but ever less.
    /// let added = |documents| signals.parts(documents, &terms).documents;
    /// assert!(added(1.0) > 0.0);
    /// assert!(added(2.0) < 2.0 * added(1.0));
    /// ```
    #[must_use]
    pub fn parts(&self, documents: f64, terms: &Terms) -> FileParts {
        let weights = if terms.is_name() { &OF_NAME } else { &OF_WORDS };
        FileParts {
            documents: weights.documents * ln(1.0 + documents),
            ..self.weigh(weights)
        }
    }

    fn weigh(&self, weights: &Weights) -> FileParts {
        FileParts {
            text: weights.text * self.text,
            path: weights.path * self.path,
            name: weights.name * self.name_share * self.name.sqrt(),
            mentioned: if self.is_mentioned { MENTIONED } else { 0.0 },
            similarity: FILE_SIMILARITY * self.similarity,
            history: self.history,
            documents: 0.0,
        }
    }
}

/// What a file adds to the scores of its rows.
///
/// # Examples
///
/// ```
/// use ragnav_matching::relevance::FileParts;
///
/// let parts = FileParts { text: 0.25, name: 0.5, ..FileParts::default() };
/// assert_eq!(parts.score(1.0, 1.0, 1.0), 1.75);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FileParts {
    /// What its text adds.
    pub text: f64,
    /// What its path adds.
    pub path: f64,
    /// What its name adds.
    pub name: f64,
    /// What it adds that the query mentions the file.
    pub mentioned: f64,
    /// What the similarity of its vectors adds.
    pub similarity: f64,
    /// What commits say of it.
    pub history: f64,
    /// What its documents add.
    pub documents: f64,
}

impl FileParts {
    fn sum(&self) -> f64 {
        let of_file = self.text + self.path + self.name + self.mentioned;
        of_file + self.similarity + self.history + self.documents
    }

    /// Returns the score of a row, with the part of the sum that [`row_share`] says. `factor` is
    /// that of the file's role.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_matching::relevance::{FileParts, row_share};
    ///
    /// let parts = FileParts { text: 0.6, ..FileParts::default() };
    /// // The second row of a test.
    /// assert_eq!(parts.score(1.0, row_share(1), 0.25), 0.35);
    /// ```
    #[must_use]
    pub fn score(&self, document: f64, share: f64, factor: f64) -> f64 {
        round_score(factor * (document + share * self.sum()))
    }
}

/// Returns by how much the cosine of a vector and the query's is above that of a typical file; 0 if
/// it is not. No cosine means "unrelated": all texts of one embedding model are somewhat alike.
///
/// # Examples
///
/// ```
/// use ragnav_matching::relevance::similarity_excess;
///
/// assert_eq!(similarity_excess(0.75, 0.5), 0.25);
/// assert_eq!(similarity_excess(0.25, 0.5), 0.0);
/// ```
#[must_use]
pub fn similarity_excess(cosine: f64, typical: f64) -> f64 {
    (cosine - typical).max(0.0)
}

/// Returns what the excess of a document's vector adds to the document's score.
///
/// # Examples
///
/// ```
/// use ragnav_matching::relevance::weigh_similarity;
///
/// assert_eq!(weigh_similarity(0.25), 0.5);
/// ```
#[must_use]
pub fn weigh_similarity(excess: f64) -> f64 {
    DOCUMENT_SIMILARITY * excess
}

/// Returns the part of what a file adds that a row gets after some better rows of the file: all of
/// it, two thirds, half and so on, so that the rows of one file do not fill an answer.
///
/// # Examples
///
/// ```
/// use ragnav_matching::relevance::row_share;
///
/// assert_eq!((row_share(0), row_share(2)), (1.0, 0.5));
/// ```
#[must_use]
pub fn row_share(better: usize) -> f64 {
    1.0 / (1.0 + DECAY * as_f64(better))
}

/// Chooses the files whose documents are scored, by their estimates and by their bytes of code.
/// Returns for each file whether it is one of them.
///
/// # Examples
///
/// ```
/// use ragnav_matching::relevance::choose_files;
///
/// // The second file has an enormous text, which leaves no time for the third.
/// let files = [(0.9, 2_000), (0.8, 1 << 30), (0.7, 2_000)];
/// assert_eq!(choose_files(files.into_iter()), [true, true, false]);
/// ```
#[must_use]
pub fn choose_files(files: impl Iterator<Item = (f64, usize)>) -> Vec<bool> {
    let mut ranked: Vec<(usize, (f64, usize))> = files.enumerate().collect();
    let mut is_chosen = vec![false; ranked.len()];
    ranked.small_sort_by(|(_, a), (_, b)| b.0.total_cmp(&a.0));
    let mut parsed = 0;
    for (place, (_, code)) in ranked.into_iter().take(MAX_FILES) {
        if let Some(is_chosen) = is_chosen.get_mut(place) {
            *is_chosen = code == 0 || parsed < MAX_CODE_BYTES;
        }
        parsed += code;
    }
    is_chosen
}

/// Rounds a score, so that it is the same on every host.
///
/// # Examples
///
/// ```
/// use ragnav_matching::relevance::round_score;
///
/// assert_eq!(round_score(0.1 + 0.2), 0.3);
/// ```
#[must_use]
pub fn round_score(score: f64) -> f64 {
    (score * SCORE_UNIT).round() / SCORE_UNIT
}

/// Returns where in a path the name of its file is, with the folder if the name says nothing.
fn telling_name(path: &str) -> Range<usize> {
    let start = path.rfind('/').map_or(0, |slash| slash + 1);
    let name = path.get(start..).unwrap_or_default();
    let end = start + name.find('.').filter(|dot| *dot > 0).unwrap_or(name.len());
    let is_generic = GENERIC_NAMES.contains(&path.get(start..end).unwrap_or_default());
    if !is_generic || start == 0 {
        return start..end;
    }
    let folder = path.get(..start - 1).unwrap_or_default();
    folder.rfind('/').map_or(0, |slash| slash + 1)..end
}

fn count_letters(text: &str) -> f64 {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    f64::from(wire(letters.count()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ragnav_base::error::RagnavError;

    #[test]
    fn a_generic_name_is_told_with_its_folder() {
        for (path, expected) in [
            ("src/cache.test.ts", "cache"),
            ("src/router/index.ts", "router/index"),
            ("lib/__init__.py", "lib/__init__"),
            ("main.go", "main"),
            (".gitignore", ".gitignore"),
            ("Makefile", "Makefile"),
        ] {
            assert_eq!(path.get(telling_name(path)), Some(expected));
        }
    }

    #[test]
    fn a_file_named_as_the_question_says_comes_first() -> Result<(), RagnavError> {
        let terms = Terms::new("helpers for validating arguments")?;
        let idf = IdfTable::new(100, &[10; 8]);
        let question = Question::new(&terms, [].into_iter());
        let of = |path: &str| {
            let path = RepoPath::parse(path).unwrap_or(RepoPath::root());
            FileSignals::new(&path, 0.0, &question, &idf).estimate()
        };
        assert!(of("src/Validate.java") > of("src/ValidateDates.java"));
        assert!(of("validate/dates.py") > of("src/dates.py"));
        assert!(of("src/dates.py") <= 0.0);
        Ok(())
    }
}
