//! How the files of a scope compare with the index, as one value that is cheap to clone.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use ragnav_base::envelope::Proof;
use ragnav_base::item::{FileVerdict, SkipReason, Skipped, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;

/// The status of a file: how it compares with the index.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::Proof;
/// use ragnav_base::item::Verdict;
/// use ragnav_repository::file_statuses::FileStatus;
///
/// let status = FileStatus::new(Verdict::Changed, Proof::Hash);
/// assert_eq!((status.verdict, status.reason), (Verdict::Changed, None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStatus {
    /// The result of the comparison.
    pub verdict: Verdict,
    /// The proof of the result.
    pub proof: Proof,
    /// The reason why the file is skipped or unknown, or changed with the same content.
    pub reason: Option<SkipReason>,
}

impl FileStatus {
    /// Returns a status that needs no reason.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_repository::file_statuses::FileStatus;
    ///
    /// assert_eq!(FileStatus::new(Verdict::Unchanged, Proof::Stat).proof, Proof::Stat);
    /// ```
    #[must_use]
    pub fn new(verdict: Verdict, proof: Proof) -> Self {
        Self {
            verdict,
            proof,
            reason: None,
        }
    }

    /// Returns the status of a file that cannot be verified.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::item::{SkipReason, Verdict};
    /// use ragnav_repository::file_statuses::FileStatus;
    ///
    /// let status = FileStatus::unknown(SkipReason::Denied);
    /// assert_eq!((status.verdict, status.reason), (Verdict::Unknown, Some(SkipReason::Denied)));
    /// ```
    #[must_use]
    pub fn unknown(reason: SkipReason) -> Self {
        Self {
            verdict: Verdict::Unknown,
            proof: Proof::None,
            reason: Some(reason),
        }
    }

    /// Returns the status of a file that another version of ragnav, or of a plug-in, indexed.
    pub(crate) fn of_other_version(proof: Proof) -> Self {
        Self {
            verdict: Verdict::Changed,
            proof,
            reason: Some(SkipReason::OtherVersion),
        }
    }

    fn is_of_other_version(self) -> bool {
        self.reason == Some(SkipReason::OtherVersion)
    }

    fn differs(self) -> bool {
        !matches!(self.verdict, Verdict::Unchanged | Verdict::Skipped)
    }

    /// Returns the same status, proven by a watcher that saw no change since.
    fn by_watch(self) -> Self {
        let proof = match self.proof {
            Proof::Stat | Proof::Hash | Proof::Live | Proof::Watch => Proof::Watch,
            Proof::Overlay | Proof::None => self.proof,
        };
        Self { proof, ..self }
    }
}

/// The statuses of the files in a scope. Clones share the files, but not the corrections.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
/// # use setup::{indexed, path, with_snapshot};
/// use ragnav_base::item::Verdict;
/// use ragnav_base::memory_host::block_on;
///
/// let host = indexed(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
/// block_on(ragnav_base::host::write(&host, path("b.py"), b"y = 22\n".to_vec())).unwrap();
/// with_snapshot(&host, |snapshot| {
///     let verdict = |name: &str| snapshot.statuses().get(&path(name)).map(|file| file.verdict);
///     assert_eq!(verdict("a.py"), Some(Verdict::Unchanged));
///     assert_eq!(verdict("b.py"), Some(Verdict::Changed));
/// });
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileStatuses {
    files: Rc<BTreeMap<RepoPath, FileStatus>>,
    /// Corrections of single files.
    corrected: BTreeMap<RepoPath, FileStatus>,
    tally: Tally,
    /// Whether a limit ended the walk before the last file.
    is_cut: bool,
    /// The folders that could not be listed.
    unlisted: Vec<(String, SkipReason)>,
}

/// The number of files by their status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    unchanged: usize,
    /// Files that differ, and files that could not be verified.
    differing: usize,
    unknown: usize,
    /// Files that another version of ragnav, or of a plug-in, indexed.
    of_other_version: usize,
}

impl Tally {
    fn of<'c>(checks: impl Iterator<Item = &'c FileStatus>) -> Self {
        let mut tally = Self::default();
        for check in checks {
            tally.add(*check);
        }
        tally
    }

    fn add(&mut self, check: FileStatus) {
        self.unchanged += usize::from(check.verdict == Verdict::Unchanged);
        self.differing += usize::from(check.differs());
        self.unknown += usize::from(check.verdict == Verdict::Unknown);
        self.of_other_version += usize::from(check.is_of_other_version());
    }

    fn remove(&mut self, check: FileStatus) {
        self.unchanged -= usize::from(check.verdict == Verdict::Unchanged);
        self.differing -= usize::from(check.differs());
        self.unknown -= usize::from(check.verdict == Verdict::Unknown);
        self.of_other_version -= usize::from(check.is_of_other_version());
    }
}

