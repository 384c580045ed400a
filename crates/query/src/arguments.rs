//! The arguments of a query as one JSON object, checked before the query sees them.

use serde::de::DeserializeOwned;
use serde_aux::serde_introspection::serde_introspect;
use serde_json::{Map, Value};

use ragnav_base::argument::Count;
use ragnav_base::error::RagnavError;

/// An argument that is not an option.
///
/// # Examples
///
/// ```
/// use ragnav_query::Query;
/// use ragnav_query::identify::Identify;
///
/// let names: Vec<&str> = Identify::POSITIONAL.iter().map(|argument| argument.name).collect();
/// assert_eq!(names, ["file", "line"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Positional {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// The value of an absent argument; `None` if the argument is required.
    pub default: Option<&'static str>,
}

/// The type of an argument.
///
/// # Examples
///
/// ```
/// use ragnav_query::Query;
/// use ragnav_query::arguments::Kind;
/// use ragnav_query::identify::Identify;
///
/// assert!(matches!(Identify::POSITIONAL[1].kind, Kind::Count));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A string.
    Text,
    /// A [`Count`].
    Count,
}

impl Positional {
    /// Returns an argument that is a string.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::{Arguments, Positional};
    ///
    /// const PLACE: &[Positional] = &[Positional::text("place")];
    /// let arguments = serde_json::json!({"place": 7});
    /// assert!(Arguments::check(arguments, PLACE).is_err());
    /// ```
    #[must_use]
    pub const fn text(name: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Text,
            default: None,
        }
    }

    /// Returns an argument that is a string, with the value of an absent one.
    #[must_use]
    pub(crate) const fn text_or(name: &'static str, default: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Text,
            default: Some(default),
        }
    }

    /// Returns an argument that is a whole number of at least 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::{Arguments, Positional};
    ///
    /// const LINE: &[Positional] = &[Positional::count("line")];
    /// assert!(Arguments::check(serde_json::json!({"line": 7}), LINE).is_ok());
    /// assert!(Arguments::check(serde_json::json!({"line": 0}), LINE).is_err());
    /// ```
    #[must_use]
    pub const fn count(name: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Count,
            default: None,
        }
    }
}

/// The arguments of a query.
///
/// # Examples
///
/// ```
/// use ragnav_query::QuestionOptions;
/// use ragnav_query::arguments::{Arguments, Positional};
///
/// const FILE: &[Positional] = &[Positional::text("file")];
/// let arguments = serde_json::json!({"file": "a.py", "limit": 10});
/// let arguments = Arguments::check(arguments, FILE).unwrap();
/// assert_eq!(arguments.text("file"), "a.py");
/// let options: QuestionOptions = arguments.options().unwrap();
/// assert_eq!(options.limit.map(|limit| limit.get()), Some(10));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Arguments {
    values: Map<String, Value>,
    positional: &'static [Positional],
}

impl Arguments {
    /// Returns the arguments without any check.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::{Arguments, Positional};
    ///
    /// const FILE: &[Positional] = &[Positional::text("file")];
    /// let arguments = Arguments::lenient(serde_json::json!({"file": 7}), FILE);
    /// assert_eq!(arguments.text("file"), "");
    /// ```
    #[must_use]
    pub fn lenient(arguments: Value, positional: &'static [Positional]) -> Self {
        let mut values = match arguments {
            Value::Object(values) => values,
            _ => Map::new(),
        };
        add_defaults(&mut values, positional);
        Self { values, positional }
    }

