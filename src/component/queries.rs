//! The queries by their names, derived from their table.

use serde_json::Value;

use super::bindings::exports::ragnav::core::navigation::Error;
use super::navigator::Navigator;

macro_rules! by_name {
    ($($name:literal, $query:ty, $options:literal, $answer:literal;)*) => {
        /// Answers a query by its name; `None` for an unknown one.
        pub(super) fn answer(
            navigator: &Navigator,
            name: &str,
            arguments: Value,
        ) -> Option<Result<String, Error>> {
            match name {
                $($name => Some(navigator.answer_arguments::<$query>(arguments)),)*
                _ => None,
            }
        }
    };
}

ragnav_query::for_each_query!(by_name);
