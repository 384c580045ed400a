//! A document store of the host: Chroma, a `LangChain` store, or any store with an adapter.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Document, Query, Row, Store};
use crate::catalogue::Catalogue;
use crate::evaluate;
use crate::metadata::Metadata;
use crate::passage_kind::PassageKind;
use crate::plan::Filter;
use crate::stated_path::stated_path;
use crate::where_filter::{WhereParts, build_where};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{Host, StoreRequest};
use ragnav_base::json::{JsonObject, JsonValue};

/// The factor by which more rows are requested if some of them are sorted out afterwards.
const OVER_FETCH: usize = 5;

/// The number of rows from which no further ones are requested.
const MAX_FETCHED: usize = 2_000;

/// What ragnav tests itself, since the store cannot.
#[derive(Debug, Clone, Copy)]
struct OwnTests<'t> {
    rest: &'t [Filter],
    only: Option<PassageKind>,
}

impl OwnTests<'_> {
    fn is_any(self) -> bool {
        !self.rest.is_empty() || self.only.is_some()
    }

    fn pass(self, row: &Row) -> bool {
        let kind = || {
            let path = stated_path(|field| row.metadata.get(field))?;
            PassageKind::of_stated(path)
        };
        let meets = evaluate::meets(self.rest, |field| row.metadata.get(field));
        meets && (self.only.is_none() || kind() == self.only)
    }
}

/// A request to a document store.
///
/// # Examples
///
/// ```
/// use ragnav_agent::store::foreign::ForeignRequest;
///
/// let request = ForeignRequest::Get { r#where: None, limit: 10 };
/// let json = r#"{"request":"get","where":null,"limit":10}"#;
/// assert_eq!(serde_json::to_string(&request).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum ForeignRequest<'r> {
    /// The most relevant documents, best first.
    Query {
        /// Chroma's metadata filter; `null` for none.
        r#where: Option<Value>,
        /// The query text.
        text: &'r str,
        /// The embedding of the text, if the agent has an embedding model.
        embedding: Option<&'r [f32]>,
        /// The number of documents.
        k: usize,
    },
    /// The documents that meet a filter.
    Get {
        /// Chroma's metadata filter; `null` for none.
        r#where: Option<Value>,
        /// The largest number of documents.
        limit: usize,
    },
    /// Adds documents, and replaces those with the same ids.
    Upsert {
        /// The documents.
        documents: Vec<Upserted<'r>>,
    },
    /// Removes documents.
    Delete {
        /// The ids.
        ids: &'r [String],
    },
}

/// A document to add.
///
/// # Examples
///
/// ```
/// use ragnav_agent::metadata::Metadata;
/// use ragnav_agent::store::foreign::Upserted;
///
/// let metadata = Metadata::default();
/// let fox = Upserted { id: "1", document: "red fox", metadata: &metadata, embedding: None };
/// let json = r#"{"id":"1","document":"red fox","metadata":{},"embedding":null}"#;
/// assert_eq!(serde_json::to_string(&fox).unwrap(), json);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Upserted<'r> {
    /// The id.
    pub id: &'r str,
    /// The text.
    pub document: &'r str,
    /// The metadata.
    pub metadata: &'r Metadata,
    /// The embedding.
    pub embedding: Option<&'r [f32]>,
}

/// The response of a document store.
///
/// # Examples
///
/// ```
/// use ragnav_agent::store::foreign::ForeignResponse;
///
/// let json = r#"{"response": "refused", "message": "There is no collection \"notes\"."}"#;
/// let response: ForeignResponse = serde_json::from_str(json).unwrap();
/// assert!(matches!(response, ForeignResponse::Refused { .. }));
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
#[serde(tag = "response", rename_all = "snake_case")]
pub enum ForeignResponse {
    /// The rows of a query or a get.
    Rows {
        /// The measure of the rows' values; a get has none.
        #[serde(default)]
        measure: Option<Measure>,
        /// The rows; those of a query best first.
        rows: Vec<ForeignRow>,
    },
    /// The success of an upsert or a delete.
    Done,
    /// A failure: a missing collection, a wrong dimension, an unsupported operation.
    Refused {
        /// The reason, for a person.
        message: String,
    },
}

