//! Identify: the definitions around a line. Source: seed `locator`, section 3.3.

use crate::argument::whole_number;
use crate::envelope::{ErrorOptions, FreshnessState, Proof, RagResult, SourceTag, error_result};
use crate::error::{ErrorCode, RagnavError};
use crate::freshness::route;
use crate::host::{self, Host};
use crate::item::Definition;
use crate::lang::{self, Language, Symbol};
use crate::locator;
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::position::wire;
use crate::repo::text;
use crate::symbol_id::{self, SymbolId};
use crate::tools::Settings;
use crate::tools::live_answer::{add_message, live_meta};

/// Answers with the definitions that enclose a line of a file, innermost first.
///
/// Module level gives no items. A decorator's line belongs to the scope around what it decorates.
pub async fn identify<H: Host>(
    host: &H,
    settings: &Settings,
    file: &str,
    line: f64,
) -> RagResult<Definition> {
    match try_identify(host, settings, file, line).await {
        Ok(result) => result,
        Err(error) => error_result(ErrorOptions::from_error(error)),
    }
}

async fn try_identify<H: Host>(
    host: &H,
    settings: &Settings,
    file: &str,
    line: f64,
) -> Result<RagResult<Definition>, RagnavError> {
    let path = RepoPath::parse(file)?;
    let line = whole_number("line", line)?;
    let language = lang::require_of_path(&path)?;
    let host = &Overlaid::new(host).await?;
    let examined = route::examine(host, &settings.repo).await;
    let read = host::read_one(host, &path, settings.limits.max_file_bytes).await?;
    let bytes = read.map_err(|error| unreadable(&path, &error.to_string()))?;
    let text = text::decode(&bytes).map_err(|_| unreadable(&path, "it is not UTF-8 text"))?;
    let symbols = lang::symbols(language, text);
    let mut items: Vec<Definition> = locator::enclosing(&symbols, line, false)
        .map(|symbol| live_definition(&path, language, symbol, host.proof(&path)))
        .collect();
    items.reverse();
    let mut meta = live_meta(examined, 1, 0);
    let lines = locator::line_count(text);
    if line > lines {
        add_message(&mut meta, &format!("{path} has {lines} lines."));
    }
    Ok(RagResult { meta, items })
}

/// A definition that was found in a file's text as it is now.
pub(super) fn live_definition(
    path: &RepoPath,
    language: &Language,
    symbol: &Symbol,
    proof: Proof,
) -> Definition {
    let module = symbol_id::module_of(path, language.package_file);
    Definition {
        symbol: SymbolId::new(&module, &symbol.name_path),
        ordinal: wire(symbol.ordinal),
        kind: symbol.kind,
        file: path.to_string(),
        start_line: wire(symbol.start_line),
        end_line: wire(symbol.end_line),
        source: SourceTag::LocalFallback,
        freshness_state: FreshnessState::Fresh,
        proof,
    }
}

fn unreadable(path: &RepoPath, why: &str) -> RagnavError {
    RagnavError::new(
        ErrorCode::FileUnreadable,
        format!("{path} cannot be answered for: {why}"),
    )
}
