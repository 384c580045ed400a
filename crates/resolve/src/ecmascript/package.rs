//! Reads `package.json`: the names under which a package is imported, and the files they refer to.
//!
//! Source: the package entry points of Node.js. Every condition counts as met.

use std::collections::BTreeSet;

use jsonc_parser::ast::{Object, Value};

use super::json;

/// The keys for the entry point of the package. Those that lead to sources come first.
const MAIN_KEYS: [&str; 6] = ["source", "types", "typings", "module", "browser", "main"];

/// The keys that list dependencies.
const DEPENDENCY_KEYS: [&str; 4] = [
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
];

/// The prefixes of versions that refer to packages of the repository.
const LOCAL: [&str; 4] = ["workspace:", "file:", "link:", "portal:"];

/// The fields of a `package.json` that matter for resolution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Package {
    /// The name by which other packages import this one.
    pub(super) name: Option<String>,
    /// The files that the package's own name may refer to.
    mains: Vec<String>,
    /// The file that the package runs, and those that declare its types.
    pub(super) main: Option<String>,
    pub(super) types: Vec<String>,
    /// The entries of `exports`, `.` for the package itself. A `*` matches any text, and an entry
    /// without targets is private.
    exports: Vec<Entry>,
    /// Whether `exports` hides every other file.
    has_exports: bool,
    /// The entries of `imports`, whose names begin with `#`.
    imports: Vec<Entry>,
    /// The dependencies from outside of the repository.
    installed_packages: BTreeSet<String>,
}

/// A name and the files that it may refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    name: String,
    targets: Vec<String>,
}

impl Package {
    pub(super) fn parse(text: &str) -> Self {
        json::with_object(text, Self::from_object).unwrap_or_default()
    }

    fn from_object(object: &Object<'_>) -> Self {
        let mains = MAIN_KEYS
            .iter()
            .flat_map(|key| json::string_list(object, key));
        Self {
            name: json::string(object, "name"),
            mains: mains.collect(),
            main: json::string(object, "main"),
            types: ["types", "typings"]
                .iter()
                .flat_map(|key| json::string_list(object, key))
                .collect(),
            exports: entries(object, "exports"),
            has_exports: object
                .get("exports")
                .is_some_and(|exports| !matches!(exports.value, Value::NullKeyword(_))),
            imports: entries(object, "imports"),
            installed_packages: installed_packages(object),
        }
    }

    /// Returns the files that `.` or `./name` may refer to, in order of precedence.
    pub(super) fn targets(&self, name: &str) -> Vec<String> {
        let mut targets = matching_targets(&self.exports, name);
        if name == "." {
            targets.extend(self.mains.iter().cloned());
        }
        targets
    }

    /// Reports whether the package restricts which of its files can be imported.
    pub(super) fn has_exports(&self) -> bool {
        self.has_exports
    }

    /// Reports whether the package depends on an external package of this name.
    pub(super) fn installs(&self, name: &str) -> bool {
        self.installed_packages.contains(name)
    }

    /// Returns the files and specifiers that a name with `#` may refer to.
    pub(super) fn internal_targets(&self, name: &str) -> Vec<String> {
        matching_targets(&self.imports, name)
    }

    /// Returns the names in `exports` with their targets.
    pub(super) fn exports(&self) -> impl Iterator<Item = (&str, &[String])> {
        entry_targets(&self.exports)
    }

    /// Returns the names in `imports` with their targets.
    pub(super) fn imports(&self) -> impl Iterator<Item = (&str, &[String])> {
        entry_targets(&self.imports)
    }
}

fn entry_targets(entries: &[Entry]) -> impl Iterator<Item = (&str, &[String])> {
    let entries = entries.iter();
    entries.map(|entry| (entry.name.as_str(), entry.targets.as_slice()))
}

fn installed_packages(object: &Object<'_>) -> BTreeSet<String> {
    let lists = DEPENDENCY_KEYS.iter();
    let lists = lists.filter_map(|key| object.get_object(key));
    let all = lists.flat_map(|list| &list.properties);
    let outside = all.filter(|one| {
        let version = one.value.as_string_lit();
        !version.is_some_and(|version| LOCAL.iter().any(|local| version.value.starts_with(local)))
    });
    outside.map(|one| one.name.as_str().to_owned()).collect()
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
            targets: collect_targets(value),
        }];
    };
    let entries = named.properties.iter().map(|property| Entry {
        name: property.name.as_str().to_owned(),
        targets: collect_targets(&property.value),
    });
    entries.collect()
}

/// Returns the targets of all conditions, in source order.
fn collect_targets(value: &Value<'_>) -> Vec<String> {
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

/// Returns the targets of an exact entry, or else of the longest matching pattern.
fn matching_targets(entries: &[Entry], name: &str) -> Vec<String> {
    if let Some(entry) = entries.iter().find(|entry| entry.name == name) {
        return entry.targets.clone();
    }
    let fitting = entries
        .iter()
        .filter_map(|entry| Some((entry, match_star(&entry.name, name)?)));
    let best = fitting.max_by_key(|(entry, _)| {
        let before = entry.name.find('*');
        (before, entry.name.len())
    });
    best.map(|(entry, star)| {
        let targets = entry.targets.iter();
        targets.map(|target| target.replace('*', star)).collect()
    })
    .unwrap_or_default()
}

/// Returns the text that the `*` of a pattern matches.
pub(super) fn match_star<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    let (before, after) = pattern.split_once('*')?;
    name.strip_prefix(before)?.strip_suffix(after)
}
