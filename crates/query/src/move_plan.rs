//! `move_plan`: the edits that move a definition to another file, checked by resolving references
//! again.

mod answer;
mod changes;
mod check;
mod cycles;
mod ecmascript;
mod files;
mod importers;
mod insertion;
mod members;
mod move_language;
mod moved;
mod names;
mod needs;
mod opening;
mod order;
mod plan;
mod python;
mod rules;
mod unused;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Page, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;

pub use self::answer::MovePlanHead;
use self::order::Order;
use self::plan::Planned;
use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::code_facts::CodeFacts;
use crate::doubts::reference_doubts;
use crate::edit_plan::{PlannedEdit, Refusal, RefusalReason, counted, others_meant, unsearched};
use crate::page::PageEnd;
use crate::query::Query;
use crate::reference_rows::{PageRequest, finish, site_page};
use crate::reference_site::ReferenceSite;
use crate::references::references_to;
use crate::subject::{FoundSubject, Subject};
use crate::targets::targets;

/// The number of candidates that a plan shows.
const SHOWN_CANDIDATES: usize = 50;

/// What a move does with references that may mean the symbol, but only share its name.
///
/// # Examples
///
/// ```
/// use ragnav_query::move_plan::MoveCandidates;
///
/// let rule: MoveCandidates = serde_json::from_str(r#""leave""#).unwrap();
/// assert_eq!(rule, MoveCandidates::Leave);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum MoveCandidates {
    /// The plan is refused if there are any.
    #[default]
    Refuse,
    /// They stay as they are.
    Leave,
}

/// A risk of a move that a caller may accept.
///
/// # Examples
///
/// ```
/// use ragnav_query::move_plan::MoveRisk;
///
/// let risk: MoveRisk = serde_json::from_str(r#""unsearched""#).unwrap();
/// assert_eq!(risk, MoveRisk::Unsearched);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum MoveRisk {
    /// A part of the repository could not be searched.
    Unsearched,
}

/// The options of `movePlan`.
///
/// # Examples
///
/// ```
/// use ragnav_query::move_plan::MovePlanOptions;
///
/// let options: MovePlanOptions = serde_json::from_str(r#"{"candidates": "leave"}"#).unwrap();
/// assert!(options.accept.is_none());
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct MovePlanOptions {
    /// What happens to references that only share the name: `refuse` refuses the plan, `leave`
    /// leaves them as they are. Default `refuse`.
    pub candidates: Option<MoveCandidates>,
    /// Risks to accept: `unsearched`, a part of the repository could not be searched. Default:
    /// none.
    pub accept: Option<Vec<MoveRisk>>,
    /// What the answer may come from. Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
}

/// The answer of `movePlan`: the edits by file and place.
#[cfg_attr(feature = "tsify", tsify::declare)]
pub type MovePlanResult = Page<PlannedEdit, MovePlanHead>;

/// Plans the edits that move a definition to another file, which may be new: its text, the imports
/// that it needs there, and the imports of all files that use it. The plan is checked: with its
/// edits, the same references mean the symbol, and its text means the same. It changes no file.
/// `refusals` says why it must not be applied. For functions, classes and types of Python,
/// JavaScript and TypeScript.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::move_plan::MovePlan;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[
///     ("cart.py", "def total():\n    return 0\n"),
///     ("shop.py", "from cart import total\n\ntotal()\n"),
/// ]);
/// let arguments = serde_json::json!({"symbol": "total", "file": "sums.py"});
/// let settings = Settings::default();
/// let answer = block_on(answer_arguments::<MovePlan, _>(&host, &settings, arguments));
/// assert!(answer.head.refusals.is_empty());
/// let files = answer.head.files.iter().map(|one| (one.file.as_str(), one.hash.is_some()));
/// let files: Vec<_> = files.collect();
/// assert_eq!(files, [("cart.py", true), ("shop.py", true), ("sums.py", false)]);
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "MovePlanArguments")
)]
pub struct MovePlan {
    /// The symbol: a full id (`sym:src.auth.Auth`), a bare name (`login`), or the place of the
    /// name in a file (`src/app.py:12:5`; the line and the column count from 1).
    symbol: String,
    /// The file that gets the definition, relative to the root of the repository.
    file: String,
    #[serde(flatten)]
    options: MovePlanOptions,
}

