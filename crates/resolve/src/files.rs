//! The files of a repository and their folders.

use std::collections::BTreeSet;

use ragnav_base::path::RepoPath;

/// Files of a repository with all folders that contain one.
#[derive(Debug, Default, Clone)]
pub(super) struct Files {
    files: BTreeSet<RepoPath>,
    folders: BTreeSet<RepoPath>,
}

impl Files {
    pub(super) fn new(files: impl Iterator<Item = RepoPath>) -> Self {
        let files: BTreeSet<RepoPath> = files.collect();
        let mut folders = BTreeSet::new();
        for file in &files {
            let mut folder = parent(file);
            while folders.insert(folder.clone()) && folder != RepoPath::root() {
                folder = parent(&folder);
            }
        }
        Self { files, folders }
    }

    pub(super) fn contains(&self, file: &RepoPath) -> bool {
        self.files.contains(file)
    }

    pub(super) fn contains_folder(&self, folder: &RepoPath) -> bool {
        self.folders.contains(folder)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &RepoPath> {
        self.files.iter()
    }
}

/// Returns the parent folder. The root is its own parent.
pub(super) fn parent(path: &RepoPath) -> RepoPath {
    path.parent().unwrap_or_else(RepoPath::root)
}

/// Joins a relative path to a folder. Returns `None` if the path leaves the repository.
pub(super) fn join_relative(from: &RepoPath, path: &str) -> Option<RepoPath> {
    let mut place = from.clone();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if place == RepoPath::root() => return None,
            ".." => place = parent(&place),
            name => place = place.join(name)?,
        }
    }
    Some(place)
}
