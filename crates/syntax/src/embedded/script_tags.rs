//! Finds the elements `script` of a component.

use std::ops::Range;

/// The start of the tag that opens a script.
const OPENING: &str = "<script";

/// An element `script`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Script<'t> {
    /// The text of the attributes.
    attributes: &'t str,
    /// The bytes between the tags.
    pub(super) content: Range<usize>,
}

impl<'t> Script<'t> {
    /// Returns the value of an attribute, which is empty if it has none.
    pub(super) fn attribute(&self, name: &str) -> Option<&'t str> {
        let mut rest = self.attributes;
        loop {
            rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '/');
            if rest.is_empty() {
                return None;
            }
            let end = rest.find(|letter: char| letter.is_whitespace() || letter == '=');
            let (own, after) = rest.split_at(end.unwrap_or(rest.len()));
            let (value, after) = attribute_value(after);
            if own == name {
                return Some(value);
            }
            // A stray `=` has no name before it; without this step the loop would never end.
            rest = if own.is_empty() {
                after.get(1..).unwrap_or_default()
            } else {
                after
            };
        }
    }
}

/// Splits the value of an attribute, which may be quoted, from what follows it.
fn attribute_value(text: &str) -> (&str, &str) {
    let Some(value) = text.trim_start().strip_prefix('=') else {
        return ("", text);
    };
    let value = value.trim_start();
    let Some(quote) = value
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''))
    else {
        let end = value.find(char::is_whitespace);
        return value.split_at(end.unwrap_or(value.len()));
    };
    let value = value.get(1..).unwrap_or_default();
    value.split_once(quote).unwrap_or((value, ""))
}

/// Returns the elements `script` of a text, outside of comments, in source order. An element that
/// is not closed extends to the end of the text.
pub(super) fn find_scripts(text: &str) -> Vec<Script<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'<', text.as_bytes().get(at..).unwrap_or_default()) {
        at += next;
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with("<!--") {
            at += rest.find("-->").map_or(rest.len(), |end| end + 3);
        } else if begins_script(rest) {
            // Without the end of the tag, no other tag ends either.
            let Some(script) = script_at(text, at) else {
                break;
            };
            at = script.content.end;
            found.push(script);
        } else {
            at += 1;
        }
    }
    found
}

fn begins_script(text: &str) -> bool {
    let after = text.strip_prefix(OPENING);
    let ends_name = |next: char| next.is_whitespace() || matches!(next, '>' | '/');
    after.is_some_and(|after| after.starts_with(ends_name))
}

/// Returns the element that begins at an offset, or `None` if its tag does not end.
fn script_at(text: &str, at: usize) -> Option<Script<'_>> {
    let tag = text.get(at..)?.strip_prefix(OPENING)?;
    let attributes = tag.get(..tag_end(tag)?)?;
    let start = text.len() - tag.len() + attributes.len() + 1;
    let rest = text.get(start..)?;
    let length = rest.find("</script").unwrap_or(rest.len());
    let is_empty_element = attributes.ends_with('/');
    Some(Script {
        attributes,
        content: start..if is_empty_element {
            start
        } else {
            start + length
        },
    })
}

/// Returns the offset of the `>` that ends a tag, outside of quotes.
fn tag_end(tag: &str) -> Option<usize> {
    let mut quote = None;
    tag.bytes().position(|byte| {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (None, b'>') => return true,
            _ => {}
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(text: &str) -> Vec<&str> {
        let scripts = find_scripts(text).into_iter();
        scripts
            .filter_map(|script| text.get(script.content))
            .collect()
    }

    #[test]
    fn scripts_are_found_outside_of_comments() {
        let text = "<p/><script>a</script><!-- <script>b</script> --><script setup>c</script>";
        assert_eq!(contents(text), ["a", "c"]);
        assert_eq!(contents("<scripts>a</scripts><script src='x'/>b"), [""]);
        assert_eq!(contents("<script>a < b"), ["a < b"]);
        assert_eq!(contents("<script"), [""; 0]);
    }

    #[test]
    fn attributes_may_hold_any_character() {
        let text = "<script setup lang = 'ts' generic=\"T extends A<B>\" type=module>a</script>";
        let scripts = find_scripts(text);
        let of = |name| scripts.first().and_then(|script| script.attribute(name));
        assert_eq!(contents(text), ["a"]);
        assert_eq!(
            [of("lang"), of("type"), of("setup")],
            [Some("ts"), Some("module"), Some("")]
        );
        assert_eq!((of("generic"), of("src")), (Some("T extends A<B>"), None));
        let stray = find_scripts("<script = =\" lang=ts>a</script>\">b</script>");
        assert_eq!(
            stray.first().and_then(|script| script.attribute("src")),
            None
        );
    }
}
