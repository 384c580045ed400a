//! Keywords that begin types.

/// The keywords before the name of a class, struct, union or enum.
pub(super) const CLASS_KEYS: [&str; 4] = ["class", "struct", "union", "enum"];

/// Reports whether a word begins the name of a built-in type, or qualifies a type.
pub(super) fn is_type_keyword(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "bool"
            | "char"
            | "int"
            | "short"
            | "long"
            | "float"
            | "double"
            | "unsigned"
            | "signed"
            | "const"
    )
}
