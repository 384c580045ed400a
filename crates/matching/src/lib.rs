//! Matching: the lines that match a pattern, the snippets around them, and the relevance of a text
//! to a ranked query.
//!
//! This crate works on texts. It knows no files, no languages and no index.
//!
//! # Examples
//!
//! ```
//! use ragnav_matching::pattern::{Pattern, SearchMode};
//! use ragnav_matching::scan::find_matches;
//!
//! let pattern = Pattern::new("b", SearchMode::Literal, true).unwrap();
//! let lines: Vec<u32> = find_matches("a\nb\nab", &pattern).iter().map(|m| m.line).collect();
//! assert_eq!(lines, [2, 3]);
//! ```

pub mod bm25;
pub mod declarations;
pub mod fields;
pub mod file_role;
pub mod globs;
pub mod history;
pub mod identifiers;
mod line_regex;
pub mod mentioned_files;
pub mod name_bonus;
mod passages;
pub mod pattern;
mod query;
pub mod relevance;
pub mod scan;
pub mod snippet;
pub mod stem;
mod stop_words;
pub mod terms;
pub mod terms_in_text;
pub mod text_terms;
pub mod vendored;
