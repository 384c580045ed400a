//! Values across the boundary: one serializer, one error converter, and bytes without serde.

use js_sys::{Array, Object, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use ragnav_base::error::RagnavError;
use ragnav_base::host::{
    Answer, Ask, DirEntry, EntryKind, FileStamp, GitHead, HostError, IgnoreRules, Time, Word,
};
use ragnav_query::arguments;

/// A value as JavaScript sees it: absent values are `null`, maps are plain objects.
pub(super) fn value<T: Serialize + ?Sized>(value: &T) -> JsValue {
    let serializer = Serializer::new()
        .serialize_missing_as_null(true)
        .serialize_maps_as_objects(true);
    value.serialize(&serializer).unwrap_or_else(JsValue::from)
}

/// An error as it is thrown: `{code, message}`.
pub(super) fn thrown(error: &RagnavError) -> JsValue {
    value(error)
}

/// An options object; `undefined` and `null` are the defaults.
pub(super) fn options<T: DeserializeOwned + Default>(
    name: &str,
    given: &JsValue,
) -> Result<T, RagnavError> {
    if given.is_undefined() || given.is_null() {
        return Ok(T::default());
    }
    required(name, given)
}

/// Returns the arguments of a query as JSON. Absent values are left out, and a number that JSON lacks becomes its name.
pub(super) fn arguments(given: &JsValue) -> Value {
    let Some(object) = given
        .dyn_ref::<Object>()
        .filter(|_| !Array::is_array(given))
    else {
        return Value::Array(Vec::new());
    };
    let entries = Object::entries(object).into_iter();
    let entries = entries.filter_map(|entry| {
        let entry = entry.dyn_into::<Array>().ok()?;
        let (key, value) = (entry.get(0).as_string()?, entry.get(1));
        (!value.is_undefined()).then(|| (key, json(&value)))
    });
    Value::Object(entries.collect())
}

fn json(given: &JsValue) -> Value {
    match given.as_f64() {
        Some(number) if !number.is_finite() => Value::String(number.to_string()),
        _ => serde_wasm_bindgen::from_value(given.clone())
            .unwrap_or_else(|_| Value::String(kind(given))),
    }
}

/// A value that must be there and of its type.
pub(super) fn required<T: DeserializeOwned>(name: &str, given: &JsValue) -> Result<T, RagnavError> {
    if !given.is_object() {
        let message = format!("{name} must be an object, not {}", kind(given));
        return Err(RagnavError::invalid(message));
    }
    let value = if Array::is_array(given) {
        json(given)
    } else {
        arguments(given)
    };
    arguments::decode(name, &value)
}

/// A text argument.
pub(super) fn text(name: &str, given: &JsValue) -> Result<String, RagnavError> {
    given.as_string().ok_or_else(|| {
        RagnavError::invalid(format!("{name} must be a string, not {}", kind(given)))
    })
}

/// A number argument.
pub(super) fn number(name: &str, given: &JsValue) -> Result<f64, RagnavError> {
    given.as_f64().ok_or_else(|| {
        RagnavError::invalid(format!("{name} must be a number, not {}", kind(given)))
    })
}

fn kind(given: &JsValue) -> String {
    if given.is_null() {
        return "null".to_owned();
    }
    if Array::is_array(given) {
        return "array".to_owned();
    }
    given.js_typeof().as_string().unwrap_or_default()
}

/// What a host answered to an ask; an answer of another shape is a failure of the host.
pub(super) fn answer(ask: &Ask, given: &JsValue) -> Answer {
    let converted = match ask {
        Ask::GitHead => git_head(given).map(Answer::GitHead),
        Ask::ReadDirs { .. } => list(given, |listing| one(listing, entries)).map(Answer::Dirs),
        Ask::ReadMany { .. } => list(given, |file| one(file, bytes)).map(Answer::Files),
        Ask::Overlay => serde_wasm_bindgen::from_value(given.clone())
            .ok()
            .map(Answer::Overlay),
        Ask::IgnoreRules => ignore_rules(given).map(Answer::IgnoreRules),
        Ask::Stat { .. } => list(given, |stat| one(stat, stamp)).map(Answer::Stats),
        Ask::Now => time(given).map(Answer::Now),
        Ask::Watch => Some(Answer::Watch(word(given))),
        Ask::Extract { .. } if given.is_null() => Some(Answer::Extracted(None)),
        Ask::Extract { .. } => {
            list(given, |file| one(file, bytes)).map(|files| Answer::Extracted(Some(files)))
        }
        Ask::Model { .. } => serde_wasm_bindgen::from_value(given.clone())
            .ok()
            .map(Answer::Model),
        Ask::Offsets { .. } => serde_wasm_bindgen::from_value(given.clone())
            .ok()
            .map(Answer::Offsets),
        Ask::Embed { .. } => serde_wasm_bindgen::from_value(given.clone())
            .ok()
            .map(Answer::Embeddings),
        Ask::Store { .. } => serde_wasm_bindgen::from_value(given.clone())
            .ok()
            .map(Answer::Store),
        Ask::Write { .. } | Ask::Remove { .. } | Ask::Commit | Ask::Yield(_) | Ask::Wait { .. } => {
            Some(Answer::Done)
        }
    };
    converted.unwrap_or_else(|| {
        Answer::Failed(format!(
            "it answered something else than it was asked: {}",
            kind(given)
        ))
    })
}

#[wasm_bindgen]
extern "C" {
    type JsEntry;
    #[wasm_bindgen(method, getter)]
    fn name(this: &JsEntry) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn kind(this: &JsEntry) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn size(this: &JsEntry) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn stamp(this: &JsEntry) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn racy(this: &JsEntry) -> JsValue;
    #[wasm_bindgen(method, getter)]
    fn error(this: &JsEntry) -> JsValue;
}

fn git_head(given: &JsValue) -> Option<GitHead> {
    if given.is_null() || given.is_undefined() {
        return Some(GitHead::default());
    }
    if let Some(head) = given.as_string() {
        return Some(GitHead {
            head: Some(head),
            git_root: None,
        });
    }
    serde_wasm_bindgen::from_value(given.clone()).ok()
}

/// A watcher's word is a text, an instant's the number of the instant. Whatever else is given is nobody's word.
fn word(given: &JsValue) -> Option<Word> {
    let instant = || given.as_f64().map(|instant| instant.to_string());
    let watcher = given.as_string().map(Word::Watcher);
    watcher.or_else(|| instant().map(Word::Instant))
}

fn time(given: &JsValue) -> Option<Time> {
    let iso = given.as_string()?;
    let ms = js_sys::Date::parse(&iso);
    ms.is_finite().then_some(Time { iso, ms })
}

fn list<T>(given: &JsValue, item: impl Fn(&JsValue) -> Option<T>) -> Option<Vec<T>> {
    let array = given.dyn_ref::<Array>()?;
    array.iter().map(|element| item(&element)).collect()
}

fn one<T>(given: &JsValue, good: impl Fn(&JsValue) -> Option<T>) -> Option<Result<T, HostError>> {
    if let Some(value) = good(given) {
        return Some(Ok(value));
    }
    let error = given
        .is_object()
        .then(|| given.unchecked_ref::<JsEntry>().error())?;
    Some(Err(match error.as_string()?.as_str() {
        "missing" => HostError::Missing,
        "denied" => HostError::Denied,
        "too_large" => HostError::TooLarge,
        _ => HostError::Io,
    }))
}

fn bytes(given: &JsValue) -> Option<Vec<u8>> {
    given.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec)
}

