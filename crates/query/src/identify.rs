//! Identify: the definitions around a line. Source: seed `locator`, section 3.3.

use std::collections::BTreeSet;

use crate::answer::{Failure, add_message, add_partial, item_limit, limit_items};
use crate::basis::Basis;
use crate::file_symbols::FileSymbols;
use crate::scope::Scope;
use crate::{QuestionOptions, Settings};
use ragnav_base::argument::whole_number;
use ragnav_base::envelope::RagResult;
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, Host};
use ragnav_base::item::{Definition, SkipReason};
use ragnav_base::path::RepoPath;
use ragnav_base::text;
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::walk;
use ragnav_syntax::locator;

/// Answers with the definitions that enclose a line of a file, innermost first.
///
/// Module level gives no items. A decorator's line belongs to the scope around what it decorates.
pub async fn identify<H: Host>(
    host: &H,
    settings: &Settings,
    file: &str,
    line: f64,
    options: &QuestionOptions,
) -> RagResult<Definition> {
    match try_identify(host, settings, file, line, options).await {
        Ok(result) => result,
        Err(failure) => RagResult {
            meta: failure.meta(),
            items: Vec::new(),
        },
    }
}

async fn try_identify<H: Host>(
    host: &H,
    settings: &Settings,
    file: &str,
    line: f64,
    options: &QuestionOptions,
) -> Result<RagResult<Definition>, Failure> {
    let path = RepoPath::parse(file)?;
    let line = whole_number("line", line)?;
    let limit = item_limit(options)?;
    ragnav_syntax::require_language(&path)?;
    let host = &Overlaid::new(host).await?;
    let mut basis = Basis::new(host, settings, options.stale_policy, Scope::File(&path)).await?;
    if basis.is_remembered(&path) {
        let known = basis.known_symbols(host, &path).await;
        return remembered(settings, &basis, &path, known.as_ref(), (line, limit));
    }
    let read = host::read_one(host, &path, settings.limits.max_file_bytes).await?;
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(error) => {
            walk::check_root(host).await?;
            return Err(unreadable(&path, &error.to_string()).into());
        }
    };
    let text = text::decode(&bytes).map_err(|fault| unreadable(&path, not_text(fault)))?;
    let ground = basis.ground(&path, &bytes, host.proof(&path));
    let known = basis.known_symbols(host, &path).await;
    let file = FileSymbols::now(&path, text, known.is_some());
    let found = file.found_again(known.as_ref());
    let around = file.symbols.iter().zip(found);
    let around = around.filter(|(symbol, _)| symbol.contains_line(line));
    let mut items: Vec<Definition> = around
        .map(|(symbol, found)| file.definition(&path, symbol, ground, found))
        .collect();
    items.reverse();
    let mut meta = basis.meta(settings, 0)?;
    limit_items(&mut items, limit, &mut meta);
    if file.is_partial {
        add_partial(&mut meta, &BTreeSet::from([path.clone()]));
    }
    let lines = locator::count_lines(text);
    if line > lines {
        add_message(&mut meta, &format!("{path} ends with line {lines}."));
    }
    Ok(RagResult { meta, items })
}

/// The answer for a file that is not to be read: what the index remembers of it, under the policy `allow`, or nothing.
fn remembered(
    settings: &Settings,
    basis: &Basis,
    path: &RepoPath,
    known: Option<&FileSymbols>,
    (line, limit): (usize, Option<usize>),
) -> Result<RagResult<Definition>, Failure> {
    let ground = basis.unproven_ground(path);
    let mut items: Vec<Definition> = known
        .into_iter()
        .flat_map(|file| {
            let around = locator::enclosing_symbols(&file.symbols, line, false);
            around.map(|symbol| file.definition(path, symbol, ground, None))
        })
        .collect();
    items.reverse();
    let mut meta = basis.meta(settings, 0)?;
    limit_items(&mut items, limit, &mut meta);
    if known.is_some_and(|file| file.is_partial) {
        add_partial(&mut meta, &BTreeSet::from([path.clone()]));
    }
    Ok(RagResult { meta, items })
}

fn not_text(fault: SkipReason) -> &'static str {
    match fault {
        SkipReason::Binary => "it is binary, it holds NUL bytes",
        _ => "it is not UTF-8 text",
    }
}

fn unreadable(path: &RepoPath, why: &str) -> RagnavError {
    RagnavError::new(
        ErrorCode::FileUnreadable,
        format!("{path} cannot be answered for: {why}"),
    )
}