impl FileStatuses {
    /// Returns the statuses of files that were all verified.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let statuses = FileStatuses::new(files, false, Vec::new());
    /// assert_eq!(statuses.unchanged(), 1);
    /// ```
    #[must_use]
    pub fn new(
        files: BTreeMap<RepoPath, FileStatus>,
        is_cut: bool,
        unlisted: Vec<(String, SkipReason)>,
    ) -> Self {
        Self {
            tally: Tally::of(files.values()),
            files: Rc::new(files),
            corrected: BTreeMap::new(),
            is_cut,
            unlisted,
        }
    }

    /// Returns the status of a file; `None` for a file out of scope.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let statuses = FileStatuses::new(files, false, Vec::new());
    /// assert_eq!(statuses.get(&a).map(|status| status.verdict), Some(Verdict::Unchanged));
    /// assert_eq!(statuses.get(&RepoPath::root()), None);
    /// ```
    #[must_use]
    pub fn get(&self, file: &RepoPath) -> Option<&FileStatus> {
        if !self.corrected.is_empty()
            && let Some(check) = self.corrected.get(file)
        {
            return Some(check);
        }
        self.files.get(file)
    }

    /// Returns the files with their statuses, sorted.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let statuses = FileStatuses::new(files, false, Vec::new());
    /// let paths: Vec<&str> = statuses.files().map(|(path, _)| path.as_str()).collect();
    /// assert_eq!(paths, ["a.py", "b.py"]);
    /// ```
    pub fn files(&self) -> impl Iterator<Item = (&RepoPath, &FileStatus)> {
        let mut files = self.files.iter().peekable();
        let mut corrected = self.corrected.iter().peekable();
        std::iter::from_fn(move || {
            let order = match (files.peek(), corrected.peek()) {
                (Some((file, _)), Some((later, _))) => file.cmp(later),
                (_, None) => Ordering::Less,
                (None, _) => Ordering::Greater,
            };
            if order.is_le() {
                let found_first = files.next();
                return if order.is_eq() {
                    corrected.next()
                } else {
                    found_first
                };
            }
            corrected.next()
        })
    }

    /// Returns the files whose status was corrected.
    pub(crate) fn corrected(&self) -> impl Iterator<Item = (&RepoPath, &FileStatus)> {
        self.corrected.iter()
    }

    /// Returns the status of a file before it was corrected.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let mut statuses = FileStatuses::new(files, false, Vec::new());
    /// statuses.correct(&a, FileStatus::new(Verdict::Changed, Proof::Hash));
    /// assert_eq!(statuses.before(&a).map(|status| status.verdict), Some(Verdict::Unchanged));
    /// ```
    #[must_use]
    pub fn before(&self, file: &RepoPath) -> Option<&FileStatus> {
        self.files.get(file)
    }

    /// Reports whether every file is unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let statuses = FileStatuses::new(files, false, Vec::new());
    /// assert!(!statuses.all_unchanged());
    /// assert!(statuses.of_files(|path| *path == a).all_unchanged());
    /// ```
    #[must_use]
    pub fn all_unchanged(&self) -> bool {
        !self.is_cut && self.unlisted.is_empty() && self.tally.differing == 0
    }

    /// Returns the number of files that are proven unchanged and searched.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let statuses = FileStatuses::new(files, false, Vec::new());
    /// assert_eq!(statuses.unchanged(), 1);
    /// ```
    #[must_use]
    pub fn unchanged(&self) -> usize {
        self.tally.unchanged
    }

    /// Returns the numbers of files that differ from the index and of files that could not be
    /// verified.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let statuses = FileStatuses::new(files, false, Vec::new());
    /// // One file has changed, and none could not be verified.
    /// assert_eq!(statuses.differing(), (1, 0));
    /// ```
    #[must_use]
    pub fn differing(&self) -> (usize, usize) {
        let Tally {
            differing, unknown, ..
        } = self.tally;
        (differing - unknown, unknown + self.unlisted.len())
    }

    /// Reports whether another version of ragnav, or of a plug-in, indexed some of the files.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(RepoPath::parse("a.py").unwrap(), changed)].into();
    /// assert!(!FileStatuses::new(files, false, Vec::new()).has_other_version());
    /// ```
    #[must_use]
    pub fn has_other_version(&self) -> bool {
        self.tally.of_other_version > 0
    }

    /// Reports whether verifying again would give the same result, as long as no file changes: no
    /// read has failed.
    #[must_use]
    pub(crate) fn is_lasting(&self) -> bool {
        let mut checks = self.files().map(|(_, check)| check);
        let may_pass = |check: &FileStatus| {
            let is_bound = check.reason == Some(SkipReason::TooManyFiles);
            check.verdict == Verdict::Unknown && !is_bound
        };
        self.unlisted.is_empty() && !checks.any(may_pass)
    }

    /// Returns the same statuses, proven by a watcher.
    #[must_use]
    pub(crate) fn by_watch(&self) -> Self {
        let files = self.files();
        let files = files.map(|(file, check)| (file.clone(), check.by_watch()));
        Self::new(files.collect(), self.is_cut, self.unlisted.clone())
    }

