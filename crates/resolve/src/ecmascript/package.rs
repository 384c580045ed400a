//! `package.json`: under which names a package is imported, and which of its files they mean.
//! Source: the package entry points of Node.js, with every condition taken for met.

use std::collections::BTreeSet;

use jsonc_parser::ast::{Object, Value};

use super::json;

/// The keys that name what the package itself is, those that lead to sources first.
const MAIN_KEYS: [&str; 6] = ["source", "types", "typings", "module", "browser", "main"];

/// The keys that name the packages that a package needs.
const DEPENDENCY_KEYS: [&str; 4] = [
    "dependencies",
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
];

/// What a version begins with that is a package of the repository.
const LOCAL: [&str; 4] = ["workspace:", "file:", "link:", "portal:"];

/// What a `package.json` says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Package {
    /// The name by which others import it.
    pub(super) name: Option<String>,
    /// The files that the package itself may be.
    mains: Vec<String>,
    /// What of it may be imported, `.` for the package itself; a `*` stands for anything. What leads nowhere may not.
    exports: Vec<Entry>,
    /// Whether nothing else of it may be imported.
    has_exports: bool,
    /// What its own files may import by names with a `#`.
    imports: Vec<Entry>,
    /// The packages from outside the repository that it needs.
    installed: BTreeSet<String>,
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
            has_exports: object
                .get("exports")
                .is_some_and(|exports| !matches!(exports.value, Value::NullKeyword(_))),
            imports: entries(object, "imports"),
            installed: installed(object),
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

    /// Whether it says what of it may be imported from outside.
    pub(super) fn has_exports(&self) -> bool {
        self.has_exports
    }

    /// Whether it takes a package of a name from outside the repository.
    pub(super) fn installs(&self, name: &str) -> bool {
        self.installed.contains(name)
    }

    /// The files and specifiers that a name with a `#` may mean.
    pub(super) fn imported(&self, name: &str) -> Vec<String> {
        matching(&self.imports, name)
    }

    /// The names that `exports` has, and what they may mean.
    pub(super) fn exports(&self) -> impl Iterator<Item = (&str, &[String])> {
        named(&self.exports)
    }

    /// The names with a `#`, and what they may mean.
    pub(super) fn imports(&self) -> impl Iterator<Item = (&str, &[String])> {
        named(&self.imports)
    }
}

fn named(entries: &[Entry]) -> impl Iterator<Item = (&str, &[String])> {
    let entries = entries.iter();
    entries.map(|entry| (entry.name.as_str(), entry.targets.as_slice()))
}

fn installed(object: &Object<'_>) -> BTreeSet<String> {
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

/// What the `*` of a pattern stands for in a name.
pub(super) fn starred<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    let (before, behind) = pattern.split_once('*')?;
    name.strip_prefix(before)?.strip_suffix(behind)
}
