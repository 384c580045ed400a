//! What commits say of the files of a repository, for ranking.
//!
//! ```text
//! history(file) = WEIGHT · r / (1 + r)
//! r             = Σ over the commits of the file of 1 / (1 + age / HALF_AGE)
//! ```
//!
//! The age of a commit is the number of newer ones, so that a score does not depend on the time.
//! Files that change often are changed again: Sisman and Kak, "Incorporating Version Histories in
//! Information Retrieval Based Bug Localization", MSR 2012.

use std::collections::BTreeSet;

use ragnav_base::hash::HashMap;
use ragnav_base::path::RepoPath;

use crate::bm25::as_f64;

/// The number of commits that count.
pub const MAX_COMMITS: u32 = 1_000;

/// A commit of more files says nothing of each: it renames, formats or imports.
const MAX_FILES: usize = 20;

/// The age at which a commit counts half.
const HALF_AGE: f64 = 300.0;

const WEIGHT: f64 = 0.3;

/// How much the commits of a repository add to the score of each file.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::history::History;
///
/// let [cart, price, other] =
///     ["cart.py", "price.py", "other.py"].map(|name| RepoPath::parse(name).unwrap());
/// // Newest first.
/// let history = History::new([vec![cart.clone()], vec![price.clone()]].into_iter());
/// assert!(history.score(&cart) > history.score(&price));
/// assert_eq!(history.score(&other), 0.0);
/// ```
#[derive(Debug, Default)]
pub struct History(HashMap<RepoPath, f64>);

impl History {
    /// Takes the files of each commit, newest first.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::history::History;
    ///
    /// let readme = RepoPath::parse("README.md").unwrap();
    /// assert_eq!(History::new(std::iter::empty()).score(&readme), 0.0);
    /// ```
    #[must_use]
    pub fn new(commits: impl Iterator<Item = Vec<RepoPath>>) -> Self {
        let mut weights: HashMap<RepoPath, f64> = HashMap::default();
        for (age, files) in commits.take(MAX_COMMITS as usize).enumerate() {
            let files: BTreeSet<RepoPath> = files.into_iter().collect();
            if files.len() > MAX_FILES {
                continue;
            }
            for path in files {
                *weights.entry(path).or_default() += 1.0 / (1.0 + as_f64(age) / HALF_AGE);
            }
        }
        Self(weights)
    }

    /// Returns what the history adds to the score of a file: 0 without commits.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::history::History;
    ///
    /// let cart = RepoPath::parse("cart.py").unwrap();
    /// let history = History::new([vec![cart.clone()]].into_iter());
    /// assert_eq!(history.score(&cart), 0.15);
    /// ```
    #[must_use]
    pub fn score(&self, path: &RepoPath) -> f64 {
        let weight = self.0.get(path).copied().unwrap_or_default();
        WEIGHT * weight / (1.0 + weight)
    }
}