    /// Checks that the positional arguments are there and have their types.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an argument that is missing or of another type.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::{Arguments, Positional};
    ///
    /// const FILE: &[Positional] = &[Positional::text("file")];
    /// let error = Arguments::check(serde_json::json!({}), FILE).unwrap_err();
    /// assert_eq!(error.message, "file must be a string, not undefined");
    /// ```
    pub fn check(arguments: Value, positional: &'static [Positional]) -> Result<Self, RagnavError> {
        let Value::Object(mut values) = arguments else {
            let message = format!("arguments must be an object, not {}", kind(&arguments));
            return Err(RagnavError::invalid(message));
        };
        add_defaults(&mut values, positional);
        let arguments = Self { values, positional };
        for Positional { name, kind, .. } in positional {
            match kind {
                Kind::Text => arguments.check_text(name)?,
                Kind::Count => arguments.check_count(name)?,
            }
        }
        Ok(arguments)
    }

    /// Returns a string argument; empty if the value is no string.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::{Arguments, Positional};
    ///
    /// const FILE: &[Positional] = &[Positional::text("file")];
    /// let arguments = Arguments::check(serde_json::json!({"file": "a.py"}), FILE).unwrap();
    /// assert_eq!(arguments.text("file"), "a.py");
    /// ```
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        let value = self.values.get(name).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    }

    /// Returns a count; 1 if the argument is no count.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::{Arguments, Positional};
    ///
    /// const LINE: &[Positional] = &[Positional::count("line")];
    /// let arguments = Arguments::check(serde_json::json!({"line": 7}), LINE).unwrap();
    /// assert_eq!(arguments.count("line").get(), 7);
    /// ```
    #[must_use]
    pub fn count(&self, name: &str) -> Count {
        let value = self.values.get(name).cloned().unwrap_or_default();
        serde_json::from_value(value).unwrap_or(Count::ONE)
    }

    fn check_text(&self, name: &str) -> Result<(), RagnavError> {
        match self.values.get(name) {
            Some(Value::String(_)) => Ok(()),
            other => Err(RagnavError::invalid(format!(
                "{name} must be a string, not {}",
                other.map_or("undefined", kind)
            ))),
        }
    }

    fn check_count(&self, name: &str) -> Result<(), RagnavError> {
        match self.values.get(name) {
            Some(number @ Value::Number(_)) => serde_json::from_value::<Count>(number.clone())
                .map(|_| ())
                .map_err(|error| RagnavError::invalid(format!("{name} {error}"))),
            other => Err(RagnavError::invalid(format!(
                "{name} must be a number, not {}",
                other.map_or("undefined", kind)
            ))),
        }
    }

    /// Returns the options: every argument that is not positional. `null` stands for an absent option.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an unknown key, with the closest known one, and for a value of the wrong type.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::QuestionOptions;
    /// use ragnav_query::arguments::Arguments;
    ///
    /// let arguments = Arguments::check(serde_json::json!({"limits": 10}), &[]).unwrap();
    /// let error = arguments.options::<QuestionOptions>().unwrap_err();
    /// assert!(error.message.contains("`limit`") || error.message.contains("limit"));
    /// ```
    pub fn options<O: DeserializeOwned + Default>(self) -> Result<O, RagnavError> {
        let mut values = self.values;
        values.retain(|_, value| !value.is_null());
        for argument in self.positional {
            values.remove(argument.name);
        }
        if values.is_empty() {
            return Ok(O::default());
        }
        decode("options", &Value::Object(values))
    }
}

/// Adds the default of each positional argument that is absent or `null`.
fn add_defaults(values: &mut Map<String, Value>, positional: &[Positional]) {
    for Positional { name, default, .. } in positional {
        if let Some(default) = default
            && values.get(*name).is_none_or(Value::is_null)
        {
            values.insert((*name).to_owned(), (*default).into());
        }
    }
}

