//! Ranking the documents of a store by the terms of a query, as a ranked search does, and by
//! vectors if there are any (see [`relevance`](ragnav_matching::relevance)).

use std::collections::BTreeMap;
use std::ops::Range;

use super::Query;
use super::document_position::DocumentPosition;
use super::inverted_index::{Key, term_key};
use super::segment::DocumentSegment;
use super::similarities::Similarities;
use crate::survey_texts::OtherFiles;
use ragnav_base::error::RagnavError;
use ragnav_base::hash::HashMap;
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;
use ragnav_matching::bm25::IdfTable;
use ragnav_matching::history::History;
use ragnav_matching::name_bonus::NameCounts;
use ragnav_matching::relevance::{FileSignals, MAX_FILES, Question, row_share, weigh_similarity};
use ragnav_matching::terms::Terms;

/// A file that holds terms of the query, or has vectors to compare.
struct RankedFile<'s> {
    path: Option<&'s RepoPath>,
    segment: usize,
    documents: Range<u32>,
    signals: FileSignals,
    factor: f64,
    /// The score by which the best files are chosen.
    estimate: f64,
}

/// Returns the documents that contain terms of a query or have a similarity, with scores from 0 to
/// 1.
///
/// # Errors
/// `INVALID_ARGUMENT` for a blank query.
pub(super) fn rank_documents(
    segments: &[DocumentSegment],
    query: Query<'_>,
    similarities: &Similarities,
    is_admitted: impl Fn(DocumentPosition) -> bool,
) -> Result<Vec<(f64, DocumentPosition)>, RagnavError> {
    let terms = Terms::new(query.text)?;
    let keys: Vec<Key> = terms
        .terms()
        .iter()
        .map(|term| term_key(&term.text))
        .collect();
    let mut files = Files::new(segments, similarities, is_admitted);
    let idf = files.count_terms(&keys, &terms, query.others);
    let best = files.best(&terms, &idf, query.history);
    let mut ranked = Vec::new();
    for (file, documents) in best.iter().zip(files.count_in_documents(&best, &keys)) {
        ranked.extend(files.rank_documents(file, &documents, &terms, &idf));
    }
    Ok(ranked)
}

/// The documents of a file that hold terms, with the frequency of each term.
type TermsOfDocuments = BTreeMap<u32, Vec<f64>>;

/// The files of a store, and how often each holds each term.
struct Files<'s, A> {
    segments: &'s [DocumentSegment],
    similarities: &'s Similarities,
    is_admitted: A,
    /// For each segment its files, with the range of their documents.
    by_segment: Vec<Vec<(Option<&'s RepoPath>, Range<u32>)>>,
    /// The frequency of each term, by segment and file.
    frequencies: HashMap<(usize, u32), Vec<f64>>,
}

impl<'s, A: Fn(DocumentPosition) -> bool> Files<'s, A> {
    fn new(
        segments: &'s [DocumentSegment],
        similarities: &'s Similarities,
        is_admitted: A,
    ) -> Self {
        let files = segments.iter().map(|segment| segment.all_files().collect());
        Self {
            segments,
            similarities,
            is_admitted,
            by_segment: files.collect(),
            frequencies: HashMap::default(),
        }
    }

    fn is_live(&self, segment: usize, documents: Range<u32>) -> bool {
        let segment = self.segments.get(segment);
        segment.is_some_and(|segment| {
            documents
                .into_iter()
                .any(|document| segment.is_live(document))
        })
    }

    /// Counts the terms in all live files, with those in other files. Returns the idf of each.
    fn count_terms(
        &mut self,
        keys: &[Key],
        terms: &Terms,
        others: Option<&OtherFiles>,
    ) -> IdfTable {
        let others = others.cloned().unwrap_or_default();
        let mut live = others.count;
        let mut holding = others.holding;
        holding.resize(keys.len(), 0);
        for (at, segment) in self.segments.iter().enumerate() {
            let files = self.by_segment.get(at).map_or(&[][..], Vec::as_slice);
            let is_live: Vec<bool> = files
                .iter()
                .map(|(_, documents)| self.is_live(at, documents.clone()))
                .collect();
            live += is_live.iter().filter(|live| **live).count();
            for ((term, key), holding) in keys.iter().enumerate().zip(&mut holding) {
                for (file, frequency) in segment.files_with_term(*key) {
                    if is_live.get(file as usize) != Some(&true) {
                        continue;
                    }
                    *holding += 1;
                    let own = self.frequencies.entry((at, file));
                    let own = own.or_insert_with(|| vec![0.0; keys.len()]);
                    if let Some(own) = own.get_mut(term) {
                        *own = frequency;
                    }
                }
            }
        }
        terms.idf(live, &holding)
    }

