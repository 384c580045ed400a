//! The versions of the extractors, so that an index says which of them wrote its facts.

use crate::grammars;
use crate::languages::find_language;
use crate::plugin::registry;
use ragnav_base::sort::SmallSort;

/// Every language with a hash of its extractor and grammar.
const EXTRACTORS: [(&str, u64); 25] = include!(concat!(env!("OUT_DIR"), "/extractors.rs"));

/// A hash of the code that extracts the facts of plug-ins.
pub(crate) const PLUGIN_EXTRACTOR: u64 = include!(concat!(env!("OUT_DIR"), "/plugin_extractor.rs"));

/// Returns every language with a hash that changes with its extractor and with its grammar, sorted
/// by name. Equal hashes extract equal facts.
///
/// # Examples
///
/// ```
/// let extractors = ragnav_syntax::extractors();
/// assert!(extractors.iter().any(|(language, _)| language == "python"));
/// ```
#[must_use]
pub fn extractors() -> Vec<(String, u64)> {
    let own = EXTRACTORS.iter();
    let own = own.map(|(language, hash)| ((*language).to_owned(), *hash));
    let mut all: Vec<(String, u64)> = own.chain(registry::extractors()).collect();
    all.small_sort();
    all
}

/// Returns the [`extractors`] whose grammars are available: an index has no facts of the others.
///
/// # Examples
///
/// ```
/// // This build links all grammars.
/// assert_eq!(ragnav_syntax::available_extractors(), ragnav_syntax::extractors());
/// ```
#[must_use]
pub fn available_extractors() -> Vec<(String, u64)> {
    let unavailable = grammars::unavailable_grammars();
    let is_available = |grammar: &&str| unavailable.iter().all(|(other, _)| other != grammar);
    let mut available = extractors();
    available.retain(|(language, _)| {
        find_language(language).is_ok_and(|language| language.grammars().iter().all(is_available))
    });
    available
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_language_has_an_extractor_of_its_own() {
        let extractors = super::extractors();
        let names: Vec<&String> = extractors.iter().map(|(language, _)| language).collect();
        let mut languages = crate::language_names();
        languages.sort();
        assert_eq!(names, languages.iter().collect::<Vec<_>>());
        let mut hashes: Vec<u64> = extractors.iter().map(|(_, hash)| *hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        // TSX and TypeScript share their extractor and the crate of their grammars, and so do the
        // files that embed them.
        assert_eq!(hashes.len(), extractors.len() - 4);
    }
}
