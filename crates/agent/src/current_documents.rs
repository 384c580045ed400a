//! The current documents of a repository: stored ones of unchanged files, and new ones of all other
//! files.
//!
//! A file that is proven unchanged is not read. Any other file is read; it is chunked again only if
//! its content differs from that of its documents. Without a store the files that fit the question
//! best are chunked, and their documents stay in memory for the next query.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::chunk;
use super::chunked_text::{ChunkedText, facts_of_text};
use super::fill_store::convert_local_dates;
use super::passage_kind::PassageKind;
use super::store::embedded::EmbeddedStore;
use super::store::files::{self, StoreCache, StoreFault};
use super::store::segment_builder::SegmentBuilder;
use super::survey_texts::{MAX_WITHOUT_SURVEY, OtherFiles, TextSurvey};
use ragnav_base::envelope::Proof;
use ragnav_base::error::RagnavError;
use ragnav_base::hash::HashMap;
use ragnav_base::host::{self, EmbedRequest, Host};
use ragnav_base::item::{SkipReason, Skipped, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_index::content::ContentHash;
use ragnav_index::index::{FileRecord, Index};
use ragnav_index::indexed_counts::IndexedCounts;
use ragnav_matching::history::History;
use ragnav_matching::terms::Terms;
use ragnav_repository::failure::Failure;
use ragnav_repository::file_statuses::{FileStatus, FileStatuses};
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::route::{self, Examined};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::scoped_files;
use ragnav_repository::walk;

/// The number of files in one request.
const BATCH: usize = 32;

/// The largest number of texts that one query embeds; a build embeds the others.
const MAX_EMBEDDED: usize = 256;

/// The current documents of a repository.
pub(super) struct CurrentDocuments {
    /// All current documents.
    pub(super) store: Rc<EmbeddedStore>,
    /// The documents as they were stored.
    pub(super) stored: Rc<EmbeddedStore>,
    /// The reason why the store is incomplete.
    pub(super) fault: Option<StoreFault>,
    /// The route and the index.
    pub(super) examined: Examined,
    /// The statuses of all files.
    pub(super) statuses: FileStatuses,
    /// The files whose documents were built by this query, or by one before it.
    pub(super) live: BTreeSet<RepoPath>,
    /// The files that the walk skipped.
    pub(super) skipped: Vec<Skipped>,
    /// The files that have no documents, since others fit the question better.
    pub(super) others: Option<OtherFiles>,
}

/// What a question wants of the documents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'q> {
    /// The words of the question, if they alone decide.
    pub(super) words: Option<&'q str>,
    /// The kind of the files.
    pub(super) only: Option<PassageKind>,
    /// The history, if it counts.
    pub(super) history: Option<&'q History>,
    /// Whether the host can embed texts.
    pub(super) embeds: bool,
}

