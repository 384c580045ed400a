//! `rename_plan`: the edits that give a symbol another name, checked by resolving references again.

mod answer;
mod check;
mod edits;
mod family;
mod names;
mod plan;
mod symbol;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use ragnav_base::completeness::DoubtReason;
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, DefinitionKind, Page};
use ragnav_base::position::wire;
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;

pub use self::answer::RenamePlanHead;
use self::names::{is_name, reserved};
use self::symbol::RenamedSymbol;
use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::code_facts::CodeFacts;
use crate::doubts::reference_doubts;
use crate::edit_plan::unsearched;
pub use crate::edit_plan::{EditedFile, PlannedEdit, Refusal, RefusalReason};
use crate::find_definitions::FoundDefinition;
use crate::page::PageEnd;
use crate::query::Query;
use crate::reference_rows::{PageRequest, finish, site_page};
use crate::reference_site::ReferenceSite;
use crate::subject::{FoundSubject, Subject};

/// The number of candidates that a plan shows.
const SHOWN_CANDIDATES: usize = 50;

/// What a rename does with references that may mean the symbol, but only share its name.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::CandidateRule;
///
/// let rule: CandidateRule = serde_json::from_str(r#""leave""#).unwrap();
/// assert_eq!(rule, CandidateRule::Leave);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum CandidateRule {
    /// The plan is refused if there are any.
    #[default]
    Refuse,
    /// They keep their name.
    Leave,
    /// They are renamed too.
    Rename,
}

/// A risk that a caller may accept.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::RenameRisk;
///
/// let risk: RenameRisk = serde_json::from_str(r#""outside_base""#).unwrap();
/// assert_eq!(risk, RenameRisk::OutsideBase);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum RenameRisk {
    /// A base class from outside of the repository, or the type of an object, may declare the
    /// method.
    OutsideBase,
    /// A part of the repository could not be searched.
    Unsearched,
}

/// The options of `renamePlan`.
///
/// # Examples
///
/// ```
/// use ragnav_query::rename_plan::RenamePlanOptions;
///
/// let options: RenamePlanOptions = serde_json::from_str(r#"{"candidates": "leave"}"#).unwrap();
/// assert!(options.accept.is_none());
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct RenamePlanOptions {
    /// What happens to references that only share the name: `refuse` refuses the plan, `leave`
    /// keeps them, `rename` edits them too. Default `refuse`.
    pub candidates: Option<CandidateRule>,
    /// Risks to accept: `outside_base`, a base class from outside may declare the method;
    /// `unsearched`, a part of the repository could not be searched. Default: none.
    pub accept: Option<Vec<RenameRisk>>,
    /// What the answer may come from. Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
}

/// The answer of `renamePlan`: the edits by file and place.
#[cfg_attr(feature = "tsify", tsify::declare)]
pub type RenamePlanResult = Page<PlannedEdit, RenamePlanHead>;

/// Plans the edits that give a symbol another name: its definitions, all references to it, and for
/// a method those that override it. The plan is checked: with its edits, the same references mean
/// the symbol. It changes no file. `refusals` says why it must not be applied: a reference that may
/// mean something else, a name that is taken.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::rename_plan::RenamePlan;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let arguments = serde_json::json!({"symbol": "total", "new_name": "price"});
/// let settings = Settings::default();
/// let answer = block_on(answer_arguments::<RenamePlan, _>(&host, &settings, arguments));
/// let places = answer.items.iter().map(|one| (one.edit.line, one.edit.start_utf16));
/// assert_eq!(places.collect::<Vec<_>>(), [(1, 4), (3, 0)]);
/// assert!(answer.head.refusals.is_empty());
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "RenamePlanArguments")
)]
pub struct RenamePlan {
    /// The symbol: a full id (`sym:src.auth.Auth.login`), a dotted suffix (`Auth.login`), a bare
    /// name (`login`), or the place of the name in a file (`src/app.py:12:5`; the line and the
    /// column count from 1).
    symbol: String,
    /// The new name, without what encloses the symbol.
    new_name: String,
    #[serde(flatten)]
    options: RenamePlanOptions,
}

impl Query for RenamePlan {
    const NAME: &'static str = "rename_plan";
    const POSITIONAL: &'static [Positional] =
        &[Positional::text("symbol"), Positional::text("new_name")];
    type Options = RenamePlanOptions;
    type Answer = RenamePlanResult;
    type Valid = Subject;

    fn new(arguments: &Arguments, options: RenamePlanOptions) -> Self {
        Self {
            symbol: arguments.text("symbol"),
            new_name: arguments.text("new_name"),
            options,
        }
    }

