//! Filling the store: the documents of all files that the index has, made again where a file changed.
//!
//! It belongs to a build, since asking never writes. What a file comes to depends on its content alone, so files of which the store has
//! the content already are not read; and a text that has a vector already is not embedded again, wherever it stands by now.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use super::chunk::{self, Chunked};
use super::metadata::MetaValue;
use super::plan::Scalar;
use super::store::embedded::EmbeddedStore;
use super::store::files::{self, StoreCache};
use super::store::part_builder::PartBuilder;
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, Host};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, wire};
use ragnav_base::text;
use ragnav_index::content::ContentHash;
use ragnav_index::index::{Content, FileRecord, Index};
use ragnav_query::build_graph::lock::Lock;
use ragnav_repository::route;
use ragnav_repository::settings::Settings;

/// How many files are read at once.
const BATCH: usize = 32;

/// How many documents a part has, about.
const PART_DOCUMENTS: usize = 8192;

/// How many texts are embedded at once.
const EMBED_BATCH: usize = 64;

/// What a store is filled with.
#[derive(Debug, Clone, Default)]
pub struct FillOptions {
    /// The model that the host embeds with; `None` where it embeds nothing.
    pub embedder: Option<String>,
}

/// What filling came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct FillResult {
    /// Documents in the store.
    pub documents: u32,
    /// Files whose documents were made.
    pub made: u32,
    /// Files whose documents stayed as they were.
    pub kept: u32,
    /// Files whose documents are not in the store any more.
    pub removed: u32,
    /// Files that were not as they were indexed when they were read: their documents come with the next build.
    pub changed: u32,
    /// Texts that were embedded.
    pub embedded: u32,
    /// Whether anything was written.
    pub wrote: bool,
    /// Bytes on disk, where something was written.
    pub bytes: u64,
}

/// Brings the store to what the index has. It takes the lock of builds, so that nobody else writes meanwhile; `owner` is a name that no other
/// build has.
///
/// # Errors
/// `INDEX_LOCKED` where a build is at work; `STORE_FAILED` where there is no index, or vectors do not fit each other; `HOST_FAILED` where the host throws or embeds nothing though it is said to;
/// `INDEX_WRITE_FAILED` where it cannot write. The store stays as it was then.
pub async fn fill<H: Host>(
    host: &H,
    settings: &Settings,
    cache: &StoreCache,
    options: &FillOptions,
    owner: &str,
) -> Result<FillResult, RagnavError> {
    let now = host::now(host).await?;
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
        let message = "there is no index that documents could be made of; build it first";
        return Err(RagnavError::new(ErrorCode::StoreFailed, message));
    };
    let opened = files::open(host, cache).await?;
    let before = &*opened.store;
    let is_same_model =
        options.embedder.is_none() || options.embedder.as_deref() == before.embedder();
    let mut store = before.clone();
    let wanted: HashMap<&RepoPath, (&FileRecord, ContentHash)> = wanted(&index).collect();
    let removed = store.retain_files(|path, hash, has_vectors| {
        let is_wanted = wanted.get(path).is_some_and(|(_, now)| *now == hash);
        is_wanted && is_same_model && (has_vectors || options.embedder.is_none())
    });
    let dropped = store.drop_wasteful();
    store.set_generation(index.generation());
    if options.embedder.is_some() {
        store.set_embedder(options.embedder.clone());
    }
    let kept: HashSet<RepoPath> = store.files().map(|(path, _)| path.clone()).collect();
    let mut missing: Vec<(&FileRecord, ContentHash)> = wanted.into_values().collect();
    missing.retain(|(record, _)| !kept.contains(&record.path));
    missing.sort_by_key(|(record, _)| &record.path);
    let mut filling = Filling {
        host,
        settings,
        index: &index,
        embeds: options.embedder.is_some(),
        known: if is_same_model {
            before.known_vectors()
        } else {
            HashMap::new()
        },
        builder: PartBuilder::default(),
        done: 0,
        total: missing.len(),
        store,
        result: FillResult::default(),
    };
    for (at, batch) in missing.chunks(BATCH).enumerate() {
        filling.done = at * BATCH;
        filling.take(batch).await?;
        lock.renew(host).await?;
        host::pause_documents(host, at * BATCH + batch.len(), missing.len()).await;
    }
    let Filling {
        mut store,
        builder,
        mut result,
        ..
    } = filling;
    store.push(builder);
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

/// The files of an index that become documents.
fn wanted(index: &Index) -> impl Iterator<Item = (&RepoPath, (&FileRecord, ContentHash))> {
    index
        .files()
        .iter()
        .filter_map(|record| match record.content {
            Content::Text(hash, _) if record.size > 0 && chunk::is_divided(&record.path) => {
                Some((&record.path, (record, hash)))
            }
            _ => None,
        })
}

