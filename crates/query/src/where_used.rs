//! `whereUsed`: the references to a symbol, through imports, aliases and inheritance.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use ragnav_base::argument::Count;
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, NavItem, Page, Resolution};
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;

use crate::arguments::{Arguments, Positional};
use crate::code_facts::CodeFacts;
use crate::constructor_calls::references_and_constructor_calls;
use crate::cursor::Cursor;
use crate::enrichment::Enrichments;
use crate::find_definitions::{FoundDefinition, SymbolQuery, find};
use crate::page::{PageEnd, page_rows};
use crate::query::{Query, answer};
use crate::reference_rows::{ReferenceSite, Rows, fingerprint, finish};
use crate::targets::targets;

/// The default page size.
const DEFAULT_LIMIT: usize = 50;

/// The references that are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Those that scopes and imports resolve.
    Resolved,
    /// Also those that only share the name, because their receiver is not known.
    #[default]
    All,
}

/// The options of `whereUsed`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct WhereUsedOptions {
    /// Rows of a page, at least 1. Default 50, at most 10,000.
    pub limit: Option<Count>,
    /// The references that are wanted. Default `all`.
    pub confidence: Option<Confidence>,
    /// Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before.
    pub cursor: Option<String>,
}

/// What `whereUsed` says beside its rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct WhereUsedHead {
    /// The symbol as it was given.
    pub symbol: String,
    /// The definitions that the symbol names; the rows are about all of them.
    pub definitions: Vec<Definition>,
}

/// The answer of `whereUsed`: references, resolved before candidates, then by file, line and column.
#[cfg_attr(feature = "tsify", tsify::declare)]
pub type WhereUsedResult = Page<NavItem, WhereUsedHead>;

/// The references to all definitions that a symbol names: a full id, a dotted suffix or a bare name.
#[derive(Debug, Clone)]
pub struct WhereUsed {
    symbol: String,
    options: WhereUsedOptions,
}

/// The parsed form of the arguments.
#[derive(Debug)]
pub struct ValidWhereUsed {
    symbol: SymbolQuery,
    cursor: Option<Cursor>,
    fingerprint: u64,
}

impl Query for WhereUsed {
    const POSITIONAL: &'static [Positional] = &[Positional::text("symbol")];
    type Options = WhereUsedOptions;
    type Answer = WhereUsedResult;
    type Valid = ValidWhereUsed;

    fn new(arguments: &Arguments, options: WhereUsedOptions) -> Self {
        let symbol = arguments.text("symbol");
        Self { symbol, options }
    }

    fn validate(&self) -> Result<ValidWhereUsed, RagnavError> {
        let confidence = self.options.confidence.unwrap_or_default();
        let identity = format!("where used {:?} {confidence:?}", self.symbol);
        let symbol = SymbolQuery::new(&self.symbol)?;
        let (fingerprint, cursor) = Cursor::of_query(&identity, self.options.cursor.as_deref())?;
        Ok(ValidWhereUsed {
            symbol,
            cursor,
            fingerprint,
        })
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &ValidWhereUsed) -> Scope<'_> {
        Scope::Links
    }

    async fn run<H: Host>(
        &self,
        valid: &ValidWhereUsed,
        snapshot: Snapshot<'_, H>,
    ) -> Result<WhereUsedResult, Failure> {
        let found = find(&snapshot, &valid.symbol).await?;
        let mut code = CodeFacts::new(&snapshot).await?;
        let sites = self.references(&mut code, &found.definitions).await?;
        let limit = page_rows(self.options.limit, DEFAULT_LIMIT);
        let fingerprints = (valid.fingerprint, fingerprint(&sites));
        let page = Cursor::page(valid.cursor, limit, fingerprints, sites.len())?;
        let enrichments = Enrichments::read(&snapshot).await?;
        let rows = Rows {
            snapshot: &snapshot,
            code: &code,
            enrichments: &enrichments,
        };
        let items = rows.make(sites.get(page.rows).unwrap_or_default()).await?;
        let unfollowed = code
            .is_cut_short()
            .then_some("The chain of imports was not followed to its end.");
        let read = code.into_outcome(found.unread, found.partial);
        let rest = finish(snapshot, read, unfollowed)?;
        let end = PageEnd {
            total: sites.len(),
            next: page.next,
            ..rest
        };
        Ok(end.page(items, self.head(found.definitions)))
    }

    fn failed(&self, meta: RagToolMeta) -> WhereUsedResult {
        Page::failed(meta, self.head(Vec::new()))
    }
}

impl WhereUsed {
    fn head(&self, found: Vec<FoundDefinition>) -> WhereUsedHead {
        let definitions: Vec<Definition> = found.into_iter().map(|one| one.definition).collect();
        let symbol = self.symbol.clone();
        WhereUsedHead {
            symbol,
            definitions,
        }
    }

    /// Returns the references to all definitions, in the order of rows.
    async fn references<H: Host>(
        &self,
        code: &mut CodeFacts<'_, H>,
        found: &[FoundDefinition],
    ) -> Result<Vec<ReferenceSite>, RagnavError> {
        let targets = targets(found);
        let mut sites = Vec::new();
        for name in names(found) {
            sites.extend(references_and_constructor_calls(code, &name, &targets).await?);
        }
        if self.options.confidence == Some(Confidence::Resolved) {
            sites.retain(|site| site.resolution == Resolution::Resolved);
        }
        sites.sort_unstable();
        sites.dedup_by(|a, b| (&a.path, a.line, a.start_utf16) == (&b.path, b.line, b.start_utf16));
        Ok(sites)
    }
}

fn names(found: &[FoundDefinition]) -> BTreeSet<String> {
    let ids = found.iter().map(|found| found.definition.symbol.dotted());
    ids.map(|id| id.rsplit('.').next().unwrap_or(id).to_owned())
        .collect()
}

/// Answers [`WhereUsed`].
pub async fn where_used<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &WhereUsedOptions,
) -> WhereUsedResult {
    let (symbol, options) = (symbol.to_owned(), options.clone());
    answer(host, settings, &WhereUsed { symbol, options }).await
}
