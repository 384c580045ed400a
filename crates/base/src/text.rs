//! Decoding the bytes of a file.

mod declared_encoding;

use std::borrow::Cow;
use std::ops::Deref;

use encoding_rs::{Encoding, UTF_8};

use self::declared_encoding::declared_encoding;
use crate::item::SkipReason;

/// The name of an encoding that is not known. The text has U+FFFD in the place of bytes that are
/// not UTF-8.
const UNKNOWN_8BIT: &str = "unknown-8bit";

/// The text of a file.
///
/// Its lines are the lines of the file, whatever the encoding.
///
/// # Examples
///
/// ```
/// use ragnav_base::text::decode;
///
/// let text = decode(b"<?xml version='1.0' encoding='latin1'?><a>\xe9</a>").unwrap();
/// assert!(text.ends_with("<a>é</a>"));
/// assert_eq!(text.encoding().as_deref(), Some("windows-1252"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedText<'b> {
    text: Cow<'b, str>,
    encoding: TextEncoding,
}

/// The encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextEncoding {
    Utf8,
    Other(&'static Encoding),
    Unknown8Bit,
}

impl DecodedText<'_> {
    /// Returns the encoding of the file unless it is UTF-8: a label of the
    /// [Encoding Standard](https://encoding.spec.whatwg.org/) in lower case, or `unknown-8bit`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::text::decode;
    ///
    /// let encoding = |bytes: &'static [u8]| decode(bytes).unwrap().encoding();
    /// assert_eq!(encoding(b"caf\xc3\xa9"), None);
    /// assert_eq!(encoding(b"# coding: latin-1\ncaf\xe9").as_deref(), Some("windows-1252"));
    /// assert_eq!(encoding(b"caf\xe9").as_deref(), Some("unknown-8bit"));
    /// ```
    #[must_use]
    pub fn encoding(&self) -> Option<String> {
        match self.encoding {
            TextEncoding::Utf8 => None,
            TextEncoding::Other(encoding) => Some(encoding.name().to_ascii_lowercase()),
            TextEncoding::Unknown8Bit => Some(UNKNOWN_8BIT.to_owned()),
        }
    }

    /// Returns the text, in memory of its own.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::text::decode;
    ///
    /// assert_eq!(decode(b"x = 1\n").unwrap().into_string(), "x = 1\n");
    /// ```
    #[must_use]
    pub fn into_string(self) -> String {
        self.text.into_owned()
    }
}

impl Deref for DecodedText<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// Decodes the bytes of a file, without its byte order mark.
///
/// The encoding is the first of these that applies:
///
/// 1. the one that a byte order mark names: UTF-8 or UTF-16;
/// 2. UTF-8, if all bytes are UTF-8, whatever the file declares;
/// 3. the one that the file declares, in a coding line, an XML declaration or a `<meta>` element;
/// 4. an unknown one: U+FFFD replaces the bytes that are not UTF-8.
///
/// # Errors
/// `binary` for a text with a NUL, as in git and ripgrep.
///
/// # Examples
///
/// ```
/// use ragnav_base::text::decode;
///
/// assert_eq!(&*decode(b"\xef\xbb\xbfa").unwrap(), "a");
/// assert_eq!(&*decode(b"\xff\xfea\0").unwrap(), "a");
/// assert_eq!(&*decode(b"# coding: latin-1\ncaf\xe9").unwrap(), "# coding: latin-1\ncafé");
/// assert_eq!(&*decode(b"caf\xe9").unwrap(), "caf\u{fffd}");
/// ```
pub fn decode(bytes: &[u8]) -> Result<DecodedText<'_>, SkipReason> {
    let marked = Encoding::for_bom(bytes);
    if let Some((encoding, mark)) = marked.filter(|(encoding, _)| *encoding != UTF_8) {
        let text = decode_as(encoding, bytes.get(mark..).unwrap_or_default());
        return if memchr::memchr(0, text.as_bytes()).is_some() {
            Err(SkipReason::Binary)
        } else {
            Ok(text)
        };
    }
    if memchr::memchr(0, bytes).is_some() {
        return Err(SkipReason::Binary);
    }
    let (rest, is_marked) = match marked {
        Some((_, mark)) => (bytes.get(mark..).unwrap_or_default(), true),
        None => (bytes, false),
    };
    if let Ok(text) = simdutf8::basic::from_utf8(rest) {
        return Ok(DecodedText {
            text: Cow::Borrowed(text),
            encoding: TextEncoding::Utf8,
        });
    }
    match declared_encoding(rest).filter(|_| !is_marked) {
        Some(encoding) => Ok(decode_as(encoding, rest)),
        None => Ok(DecodedText {
            text: String::from_utf8_lossy(rest),
            encoding: TextEncoding::Unknown8Bit,
        }),
    }
}

