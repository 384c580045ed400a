//! Replaces syntax of C++ that the grammar does not know: `x->operator[](a)`, `this Self&& self`.
//!
//! A syntax error can cost much more than its line: the grammar drops what surrounds it. A
//! replacement has the length of what it replaces, so every offset stays.

use std::ops::Range;

use super::keywords::{CLASS_KEYS, is_type_keyword};
use super::kinds::Dialect;
use super::macro_names::is_macro_name;
use super::names::is_keyword;
use super::tokens::{Token, Tokens, is_word};

/// The maximum number of tokens in a name with its arguments, in an attribute, or in the operands
/// of a `decltype`.
const MAX_PART: usize = 64;

/// The words that may stand before a name, besides those that are keywords of C, too.
const BEFORE_NAMES: [&str; 16] = [
    "and", "bitand", "bitor", "co_await", "compl", "delete", "new", "noexcept", "not", "operator",
    "or", "template", "this", "throw", "typename", "xor",
];

/// The words of `int __stdcall f();`, which the grammars know where the function has a body.
const CALLING_CONVENTIONS: [&str; 6] = [
    "__cdecl",
    "__clrcall",
    "__fastcall",
    "__stdcall",
    "__thiscall",
    "__vectorcall",
];

/// The keywords between two pairs of underscores that the grammars know.
pub(super) const KNOWN_SPECIFIERS: [&str; 12] = [
    "alignof",
    "asm",
    "attribute",
    "const",
    "declspec",
    "extension",
    "func",
    "inline",
    "restrict",
    "signed",
    "typeof",
    "volatile",
];

/// What takes the place of a part of the text.
pub(super) struct Replacement {
    pub(super) range: Range<usize>,
    /// The byte that takes the place of each byte.
    pub(super) by: u8,
    /// The first token after the part.
    pub(super) next: usize,
}

/// Returns what to replace at a token, by the two tokens before it that stay.
pub(super) fn replacement(
    tokens: &Tokens<'_>,
    at: usize,
    before: [Token; 2],
    dialect: Dialect,
) -> Option<Replacement> {
    let [first, last] = before.map(|token| tokens.text(token));
    if is_type_argument(tokens, at) {
        return replace(tokens, at..at + 1, b'_');
    }
    if is_specifier(tokens, at)
        || is_format(tokens, at)
        || is_pointer_argument(tokens, at)
        || is_annotation(tokens, at, before[1], dialect)
    {
        return blank(tokens, at..at + 1);
    }
    if dialect == Dialect::C {
        return None;
    }
    let is_blank = match tokens.at(at) {
        "operator" if is_operator_call(tokens, at, last) => return operator_as_name(tokens, at),
        "," if last == ")" => return decltype_comma(tokens, at),
        "unsigned" | "signed" | "long" | "short" if is_cast(tokens, at, last) => {
            return replace(tokens, at..at + 1, b'_');
        }
        "=" if first != "operator" => return null_default(tokens, at, before[1]),
        ">" if !matches!(last, "operator" | ">") && is_comparison(tokens, at) => {
            return replace(tokens, at..at + 2, b'=');
        }
        // The grammar knows no `->*`, so `(a->*b)()` becomes a product.
        "->" | "." => last != "." && tokens.is(at + 1, "*") && tokens.touch(at),
        // `new char*[a]`
        "*" => tokens.is(at + 1, "[") && tokens.touch(at),
        "export" | "import" | "module" => return blank(tokens, at..module_end(tokens, at)?),
        // `using typename A::B;`
        "typename" => last == "using" || starts_value(tokens, at, last),
        // `EXPECT_THROW(throw a, A);`
        "throw" => matches!(last, "(" | "," | "?"),
        // `operator ::a::B()` converts to a type.
        "::" => last == "operator" && tokens.is_word(at + 1),
        // `namespace a::inline b`
        "inline" => last == "::",
        // `for co_await (auto a : b)`
        "co_await" => last == "for",
        // `extern template class A<int>;`
        "extern" => tokens.is(at + 1, "template"),
        // `f(this Self&& self)`
        "this" => last == "(" && is_name(tokens, at + 1),
        _ if CLASS_KEYS.contains(&last) => return blank(tokens, at..attribute_end(tokens, at)?),
        _ => false,
    };
    is_blank.then(|| blank(tokens, at..at + 1)).flatten()
}

fn blank(tokens: &Tokens<'_>, part: Range<usize>) -> Option<Replacement> {
    replace(tokens, part, b' ')
}

fn replace(tokens: &Tokens<'_>, part: Range<usize>, by: u8) -> Option<Replacement> {
    let next = part.end;
    let range = tokens.range(part)?;
    Some(Replacement { range, by, next })
}

