//! Who a reference means: facts of several files put together when it is asked for.
//!
//! Nothing of it is stored, since a link can be wrong though its own file is unchanged. Resolution is synchronous over the facts
//! that are there; a file whose facts are missing is noted as wanted, and whoever asks brings it and asks again.

mod entity;
pub mod linker;
pub mod modules;
mod names;
pub mod world;

pub use entity::{Entity, Meaning};
