//! From the text of a file to the documents that a store holds of it: a pure function of its path and text.
//!
//! A chunk is some lines of its file and what it is a chunk of, so that its text can be read from the file for as long as that is as it was,
//! and the chunk be found again by its heading or symbol where it is not.

mod code;
mod dates;
mod front_matter;
mod inline;
mod markdown;
mod split;

use super::metadata::{MetaValue, Metadata};
use ragnav_base::path::RepoPath;
use ragnav_base::position::LineIndex;
use ragnav_syntax::facts::Facts;

/// How many tokens a chunk has at most, by [`tokens`], unless a single line has more.
pub const MAX_TOKENS: usize = 512;

/// How many bytes of text count as a token. Source: the rule of thumb of four letters a token.
const TOKEN_BYTES: usize = 4;

/// Raised with every change of what a file is divided into.
pub const CHUNK_VERSION: u32 = 1;

/// About how many tokens a language model takes a text for: one for every four bytes.
#[must_use]
pub fn tokens(text: &str) -> usize {
    text.len().div_ceil(TOKEN_BYTES)
}

/// Lines of a file, 1-based and inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Lines {
    /// The first one.
    pub start: u32,
    /// The last one.
    pub end: u32,
}

/// What a file is divided into.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chunked {
    /// What is known of all of its chunks.
    pub metadata: Metadata,
    /// Fields of it that are dates without a time zone, given as if they were in UTC.
    pub local_dates: Vec<String>,
    /// The chunks, in the order of the text.
    pub chunks: Vec<Chunk>,
}

/// A part of a file that is read by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// What it is of: a heading, or the names that lead to a definition; empty for what is outside of both.
    pub heading: String,
    /// Which of the things of that name in the file it is of, from 0.
    pub ordinal: u32,
    /// Which part of it, from 0, where it was too long for one chunk.
    pub part: u32,
    /// Lines that a later part repeats, for what it is of to be seen.
    pub head: Option<Lines>,
    /// Its own lines, in order, at least one span.
    pub lines: Vec<Lines>,
    /// The first line of a definition's docstring, in its first part; else empty.
    pub summary: String,
    /// What is known of it alone.
    pub metadata: Metadata,
}

impl Chunk {
    /// What it is called within its file: `Heading`, `Heading~1` for the second of that name, `Heading/1` for its second part. No other
    /// chunk of the file is called so, and an edit elsewhere in the file changes it only where names are alike.
    #[must_use]
    pub fn name(&self) -> String {
        let Self {
            heading,
            ordinal,
            part,
            ..
        } = self;
        match (ordinal, part) {
            // What looks like a number of ours is told from one by numbers behind it.
            _ if heading.contains(['~', '/']) => format!("{heading}~{ordinal}/{part}"),
            (0, 0) => heading.clone(),
            (0, part) => format!("{heading}/{part}"),
            (ordinal, 0) => format!("{heading}~{ordinal}"),
            (ordinal, part) => format!("{heading}~{ordinal}/{part}"),
        }
    }

    /// Its text: the repeated lines, then its own, line breaks as `\n`.
    #[must_use]
    pub fn text(&self, file: &str, lines: &LineIndex) -> String {
        text_of(file, lines, self.head, &self.lines)
    }
}

/// The text of some lines of a file, those of `head` first, line breaks as `\n`.
#[must_use]
pub fn text_of(file: &str, lines: &LineIndex, head: Option<Lines>, own: &[Lines]) -> String {
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

/// Divides a file. `facts` are those of its text, where it is in a language of this build.
///
/// Code becomes a chunk for each function, method and head of a class, and passages of what is outside of them; Markdown one for each section;
/// any other text passages.
#[must_use]
pub fn chunk(path: &RepoPath, text: &str, facts: Option<&Facts>) -> Chunked {
    let lines = LineIndex::new(text);
    let source = Source { path, text, lines };
    let mut chunked = if is_markdown(path) {
        markdown::chunk(&source)
    } else if let Some(facts) = facts {
        code::chunk(&source, facts)
    } else {
        plain(&source)
    };
    for field in ["path", "file_path"] {
        let path = MetaValue::from(path.as_str());
        chunked.metadata.insert(field.to_owned(), path);
    }
    chunked
}

/// Whether a file is one that [`chunk`] divides by its headings.
#[must_use]
pub fn is_markdown(path: &RepoPath) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["md", "markdown", "mdx"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

/// Whether a file becomes documents at all: code in a language of this build, and Markdown.
///
/// Other texts are data as often as prose, and many: they stay with the search by lines and by rank.
#[must_use]
pub fn is_divided(path: &RepoPath) -> bool {
    is_markdown(path) || ragnav_syntax::detect_language(path).is_some()
}

/// A text that is divided.
struct Source<'s> {
    path: &'s RepoPath,
    text: &'s str,
    lines: LineIndex,
}

impl Source<'_> {
    /// The text of a line without its line break.
    fn line(&self, line: u32) -> &str {
        self.lines.line(self.text, line as usize)
    }

    fn count(&self) -> u32 {
        ragnav_base::position::wire(self.lines.count())
    }
}

fn plain(source: &Source<'_>) -> Chunked {
    let mut chunked = Chunked::default();
    let all = Lines {
        start: 1,
        end: source.count(),
    };
    split::Piece::default().split(source, &[all], &mut chunked.chunks);
    chunked
}
