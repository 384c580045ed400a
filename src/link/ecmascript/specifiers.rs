//! Which file a specifier means: relative paths, `paths` of configurations, names of the repository's own packages.
//!
//! Sources: module resolution of TypeScript and Node.js. What is installed is no part of a repository and means nothing. Where a package
//! says a built file that is not there, the source that it is built of is meant.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::config::{Config, Paths, substitutes};
use super::package::Package;
use crate::link::files::{Files, parent};
use crate::link::import_key::{HERE, import_key, without_extension};
use crate::link::manifest::Manifest;
use crate::path::RepoPath;

/// The files that say how a folder's specifiers are meant.
const CONFIGS: [&str; 2] = ["tsconfig.json", "jsconfig.json"];
const PACKAGE: &str = "package.json";

/// Configurations farther away than this are none of a file's.
const MAX_CONFIGS: usize = 16;

/// Folders that hold what is built, and not what it is built of.
const BUILT: [&str; 12] = [
    "build", "cjs", "commonjs", "dist", "dts", "es", "esm", "lib", "module", "out", "types", "umd",
];

/// What a file may be called that an import from TypeScript leaves the extension of.
const TYPED_FIRST: [&str; 11] = [
    "ts", "tsx", "d.ts", "mts", "cts", "js", "jsx", "mjs", "cjs", "d.mts", "d.cts",
];
/// The same for an import from JavaScript.
const PLAIN_FIRST: [&str; 11] = [
    "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "d.ts", "d.mts", "d.cts",
];

/// What is written for a file that is built of another one.
const BUILT_EXTENSIONS: [(&str, &[&str]); 4] = [
    ("js", &["ts", "tsx", "d.ts", "jsx"]),
    ("jsx", &["tsx", "d.ts"]),
    ("mjs", &["mts", "d.mts", "ts"]),
    ("cjs", &["cts", "d.cts", "ts"]),
];

/// The files of a repository and what is said of their specifiers.
#[derive(Debug, Default)]
pub(super) struct Specifiers {
    files: Files,
    packages: BTreeMap<RepoPath, Package>,
    /// The folders of the packages of a name.
    named: HashMap<String, Vec<RepoPath>>,
    configs: BTreeMap<RepoPath, Config>,
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

fn is_relative(specifier: &str) -> bool {
    let first = specifier.split('/').next();
    matches!(first, Some("." | ".."))
}

fn order(from: &RepoPath) -> &'static [&'static str] {
    match from.extension() {
        Some("ts" | "tsx" | "mts" | "cts") => &TYPED_FIRST,
        _ => &PLAIN_FIRST,
    }
}

/// A path as it is written, from a folder on; `None` where it leaves the repository.
fn walk(from: &RepoPath, path: &str) -> Option<RepoPath> {
    let mut place = from.clone();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." if place == RepoPath::root() => return None,
            ".." => place = parent(&place),
            name => place = place.join(name)?,
        }
    }
    Some(place)
}

/// The package's name and what is behind it: `@a/b` and `c` of `@a/b/c`.
fn package_name(specifier: &str) -> (&str, &str) {
    let scoped = usize::from(specifier.starts_with('@'));
    let end = specifier.match_indices('/').nth(scoped);
    match end.and_then(|(end, _)| specifier.split_at_checked(end)) {
        Some((name, rest)) => (name, rest.trim_start_matches('/')),
        None => (specifier, ""),
    }
}

/// Finding one file.
struct Search<'s> {
    of: &'s Specifiers,
    note: Note<'s>,
    /// The extensions that may have been left out, in the order in which they are tried.
    order: &'static [&'static str],
}

