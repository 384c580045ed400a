//! How the files of a question stand to the index, as one value that is cheap to pass on.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use ragnav_base::envelope::Proof;
use ragnav_base::item::{FileVerdict, SkipReason, Skipped, Verdict};
use ragnav_base::path::RepoPath;

/// How a file stands to the index, without its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    /// How it stands.
    pub verdict: Verdict,
    /// How that is known.
    pub proof: Proof,
    /// Why it is skipped or unknown.
    pub reason: Option<SkipReason>,
}

impl Check {
    /// One that needs no reason.
    #[must_use]
    pub fn new(verdict: Verdict, proof: Proof) -> Self {
        Self {
            verdict,
            proof,
            reason: None,
        }
    }

    /// A file that cannot be checked.
    #[must_use]
    pub fn unknown(reason: SkipReason) -> Self {
        Self {
            verdict: Verdict::Unknown,
            proof: Proof::None,
            reason: Some(reason),
        }
    }

    fn differs(self) -> bool {
        !matches!(self.verdict, Verdict::Unchanged | Verdict::Skipped)
    }

    /// The same, known because nothing has changed since it was found out.
    fn by_watch(self) -> Self {
        let proof = match self.proof {
            Proof::Stat | Proof::Hash | Proof::Live | Proof::Watch => Proof::Watch,
            Proof::Overlay | Proof::None => self.proof,
        };
        Self { proof, ..self }
    }
}

/// How the files of a question stand to the index. A copy shares the files, and may be corrected for itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    files: Rc<BTreeMap<RepoPath, Check>>,
    /// What was found out later, of files that may be among them.
    corrected: BTreeMap<RepoPath, Check>,
    tally: Tally,
    /// Whether the walk ended before the last file.
    is_cut: bool,
    /// Folders that could not be listed, as they are shown.
    unlisted: Vec<(String, SkipReason)>,
}

/// How many files stand how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    unchanged: usize,
    /// Those that are known to differ, and those that could not be checked.
    differing: usize,
    unknown: usize,
}

impl Tally {
    fn of<'c>(checks: impl Iterator<Item = &'c Check>) -> Self {
        let mut tally = Self::default();
        for check in checks {
            tally.add(*check);
        }
        tally
    }

    fn add(&mut self, check: Check) {
        self.unchanged += usize::from(check.verdict == Verdict::Unchanged);
        self.differing += usize::from(check.differs());
        self.unknown += usize::from(check.verdict == Verdict::Unknown);
    }

    fn remove(&mut self, check: Check) {
        self.unchanged -= usize::from(check.verdict == Verdict::Unchanged);
        self.differing -= usize::from(check.differs());
        self.unknown -= usize::from(check.verdict == Verdict::Unknown);
    }
}

impl Verification {
    /// Of files that were all looked at.
    #[must_use]
    pub fn new(
        files: BTreeMap<RepoPath, Check>,
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

    /// How a file stands to the index; `None` for one out of scope.
    #[must_use]
    pub fn check(&self, file: &RepoPath) -> Option<&Check> {
        if !self.corrected.is_empty()
            && let Some(check) = self.corrected.get(file)
        {
            return Some(check);
        }
        self.files.get(file)
    }

    /// The files with their verdicts, sorted.
    pub fn files(&self) -> impl Iterator<Item = (&RepoPath, &Check)> {
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

    /// The files of which something else was found out than by looking at all of them.
    pub fn corrected(&self) -> impl Iterator<Item = (&RepoPath, &Check)> {
        self.corrected.iter()
    }

    /// How a corrected file stood before.
    #[must_use]
    pub fn before(&self, file: &RepoPath) -> Option<&Check> {
        self.files.get(file)
    }

    /// Whether every file is as it was indexed.
    #[must_use]
    pub fn all_unchanged(&self) -> bool {
        !self.is_cut && self.unlisted.is_empty() && self.tally.differing == 0
    }

    /// How many files are proven to be as they were indexed, and searched.
    #[must_use]
    pub fn unchanged(&self) -> usize {
        self.tally.unchanged
    }

    /// How many files are known to differ from the index, and how many could not be checked.
    #[must_use]
    pub fn differing(&self) -> (usize, usize) {
        let Tally {
            differing, unknown, ..
        } = self.tally;
        (differing - unknown, unknown + self.unlisted.len())
    }

    /// Whether asking again, with nothing changed, would give the same: nothing failed.
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        let mut checks = self.files().map(|(_, check)| check);
        let may_pass = |check: &Check| {
            let is_bound = check.reason == Some(SkipReason::TooManyFiles);
            check.verdict == Verdict::Unknown && !is_bound
        };
        self.unlisted.is_empty() && !checks.any(may_pass)
    }

    /// The same, known because nothing has changed since.
    #[must_use]
    pub fn by_watch(&self) -> Self {
        let files = self.files();
        let files = files.map(|(file, check)| (file.clone(), check.by_watch()));
        Self::new(files.collect(), self.is_cut, self.unlisted.clone())
    }

    /// The part that is about some files, and the folders that may hold some of them.
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

    /// The part that is about some files alone: how they stand does not depend on how far the walk came.
    #[must_use]
    pub fn of_files(&self, admits: impl Fn(&RepoPath) -> bool) -> Self {
        let files = self.files().filter(|(file, _)| admits(file));
        let files = files.map(|(file, check)| (file.clone(), *check));
        Self::new(files.collect(), false, Vec::new())
    }

    /// Notes how a file stands after all.
    pub fn correct(&mut self, file: &RepoPath, check: Check) {
        if let Some(before) = self.check(file).copied() {
            self.tally.remove(before);
        }
        self.tally.add(check);
        self.corrected.insert(file.clone(), check);
    }

    /// Notes that the bytes of a file, when they were read, were not those that were indexed.
    pub fn found_changed(&mut self, file: &RepoPath) {
        if self.check(file).is_some() {
            self.correct(file, Check::new(Verdict::Changed, Proof::Hash));
        }
    }

    /// Notes that a file that the index does not have is one that no index has.
    pub fn found_ignored(&mut self, file: &RepoPath) {
        self.correct(file, Check::unknown(SkipReason::Ignored));
    }

    /// Notes that a file that was taken for unchanged could not be read.
    pub fn found_unreadable(&mut self, file: &RepoPath, reason: SkipReason) {
        let is_unchanged = |check: &Check| check.verdict == Verdict::Unchanged;
        if self.check(file).is_some_and(is_unchanged) {
            self.correct(file, Check::unknown(reason));
        }
    }

    /// Notes that a file, as it was indexed or not, is not searched for what was asked.
    pub fn found_out_of_question(&mut self, file: &RepoPath, reason: SkipReason) {
        let Some(check) = self.check(file).copied() else {
            return;
        };
        if check.verdict == Verdict::Unchanged {
            let check = Check {
                verdict: Verdict::Skipped,
                reason: Some(reason),
                ..check
            };
            self.correct(file, check);
        }
    }

    /// The verdicts as rows, sorted by file.
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
        rows.sort_by(|a, b| a.file.cmp(&b.file));
        rows
    }
}
