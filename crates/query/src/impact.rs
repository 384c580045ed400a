//! `impact`: which symbols a change touches, what refers to them, and which tests reach them.

mod affected;
mod changed_symbols;
mod texts;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use ragnav_base::argument::Count;
use ragnav_base::envelope::{FreshnessState, Proof, RagToolMeta, SourceTag};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{DefinitionKind, LineageItem, Page};
use ragnav_base::position::wire;
use ragnav_base::symbol_id::SymbolId;
use ragnav_repository::failure::{Failure, add_message};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;

use self::affected::{MAX_SYMBOLS, affected};
use self::changed_symbols::{ChangedSymbol, changed_symbols};
use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::code_facts::CodeFacts;
use crate::cursor::Cursor;
use crate::doubts::candidates;
use crate::page::{PageEnd, page_rows};
use crate::partial_files::PartialFiles;
use crate::query::Query;
use crate::reaching_tests::{ReachingTest, Start, reaching_tests};
use crate::receipt::{AsRow, Row, condition_of, place};
use crate::reference_rows::{PageRequest, finish, site_page};
use crate::reference_site::ReferenceSite;
use crate::row_conditions::{ConditionalRow, add_module_conditions_of_state};
use crate::states::{StateName, States, SymbolPlace, difference};

/// The default page size, and the number of references and tests that are listed.
const DEFAULT_LIMIT: usize = 50;
/// The default number of steps, and the greatest one.
const DEFAULT_DEPTH: usize = 2;
const MAX_DEPTH: usize = 32;
/// The state before, if none is given.
const DEFAULT_FROM: &str = "HEAD";

/// The options of `impact`.
///
/// # Examples
///
/// ```
/// use ragnav_query::impact::ImpactOptions;
///
/// let options: ImpactOptions = serde_json::from_str(r#"{"from": "HEAD~3"}"#).unwrap();
/// assert_eq!(options.from.as_deref(), Some("HEAD~3"));
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct ImpactOptions {
    /// The state before the change: a branch, a tag, a commit, `index` for what the last build
    /// recorded, or `disk` for the saved files. Default `HEAD`.
    pub from: Option<String>,
    /// The state after the change: a branch, a tag, a commit, `index`, `disk`, or `staged` for what
    /// is staged. Default: the files as they are now, with unsaved text.
    pub to: Option<String>,
    /// Steps from a changed symbol to what refers to it, at least 1. Default 2, at most 32.
    pub depth: Option<Count>,
    /// Rows of a page, and of `affected` and `tests`, at least 1. Default 50, at most 10,000.
    pub limit: Option<Count>,
    /// What the answer may come from. Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before, with the same options. Default: the first page.
    pub cursor: Option<String>,
    /// The `receipt` of an earlier answer to this query. The answer then lists only the rows that
    /// differ, at most `limit` (default 50), and `meta.since` describes the differences. Default:
    /// all rows.
    pub since: Option<String>,
}

/// How a symbol differs.
///
/// # Examples
///
/// ```
/// use ragnav_query::impact::SymbolChange;
///
/// assert_eq!(serde_json::to_value(SymbolChange::Signature).unwrap(), "signature");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum SymbolChange {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is in another file, or in another definition.
    Moved,
    /// It has another name.
    Renamed,
    /// Its head differs: parameters, types, superclasses.
    Signature,
    /// Its body differs. Members do not count as a part of their class.
    Body,
    /// Its head, its body or one of its members differs. The index has no text that tells which.
    Text,
}