fn decode_as<'b>(encoding: &'static Encoding, bytes: &'b [u8]) -> DecodedText<'b> {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    DecodedText {
        text,
        encoding: TextEncoding::Other(encoding),
    }
}

/// Returns a text without the byte order mark at its start.
///
/// # Examples
///
/// ```
/// use ragnav_base::text::without_bom;
///
/// assert_eq!(without_bom("\u{feff}{}"), "{}");
/// ```
#[must_use]
pub fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text and the encoding; both are empty for a binary file.
    fn decoded(bytes: &[u8]) -> (String, Option<String>) {
        let text = decode(bytes).map(|text| (text.to_string(), text.encoding()));
        text.unwrap_or_default()
    }

    fn text(text: &str, encoding: Option<&str>) -> (String, Option<String>) {
        (text.to_owned(), encoding.map(str::to_owned))
    }

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn utf8_needs_no_declaration() {
        assert_eq!(decoded(b""), text("", None));
        assert_eq!(decoded("\u{feff}aé".as_bytes()), text("aé", None));
        assert_eq!(
            decoded("\u{feff}\u{feff}a".as_bytes()),
            text("\u{feff}a", None)
        );
        let declared = "# coding: latin-1\né";
        assert_eq!(decoded(declared.as_bytes()), text(declared, None));
    }

    #[test]
    fn a_mark_names_utf16() {
        let source = "\u{feff}aé\n😀";
        let little = utf16(source, u16::to_le_bytes);
        let big = utf16(source, u16::to_be_bytes);
        assert_eq!(decoded(&little), text("aé\n😀", Some("utf-16le")));
        assert_eq!(decoded(&big), text("aé\n😀", Some("utf-16be")));
        assert_eq!(
            decoded(b"\xff\xfea\0\0"),
            text("a\u{fffd}", Some("utf-16le"))
        );
        assert_eq!(decoded(b"\xff\xfe"), text("", Some("utf-16le")));
    }

    #[test]
    fn a_nul_is_binary() {
        assert_eq!(decode(b"a\0b"), Err(SkipReason::Binary));
        assert_eq!(decode(b"\xef\xbb\xbfa\0"), Err(SkipReason::Binary));
        // UTF-32, whose mark begins like that of UTF-16, and UTF-16 without a mark.
        assert_eq!(decode(b"\xff\xfe\0\0a\0\0\0"), Err(SkipReason::Binary));
        assert_eq!(decode(b"a\0b\0"), Err(SkipReason::Binary));
    }

    #[test]
    fn other_bytes_are_replaced() {
        let unknown = Some("unknown-8bit");
        assert_eq!(decoded(b"caf\xe9\nx"), text("caf\u{fffd}\nx", unknown));
        assert_eq!(
            decoded(b"\xef\xbb\xbfcaf\xe9"),
            text("caf\u{fffd}", unknown)
        );
        let declared = b"\xef\xbb\xbf# coding: latin-1\n\xe9";
        assert_eq!(
            decoded(declared),
            text("# coding: latin-1\n\u{fffd}", unknown)
        );
    }
}
