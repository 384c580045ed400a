//! The store that ragnav brings along: exact, without a server, the same in Node and in browsers.

use std::collections::{HashMap, HashSet};

use super::inverted::key;
use super::part::Part;
use super::part_builder::PartBuilder;
use super::top::Top;
use super::vectors::{check_dimension, unit};
use super::{Document, Place, Query, Row, Store};
use crate::plan::Filter;
use ragnav_base::error::RagnavError;
use ragnav_base::path::RepoPath;
use ragnav_index::content::ContentHash;
use ragnav_matching::bm25::IdfTable;
use ragnav_matching::identifiers;
use ragnav_matching::terms::Terms;

/// A part with fewer documents is a small one.
const SMALL_PART: usize = 512;
/// How many small parts stay beside each other.
const MAX_SMALL_PARTS: usize = 8;

/// Documents, in parts. A copy shares them.
#[derive(Debug, Clone, Default)]
pub struct EmbeddedStore {
    pub(super) parts: Vec<Part>,
    /// Which model the vectors are of.
    pub(super) embedder: Option<String>,
    /// Of which index its files are.
    pub(super) generation: Option<String>,
}

/// Where a document is: its part, and its place there.
type At = (usize, u32);

impl EmbeddedStore {
    /// How many documents it has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.parts.iter().map(Part::count).sum()
    }

    /// Which model the vectors are of; `None` where there are none, or nobody said.
    #[must_use]
    pub fn embedder(&self) -> Option<&str> {
        self.embedder.as_deref()
    }

    /// The files it has documents of, and what they held then.
    pub fn files(&self) -> impl Iterator<Item = (&RepoPath, ContentHash)> {
        let files = self.parts.iter().flat_map(Part::files);
        files.map(|(path, hash, _)| (path, hash))
    }

    fn dimension(&self) -> Option<usize> {
        self.parts.iter().find_map(|part| part.vectors.dimension())
    }

    pub(super) fn best(&self, query: Query<'_>) -> Result<Vec<Row>, RagnavError> {
        let admitted: Vec<Vec<bool>> = self
            .parts
            .iter()
            .map(|part| part.admitted(query.filters))
            .collect();
        let is_admitted = |(part, document): At| {
            let part = admitted.get(part);
            part.and_then(|part| part.get(document as usize)) == Some(&true)
        };
        let mut top = Top::new(query.k);
        match (query.embedding, self.dimension()) {
            (Some(embedding), Some(dimension)) => {
                check_dimension(dimension, embedding.len())?;
                let unit = unit(embedding)?;
                for (at, part) in self.parts.iter().enumerate() {
                    let admits = |document| is_admitted((at, document));
                    for (document, product) in part.vectors.products(&unit, admits) {
                        let similarity = f64::from(product).clamp(0.0, 1.0);
                        top.push(similarity, self.ordered((at, document)));
                    }
                }
            }
            _ => self.by_terms(query.text, &is_admitted, &mut top)?,
        }
        let best = top.into_best();
        let rows = best.filter_map(|(score, of)| {
            let (part, document) = of.at;
            self.parts.get(part)?.row(document, Some(score))
        });
        Ok(rows.collect())
    }

    /// By the terms of the query: a similarity of 1 would be all of them, mentioned without end.
    fn by_terms<'s>(
        &'s self,
        text: &str,
        is_admitted: &impl Fn(At) -> bool,
        top: &mut Top<Ordered<'s>>,
    ) -> Result<(), RagnavError> {
        let keys = keys(text)?;
        let holding = |key: &u32| {
            let of_parts = self.parts.iter().map(|part| part.holding(*key).count());
            of_parts.sum()
        };
        let holding: Vec<usize> = keys.iter().map(holding).collect();
        let worths = IdfTable::new(self.count(), &holding);
        let all = worths.sum(|_| true);
        if all <= 0.0 {
            return Ok(());
        }
        for (at, part) in self.parts.iter().enumerate() {
            let mut frequencies: HashMap<u32, Vec<f64>> = HashMap::new();
            for (term, key) in keys.iter().enumerate() {
                for (document, frequency) in part.holding(*key) {
                    if !is_admitted((at, document)) {
                        continue;
                    }
                    let own = frequencies
                        .entry(document)
                        .or_insert_with(|| vec![0.0; keys.len()]);
                    if let Some(own) = own.get_mut(term) {
                        *own = frequency;
                    }
                }
            }
            for (document, own) in frequencies {
                let score = worths.score(|term| own.get(term).copied().unwrap_or_default());
                top.push(score / all, self.ordered((at, document)));
            }
        }
        Ok(())
    }

    fn ordered(&self, at: At) -> Ordered<'_> {
        Ordered { store: self, at }
    }

    /// The documents that meet filters, by file and line.
    pub(super) fn all(&self, filters: &[Filter], limit: usize) -> Vec<Row> {
        let mut top = Top::new(limit);
        for (at, part) in self.parts.iter().enumerate() {
            let admitted = (0..).zip(part.admitted(filters));
            for (document, _) in admitted.filter(|(_, admitted)| *admitted) {
                top.push(0.0, self.ordered((at, document)));
            }
        }
        let rows = top.into_best().filter_map(|(_, of)| {
            let (part, document) = of.at;
            self.parts.get(part)?.row(document, None)
        });
        rows.collect()
    }

    /// Puts a part in; what it has must not be there already.
    pub(crate) fn push(&mut self, builder: PartBuilder) {
        let part = builder.finish();
        if part.len() > 0 {
            self.parts.push(part);
        }
    }

    /// The generation of the index that it was filled from.
    #[must_use]
    pub fn generation(&self) -> Option<&str> {
        self.generation.as_deref()
    }

    pub(crate) fn set_generation(&mut self, generation: &str) {
        self.generation = Some(generation.to_owned());
    }

    /// Says which model the vectors are of.
    pub(crate) fn set_embedder(&mut self, embedder: Option<String>) {
        self.embedder = embedder;
    }

    /// How many documents have no vector, in a store where others have.
    #[must_use]
    pub fn without_vector(&self) -> usize {
        match self.dimension() {
            Some(_) => self.parts.iter().map(Part::without_vector).sum(),
            None => 0,
        }
    }

    /// The vectors that it has, by the hashes of the texts that they are of.
    pub(crate) fn known_vectors(&self) -> HashMap<u64, &[f32]> {
        self.parts.iter().flat_map(Part::known_vectors).collect()
    }

    /// Takes out the documents of all files that a test does not name: it is told the file, what it held, and whether all have vectors. Gives how many files
    /// they were.
    pub(crate) fn retain_files(
        &mut self,
        keeps: impl Fn(&RepoPath, ContentHash, bool) -> bool,
    ) -> usize {
        let mut removed = 0;
        for part in &mut self.parts {
            let files = part.files();
            let goes =
                files.filter(|(path, hash, run)| !keeps(path, *hash, part.have_vectors(*run)));
            let dead: Vec<(u32, u32)> = goes.map(|(_, _, run)| run).collect();
            removed += dead.len();
            part.bury(&dead);
        }
        removed
    }

    /// Whether documents have vectors.
    #[must_use]
    pub fn has_vectors(&self) -> bool {
        self.dimension().is_some()
    }

    /// Drops parts of which nothing counts any more.
    pub(crate) fn drop_empty(&mut self) {
        self.parts.retain(|part| part.count() > 0);
    }

    /// Where a document of a file stands, by what it is called there.
    pub(crate) fn place_of(&self, path: &RepoPath, name: &str) -> Option<Place> {
        let mut parts = self.parts.iter();
        parts.find_map(|part| {
            let mut files = part.files();
            let (_, _, (start, end)) = files.find(|(own, _, _)| *own == path)?;
            let places = (start..end).filter_map(|document| part.row(document, None)?.place);
            let mut places = places.filter(|place| place.name == name);
            places.next()
        })
    }

    /// Drops parts of which little counts any more, and small ones once they are many, with all that is in them: files can be read again. What
    /// somebody put in stays.
    pub(crate) fn drop_wasteful(&mut self) -> usize {
        let is_small = |part: &Part| part.count() < SMALL_PART;
        let small = self.parts.iter().filter(|part| is_small(part)).count();
        let before = self.parts.len();
        self.parts.retain(|part| {
            let is_wasteful = part.count() * 2 < part.len();
            let goes = is_wasteful || (is_small(part) && small > MAX_SMALL_PARTS);
            !goes || part.holds_given()
        });
        before - self.parts.len()
    }
}