/// What a move is about.
///
/// # Examples
///
/// ```
/// use ragnav_query::Query;
/// use ragnav_query::arguments::Arguments;
/// use ragnav_query::move_plan::MovePlan;
///
/// let validate = |file: &str| {
///     let arguments = serde_json::json!({"symbol": "total", "file": file});
///     let arguments = Arguments::lenient(arguments, MovePlan::POSITIONAL);
///     MovePlan::new(&arguments, Default::default()).validate()
/// };
/// assert!(validate("sums.py").is_ok());
/// assert!(validate("../sums.py").is_err());
/// ```
#[derive(Debug, Clone)]
pub struct MoveSubject {
    subject: Subject,
    target: RepoPath,
}

impl Query for MovePlan {
    const NAME: &'static str = "move_plan";
    const POSITIONAL: &'static [Positional] =
        &[Positional::text("symbol"), Positional::text("file")];
    type Options = MovePlanOptions;
    type Answer = MovePlanResult;
    type Valid = MoveSubject;

    fn new(arguments: &Arguments, options: MovePlanOptions) -> Self {
        Self {
            symbol: arguments.text("symbol"),
            file: arguments.text("file"),
            options,
        }
    }

    fn validate(&self) -> Result<MoveSubject, RagnavError> {
        Ok(MoveSubject {
            subject: Subject::parse(&self.symbol)?,
            target: RepoPath::parse(&self.file)?,
        })
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &MoveSubject) -> Scope<'_> {
        Scope::Links
    }

    async fn run<H: Host>(
        &self,
        valid: &MoveSubject,
        snapshot: Snapshot<'_, H>,
    ) -> Result<MovePlanResult, Failure> {
        let mut code = CodeFacts::new(&snapshot).await?;
        let found = valid.subject.find(&snapshot, &mut code).await?;
        if let Some(refusal) = unclear(&found) {
            let definitions = found.definitions.into_iter().map(|one| one.definition);
            let head = MovePlanHead {
                definitions: definitions.collect(),
                refusals: vec![refusal],
                ..self.head()
            };
            let read = code.into_outcome(found.unread, found.partial, None);
            return Ok(finish(snapshot, read, None)?.page(Vec::new(), head));
        }
        let (sites, mut refusals, name) = self.sites(&mut code, &found).await?;
        let planned = match targets(&found.definitions).first() {
            Some((source, id)) => {
                let order = Order {
                    source,
                    id: *id,
                    name: &name,
                    target: &valid.target,
                    sites: &sites,
                };
                order.plan(&snapshot, &mut code).await?
            }
            None => Planned::default(),
        };
        let names = BTreeSet::from([name]);
        let mut doubts = reference_doubts(&mut code, &found.definitions, &names, &sites).await?;
        let candidates = sites
            .iter()
            .filter(|site| site.resolution == Resolution::Candidate);
        let candidates: Vec<ReferenceSite> = candidates.cloned().collect();
        let request = PageRequest {
            cursor: None,
            fingerprint: 0,
            limit: SHOWN_CANDIDATES,
            ..PageRequest::default()
        };
        let shown = site_page(&snapshot, &mut code, &candidates, request).await?;
        let (files, items) = (planned.files(), planned.rows());
        refusals.extend(planned.refusals);
        let unfollowed = code
            .is_truncated()
            .then_some("The references were not followed to their end.");
        let read = code.into_outcome(found.unread, found.partial, found.note);
        let rest = finish(snapshot, read, unfollowed)?;
        refusals.extend(unsearched(&rest).filter(|_| !self.accepts(MoveRisk::Unsearched)));
        let head = MovePlanHead {
            definitions: found
                .definitions
                .into_iter()
                .map(|one| one.definition)
                .collect(),
            files,
            candidates: shown.items,
            candidates_total: wire(candidates.len()),
            refusals,
            ..self.head()
        };
        doubts.extend(rest.doubts);
        let end = PageEnd {
            total: items.len(),
            doubts,
            ..rest
        };
        Ok(end.page(items, head))
    }

    fn failed(&self, meta: RagToolMeta) -> MovePlanResult {
        Page::failed(meta, self.head())
    }
}