/// Reports whether `operator` begins the name of a call: `a.operator[](b)`, `operator++();`.
fn is_operator_call(tokens: &Tokens<'_>, at: usize, last: &str) -> bool {
    match last {
        "." | "->" => true,
        ";" | "{" | "}" | "(" | "=" | "!" | "return" => {
            !tokens.is_word(at + 1) && !tokens.is(at + 1, "::")
        }
        _ => false,
    }
}

/// Makes one name of `operator[]` in `x->operator[](a)`.
fn operator_as_name(tokens: &Tokens<'_>, at: usize) -> Option<Replacement> {
    let is_call = tokens.is(at + 1, "(") && tokens.is(at + 2, ")");
    let end = if is_call {
        at + 3
    } else {
        (at + 1..at + MAX_PART).find(|index| tokens.is(*index, "("))?
    };
    let word = tokens.get(at)?;
    let whole = tokens.range(at..end)?;
    Some(Replacement {
        range: word.end..whole.end,
        by: b'_',
        next: end,
    })
}

/// Makes one operand of two in `decltype(f(a), g())`.
fn decltype_comma(tokens: &Tokens<'_>, at: usize) -> Option<Replacement> {
    let name = enclosing_name(tokens, at)?;
    let is_operand = tokens.is(name, "decltype");
    is_operand
        .then(|| replace(tokens, at..at + 1, b'+'))
        .flatten()
}

/// Returns the token before the parenthesis around a token.
fn enclosing_name(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let mut index = at;
    for _ in 0..MAX_PART {
        index = index.checked_sub(1)?;
        match tokens.at(index) {
            ")" => index = tokens.other_bracket(index)?,
            "(" => return index.checked_sub(1),
            ";" | "{" | "}" => return None,
            _ => {}
        }
    }
    None
}

/// Reports whether `>=` is an operator among the arguments of a template, where the grammar takes
/// it for their end: `enable_if_t<sizeof(A) >= 4>`.
fn is_comparison(tokens: &Tokens<'_>, at: usize) -> bool {
    if !tokens.is(at + 1, "=") || !tokens.touch(at) {
        return false;
    }
    let mut index = at;
    let mut closed = 0_usize;
    for _ in 0..MAX_PART {
        let Some(before) = index.checked_sub(1) else {
            return false;
        };
        index = before;
        match tokens.at(index) {
            ")" => match tokens.other_bracket(index) {
                Some(open) => index = open,
                None => return false,
            },
            "(" | ";" | "{" | "}" => return false,
            ">" => closed += 1,
            "<" if closed > 0 => closed -= 1,
            "<" => {
                let name = index.checked_sub(1);
                return name.is_some_and(|name| tokens.is_word(name) && tokens.touch(name));
            }
            _ => {}
        }
    }
    false
}

/// Reports whether the keyword of a type stands for a cast: `unsigned(a)`.
fn is_cast(tokens: &Tokens<'_>, at: usize, last: &str) -> bool {
    let is_operand =
        last == "return" || (!is_word(last) && !matches!(last, "" | ";" | "{" | "}" | ">"));
    is_operand && tokens.is(at + 1, "(") && !matches!(tokens.at(at + 2), "*" | "&" | ")")
}

/// `= nullptr` of `template <class A, A* = nullptr>`, but not of `a *= 0`.
fn null_default(tokens: &Tokens<'_>, at: usize, last: Token) -> Option<Replacement> {
    let is_pointer = match tokens.text(last) {
        "*" => true,
        "const" => tokens.follows_pointer(last),
        _ => false,
    };
    let is_apart = is_pointer && last.end < tokens.get(at)?.start;
    let is_null = matches!(tokens.at(at + 1), "nullptr" | "NULL");
    let is_last = matches!(tokens.at(at + 2), "," | ">" | ")");
    let is_default = is_apart && is_null && is_last;
    is_default.then(|| blank(tokens, at..at + 2)).flatten()
}

/// Returns the end of the words that only modules have: `export` before a declaration, or a whole
/// statement such as `export module a.b;` and `import <a>;`.
fn module_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    if !tokens.begins_line(at) {
        return None;
    }
    let is_export = tokens.is(at, "export");
    let word = at + usize::from(is_export);
    let is_module = matches!(tokens.at(word), "module" | "import");
    if !is_module {
        return (is_export && tokens.is_word(word)).then_some(word);
    }
    let mut name = word + 1..word + MAX_PART;
    let end = name.find(|index| tokens.is(*index, ";"))?;
    let has_parts = (word + 1..end).any(|index| matches!(tokens.at(index), "." | ":" | "<"));
    let is_path = (word + 1..end).all(|index| {
        tokens.is_word(index) || matches!(tokens.at(index), "." | ":" | "<" | ">" | "/")
    });
    (is_path && (is_export || has_parts)).then_some(end + 1)
}

