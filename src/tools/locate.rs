//! Locate: where a symbol is defined now. Source: seed `locator`, section 2.

use crate::envelope::{ErrorOptions, Proof, RagResult, error_result};
use crate::error::RagnavError;
use crate::host::Host;
use crate::item::{Definition, Skipped};
use crate::lang;
use crate::matching::pattern::{Pattern, SearchMode};
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::symbol_id;
use crate::tools::file_symbols::FileSymbols;
use crate::tools::live_answer::{
    add_incomplete, item_limit, limit_items, live_meta, route_and_walk,
};
use crate::tools::live_files::LiveFiles;
use crate::tools::{QuestionOptions, Settings};

/// How well an id fits what was asked for; a better fit puts the others out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Exact,
    Suffix,
    IgnoringCase,
}

/// Answers with every definition that a full id, a dotted suffix or a bare name fits best, by file and line.
///
/// Exact beats suffix beats suffix without regard to case. A symbol that nothing defines is no
/// error: the items are empty, and meta says on what that rests.
pub async fn locate<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &QuestionOptions,
) -> RagResult<Definition> {
    match try_locate(host, settings, symbol, options).await {
        Ok(result) => result,
        Err(error) => error_result(ErrorOptions::from_error(error)),
    }
}

async fn try_locate<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &QuestionOptions,
) -> Result<RagResult<Definition>, RagnavError> {
    let dotted = symbol_id::dotted(symbol);
    let name = dotted.rsplit('.').next().unwrap_or(dotted);
    if name.is_empty() || dotted.split('.').any(str::is_empty) {
        let message = format!("{symbol:?} is no symbol; give a name, a dotted suffix or a full id");
        return Err(RagnavError::invalid(message));
    }
    let limit = item_limit(options)?;
    let host = &Overlaid::new(host).await?;
    let (route, mut found) = route_and_walk(host, settings, options.stale_policy).await?;
    found.files.retain(|path| lang::of_path(path).is_some());
    found.skipped.retain(may_hold_code);
    let reading = Reading {
        host,
        settings,
        files: &found.files,
    };
    let mut looked = reading.look_for(name, dotted, true).await?;
    if looked.definitions.is_empty() {
        looked = reading.look_for(name, dotted, false).await?;
    }
    let skipped = found.skipped.len() + looked.skipped.len();
    let live = found.files.len().saturating_sub(looked.skipped.len());
    let mut meta = live_meta(route, live, skipped);
    add_incomplete(&mut meta, &found, settings);
    let best = looked.definitions.iter().map(|(fit, _)| *fit).min();
    let mut items: Vec<Definition> = looked
        .definitions
        .into_iter()
        .filter(|(fit, _)| Some(*fit) == best)
        .map(|(_, definition)| definition)
        .collect();
    limit_items(&mut items, limit, &mut meta);
    Ok(RagResult { meta, items })
}

struct Reading<'q, H> {
    host: &'q Overlaid<'q, H>,
    settings: &'q Settings,
    files: &'q [RepoPath],
}

struct Looked {
    definitions: Vec<(Fit, Definition)>,
    skipped: Vec<Skipped>,
}

impl<H: Host> Reading<'_, H> {
    /// Parses the files whose text holds the name.
    async fn look_for(
        &self,
        name: &str,
        dotted: &str,
        case_sensitive: bool,
    ) -> Result<Looked, RagnavError> {
        let pattern = Pattern::new(name, SearchMode::Literal, case_sensitive)?;
        let max_bytes = self.settings.limits.max_file_bytes;
        let mut files = LiveFiles::new(self.host, self.files, max_bytes);
        let mut definitions = Vec::new();
        while let Some((path, bytes)) = files.next().await? {
            let Some(text) = files.text(path, &bytes) else {
                continue;
            };
            if pattern.find_at(text, 0).is_some() {
                definitions.extend(fitting(path, text, dotted, self.host.proof(path)));
            }
        }
        Ok(Looked {
            definitions,
            skipped: files.into_skipped(),
        })
    }
}

fn fitting(path: &RepoPath, text: &str, dotted: &str, proof: Proof) -> Vec<(Fit, Definition)> {
    let file = FileSymbols::new(path, text);
    file.symbols
        .iter()
        .map(|symbol| file.definition(path, symbol, proof))
        .filter_map(|definition| Some((fit(definition.symbol.dotted(), dotted)?, definition)))
        .collect()
}

fn fit(id: &str, asked: &str) -> Option<Fit> {
    if id == asked {
        return Some(Fit::Exact);
    }
    if symbol_id::ends_with(id, asked) {
        return Some(Fit::Suffix);
    }
    let folded = symbol_id::ends_with(&id.to_lowercase(), &asked.to_lowercase());
    folded.then_some(Fit::IgnoringCase)
}

fn may_hold_code(skip: &Skipped) -> bool {
    let is_folder = skip.file.ends_with('/');
    is_folder || RepoPath::parse(&skip.file).is_ok_and(|path| lang::of_path(&path).is_some())
}
