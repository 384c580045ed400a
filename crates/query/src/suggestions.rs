//! The defined symbols whose names are most like one that nothing defines.
//!
//! Names are compared by the Damerau-Levenshtein distance, without regard to case and underscores,
//! so `get_user` is like `getUsers`. Names with the same subwords in another order count as close.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;
use ragnav_matching::identifiers::subwords;
use ragnav_repository::snapshot::Snapshot;

use crate::file_definitions::FileDefinitions;
use crate::find_definitions::SymbolQuery;

/// The number of symbols that are suggested.
const MAX_SUGGESTIONS: usize = 5;

/// Returns the symbols that a person may have meant, best first.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn similar_symbols<H: Host>(
    snapshot: &Snapshot<'_, H>,
    query: &SymbolQuery,
) -> Result<Vec<String>, RagnavError> {
    let wanted = WantedName::new(query.name());
    let mut files: Vec<RepoPath> = snapshot.files().to_vec();
    files.retain(|path| ragnav_syntax::detect_language(path).is_some());
    let mut similar = BTreeMap::new();
    let mut reading = snapshot.reader(&files);
    while let Some((path, bytes)) = reading.next().await? {
        let Some(text) = reading.text(path, &bytes) else {
            continue;
        };
        if wanted.is_like_any(&text) {
            snapshot.load_grammar(path, &text).await;
            wanted.collect(path, &text, query, &mut similar);
        }
    }
    let mut ranked: Vec<(usize, String)> = similar
        .into_iter()
        .map(|(symbol, distance)| (distance, symbol))
        .collect();
    ranked.small_sort_by(|a, b| (a.0, a.1.len(), &a.1).cmp(&(b.0, b.1.len(), &b.1)));
    // Names that are further away than the best ones would only distract.
    let best = ranked.first().map(|(distance, _)| *distance);
    let nearest = ranked
        .into_iter()
        .filter(|(distance, _)| Some(*distance) == best);
    Ok(nearest
        .map(|(_, symbol)| symbol)
        .take(MAX_SUGGESTIONS)
        .collect())
}

/// A name that nothing defines.
struct WantedName {
    name: String,
    folded: String,
    letters: LetterCounts,
    subwords: BTreeSet<String>,
    /// The largest distance of a name that counts as similar.
    max_distance: usize,
    /// The least number of bytes that a similar name has.
    min_len: usize,
}

impl WantedName {
    fn new(name: &str) -> Self {
        let folded = fold(name);
        let length = folded.chars().count();
        let max_distance = (length / 3).clamp(1, 4);
        Self {
            name: name.to_owned(),
            max_distance,
            min_len: length.saturating_sub(max_distance),
            subwords: subword_set(name),
            letters: LetterCounts::of(&folded),
            folded,
        }
    }

    /// Reports whether a text contains a similar name.
    fn is_like_any(&self, text: &str) -> bool {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
        let words = text.split(|letter: char| !is_part(letter));
        let mut words = words.filter(|word| !word.is_empty());
        words.any(|word| self.distance(word).is_some())
    }

    /// Adds the similar symbols that a file defines, with their distances.
    fn collect(
        &self,
        path: &RepoPath,
        text: &str,
        query: &SymbolQuery,
        similar: &mut BTreeMap<String, usize>,
    ) {
        let file = FileDefinitions::new(path, text);
        for place in 0..file.symbols.len() {
            let Some(id) = file.id_of(place) else {
                continue;
            };
            let dotted = id.dotted();
            let name = dotted.rsplit('.').next().unwrap_or(dotted);
            if let Some(distance) = self.distance(name) {
                let symbol = suggested(dotted, query);
                let least = similar.entry(symbol).or_insert(distance);
                *least = distance.min(*least);
            }
        }
    }

    /// Returns how far a name is from the wanted one, or `None` if it is not similar.
    fn distance(&self, name: &str) -> Option<usize> {
        if name == self.name {
            return Some(0);
        }
        // Nearly all words of a repository end here.
        if name.len() < self.min_len || self.letters.distance_to(name) > self.max_distance {
            return None;
        }
        let folded = fold(name);
        let distance = strsim::damerau_levenshtein(&self.folded, &folded);
        if distance <= self.max_distance {
            return Some(distance + 1);
        }
        let is_reordered = self.subwords.len() > 1 && subword_set(name) == self.subwords;
        is_reordered.then_some(2)
    }
}

/// How often a name has each letter, without regard to case and underscores.
///
/// Two names are at least as far from each other as their counts: each edit changes one letter, and
/// a transposition none. The counts cost far less to compare. This is the bag distance of
/// Bartolini, Ciaccia and Patella, "String Matching with Metric Trees Using an Approximate
/// Distance" (2002).
#[derive(Clone, Copy)]
struct LetterCounts([i32; LETTERS]);

/// The number of counts. Letters whose code points differ by a multiple of it share one.
const LETTERS: usize = 32;

impl LetterCounts {
    fn of(name: &str) -> Self {
        let mut counts = [0; LETTERS];
        let mut add = |letter: usize| {
            if let Some(count) = counts.get_mut(letter % LETTERS) {
                *count += 1;
            }
        };
        if name.is_ascii() {
            // Both cases of a letter of ASCII share a count.
            let letters = name.bytes().filter(|letter| *letter != b'_');
            letters.for_each(|letter| add(letter.into()));
        } else {
            let letters = name.chars().filter(|letter| *letter != '_');
            let letters = letters.flat_map(char::to_lowercase);
            letters.for_each(|letter| add(letter as usize));
        }
        Self(counts)
    }

    fn distance_to(&self, name: &str) -> usize {
        let other = Self::of(name);
        let (mut missing, mut added) = (0, 0);
        for (own, other) in self.0.iter().zip(other.0) {
            missing += (own - other).max(0).unsigned_abs();
            added += (other - own).max(0).unsigned_abs();
        }
        missing.max(added) as usize
    }
}

/// Returns the symbol to suggest: as many segments of the id as the query has.
fn suggested(dotted: &str, query: &SymbolQuery) -> String {
    let segments = query.as_str().split('.').count();
    let parts: Vec<&str> = dotted.split('.').collect();
    let first = parts.len().saturating_sub(segments);
    parts.get(first..).unwrap_or(&parts).join(".")
}

fn fold(name: &str) -> String {
    name.chars()
        .filter(|letter| *letter != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

fn subword_set(name: &str) -> BTreeSet<String> {
    let words = subwords(name).filter_map(|range| name.get(range));
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_letters_are_no_further_apart_than_names() {
        let names = [
            "slugify", "slgify", "sulgify", "slug_ify", "SLUGIFY", "straße", "get_user",
            "getUsers", "user_get", "x", "überÄ", "İstΣ", "0a1b2c",
        ];
        for one in names {
            for other in names {
                let far = strsim::damerau_levenshtein(&fold(one), &fold(other));
                let counted = LetterCounts::of(one).distance_to(other);
                assert!(counted <= far, "{one} {other}: {counted} > {far}");
            }
        }
    }
}