/// The measure of a row's value.
///
/// # Examples
///
/// ```
/// use ragnav_agent::store::foreign::Measure;
///
/// let measure: Measure = serde_json::from_str(r#""squared_distance""#).unwrap();
/// assert_eq!(measure, Measure::SquaredDistance);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Chroma's `cosine`: 1 − the cosine, from 0 to 2.
    CosineDistance,
    /// Chroma's `l2`: the square of the distance.
    SquaredDistance,
    /// Chroma's `ip`: 1 − the inner product.
    InnerProductDistance,
    /// A similarity of 1 for equal vectors, as in `LangChain`'s memory store.
    Similarity,
}

impl Measure {
    /// Converts a value to a similarity from 0 to 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_agent::store::foreign::Measure;
    ///
    /// assert_eq!(Measure::CosineDistance.similarity(0.25), 0.75);
    /// assert_eq!(Measure::SquaredDistance.similarity(1.0), 0.5);
    /// ```
    #[must_use]
    pub fn similarity(self, value: f64) -> f64 {
        let similarity = match self {
            Self::CosineDistance | Self::InnerProductDistance => 1.0 - value,
            Self::SquaredDistance => 1.0 / (1.0 + value.max(0.0)),
            Self::Similarity => value,
        };
        if similarity.is_nan() {
            return 0.0;
        }
        similarity.clamp(0.0, 1.0)
    }
}

/// A row of a store.
///
/// # Examples
///
/// ```
/// use ragnav_agent::store::foreign::ForeignRow;
///
/// let row: ForeignRow = serde_json::from_str(r#"{"id": "1", "value": 0.25}"#).unwrap();
/// assert_eq!((row.id.as_str(), row.value), ("1", Some(0.25)));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct ForeignRow {
    /// The id.
    pub id: String,
    /// The text.
    #[serde(default)]
    pub document: Option<String>,
    /// The metadata.
    #[serde(default)]
    pub metadata: Option<JsonObject>,
    /// The distance or similarity, in the measure of the response.
    #[serde(default)]
    pub value: Option<f64>,
}

impl ForeignRow {
    fn into_row(self, measure: Option<Measure>) -> Row {
        Row {
            id: self.id,
            document: self.document,
            metadata: self.metadata.unwrap_or_default().into(),
            similarity: measure
                .zip(self.value)
                .map(|(measure, value)| measure.similarity(value)),
            place: None,
        }
    }
}

/// A document store that the host provides.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::{StoreHost, query};
/// use ragnav_agent::catalogue::Catalogue;
/// use ragnav_agent::store::Store;
/// use ragnav_agent::store::foreign::ForeignStore;
/// use ragnav_base::memory_host::block_on;
///
/// let host = StoreHost(serde_json::json!({
///     "response": "rows",
///     "measure": "cosine_distance",
///     "rows": [{"id": "1", "document": "red fox", "value": 0.25}]
/// }));
/// let catalogue = Catalogue::notes();
/// let store = ForeignStore::new(&host, &catalogue);
/// let rows = block_on(store.query(query("fox"))).unwrap();
/// assert_eq!((rows[0].id.as_str(), rows[0].similarity), ("1", Some(0.75)));
/// ```
#[derive(Debug)]
pub struct ForeignStore<'s, H> {
    host: &'s H,
    catalogue: &'s Catalogue,
}

impl<'s, H: Host> ForeignStore<'s, H> {
    /// Builds a store of the host. The catalogue defines its fields.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
    /// # use setup::StoreHost;
    /// use ragnav_agent::catalogue::Catalogue;
    /// use ragnav_agent::store::Store;
    /// use ragnav_agent::store::foreign::ForeignStore;
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let host = StoreHost(serde_json::json!({"response": "done"}));
    /// let catalogue = Catalogue::notes();
    /// let mut store = ForeignStore::new(&host, &catalogue);
    /// assert!(block_on(store.delete(&["1".to_owned()])).is_ok());
    /// ```
    #[must_use]
    pub fn new(host: &'s H, catalogue: &'s Catalogue) -> Self {
        Self { host, catalogue }
    }

