//! Reads the documentation that `tags.scm` captures as `@doc`.

use tree_sitter::Node;

/// The maximum length of a docstring, in characters.
const MAX_DOCSTRING: usize = 200;

/// The letters with which comments and their lines begin.
const OPENING: &[char] = &[
    '/', '*', '!', '#', ';', '%', '-', '(', '{', '|', '<', '"', '\'', ' ', '\t',
];

/// The ends of comments.
const CLOSING: [&str; 6] = ["*/", "*)", "-}", "-->", "\"\"\"", "'''"];

/// Returns the first line of the documentation of a definition that is not blank.
///
/// A comment before the definition counts if no blank line stands between them; that is what
/// `#select-adjacent!` asks for, so it always applies.
pub(super) fn docstring(docs: &[Node<'_>], definition: Node<'_>, text: &str) -> Option<String> {
    let mut next = definition.start_position().row;
    let mut first = docs.len();
    for (at, doc) in docs.iter().enumerate().rev() {
        let is_inside = doc.start_byte() >= definition.start_byte();
        if !is_inside && doc_end(*doc, text) + 1 < next {
            break;
        }
        next = doc.start_position().row;
        first = at;
    }
    let adjacent = docs.get(first..).unwrap_or_default().iter();
    let lines = adjacent.filter_map(|doc| text.get(doc.byte_range()));
    lines.flat_map(str::lines).find_map(comment_text)
}

/// Returns the row on which a comment ends. In some grammars a comment includes its line break.
fn doc_end(doc: Node<'_>, text: &str) -> usize {
    let own = text.get(doc.byte_range()).unwrap_or_default();
    doc.start_position().row + own.trim_end().matches('\n').count()
}

/// Returns the text of a line of a comment without its marks; `None` if there is no other text.
fn comment_text(line: &str) -> Option<String> {
    let line = line.trim_start_matches(OPENING).trim_end();
    let closed = CLOSING
        .iter()
        .find_map(|closing| line.strip_suffix(closing));
    let line = closed.unwrap_or(line).trim_end_matches(['*', ' ', '\t']);
    let has_text = line.contains(char::is_alphanumeric);
    has_text.then(|| line.chars().take(MAX_DOCSTRING).collect())
}
