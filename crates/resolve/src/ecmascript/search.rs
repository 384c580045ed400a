//! The search for the file that a specifier means.

use super::config::{Config, Paths, substitutes};
use super::package::Package;
use super::specifiers::{Note, PACKAGE, Specifiers};
use super::workspaces::Workspace;
use crate::files::parent;
use crate::import_key::without_extension;
use ragnav_base::path::RepoPath;

/// The files that say how a folder's specifiers are meant.
const CONFIGS: [&str; 2] = ["tsconfig.json", "jsconfig.json"];

/// What a path of a configuration may begin with. Source: the release notes of TypeScript 5.5.
pub(super) const CONFIG_DIR: &str = "${configDir}";

/// Configurations farther away than this are none of a file's.
const MAX_CONFIGS: usize = 16;

/// Folders that hold what is built, and not what it is built of.
pub(super) const BUILT: [&str; 12] = [
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

/// What may be there for a file of an extension, in the order of TypeScript's `tryAddingExtensions`.
const BUILT_EXTENSIONS: [(&str, &[&str]); 4] = [
    ("js", &["ts", "tsx", "d.ts", "js", "jsx"]),
    ("jsx", &["tsx", "ts", "d.ts", "jsx", "js"]),
    ("mjs", &["mts", "d.mts", "mjs"]),
    ("cjs", &["cts", "d.cts", "cjs"]),
];

impl Specifiers {
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
            return search.written(&parent(from), specifier);
        }
        if specifier.starts_with('/') || specifier.contains(':') {
            return None;
        }
        if specifier.starts_with('#') {
            return search.internal(from, specifier);
        }
        search
            .configured(from, specifier)
            .or_else(|| search.packaged(from, specifier))
    }
}

/// Finding one file.
pub(super) struct Search<'s> {
    pub(super) of: &'s Specifiers,
    pub(super) note: Note<'s>,
    /// The extensions that may have been left out, in the order in which they are tried.
    pub(super) order: &'static [&'static str],
}

