//! What proves the answers of a snapshot, file by file.

use super::Snapshot;
use crate::failure::Failure;
use crate::provenance::Provenance;
use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
use ragnav_base::host::Host;
use ragnav_base::item::{SkipReason, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_index::content::ContentHash;
use ragnav_index::index::FileRecord;

impl<H: Host> Snapshot<'_, H> {
    pub(super) fn verdict(&self, path: &RepoPath) -> Option<(Verdict, Option<SkipReason>)> {
        let status = self.statuses.get(path)?;
        Some((status.verdict, status.reason))
    }

    /// Returns the index's record of a file that is proven unchanged, and the proof.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, path, with_snapshot};
    /// use ragnav_base::envelope::Proof;
    ///
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     let (record, proof) = snapshot.proven(&path("a.py")).unwrap();
    ///     assert_eq!((record.size, proof), (14, Proof::Stat));
    ///     assert!(snapshot.proven(&path("b.py")).is_none());
    /// });
    /// ```
    #[must_use]
    pub fn proven(&self, path: &RepoPath) -> Option<(&FileRecord, Proof)> {
        let status = self.statuses.get(path)?;
        let record = self.examined.index.as_deref()?.file(path)?;
        (status.verdict == Verdict::Unchanged).then_some((record, status.proof))
    }

    /// Reports whether the index answers for a file: it is proven unchanged, or the policy is
    /// `allow`.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, path, with_snapshot};
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert!(snapshot.is_indexed(&path("a.py")) && !snapshot.is_indexed(&path("b.py")));
    /// });
    /// ```
    #[must_use]
    pub fn is_indexed(&self, path: &RepoPath) -> bool {
        self.proven(path).is_some() || self.unproven.binary_search(path).is_ok()
    }

    /// Returns the proof of text that was read: an unsaved buffer, or the live file.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{path, with_snapshot};
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert_eq!(snapshot.live_proof(&path("a.py")), Proof::Live);
    /// });
    /// ```
    #[must_use]
    pub fn live_proof(&self, path: &RepoPath) -> Proof {
        self.host.proof(path)
    }

    /// Returns the provenance of a file whose bytes were just read. Bytes that differ from the
    /// index contradict this snapshot.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, path, with_snapshot};
    /// use ragnav_base::envelope::{Proof, SourceTag};
    ///
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     let provenance = snapshot.provenance(&path("a.py"), b"def f(): pass\n");
    ///     assert_eq!((provenance.source, provenance.proof), (SourceTag::RagGraph, Proof::Hash));
    /// });
    /// ```
    #[must_use]
    pub fn provenance(&self, path: &RepoPath, bytes: &[u8]) -> Provenance {
        if let Some((record, _)) = self.proven(path)
            && record.hash() != Some(ContentHash::of(bytes))
        {
            self.contradict(path);
            return Provenance::live(self.live_proof(path));
        }
        self.read_provenance(path)
    }

    /// Returns the provenance of a file whose bytes were just read and that its facts belong to.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{path, with_snapshot};
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert_eq!(snapshot.read_provenance(&path("a.py")).proof, Proof::Live);
    /// });
    /// ```
    #[must_use]
    pub fn read_provenance(&self, path: &RepoPath) -> Provenance {
        match (self.proven(path), self.live_proof(path)) {
            (None, proof) => Provenance::live(proof),
            (Some(_), Proof::Overlay) => Provenance::indexed(Proof::Overlay),
            (Some(_), _) => Provenance::indexed(Proof::Hash),
        }
    }

    /// Returns the provenance of rows that the index has of a file that is not proven unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{path, with_snapshot};
    /// use ragnav_base::envelope::Proof;
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert_eq!(snapshot.unproven_provenance(&path("a.py")).proof, Proof::None);
    /// });
    /// ```
    #[must_use]
    pub fn unproven_provenance(&self, path: &RepoPath) -> Provenance {
        let is_unknown = matches!(self.verdict(path), Some((Verdict::Unknown, _)));
        Provenance {
            source: SourceTag::RagGraph,
            freshness_state: if is_unknown {
                FreshnessState::Unknown
            } else {
                FreshnessState::Stale
            },
            proof: Proof::None,
        }
    }

    /// Records that a file differs from this snapshot, so that the query runs again.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{path, with_snapshot};
    /// use ragnav_base::memory_host::MemoryHost;
    /// use ragnav_repository::snapshot::ReadOutcome;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     snapshot.contradict(&path("a.py"));
    ///     // The query runs again.
    ///     assert!(snapshot.finish(ReadOutcome::default()).is_err());
    /// });
    /// ```
    pub fn contradict(&self, path: &RepoPath) {
        self.contradicted.borrow_mut().insert(path.clone());
        self.settings.snapshots.contradict();
    }

    /// Records that a file differs from this snapshot, and returns the failure that ends the query.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{path, with_snapshot};
    /// use ragnav_base::memory_host::MemoryHost;
    /// use ragnav_repository::failure::Failure;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     let failure = snapshot.contradicted(&path("a.py"));
    ///     assert!(matches!(failure, Failure::ConcurrentModification(_)));
    /// });
    /// ```
    #[must_use]
    pub fn contradicted(&self, path: &RepoPath) -> Failure {
        self.contradict(path);
        Failure::ConcurrentModification(self.contradicted.take())
    }
}
