//! The types that every crate of ragnav shares: errors, paths, positions, symbol ids, the envelope,
//! the rows of answers and the protocol between the core and its host.
//!
//! This crate knows no language, no index and no query. It performs no I/O.
//!
//! # Examples
//!
//! ```
//! use ragnav_base::path::RepoPath;
//! use ragnav_base::symbol_id::{SymbolId, module_of};
//!
//! let file = RepoPath::parse("./src/auth.py").unwrap();
//! assert_eq!(file.as_str(), "src/auth.py");
//! let id = SymbolId::new(&module_of(&file, Some("__init__")), "Auth.login");
//! assert_eq!(id.as_str(), "sym:src.auth.Auth.login");
//! assert!(RepoPath::parse("../outside.py").is_err());
//! ```

pub mod argument;
pub mod completeness;
pub mod difference;
pub mod envelope;
pub mod error;
pub mod hash;
pub mod host;
pub mod item;
pub mod json;
pub mod memory_host;
pub mod path;
pub mod position;
pub mod sort;
pub mod symbol_id;
pub mod text;
pub mod text_edit;
