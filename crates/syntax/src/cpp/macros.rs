//! Removes macros from places where the grammar knows none: `class EXPORT A`, `void f() NOEXCEPT`.
//!
//! The grammar would read `class EXPORT A { … }` as a function. A word counts as a macro if it has
//! no lower-case letters, is not the name of a class in the file, and stands where a declaration
//! has no other word.

use ragnav_base::hash::HashSet;

use super::annotations::annotation_end;
use super::keywords::{
    CLASS_KEYS, SPECIFIERS, STATEMENTS, TRAILING, is_declaration_keyword, is_statement_word,
    is_type_keyword,
};
use super::kinds::Dialect;
use super::macro_names::is_macro_name;
use super::mock_methods::declare_mock_method;
use super::tokens::{Token, Tokens};
use super::unknown_syntax::{Replacement, is_operator_word, replacement};
use crate::replaced_text::ReplacedText;

/// The number of tokens in the arguments of a macro that are searched for types.
const MAX_ARGUMENTS: usize = 64;

/// The number of tokens in the base of an `enum`: `: std::uint8_t`.
const MAX_BASE: usize = 12;

/// The number of macros between the keyword of a class and its name that are searched for the name.
const MAX_ATTRIBUTES: usize = 4;

/// Replaces macros by spaces, and other syntax that the grammar does not know. Every offset stays.
/// Returns `None` if there is nothing to replace.
pub(crate) fn blank_macros(text: &str, dialect: Dialect) -> Option<String> {
    let tokens = Tokens::new(text);
    let classes = match dialect {
        Dialect::Cpp => class_names(&tokens),
        Dialect::C => HashSet::default(),
    };
    let mut replaced = ReplacedText::new(text);
    // The two last tokens that stay, the latter second.
    let mut before = [Token::default(); 2];
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let unknown = replacement(&tokens, at, before, dialect);
        if let Some(Replacement { range, by, next }) = unknown {
            replaced.fill(range, by);
            at = next;
            continue;
        }
        let method = match dialect {
            Dialect::Cpp => declare_mock_method(&tokens, at, &mut replaced),
            Dialect::C => None,
        };
        if let Some(last) = method {
            before = [token, tokens.get(last).unwrap_or_default()];
            at = last + 1;
            continue;
        }
        let is_type = || match dialect {
            Dialect::Cpp => classes.contains(tokens.text(token)),
            Dialect::C => is_result(&tokens, at),
        };
        let end = macro_end(&tokens, at, before, dialect)
            .or_else(|| annotation_end(&tokens, at, before))
            .filter(|_| !is_type() && !stands_for_type(&tokens, (at, before[1]), &classes));
        let Some(last) = end.and_then(|end| tokens.get(end.saturating_sub(1))) else {
            before = [before[1], token];
            at += 1;
            continue;
        };
        // `, ENABLE(a)` of `template <class T, ENABLE(a)>`
        let start = match tokens.text(before[1]) {
            "," if end.is_some_and(|end| tokens.is(end, ">")) => before[1].start,
            _ => token.start,
        };
        replaced.fill(start..last.end, b' ');
        at = end.unwrap_or(at + 1);
    }
    replaced.finish()
}

/// Returns the names of the classes that a file defines: `A` of `class EXPORT A : B {`. Such a
/// name is not that of a macro, even if it has no lower-case letters, as in `URL(int a);`.
fn class_names<'t>(tokens: &Tokens<'t>) -> HashSet<&'t str> {
    let keys = (0..tokens.len()).filter(|at| matches!(tokens.at(*at), "class" | "struct"));
    let names = keys.filter_map(|key| {
        let mut words = key + 1..key + 1 + MAX_ATTRIBUTES;
        let name = words.find(|at| matches!(tokens.at(at + 1), "{" | ":" | "final"))?;
        let is_name = (key + 1..=name).all(|at| tokens.is_word(at));
        is_name.then(|| tokens.at(name))
    });
    names.collect()
}