/// Builds documents for all files that differ from the store. If these are many, and the words of
/// the question alone decide, only the files that fit the words best get documents.
///
/// # Errors
/// `STALE_INDEX` if the policy `error` forbids an unproven index; `REPO_NOT_FOUND`, `HOST_FAILED`.
pub(super) async fn build_current_documents<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    cache: &StoreCache,
    policy: StalePolicy,
    wanted: Wanted<'_>,
) -> Result<CurrentDocuments, Failure> {
    let examined = route::examine(host, &settings.repo, &settings.caches).await;
    let found = scoped_files(host, settings, &examined, Scope::Everything).await?;
    let opened = files::open(host, cache).await?;
    let mut current = CurrentDocuments {
        store: Rc::clone(&opened.store),
        stored: opened.store,
        fault: opened.fault,
        examined,
        statuses: found.statuses,
        live: BTreeSet::new(),
        skipped: found.skipped,
        others: None,
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
    let files = found.files.iter().filter(|path| chunk::has_documents(path));
    let builder = DocumentBuilder {
        host,
        settings,
        wanted,
        base: cache.derived_from(&current.stored),
    };
    builder
        .build(&mut current, files.cloned().collect())
        .await?;
    cache.keep_derived(&current.stored, &current.store);
    if policy == StalePolicy::Live && current.examined.index.is_none() {
        let files = current.store.files().map(|(path, _)| path.clone());
        current.live = files.collect();
    }
    Ok(current)
}

/// Builds documents of changed files.
struct DocumentBuilder<'m, 'h, H> {
    host: &'m Overlaid<'h, H>,
    settings: &'m Settings,
    wanted: Wanted<'m>,
    /// The stored documents, and those that earlier queries built.
    base: Rc<EmbeddedStore>,
}

impl<H: Host> DocumentBuilder<'_, '_, H> {
    async fn build(
        &self,
        current: &mut CurrentDocuments,
        files: Vec<RepoPath>,
    ) -> Result<(), RagnavError> {
        let known: HashMap<&RepoPath, ContentHash> = self.base.files().collect();
        let stored: HashMap<RepoPath, ContentHash> = current
            .stored
            .files()
            .map(|(path, hash)| (path.clone(), hash))
            .collect();
        let mut kept: HashMap<RepoPath, ContentHash> = HashMap::default();
        let mut unknown = Vec::new();
        for path in files {
            let is_stored = stored.contains_key(&path);
            match known_documents(current, &path, known.get(&path).copied(), is_stored) {
                Some(KnownDocuments::With(hash)) => {
                    // An earlier query built these documents, and no build has stored them.
                    if stored.get(&path) != Some(&hash) {
                        current.live.insert(path.clone());
                    }
                    kept.insert(path, hash);
                }
                Some(KnownDocuments::Without) => {}
                None => unknown.push(path),
            }
        }
        let is_by_vectors = self.wanted.embeds && self.base.has_vectors();
        if let Some(words) = self.wanted.words
            && unknown.len() > MAX_WITHOUT_SURVEY
            && !is_by_vectors
        {
            let terms = Terms::new(words)?;
            let hashes = (&known, &stored);
            let surveyed = self.survey(current, &unknown, hashes, &mut kept, &terms);
            let (best, others) = surveyed.await?;
            unknown = best;
            current.others = Some(others);
        }
        let mut builder = SegmentBuilder::default();
        let mut left = MAX_EMBEDDED;
        for (at, batch) in unknown.chunks(BATCH).enumerate() {
            let mut chunked_texts = Vec::new();
            let limit = self.settings.limits.max_file_bytes;
            let read = host::read_many(self.host, batch, limit).await?;
            for (path, file) in batch.iter().zip(read) {
                let text = match walk::decode_read(&file) {
                    Ok(text) => text,
                    Err(reason) => {
                        current.mark_unreadable(path, reason);
                        continue;
                    }
                };
                let hash = ContentHash::of(file.as_deref().unwrap_or_default());
                if known.get(path) == Some(&hash) {
                    kept.insert(path.clone(), hash);
                } else {
                    let segments = &self.settings.caches.segments;
                    let indexed = current.indexed_as(path, hash);
                    let facts = facts_of_text(self.host, segments, indexed, (path, &text)).await;
                    chunked_texts.push(ChunkedText::new(path, hash, &text, facts.as_ref()));
                }
                if stored.get(path) != Some(&hash) {
                    current.live.insert(path.clone());
                }
            }
            convert_local_dates(self.host, &mut chunked_texts).await?;
            if is_by_vectors {
                left = self.embed(&mut chunked_texts, left).await?;
            }
            for file in &chunked_texts {
                builder.add_file(file)?;
            }
            let done = at * BATCH + batch.len();
            host::pause_documents(self.host, done, unknown.len()).await;
        }
        let mut store = (*self.base).clone();
        store.retain_files(|path, hash, _| kept.get(path) == Some(&hash));
        store.drop_empty();
        store.push(&mut builder);
        current.store = Rc::new(store);
        Ok(())
    }

    /// Counts the terms in files, by the index or by their texts, and chooses those that fit the
    /// terms best. A file may turn out to have `known` documents, of which some are `stored`; then
    /// it is added to `kept`.
    async fn survey(
        &self,
        current: &mut CurrentDocuments,
        files: &[RepoPath],
        (known, stored): (
            &HashMap<&RepoPath, ContentHash>,
            &HashMap<RepoPath, ContentHash>,
        ),
        kept: &mut HashMap<RepoPath, ContentHash>,
        terms: &Terms,
    ) -> Result<(Vec<RepoPath>, OtherFiles), RagnavError> {
        let mut survey = TextSurvey::new(terms);
        let all = files.iter().chain(kept.keys());
        let uncounted = self.survey_indexed(current, all, &mut survey, terms).await;
        let is_unknown = |path: &RepoPath| !kept.contains_key(path);
        let files: Vec<RepoPath> = uncounted.into_iter().filter(is_unknown).collect();
        for (at, batch) in files.chunks(BATCH).enumerate() {
            let limit = self.settings.limits.max_file_bytes;
            let read = host::read_many(self.host, batch, limit).await?;
            for (path, file) in batch.iter().zip(read) {
                let hash = file.as_deref().map(ContentHash::of).ok();
                if let Some(hash) = hash.filter(|hash| known.get(path) == Some(hash)) {
                    if stored.get(path) != Some(&hash) {
                        current.live.insert(path.clone());
                    }
                    kept.insert(path.clone(), hash);
                }
                match walk::decode_read(&file) {
                    Ok(text) => survey.add_text(path, &text),
                    Err(reason) => current.mark_unreadable(path, reason),
                }
            }
            host::pause_documents(self.host, at * BATCH + batch.len(), files.len()).await;
        }
        Ok(
            survey.choose((self.wanted.only, self.wanted.history), |path| {
                kept.contains_key(path)
            }),
        )
    }

    /// Adds the files whose terms are in the index. Returns the others.
    async fn survey_indexed(
        &self,
        current: &CurrentDocuments,
        files: impl Iterator<Item = &RepoPath>,
        survey: &mut TextSurvey<'_>,
        terms: &Terms,
    ) -> Vec<RepoPath> {
        let caches = &self.settings.caches;
        let index = current.examined.index.as_deref();
        let term_index = match index {
            Some(index) => {
                index
                    .terms(self.host, &caches.segments, &caches.terms)
                    .await
            }
            None => None,
        };
        let (Some(index), Some(term_index)) = (index, term_index) else {
            return files.cloned().collect();
        };
        let counts = IndexedCounts::new(index, &term_index, terms);
        let mut others = Vec::new();
        for path in files {
            let record = current.unchanged_record(path);
            match record.and_then(|record| counts.of_file(record)) {
                Some(in_text) => survey.add_indexed(path, in_text),
                None => others.push(path.clone()),
            }
        }
        others
    }

    /// Embeds texts up to a limit. Returns how many more may be embedded.
    async fn embed(
        &self,
        chunked_texts: &mut [ChunkedText],
        left: usize,
    ) -> Result<usize, RagnavError> {
        let missing = chunked_texts
            .iter_mut()
            .flat_map(ChunkedText::texts_to_embed);
        let (texts, missing): (Vec<_>, Vec<_>) = missing.take(left).unzip();
        if missing.is_empty() {
            return Ok(left);
        }
        let vectors = self.host.send(EmbedRequest { texts }).await?;
        let count = vectors.len();
        for (own, vector) in missing.into_iter().zip(vectors) {
            *own = Some(vector);
        }
        Ok(left - count)
    }
}

/// The documents of a file that need not be read.
enum KnownDocuments {
    /// The file has documents, built from content with this hash.
    With(ContentHash),
    /// The file has no documents.
    Without,
}

fn known_documents(
    current: &CurrentDocuments,
    path: &RepoPath,
    known: Option<ContentHash>,
    is_stored: bool,
) -> Option<KnownDocuments> {
    let check = current.statuses.get(path)?;
    if check.verdict == Verdict::Skipped {
        return Some(KnownDocuments::Without);
    }
    let index = current.examined.index.as_deref()?;
    let record = index.file(path).and_then(FileRecord::hash);
    if check.verdict != Verdict::Unchanged || record.is_none() {
        return None;
    }
    let is_of_index = current.stored.generation() == Some(Index::generation(index));
    if let Some(hash) = known {
        return (record == known).then_some(KnownDocuments::With(hash));
    }
    // The build chunked every file, and stored documents of this file would be in the store.
    let is_whole = is_of_index && current.fault.is_none();
    (is_whole && !is_stored).then_some(KnownDocuments::Without)
}

impl CurrentDocuments {
    /// Returns the index's record of a file that is proven unchanged.
    fn unchanged_record(&self, path: &RepoPath) -> Option<&FileRecord> {
        let status = self.statuses.get(path)?;
        let record = self.examined.index.as_deref()?.file(path)?;
        (status.verdict == Verdict::Unchanged).then_some(record)
    }

    /// Returns the index and its record of a file, if it describes the content with this hash.
    fn indexed_as(&self, path: &RepoPath, hash: ContentHash) -> Option<(&Index, &FileRecord)> {
        let record = self.unchanged_record(path)?;
        let index = self.examined.index.as_deref()?;
        (record.hash() == Some(hash)).then_some((index, record))
    }

    /// Records that a file could not be read and therefore has no documents.
    fn mark_unreadable(&mut self, path: &RepoPath, reason: SkipReason) {
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
