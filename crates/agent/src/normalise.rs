//! Normalising the rows of document stores.

use ragnav_base::hash::HashMap;

use serde::{Deserialize, Serialize};

use super::metadata::Metadata;
use super::stated_path::stated_path;
use super::store::foreign::Measure;
use super::store::{DocumentLocation, Row};
use ragnav_base::error::RagnavError;
use ragnav_base::json::JsonObject;

/// A retrieved document.
///
/// # Examples
///
/// ```
/// use ragnav_agent::normalise::Hit;
///
/// let hit: Hit = serde_json::from_str(r#"{"id": "1", "file_path": "notes.md"}"#).unwrap();
/// assert_eq!((hit.id.as_str(), hit.file_path.as_deref()), ("1", Some("notes.md")));
/// assert_eq!(hit.document, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
#[serde(default)]
pub struct Hit {
    /// The id in the store.
    pub id: String,
    /// The text, if the store keeps it.
    pub document: Option<String>,
    /// The metadata.
    pub metadata: Metadata,
    /// The relevance, from 0 to 1; `null` if the plan has no query.
    pub score: Option<f64>,
    /// The rank among the retrieved documents, from 1.
    pub rank: u32,
    /// The path of the file.
    pub file_path: Option<String>,
    /// The number of other retrieved documents of the same file, which this one replaces.
    pub siblings: u32,
    /// The location of the text, if the embedded store knows it.
    #[serde(skip)]
    pub place: Option<DocumentLocation>,
}

/// Normalises rows, in their order.
#[must_use]
pub(crate) fn normalise(rows: Vec<Row>) -> Vec<Hit> {
    let hits = (1..).zip(rows).map(|(rank, row)| Hit {
        file_path: file_path(&row),
        id: row.id,
        document: row.document,
        metadata: row.metadata,
        score: row.similarity,
        rank,
        siblings: 0,
        place: row.place,
    });
    hits.collect()
}

fn file_path(row: &Row) -> Option<String> {
    if let Some(place) = &row.place {
        return Some(place.path.to_string());
    }
    stated_path(|field| row.metadata.get(field)).map(str::to_owned)
}

/// The columns that Chroma's `get` returns.
///
/// # Examples
///
/// ```
/// use ragnav_agent::normalise::GetResults;
///
/// let json = r#"{"ids": ["1", "2"], "documents": ["Run the script.", null]}"#;
/// let columns: GetResults = serde_json::from_str(json).unwrap();
/// assert_eq!(columns.documents.unwrap()[1], None);
/// assert!(columns.metadatas.is_none());
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct GetResults {
    /// The ids.
    pub ids: Vec<String>,
    /// The texts.
    #[serde(default)]
    pub documents: Option<Vec<Option<String>>>,
    /// The metadata.
    #[serde(default)]
    pub metadatas: Option<Vec<Option<JsonObject>>>,
    /// The distances, in the collection's measure.
    #[serde(default)]
    pub distances: Option<Vec<Option<f64>>>,
}

/// Normalises the columns of a `get`, or of one query, in their order.
///
/// # Errors
/// `INVALID_ARGUMENT` if a column and the ids differ in length.
///
/// # Examples
///
/// ```
/// use ragnav_agent::normalise::{GetResults, normalise_columns};
/// use ragnav_agent::store::foreign::Measure;
///
/// let json = r#"{"ids": ["1"], "distances": [0.25]}"#;
/// let columns: GetResults = serde_json::from_str(json).unwrap();
/// let hits = normalise_columns(columns, Some(Measure::CosineDistance)).unwrap();
/// assert_eq!((hits[0].rank, hits[0].score), (1, Some(0.75)));
/// ```
pub fn normalise_columns(
    columns: GetResults,
    measure: Option<Measure>,
) -> Result<Vec<Hit>, RagnavError> {
    let count = columns.ids.len();
    let documents = column("documents", columns.documents, count)?;
    let metadatas = column("metadatas", columns.metadatas, count)?;
    let distances = column("distances", columns.distances, count)?;
    let fields = documents.into_iter().zip(metadatas).zip(distances);
    let rows = columns.ids.into_iter().zip(fields);
    let rows = rows.map(|(id, ((document, metadata), distance))| Row {
        id,
        document,
        metadata: metadata.unwrap_or_default().into(),
        similarity: measure
            .zip(distance)
            .map(|(measure, value)| measure.similarity(value)),
        place: None,
    });
    Ok(normalise(rows.collect()))
}

fn column<T: Clone>(
    name: &str,
    given: Option<Vec<Option<T>>>,
    count: usize,
) -> Result<Vec<Option<T>>, RagnavError> {
    match given {
        None => Ok(vec![None; count]),
        Some(given) if given.len() == count => Ok(given),
        Some(given) => {
            let message = format!("there are {count} ids but {} {name}", given.len());
            Err(RagnavError::invalid(message))
        }
    }
}

/// Keeps the first document of each file, and every document without a file, in their order. Each
/// counts the ones that it replaces.
///
/// # Examples
///
/// ```
/// use ragnav_agent::normalise::{Hit, deduplicate_by_file};
///
/// let hit = |path: &str| Hit { file_path: Some(path.to_owned()), ..Hit::default() };
/// let kept = deduplicate_by_file(vec![hit("a.md"), hit("b.md"), hit("a.md")]);
/// let siblings: Vec<u32> = kept.iter().map(|hit| hit.siblings).collect();
/// assert_eq!(siblings, [1, 0]);
/// ```
#[must_use]
pub fn deduplicate_by_file(hits: Vec<Hit>) -> Vec<Hit> {
    let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
    let mut places: HashMap<String, usize> = HashMap::default();
    for hit in hits {
        let known = hit.file_path.as_ref().and_then(|path| places.get(path));
        if let Some(first) = known.and_then(|at| kept.get_mut(*at)) {
            first.siblings += 1;
            continue;
        }
        if let Some(path) = &hit.file_path {
            places.insert(path.clone(), kept.len());
        }
        kept.push(hit);
    }
    kept
}
