//! The end of a query: the metadata of its answer.

use ragnav_base::envelope::{
    FallbackOptions, FileCounts, OkOptions, RagToolMeta, RouteDecision, RouteReason,
    fallback_result, ok_result,
};
use ragnav_base::host::Host;
use ragnav_base::item::{SkipReason, Skipped};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;

use super::Snapshot;
use crate::failure::{Failure, add_message, explain, freshness_words};
use crate::settings::StalePolicy;
use crate::walk::Limits;

/// What happened to files while a query read them.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
/// # use setup::{path, with_snapshot};
/// use ragnav_base::item::SkipReason;
/// use ragnav_base::memory_host::MemoryHost;
/// use ragnav_repository::snapshot::ReadOutcome;
///
/// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
/// with_snapshot(&host, |snapshot| {
///     let outcome = ReadOutcome { left_out: vec![path("a.py")], ..ReadOutcome::default() };
///     let finished = snapshot.finish(outcome).unwrap();
///     assert_eq!(finished.skipped[0].reason, SkipReason::TooLarge);
/// });
/// ```
#[derive(Debug, Default)]
pub struct ReadOutcome {
    /// The number of files that could not be read.
    pub unread: usize,
    /// The files in scope that could not be read, and are therefore not proven unchanged.
    pub unreadable: Vec<Skipped>,
    /// The files that were read, and that this query could not search.
    pub left_out: Vec<RepoPath>,
    /// Whether the query needs text, which the index does not have.
    pub needs_text: bool,
}

/// The parts of a snapshot that an answer needs.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
/// # use setup::with_snapshot;
/// use ragnav_base::envelope::RagToolStatus;
/// use ragnav_base::memory_host::MemoryHost;
/// use ragnav_repository::snapshot::ReadOutcome;
///
/// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
/// with_snapshot(&host, |snapshot| {
///     let finished = snapshot.finish(ReadOutcome::default()).unwrap();
///     assert_eq!(finished.meta.status, RagToolStatus::Fallback);
///     assert!(finished.is_complete && finished.skipped.is_empty());
/// });
/// ```
#[derive(Debug)]
pub struct Finished {
    /// The metadata of the answer.
    pub meta: RagToolMeta,
    /// The files and folders that were left out.
    pub skipped: Vec<Skipped>,
    /// Whether the walk reached its end.
    pub is_complete: bool,
}

impl<H: Host> Snapshot<'_, H> {
    /// Ends the snapshot and returns the metadata of the answer.
    ///
    /// # Errors
    /// [`Failure::ConcurrentModification`] if files differ from the snapshot; `STALE_INDEX` under
    /// the policy `error` if a file could not be read.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use ragnav_base::envelope::RouteReason;
    /// use ragnav_base::memory_host::MemoryHost;
    /// use ragnav_repository::snapshot::ReadOutcome;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     let meta = snapshot.finish(ReadOutcome::default()).unwrap().meta;
    ///     assert_eq!(meta.reason, Some(RouteReason::NoStatus));
    ///     assert_eq!(meta.files.unwrap().live, 1);
    /// });
    /// ```
    pub fn finish(mut self, outcome: ReadOutcome) -> Result<Finished, Failure> {
        let contradicted = self.contradicted.take();
        if !contradicted.is_empty() {
            return Err(Failure::ConcurrentModification(contradicted));
        }
        let used_index = self.examined.index.is_some() && self.examined.route.use_rag;
        for skip in &outcome.unreadable {
            if let Ok(path) = RepoPath::try_from(skip.file.clone()) {
                self.statuses.mark_unreadable(&path, skip.reason);
            }
        }
        for path in &outcome.left_out {
            self.statuses.mark_skipped(path, SkipReason::TooLarge);
            self.skip(path, SkipReason::TooLarge);
        }
        if self.policy == StalePolicy::Live && used_index && !self.route().use_rag {
            // Under this policy, the whole answer must come from live files then.
            let unreadable = outcome.unreadable.into_iter();
            let paths = unreadable.filter_map(|skip| RepoPath::try_from(skip.file).ok());
            return Err(Failure::ConcurrentModification(paths.collect()));
        }
        if outcome.needs_text {
            for path in std::mem::take(&mut self.unproven) {
                self.skip(&path, SkipReason::Changed);
            }
        }
        let meta = self.meta(outcome.unread, outcome.left_out.len())?;
        Ok(Finished {
            meta,
            skipped: self.skipped,
            is_complete: self.is_complete,
        })
    }

    fn skip(&mut self, path: &RepoPath, reason: SkipReason) {
        let file = path.to_string();
        self.skipped.push(Skipped { file, reason });
    }

    fn meta(&self, unread: usize, left_out: usize) -> Result<RagToolMeta, Failure> {
        self.refuse_unless_proven()?;
        let route = self.route();
        let (changed, _) = self.statuses.differing();
        let unchanged = self.statuses.unchanged();
        let files = FileCounts {
            graph: wire(unchanged + self.unproven.len()),
            live: wire((self.files.len() - unchanged).saturating_sub(unread + left_out)),
            changed: wire(changed),
            skipped: wire(self.skipped.len() + unread),
        };
        let mut meta = RagToolMeta {
            reason: Some(route.reason),
            head: route.head.clone(),
            files: Some(files),
            ..self.bare_meta(&route, files)
        };
        if !self.is_complete {
            add_message(&mut meta, &ended_early(self.settings.limits));
        }
        Ok(meta)
    }

    fn bare_meta(&self, route: &RouteDecision, files: FileCounts) -> RagToolMeta {
        let index_status = route.status.clone();
        let allowed = self.policy == StalePolicy::Allow && self.examined.index.is_some();
        if route.use_rag || allowed {
            let why = "Answered from the index as it is (policy `allow`).";
            let message = (!route.use_rag).then(|| format!("{} {why}", explain(route.reason)));
            let options = OkOptions {
                freshness_state: Some(route.freshness_state),
                index_status,
                message,
                ..OkOptions::default()
            };
            return ok_result::<()>(Vec::new(), options).meta;
        }
        let options = FallbackOptions {
            freshness_state: Some(route.freshness_state),
            index_status,
            message: Some(self.fallback_message(route.reason, files)),
        };
        fallback_result::<()>(Vec::new(), options).meta
    }

    fn fallback_message(&self, reason: RouteReason, files: FileCounts) -> String {
        let (_, unknown) = self.statuses.differing();
        let hides_unknown = unknown > 0 && files.changed == 0 && files.graph > 0;
        let said = if hides_unknown {
            RouteReason::FilesUnknown
        } else if self.statuses.has_other_version() {
            // The reason may be one that comes before it, such as a HEAD that is not known.
            RouteReason::SchemaUnsupported
        } else {
            reason
        };
        let words = freshness_words(said, files);
        match &self.examined.failure {
            Some(failure) => format!("{words} What failed: {failure}."),
            None => words,
        }
    }
}

fn ended_early(limits: Limits) -> String {
    let Limits {
        max_files,
        max_folders,
        ..
    } = limits;
    format!(
        "Not all files were read: only the first {max_files} (max_files) in the first \
         {max_folders} folders (max_folders). Raise these limits to read more."
    )
}