/// A store that is being filled.
struct Filling<'f, H> {
    host: &'f H,
    settings: &'f Settings,
    index: &'f Index,
    embeds: bool,
    /// The vectors of texts, by their hashes.
    known: HashMap<u64, &'f [f32]>,
    builder: PartBuilder,
    /// How many files were done before the batch at hand, and how many there are.
    done: usize,
    total: usize,
    store: EmbeddedStore,
    result: FillResult,
}

/// A file that was divided.
struct Divided<'f> {
    record: &'f FileRecord,
    hash: ContentHash,
    chunked: Chunked,
    texts: Vec<(String, Option<Vec<f32>>)>,
}

impl<H: Host> Filling<'_, H> {
    async fn take(&mut self, batch: &[(&FileRecord, ContentHash)]) -> Result<(), RagnavError> {
        let paths: Vec<RepoPath> = batch
            .iter()
            .map(|(record, _)| record.path.clone())
            .collect();
        let limit = self.settings.limits.max_file_bytes;
        let files = host::read_many(self.host, &paths, limit).await?;
        let mut divided = Vec::with_capacity(batch.len());
        for ((record, hash), file) in batch.iter().zip(files) {
            let bytes = file.ok().filter(|bytes| ContentHash::of(bytes) == *hash);
            let Some(text) = bytes.as_deref().and_then(|bytes| text::decode(bytes).ok()) else {
                self.result.changed += 1;
                continue;
            };
            let file = self.divide(record, *hash, text).await;
            divided.extend((!file.chunked.chunks.is_empty()).then_some(file));
        }
        let mut chunked: Vec<&mut Chunked> =
            divided.iter_mut().map(|file| &mut file.chunked).collect();
        in_utc(self.host, &mut chunked).await?;
        if self.embeds {
            self.embed(&mut divided).await?;
        }
        for file in divided {
            let path = &file.record.path;
            self.builder
                .add_file(path, file.hash, &file.chunked, &file.texts)?;
            self.result.made += 1;
            if self.builder.len() >= PART_DOCUMENTS {
                self.store.push(std::mem::take(&mut self.builder));
            }
        }
        Ok(())
    }

    async fn divide<'r>(
        &self,
        record: &'r FileRecord,
        hash: ContentHash,
        text: &str,
    ) -> Divided<'r> {
        let caches = &self.settings.caches;
        let known = self.index.facts(self.host, &caches.segments, record).await;
        let language = ragnav_syntax::detect_language(&record.path);
        let facts =
            known.or_else(|| language.map(|language| ragnav_syntax::extract_facts(language, text)));
        let chunked = chunk::chunk(&record.path, text, facts.as_ref());
        let lines = LineIndex::new(text);
        let texts = chunked.chunks.iter().map(|chunk| {
            let text = chunk.text(text, &lines);
            let known = self.known.get(&xxh3_64(text.as_bytes()));
            let vector = known.map(|vector| vector.to_vec());
            (text, vector)
        });
        let texts = texts.collect();
        Divided {
            record,
            hash,
            chunked,
            texts,
        }
    }

    /// Has the texts embedded that have no vector yet.
    async fn embed(&mut self, divided: &mut [Divided<'_>]) -> Result<(), RagnavError> {
        let texts = divided.iter_mut().flat_map(|file| &mut file.texts);
        let mut missing: Vec<_> = texts.filter(|(_, vector)| vector.is_none()).collect();
        for batch in missing.chunks_mut(EMBED_BATCH) {
            let texts = batch.iter().map(|(text, _)| text.clone()).collect();
            let vectors = host::embed(self.host, texts).await?;
            self.result.embedded += wire(vectors.len());
            for ((_, own), vector) in batch.iter_mut().zip(vectors) {
                *own = Some(vector);
            }
            host::pause_documents(self.host, self.done, self.total).await;
        }
        Ok(())
    }
}

/// Moves dates that were written without a time zone to where the host's is.
///
/// # Errors
/// `HOST_FAILED` where the host throws.
pub(super) async fn in_utc<H: Host>(
    host: &H,
    files: &mut [&mut Chunked],
) -> Result<(), RagnavError> {
    let mut dates: Vec<&mut f64> = Vec::new();
    for file in files {
        let Chunked {
            metadata,
            local_dates,
            ..
        } = &mut **file;
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
    let offsets = host::offsets(host, instants).await?;
    for (at, offset) in dates.into_iter().zip(offsets) {
        *at -= f64::from(offset);
    }
    Ok(())
}
