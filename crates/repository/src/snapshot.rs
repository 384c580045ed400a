//! The state of the repository that one query sees: the route, the files in scope with their
//! statuses, and access to their text and facts.
//!
//! A snapshot does not change. If a file turns out to differ from it, [`Snapshot::finish`] fails
//! with [`Failure::ConcurrentModification`]. The query then runs again over a new snapshot, in
//! which that file is changed from the start.

pub(crate) mod cache;
mod facts;
mod meta;
mod proofs;
mod results;
mod scoped_files;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use self::cache::{ScopeView, TextFiles};
pub use self::meta::{Finished, ReadOutcome};
pub use self::scoped_files::{ScopedFiles, scoped_files};
use crate::failure::Failure;
use crate::file_reader::FileReader;
use crate::file_statuses::FileStatuses;
use crate::overlay::Overlaid;
use crate::route::{self, Examined};
use crate::scope::{Scope, may_use_names};
use crate::settings::{Settings, StalePolicy};
use ragnav_base::envelope::RouteDecision;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host, HostError};
use ragnav_base::item::{SkipReason, Skipped, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_index::graph_file::GraphFile;
use ragnav_index::index::Index;
use ragnav_syntax::grammars;

/// The state of the repository that one query sees.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
/// # use setup::{indexed, path, with_snapshot};
/// use ragnav_base::envelope::Proof;
///
/// with_snapshot(&indexed(&[("a.py", "def f(): pass\n")]), |snapshot| {
///     // The file is as it was indexed, so the index answers for it.
///     let (record, proof) = snapshot.proven(&path("a.py")).unwrap();
///     assert_eq!((record.size, proof), (14, Proof::Stat));
/// });
/// ```
pub struct Snapshot<'q, H> {
    host: &'q Overlaid<'q, H>,
    settings: &'q Settings,
    policy: StalePolicy,
    examined: Examined,
    statuses: FileStatuses,
    /// The data that every query of this scope shares, if it may be used.
    view: Option<Rc<ScopeView>>,
    /// The files in scope as the walk listed them, and the number of entries of `skipped` that come
    /// from the walk.
    walked: (Rc<Vec<RepoPath>>, usize),
    files: Rc<Vec<RepoPath>>,
    unproven: Vec<RepoPath>,
    skipped: Vec<Skipped>,
    ignored_manifests: Vec<RepoPath>,
    is_complete: bool,
    /// Whether the query follows references.
    follows_links: bool,
    /// The files that earlier snapshots of this query were wrong about.
    corrections: &'q BTreeSet<RepoPath>,
    /// The files that this snapshot is wrong about.
    contradicted: RefCell<BTreeSet<RepoPath>>,
    /// The statuses of all files of the repository, whatever the scope.
    everything: OnceCell<FileStatuses>,
}

