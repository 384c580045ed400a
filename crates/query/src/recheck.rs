//! `recheck`: what became of the rows of an earlier answer.

use std::pin::Pin;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use ragnav_base::argument::Count;
use ragnav_base::completeness::{Completeness, Doubt};
use ragnav_base::difference::{RowPlace, RowState};
use ragnav_base::envelope::{FreshnessState, Proof, RagToolMeta, SourceTag};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::symbol_id::SymbolId;
use ragnav_repository::failure::{Failure, add_message};
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;

use crate::answer::{RowsNow, answer, rows_of_query};
use crate::arguments::{Arguments, Positional};
use crate::page::limit_items;
use crate::query::{Answer, Query, QueryAnswer};
use crate::receipt::{Comparison, QueryIdentity, Receipt, ReceiptRow, Row};
use crate::since::{UNCOMPARED, compared};

/// The options of `recheck`.
///
/// # Examples
///
/// ```
/// use ragnav_query::recheck::RecheckOptions;
///
/// let options: RecheckOptions = serde_json::from_str(r#"{"limit": 5}"#).unwrap();
/// assert_eq!(options.limit.map(|limit| limit.get()), Some(5));
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct RecheckOptions {
    /// The greatest number of items, at least 1; `message` says whether there are more. Default:
    /// all.
    pub limit: Option<Count>,
    /// What the answer may come from. Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
}

/// A row of the earlier answer and what became of it, or a new row.
///
/// # Examples
///
/// ```
/// use ragnav_base::difference::{RowPlace, RowState};
/// use ragnav_query::recheck::RecheckItem;
///
/// let item = RecheckItem {
///     state: RowState::Gone,
///     was: Some(RowPlace { file: "shop/cart.py".to_owned(), line: Some(15) }),
///     ..RecheckItem::default()
/// };
/// assert!(item.now.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct RecheckItem {
    /// What became of it.
    pub state: RowState,
    /// Its place in the earlier answer; `null` for a new row.
    pub was: Option<RowPlace>,
    /// Its place now; `null` for a row that is gone.
    pub now: Option<RowPlace>,
    /// The symbol that it is about, or that encloses it, now.
    pub symbol: Option<SymbolId>,
    /// Its text now.
    pub text: Option<String>,
    /// The origin of the row now.
    pub source: Option<SourceTag>,
    /// How current the row is.
    pub freshness_state: Option<FreshnessState>,
    /// The proof that the row is current.
    pub proof: Option<Proof>,
}

impl Default for RecheckItem {
    fn default() -> Self {
        Self {
            state: RowState::Gone,
            was: None,
            now: None,
            symbol: None,
            text: None,
            source: None,
            freshness_state: None,
            proof: None,
        }
    }
}

/// The numbers of rows by what became of them.
///
/// # Examples
///
/// ```
/// use ragnav_query::recheck::RowCounts;
///
/// assert_eq!(RowCounts::default().gone, 0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct RowCounts {
    /// Rows that say the same at the same place.
    pub unchanged: u32,
    /// Rows that say the same at another place.
    pub moved: u32,
    /// Rows with another text, symbol or resolution.
    pub changed: u32,
    /// Rows that are rows no more.
    pub gone: u32,
    /// Rows that the earlier answer does not have.
    pub new: u32,
}

/// The answer of `recheck`: the rows of the earlier answer in their order, then the new ones.
///
/// # Examples
///
/// ```
/// use ragnav_query::recheck::RecheckResult;
///
/// fn is_still_true(answer: &RecheckResult) -> bool {
///     answer.counts.unchanged as usize == answer.items.len()
/// }
/// # let _ = is_still_true;
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct RecheckResult {
    /// The metadata of the answer. Its receipt is of the rows as they are now.
    pub meta: RagToolMeta,
    /// The rows.
    pub items: Vec<RecheckItem>,
    /// The query of the earlier answer.
    pub query: String,
    /// Its arguments.
    #[cfg_attr(feature = "tsify", tsify(type = "Record<string, unknown>"))]
    pub arguments: Map<String, Value>,
    /// The numbers of rows.
    pub counts: RowCounts,
    /// How sure it is that there are no other new rows.
    pub completeness: Completeness,
    /// Why there may be other new rows, and where.
    pub doubts: Vec<Doubt>,
}

impl Answer for RecheckResult {
    fn meta(&self) -> &RagToolMeta {
        &self.meta
    }
}

impl QueryAnswer for RecheckResult {
    fn meta_mut(&mut self) -> &mut RagToolMeta {
        &mut self.meta
    }
}

/// Says what became of each row of an earlier answer, by its `receipt`: unchanged, moved, changed or
/// gone; and which rows are new. Use it before you act on an answer of some time ago.
///
/// If the earlier answer was one page of several, rows of other pages count as new.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::recheck::Recheck;
/// use ragnav_query::search::Search;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let arguments = serde_json::json!({"query": "total"});
/// let found = block_on(answer_arguments::<Search, _>(&host, &settings, arguments));
/// let edited = MemoryHost::new(&[("a.py", "\ndef total():\n    return 0\n")]);
/// let arguments = serde_json::json!({"receipt": found.meta.receipt});
/// let answer = block_on(answer_arguments::<Recheck, _>(&edited, &settings, arguments));
/// assert_eq!((answer.counts.moved, answer.counts.gone), (1, 1));
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "RecheckArguments")
)]
pub struct Recheck {
    /// The `receipt` of an answer.
    receipt: String,
    #[serde(flatten)]
    options: RecheckOptions,
}