/// Reports whether a word may be the type that a function of C returns, in a line of its own:
/// `VALUE` before `f(VALUE a)`.
fn is_result(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.begins_line(at)
        && tokens.begins_line(at + 1)
        && tokens.is_word(at + 1)
        && !is_macro_name(tokens.at(at + 1))
        && tokens.is(at + 2, "(")
}

/// Reports whether a macro gives a function the result that its argument names, which the grammar
/// reads as a type: `API(const char *)` of `API(const char *) f(void);`. Before a constructor, it
/// gives none.
fn stands_for_type(
    tokens: &Tokens<'_>,
    (at, last): (usize, Token),
    classes: &HashSet<&str>,
) -> bool {
    let open = tokens.is(at + 1, "(").then_some(at + 1);
    let Some(close) = open.and_then(|open| tokens.other_bracket(open)) else {
        return false;
    };
    let mut argument = at + 2..close;
    may_begin_declaration(tokens, at, last)
        && !argument.is_empty()
        && argument.all(|index| tokens.is_word(index) || tokens.is(index, "*"))
        && tokens.is_word(close + 1)
        && !is_macro_name(tokens.at(close + 1))
        && !classes.contains(tokens.at(close + 1))
        && tokens.is(close + 2, "(")
}

/// Returns the first token after a macro that stands where the grammar knows none.
fn macro_end(
    tokens: &Tokens<'_>,
    at: usize,
    before: [Token; 2],
    dialect: Dialect,
) -> Option<usize> {
    let token = tokens.get(at)?;
    let [_, last] = before.map(|token| tokens.text(token));
    // The grammar knows no base of an `enum` without a name.
    if last == "enum" && tokens.is(at, ":") {
        return (at..at + MAX_BASE).find(|index| tokens.is(*index, "{"));
    }
    if !is_macro_name(tokens.text(token)) {
        return None;
    }
    // `if CONSTEXPR (a)`
    if last == "if" {
        return tokens.is(at + 1, "(").then_some(at + 1);
    }
    let has_arguments = tokens.is(at + 1, "(");
    let end = if has_arguments {
        tokens.other_bracket(at + 1)? + 1
    } else {
        at + 1
    };
    if dialect == Dialect::Cpp && labels_members(tokens, (at, end), before) {
        return Some(end + 1);
    }
    if names_types(tokens, (at, end), before) {
        // The grammar takes no `{ ; }` behind the use of a macro. Elsewhere the semicolon may end a
        // class, or be the statement behind `if (a)`.
        let is_alone = tokens.is(end, ";") && matches!(last, "{" | ";");
        return Some(if is_alone { end + 1 } else { end });
    }
    let is_removed = constrains_template(tokens, end, before)
        || follows_class_key(tokens, end, before, dialect)
        || begins_declaration(tokens, at, end, before)
        || begins_parameter(tokens, end, before)
        || tokens.adjoins_string(at, end)
        || follows_type(tokens, at, before)
        || ends_declarator(tokens, end, before)
        || begins_block(tokens, at, end, before)
        || annotates_variable(tokens, (at, end), before, dialect);
    is_removed.then_some(end)
}

/// `EXPORT` of `class EXPORT A`. In C, `struct LIST a;` declares a variable.
fn follows_class_key(
    tokens: &Tokens<'_>,
    end: usize,
    [first, last]: [Token; 2],
    dialect: Dialect,
) -> bool {
    let is_attribute = tokens.is(end, "[") && tokens.is(end + 1, "[");
    if is_attribute && CLASS_KEYS.contains(&tokens.text(last)) {
        return dialect == Dialect::Cpp;
    }
    CLASS_KEYS.contains(&tokens.text(last))
        && tokens.is_word(end)
        && !tokens.is(end, "final")
        && (tokens.is(end + 1, "{") || (dialect == Dialect::Cpp && tokens.text(first) != "typedef"))
}

/// `ENABLE(a)` of `template <class T, ENABLE(a)>`.
fn constrains_template(tokens: &Tokens<'_>, end: usize, [_, last]: [Token; 2]) -> bool {
    tokens.text(last) == "," && tokens.is(end.saturating_sub(1), ")") && tokens.is(end, ">")
}

