//! The RAG micro-agent: from a question to a plan, and from a plan to what a language model shall read.
//!
//! Files are divided into documents (`chunk`), which a build puts into the store (`fill`, `store`). A plan's documents are found
//! (`retrieve`), held against their files (`fresh`) and packaged (`package`); `ask` ties these together.
//!
//! Source: seed `micro-agent`. Planning decides here and does no I/O: a language model is asked through the [`Host`](ragnav_base::host::Host),
//! and without one the deterministic plan is the answer.

pub mod answer;
pub mod ask;
pub mod build;
pub mod catalogue;
pub mod chunk;
pub mod civil;
pub mod clock;
mod current;
pub mod dates;
pub mod deterministic;
pub mod draft;
pub mod evaluate;
pub mod fill;
mod fresh;
pub mod given;
pub mod hit;
mod live_text;
pub mod metadata;
pub mod model;
pub mod package;
pub mod plan;
pub mod prompt;
pub mod repair;
pub mod retrieve;
pub mod schema;
pub mod store;
pub mod validate;
pub mod where_filter;