    async fn request(&self, request: ForeignRequest<'_>) -> Result<ForeignResponse, RagnavError> {
        let request =
            serde_json::to_value(request).map_err(|error| store_failed(&error.to_string()))?;
        let request = JsonValue(request);
        let response = self.host.send(StoreRequest { request }).await?;
        match serde_json::from_value(response) {
            Ok(ForeignResponse::Refused { message }) => Err(store_failed(&message)),
            Ok(response) => Ok(response),
            Err(error) => Err(store_failed(&format!("its response is invalid: {error}"))),
        }
    }

    /// Requests rows until enough of them pass the tests that the store cannot express, or it has
    /// no more.
    async fn request_rows<'r>(
        &self,
        request: impl Fn(usize) -> ForeignRequest<'r>,
        tests: OwnTests<'_>,
        limit: usize,
    ) -> Result<Vec<Row>, RagnavError> {
        let mut asked = limit;
        loop {
            if tests.is_any() {
                asked = asked.saturating_mul(OVER_FETCH);
            }
            let ForeignResponse::Rows { measure, rows } = self.request(request(asked)).await?
            else {
                return Err(store_failed("it returned the response to another request"));
            };
            let is_last = !tests.is_any() || rows.len() < asked || asked >= MAX_FETCHED;
            let rows = rows.into_iter().map(|row| row.into_row(measure));
            let passing: Vec<Row> = rows.filter(|row| tests.pass(row)).take(limit).collect();
            if is_last || passing.len() == limit {
                return Ok(passing);
            }
        }
    }

    async fn request_change(&self, request: ForeignRequest<'_>) -> Result<(), RagnavError> {
        match self.request(request).await? {
            ForeignResponse::Done => Ok(()),
            _ => Err(store_failed("it returned the response to another request")),
        }
    }
}

fn store_failed(why: &str) -> RagnavError {
    let message = format!("the store of documents failed: {why}");
    RagnavError::new(ErrorCode::StoreFailed, message)
}

impl<H: Host> Store for ForeignStore<'_, H> {
    async fn query(&self, query: Query<'_>) -> Result<Vec<Row>, RagnavError> {
        let WhereParts { clause, rest } = build_where(query.filters, Some(self.catalogue))?;
        let request = |k| ForeignRequest::Query {
            r#where: clause.clone(),
            text: query.text,
            embedding: query.embedding,
            k,
        };
        let tests = OwnTests {
            rest: &rest,
            only: query.only,
        };
        self.request_rows(request, tests, query.k).await
    }

    async fn get(
        &self,
        filters: &[Filter],
        only: Option<PassageKind>,
        limit: usize,
    ) -> Result<Vec<Row>, RagnavError> {
        let WhereParts { clause, rest } = build_where(filters, Some(self.catalogue))?;
        let request = |limit| ForeignRequest::Get {
            r#where: clause.clone(),
            limit,
        };
        let tests = OwnTests { rest: &rest, only };
        self.request_rows(request, tests, limit).await
    }

    async fn upsert(&mut self, documents: Vec<Document>) -> Result<(), RagnavError> {
        let documents = documents.iter().map(|document| Upserted {
            id: &document.id,
            document: &document.text,
            metadata: &document.metadata,
            embedding: document.embedding.as_deref(),
        });
        let documents = documents.collect();
        self.request_change(ForeignRequest::Upsert { documents })
            .await
    }

    async fn delete(&mut self, ids: &[String]) -> Result<(), RagnavError> {
        self.request_change(ForeignRequest::Delete { ids }).await
    }

    /// Always true, since a store with its own embeddings ignores the vector.
    fn wants_embedding(&self) -> bool {
        true
    }
}
