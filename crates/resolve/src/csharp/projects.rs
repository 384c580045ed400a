//! The projects of a repository: the folder of each `.csproj`, and the directives that `MSBuild`
//! files and global `using` directives add to every file of it.
//!
//! Source: <https://learn.microsoft.com/dotnet/core/project-sdk/msbuild-props#using>.

use crate::files::{Files, parent};
use crate::manifest::Manifest;
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;

/// The element that imports a namespace into every file of a project.
const USING: &str = "<Using";

/// A type that a directive names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct UsedType {
    /// The dotted name.
    pub(super) name: String,
    /// The level of the directive; `None` in an `MSBuild` file.
    pub(super) level: Option<u32>,
}

impl UsedType {
    fn of_project(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            level: None,
        }
    }
}

/// What an `MSBuild` file, or a `global using` of code, adds to every file of a project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Using {
    /// The types of a namespace are known by their names.
    Namespace(String),
    /// The static members of a type are known by their names.
    Static(UsedType),
    /// A type has another name.
    Alias {
        /// The other name.
        name: String,
        /// The full name of the type.
        target: UsedType,
    },
}

/// A folder, and what an `MSBuild` file adds to every source file below it.
type UsingsOf = (RepoPath, Vec<Using>);

/// The projects of a repository.
#[derive(Debug, Default)]
pub(super) struct Projects {
    /// The folder of each project, with what it adds to every file.
    usings: Vec<UsingsOf>,
    /// The folder of each file that `MSBuild` imports by itself, with what it adds.
    imported: Vec<UsingsOf>,
    /// What other files add to projects that import them. Which these are is not known.
    others: Vec<Using>,
    /// The files whose names say that they import namespaces for their whole project.
    global: Vec<RepoPath>,
}

impl Projects {
    pub(super) fn new(files: &Files, manifests: &[Manifest]) -> Self {
        let (mut projects, mut imported, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for one in manifests.iter().filter(|one| is_msbuild(&one.path)) {
            let usings = usings(&one.text);
            if is_project(&one.path) {
                projects.push((parent(&one.path), usings));
            } else if is_imported_by_itself(&one.path) {
                imported.push((parent(&one.path), usings));
            } else {
                others.extend(usings);
            }
        }
        projects.small_sort();
        imported.small_sort();
        let global = files.iter().filter(|file| {
            let name = file.name().to_ascii_lowercase();
            ["usings", "imports", "global"]
                .iter()
                .any(|word| name.contains(word))
        });
        Self {
            usings: projects,
            imported,
            others,
            global: global.cloned().collect(),
        }
    }

    /// Returns the folder of the project of a file: the nearest folder around it that has one.
    pub(super) fn folder_of(&self, file: &RepoPath) -> Option<&RepoPath> {
        let folders = self.usings.iter().map(|(folder, _)| folder);
        let around = folders.filter(|folder| is_inside(file, folder));
        around.max_by_key(|folder| folder.as_str().len())
    }

    /// Returns what the project of a file adds to it.
    pub(super) fn usings_of(&self, file: &RepoPath) -> impl Iterator<Item = &Using> {
        let own = self.folder_of(file);
        let projects = self.usings.iter();
        let projects = projects.filter(move |(folder, _)| Some(folder) == own);
        projects.flat_map(|(_, usings)| usings)
    }

    /// Returns what the files that `MSBuild` imports by itself add to a source file.
    pub(super) fn imported_usings_of(&self, file: &RepoPath) -> impl Iterator<Item = &Using> {
        let imported = self.imported.iter();
        let imported = imported.filter(move |(folder, _)| is_inside(file, folder));
        imported.flat_map(|(_, usings)| usings)
    }

    /// Returns what the files add that some projects import.
    pub(super) fn possible_usings(&self) -> &[Using] {
        &self.others
    }

    /// Returns the other files of the project of a file that may import namespaces for all of it.
    pub(super) fn global_files(&self, file: &RepoPath) -> impl Iterator<Item = &RepoPath> {
        let own = self.folder_of(file);
        let files = self.global.iter();
        files.filter(move |other| *other != file && self.folder_of(other) == own)
    }
}

/// Reports whether `MSBuild` reads a file: a project, or what projects import.
pub(super) fn is_msbuild(path: &RepoPath) -> bool {
    is_project(path) || matches!(path.extension(), Some("props" | "targets" | "projitems"))
}

fn is_project(path: &RepoPath) -> bool {
    path.extension() == Some("csproj")
}

/// Reports whether `MSBuild` imports a file into the projects in its folder and below.
fn is_imported_by_itself(path: &RepoPath) -> bool {
    let name = path.name().to_ascii_lowercase();
    matches!(
        name.as_str(),
        "directory.build.props" | "directory.build.targets"
    )
}

fn is_inside(file: &RepoPath, folder: &RepoPath) -> bool {
    let rest = file.as_str().strip_prefix(folder.as_str());
    *folder == RepoPath::root() || rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Returns what the elements `<Using Include="A.B" />` of an `MSBuild` file add.
fn usings(text: &str) -> Vec<Using> {
    let text = without_comments(text);
    let elements = text.split(USING).skip(1);
    let elements = elements.filter(|rest| rest.starts_with(char::is_whitespace));
    elements.flat_map(usings_of_element).collect()
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.split_once("-->").map_or("", |(_, after)| after));
    }
    kept
}

