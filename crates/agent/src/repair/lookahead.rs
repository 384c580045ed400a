//! Bounded lookahead in the characters of a text, so that reading stays linear.

/// The longest key that lookahead finds, in characters.
const MAX_KEY: usize = 128;

/// The keys of a plan.
const PLAN_KEYS: [&str; 4] = [
    "semanticsearchneeded",
    "semanticquery",
    "filters",
    "responseformat",
];
const FILTER_KEYS: [&str; 3] = ["field", "operator", "value"];

/// Normalises a key: `semanticQuery`, `semantic-query` and `Semantic Query` are equal.
pub(super) fn normalise_key(key: &str) -> String {
    let letters = key.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

pub(super) fn is_plan_key(key: &str) -> bool {
    PLAN_KEYS.contains(&normalise_key(key).as_str())
}

fn is_known_name(key: &str) -> bool {
    is_plan_key(key) || FILTER_KEYS.contains(&normalise_key(key).as_str())
}

/// Returns the closing quotes of an opening one, or `None` for other characters.
pub(super) fn closers(open: char) -> Option<&'static [char]> {
    match open {
        '"' => Some(&['"']),
        '\'' => Some(&['\'']),
        '`' => Some(&['`']),
        '“' | '”' | '„' => Some(&['”', '“', '"']),
        '‘' | '’' => Some(&['’', '‘', '\'']),
        _ => None,
    }
}

/// The characters of a text.
#[derive(Clone, Copy)]
pub(super) struct Lookahead<'a>(pub(super) &'a [char]);

impl Lookahead<'_> {
    pub(super) fn get(self, at: usize) -> Option<char> {
        self.0.get(at).copied()
    }

    pub(super) fn starts_with(self, at: usize, text: &str) -> bool {
        text.chars()
            .enumerate()
            .all(|(index, letter)| self.get(at + index) == Some(letter))
    }

    pub(super) fn text(self, from: usize, to: usize) -> String {
        self.0.get(from..to).unwrap_or_default().iter().collect()
    }

    /// Returns the position of the next character that is not a space.
    pub(super) fn skip_space_from(self, mut at: usize) -> usize {
        while self.get(at).is_some_and(is_space) {
            at += 1;
        }
        at
    }

    /// Returns the position behind the last character before `at` that is not a space.
    pub(super) fn skip_space_back(self, mut at: usize) -> usize {
        while at > 0 && self.get(at - 1).is_some_and(is_space) {
            at -= 1;
        }
        at
    }

    pub(super) fn has_newline(self, from: usize, to: usize) -> bool {
        self.0.get(from..to).unwrap_or_default().contains(&'\n')
    }

    pub(super) fn is_quote(self, at: usize) -> bool {
        self.get(at).is_some_and(|letter| closers(letter).is_some())
    }

    /// Returns the quoted key at a position and the position of its colon.
    pub(super) fn quoted_key(self, at: usize) -> Option<(String, usize)> {
        let closers = closers(self.get(at)?)?;
        let ends = (at + 1..at + 1 + MAX_KEY)
            .take_while(|end| self.get(*end).is_some_and(|letter| letter != '\n'));
        for end in ends.filter(|end| {
            self.get(*end)
                .is_some_and(|letter| closers.contains(&letter))
        }) {
            let behind = self.skip_space_from(end + 1);
            if self.is_colon(behind) {
                return Some((self.text(at + 1, end), behind));
            }
            // A quote before a comma or bracket closed something else.
            if matches!(self.get(behind), Some(',' | '}' | ']' | '{' | '[')) {
                return None;
            }
        }
        None
    }

    /// Returns the unquoted key at a position and the position of its colon.
    pub(super) fn bare_key(self, at: usize) -> Option<(String, usize)> {
        let fits = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '$');
        let end = (at..at + MAX_KEY).find(|end| !self.get(*end).is_some_and(fits))?;
        let is_word = self
            .get(at)
            .is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '$'));
        // A key may have only a closing quote.
        let closed = end + usize::from(self.is_quote(end));
        let behind = self.skip_space_from(closed);
        (is_word && self.is_colon(behind)).then(|| (self.text(at, end), behind))
    }

    /// Returns a key and the position of its colon. A known key may have only an opening quote.
    pub(super) fn key(self, at: usize) -> Option<(String, usize)> {
        let half = || {
            let found = self.bare_key(at + 1).filter(|_| self.is_quote(at));
            found.filter(|(key, _)| is_known_name(key))
        };
        self.quoted_key(at)
            .or_else(|| self.bare_key(at))
            .or_else(half)
    }

    /// Reports whether a quoted key of a plan or filter begins at a position.
    pub(super) fn is_known_key(self, at: usize) -> bool {
        self.quoted_key(at)
            .is_some_and(|(key, _)| is_known_name(&key))
    }

    fn is_colon(self, at: usize) -> bool {
        matches!(self.get(at), Some(':' | '='))
    }

    pub(super) fn is_comment(self, at: usize) -> bool {
        self.starts_with(at, "//") || self.starts_with(at, "/*") || self.starts_with(at, "#")
    }

    pub(super) fn is_ellipsis(self, at: usize) -> bool {
        self.starts_with(at, "...") || self.starts_with(at, "…")
    }

    pub(super) fn is_fence(self, at: usize) -> bool {
        self.starts_with(at, "```")
    }
}

/// Reports whether a character is a space, a byte order mark or has no width.
pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '\u{FEFF}' | '\u{200B}' | '\u{200C}' | '\u{200D}' | '\u{2060}'
        )
}
