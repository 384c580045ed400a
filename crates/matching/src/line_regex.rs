//! Regular expressions whose matches never span lines.
//!
//! As in ripgrep, line breaks are removed from every class of the parsed expression. A search
//! therefore never runs past the end of a line, and `\s+` before a line break matches only blanks.

use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition};

use ragnav_base::error::RagnavError;

/// The largest compiled expression, in bytes.
const MAX_BYTES: usize = 10 << 20;

/// The cache limit of the lazy DFA, in bytes. With too small a cache, each byte of the text costs
/// time in proportion to the size of the expression.
const CACHE_BYTES: usize = 64 << 20;

/// Compiles an expression: `^` and `$` match at line ends, and `.` matches no line break.
///
/// # Errors
/// `INVALID_ARGUMENT` for an expression that is malformed, too large or requires a line break.
pub(super) fn compile_line_regex(
    pattern: &str,
    case_sensitive: bool,
) -> Result<Regex, RagnavError> {
    let refuse = |why: &dyn std::fmt::Display| {
        RagnavError::invalid(format!("the regular expression is not valid: {why}"))
    };
    let syntax = syntax::Config::new()
        .case_insensitive(!case_sensitive)
        .multi_line(true)
        .crlf(true);
    let hir = syntax::parse_with(pattern, &syntax).map_err(|error| refuse(&error))?;
    let hir = restrict_to_line(hir)
        .ok_or_else(|| refuse(&"a match never holds a line break; search for one line of it"))?;
    let config = Regex::config()
        .nfa_size_limit(Some(MAX_BYTES))
        .hybrid_cache_capacity(CACHE_BYTES);
    Regex::builder()
        .configure(config)
        .build_from_hir(&hir)
        .map_err(|error| match error.size_limit() {
            Some(_) => refuse(&"it is too large; shorten its repetitions"),
            None => refuse(&error),
        })
}

/// Removes line breaks from an expression; returns `None` if it matches nothing else.
///
/// The start and end of the text become those of a line, as in a tool that reads line by line.
/// The parser limits the depth of an expression, and with it this recursion.
fn restrict_to_line(hir: Hir) -> Option<Hir> {
    Some(match hir.into_kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Look(look) => Hir::look(to_line_anchor(look)),
        HirKind::Literal(literal) => {
            let breaks = memchr::memchr2(b'\n', b'\r', &literal.0).is_some();
            (!breaks).then(|| Hir::literal(literal.0))?
        }
        HirKind::Class(class) => Hir::class(remove_line_breaks(class)?),
        HirKind::Repetition(repetition) => match restrict_to_line(*repetition.sub) {
            Some(sub) => Hir::repetition(Repetition {
                min: repetition.min,
                max: repetition.max,
                greedy: repetition.greedy,
                sub: Box::new(sub),
            }),
            None if repetition.min == 0 => Hir::empty(),
            None => return None,
        },
        HirKind::Capture(capture) => restrict_to_line(*capture.sub)?,
        HirKind::Concat(parts) => Hir::concat(
            parts
                .into_iter()
                .map(restrict_to_line)
                .collect::<Option<_>>()?,
        ),
        HirKind::Alternation(parts) => {
            let left: Vec<Hir> = parts.into_iter().filter_map(restrict_to_line).collect();
            (!left.is_empty()).then(|| Hir::alternation(left))?
        }
    })
}

fn to_line_anchor(look: Look) -> Look {
    match look {
        Look::Start | Look::StartLF => Look::StartCRLF,
        Look::End | Look::EndLF => Look::EndCRLF,
        other => other,
    }
}

/// Removes line breaks from a class; returns `None` if it held nothing else.
fn remove_line_breaks(class: Class) -> Option<Class> {
    let was_empty = class.is_empty();
    let class = match class {
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
    };
    (was_empty || !class.is_empty()).then_some(class)
}
