//! Edits of a file's text, and the bytes of the file with them.

use serde::{Deserialize, Serialize};

use crate::error::RagnavError;
use crate::position::{LineIndex, byte_at_utf16, utf16_len};
use crate::text;

/// The bytes that mark a file as UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A part of a text that gets another text. An edit without an old text inserts; after the last line
/// break of a text, it stands on the line after the last one.
///
/// # Examples
///
/// ```
/// use ragnav_base::text_edit::TextEdit;
///
/// let json = r#"{"line": 1, "start_utf16": 4, "old_text": "total", "new_text": "price"}"#;
/// let edit: TextEdit = serde_json::from_str(json).unwrap();
/// assert_eq!(edit.new_text, "price");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct TextEdit {
    /// The line, from 1.
    pub line: u32,
    /// The column at which the old text begins.
    pub start_utf16: u32,
    /// The text that the edit replaces, with its line breaks as the file has them.
    pub old_text: String,
    /// The text in its place.
    pub new_text: String,
}

/// Returns the bytes of a file with some edits, in any order. Line breaks and a byte order mark
/// stay.
///
/// # Errors
/// `INVALID_ARGUMENT` if the file is not UTF-8, if the old text of an edit is not at its place, and
/// if edits overlap.
///
/// # Examples
///
/// ```
/// use ragnav_base::text_edit::{TextEdit, edited_bytes};
///
/// let edit = |line, start_utf16| TextEdit {
///     line,
///     start_utf16,
///     old_text: "total".to_owned(),
///     new_text: "price".to_owned(),
/// };
/// let text = b"def total(): pass\r\ntotal()\r\n";
/// let edited = edited_bytes(text, &[edit(2, 0), edit(1, 4)]).unwrap();
/// assert_eq!(edited, b"def price(): pass\r\nprice()\r\n");
/// assert!(edited_bytes(text, &[edit(2, 1)]).is_err());
/// ```
pub fn edited_bytes(bytes: &[u8], edits: &[TextEdit]) -> Result<Vec<u8>, RagnavError> {
    let decoded = text::decode(bytes)
        .ok()
        .filter(|decoded| decoded.encoding().is_none());
    let Some(decoded) = decoded else {
        let message = "only files in UTF-8 can be edited; convert this one first";
        return Err(RagnavError::invalid(message));
    };
    let mut edited = Vec::with_capacity(bytes.len());
    if bytes.starts_with(BYTE_ORDER_MARK) {
        edited.extend(BYTE_ORDER_MARK);
    }
    edited.extend(edited_text(&decoded, edits)?.into_bytes());
    Ok(edited)
}

fn edited_text(text: &str, edits: &[TextEdit]) -> Result<String, RagnavError> {
    let lines = LineIndex::new(text);
    let mut edits: Vec<&TextEdit> = edits.iter().collect();
    edits.sort_unstable();
    let mut edited = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        let start = start_of(text, &lines, edit).filter(|start| *start >= done);
        let Some(start) = start else {
            let (line, column) = (edit.line, edit.start_utf16 + 1);
            let message = format!(
                "{:?} is not at line {line}, column {column}, or edits overlap there; plan the edits again",
                edit.old_text
            );
            return Err(RagnavError::invalid(message));
        };
        edited.push_str(text.get(done..start).unwrap_or_default());
        edited.push_str(&edit.new_text);
        done = start + edit.old_text.len();
    }
    edited.push_str(text.get(done..).unwrap_or_default());
    Ok(edited)
}

/// Returns the byte at which the old text of an edit begins, if it is there.
fn start_of(text: &str, lines: &LineIndex, edit: &TextEdit) -> Option<usize> {
    let line = edit.line as usize;
    let last = lines.count() + usize::from(text.is_empty() || text.ends_with(['\n', '\r']));
    if line == 0 || line > last {
        return None;
    }
    let column = edit.start_utf16 as usize;
    let content = lines.line(text, line);
    let within = byte_at_utf16(content, column);
    let is_at_column = utf16_len(content.get(..within)?) == column;
    let start = lines.full_range(line).start + within;
    let has_text = text.get(start..)?.starts_with(&edit.old_text);
    (is_at_column && has_text).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str, (line, start_utf16): (u32, u32), old: &str, new: &str) -> Option<String> {
        let edit = TextEdit {
            line,
            start_utf16,
            old_text: old.to_owned(),
            new_text: new.to_owned(),
        };
        let bytes = edited_bytes(text.as_bytes(), &[edit]).ok()?;
        String::from_utf8(bytes).ok()
    }

    #[test]
    fn an_edit_may_span_lines() {
        let text = "a\r\nb\r\nc\r\n";
        assert_eq!(
            edited(text, (2, 0), "b\r\nc", "d").as_deref(),
            Some("a\r\nd\r\n")
        );
        assert_eq!(edited(text, (2, 0), "b\nc", "d"), None);
    }

    #[test]
    fn a_text_is_added_at_the_end() {
        assert_eq!(edited("", (1, 0), "", "a\n").as_deref(), Some("a\n"));
        assert_eq!(edited("a\n", (2, 0), "", "b\n").as_deref(), Some("a\nb\n"));
        assert_eq!(edited("a", (1, 1), "", "\nb").as_deref(), Some("a\nb"));
        assert_eq!(edited("a", (2, 0), "", "b"), None);
        assert_eq!(edited("a\n", (3, 0), "", "b"), None);
    }
}
