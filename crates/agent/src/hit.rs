//! What stores give, in one shape.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::metadata::{Metadata, text};
use super::store::foreign::Measure;
use super::store::{Place, Row};
use ragnav_base::error::RagnavError;

/// The fields that name a document's file, the best first.
const PATH_FIELDS: [&str; 3] = ["file_path", "path", "source"];

/// A document that was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
#[serde(default)]
pub struct Hit {
    /// Its name in the store.
    pub id: String,
    /// Its text, where the store keeps it.
    pub document: Option<String>,
    /// What else is known of it.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub metadata: Metadata,
    /// How well it fits, from 0 to 1; `null` where nothing was searched for.
    pub score: Option<f64>,
    /// Which it was among those that were found, from 1.
    pub rank: u32,
    /// The file it is of.
    pub file_path: Option<String>,
    /// How many others of its file were found, and are left out for it.
    pub siblings: u32,
    /// Where its text stands, where that is known for sure.
    #[serde(skip)]
    pub place: Option<Place>,
}

/// Brings rows into one shape, in their order.
#[must_use]
pub fn normalise(rows: Vec<Row>) -> Vec<Hit> {
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
    let mut fields = PATH_FIELDS.iter();
    let path = fields.find_map(|field| text(&row.metadata, field));
    path.filter(|path| !path.is_empty()).map(str::to_owned)
}

/// What a collection of Chroma gives to `get`: columns.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct GetResults {
    /// The documents' names.
    pub ids: Vec<String>,
    /// Their texts.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "(string | null)[] | null"))]
    pub documents: Option<Vec<Option<String>>>,
    /// What else is known of them.
    #[serde(default)]
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "(Record<string, unknown> | null)[] | null")
    )]
    pub metadatas: Option<Vec<Option<serde_json::Map<String, Value>>>>,
    /// How far they are, by the measure that goes with them.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "(number | null)[] | null"))]
    pub distances: Option<Vec<Option<f64>>>,
}

/// Brings the columns of a `get`, or of one query, into one shape, in their order.
///
/// # Errors
/// `INVALID_ARGUMENT` where a column has not as many rows as there are names.
pub fn normalise_columns(
    columns: GetResults,
    measure: Option<Measure>,
) -> Result<Vec<Hit>, RagnavError> {
    let count = columns.ids.len();
    let documents = column("documents", columns.documents, count)?;
    let metadatas = column("metadatas", columns.metadatas, count)?;
    let distances = column("distances", columns.distances, count)?;
    let told = documents.into_iter().zip(metadatas).zip(distances);
    let rows = columns.ids.into_iter().zip(told);
    let rows = rows.map(|(id, ((document, metadata), distance))| {
        let metadata = metadata.unwrap_or_default().into_iter();
        let metadata = metadata
            .filter_map(|(field, value)| Some((field, serde_json::from_value(value).ok()?)));
        Row {
            id,
            document,
            metadata: metadata.collect(),
            similarity: measure
                .zip(distance)
                .map(|(measure, value)| measure.similarity(value)),
            place: None,
        }
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
            let message = format!("{count} ids stand beside {} {name}", given.len());
            Err(RagnavError::invalid(message))
        }
    }
}

/// The first of each file, in their order; those of no file stay. What is left out is counted with what stays.
#[must_use]
pub fn deduplicate_by_file(hits: Vec<Hit>) -> Vec<Hit> {
    let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
    let mut places: HashMap<String, usize> = HashMap::new();
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
