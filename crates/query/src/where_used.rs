//! `whereUsed`: the references to a symbol, through imports, aliases and inheritance.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use ragnav_base::argument::Count;
use ragnav_base::completeness::Doubt;
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::hash::HashSet;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, NavItem, Page, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_repository::failure::{Failure, add_message};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;
use ragnav_resolve::{FactDatabase, Resolver};

use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::code_facts::CodeFacts;
use crate::constructor_calls::gather_references;
use crate::cursor::Cursor;
use crate::doubts::{module_doubts, reference_doubts, undefined_doubt};
use crate::find_definitions::FoundDefinition;
use crate::module_references::{imports_of, uses_of_components};
use crate::options::{is_in_folder, parse_folder, without_files};
use crate::page::{PageEnd, page_rows};
use crate::query::Query;
use crate::reference_rows::{PageRequest, finish, site_page};
use crate::reference_site::ReferenceSite;
use crate::subject::{FoundSubject, Subject};
use crate::targets::targets;

/// The default page size.
const DEFAULT_LIMIT: usize = 50;

/// The references that are wanted.
///
/// # Examples
///
/// ```
/// use ragnav_query::where_used::Confidence;
///
/// let confidence: Confidence = serde_json::from_str(r#""resolved""#).unwrap();
/// assert_eq!(confidence, Confidence::Resolved);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
///
/// # Examples
///
/// ```
/// use ragnav_query::where_used::WhereUsedOptions;
///
/// let options: WhereUsedOptions = serde_json::from_str(r#"{"folder": "src"}"#).unwrap();
/// assert_eq!(options.folder.as_deref(), Some("src"));
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct WhereUsedOptions {
    /// Rows of a page, at least 1. Default 50, at most 10,000.
    pub limit: Option<Count>,
    /// The references to list: `resolved`, those that scopes and imports prove, or `all`, also
    /// candidates, which only share the name. Default `all`.
    pub confidence: Option<Confidence>,
    /// Only rows in this folder, a path from the root. Default: all.
    pub folder: Option<String>,
    /// Whether code outside of definitions belongs to the module that its file is: `symbol` is then
    /// the module and not `null`. Default false.
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

/// What `whereUsed` says beside its rows.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::where_used::{WhereUsedOptions, where_used};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), WhereUsedOptions::default());
/// let answer = block_on(where_used(&host, &settings, "total", &options));
/// assert_eq!(answer.head.definitions[0].file, "a.py");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct WhereUsedHead {
    /// The symbol as it was given.
    pub symbol: String,
    /// The definitions that the symbol names; the rows are about all of them.
    pub definitions: Vec<Definition>,
    /// The defined symbols most like one that nothing defines, best first; else empty.
    pub suggestions: Vec<String>,
}

/// The answer of `whereUsed`: references, resolved before candidates, then by file, line and
/// column.
#[cfg_attr(feature = "tsify", tsify::declare)]
pub type WhereUsedResult = Page<NavItem, WhereUsedHead>;

/// Finds every reference to a symbol: calls, imports, subclasses and others, followed through
/// imports, aliases, instances and inheritance. Use it before you change or remove a symbol, in
/// place of a text search for its name. A `resolved` reference is proven by scopes and imports; a
/// `candidate` only shares the name. The answer covers all definitions that the symbol names, and
/// lists them; give a longer name to narrow it.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::where_used::WhereUsed;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let arguments = serde_json::json!({"symbol": "total", "confidence": "resolved"});
/// let answer = block_on(answer_arguments::<WhereUsed, _>(&host, &settings, arguments));
/// assert_eq!(answer.items[0].line, 3);
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "WhereUsedArguments")
)]
pub struct WhereUsed {
    /// The symbol: a full id (`sym:src.auth.Auth.login`), a dotted suffix (`Auth.login`), a bare
    /// name (`login`), or the place of the name in a file (`src/app.py:12:5`; the line and the
    /// column count from 1).
    symbol: String,
    #[serde(flatten)]
    options: WhereUsedOptions,
}

/// The parsed form of the arguments.
///
/// # Examples
///
/// ```
/// use ragnav_query::Query;
/// use ragnav_query::arguments::Arguments;
/// use ragnav_query::where_used::{WhereUsed, WhereUsedOptions};
///
/// let arguments = Arguments::lenient(serde_json::json!({"symbol": ""}), WhereUsed::POSITIONAL);
/// assert!(WhereUsed::new(&arguments, WhereUsedOptions::default()).validate().is_err());
/// ```
#[derive(Debug)]
pub struct ValidWhereUsed {
    subject: Subject,
    folder: Option<RepoPath>,
    cursor: Option<Cursor>,
    fingerprint: u64,
}