/// Reports whether `typename` begins a value: `typename A::B(c)`.
fn starts_value(tokens: &Tokens<'_>, at: usize, last: &str) -> bool {
    let is_operand = matches!(last, "=" | "(" | "," | "{" | "return" | "?" | ":" | "<");
    is_operand && matches!(tokens.at(name_end(tokens, at + 1)), "(" | "{")
}

/// Returns the first token after a qualified name with its template arguments.
fn name_end(tokens: &Tokens<'_>, start: usize) -> usize {
    let mut depth = 0_usize;
    let mut name = start..start + MAX_PART;
    let end = name.find(|index| {
        match tokens.at(*index) {
            "<" => depth += 1,
            ">" if depth > 0 => depth -= 1,
            "::" => {}
            _ if depth > 0 => {}
            _ => return !tokens.is_word(*index),
        }
        false
    });
    end.unwrap_or(start)
}

/// Returns the end of an attribute behind `class`: `[[a]]`, `alignas(8)`, or a word before the
/// name.
fn attribute_end(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    match tokens.at(at) {
        "[" if tokens.is(at + 1, "[") => {
            let mut inside = at + 2..at + MAX_PART;
            let end = inside.find(|index| tokens.is(*index, "]") && tokens.is(index + 1, "]"));
            end.map(|end| end + 2)
        }
        "alignas" => tokens.other_bracket(at + 1).map(|close| close + 1),
        _ => {
            let is_final = tokens.is(at + 1, "final");
            let has_name = tokens.is_word(at) && is_name(tokens, at + 1) && !is_final;
            let has_bases = tokens.is(at + 2, ":")
                && matches!(
                    tokens.at(at + 3),
                    "public" | "protected" | "private" | "virtual"
                );
            (has_name && has_bases).then_some(at + 1)
        }
    }
}

/// Reports whether a word is a specifier that only some compilers know: `__stdcall` of
/// `int __stdcall f();`, `__device__` of `__device__ int f();`.
fn is_specifier(tokens: &Tokens<'_>, at: usize) -> bool {
    let word = tokens.at(at);
    let inside = word
        .strip_prefix("__")
        .and_then(|word| word.strip_suffix("__"));
    let is_own = inside.is_some_and(|inside| {
        inside.starts_with(|letter: char| letter.is_ascii_lowercase())
            && !KNOWN_SPECIFIERS.contains(&inside)
    });
    (is_own || CALLING_CONVENTIONS.contains(&word)) && tokens.is_word(at + 1)
}

/// Reports whether a word is the format of a number among strings: `PRIu64` of `"%" PRIu64`.
fn is_format(tokens: &Tokens<'_>, at: usize) -> bool {
    let word = tokens.at(at);
    (word.starts_with("PRI") || word.starts_with("SCN")) && tokens.adjoins_string(at, at + 1)
}

/// Reports whether the keyword of a type is an argument: `int` of `va_arg(a, int)`.
fn is_type_argument(tokens: &Tokens<'_>, at: usize) -> bool {
    let is_alone = is_type_keyword(tokens.at(at))
        && matches!(tokens.at(at + 1), ")" | ",")
        && at > 0
        && matches!(tokens.at(at - 1), "(" | ",");
    let name = is_alone.then(|| enclosing_name(tokens, at)).flatten();
    name.is_some_and(|name| takes_types(tokens, name))
}

/// Reports whether a name may have types as arguments.
fn takes_types(tokens: &Tokens<'_>, name: usize) -> bool {
    is_macro_name(tokens.at(name)) || matches!(tokens.at(name), "va_arg" | "typeid")
}

/// Reports whether a token makes a type of an argument of a macro: `&` of `EXPECT_THROW(f(), A&)`.
fn is_pointer_argument(tokens: &Tokens<'_>, at: usize) -> bool {
    let is_last = matches!(tokens.at(at), "&" | "&&" | "*")
        && matches!(tokens.at(at + 1), ")" | ",")
        && tokens.are_adjacent(at);
    let name = is_last.then(|| enclosing_name(tokens, at)).flatten();
    name.is_some_and(|name| takes_types(tokens, name))
}

