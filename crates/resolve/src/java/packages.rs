//! The packages of a repository, by the folders of files: `src/main/java/a/b/C.java` declares the
//! type `C` of the package `a.b`, whatever folder the sources are in.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::{Files, parent, shared_folders};
use ragnav_base::path::RepoPath;

/// The number of files in a folder up to which all of them are searched for a type that no file is
/// named after.
const MAX_SEARCHED: usize = 64;

/// The package around those of the standard library.
pub(super) const STANDARD: &str = "java";

/// The types of `java.lang` that code mentions,
/// <https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/package-summary.html>.
const JAVA_LANG: [&str; 62] = [
    "AbstractMethodError",
    "Appendable",
    "ArithmeticException",
    "ArrayIndexOutOfBoundsException",
    "ArrayStoreException",
    "AssertionError",
    "AutoCloseable",
    "Boolean",
    "Byte",
    "CharSequence",
    "Character",
    "Class",
    "ClassCastException",
    "ClassLoader",
    "ClassNotFoundException",
    "CloneNotSupportedException",
    "Cloneable",
    "Comparable",
    "Deprecated",
    "Double",
    "Enum",
    "Error",
    "Exception",
    "Float",
    "FunctionalInterface",
    "IllegalAccessException",
    "IllegalArgumentException",
    "IllegalStateException",
    "IndexOutOfBoundsException",
    "InstantiationException",
    "Integer",
    "InterruptedException",
    "Iterable",
    "LinkageError",
    "Long",
    "Math",
    "NoSuchFieldException",
    "NoSuchMethodException",
    "NullPointerException",
    "Number",
    "NumberFormatException",
    "Object",
    "OutOfMemoryError",
    "Override",
    "Process",
    "Readable",
    "Record",
    "Runnable",
    "Runtime",
    "RuntimeException",
    "SafeVarargs",
    "SecurityException",
    "Short",
    "StackTraceElement",
    "String",
    "StringBuffer",
    "StringBuilder",
    "SuppressWarnings",
    "System",
    "Thread",
    "Throwable",
    "UnsupportedOperationException",
];

/// The types without members.
const PRIMITIVES: [&str; 8] = [
    "boolean", "byte", "char", "double", "float", "int", "long", "short",
];

pub(super) fn is_primitive(name: &str) -> bool {
    PRIMITIVES.contains(&name)
}

/// The types that may have no import, beside those of the same package.
pub(super) fn is_of_java_lang(name: &str) -> bool {
    JAVA_LANG.contains(&name)
}

/// The packages of a repository.
#[derive(Debug, Default)]
pub(super) struct Packages {
    /// The files that are named after a type.
    types: BTreeMap<String, Vec<RepoPath>>,
    /// The files of each folder.
    folders: BTreeMap<RepoPath, Vec<RepoPath>>,
    /// The ends of the paths of folders, each of which may be a package, and all their beginnings:
    /// `b`, `a/b` and `a` of `src/a/b`.
    names: BTreeSet<String>,
}

impl Packages {
    pub(super) fn new(files: &Files) -> Self {
        let mut packages = Self::default();
        for file in files.iter() {
            let name = file.name().strip_suffix(".java").unwrap_or_default();
            let types = packages.types.entry(name.to_owned()).or_default();
            types.push(file.clone());
            let folder = parent(file);
            packages
                .folders
                .entry(folder)
                .or_default()
                .push(file.clone());
        }
        for folder in packages.folders.keys() {
            let path = folder.as_str();
            let starts = path.match_indices('/').map(|(slash, _)| slash + 1);
            for start in std::iter::once(0).chain(starts) {
                let end = path.get(start..).unwrap_or_default();
                let ends = end.match_indices('/').map(|(slash, _)| slash);
                for cut in ends.chain([end.len()]) {
                    packages.names.extend(end.get(..cut).map(str::to_owned));
                }
            }
        }
        packages
    }

    /// Reports whether there may be a package of this name, or one that begins with it.
    pub(super) fn has_package(&self, dotted: &str) -> bool {
        !dotted.is_empty() && self.names.contains(&dotted.replace('.', "/"))
    }

    /// Returns the files that are named after a type of a package. If several source folders have
    /// one, those nearest to a file count.
    pub(super) fn files_of_type(
        &self,
        package: &str,
        name: &str,
        from: &RepoPath,
    ) -> Vec<&RepoPath> {
        let own = parent(from);
        let is_in_package = |file: &&RepoPath| match package {
            "" => parent(file) == own,
            package => is_in_folder(file, package),
        };
        let named = self.types.get(name).map_or(&[][..], Vec::as_slice);
        let found: Vec<&RepoPath> = named.iter().filter(is_in_package).collect();
        let shared = |file: &RepoPath| shared_folders(&parent(file), &own);
        let nearest = found.iter().map(|file| shared(file)).max();
        let found = found.into_iter();
        found.filter(|file| Some(shared(file)) == nearest).collect()
    }

    /// Returns the other files in the folder of a file, unless they are too many.
    pub(super) fn other_files(&self, file: &RepoPath) -> Vec<&RepoPath> {
        let files = self.folders.get(&parent(file));
        let files = files.filter(|files| files.len() <= MAX_SEARCHED);
        let files = files.into_iter().flatten();
        files.filter(|other| *other != file).collect()
    }
}

/// Reports whether a file is in the folder of a package, wherever the sources are.
pub(super) fn is_in_folder(file: &RepoPath, package: &str) -> bool {
    let folder = parent(file);
    let root = folder.as_str().strip_suffix(&package.replace('.', "/"));
    root.is_some_and(|root| root.is_empty() || root.ends_with('/') || package.is_empty())
}
