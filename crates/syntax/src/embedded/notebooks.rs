//! Jupyter notebooks: their cells of code are one module of Python.
//!
//! The code stands in strings of JSON. The meaning of each escape sequence replaces it in place, so
//! that lines and columns are those of the file. Specification:
//! <https://nbformat.readthedocs.io/en/latest/format_description.html>.

mod cell_source;
mod placed_code;

use serde::Deserialize;
use serde_json::value::RawValue;

use self::cell_source::CellSource;
use super::blanked_text::BlankedText;
use super::language;
use crate::language::{EmbeddedCode, Embedding, Language};

pub(crate) static LANGUAGE: Language = language(
    "jupyter",
    &["ipynb"],
    Embedding {
        find: find_code,
        languages: &[PYTHON],
        is_prose: false,
    },
);

const PYTHON: &str = "python";

/// A notebook, of which only the code is read.
#[derive(Deserialize)]
struct Notebook<'t> {
    #[serde(borrow)]
    cells: Vec<Cell<'t>>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Cell<'t> {
    cell_type: String,
    /// A string, or a list of strings: usually one for each line.
    #[serde(borrow)]
    source: Option<&'t RawValue>,
}

#[derive(Deserialize, Default)]
struct Metadata {
    kernelspec: Option<KernelSpecification>,
    language_info: Option<LanguageInfo>,
}

#[derive(Deserialize)]
struct KernelSpecification {
    language: Option<String>,
}

#[derive(Deserialize)]
struct LanguageInfo {
    name: Option<String>,
}

impl Metadata {
    /// Returns the language of the notebook; old notebooks do not say it, and are in Python.
    fn language(&self) -> Option<&str> {
        let info = self.language_info.as_ref();
        let kernel = self.kernelspec.as_ref();
        info.and_then(|info| info.name.as_deref())
            .or_else(|| kernel.and_then(|kernel| kernel.language.as_deref()))
    }
}

fn find_code(text: &str) -> Option<EmbeddedCode> {
    let mut blanked = BlankedText::new(text);
    let notebook: Option<Notebook<'_>> = serde_json::from_str(text).ok();
    let is_malformed = notebook.is_none() && !text.trim().is_empty();
    if let Some(notebook) = notebook {
        let language = notebook.metadata.language().unwrap_or(PYTHON);
        if !language.eq_ignore_ascii_case(PYTHON) && language != "ipython" {
            return None;
        }
        let cells = notebook
            .cells
            .iter()
            .filter(|cell| cell.cell_type == "code");
        for source in cells.filter_map(|cell| cell.source) {
            let source = CellSource::read(text, source);
            placed_code::place(&source, &mut blanked);
        }
    }
    Some(EmbeddedCode {
        text: blanked.finish()?,
        language: PYTHON,
        without_markup: None,
        is_partial: is_malformed,
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use super::*;

    /// Returns the lines that are not blank, without the indentation of the JSON.
    fn code(text: &str) -> Vec<String> {
        let code = find_code(text).unwrap().text;
        assert_eq!(code.len(), text.len());
        let lines = code.lines().filter(|line| !line.trim().is_empty());
        lines.map(|line| line.trim_end().to_owned()).collect()
    }

    fn notebook(source: &str) -> String {
        let cell = format!("{{\n \"cell_type\": \"code\",\n \"source\": {source}}}");
        format!("{{\"cells\": [{cell}]}}\n")
    }

    #[test]
    fn each_line_of_code_stands_at_its_place() {
        let text = notebook("[\n  \"def f():\\n\",\n  \"    return g(\\\"é\\\", 1)\"\n ]");
        assert_eq!(code(&text), ["   def f():", "       return g(\" é \", 1)"]);
        let all = find_code(&text).unwrap().text;
        assert_eq!(all.find("f()"), text.find("f()"));
        assert_eq!(all.find("1)"), text.find("1)"));
    }

    #[test]
    fn a_source_may_be_one_string() {
        let text = notebook("\"a = 1\\nif a:\\n\\tf()\"");
        assert_eq!(code(&text), ["            a = 1", "if a:", " \tf()"]);
    }

    #[test]
    fn quotes_stay_together() {
        let text =
            notebook("[\n\"f\\\"\\\"\\\"a\\n\",\n\"b\\\"\\\"\\\"\\n\",\n\"c = f\\\"{d}\\\"\"\n]");
        assert_eq!(
            code(&text),
            [" f\"\"\"   a", " b   \"\"\"", " c = f\" {d} \""]
        );
        let escaped = notebook("[\n\"'\\\\\\\"' + \\\"\\\\n\\\"\"\n]");
        assert_eq!(code(&escaped), [" '  \\\"' + \"  \\n \""]);
    }

    #[test]
    fn a_continued_line_ends_with_a_backslash() {
        let text = notebook("[\n\"a = 1 + \\\\\\n\",\n\"2\"\n]");
        assert_eq!(code(&text), [" a = 1 +      \\", " 2"]);
    }

    #[test]
    fn magic_commands_are_no_code() {
        let text = notebook("[\n\"%matplotlib inline\\n\",\n\"!ls\\n\",\n\"f?\\n\",\n\"f()\"\n]");
        assert_eq!(code(&text), [" f()"]);
        assert_eq!(code(&notebook("\"%%bash\\nls\"")), [""; 0]);
        assert_eq!(code(&notebook("\"%%time\\nf()\"")), ["f()"]);
    }

    #[test]
    fn other_cells_and_languages_are_blank() {
        let text = "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": \"f()\"}]}";
        assert_eq!(code(text), [""; 0]);
        let julia = "{\"cells\": [], \"metadata\": {\"kernelspec\": {\"language\": \"julia\"}}}";
        assert_eq!(find_code(julia), None);
    }

    #[test]
    fn a_malformed_notebook_is_read_in_part() {
        let found = find_code("{\"cells\": [").unwrap();
        assert!(found.is_partial && found.text.trim().is_empty());
        assert!(!find_code("\n").unwrap().is_partial);
    }
}
