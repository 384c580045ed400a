//! Splitting identifiers into subwords, and finding subwords in a text, give equal results.

use std::collections::HashMap;

use proptest::prelude::*;
use ragnav::matching::identifiers::{
    FoldedText, fold_case, is_subword_boundary, is_word_char, subwords, words,
};
use ragnav::matching::terms::{Occurs, Terms};
use ragnav::matching::text_terms::{MIN_WORD, WordTerms, count_words};

fn folded(text: &str) -> String {
    text.chars().map(fold_case).collect()
}

/// A text with most separators of words.
fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            6 => "[a-cA-C]{1,3}",
            2 => "[0-9_.-]{1,2}",
            2 => "[ \n(),\"]",
            1 => "[sS]",
            1 => "[éÉßẞȺΣσς検索一ǅK\u{212b}😀\u{301}]",
        ],
        0..24,
    )
    .prop_map(|pieces| pieces.concat())
}

/// Counts the subwords of a text that are a term, and the runs of several subwords that are.
fn standing(text: &str, term: &str) -> usize {
    let runs = text.split(|letter: char| !letter.is_alphanumeric());
    let in_run = |run: &str| {
        let parts: Vec<_> = subwords(run).collect();
        let is_run = parts.len() > 1 && folded(run) == term;
        let parts = parts
            .into_iter()
            .filter(|part| folded(&run[part.clone()]) == term);
        parts.count() + usize::from(is_run)
    };
    runs.map(in_run).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn subwords_are_slices_of_their_word(text in text()) {
        for word in words(&text) {
            let word = &text[word];
            let joined: String = subwords(word).map(|part| &word[part]).collect();
            prop_assert_eq!(joined, word.replace('_', ""));
        }
        let all: String = subwords(&text).map(|part| &text[part]).collect();
        let letters: String = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
        prop_assert_eq!(all, letters);
    }

    #[test]
    fn subwords_begin_and_end_at_word_boundaries(text in text()) {
        let mut end = 0;
        for part in subwords(&text) {
            prop_assert!(end <= part.start && part.start < part.end);
            prop_assert!(is_subword_boundary(&text, part.start));
            prop_assert!(is_subword_boundary(&text, part.end));
            let inside = text[part.clone()].char_indices().skip(1);
            for (at, _) in inside {
                let inside = part.start + at;
                prop_assert!(!is_subword_boundary(&text, inside), "{:?}", &text[part.clone()]);
            }
            end = part.end;
        }
    }

    #[test]
    fn positions_in_folded_text_map_back(text in any::<String>()) {
        let folded = FoldedText::new(&text);
        let mut ends = text.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
        ends.push(text.len());
        let origins = folded.text.char_indices().map(|(at, _)| folded.original_offset(at));
        let end = folded.original_offset(folded.text.len());
        let origins: Vec<usize> = origins.chain([end]).collect();
        prop_assert_eq!(origins, ends);
    }

    #[test]
    fn subwords_are_counted_exactly(text in text(), query in "[a-cA-Cé検]{1,2}") {
        let terms = Terms::new(&query).unwrap();
        let counts = terms.counts(&text);
        let counted = terms.terms().iter().zip(counts);
        for (term, count) in counted.filter(|(term, _)| term.is_essential) {
            prop_assert_eq!(standing(&text, &term.text), count as usize, "{:?}", term);
        }
    }

    #[test]
    fn an_index_counts_the_terms_that_a_query_finds(text in text(), query in text()) {
        let Ok(terms) = Terms::new(&query) else { return Ok(()) };
        let (mut stems, mut names) = (HashMap::new(), HashMap::new());
        for (word, occurrences) in count_words(&text) {
            let word = WordTerms::of(word);
            for (stem, _) in word.stems {
                *stems.entry(stem).or_insert(0) += occurrences.count;
            }
            if let Some(name) = word.name {
                *names.entry(name).or_insert(0) += occurrences.count;
            }
        }
        for (term, count) in terms.terms().iter().zip(terms.counts(&text)) {
            let known = match &term.occurs {
                Occurs::Subword => stems.get(&term.stem).copied(),
                Occurs::Identifier { words, kebab } => {
                    if words[0].len() < MIN_WORD || folded(&text).contains(kebab) {
                        continue;
                    }
                    let counts = words.iter().filter_map(|word| names.get(word));
                    counts.copied().reduce(|a, b| a + b)
                }
                Occurs::Literal => continue,
            };
            prop_assert_eq!(known.unwrap_or_default(), count, "{:?}", term);
        }
    }

    #[test]
    fn an_identifier_contains_all_its_terms(words in prop::collection::vec("[a-z]{2,5}", 2..5)) {
        let capital = |word: &String| word[..1].to_uppercase() + &word[1..];
        let camel: String = words.iter().map(capital).collect();
        let spellings = [words.join("_"), words.join("-"), camel, words.join("_").to_uppercase()];
        for query in &spellings {
            let terms = Terms::new(query).unwrap();
            for text in &spellings {
                let counts = terms.counts(&format!("x = {text}()"));
                let all = counts.iter().all(|count| *count > 0);
                prop_assert!(all, "{} in {}: {:?}", query, text, counts);
            }
        }
    }

    #[test]
    fn any_text_that_is_not_blank_has_terms(query in any::<String>(), text in any::<String>()) {
        let terms = Terms::new(&query);
        prop_assert_eq!(terms.is_err(), query.trim().is_empty());
        let Ok(terms) = terms else { return Ok(()) };
        prop_assert!(!terms.terms().is_empty());
        prop_assert!(terms.terms().iter().any(|term| term.is_essential));
        for mention in terms.occurrences(&text) {
            prop_assert!(text.get(mention.at).is_some());
        }
        // Each term is found in its own text.
        prop_assert!(terms.counts(&query).iter().any(|count| *count > 0), "{:?}", terms.terms());
    }
}

#[test]
fn characters_of_words() {
    for letter in ['a', 'Z', '0', '_', 'é', '検', '٣'] {
        assert!(is_word_char(letter), "{letter}");
    }
    for letter in ['-', '.', '$', ' ', '😀', '\u{301}'] {
        assert!(!is_word_char(letter), "{letter}");
    }
}
