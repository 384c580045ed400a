//! Where a name occurs other than as a reference: in strings, in bodies of macros, in other
//! languages, and in templates.

use std::collections::BTreeSet;

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_matching::pattern::{Pattern, SearchMode};
use ragnav_resolve::{Template, share_family};

use crate::code_facts::CodeFacts;
use crate::page_code::has_code;
use crate::words::{is_in_macro, is_string, is_symbol, words};

/// The largest number of files with one name that are looked at.
const MAX_FILES: usize = 200;

/// Where some names occur other than as references.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// The number of strings that consist of a name, or of a dotted path with the name, and of
    /// symbols of Ruby.
    pub(super) strings: usize,
    /// The files with such strings.
    pub(super) files_with_strings: BTreeSet<String>,
    /// The number of places in the bodies of macros of C and C++.
    pub(super) in_macros: usize,
    /// The files with such macros.
    pub(super) files_with_macros: BTreeSet<String>,
    /// The files in other languages, and the templates, that contain a name.
    pub(super) other_languages: BTreeSet<String>,
    /// Whether more files contain a name than are searched for strings.
    pub(super) is_cut: bool,
}

/// Returns where names occur other than as references, for definitions in `homes`.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn mentions<H: Host>(
    code: &mut CodeFacts<'_, H>,
    names: &BTreeSet<String>,
    homes: &[&RepoPath],
) -> Result<Mentions, RagnavError> {
    let mut found = Mentions::default();
    for name in names {
        let pattern = Pattern::new(name, SearchMode::Literal, true)?;
        found.add_templates(code, name, &pattern).await?;
        let mut paths = code.files_that_may_contain(name);
        paths.retain(|path| Template::of(path).is_none());
        let mut reading = code.reader(&paths);
        let mut containing = 0;
        while let Some((path, bytes)) = reading.next().await? {
            let Some(text) = reading.text(path, &bytes) else {
                continue;
            };
            let words = words(&text, &pattern);
            if words.is_empty() {
                continue;
            }
            containing += 1;
            if containing > MAX_FILES {
                found.is_cut = true;
                break;
            }
            found.add(path, &text, &words, homes);
        }
        code.record_unread(reading.into_skipped());
    }
    Ok(found)
}

/// The files of code that contain a name.
#[derive(Debug, Default)]
pub(super) struct CodeWith {
    pub(super) files: Vec<RepoPath>,
    /// Whether more files may contain it than are searched.
    pub(super) is_cut: bool,
}

/// Returns the files of code that contain a name as a whole word.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn code_with<H: Host>(
    code: &mut CodeFacts<'_, H>,
    name: &str,
) -> Result<CodeWith, RagnavError> {
    let mut found = CodeWith::default();
    if name.is_empty() {
        return Ok(found);
    }
    let pattern = Pattern::new(name, SearchMode::Literal, true)?;
    let mut paths = code.files_that_may_contain(name);
    paths.retain(|path| ragnav_syntax::detect_language(path).is_some() && !is_prose(path));
    let mut reading = code.reader(&paths);
    while let Some((path, bytes)) = reading.next().await? {
        let text = reading.text(path, &bytes);
        if text.is_none_or(|text| words(&text, &pattern).is_empty()) {
            continue;
        }
        if found.files.len() == MAX_FILES {
            found.is_cut = true;
            break;
        }
        found.files.push(path.clone());
    }
    code.record_unread(reading.into_skipped());
    Ok(found)
}

impl Mentions {
    /// Adds the templates whose code contains a name.
    async fn add_templates<H: Host>(
        &mut self,
        code: &mut CodeFacts<'_, H>,
        name: &str,
        pattern: &Pattern,
    ) -> Result<(), RagnavError> {
        let paths = code.templates_that_may_contain(name);
        let mut reading = code.reader(&paths);
        while let Some((path, bytes)) = reading.next().await? {
            let Some(text) = reading.text(path, &bytes) else {
                continue;
            };
            let words = words(&text, pattern);
            let is_page = Template::of(path) == Some(Template::Page);
            if !words.is_empty() && (!is_page || has_code(&text, &words)) {
                self.other_languages.insert(path.to_string());
            }
        }
        code.record_unread(reading.into_skipped());
        Ok(())
    }

    fn add(&mut self, path: &RepoPath, text: &str, words: &[(usize, usize)], homes: &[&RepoPath]) {
        if !homes.iter().any(|home| share_family(home, path)) {
            if !is_prose(path) {
                self.other_languages.insert(path.to_string());
            }
            return;
        }
        let language = ragnav_syntax::detect_language(path).map_or("", |language| language.name);
        let has_symbols = language == "ruby";
        let strings = words.iter().filter(|(start, end)| {
            is_string(text, *start, *end) || (has_symbols && is_symbol(text, *start))
        });
        let count = strings.count();
        if count > 0 {
            self.strings += count;
            self.files_with_strings.insert(path.to_string());
        }
        if !matches!(language, "c" | "cpp") {
            return;
        }
        let macros = words.iter().filter(|(start, _)| is_in_macro(text, *start));
        let count = macros.count();
        if count > 0 {
            self.in_macros += count;
            self.files_with_macros.insert(path.to_string());
        }
    }
}

fn is_prose(path: &RepoPath) -> bool {
    ragnav_syntax::detect_language(path).is_some_and(ragnav_syntax::Language::is_prose)
}
