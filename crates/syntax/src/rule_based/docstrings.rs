//! Reads the comments before definitions.

/// The maximum length of a docstring, in characters.
const MAX_DOCSTRING: usize = 200;

/// Returns the first line of a comment that is not blank, without the tags that enclose it.
pub(super) fn first_line(comment: &str) -> Option<String> {
    let comment = without_attribute(comment);
    let marks = marks_of(comment);
    let lines = comment.lines().map(|line| line.trim_matches(marks).trim());
    let mut lines = lines.map(without_tags);
    let line = lines.find(|line| !line.is_empty())?;
    Some(line.chars().take(MAX_DOCSTRING).collect())
}

/// Returns the string of an attribute: that of `@doc "a"` in Elixir.
fn without_attribute(comment: &str) -> &str {
    let rest = comment.strip_prefix('@').unwrap_or_default();
    let string = ["\"\"\"", "\""].iter().find_map(|quotes| {
        let (_, string) = rest.split_once(quotes)?;
        string.split(quotes).next()
    });
    string.unwrap_or(comment)
}

/// Returns the characters around the text of a comment.
fn marks_of(comment: &str) -> &'static [char] {
    if comment.starts_with("--") {
        &['-', '[', '=', ']', ' ', '\t']
    } else {
        &['/', '*', '!', '#', ' ', '\t']
    }
}

/// Removes the tags around a line: those of `<summary>Returns it.</summary>`, as in comments of C#.
fn without_tags(line: &str) -> &str {
    let mut line = line;
    while let Some((_, rest)) = line.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        line = rest.trim_start();
    }
    let closed = line
        .strip_suffix('>')
        .and_then(|rest| rest.rsplit_once("</"));
    closed.map_or(line, |(before, _)| before.trim_end())
}