fn entries(given: &JsValue) -> Option<Vec<DirEntry>> {
    list(given, |entry| {
        let entry = entry
            .is_object()
            .then(|| entry.unchecked_ref::<JsEntry>())?;
        let kind = match entry.kind().as_string()?.as_str() {
            "file" => EntryKind::File,
            "dir" => EntryKind::Dir,
            "link" => EntryKind::Link,
            _ => return None,
        };
        Some(DirEntry {
            name: entry.name().as_string()?,
            kind,
            stamp: stamp(entry),
        })
    })
}

/// `None` for what has no size or no stamp.
fn stamp(given: &JsValue) -> Option<FileStamp> {
    let given = given
        .is_object()
        .then(|| given.unchecked_ref::<JsEntry>())?;
    let size = given.size().as_f64().filter(|size| *size >= 0.0)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size of a file, below 2^53"
    )]
    Some(FileStamp {
        size: size as u64,
        stamp: given.stamp().as_string()?,
        racy: given.racy().is_truthy(),
    })
}

/// Single lines are the user's own rules, as for the root.
fn ignore_rules(given: &JsValue) -> Option<Vec<IgnoreRules>> {
    let mut single = IgnoreRules {
        global: true,
        ..IgnoreRules::default()
    };
    let mut rules = Vec::new();
    for element in given.dyn_ref::<Array>()?.iter() {
        match element.as_string() {
            Some(line) => single.lines.push(line),
            None => rules.push(serde_wasm_bindgen::from_value(element).ok()?),
        }
    }
    rules.insert(0, single);
    Some(rules)
}
