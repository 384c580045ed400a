//! Filling the document store with the documents of all indexed files.
//!
//! This is part of a build, since queries never write. Documents depend only on the content of a
//! file, so a file with stored documents is not read. A text that has a vector is not embedded
//! again, wherever it is now in its file.

use ragnav_base::hash::{HashMap, HashSet};
use ragnav_base::sort::SmallSort;

use serde::Serialize;

use super::chunk::{self, ChunkedFile};
use super::chunked_text::{ChunkedText, facts_of_text};
use super::metadata::MetaValue;
use super::plan::Scalar;
use super::store::embedded::EmbeddedStore;
use super::store::files::{self, StoreCache};
use super::store::segment_builder::SegmentBuilder;
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, EmbedRequest, Host, NowRequest, OffsetsRequest};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::text;
use ragnav_index::content::ContentHash;
use ragnav_index::index::{Content, FileRecord, Index};
use ragnav_query::build_graph::lock::Lock;
use ragnav_repository::route;
use ragnav_repository::settings::Settings;

/// The number of files in one request.
const BATCH: usize = 32;

/// The approximate number of documents in a segment.
const SEGMENT_DOCUMENTS: usize = 8192;

/// The number of texts in one embedding request.
const EMBED_BATCH: usize = 64;

/// The options of filling the store.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::built;
/// use ragnav_agent::fill_store::{FillOptions, fill_store};
/// use ragnav_agent::store::files::StoreCache;
/// use ragnav_base::error::ErrorCode;
/// use ragnav_base::memory_host::block_on;
/// use ragnav_query::Settings;
///
/// let host = built(&[("notes.md", "# Deployment\nRun the script.\n")]);
/// let (settings, cache) = (Settings::default(), StoreCache::default());
/// let options = FillOptions { embedder: Some("nomic-embed-text".to_owned()) };
/// let filled = block_on(fill_store(&host, &settings, &cache, &options, "build-2"));
/// // This host has no embedding model.
/// assert_eq!(filled.unwrap_err().code, ErrorCode::HostFailed);
/// ```
#[derive(Debug, Clone, Default)]
pub struct FillOptions {
    /// The name of the host's embedding model; `None` if it has none.
    pub embedder: Option<String>,
}

/// The result of filling the store.
///
/// # Examples
///
/// ```
/// use ragnav_agent::build::{BuildAllOptions, build_all};
/// use ragnav_agent::fill_store::FillResult;
/// use ragnav_agent::store::files::StoreCache;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
///
/// let host = MemoryHost::new(&[("notes.md", "# Deployment\nRun the script.\n")]);
/// let options = BuildAllOptions { documents: Some(true), ..BuildAllOptions::default() };
/// let (settings, cache) = (Settings::default(), StoreCache::default());
/// let built = block_on(build_all(&host, &settings, &cache, &options, "build-1"));
/// let filled: FillResult = built.documents.unwrap();
/// assert_eq!((filled.made, filled.kept, filled.wrote), (1, 0, true));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct FillResult {
    /// The number of documents in the store.
    pub documents: u32,
    /// The number of files whose documents were built.
    pub made: u32,
    /// The number of files whose documents were kept.
    pub kept: u32,
    /// The number of files whose documents were removed.
    pub removed: u32,
    /// The number of files that changed since they were indexed. The next build adds their
    /// documents.
    pub changed: u32,
    /// The number of texts that were embedded.
    pub embedded: u32,
    /// Whether the store was written.
    pub wrote: bool,
    /// The size of the store in bytes, if it was written.
    pub bytes: u64,
}

