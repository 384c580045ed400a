//! How importers of a file are found by the text of their specifiers.

/// The [`import_key`] of a specifier that ends in dots.
pub const HERE: &str = ".";

/// Extensions that a specifier may have or leave out; the longer ones first.
const EXTENSIONS: [&str; 11] = [
    "d.ts", "d.mts", "d.cts", "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs",
];

/// The last segment of a specifier without its extension.
#[must_use]
pub fn import_key(specifier: &str) -> &str {
    let specifier = specifier.split('?').next().unwrap_or(specifier);
    let trimmed = specifier.trim_end_matches('/');
    let last = trimmed.rsplit('/').next().unwrap_or(trimmed);
    if matches!(last, "." | "..") {
        return HERE;
    }
    without_extension(last)
}

/// A file's name or path without its extension.
pub(super) fn without_extension(name: &str) -> &str {
    let found = EXTENSIONS.iter().find_map(|extension| {
        let stem = name.strip_suffix(extension)?.strip_suffix('.')?;
        (!stem.is_empty()).then_some(stem)
    });
    found.unwrap_or(name)
}