impl MovePlan {
    fn head(&self) -> MovePlanHead {
        MovePlanHead {
            symbol: self.symbol.clone(),
            target: self.file.clone(),
            ..MovePlanHead::default()
        }
    }

    fn accepts(&self, risk: MoveRisk) -> bool {
        self.options
            .accept
            .as_deref()
            .unwrap_or_default()
            .contains(&risk)
    }

    /// Returns the references to the definition, why they do not allow a move, and its name.
    async fn sites<H: Host>(
        &self,
        code: &mut CodeFacts<'_, H>,
        found: &FoundSubject,
    ) -> Result<(Vec<ReferenceSite>, Vec<Refusal>, String), RagnavError> {
        let targets = targets(&found.definitions);
        let homes = targets.iter().map(|(path, _)| path.clone()).collect();
        code.load(&homes).await?;
        let place = targets.first();
        let name = place.and_then(|place| crate::edit_plan::name_of(code, place));
        let name = name.unwrap_or_default();
        let mut sites = references_to(code, &name, &targets).await?;
        sites.sort_unstable();
        let mut refusals = Vec::new();
        let candidates = sites
            .iter()
            .filter(|site| site.resolution == Resolution::Candidate);
        let candidates: Vec<&ReferenceSite> = candidates.collect();
        let rule = self.options.candidates.unwrap_or_default();
        if rule == MoveCandidates::Refuse && !candidates.is_empty() {
            let message = format!(
                "{} may mean the symbol, but only its name matches; look at `candidates`, then \
                 choose to leave them.",
                counted(candidates.len(), "reference")
            );
            let files = candidates.iter().map(|site| &site.path);
            let reason = RefusalReason::Candidates;
            refusals.push(Refusal::in_files(reason, candidates.len(), files, message));
        }
        let others = others_meant(code, &name, &sites, &targets);
        if !others.is_empty() {
            let message = format!(
                "{} may also mean other definitions named `{name}`.",
                counted(others.len(), "reference")
            );
            let files = others.iter().map(|(site, _)| &site.path);
            let reason = RefusalReason::Shared;
            refusals.push(Refusal::in_files(reason, others.len(), files, message));
        }
        Ok((sites, refusals, name))
    }
}

/// Returns why what was found is not one definition.
fn unclear(found: &FoundSubject) -> Option<Refusal> {
    if found.definitions.is_empty() || found.is_by_name_only {
        let message = found.without_definition();
        return Some(Refusal::new(RefusalReason::Undefined, message));
    }
    let count = found.definitions.len();
    if count == 1 {
        return None;
    }
    let ids = found.definitions.iter().map(|one| &one.definition.symbol);
    let ids: BTreeSet<String> = ids.map(|id| format!("`{}`", id.dotted())).collect();
    let files = found.definitions.iter().map(|one| &one.path);
    if ids.len() > 1 {
        return Some(Refusal::ambiguous(ids, files));
    }
    let only = ids.into_iter().collect::<String>();
    let message = format!(
        "{only} has {count} definitions, such as overloads or parts; a move would divide them."
    );
    Some(Refusal::in_files(
        RefusalReason::NotAtTop,
        count,
        files,
        message,
    ))
}

/// Answers [`MovePlan`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::edit_plan::RefusalReason;
/// use ragnav_query::move_plan::{MovePlanOptions, move_plan};
///
/// let host = MemoryHost::new(&[
///     ("cart.py", "def total():\n    return 0\n"),
///     ("sums.py", "total = 3\n"),
/// ]);
/// let (settings, options) = (Settings::default(), MovePlanOptions::default());
/// let plan = block_on(move_plan(&host, &settings, "cart.total", "sums.py", &options));
/// assert_eq!(plan.head.refusals[0].reason, RefusalReason::NameTaken);
/// ```
pub async fn move_plan<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    file: &str,
    options: &MovePlanOptions,
) -> MovePlanResult {
    let query = MovePlan {
        symbol: symbol.to_owned(),
        file: file.to_owned(),
        options: options.clone(),
    };
    answer(host, settings, &query).await
}