    fn validate(&self) -> Result<Subject, RagnavError> {
        if !is_name(&self.new_name) {
            let message = format!(
                "{:?} is not a name; give letters, digits and underscores, and no digit first",
                self.new_name
            );
            return Err(RagnavError::invalid(message));
        }
        Subject::parse(&self.symbol)
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &Subject) -> Scope<'_> {
        Scope::Links
    }

    async fn run<H: Host>(
        &self,
        subject: &Subject,
        snapshot: Snapshot<'_, H>,
    ) -> Result<RenamePlanResult, Failure> {
        let mut code = CodeFacts::new(&snapshot).await?;
        let found = subject.find(&snapshot, &mut code).await?;
        let symbol = match self.symbol(&mut code, &found).await? {
            Ok(symbol) => symbol,
            Err(refusal) => {
                let read = code.into_outcome(found.unread, found.partial, None);
                let rest = finish(snapshot, read, None)?;
                return Ok(self.refused(rest, found.definitions, refusal));
            }
        };
        let plan = self.plan(&snapshot, &code, &symbol).await?;
        let names = BTreeSet::from([symbol.name.clone()]);
        let mut doubts =
            reference_doubts(&mut code, &found.definitions, &names, &symbol.sites).await?;
        let mut kinds = found.definitions.iter().map(|one| one.definition.kind);
        if !kinds.all(|kind| matches!(kind, DefinitionKind::Function | DefinitionKind::Method)) {
            // What creates an object without the name of its class needs no edit.
            doubts.retain(|doubt| doubt.reason != DoubtReason::Unnamed);
        }
        let candidates: Vec<ReferenceSite> = self.left(&symbol).cloned().collect();
        let request = PageRequest {
            cursor: None,
            fingerprint: 0,
            limit: SHOWN_CANDIDATES,
            ..PageRequest::default()
        };
        let shown = site_page(&snapshot, &mut code, &candidates, request).await?;
        let mut head = RenamePlanHead {
            definitions: definitions(&snapshot, &code, &symbol),
            files: plan.files(),
            candidates: shown.items,
            candidates_total: wire(candidates.len()),
            refusals: plan.refusals,
            ..self.head()
        };
        let items: Vec<PlannedEdit> = plan
            .edits
            .iter()
            .flat_map(|(path, file)| file.rows(path))
            .collect();
        let unfollowed = code
            .is_truncated()
            .then_some("The references were not followed to their end.");
        let read = code.into_outcome(found.unread, found.partial, found.note);
        let rest = finish(snapshot, read, unfollowed)?;
        let refusal = unsearched(&rest).filter(|_| !self.accepts(RenameRisk::Unsearched));
        head.refusals.extend(refusal);
        doubts.extend(rest.doubts);
        let end = PageEnd {
            total: items.len(),
            doubts,
            ..rest
        };
        Ok(end.page(items, head))
    }

    fn failed(&self, meta: RagToolMeta) -> RenamePlanResult {
        Page::failed(meta, self.head())
    }
}

impl RenamePlan {
    fn head(&self) -> RenamePlanHead {
        RenamePlanHead {
            symbol: self.symbol.clone(),
            new_name: self.new_name.clone(),
            ..RenamePlanHead::default()
        }
    }

    /// Finds the symbol that is renamed, or why there is none.
    async fn symbol<H: Host>(
        &self,
        code: &mut CodeFacts<'_, H>,
        found: &FoundSubject,
    ) -> Result<Result<RenamedSymbol, Refusal>, RagnavError> {
        if found.definitions.is_empty() || found.is_by_name_only {
            let message = found.without_definition();
            return Ok(Err(Refusal::new(RefusalReason::Undefined, message)));
        }
        let symbol = RenamedSymbol::find(code, &found.definitions).await?;
        Ok(symbol.and_then(|symbol| {
            let home = symbol.targets.first().map(|(path, _)| path);
            let refusal = home.and_then(|path| reserved(path, &symbol.name, &self.new_name));
            refusal.map_or(Ok(symbol), Err)
        }))
    }

    /// Returns the answer of a plan without edits.
    fn refused(
        &self,
        end: PageEnd,
        found: Vec<FoundDefinition>,
        refusal: Refusal,
    ) -> RenamePlanResult {
        let head = RenamePlanHead {
            definitions: found.into_iter().map(|one| one.definition).collect(),
            refusals: vec![refusal],
            ..self.head()
        };
        end.page(Vec::new(), head)
    }
}

/// Returns the definitions that get the new name, as rows.
fn definitions<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &CodeFacts<'_, H>,
    symbol: &RenamedSymbol,
) -> Vec<Definition> {
    let rows = symbol.targets.iter().filter_map(|(path, id)| {
        let definitions = code.definitions(path)?;
        let found = definitions.symbols.get(id.0 as usize)?;
        let provenance = snapshot.read_provenance(path);
        Some(definitions.definition(path, found, provenance, None))
    });
    rows.collect()
}

/// Answers [`RenamePlan`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::rename_plan::{RefusalReason, RenamePlanOptions, rename_plan};
///
/// let text = "def total():\n    return 0\ndef f(price):\n    return total() + price\n";
/// let host = MemoryHost::new(&[("a.py", text)]);
/// let (settings, options) = (Settings::default(), RenamePlanOptions::default());
/// let plan = block_on(rename_plan(&host, &settings, "total", "price", &options));
/// assert_eq!(plan.head.refusals[0].reason, RefusalReason::Captured);
/// ```
pub async fn rename_plan<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    new_name: &str,
    options: &RenamePlanOptions,
) -> RenamePlanResult {
    let query = RenamePlan {
        symbol: symbol.to_owned(),
        new_name: new_name.to_owned(),
        options: options.clone(),
    };
    answer(host, settings, &query).await
}
