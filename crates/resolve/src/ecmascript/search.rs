//! Finds the file that a specifier refers to.

use super::config::{Paths, TsConfig, substitute};
use super::package::{Package, match_star};
use super::specifiers::{ManifestObserver, PACKAGE, Specifiers};
use super::workspaces::Workspace;
use crate::files::{join_relative, parent};
use crate::import_key::without_extension;
use ragnav_base::path::RepoPath;

/// The names of configurations, in order of precedence.
const CONFIGS: [&str; 2] = ["tsconfig.json", "jsconfig.json"];

/// The folder of the extending configuration, as a prefix of paths. Source: the release notes of
/// TypeScript 5.5.
pub(super) const CONFIG_DIR: &str = "${configDir}";

/// The maximum length of a chain of `extends`.
const MAX_CONFIGS: usize = 16;

/// The usual names of folders with compiled files.
pub(super) const BUILT: [&str; 12] = [
    "build", "cjs", "commonjs", "dist", "dts", "es", "esm", "lib", "module", "out", "types", "umd",
];

/// The extensions that an import from TypeScript may omit, in order of precedence.
const TYPED_FIRST: [&str; 12] = [
    "ts", "tsx", "d.ts", "mts", "cts", "js", "jsx", "mjs", "cjs", "d.mts", "d.cts", "vue",
];
/// The extensions that an import from JavaScript may omit, in order of precedence.
const PLAIN_FIRST: [&str; 12] = [
    "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "d.ts", "d.mts", "d.cts", "vue",
];

/// The files that may exist in place of a compiled one, in the order of TypeScript's
/// `tryAddingExtensions`.
const BUILT_EXTENSIONS: [(&str, &[&str]); 4] = [
    ("js", &["ts", "tsx", "d.ts", "js", "jsx"]),
    ("jsx", &["tsx", "ts", "d.ts", "jsx", "js"]),
    ("mjs", &["mts", "d.mts", "mjs"]),
    ("cjs", &["cts", "d.cts", "cjs"]),
];

/// The extensions of files that bundlers and runtimes import beside code.
const ASSETS: [&str; 16] = [
    "css", "gif", "graphql", "html", "jpg", "json", "less", "md", "node", "png", "sass", "scss",
    "svg", "txt", "wasm", "webp",
];

impl Specifiers {
    /// Finds the file that a specifier in another file refers to.
    pub(super) fn find(
        &self,
        observe: ManifestObserver<'_>,
        from: &RepoPath,
        specifier: &str,
    ) -> Option<RepoPath> {
        let specifier = specifier.split('?').next().unwrap_or(specifier);
        let search = SpecifierSearch {
            specifiers: self,
            observe,
            extension_order: extension_order(from),
        };
        if is_relative(specifier) {
            return search.resolve_path(&parent(from), specifier);
        }
        if specifier.starts_with('/') || specifier.contains(':') {
            return None;
        }
        if specifier.starts_with('#') {
            return search.resolve_internal(from, specifier);
        }
        search
            .resolve_configured(from, specifier)
            .or_else(|| search.resolve_svelte_library(from, specifier))
            .or_else(|| search.resolve_package(from, specifier))
    }

    /// Reports whether a specifier in a file refers to code of the repository, whether or not that
    /// exists.
    pub(super) fn is_own(
        &self,
        observe: ManifestObserver<'_>,
        from: &RepoPath,
        specifier: &str,
    ) -> bool {
        let specifier = specifier.split('?').next().unwrap_or(specifier);
        if is_asset(specifier) {
            return false;
        }
        if is_relative(specifier) {
            return self.files.join_inside(&parent(from), specifier).is_some();
        }
        let search = SpecifierSearch {
            specifiers: self,
            observe,
            extension_order: extension_order(from),
        };
        search.is_internal(from, specifier)
            || search.is_configured(from, specifier)
            || search
                .find_package(from, package_name(specifier).0)
                .is_some()
            || search.is_alias(from, specifier)
    }
}

/// The search for one file.
pub(super) struct SpecifierSearch<'s> {
    pub(super) specifiers: &'s Specifiers,
    pub(super) observe: ManifestObserver<'s>,
    /// The extensions that may be omitted, in order of precedence.
    pub(super) extension_order: &'static [&'static str],
}

