//! Regular expressions whose matches stay within a line.
//!
//! As in ripgrep, line breaks are taken out of every class of the parsed expression, so no search
//! runs past the end of a line and `\s+` before a line break means the blanks before it.

use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Repetition};

use crate::error::RagnavError;

/// The largest compiled expression, in bytes.
const MAX_BYTES: usize = 10 << 20;

/// Compiles an expression: `^` and `$` are the ends of a line, `.` is no line break.
///
/// # Errors
/// `INVALID_ARGUMENT` for an expression that is malformed, too large or asks for a line break.
pub(super) fn line_regex(pattern: &str, case_sensitive: bool) -> Result<Regex, RagnavError> {
    let refuse = |why: &dyn std::fmt::Display| {
        RagnavError::invalid(format!("the regular expression is not valid: {why}"))
    };
    let syntax = syntax::Config::new()
        .case_insensitive(!case_sensitive)
        .multi_line(true)
        .crlf(true);
    let hir = syntax::parse_with(pattern, &syntax).map_err(|error| refuse(&error))?;
    let hir = within_line(hir)
        .ok_or_else(|| refuse(&"a match never holds a line break; search for one line of it"))?;
    Regex::builder()
        .configure(Regex::config().nfa_size_limit(Some(MAX_BYTES)))
        .build_from_hir(&hir)
        .map_err(|error| refuse(&error))
}

/// The expression without line breaks in its classes; `None` where it holds one as itself.
///
/// The parser bounds the depth of what it accepts, and with it this recursion.
fn within_line(hir: Hir) -> Option<Hir> {
    let all = |hirs: Vec<Hir>| {
        hirs.into_iter()
            .map(within_line)
            .collect::<Option<Vec<_>>>()
    };
    Some(match hir.into_kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Look(look) => Hir::look(look),
        HirKind::Literal(literal) => {
            let breaks = memchr::memchr2(b'\n', b'\r', &literal.0).is_some();
            (!breaks).then(|| Hir::literal(literal.0))?
        }
        HirKind::Class(class) => Hir::class(without_breaks(class)),
        HirKind::Repetition(repetition) => Hir::repetition(Repetition {
            sub: Box::new(within_line(*repetition.sub)?),
            ..repetition
        }),
        HirKind::Capture(capture) => within_line(*capture.sub)?,
        HirKind::Concat(parts) => Hir::concat(all(parts)?),
        HirKind::Alternation(parts) => Hir::alternation(all(parts)?),
    })
}

/// Bytes outside Unicode cannot be asked for: the parser is told that texts are UTF-8.
fn without_breaks(class: Class) -> Class {
    match class {
        Class::Unicode(mut class) => {
            let range = |letter| ClassUnicodeRange::new(letter, letter);
            class.difference(&ClassUnicode::new([range('\n'), range('\r')]));
            Class::Unicode(class)
        }
        Class::Bytes(mut class) => {
            let range = |byte| regex_syntax::hir::ClassBytesRange::new(byte, byte);
            class.difference(&regex_syntax::hir::ClassBytes::new([
                range(b'\n'),
                range(b'\r'),
            ]));
            Class::Bytes(class)
        }
    }
}
