//! The options of the queries.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

use ragnav_base::argument::Count;
use ragnav_matching::pattern::SearchMode;
use ragnav_repository::settings::StalePolicy;

/// The options of `search`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct SearchOptions {
    /// Rows of a page, at least 1. Default 20, at most 10,000.
    pub limit: Option<Count>,
    /// How the query is read. Default `literal`.
    pub mode: Option<SearchMode>,
    /// Whether case counts. Default `true`; with `ranked` it never does, and `true` is refused.
    pub case_sensitive: Option<bool>,
    /// Globs in gitignore's syntax: only files that match one of them are searched.
    #[serde(deserialize_with = "glob_list")]
    pub include: Option<Vec<String>>,
    /// Globs in gitignore's syntax: files that match one of them are not searched.
    #[serde(deserialize_with = "glob_list")]
    pub exclude: Option<Vec<String>>,
    /// Default: as the repository was opened. `allow` does not search files that changed, since the index holds no text.
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before.
    pub cursor: Option<String>,
}

/// The references that are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Those that scopes and imports resolve.
    Resolved,
    /// Also those that only share the name, because their receiver is not known.
    #[default]
    All,
}

/// The options of `whereUsed`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct WhereUsedOptions {
    /// Rows of a page, at least 1. Default 50, at most 10,000.
    pub limit: Option<Count>,
    /// The references that are wanted. Default `all`.
    pub confidence: Option<Confidence>,
    /// Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before.
    pub cursor: Option<String>,
}

/// The options of `lineage`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct LineageOptions {
    /// Rows of a page, at least 1. Default 50, at most 10,000.
    pub limit: Option<Count>,
    /// Another name of `limit`, which wins where both are given.
    pub max_results: Option<Count>,
    /// The number of steps, at least 1. Default 1, at most 32.
    pub depth: Option<Count>,
    /// Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before.
    pub cursor: Option<String>,
}

/// The options of `files`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct FilesOptions {
    /// Rows of a page, at least 1. Default 1,000, at most 10,000.
    pub limit: Option<Count>,
    /// Globs in gitignore's syntax: only files that match one of them are listed.
    #[serde(deserialize_with = "glob_list")]
    pub include: Option<Vec<String>>,
    /// Globs in gitignore's syntax: files that match one of them are not listed.
    #[serde(deserialize_with = "glob_list")]
    pub exclude: Option<Vec<String>>,
    /// Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before.
    pub cursor: Option<String>,
}

/// The options of a query that has none of its own.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct QuestionOptions {
    /// Default: as the repository was opened. Under `allow`, a file that changed has no text.
    pub stale_policy: Option<StalePolicy>,
    /// The greatest number of items, at least 1; `message` says where there are more. Default: all.
    pub limit: Option<Count>,
}

/// Decodes a list of globs, with an error that says what is expected.
fn glob_list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
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
