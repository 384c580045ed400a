//! What a file is for, as its path tells: a ranked answer prefers the code itself.

use ragnav_base::hash::HashSet;

use ragnav_base::path::RepoPath;

use crate::identifiers;
use crate::vendored::is_vendored;

/// What a file is for, beside the code itself.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::file_role::FileRole;
///
/// let is_test = |path: &str| FileRole::Test.has(&RepoPath::parse(path).unwrap());
/// assert!(is_test("src/cart.test.ts") && is_test("tests/cart.py"));
/// assert!(!is_test("src/cart.ts"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRole {
    /// Tests, and what they need.
    Test,
    /// Examples, demonstrations and benchmarks.
    Example,
    /// Texts for readers.
    Documentation,
    /// Code of another project, of an older version, or that a tool made.
    Legacy,
    /// The types of code that is elsewhere.
    TypeStub,
    /// Settings, the files of build tools, and other data.
    Data,
}

/// All roles.
const ROLES: [FileRole; 6] = [
    FileRole::Test,
    FileRole::Example,
    FileRole::Documentation,
    FileRole::Legacy,
    FileRole::TypeStub,
    FileRole::Data,
];

impl FileRole {
    /// The factor of the scores in files with this role. Tests repeat the words of what they test,
    /// and documents those of what they describe.
    const fn factor(self) -> f64 {
        match self {
            Self::Test => 0.25,
            Self::Documentation => 0.4,
            Self::Example | Self::Legacy | Self::TypeStub | Self::Data => 0.5,
        }
    }

    /// The words of a question that asks for files with this role.
    const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Test => &[
                "test", "tests", "testing", "tested", "spec", "specs", "fixture", "fixtures",
                "mock", "mocks",
            ],
            Self::Example => &[
                "example",
                "examples",
                "sample",
                "samples",
                "demo",
                "demos",
                "benchmark",
                "benchmarks",
                "tutorial",
                "tutorials",
            ],
            Self::Documentation => &[
                "doc",
                "docs",
                "documentation",
                "documented",
                "changelog",
                "readme",
                "guide",
                "tutorial",
                "tutorials",
            ],
            Self::Legacy => &[
                "legacy",
                "deprecated",
                "compat",
                "compatible",
                "compatibility",
                "vendor",
                "vendored",
                "generated",
                "minified",
                "older",
            ],
            Self::TypeStub => &["type", "types", "typing", "stub", "stubs"],
            Self::Data => &[
                "yaml",
                "toml",
                "lockfile",
                "manifest",
                "workflow",
                "workflows",
            ],
        }
    }

    /// Reports whether a file has this role; it may have several.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::file_role::FileRole;
    ///
    /// let path = RepoPath::parse("tests/README").unwrap();
    /// assert!(FileRole::Test.has(&path) && FileRole::Documentation.has(&path));
    /// ```
    #[must_use]
    pub fn has(self, path: &RepoPath) -> bool {
        self.is_of(path, &path.as_str().to_lowercase())
    }

    /// Reports whether a file has this role. `lower` is its path in lower case.
    fn is_of(self, path: &RepoPath, lower: &str) -> bool {
        let (folders, name) = lower.rsplit_once('/').unwrap_or(("", lower));
        let mut folders = folders.split('/');
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        match self {
            Self::Test => folders.any(is_test_folder) || is_test_name(path.name(), stem),
            Self::Example => folders.any(|folder| {
                matches!(
                    folder.trim_start_matches('_'),
                    "example"
                        | "examples"
                        | "sample"
                        | "samples"
                        | "demo"
                        | "demos"
                        | "benchmark"
                        | "benchmarks"
                        | "bench"
                        | "benches"
                        | "perf"
                        | "playground"
                        | "tutorial"
                        | "tutorials"
                        | "www"
                        | "website"
                        | "docs_src"
                )
            }),
            Self::Documentation => {
                let is_prose = matches!(
                    extension,
                    "md" | "markdown"
                        | "mdx"
                        | "rst"
                        | "rest"
                        | "txt"
                        | "adoc"
                        | "asciidoc"
                        | "html"
                );
                is_prose || folders.any(is_documentation_folder) || is_about_project(path)
            }
            Self::Legacy => {
                let is_old = |folder: &str| {
                    matches!(
                        folder.trim_start_matches('_'),
                        "legacy" | "compat" | "node_modules" | "dist" | "generated" | "deps"
                    )
                };
                folders.any(is_old)
                    || stem.trim_start_matches('_') == "compat"
                    || lower.contains("deprecated")
                    || is_vendored(path)
            }
            Self::TypeStub => {
                extension == "pyi" || name.contains(".d.") && extension.ends_with("ts")
            }
            Self::Data => {
                folders.any(|folder| folder.starts_with('.'))
                    || name.starts_with('.')
                    || is_text_for_tools(stem, extension)
                    || matches!(
                        extension,
                        "ac" | "am"
                            | "cfg"
                            | "cmake"
                            | "csv"
                            | "gradle"
                            | "in"
                            | "ini"
                            | "json"
                            | "lock"
                            | "m4"
                            | "mk"
                            | "mod"
                            | "plist"
                            | "properties"
                            | "props"
                            | "sln"
                            | "snap"
                            | "sum"
                            | "svg"
                            | "toml"
                            | "vcxproj"
                            | "xml"
                            | "yaml"
                            | "yml"
                    )
            }
        }
    }
}

