//! The search for the file that a specifier means.

use super::config::{Config, Paths, substitutes};
use super::package::Package;
use super::specifiers::{Note, PACKAGE, Specifiers};
use crate::link::files::parent;
use crate::link::import_key::without_extension;
use crate::path::RepoPath;

/// The files that say how a folder's specifiers are meant.
const CONFIGS: [&str; 2] = ["tsconfig.json", "jsconfig.json"];

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

/// Finding one file.
pub(super) struct Search<'s> {
    pub(super) of: &'s Specifiers,
    pub(super) note: Note<'s>,
    /// The extensions that may have been left out, in the order in which they are tried.
    pub(super) order: &'static [&'static str],
}

impl Search<'_> {
    /// The file or folder that a path means.
    pub(super) fn at(&self, place: &RepoPath) -> Option<RepoPath> {
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

    pub(super) fn package_around(&self, file: &RepoPath) -> Option<(RepoPath, &Package)> {
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
    pub(super) fn target(
        &self,
        from: &RepoPath,
        folder: &RepoPath,
        target: &str,
    ) -> Option<RepoPath> {
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
    pub(super) fn packaged(&self, from: &RepoPath, specifier: &str) -> Option<RepoPath> {
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
    pub(super) fn configured(&self, from: &RepoPath, specifier: &str) -> Option<RepoPath> {
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

pub(super) fn is_relative(specifier: &str) -> bool {
    let first = specifier.split('/').next();
    matches!(first, Some("." | ".."))
}

pub(super) fn order(from: &RepoPath) -> &'static [&'static str] {
    match from.extension() {
        Some("ts" | "tsx" | "mts" | "cts") => &TYPED_FIRST,
        _ => &PLAIN_FIRST,
    }
}

/// A path as it is written, from a folder on; `None` where it leaves the repository.
pub(super) fn walk(from: &RepoPath, path: &str) -> Option<RepoPath> {
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
pub(super) fn package_name(specifier: &str) -> (&str, &str) {
    let scoped = usize::from(specifier.starts_with('@'));
    let end = specifier.match_indices('/').nth(scoped);
    match end.and_then(|(end, _)| specifier.split_at_checked(end)) {
        Some((name, rest)) => (name, rest.trim_start_matches('/')),
        None => (specifier, ""),
    }
}
