//! The families of languages in this build.
//!
//! Files of one family can import each other. To add a family, implement
//! [`LanguageResolver`](crate::resolver::LanguageResolver) and add a row to [`families`].

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::computed_names::ComputedNames;
use crate::files::Files;
use crate::manifest::Manifest;
use crate::resolver::FamilyLanguages::{Named, Plugins};
use crate::resolver::{LanguageFamily, LanguageResolvers};
use ragnav_base::hash::HashMap;
use ragnav_base::path::RepoPath;
use ragnav_syntax::Language;

impl LanguageResolvers {
    /// Creates the resolver of each family for the files and manifests of a repository. If it is
    /// made of several, `roots` are their folders.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_resolve::{LanguageResolvers, Manifest};
    ///
    /// let files = [RepoPath::parse("src/a.ts").unwrap()];
    /// let package = Manifest {
    ///     path: RepoPath::parse("package.json").unwrap(),
    ///     text: r#"{"name": "shop", "main": "src/a.ts"}"#.to_owned(),
    /// };
    /// let resolvers = LanguageResolvers::new(&[&files[0]], &[package], &[]);
    /// # let _ = resolvers;
    /// ```
    #[must_use]
    pub fn new(files: &[&RepoPath], manifests: &[Manifest], roots: &[RepoPath]) -> Self {
        let mut by_family: HashMap<usize, Vec<RepoPath>> = HashMap::default();
        for path in files {
            if let Some(family) = family_index(path) {
                by_family.entry(family).or_default().push((*path).clone());
            }
        }
        let language_resolvers = families().enumerate().map(|(at, family)| {
            let own = by_family.remove(&at).unwrap_or_default();
            let own = Files::new(own.into_iter(), roots);
            (family, (family.create_resolver)(own, manifests))
        });
        Self(language_resolvers.collect())
    }
}

fn families() -> impl Iterator<Item = &'static LanguageFamily> {
    [
        &const { crate::by_name::family(Named(&["bash"])) },
        &crate::cpp::FAMILY,
        &crate::csharp::FAMILY,
        &const { crate::by_name::family(Named(&["dart"])) },
        &crate::ecmascript::FAMILY,
        &const { crate::by_name::family(Named(&["elixir"])) },
        &crate::go::FAMILY,
        &crate::java::FAMILY,
        &const { crate::by_name::family(Named(&["kotlin"])) },
        &const { crate::by_name::family(Named(&["lua"])) },
        &crate::php::FAMILY,
        &crate::python::FAMILY,
        &crate::ruby::FAMILY,
        &crate::rust::FAMILY,
        &const { crate::by_name::family(Named(&["scala"])) },
        &const { crate::by_name::family(Named(&["swift"])) },
        &const { crate::by_name::family(Named(&["zig"])) },
        &const { crate::by_name::family(Plugins) },
    ]
    .into_iter()
}

/// Returns the index of a file's family in [`families`].
fn family_index(path: &RepoPath) -> Option<usize> {
    let language = ragnav_syntax::detect_language(path)?;
    if language.is_plugin() {
        return index_of(language);
    }
    OWN_FAMILIES.get(language.name).copied()
}

/// The indices of the families of the languages of this build, by the names of the languages.
/// Queries ask for that of each file many times.
static OWN_FAMILIES: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    let languages = ragnav_syntax::languages().into_iter();
    let own = languages.filter(|language| !language.is_plugin());
    own.filter_map(|language| Some((language.name, index_of(language)?)))
        .collect()
});

fn index_of(language: &Language) -> Option<usize> {
    families().position(|family| family.languages.include(language))
}

/// Reports whether references in a file can be resolved.
///
/// # Examples
///
/// ```
/// # fn main() -> Result<(), ragnav_base::error::RagnavError> {
/// use ragnav_base::path::RepoPath;
///
/// assert!(ragnav_resolve::is_resolvable(&RepoPath::parse("app.py")?));
/// assert!(!ragnav_resolve::is_resolvable(&RepoPath::parse("notes.txt")?));
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn is_resolvable(path: &RepoPath) -> bool {
    family_index(path).is_some()
}