/// Reports whether text at a path describes the project, whatever its format is: it is in a folder
/// for documentation, or has a name that projects give to such a file.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::file_role::describes_project;
///
/// let describes = |path| describes_project(&RepoPath::parse(path).unwrap());
/// assert!(describes("docs/ref/models.txt") && describes("CHANGES"));
/// assert!(!describes("data/words.txt") && !describes("src/history.ts"));
/// ```
#[must_use]
pub fn describes_project(path: &RepoPath) -> bool {
    let lower = path.as_str().to_lowercase();
    let (folders, _) = lower.rsplit_once('/').unwrap_or_default();
    folders.split('/').any(is_documentation_folder) || is_about_project(path)
}

fn is_documentation_folder(folder: &str) -> bool {
    matches!(
        folder,
        "doc" | "docs" | "documentation" | "guide" | "manual" | "website" | "blog"
    )
}

/// Reports whether a file has a name that projects give to a text about themselves: `README`,
/// `CHANGES`, with any extension.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::file_role::is_about_project;
///
/// let is_about_project = |path: &str| is_about_project(&RepoPath::parse(path).unwrap());
/// assert!(is_about_project("README.md") && is_about_project("docs/CHANGES.rst"));
/// assert!(!is_about_project("src/history.ts"));
/// ```
#[must_use]
pub fn is_about_project(path: &RepoPath) -> bool {
    let name = path.name();
    let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
    let is_capital = stem.starts_with(char::is_uppercase);
    let is_all_capital = !stem.contains(char::is_lowercase);
    let is_text = extension.eq_ignore_ascii_case("txt");
    match stem.to_lowercase().as_str() {
        "readme" => true,
        "changelog" if extension.is_empty() => true,
        // Code is named `history.ts` or `History.java` too, and a script `install`.
        "changelog" | "changes" | "history" | "news" | "contributing" | "install" => {
            is_text || is_all_capital || is_capital && extension.is_empty()
        }
        _ => false,
    }
}

/// Reports whether plain text is written for a tool: `requirements-dev.txt`, `robots.txt`.
fn is_text_for_tools(stem: &str, extension: &str) -> bool {
    let is_for_tools = ["requirements", "constraints", "cmakelists", "robots"];
    extension == "txt" && is_for_tools.iter().any(|start| stem.starts_with(start))
}

fn is_test_folder(folder: &str) -> bool {
    matches!(
        folder,
        "test"
            | "tests"
            | "__tests__"
            | "testing"
            | "testdata"
            | "spec"
            | "specs"
            | "e2e"
            | "unit"
            | "fixture"
            | "fixtures"
    ) || folder.starts_with("test-")
        || folder.starts_with("tests-")
}

