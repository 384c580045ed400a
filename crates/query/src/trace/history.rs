//! Follows a definition through the commits between two states.
//!
//! Between distant states too much differs to recognise a definition by its body. A single commit
//! changes little, so one that has another name or file afterwards is found there. Its file tells
//! which commit that is: the first after which the file no longer has a definition of the name.

use std::collections::BTreeMap;

use ragnav_base::error::RagnavError;
use ragnav_base::host::{ChangedFile, CommitChanges, CommitsBetweenRequest, Host};
use ragnav_base::item::Match;
use ragnav_base::path::RepoPath;
use ragnav_index::reidentify_files::{
    FileReidentification, FileReidentifications, reidentify_files,
};
use ragnav_repository::snapshot::Snapshot;

use crate::states::{State, States, read_objects, shapes_of};

/// The largest number of commits between the states.
const MAX_COMMITS: u32 = 20_000;
/// The largest number of commits that are compared for one definition.
const MAX_COMPARED: usize = 32;
/// The largest number of files of code in a commit that is compared.
const MAX_FILES: usize = 2_000;

/// A definition of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DefinitionPlace {
    pub(super) file: RepoPath,
    pub(super) name_path: String,
    /// Its index among the definitions of the name path.
    pub(super) ordinal: usize,
}

impl DefinitionPlace {
    /// Describes a definition of a state by its index.
    pub(super) fn new(file: &RepoPath, state: &State, index: usize) -> Option<Self> {
        let symbol = state.definitions.symbols.get(index)?;
        Some(Self {
            file: file.clone(),
            name_path: symbol.name_path.clone(),
            ordinal: symbol.ordinal,
        })
    }

    /// Returns the index of the definition in a state of its file.
    fn index_in(&self, state: &State) -> Option<usize> {
        state
            .definitions
            .symbols
            .iter()
            .position(|one| one.name_path == self.name_path && one.ordinal == self.ordinal)
    }

    /// Returns the index of the only definition of the name path in a state of its file.
    pub(super) fn only_index_in(&self, state: &State) -> Option<usize> {
        let symbols = state.definitions.symbols.iter();
        let named = symbols.filter(|one| one.name_path == self.name_path);
        (named.count() == 1).then(|| self.index_in(state)).flatten()
    }
}

/// The files that differ before and after a commit, in the direction of the trace, by the ids of
/// their contents.
type Step = BTreeMap<RepoPath, (Option<String>, Option<String>)>;

/// The commits between two states.
pub(super) struct History<'s, 'q, H> {
    pub(super) snapshot: &'s Snapshot<'q, H>,
    steps: Vec<Step>,
}

impl<'s, 'q, H: Host> History<'s, 'q, H> {
    /// Returns a history of which nothing is known.
    pub(super) fn unknown(snapshot: &'s Snapshot<'q, H>) -> Self {
        let steps = Vec::new();
        Self { snapshot, steps }
    }