impl Query for Recheck {
    const NAME: &'static str = "recheck";
    const POSITIONAL: &'static [Positional] = &[Positional::text("receipt")];
    type Options = RecheckOptions;
    type Answer = RecheckResult;
    type Valid = Receipt;

    fn new(arguments: &Arguments, options: RecheckOptions) -> Self {
        let receipt = arguments.text("receipt");
        Self { receipt, options }
    }

    fn validate(&self) -> Result<Receipt, RagnavError> {
        Receipt::parse(&self.receipt)
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &Receipt) -> Scope<'_> {
        Scope::Nothing
    }

    async fn run<H: Host>(
        &self,
        receipt: &Receipt,
        snapshot: Snapshot<'_, H>,
    ) -> Result<RecheckResult, Failure> {
        let (host, settings) = (snapshot.host(), snapshot.settings());
        let now = rows_now(host, settings, &receipt.query, self.options.stale_policy).await?;
        let rows: Vec<ReceiptRow> = now.rows.iter().map(ReceiptRow::of).collect();
        let comparison = compared(host, &receipt.rows, &rows).await?;
        let mut items = items(receipt, &comparison, &now.rows);
        let counts = RowCounts::of(&items);
        let mut meta = now.meta;
        if now.has_more {
            add_message(&mut meta, UNCOMPARED);
        }
        limit_items(&mut items, self.options.limit, &mut meta);
        meta.receipt = Receipt::new(receipt.query.clone(), rows).format();
        Ok(RecheckResult {
            meta,
            items,
            query: receipt.query.name.clone(),
            arguments: receipt.query.arguments.clone(),
            counts,
            completeness: Completeness::of(&now.doubts),
            doubts: now.doubts,
        })
    }

    fn failed(&self, meta: RagToolMeta) -> RecheckResult {
        RecheckResult {
            meta,
            items: Vec::new(),
            query: String::new(),
            arguments: Map::new(),
            counts: RowCounts::default(),
            completeness: Completeness::Unknown,
            doubts: Vec::new(),
        }
    }
}

impl RowCounts {
    fn of(items: &[RecheckItem]) -> Self {
        let mut counts = Self::default();
        for item in items {
            let count = match item.state {
                RowState::Unchanged => &mut counts.unchanged,
                RowState::Moved => &mut counts.moved,
                RowState::Changed => &mut counts.changed,
                RowState::Gone => &mut counts.gone,
                RowState::New => &mut counts.new,
            };
            *count += 1;
        }
        counts
    }
}

type Running<'r> = Pin<Box<dyn Future<Output = Result<RowsNow, Failure>> + 'r>>;

macro_rules! by_name {
    ($($name:literal, $query:ty, $arguments:literal, $answer:literal;)*) => {
        /// Starts a query by its name.
        fn start<'r, H: Host>(
            host: &'r Overlaid<'r, H>,
            settings: &'r Settings,
            name: &str,
            arguments: Map<String, Value>,
        ) -> Option<Running<'r>> {
            match name {
                $($name => Some(Box::pin(rows_of_query::<$query, H>(host, settings, arguments))),)*
                _ => None,
            }
        }
    };
}

crate::for_each_query!(by_name);

async fn rows_now<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    query: &QueryIdentity,
    policy: Option<StalePolicy>,
) -> Result<RowsNow, Failure> {
    let mut arguments = query.arguments.clone();
    if let Some(policy) = policy.and_then(|policy| serde_json::to_value(policy).ok()) {
        arguments.insert("stale_policy".to_owned(), policy);
    }
    let Some(running) = start(host, settings, &query.name, arguments) else {
        let name = &query.name;
        let message = format!(
            "the receipt is of `{name}`, which is no query here; use the ragnav that gave it"
        );
        return Err(RagnavError::invalid(message).into());
    };
    running.await
}

fn items(receipt: &Receipt, comparison: &Comparison, now: &[Row]) -> Vec<RecheckItem> {
    let then = receipt.rows.iter().zip(&comparison.became);
    let then = then.map(|(row, became)| {
        let now = became.and_then(|(at, state)| Some((now.get(at)?, state)));
        let state = now.map_or(RowState::Gone, |(_, state)| state);
        RecheckItem::new(state, Some(&row.place), now.map(|(row, _)| row))
    });
    let new = now.iter().zip(&comparison.was);
    let new = new.filter(|(_, was)| was.is_none());
    let new = new.map(|(row, _)| RecheckItem::new(RowState::New, None, Some(row)));
    then.chain(new).collect()
}

impl RecheckItem {
    fn new(state: RowState, was: Option<&RowPlace>, now: Option<&Row>) -> Self {
        let provenance = now.and_then(|row| row.provenance);
        Self {
            state,
            was: was.cloned(),
            now: now.map(|row| row.place.clone()),
            symbol: now.and_then(|row| row.symbol.clone()),
            text: now.map(|row| row.text.clone()),
            source: provenance.map(|(source, ..)| source),
            freshness_state: provenance.map(|(_, freshness, _)| freshness),
            proof: provenance.map(|(.., proof)| proof),
        }
    }
}

/// Answers [`Recheck`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::recheck::{RecheckOptions, recheck};
///
/// let host = MemoryHost::default();
/// let (settings, options) = (Settings::default(), RecheckOptions::default());
/// let answer = block_on(recheck(&host, &settings, "no receipt", &options));
/// assert!(answer.meta.message.unwrap().contains("no receipt"));
/// ```
pub async fn recheck<H: Host>(
    host: &H,
    settings: &Settings,
    receipt: &str,
    options: &RecheckOptions,
) -> RecheckResult {
    let (receipt, options) = (receipt.to_owned(), options.clone());
    answer(host, settings, &Recheck { receipt, options }).await
}
