//! Decoding the bytes of a file.

use crate::item::SkipReason;

/// Decodes the bytes of a file, without its byte order mark.
///
/// # Errors
/// `binary` for bytes with a NUL, as in git and ripgrep, and `not_utf8` for other encodings.
///
/// ```
/// assert_eq!(ragnav_base::text::decode(b"\xef\xbb\xbfa"), Ok("a"));
/// ```
pub fn decode(bytes: &[u8]) -> Result<&str, SkipReason> {
    if memchr::memchr(0, bytes).is_some() {
        return Err(SkipReason::Binary);
    }
    let text = simdutf8::basic::from_utf8(bytes).map_err(|_| SkipReason::NotUtf8)?;
    Ok(without_bom(text))
}

/// Returns a text without the byte order mark at its start.
#[must_use]
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_its_faults() {
        assert_eq!(decode("\u{feff}aé".as_bytes()), Ok("aé"));
        assert_eq!(decode(b""), Ok(""));
        assert_eq!(decode(b"a\0b"), Err(SkipReason::Binary));
        assert_eq!(decode(b"caf\xe9"), Err(SkipReason::NotUtf8));
    }
}
