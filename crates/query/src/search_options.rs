//! What a search may be told beside its query.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

use crate::StalePolicy;
use ragnav_matching::pattern::SearchMode;

/// What a search may be told beside its query.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct SearchOptions {
    /// Rows of a page, at least 1. Default 20, at most 10,000.
    #[cfg_attr(feature = "tsify", tsify(optional, type = "number | null | undefined"))]
    pub limit: Option<f64>,
    /// How the query is read. Default `literal`.
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "SearchMode | null | undefined")
    )]
    pub mode: Option<SearchMode>,
    /// Whether case counts. Default `true`; with `ranked` it never does, and `true` is refused.
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "boolean | null | undefined")
    )]
    pub case_sensitive: Option<bool>,
    /// Globs in gitignore's syntax: only files that one of them fits.
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "readonly string[] | null | undefined")
    )]
    #[serde(default, deserialize_with = "glob_list")]
    pub include: Option<Vec<String>>,
    /// Globs in gitignore's syntax: no files that one of them fits.
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "readonly string[] | null | undefined")
    )]
    #[serde(default, deserialize_with = "glob_list")]
    pub exclude: Option<Vec<String>>,
    /// Default: as the repository was opened. `allow` does not search files that are not as they were indexed, since the index holds no text.
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "StalePolicy | null | undefined")
    )]
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before.
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string | null | undefined"))]
    pub cursor: Option<String>,
}

/// A list of globs, or none; anything else is refused in words that say so.
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
