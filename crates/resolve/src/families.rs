//! The families of this build.

use crate::files::Files;
use crate::manifest::Manifest;
use crate::resolver::{Family, Linkings};
use ragnav_base::path::RepoPath;

impl Linkings {
    /// What follows names among some files.
    #[must_use]
    pub fn new(files: &[&RepoPath], manifests: &[Manifest]) -> Self {
        let linkings = families().enumerate().map(|(at, family)| {
            let own = files.iter().filter(|path| family_of(path) == Some(at));
            let own = Files::new(own.map(|path| (*path).clone()));
            (family, (family.linking)(own, manifests))
        });
        Self(linkings.collect())
    }
}

fn families() -> impl Iterator<Item = &'static Family> {
    [
        #[cfg(feature = "c")]
        &const { crate::by_name::family(&["c"]) },
        #[cfg(any(feature = "javascript", feature = "typescript"))]
        &crate::ecmascript::FAMILY,
        #[cfg(feature = "go")]
        &const { crate::by_name::family(&["go"]) },
        #[cfg(feature = "java")]
        &const { crate::by_name::family(&["java"]) },
        #[cfg(feature = "php")]
        &const { crate::by_name::family(&["php"]) },
        #[cfg(feature = "python")]
        &crate::python::FAMILY,
        #[cfg(feature = "ruby")]
        &const { crate::by_name::family(&["ruby"]) },
        #[cfg(feature = "rust")]
        &const { crate::by_name::family(&["rust"]) },
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
