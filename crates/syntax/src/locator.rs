//! From a line to the symbol around it, and from a symbol to its lines. Source: seed `locator`.
//!
//! Both look at the text as it is now; nothing is ever found by a line number that was stored.

use serde::Deserialize;

use crate::extract;
use crate::language::Language;
use crate::languages;
use crate::symbol::Symbol;
use ragnav_base::error::RagnavError;
use ragnav_base::item::SymbolLocation;
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, wire};
use ragnav_base::symbol_id::{self, SymbolId};
use ragnav_base::text::without_bom;

/// The module of ids where neither `module` nor `path` is given (seed `locator`, section 4.1).
const DEFAULT_MODULE: &str = "module";

/// What the locator's pure functions may be told beside the text.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct LocatorOptions {
    /// The language. Default: by the extension of `path`, else Python.
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string | null | undefined"))]
    pub lang: Option<String>,
    /// The module part of ids, `src.auth`. Default: from `path`, else `module`.
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string | null | undefined"))]
    pub module: Option<String>,
    /// The file's path relative to the repository's root.
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string | null | undefined"))]
    pub path: Option<String>,
    /// Whether a decorator's line belongs to what it decorates. Default: no, it is the enclosing scope's.
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "boolean | null | undefined")
    )]
    pub decorators: Option<bool>,
}

struct Context {
    language: &'static Language,
    module: Option<String>,
}

/// The id of the innermost definition that encloses a line; `None` at module level and outside the text.
///
/// A definition's lines run from its `def` or `class` to the end of its last statement, as CPython's
/// `lineno` and `end_lineno` have it.
///
/// # Errors
/// `LANGUAGE_UNAVAILABLE` for a language this build lacks, `INVALID_ARGUMENT` for a path that is none.
pub fn identify_symbol_at_line(
    source: &str,
    line: usize,
    options: &LocatorOptions,
) -> Result<Option<SymbolId>, RagnavError> {
    let context = context(options)?;
    let symbols = extract::symbols(context.language, without_bom(source));
    let with_decorators = options.decorators.unwrap_or(false);
    let module = context.module.as_deref().unwrap_or(DEFAULT_MODULE);
    Ok(enclosing(&symbols, line, with_decorators)
        .last()
        .map(|symbol| SymbolId::new(module, &symbol.name_path)))
}

/// Where a symbol stands in a text: the first definition that its id fits.
///
/// Where the module is known and the id names it, the rest of the id must be the whole name path.
/// Otherwise the longest suffix of the id that is some definition's name path decides.
///
/// # Errors
/// `LANGUAGE_UNAVAILABLE` for a language this build lacks, `INVALID_ARGUMENT` for a path that is none.
pub fn locate_symbol(
    source: &str,
    symbol: &str,
    options: &LocatorOptions,
) -> Result<Option<SymbolLocation>, RagnavError> {
    let context = context(options)?;
    let symbols = extract::symbols(context.language, without_bom(source));
    let found = find(
        &symbols,
        symbol_id::dotted(symbol),
        context.module.as_deref(),
    );
    Ok(found.map(|symbol| SymbolLocation {
        start_line: wire(symbol.start_line),
        end_line: wire(symbol.end_line),
    }))
}

/// The definitions that enclose a line, outermost first.
pub fn enclosing(
    symbols: &[Symbol],
    line: usize,
    with_decorators: bool,
) -> impl Iterator<Item = &Symbol> {
    symbols.iter().filter(move |symbol| {
        let start = if with_decorators {
            symbol.decorated_start_line
        } else {
            symbol.start_line
        };
        (start..=symbol.end_line).contains(&line)
    })
}

/// The place of the innermost definition that encloses a line.
#[must_use]
pub fn innermost(symbols: &[Symbol], line: usize) -> Option<usize> {
    symbols.iter().rposition(|symbol| symbol.encloses(line))
}

/// The place of the innermost definition around what ends at a column of a line: on a line where one begins, what is before
/// it is not in it.
#[must_use]
pub fn innermost_around(symbols: &[Symbol], line: usize, end_utf16: u32) -> Option<usize> {
    symbols
        .iter()
        .rposition(|symbol| symbol.encloses_end(line, end_utf16))
}

/// How many lines a text has, for messages about lines outside it.
#[must_use]
pub fn line_count(text: &str) -> usize {
    LineIndex::new(text).count()
}

fn find<'s>(symbols: &'s [Symbol], dotted: &str, module: Option<&str>) -> Option<&'s Symbol> {
    let named = |name_path: &str| symbols.iter().find(|symbol| symbol.name_path == name_path);
    let in_module = module
        .and_then(|module| dotted.strip_prefix(module))
        .and_then(|rest| rest.strip_prefix('.'));
    match in_module {
        Some(name_path) => named(name_path),
        None => suffixes(dotted).find_map(named),
    }
}

/// A dotted name and its suffixes of whole segments, longest first.
fn suffixes(dotted: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(dotted), |rest| {
        rest.split_once('.').map(|(_, rest)| rest)
    })
}

fn context(options: &LocatorOptions) -> Result<Context, RagnavError> {
    let path = options.path.as_deref().map(RepoPath::parse).transpose()?;
    let language = match (options.lang.as_deref(), &path) {
        (Some(name), _) => languages::by_name(name)?,
        (None, Some(path)) => languages::require_of_path(path)?,
        (None, None) => languages::by_name("python")?,
    };
    let module = options.module.clone().or_else(|| {
        let path = path.as_ref()?;
        Some(symbol_id::module_of(path, language.package_file))
    });
    Ok(Context { language, module })
}