    /// Requests the commits from one to HEAD, or those back to it. A host without them has none.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn since(
        snapshot: &'s Snapshot<'q, H>,
        commit: &str,
        is_reverse: bool,
    ) -> Result<Self, RagnavError> {
        let request = CommitsBetweenRequest {
            from: commit.to_owned(),
            to: "HEAD".to_owned(),
            max_commits: MAX_COMMITS,
        };
        let commits = snapshot.host().send(request).await?.unwrap_or_default();
        let steps = commits.into_iter().map(|commit| step(commit, is_reverse));
        let mut steps: Vec<Step> = steps.collect();
        if is_reverse {
            steps.reverse();
        }
        Ok(Self { snapshot, steps })
    }

    /// Returns where a definition is after the last commit, or `None` if it was removed, or if what
    /// became of it is not certain.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn follow(
        &self,
        start: DefinitionPlace,
    ) -> Result<Option<DefinitionPlace>, RagnavError> {
        if self.steps.is_empty() {
            return Ok(None);
        }
        let (mut place, mut first) = (start, 0);
        for _ in 0..MAX_COMPARED {
            let Some(losing) = self.find_loss(&place, first).await? else {
                return Ok(Some(place));
            };
            let Some(next) = self.find_after(losing, &place).await? else {
                return Ok(None);
            };
            (place, first) = (next, losing + 1);
        }
        Ok(None)
    }

    /// Returns the first commit from an index on after which the file has no definition of the
    /// name, or several.
    async fn find_loss(
        &self,
        place: &DefinitionPlace,
        first: usize,
    ) -> Result<Option<usize>, RagnavError> {
        let steps = self.steps.iter().enumerate().skip(first);
        let touching = steps.filter(|(_, step)| step.contains_key(&place.file));
        let touching: Vec<usize> = touching.map(|(at, _)| at).collect();
        let Some(last) = touching.len().checked_sub(1) else {
            return Ok(None);
        };
        if self.is_there_after(&touching, last, place).await? {
            return Ok(None);
        }
        let (mut low, mut high) = (0, last);
        while low < high {
            let middle = low.midpoint(high);
            if self.is_there_after(&touching, middle, place).await? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(touching.get(low).copied())
    }

    async fn is_there_after(
        &self,
        touching: &[usize],
        at: usize,
        place: &DefinitionPlace,
    ) -> Result<bool, RagnavError> {
        let step = touching.get(at).and_then(|step| self.steps.get(*step));
        let after = step.and_then(|step| step.get(&place.file)?.1.clone());
        let objects: Vec<_> = after
            .map(|id| (place.file.clone(), id))
            .into_iter()
            .collect();
        let states = read_objects(self.snapshot, &objects).await?;
        let state = states.get(&place.file);
        Ok(state.is_some_and(|state| place.only_index_in(state).is_some()))
    }

    /// Returns where a definition is after a commit that takes it from its place.
    async fn find_after(
        &self,
        step: usize,
        place: &DefinitionPlace,
    ) -> Result<Option<DefinitionPlace>, RagnavError> {
        let Some(step) = self.steps.get(step).filter(|step| step.len() <= MAX_FILES) else {
            return Ok(None);
        };
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for (path, (before, after)) in step {
            old.extend(before.clone().map(|id| (path.clone(), id)));
            new.extend(after.clone().map(|id| (path.clone(), id)));
        }
        let before = read_objects(self.snapshot, &old).await?;
        let after = read_objects(self.snapshot, &new).await?;
        Ok(find_in(&before, &after, place))
    }
}

/// Finds a definition of one state in another.
fn find_in(before: &States, after: &States, place: &DefinitionPlace) -> Option<DefinitionPlace> {
    let found = reidentify_files(&shapes_of(before), &shapes_of(after));
    let transition = Transition {
        before,
        after,
        found,
    };
    transition.find(place)
}

/// Two states, and which definition of the second is which of the first.
struct Transition<'s> {
    before: &'s States,
    after: &'s States,
    found: FileReidentifications,
}

impl Transition<'_> {
    fn find(&self, place: &DefinitionPlace) -> Option<DefinitionPlace> {
        let index = place.index_in(self.before.get(&place.file)?)?;
        for (file, joins) in &self.found {
            let is_own = |join: &&FileReidentification| {
                let is_certain = join.how != Match::Ambiguous;
                is_certain && join.file == place.file && join.before == index
            };
            let mut joins = joins.iter();
            let joined = joins.position(|join| join.as_ref().is_some_and(|join| is_own(&join)));
            if let Some(joined) = joined {
                return DefinitionPlace::new(file, self.after.get(file)?, joined);
            }
        }
        self.find_inside(place)
    }

    /// Finds a definition by the one around it, if it is the only one of its name there. A short
    /// body alone does not tell.
    fn find_inside(&self, place: &DefinitionPlace) -> Option<DefinitionPlace> {
        let (around, name) = place.name_path.rsplit_once('.')?;
        let around = DefinitionPlace {
            file: place.file.clone(),
            name_path: around.to_owned(),
            ordinal: 0,
        };
        around.only_index_in(self.before.get(&place.file)?)?;
        let around = self.find(&around)?;
        let inside = DefinitionPlace {
            name_path: format!("{}.{name}", around.name_path),
            ..around
        };
        let index = inside.only_index_in(self.after.get(&inside.file)?)?;
        let joins = self.found.get(&inside.file)?;
        let is_free = joins.get(index).is_some_and(Option::is_none);
        is_free.then_some(inside)
    }
}

/// Returns the files of code that a commit changes.
fn step(commit: CommitChanges, is_reverse: bool) -> Step {
    let files = commit.files.into_iter().filter_map(|file| {
        let ChangedFile {
            path,
            before,
            after,
        } = file;
        let path = RepoPath::parse(&path).ok()?;
        ragnav_syntax::detect_language(&path)?;
        let way = if is_reverse {
            (after, before)
        } else {
            (before, after)
        };
        Some((path, way))
    });
    files.collect()
}
