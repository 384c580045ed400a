//! Keeps what was extracted from texts, so that a text that is met again is not parsed again.
//!
//! A user's buffer is asked about many times between two edits. The same text in the same language
//! has the same definitions and facts, so its hash proves them. A text that differs by an edit is
//! parsed incrementally. They belong to a thread, as [grammars](crate::grammars) do.

use std::cell::RefCell;
use std::rc::Rc;

use ragnav_base::hash::HashMap;

use xxhash_rust::xxh3::xxh3_128;

use crate::extract::{facts_of, outline_of};
use crate::facts::{BodyHash, Facts};
use crate::grammar_registry;
use crate::grammars;
use crate::language::Language;
use crate::parse::Reuse;
use crate::recent_bodies::{self, Described};
use crate::symbol::Outline;

/// The total size of the texts of a generation, in bytes. Two generations are kept; the facts of a
/// text take several times its size.
const MAX_GENERATION_BYTES: usize = 4 << 20;

thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Returns the same as [`extract_outline`](crate::extract_outline), without parsing a text that is
/// still known.
///
/// # Examples
///
/// ```
/// use std::rc::Rc;
///
/// use ragnav_syntax::{find_language, kept};
///
/// let python = find_language("python").unwrap();
/// let outline = kept::outline(python, "def f(): pass\n");
/// assert_eq!(outline.definitions[0].name_path, "f");
/// assert!(Rc::ptr_eq(&outline, &kept::outline(python, "def f(): pass\n")));
/// ```
#[must_use]
pub fn outline(language: &Language, text: &str) -> Rc<Outline> {
    let key = Key::new(language, text);
    let known = find(&key).unwrap_or_default();
    if let Some(outline) = known.outline {
        return outline;
    }
    let outline = Rc::new(match &known.facts {
        Some(facts) => Outline {
            definitions: facts.symbols(),
            conditions: facts.conditions.clone(),
            has_errors: !facts.errors.is_empty(),
            is_partial: facts.is_partial,
        },
        None => outline_of(language, text, Reuse::Trees),
    });
    let extracted = Extracted {
        outline: Some(Rc::clone(&outline)),
        ..known
    };
    keep(language, text, key, extracted);
    outline
}

/// Returns the same as [`extract_facts`](crate::extract_facts), without parsing a text that is
/// still known.
///
/// # Examples
///
/// ```
/// use std::rc::Rc;
///
/// use ragnav_syntax::{find_language, kept};
///
/// let python = find_language("python").unwrap();
/// let facts = kept::facts(python, "import shop\n");
/// assert_eq!(facts.imports.len(), 1);
/// assert!(Rc::ptr_eq(&facts, &kept::facts(python, "import shop\n")));
/// ```
#[must_use]
pub fn facts(language: &Language, text: &str) -> Rc<Facts> {
    let key = Key::new(language, text);
    let known = find(&key).unwrap_or_default();
    if let Some(facts) = known.facts {
        return facts;
    }
    let facts = Rc::new(facts_of(language, text, Reuse::Trees));
    let extracted = Extracted {
        facts: Some(Rc::clone(&facts)),
        ..known
    };
    keep(language, text, key, extracted);
    facts
}

/// Returns the hashes of the bodies of the definitions of a text, in the order of [`outline`].
/// A text that differs by an edit from one whose bodies are known is read in part.
///
/// # Examples
///
/// ```
/// use ragnav_syntax::{find_language, kept};
///
/// let python = find_language("python").unwrap();
/// let text = "def f(): pass\n";
/// assert_eq!(kept::bodies(python, text)[0], kept::facts(python, text).definitions[0].body);
/// ```
#[must_use]
pub fn bodies(language: &'static Language, text: &str) -> Rc<Vec<BodyHash>> {
    let key = Key::new(language, text);
    let known = find(&key).unwrap_or_default();
    if let Some(bodies) = known.bodies {
        return bodies;
    }
    let bodies = Rc::new(read_bodies(language, text, known.facts.is_some()));
    let extracted = Extracted {
        bodies: Some(Rc::clone(&bodies)),
        ..find(&key).unwrap_or_default()
    };
    if keep(language, text, key, extracted) {
        let described = Described {
            outline: outline(language, text),
            bodies: Rc::clone(&bodies),
        };
        recent_bodies::keep(language.name, text, described);
    }
    bodies
}

