//! Verifying retrieved documents against their files.
//!
//! An answer depends on the files of its documents, and an empty answer on all files. If the texts
//! are needed, their files are read and hashed. A document whose file has changed since retrieval
//! is left out, and the message says so.

use std::collections::{BTreeMap, BTreeSet};

use super::current_documents::CurrentDocuments;
use super::current_text::{FileText, FileTexts, document_text, read_files};
use super::normalise::Hit;
use super::store::DocumentLocation;
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

/// The options of verification.
pub(super) struct VerifyOptions {
    pub(super) policy: StalePolicy,
    /// Whether the texts are needed. If not, files with another proof are not read.
    pub(super) with_text: bool,
}

/// A retrieved document with its provenance.
pub(super) struct VerifiedDocument {
    pub(super) hit: Hit,
    pub(super) provenance: Provenance,
    /// How the document was re-identified in a changed file.
    pub(super) matched: Option<Match>,
}

/// The verified documents of an answer.
pub(super) struct VerifiedDocuments {
    pub(super) documents: Vec<VerifiedDocument>,
    pub(super) route: RouteDecision,
    /// Whether the policy `allow` permits an index that is not proven.
    pub(super) is_allowed: bool,
    /// The files whose documents are left out, with the reason.
    pub(super) skipped: Vec<Skipped>,
    pub(super) statuses: FileStatuses,
    /// The number of files whose documents are in the answer as they are stored.
    pub(super) stored: usize,
    /// The number of files whose current documents are in the answer.
    pub(super) live: usize,
    /// The number of documents that were re-identified in changed files.
    pub(super) reidentified: usize,
    /// The number of documents that are left out.
    pub(super) lost: usize,
}

/// Wraps the documents of a store that cannot be verified.
pub(super) fn wrap_unverified(hits: Vec<Hit>, route: RouteDecision) -> VerifiedDocuments {
    let documents = hits.into_iter().map(|hit| VerifiedDocument {
        hit,
        provenance: stored_provenance(FreshnessState::Unknown),
        matched: None,
    });
    VerifiedDocuments {
        documents: documents.collect(),
        route: route::unusable(route, RouteReason::FilesUnknown),
        is_allowed: false,
        skipped: Vec::new(),
        statuses: FileStatuses::default(),
        stored: 0,
        live: 0,
        reidentified: 0,
        lost: 0,
    }
}

/// Verifies the documents of the embedded store against their files.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn verify_documents<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    current: CurrentDocuments,
    hits: Vec<Hit>,
    options: &VerifyOptions,
) -> Result<VerifiedDocuments, RagnavError> {
    let index = current.examined.index.as_deref();
    let paths: BTreeSet<RepoPath> = hits.iter().filter_map(document_path).cloned().collect();
    let is_about_all = hits.is_empty();
    let mut statuses = if is_about_all {
        current.statuses.clone()
    } else {
        current.statuses.of_files(|path| paths.contains(path))
    };
    let is_as_stored = |place: &DocumentLocation, statuses: &FileStatuses| {
        let check = statuses.get(&place.path);
        let is_unchanged = check.is_some_and(|check| check.verdict == Verdict::Unchanged);
        let record = index.and_then(|index| index.file(&place.path));
        is_unchanged && record.and_then(FileRecord::hash) == Some(place.hash)
    };
    let unread = |hit: &Hit| {
        let place = hit.place.as_ref()?;
        let wanted = options.with_text || !is_as_stored(place, &statuses);
        wanted.then(|| place.path.clone())
    };
    let unread: BTreeSet<RepoPath> = hits.iter().filter_map(unread).collect();
    let files = read_files(host, settings, unread.into_iter().collect()).await?;
    let mut skipped = correct_statuses(&mut statuses, &hits, &files);
    let mut documents = Vec::with_capacity(hits.len());
    let mut live = BTreeSet::new();
    let (mut reidentified, mut lost) = (0, 0);
    let has_unlocated = hits.iter().any(|hit| hit.place.is_none());
    for hit in hits {
        let path = document_path(&hit).cloned();
        let check = path.as_ref().and_then(|path| statuses.get(path));
        let is_live = path
            .as_ref()
            .is_some_and(|path| current.live.contains(path));
        let Some(mut one) = options.verify(hit, &files, check.copied(), host) else {
            lost += 1;
            if let Some(path) = path {
                skipped.entry(path).or_insert(SkipReason::Changed);
            }
            continue;
        };
        if is_live {
            one.provenance = Provenance::live(current_proof(one.provenance.proof));
            one.matched = match_stored(&one.hit, &current.stored);
            reidentified += usize::from(one.matched.is_some());
            live.extend(path);
        }
        documents.push(one);
    }
    let is_unchanged = |path: &&RepoPath| {
        let check = statuses.get(path);
        check.is_some_and(|check| check.verdict == Verdict::Unchanged)
    };
    let stored = statuses.unchanged() - live.iter().filter(is_unchanged).count();
    let mut route = route::with_verdicts(current.examined.route, &statuses);
    let is_made = !live.is_empty() || (is_about_all && !current.live.is_empty());
    if route.use_rag && is_made {
        route = route::unusable(route, RouteReason::DocumentsMissing);
    } else if route.use_rag && has_unlocated {
        route = route::unusable(route, RouteReason::FilesUnknown);
    }
    let skipped = skipped.into_iter().map(|(path, reason)| Skipped {
        file: path.to_string(),
        reason,
    });
    let may_hold = |skip: &Skipped| is_about_all || is_unread_folder(skip);
    let left_out = current.skipped.into_iter().filter(may_hold);
    Ok(VerifiedDocuments {
        documents,
        is_allowed: options.policy == StalePolicy::Allow && current.examined.index.is_some(),
        route,
        skipped: skipped.chain(left_out).collect(),
        statuses,
        stored,
        live: live.len(),
        reidentified,
        lost,
    })
}

