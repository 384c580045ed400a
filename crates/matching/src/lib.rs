//! Which lines match, the lines around them, and how well a text fits a query.

pub mod bm25;
pub mod fields;
pub mod globs;
pub mod identifiers;
mod line_regex;
pub mod pattern;
mod query;
pub mod scan;
pub mod snippet;
pub mod terms;