/// Returns what a `<Using>` element adds. The text begins after the name of the element.
fn usings_of_element(element: &str) -> Vec<Using> {
    let Some((tag, rest)) = element.split_once('>') else {
        return Vec::new();
    };
    let is_empty = tag.trim_end().ends_with('/');
    let inside = rest.split_once("</Using").filter(|_| !is_empty);
    let inside = inside.map_or("", |(inside, _)| inside);
    let metadata = |name| attribute(tag, name).or_else(|| child(inside, name));
    let is_static = metadata("Static").is_some_and(|one| one.eq_ignore_ascii_case("true"));
    let alias = metadata("Alias");
    let names = attribute(tag, "Include").unwrap_or_default().split(';');
    let names = names.map(str::trim).filter(|name| !name.is_empty());
    let using = names.map(|name| match alias {
        Some(alias) => Using::Alias {
            name: alias.to_owned(),
            target: UsedType::of_project(name),
        },
        None if is_static => Using::Static(UsedType::of_project(name)),
        None => Using::Namespace(name.to_owned()),
    });
    using.collect()
}

/// Returns the text of a child element.
fn child<'t>(inside: &'t str, name: &str) -> Option<&'t str> {
    let (_, after) = inside.split_once(&format!("<{name}>"))?;
    Some(after.split_once('<')?.0.trim())
}

/// Returns the value of an attribute of a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let mut values = tag.match_indices(name).filter_map(|(at, _)| {
        let is_whole = tag
            .get(..at)?
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace);
        let value = tag.get(at + name.len()..)?.trim_start().strip_prefix('=')?;
        let value = value.trim_start();
        let quote = value
            .chars()
            .next()
            .filter(|one| is_whole && matches!(one, '"' | '\''))?;
        Some(value.strip_prefix(quote)?.split_once(quote)?.0)
    });
    values.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_msbuild_file_adds_what_its_elements_say() {
        let namespace = |name: &str| Using::Namespace(name.to_owned());
        let of_members = |name: &str| Using::Static(UsedType::of_project(name));
        let alias = Using::Alias {
            name: "C".to_owned(),
            target: UsedType::of_project("A.B"),
        };
        for (text, expected) in [
            ("<Using Include=\"A.B\" />", vec![namespace("A.B")]),
            (
                "<Using Include=\"A\"/><Using Static='True' Include='B' />",
                vec![namespace("A"), of_members("B")],
            ),
            (
                "<Using Include=\"A; B;\" />",
                vec![namespace("A"), namespace("B")],
            ),
            ("<Using Include=\"A.B\" Alias=\"C\" />", vec![alias.clone()]),
            ("<Using\n  Include=\"A\" />", vec![namespace("A")]),
            (
                "<Using Include=\"A.B\"><Alias>C</Alias></Using>",
                vec![alias.clone()],
            ),
            (
                "<Using Include=\"A\">\n<Static> true </Static></Using>",
                vec![of_members("A")],
            ),
            ("<!-- <Using Include=\"A\" /> -->", vec![]),
            ("<!-- <Using Include=\"A\" />", vec![]),
            ("<Using Remove=\"A\" />", vec![]),
            ("<UsingTask Include=\"A\" />", vec![]),
            ("<Using Include=\"A", vec![]),
            ("<Using Include=\"A>", vec![]),
            ("<Using", vec![]),
        ] {
            assert_eq!(usings(text), expected, "{text}");
        }
    }
}
