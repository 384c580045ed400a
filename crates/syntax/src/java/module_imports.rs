//! Repairs `import module a.b;`, which is newer than tree-sitter-java 0.23.
//!
//! Source: JEP 511, <https://openjdk.org/jeps/511>.

use crate::replaced_text::ReplacedText;

/// Blanks `module` in imports. Keeps every byte offset. Returns `None` if there are none.
pub(super) fn repair(text: &str) -> Option<String> {
    let mut repaired = ReplacedText::new(text);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let after = line
            .trim_start()
            .strip_prefix("import")
            .map(str::trim_start);
        if let Some(rest) = after.filter(|rest| rest.starts_with("module ")) {
            let word = start + line.len() - rest.len();
            repaired.fill(word..word + "module".len(), b' ');
        }
        start += line.len();
    }
    repaired.finish()
}

#[cfg(test)]
mod tests {
    use super::repair;

    #[test]
    fn the_word_is_blank() {
        let text = "import module java.base;\nimport a.module;\n";
        let repaired = "import        java.base;\nimport a.module;\n";
        assert_eq!(repair(text).as_deref(), Some(repaired));
        assert_eq!(repair("import module;\nmodule a {}\n"), None);
    }
}
