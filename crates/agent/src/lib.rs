//! The RAG micro-agent: from a question to a plan, and from a plan to passages for a language
//! model.
//!
//! Files are chunked into documents (`chunk`), which a build adds to a document store
//! (`fill_store`, `store`). Retrieval finds the documents of a plan (`retrieve`), verifies them
//! against their files (`verify_documents`) and packages them (`package`); `ask` runs these steps.
//!
//! This crate performs no I/O and calls no model itself; the [`Host`](ragnav_base::host::Host)
//! does.
//! Without a model, the deterministic plan is used.
//!
//! ```
//! use ragnav_agent::calendar::Weekday;
//! use ragnav_agent::catalogue::Catalogue;
//! use ragnav_agent::clock::{Clock, Utc};
//! use ragnav_agent::deterministic;
//! use ragnav_agent::validate::Mandatory;
//!
//! let clock = Clock { now_ms: 0, zone: &Utc, first_day_of_week: Weekday::Monday };
//! let question = "notes about deployment tagged #ops";
//! let plan = deterministic::plan(question, &Catalogue::notes(), clock,
//! &Mandatory::default()).plan;
//! assert_eq!(plan.semantic_query, "deployment");
//! assert_eq!(plan.filters[0].field, "tags");
//! ```

pub mod answer;
pub mod ask;
pub mod build;
pub mod calendar;
pub mod caller_plan;
pub mod catalogue;
pub mod chunk;
mod chunked_text;
pub mod clock;
mod current_documents;
mod current_text;
mod dates;
mod describe;
pub mod deterministic;
pub mod draft;
pub mod evaluate;
pub mod fill_store;
mod highlight;
pub mod metadata;
pub mod model;
pub mod normalise;
pub mod package;
pub mod passage_kind;
pub mod plan;
mod prompt;
pub mod repair;
pub mod rerank;
mod retrieve;
pub mod schema;
mod stated_path;
pub mod store;
pub mod survey_texts;
pub mod validate;
mod verify_documents;
pub mod where_filter;