/// `TRY` of `TRY { f(); }`, and `CATCH(...)`.
fn begins_block(tokens: &Tokens<'_>, at: usize, end: usize, [_, last]: [Token; 2]) -> bool {
    let has_any = end == at + 1 || (end == at + 6 && tokens.is(at + 2, "."));
    has_any && matches!(tokens.text(last), ";" | "{" | "}") && tokens.is(end, "{")
}

/// `API` of `API void f();`, or `BEGIN_NAMESPACE` in a line of its own.
fn begins_declaration(tokens: &Tokens<'_>, at: usize, end: usize, [_, last]: [Token; 2]) -> bool {
    let text = tokens.text(last);
    if !may_begin_declaration(tokens, at, last) || (text == ":" && !tokens.begins_line(at)) {
        return false;
    }
    let next = tokens.at(end);
    let is_alone = tokens.begins_line(at) && tokens.begins_line(end);
    if is_alone
        && (next.is_empty() || matches!(next, "}" | "~" | "[") || tokens.follows_directive(end))
    {
        return text != ">" && !SPECIFIERS.contains(&text);
    }
    if next == "~" {
        return tokens.is_word(end + 1);
    }
    if next == "::" {
        // `A::b` is a name.
        let ends = |index: usize| tokens.get(index).map(|token| (token.start, token.end));
        let macro_end = ends(end.saturating_sub(1)).map(|(_, end)| end);
        let is_apart = macro_end < ends(end).map(|(start, _)| start);
        return is_apart && tokens.is_word(end + 1);
    }
    if !tokens.is_word(end) || STATEMENTS.contains(&next) {
        return false;
    }
    let has_arguments = end > at + 1;
    let after = tokens.at(end + 1);
    let is_type = matches!(after, ";" | "=" | "," | ")" | "[");
    ((is_alone || has_arguments) && !is_type)
        || is_declaration_keyword(next)
        || tokens.is_word(end + 1)
        || has_initializers(tokens, end + 1)
        || matches!(after, "::" | "<" | "*" | "&" | "&&")
}

/// Reports whether a declaration may begin, or go on behind its specifiers, at a token.
fn may_begin_declaration(tokens: &Tokens<'_>, at: usize, last: Token) -> bool {
    let text = tokens.text(last);
    matches!(text, "" | ";" | "{" | "}" | ":" | ">" | "]" | "template")
        || SPECIFIERS.contains(&text)
        || tokens.follows_directive(at)
}

/// `UNUSED` of `void f(UNUSED int a)`.
fn begins_parameter(tokens: &Tokens<'_>, end: usize, [_, last]: [Token; 2]) -> bool {
    let kind = tokens.at(end);
    let is_type = is_type_keyword(kind) && kind != "const";
    let is_named = tokens.is_word(end + 1) || tokens.is(end + 1, "*");
    matches!(tokens.text(last), "(" | ",")
        && tokens.is_word(end)
        && !is_operator_word(kind)
        && (is_type || (is_named && !is_declaration_keyword(kind)))
}

/// `FLAG(int, a, "b")` of `FLAG(int, a, "b");`, which has no meaning without the macro.
fn names_types(tokens: &Tokens<'_>, (at, end): (usize, usize), [_, last]: [Token; 2]) -> bool {
    let is_statement = matches!(tokens.text(last), "" | ";" | "{" | "}" | ":" | ")")
        && tokens.begins_line(at)
        && (tokens.is(end, ";") || tokens.begins_line(end));
    let next = |index: usize| {
        // A lambda has parameters and a body: `CHECK(a([](int) { return b; }))`.
        let is_lambda = tokens.is(index, "{") || tokens.is(index.saturating_sub(1), "]");
        let close = tokens.other_bracket(index).filter(|_| is_lambda);
        Some(index.max(close.unwrap_or(index)) + 1)
    };
    let mut arguments = std::iter::successors(Some(at + 2), |index| next(*index))
        .take_while(|index| *index < end.min(at + MAX_ARGUMENTS));
    is_statement
        && arguments.any(|index| {
            let is_first = matches!(tokens.at(index - 1), "(" | ",");
            is_first && is_type_keyword(tokens.at(index)) && !tokens.is(index + 1, "(")
        })
}

