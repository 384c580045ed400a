//! Finds macros that annotate functions and variables where their names look like others:
//! `printflike` of `void printflike(1, 2) f(const char *a, ...);`, `local` of `local int f(a) {`.
//!
//! No other word can stand at their place in a declaration, so capital letters are not needed.

use super::keywords::{CLASS_KEYS, SPECIFIERS, is_statement_word, is_type_keyword};
use super::macro_names::is_macro_name;
use super::names::is_keyword;
use super::tokens::{Token, Tokens};
use super::unknown_syntax::{KNOWN_SPECIFIERS, is_operator_word};

/// The maximum number of tokens in parentheses that are searched for types.
const MAX_PARAMETERS: usize = 64;

/// The number of tokens behind a type that are searched for a name, among `*`.
const MAX_POINTERS: usize = 4;

/// Keywords that are no names, besides those of statements and types.
const OTHER_KEYWORDS: [&str; 13] = [
    "alignas",
    "asm",
    "concept",
    "export",
    "import",
    "module",
    "private",
    "protected",
    "public",
    "register",
    "requires",
    "static_assert",
    "typeof",
];

/// Returns the first token after a macro that annotates a declaration.
pub(super) fn annotation_end(tokens: &Tokens<'_>, at: usize, before: [Token; 2]) -> Option<usize> {
    if !is_name(tokens, at) {
        return None;
    }
    let [_, last] = before;
    let close = tokens
        .other_bracket(at + 1)
        .filter(|_| tokens.is(at + 1, "("));
    let end = close.map_or(at + 1, |close| close + 1);
    let is_annotation = if close.is_some() {
        !are_parameters(tokens, at + 1)
            && (stands_before_function(tokens, end, last)
                || stands_before_type(tokens, at, end, last))
    } else {
        begins_declaration(tokens, at, last) || follows_keyword(tokens, at, last)
    };
    is_annotation.then_some(end)
}

/// `printflike(1, 2)` of `void printflike(1, 2) f(const char *a, ...);`.
fn stands_before_function(tokens: &Tokens<'_>, end: usize, last: Token) -> bool {
    let kind = tokens.text(last);
    let is_type = kind == "*" || (tokens.is_word_token(last) && !is_statement_word(kind));
    // `int f(a) b (*a)(int); {`
    let is_pointer = tokens.is(end + 2, "*");
    is_type && !is_pointer && is_name(tokens, end) && are_parameters(tokens, end + 1)
}

/// `printflike(1, 2)` of `static printflike(1, 2) void f(const char *a, ...);`.
fn stands_before_type(tokens: &Tokens<'_>, at: usize, end: usize, last: Token) -> bool {
    let is_specified = SPECIFIERS.contains(&tokens.text(last));
    (is_specified || begins(tokens, at, last)) && begins_type(tokens, end)
}

/// `local` of `local int f(a) {` and of `local size_t f(b) {`. In `a local f(b) {`, it stands
/// behind the type.
fn begins_declaration(tokens: &Tokens<'_>, at: usize, last: Token) -> bool {
    let is_specified = matches!(tokens.text(last), "static" | "inline" | "extern");
    if !is_specified && !begins(tokens, at, last) {
        return false;
    }
    if begins_type(tokens, at + 1) {
        return true;
    }
    let kind = at + 1 + usize::from(tokens.is(at + 1, "const"));
    let mut behind = kind + 1..kind + 1 + MAX_POINTERS;
    let name = behind.find(|index| !tokens.is(*index, "*"));
    is_name(tokens, kind)
        && is_name_of_type(tokens.at(kind))
        && !is_name_of_type(tokens.at(at))
        && name.is_some_and(|name| {
            let is_variable = matches!(tokens.at(name + 1), "[" | "=");
            is_name(tokens, name) && (is_variable || are_parameters(tokens, name + 1))
        })
}

/// `far` of `void far f(int a);`.
fn follows_keyword(tokens: &Tokens<'_>, at: usize, last: Token) -> bool {
    let kind = tokens.text(last);
    is_type_keyword(kind)
        && kind != "const"
        && is_name(tokens, at + 1)
        && !is_macro_name(tokens.at(at + 1))
        && are_parameters(tokens, at + 2)
}