/// Updates the document store to the index. It holds the lock of builds, so that no other build
/// writes meanwhile. `owner` is a name of this build that is unique across processes.
///
/// # Errors
/// `INDEX_LOCKED` if a build is running; `STORE_FAILED` without an index or with incompatible
/// vectors; `HOST_FAILED` if the host throws or cannot embed; `INDEX_WRITE_FAILED` if it cannot
/// write. The store is unchanged then.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::built;
/// use ragnav_agent::fill_store::{FillOptions, fill_store};
/// use ragnav_agent::store::files::StoreCache;
/// use ragnav_base::memory_host::block_on;
/// use ragnav_query::Settings;
///
/// let host = built(&[("notes.md", "# Deployment\nRun the script.\n")]);
/// let (settings, cache, options) = <(Settings, StoreCache, FillOptions)>::default();
/// let filled = block_on(fill_store(&host, &settings, &cache, &options, "build-2")).unwrap();
/// // The documents are current already.
/// assert_eq!((filled.kept, filled.wrote), (1, false));
/// ```
pub async fn fill_store<H: Host>(
    host: &H,
    settings: &Settings,
    cache: &StoreCache,
    options: &FillOptions,
    owner: &str,
) -> Result<FillResult, RagnavError> {
    let now = host.send(NowRequest {}).await?;
    let mut lock = Lock::take(host, owner, &now).await?;
    let filled = fill_locked(host, settings, cache, options, &mut lock).await;
    lock.release(host).await;
    filled
}

async fn fill_locked<H: Host>(
    host: &H,
    settings: &Settings,
    cache: &StoreCache,
    options: &FillOptions,
    lock: &mut Lock,
) -> Result<FillResult, RagnavError> {
    let examined = route::examine(host, &settings.repo, &settings.caches).await;
    let Some(index) = examined.index else {
        let message = "there is no index to build documents from; build the index first";
        return Err(RagnavError::new(ErrorCode::StoreFailed, message));
    };
    if options.embedder.is_none()
        && let Some(counts) = files::counts_of_current(host, cache, index.generation()).await?
    {
        return Ok(FillResult {
            documents: counts.documents,
            kept: counts.files,
            ..FillResult::default()
        });
    }
    let opened = files::open(host, cache).await?;
    let before = &*opened.store;
    let is_same_model =
        options.embedder.is_none() || options.embedder.as_deref() == before.embedder();
    let mut store = before.clone();
    let wanted: HashMap<&RepoPath, (&FileRecord, ContentHash)> =
        files_with_documents(&index).collect();
    let removed = store.retain_files(|path, hash, has_vectors| {
        let is_wanted = wanted.get(path).is_some_and(|(_, now)| *now == hash);
        is_wanted && is_same_model && (has_vectors || options.embedder.is_none())
    });
    let dropped = store.drop_wasteful_segments();
    if options.embedder.is_some() {
        store.set_embedder(options.embedder.clone());
    }
    let kept: HashSet<RepoPath> = store.files().map(|(path, _)| path.clone()).collect();
    let mut missing: Vec<(&FileRecord, ContentHash)> = wanted.into_values().collect();
    missing.retain(|(record, _)| !kept.contains(&record.path));
    missing.small_sort_by_key(|(record, _)| &record.path);
    let mut filler = StoreFiller {
        host,
        settings,
        index: &index,
        embeds: options.embedder.is_some(),
        vectors: if is_same_model {
            before.known_vectors()
        } else {
            HashMap::default()
        },
        builder: SegmentBuilder::default(),
        done: 0,
        total: missing.len(),
        store,
        result: FillResult::default(),
    };
    for (at, batch) in missing.chunks(BATCH).enumerate() {
        filler.done = at * BATCH;
        filler.add_batch(batch).await?;
        lock.renew(host).await?;
        host::pause_documents(host, at * BATCH + batch.len(), missing.len()).await;
    }
    let StoreFiller {
        mut store,
        mut builder,
        mut result,
        ..
    } = filler;
    store.push(&mut builder);
    // A file that differs from the index may have documents later, so the store is not complete.
    let is_complete = result.changed == 0;
    store.set_generation(is_complete.then(|| index.generation()));
    result.kept = wire(kept.len());
    result.removed = wire(removed);
    result.documents = wire(store.count());
    let is_of_index = before.generation() == Some(index.generation());
    if is_of_index && result.made == 0 && removed == 0 && dropped == 0 && opened.fault.is_none() {
        return Ok(result);
    }
    lock.check(host).await?;
    result.wrote = true;
    result.bytes = files::save(host, &store).await?;
    Ok(result)
}

/// Returns the files of an index that have documents.
fn files_with_documents(
    index: &Index,
) -> impl Iterator<Item = (&RepoPath, (&FileRecord, ContentHash))> {
    index
        .files()
        .iter()
        .filter_map(|record| match record.content {
            Content::Text(hash, _) if record.size > 0 && chunk::has_documents(&record.path) => {
                Some((&record.path, (record, hash)))
            }
            _ => None,
        })
}

