//! Computes the keys by which the importers of a file are found.

/// The key of a specifier that ends in dots: `..`.
pub const FOLDER_KEY: &str = ".";

/// The key that matches every specifier.
pub const WILDCARD_KEY: &str = "*";

/// Extensions that a specifier may have or omit, the longer ones first.
const EXTENSIONS: [&str; 12] = [
    "d.ts", "d.mts", "d.cts", "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue",
];

/// The rest of `.d.ts` in specifiers such as `foo.d`.
const DECLARATION: &str = "d";

/// Returns the last segment of a specifier without its extensions.
///
/// All extensions are stripped, since `a.js` may refer to `a.ts` as well as to `a.js.ts`.
///
/// # Examples
///
/// ```
/// use ragnav_resolve::import_key::import_key;
///
/// assert_eq!(import_key("./lib/a.d.ts"), "a");
/// ```
#[must_use]
pub fn import_key(specifier: &str) -> &str {
    let specifier = specifier.split('?').next().unwrap_or(specifier);
    let trimmed = specifier.trim_end_matches('/');
    let last = trimmed.rsplit('/').next().unwrap_or(trimmed);
    if matches!(last, "." | "..") {
        return FOLDER_KEY;
    }
    let mut key = last;
    while let Some(shorter) = without(key, &EXTENSIONS).or_else(|| without(key, &[DECLARATION])) {
        key = shorter;
    }
    key
}

/// Strips the extension of a file name or path.
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
            ("..", FOLDER_KEY),
            ("./a?raw", "a"),
            ("#main", "#main"),
        ] {
            assert_eq!(import_key(specifier), key, "{specifier}");
        }
    }
}
