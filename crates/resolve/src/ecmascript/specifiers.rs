//! Which file a specifier means: relative paths, `paths` of configurations, names of the repository's own packages.
//!
//! Sources: module resolution of TypeScript and Node.js. What is installed is no part of a repository and means nothing. Where a package
//! says a built file that is not there, the source that it is built of is meant.

use std::collections::{BTreeMap, HashMap};

use super::config::Config;
use super::package::Package;
use super::workspaces::{LERNA, PNPM, Workspace};
use crate::files::{Files, parent};
use crate::manifest::Manifest;
use ragnav_base::path::RepoPath;

pub(super) const PACKAGE: &str = "package.json";

/// The files of a repository and what is said of their specifiers.
#[derive(Debug, Default)]
pub(super) struct Specifiers {
    pub(super) files: Files,
    pub(super) packages: BTreeMap<RepoPath, Package>,
    /// The folders of the packages of a name.
    pub(super) named: HashMap<String, Vec<RepoPath>>,
    pub(super) configs: BTreeMap<RepoPath, Config>,
    pub(super) workspaces: Vec<Workspace>,
}

/// Told of each manifest that an answer rests on.
pub(super) type Note<'n> = &'n dyn Fn(&RepoPath);

/// Whether a file says how specifiers are meant.
pub(super) fn is_manifest(path: &RepoPath) -> bool {
    let name = path.name();
    matches!(name, PACKAGE | PNPM | LERNA) || is_config(name)
}

/// What shared configurations are called that others extend, beside names that hold `tsconfig`: the names of `@tsconfig/bases` and of
/// the packages that monorepo starters make. One of another name is not read.
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
                specifiers.workspaces.extend(Workspace::of(manifest));
            }
            if matches!(path.name(), PNPM | LERNA) {
                continue;
            }
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
}
