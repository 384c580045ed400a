//! `lineage`: who calls, inherits from or imports a symbol, or what it calls and inherits from,
//! over several steps.

mod counterparts;
pub(super) mod steps;

use serde::{Deserialize, Serialize};

use ragnav_base::argument::Count;
use ragnav_base::completeness::Doubt;
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, Direction, LineageItem, Page};
use ragnav_base::path::RepoPath;
use ragnav_base::sort::SmallSort;
use ragnav_repository::failure::{Failure, add_message};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;

use self::steps::{Place, Step, Walk};
use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::code_facts::CodeFacts;
use crate::cursor::Cursor;
use crate::doubts::{candidates, module_doubts, reference_doubts, undefined_doubt};
use crate::options::{is_in_folder, parse_folder, without_files};
use crate::page::{PageEnd, page_rows};
use crate::query::Query;
use crate::reference_rows::{PageRequest, finish, site_page};
use crate::reference_site::ReferenceSite;
use crate::subject::Subject;
use crate::targets::targets;
use crate::where_used::names;

/// The default page size.
const DEFAULT_LIMIT: usize = 50;
/// The largest number of symbols that are followed.
const MAX_SYMBOLS: usize = 2_000;
/// The greatest number of steps.
const MAX_DEPTH: usize = 32;

/// The options of `lineage`.
///
/// # Examples
///
/// ```
/// use ragnav_query::lineage::LineageOptions;
///
/// let options: LineageOptions = serde_json::from_str(r#"{"depth": 2}"#).unwrap();
/// assert_eq!(options.depth.map(|depth| depth.get()), Some(2));
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct LineageOptions {
    /// Rows of a page, at least 1. Default 50, at most 10,000.
    pub limit: Option<Count>,
    /// Another name of `limit`, which wins where both are given.
    pub max_results: Option<Count>,
    /// The number of steps, at least 1. Default 1, at most 32.
    pub depth: Option<Count>,
    /// Only rows in this folder, a path from the root. Default: all.
    pub folder: Option<String>,
    /// Whether code outside of definitions belongs to the module that its file is: `symbol` is then
    /// the module and not `null`, and steps lead on from it. Default false.
    pub include_module: Option<bool>,
    /// Whether resolved rows have `steps`: the imports, assignments, calls, annotations and base
    /// classes by which their names lead to the symbol. Default false.
    pub explain: Option<bool>,
    /// What the answer may come from. Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before, with the same symbol and options. Default: the first page.
    pub cursor: Option<String>,
    /// The `receipt` of an earlier answer to this query. The answer then lists only the rows that
    /// differ, at most `limit` (default 50), and `meta.since` describes the differences. Default:
    /// all rows.
    pub since: Option<String>,
}

/// What `lineage` says beside its rows.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::lineage::{LineageOptions, lineage};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), LineageOptions::default());
/// let answer = block_on(lineage(&host, &settings, "total", "callers", &options));
/// assert_eq!(answer.head.symbol, "total");
/// assert_eq!(answer.head.definitions[0].start_line, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct LineageHead {
    /// The symbol as it was given.
    pub symbol: String,
    /// The direction that was followed.
    pub direction: Direction,
    /// The definitions that the symbol names.
    pub definitions: Vec<Definition>,
    /// The defined symbols most like one that nothing defines, best first; else empty.
    pub suggestions: Vec<String>,
}

/// The answer of `lineage`: the steps, each at its smallest depth; resolved before candidates, then
/// by file, line and column.
#[cfg_attr(feature = "tsify", tsify::declare)]
pub type LineageResult = Page<LineageItem, LineageHead>;

