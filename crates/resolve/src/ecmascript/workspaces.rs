//! Which packages of a repository others in it import by name: those of a workspace.
//! Sources: `workspaces` of npm and Yarn, `packages` of `pnpm-workspace.yaml` and `lerna.json`.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::json;
use crate::files::parent;
use crate::manifest::Manifest;
use ragnav_base::path::RepoPath;

pub(super) const PNPM: &str = "pnpm-workspace.yaml";
pub(super) const LERNA: &str = "lerna.json";

/// What a manifest says of the packages below it.
#[derive(Debug)]
pub(super) struct Workspace {
    pub(super) manifest: RepoPath,
    globs: Gitignore,
}

impl Workspace {
    /// `None` where the manifest says nothing of workspaces.
    pub(super) fn of(Manifest { path, text }: &Manifest) -> Option<Self> {
        let globs = match path.name() {
            PNPM => pnpm_packages(text),
            LERNA => json::with_object(text, |object| json::texts(object, "packages"))?,
            _ => json::with_object(text, |object| {
                let listed = json::texts(object, "workspaces");
                let inside = object.get_object("workspaces");
                let inside = inside.map(|object| json::texts(object, "packages"));
                [listed, inside.unwrap_or_default()].concat()
            })?,
        };
        if globs.is_empty() {
            return None;
        }
        let mut builder = GitignoreBuilder::new("");
        for glob in globs {
            // A malformed glob fits nothing.
            let _ = builder.add_line(None, &anchored(&glob));
        }
        Some(Self {
            manifest: path.clone(),
            globs: builder.build().ok()?,
        })
    }

    /// Whether a file or folder is where it has a say.
    pub(super) fn is_around(&self, place: &RepoPath) -> bool {
        place.below(&parent(&self.manifest)).is_some()
    }

    /// Whether a folder is one of its packages.
    pub(super) fn has(&self, folder: &RepoPath) -> bool {
        let inside = folder.below(&parent(&self.manifest));
        inside.is_some_and(|inside| self.globs.matched(inside, true).is_ignore())
    }
}

/// A glob from the folder of its manifest on, as gitignore has it.
fn anchored(glob: &str) -> String {
    let (mark, glob) = match glob.strip_prefix('!') {
        Some(glob) => ("!", glob),
        None => ("", glob),
    };
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    format!("{mark}/{}", glob.trim_matches('/'))
}

/// The list below `packages:`, one a line; what is written in another way of YAML is not read.
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