/// Reports whether a word between `*` or `&` and a name is an annotation: `char* NONNULL a`.
///
/// In C, a word of lower-case letters can be the name, with an annotation behind it.
fn is_annotation(tokens: &Tokens<'_>, at: usize, before: Token, dialect: Dialect) -> bool {
    let (word, next) = (tokens.at(at), tokens.at(at + 1));
    let follows = match tokens.text(before) {
        "*" | "&" => true,
        "const" => tokens.follows_pointer(before),
        _ => false,
    };
    follows
        && tokens.is_word(at)
        && (dialect == Dialect::Cpp || is_macro_name(word))
        && !is_keyword(word)
        && !BEFORE_NAMES.contains(&word)
        && is_name(tokens, at + 1)
        && !next.starts_with("__")
        && !is_macro_name(next)
}

/// Reports whether a token is a word that can be a name or a type.
fn is_name(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.is_word(at) && !is_operator_word(tokens.at(at))
}

/// Reports whether a word is an operator, or continues an expression.
pub(super) fn is_operator_word(word: &str) -> bool {
    BEFORE_NAMES.contains(&word) || word.ends_with("_eq")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use crate::cpp::kinds::Dialect;
    use crate::cpp::macros::blank_macros;

    #[test]
    fn unknown_syntax_becomes_known_syntax() {
        for (text, prepared) in [
            ("a->operator[](b);", "a->operator__(b);"),
            ("a.operator * ();", "a.operator__ ();"),
            ("this->operator()(a);", "this->operator__(a);"),
            ("a.operator std::string();", "a.operator____________();"),
            (
                "auto f() -> decltype(g(), void());",
                "auto f() -> decltype(g()+ void());",
            ),
            ("a = b | unsigned(c);", "a = b | ________(c);"),
            (
                "template <class A, A* = nullptr> void f();",
                "template <class A, A*          > void f();",
            ),
            ("export namespace a {}", "       namespace a {}"),
            ("export module a.b;\nint c;", "                  \nint c;"),
            ("(a->*b)(c);", "(a  *b)(c);"),
            ("a = new char*[b];", "a = new char [b];"),
            ("{ operator++(); }", "{ operator__(); }"),
            (
                "f(const char* const = nullptr);",
                "f(const char* const          );",
            ),
            ("f(\"%\" PRIu64 \"x\", a);", "f(\"%\"        \"x\", a);"),
            ("a = va_arg(b, int);", "a = va_arg(b, ___);"),
            ("static __device__ int f();", "static            int f();"),
            ("import <a>;\nint c;", "           \nint c;"),
            ("a = typename B::C(d);", "a =          B::C(d);"),
            ("f(typename B<C>::D{});", "f(         B<C>::D{});"),
            ("using typename A::B;", "using          A::B;"),
            ("THROWS(throw a, A);", "THROWS(      a, A);"),
            ("THROWS(f(), A&);", "THROWS(f(), A );"),
            ("a = va_arg(b, char*);", "a = va_arg(b, char );"),
            ("operator ::a::B() const;", "operator   a::B() const;"),
            ("namespace a::inline b {}", "namespace a::       b {}"),
            (
                "for co_await (auto a : b) {}",
                "for          (auto a : b) {}",
            ),
            (
                "extern template class A<int>;",
                "       template class A<int>;",
            ),
            ("void f(this A&& self);", "void f(     A&& self);"),
            ("class [[a::b]] A {};", "class          A {};"),
            ("struct alignas(8) A {};", "struct            A {};"),
            (
                "class __single_inheritance A : public B {};",
                "class                      A : public B {};",
            ),
            ("int __stdcall f();", "int           f();"),
            ("void f(char* nonnull a);", "void f(char*         a);"),
            ("A& __restrict f();", "A&            f();"),
        ] {
            assert_eq!(
                blank_macros(text, Dialect::Cpp).unwrap(),
                prepared,
                "{text}"
            );
        }
    }

    #[test]
    fn known_syntax_stays() {
        for text in [
            "A operator[](int a);",
            "f(g(), h());",
            "unsigned (*f)(int);",
            "struct A { operator bool() const; };",
            "A f(__attribute__((a)) int b);",
            "f((... * a));",
            "a = b * [] { return 1; }();",
            "printf(__func__);",
            "int f(int, char);",
            "a *= nullptr;",
            "module a;",
            "a.import(b);",
            "template <typename A, typename B::C d> void f();",
            "if (a) throw b;",
            "f(a, b & c);",
            "void f(A&, B*);",
            "CHECK(a, 5 * 1024 * 2);",
            "class A final : public B {};",
            "struct a b{c};",
            "a = b * c;",
            "bool a = *b and c;",
            "const char* const a;",
            "int* operator*();",
            "void f() { a = b & sizeof c; }",
        ] {
            assert_eq!(blank_macros(text, Dialect::Cpp), None, "{text}");
        }
        // In C, the annotation can stand behind the name.
        let text = "struct a *b unused;";
        assert_eq!(blank_macros(text, Dialect::C), None);
    }
}
