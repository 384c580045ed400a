//! The options that several queries share.

use std::fmt;

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use ragnav_base::argument::Count;
use ragnav_base::error::RagnavError;
use ragnav_base::path::RepoPath;
use ragnav_matching::globs::Globs;
use ragnav_repository::settings::StalePolicy;

/// The options of a query that has none of its own.
///
/// # Examples
///
/// ```
/// use ragnav_query::{QuestionOptions, StalePolicy};
///
/// let options: QuestionOptions = serde_json::from_str(r#"{"stale_policy": "live"}"#).unwrap();
/// assert_eq!(options.stale_policy, Some(StalePolicy::Live));
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct QuestionOptions {
    /// What the answer may come from. Under `allow`, a file that changed has no text. Default: as
    /// the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The greatest number of items, at least 1; `message` says whether there are more. Default:
    /// all.
    pub limit: Option<Count>,
    /// The `receipt` of an earlier answer to this query. The answer then lists only the rows that
    /// differ, at most `limit` (default 50), and `meta.since` describes the differences. Default:
    /// all rows.
    pub since: Option<String>,
}

/// The options of a query about the definitions of one file.
///
/// # Examples
///
/// ```
/// use ragnav_query::FileOptions;
///
/// let options: FileOptions = serde_json::from_str(r#"{"include_module": true}"#).unwrap();
/// assert_eq!(options.include_module, Some(true));
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct FileOptions {
    /// Whether the file as a whole counts as a definition, of kind `module`. Default false.
    pub include_module: Option<bool>,
    /// What the answer may come from. Under `allow`, a file that changed has no text. Default: as
    /// the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The greatest number of items, at least 1; `message` says whether there are more. Default:
    /// all.
    pub limit: Option<Count>,
    /// The `receipt` of an earlier answer to this query. The answer then lists only the rows that
    /// differ, at most `limit` (default 50), and `meta.since` describes the differences. Default:
    /// all rows.
    pub since: Option<String>,
}

/// Parses the folder that rows are wanted of; `None` for the root.
///
/// # Errors
/// `INVALID_ARGUMENT` for a path outside the repository.
pub(super) fn parse_folder(folder: Option<&str>) -> Result<Option<RepoPath>, RagnavError> {
    let folder = folder.unwrap_or_default().trim_end_matches('/');
    if folder.is_empty() || folder == "." {
        return Ok(None);
    }
    RepoPath::parse(folder).map(Some)
}

/// Reports whether a file is in a folder, or in the root if there is none.
pub(super) fn is_in_folder(file: &RepoPath, folder: Option<&RepoPath>) -> bool {
    folder.is_none_or(|folder| file.below(folder).is_some())
}

/// Returns a sentence about a folder that has none of these files.
pub(super) fn without_files(files: &[RepoPath], folder: Option<&RepoPath>) -> Option<String> {
    let folder = folder?;
    let has_files = files.iter().any(|file| file.below(folder).is_some());
    (!has_files).then(|| format!("The folder {folder} has no files that were searched."))
}

/// Returns a sentence about globs that no file fits.
pub(super) fn without_matches(files: &[RepoPath], globs: &Globs) -> Option<String> {
    let is_cause = files.is_empty() && !globs.admits_all();
    is_cause.then(|| {
        "No file in scope fits `include` and `exclude`: each is a glob in gitignore's syntax, such \
         as `src/**` or `*.{py,pyi}`."
            .to_owned()
    })
}

/// Decodes a list of globs. The error says what is expected.
pub(super) fn glob_list<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<String>>, D::Error> {
    struct Globs;
    impl<'de> Visitor<'de> for Globs {
        type Value = Option<Vec<String>>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list of globs for include or exclude")
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut globs: A) -> Result<Self::Value, A::Error> {
            let mut list = Vec::new();
            while let Some(glob) = globs.next_element()? {
                list.push(glob);
            }
            Ok(Some(list))
        }
    }
    deserializer.deserialize_any(Globs)
}
