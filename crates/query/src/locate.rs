//! `locate`: where a symbol is defined now.

use ragnav_base::envelope::{RagResult, RagToolMeta};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Definition;
use ragnav_repository::failure::{Failure, add_partial};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::{ReadOutcome, Snapshot};

use crate::arguments::{Arguments, Positional};
use crate::find_definitions::{SymbolQuery, find};
use crate::options::QuestionOptions;
use crate::page::limit_items;
use crate::query::{Query, answer};

/// Where a symbol is defined now: every definition that a full id, a dotted suffix or a bare name fits best, by file and
/// line.
///
/// Exact beats suffix beats suffix without regard to case. A symbol that nothing defines any more is looked for under
/// another name, in files that differ from the index: with an equal body it is the same (`renamed`). A symbol that nothing
/// defines is no error: the items are empty, and `meta` says on what that rests.
#[derive(Debug, Clone)]
pub struct Locate {
    symbol: String,
    options: QuestionOptions,
}

impl Query for Locate {
    const POSITIONAL: &'static [Positional] = &[Positional::text("symbol")];
    type Options = QuestionOptions;
    type Answer = RagResult<Definition>;
    type Valid = SymbolQuery;

    fn new(arguments: &Arguments, options: QuestionOptions) -> Self {
        let symbol = arguments.text("symbol");
        Self { symbol, options }
    }

    fn validate(&self) -> Result<SymbolQuery, RagnavError> {
        SymbolQuery::new(&self.symbol)
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &SymbolQuery) -> Scope<'_> {
        Scope::Code
    }

    async fn run<H: Host>(
        &self,
        symbol: &SymbolQuery,
        snapshot: Snapshot<'_, H>,
    ) -> Result<Self::Answer, Failure> {
        let found = find(&snapshot, symbol).await?;
        let definitions = found.definitions.into_iter();
        let mut items: Vec<Definition> = definitions.map(|found| found.definition).collect();
        let unread = found.unread;
        let mut meta = snapshot
            .finish(ReadOutcome {
                unread,
                ..ReadOutcome::default()
            })?
            .meta;
        limit_items(&mut items, self.options.limit, &mut meta);
        add_partial(&mut meta, &found.partial);
        Ok(RagResult { meta, items })
    }

    fn failed(&self, meta: RagToolMeta) -> Self::Answer {
        RagResult::failed(meta)
    }
}

/// Answers [`Locate`].
pub async fn locate<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &QuestionOptions,
) -> RagResult<Definition> {
    let (symbol, options) = (symbol.to_owned(), options.clone());
    answer(host, settings, &Locate { symbol, options }).await
}
