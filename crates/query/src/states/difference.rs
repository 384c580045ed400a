//! The files that differ between two states of the repository, and what is in them.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::envelope::Proof;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{
    Changes, ChangesRequest, Host, HostError, ReadManyRequest, ReadObjectsRequest,
};
use ragnav_base::item::Verdict;
use ragnav_base::path::RepoPath;
use ragnav_base::text;
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;

use super::{State, States};
use crate::file_definitions::FileDefinitions;

/// The number of objects that are requested at once.
const BATCH: usize = 256;

/// The state after that is what is staged.
const STAGED: &str = "staged";

/// The commit that is checked out, which only a repository without commits lacks.
const HEAD: &str = "HEAD";

/// A state of the repository, as a caller names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StateName {
    /// A branch, a tag or a commit; as the state after also `staged`.
    Commit(String),
    /// What the last build recorded.
    Index,
    /// The saved files.
    Disk,
    /// The files with unsaved text.
    Now,
}

impl StateName {
    /// Reads the value of an option.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for what can be no name of a commit.
    pub(crate) fn parse(option: &str, value: &str) -> Result<Self, RagnavError> {
        if value.is_empty() || value.starts_with('-') {
            let message =
                format!("`{option}` must be a branch, a tag, a commit, `index` or `disk`");
            return Err(RagnavError::invalid(message));
        }
        Ok(match value {
            "index" => Self::Index,
            "disk" => Self::Disk,
            commit => Self::Commit(commit.to_owned()),
        })
    }

    /// Returns the provenance of what is only in this state.
    pub(crate) fn provenance<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        path: &RepoPath,
    ) -> Provenance {
        match self {
            Self::Commit(_) => Provenance::live(Proof::Hash),
            Self::Index => Provenance::indexed(Proof::Hash),
            Self::Disk => Provenance::live(Proof::Live),
            Self::Now => Provenance::live(snapshot.live_proof(path)),
        }
    }
}

/// The files that differ, and their states.
pub(crate) struct Difference {
    /// The state before: the full id of a commit, `index` or `disk`.
    pub(crate) from: String,
    /// The state after; `None` for the files as they are now.
    pub(crate) to: Option<String>,
    pub(crate) before: States,
    pub(crate) after: States,
    /// The files of which a state could not be read.
    pub(crate) unread: Vec<RepoPath>,
}

/// Reads both states of the files in known languages that differ.
///
/// # Errors
/// `INVALID_ARGUMENT` if there is no such commit or no index; `HOST_FAILED` if the host throws or
/// has no commits.
pub(crate) async fn difference<H: Host>(
    snapshot: &Snapshot<'_, H>,
    from: &StateName,
    to: &StateName,
) -> Result<Difference, RagnavError> {
    let (old, new) = if let (StateName::Commit(from), StateName::Commit(to)) = (from, to) {
        versions_of_commits(snapshot, from, to).await?
    } else {
        let old = Versions::beside_now(snapshot, from).await?;
        (old, Versions::beside_now(snapshot, to).await?)
    };
    let files = old.files.keys().chain(new.files.keys()).cloned();
    let paths: BTreeSet<RepoPath> = files
        .filter(|path| ragnav_syntax::detect_language(path).is_some())
        .collect();
    let mut reader = StateReader {
        snapshot,
        unread: BTreeSet::new(),
    };
    let mut before = reader.read(&old, &paths).await?;
    let mut after = reader.read(&new, &paths).await?;
    let unread: Vec<RepoPath> = reader.unread.into_iter().collect();
    // Files that differ in their line ends alone are no change.
    let equal: Vec<RepoPath> = before
        .iter()
        .filter(|(path, state)| after.get(*path).is_some_and(|now| now.has_text_of(state)))
        .map(|(path, _)| path.clone())
        .collect();
    for path in unread.iter().chain(&equal) {
        before.remove(path);
        after.remove(path);
    }
    Ok(Difference {
        from: old.name.unwrap_or_default(),
        to: new.name,
        before,
        after,
        unread,
    })
}

/// Reads contents of files in known languages by their object ids. Those that cannot be read are
/// left out.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(crate) async fn read_objects<H: Host>(
    snapshot: &Snapshot<'_, H>,
    objects: &[(RepoPath, String)],
) -> Result<States, RagnavError> {
    let mut reader = StateReader {
        snapshot,
        unread: BTreeSet::new(),
    };
    let mut states = BTreeMap::new();
    let objects: Vec<_> = objects.iter().map(|(path, id)| (path, id)).collect();
    reader.add_objects(&mut states, &objects).await?;
    Ok(states)
}

