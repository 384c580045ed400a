//! Computes the keys of all specifiers that may refer to a file.
//!
//! The set may contain superfluous keys, but none is ever missing.

use std::collections::BTreeSet;

use super::search::{BUILT, CONFIG_DIR, is_relative};
use super::specifiers::Specifiers;
use crate::files::{join_relative, parent};
use crate::import_key::{FOLDER_KEY, WILDCARD_KEY, import_key, without_extension};
use ragnav_base::path::RepoPath;

/// The usual source folder of packages.
const SOURCE: &str = "src";

/// Returns the [`import_key`]s of all specifiers that may refer to a file.
pub(super) fn specifier_keys(specifiers: &Specifiers, file: &RepoPath) -> BTreeSet<String> {
    let mut found = KeyCollector::new(specifiers, file);
    found.add_packages(specifiers);
    for config in specifiers.configs.values() {
        for (name, targets) in config.paths.iter().flatten() {
            found.add_name(name, targets);
        }
    }
    for package in specifiers.packages.values() {
        for (name, targets) in package.imports() {
            found.add_imported(name, targets);
        }
    }
    found.keys.remove("");
    found.keys
}

struct KeyCollector<'f> {
    file: &'f RepoPath,
    keys: BTreeSet<String>,
    /// The last segments of paths to the file: its own name, and folders that it represents.
    ends: BTreeSet<String>,
    /// All segments of those paths and of the folders that compiled files go to.
    segments: BTreeSet<String>,
    /// The output folders of the configurations whose source folder contains the file.
    outs: Vec<RepoPath>,
}

impl<'f> KeyCollector<'f> {
    fn new(specifiers: &Specifiers, file: &'f RepoPath) -> Self {
        let configs = specifiers.configs.iter();
        let outs = configs.filter_map(|(at, config)| {
            let (out, root) = config.output_folders(at)?;
            file.below(&root).is_some().then_some(out)
        });
        let mut found = Self {
            file,
            keys: BTreeSet::new(),
            ends: BTreeSet::new(),
            segments: BUILT.iter().map(|&name| name.to_owned()).collect(),
            outs: outs.collect(),
        };
        for out in found.outs.clone() {
            found.add_segments(&out);
        }
        found.add_place(file);
        if import_key(file.name()) == "index" {
            found.add_place(&parent(file));
            found.keys.insert(FOLDER_KEY.to_owned());
        }
        found
    }

    /// Adds a path that refers to the file.
    fn add_place(&mut self, place: &RepoPath) {
        self.keys.insert(import_key(place.name()).to_owned());
        self.ends.insert(place.name().to_owned());
        self.add_segments(place);
    }

    fn add_segments(&mut self, place: &RepoPath) {
        let segments = place.as_str().split('/');
        self.segments.extend(segments.map(str::to_owned));
    }

    fn add_packages(&mut self, specifiers: &Specifiers) {
        // Inner packages come first, since a package may refer to the file through an inner one.
        for (folder, package) in specifiers.packages.iter().rev() {
            let inside = self.file.below(folder).map(without_extension);
            let mut is_main = matches!(inside.map(import_key), Some("index"))
                && inside.is_some_and(|inside| {
                    let enclosing = inside.rsplit_once('/').map(|(enclosing, _)| enclosing);
                    enclosing.is_none_or(|enclosing| enclosing == SOURCE)
                });
            for target in package.targets(".") {
                is_main |= self.may_be_target(folder, &target) && self.may_refer_to_file(&target);
            }
            if is_main {
                self.add_place(folder);
                self.keys.insert(FOLDER_KEY.to_owned());
                let name = package.name.as_deref().unwrap_or_default();
                self.keys.insert(import_key(name).to_owned());
            }
            for (name, targets) in package.exports().filter(|(name, _)| *name != ".") {
                if targets
                    .iter()
                    .any(|target| self.may_be_target(folder, target))
                {
                    self.add_name(name, targets);
                }
            }
        }
    }

