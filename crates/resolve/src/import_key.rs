//! How importers of a file are found by the text of their specifiers.

/// The [`import_key`] of a specifier that ends in dots.
pub const HERE: &str = ".";

/// Stands for the [`import_key`] of every specifier.
pub const ANY: &str = "*";

/// Extensions that a specifier may have or leave out; the longer ones first.
const EXTENSIONS: [&str; 11] = [
    "d.ts", "d.mts", "d.cts", "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs",
];

/// What `foo.d` leaves out of `foo.d.ts`.
const DECLARATION: &str = "d";

/// The last segment of a specifier without its extensions: `a.js` may mean `a.ts` as well as `a.js.ts`, so that all of them go.
#[must_use]
pub fn import_key(specifier: &str) -> &str {
    let specifier = specifier.split('?').next().unwrap_or(specifier);
    let trimmed = specifier.trim_end_matches('/');
    let last = trimmed.rsplit('/').next().unwrap_or(trimmed);
    if matches!(last, "." | "..") {
        return HERE;
    }
    let mut key = last;
    while let Some(shorter) = without(key, &EXTENSIONS).or_else(|| without(key, &[DECLARATION])) {
        key = shorter;
    }
    key
}

/// A file's name or path without its extension.
pub(super) fn without_extension(name: &str) -> &str {
    without(name, &EXTENSIONS).unwrap_or(name)
}

fn without<'n>(name: &'n str, extensions: &[&str]) -> Option<&'n str> {
    extensions.iter().find_map(|extension| {
        let stem = name.strip_suffix(extension)?.strip_suffix('.')?;
        (!stem.is_empty()).then_some(stem)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_leave_out_what_specifiers_may_leave_out() {
        for (specifier, key) in [
            ("./foo.d", "foo"),
            ("foo.d.ts", "foo"),
            ("./a.js", "a"),
            ("a.js.ts", "a"),
            ("./a.test", "a.test"),
            ("a.test.ts", "a.test"),
            ("d.ts", "d"),
            ("./lib//", "lib"),
            ("..", HERE),
            ("./a?raw", "a"),
            ("#main", "#main"),
        ] {
            assert_eq!(import_key(specifier), key, "{specifier}");
        }
    }
}