/// Reads a file as it is now; `None` if there is no such file, or if it cannot be read.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(crate) async fn read_now<H: Host>(
    snapshot: &Snapshot<'_, H>,
    path: &RepoPath,
) -> Result<Option<State>, RagnavError> {
    let mut reader = StateReader {
        snapshot,
        unread: BTreeSet::new(),
    };
    let mut states = BTreeMap::new();
    reader.add_current(&mut states, path).await?;
    Ok(states.remove(path))
}

/// Where the version of a file is read.
enum Version {
    /// There is no such file.
    Absent,
    /// An object of git.
    Object(String),
    /// The facts of the index.
    Indexed,
    /// The saved file.
    Saved,
}

/// A state as what differs from another one. What it does not name is as the files are now.
struct Versions {
    /// The id of the commit, or the name of the state; `None` for the files as they are now.
    name: Option<String>,
    files: BTreeMap<RepoPath, Version>,
}

impl Versions {
    /// Returns a state as what differs from the files as they are now.
    async fn beside_now<H: Host>(
        snapshot: &Snapshot<'_, H>,
        state: &StateName,
    ) -> Result<Self, RagnavError> {
        match state {
            StateName::Commit(commit) => {
                let changes = changes(snapshot, commit, None).await?;
                let versions = changes.files.into_iter();
                let files = versions.map(|file| (file.path, file.before));
                Ok(Self::of_objects(Some(changes.from), files))
            }
            StateName::Index => Self::of_index(snapshot).await,
            StateName::Disk => {
                let unsaved = unsaved(snapshot).map(|path| (path, Version::Saved));
                let name = Some("disk".to_owned());
                let files = unsaved.collect();
                Ok(Self { name, files })
            }
            StateName::Now => Ok(Self {
                name: None,
                files: BTreeMap::new(),
            }),
        }
    }

    fn of_objects(
        commit: Option<String>,
        files: impl Iterator<Item = (String, Option<String>)>,
    ) -> Self {
        let files = files.filter_map(|(path, object)| {
            let version = object.map_or(Version::Absent, Version::Object);
            Some((RepoPath::parse(&path).ok()?, version))
        });
        Self {
            name: commit,
            files: files.collect(),
        }
    }

    async fn of_index<H: Host>(snapshot: &Snapshot<'_, H>) -> Result<Self, RagnavError> {
        if snapshot.index().is_none() {
            let message = "there is no index to compare with; build it, or name a commit";
            return Err(RagnavError::invalid(message));
        }
        let statuses = snapshot.all_statuses().await?;
        let files = statuses.files().filter_map(|(path, status)| {
            let version = match status.verdict {
                Verdict::Changed | Verdict::Removed | Verdict::Unknown => Version::Indexed,
                Verdict::Added => Version::Absent,
                Verdict::Unchanged | Verdict::Skipped => return None,
            };
            Some((path.clone(), version))
        });
        Ok(Self {
            name: Some("index".to_owned()),
            files: files.collect(),
        })
    }
}

/// Returns two commits as what differs between them.
async fn versions_of_commits<H: Host>(
    snapshot: &Snapshot<'_, H>,
    from: &str,
    to: &str,
) -> Result<(Versions, Versions), RagnavError> {
    let changes = changes(snapshot, from, Some(to)).await?;
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for file in changes.files {
        old.push((file.path.clone(), file.before));
        new.push((file.path, file.after));
    }
    Ok((
        Versions::of_objects(Some(changes.from), old.into_iter()),
        Versions::of_objects(changes.to, new.into_iter()),
    ))
}

fn unsaved<H: Host>(snapshot: &Snapshot<'_, H>) -> impl Iterator<Item = RepoPath> {
    let files = snapshot.files().iter();
    let unsaved = files.filter(|path| snapshot.live_proof(path) == Proof::Overlay);
    unsaved.cloned()
}

