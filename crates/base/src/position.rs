//! Lines and columns. Lines are 1-based; columns are 0-based UTF-16 units; offsets are UTF-8 bytes.

use std::ops::Range;

/// The byte offsets at which the lines of a text begin.
///
/// `\n`, `\r\n` and a lone `\r` end a line; no other character does. A final line break opens no
/// further line, so `"a\n"` has one line and the empty text has none.
///
/// # Examples
///
/// ```
/// use ragnav_base::position::LineIndex;
///
/// let text = "def f():\r\n    pass\n";
/// let index = LineIndex::new(text);
/// assert_eq!(index.count(), 2);
/// let offset = text.find("pass").unwrap();
/// assert_eq!(index.line(text, index.line_at(offset)), "    pass");
/// ```
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<usize>,
    len: usize,
}

impl LineIndex {
    /// Finds the line starts of a text, in linear time.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::position::LineIndex;
    ///
    /// assert_eq!(LineIndex::new("a\nb").count(), 2);
    /// assert_eq!(LineIndex::new("").count(), 0);
    /// ```
    #[must_use]
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = Vec::new();
        if !bytes.is_empty() {
            starts.push(0);
        }
        if memchr::memchr(b'\r', bytes).is_none() {
            starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
        } else {
            starts.extend(
                memchr::memchr2_iter(b'\n', b'\r', bytes)
                    .filter(|&at| !is_first_half_of_crlf(bytes, at))
                    .map(|at| at + 1),
            );
        }
        if starts.last() == Some(&bytes.len()) {
            starts.pop();
        }
        Self {
            starts,
            len: bytes.len(),
        }
    }

    /// Returns the number of lines.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::position::LineIndex;
    ///
    /// // A final line break opens no further line.
    /// assert_eq!(LineIndex::new("a\nb\n").count(), 2);
    /// ```
    #[must_use]
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the line (1-based) of a byte offset: the last line for an offset past the end, and 0
    /// for an empty text.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::position::LineIndex;
    ///
    /// let index = LineIndex::new("ab\ncd\n");
    /// assert_eq!((index.line_at(2), index.line_at(3), index.line_at(99)), (1, 2, 2));
    /// ```
    #[must_use]
    pub fn line_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset)
    }

    /// Returns the byte range of a line with its line break. For a missing line it is empty, at the
    /// end of the text.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::position::LineIndex;
    ///
    /// let index = LineIndex::new("ab\ncd\n");
    /// assert_eq!(index.full_range(2), 3..6);
    /// assert_eq!(index.full_range(7), 6..6);
    /// ```
    #[must_use]
    pub fn full_range(&self, line: usize) -> Range<usize> {
        let start = line.checked_sub(1).and_then(|index| self.starts.get(index));
        let start = start.copied().unwrap_or(self.len);
        let end = self.starts.get(line).copied().unwrap_or(self.len);
        start..end.max(start)
    }

    /// Returns the text of a line without its line break, or `""` for a missing line.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::position::LineIndex;
    ///
    /// let text = "ab\r\ncd";
    /// let index = LineIndex::new(text);
    /// assert_eq!((index.line(text, 1), index.line(text, 3)), ("ab", ""));
    /// ```
    #[must_use]
    pub fn line<'t>(&self, text: &'t str, line: usize) -> &'t str {
        let full = text.get(self.full_range(line)).unwrap_or_default();
        let cut = full.strip_suffix('\n').unwrap_or(full);
        cut.strip_suffix('\r').unwrap_or(cut)
    }
}

fn is_first_half_of_crlf(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n')
}

/// Returns the length of a text in UTF-16 units.
///
/// # Examples
///
/// ```
/// use ragnav_base::position::utf16_len;
///
/// assert_eq!(utf16_len("é😀b"), 4);
/// ```
#[must_use]
pub fn utf16_len(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(char::len_utf16).sum()
}

/// Returns the byte offset of a UTF-16 column, or the length of the line for a larger column.
///
/// # Examples
///
/// ```
/// use ragnav_base::position::byte_at_utf16;
///
/// assert_eq!(byte_at_utf16("é😀b", 3), 6);
/// ```
#[must_use]
pub fn byte_at_utf16(line: &str, column: usize) -> usize {
    let mut units = 0;
    let reached = line.char_indices().find(|(_, letter)| {
        let before = units;
        units += letter.len_utf16();
        before >= column
    });
    reached.map_or(line.len(), |(at, _)| at)
}

/// Returns the largest character boundary that is not above `at`, or the length of the text.
///
/// # Examples
///
/// ```
/// use ragnav_base::position::floor_char_boundary;
///
/// // `é` has two bytes.
/// assert_eq!(floor_char_boundary("aé", 2), 1);
/// assert_eq!(floor_char_boundary("aé", 9), 3);
/// ```
#[must_use]
pub fn floor_char_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or_default()
}

/// Converts a size to the `u32` of the wire. A size above `u32::MAX` cannot occur below the file
/// size limit.
///
/// # Examples
///
/// ```
/// use ragnav_base::position::wire;
///
/// assert_eq!(wire("total".len()), 5);
/// ```
#[must_use]
pub fn wire(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&str> {
        let index = LineIndex::new(text);
        (1..=index.count())
            .map(|line| index.line(text, line))
            .collect()
    }

    #[test]
    fn every_kind_of_line_break() {
        assert_eq!(lines("a\nb\r\nc\rd"), ["a", "b", "c", "d"]);
        assert_eq!(
            lines("a\u{2028}b\u{b}c\u{c}d\u{85}"),
            ["a\u{2028}b\u{b}c\u{c}d\u{85}"]
        );
    }

    #[test]
    fn a_final_break_opens_no_line() {
        assert_eq!(lines("a\n"), ["a"]);
        assert_eq!(lines("\n"), [""]);
        assert_eq!(lines("a\r\n\r\n"), ["a", ""]);
        assert!(lines("").is_empty());
    }

    #[test]
    fn offsets_belong_to_lines() {
        let index = LineIndex::new("ab\r\ncd\n");
        let at: Vec<_> = (0..8).map(|offset| index.line_at(offset)).collect();
        assert_eq!(at, [1, 1, 1, 1, 2, 2, 2, 2]);
        assert_eq!(LineIndex::new("").line_at(0), 0);
    }

    #[test]
    fn letters_are_not_cut() {
        let starts: Vec<_> = (0..7).map(|at| floor_char_boundary("aé😀", at)).collect();
        assert_eq!(starts, [0, 1, 1, 3, 3, 3, 3]);
        assert_eq!(floor_char_boundary("aé", 9), 3);
    }

    #[test]
    fn counts_utf16_units() {
        assert_eq!(utf16_len("aé😀"), 4);
        let bytes: Vec<_> = (0..6)
            .map(|column| byte_at_utf16("aé😀b", column))
            .collect();
        assert_eq!(bytes, [0, 1, 3, 7, 7, 8]);
    }
}