/// Reports whether a file is a test, by its name and by the lower-case name without its extension.
fn is_test_name(name: &str, stem: &str) -> bool {
    let is_class = |end| {
        let written = name.rsplit_once('.').map_or(name, |(written, _)| written);
        written.ends_with(end)
    };
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_spec")
        || stem == "conftest"
        || [".test", ".spec", ".test-d"]
            .iter()
            .any(|end| stem.ends_with(end))
        || ["Test", "Tests", "TestCase"].into_iter().any(is_class)
}

/// The words of the longest question that can ask for files with a role.
const MAX_WORDS: usize = 24;

/// The factors of scores, for one question about one repository.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_matching::file_role::RoleFactors;
///
/// let test = RepoPath::parse("tests/test_cache.py").unwrap();
/// let factor = |question: &str| RoleFactors::new(question, [&test].into_iter()).of(&test);
/// assert_eq!(factor("where is the cache"), 0.25);
/// assert_eq!(factor("tests of the cache"), 1.0);
/// ```
#[derive(Debug)]
pub struct RoleFactors<'p> {
    wanted: Vec<FileRole>,
    /// The files in folders of an older version.
    older: HashSet<&'p RepoPath>,
}

impl<'p> RoleFactors<'p> {
    /// Finds what a question asks for, and the older versions among the files of a repository.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::file_role::RoleFactors;
    ///
    /// let paths = ["v1/users.py", "v2/users.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let factors = RoleFactors::new("list users", paths.iter());
    /// assert!(factors.of(&paths[0]) < factors.of(&paths[1]));
    /// ```
    #[must_use]
    pub fn new(question: &str, files: impl Iterator<Item = &'p RepoPath>) -> Self {
        // A long text mentions tests and examples by the way.
        let question = if question.split_whitespace().count() > MAX_WORDS {
            ""
        } else {
            question
        };
        let words: Vec<String> = identifiers::words(question)
            .filter_map(|at| question.get(at))
            .map(str::to_lowercase)
            .collect();
        let is_named = |role: &FileRole| {
            let named = role.words();
            words.iter().any(|word| named.contains(&word.as_str()))
        };
        let mut wanted: Vec<FileRole> = ROLES.into_iter().filter(is_named).collect();
        // Who asks for a version gets it.
        let names_version = words.iter().any(|word| version_of(word).is_some());
        let older = if names_version {
            wanted.push(FileRole::Legacy);
            HashSet::default()
        } else {
            older_versions(files)
        };
        Self { wanted, older }
    }

    /// Returns the factor of the scores in a file: below 1 for each role that the question does not
    /// ask for.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_matching::file_role::RoleFactors;
    ///
    /// let paths = ["src/cache.py", "tests/test_cache.py"].map(|path| RepoPath::parse(path).unwrap());
    /// let factors = RoleFactors::new("where is the cache", paths.iter());
    /// assert!(factors.of(&paths[0]) > factors.of(&paths[1]));
    /// let factors = RoleFactors::new("tests of the cache", paths.iter());
    /// assert_eq!(factors.of(&paths[0]), factors.of(&paths[1]));
    /// ```
    #[must_use]
    pub fn of(&self, path: &RepoPath) -> f64 {
        let lower = path.as_str().to_lowercase();
        let unwanted = ROLES.into_iter().filter(|role| {
            let is_older = *role == FileRole::Legacy && self.older.contains(path);
            !self.wanted.contains(role) && (is_older || role.is_of(path, &lower))
        });
        unwanted.map(FileRole::factor).product()
    }
}

/// Returns the files in a folder such as `v1` that stand in one such as `v2` beside it too, or
/// without any such folder.
fn older_versions<'p>(files: impl Iterator<Item = &'p RepoPath>) -> HashSet<&'p RepoPath> {
    let files: Vec<&RepoPath> = files.collect();
    let is_versioned = |path: &&&RepoPath| {
        path.as_str()
            .split('/')
            .any(|part| version_of(part).is_some())
    };
    if !files.iter().any(|path| is_versioned(&path)) {
        return HashSet::default();
    }
    let paths: HashSet<&str> = files.iter().map(|path| path.as_str()).collect();
    let mut versions: HashSet<(&str, u32)> = HashSet::default();
    for path in &files {
        versions.extend(versioned_folders(path).map(|folder| (folder.around, folder.version)));
    }
    let is_older = |path: &&RepoPath| {
        versioned_folders(path).any(|folder| {
            let has_newer = (folder.version + 1..=folder.version + MAX_VERSIONS)
                .any(|newer| versions.contains(&(folder.around, newer)));
            let current = format!("{}{}", folder.around, folder.rest);
            has_newer || paths.contains(current.as_str())
        })
    };
    files.into_iter().filter(is_older).collect()
}

