//! Markdown, by its headings: a section ends where the next one begins.
//!
//! Source: `CommonMark` 0.31, for ATX and setext headings and for fences. Tags and links are those of Obsidian.

use std::collections::HashMap;

use super::front_matter::FrontMatter;
use super::inline::{tags, wikilinks, without_code};
use super::split::Piece;
use super::{Chunked, Lines, Source, dates};
use crate::metadata::{MetaValue, Metadata};

const CREATED: &[&str] = &["created_date", "created", "created_at", "date"];
const MODIFIED: &[&str] = &[
    "modified_date",
    "modified",
    "modified_at",
    "updated",
    "updated_at",
    "last_modified",
];

/// A heading, and where it stands.
struct Heading {
    level: u8,
    text: String,
    lines: Lines,
}

pub(super) fn chunk(source: &Source<'_>) -> Chunked {
    let lines = (1..=source.count()).map(|line| source.line(line));
    let front = FrontMatter::read(lines);
    let body = Body::read(source, front.lines + 1);
    let mut chunked = Chunked::default();
    chunked.note(source, &front, &body);
    let first = body.headings.first().map(|heading| heading.lines.start);
    let before = Lines {
        start: front.lines + 1,
        end: first.map_or(source.count(), |first| first - 1),
    };
    if before.start <= before.end {
        Piece::default().split(source, &[before], &mut chunked.chunks);
    }
    let ends = body.headings.iter().skip(1);
    let ends = ends
        .map(|next| next.lines.start - 1)
        .chain([source.count()]);
    // What stands before the first heading has no name either.
    let mut seen: HashMap<&str, u32> = HashMap::from([("", 1)]);
    for (heading, end) in body.headings.iter().zip(ends) {
        let count = seen.entry(&heading.text).or_default();
        let ordinal = std::mem::replace(count, *count + 1);
        let piece = Piece {
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
        piece.split(source, &[span], &mut chunked.chunks);
    }
    chunked
}

impl Chunked {
    /// Notes what is known of the note as a whole.
    fn note(&mut self, source: &Source<'_>, front: &FrontMatter, body: &Body) {
        let stem = source.path.name();
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let mut headings = body.headings.iter();
        let first = headings.find(|heading| heading.level == 1 && !heading.text.is_empty());
        let told = front.get(&["title"]).and_then(|title| title.text());
        let title = told.or(first.map(|heading| heading.text.as_str()));
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
            ("title", title.unwrap_or(stem).into()),
            ("tags", MetaValue::texts(distinct(tags))),
            ("wikilinks", MetaValue::texts(distinct(links))),
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

/// The first of each, in order; no empty ones.
fn distinct(mut texts: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    texts.retain(|text| !text.is_empty() && seen.insert(text.clone()));
    texts
}

impl Heading {
    fn metadata(&self) -> Metadata {
        let level = MetaValue::from(f64::from(self.level));
        [
            ("heading", self.text.as_str().into()),
            ("level", level),
            ("kind", "section".into()),
        ]
        .map(|(field, value)| (field.to_owned(), value))
        .into()
    }
}

/// What the lines behind the front matter hold.
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
        // The line before, where it could be the text of a setext heading.
        let mut paragraph: Option<u32> = None;
        for number in first..=source.count() {
            let line = source.line(number);
            if let Some(open) = fence {
                fence = (!closes(line, open)).then_some(open);
                continue;
            }
            if let Some(open) = opening(line) {
                (fence, paragraph) = (Some(open), None);
                continue;
            }
            let is_code =
                paragraph.is_none() && (line.starts_with("    ") || line.starts_with('\t'));
            if is_code || line.trim().is_empty() {
                paragraph = None;
                continue;
            }
            if let Some((level, text)) = atx(line) {
                body.take(line);
                body.head(level, text, number, number);
                paragraph = None;
                continue;
            }
            if let Some((start, level)) = paragraph.zip(underline(line)) {
                let text: Vec<&str> = (start..number)
                    .map(|line| source.line(line).trim())
                    .collect();
                body.head(level, &text.join(" "), start, number);
                paragraph = None;
                continue;
            }
            body.take(line);
            paragraph = (!is_other_block(line)).then(|| paragraph.unwrap_or(number));
        }
        body
    }

    fn head(&mut self, level: u8, text: &str, start: u32, end: u32) {
        self.headings.push(Heading {
            level,
            text: text.to_owned(),
            lines: Lines { start, end },
        });
    }

    fn take(&mut self, line: &str) {
        let line = without_code(line);
        self.links.extend(wikilinks(&line));
        let mut outside = line.into_owned();
        // What follows `#` inside a link is a heading.
        while let Some((before, behind)) = outside.split_once("[[")
            && let Some((_, behind)) = behind.split_once("]]")
        {
            outside = format!("{before} {behind}");
        }
        self.tags.extend(tags(&outside).map(str::to_owned));
    }
}

/// A line without the blanks before it; `None` where they make it code.
fn unindented(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(' ');
    (line.len() - bare.len() < 4).then_some(bare)
}

fn atx(line: &str) -> Option<(u8, &str)> {
    let bare = unindented(line)?;
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

fn underline(line: &str) -> Option<u8> {
    let bare = unindented(line)?.trim_end();
    let all = |sign: char| !bare.is_empty() && bare.chars().all(|letter| letter == sign);
    match (all('='), all('-')) {
        (true, _) => Some(1),
        (_, true) => Some(2),
        _ => None,
    }
}

/// Whether a line is of a block that no underline makes a heading: a quote, a list, a table.
fn is_other_block(line: &str) -> bool {
    let bare = line.trim_start();
    let digits = bare.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = digits.len() < bare.len() && digits.starts_with([')', '.']);
    is_numbered
        || bare.starts_with(['>', '|'])
        || ["- ", "* ", "+ "].iter().any(|mark| bare.starts_with(mark))
}

/// The fence that a line opens.
fn opening(line: &str) -> Option<&str> {
    let bare = unindented(line)?;
    for sign in ['`', '~'] {
        let rest = bare.trim_start_matches(sign);
        let length = bare.len() - rest.len();
        if length >= 3 && !(sign == '`' && rest.contains('`')) {
            return bare.get(..length);
        }
    }
    None
}

fn closes(line: &str, open: &str) -> bool {
    let Some(bare) = unindented(line) else {
        return false;
    };
    let bare = bare.trim_end();
    bare.starts_with(open) && bare.chars().all(|letter| open.starts_with(letter))
}
