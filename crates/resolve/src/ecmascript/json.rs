//! Reads JSON with comments, the format of `tsconfig.json`.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::{CollectOptions, ParseOptions};

/// Calls a function with the object in a text. Returns `None` for invalid JSON or another value.
pub(super) fn with_object<T>(text: &str, read: impl FnOnce(&Object<'_>) -> T) -> Option<T> {
    let text = text.trim_start_matches('\u{feff}');
    let parsed =
        jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let value = parsed.ok()?.value?;
    value.as_object().map(read)
}

/// Returns the string under a key.
pub(super) fn string(object: &Object<'_>, key: &str) -> Option<String> {
    Some(object.get_string(key)?.value.clone().into_owned())
}

/// Returns the strings under a key that holds one or a list of them.
pub(super) fn string_list(object: &Object<'_>, key: &str) -> Vec<String> {
    let value = object.get(key).map(|property| &property.value);
    value.map(string_values).unwrap_or_default()
}

/// Returns the strings of a value that is one or a list of them.
pub(super) fn string_values(value: &Value<'_>) -> Vec<String> {
    match value {
        Value::StringLit(text) => vec![text.value.clone().into_owned()],
        Value::Array(list) => {
            let string_list = list.elements.iter().filter_map(Value::as_string_lit);
            string_list
                .map(|text| text.value.clone().into_owned())
                .collect()
        }
        _ => Vec::new(),
    }
}