impl Search<'_> {
    /// The file or folder that a path from a folder means. One that ends in a slash or in dots never names a file.
    pub(super) fn written(&self, from: &RepoPath, path: &str) -> Option<RepoPath> {
        let place = walk(from, path)?;
        let last = path.rsplit('/').next();
        if matches!(last, Some("" | "." | "..")) {
            return self.folder(&place);
        }
        self.at(&place)
    }

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
        let place = walk(folder, target)?;
        let index = || self.file(&place.join("index")?);
        let found = self.file(&place).or_else(index);
        found.or_else(|| self.source(from, folder, &place))
    }

    fn source(&self, from: &RepoPath, folder: &RepoPath, built: &RepoPath) -> Option<RepoPath> {
        let inside = built.below(folder)?;
        if let Some((config, at)) = self.config_around(from)
            && let Some((out, root)) = config.built(&at)
            && let Some(rest) = built.below(&out)
        {
            let place = walk(&root, without_extension(rest))?;
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
        let folder = self.package_named(from, name)?;
        let package = self.package(folder)?;
        if rest.is_empty() {
            let src = || self.file(&walk(folder, "src/index")?);
            return self.folder(folder).or_else(src);
        }
        let rest = specifier.strip_prefix(name)?.strip_prefix('/')?;
        if !package.has_exports() {
            let written = self.written(folder, rest);
            return written.or_else(|| self.written(&folder.join("src")?, rest));
        }
        let targets = package.targets(&format!("./{rest}"));
        let mut targets = targets.iter();
        targets.find_map(|target| self.target(from, folder, target))
    }

    /// The folder of the package of the repository that a name means in a file: the one around it, one of its workspace, or where
    /// nothing says what is in a workspace, the only one that is not taken from outside.
    ///
    /// A name that several packages have means none.
    fn package_named(&self, from: &RepoPath, name: &str) -> Option<&RepoPath> {
        let folders = self.of.named.get(name)?;
        let around = folders.iter().filter(|folder| from.below(folder).is_some());
        if let Some(folder) = around.max_by_key(|folder| folder.as_str().len()) {
            return Some(folder);
        }
        let mut members = folders.iter().filter(|folder| {
            let mut workspaces = self.workspaces(from, folder);
            workspaces.any(|workspace| workspace.has(folder))
        });
        if let Some(folder) = members.next() {
            return members.next().is_none().then_some(folder);
        }
        let own = self.package_around(from);
        if own.is_some_and(|(_, package)| package.installs(name)) {
            return None;
        }
        let mut others = folders
            .iter()
            .filter(|folder| self.workspaces(from, folder).next().is_none());
        let folder = others.next()?;
        others.next().is_none().then_some(folder)
    }

    /// What says of workspaces around both a file and a folder.
    fn workspaces<'w>(
        &'w self,
        from: &'w RepoPath,
        folder: &'w RepoPath,
    ) -> impl Iterator<Item = &'w Workspace> {
        let all = self.of.workspaces.iter();
        let around = all.filter(|one| one.is_around(from) && one.is_around(folder));
        around.inspect(|workspace| (self.note)(&workspace.manifest))
    }

    /// What a name with a `#` means in a package: one of its files, or what another package means by a specifier.
    pub(super) fn internal(&self, from: &RepoPath, specifier: &str) -> Option<RepoPath> {
        let (folder, package) = self.package_around(from)?;
        let targets = package.imported(specifier);
        let mut targets = targets.iter();
        targets.find_map(|target| {
            if is_relative(target) {
                return self.target(from, &folder, target);
            }
            self.packaged(from, target)
        })
    }

    /// What the configuration around a file says that a specifier stands for.
    pub(super) fn configured(&self, from: &RepoPath, specifier: &str) -> Option<RepoPath> {
        let (config, at) = self.config_around(from)?;
        let projects = config.references.iter();
        let projects = projects.filter_map(|path| self.config_at(&parent(&at), path));
        let candidates = std::iter::once(at.clone()).chain(projects);
        for at in candidates {
            let base = self.base_url(&at);
            if let Some((declared, paths)) = self.paths(&at, 0) {
                let from = base.as_ref().unwrap_or(&declared);
                let targets = substitutes(paths, specifier);
                let mut targets = targets.iter();
                let found = targets.find_map(|target| {
                    let (from, target) = configured_path(&at, from, target);
                    self.written(&from, target)
                });
                if let Some(found) = found {
                    return Some(found);
                }
            }
            if let Some(base) = base
                && let Some(found) = self.written(&base, specifier)
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
            let package = self.package_named(&folder.join(PACKAGE)?, name)?;
            let targets = self.package(package)?.targets(&format!("./{rest}"));
            let exported = targets.iter().filter_map(|target| walk(package, target));
            let exported = exported
                .into_iter()
                .find(|at| self.of.configs.contains_key(at));
            exported.or_else(|| walk(package, rest))?
        };
        let with_extension = parent(&place).join(&format!("{}.json", place.name()));
        let inside = place.join("tsconfig.json");
        let mut places = [Some(place), with_extension, inside].into_iter().flatten();
        places.find(|place| self.of.configs.contains_key(place))
    }

    /// The nearest `paths` on the way up, and the folder of the configuration that has them.
    fn paths(&self, at: &RepoPath, steps: usize) -> Option<(RepoPath, &Paths)> {
        let config = self.config(at).filter(|_| steps < MAX_CONFIGS)?;
        let folder = parent(at);
        if let Some(paths) = &config.paths {
            return Some((folder, paths));
        }
        let mut extended = config.extends.iter();
        extended.find_map(|path| self.paths(&self.config_at(&folder, path)?, steps + 1))
    }

    /// The nearest `baseUrl` on the way up. It goes for `paths` too, whichever configuration has them.
    fn base_url(&self, at: &RepoPath) -> Option<RepoPath> {
        let (declared, base) = self.base_url_text(at, 0)?;
        let (from, base) = configured_path(at, &declared, base);
        walk(&from, base)
    }

    fn base_url_text(&self, at: &RepoPath, steps: usize) -> Option<(RepoPath, &str)> {
        let config = self.config(at).filter(|_| steps < MAX_CONFIGS)?;
        let folder = parent(at);
        if let Some(base) = config.base_url.as_deref() {
            return Some((folder, base));
        }
        let mut extended = config.extends.iter();
        extended.find_map(|path| self.base_url_text(&self.config_at(&folder, path)?, steps + 1))
    }
}

/// Where a path of a configuration starts, and the rest of it: `${configDir}` is the folder of the one that is asked about, though another
/// one has the path.
fn configured_path<'p>(at: &RepoPath, from: &RepoPath, path: &'p str) -> (RepoPath, &'p str) {
    match path.strip_prefix(CONFIG_DIR) {
        Some("") => (parent(at), "."),
        Some(rest) => (parent(at), rest),
        None => (from.clone(), path),
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
fn package_name(specifier: &str) -> (&str, &str) {
    let scoped = usize::from(specifier.starts_with('@'));
    let end = specifier.match_indices('/').nth(scoped);
    match end.and_then(|(end, _)| specifier.split_at_checked(end)) {
        Some((name, rest)) => (name, rest.trim_start_matches('/')),
        None => (specifier, ""),
    }
}
