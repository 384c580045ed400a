//! Conversions of the values that cross the boundary. Bytes are converted without serde.

use js_sys::{Array, Object, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use ragnav_base::error::RagnavError;
use ragnav_base::host::{
    DirEntry, EntryKind, FileStamp, GitHead, HostError, IgnoreRules, Request, Response, Time,
    WatchToken,
};
use ragnav_query::arguments;

/// Converts a value to JavaScript. Absent values become `null`, and maps plain objects.
pub(super) fn value<T: Serialize + ?Sized>(value: &T) -> JsValue {
    let serializer = Serializer::new()
        .serialize_missing_as_null(true)
        .serialize_maps_as_objects(true);
    value.serialize(&serializer).unwrap_or_else(JsValue::from)
}

/// Converts an error to the value that is thrown: `{code, message}`.
pub(super) fn thrown(error: &RagnavError) -> JsValue {
    value(error)
}

/// Converts an options object. `undefined` and `null` mean the defaults.
pub(super) fn options<T: DeserializeOwned + Default>(
    name: &str,
    given: &JsValue,
) -> Result<T, RagnavError> {
    if given.is_undefined() || given.is_null() {
        return Ok(T::default());
    }
    required(name, given)
}

/// Returns the arguments of a query as JSON, without absent values. A number that JSON lacks
/// becomes its name.
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

/// Converts a value that must be present and of its type.
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

/// Converts a string argument.
pub(super) fn text(name: &str, given: &JsValue) -> Result<String, RagnavError> {
    given.as_string().ok_or_else(|| {
        RagnavError::invalid(format!("{name} must be a string, not {}", kind(given)))
    })
}

/// Converts a number argument.
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

/// Converts the host's response to a request. A response of another type is a failure of the host.
pub(super) fn response(request: &Request, given: &JsValue) -> Response {
    let converted = match request {
        Request::GitHead(_) => git_head(given).map(Response::GitHead),
        Request::ReadDirs(_) => {
            list(given, |listing| result(listing, entries)).map(Response::ReadDirs)
        }
        Request::ReadMany(_) => list(given, |file| result(file, bytes)).map(Response::ReadMany),
        Request::Stat(_) => list(given, |stat| result(stat, stamp)).map(Response::Stat),
        Request::Extract(_) if given.is_null() => Some(Response::Extract(None)),
        Request::Extract(_) => {
            list(given, |file| result(file, bytes)).map(|files| Response::Extract(Some(files)))
        }
        Request::Now(_) => time(given).map(Response::Now),
        Request::IgnoreRules(_) => ignore_rules(given).map(Response::IgnoreRules),
        Request::History(_) => decode(given).map(Response::History),
        Request::Changes(_) => decode(given).map(Response::Changes),
        Request::CommitsBetween(_) => decode(given).map(Response::CommitsBetween),
        Request::ReadObjects(_) => {
            list(given, |object| result(object, bytes)).map(Response::ReadObjects)
        }
        Request::Watch(_) => Some(Response::Watch(watch_token(given))),
        Request::Overlay(_) => decode(given).map(Response::Overlay),
        Request::Model(_) => decode(given).map(Response::Model),
        Request::FileTimes(_) => decode(given).map(Response::FileTimes),
        Request::Offsets(_) => decode(given).map(Response::Offsets),
        Request::Embed(_) => decode(given).map(Response::Embed),
        Request::Store(_) => decode(given).map(Response::Store),
        Request::LoadGrammar(_) => Some(Response::LoadGrammar(())),
        Request::Write(_) => Some(Response::Write(())),
        Request::Remove(_) => Some(Response::Remove(())),
        Request::Commit(_) => Some(Response::Commit(())),
        Request::Yield(_) => Some(Response::Yield(())),
        Request::Wait(_) => Some(Response::Wait(())),
    };
    converted.unwrap_or_else(|| {
        let kind = kind(given);
        Response::Failed(format!("it returned a value of the wrong type: {kind}"))
    })
}

fn decode<T: DeserializeOwned>(given: &JsValue) -> Option<T> {
    serde_wasm_bindgen::from_value(given.clone()).ok()
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
    decode(given)
}

/// Converts the token of a watcher, which is a string, or of an instant, which is a number. Any
/// other value is no token.
fn watch_token(given: &JsValue) -> Option<WatchToken> {
    let instant = || given.as_f64().map(|instant| instant.to_string());
    let watcher = given.as_string().map(WatchToken::Watcher);
    watcher.or_else(|| instant().map(WatchToken::Instant))
}

fn time(given: &JsValue) -> Option<Time> {
    let iso = given.as_string()?;
    let ms = js_sys::Date::parse(&iso);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "JavaScript's dates are whole numbers below 2^53"
    )]
    ms.is_finite().then_some(Time { iso, ms: ms as i64 })
}

fn list<T>(given: &JsValue, item: impl Fn(&JsValue) -> Option<T>) -> Option<Vec<T>> {
    let array = given.dyn_ref::<Array>()?;
    array.iter().map(|element| item(&element)).collect()
}

fn result<T>(
    given: &JsValue,
    good: impl Fn(&JsValue) -> Option<T>,
) -> Option<Result<T, HostError>> {
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

/// Converts a stamp; `None` if it has no size or no stamp.
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

/// Converts ignore rules. Single lines are the user's global rules, relative to the root.
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
