//! The queries as JavaScript asks them, derived from their table.

use serde_json::Value;
use wasm_bindgen::prelude::*;

use super::{Core, JsSession, convert};
use ragnav_base::error::RagnavError;
use ragnav_query::{answer_arguments, failed_answer, files, identify, lineage, locate};
use ragnav_query::{outline, search, status, where_used};

macro_rules! boundary {
    ($($name:literal => $module:ident::$query:ident, $options:ident, $answer:ident;)*) => {
        /// Starts a query by its name.
        pub(super) fn session(core: &Core, name: &str, arguments: Value) -> Option<JsSession> {
            match name {
                $($name => Some(core.ask(move |host, settings| async move {
                    answer_arguments::<$module::$query, _>(&host, &settings, arguments).await
                })),)*
                _ => None,
            }
        }

        /// Returns the failed answer of a query by its name.
        pub(super) fn failed(name: &str, arguments: Value, error: RagnavError) -> Option<JsValue> {
            match name {
                $($name => {
                    let answer = failed_answer::<$module::$query>(arguments, error);
                    Some(convert::value(&answer))
                })*
                _ => None,
            }
        }

        #[wasm_bindgen(typescript_custom_section)]
        const QUERIES: &str = concat!(
            "/** The options and the answer of each query. */\nexport interface Queries {\n",
            $("    ", $name, ": { options: ", stringify!($options), "; answer: ", stringify!($answer), " };\n",)*
            "}\n",
            "export type DefinitionsResult = RagResult<Definition>;\n",
            "export type OutlineResult = RagResult<OutlineItem>;\n",
            "export type FileVerdictsResult = RagResult<FileVerdict>;\n",
        );
    };
}

ragnav_query::for_each_query!(boundary);
