//! Whether what was stored of files still holds, and what has become of what does not.
//!
//! That nothing was found rests on all files, so then all of them are held against the index. Otherwise a document's file is held against the index, and where its text is wanted its bytes are read and hashed. In a file that has
//! changed a document is found again by what it is called there, or by its heading or symbol, in the file as it is now; otherwise it is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::evaluate;
use super::hit::Hit;
use super::plan::Filter;
use super::rebind::{Files, as_stored, divide, found_again, read};
use super::store::Place;
use crate::envelope::{FreshnessState, Proof, RouteDecision, RouteReason, SourceTag};
use crate::error::RagnavError;
use crate::freshness::verification::{Check, Verification};
use crate::freshness::{route, verdict};
use crate::graph::index::{FileRecord, Index};
use crate::host::Host;
use crate::item::{Match, SkipReason, Skipped, Verdict};
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::repo::walk::{self, Walk};
use crate::tools::ground::Ground;
use crate::tools::{Settings, StalePolicy};

/// How hits are held against their files.
pub(super) struct Proving<'p> {
    pub(super) policy: StalePolicy,
    /// Whether the texts are wanted; if not, files that are proven otherwise are not read.
    pub(super) with_text: bool,
    /// What a document that is found again must still meet.
    pub(super) filters: &'p [Filter],
    /// Whether the documents are of a store that nobody can vouch for.
    pub(super) is_foreign: bool,
}

/// A hit, and how what it says is known.
pub(super) struct Known {
    pub(super) hit: Hit,
    pub(super) ground: Ground,
    /// How it was found again in a file that has changed.
    pub(super) found: Option<Match>,
}

/// Hits that were held against their files.
pub(super) struct Proven {
    pub(super) known: Vec<Known>,
    pub(super) route: RouteDecision,
    pub(super) index: Option<Rc<Index>>,
    /// Whether an index answers that is not proven: the policy `allow`.
    pub(super) is_allowed: bool,
    /// Files of which documents are left out, and why.
    pub(super) skipped: Vec<Skipped>,
    pub(super) verification: Verification,
    /// Files of which documents stand in the answer as they are now.
    pub(super) live: usize,
    pub(super) rebound: usize,
    pub(super) lost: usize,
}

/// Holds hits against their files.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn prove<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    hits: Vec<Hit>,
    proving: &Proving<'_>,
) -> Result<Proven, RagnavError> {
    let examined = route::examine(host, &settings.repo, &settings.caches).await;
    let index = examined.index.as_deref();
    let paths: BTreeSet<&RepoPath> = hits.iter().filter_map(path_of).collect();
    let limits = settings.limits;
    let is_about_all = hits.is_empty() && !proving.is_foreign;
    let walk = if is_about_all {
        let in_git = examined.route.git_root.is_some() || examined.route.head.is_some();
        walk::walk(host, limits, in_git).await?
    } else {
        Walk {
            files: paths.into_iter().cloned().collect(),
            complete: true,
            ..Walk::default()
        }
    };
    let mut verification = match index {
        Some(index) => verdict::verify(host, index, &walk, limits, |_| is_about_all).await?,
        None => Verification::default(),
    };
    let is_as_stored = |place: &Place, verification: &Verification| {
        let check = verification.check(&place.path);
        let is_unchanged = check.is_some_and(|check| check.verdict == Verdict::Unchanged);
        let record = index.and_then(|index| index.file(&place.path));
        is_unchanged && record.and_then(FileRecord::hash) == Some(place.hash)
    };
    let unread = |hit: &Hit| {
        let place = hit.place.as_ref()?;
        let wanted = proving.with_text || !is_as_stored(place, &verification);
        wanted.then(|| place.path.clone())
    };
    let unread: BTreeSet<RepoPath> = hits.iter().filter_map(unread).collect();
    let mut files = read(host, settings, unread.into_iter().collect()).await?;
    let mut skipped = correct(&mut verification, &hits, &files);
    divide(host, &hits, &mut files).await?;
    let mut known = Vec::with_capacity(hits.len());
    let mut live = BTreeSet::new();
    let (mut rebound, mut lost) = (0, 0);
    let are_unknown = hits.iter().any(|hit| hit.place.is_none());
    for hit in hits {
        let path = path_of(&hit).cloned();
        let check = path.as_ref().and_then(|path| verification.check(path));
        if let Some(one) = proving.known(hit, &files, check.copied(), host) {
            if one.found.is_some() {
                rebound += 1;
                live.extend(path);
            }
            known.push(one);
        } else {
            lost += 1;
            if let Some(path) = path {
                skipped.entry(path).or_insert(SkipReason::Changed);
            }
        }
    }
    let skipped = skipped.into_iter().map(|(path, reason)| Skipped {
        file: path.to_string(),
        reason,
    });
    let mut route = route::with_verdicts(examined.route, &verification);
    if proving.is_foreign || (are_unknown && route.use_rag) {
        route = route::unusable(route, RouteReason::FilesUnknown);
    }
    Ok(Proven {
        known,
        is_allowed: proving.policy == StalePolicy::Allow && examined.index.is_some(),
        route,
        index: examined.index,
        skipped: skipped.collect(),
        verification,
        live: live.len(),
        rebound,
        lost,
    })
}

/// Notes what reading files showed. Gives those that could not be read.
fn correct(
    verification: &mut Verification,
    hits: &[Hit],
    files: &Files,
) -> BTreeMap<RepoPath, SkipReason> {
    let mut unread = BTreeMap::new();
    for (path, file) in files {
        match file {
            Err(reason) => {
                let check = match reason {
                    SkipReason::Missing => Check::new(Verdict::Removed, Proof::Live),
                    reason => Check::unknown(*reason),
                };
                verification.correct(path, check);
                unread.insert(path.clone(), *reason);
            }
            Ok(now) => {
                let mut own = hits.iter().filter_map(|hit| hit.place.as_ref());
                if own.any(|place| place.path == *path && place.hash != now.hash) {
                    verification.correct(path, Check::new(Verdict::Changed, Proof::Hash));
                }
            }
        }
    }
    unread
}

impl Proving<'_> {
    /// How a hit is known; `None` for one that must be left out. `files` are those that were read.
    fn known<H: Host>(
        &self,
        hit: Hit,
        files: &Files,
        check: Option<Check>,
        host: &Overlaid<'_, H>,
    ) -> Option<Known> {
        let as_it_is = |hit, ground| Known {
            hit,
            ground,
            found: None,
        };
        let Some(place) = hit.place.clone() else {
            return Some(as_it_is(hit, remembered(FreshnessState::Unknown)));
        };
        match files.get(&place.path) {
            None => {
                let proof = check.map_or(Proof::None, |check| check.proof);
                Some(as_it_is(hit, Ground::proven(proof)))
            }
            Some(Ok(now)) if now.hash == place.hash => Some(as_stored(hit, &place, now, host)),
            Some(_) if self.policy == StalePolicy::Allow => {
                Some(as_it_is(hit, remembered(FreshnessState::Stale)))
            }
            Some(Ok(now)) => {
                let known = found_again(hit, &place, now, host)?;
                let of = |field: &str| known.hit.metadata.get(field);
                evaluate::meets(self.filters, of).then_some(known)
            }
            Some(Err(_)) => None,
        }
    }
}

fn path_of(hit: &Hit) -> Option<&RepoPath> {
    hit.place.as_ref().map(|place| &place.path)
}

/// What is stored of something that nobody proves.
fn remembered(freshness_state: FreshnessState) -> Ground {
    Ground {
        source: SourceTag::RagGraph,
        freshness_state,
        proof: Proof::None,
    }
}
