//! What a passage is, in words: `method of QuerySet · test`, and the sentence that introduces it.

use super::metadata::text;
use super::normalise::Hit;
use ragnav_base::path::RepoPath;
use ragnav_matching::file_role::FileRole;

/// The longest sentence, in characters.
const MAX_SENTENCE: usize = 200;

/// The roles that are described, with their words. A note need not say that it is documentation.
const DESCRIBED_ROLES: [(FileRole, &str); 3] = [
    (FileRole::Test, "test"),
    (FileRole::Example, "example"),
    (FileRole::TypeStub, "type stub"),
];

/// The description of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Description {
    /// What the passage is.
    pub(super) about: String,
    /// The first sentence in the first line of its docstring, or of a note.
    pub(super) summary: Option<String>,
}

impl Description {
    pub(super) fn of(hit: &Hit) -> Self {
        let mut parts = vec![kind_of(hit)];
        let path = hit.file_path.as_deref();
        if let Some(path) = path.and_then(|path| RepoPath::parse(path).ok()) {
            let described = DESCRIBED_ROLES.iter().filter(|(role, _)| role.has(&path));
            parts.extend(described.map(|(_, words)| (*words).to_owned()));
        }
        Self {
            about: parts.join(" · "),
            summary: summary_of(hit),
        }
    }
}

/// Returns what a passage is within its file.
fn kind_of(hit: &Hit) -> String {
    let field = |name| text(&hit.metadata, name).filter(|value: &&str| !value.is_empty());
    let continued = match &hit.place {
        Some(place) if place.head.is_some() => ", continued",
        _ => "",
    };
    let heading = field("heading");
    if is_code(hit) {
        let Some(kind) = field("kind") else {
            return "code outside of definitions".to_owned();
        };
        let around = heading.and_then(|heading| heading.rsplit_once('.'));
        let of = around.map(|(around, _)| format!(" of {around}"));
        return format!("{kind}{}{continued}", of.unwrap_or_default());
    }
    let file = hit
        .file_path
        .as_deref()
        .and_then(|path| path.rsplit('/').next());
    let title = field("title").filter(|title| Some(*title) != heading);
    let kind = match (heading, field("kind")) {
        (_, Some(kind)) => kind,
        (Some(_), None) => "section",
        (None, None) => "text",
    };
    // A note without headings is titled by its file.
    let of = title.or(file).map(|of| format!(" of {of}"));
    format!("{kind}{}{continued}", of.unwrap_or_default())
}

/// Reports whether a document is code, which alone has a module.
fn is_code(hit: &Hit) -> bool {
    hit.metadata.contains_key("module")
}

fn summary_of(hit: &Hit) -> Option<String> {
    if let Some(summary) = text(&hit.metadata, "summary") {
        return sentence_of(summary);
    }
    if is_code(hit) {
        return None;
    }
    let heading = text(&hit.metadata, "heading").unwrap_or_default();
    first_sentence(hit.document.as_deref()?, heading)
}

/// Returns the first sentence of prose in a note, without its heading.
fn first_sentence(note: &str, heading: &str) -> Option<String> {
    let mut is_fenced = false;
    let mut paragraph = String::new();
    for line in note.lines().chain([""]) {
        let is_fence = line.starts_with("```") || line.starts_with("~~~");
        is_fenced ^= is_fence;
        let is_heading = line.trim_matches(|sign: char| "#= \t".contains(sign)) == heading;
        if !is_fence && !is_fenced && !is_heading && is_prose(line) {
            paragraph.push_str(line.trim());
            paragraph.push(' ');
            continue;
        }
        // `Default::` only introduces what follows.
        let is_label = paragraph.trim_end().ends_with(':') && !paragraph.trim_end().contains(' ');
        if !paragraph.is_empty() && !is_label {
            break;
        }
        paragraph.clear();
    }
    sentence_of(paragraph.trim_end())
}

/// Returns the first sentence of a text of one line; `None` for an empty text.
fn sentence_of(line: &str) -> Option<String> {
    let sentence = line.get(..end_of_sentence(line))?;
    (!sentence.is_empty()).then(|| shortened(sentence))
}

/// Reports whether a line may be part of a sentence: it is neither indented nor markup.
fn is_prose(line: &str) -> bool {
    let is_start = |letter: char| letter.is_alphanumeric() || "*_`:\"'“‘(".contains(letter);
    let is_list = line.starts_with("* ");
    // `:name: value` is an attribute, and `:name:`text`` a part of a sentence.
    let is_field = line.starts_with(':') && !line.contains('`');
    line.starts_with(is_start) && line.contains(char::is_alphabetic) && !is_list && !is_field
}

/// Returns the number of bytes of the first sentence, with its full stop.
fn end_of_sentence(paragraph: &str) -> usize {
    let ends = paragraph.match_indices(['.', '!', '?', ':']);
    let mut ends = ends.map(|(at, sign)| at + sign.len());
    let is_end = |end: &usize| {
        let rest = paragraph.get(*end..).unwrap_or_default();
        let mut next = rest.chars();
        next.next() == Some(' ') && next.next().is_some_and(char::is_uppercase)
    };
    ends.find(is_end).unwrap_or(paragraph.len())
}

fn shortened(sentence: &str) -> String {
    match sentence.char_indices().nth(MAX_SENTENCE) {
        Some((end, _)) => format!("{}…", sentence.get(..end).unwrap_or_default().trim_end()),
        None => sentence.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_prose() {
        for (note, expected) in [
            ("## Title\n\nOne sentence. Another.\n", "One sentence."),
            (
                "Title\n=====\n\nOver two\nlines, e.g. here.\n\nMore.",
                "Over two lines, e.g. here.",
            ),
            ("= Title\n:toc: left\n\nText: 1\n", "Text: 1"),
            ("# Title\n\n[![badge](x)](y)\n<p>\n\n`run` it!", "`run` it!"),
            (
                ".. note::\n\n    Indented.\n\n:class:`A` is it.",
                ":class:`A` is it.",
            ),
            ("```sh\nnpm start\n```\nAfter.", "After."),
            (
                "Default::\n\n    x\n\nThe default is x.",
                "The default is x.",
            ),
            ("* a list\n- another", ""),
            ("", ""),
        ] {
            let sentence = first_sentence(note, "Title").unwrap_or_default();
            assert_eq!(sentence, expected, "{note}");
        }
    }

    #[test]
    fn a_long_sentence_is_cut() {
        let sentence = first_sentence(&"é".repeat(MAX_SENTENCE + 1), "").unwrap_or_default();
        assert_eq!(sentence.chars().count(), MAX_SENTENCE + 1);
        assert!(sentence.ends_with('…'));
    }
}