/// The state of filling the store.
struct StoreFiller<'f, H> {
    host: &'f H,
    settings: &'f Settings,
    index: &'f Index,
    embeds: bool,
    /// The stored vectors of texts, by the hash of the text.
    vectors: HashMap<u64, &'f [f32]>,
    builder: SegmentBuilder,
    /// The number of files before the current batch.
    done: usize,
    total: usize,
    store: EmbeddedStore,
    result: FillResult,
}

impl<H: Host> StoreFiller<'_, H> {
    async fn add_batch(&mut self, batch: &[(&FileRecord, ContentHash)]) -> Result<(), RagnavError> {
        let paths: Vec<RepoPath> = batch
            .iter()
            .map(|(record, _)| record.path.clone())
            .collect();
        let limit = self.settings.limits.max_file_bytes;
        let files = host::read_many(self.host, &paths, limit).await?;
        let mut chunked_texts = Vec::with_capacity(batch.len());
        for ((record, hash), file) in batch.iter().zip(files) {
            let bytes = file.ok().filter(|bytes| ContentHash::of(bytes) == *hash);
            let Some(text) = bytes.as_deref().and_then(|bytes| text::decode(bytes).ok()) else {
                self.result.changed += 1;
                continue;
            };
            let file = self.chunk_file(record, *hash, &text).await;
            chunked_texts.extend((!file.chunked.chunks.is_empty()).then_some(file));
        }
        convert_local_dates(self.host, &mut chunked_texts).await?;
        if self.embeds {
            self.embed(&mut chunked_texts).await?;
        }
        for file in chunked_texts {
            self.builder.add_file(&file)?;
            self.result.made += 1;
            if self.builder.len() >= SEGMENT_DOCUMENTS {
                self.store.push(&mut self.builder);
            }
        }
        Ok(())
    }

    async fn chunk_file(&self, record: &FileRecord, hash: ContentHash, text: &str) -> ChunkedText {
        let path = &record.path;
        let segments = &self.settings.caches.segments;
        let indexed = Some((self.index, record));
        let facts = facts_of_text(self.host, segments, indexed, (path, text)).await;
        let mut file = ChunkedText::new(path, hash, text, facts.as_ref());
        if !self.vectors.is_empty() {
            file.reuse_vectors(|hash| self.vectors.get(&hash).copied());
        }
        file
    }

    /// Embeds the texts without a vector.
    async fn embed(&mut self, chunked_texts: &mut [ChunkedText]) -> Result<(), RagnavError> {
        let missing = chunked_texts
            .iter_mut()
            .flat_map(ChunkedText::texts_to_embed);
        let mut missing: Vec<_> = missing.collect();
        for batch in missing.chunks_mut(EMBED_BATCH) {
            let texts = batch
                .iter_mut()
                .map(|(text, _)| std::mem::take(text))
                .collect();
            let vectors = self.host.send(EmbedRequest { texts }).await?;
            self.result.embedded += wire(vectors.len());
            for ((_, own), vector) in batch.iter_mut().zip(vectors) {
                **own = Some(vector);
            }
            host::pause_documents(self.host, self.done, self.total).await;
        }
        Ok(())
    }
}

/// Converts dates without a time zone from the host's local time to UTC.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn convert_local_dates<H: Host>(
    host: &H,
    files: &mut [ChunkedText],
) -> Result<(), RagnavError> {
    let mut dates: Vec<&mut f64> = Vec::new();
    for file in files {
        let ChunkedFile {
            metadata,
            local_dates,
            ..
        } = &mut file.chunked;
        for (field, value) in metadata.iter_mut() {
            if let MetaValue::One(Scalar::Number(at)) = value
                && local_dates.contains(field)
            {
                dates.push(at);
            }
        }
    }
    if dates.is_empty() {
        return Ok(());
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a date of four digits of a year"
    )]
    let instants = dates.iter().map(|at| (**at * 1000.0) as i64).collect();
    let offsets = host.send(OffsetsRequest { instants }).await?;
    for (at, offset) in dates.into_iter().zip(offsets) {
        *at -= f64::from(offset);
    }
    Ok(())
}
