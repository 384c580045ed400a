//! Single-file components of Vue, Svelte and Astro: their scripts are modules of TypeScript, and so
//! is the code in their markup.
//!
//! TypeScript includes JavaScript. Specifications:
//! <https://vuejs.org/api/sfc-spec.html>, <https://svelte.dev/docs/svelte/svelte-files> and
//! <https://docs.astro.build/en/basics/astro-components/>.

use std::ops::Range;

use super::blanked_text::BlankedText;
use super::language;
use super::script_tags::{Script, find_scripts};
use super::templates::{self, Templates};
use crate::language::{EmbeddedCode, Embedding, Language};

const TYPESCRIPT: &str = "typescript";
const TSX: &str = "tsx";
const LANGUAGES: &[&str] = &[TYPESCRIPT, TSX];

pub(crate) static VUE: Language = language(
    "vue",
    &["vue"],
    embedding(|text| find_code(text, Templates::Vue), LANGUAGES),
);
pub(crate) static SVELTE: Language = language(
    "svelte",
    &["svelte"],
    embedding(|text| find_code(text, Templates::Svelte), LANGUAGES),
);
pub(crate) static ASTRO: Language = language(
    "astro",
    &["astro"],
    embedding(|text| find_code(text, Templates::Astro), &[TSX]),
);

const fn embedding(
    find: fn(&str) -> Option<EmbeddedCode>,
    languages: &'static [&'static str],
) -> Embedding {
    Embedding {
        find,
        languages,
        is_prose: false,
    }
}

/// The line before and after the frontmatter of Astro.
const FENCE: &str = "---";

/// Blanks everything but the scripts, the frontmatter, and the code in the markup. All of them are
/// one module.
fn find_code(text: &str, templates: Templates) -> Option<EmbeddedCode> {
    let scripts = find_scripts(text);
    let frontmatter = match templates {
        Templates::Astro => frontmatter(text),
        Templates::Vue | Templates::Svelte => None,
    };
    let others = frontmatter.iter().cloned();
    let others = others.chain(scripts.iter().map(|script| script.content.clone()));
    let others: Vec<Range<usize>> = others.collect();
    let markup = between(&others, text.len());
    let scripts = scripts.iter().filter_map(|script| {
        let language = language_of(script)?;
        Some((script.content.clone(), language))
    });
    let mut blanked = BlankedText::new(text);
    let mut is_tsx = templates == Templates::Astro;
    for (code, language) in frontmatter
        .map(|code| (code, TSX))
        .into_iter()
        .chain(scripts)
    {
        // The tags end the statements before them, even without a semicolon.
        blanked.put(code.start.saturating_sub(1), ";");
        blanked.put(code.end, ";");
        blanked.keep(code);
        is_tsx |= language == TSX;
    }
    let scripts = blanked.clone().finish()?;
    templates::keep_code(templates, text, markup, &mut blanked);
    let all = blanked.finish()?;
    let has_code = !all.trim().is_empty();
    has_code.then(|| EmbeddedCode {
        language: if is_tsx { TSX } else { TYPESCRIPT },
        without_markup: (scripts != all).then_some(scripts),
        text: all,
        is_partial: false,
    })
}

/// Returns the ranges between others, which are in source order.
fn between(others: &[Range<usize>], end: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = std::iter::once(0).chain(others.iter().map(|other| other.end));
    let ends = others.iter().map(|other| other.start).chain([end]);
    starts.zip(ends).map(|(start, end)| start..end)
}

/// Returns the language of a script, or `None` for other data, such as JSON.
fn language_of(script: &Script<'_>) -> Option<&'static str> {
    let given = script.attribute("lang").or_else(|| {
        let media_type = script.attribute("type")?;
        Some(media_type.rsplit('/').next().unwrap_or(media_type))
    });
    match given.unwrap_or_default() {
        "" | "js" | "javascript" | "module" | "ts" | "typescript" => Some(TYPESCRIPT),
        "jsx" | "tsx" => Some(TSX),
        _ => None,
    }
}

/// Returns the bytes between the two lines `---` at the start of a component of Astro.
fn frontmatter(text: &str) -> Option<Range<usize>> {
    let opening = text.trim_start();
    let code = opening.strip_prefix(FENCE)?;
    let start = text.len() - code.len();
    let mut end = start;
    for line in code.split_inclusive('\n') {
        if end > start && line.trim_end() == FENCE {
            return Some(start..end);
        }
        end += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_in(language: &Language, text: &str) -> Option<(String, &'static str)> {
        let crate::language::Extractor::Embedded(embedding) = &language.extractor else {
            return None;
        };
        (embedding.find)(text).map(|code| (code.text, code.language))
    }

    #[test]
    fn everything_but_the_scripts_is_blank() {
        let text = "<p>é</p>\n<script>f()</script>\n<script setup lang=\"ts\">g()</script>\n";
        let code = "         \n       ;f();        \n                       ;g();        \n";
        assert_eq!(code_in(&VUE, text), Some((code.to_owned(), "typescript")));
        assert_eq!(code_in(&SVELTE, "<p>a</p>"), None);
        let data = "<script type=\"application/ld+json\">{}</script><script lang=coffee>a</script>";
        assert_eq!(code_in(&VUE, data), None);
    }

    #[test]
    fn elements_in_a_script_need_another_grammar() {
        let text = "<script>f()</script><script lang=\"tsx\">g()</script>";
        assert_eq!(
            code_in(&VUE, text).map(|(_, language)| language),
            Some("tsx")
        );
    }

    #[test]
    fn the_frontmatter_of_astro_is_code() {
        let text = "---\nf()\n---\n<p>{f}</p>\n<script>g()</script>\n";
        let code = "  ;\nf()\n;  \n   ;f;    \n       ;g();        \n";
        assert_eq!(code_in(&ASTRO, text), Some((code.to_owned(), "tsx")));
        assert_eq!(code_in(&ASTRO, "---\nf()\n"), None);
        assert_eq!(code_in(&ASTRO, "<p>\n---\nf()\n---\n"), None);
    }
}
