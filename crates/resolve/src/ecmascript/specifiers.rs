//! The context in which specifiers are resolved: files, packages, configurations and workspaces.
//!
//! Sources: module resolution of TypeScript and Node.js. Installed packages are not part of a
//! repository, so their specifiers resolve to nothing. If a package names a compiled file that does
//! not exist, its source counts.

use std::collections::BTreeMap;

use super::config::TsConfig;
use super::package::Package;
use super::workspaces::{LERNA, PNPM, Workspace};
use crate::files::{Files, parent};
use crate::manifest::Manifest;
use ragnav_base::hash::HashMap;
use ragnav_base::path::RepoPath;

pub(super) const PACKAGE: &str = "package.json";

/// The files of a repository and the contents of its manifests.
#[derive(Debug, Default)]
pub(super) struct Specifiers {
    pub(super) files: Files,
    pub(super) packages: BTreeMap<RepoPath, Package>,
    /// The folders of the packages with each name.
    pub(super) named: HashMap<String, Vec<RepoPath>>,
    pub(super) configs: BTreeMap<RepoPath, TsConfig>,
    pub(super) workspaces: Vec<Workspace>,
}

/// A callback for each manifest that a result depends on.
pub(super) type ManifestObserver<'n> = &'n dyn Fn(&RepoPath);

/// Reports whether a file influences how specifiers are resolved.
pub(super) fn is_manifest(path: &RepoPath) -> bool {
    let name = path.name();
    matches!(name, PACKAGE | PNPM | LERNA) || is_config(name)
}

/// The names of shared configurations, besides those that contain `tsconfig`.
///
/// They come from `@tsconfig/bases` and from the templates of monorepos. Configurations with other
/// names are not read.
const BASES: [&str; 8] = [
    "base",
    "library",
    "nextjs",
    "node",
    "react",
    "react-library",
    "recommended",
    "strictest",
];

fn is_config(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".json") else {
        return false;
    };
    BASES.contains(&stem) || stem.contains("tsconfig") || stem.contains("jsconfig")
}

impl Specifiers {
    pub(super) fn new(files: Files, manifests: &[Manifest]) -> Self {
        let mut specifiers = Self {
            files,
            ..Self::default()
        };
        for manifest in manifests {
            let Manifest { path, text } = manifest;
            if matches!(path.name(), PACKAGE | PNPM | LERNA) {
                specifiers.workspaces.extend(Workspace::parse(manifest));
            }
            if matches!(path.name(), PNPM | LERNA) {
                continue;
            }
            if path.name() != PACKAGE {
                specifiers
                    .configs
                    .insert(path.clone(), TsConfig::parse(text));
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
}
