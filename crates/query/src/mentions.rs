//! Where a name occurs other than as a reference: in strings, and in other languages.

use std::collections::BTreeSet;

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_matching::pattern::{Pattern, SearchMode};
use ragnav_resolve::share_family;

use crate::code_facts::CodeFacts;
use crate::words::{is_string, words};

/// The largest number of files that are searched for strings with one name.
const MAX_FILES: usize = 200;

/// Where some names occur other than as references.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// The number of strings that consist of a name, or of a dotted path with the name.
    pub(super) strings: usize,
    /// The files with such strings.
    pub(super) files_with_strings: BTreeSet<String>,
    /// The files in other languages that contain a name.
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
        let paths = code.files_that_may_contain(name);
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

impl Mentions {
    fn add(&mut self, path: &RepoPath, text: &str, words: &[(usize, usize)], homes: &[&RepoPath]) {
        if !homes.iter().any(|home| share_family(home, path)) {
            if !is_prose(path) {
                self.other_languages.insert(path.to_string());
            }
            return;
        }
        let strings = words
            .iter()
            .filter(|(start, end)| is_string(text, *start, *end));
        let count = strings.count();
        if count > 0 {
            self.strings += count;
            self.files_with_strings.insert(path.to_string());
        }
    }
}

fn is_prose(path: &RepoPath) -> bool {
    ragnav_syntax::detect_language(path).is_some_and(ragnav_syntax::Language::is_prose)
}
