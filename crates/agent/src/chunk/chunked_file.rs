//! The chunks of a file, and the lines that they consist of.

use crate::metadata::Metadata;
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, wire};

/// The largest chunk in [`tokens`]. A single longer line is a chunk of its own.
pub const MAX_TOKENS: usize = 512;

/// The bytes of a token, by the rule of thumb of four characters a token.
pub(super) const TOKEN_BYTES: usize = 4;

/// Estimates the number of tokens of a text: one for every four bytes.
///
/// # Examples
///
/// ```
/// assert_eq!(ragnav_agent::chunk::tokens("hello"), 2);
/// ```
#[must_use]
pub fn tokens(text: &str) -> usize {
    text.len().div_ceil(TOKEN_BYTES)
}

/// A range of lines, 1-based and inclusive.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::path;
/// use ragnav_agent::chunk::{Lines, chunk};
///
/// let chunked = chunk(&path("notes.md"), "# Setup\nInstall it.\n", None);
/// assert_eq!(chunked.chunks[0].lines, [Lines { start: 1, end: 2 }]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Lines {
    /// The first line.
    pub start: u32,
    /// The last line.
    pub end: u32,
}

/// The chunks of a file.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::path;
/// use ragnav_agent::chunk::chunk;
/// use ragnav_agent::metadata::text;
///
/// let chunked = chunk(&path("notes.md"), "# Setup\nInstall it.\n", None);
/// assert_eq!(chunked.chunks.len(), 1);
/// assert_eq!(text(&chunked.metadata, "file_path"), Some("notes.md"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChunkedFile {
    /// The metadata that all chunks share.
    pub metadata: Metadata,
    /// The date fields without a time zone; their values are computed as if in UTC.
    pub local_dates: Vec<String>,
    /// The chunks, in the order of the text.
    pub chunks: Vec<Chunk>,
}

/// A piece of a file for retrieval.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::path;
/// use ragnav_agent::chunk::chunk;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "def total():\n    \"\"\"Adds up.\"\"\"\n    return 0\n";
/// let facts = extract_facts(find_language("python").unwrap(), text);
/// let chunked = chunk(&path("cart.py"), text, Some(&facts));
/// let function = &chunked.chunks[0];
/// assert_eq!((function.heading.as_str(), function.summary.as_str()), ("total", "Adds up."));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// The heading, or the name path of a definition; empty outside of both.
    pub heading: String,
    /// The number of this heading among equal ones in the file, from 0.
    pub ordinal: u32,
    /// The number of this part, from 0, if the section was too long for one chunk.
    pub part: u32,
    /// The lines that later parts repeat for context: the heading or the signature.
    pub head: Option<Lines>,
    /// The lines of the chunk, in order; at least one range.
    pub lines: Vec<Lines>,
    /// The first line of the docstring, in the first part of a definition; otherwise empty.
    pub summary: String,
    /// The metadata of this chunk alone.
    pub metadata: Metadata,
}

impl Chunk {
    /// Returns the unique name of the chunk in its file: `Heading`, `Heading~1` for the second of
    /// that name, `Heading/1` for its second part. Edits elsewhere in the file change it only if
    /// headings are equal.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
    /// # use setup::path;
    /// use ragnav_agent::chunk::chunk;
    ///
    /// let chunked = chunk(&path("notes.md"), "# Setup\nOnce.\n\n# Setup\nTwice.\n", None);
    /// let names: Vec<String> = chunked.chunks.iter().map(|one| one.name()).collect();
    /// assert_eq!(names, ["Setup", "Setup~1"]);
    /// ```
    #[must_use]
    pub fn name(&self) -> String {
        let Self {
            heading,
            ordinal,
            part,
            ..
        } = self;
        match (ordinal, part) {
            // A heading with these characters gets both numbers, so that it differs from all
            // others.
            _ if heading.contains(['~', '/']) => format!("{heading}~{ordinal}/{part}"),
            (0, 0) => heading.clone(),
            (0, part) => format!("{heading}/{part}"),
            (ordinal, 0) => format!("{heading}~{ordinal}"),
            (ordinal, part) => format!("{heading}~{ordinal}/{part}"),
        }
    }

    /// Returns the text: the repeated lines, then its own, with `\n` as line break.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
    /// # use setup::path;
    /// use ragnav_agent::chunk::chunk;
    /// use ragnav_base::position::LineIndex;
    ///
    /// let text = "# Setup\r\nInstall it.\r\n";
    /// let chunked = chunk(&path("notes.md"), text, None);
    /// let own = chunked.chunks[0].text(text, &LineIndex::new(text));
    /// assert_eq!(own, "# Setup\nInstall it.");
    /// ```
    #[must_use]
    pub fn text(&self, file: &str, lines: &LineIndex) -> String {
        text_of(file, lines, self.head, &self.lines)
    }
}

/// Returns the text of lines of a file, those of `head` first, with `\n` as line break.
#[must_use]
pub(crate) fn text_of(file: &str, lines: &LineIndex, head: Option<Lines>, own: &[Lines]) -> String {
    let mut text = String::new();
    for Lines { start, end } in head.iter().chain(own) {
        for line in *start..=*end {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(lines.line(file, line as usize));
        }
    }
    text
}

/// A text that is chunked.
pub(super) struct Source<'s> {
    pub(super) path: &'s RepoPath,
    pub(super) text: &'s str,
    pub(super) lines: LineIndex,
}

impl Source<'_> {
    /// Returns the text of a line without its line break.
    pub(super) fn line(&self, line: u32) -> &str {
        self.lines.line(self.text, line as usize)
    }

    /// Returns the number of lines.
    pub(super) fn count(&self) -> u32 {
        wire(self.lines.count())
    }
}