impl Search<'_> {
    /// The file or folder that a path means.
    fn at(&self, place: &RepoPath) -> Option<RepoPath> {
        self.file(place).or_else(|| self.folder(place))
    }

    fn file(&self, place: &RepoPath) -> Option<RepoPath> {
        let name = place.name();
        let folder = parent(place);
        let has = |name: String| {
            let file = folder.join(&name)?;
            self.of.files.has(&file).then_some(file)
        };
        let built = BUILT_EXTENSIONS.iter().find_map(|(extension, sources)| {
            let stem = name.strip_suffix(extension)?.strip_suffix('.')?;
            Some((stem, sources))
        });
        let exact = || has(name.to_owned());
        let source = || {
            let (stem, sources) = built?;
            let mut names = sources
                .iter()
                .map(|extension| format!("{stem}.{extension}"));
            names.find_map(has)
        };
        let is_typed = self.order.first() == TYPED_FIRST.first();
        let found = if is_typed {
            source().or_else(exact)
        } else {
            exact().or_else(source)
        };
        found.or_else(|| {
            let mut names = self
                .order
                .iter()
                .map(|extension| format!("{name}.{extension}"));
            names.find_map(has)
        })
    }

    fn folder(&self, folder: &RepoPath) -> Option<RepoPath> {
        if let Some(package) = self.package(folder) {
            let targets = package.targets(".");
            let mut targets = targets.iter();
            let found = targets.find_map(|target| self.target(folder, folder, target));
            if found.is_some() {
                return found;
            }
        }
        self.file(&folder.join("index")?)
    }

    fn package(&self, folder: &RepoPath) -> Option<&Package> {
        let package = self.of.packages.get(folder)?;
        if let Some(file) = folder.join(PACKAGE) {
            (self.note)(&file);
        }
        Some(package)
    }

    fn package_around(&self, file: &RepoPath) -> Option<(RepoPath, &Package)> {
        let mut folder = parent(file);
        loop {
            if let Some(package) = self.package(&folder) {
                return Some((folder, package));
            }
            if folder == RepoPath::root() {
                return None;
            }
            folder = parent(&folder);
        }
    }

    /// A file that a package names, or the one that it is built of.
    fn target(&self, from: &RepoPath, folder: &RepoPath, target: &str) -> Option<RepoPath> {
        if !is_relative(target) && target.starts_with('#') {
            return None;
        }
        let place = walk(folder, target)?;
        let index = || self.file(&place.join("index")?);
        let found = self.file(&place).or_else(index);
        found.or_else(|| self.source(from, folder, &place))
    }

    fn source(&self, from: &RepoPath, folder: &RepoPath, built: &RepoPath) -> Option<RepoPath> {
        let inside = built.below(folder)?;
        if let Some((config, at)) = self.config_around(from)
            && let Some(out) = config.out_dir.as_deref()
            && let Some(out) = walk(&parent(&at), out)
            && let Some(rest) = built.below(&out)
        {
            let root = config.root_dir.as_deref().unwrap_or("src");
            let place = walk(&walk(&parent(&at), root)?, without_extension(rest))?;
            if let Some(found) = self.at(&place) {
                return Some(found);
            }
        }
        let mut rest = without_extension(inside);
        loop {
            let in_src = walk(folder, "src").and_then(|src| walk(&src, rest));
            let beside = walk(folder, rest);
            let places = in_src.into_iter().chain(beside);
            if let Some(found) = places.into_iter().find_map(|place| self.file(&place)) {
                return Some(found);
            }
            let (first, behind) = rest.split_once('/')?;
            if !BUILT.contains(&first) && !first.starts_with("dist") {
                return None;
            }
            rest = behind;
        }
    }

    /// What a package of the repository means by a specifier.
    fn packaged(&self, from: &RepoPath, specifier: &str) -> Option<RepoPath> {
        let (name, rest) = package_name(specifier);
        let folders = self.of.named.get(name)?;
        let around = folders.iter().find(|folder| from.below(folder).is_some());
        let ((Some(folder), _) | (None, [folder])) = (around, folders.as_slice()) else {
            return None;
        };
        let package = self.package(folder)?;
        if rest.is_empty() {
            let src = || self.file(&walk(folder, "src/index")?);
            return self.folder(folder).or_else(src);
        }
        let targets = package.targets(&format!("./{rest}"));
        let mut targets = targets.iter();
        let found = targets.find_map(|target| self.target(from, folder, target));
        found
            .or_else(|| self.at(&walk(folder, rest)?))
            .or_else(|| self.at(&walk(&folder.join("src")?, rest)?))
    }

    /// What the configuration around a file says that a specifier stands for.
    fn configured(&self, from: &RepoPath, specifier: &str) -> Option<RepoPath> {
        let (config, at) = self.config_around(from)?;
        let projects = config.references.iter();
        let projects = projects.filter_map(|path| self.config_at(&parent(&at), path));
        let candidates = std::iter::once(at.clone()).chain(projects);
        for at in candidates {
            if let Some((base, paths)) = self.paths(&at, 0) {
                let targets = substitutes(paths, specifier);
                let mut places = targets.iter().filter_map(|target| walk(&base, target));
                if let Some(found) = places.find_map(|place| self.at(&place)) {
                    return Some(found);
                }
            }
            if let Some(base) = self.base_url(&at, 0)
                && let Some(found) = walk(&base, specifier).and_then(|place| self.at(&place))
            {
                return Some(found);
            }
        }
        None
    }

    fn config_around(&self, file: &RepoPath) -> Option<(&Config, RepoPath)> {
        let mut folder = parent(file);
        loop {
            for name in CONFIGS {
                let at = folder.join(name);
                let found = at.and_then(|at| Some((self.config(&at)?, at)));
                if found.is_some() {
                    return found;
                }
            }
            if folder == RepoPath::root() {
                return None;
            }
            folder = parent(&folder);
        }
    }

    fn config(&self, at: &RepoPath) -> Option<&Config> {
        let config = self.of.configs.get(at)?;
        (self.note)(at);
        Some(config)
    }

    /// The configuration that another one names: a file with or without its extension, a folder, or one in a package.
    fn config_at(&self, folder: &RepoPath, path: &str) -> Option<RepoPath> {
        let place = if is_relative(path) {
            walk(folder, path)?
        } else {
            let (name, rest) = package_name(path);
            let [package] = self.of.named.get(name)?.as_slice() else {
                return None;
            };
            walk(package, rest)?
        };
        let with_extension = parent(&place).join(&format!("{}.json", place.name()));
        let inside = place.join("tsconfig.json");
        let mut places = [Some(place), with_extension, inside].into_iter().flatten();
        places.find(|place| self.of.configs.contains_key(place))
    }

    /// The nearest `paths` on the way up, and the folder that they start from.
    fn paths(&self, at: &RepoPath, steps: usize) -> Option<(RepoPath, &Paths)> {
        let config = self.config(at).filter(|_| steps < MAX_CONFIGS)?;
        let folder = parent(at);
        if let Some(paths) = &config.paths {
            let base = self.base_url(at, steps).unwrap_or(folder);
            return Some((base, paths));
        }
        let mut extended = config.extends.iter();
        extended.find_map(|path| self.paths(&self.config_at(&folder, path)?, steps + 1))
    }

    fn base_url(&self, at: &RepoPath, steps: usize) -> Option<RepoPath> {
        let config = self.config(at).filter(|_| steps < MAX_CONFIGS)?;
        let folder = parent(at);
        if let Some(base) = &config.base_url {
            return walk(&folder, base);
        }
        let mut extended = config.extends.iter();
        extended.find_map(|path| self.base_url(&self.config_at(&folder, path)?, steps + 1))
    }
}