/// Reports whether parentheses hold the parameters of a function: types and names, or nothing.
fn are_parameters(tokens: &Tokens<'_>, open: usize) -> bool {
    let Some(close) = tokens.other_bracket(open).filter(|_| tokens.is(open, "(")) else {
        return false;
    };
    let mut inner = open + 1..close.min(open + MAX_PARAMETERS);
    // Literals are no tokens.
    let is_empty = inner.is_empty() && tokens.are_adjacent(open);
    is_empty
        || inner.any(|index| {
            matches!(tokens.at(index), "*" | "&" | ".")
                || is_type_keyword(tokens.at(index))
                || (tokens.is_word(index) && tokens.is_word(index + 1))
        })
}

/// Reports whether a word looks like the name of a type: `size_t`, `Cart`.
fn is_name_of_type(word: &str) -> bool {
    let is_capitalised = word.starts_with(|letter: char| letter.is_uppercase());
    word.ends_with("_t") || (is_capitalised && !is_macro_name(word))
}

/// Reports whether a declaration or a statement may begin at a token.
fn begins(tokens: &Tokens<'_>, at: usize, last: Token) -> bool {
    matches!(tokens.text(last), "" | ";" | "{" | "}") || tokens.follows_directive(at)
}

/// Reports whether a keyword that begins a type stands at a token. `const` may also follow a type.
fn begins_type(tokens: &Tokens<'_>, at: usize) -> bool {
    let word = tokens.at(at);
    (is_type_keyword(word) && word != "const") || CLASS_KEYS.contains(&word)
}

/// Reports whether a word is no keyword, such as `_Atomic` and `__attribute__`, too.
fn is_name(tokens: &Tokens<'_>, at: usize) -> bool {
    let word = tokens.at(at);
    let bare = word.trim_matches('_');
    let is_reserved = word.strip_prefix('_').is_some_and(|rest| {
        rest.starts_with(|letter: char| letter.is_uppercase()) || KNOWN_SPECIFIERS.contains(&bare)
    });
    let keywords = [&SPECIFIERS[..], &CLASS_KEYS, &OTHER_KEYWORDS];
    tokens.is_word(at)
        && !is_reserved
        && !is_keyword(word)
        && !is_statement_word(word)
        && !is_operator_word(word)
        && !is_type_keyword(word)
        && !keywords.iter().any(|words| words.contains(&word))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use crate::cpp::kinds::Dialect;
    use crate::cpp::macros::blank_macros;

    #[test]
    fn annotations_become_spaces() {
        for (text, prepared) in [
            (
                "void printflike(1, 2) f(const char *a, ...);",
                "void                  f(const char *a, ...);",
            ),
            (
                "static char *printflike(1, 2) f(a *, ...) {}",
                "static char *                 f(a *, ...) {}",
            ),
            (
                "static __printf(1, 2) void f(const char *a, ...);",
                "static                void f(const char *a, ...);",
            ),
            ("local int f(a) int a; {}", "      int f(a) int a; {}"),
            ("local a_t f(b c) {}", "      a_t f(b c) {}"),
            ("local const a_t b[] = {};", "      const a_t b[] = {};"),
            ("local A *f(b c) {}", "      A *f(b c) {}"),
            (
                "void nonnull(1) f(const char *a);",
                "void            f(const char *a);",
            ),
            ("void far f(int a);", "void     f(int a);"),
            ("{ local struct a b; }", "{       struct a b; }"),
        ] {
            for dialect in [Dialect::C, Dialect::Cpp] {
                assert_eq!(blank_macros(text, dialect).unwrap(), prepared, "{text}");
            }
        }
    }

    #[test]
    fn declarations_and_statements_stay() {
        for text in [
            "int f(const char *a, ...) printflike(1, 2);",
            "extern int f(int) nonnull((1));",
            "{ if (a) f(b); for (a; b; c) d(e); }",
            "{ each(a, b) f(a); }",
            "a const b(c d);",
            "a b(c), d(e);",
            "void f() const noexcept(a);",
            "struct a b(c d);",
            "_Atomic int a;",
            "{ return a * b(c); }",
            "unsigned int f(a b) {}",
            "a b guarded(c);",
            "a_t local f(b c) {}",
            "a local f(b c) {}",
            "int f(a, b) c (*a)(int); int b; {}",
        ] {
            for dialect in [Dialect::C, Dialect::Cpp] {
                assert_eq!(blank_macros(text, dialect), None, "{text}");
            }
        }
    }
}