/// A symbol that a change touches.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
/// use ragnav_base::item::DefinitionKind;
/// use ragnav_base::symbol_id::SymbolId;
/// use ragnav_query::impact::{ImpactItem, SymbolChange};
///
/// let item = ImpactItem {
///     changes: vec![SymbolChange::Renamed, SymbolChange::Body],
///     symbol: SymbolId::new("shop.cart", "Cart.total"),
///     kind: DefinitionKind::Method,
///     file: "shop/cart.py".to_owned(),
///     start_line: 14,
///     end_line: 15,
///     condition: None,
///     was: None,
///     source: SourceTag::LocalFallback,
///     freshness_state: FreshnessState::Fresh,
///     proof: Proof::Live,
/// };
/// assert_eq!(serde_json::to_value(&item).unwrap()["changes"][0], "renamed");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ImpactItem {
    /// How it differs.
    pub changes: Vec<SymbolChange>,
    /// Its id after the change; of a removed symbol, before.
    pub symbol: SymbolId,
    /// Its kind.
    pub kind: DefinitionKind,
    /// Its file.
    pub file: String,
    /// Its first line, without decorators.
    pub start_line: u32,
    /// Its last line.
    pub end_line: u32,
    /// The condition under which it is compiled, such as `defined(_WIN32)`; absent if it always is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional, type = "string"))]
    pub condition: Option<String>,
    /// The symbol before the change; `null` for a new one.
    pub was: Option<SymbolPlace>,
    /// The origin of this row.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// The proof that this row is current; `hash` for a state in git's objects.
    pub proof: Proof,
}

impl AsRow for ImpactItem {
    fn as_row(&self) -> Row {
        Row {
            place: place(&self.file, self.start_line),
            column: 0,
            kind: format!("{:?}", self.kind),
            symbol: Some(self.symbol.clone()),
            text: self.symbol.as_str().to_owned(),
            says: format!(
                "{:?} {:?}{}",
                self.changes,
                self.was,
                condition_of(self.condition.as_ref())
            ),
            provenance: Some((self.source, self.freshness_state, self.proof)),
        }
    }
}

/// What refers to a changed symbol: one step of its lineage.
///
/// # Examples
///
/// ```
/// use ragnav_query::impact::AffectedItem;
///
/// fn changed_symbol(item: &AffectedItem) -> &str {
///     item.of.as_str()
/// }
/// # let _ = changed_symbol;
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct AffectedItem {
    /// The changed symbol from which the steps lead here.
    pub of: SymbolId,
    /// The step.
    #[serde(flatten)]
    pub step: LineageItem,
}

/// What `impact` says beside the changed symbols.
///
/// # Examples
///
/// ```
/// use ragnav_query::impact::ImpactHead;
///
/// assert_eq!(ImpactHead::default().affected_total, 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ImpactHead {
    /// The state before: the full id of a commit, `index` or `disk`.
    pub from: String,
    /// The state after: the full id of a commit, `index` or `disk`; `null` for the files as they are
    /// now, and for what is staged.
    pub to: Option<String>,
    /// The first references to changed symbols in the files as they are now, nearest first.
    /// References to removed symbols are candidates.
    pub affected: Vec<AffectedItem>,
    /// The number of such references.
    pub affected_total: u32,
    /// The first tests that reach changed symbols: those with the fewest steps, then those that
    /// reach the most.
    pub tests: Vec<ReachingTest>,
    /// The number of such tests.
    pub tests_total: u32,
}

/// The answer of `impact`: the changed symbols by file and line.
#[cfg_attr(feature = "tsify", tsify::declare)]
pub type ImpactResult = Page<ImpactItem, ImpactHead>;

/// Says what a change touches: the symbols that were added, removed, moved, renamed, or have
/// another signature or body since a commit, what refers to them (`affected`), and the tests that
/// reach them (`tests`). Use it before a commit, or to review one.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::impact::Impact;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\n")]);
/// let arguments = serde_json::json!({"from": "main"});
/// let answer = block_on(answer_arguments::<Impact, _>(&host, &Settings::default(), arguments));
/// // A host in memory has no commits.
/// assert!(answer.meta.message.unwrap().contains("no changes in memory"));
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "ImpactArguments")
)]
pub struct Impact {
    #[serde(flatten)]
    options: ImpactOptions,
}