impl<'q, H: Host> Snapshot<'q, H> {
    /// Examines the repository and verifies the files in scope against its index. The files in
    /// `corrections` count as changed, whatever their stamps are.
    ///
    /// # Errors
    /// The errors of [`walk`](crate::walk::walk); `STALE_INDEX` if the policy `error` refuses an
    /// unproven index.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::BTreeSet;
    ///
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_repository::overlay::Overlaid;
    /// use ragnav_repository::scope::Scope;
    /// use ragnav_repository::settings::{Settings, StalePolicy};
    /// use ragnav_repository::snapshot::Snapshot;
    ///
    /// let repository = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// let host = block_on(Overlaid::new(&repository)).unwrap();
    /// let (settings, corrections) = (Settings::default(), BTreeSet::new());
    /// let take = |policy| {
    ///     block_on(Snapshot::take(&host, &settings, Some(policy), Scope::Code, &corrections))
    /// };
    /// assert!(take(StalePolicy::Merge).is_ok());
    /// // There is no index.
    /// assert!(take(StalePolicy::Error).is_err());
    /// ```
    pub async fn take(
        host: &'q Overlaid<'q, H>,
        settings: &'q Settings,
        policy: Option<StalePolicy>,
        scope: Scope<'_>,
        corrections: &'q BTreeSet<RepoPath>,
    ) -> Result<Self, Failure> {
        grammars::retry_unavailable();
        let policy = policy.unwrap_or(settings.stale_policy);
        let mut examined = route::examine(host, &settings.repo, &settings.caches).await;
        if policy == StalePolicy::Live && !examined.route.use_rag {
            examined.index = None;
        }
        let scoped = scoped_files(host, settings, &examined, scope).await?;
        let mut snapshot = Self {
            host,
            settings,
            policy,
            examined,
            statuses: corrected(scoped.statuses, corrections),
            view: scoped.view,
            walked: (Rc::clone(&scoped.files), scoped.skipped.len()),
            files: scoped.files,
            unproven: Vec::new(),
            skipped: scoped.skipped,
            ignored_manifests: scoped.ignored_manifests,
            is_complete: scoped.complete,
            follows_links: matches!(scope, Scope::Links),
            corrections,
            contradicted: RefCell::default(),
            everything: OnceCell::new(),
        };
        snapshot.refuse_unless_proven()?;
        if policy == StalePolicy::Live && !snapshot.route().use_rag {
            snapshot.forget_index();
        }
        snapshot.select_texts();
        Ok(snapshot)
    }

    /// Continues as if there were no index.
    fn forget_index(&mut self) {
        self.examined.route = self.route();
        self.examined.index = None;
        self.statuses = FileStatuses::default();
        self.view = None;
    }

    /// Drops the files that the index recorded as binary and, under the policy `allow`, those that
    /// changed.
    fn select_texts(&mut self) {
        let Some(index) = self.examined.index.clone() else {
            self.view = None;
            return;
        };
        if self.policy == StalePolicy::Allow || self.has_other_texts() {
            self.view = None;
        }
        if let Some(view) = &self.view {
            let texts = view.texts.get_or_init(|| self.texts());
            self.files = Rc::clone(&texts.files);
            self.skipped.clone_from(&texts.skipped);
            return;
        }
        let TextFiles { files, skipped, .. } = self.texts();
        self.files = files;
        self.skipped = skipped;
        if self.policy == StalePolicy::Allow {
            let records = index.files().iter().map(|record| &record.path);
            let unproven = records.filter(|path| {
                let differs = [Verdict::Changed, Verdict::Removed, Verdict::Unknown];
                self.verdict(path)
                    .is_some_and(|(verdict, _)| differs.contains(&verdict))
            });
            self.unproven = unproven.cloned().collect();
        }
    }

    /// Reports whether verifying single files changed which files count as text.
    fn has_other_texts(&self) -> bool {
        let is_skipped = |verdict: Verdict| verdict == Verdict::Skipped;
        self.statuses.corrected().any(|(file, status)| {
            let before = self.statuses.before(file);
            let was_skipped = before.is_some_and(|status| is_skipped(status.verdict));
            was_skipped || is_skipped(status.verdict)
        })
    }

    fn texts(&self) -> TextFiles {
        let allow = self.policy == StalePolicy::Allow;
        let mut skipped = self.skipped.clone();
        let files = self.files.iter().filter(|path| match self.verdict(path) {
            Some((Verdict::Skipped, reason)) => {
                let reason = reason.unwrap_or(SkipReason::Binary);
                if !self.follows_links || may_use_names(path, reason) {
                    skipped.push(Skipped {
                        file: path.to_string(),
                        reason,
                    });
                }
                false
            }
            Some((Verdict::Unchanged, _)) | None => true,
            Some(_) => !allow,
        });
        let files: Vec<RepoPath> = files.cloned().collect();
        // This happens before any correction, because queries share these files but not the
        // corrections.
        let is_live = |path: &&RepoPath| {
            let status = self.statuses.before(path);
            status.is_none_or(|status| status.verdict != Verdict::Unchanged)
        };
        TextFiles {
            live: files.iter().filter(is_live).cloned().collect(),
            files: Rc::new(files),
            skipped,
        }
    }