impl SpecifierSearch<'_> {
    /// Resolves a path relative to a folder. A path that ends in a slash or dots never refers to a
    /// file.
    pub(super) fn resolve_path(&self, from: &RepoPath, path: &str) -> Option<RepoPath> {
        let place = self.specifiers.files.join_inside(from, path)?;
        let last = path.rsplit('/').next();
        if matches!(last, Some("" | "." | "..")) {
            return self.find_folder(&place);
        }
        self.find_at(&place)
    }

    /// Finds the file or folder at a path.
    fn find_at(&self, place: &RepoPath) -> Option<RepoPath> {
        self.find_file(place).or_else(|| self.find_folder(place))
    }

    fn find_file(&self, place: &RepoPath) -> Option<RepoPath> {
        let name = place.name();
        let folder = parent(place);
        let has = |name: String| {
            let file = folder.join(&name)?;
            self.specifiers.files.contains(&file).then_some(file)
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
        let is_typed = self.extension_order.first() == TYPED_FIRST.first();
        let found = if is_typed {
            source().or_else(exact)
        } else {
            exact().or_else(source)
        };
        found.or_else(|| {
            let mut names = self
                .extension_order
                .iter()
                .map(|extension| format!("{name}.{extension}"));
            names.find_map(has)
        })
    }

    fn find_folder(&self, folder: &RepoPath) -> Option<RepoPath> {
        if let Some(package) = self.package(folder) {
            let targets = package.targets(".");
            let mut targets = targets.iter();
            let found = targets.find_map(|target| self.find_target(folder, folder, target));
            if found.is_some() {
                return found;
            }
        }
        self.find_file(&folder.join("index")?)
    }

    fn package(&self, folder: &RepoPath) -> Option<&Package> {
        let package = self.specifiers.packages.get(folder)?;
        if let Some(file) = folder.join(PACKAGE) {
            (self.observe)(&file);
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

    /// Finds the target of a package, or else the source that it is compiled from.
    fn find_target(&self, from: &RepoPath, folder: &RepoPath, target: &str) -> Option<RepoPath> {
        let place = join_relative(folder, target)?;
        let index = || self.find_file(&place.join("index")?);
        let found = self.find_file(&place).or_else(index);
        found.or_else(|| self.find_source(from, folder, &place))
    }

    fn find_source(
        &self,
        from: &RepoPath,
        folder: &RepoPath,
        built: &RepoPath,
    ) -> Option<RepoPath> {
        let inside = built.below(folder)?;
        if let Some((config, at)) = self.config_around(from)
            && let Some((out, root)) = config.output_folders(&at)
            && let Some(rest) = built.below(&out)
        {
            let place = join_relative(&root, without_extension(rest))?;
            if let Some(found) = self.find_at(&place) {
                return Some(found);
            }
        }
        let mut rest = without_extension(inside);
        loop {
            let in_src = join_relative(folder, "src").and_then(|src| join_relative(&src, rest));
            let beside = join_relative(folder, rest);
            let places = in_src.into_iter().chain(beside);
            if let Some(found) = places.into_iter().find_map(|place| self.find_file(&place)) {
                return Some(found);
            }
            let (first, after) = rest.split_once('/')?;
            if !BUILT.contains(&first) && !first.starts_with("dist") {
                return None;
            }
            rest = after;
        }
    }

    /// Resolves the specifier of a package of the repository.
    pub(super) fn resolve_package(&self, from: &RepoPath, specifier: &str) -> Option<RepoPath> {
        let (name, rest) = package_name(specifier);
        let folder = self.find_package(from, name)?;
        let package = self.package(folder)?;
        if rest.is_empty() {
            let src = || self.find_file(&join_relative(folder, "src/index")?);
            return self.find_folder(folder).or_else(src);
        }
        let rest = specifier.strip_prefix(name)?.strip_prefix('/')?;
        if !package.has_exports() {
            let found = self.resolve_path(folder, rest);
            return found.or_else(|| self.resolve_path(&folder.join("src")?, rest));
        }
        let targets = package.targets(&format!("./{rest}"));
        let mut targets = targets.iter();
        targets.find_map(|target| self.find_target(from, folder, target))
    }

    /// Finds the folder of the package that a name refers to.
    ///
    /// It is the enclosing package, or a member of the same workspace. Without workspaces it is the
    /// only package of that name, unless it is an external dependency. An external dependency is a
    /// package of another repository, if one of those that are open has it. A name that several
    /// packages share refers to none.
    fn find_package(&self, from: &RepoPath, name: &str) -> Option<&RepoPath> {
        let folders = self.specifiers.named.get(name)?;
        let enclosing = folders.iter().filter(|folder| from.below(folder).is_some());
        if let Some(folder) = enclosing.max_by_key(|folder| folder.as_str().len()) {
            return Some(folder);
        }
        let mut members = folders.iter().filter(|folder| {
            let mut workspaces = self.workspaces(from, folder);
            workspaces.any(|workspace| workspace.contains(folder))
        });
        if let Some(folder) = members.next() {
            return members.next().is_none().then_some(folder);
        }
        let own = self.package_around(from);
        let is_external = own.is_some_and(|(_, package)| package.installs(name));
        let files = &self.specifiers.files;
        let root = files.root_of(from);
        let mut others = folders.iter().filter(|folder| {
            let is_elsewhere = files.root_of(folder) != root;
            (is_elsewhere || !is_external) && self.workspaces(from, folder).next().is_none()
        });
        let folder = others.next()?;
        others.next().is_none().then_some(folder)
    }

    /// Returns the workspaces that cover both a file and a folder.
    fn workspaces<'w>(
        &'w self,
        from: &'w RepoPath,
        folder: &'w RepoPath,
    ) -> impl Iterator<Item = &'w Workspace> {
        let all = self.specifiers.workspaces.iter();
        let enclosing = all.filter(|one| one.covers(from) && one.covers(folder));
        enclosing.inspect(|workspace| (self.observe)(&workspace.manifest))
    }

    /// Resolves a specifier with `#`: a file of the package, or a specifier of another package.
    pub(super) fn resolve_internal(&self, from: &RepoPath, specifier: &str) -> Option<RepoPath> {
        let (folder, package) = self.package_around(from)?;
        let targets = package.internal_targets(specifier);
        let mut targets = targets.iter();
        targets.find_map(|target| {
            if is_relative(target) {
                return self.find_target(from, &folder, target);
            }
            self.resolve_package(from, target)
        })
    }

    /// Resolves a specifier by the nearest configuration.
    pub(super) fn resolve_configured(&self, from: &RepoPath, specifier: &str) -> Option<RepoPath> {
        let (config, at) = self.config_around(from)?;
        let projects = config.references.iter();
        let projects = projects.filter_map(|path| self.config_at(&parent(&at), path));
        let candidates = std::iter::once(at.clone()).chain(projects);
        for at in candidates {
            let base = self.base_url(&at);
            if let Some((declared, paths)) = self.paths(&at, 0) {
                let from = base.as_ref().unwrap_or(&declared);
                let targets = substitute(paths, specifier);
                let mut targets = targets.iter();
                let found = targets.find_map(|target| {
                    let (from, target) = expand_config_dir(&at, from, target);
                    self.resolve_path(&from, target)
                });
                if let Some(found) = found {
                    return Some(found);
                }
            }
            if let Some(base) = base
                && let Some(found) = self.resolve_path(&base, specifier)
            {
                return Some(found);
            }
        }
        None
    }

    /// Reports whether a specifier with `#` is one of the package's own files.
    fn is_internal(&self, from: &RepoPath, specifier: &str) -> bool {
        let package = self
            .package_around(from)
            .filter(|_| specifier.starts_with('#'));
        package.is_some_and(|(_, package)| {
            let targets = package.internal_targets(specifier);
            targets.iter().any(|target| is_relative(target))
        })
    }

    /// Reports whether a specifier can only be an alias that a bundler knows, since no package has
    /// such a name: `@/cart`, `~/cart`, `$lib/cart`, and `#cart` without `imports` in the manifest.
    ///
    /// Source: the names that `validate-npm-package-name` refuses.
    fn is_alias(&self, from: &RepoPath, specifier: &str) -> bool {
        if specifier.starts_with('#') {
            let package = self.package_around(from);
            return package
                .is_none_or(|(_, package)| package.internal_targets(specifier).is_empty());
        }
        specifier.starts_with("@/") || specifier.starts_with(['~', '$'])
    }

    /// Resolves the alias of `SvelteKit` for the library of an application. Without a build, no
    /// configuration has it.
    fn resolve_svelte_library(&self, from: &RepoPath, specifier: &str) -> Option<RepoPath> {
        let rest = specifier.strip_prefix("$lib")?;
        if !rest.is_empty() && !rest.starts_with('/') {
            return None;
        }
        let (folder, _) = self.package_around(from)?;
        self.resolve_path(&folder, &format!("./src/lib{rest}"))
    }

    /// Reports whether the nearest configuration has a pattern for a specifier, other than the one
    /// that fits all.
    fn is_configured(&self, from: &RepoPath, specifier: &str) -> bool {
        let config = self.config_around(from);
        let paths = config.and_then(|(_, at)| self.paths(&at, 0));
        paths.is_some_and(|(_, paths)| {
            let mut patterns = paths.iter().filter(|(pattern, _)| pattern != "*");
            patterns.any(|(pattern, _)| {
                pattern == specifier || match_star(pattern, specifier).is_some()
            })
        })
    }

    fn config_around(&self, file: &RepoPath) -> Option<(&TsConfig, RepoPath)> {
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

    fn config(&self, at: &RepoPath) -> Option<&TsConfig> {
        let config = self.specifiers.configs.get(at)?;
        (self.observe)(at);
        Some(config)
    }

    /// Finds a configuration that another one names: a file with or without extension, a folder, or
    /// a file of a package.
    fn config_at(&self, folder: &RepoPath, path: &str) -> Option<RepoPath> {
        let place = if is_relative(path) {
            join_relative(folder, path)?
        } else {
            let (name, rest) = package_name(path);
            let package = self.find_package(&folder.join(PACKAGE)?, name)?;
            let targets = self.package(package)?.targets(&format!("./{rest}"));
            let exported = targets
                .iter()
                .filter_map(|target| join_relative(package, target));
            let exported = exported
                .into_iter()
                .find(|at| self.specifiers.configs.contains_key(at));
            exported.or_else(|| join_relative(package, rest))?
        };
        let with_extension = parent(&place).join(&format!("{}.json", place.name()));
        let inside = place.join("tsconfig.json");
        let mut places = [Some(place), with_extension, inside].into_iter().flatten();
        places.find(|place| self.specifiers.configs.contains_key(place))
    }

    /// Returns the nearest `paths` in the chain of `extends`, with the folder of their
    /// configuration.
    fn paths(&self, at: &RepoPath, steps: usize) -> Option<(RepoPath, &Paths)> {
        let config = self.config(at).filter(|_| steps < MAX_CONFIGS)?;
        let folder = parent(at);
        if let Some(paths) = &config.paths {
            return Some((folder, paths));
        }
        let mut extended = config.extends.iter();
        extended.find_map(|path| self.paths(&self.config_at(&folder, path)?, steps + 1))
    }

    /// Returns the nearest `baseUrl` in the chain of `extends`. It also applies to inherited
    /// `paths`.
    fn base_url(&self, at: &RepoPath) -> Option<RepoPath> {
        let (declared, base) = self.base_url_text(at, 0)?;
        let (from, base) = expand_config_dir(at, &declared, base);
        join_relative(&from, base)
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

/// Returns the folder to which a path of a configuration is relative, and the rest of the path.
///
/// `${configDir}` is the folder of the extending configuration, even in an inherited path.
fn expand_config_dir<'p>(at: &RepoPath, from: &RepoPath, path: &'p str) -> (RepoPath, &'p str) {
    match path.strip_prefix(CONFIG_DIR) {
        Some("") => (parent(at), "."),
        Some(rest) => (parent(at), rest),
        None => (from.clone(), path),
    }
}

/// Reports whether a specifier names a file that has no definitions.
fn is_asset(specifier: &str) -> bool {
    let extension = specifier.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| ASSETS.contains(&extension))
}

pub(super) fn is_relative(specifier: &str) -> bool {
    let first = specifier.split('/').next();
    matches!(first, Some("." | ".."))
}

pub(super) fn extension_order(from: &RepoPath) -> &'static [&'static str] {
    if is_typed(from) {
        &TYPED_FIRST
    } else {
        &PLAIN_FIRST
    }
}

/// Reports whether a file may be TypeScript.
pub(super) fn is_typed(file: &RepoPath) -> bool {
    let extensions = ["ts", "tsx", "mts", "cts", "vue", "svelte", "astro"];
    file.extension()
        .is_some_and(|extension| extensions.contains(&extension))
}

/// Splits a specifier after the package name: `@a/b` and `c` for `@a/b/c`.
fn package_name(specifier: &str) -> (&str, &str) {
    let scoped = usize::from(specifier.starts_with('@'));
    let end = specifier.match_indices('/').nth(scoped);
    match end.and_then(|(end, _)| specifier.split_at_checked(end)) {
        Some((name, rest)) => (name, rest.trim_start_matches('/')),
        None => (specifier, ""),
    }
}
