//! Who a reference means: facts of several files put together when it is asked for.
//!
//! Nothing of it is stored, since a link can be wrong though its own file is unchanged. Resolution is synchronous over the facts
//! that are there; a file whose facts are missing is noted as wanted, and whoever asks brings it and asks again.
//!
//! Languages whose files import each other are a family, one file here that implements [`Linking`](linking::Linking) and one row of
//! [`families`].

#[cfg(any(
    feature = "c",
    feature = "go",
    feature = "java",
    feature = "php",
    feature = "ruby",
    feature = "rust"
))]
mod by_name;
#[cfg(any(feature = "javascript", feature = "typescript"))]
mod ecmascript;
mod entity;
mod families;
mod file_facts;
mod files;
pub mod import_key;
mod manifest;
mod members;
mod memo;
mod methods;
mod names;
#[cfg(feature = "python")]
mod python;
mod references;
mod resolver;
mod source_file;
mod values;

pub use crate::entity::{Entity, Meaning, Object};
pub use crate::families::{are_of_one_family, is_by_name, is_linked, is_manifest};
pub use crate::file_facts::FileFacts;
pub use crate::manifest::Manifest;
pub use crate::resolver::{Linker, Linkings, World};
