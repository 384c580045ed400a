//! The queries: one file each, with its options, its answer and how it runs over a
//! [`Snapshot`](ragnav_repository::snapshot::Snapshot). A query never fails: a failure is an
//! `ERROR` envelope.

mod aliases;
pub mod arguments;
pub mod build_graph;
mod callables;
mod changed_definitions;
mod code_facts;
mod constructor_calls;
mod cursor;
pub mod definition;
mod definitions_of_file;
mod enrichment;
mod file_definitions;
pub mod file_enrichment;
pub mod files;
mod find_definitions;
pub mod identify;
pub mod lineage;
pub mod locate;
pub mod name_at_place;
mod options;
pub mod outline;
mod page;
mod query;
mod reference_rows;
mod references;
mod registry;
pub mod route;
pub mod search;
pub mod status;
mod subject;
mod suggestions;
pub mod surveyed_file;
mod targets;
pub mod where_used;

pub use options::QuestionOptions;
pub use query::{Answer, Query, answer, answer_arguments, failed_answer};
pub use ragnav_repository::settings::{Settings, StalePolicy};
