//! Whether what was found of files still holds.
//!
//! An answer rests on the files of its documents; that nothing was found rests on all files. Where the text of a document is wanted its file is
//! read and hashed: one that has changed since it was looked at is left out, and said.

use std::collections::{BTreeMap, BTreeSet};

use super::current::Current;
use super::hit::Hit;
use super::live_text::{Files, Now, read, text_at};
use super::store::Place;
use super::store::embedded::EmbeddedStore;
use ragnav_base::envelope::{FreshnessState, Proof, RouteDecision, RouteReason, SourceTag};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Match, SkipReason, Skipped, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_index::index::FileRecord;
use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::provenance::Provenance;
use ragnav_repository::route;
use ragnav_repository::settings::{Settings, StalePolicy};

/// How hits are held against their files.
pub(super) struct Proving {
    pub(super) policy: StalePolicy,
    /// Whether the texts are wanted; if not, files that are proven otherwise are not read.
    pub(super) with_text: bool,
}

/// A hit, and how what it says is known.
pub(super) struct Known {
    pub(super) hit: Hit,
    pub(super) ground: Provenance,
    /// How it was found again in a file that has changed.
    pub(super) found: Option<Match>,
}

/// Hits that were held against their files.
pub(super) struct Proven {
    pub(super) known: Vec<Known>,
    pub(super) route: RouteDecision,
    /// Whether an index answers that is not proven: the policy `allow`.
    pub(super) is_allowed: bool,
    /// Files of which documents are left out, and why.
    pub(super) skipped: Vec<Skipped>,
    pub(super) statuses: FileStatuses,
    /// Files of which documents stand in the answer as they are now.
    pub(super) live: usize,
    /// Documents that were found again in files that have changed.
    pub(super) rebound: usize,
    /// Documents that are left out.
    pub(super) lost: usize,
}

/// Hits of a store that nobody can vouch for.
pub(super) fn unproven(hits: Vec<Hit>, route: RouteDecision) -> Proven {
    let known = hits.into_iter().map(|hit| Known {
        hit,
        ground: remembered(FreshnessState::Unknown),
        found: None,
    });
    Proven {
        known: known.collect(),
        route: route::unusable(route, RouteReason::FilesUnknown),
        is_allowed: false,
        skipped: Vec::new(),
        statuses: FileStatuses::default(),
        live: 0,
        rebound: 0,
        lost: 0,
    }
}

/// Holds the hits of the embedded store against their files.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn prove<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    current: Current,
    hits: Vec<Hit>,
    proving: &Proving,
) -> Result<Proven, RagnavError> {
    let index = current.examined.index.as_deref();
    let paths: BTreeSet<RepoPath> = hits.iter().filter_map(path_of).cloned().collect();
    let is_about_all = hits.is_empty();
    let mut statuses = if is_about_all {
        current.statuses.clone()
    } else {
        current.statuses.of_files(|path| paths.contains(path))
    };
    let is_as_stored = |place: &Place, statuses: &FileStatuses| {
        let check = statuses.get(&place.path);
        let is_unchanged = check.is_some_and(|check| check.verdict == Verdict::Unchanged);
        let record = index.and_then(|index| index.file(&place.path));
        is_unchanged && record.and_then(FileRecord::hash) == Some(place.hash)
    };
    let unread = |hit: &Hit| {
        let place = hit.place.as_ref()?;
        let wanted = proving.with_text || !is_as_stored(place, &statuses);
        wanted.then(|| place.path.clone())
    };
    let unread: BTreeSet<RepoPath> = hits.iter().filter_map(unread).collect();
    let files = read(host, settings, unread.into_iter().collect()).await?;
    let mut skipped = correct(&mut statuses, &hits, &files);
    let mut known = Vec::with_capacity(hits.len());
    let mut live = BTreeSet::new();
    let (mut rebound, mut lost) = (0, 0);
    let are_unknown = hits.iter().any(|hit| hit.place.is_none());
    for hit in hits {
        let path = path_of(&hit).cloned();
        let check = path.as_ref().and_then(|path| statuses.get(path));
        let is_live = path
            .as_ref()
            .is_some_and(|path| current.live.contains(path));
        let Some(mut one) = proving.known(hit, &files, check.copied(), host) else {
            lost += 1;
            if let Some(path) = path {
                skipped.entry(path).or_insert(SkipReason::Changed);
            }
            continue;
        };
        if is_live {
            one.ground = Provenance::live(live_proof(one.ground.proof));
            one.found = found_again(&one.hit, &current.stored);
            rebound += usize::from(one.found.is_some());
            live.extend(path);
        }
        known.push(one);
    }
    let mut route = route::with_verdicts(current.examined.route, &statuses);
    let is_made = !live.is_empty() || (is_about_all && !current.live.is_empty());
    if route.use_rag && is_made {
        route = route::unusable(route, RouteReason::DocumentsMissing);
    } else if route.use_rag && are_unknown {
        route = route::unusable(route, RouteReason::FilesUnknown);
    }
    let skipped = skipped.into_iter().map(|(path, reason)| Skipped {
        file: path.to_string(),
        reason,
    });
    let may_hold = |skip: &Skipped| is_about_all || is_unread_folder(skip);
    let left_out = current.skipped.into_iter().filter(may_hold);
    Ok(Proven {
        known,
        is_allowed: proving.policy == StalePolicy::Allow && current.examined.index.is_some(),
        route,
        skipped: skipped.chain(left_out).collect(),
        statuses,
        live: live.len(),
        rebound,
        lost,
    })
}

