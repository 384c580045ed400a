//! Tags and links in the lines of a note, outside of inline code.

use std::borrow::Cow;

/// Returns a line without its code spans.
pub(super) fn without_code(line: &str) -> Cow<'_, str> {
    if !line.contains('`') {
        return line.into();
    }
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let (before, ticked) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let inner = ticked.trim_start_matches('`');
        let ticks = ticked.len() - inner.len();
        kept.push_str(before);
        kept.push(' ');
        let fence = "`".repeat(ticks);
        rest = match inner.find(&fence) {
            Some(end) => inner.get(end + ticks..).unwrap_or_default(),
            // A backtick without its pair is text.
            None => inner,
        };
    }
    kept.push_str(rest);
    kept.into()
}

/// Returns the tags of a line, without `#`. A tag has letters, digits, `_`, `-` and `/`, and not
/// only digits. It is at the start of the line or behind a blank.
pub(super) fn tags(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('#').filter_map(|(at, _)| {
        let before = line.get(..at)?.chars().next_back();
        let begins =
            before.is_none_or(|before| before.is_whitespace() || "([{,;\"'".contains(before));
        let rest = line.get(at + 1..)?;
        let is_tag = |letter: char| letter.is_alphanumeric() || "_-/".contains(letter);
        let end = rest.find(|letter| !is_tag(letter)).unwrap_or(rest.len());
        let tag = rest.get(..end)?.trim_end_matches('/');
        let is_word = tag.contains(|letter: char| !letter.is_numeric());
        (begins && is_word).then_some(tag)
    })
}

/// Returns the targets of the links in a line: `Note` for `[[Note|alias]]`. The link
/// `[[folder/Note#Heading]]` has the targets `folder/Note`, `Note` and `Note#Heading`.
pub(super) fn wikilinks(line: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut rest = line;
    while let Some((_, opened)) = rest.split_once("[[") {
        let Some((inner, behind)) = opened.split_once("]]") else {
            break;
        };
        rest = behind;
        let target = inner.split('|').next().unwrap_or_default().trim();
        let (note, heading) = target.split_once('#').unwrap_or((target, ""));
        let note = note.trim().trim_end_matches('\\');
        if note.is_empty() || note.contains(['[', ']']) {
            continue;
        }
        let name = note.rsplit('/').next().unwrap_or(note);
        links.push(note.to_owned());
        if name != note {
            links.push(name.to_owned());
        }
        if !heading.is_empty() {
            links.push(format!("{name}#{}", heading.trim()));
        }
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_other_signs() {
        let line = "#a b#c (#d/e-f) # no #12 #2024x \\#g http://x/#h #é/";
        let found: Vec<&str> = tags(line).collect();
        assert_eq!(found, ["a", "d/e-f", "2024x", "é"]);
    }

    #[test]
    fn links_have_aliases_headings_and_folders() {
        for (line, expected) in [
            (
                "[[Note]] and ![[Other note|this]]",
                &["Note", "Other note"][..],
            ),
            (
                "[[a/Note#Part one|x]]",
                &["a/Note", "Note", "Note#Part one"],
            ),
            ("[[ ]] [[#Here]] [[open", &[]),
            ("| [[Note\\|alias]] |", &["Note"]),
        ] {
            assert_eq!(wikilinks(line), expected, "{line}");
        }
    }

    #[test]
    fn code_is_left_out() {
        assert_eq!(without_code("a `#b` ``c ` d`` e ` f"), "a     e   f");
    }
}