/// The number of versions after one that are looked for.
const MAX_VERSIONS: u32 = 5;

/// A folder such as `v1` on the way to a file.
struct VersionedFolder<'p> {
    /// The path of the folder around it, with its slash.
    around: &'p str,
    version: u32,
    /// The path of the file from the versioned folder.
    rest: &'p str,
}

fn versioned_folders(path: &RepoPath) -> impl Iterator<Item = VersionedFolder<'_>> {
    let path = path.as_str();
    let mut start = 0;
    path.match_indices('/').filter_map(move |(end, _)| {
        let at = std::mem::replace(&mut start, end + 1);
        Some(VersionedFolder {
            around: path.get(..at)?,
            version: version_of(path.get(at..end)?)?,
            rest: path.get(end + 1..)?,
        })
    })
}

/// Returns the number of a version such as `v2`.
fn version_of(folder: &str) -> Option<u32> {
    let number = folder.strip_prefix(['v', 'V'])?;
    let is_number = number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &str) -> RepoPath {
        RepoPath::parse(path).unwrap_or(RepoPath::root())
    }

    #[test]
    fn paths_tell_the_role() {
        for (role, text) in [
            (FileRole::Test, "tests/test_cache.py"),
            (FileRole::Test, "src/test/java/A.java"),
            (FileRole::Test, "cache_test.go"),
            (FileRole::Test, "src/cache.test.ts"),
            (FileRole::Test, "core/CacheTest.java"),
            (FileRole::Test, "spec/cache_spec.rb"),
            (FileRole::Example, "_examples/rest/main.go"),
            (FileRole::Documentation, "docs/cache.html"),
            (FileRole::Documentation, "CHANGELOG"),
            (FileRole::Documentation, "debian/changelog"),
            (FileRole::Documentation, "README.org"),
            (FileRole::Documentation, "HISTORY.textile"),
            (FileRole::Documentation, "guide/start.adoc"),
            (FileRole::Legacy, "vendor/a/b.go"),
            (FileRole::Legacy, "src/_compat.py"),
            (FileRole::TypeStub, "types/index.d.mts"),
            (FileRole::TypeStub, "a/b.pyi"),
            (FileRole::Data, ".github/workflows/ci.yml"),
            (FileRole::Data, "package.json"),
            (FileRole::Data, "docs/requirements-dev.txt"),
        ] {
            assert!(
                role.is_of(&path(text), &text.to_lowercase()),
                "{role:?} {text}"
            );
        }
    }

    #[test]
    fn code_has_no_role() {
        let factors = RoleFactors::new("how does it work", [].into_iter());
        for text in [
            "src/latest.py",
            "lib/contest.rb",
            "src/Protest.java",
            "a/specify.ts",
            "src/history.ts",
            "src/History.java",
            "bin/install",
            "install.sh",
            "v8.c",
        ] {
            let factor = factors.of(&path(text));
            assert!((factor - 1.0).abs() < f64::EPSILON, "{text}");
        }
    }

    #[test]
    fn older_versions_come_after_newer_ones() {
        let paths = [
            "a/v1/x.ts",
            "a/v2/x.ts",
            "b/x.py",
            "b/v1/x.py",
            "c/v1/only.go",
        ]
        .map(path);
        let factors = RoleFactors::new("x", paths.iter());
        let is_lower = paths.each_ref().map(|path| factors.of(path) < 1.0);
        assert_eq!(is_lower, [true, false, false, true, false]);
        let factors = RoleFactors::new("x of v1", paths.iter());
        assert!(paths.iter().all(|path| factors.of(path) >= 1.0));
    }
}