/// Whether nobody knows what is there: it might have held what fits better.
fn is_unread_folder(skip: &Skipped) -> bool {
    use SkipReason::{Denied, Io, TooDeep, TooManyFiles};
    let is_folder = skip.file.ends_with('/');
    let is_cut = skip.reason == TooManyFiles;
    is_cut || (is_folder && matches!(skip.reason, Denied | Io | TooDeep))
}

/// A text that was read now, be it saved or not.
fn live_proof(proof: Proof) -> Proof {
    match proof {
        Proof::Overlay => Proof::Overlay,
        _ => Proof::Live,
    }
}

/// How a document of a file that has changed was found again, by what it is called there; `None` for a new one.
fn found_again(hit: &Hit, stored: &EmbeddedStore) -> Option<Match> {
    let place = hit.place.as_ref()?;
    let before = stored.place_of(&place.path, &place.name)?;
    let start = |place: &Place| place.lines.first().map(|lines| lines.start);
    let is_there = start(&before) == start(place);
    Some(if is_there { Match::Exact } else { Match::Moved })
}

/// Notes what reading files showed. Gives those that could not be read.
fn correct(
    statuses: &mut FileStatuses,
    hits: &[Hit],
    files: &Files,
) -> BTreeMap<RepoPath, SkipReason> {
    let mut unread = BTreeMap::new();
    for (path, file) in files {
        let check = match file {
            Err(SkipReason::Missing) => FileStatus::new(Verdict::Removed, Proof::Live),
            Err(reason) => FileStatus::unknown(*reason),
            Ok(now) if holds_others(path, now, hits) => {
                FileStatus::new(Verdict::Changed, Proof::Hash)
            }
            Ok(_) => continue,
        };
        statuses.correct(path, check);
        if let Err(reason) = file {
            unread.insert(path.clone(), *reason);
        }
    }
    unread
}

/// Whether a file is not what hits were made of.
fn holds_others(path: &RepoPath, now: &Now, hits: &[Hit]) -> bool {
    let mut own = hits.iter().filter_map(|hit| hit.place.as_ref());
    own.any(|place| place.path == *path && place.hash != now.hash)
}

impl Proving {
    /// How a hit is known; `None` for one that must be left out. `files` are those that were read.
    fn known<H: Host>(
        &self,
        mut hit: Hit,
        files: &Files,
        check: Option<FileStatus>,
        host: &Overlaid<'_, H>,
    ) -> Option<Known> {
        let as_it_is = |hit, ground| Known {
            hit,
            ground,
            found: None,
        };
        let Some(place) = &hit.place else {
            return Some(as_it_is(hit, remembered(FreshnessState::Unknown)));
        };
        match files.get(&place.path) {
            None => {
                let proof = check.map_or(Proof::None, |check| check.proof);
                Some(as_it_is(hit, Provenance::indexed(proof)))
            }
            Some(Ok(now)) if now.hash == place.hash => {
                let proof = match host.proof(&place.path) {
                    Proof::Overlay => Proof::Overlay,
                    _ => Proof::Hash,
                };
                hit.document = Some(text_at(now, place));
                Some(as_it_is(hit, Provenance::indexed(proof)))
            }
            Some(_) if self.policy == StalePolicy::Allow => {
                Some(as_it_is(hit, remembered(FreshnessState::Stale)))
            }
            Some(_) => None,
        }
    }
}

fn path_of(hit: &Hit) -> Option<&RepoPath> {
    hit.place.as_ref().map(|place| &place.path)
}

/// What is stored of something that nobody proves.
fn remembered(freshness_state: FreshnessState) -> Provenance {
    Provenance {
        source: SourceTag::RagGraph,
        freshness_state,
        proof: Proof::None,
    }
}
