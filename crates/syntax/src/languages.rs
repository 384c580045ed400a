//! The table of the languages of this build, and look-ups by name and by path, also of plug-ins.

use std::borrow::Cow;
use std::sync::LazyLock;

use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::hash::HashMap;
use ragnav_base::path::RepoPath;

use crate::language::{Extractor, Language};
use crate::plugin::registry;

/// Returns the languages of this build; plug-ins come in addition.
pub(crate) fn own_languages() -> impl Iterator<Item = &'static Language> {
    [
        &crate::bash::LANGUAGE,
        &crate::c::LANGUAGE,
        &crate::cpp::LANGUAGE,
        &crate::csharp::LANGUAGE,
        &crate::dart::LANGUAGE,
        &crate::elixir::LANGUAGE,
        &crate::go::LANGUAGE,
        &crate::java::LANGUAGE,
        &crate::ecmascript::JAVASCRIPT,
        &crate::kotlin::LANGUAGE,
        &crate::lua::LANGUAGE,
        &crate::php::LANGUAGE,
        &crate::python::LANGUAGE,
        &crate::ruby::LANGUAGE,
        &crate::rust::LANGUAGE,
        &crate::scala::LANGUAGE,
        &crate::swift::LANGUAGE,
        &crate::ecmascript::TYPESCRIPT,
        &crate::ecmascript::TSX,
        &crate::embedded::ASTRO,
        &crate::embedded::MARKDOWN,
        &crate::embedded::NOTEBOOK,
        &crate::embedded::SVELTE,
        &crate::embedded::VUE,
        &crate::zig::LANGUAGE,
    ]
    .into_iter()
}

/// Finds a language by its name, in any case.
///
/// # Errors
/// Returns `LANGUAGE_UNAVAILABLE` if no language has the name.
///
/// # Examples
///
/// ```
/// assert_eq!(ragnav_syntax::find_language("Python").unwrap().name, "python");
/// assert!(ragnav_syntax::find_language("cobol").is_err());
/// ```
pub fn find_language(name: &str) -> Result<&'static Language, RagnavError> {
    let lowercase = name.trim().to_ascii_lowercase();
    own_language(&lowercase)
        .or_else(|| registry::find(|language| language.name == lowercase))
        .ok_or_else(|| {
            let message = format!(
                "no language {name:?} is known; these are known: {}",
                joined_names()
            );
            RagnavError::new(ErrorCode::LanguageUnavailable, message)
        })
}

/// Detects the language of a file by its extension.
///
/// Returns `None` if no language has the extension.
///
/// # Examples
///
/// ```
/// # fn main() -> Result<(), ragnav_base::error::RagnavError> {
/// use ragnav_base::path::RepoPath;
///
/// let language = ragnav_syntax::detect_language(&RepoPath::parse("src/app.py")?);
/// assert_eq!(language.map(|language| language.name), Some("python"));
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn detect_language(path: &RepoPath) -> Option<&'static Language> {
    let extension = path.extension()?;
    let mut lowercase = Cow::Borrowed(extension);
    if extension.bytes().any(|letter| letter.is_ascii_uppercase()) {
        lowercase.to_mut().make_ascii_lowercase();
    }
    let extension = lowercase.as_ref();
    let own = OWN_BY_EXTENSION.get(extension).copied();
    own.or_else(|| registry::find(|language| language.extensions.contains(&extension)))
}

/// The languages of this build by their extensions. Queries ask for that of each file many times.
static OWN_BY_EXTENSION: LazyLock<HashMap<&str, &Language>> = LazyLock::new(|| {
    // The first language with an extension has it.
    let languages: Vec<&'static Language> = own_languages().collect();
    let languages = languages.into_iter().rev();
    let pairs = languages.flat_map(|language| {
        let extensions = language.extensions.iter();
        extensions.map(move |extension| (*extension, language))
    });
    pairs.collect()
});

/// Returns the language of this build with a name.
pub(crate) fn own_language(name: &str) -> Option<&'static Language> {
    own_languages().find(|language| language.name == name)
}

/// Returns the languages whose grammars read a text: first the one that it needs, then the one that
/// reads it better.
pub(crate) fn needed_languages(language: &Language, text: &str) -> Vec<&'static str> {
    match &language.extractor {
        Extractor::Embedded(embedding) => {
            let found = (embedding.find)(text);
            found.into_iter().map(|code| code.language).collect()
        }
        _ if is_header_of_cpp(language, text) => vec![language.name, crate::cpp::LANGUAGE.name],
        _ => vec![language.name],
    }
}

/// Reports whether a text is a header of C++, whose extension is that of C.
pub(crate) fn is_header_of_cpp(language: &Language, text: &str) -> bool {
    language.name == crate::c::LANGUAGE.name && crate::cpp::is_cpp(text)
}

/// Detects the language of a file whose language must be known.
///
/// # Errors
/// Returns `LANGUAGE_UNAVAILABLE` if no language has the file's extension.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_syntax::require_language;
///
/// let app = RepoPath::parse("src/app.py").unwrap();
/// assert_eq!(require_language(&app).unwrap().name, "python");
/// let error = require_language(&RepoPath::parse("notes.txt").unwrap()).unwrap_err();
/// assert!(error.message.starts_with("notes.txt is in no known language"));
/// ```
pub fn require_language(path: &RepoPath) -> Result<&'static Language, RagnavError> {
    detect_language(path).ok_or_else(|| {
        let message = format!(
            "{path} is in no known language; these are known: {}",
            joined_names()
        );
        RagnavError::new(ErrorCode::LanguageUnavailable, message)
    })
}

/// Returns the languages of this build, then the plug-ins of this thread.
///
/// # Examples
///
/// ```
/// let languages = ragnav_syntax::languages();
/// assert!(languages.iter().any(|language| language.name == "python"));
/// ```
#[must_use]
pub fn languages() -> Vec<&'static Language> {
    own_languages().chain(registry::all()).collect()
}

/// Returns the names of the languages of this build, then those of plug-ins.
///
/// # Examples
///
/// ```
/// assert!(ragnav_syntax::language_names().contains(&"python".to_owned()));
/// ```
#[must_use]
pub fn language_names() -> Vec<String> {
    let languages = languages().into_iter();
    languages.map(|language| language.name.to_owned()).collect()
}

fn joined_names() -> String {
    language_names().join(", ")
}

impl Language {
    /// Returns the names of the languages whose grammars may read files of the language, with its
    /// own: the code that a file embeds is in another language, and a header of C may be C++.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_syntax::find_language;
    ///
    /// assert_eq!(find_language("python").unwrap().grammars(), ["python"]);
    /// assert_eq!(find_language("vue").unwrap().grammars(), ["typescript", "tsx"]);
    /// ```
    #[must_use]
    pub fn grammars(&self) -> Vec<&'static str> {
        match &self.extractor {
            Extractor::Embedded(embedding) => embedding.languages.to_vec(),
            _ if self.name == crate::c::LANGUAGE.name => vec![self.name, crate::cpp::LANGUAGE.name],
            _ => vec![self.name],
        }
    }
}