/// A document, ordered by where it stands, which is only looked up where two must be told apart.
#[derive(Debug, Clone, Copy)]
struct Ordered<'s> {
    store: &'s EmbeddedStore,
    at: At,
}

impl Ordered<'_> {
    fn order(&self) -> Option<(Option<&RepoPath>, u32, String)> {
        let (part, document) = self.at;
        let part = self.store.parts.get(part)?;
        Some(part.order(document))
    }
}

impl Ord for Ordered<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        if self.at == other.at {
            return std::cmp::Ordering::Equal;
        }
        self.order()
            .cmp(&other.order())
            .then(self.at.cmp(&other.at))
    }
}

impl PartialOrd for Ordered<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ordered<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered<'_> {}

/// The keys of a query's terms; of what is more than letters and digits, those of its parts.
fn keys(text: &str) -> Result<Vec<u32>, RagnavError> {
    let mut keys = Vec::new();
    let mut seen = HashSet::new();
    let mut take = |term: &str| {
        let key = key(term);
        if seen.insert(key) {
            keys.push(key);
        }
    };
    for term in Terms::new(text)?.terms() {
        if term.text.chars().all(char::is_alphanumeric) {
            take(&term.text);
            continue;
        }
        for part in identifiers::subwords(&term.text) {
            take(term.text.get(part).unwrap_or_default());
        }
    }
    Ok(keys)
}

impl Store for EmbeddedStore {
    async fn query(&self, query: Query<'_>) -> Result<Vec<Row>, RagnavError> {
        self.best(query)
    }

    async fn get(&self, filters: &[Filter], limit: usize) -> Result<Vec<Row>, RagnavError> {
        Ok(self.all(filters, limit))
    }

    async fn upsert(&mut self, mut documents: Vec<Document>) -> Result<(), RagnavError> {
        // Of several of one name the last counts.
        let mut seen = HashSet::new();
        documents.reverse();
        documents.retain(|document| seen.insert(document.id.clone()));
        documents.reverse();
        if let Some(stored) = self.dimension() {
            for document in &documents {
                let given = document.embedding.as_ref().map_or(stored, Vec::len);
                check_dimension(stored, given)?;
            }
        }
        let mut builder = PartBuilder::default();
        builder.add_documents(&documents)?;
        for part in &mut self.parts {
            part.bury_if(|id| seen.contains(id));
        }
        self.push(builder);
        Ok(())
    }

    async fn delete(&mut self, ids: &[String]) -> Result<(), RagnavError> {
        let ids: HashSet<&str> = ids.iter().map(String::as_str).collect();
        for part in &mut self.parts {
            part.bury_if(|id| ids.contains(id));
        }
        Ok(())
    }

    fn wants_embedding(&self) -> bool {
        self.dimension().is_some()
    }
}
