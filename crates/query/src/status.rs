//! Status: how every file stands to the index, and how that is known.

use crate::answer::{Failure, item_limit, limit_items};
use crate::basis::Basis;
use crate::scope::Scope;
use crate::{QuestionOptions, Settings, StalePolicy};
use ragnav_base::envelope::RagResult;
use ragnav_base::host::Host;
use ragnav_base::item::FileVerdict;
use ragnav_repository::overlay::Overlaid;

/// Answers with the verdict on every file, by file; without an index there is nothing to hold them against, and no items.
pub async fn status<H: Host>(
    host: &H,
    settings: &Settings,
    options: &QuestionOptions,
) -> RagResult<FileVerdict> {
    match try_status(host, settings, options).await {
        Ok(result) => result,
        Err(failure) => RagResult {
            meta: failure.meta(),
            items: Vec::new(),
        },
    }
}

async fn try_status<H: Host>(
    host: &H,
    settings: &Settings,
    options: &QuestionOptions,
) -> Result<RagResult<FileVerdict>, Failure> {
    let limit = item_limit(options)?;
    let host = &Overlaid::new(host).await?;
    // Whatever answers may come from, this one is about the index.
    let policy = Some(StalePolicy::Merge);
    let basis = Basis::new(host, settings, policy, Scope::Everything).await?;
    let mut items = basis.verification().rows();
    let mut meta = basis.meta(settings, 0)?;
    limit_items(&mut items, limit, &mut meta);
    Ok(RagResult { meta, items })
}
