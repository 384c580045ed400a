//! JSON with comments, as `tsconfig.json` has it.

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::{CollectOptions, ParseOptions};

/// The object that a text holds; `None` for what is none, or is damaged.
pub(super) fn with_object<T>(text: &str, read: impl FnOnce(&Object<'_>) -> T) -> Option<T> {
    let text = text.trim_start_matches('\u{feff}');
    let parsed =
        jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let value = parsed.ok()?.value?;
    value.as_object().map(read)
}

/// The text of a key.
pub(super) fn text(object: &Object<'_>, key: &str) -> Option<String> {
    Some(object.get_string(key)?.value.clone().into_owned())
}

/// The texts of a key that has one or a list of them.
pub(super) fn texts(object: &Object<'_>, key: &str) -> Vec<String> {
    let value = object.get(key).map(|property| &property.value);
    value.map(texts_of).unwrap_or_default()
}

/// The texts of a value that is one or a list of them.
pub(super) fn texts_of(value: &Value<'_>) -> Vec<String> {
    match value {
        Value::StringLit(text) => vec![text.value.clone().into_owned()],
        Value::Array(list) => {
            let texts = list.elements.iter().filter_map(Value::as_string_lit);
            texts.map(|text| text.value.clone().into_owned()).collect()
        }
        _ => Vec::new(),
    }
}
