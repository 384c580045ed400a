//! The languages that ragnav knows, and what each gives.

use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;
use serde::Serialize;

/// How references of a language are resolved.
///
/// # Examples
///
/// ```
/// use ragnav_query::known_languages::ReferenceScope;
///
/// let json = serde_json::to_string(&ReferenceScope::AcrossFiles).unwrap();
/// assert_eq!(json, r#""across_files""#);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ReferenceScope {
    /// Scopes resolve references within a file, and imports those to other files.
    AcrossFiles,
    /// Scopes resolve references within a file. Those to other files are candidates by name.
    ByName,
}

/// A language that ragnav knows. Each has definitions, outlines and references.
///
/// # Examples
///
/// ```
/// use ragnav_query::known_languages::known_languages;
///
/// let languages = known_languages();
/// let python = languages.iter().find(|language| language.name == "python").unwrap();
/// assert_eq!(python.extensions, ["py", "pyi", "pyw"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct KnownLanguage {
    /// The name in lower case, such as `python`.
    pub name: String,
    /// The extensions of its files, in lower case and without a dot.
    pub extensions: Vec<String>,
    /// How its references are resolved.
    pub references: ReferenceScope,
    /// The languages in which the code that its files embed may be. Empty for other languages.
    pub embeds: Vec<String>,
    /// Whether the program added the language, as a plug-in.
    pub is_plugin: bool,
}

/// Returns the languages that ragnav knows, sorted by name, with the plug-ins of this thread.
///
/// # Examples
///
/// ```
/// use ragnav_query::known_languages::{ReferenceScope, known_languages};
///
/// let languages = known_languages();
/// let of = |name: &str| languages.iter().find(|one| one.name == name).unwrap();
/// assert_eq!(of("python").references, ReferenceScope::AcrossFiles);
/// assert_eq!(of("lua").references, ReferenceScope::ByName);
/// assert_eq!(of("vue").embeds, ["typescript", "tsx"]);
/// ```
#[must_use]
pub fn known_languages() -> Vec<KnownLanguage> {
    let languages = ragnav_syntax::languages().into_iter();
    let mut known: Vec<KnownLanguage> = languages.map(describe).collect();
    known.small_sort_by(|a, b| a.name.cmp(&b.name));
    known
}

fn describe(language: &ragnav_syntax::Language) -> KnownLanguage {
    let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let example = language.extensions.first().map(|end| format!("a.{end}"));
    let example = example.and_then(|name| RepoPath::parse(&name).ok());
    let is_by_name = example.is_some_and(|path| ragnav_resolve::is_resolved_by_name(&path));
    KnownLanguage {
        name: language.name.to_owned(),
        extensions: own(language.extensions),
        references: if is_by_name {
            ReferenceScope::ByName
        } else {
            ReferenceScope::AcrossFiles
        },
        embeds: own(language.embeds()),
        is_plugin: language.is_plugin(),
    }
}
