//! The text of a chunk that is embedded.

use crate::chunk::{Chunk, ChunkedFile};
use crate::metadata::text;
use ragnav_base::path::RepoPath;

/// The text of a chunk, and its vector if it has one.
pub(crate) type TextAndVector = (String, Option<Vec<f32>>);

/// Returns the text that is embedded for a chunk: the path of its file, the title of the file, its
/// heading and its text, a line for each. A passage often does not say what it is about, and its
/// path does.
pub(crate) fn embedded_text(
    path: &RepoPath,
    chunked: &ChunkedFile,
    chunk: &Chunk,
    body: &str,
) -> String {
    let title = text(&chunked.metadata, "title").unwrap_or_default();
    let lines = [path.as_str(), title, &chunk.heading, body];
    let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// Returns the texts to embed of the chunks without vectors, with the places for their vectors.
pub(crate) fn texts_to_embed<'c>(
    path: &'c RepoPath,
    chunked: &'c ChunkedFile,
    texts: &'c mut [TextAndVector],
) -> impl Iterator<Item = (String, &'c mut Option<Vec<f32>>)> {
    let chunks = chunked.chunks.iter().zip(texts);
    let missing = chunks.filter(|(_, (_, vector))| vector.is_none());
    missing.map(|(chunk, (body, vector))| (embedded_text(path, chunked, chunk, body), vector))
}
