//! Reads strings of TOML.

/// Returns the text between the quotes with which a value begins.
pub(super) fn quoted_text(value: &str) -> Option<&str> {
    let is_quote = |first: &char| matches!(first, '"' | '\'');
    let quote = value.chars().next().filter(is_quote)?;
    value.get(1..)?.split(quote).next()
}
