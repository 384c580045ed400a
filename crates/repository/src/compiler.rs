//! What compilers say about names: SCIP indexes that a program passes in.
//!
//! An index says what the names of a file meant when it was made. [`verify()`](verify::verify)
//! decides which of its documents still hold; see `docs/design/compiler-indexes.md`.

mod dependencies;
mod fit;
pub mod given;
pub mod index;
mod symbol;
mod symbol_name;
pub mod verify;
