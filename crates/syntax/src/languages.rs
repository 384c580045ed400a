//! The languages of this build.

use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::path::RepoPath;

use crate::language::Language;

fn all() -> impl Iterator<Item = &'static Language> {
    [
        #[cfg(feature = "c")]
        &crate::c::LANGUAGE,
        #[cfg(feature = "go")]
        &crate::go::LANGUAGE,
        #[cfg(feature = "java")]
        &crate::java::LANGUAGE,
        #[cfg(feature = "javascript")]
        &crate::ecmascript::JAVASCRIPT,
        #[cfg(feature = "php")]
        &crate::php::LANGUAGE,
        #[cfg(feature = "python")]
        &crate::python::LANGUAGE,
        #[cfg(feature = "ruby")]
        &crate::ruby::LANGUAGE,
        #[cfg(feature = "rust")]
        &crate::rust::LANGUAGE,
        #[cfg(feature = "typescript")]
        &crate::ecmascript::TYPESCRIPT,
        #[cfg(feature = "typescript")]
        &crate::ecmascript::TSX,
    ]
    .into_iter()
}

/// The language of that name, in any case.
///
/// # Errors
/// `LANGUAGE_UNAVAILABLE` where this build has no such language.
pub fn by_name(name: &str) -> Result<&'static Language, RagnavError> {
    let wanted = name.trim().to_ascii_lowercase();
    all()
        .find(|language| language.name == wanted)
        .ok_or_else(|| {
            let message = format!("no language {name:?} in this build; it has {}", known());
            RagnavError::new(ErrorCode::LanguageUnavailable, message)
        })
}

/// The language a file is written in, by its extension; `None` where this build has none for it.
#[must_use]
pub fn of_path(path: &RepoPath) -> Option<&'static Language> {
    let extension = path.extension()?.to_ascii_lowercase();
    all().find(|language| language.extensions.contains(&extension.as_str()))
}

/// The language a file is written in, where one is needed.
///
/// # Errors
/// `LANGUAGE_UNAVAILABLE` where this build has none for it.
pub fn require_of_path(path: &RepoPath) -> Result<&'static Language, RagnavError> {
    of_path(path).ok_or_else(|| {
        let message = format!("{path} is in no language of this build; it has {}", known());
        RagnavError::new(ErrorCode::LanguageUnavailable, message)
    })
}

/// The names of the languages of this build.
#[must_use]
pub fn names() -> Vec<String> {
    all().map(|language| language.name.to_owned()).collect()
}

fn known() -> String {
    names().join(", ")
}
