//! Which file a specifier means: relative paths, `paths` of configurations, names of the repository's own packages.
//!
//! Sources: module resolution of TypeScript and Node.js. What is installed is no part of a repository and means nothing. Where a package
//! says a built file that is not there, the source that it is built of is meant.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::config::Config;
use super::package::Package;
use super::search::{Search, is_relative, order, walk};
use crate::link::files::{Files, parent};
use crate::link::import_key::{HERE, import_key};
use crate::link::manifest::Manifest;
use crate::path::RepoPath;

pub(super) const PACKAGE: &str = "package.json";

/// The files of a repository and what is said of their specifiers.
#[derive(Debug, Default)]
pub(super) struct Specifiers {
    pub(super) files: Files,
    pub(super) packages: BTreeMap<RepoPath, Package>,
    /// The folders of the packages of a name.
    pub(super) named: HashMap<String, Vec<RepoPath>>,
    pub(super) configs: BTreeMap<RepoPath, Config>,
}

/// Told of each manifest that an answer rests on.
pub(super) type Note<'n> = &'n dyn Fn(&RepoPath);

/// Whether a file says how specifiers are meant.
pub(super) fn is_manifest(path: &RepoPath) -> bool {
    let name = path.name();
    name == PACKAGE || is_config(name)
}

fn is_config(name: &str) -> bool {
    let is_named = name.starts_with("tsconfig") || name.starts_with("jsconfig");
    let is_json = name.strip_suffix(".json").is_some();
    is_named && is_json
}

impl Specifiers {
    pub(super) fn new(files: Files, manifests: &[Manifest]) -> Self {
        let mut specifiers = Self {
            files,
            ..Self::default()
        };
        for Manifest { path, text } in manifests {
            if path.name() != PACKAGE {
                specifiers.configs.insert(path.clone(), Config::parse(text));
                continue;
            }
            let package = Package::parse(text);
            let folder = parent(path);
            if let Some(name) = package.name.clone() {
                let named = specifiers.named.entry(name).or_default();
                named.push(folder.clone());
            }
            specifiers.packages.insert(folder, package);
        }
        specifiers
    }

    /// The file that a specifier in another one means.
    pub(super) fn find(
        &self,
        note: Note<'_>,
        from: &RepoPath,
        specifier: &str,
    ) -> Option<RepoPath> {
        let specifier = specifier.split('?').next().unwrap_or(specifier);
        let search = Search {
            of: self,
            note,
            order: order(from),
        };
        if is_relative(specifier) {
            return search.at(&walk(&parent(from), specifier)?);
        }
        if specifier.starts_with('/') || specifier.contains(':') {
            return None;
        }
        if specifier.starts_with('#') {
            let (folder, package) = search.package_around(from)?;
            let targets = package.imported(specifier);
            let mut targets = targets.iter();
            return targets.find_map(|target| search.target(from, &folder, target));
        }
        search
            .configured(from, specifier)
            .or_else(|| search.packaged(from, specifier))
    }

    /// The last segments, extensions left out, of all specifiers that may mean a file.
    pub(super) fn keys(&self, file: &RepoPath) -> BTreeSet<String> {
        let own = import_key(file.name());
        let mut keys = BTreeSet::from([own.to_owned()]);
        if own == "index" {
            keys.insert(HERE.to_owned());
            keys.insert(import_key(parent(file).name()).to_owned());
        }
        for (folder, package) in &self.packages {
            if file.below(folder).is_some() {
                let names = package.exported_names().chain(package.name.as_deref());
                keys.extend(names.map(|name| import_key(name).to_owned()));
                keys.insert(import_key(folder.name()).to_owned());
            }
        }
        let paths = self
            .configs
            .values()
            .filter_map(|config| config.paths.as_ref());
        let names = paths.flatten().map(|(name, _)| import_key(name));
        keys.extend(names.map(str::to_owned));
        keys.retain(|key| !key.is_empty() && !key.contains('*'));
        keys
    }
}
