//! The text of documents, from their files as they are now.

use std::collections::BTreeMap;

use super::chunk;
use super::store::Place;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host, HostError};
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_base::position::LineIndex;
use ragnav_base::text;
use ragnav_index::content::ContentHash;
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::settings::Settings;
use ragnav_repository::walk;

/// How many files are read at once.
const BATCH: usize = 32;

/// Files that were read, or why they could not be.
pub(super) type Files = BTreeMap<RepoPath, Result<Now, SkipReason>>;

/// A file as it is now.
pub(super) struct Now {
    text: String,
    lines: LineIndex,
    pub(super) hash: ContentHash,
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
    })
}

/// The text of a document in its file as it is now.
pub(super) fn text_at(now: &Now, place: &Place) -> String {
    chunk::text_of(&now.text, &now.lines, place.head, &place.lines)
}
