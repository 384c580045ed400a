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
mod file_facts;
mod files;
pub mod import_key;
pub mod linker;
mod linking;
pub mod manifest;
mod members;
mod methods;
mod names;
#[cfg(feature = "python")]
mod python;
mod values;
pub mod world;

pub use entity::{Entity, Meaning};

use ragnav_base::path::RepoPath;

fn families() -> impl Iterator<Item = &'static linking::Family> {
    [
        #[cfg(feature = "c")]
        &const { by_name::family(&["c"]) },
        #[cfg(any(feature = "javascript", feature = "typescript"))]
        &ecmascript::FAMILY,
        #[cfg(feature = "go")]
        &const { by_name::family(&["go"]) },
        #[cfg(feature = "java")]
        &const { by_name::family(&["java"]) },
        #[cfg(feature = "php")]
        &const { by_name::family(&["php"]) },
        #[cfg(feature = "python")]
        &python::FAMILY,
        #[cfg(feature = "ruby")]
        &const { by_name::family(&["ruby"]) },
        #[cfg(feature = "rust")]
        &const { by_name::family(&["rust"]) },
    ]
    .into_iter()
}

/// The place of a file's family in [`families`].
fn family_of(path: &RepoPath) -> Option<usize> {
    let language = ragnav_syntax::of_path(path)?;
    families().position(|family| family.languages.contains(&language.name))
}

/// Whether references in a file can be followed to other files.
#[must_use]
pub fn is_linked(path: &RepoPath) -> bool {
    family_of(path).is_some()
}

/// Whether names in a file are followed by their text alone, so that functions and types may be meant wherever they are.
#[must_use]
pub fn is_by_name(path: &RepoPath) -> bool {
    let family = family_of(path).and_then(|place| families().nth(place));
    family.is_some_and(|family| family.is_by_name)
}

/// Whether two files may import each other, by their languages.
#[must_use]
pub fn are_of_one_family(one: &RepoPath, other: &RepoPath) -> bool {
    family_of(one) == family_of(other)
}

/// Whether a file, though in no language, says where modules are.
#[must_use]
pub fn is_manifest(path: &RepoPath) -> bool {
    families().any(|family| (family.is_manifest)(path))
}
