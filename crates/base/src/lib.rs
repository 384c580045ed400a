//! The types that every part of ragnav shares: errors, paths, positions, symbol ids, the envelope, the rows of answers
//! and the protocol between the core and its host. It knows no language, no index and no query.

pub mod argument;
pub mod envelope;
pub mod error;
pub mod host;
pub mod item;
pub mod path;
pub mod position;
pub mod symbol_id;
pub mod text;