/// `INLINE` of `void INLINE a::f() {`.
fn follows_type(tokens: &Tokens<'_>, at: usize, [_, last]: [Token; 2]) -> bool {
    let kind = tokens.text(last);
    let is_name = tokens.is_word_token(last) && !is_macro_name(kind);
    let is_word = is_name && !is_statement_word(kind) && !SPECIFIERS.contains(&kind);
    let is_type = is_word || matches!(kind, ">" | "*" | "&");
    is_type && tokens.is_word(at + 1) && matches!(tokens.at(at + 2), "(" | "::" | "<")
}

/// Reports whether parentheses and a list of initialisers follow: `(int a) noexcept(b) : c(a)`.
fn has_initializers(tokens: &Tokens<'_>, open: usize) -> bool {
    let end_of = |open: usize| {
        let close = tokens.is(open, "(").then(|| tokens.other_bracket(open));
        close.flatten().map(|close| close + 1)
    };
    end_of(open).is_some_and(|end| {
        let is_noexcept = tokens.is(end, "noexcept");
        let after = end + usize::from(is_noexcept);
        let condition = end_of(after).filter(|_| is_noexcept);
        tokens.is(condition.unwrap_or(after), ":")
    })
}

/// `NOEXCEPT` of `void f() NOEXCEPT {`. Behind the parentheses of a statement there is a statement.
fn ends_declarator(tokens: &Tokens<'_>, end: usize, [_, last]: [Token; 2]) -> bool {
    let follows = match tokens.text(last) {
        ")" => !tokens.closes_statement(last),
        text => TRAILING.contains(&text),
    };
    let next = tokens.at(end);
    follows && (matches!(next, "{" | ";" | "=" | "->" | ":") || TRAILING.contains(&next))
}

/// `PRIVATE_UNLESS_TESTED:` in a line of its own, which stands for `private:`.
fn labels_members(tokens: &Tokens<'_>, (at, end): (usize, usize), [_, last]: [Token; 2]) -> bool {
    matches!(tokens.text(last), ";" | "{" | "}" | ":")
        && tokens.begins_line(at)
        && tokens.is(end, ":")
        && tokens.begins_line(end + 1)
}

