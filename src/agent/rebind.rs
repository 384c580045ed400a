//! The text of documents, from their files as they are now.

use std::collections::BTreeMap;

use super::chunk::{self, Chunk, Chunked, Lines};
use super::fill::in_utc;
use super::fresh::Known;
use super::hit::Hit;
use super::store::Place;
use crate::envelope::Proof;
use crate::error::RagnavError;
use crate::graph::content::ContentHash;
use crate::host::{self, Host, HostError};
use crate::item::{Match, SkipReason};
use crate::lang;
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::position::LineIndex;
use crate::repo::{text, walk};
use crate::tools::Settings;
use crate::tools::ground::Ground;

/// How many files are read at once.
const BATCH: usize = 32;

/// Files that were read, or why they could not be.
pub(super) type Files = BTreeMap<RepoPath, Result<Now, SkipReason>>;

/// A file as it is now.
pub(super) struct Now {
    text: String,
    lines: LineIndex,
    pub(super) hash: ContentHash,
    /// What it is divided into, where that is needed.
    chunked: Option<Chunked>,
}

/// Reads files.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn read<H: Host>(
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
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn divide<H: Host>(
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

/// A document of a file that is as it was.
pub(super) fn as_stored<H: Host>(
    mut hit: Hit,
    place: &Place,
    now: &Now,
    host: &Overlaid<'_, H>,
) -> Known {
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
pub(super) fn found_again<H: Host>(
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
