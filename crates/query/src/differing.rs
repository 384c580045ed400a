//! The files that differ from the index, as they are now, to see what moved between them.

use std::collections::{BTreeMap, BTreeSet};

use crate::basis::Basis;
use crate::file_symbols::FileSymbols;
use crate::live_files::LiveFiles;
use crate::scope::Scope;
use crate::{Settings, StalePolicy};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Verdict;
use ragnav_base::path::RepoPath;
use ragnav_index::rejoin_files::Shapes;
use ragnav_repository::overlay::Overlaid;

/// How many of them are read. With more, a definition is found again in its own file alone, until the next build.
pub(super) const MAX_FILES: usize = 64;

/// The definitions of the files that differ from the index, whatever the question is about.
pub(super) struct Differing {
    files: BTreeMap<RepoPath, FileSymbols>,
    /// The files that are proven to be as they were indexed.
    standing: BTreeSet<RepoPath>,
}

impl Differing {
    /// Reads them; `None` without an index, and where they are too many.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub(super) async fn read<H: Host>(
        host: &Overlaid<'_, H>,
        settings: &Settings,
        basis: &Basis,
    ) -> Result<Option<Self>, RagnavError> {
        if basis.index().is_none() {
            return Ok(None);
        }
        let policy = Some(StalePolicy::Merge);
        let Ok(basis) = Basis::new(host, settings, policy, Scope::Everything).await else {
            return Ok(None);
        };
        let verdicts = basis.verification().files();
        let paths: Vec<RepoPath> = verdicts
            .filter(|(file, check)| {
                let is_there = matches!(check.verdict, Verdict::Added | Verdict::Changed);
                is_there && ragnav_syntax::detect_language(file).is_some()
            })
            .map(|(file, _)| file.clone())
            .collect();
        if paths.len() > MAX_FILES {
            return Ok(None);
        }
        let mut files = BTreeMap::new();
        let mut live = LiveFiles::new(host, &paths, settings.limits.max_file_bytes);
        while let Some((path, bytes)) = live.next().await? {
            if let Some(text) = live.text(path, &bytes) {
                files.insert(path.clone(), FileSymbols::with_bodies(path, text));
            }
        }
        let verdicts = basis.verification().files();
        let standing = verdicts.filter(|(_, check)| check.verdict == Verdict::Unchanged);
        Ok(Some(Self {
            files,
            standing: standing.map(|(file, _)| file.clone()).collect(),
        }))
    }

    /// The definitions of one of them.
    pub(super) fn file(&self, path: &RepoPath) -> Option<&FileSymbols> {
        self.files.get(path)
    }

    /// The definitions of all of them.
    pub(super) fn shapes(&self) -> Shapes {
        let files = self.files.iter();
        files
            .map(|(file, symbols)| (file.clone(), symbols.shapes.clone()))
            .collect()
    }

    /// Whether what was known of a file may be about one of these: nothing proves that it still stands there.
    pub(super) fn may_be_from(&self, file: &RepoPath) -> bool {
        !self.standing.contains(file)
    }
}
