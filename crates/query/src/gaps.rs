//! What a query could not look at, as doubts about its answer.

use std::collections::BTreeSet;

use crate::partial_files::PartialFiles;
use ragnav_base::completeness::{Doubt, DoubtReason};
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::item::Skipped;
use ragnav_base::path::RepoPath;

/// What a query could not look at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gaps<'q> {
    /// The number of files that could not be read, and those of them whose names are known.
    pub(super) unread: (usize, &'q [Skipped]),
    /// The files of which less is known than they hold.
    pub(super) partial: &'q PartialFiles,
    /// The number of files that are answered for although they may have changed.
    pub(super) stale: usize,
    /// Whether a limit ended the query.
    pub(super) is_cut: bool,
}

impl Default for Gaps<'_> {
    fn default() -> Self {
        const NO_FILES: &PartialFiles = &PartialFiles {
            cut: BTreeSet::new(),
            unparsed: BTreeSet::new(),
        };
        Self {
            unread: (0, &[]),
            partial: NO_FILES,
            stale: 0,
            is_cut: false,
        }
    }
}

impl Gaps<'_> {
    /// Returns the doubts about what was not looked at, with the files and folders that the
    /// snapshot skipped.
    pub(super) fn doubts(&self, meta: &RagToolMeta, skipped: &[Skipped]) -> Vec<Doubt> {
        let names = |skipped: &[Skipped]| {
            let names: BTreeSet<String> = skipped.iter().map(|skip| skip.file.clone()).collect();
            names
        };
        let (unread, known) = self.unread;
        let paths = |files: &BTreeSet<RepoPath>| files.iter().map(RepoPath::to_string).collect();
        let PartialFiles { cut, unparsed } = self.partial;
        let all_skipped = meta.files.map_or(0, |files| files.skipped as usize);
        let counted = [
            (DoubtReason::Partial, cut.len(), paths(cut)),
            (DoubtReason::Unparsed, unparsed.len(), paths(unparsed)),
            (DoubtReason::Unread, unread, names(known)),
            (
                DoubtReason::Skipped,
                all_skipped.saturating_sub(unread),
                names(skipped),
            ),
            (DoubtReason::Stale, self.stale, BTreeSet::new()),
        ];
        let counted = counted.into_iter().filter(|(_, count, _)| *count > 0);
        let counted = counted.map(|(reason, count, files)| Doubt::in_files(reason, count, files));
        let limit = self.is_cut.then(|| Doubt::general(DoubtReason::Limit));
        counted.chain(limit).collect()
    }
}
