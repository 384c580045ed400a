//! Where a page has code: in its tags and expressions, and not in the text between them.

use std::ops::Range;

/// What begins code or hides it, and what ends that. An earlier row counts where two match.
const PARTS: [(&str, &str, Part); 10] = [
    ("<!--", "-->", Part::Text),
    ("<style", "</style", Part::Text),
    ("<script", "</script", Part::Code),
    ("<%", "%>", Part::Code),
    ("<?", "?>", Part::Code),
    ("{#", "#}", Part::Text),
    ("{{", "}}", Part::Code),
    ("{%", "%}", Part::Code),
    ("{", "}", Part::Code),
    ("<", ">", Part::Tag),
];

/// The attributes whose values are for people or style sheets.
const TEXTUAL: [&str; 12] = [
    "alt",
    "aria-label",
    "class",
    "content",
    "for",
    "href",
    "id",
    "name",
    "placeholder",
    "src",
    "style",
    "title",
];

/// A part of a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Tag,
    Text,
}

/// Reports whether any of some words of a page, byte ranges in order, is in its code.
pub(super) fn has_code(page: &str, words: &[(usize, usize)]) -> bool {
    let mut words = words.iter().copied().peekable();
    let mut from = 0;
    while let Some((range, part)) = next_part(page, from) {
        from = range.end;
        while words.next_if(|(start, _)| *start < range.start).is_some() {}
        while let Some((start, _)) = words.next_if(|(start, _)| *start < range.end) {
            let before = page.get(range.start..start).unwrap_or_default();
            match part {
                Part::Code => return true,
                Part::Tag if !is_textual(before) => return true,
                Part::Tag | Part::Text => {}
            }
        }
    }
    false
}

/// Returns the next part of a page that is no plain text.
fn next_part(page: &str, from: usize) -> Option<(Range<usize>, Part)> {
    let rest = page.get(from..)?;
    let start = from + memchr::memchr2(b'<', b'{', rest.as_bytes())?;
    let rest = page.get(start..)?;
    let (opening, closing, part) = PARTS.iter().find(|(open, ..)| rest.starts_with(open))?;
    let inside = rest.get(opening.len()..)?;
    let length = memchr::memmem::find(inside.as_bytes(), closing.as_bytes());
    let length = length.map_or(inside.len(), |length| length + closing.len());
    Some((start..start + opening.len() + length, *part))
}

/// Reports whether the text of a tag before a word ends in the value of an attribute without code.
fn is_textual(tag: &str) -> bool {
    let Some((before, value)) = tag.rsplit_once(['"', '\'']).and_then(|(before, value)| {
        let before = before.strip_suffix('=')?;
        Some((before, value))
    }) else {
        return false;
    };
    let name = before.rsplit(char::is_whitespace).next().unwrap_or(before);
    TEXTUAL.contains(&name) && !value.contains(['{', '<'])
}

#[cfg(test)]
mod tests {
    use super::has_code;

    fn has_total(page: &str) -> bool {
        let words = page.match_indices("total");
        let words: Vec<_> = words.map(|(at, word)| (at, at + word.len())).collect();
        has_code(page, &words)
    }

    #[test]
    fn expressions_and_attributes_are_code() {
        for page in [
            "<p>{{ cart.total }}</p>",
            "{% if cart.total %}",
            "<b><%= cart.total %></b>",
            "<?= $cart->total() ?>",
            "<p>${cart.total}",
            "<a (click)=\"total()\">",
            "<total />",
            "<b class=\"{{ total }}\">",
            "<script>show(total)</script>",
            "{{ total",
        ] {
            assert!(has_total(page), "{page}");
        }
    }

    #[test]
    fn texts_comments_and_style_are_no_code() {
        for page in [
            "<p>The total</p>",
            "total",
            "<!-- {{ total }} -->",
            "{# {{ total }} #}",
            "<style>.total { color: red }</style>",
            "<b class=\"a total\" id='total'>total</b>",
        ] {
            assert!(!has_total(page), "{page}");
        }
    }
}