/// Decodes a value, whose keys must all be known. `name` stands for the value in messages.
///
/// # Errors
/// `INVALID_ARGUMENT` for an unknown key, with the closest known one, and for a value of the wrong type.
///
/// # Examples
///
/// ```
/// use ragnav_query::QuestionOptions;
/// use ragnav_query::arguments::decode;
///
/// let given = serde_json::json!({"limit": 10});
/// let options: QuestionOptions = decode("options", &given).unwrap();
/// assert_eq!(options.limit.map(|limit| limit.get()), Some(10));
/// ```
pub fn decode<T: DeserializeOwned>(name: &str, value: &Value) -> Result<T, RagnavError> {
    if let Value::Object(values) = value {
        check_keys::<T>(values.keys().map(String::as_str))?;
    }
    T::deserialize(value).map_err(|error| {
        let reason = error.to_string();
        let key = culprit::<T>(value, &reason);
        RagnavError::invalid(match (key, reason.starts_with("must ")) {
            // Errors of our own types continue the name: "limit must be …".
            (Some(key), true) => format!("{key} {reason}"),
            (Some(key), false) => format!("{key}: {reason}"),
            (None, _) => format!("{name}: {reason}"),
        })
    })
}

/// Returns the key whose value alone fails for the same reason.
fn culprit<'v, T: DeserializeOwned>(value: &'v Value, reason: &str) -> Option<&'v str> {
    let values = value.as_object()?;
    let fails = |(key, value): &(&String, &Value)| {
        let alone = Map::from_iter([((*key).clone(), (*value).clone())]);
        let error = T::deserialize(&Value::Object(alone)).err();
        error.is_some_and(|error| error.to_string() == reason)
    };
    values.iter().find(fails).map(|(key, _)| key.as_str())
}

/// Checks that every key is an option of `O`.
///
/// # Errors
/// `INVALID_ARGUMENT` for an unknown key, with the closest known one.
fn check_keys<'k, O: DeserializeOwned>(
    mut keys: impl Iterator<Item = &'k str>,
) -> Result<(), RagnavError> {
    let known = serde_introspect::<O>();
    // A type that is no struct accepts any key.
    if known.is_empty() {
        return Ok(());
    }
    match keys.find(|key| !known.contains(key)) {
        Some(key) => Err(unknown_key(key, known)),
        None => Ok(()),
    }
}

fn unknown_key(key: &str, known: &[&str]) -> RagnavError {
    let by_distance = |name: &&&str| strsim::damerau_levenshtein(key, name);
    let closest = known.iter().min_by_key(by_distance);
    let closest = closest.copied().unwrap_or_default();
    let all = known.join(", ");
    RagnavError::invalid(format!(
        "there is no option {key:?}; did you mean `{closest}`? The options are {all}"
    ))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail loudly")]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    struct Options {
        limit: Option<Count>,
        case_sensitive: Option<bool>,
    }

    fn options(arguments: Value) -> Result<Options, String> {
        const QUERY: &[Positional] = &[Positional::text("query")];
        let arguments = Arguments::check(arguments, QUERY);
        let options = arguments.and_then(Arguments::options);
        options.map_err(|error| error.message)
    }

    #[test]
    fn options_are_decoded_and_null_is_absent() {
        let given = options(json!({ "query": "a", "limit": 2.0, "case_sensitive": null }));
        assert_eq!(given.unwrap().limit, Count::new(2));
    }

    #[test]
    fn an_unknown_option_names_the_closest_one() {
        let error = options(json!({ "query": "a", "case_sensitiv": true })).unwrap_err();
        assert!(
            error.starts_with(
                "there is no option \"case_sensitiv\"; did you mean `case_sensitive`?"
            )
        );
    }

    #[test]
    fn a_value_of_another_type_is_refused_with_its_name() {
        let error = options(json!({ "query": "a", "limit": 0 })).unwrap_err();
        assert_eq!(error, "limit must be a whole number of at least 1, not 0");
        let error = options(json!({ "query": 7 })).unwrap_err();
        assert_eq!(error, "query must be a string, not number");
        let error = options(json!(["a"])).unwrap_err();
        assert_eq!(error, "arguments must be an object, not array");
        assert!(
            options(json!({ "query": "a", "case_sensitive": 1 }))
                .unwrap_err()
                .starts_with("case_sensitive: ")
        );
    }
}
