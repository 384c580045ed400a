//! The keys of all specifiers that may mean a file. There may be more of them than are needed, and never fewer.

use std::collections::BTreeSet;

use super::search::{BUILT, CONFIG_DIR, is_relative, walk};
use super::specifiers::Specifiers;
use crate::files::parent;
use crate::import_key::{ANY, HERE, import_key, without_extension};
use ragnav_base::path::RepoPath;

/// The source folder of packages that say nothing of it.
const SOURCE: &str = "src";

/// The keys of the specifiers that may mean a file, by [`import_key`].
pub(super) fn keys(specifiers: &Specifiers, file: &RepoPath) -> BTreeSet<String> {
    let mut found = Found::new(specifiers, file);
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

struct Found<'f> {
    file: &'f RepoPath,
    keys: BTreeSet<String>,
    /// The last segments of the places that mean the file: its own name and those of the folders that it stands for.
    ends: BTreeSet<String>,
    /// All segments of those places, and of the folders that are built of where it is.
    segments: BTreeSet<String>,
    /// The folders that files are built to of the folders around it.
    outs: Vec<RepoPath>,
}

impl<'f> Found<'f> {
    fn new(specifiers: &Specifiers, file: &'f RepoPath) -> Self {
        let configs = specifiers.configs.iter();
        let outs = configs.filter_map(|(at, config)| {
            let (out, root) = config.built(at)?;
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
            found.keys.insert(HERE.to_owned());
        }
        found
    }

    /// Notes a place that means the file.
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
        // Those inside others first: what means the one may mean the other by it.
        for (folder, package) in specifiers.packages.iter().rev() {
            let inside = self.file.below(folder).map(without_extension);
            let mut is_main = matches!(inside.map(import_key), Some("index"))
                && inside.is_some_and(|inside| {
                    let around = inside.rsplit_once('/').map(|(around, _)| around);
                    around.is_none_or(|around| around == SOURCE)
                });
            for target in package.targets(".") {
                is_main |= self.is_of(folder, &target) && self.may_be_meant(&target);
            }
            if is_main {
                self.add_place(folder);
                self.keys.insert(HERE.to_owned());
                let name = package.name.as_deref().unwrap_or_default();
                self.keys.insert(import_key(name).to_owned());
            }
            for (name, targets) in package.exports().filter(|(name, _)| *name != ".") {
                if targets.iter().any(|target| self.is_of(folder, target)) {
                    self.add_name(name, targets);
                }
            }
        }
    }

    /// Whether what a package names may be the file by where both are.
    fn is_of(&self, folder: &RepoPath, target: &str) -> bool {
        let is_around = |out: &RepoPath| {
            out == folder || out.below(folder).is_some() || folder.below(out).is_some()
        };
        let is_inside = self.file.below(folder).is_some();
        is_inside || target.contains("..") || self.outs.iter().any(is_around)
    }

    fn may_be_meant(&self, target: &str) -> bool {
        let key = import_key(target);
        key == HERE || target == CONFIG_DIR || self.ends.iter().any(|end| import_key(end) == key)
    }

    /// Adds the keys of the specifiers that a name of a manifest, which may have a star, makes of its targets.
    fn add_name(&mut self, name: &str, targets: &[String]) {
        for target in targets {
            if !target.contains('*') {
                let is_meant = self.may_be_meant(target);
                self.add_if(is_meant, name);
                continue;
            }
            let is_inner = inner(target);
            let stems = if is_inner { &self.segments } else { &self.ends };
            let stems = stems.clone();
            self.add_starred(name, target, &stems);
        }
    }

    /// The same for what a package's own files import, whose targets may be specifiers of other packages.
    fn add_imported(&mut self, name: &str, targets: &[String]) {
        for target in targets {
            if is_relative(target) {
                self.add_name(name, std::slice::from_ref(target));
            } else if !target.contains('*') || inner(target) {
                let is_meant = inner(target) || self.keys.contains(import_key(target));
                self.add_if(is_meant || self.keys.contains(ANY), name);
            } else {
                let stems = self.keys.clone();
                self.add_starred(name, target, &stems);
            }
        }
    }

    /// Adds a name whose star, if there is one, may stand for anything.
    fn add_if(&mut self, is_meant: bool, name: &str) {
        if is_meant {
            let key = import_key(name);
            let key = if key.contains('*') { ANY } else { key };
            self.keys.insert(key.to_owned());
        }
    }

    /// Adds what a name comes to where the last segment that the star stands for is what one of the stems leaves for it.
    fn add_starred(&mut self, name: &str, target: &str, stems: &BTreeSet<String>) {
        let Some((before, behind)) = name.split_once('*') else {
            self.add_if(true, name);
            return;
        };
        let (target_before, target_behind) = target.split_once('*').unwrap_or((target, ""));
        let suffix = target_behind.split('/').next().unwrap_or_default();
        if behind.contains('/') || suffix.contains('*') || stems.contains(ANY) {
            self.add_if(true, name);
            return;
        }
        self.keys
            .insert(import_key(&format!("{before}{behind}")).to_owned());
        let prefix = last(target_before);
        for stem in stems.iter().flat_map(|stem| shortened(stem)) {
            let rests = shortened(suffix).filter_map(|suffix| stem.strip_suffix(suffix));
            for rest in rests {
                self.keys
                    .insert(import_key(&format!("{rest}{behind}")).to_owned());
                if let Some(rest) = rest.strip_prefix(prefix) {
                    let whole = format!("{}{rest}{behind}", last(before));
                    self.keys.insert(import_key(&whole).to_owned());
                }
            }
        }
    }
}

impl super::config::Config {
    /// The folder that built files go to and the one that they are built of, of the configuration at a place.
    pub(super) fn built(&self, at: &RepoPath) -> Option<(RepoPath, RepoPath)> {
        let folder = parent(at);
        let out = walk(&folder, self.out_dir.as_deref()?)?;
        let root = self.root_dir.as_deref().unwrap_or(SOURCE);
        Some((out, walk(&folder, root)?))
    }
}

/// Whether the star of a target stands before its last segment.
fn inner(target: &str) -> bool {
    let behind = target.split_once('*').map(|(_, behind)| behind);
    behind.is_some_and(|behind| behind.contains('/'))
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A name, and what is left of it without one, two and more of its extensions.
fn shortened(name: &str) -> impl Iterator<Item = &str> {
    let dots = name.match_indices('.').map(|(at, _)| at);
    let stems = dots.filter_map(|at| name.get(..at));
    stems.chain([name])
}
