//! The projects of a repository: the folder of each `.csproj` with what it adds to every file.
//!
//! Source: <https://learn.microsoft.com/dotnet/core/project-sdk/msbuild-props#using>.

use crate::files::{Files, parent};
use crate::manifest::Manifest;
use ragnav_base::path::RepoPath;

/// The element that imports a namespace into every file of a project.
const USING: &str = "<Using";

/// The projects of a repository.
#[derive(Debug, Default)]
pub(super) struct Projects {
    /// The folder of each project, with the namespaces that it imports.
    projects: Vec<(RepoPath, Vec<String>)>,
    /// The files whose names say that they import namespaces for their whole project.
    global: Vec<RepoPath>,
}

impl Projects {
    pub(super) fn new(files: &Files, manifests: &[Manifest]) -> Self {
        let manifests = manifests.iter().filter(|one| is_project(&one.path));
        let projects = manifests.map(|one| (parent(&one.path), usings(&one.text)));
        let mut projects: Vec<_> = projects.collect();
        projects.sort();
        let global = files.iter().filter(|file| {
            let name = file.name().to_ascii_lowercase();
            name.contains("usings") || name.contains("imports")
        });
        Self {
            projects,
            global: global.cloned().collect(),
        }
    }

    /// Returns the folder of the project of a file: the nearest folder around it that has one.
    pub(super) fn folder_of(&self, file: &RepoPath) -> Option<&RepoPath> {
        let folders = self.projects.iter().map(|(folder, _)| folder);
        let around = folders.filter(|folder| is_inside(file, folder));
        around.max_by_key(|folder| folder.as_str().len())
    }

    /// Returns the namespaces that the project of a file imports.
    pub(super) fn usings_of(&self, file: &RepoPath) -> impl Iterator<Item = &str> {
        let own = self.folder_of(file);
        let projects = self.projects.iter();
        let projects = projects.filter(move |(folder, _)| Some(folder) == own);
        projects.flat_map(|(_, usings)| usings.iter().map(String::as_str))
    }

    /// Returns the other files of the project of a file that may import namespaces for all of it.
    pub(super) fn global_files(&self, file: &RepoPath) -> impl Iterator<Item = &RepoPath> {
        let own = self.folder_of(file);
        let files = self.global.iter();
        files.filter(move |other| *other != file && self.folder_of(other) == own)
    }
}

/// Reports whether a file declares a project.
pub(super) fn is_project(path: &RepoPath) -> bool {
    path.extension() == Some("csproj")
}

fn is_inside(file: &RepoPath, folder: &RepoPath) -> bool {
    let rest = file.as_str().strip_prefix(folder.as_str());
    *folder == RepoPath::root() || rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Returns the namespaces of the elements `<Using Include="A.B" />` of a project.
fn usings(text: &str) -> Vec<String> {
    let elements = text.split(USING).skip(1);
    let usings = elements.filter_map(|element| {
        let (tag, _) = element.split_once('>')?;
        let is_plain = !tag.contains("Alias") && !tag.contains("Static");
        let (_, value) = tag.split_once("Include=\"").filter(|_| is_plain)?;
        let (name, _) = value.split_once('"')?;
        Some(name.trim().to_owned())
    });
    usings.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_imports_the_namespaces_of_its_elements() {
        for (text, namespaces) in [
            ("<Using Include=\"A.B\" />", vec!["A.B"]),
            (
                "<Using Include=\"A\"/><Using Include=\"B\" Static=\"True\" />",
                vec!["A"],
            ),
            ("<Using Include=\"A", vec![]),
            ("<Using", vec![]),
        ] {
            assert_eq!(usings(text), namespaces, "{text}");
        }
    }
}
