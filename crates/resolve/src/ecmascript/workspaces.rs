//! Reads which packages of a repository belong to a workspace, so that they import each other.
//!
//! Sources: `workspaces` of npm and Yarn, `packages` of `pnpm-workspace.yaml` and `lerna.json`.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::json;
use crate::files::parent;
use crate::manifest::Manifest;
use ragnav_base::path::RepoPath;

pub(super) const PNPM: &str = "pnpm-workspace.yaml";
pub(super) const LERNA: &str = "lerna.json";

/// The workspace that a manifest declares.
#[derive(Debug)]
pub(super) struct Workspace {
    pub(super) manifest: RepoPath,
    globs: Gitignore,
}

impl Workspace {
    /// Parses a manifest. Returns `None` if it declares no workspace.
    pub(super) fn parse(Manifest { path, text }: &Manifest) -> Option<Self> {
        let globs = match path.name() {
            PNPM => pnpm_packages(text),
            LERNA => json::with_object(text, |object| json::string_list(object, "packages"))?,
            _ => json::with_object(text, |object| {
                let listed = json::string_list(object, "workspaces");
                let inside = object.get_object("workspaces");
                let inside = inside.map(|object| json::string_list(object, "packages"));
                [listed, inside.unwrap_or_default()].concat()
            })?,
        };
        if globs.is_empty() {
            return None;
        }
        let mut builder = GitignoreBuilder::new("");
        for glob in globs {
            // A malformed glob matches nothing.
            let _ = builder.add_line(None, &anchor_glob(&glob));
        }
        Some(Self {
            manifest: path.clone(),
            globs: builder.build().ok()?,
        })
    }

    /// Reports whether a file or folder lies in the folder of the manifest.
    pub(super) fn covers(&self, place: &RepoPath) -> bool {
        place.below(&parent(&self.manifest)).is_some()
    }

    /// Reports whether a folder is a package of the workspace.
    pub(super) fn contains(&self, folder: &RepoPath) -> bool {
        let inside = folder.below(&parent(&self.manifest));
        inside.is_some_and(|inside| self.globs.matched(inside, true).is_ignore())
    }
}

/// Converts a glob to the gitignore syntax, relative to the folder of the manifest.
fn anchor_glob(glob: &str) -> String {
    let (mark, glob) = match glob.strip_prefix('!') {
        Some(glob) => ("!", glob),
        None => ("", glob),
    };
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    format!("{mark}/{}", glob.trim_matches('/'))
}

/// Reads the list under `packages:`, with one item per line. Other YAML notations are not read.
fn pnpm_packages(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim_end);
    let mut lines = lines.filter(|line| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with('#')
    });
    if !lines.any(|line| line == "packages:") {
        return Vec::new();
    }
    let items = lines.map_while(|line| line.trim_start().strip_prefix("- "));
    let items = items.map(|item| {
        let item = item.split(" #").next().unwrap_or(item).trim();
        item.trim_matches(['"', '\'']).to_owned()
    });
    items.collect()
}