async fn changes<H: Host>(
    snapshot: &Snapshot<'_, H>,
    from: &str,
    to: Option<&str>,
) -> Result<Changes, RagnavError> {
    let mut paths = Vec::new();
    if to.is_none() {
        paths.extend(snapshot.files().iter().cloned());
        paths.retain(|path| ragnav_syntax::detect_language(path).is_some());
    }
    let request = ChangesRequest {
        from: from.to_owned(),
        to: to.map(str::to_owned),
        unsaved: match to {
            Some(_) => Vec::new(),
            None => unsaved(snapshot).collect(),
        },
        paths,
    };
    if let Some(changes) = snapshot.host().send(request).await? {
        return Ok(changes);
    }
    let missing = match to {
        Some(to) if to != STAGED && has_commit(snapshot, from).await? => to,
        _ => from,
    };
    Err(RagnavError::invalid(if missing == HEAD {
        "this repository has no commit yet".to_owned()
    } else {
        format!(
            "there is no commit `{missing}` in this repository; give a branch, a tag or a commit id"
        )
    }))
}

async fn has_commit<H: Host>(snapshot: &Snapshot<'_, H>, name: &str) -> Result<bool, RagnavError> {
    let nothing = ChangesRequest {
        from: name.to_owned(),
        to: Some(name.to_owned()),
        unsaved: Vec::new(),
        paths: Vec::new(),
    };
    Ok(snapshot.host().send(nothing).await?.is_some())
}

/// Reads states of files, and notes the files of which one could not be read.
struct StateReader<'s, 'q, H> {
    snapshot: &'s Snapshot<'q, H>,
    unread: BTreeSet<RepoPath>,
}

impl<H: Host> StateReader<'_, '_, H> {
    async fn read(
        &mut self,
        versions: &Versions,
        paths: &BTreeSet<RepoPath>,
    ) -> Result<States, RagnavError> {
        let mut states = BTreeMap::new();
        let mut objects = Vec::new();
        for path in paths {
            match versions.files.get(path) {
                Some(Version::Absent) => {}
                Some(Version::Object(id)) => objects.push((path, id)),
                Some(Version::Indexed) => self.add_indexed(&mut states, path).await,
                Some(Version::Saved) => self.add_saved(&mut states, path).await?,
                None => self.add_current(&mut states, path).await?,
            }
        }
        self.add_objects(&mut states, &objects).await?;
        Ok(states)
    }

    async fn add_objects(
        &mut self,
        states: &mut States,
        objects: &[(&RepoPath, &String)],
    ) -> Result<(), RagnavError> {
        for batch in objects.chunks(BATCH) {
            let request = ReadObjectsRequest {
                ids: batch.iter().map(|(_, id)| (*id).clone()).collect(),
                max_bytes: self.snapshot.settings().limits.max_file_bytes,
            };
            let read = self.snapshot.host().send(request).await?;
            for ((path, _), bytes) in batch.iter().zip(read) {
                self.add(states, path, bytes).await;
            }
        }
        Ok(())
    }

    async fn add_indexed(&mut self, states: &mut States, path: &RepoPath) {
        let Some(definitions) = FileDefinitions::indexed(self.snapshot, path).await else {
            self.unread.insert(path.clone());
            return;
        };
        let text = None;
        states.insert(path.clone(), State { text, definitions });
    }

    async fn add_saved(&mut self, states: &mut States, path: &RepoPath) -> Result<(), RagnavError> {
        let request = ReadManyRequest {
            paths: vec![path.clone()],
            max_bytes: self.snapshot.settings().limits.max_file_bytes,
        };
        let saved = self.snapshot.host().saved();
        for bytes in saved.send(request).await? {
            if !matches!(bytes, Err(HostError::Missing)) {
                self.add(states, path, bytes).await;
            }
        }
        Ok(())
    }

    async fn add_current(
        &mut self,
        states: &mut States,
        path: &RepoPath,
    ) -> Result<(), RagnavError> {
        if self.snapshot.files().binary_search(path).is_ok() {
            let bytes = self.snapshot.read(path).await?;
            self.add(states, path, bytes).await;
        }
        Ok(())
    }

    async fn add(
        &mut self,
        states: &mut States,
        path: &RepoPath,
        bytes: Result<Vec<u8>, HostError>,
    ) {
        let text = bytes.ok().and_then(|bytes| {
            let text = text::decode(&bytes).ok()?;
            Some(text.into_string())
        });
        let Some(text) = text else {
            self.unread.insert(path.clone());
            return;
        };
        self.snapshot.load_grammar(path, &text).await;
        states.insert(path.clone(), State::new(path, text));
    }
}