/// The parsed form of the options.
///
/// # Examples
///
/// ```
/// use ragnav_query::Query;
/// use ragnav_query::arguments::Arguments;
/// use ragnav_query::impact::{Impact, ImpactOptions};
///
/// let options: ImpactOptions = serde_json::from_str(r#"{"from": ""}"#).unwrap();
/// let query = Impact::new(&Arguments::lenient(serde_json::json!({}), &[]), options);
/// assert!(query.validate().is_err());
/// ```
#[derive(Debug)]
pub struct ValidImpact {
    from: StateName,
    to: StateName,
    depth: usize,
    cursor: Option<Cursor>,
    fingerprint: u64,
}

impl Query for Impact {
    const NAME: &'static str = "impact";
    const POSITIONAL: &'static [Positional] = &[];
    type Options = ImpactOptions;
    type Answer = ImpactResult;
    type Valid = ValidImpact;

    fn new(_: &Arguments, options: ImpactOptions) -> Self {
        Self { options }
    }

    fn validate(&self) -> Result<ValidImpact, RagnavError> {
        let options = &self.options;
        let from = options.from.as_deref().unwrap_or(DEFAULT_FROM);
        let (from_state, to_state) = (
            StateName::parse("from", from)?,
            match options.to.as_deref() {
                Some(to) => StateName::parse("to", to)?,
                None => StateName::Now,
            },
        );
        let depth = options.depth.map_or(DEFAULT_DEPTH, Count::get);
        let identity = format!("impact {from:?} {:?} {depth}", options.to);
        let (fingerprint, cursor) = Cursor::of_query(&identity, options.cursor.as_deref())?;
        Ok(ValidImpact {
            from: from_state,
            to: to_state,
            depth: depth.min(MAX_DEPTH),
            cursor,
            fingerprint,
        })
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &ValidImpact) -> Scope<'_> {
        Scope::Links
    }

    async fn run<H: Host>(
        &self,
        valid: &ValidImpact,
        snapshot: Snapshot<'_, H>,
    ) -> Result<ImpactResult, Failure> {
        let difference = difference(&snapshot, &valid.from, &valid.to).await?;
        let changed = changed_symbols(&difference.before, &difference.after);
        let limit = page_rows(self.options.limit, DEFAULT_LIMIT);
        let rows = (valid.fingerprint, fingerprint(&changed));
        let page = Cursor::page(valid.cursor, limit, rows, changed.len())?;
        let code = CodeFacts::new(&snapshot).await?;
        let (affected, mut code) = affected(code, &changed, valid.depth).await?;
        let now = changed.iter().filter(|one| !one.is_removed());
        let starts = now.map(|one| Start {
            path: &one.path,
            symbol: &one.id,
            line: wire(one.symbol.start_line),
        });
        let tests = reaching_tests(&affected.steps, starts);
        let sites: Vec<ReferenceSite> = affected
            .steps
            .iter()
            .map(|step| step.site.clone())
            .collect();
        let request = PageRequest {
            cursor: None,
            fingerprint: valid.fingerprint,
            limit,
            ..PageRequest::default()
        };
        let shown = site_page(&snapshot, &mut code, &sites, request).await?;
        let steps = shown.items.into_iter().zip(&affected.steps);
        let steps = steps.filter_map(|(item, step)| {
            let (of, via) = step.via.split_first()?;
            Some(AffectedItem {
                of: of.clone(),
                step: step.row(item, via),
            })
        });
        let head = ImpactHead {
            from: difference.from,
            to: difference.to,
            affected: steps.collect(),
            affected_total: wire(affected.steps.len()),
            tests_total: wire(tests.len()),
            tests: tests.into_iter().take(limit).collect(),
        };
        let shown = changed.get(page.rows.clone()).unwrap_or_default();
        let mut items: Vec<ImpactItem> = shown
            .iter()
            .map(|one| item(&snapshot, valid, one))
            .collect();
        add_conditions(
            &snapshot,
            (&difference.before, &difference.after),
            &mut items,
        )
        .await?;
        let is_cut = code.is_truncated() || affected.is_bounded;
        let sentence = format!("Only {MAX_SYMBOLS} affected symbols were followed.");
        let unfollowed = is_cut.then_some(sentence.as_str());
        let unread = difference.unread.len();
        let read = code.into_outcome(unread, PartialFiles::default(), None);
        let mut rest = finish(snapshot, read, unfollowed)?;
        if let [first, ..] = difference.unread.as_slice() {
            let sentence = format!("{unread} changed files could not be read, first {first}.");
            add_message(&mut rest.meta, &sentence);
        }
        let mut doubts: Vec<_> = candidates(&sites).into_iter().collect();
        doubts.extend(rest.doubts);
        let end = PageEnd {
            total: changed.len(),
            next: page.next,
            doubts,
            ..rest
        };
        Ok(end.page(items, head))
    }

    fn failed(&self, meta: RagToolMeta) -> ImpactResult {
        Page::failed(meta, ImpactHead::default())
    }
}