/// Computes the hashes of the bodies of a text: from its facts if these are known; else, if the text
/// differs by an edit from a recent one, only of the definitions that the edit touches.
fn read_bodies(language: &Language, text: &str, has_facts: bool) -> Vec<BodyHash> {
    let edited = || recent_bodies::find(language, text, || outline(language, text));
    if let Some(bodies) = (!has_facts).then(edited).flatten() {
        return bodies;
    }
    let facts = facts(language, text);
    facts.definitions.iter().map(|one| one.body).collect()
}

fn find(key: &Key) -> Option<Extracted> {
    let changes = grammar_registry::changes();
    KEPT.with_borrow_mut(|kept| {
        if kept.changes != changes {
            *kept = Kept {
                changes,
                ..Kept::default()
            };
        }
        kept.find(key).cloned()
    })
}

/// Keeps what was extracted from a text, and returns `true`. If a grammar was missing, it keeps
/// nothing: the next call must note the missing grammar, too.
fn keep(language: &Language, text: &str, key: Key, extracted: Extracted) -> bool {
    let is_complete = grammars::are_available(language, text);
    if is_complete {
        KEPT.with_borrow_mut(|kept| kept.keep(key, extracted));
    }
    is_complete
}

/// What identifies a text in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    language: &'static str,
    hash: u128,
    len: usize,
}

impl Key {
    fn new(language: &Language, text: &str) -> Self {
        Self {
            language: language.name,
            hash: xxh3_128(text.as_bytes()),
            len: text.len(),
        }
    }
}

/// What is known of a text.
#[derive(Debug, Clone, Default)]
struct Extracted {
    outline: Option<Rc<Outline>>,
    facts: Option<Rc<Facts>>,
    bodies: Option<Rc<Vec<BodyHash>>>,
}

/// The texts that were met last, in two generations: the older one is dropped when the younger one
/// is full, without those of its texts that were met again.
#[derive(Debug, Default)]
struct Kept {
    young: Generation,
    old: Generation,
    /// How often grammars had changed when these texts were read.
    changes: u64,
}

#[derive(Debug, Default)]
struct Generation {
    texts: HashMap<Key, Extracted>,
    bytes: usize,
}

impl Kept {
    fn find(&mut self, key: &Key) -> Option<&Extracted> {
        if let Some(extracted) = self.old.texts.remove(key) {
            self.old.bytes -= key.len;
            self.keep(*key, extracted);
        }
        self.young.texts.get(key)
    }

    fn keep(&mut self, key: Key, extracted: Extracted) {
        if self.young.texts.insert(key, extracted).is_none() {
            self.young.bytes += key.len;
        }
        if self.young.bytes > MAX_GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(hash: u128) -> Key {
        Key {
            language: "python",
            hash,
            len: MAX_GENERATION_BYTES / 2,
        }
    }

    #[test]
    fn texts_that_are_met_again_stay() {
        let mut kept = Kept::default();
        kept.keep(key(0), Extracted::default());
        for hash in 1..100 {
            kept.keep(key(hash), Extracted::default());
            assert!(kept.find(&key(0)).is_some(), "{hash}");
            let bytes = kept.young.bytes + kept.old.bytes;
            assert!(bytes <= 3 * MAX_GENERATION_BYTES, "{bytes}");
        }
        assert!(kept.find(&key(1)).is_none());
    }

    #[test]
    fn a_text_is_counted_once() {
        let mut kept = Kept::default();
        for _ in 0..10 {
            kept.keep(key(0), Extracted::default());
        }
        assert_eq!(kept.young.bytes, key(0).len);
    }
}
