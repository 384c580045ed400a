//! Chunking: from the text of a file to its documents. It is a pure function of path and text.
//!
//! A chunk is a list of line ranges with a heading or symbol. While the file is unchanged, its text
//! is read from these lines. In a changed file the heading or symbol re-identifies the chunk.

mod asciidoc;
mod chunked_file;
mod code;
mod dates;
mod front_matter;
mod inline;
mod markdown;
mod restructured_text;
mod sections;
mod split;

pub(crate) use self::chunked_file::text_of;
pub use self::chunked_file::{Chunk, ChunkedFile, Lines, MAX_TOKENS, tokens};

use self::chunked_file::Source;
use super::metadata::MetaValue;
use ragnav_base::path::RepoPath;
use ragnav_base::position::LineIndex;
use ragnav_matching::file_role::{FileRole, describes_project, is_about_project};
use ragnav_syntax::facts::Facts;

/// The version of chunking. It increases with every change of the chunks of a file.
pub(crate) const CHUNK_VERSION: u32 = 3;

/// Chunks a file. `facts` are those of its text, if this build knows the language.
///
/// Code has a chunk for each function, method and class header, and passages for the lines outside
/// of them. A note has a chunk for each section, and any other text has passages.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::path;
/// use ragnav_agent::chunk::chunk;
///
/// let text = "# Setup\nInstall it.\n\n# Use\nRun it.\n";
/// let chunked = chunk(&path("notes.md"), text, None);
/// let headings: Vec<&str> = chunked.chunks.iter().map(|one| one.heading.as_str()).collect();
/// assert_eq!(headings, ["Setup", "Use"]);
/// ```
#[must_use]
pub fn chunk(path: &RepoPath, text: &str, facts: Option<&Facts>) -> ChunkedFile {
    let lines = LineIndex::new(text);
    let source = Source { path, text, lines };
    let mut chunked = match (NoteFormat::of(path), facts) {
        (Some(NoteFormat::Markdown), _) => markdown::chunk(&source),
        (Some(NoteFormat::RestructuredText), _) => {
            restructured_text::chunk(&source, "restructuredtext")
        }
        (Some(NoteFormat::AsciiDoc), _) => asciidoc::chunk(&source),
        // Titles of plain text are underlined in the same way.
        (Some(NoteFormat::PlainText), _) => restructured_text::chunk(&source, "text"),
        (None, Some(facts)) => code::chunk(&source, facts),
        (None, None) => chunk_text(&source),
    };
    for field in ["path", "file_path"] {
        let path = MetaValue::from(path.as_str());
        chunked.metadata.insert(field.to_owned(), path);
    }
    chunked
}

/// The format of a note, by which [`chunk`] finds its headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoteFormat {
    /// Markdown, with the front matter, tags and links of Obsidian.
    Markdown,
    /// reStructuredText.
    RestructuredText,
    /// `AsciiDoc`.
    AsciiDoc,
    /// Plain text that describes the project.
    PlainText,
}

impl NoteFormat {
    /// Returns the format of a file; `None` if it is no note.
    ///
    /// Plain text is often data, so it is a note only if its folder or its name says so:
    /// `docs/intro.txt`, `README`. Projects such as Django write reStructuredText in such files.
    #[must_use]
    pub(crate) fn of(path: &RepoPath) -> Option<Self> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.as_str() {
            "md" | "markdown" | "mdx" => Some(Self::Markdown),
            "rst" | "rest" => Some(Self::RestructuredText),
            "adoc" | "asciidoc" => Some(Self::AsciiDoc),
            "html" | "htm" => None,
            "txt" if describes_project(path) => plain_text(path),
            // A folder for documentation has styles and scripts too.
            _ if is_about_project(path) => plain_text(path),
            _ => None,
        }
    }
}

/// Returns plain text as the format of a file, unless it is code or data for a tool.
fn plain_text(path: &RepoPath) -> Option<NoteFormat> {
    let is_for_tools = FileRole::Data.has(path) || ragnav_syntax::detect_language(path).is_some();
    (!is_for_tools).then_some(NoteFormat::PlainText)
}

/// Reports whether a file has documents: code in a language of this build, and notes.
///
/// Other texts are often data, and numerous. Text search and ranked search cover them.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/agent.rs")); }
/// # use setup::path;
/// use ragnav_agent::chunk::has_documents;
///
/// assert!(has_documents(&path("shop/cart.py")));
/// assert!(!has_documents(&path("data/words.txt")));
/// ```
#[must_use]
pub fn has_documents(path: &RepoPath) -> bool {
    NoteFormat::of(path).is_some() || ragnav_syntax::detect_language(path).is_some()
}

fn chunk_text(source: &Source<'_>) -> ChunkedFile {
    let mut chunked = ChunkedFile::default();
    let all = Lines {
        start: 1,
        end: source.count(),
    };
    split::Section::default().split(source, &[all], &mut chunked.chunks);
    chunked
}

#[cfg(test)]
mod tests {
    use super::*;
    use ragnav_base::error::RagnavError;

    #[test]
    fn notes_have_a_format() -> Result<(), RagnavError> {
        for (path, format) in [
            ("guide.adoc", Some(NoteFormat::AsciiDoc)),
            ("CHANGES", Some(NoteFormat::PlainText)),
            ("data/words.txt", None),
        ] {
            assert_eq!(NoteFormat::of(&RepoPath::parse(path)?), format, "{path}");
        }
        Ok(())
    }
}
