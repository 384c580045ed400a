//! Reads the names that queries capture.

/// The maximum length of a name, in bytes.
const MAX_NAME: usize = 512;

/// A captured name: `A.f` has the qualifier `A` and the name `f`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CapturedName<'t> {
    pub(super) qualifier: Option<&'t str>,
    pub(super) name: &'t str,
}

/// Reads a captured text; returns `None` if it is no name.
///
/// A dotted name such as `A.f`, `A::f` or `A:f` is divided at its last separator. An operator such
/// as `.+` is not.
pub(super) fn read_name(text: &str) -> Option<CapturedName<'_>> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_NAME || text.contains(char::is_control) {
        return None;
    }
    let divided = text.rsplit_once(['.', ':']).and_then(|(qualifier, name)| {
        let qualifier = qualifier.strip_suffix(':').unwrap_or(qualifier);
        let is_path = ends_in_word(qualifier) && name.starts_with(is_word_letter);
        is_path.then_some(CapturedName {
            qualifier: Some(qualifier),
            name,
        })
    });
    Some(divided.unwrap_or(CapturedName {
        qualifier: None,
        name: text,
    }))
}

/// Writes a qualifier with dots: `A::B` becomes `A.B`.
pub(super) fn dotted(qualifier: &str) -> String {
    let parts = qualifier.split(['.', ':']);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(".")
}

fn ends_in_word(text: &str) -> bool {
    text.ends_with(is_word_letter)
}

fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dotted_names_are_divided_and_operators_are_not() {
        let read = |text| read_name(text).map(|read| (read.qualifier.map(dotted), read.name));
        let qualified = |qualifier: &str, name| Some((Some(qualifier.to_owned()), name));
        assert_eq!(read("f"), Some((None, "f")));
        assert_eq!(read("A.B.f"), qualified("A.B", "f"));
        assert_eq!(read("A::B::f"), qualified("A.B", "f"));
        assert_eq!(read("a:m"), qualified("a", "m"));
        assert_eq!(read(".+"), Some((None, ".+")));
        assert_eq!(read(">>="), Some((None, ">>=")));
        assert_eq!(read("a."), Some((None, "a.")));
        assert_eq!(read(" "), None);
        assert_eq!(read("a\nb"), None);
    }
}