impl Query for WhereUsed {
    const NAME: &'static str = "where_used";
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
        let folder = &self.options.folder;
        let identity = format!("where used {:?} {confidence:?} {folder:?}", self.symbol);
        let subject = Subject::parse(&self.symbol)?;
        let folder = parse_folder(self.options.folder.as_deref())?;
        let (fingerprint, cursor) = Cursor::of_query(&identity, self.options.cursor.as_deref())?;
        Ok(ValidWhereUsed {
            subject,
            folder,
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
        let mut code = CodeFacts::new(&snapshot).await?;
        let references = self.references(valid, &snapshot, &mut code).await?;
        let References {
            found,
            sites,
            doubts,
            is_truncated,
        } = &*references;
        let sites = match self.options.confidence.unwrap_or_default() {
            Confidence::All => sites.as_slice(),
            Confidence::Resolved => resolved(sites),
        };
        let request = PageRequest {
            cursor: valid.cursor,
            fingerprint: valid.fingerprint,
            limit: page_rows(self.options.limit, DEFAULT_LIMIT),
            explains: self.options.explain == Some(true),
            names_modules: self.options.include_module == Some(true),
        };
        let page = site_page(&snapshot, &mut code, sites, request).await?;
        let unfollowed = (*is_truncated || code.is_truncated())
            .then_some("A chain of imports, types or calls was not followed to its end.");
        let FoundSubject {
            partial,
            note,
            unread,
            suggestions,
            ..
        } = found;
        let read = code.into_outcome(*unread, partial.clone(), note.clone());
        let empty_folder = without_files(snapshot.files(), valid.folder.as_ref());
        let mut rest = finish(snapshot, read, unfollowed)?;
        if let Some(message) = empty_folder {
            add_message(&mut rest.meta, &message);
        }
        let end = PageEnd {
            total: sites.len(),
            next: page.next,
            doubts: doubts.iter().cloned().chain(rest.doubts).collect(),
            ..rest
        };
        Ok(end.page(page.items, self.head(found.rows(), suggestions.clone())))
    }

    fn failed(&self, meta: RagToolMeta) -> WhereUsedResult {
        Page::failed(meta, self.head(Vec::new(), Vec::new()))
    }
}

/// The references to a subject in a folder, of any confidence.
struct References {
    found: FoundSubject,
    sites: Vec<ReferenceSite>,
    doubts: Vec<Doubt>,
    is_truncated: bool,
}

impl WhereUsed {
    /// Returns the references, those of an earlier query if they still hold.
    async fn references<H: Host>(
        &self,
        valid: &ValidWhereUsed,
        snapshot: &Snapshot<'_, H>,
        code: &mut CodeFacts<'_, H>,
    ) -> Result<Rc<References>, Failure> {
        let asked = format!("references {:?} {:?}", self.symbol, valid.folder);
        // The steps of a row need the facts that its resolution needed.
        let is_explained = self.options.explain == Some(true);
        if let Some(kept) = snapshot.kept_result(&asked).filter(|_| !is_explained) {
            return Ok(kept);
        }
        let references = Rc::new(find_references(valid, snapshot, code).await?);
        if references.found.unread == 0 && !code.has_unread() {
            snapshot.keep_result(asked, &references);
        }
        Ok(references)
    }

    fn head(&self, definitions: Vec<Definition>, suggestions: Vec<String>) -> WhereUsedHead {
        let symbol = self.symbol.clone();
        WhereUsedHead {
            symbol,
            definitions,
            suggestions,
        }
    }
}

async fn find_references<H: Host>(
    valid: &ValidWhereUsed,
    snapshot: &Snapshot<'_, H>,
    code: &mut CodeFacts<'_, H>,
) -> Result<References, Failure> {
    let mut found = valid.subject.find(snapshot, code).await?;
    let mut sites = sites_of(code, &found).await?;
    sites.retain(|site| is_in_folder(&site.path, valid.folder.as_ref()));
    let names = names(&code.world, &found.definitions);
    let mut doubts = reference_doubts(code, &found.definitions, &names, &sites).await?;
    doubts.extend(module_doubts(code, &found.modules).await?);
    doubts.extend(undefined_doubt(code, found.undefined.as_deref()).await?);
    found.partial.append(code.partial.clone());
    Ok(References {
        found,
        sites,
        doubts,
        is_truncated: code.is_truncated(),
    })
}

/// Returns the resolved sites, which come first in the order of rows.
fn resolved(sites: &[ReferenceSite]) -> &[ReferenceSite] {
    let count = sites.partition_point(|site| site.resolution == Resolution::Resolved);
    sites.get(..count).unwrap_or_default()
}

/// Returns the references to all definitions, in the order of rows.
async fn sites_of<H: Host>(
    code: &mut CodeFacts<'_, H>,
    found: &FoundSubject,
) -> Result<Vec<ReferenceSite>, RagnavError> {
    let targets = targets(&found.definitions);
    let modules = found.modules.iter().map(|one| one.path.clone()).collect();
    let mut sites = imports_of(code, &modules).await?;
    sites.extend(uses_of_components(code, &modules).await?);
    for name in names(&code.world, &found.definitions) {
        sites.extend(gather_references(code, &name, &targets).await?);
    }
    if found.is_by_name_only {
        // A reference to one of these definitions need not be one to what is at the place.
        for site in &mut sites {
            site.demote();
        }
    }
    sites.sort_unstable();
    // A receiver may have several values. Resolved rows come first, so that the candidates which
    // are left out may be anywhere behind them.
    let mut known = HashSet::default();
    sites.retain(|site| known.insert((site.path.clone(), site.line, site.start_utf16)));
    Ok(sites)
}

/// Returns the names of definitions, also those that code may use in their place.
pub(super) fn names(world: &FactDatabase, found: &[FoundDefinition]) -> BTreeSet<String> {
    let resolver = Resolver::new(world);
    let mut names = BTreeSet::new();
    for one in found {
        let id = one.definition.symbol.dotted();
        let name = id.rsplit('.').next().unwrap_or(id);
        names.insert(name.to_owned());
        names.extend(resolver.other_name(&one.path, name).map(str::to_owned));
    }
    names
}

/// Answers [`WhereUsed`].
///
/// # Examples
///
/// ```
/// use ragnav_base::item::ItemKind;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::where_used::{WhereUsedOptions, where_used};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), WhereUsedOptions::default());
/// let answer = block_on(where_used(&host, &settings, "total", &options));
/// assert_eq!((answer.items[0].line, answer.items[0].kind), (3, ItemKind::Call));
/// ```
pub async fn where_used<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &WhereUsedOptions,
) -> WhereUsedResult {
    let (symbol, options) = (symbol.to_owned(), options.clone());
    answer(host, settings, &WhereUsed { symbol, options }).await
}
