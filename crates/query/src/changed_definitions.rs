//! The definitions of the files that differ from the index, to find those that moved between files.

use std::collections::{BTreeMap, BTreeSet};

use crate::file_definitions::FileDefinitions;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Verdict;
use ragnav_base::path::RepoPath;
use ragnav_index::shapes::ShapesByFile;
use ragnav_repository::snapshot::Snapshot;

/// The largest number of changed files that are read. Above it, a definition is re-identified only
/// in its own file, until the next build.
pub(super) const MAX_FILES: usize = 64;

/// The definitions of the files that differ from the index, whatever the scope.
pub(super) struct ChangedDefinitions {
    files: BTreeMap<RepoPath, FileDefinitions>,
    /// The files that are proven unchanged.
    unchanged: BTreeSet<RepoPath>,
}

impl ChangedDefinitions {
    /// Reads these files. Returns `None` without an index, and for more than [`MAX_FILES`] files.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn read<H: Host>(
        snapshot: &Snapshot<'_, H>,
    ) -> Result<Option<Self>, RagnavError> {
        if snapshot.index().is_none() {
            return Ok(None);
        }
        let Ok(statuses) = snapshot.all_statuses().await else {
            return Ok(None);
        };
        let is_changed = |verdict| matches!(verdict, Verdict::Added | Verdict::Changed);
        let changed = statuses.files().filter(|(file, status)| {
            is_changed(status.verdict) && ragnav_syntax::detect_language(file).is_some()
        });
        let paths: Vec<RepoPath> = changed.map(|(file, _)| file.clone()).collect();
        if paths.len() > MAX_FILES {
            return Ok(None);
        }
        let mut files = BTreeMap::new();
        let mut reader = snapshot.reader(&paths);
        while let Some((path, bytes)) = reader.next().await? {
            if let Some(text) = reader.text(path, &bytes) {
                snapshot.load_grammar(path, &text).await;
                files.insert(path.clone(), FileDefinitions::with_bodies(path, &text));
            }
        }
        let unchanged = statuses
            .files()
            .filter(|(_, status)| status.verdict == Verdict::Unchanged);
        Ok(Some(Self {
            files,
            unchanged: unchanged.map(|(file, _)| file.clone()).collect(),
        }))
    }

    /// Returns the definitions of one of these files.
    pub(super) fn file(&self, path: &RepoPath) -> Option<&FileDefinitions> {
        self.files.get(path)
    }

    /// Returns the definitions of all these files.
    pub(super) fn shapes(&self) -> ShapesByFile {
        let files = self.files.iter();
        files
            .map(|(file, symbols)| (file.clone(), symbols.shapes.clone()))
            .collect()
    }

    /// Reports whether definitions of a file may have moved to one of these: the file is not proven
    /// unchanged.
    pub(super) fn may_be_from(&self, file: &RepoPath) -> bool {
        !self.unchanged.contains(file)
    }
}