/// Parses a direction: `upstream` or `callers`, `downstream` or `callees`, in any case.
///
/// # Errors
/// `INVALID_ARGUMENT` for any other word.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Direction;
/// use ragnav_query::lineage::direction;
///
/// assert_eq!(direction("Callers"), Ok(Direction::Upstream));
/// assert!(direction("sideways").is_err());
/// ```
pub fn direction(word: &str) -> Result<Direction, RagnavError> {
    match word.trim().to_lowercase().as_str() {
        "upstream" | "callers" => Ok(Direction::Upstream),
        "downstream" | "callees" => Ok(Direction::Downstream),
        _ => Err(RagnavError::invalid(format!(
            "{word:?} is no direction; give upstream (callers) or downstream (callees)"
        ))),
    }
}

/// Follows a symbol over several steps: upstream to its callers, subclasses and importers,
/// downstream to what it calls, inherits from and imports. Use it to learn what a change may affect
/// (upstream) or how something works (downstream). Each row is one step, with its depth and, in
/// `via`, the symbols on the way.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::lineage::Lineage;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let arguments = serde_json::json!({"symbol": "total", "direction": "upstream"});
/// let answer = block_on(answer_arguments::<Lineage, _>(&host, &settings, arguments));
/// assert_eq!(answer.items[0].item.line, 3);
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "LineageArguments")
)]
pub struct Lineage {
    /// The symbol: a full id (`sym:src.auth.Auth.login`), a dotted suffix (`Auth.login`), a bare
    /// name (`login`), or the place of the name in a file (`src/app.py:12:5`; the line and the
    /// column count from 1).
    symbol: String,
    /// The direction: `upstream` (also `callers`) or `downstream` (also `callees`). Default
    /// `upstream`.
    #[cfg_attr(
        feature = "tsify",
        tsify(
            optional,
            type = r#""upstream" | "downstream" | "callers" | "callees""#
        )
    )]
    direction: String,
    #[serde(flatten)]
    options: LineageOptions,
}

/// The parsed form of the arguments.
///
/// # Examples
///
/// ```
/// use ragnav_query::Query;
/// use ragnav_query::arguments::Arguments;
/// use ragnav_query::lineage::Lineage;
///
/// let arguments = serde_json::json!({"symbol": "total", "direction": "sideways"});
/// let arguments = Arguments::lenient(arguments, Lineage::POSITIONAL);
/// assert!(Lineage::new(&arguments, Default::default()).validate().is_err());
/// ```
#[derive(Debug)]
pub struct ValidLineage {
    subject: Subject,
    folder: Option<RepoPath>,
    direction: Direction,
    depth: usize,
    cursor: Option<Cursor>,
    fingerprint: u64,
}

