//! ragnav: code navigation that says how far each answer may be trusted.
//!
//! The core of the npm package `ragnav`. It does no I/O: it is ordinary `async` Rust over a
//! [`Host`](host::Host) that is asked for files and the git HEAD. In WebAssembly a
//! [`Session`](session::Session) hands those asks to JavaScript; natively, tests answer from memory or `std::fs`.
//!
//! Data flows one way, from wire types at the top to the tools at the bottom; `tests/it/layering.rs`
//! holds the table. `ARCHITECTURE.md` tells why things are as they are.

pub mod agent;
pub mod argument;
#[cfg(feature = "component")]
pub mod component;
pub mod envelope;
pub mod error;
pub mod freshness;
pub mod graph;
pub mod host;
pub mod item;
pub mod lang;
pub mod link;
pub mod locator;
pub mod matching;
pub mod overlay;
pub mod own_files;
pub mod path;
pub mod position;
pub mod repo;
pub mod session;
pub mod symbol_id;
pub mod tools;
#[cfg(feature = "wasm")]
pub mod wasm;
