//! Markdown: its fenced blocks of TypeScript and JavaScript.
//!
//! Each block of code stands for itself, so it becomes the body of a function, whose names are not
//! those of the others. A fence may be inside a list or a quotation. Specification:
//! <https://spec.commonmark.org/0.31.2/#fenced-code-blocks>.

use super::blanked_text::BlankedText;
use super::language;
use crate::language::{EmbeddedCode, Embedding, Language};

pub(crate) static LANGUAGE: Language = language(
    "markdown",
    &["md", "markdown", "mdx"],
    Embedding {
        find: find_code,
        languages: &[TSX],
        is_prose: true,
    },
);

/// The language whose grammar reads the code: it includes TypeScript and JavaScript.
const TSX: &str = "tsx";

/// The first words of the info strings of code that is read.
const NAMES: [&str; 6] = ["js", "javascript", "jsx", "ts", "typescript", "tsx"];

/// The code at the place of an opening fence. It is no longer than the shortest one, with `js`.
const OPENING: &str = "()=>{";
/// The code at the place of a closing fence.
const CLOSING: &str = "};";

/// The shortest fence.
const MIN_FENCE: usize = 3;

/// An open fence.
struct Fence {
    character: u8,
    length: usize,
    is_code: bool,
}

fn find_code(text: &str) -> Option<EmbeddedCode> {
    let mut blanked = BlankedText::new(text);
    let mut open: Option<Fence> = None;
    let mut has_code = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let prefix = prefix_length(line);
        let marker = start + prefix;
        let content = line.get(prefix..).unwrap_or_default();
        start += line.len();
        let Some(fence) = &open else {
            open = opening_fence(content);
            if open.as_ref().is_some_and(|fence| fence.is_code) {
                blanked.put(marker, OPENING);
                has_code = true;
            }
            continue;
        };
        if closes(content, fence) {
            if fence.is_code {
                blanked.put(marker, CLOSING);
            }
            open = None;
        } else if fence.is_code {
            blanked.keep(marker..start);
        }
    }
    Some(EmbeddedCode {
        text: blanked.finish().filter(|_| has_code)?,
        language: TSX,
        without_markup: None,
        is_partial: false,
    })
}

/// Returns the length of what lists and quotations put before the text of a line.
fn prefix_length(line: &str) -> usize {
    let rest = line.trim_start_matches([' ', '\t', '>']);
    line.len() - rest.len()
}

fn opening_fence(line: &str) -> Option<Fence> {
    let character = *line.as_bytes().first()?;
    let length = fence_length(line, character);
    let info = line.get(length..)?.trim();
    let is_fence = match character {
        b'`' => !info.contains('`'),
        b'~' => true,
        _ => false,
    };
    let name = info
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .next();
    (is_fence && length >= MIN_FENCE).then(|| Fence {
        character,
        length,
        is_code: name.is_some_and(|name| NAMES.contains(&name)),
    })
}

fn closes(line: &str, fence: &Fence) -> bool {
    let length = fence_length(line, fence.character);
    let rest = line.get(length..).unwrap_or_default();
    length >= fence.length && rest.trim().is_empty()
}

fn fence_length(line: &str, character: u8) -> usize {
    line.bytes().take_while(|byte| *byte == character).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Option<String> {
        find_code(text).map(|code| code.text)
    }

    #[test]
    fn blocks_of_code_become_functions() {
        let text = "# É\n```ts\nf()\n```\ntext\n~~~~js title\ng()\n~~~\n~~~~\n```py\nh()\n```\n";
        let expected =
            "    \n()=>{\nf()\n}; \n    \n()=>{       \ng()\n~~~\n};  \n     \n   \n   \n";
        assert_eq!(code(text).as_deref(), Some(expected));
        assert_eq!(code("# Title\n```py\nf()\n```\n"), None);
    }

    #[test]
    fn blocks_stand_in_lists_and_quotations() {
        assert_eq!(
            code("> ```js\n> f()\n> ```\n").as_deref(),
            Some("  ()=>{\n  f()\n  }; \n")
        );
        assert_eq!(
            code("- a\n  ```js\n  f()\n").as_deref(),
            Some("   \n  ()=>{\n  f()\n")
        );
    }
}