impl Query for Lineage {
    const NAME: &'static str = "lineage";
    const POSITIONAL: &'static [Positional] = &[
        Positional::text("symbol"),
        Positional::text_or("direction", "upstream"),
    ];
    type Options = LineageOptions;
    type Answer = LineageResult;
    type Valid = ValidLineage;

    fn new(arguments: &Arguments, options: LineageOptions) -> Self {
        Self {
            symbol: arguments.text("symbol"),
            direction: arguments.text("direction"),
            options,
        }
    }

    fn validate(&self) -> Result<ValidLineage, RagnavError> {
        let direction = direction(&self.direction)?;
        let depth = self.options.depth.map_or(1, Count::get).min(MAX_DEPTH);
        let folder = &self.options.folder;
        let with_modules = self.options.include_module == Some(true);
        let identity = format!(
            "lineage {:?} {direction:?} {depth} {folder:?} {with_modules}",
            self.symbol
        );
        let subject = Subject::parse(&self.symbol)?;
        let folder = parse_folder(self.options.folder.as_deref())?;
        let (fingerprint, cursor) = Cursor::of_query(&identity, self.options.cursor.as_deref())?;
        Ok(ValidLineage {
            subject,
            folder,
            direction,
            depth,
            cursor,
            fingerprint,
        })
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &ValidLineage) -> Scope<'_> {
        Scope::Links
    }

    async fn run<H: Host>(
        &self,
        valid: &ValidLineage,
        snapshot: Snapshot<'_, H>,
    ) -> Result<LineageResult, Failure> {
        let mut code = CodeFacts::new(&snapshot).await?;
        let found = valid.subject.find(&snapshot, &mut code).await?;
        let mut walk = Walk::new(code, MAX_SYMBOLS).with_declarations();
        if self.options.include_module == Some(true) {
            walk.follow_modules();
        }
        let definitions = targets(&found.definitions).into_iter().map(Place::from);
        let modules = found
            .modules
            .iter()
            .map(|one| Place::Module(one.path.clone()));
        let places = definitions.chain(modules);
        let targets = places.map(|place| (place, Vec::new())).collect();
        walk.follow(targets, valid.direction, valid.depth).await?;
        let definitions = found.rows();
        let is_bounded = walk.is_bounded;
        let mut steps: Vec<Step> = walk.steps.into_values().collect();
        steps.retain(|step| is_in_folder(&step.site.path, valid.folder.as_ref()));
        if found.is_by_name_only {
            for step in &mut steps {
                step.site.demote();
            }
        }
        steps.small_sort_by(|a, b| a.site.cmp(&b.site));
        let sites: Vec<ReferenceSite> = steps.iter().map(|step| step.site.clone()).collect();
        let mut code = walk.code;
        let mut doubts: Vec<Doubt> = match valid.direction {
            Direction::Upstream => {
                let names = names(&code.world, &found.definitions);
                let mut doubts =
                    reference_doubts(&mut code, &found.definitions, &names, &sites).await?;
                doubts.extend(module_doubts(&mut code, &found.modules).await?);
                doubts.extend(undefined_doubt(&mut code, found.undefined.as_deref()).await?);
                doubts
            }
            Direction::Downstream => candidates(&sites).into_iter().collect(),
        };
        let limit = self.options.limit.or(self.options.max_results);
        let request = PageRequest {
            cursor: valid.cursor,
            fingerprint: valid.fingerprint,
            limit: page_rows(limit, DEFAULT_LIMIT),
            explains: self.options.explain == Some(true),
            names_modules: self.options.include_module == Some(true),
        };
        let page = site_page(&snapshot, &mut code, &sites, request).await?;
        let shown = steps.get(page.rows).unwrap_or_default();
        let items = page.items.into_iter().zip(shown);
        let items = items.map(|(item, step)| step.row(item, &step.via));
        let is_cut = code.is_truncated() || is_bounded;
        let unfollowed = is_cut.then_some("The lineage was not followed to its end.");
        let read = code.into_outcome(found.unread, found.partial, found.note);
        let empty_folder = without_files(snapshot.files(), valid.folder.as_ref());
        let mut rest = finish(snapshot, read, unfollowed)?;
        if let Some(message) = empty_folder {
            add_message(&mut rest.meta, &message);
        }
        doubts.extend(rest.doubts);
        let end = PageEnd {
            total: sites.len(),
            next: page.next,
            doubts,
            ..rest
        };
        Ok(end.page(items.collect(), self.head(definitions, found.suggestions)))
    }

    fn failed(&self, meta: RagToolMeta) -> LineageResult {
        Page::failed(meta, self.head(Vec::new(), Vec::new()))
    }
}

impl Lineage {
    fn head(&self, definitions: Vec<Definition>, suggestions: Vec<String>) -> LineageHead {
        LineageHead {
            symbol: self.symbol.clone(),
            direction: direction(&self.direction).unwrap_or(Direction::Upstream),
            definitions,
            suggestions,
        }
    }
}

/// Answers [`Lineage`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::lineage::{LineageOptions, lineage};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), LineageOptions::default());
/// let answer = block_on(lineage(&host, &settings, "total", "callers", &options));
/// assert_eq!((answer.items[0].depth, answer.items[0].item.line), (1, 3));
/// ```
pub async fn lineage<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    direction: &str,
    options: &LineageOptions,
) -> LineageResult {
    let query = Lineage {
        symbol: symbol.to_owned(),
        direction: direction.to_owned(),
        options: options.clone(),
    };
    answer(host, settings, &query).await
}
