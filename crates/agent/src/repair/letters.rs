//! The letters of a text, with what can be told by looking a little ahead. Every look is bounded, so reading stays linear.

/// Longest key that is looked ahead for, in letters.
const MAX_KEY: usize = 128;

/// The keys of a plan and of its filters.
const PLAN_KEYS: [&str; 4] = [
    "semanticsearchneeded",
    "semanticquery",
    "filters",
    "responseformat",
];
const FILTER_KEYS: [&str; 3] = ["field", "operator", "value"];

/// A key as models mean it: `semanticQuery`, `semantic-query` and `Semantic Query` are one.
pub(super) fn normal(key: &str) -> String {
    let letters = key.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

pub(super) fn is_plan_key(key: &str) -> bool {
    PLAN_KEYS.contains(&normal(key).as_str())
}

fn is_known(key: &str) -> bool {
    is_plan_key(key) || FILTER_KEYS.contains(&normal(key).as_str())
}

/// What closes a quote; `None` for what opens none.
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

/// The letters of a text.
#[derive(Clone, Copy)]
pub(super) struct Letters<'a>(pub(super) &'a [char]);

impl Letters<'_> {
    pub(super) fn get(self, at: usize) -> Option<char> {
        self.0.get(at).copied()
    }

    pub(super) fn starts(self, at: usize, text: &str) -> bool {
        text.chars()
            .enumerate()
            .all(|(index, letter)| self.get(at + index) == Some(letter))
    }

    pub(super) fn text(self, from: usize, to: usize) -> String {
        self.0.get(from..to).unwrap_or_default().iter().collect()
    }

    /// The place of the next letter that is no space.
    pub(super) fn past_space(self, mut at: usize) -> usize {
        while self.get(at).is_some_and(is_space) {
            at += 1;
        }
        at
    }

    /// The place behind the last letter that is no space, from there back.
    pub(super) fn before_space(self, mut at: usize) -> usize {
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

    /// The key that stands in quotes there with a colon behind it, and where the colon is.
    pub(super) fn quoted_key(self, at: usize) -> Option<(String, usize)> {
        let closers = closers(self.get(at)?)?;
        let ends = (at + 1..at + 1 + MAX_KEY)
            .take_while(|end| self.get(*end).is_some_and(|letter| letter != '\n'));
        for end in ends.filter(|end| {
            self.get(*end)
                .is_some_and(|letter| closers.contains(&letter))
        }) {
            let behind = self.past_space(end + 1);
            if self.is_colon(behind) {
                return Some((self.text(at + 1, end), behind));
            }
            // A quote before a comma or bracket ended something else.
            if matches!(self.get(behind), Some(',' | '}' | ']' | '{' | '[')) {
                return None;
            }
        }
        None
    }

    /// The key that stands there without quotes with a colon behind it, and where the colon is.
    pub(super) fn bare_key(self, at: usize) -> Option<(String, usize)> {
        let fits = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '$');
        let end = (at..at + MAX_KEY).find(|end| !self.get(*end).is_some_and(fits))?;
        let is_word = self
            .get(at)
            .is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '$'));
        // A quote that is only behind.
        let closed = end + usize::from(self.is_quote(end));
        let behind = self.past_space(closed);
        (is_word && self.is_colon(behind)).then(|| (self.text(at, end), behind))
    }

    /// A key with a colon behind it, in quotes or without; a known one also with a quote before it alone.
    pub(super) fn key(self, at: usize) -> Option<(String, usize)> {
        let half = || {
            let found = self.bare_key(at + 1).filter(|_| self.is_quote(at));
            found.filter(|(key, _)| is_known(key))
        };
        self.quoted_key(at)
            .or_else(|| self.bare_key(at))
            .or_else(half)
    }

    /// Whether a key of a plan or of a filter begins there, in quotes.
    pub(super) fn is_known_key(self, at: usize) -> bool {
        self.quoted_key(at).is_some_and(|(key, _)| is_known(&key))
    }

    fn is_colon(self, at: usize) -> bool {
        matches!(self.get(at), Some(':' | '='))
    }

    pub(super) fn is_comment(self, at: usize) -> bool {
        self.starts(at, "//") || self.starts(at, "/*") || self.starts(at, "#")
    }

    pub(super) fn is_ellipsis(self, at: usize) -> bool {
        self.starts(at, "...") || self.starts(at, "…")
    }

    pub(super) fn is_fence(self, at: usize) -> bool {
        self.starts(at, "```")
    }
}

/// Spaces, the marks of a byte order and what has no width.
pub(super) fn is_space(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '\u{FEFF}' | '\u{200B}' | '\u{200C}' | '\u{200D}' | '\u{2060}'
        )
}