    /// Returns the host with its unsaved buffers.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{path, with_snapshot};
    /// use ragnav_base::host::read_one;
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert!(block_on(read_one(snapshot.host(), &path("a.py"), 100)).unwrap().is_ok());
    /// });
    /// ```
    #[must_use]
    pub fn host(&self) -> &'q Overlaid<'q, H> {
        self.host
    }

    /// Returns the settings of the navigator.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert_eq!(snapshot.settings().repo, "");
    /// });
    /// ```
    #[must_use]
    pub fn settings(&self) -> &'q Settings {
        self.settings
    }

    /// Returns the files in scope that are read for the answer, sorted by path.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{path, with_snapshot};
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert_eq!(snapshot.files().as_slice(), [path("a.py")]);
    /// });
    /// ```
    #[must_use]
    pub fn files(&self) -> &Rc<Vec<RepoPath>> {
        &self.files
    }

    /// Returns the files in scope that the walk admits and those that it skips, whatever their
    /// content.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     let (files, skipped) = snapshot.walked();
    ///     assert_eq!((files.len(), skipped.len()), (1, 0));
    /// });
    /// ```
    #[must_use]
    pub fn walked(&self) -> (&[RepoPath], &[Skipped]) {
        let (files, skipped) = &self.walked;
        (files, self.skipped.get(..*skipped).unwrap_or_default())
    }

    /// Returns the files that only the index answers for although they are not proven unchanged,
    /// under the policy `allow`. They are sorted.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     // Only the policy `allow` answers for files without a proof.
    ///     assert!(snapshot.unproven_files().is_empty());
    /// });
    /// ```
    #[must_use]
    pub fn unproven_files(&self) -> &[RepoPath] {
        &self.unproven
    }

    /// Returns the number of files in scope whose current text the policy `allow` leaves out: those
    /// of [`unproven_files`](Self::unproven_files), and those that the index lacks.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     // Every other policy reads all files that differ.
    ///     assert_eq!(snapshot.unread_differences(), 0);
    /// });
    /// ```
    #[must_use]
    pub fn unread_differences(&self) -> usize {
        if self.policy != StalePolicy::Allow || self.examined.index.is_none() {
            return 0;
        }
        let files = self.statuses.files();
        let added = files.filter(|(_, status)| status.verdict == Verdict::Added);
        self.unproven.len() + added.count()
    }

    /// Reports whether the policy `allow` has the index answer for a file that is not proven
    /// unchanged, although it may lack the file.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{path, with_snapshot};
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert!(!snapshot.uses_unproven_index(&path("a.py")));
    /// });
    /// ```
    #[must_use]
    pub fn uses_unproven_index(&self, path: &RepoPath) -> bool {
        let verdict = self.verdict(path).map(|(verdict, _)| verdict);
        let is_proven = matches!(verdict, Some(Verdict::Unchanged | Verdict::Skipped));
        self.policy == StalePolicy::Allow && self.examined.index.is_some() && !is_proven
    }

    /// Returns the files and folders in scope that are left out of the answer.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert!(snapshot.skipped().is_empty());
    /// });
    /// ```
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Reports whether the walk reached its end.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert!(snapshot.is_complete());
    /// });
    /// ```
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the files that are not proven unchanged, sorted.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, path, with_snapshot};
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let host = indexed(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
    /// block_on(ragnav_base::host::write(&host, path("b.py"), b"y = 22\n".to_vec())).unwrap();
    /// with_snapshot(&host, |snapshot| {
    ///     assert_eq!(snapshot.live_files(), [path("b.py")]);
    /// });
    /// ```
    #[must_use]
    pub fn live_files(&self) -> Vec<RepoPath> {
        let is_live = |path: &&RepoPath| self.proven(path).is_none();
        let Some(texts) = self.view.as_ref().and_then(|view| view.texts.get()) else {
            return self.files.iter().filter(is_live).cloned().collect();
        };
        let corrected = self.statuses.corrected().map(|(path, _)| path);
        let corrected = corrected.filter(|path| self.files.binary_search(path).is_ok());
        let live: BTreeSet<&RepoPath> = texts.live.iter().chain(corrected).collect();
        live.into_iter().filter(is_live).cloned().collect()
    }

    /// Returns the manifests that ignore rules leave out of the folders that are searched.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("package.json", "{}"), (".ignore", "package.json\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert_eq!(snapshot.ignored_manifests()[0].as_str(), "package.json");
    /// });
    /// ```
    #[must_use]
    pub fn ignored_manifests(&self) -> &[RepoPath] {
        &self.ignored_manifests
    }

    /// Returns the index that the answer may use.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, with_snapshot};
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert_eq!(snapshot.index().unwrap().files().len(), 1);
    /// });
    /// ```
    #[must_use]
    pub fn index(&self) -> Option<&Rc<Index>> {
        self.examined.index.as_ref()
    }

    /// Returns the statuses of the files in scope.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, with_snapshot};
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert!(snapshot.statuses().all_unchanged());
    /// });
    /// ```
    #[must_use]
    pub fn statuses(&self) -> &FileStatuses {
        &self.statuses
    }

    /// Returns the statuses of all files of the repository, whatever the scope.
    ///
    /// # Errors
    /// The errors of [`walk`](crate::walk::walk).
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, with_snapshot};
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert_eq!(block_on(snapshot.all_statuses()).unwrap().unchanged(), 1);
    /// });
    /// ```
    pub async fn all_statuses(&self) -> Result<&FileStatuses, RagnavError> {
        if self.everything.get().is_none() {
            let all =
                scoped_files(self.host, self.settings, &self.examined, Scope::Everything).await?;
            let statuses = corrected(all.statuses, self.corrections);
            return Ok(self.everything.get_or_init(|| statuses));
        }
        Ok(self.everything.get_or_init(FileStatuses::default))
    }

    /// Reads the graph file, for its enrichment.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, with_snapshot};
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     // The index was written without a graph.
    ///     assert!(block_on(snapshot.graph()).unwrap().graph().is_none());
    /// });
    /// ```
    pub async fn graph(&self) -> Result<GraphFile, RagnavError> {
        let graph = &self.settings.caches.graph;
        graph.read(self.host, self.examined.graph.as_ref()).await
    }

    /// Prepares to read some files.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{path, with_snapshot};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     let paths = [path("a.py")];
    ///     let mut reader = snapshot.reader(&paths);
    ///     assert_eq!(block_on(reader.next()).unwrap(), Some((&paths[0], b"x = 1\n".to_vec())));
    /// });
    /// ```
    #[must_use]
    pub fn reader<'p>(&self, paths: &'p [RepoPath]) -> FileReader<'p, Overlaid<'q, H>>
    where
        'q: 'p,
    {
        FileReader::new(self.host, paths, self.settings.limits.max_file_bytes)
    }

    /// Reads the current bytes of one file.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws; the inner result says why this file cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{path, with_snapshot};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert_eq!(block_on(snapshot.read(&path("a.py"))).unwrap(), Ok(b"x = 1\n".to_vec()));
    /// });
    /// ```
    pub async fn read(&self, path: &RepoPath) -> Result<Result<Vec<u8>, HostError>, RagnavError> {
        host::read_one(self.host, path, self.settings.limits.max_file_bytes).await
    }

    /// Returns the route, which the statuses of the files in scope may change.
    fn route(&self) -> RouteDecision {
        route::with_verdicts(self.examined.route.clone(), &self.statuses)
    }

    /// Refuses to answer from anything but a proven index, under the policy `error`.
    fn refuse_unless_proven(&self) -> Result<(), Failure> {
        let route = self.route();
        if self.policy != StalePolicy::Error || route.use_rag {
            return Ok(());
        }
        Err(Failure::Stale(Box::new(route)))
    }
}

fn corrected(mut statuses: FileStatuses, corrections: &BTreeSet<RepoPath>) -> FileStatuses {
    for path in corrections {
        statuses.mark_changed(path);
    }
    statuses
}
