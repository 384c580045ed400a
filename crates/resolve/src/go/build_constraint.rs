//! The constraint that says in which builds a file takes part: `//go:build linux && !cgo`.
//!
//! Source: <https://pkg.go.dev/cmd/go#hdr-Build_constraints>.

/// The tags of a build without options on a usual system. Which one does not matter, as long as one
/// of several files that declare a name is preferred everywhere.
const TAGS: [&str; 5] = ["amd64", "cgo", "gc", "linux", "unix"];

/// The longest nesting of parentheses.
const MAX_DEPTH: usize = 32;

/// Reports whether a file with this constraint takes part in a build without options. A constraint
/// that cannot be read excludes nothing.
pub(super) fn is_met(constraint: &str) -> bool {
    let mut parser = Parser {
        rest: constraint,
        depth: 0,
    };
    parser
        .any()
        .is_none_or(|met| met || !parser.rest.trim().is_empty())
}

struct Parser<'c> {
    rest: &'c str,
    depth: usize,
}

impl Parser<'_> {
    /// Reads `a || b`.
    fn any(&mut self) -> Option<bool> {
        let mut met = self.all()?;
        while self.take("||") {
            met |= self.all()?;
        }
        Some(met)
    }

    /// Reads `a && b`.
    fn all(&mut self) -> Option<bool> {
        let mut met = self.one()?;
        while self.take("&&") {
            met &= self.one()?;
        }
        Some(met)
    }

    /// Reads `a`, `!a` or `(a)`.
    fn one(&mut self) -> Option<bool> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let met = if self.take("!") {
            !self.one()?
        } else if self.take("(") {
            let met = self.any()?;
            self.take(")").then_some(met)?
        } else {
            self.tag()?
        };
        self.depth -= 1;
        Some(met)
    }

    fn tag(&mut self) -> Option<bool> {
        let text = self.rest.trim_start();
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
        let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
        let (tag, rest) = text.split_at(end);
        self.rest = rest;
        let is_release = tag.starts_with("go1.");
        (!tag.is_empty()).then(|| is_release || TAGS.contains(&tag))
    }

    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        if let Some(rest) = rest {
            self.rest = rest;
        }
        rest.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_are_evaluated() {
        for (constraint, met) in [
            ("linux", true),
            ("windows", false),
            ("!nomsgpack", true),
            ("nomsgpack", false),
            ("linux && !cgo", false),
            ("(windows || darwin) && amd64 || go1.21", true),
            ("!(linux || darwin)", false),
            // What cannot be read excludes nothing.
            ("", true),
            ("linux &&", true),
            ("windows linux", true),
            ("(windows", true),
        ] {
            assert_eq!(is_met(constraint), met, "{constraint}");
        }
        assert!(is_met(&"(".repeat(100_000)));
    }
}
