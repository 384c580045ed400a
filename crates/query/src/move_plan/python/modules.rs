//! The names of modules of Python by the paths of their files.

use std::collections::BTreeSet;

use ragnav_base::path::RepoPath;

/// The words that no module can have in its name, since statements could not import it.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// How an import names a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Relative,
    Absolute,
}

/// Where the modules of a repository begin.
pub(super) struct Modules {
    /// The folders with an `__init__.py`.
    packages: BTreeSet<Vec<String>>,
    /// The folder in which the full names of modules begin.
    root: Vec<String>,
}

impl Modules {
    /// `examples` are files with their full names.
    pub(super) fn new(
        files: &[RepoPath],
        source: &RepoPath,
        examples: &[(RepoPath, String)],
    ) -> Self {
        let packages = files.iter().filter(|file| file.name() == "__init__.py");
        let packages = packages.map(folder_of).collect();
        let mut modules = Self {
            packages,
            root: Vec::new(),
        };
        let by_example = examples.iter().find_map(|(file, name)| {
            let parts = Self::parts_of(file);
            let segments: Vec<&str> = name.split('.').collect();
            let at = parts.len().checked_sub(segments.len())?;
            let end = parts.get(at..)?.iter().map(String::as_str);
            let root = parts.get(..at)?;
            // The source has a full name, too.
            let is_around = Self::parts_of(source).starts_with(root);
            // In a package, `import types` means the library, though a file there has the name.
            let is_around = is_around && !modules.packages.contains(root);
            (is_around && end.eq(segments)).then(|| root.to_vec())
        });
        modules.root = by_example.unwrap_or_else(|| modules.root_of(source));
        modules
    }

    /// Returns the folder around the outermost package that contains a file.
    fn root_of(&self, file: &RepoPath) -> Vec<String> {
        let mut folder = folder_of(file);
        while !folder.is_empty() && self.packages.contains(&folder) {
            folder.pop();
        }
        folder
    }

    /// Returns the segments of a module from the root of the repository: `["src", "shop"]` for
    /// `src/shop.py` and for `src/shop/__init__.py`.
    pub(super) fn parts_of(file: &RepoPath) -> Vec<String> {
        let mut parts = folder_of(file);
        let stem = file
            .name()
            .rsplit_once('.')
            .map_or(file.name(), |(stem, _)| stem);
        if stem != "__init__" {
            parts.push(stem.to_owned());
        }
        parts
    }

    /// Returns the segments of the module that a relative import names.
    pub(super) fn parts_of_relative(from: &RepoPath, level: u32, module: &str) -> Vec<String> {
        let mut parts = folder_of(from);
        for _ in 1..level {
            parts.pop();
        }
        parts.extend(
            module
                .split('.')
                .filter(|one| !one.is_empty())
                .map(str::to_owned),
        );
        parts
    }

    /// Returns the full name of a module; one outside of the root keeps its path.
    pub(super) fn full_name_of(&self, parts: &[String]) -> String {
        match parts.strip_prefix(self.root.as_slice()) {
            Some(inside) => inside.join("."),
            None => parts.join("/"),
        }
    }

    /// Returns how a file names a module.
    pub(super) fn specifier(
        &self,
        from: &RepoPath,
        parts: &[String],
        style: Style,
    ) -> Option<String> {
        match style {
            Style::Relative => self.relative(from, parts).or_else(|| self.absolute(parts)),
            Style::Absolute => self.absolute(parts).or_else(|| self.relative(from, parts)),
        }
    }

    fn absolute(&self, parts: &[String]) -> Option<String> {
        let inside = parts.strip_prefix(self.root.as_slice())?;
        (!inside.is_empty()).then(|| inside.join("."))
    }

    fn relative(&self, from: &RepoPath, parts: &[String]) -> Option<String> {
        let folder = folder_of(from);
        let common = folder
            .iter()
            .zip(parts)
            .take_while(|(one, other)| one == other)
            .count();
        // A relative import cannot leave the package that is in the root.
        if common <= self.root.len() || !folder.starts_with(&self.root) {
            return None;
        }
        let dots = ".".repeat(folder.len() - common + 1);
        Some(format!("{dots}{}", parts.get(common..)?.join(".")))
    }

    /// Returns why files cannot import a file.
    pub(super) fn problem_of(&self, target: &RepoPath) -> Option<String> {
        let parts = Self::parts_of(target);
        let Some(inside) = parts.strip_prefix(self.root.as_slice()) else {
            return Some(format!(
                "{target} is outside of the folder whose files the source imports"
            ));
        };
        let wrong = inside.iter().find(|part| !is_identifier(part));
        wrong.map(|part| format!("`{part}` in the path of {target} cannot be imported"))
    }

    /// Returns the packages that run when a file imports a module, and that do not run before it.
    pub(super) fn packages_between(&self, from: &RepoPath, to: &RepoPath) -> Vec<RepoPath> {
        let around = folder_of(from);
        let folder = folder_of(to);
        let inner = (1..=folder.len()).filter_map(|len| folder.get(..len));
        let inner = inner.filter(|one| self.packages.contains(*one) && !around.starts_with(one));
        let files = inner.map(|one| format!("{}/__init__.py", one.join("/")));
        files
            .filter_map(|file| RepoPath::parse(&file).ok())
            .collect()
    }
}

fn folder_of(file: &RepoPath) -> Vec<String> {
    let parent = file.parent().unwrap_or_else(RepoPath::root);
    let parts = parent
        .as_str()
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".");
    parts.map(str::to_owned).collect()
}

fn is_identifier(text: &str) -> bool {
    let mut letters = text.chars();
    let starts = letters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_');
    starts
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&text)
}
