//! The queries: one file each, with its options, its answer and how it runs over a
//! [`Snapshot`](ragnav_repository::snapshot::Snapshot). A query never fails: a failure is an
//! `ERROR` envelope.
//!
//! # Examples
//!
//! ```
//! use ragnav_base::memory_host::{MemoryHost, block_on};
//! use ragnav_query::Settings;
//! use ragnav_query::where_used::{WhereUsedOptions, where_used};
//!
//! let host = MemoryHost::new(&[
//!     ("prices.py", "def price_of(article): return 1\n"),
//!     ("cart.py", "from prices import price_of\n\ndef total(): return price_of('tea')\n"),
//! ]);
//! let options = WhereUsedOptions::default();
//! let answer = block_on(where_used(&host, &Settings::default(), "price_of", &options));
//! let rows: Vec<_> = answer.items.iter().map(|row| (row.file.as_str(), row.line)).collect();
//! assert_eq!(rows, [("cart.py", 1), ("cart.py", 3)]);
//! ```

mod aliases;
mod answer;
pub mod arguments;
pub mod build_graph;
mod callables;
mod changed_definitions;
mod code_facts;
mod compiler_definitions;
mod compiler_references;
mod constructor_calls;
mod cursor;
pub mod definition;
mod definitions_of_file;
mod doubts;
pub mod edit_plan;
mod enrichment;
mod explain;
pub mod explore;
mod file_definitions;
pub mod file_enrichment;
pub mod files;
mod find_definitions;
mod fixtures;
mod gaps;
pub mod identify;
pub mod impact;
mod indirect_names;
pub mod known_languages;
pub mod lineage;
pub mod locate;
mod mentions;
mod module_references;
mod modules;
pub mod move_plan;
mod name_at_place;
pub mod occurrences;
mod options;
pub mod outline;
mod page;
mod page_code;
mod partial_files;
mod place_condition;
mod query;
pub mod reaching_tests;
pub mod read_history;
pub mod receipt;
pub mod recheck;
mod reference_rows;
mod reference_site;
mod references;
mod registry;
pub mod rename_plan;
pub mod route;
mod row_conditions;
pub mod search;
mod since;
pub mod states;
pub mod status;
mod subject;
mod suggestions;
pub mod surveyed_file;
mod targets;
pub mod trace;
pub mod type_definition;
pub mod where_used;
mod words;

pub use answer::{answer, answer_arguments, failed_answer};
pub use options::{FileOptions, QuestionOptions};
pub use query::{Answer, Query, QueryAnswer};
pub use ragnav_repository::settings::{Settings, StalePolicy};
