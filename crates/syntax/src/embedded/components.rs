//! Single-file components of Vue, Svelte and Astro: their scripts are modules of TypeScript.
//!
//! TypeScript includes JavaScript. Specifications:
//! <https://vuejs.org/api/sfc-spec.html>, <https://svelte.dev/docs/svelte/svelte-files> and
//! <https://docs.astro.build/en/basics/astro-components/>.

use std::ops::Range;

use super::blanked_text::BlankedText;
use super::language;
use super::script_tags::{Script, find_scripts};
use crate::language::{EmbeddedCode, Embedding, Language};

const TYPESCRIPT: &str = "typescript";
const TSX: &str = "tsx";
const LANGUAGES: &[&str] = &[TYPESCRIPT, TSX];

pub(crate) static VUE: Language = language("vue", &["vue"], SCRIPTS);
pub(crate) static SVELTE: Language = language("svelte", &["svelte"], SCRIPTS);
pub(crate) static ASTRO: Language = language(
    "astro",
    &["astro"],
    Embedding {
        find: |text| blank_markup(text, frontmatter(text)),
        languages: LANGUAGES,
        is_prose: false,
    },
);

const SCRIPTS: Embedding = Embedding {
    find: |text| blank_markup(text, None),
    languages: LANGUAGES,
    is_prose: false,
};

/// The line before and after the frontmatter of Astro.
const FENCE: &str = "---";

/// Blanks everything but the scripts and the frontmatter. All of them are one module.
fn blank_markup(text: &str, frontmatter: Option<Range<usize>>) -> Option<EmbeddedCode> {
    let scripts = find_scripts(text);
    let scripts = scripts.iter().filter_map(|script| {
        let language = language_of(script)?;
        Some((script.content.clone(), language))
    });
    let frontmatter = frontmatter.map(|code| (code, TYPESCRIPT));
    let mut blanked = BlankedText::new(text);
    let mut languages = Vec::new();
    for (code, language) in frontmatter.into_iter().chain(scripts) {
        // The end tag ends the last statement, even without a semicolon.
        blanked.put(code.end, ";");
        blanked.keep(code);
        languages.push(language);
    }
    let is_tsx = languages.contains(&TSX);
    Some(EmbeddedCode {
        language: if is_tsx { TSX } else { languages.first()? },
        text: blanked.finish()?,
        is_partial: false,
    })
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
        let code = "         \n        f();        \n                        g();        \n";
        assert_eq!(code_in(&VUE, text), Some((code.to_owned(), "typescript")));
        assert_eq!(code_in(&SVELTE, "<p>{a}</p>"), None);
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
        let code = "   \nf()\n;  \n          \n        g();        \n";
        assert_eq!(code_in(&ASTRO, text), Some((code.to_owned(), "typescript")));
        assert_eq!(code_in(&ASTRO, "---\nf()\n"), None);
        assert_eq!(code_in(&ASTRO, "<p>\n---\nf()\n---\n"), None);
    }
}
