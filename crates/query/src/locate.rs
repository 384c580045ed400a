//! Locate: where a symbol is defined now. Source: seed `locator`, section 2.

use crate::answer::{Failure, add_partial, item_limit, limit_items};
use crate::basis::Basis;
use crate::find::{Question, find};
use crate::scope::Scope;
use crate::{QuestionOptions, Settings};
use ragnav_base::envelope::RagResult;
use ragnav_base::host::Host;
use ragnav_base::item::Definition;
use ragnav_repository::overlay::Overlaid;

/// Answers with every definition that a full id, a dotted suffix or a bare name fits best, by file and line.
///
/// Exact beats suffix beats suffix without regard to case. A symbol that nothing defines by its name any more is looked for under
/// another one, in files that differ from the index: with its body it is the same (`renamed`). A symbol that nothing defines is no error:
/// the items are empty, and meta says on what that rests.
pub async fn locate<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &QuestionOptions,
) -> RagResult<Definition> {
    match try_locate(host, settings, symbol, options).await {
        Ok(result) => result,
        Err(failure) => RagResult {
            meta: failure.meta(),
            items: Vec::new(),
        },
    }
}

async fn try_locate<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &QuestionOptions,
) -> Result<RagResult<Definition>, Failure> {
    let question = Question::new(symbol)?;
    let limit = item_limit(options)?;
    let host = &Overlaid::new(host).await?;
    let basis = Basis::new(host, settings, options.stale_policy, Scope::Code).await?;
    let found = find(host, settings, &basis, &question).await?;
    let definitions = found.definitions.into_iter();
    let mut items: Vec<Definition> = definitions.map(|found| found.definition).collect();
    let mut meta = basis.meta(settings, found.unread)?;
    limit_items(&mut items, limit, &mut meta);
    add_partial(&mut meta, &found.partial);
    Ok(RagResult { meta, items })
}
