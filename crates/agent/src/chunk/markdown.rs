//! Chunking Markdown by its headings. A section ends at the next heading of any level.
//!
//! Source: `CommonMark` 0.31 for ATX and setext headings and for code fences. Tags and links follow
//! Obsidian.

use super::chunked_file::{ChunkedFile, Lines, Source};
use super::dates;
use super::front_matter::FrontMatter;
use super::inline::{tags, wikilinks, without_code};
use super::sections::{Heading, chunk_sections, title_of};
use crate::metadata::MetaValue;

const CREATED: &[&str] = &["created_date", "created", "created_at", "date"];
const MODIFIED: &[&str] = &[
    "modified_date",
    "modified",
    "modified_at",
    "updated",
    "updated_at",
    "last_modified",
];

pub(super) fn chunk(source: &Source<'_>) -> ChunkedFile {
    let lines = (1..=source.count()).map(|line| source.line(line));
    let front = FrontMatter::read(lines);
    let body = Body::read(source, front.lines + 1);
    let mut chunked = ChunkedFile::default();
    chunked.set_note_metadata(source, &front, &body);
    chunk_sections(source, front.lines + 1, &body.headings, &mut chunked.chunks);
    chunked
}

impl ChunkedFile {
    /// Sets the metadata of the whole note.
    fn set_note_metadata(&mut self, source: &Source<'_>, front: &FrontMatter, body: &Body) {
        let stated = front.get(&["title"]).and_then(|title| title.text());
        let title = stated.unwrap_or_else(|| title_of(source, &body.headings));
        let mut tags: Vec<String> = Vec::new();
        if let Some(value) = front.get(&["tags", "tag", "keywords"]) {
            let items = value.items().into_iter();
            tags.extend(items.flat_map(|item| {
                let words = item
                    .split_whitespace()
                    .map(|tag| tag.trim_start_matches('#').to_owned());
                words.collect::<Vec<_>>()
            }));
        }
        tags.extend(body.tags.iter().cloned());
        let mut links: Vec<String> = Vec::new();
        if let Some(value) = front.get(&["wikilinks", "links", "related"]) {
            links.extend(value.items().iter().flat_map(|item| wikilinks(item)));
        }
        links.extend(body.links.iter().cloned());
        let values = [
            ("title", title.into()),
            ("tags", MetaValue::texts(deduplicate(tags))),
            ("wikilinks", MetaValue::texts(deduplicate(links))),
            ("language", "markdown".into()),
        ];
        let values = values.map(|(field, value)| (field.to_owned(), value));
        self.metadata.extend(values);
        for (field, names) in [("created_date", CREATED), ("modified_date", MODIFIED)] {
            let date = front.get(names).and_then(|date| dates::parse(date.text()?));
            if let Some((at, is_local)) = date {
                self.metadata.insert(field.to_owned(), at.into());
                self.local_dates.extend(is_local.then(|| field.to_owned()));
            }
        }
    }
}

/// Removes duplicate and empty texts, and keeps the order.
fn deduplicate(mut texts: Vec<String>) -> Vec<String> {
    let mut seen = ragnav_base::hash::HashSet::default();
    texts.retain(|text| !text.is_empty() && seen.insert(text.clone()));
    texts
}

/// The headings, tags and links behind the front matter.
#[derive(Default)]
struct Body {
    headings: Vec<Heading>,
    tags: Vec<String>,
    links: Vec<String>,
}

impl Body {
    fn read(source: &Source<'_>, first: u32) -> Self {
        let mut body = Self::default();
        let mut fence: Option<&str> = None;
        // The first line of a paragraph that may be the text of a setext heading.
        let mut paragraph: Option<u32> = None;
        for number in first..=source.count() {
            let line = source.line(number);
            if let Some(open) = fence {
                fence = (!closes_fence(line, open)).then_some(open);
                continue;
            }
            if let Some(open) = opening_fence(line) {
                (fence, paragraph) = (Some(open), None);
                continue;
            }
            let is_code =
                paragraph.is_none() && (line.starts_with("    ") || line.starts_with('\t'));
            if is_code || line.trim().is_empty() {
                paragraph = None;
                continue;
            }
            if let Some((level, text)) = atx_heading(line) {
                body.add_line(line);
                body.add_heading(level, text, number, number);
                paragraph = None;
                continue;
            }
            if let Some((start, level)) = paragraph.zip(underline_level(line)) {
                let text: Vec<&str> = (start..number)
                    .map(|line| source.line(line).trim())
                    .collect();
                body.add_heading(level, &text.join(" "), start, number);
                paragraph = None;
                continue;
            }
            body.add_line(line);
            paragraph = (!cannot_be_heading(line)).then(|| paragraph.unwrap_or(number));
        }
        body
    }

    fn add_heading(&mut self, level: u8, text: &str, start: u32, end: u32) {
        self.headings.push(Heading {
            level,
            text: text.to_owned(),
            lines: Lines { start, end },
        });
    }

    fn add_line(&mut self, line: &str) {
        let line = without_code(line);
        self.links.extend(wikilinks(&line));
        let mut outside = line.into_owned();
        // Behind `#` inside a link is a heading and not a tag.
        while let Some((before, behind)) = outside.split_once("[[")
            && let Some((_, behind)) = behind.split_once("]]")
        {
            outside = format!("{before} {behind}");
        }
        self.tags.extend(tags(&outside).map(str::to_owned));
    }
}

/// Returns a line without its indentation, or `None` if the indentation makes it a code block.
fn strip_indent(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(' ');
    (line.len() - bare.len() < 4).then_some(bare)
}

fn atx_heading(line: &str) -> Option<(u8, &str)> {
    let bare = strip_indent(line)?;
    let rest = bare.trim_start_matches('#');
    let level = u8::try_from(bare.len() - rest.len()).ok()?;
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']));
    let text = rest.trim();
    let unclosed = text.trim_end_matches('#');
    let text = match unclosed.chars().next_back() {
        None | Some(' ' | '\t') => unclosed.trim_end(),
        Some(_) => text,
    };
    is_heading.then_some((level, text))
}

fn underline_level(line: &str) -> Option<u8> {
    let bare = strip_indent(line)?.trim_end();
    let all = |sign: char| !bare.is_empty() && bare.chars().all(|letter| letter == sign);
    match (all('='), all('-')) {
        (true, _) => Some(1),
        (_, true) => Some(2),
        _ => None,
    }
}

/// Reports whether a line belongs to a block that an underline cannot make a heading: a quote, a
/// list or a table.
fn cannot_be_heading(line: &str) -> bool {
    let bare = line.trim_start();
    let digits = bare.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = digits.len() < bare.len() && digits.starts_with([')', '.']);
    is_numbered
        || bare.starts_with(['>', '|'])
        || ["- ", "* ", "+ "].iter().any(|mark| bare.starts_with(mark))
}

/// Returns the fence that a line opens.
fn opening_fence(line: &str) -> Option<&str> {
    let bare = strip_indent(line)?;
    for sign in ['`', '~'] {
        let rest = bare.trim_start_matches(sign);
        let length = bare.len() - rest.len();
        if length >= 3 && !(sign == '`' && rest.contains('`')) {
            return bare.get(..length);
        }
    }
    None
}

fn closes_fence(line: &str, open: &str) -> bool {
    let Some(bare) = strip_indent(line) else {
        return false;
    };
    let bare = bare.trim_end();
    bare.starts_with(open) && bare.chars().all(|letter| open.starts_with(letter))
}