    /// Reports whether the target of a package may be the file, judged by their folders.
    fn may_be_target(&self, folder: &RepoPath, target: &str) -> bool {
        let is_near = |out: &RepoPath| {
            out == folder || out.below(folder).is_some() || folder.below(out).is_some()
        };
        let is_inside = self.file.below(folder).is_some();
        is_inside || target.contains("..") || self.outs.iter().any(is_near)
    }

    fn may_refer_to_file(&self, target: &str) -> bool {
        let key = import_key(target);
        key == FOLDER_KEY
            || target == CONFIG_DIR
            || self.ends.iter().any(|end| import_key(end) == key)
    }

    /// Adds the keys of the specifiers that match an entry of a manifest, whose name may have a
    /// star.
    fn add_name(&mut self, name: &str, targets: &[String]) {
        for target in targets {
            if !target.contains('*') {
                let is_match = self.may_refer_to_file(target);
                self.add_name_if(is_match, name);
                continue;
            }
            let is_inner = is_star_inner(target);
            let stems = if is_inner { &self.segments } else { &self.ends };
            let stems = stems.clone();
            self.add_starred(name, target, &stems);
        }
    }

    /// Adds the keys of an internal import, whose targets may be specifiers of other packages.
    fn add_imported(&mut self, name: &str, targets: &[String]) {
        for target in targets {
            if is_relative(target) {
                self.add_name(name, std::slice::from_ref(target));
            } else if !target.contains('*') || is_star_inner(target) {
                let is_match = is_star_inner(target) || self.keys.contains(import_key(target));
                self.add_name_if(is_match || self.keys.contains(WILDCARD_KEY), name);
            } else {
                let stems = self.keys.clone();
                self.add_starred(name, target, &stems);
            }
        }
    }

    /// Adds the key of a name, or the wildcard if the key contains a star.
    fn add_name_if(&mut self, is_match: bool, name: &str) {
        if is_match {
            let key = import_key(name);
            let key = if key.contains('*') { WILDCARD_KEY } else { key };
            self.keys.insert(key.to_owned());
        }
    }

    /// Adds the keys of a name with a star, for every stem that the star of the target can match.
    fn add_starred(&mut self, name: &str, target: &str, stems: &BTreeSet<String>) {
        let Some((before, after)) = name.split_once('*') else {
            self.add_name_if(true, name);
            return;
        };
        let (target_before, target_after) = target.split_once('*').unwrap_or((target, ""));
        let suffix = target_after.split('/').next().unwrap_or_default();
        if after.contains('/') || suffix.contains('*') || stems.contains(WILDCARD_KEY) {
            self.add_name_if(true, name);
            return;
        }
        self.keys
            .insert(import_key(&format!("{before}{after}")).to_owned());
        let prefix = last_segment(target_before);
        for stem in stems.iter().flat_map(|stem| name_prefixes(stem)) {
            let rests = name_prefixes(suffix).filter_map(|suffix| stem.strip_suffix(suffix));
            for rest in rests {
                self.keys
                    .insert(import_key(&format!("{rest}{after}")).to_owned());
                if let Some(rest) = rest.strip_prefix(prefix) {
                    let whole = format!("{}{rest}{after}", last_segment(before));
                    self.keys.insert(import_key(&whole).to_owned());
                }
            }
        }
    }
}

impl super::config::TsConfig {
    /// Returns the output folder and the source folder of the configuration at a path.
    pub(super) fn output_folders(&self, at: &RepoPath) -> Option<(RepoPath, RepoPath)> {
        let folder = parent(at);
        let out = join_relative(&folder, self.out_dir.as_deref()?)?;
        let root = self.root_dir.as_deref().unwrap_or(SOURCE);
        Some((out, join_relative(&folder, root)?))
    }
}

/// Reports whether the star of a target precedes its last segment.
fn is_star_inner(target: &str) -> bool {
    let after = target.split_once('*').map(|(_, after)| after);
    after.is_some_and(|after| after.contains('/'))
}

fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns a name and its prefixes that end before a dot: `a.test.ts`, `a.test` and `a`.
fn name_prefixes(name: &str) -> impl Iterator<Item = &str> {
    let dots = name.match_indices('.').map(|(at, _)| at);
    let stems = dots.filter_map(|at| name.get(..at));
    stems.chain([name])
}