    /// Returns the files with admitted documents that have the best estimates. Documents of the
    /// caller are always among them.
    fn best(
        &self,
        terms: &Terms,
        idf: &IdfTable,
        history: Option<&History>,
    ) -> Vec<RankedFile<'s>> {
        let paths = self
            .by_segment
            .iter()
            .flatten()
            .filter_map(|(path, _)| *path);
        let question = Question::new(terms, paths);
        let mut best = Vec::new();
        for (at, files) in self.by_segment.iter().enumerate() {
            let files = (0..).zip(files);
            best.extend(files.filter_map(|(file, (path, documents))| {
                self.rate((at, file), *path, documents, (&question, idf, history))
            }));
        }
        best.small_sort_by(|a, b| {
            let place = |file: &RankedFile<'s>| (file.path, file.segment, file.documents.start);
            let estimates = b.estimate.total_cmp(&a.estimate);
            estimates.then(place(a).cmp(&place(b)))
        });
        let of_caller = best
            .iter()
            .take_while(|file| file.estimate.is_infinite())
            .count();
        best.truncate(of_caller + MAX_FILES);
        best
    }

    /// Returns a file with its signals, unless it has neither terms nor vectors.
    fn rate(
        &self,
        (segment, file): (usize, u32),
        path: Option<&'s RepoPath>,
        documents: &Range<u32>,
        (question, idf, history): (&Question<'_>, &IdfTable, Option<&History>),
    ) -> Option<RankedFile<'s>> {
        let frequencies = self.frequencies.get(&(segment, file));
        let similarity = self.similarities.of_file(segment, documents.clone());
        if frequencies.is_none() && similarity.is_none() {
            return None;
        }
        // A file without an admitted document must not take the place of one that has some.
        if !documents
            .clone()
            .any(|document| (self.is_admitted)((segment, document)))
        {
            return None;
        }
        let frequency = |term| frequencies?.get(term).copied();
        let text = idf.share(|term| frequency(term).unwrap_or_default());
        let signals = path
            .map_or_else(FileSignals::default, |path| {
                FileSignals::new(path, text, question, idf)
            })
            .with_similarity(similarity.unwrap_or_default())
            .with_history(
                path.zip(history)
                    .map_or(0.0, |(path, history)| history.score(path)),
            );
        let factor = path.map_or(1.0, |path| question.factor(path));
        Some(RankedFile {
            path,
            segment,
            documents: documents.clone(),
            signals,
            factor,
            estimate: path.map_or(f64::INFINITY, |_| factor * signals.estimate()),
        })
    }

    /// Returns the terms in the admitted documents of each file.
    fn count_in_documents(&self, best: &[RankedFile<'s>], keys: &[Key]) -> Vec<TermsOfDocuments> {
        let mut found = vec![TermsOfDocuments::new(); best.len()];
        for (at, segment) in self.segments.iter().enumerate() {
            let mut owners = vec![None; segment.len()];
            for (file, ranked) in best
                .iter()
                .enumerate()
                .filter(|(_, file)| file.segment == at)
            {
                let Range { start, end } = ranked.documents;
                if let Some(own) = owners.get_mut(start as usize..end as usize) {
                    own.fill(Some(file));
                }
            }
            for (term, key) in keys.iter().enumerate() {
                for (document, frequency) in segment.documents_with_term(*key) {
                    let owner = owners.get(document as usize).copied().flatten();
                    let Some(found) = owner.and_then(|file| found.get_mut(file)) else {
                        continue;
                    };
                    if !(self.is_admitted)((at, document)) {
                        continue;
                    }
                    let own = found
                        .entry(document)
                        .or_insert_with(|| vec![0.0; keys.len()]);
                    if let Some(own) = own.get_mut(term) {
                        *own = frequency;
                    }
                }
            }
        }
        found
    }

    /// Returns the documents of a file with their scores.
    fn rank_documents(
        &self,
        file: &RankedFile<'s>,
        documents: &TermsOfDocuments,
        terms: &Terms,
        idf: &IdfTable,
    ) -> impl Iterator<Item = (f64, DocumentPosition)> {
        let mut sum = 0.0;
        let mut scores = Vec::new();
        for document in file.documents.clone() {
            let at = (file.segment, document);
            let by_terms = documents
                .get(&document)
                .map(|frequencies| self.score_terms(at, frequencies, terms, idf));
            let similarity = self.similarities.of_document(at);
            if by_terms.is_none() && similarity.is_none() {
                continue;
            }
            let by_terms = by_terms.unwrap_or_default();
            sum += by_terms.min(1.0);
            scores.push((
                by_terms + weigh_similarity(similarity.unwrap_or_default()),
                at,
            ));
        }
        scores.small_sort_by(|a, b| b.0.total_cmp(&a.0));
        let parts = file.signals.parts(sum, terms);
        let factor = file.factor;
        let ranked = scores.into_iter().enumerate();
        ranked.map(move |(better, (document_score, at))| {
            let score = parts.score(document_score, row_share(better), factor);
            (score / (1.0 + score), at)
        })
    }

    /// Returns the score of a document by its terms, which have these frequencies.
    fn score_terms(
        &self,
        (segment, document): DocumentPosition,
        frequencies: &[f64],
        terms: &Terms,
        idf: &IdfTable,
    ) -> f64 {
        let segment = self.segments.get(segment);
        let heading = segment.map_or("", |segment| segment.heading(document));
        let own = heading.rsplit('.').next().unwrap_or_default();
        let named = NameCounts::new(heading, heading, own, terms).bonus(terms, idf);
        let share = idf.share(|term| frequencies.get(term).copied().unwrap_or_default());
        share + named
    }
}
