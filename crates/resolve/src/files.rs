//! The files of a repository and their folders.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::path::RepoPath;

/// Files of a repository with all folders that contain one.
#[derive(Debug, Default, Clone)]
pub(super) struct Files {
    paths: BTreeSet<RepoPath>,
    folders: BTreeSet<RepoPath>,
    /// The folders that are repositories of their own.
    roots: Vec<RepoPath>,
}

impl Files {
    pub(super) fn new(files: impl Iterator<Item = RepoPath>, roots: &[RepoPath]) -> Self {
        let paths: BTreeSet<RepoPath> = files.collect();
        let mut folders = BTreeSet::new();
        for file in &paths {
            let mut folder = parent(file);
            while folders.insert(folder.clone()) && folder != RepoPath::root() {
                folder = parent(&folder);
            }
        }
        Self {
            paths,
            folders,
            roots: roots.to_vec(),
        }
    }

    /// Returns the root of the repository that a path lies in.
    pub(super) fn root_of(&self, path: &RepoPath) -> RepoPath {
        let mut roots = self.roots.iter();
        let around = roots.find(|root| path == *root || path.below(root).is_some());
        around.cloned().unwrap_or_else(RepoPath::root)
    }

    /// Joins a relative path to a folder. Returns `None` if the path leaves the repository: where
    /// another one lies on disk is unknown.
    pub(super) fn join_inside(&self, from: &RepoPath, path: &str) -> Option<RepoPath> {
        let place = join_relative(from, path)?;
        (self.root_of(&place) == self.root_of(from)).then_some(place)
    }

    /// Returns the roots of the other repositories.
    pub(super) fn roots_besides<'r>(
        &'r self,
        own: &'r RepoPath,
    ) -> impl Iterator<Item = &'r RepoPath> {
        self.roots.iter().filter(move |root| *root != own)
    }

    pub(super) fn contains(&self, file: &RepoPath) -> bool {
        self.paths.contains(file)
    }

    pub(super) fn contains_folder(&self, folder: &RepoPath) -> bool {
        self.folders.contains(folder)
    }

    /// Returns the files of each name.
    pub(super) fn by_name(&self) -> BTreeMap<String, Vec<RepoPath>> {
        let mut named: BTreeMap<String, Vec<RepoPath>> = BTreeMap::new();
        for file in &self.paths {
            let same = named.entry(file.name().to_owned()).or_default();
            same.push(file.clone());
        }
        named
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &RepoPath> {
        self.paths.iter()
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

/// Returns the number of folders at the start of both paths.
pub(super) fn shared_folders(one: &RepoPath, other: &RepoPath) -> usize {
    let (one, other) = (one.as_str().split('/'), other.as_str().split('/'));
    let shared = one.zip(other).take_while(|(one, other)| one == other);
    shared.filter(|(one, _)| !one.is_empty()).count()
}
