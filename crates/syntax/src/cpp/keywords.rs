//! Keywords of declarations and statements.

/// The keywords before the name of a class, struct, union or enum.
pub(super) const CLASS_KEYS: [&str; 4] = ["class", "struct", "union", "enum"];

/// Keywords that stand before the type of a declaration.
pub(super) const SPECIFIERS: [&str; 13] = [
    "static",
    "inline",
    "constexpr",
    "consteval",
    "constinit",
    "virtual",
    "explicit",
    "extern",
    "friend",
    "mutable",
    "const",
    "volatile",
    "thread_local",
];

/// Keywords that begin a statement, or continue an expression.
pub(super) const STATEMENTS: [&str; 20] = [
    "return",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "goto",
    "throw",
    "try",
    "catch",
    "delete",
    "new",
    "co_return",
    "co_await",
    "co_yield",
];

/// Keywords behind parameters.
pub(super) const TRAILING: [&str; 4] = ["const", "noexcept", "override", "final"];

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

/// Reports whether a word is a keyword that is no type.
pub(super) fn is_statement_word(word: &str) -> bool {
    [&STATEMENTS[..], &CLASS_KEYS, &TRAILING]
        .iter()
        .any(|words| words.contains(&word))
        || matches!(
            word,
            "alignof"
                | "decltype"
                | "namespace"
                | "operator"
                | "sizeof"
                | "template"
                | "typedef"
                | "typename"
                | "using"
        )
}

/// Reports whether a keyword begins a declaration.
pub(super) fn is_declaration_keyword(word: &str) -> bool {
    let others = [
        "auto",
        "template",
        "typename",
        "class",
        "struct",
        "union",
        "enum",
        "namespace",
        "using",
        "operator",
    ];
    is_type_keyword(word) || others.contains(&word) || SPECIFIERS.contains(&word)
}
