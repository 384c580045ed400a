//! A store that the host knows: Chroma, one of `LangChain`, or any that an adapter speaks for.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Document, Query, Row, Store};
use crate::catalogue::Catalogue;
use crate::evaluate;
use crate::metadata::Metadata;
use crate::plan::Filter;
use crate::where_filter::{WhereParts, build_where};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, Host};

/// How many times as many rows are asked for as are wanted, where some filters are held against them afterwards.
const OVER_FETCH: usize = 5;

/// What a store is asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum Request<'r> {
    /// The documents that fit best, best first.
    Query {
        /// Chroma's metadata filter; `null` for none.
        #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
        r#where: Option<Value>,
        /// What is searched for, in words.
        text: &'r str,
        /// And as a vector, where the agent was given what makes one.
        embedding: Option<&'r [f32]>,
        /// How many.
        k: usize,
    },
    /// The documents that meet a filter.
    Get {
        /// Chroma's metadata filter; `null` for none.
        #[cfg_attr(feature = "tsify", tsify(type = "unknown"))]
        r#where: Option<Value>,
        /// How many.
        limit: usize,
    },
    /// Put documents in, in place of those of the same names.
    Upsert {
        /// The documents.
        documents: Vec<Upserted<'r>>,
    },
    /// Take documents out.
    Delete {
        /// Their names.
        ids: &'r [String],
    },
}

/// A document that is put in.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct Upserted<'r> {
    /// Its name.
    pub id: &'r str,
    /// Its text.
    pub document: &'r str,
    /// What else is known of it.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub metadata: &'r Metadata,
    /// What it means.
    pub embedding: Option<&'r [f32]>,
}

/// What a store answers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// To a query or a get.
    Rows {
        /// What the rows' values are; a get has none.
        #[serde(default)]
        #[cfg_attr(feature = "tsify", tsify(optional, type = "Measure | null"))]
        measure: Option<Measure>,
        /// The rows, a query's best first.
        rows: Vec<ForeignRow>,
    },
    /// To an upsert or a delete.
    Done,
    /// It cannot or would not: a missing collection, a wrong dimension, something that it never does.
    Refused {
        /// Why, in words.
        message: String,
    },
}

/// What tells how near a document is.
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
    /// The higher the nearer, 1 for the same, as `LangChain`'s memory store has it.
    Similarity,
}

impl Measure {
    /// A similarity from 0 to 1, the higher the nearer.
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

/// A row as a store gives it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ForeignRow {
    /// The document's name.
    pub id: String,
    /// Its text.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string | null"))]
    pub document: Option<String>,
    /// What else is known of it.
    #[serde(default)]
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "Record<string, unknown> | null")
    )]
    pub metadata: Option<serde_json::Map<String, Value>>,
    /// How near it is, by the reply's measure.
    #[serde(default)]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "number | null"))]
    pub value: Option<f64>,
}

impl ForeignRow {
    fn row(self, measure: Option<Measure>) -> Row {
        let metadata = self.metadata.unwrap_or_default().into_iter();
        // What is no value of metadata, as null and nested objects, counts as not there.
        let metadata = metadata
            .filter_map(|(field, value)| Some((field, serde_json::from_value(value).ok()?)));
        Row {
            id: self.id,
            document: self.document,
            metadata: metadata.collect(),
            similarity: measure
                .zip(self.value)
                .map(|(measure, value)| measure.similarity(value)),
            place: None,
        }
    }
}

/// A store that the host knows.
#[derive(Debug)]
pub struct ForeignStore<'s, H> {
    host: &'s H,
    catalogue: &'s Catalogue,
}

impl<'s, H: Host> ForeignStore<'s, H> {
    /// The store of a host; the catalogue says what its fields are.
    #[must_use]
    pub fn new(host: &'s H, catalogue: &'s Catalogue) -> Self {
        Self { host, catalogue }
    }

    async fn ask(&self, request: Request<'_>) -> Result<Reply, RagnavError> {
        let request = serde_json::to_value(request).map_err(|error| failed(&error.to_string()))?;
        let reply = host::store(self.host, request).await?;
        match serde_json::from_value(reply) {
            Ok(Reply::Refused { message }) => Err(failed(&message)),
            Ok(reply) => Ok(reply),
            Err(error) => Err(failed(&format!("its answer makes no sense: {error}"))),
        }
    }

    /// Asks for rows and holds them against what the store could not be asked.
    async fn rows(
        &self,
        request: Request<'_>,
        rest: &[Filter],
        limit: usize,
    ) -> Result<Vec<Row>, RagnavError> {
        let Reply::Rows { measure, rows } = self.ask(request).await? else {
            return Err(failed("it answered another request"));
        };
        let rows = rows.into_iter().map(|row| row.row(measure));
        let rows = rows.filter(|row| evaluate::meets(rest, |field| row.metadata.get(field)));
        Ok(rows.take(limit).collect())
    }

    fn parts(&self, filters: &[Filter], limit: usize) -> Result<(WhereParts, usize), RagnavError> {
        let parts = build_where(filters, Some(self.catalogue))?;
        let asked = match parts.rest.len() {
            0 => limit,
            _ => limit.saturating_mul(OVER_FETCH),
        };
        Ok((parts, asked))
    }

    async fn change(&self, request: Request<'_>) -> Result<(), RagnavError> {
        match self.ask(request).await? {
            Reply::Done => Ok(()),
            _ => Err(failed("it answered another request")),
        }
    }
}

fn failed(why: &str) -> RagnavError {
    let message = format!("the store of documents failed: {why}");
    RagnavError::new(ErrorCode::StoreFailed, message)
}

impl<H: Host> Store for ForeignStore<'_, H> {
    async fn query(&self, query: Query<'_>) -> Result<Vec<Row>, RagnavError> {
        let (parts, k) = self.parts(query.filters, query.k)?;
        let request = Request::Query {
            r#where: parts.clause,
            text: query.text,
            embedding: query.embedding,
            k,
        };
        self.rows(request, &parts.rest, query.k).await
    }

    async fn get(&self, filters: &[Filter], limit: usize) -> Result<Vec<Row>, RagnavError> {
        let (parts, asked) = self.parts(filters, limit)?;
        let request = Request::Get {
            r#where: parts.clause,
            limit: asked,
        };
        self.rows(request, &parts.rest, limit).await
    }

    async fn upsert(&mut self, documents: Vec<Document>) -> Result<(), RagnavError> {
        let documents = documents.iter().map(|document| Upserted {
            id: &document.id,
            document: &document.text,
            metadata: &document.metadata,
            embedding: document.embedding.as_deref(),
        });
        let documents = documents.collect();
        self.change(Request::Upsert { documents }).await
    }

    async fn delete(&mut self, ids: &[String]) -> Result<(), RagnavError> {
        self.change(Request::Delete { ids }).await
    }

    /// A store that embeds by itself passes a vector over.
    fn wants_embedding(&self) -> bool {
        true
    }
}
