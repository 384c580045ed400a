//! The sections of a note: each heading with the lines up to the next one.

use ragnav_base::hash::HashMap;

use super::chunked_file::{Chunk, ChunkedFile, Lines, Source};
use super::split::Section;
use crate::metadata::{MetaValue, Metadata};

/// A heading and its lines.
pub(super) struct Heading {
    /// The level; the top level is 1.
    pub(super) level: u8,
    /// The text without marks.
    pub(super) text: String,
    /// The lines of the heading with its marks.
    pub(super) lines: Lines,
}

impl Heading {
    fn metadata(&self) -> Metadata {
        let level = MetaValue::from(i64::from(self.level));
        [
            ("heading", self.text.as_str().into()),
            ("level", level),
            ("kind", "section".into()),
        ]
        .map(|(field, value)| (field.to_owned(), value))
        .into()
    }
}

/// Chunks a note without front matter. The metadata names the title and the language.
pub(super) fn chunk_note(source: &Source<'_>, language: &str, headings: &[Heading]) -> ChunkedFile {
    let mut chunked = ChunkedFile::default();
    let values = [
        ("title", title_of(source, headings).into()),
        ("language", language.into()),
    ];
    let values = values.map(|(field, value)| (field.to_owned(), value));
    chunked.metadata.extend(values);
    chunk_sections(source, 1, headings, &mut chunked.chunks);
    chunked
}

/// Divides a note at its headings, from line `start`. A section ends at the next heading of any
/// level.
pub(super) fn chunk_sections(
    source: &Source<'_>,
    start: u32,
    headings: &[Heading],
    chunks: &mut Vec<Chunk>,
) {
    let first = headings.first().map(|heading| heading.lines.start);
    let before = Lines {
        start,
        end: first.map_or(source.count(), |first| first - 1),
    };
    if before.start <= before.end {
        Section::default().split(source, &[before], chunks);
    }
    let ends = headings.iter().skip(1);
    let ends = ends
        .map(|next| next.lines.start - 1)
        .chain([source.count()]);
    // The text before the first heading has an empty name too.
    let mut seen: HashMap<&str, u32> = HashMap::from_iter([("", 1)]);
    for (heading, end) in headings.iter().zip(ends) {
        let count = seen.entry(&heading.text).or_default();
        let ordinal = std::mem::replace(count, *count + 1);
        let section = Section {
            heading: heading.text.clone(),
            ordinal,
            head: Some(heading.lines),
            summary: String::new(),
            metadata: heading.metadata(),
        };
        let span = Lines {
            end,
            ..heading.lines
        };
        section.split(source, &[span], chunks);
    }
}

/// Returns the title of a note: its first heading of the top level, else the name of the file.
pub(super) fn title_of<'s>(source: &'s Source<'_>, headings: &'s [Heading]) -> &'s str {
    let mut headings = headings.iter();
    let first = headings.find(|heading| heading.level == 1 && !heading.text.is_empty());
    let name = source.path.name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    first.map_or(stem, |heading| heading.text.as_str())
}