/// Reports whether names in a file are matched by their text alone, because imports of its language
/// are not followed.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::is_resolved_by_name;
///
/// assert!(!is_resolved_by_name(&RepoPath::parse("app.py").unwrap()));
/// assert!(is_resolved_by_name(&RepoPath::parse("main.lua").unwrap()));
/// ```
#[must_use]
pub fn is_resolved_by_name(path: &RepoPath) -> bool {
    let family = family_index(path).and_then(|place| families().nth(place));
    family.is_some_and(|family| family.is_resolved_by_name)
}

/// Returns how code of a file's language can use a symbol without naming it. Members of classes and
/// objects differ from other symbols.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::{ComputedNames, computed_names};
///
/// let script = RepoPath::parse("app.js").unwrap();
/// assert_eq!(computed_names(&script, true), ComputedNames::BySyntax);
/// assert_ne!(computed_names(&script, false), ComputedNames::BySyntax);
/// ```
#[must_use]
pub fn computed_names(path: &RepoPath, is_member: bool) -> ComputedNames {
    let family = family_index(path).and_then(|place| families().nth(place));
    family.map_or(ComputedNames::Never, |family| {
        if is_member {
            family.reflection.members
        } else {
            family.reflection.others
        }
    })
}

/// Returns the functions by which code of a file's language can use symbols without naming them,
/// each once.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::computing_functions;
///
/// let functions = computing_functions(&RepoPath::parse("app.py").unwrap());
/// assert!(functions.contains("getattr") && functions.contains("import_module"));
/// ```
#[must_use]
pub fn computing_functions(path: &RepoPath) -> BTreeSet<&'static str> {
    let kinds = [true, false].map(|is_member| computed_names(path, is_member));
    let functions = kinds.into_iter().filter_map(|names| match names {
        ComputedNames::ByCalls(functions) => Some(functions),
        ComputedNames::Never | ComputedNames::BySyntax => None,
    });
    functions.flatten().copied().collect()
}

/// A family of languages: those whose files may import each other.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::Family;
///
/// let family = |path: &str| Family::of(&RepoPath::parse(path).unwrap());
/// assert_eq!(family("a.ts"), family("b.tsx"));
/// assert_ne!(family("a.ts"), family("b.py"));
/// assert_eq!(family("notes.txt"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Family {
    /// The place of the family among all [`families`].
    index: usize,
    /// The name of the language if that is a plug-in: each is a family of its own.
    plugin: Option<&'static str>,
}

impl Family {
    /// Returns the family of a file, or `None` if its references cannot be resolved.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_resolve::Family;
    ///
    /// assert!(Family::of(&RepoPath::parse("cart.py").unwrap()).is_some());
    /// ```
    #[must_use]
    pub fn of(path: &RepoPath) -> Option<Self> {
        let language = ragnav_syntax::detect_language(path)?;
        let plugin = language.is_plugin().then_some(language.name);
        let index = family_index(path)?;
        Some(Self { index, plugin })
    }
}

/// Reports whether two files are of one family, so that they may import each other.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::share_family;
///
/// let path = |path: &str| RepoPath::parse(path).unwrap();
/// assert!(share_family(&path("a.ts"), &path("b.tsx")));
/// assert!(!share_family(&path("a.ts"), &path("b.py")));
/// ```
#[must_use]
pub fn share_family(one: &RepoPath, other: &RepoPath) -> bool {
    Family::of(one) == Family::of(other)
}

/// Reports whether a file determines where modules are, like `package.json`.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::is_manifest;
///
/// assert!(is_manifest(&RepoPath::parse("packages/app/package.json").unwrap()));
/// assert!(!is_manifest(&RepoPath::parse("data.json").unwrap()));
/// ```
#[must_use]
pub fn is_manifest(path: &RepoPath) -> bool {
    families().any(|family| (family.is_manifest)(path))
}
