//! `package.json`: under which names a package is imported, and which of its files they mean.
//! Source: the package entry points of Node.js, with every condition taken for met.

use jsonc_parser::ast::{Object, Value};

use super::json;

/// The keys that name what the package itself is, those that lead to sources first.
const MAIN_KEYS: [&str; 6] = ["source", "types", "typings", "module", "browser", "main"];

/// What a `package.json` says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Package {
    /// The name by which others import it.
    pub(super) name: Option<String>,
    /// The files that the package itself may be.
    mains: Vec<String>,
    /// What of it may be imported, `.` for the package itself; a `*` stands for anything.
    exports: Vec<Entry>,
    /// What its own files may import by names with a `#`.
    imports: Vec<Entry>,
}

/// A name, and the files that it may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    name: String,
    targets: Vec<String>,
}

impl Package {
    pub(super) fn parse(text: &str) -> Self {
        json::with_object(text, Self::of).unwrap_or_default()
    }

    fn of(object: &Object<'_>) -> Self {
        let mains = MAIN_KEYS.iter().flat_map(|key| json::texts(object, key));
        Self {
            name: json::text(object, "name"),
            mains: mains.collect(),
            exports: entries(object, "exports"),
            imports: entries(object, "imports"),
        }
    }

    /// The files that a name inside the package may mean, `.` or `./name`, in the order in which they are tried.
    pub(super) fn targets(&self, name: &str) -> Vec<String> {
        let mut targets = matching(&self.exports, name);
        if name == "." {
            targets.extend(self.mains.iter().cloned());
        }
        targets
    }

    /// The files that a name with a `#` may mean.
    pub(super) fn imported(&self, name: &str) -> Vec<String> {
        matching(&self.imports, name)
    }

    /// The names inside the package that may mean something else than a file of that name.
    pub(super) fn exported_names(&self) -> impl Iterator<Item = &str> {
        self.exports.iter().map(|entry| entry.name.as_str())
    }
}

fn entries(object: &Object<'_>, key: &str) -> Vec<Entry> {
    let Some(value) = object.get(key).map(|property| &property.value) else {
        return Vec::new();
    };
    let named = value.as_object().filter(|object| {
        let mut names = object.properties.iter().map(|one| one.name.as_str());
        names.all(|name| name.starts_with(['.', '#']))
    });
    let Some(named) = named else {
        return vec![Entry {
            name: ".".to_owned(),
            targets: leaves(value),
        }];
    };
    let entries = named.properties.iter().map(|property| Entry {
        name: property.name.as_str().to_owned(),
        targets: leaves(&property.value),
    });
    entries.collect()
}

/// The files at the ends of conditions, in their order.
fn leaves(value: &Value<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::StringLit(target) => found.push(target.value.clone().into_owned()),
            Value::Array(list) => rest.extend(list.elements.iter().rev()),
            Value::Object(object) => {
                rest.extend(object.properties.iter().rev().map(|one| &one.value));
            }
            _ => {}
        }
    }
    found
}

/// What the entry of a name, or else the longest pattern that it fits, leads to.
fn matching(entries: &[Entry], name: &str) -> Vec<String> {
    if let Some(entry) = entries.iter().find(|entry| entry.name == name) {
        return entry.targets.clone();
    }
    let fitting = entries
        .iter()
        .filter_map(|entry| Some((entry, starred(&entry.name, name)?)));
    let best = fitting.max_by_key(|(entry, _)| entry.name.len());
    best.map(|(entry, star)| {
        let targets = entry.targets.iter();
        targets.map(|target| target.replace('*', star)).collect()
    })
    .unwrap_or_default()
}

/// What the `*` of a pattern stands for in a name.
pub(super) fn starred<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    let (before, behind) = pattern.split_once('*')?;
    name.strip_prefix(before)?.strip_suffix(behind)
}
