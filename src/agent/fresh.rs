//! Whether what was stored of files still holds, and what has become of what does not.
//!
//! A document's file is held against the index, and where its text is wanted its bytes are read and hashed. In a file that has
//! changed a document is found again by what it is called there, or by its heading or symbol, in the file as it is now; otherwise it is left out.

use std::collections::{BTreeMap, BTreeSet};

use super::chunk::{self, Chunk, Chunked, Lines};
use super::evaluate;
use super::fill::in_utc;
use super::hit::Hit;
use super::plan::Filter;
use super::store::Place;
use crate::envelope::{FreshnessState, Proof, RouteDecision, RouteReason, SourceTag};
use crate::error::RagnavError;
use crate::freshness::verification::{Check, Verification};
use crate::freshness::{route, verdict};
use crate::graph::content::ContentHash;
use crate::graph::index::FileRecord;
use crate::host::{self, Host, HostError};
use crate::item::{Match, SkipReason, Skipped, Verdict};
use crate::lang;
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::position::LineIndex;
use crate::repo::text;
use crate::repo::walk::{self, Walk};
use crate::tools::ground::Ground;
use crate::tools::{Settings, StalePolicy};

/// How many files are read at once.
const BATCH: usize = 32;

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

/// A file as it is now.
struct Now {
    text: String,
    lines: LineIndex,
    hash: ContentHash,
    /// What it is divided into, where that is needed.
    chunked: Option<Chunked>,
}

type Files = BTreeMap<RepoPath, Result<Now, SkipReason>>;

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
    let walk = Walk {
        files: paths.into_iter().cloned().collect(),
        complete: true,
        ..Walk::default()
    };
    let mut verification = match index {
        Some(index) => verdict::verify(host, index, &walk, settings.limits, |_| false).await?,
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

async fn read<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    paths: Vec<RepoPath>,
) -> Result<Files, RagnavError> {
    let mut files = BTreeMap::new();
    for batch in paths.chunks(BATCH) {
        let read = host::read_many(host, batch, settings.limits.max_file_bytes).await?;
        for (path, file) in batch.iter().zip(read) {
            files.insert(path.clone(), now(file));
        }
    }
    Ok(files)
}

fn now(file: Result<Vec<u8>, HostError>) -> Result<Now, SkipReason> {
    let bytes = file.map_err(walk::skip_reason)?;
    let text = text::decode(&bytes)?.to_owned();
    Ok(Now {
        lines: LineIndex::new(&text),
        hash: ContentHash::of(&bytes),
        text,
        chunked: None,
    })
}

/// Divides the files that are not what documents were made of.
async fn divide<H: Host>(
    host: &Overlaid<'_, H>,
    hits: &[Hit],
    files: &mut Files,
) -> Result<(), RagnavError> {
    for place in hits.iter().filter_map(|hit| hit.place.as_ref()) {
        if let Some(Ok(now)) = files.get_mut(&place.path)
            && now.hash != place.hash
            && now.chunked.is_none()
        {
            let language = lang::of_path(&place.path);
            let facts = language.map(|language| lang::facts(language, &now.text));
            now.chunked = Some(chunk::chunk(&place.path, &now.text, facts.as_ref()));
        }
    }
    let files = files.values_mut().filter_map(|file| file.as_mut().ok());
    let mut chunked: Vec<&mut Chunked> = files.filter_map(|now| now.chunked.as_mut()).collect();
    in_utc(host, &mut chunked).await
}

fn as_stored<H: Host>(mut hit: Hit, place: &Place, now: &Now, host: &Overlaid<'_, H>) -> Known {
    hit.document = Some(chunk::text_of(
        &now.text,
        &now.lines,
        place.head,
        &place.lines,
    ));
    let proof = match host.proof(&place.path) {
        Proof::Overlay => Proof::Overlay,
        _ => Proof::Hash,
    };
    Known {
        hit,
        ground: Ground::proven(proof),
        found: None,
    }
}

/// Finds a document again in its file as it is now: what is called as it was, else the first of its heading.
fn found_again<H: Host>(
    mut hit: Hit,
    place: &Place,
    now: &Now,
    host: &Overlaid<'_, H>,
) -> Option<Known> {
    let chunked = now.chunked.as_ref()?;
    // What has no heading is known by its number alone, which says nothing once the file has changed.
    let named = Some(&place.heading).filter(|heading| !heading.is_empty())?;
    let same = |chunk: &&Chunk| chunk.name() == place.name;
    let of_heading = |chunk: &&Chunk| chunk.heading == *named;
    let mut chunks = chunked.chunks.iter();
    let chunk = chunks
        .clone()
        .find(same)
        .or_else(|| chunks.find(of_heading))?;
    let text = chunk.text(&now.text, &now.lines);
    let metadata = chunked.metadata.iter().chain(&chunk.metadata);
    hit.metadata = metadata
        .map(|(field, value)| (field.clone(), value.clone()))
        .collect();
    hit.id = format!("{}#{}", place.path, chunk.name());
    hit.document = Some(text);
    let is_there = starts(&chunk.lines) == starts(&place.lines);
    hit.place = Some(Place {
        path: place.path.clone(),
        hash: now.hash,
        name: chunk.name(),
        heading: chunk.heading.clone(),
        head: chunk.head,
        lines: chunk.lines.clone(),
    });
    Some(Known {
        hit,
        ground: Ground::live(host.proof(&place.path)),
        found: Some(if is_there { Match::Exact } else { Match::Moved }),
    })
}

fn starts(lines: &[Lines]) -> Option<u32> {
    lines.first().map(|lines| lines.start)
}
