//! The documents of a repository as it is now: those of the store whose files are as they were, and those of all other files made for the
//! question.
//!
//! A file that is proven to be as the index has it, and of which the store is, is not read. Any other is read: where it holds what its
//! documents were made of they stay, otherwise it is divided anew. So without a store all files are divided, and what was made stays in memory
//! for the next question.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::chunk::{self, Chunked};
use super::fill::in_utc;
use super::store::embedded::EmbeddedStore;
use super::store::files::{self, StoreCache, StoreFault};
use super::store::part_builder::PartBuilder;
use ragnav_base::envelope::Proof;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host};
use ragnav_base::item::{SkipReason, Skipped, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_base::position::LineIndex;
use ragnav_base::text;
use ragnav_index::content::ContentHash;
use ragnav_index::index::{FileRecord, Index};
use ragnav_repository::failure::Failure;
use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::route::{self, Examined};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::scoped_files;
use ragnav_repository::walk;

/// How many files are read at once.
const BATCH: usize = 32;

/// How many texts of changed files are embedded for a question at most; a build embeds the others.
const MAX_EMBEDDED: usize = 256;

/// The documents of a repository as it is now, and how that is known.
pub(super) struct Current {
    /// The documents.
    pub(super) store: Rc<EmbeddedStore>,
    /// Those that were stored.
    pub(super) stored: Rc<EmbeddedStore>,
    /// Why what was stored is not whole.
    pub(super) fault: Option<StoreFault>,
    /// What the repository's own files say of its index.
    pub(super) examined: Examined,
    /// How all files stand to the index.
    pub(super) statuses: FileStatuses,
    /// The files whose documents were made of them as they are now.
    pub(super) live: BTreeSet<RepoPath>,
    /// What the walk left out.
    pub(super) skipped: Vec<Skipped>,
}

/// Brings what is stored to how the files are now.
///
/// # Errors
/// `STALE_INDEX` where the policy `error` refuses what is not proven; `REPO_NOT_FOUND`, `HOST_FAILED`.
pub(super) async fn current<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    cache: &StoreCache,
    policy: StalePolicy,
    embeds: bool,
) -> Result<Current, Failure> {
    let examined = route::examine(host, &settings.repo, &settings.caches).await;
    let found = scoped_files(host, settings, &examined, Scope::Everything).await?;
    let opened = files::open(host, cache).await?;
    let mut current = Current {
        store: Rc::clone(&opened.store),
        stored: opened.store,
        fault: opened.fault,
        examined,
        statuses: found.statuses,
        live: BTreeSet::new(),
        skipped: found.skipped,
    };
    let route = route::with_verdicts(current.examined.route.clone(), &current.statuses);
    if policy == StalePolicy::Error && !route.use_rag {
        return Err(Failure::Stale(Box::new(route)));
    }
    if policy == StalePolicy::Allow && current.fault.is_none() {
        return Ok(current);
    }
    if policy == StalePolicy::Live && !route.use_rag {
        current.examined.route = route;
        current.examined.index = None;
        current.statuses = FileStatuses::default();
    }
    let files = found.files.iter().filter(|path| chunk::is_divided(path));
    let made = Making {
        host,
        settings,
        embeds,
        base: cache.made_of(&current.stored),
    };
    made.make(&mut current, files.cloned().collect()).await?;
    cache.keep_made(&current.stored, &current.store);
    if policy == StalePolicy::Live && current.examined.index.is_none() {
        let files = current.store.files().map(|(path, _)| path.clone());
        current.live = files.collect();
    }
    Ok(current)
}

/// What documents are made with.
struct Making<'m, 'h, H> {
    host: &'m Overlaid<'h, H>,
    settings: &'m Settings,
    /// Whether the host embeds.
    embeds: bool,
    /// What was stored, and made for the question before.
    base: Rc<EmbeddedStore>,
}

/// A file that was divided.
struct Divided {
    path: RepoPath,
    hash: ContentHash,
    chunked: Chunked,
    texts: Vec<(String, Option<Vec<f32>>)>,
}

