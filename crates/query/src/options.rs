//! The options that several queries share.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

use ragnav_base::argument::Count;
use ragnav_repository::settings::StalePolicy;

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