    /// Returns the statuses of the files that `admits` accepts, with the folders that may hold
    /// some.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let statuses = FileStatuses::new(files, false, Vec::new());
    /// let scoped = statuses.within(|path| *path == a, |_| true);
    /// assert_eq!(scoped.files().count(), 1);
    /// ```
    #[must_use]
    pub fn within(
        &self,
        admits: impl Fn(&RepoPath) -> bool,
        admits_skipped: impl Fn(&Skipped) -> bool,
    ) -> Self {
        let files = self.files().filter(|(file, _)| admits(file));
        let files = files.map(|(file, check)| (file.clone(), *check));
        let unlisted = self.unlisted.iter().filter(|(folder, reason)| {
            admits_skipped(&Skipped {
                file: folder.clone(),
                reason: *reason,
            })
        });
        let unlisted = unlisted.cloned().collect();
        Self::new(files.collect(), self.is_cut, unlisted)
    }

    /// Returns the statuses of the files that `admits` accepts, without the folders.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let statuses = FileStatuses::new(files, false, Vec::new());
    /// assert_eq!(statuses.of_files(|path| *path != a).differing(), (1, 0));
    /// ```
    #[must_use]
    pub fn of_files(&self, admits: impl Fn(&RepoPath) -> bool) -> Self {
        let files = self.files().filter(|(file, _)| admits(file));
        let files = files.map(|(file, check)| (file.clone(), *check));
        Self::new(files.collect(), false, Vec::new())
    }

    /// Replaces the status of a file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let mut statuses = FileStatuses::new(files, false, Vec::new());
    /// statuses.correct(&a, FileStatus::new(Verdict::Changed, Proof::Hash));
    /// assert_eq!(statuses.differing(), (2, 0));
    /// ```
    pub fn correct(&mut self, file: &RepoPath, check: FileStatus) {
        if let Some(before) = self.get(file).copied() {
            self.tally.remove(before);
        }
        self.tally.add(check);
        self.corrected.insert(file.clone(), check);
    }

    /// Marks a file as changed, because its bytes are not the indexed ones.
    pub(crate) fn mark_changed(&mut self, file: &RepoPath) {
        if self.get(file).is_some() {
            self.correct(file, FileStatus::new(Verdict::Changed, Proof::Hash));
        }
    }

    /// Marks a file as ignored, because no walk admits it.
    pub(crate) fn mark_ignored(&mut self, file: &RepoPath) {
        self.correct(file, FileStatus::unknown(SkipReason::Ignored));
    }

    /// Marks an unchanged file as unknown, because it could not be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::{SkipReason, Verdict};
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let mut statuses = FileStatuses::new(files, false, Vec::new());
    /// statuses.mark_unreadable(&a, SkipReason::Denied);
    /// assert_eq!(statuses.get(&a), Some(&FileStatus::unknown(SkipReason::Denied)));
    /// ```
    pub fn mark_unreadable(&mut self, file: &RepoPath, reason: SkipReason) {
        let is_unchanged = |check: &FileStatus| check.verdict == Verdict::Unchanged;
        if self.get(file).is_some_and(is_unchanged) {
            self.correct(file, FileStatus::unknown(reason));
        }
    }

    /// Marks an unchanged file as skipped by this query.
    pub(crate) fn mark_skipped(&mut self, file: &RepoPath, reason: SkipReason) {
        let Some(check) = self.get(file).copied() else {
            return;
        };
        if check.verdict == Verdict::Unchanged {
            let check = FileStatus {
                verdict: Verdict::Skipped,
                reason: Some(reason),
                ..check
            };
            self.correct(file, check);
        }
    }

    /// Returns the statuses as rows, sorted by file.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::item::Verdict;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
    ///
    /// let [a, b] = ["a.py", "b.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let unchanged = FileStatus::new(Verdict::Unchanged, Proof::Stat);
    /// let changed = FileStatus::new(Verdict::Changed, Proof::Hash);
    /// let files = [(a.clone(), unchanged), (b, changed)].into();
    /// let statuses = FileStatuses::new(files, false, Vec::new());
    /// let rows = statuses.rows();
    /// assert_eq!((rows[1].file.as_str(), rows[1].verdict), ("b.py", Verdict::Changed));
    /// ```
    #[must_use]
    pub fn rows(&self) -> Vec<FileVerdict> {
        let files = self.files().map(|(file, check)| FileVerdict {
            file: file.to_string(),
            verdict: check.verdict,
            proof: check.proof,
            reason: check.reason,
        });
        let unlisted = self.unlisted.iter().map(|(folder, reason)| FileVerdict {
            file: folder.clone(),
            verdict: Verdict::Unknown,
            proof: Proof::None,
            reason: Some(*reason),
        });
        let mut rows: Vec<FileVerdict> = files.chain(unlisted).collect();
        rows.small_sort_by(|a, b| a.file.cmp(&b.file));
        rows
    }
}
