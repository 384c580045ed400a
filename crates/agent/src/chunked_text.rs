//! A file that was chunked, with the texts of its chunks and their vectors.

use xxhash_rust::xxh3::xxh3_64;

use crate::chunk::{Chunk, ChunkedFile, chunk};
use crate::metadata::text;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_base::position::LineIndex;
use ragnav_index::content::ContentHash;
use ragnav_index::index::{FileRecord, Index};
use ragnav_index::segments::SegmentCache;
use ragnav_syntax::facts::Facts;
use ragnav_syntax::grammars;

/// The text of a chunk, and its vector if it has one.
type TextAndVector = (String, Option<Vec<f32>>);

/// A file that was chunked.
#[derive(Debug)]
pub(crate) struct ChunkedText {
    pub(crate) path: RepoPath,
    pub(crate) hash: ContentHash,
    pub(crate) chunked: ChunkedFile,
    /// The texts of the chunks, in their order.
    pub(crate) texts: Vec<TextAndVector>,
}

impl ChunkedText {
    /// Chunks a text with this hash. `facts` are those of the text.
    pub(crate) fn new(
        path: &RepoPath,
        hash: ContentHash,
        text: &str,
        facts: Option<&Facts>,
    ) -> Self {
        let chunked = chunk(path, text, facts);
        let lines = LineIndex::new(text);
        let texts = chunked.chunks.iter();
        let texts = texts.map(|chunk| (chunk.text(text, &lines), None));
        Self {
            path: path.clone(),
            hash,
            texts: texts.collect(),
            chunked,
        }
    }

    /// Gives chunks the vectors that their texts already have. `vector_of` finds a vector by the
    /// hash of the embedded text.
    pub(crate) fn reuse_vectors<'v>(&mut self, vector_of: impl Fn(u64) -> Option<&'v [f32]>) {
        for (embedded, vector) in self.texts_to_embed() {
            *vector = vector_of(xxh3_64(embedded.as_bytes())).map(<[f32]>::to_vec);
        }
    }

    /// Returns the texts to embed of the chunks without vectors, with the places for their vectors.
    pub(crate) fn texts_to_embed(
        &mut self,
    ) -> impl Iterator<Item = (String, &mut Option<Vec<f32>>)> {
        let Self {
            path,
            chunked,
            texts,
            ..
        } = self;
        let chunks = chunked.chunks.iter().zip(texts);
        let missing = chunks.filter(|(_, (_, vector))| vector.is_none());
        missing.map(|(chunk, (body, vector))| (embedded_text(path, chunked, chunk, body), vector))
    }
}

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

/// Returns the facts of a text: those of the index if `indexed` describes this text, or else new
/// ones. Returns `None` for a file without a language, or whose grammar cannot be loaded.
pub(crate) async fn facts_of_text<H: Host>(
    host: &H,
    segments: &SegmentCache,
    indexed: Option<(&Index, &FileRecord)>,
    (path, text): (&RepoPath, &str),
) -> Option<Facts> {
    let language = ragnav_syntax::detect_language(path)?;
    let known = match indexed {
        Some((index, record)) => index.facts(host, segments, record).await,
        None => None,
    };
    if known.is_some() {
        return known;
    }
    grammars::load_grammar(host, path, text).await;
    grammars::check_grammar(path, text).ok()?;
    Some(ragnav_syntax::extract_facts(language, text))
}