/// Reports whether nothing is known about the files of a folder, which may hold better documents.
fn is_unread_folder(skip: &Skipped) -> bool {
    use SkipReason::{Denied, Io, TooDeep, TooManyFiles};
    let is_folder = skip.file.ends_with('/');
    let is_cut = skip.reason == TooManyFiles;
    is_cut || (is_folder && matches!(skip.reason, Denied | Io | TooDeep))
}

/// Returns the proof of a text that was read now, from the file or from an overlay.
fn current_proof(proof: Proof) -> Proof {
    match proof {
        Proof::Overlay => Proof::Overlay,
        _ => Proof::Live,
    }
}

/// Returns how a document of a changed file was re-identified by its name; `None` for a new one.
fn match_stored(hit: &Hit, stored: &EmbeddedStore) -> Option<Match> {
    let place = hit.place.as_ref()?;
    let before = stored.find_location(&place.path, &place.name)?;
    let start = |place: &DocumentLocation| place.lines.first().map(|lines| lines.start);
    let is_there = start(&before) == start(place);
    Some(if is_there { Match::Exact } else { Match::Moved })
}

/// Corrects the file statuses after reading. Returns the files that could not be read.
fn correct_statuses(
    statuses: &mut FileStatuses,
    hits: &[Hit],
    files: &FileTexts,
) -> BTreeMap<RepoPath, SkipReason> {
    let mut unread = BTreeMap::new();
    for (path, file) in files {
        let check = match file {
            Err(SkipReason::Missing) => FileStatus::new(Verdict::Removed, Proof::Live),
            Err(reason) => FileStatus::unknown(*reason),
            Ok(now) if differs_from(path, now, hits) => {
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

/// Reports whether a file differs from the content of its documents.
fn differs_from(path: &RepoPath, now: &FileText, hits: &[Hit]) -> bool {
    let mut own = hits.iter().filter_map(|hit| hit.place.as_ref());
    own.any(|place| place.path == *path && place.hash != now.hash)
}

impl VerifyOptions {
    /// Verifies one document; returns `None` if it must be left out. `files` were read.
    fn verify<H: Host>(
        &self,
        mut hit: Hit,
        files: &FileTexts,
        check: Option<FileStatus>,
        host: &Overlaid<'_, H>,
    ) -> Option<VerifiedDocument> {
        let unchanged = |hit, provenance| VerifiedDocument {
            hit,
            provenance,
            matched: None,
        };
        let Some(place) = &hit.place else {
            return Some(unchanged(hit, stored_provenance(FreshnessState::Unknown)));
        };
        match files.get(&place.path) {
            None => {
                let proof = check.map_or(Proof::None, |check| check.proof);
                Some(unchanged(hit, Provenance::indexed(proof)))
            }
            Some(Ok(now)) if now.hash == place.hash => {
                let proof = match host.proof(&place.path) {
                    Proof::Overlay => Proof::Overlay,
                    _ => Proof::Hash,
                };
                hit.document = Some(document_text(now, place));
                Some(unchanged(hit, Provenance::indexed(proof)))
            }
            Some(_) if self.policy == StalePolicy::Allow => {
                Some(unchanged(hit, stored_provenance(FreshnessState::Stale)))
            }
            Some(_) => None,
        }
    }
}

fn document_path(hit: &Hit) -> Option<&RepoPath> {
    hit.place.as_ref().map(|place| &place.path)
}

/// Returns the provenance of a stored document without proof.
fn stored_provenance(freshness_state: FreshnessState) -> Provenance {
    Provenance {
        source: SourceTag::RagGraph,
        freshness_state,
        proof: Proof::None,
    }
}