fn item<H: Host>(
    snapshot: &Snapshot<'_, H>,
    valid: &ValidImpact,
    changed: &ChangedSymbol,
) -> ImpactItem {
    let state = if changed.is_removed() {
        &valid.from
    } else {
        &valid.to
    };
    let provenance = state.provenance(snapshot, &changed.path);
    ImpactItem {
        changes: changed.changes.clone(),
        symbol: changed.id.clone(),
        kind: changed.symbol.kind,
        file: changed.path.to_string(),
        start_line: wire(changed.symbol.start_line),
        end_line: wire(changed.symbol.end_line),
        condition: changed.condition.clone(),
        was: changed.was.clone(),
        source: provenance.source,
        freshness_state: provenance.freshness_state,
        proof: provenance.proof,
    }
}

/// Adds the conditions of modules to rows, each in the state that the row is in.
async fn add_conditions<H: Host>(
    snapshot: &Snapshot<'_, H>,
    (before, after): (&States, &States),
    items: &mut [ImpactItem],
) -> Result<(), Failure> {
    let places = items.iter_mut().filter_map(|item| item.was.as_mut());
    add_module_conditions_of_state(snapshot, (before, after), places).await?;
    let is_removed = |item: &ImpactItem| item.changes.contains(&SymbolChange::Removed);
    let (removed, current): (Vec<_>, Vec<_>) = items.iter_mut().partition(|item| is_removed(item));
    add_module_conditions_of_state(snapshot, (before, after), removed).await?;
    add_module_conditions_of_state(snapshot, (after, before), current).await
}

impl ConditionalRow for ImpactItem {
    fn file_and_condition(&mut self) -> (&str, &mut Option<String>) {
        (&self.file, &mut self.condition)
    }
}

/// Returns a hash of the rows, so that a cursor notices when they change.
fn fingerprint(changed: &[ChangedSymbol]) -> u64 {
    let mut hash = Xxh3::new();
    for one in changed {
        hash.update(one.id.as_str().as_bytes());
        hash.update(&wire(one.symbol.start_line).to_le_bytes());
        for change in &one.changes {
            hash.update(&[*change as u8]);
        }
    }
    hash.digest()
}

/// Answers [`Impact`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::impact::{ImpactOptions, impact};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\n")]);
/// let (settings, options) = (Settings::default(), ImpactOptions::default());
/// let answer = block_on(impact(&host, &settings, &options));
/// assert!(answer.items.is_empty());
/// ```
pub async fn impact<H: Host>(
    host: &H,
    settings: &Settings,
    options: &ImpactOptions,
) -> ImpactResult {
    let options = options.clone();
    answer(host, settings, &Impact { options }).await
}