/// `GUARDED_BY(m)` of `int a GUARDED_BY(m);`, and `UNUSED` of `void f(int a UNUSED)`.
fn annotates_variable(
    tokens: &Tokens<'_>,
    (at, end): (usize, usize),
    [first, last]: [Token; 2],
    dialect: Dialect,
) -> bool {
    let (kind, name) = (tokens.text(first), tokens.text(last));
    let is_name =
        tokens.is_word_token(last) && !is_declaration_keyword(name) && !STATEMENTS.contains(&name);
    let is_type = matches!(kind, ">" | "*" | "&" | "&&" | ".")
        || (kind == "const" && tokens.follows_pointer(first))
        || (tokens.is_word_token(first)
            && !SPECIFIERS.contains(&kind)
            && !CLASS_KEYS.contains(&kind)
            && !STATEMENTS.contains(&kind));
    let follows = match tokens.at(end) {
        // C has variables such as `DWORD A_B;` behind macros of lower-case letters.
        ";" | "=" | "{" if end == at + 1 => {
            dialect == Dialect::Cpp && kind != "typedef" && tokens.at(at).contains('_')
        }
        ";" | "=" | "{" => true,
        next if is_macro_name(next) => end > at + 1 && tokens.is(end + 1, "("),
        next => matches!(next, ")" | ","),
    };
    is_name && is_type && follows
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by a panic")]
mod tests {
    use super::{Dialect, blank_macros};

    #[test]
    fn macros_in_declarations_become_spaces() {
        for (text, prepared) in [
            ("class EXPORT A {};", "class        A {};"),
            ("class A_API(x) A : B {};", "class          A : B {};"),
            ("BEGIN_SPACE\nnamespace a {}", "           \nnamespace a {}"),
            ("API INLINE int f();", "           int f();"),
            ("static API std::string f();", "static     std::string f();"),
            ("API ::a::B* f();", "    ::a::B* f();"),
            (
                "template <class T, WHEN(T)> int f();",
                "template <class T         > int f();",
            ),
            (
                "{ TRY { f(); } CATCH(...) {} }",
                "{     { f(); }            {} }",
            ),
            ("API A(int b) : b(b) {}", "    A(int b) : b(b) {}"),
            ("void f(int a UNUSED);", "void f(int a       );"),
            ("API ~A();", "    ~A();"),
            ("if CONSTEXPR (a) {}", "if           (a) {}"),
            ("enum : std::byte { A };", "enum             { A };"),
            ("int f() NOEXCEPT { g(); }", "int f()          { g(); }"),
            ("void f() LOCKED(m_);", "void f()           ;"),
            ("void INLINE a::f() {}", "void        a::f() {}"),
            ("size_t INLINE f() {}", "size_t        f() {}"),
            ("bool a GUARDED_BY(m_);", "bool a               ;"),
            ("A* const a LOCKED(m_);", "A* const a           ;"),
            (
                "A* a LOCKED(b) PT_LOCKED(c){nullptr};",
                "A* a                       {nullptr};",
            ),
            ("int a MUST_BE_SET;", "int a            ;"),
            ("void f(A&& a LIVES);", "void f(A&& a      );"),
            (
                "{ int a;\nPRIVATE_UNLESS_TESTED:\nint b; }",
                "{ int a;\n                      \nint b; }",
            ),
            ("[[a]] API b::C f();", "[[a]]     b::C f();"),
            (
                "API A(A&& b) noexcept(c) : d(b) {}",
                "    A(A&& b) noexcept(c) : d(b) {}",
            ),
            ("FLAG(int, a, \"b\");", "                 ;"),
            ("{\nFLAG(int); }", "{\n           }"),
            ("struct A {}\nFLAG(int);", "struct A {}\n         ;"),
            (
                "MOCK_METHOD(int, f, (int a), (const));",
                "            int  f  (int a)          ;",
            ),
            (
                "MOCK_METHOD((b<c, d>), f, ());",
                "             b<c, d>   f  () ;",
            ),
            (
                "MOCK_CONST_METHOD1(f, b*(const c& a));",
                "auto               f    (const c& a) ;",
            ),
            ("if (a)\nFLAG(int);", "if (a)\n         ;"),
            ("f(\"a\" FORMAT, b);", "f(\"a\"       , b);"),
            ("f(PREFIX \"a\");", "f(       \"a\");"),
            (
                "void f(UNUSED int a, UNUSED B* c);",
                "void f(       int a,        B* c);",
            ),
        ] {
            assert_eq!(
                blank_macros(text, Dialect::Cpp).unwrap(),
                prepared,
                "{text}"
            );
            assert_eq!(text.len(), prepared.len());
        }
    }

    #[test]
    fn other_words_stay() {
        for text in [
            "typedef TYPE(a) A;",
            "DWORD f();",
            "FILE *f;",
            "BOOL a = TRUE;",
            "void f() { if (a) CHECK(b); ASSERT(c); }",
            "TEST(A, B) { }",
            "const A B_C(1);",
            "int ABS(a);",
            "#define API EXPORT int\n// API int f();\nauto s = R\"x(API int)\" f)x\";",
            "enum { ONE, TWO };",
            "typedef a A_B;",
            "switch (a) { case A_B: f(); }",
            "f(BOOL a, BOOL const *b);",
            "CHECK(a);",
            "CHECK(a([](int) { return b; }));",
            "// \"a\"\nVALUE f();",
            "API(const char) f(void);",
            "static BOOL f(int a) {}",
        ] {
            assert_eq!(blank_macros(text, Dialect::Cpp), None, "{text}");
        }
    }
}