impl<H: Host> Making<'_, '_, H> {
    async fn make(&self, current: &mut Current, files: Vec<RepoPath>) -> Result<(), RagnavError> {
        let known: HashMap<&RepoPath, ContentHash> = self.base.files().collect();
        let stored: HashMap<RepoPath, ContentHash> = current
            .stored
            .files()
            .map(|(path, hash)| (path.clone(), hash))
            .collect();
        let mut kept: HashMap<RepoPath, ContentHash> = HashMap::new();
        let mut unsettled = Vec::new();
        for path in files {
            let is_stored = stored.contains_key(&path);
            match settled(current, &path, known.get(&path).copied(), is_stored) {
                Some(Settled::With(hash)) => {
                    // Made for the question before and never stored.
                    if stored.get(&path) != Some(&hash) {
                        current.live.insert(path.clone());
                    }
                    kept.insert(path, hash);
                }
                Some(Settled::Without) => {}
                None => unsettled.push(path),
            }
        }
        let mut builder = PartBuilder::default();
        let mut left = MAX_EMBEDDED;
        for (at, batch) in unsettled.chunks(BATCH).enumerate() {
            let mut divided = Vec::new();
            let limit = self.settings.limits.max_file_bytes;
            let read = host::read_many(self.host, batch, limit).await?;
            for (path, file) in batch.iter().zip(read) {
                let text = match &file {
                    Ok(bytes) => text::decode(bytes),
                    Err(error) => Err(walk::skip_reason(*error)),
                };
                let text = match text {
                    Ok(text) => text,
                    Err(reason) => {
                        current.could_not_read(path, reason);
                        continue;
                    }
                };
                let hash = ContentHash::of(file.as_deref().unwrap_or_default());
                if known.get(path) == Some(&hash) {
                    kept.insert(path.clone(), hash);
                } else {
                    divided.push(divide(path, hash, text));
                }
                if stored.get(path) != Some(&hash) {
                    current.live.insert(path.clone());
                }
            }
            let mut chunked: Vec<&mut Chunked> =
                divided.iter_mut().map(|file| &mut file.chunked).collect();
            in_utc(self.host, &mut chunked).await?;
            if self.embeds && self.base.has_vectors() {
                left = self.embed(&mut divided, left).await?;
            }
            for file in &divided {
                builder.add_file(&file.path, file.hash, &file.chunked, &file.texts)?;
            }
            let done = at * BATCH + batch.len();
            host::pause_documents(self.host, done, unsettled.len()).await;
        }
        let mut store = (*self.base).clone();
        store.retain_files(|path, hash, _| kept.get(path) == Some(&hash));
        store.drop_empty();
        store.push(builder);
        current.store = Rc::new(store);
        Ok(())
    }

    /// Has texts embedded, as long as there are not too many. Gives how many more may be.
    async fn embed(&self, divided: &mut [Divided], left: usize) -> Result<usize, RagnavError> {
        let texts = divided.iter_mut().flat_map(|file| &mut file.texts);
        let mut missing: Vec<_> = texts.take(left).collect();
        if missing.is_empty() {
            return Ok(left);
        }
        let texts = missing.iter().map(|(text, _)| text.clone()).collect();
        let vectors = host::embed(self.host, texts).await?;
        let count = vectors.len();
        for ((_, own), vector) in missing.iter_mut().zip(vectors) {
            *own = Some(vector);
        }
        Ok(left - count)
    }
}

/// A file whose documents are known without reading it.
enum Settled {
    /// It has some, made of what it held by this hash.
    With(ContentHash),
    /// It has none.
    Without,
}

fn settled(
    current: &Current,
    path: &RepoPath,
    known: Option<ContentHash>,
    is_stored: bool,
) -> Option<Settled> {
    let check = current.statuses.get(path)?;
    if check.verdict == Verdict::Skipped {
        return Some(Settled::Without);
    }
    let index = current.examined.index.as_deref()?;
    let record = index.file(path).and_then(FileRecord::hash);
    if check.verdict != Verdict::Unchanged || record.is_none() {
        return None;
    }
    let is_of_index = current.stored.generation() == Some(Index::generation(index));
    if let Some(hash) = known {
        return (record == known).then_some(Settled::With(hash));
    }
    // All that was to be divided was. What was stored all the same was gone for the question before.
    let is_whole = is_of_index && current.fault.is_none();
    (is_whole && !is_stored).then_some(Settled::Without)
}

fn divide(path: &RepoPath, hash: ContentHash, text: &str) -> Divided {
    let facts = ragnav_syntax::detect_language(path)
        .map(|language| ragnav_syntax::extract_facts(language, text));
    let chunked = chunk::chunk(path, text, facts.as_ref());
    let lines = LineIndex::new(text);
    let texts = chunked.chunks.iter();
    let texts = texts
        .map(|chunk| (chunk.text(text, &lines), None))
        .collect();
    Divided {
        path: path.clone(),
        hash,
        chunked,
        texts,
    }
}

impl Current {
    /// Notes that a file could not be read, so that it has no documents.
    fn could_not_read(&mut self, path: &RepoPath, reason: SkipReason) {
        let check = match reason {
            SkipReason::Missing => FileStatus::new(Verdict::Removed, Proof::Live),
            reason => FileStatus::unknown(reason),
        };
        if self.statuses.get(path).is_some() {
            self.statuses.correct(path, check);
        }
        self.skipped.push(Skipped {
            file: path.to_string(),
            reason,
        });
    }
}
