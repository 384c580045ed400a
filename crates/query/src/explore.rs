//! `explore`: a first answer about a symbol or a subject: its definitions, its source, what calls
//! it, what it calls, and its tests, within a budget of tokens.

mod answer;
mod around;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use ragnav_base::argument::Count;
use ragnav_base::completeness::Doubt;
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, LineageItem, Page};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, floor_char_boundary, wire};
use ragnav_base::text;
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;

pub use self::answer::{ExploreHead, FoundBy, Source};
use self::around::Around;
use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::code_facts::CodeFacts;
use crate::definitions_of_file::definitions_of_file;
use crate::doubts::{module_doubts, reference_doubts, undefined_doubt};
use crate::find_definitions::FoundDefinition;
use crate::lineage::steps::Step;
use crate::page::PageEnd;
use crate::query::Query;
use crate::reference_rows::{PageRequest, finish, site_page};
use crate::reference_site::ReferenceSite;
use crate::search::best_symbols;
use crate::subject::{FoundSubject, Subject};
use crate::where_used::names;

/// The default budget, in tokens.
const DEFAULT_TOKENS: usize = 2_000;
/// The bytes of a token of code, on average.
const TOKEN_BYTES: usize = 4;
/// The tokens of a row, on average.
const ROW_TOKENS: usize = 30;
/// The length of a source that is shown whatever the budget, in bytes.
const MIN_SOURCE_BYTES: usize = 200;
/// The number of definitions that words lead to.
const MAX_MATCHES: usize = 8;
/// The options of `explore`.
///
/// # Examples
///
/// ```
/// use ragnav_query::explore::ExploreOptions;
///
/// let options: ExploreOptions = serde_json::from_str(r#"{"token_budget": 500}"#).unwrap();
/// assert!(options.token_budget.is_some());
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct ExploreOptions {
    /// Tokens at most, estimated: half for the source, the rest for rows. Default 2000.
    pub token_budget: Option<Count>,
    /// What the answer may come from. Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
}

/// The answer of `explore`: the definitions, the best first.
#[cfg_attr(feature = "tsify", tsify::declare)]
pub type ExploreResult = Page<Definition, ExploreHead>;

/// Answers a first question about code in one call: the definitions that a name or some words mean,
/// the source of the best one, what calls it, what it calls, and the tests that reach it, within a
/// budget of tokens. Use it before `rag_where_used` and the others, which list everything.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::explore::Explore;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let arguments = serde_json::json!({"about": "total"});
/// let answer = block_on(answer_arguments::<Explore, _>(&host, &Settings::default(), arguments));
/// assert_eq!(answer.head.code.unwrap().text, "def total():\n    return 0");
/// assert_eq!(answer.head.callers[0].item.line, 3);
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "ExploreArguments")
)]
pub struct Explore {
    /// A symbol (`Auth.login`), a place (`src/app.py:12:5`), or words (`log a user in`).
    about: String,
    #[serde(flatten)]
    options: ExploreOptions,
}

/// What an exploration starts from.
///
/// # Examples
///
/// ```
/// use ragnav_query::Query;
/// use ragnav_query::arguments::Arguments;
/// use ragnav_query::explore::{Explore, ExploreOptions};
///
/// let arguments = serde_json::json!({"about": ""});
/// let arguments = Arguments::lenient(arguments, Explore::POSITIONAL);
/// assert!(Explore::new(&arguments, ExploreOptions::default()).validate().is_err());
/// ```
#[derive(Debug)]
pub enum About {
    /// A symbol or a place.
    Subject(Subject),
    /// Words to rank by.
    Words(String),
}

impl Query for Explore {
    const NAME: &'static str = "explore";
    const POSITIONAL: &'static [Positional] = &[Positional::text("about")];
    type Options = ExploreOptions;
    type Answer = ExploreResult;
    type Valid = About;

    fn new(arguments: &Arguments, options: ExploreOptions) -> Self {
        let about = arguments.text("about");
        Self { about, options }
    }

    fn validate(&self) -> Result<About, RagnavError> {
        let about = self.about.trim();
        if about.contains(char::is_whitespace) {
            return Ok(About::Words(about.to_owned()));
        }
        Subject::parse(about).map(About::Subject)
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &About) -> Scope<'_> {
        Scope::Links
    }

    async fn run<H: Host>(
        &self,
        about: &About,
        snapshot: Snapshot<'_, H>,
    ) -> Result<ExploreResult, Failure> {
        let mut code = CodeFacts::new(&snapshot).await?;
        let (found, found_by) = match about {
            About::Subject(subject) => (subject.find(&snapshot, &mut code).await?, FoundBy::Name),
            About::Words(words) => (fitting(&snapshot, words).await?, FoundBy::Words),
        };
        let budget = Budget::of(self.options.token_budget);
        // What fits words is many things; the rows are about the best of them.
        let mut about = found.clone();
        if found_by == FoundBy::Words {
            about.definitions.truncate(1);
        }
        let around = Around::find(code, &about, budget.others).await?;
        let mut code = around.code;
        let source = match found.definitions.first() {
            Some(first) => source_of(&snapshot, &code, first, budget.source_bytes).await?,
            None => None,
        };
        let names = names(&code.world, &about.definitions);
        let mut doubts: Vec<Doubt> =
            reference_doubts(&mut code, &about.definitions, &names, &around.sites).await?;
        doubts.extend(module_doubts(&mut code, &about.modules).await?);
        doubts.extend(undefined_doubt(&mut code, about.undefined.as_deref()).await?);
        let items = found.rows();
        let head = ExploreHead {
            found_by,
            suggestions: found.suggestions,
            code: source,
            callers: rows(&snapshot, &mut code, &around.callers, budget.callers).await?,
            callers_total: wire(around.callers.len()),
            callees: rows(&snapshot, &mut code, &around.callees, budget.others).await?,
            callees_total: wire(around.callees.len()),
            tests_total: wire(around.tests.len()),
            tests: around.tests.into_iter().take(budget.others).collect(),
            ..self.head()
        };
        let unfollowed = code
            .is_truncated()
            .then_some("The callers were not followed to their end.");
        let read = code.into_outcome(found.unread, found.partial, found.note);
        let rest = finish(snapshot, read, unfollowed)?;
        doubts.extend(rest.doubts);
        let end = PageEnd {
            total: items.len(),
            doubts,
            ..rest
        };
        Ok(end.page(items, head))
    }

    fn failed(&self, meta: RagToolMeta) -> ExploreResult {
        Page::failed(meta, self.head())
    }
}

impl Explore {
    fn head(&self) -> ExploreHead {
        ExploreHead {
            about: self.about.clone(),
            ..ExploreHead::default()
        }
    }
}

/// How much of each part fits.
struct Budget {
    source_bytes: usize,
    callers: usize,
    others: usize,
}

impl Budget {
    fn of(tokens: Option<Count>) -> Self {
        let tokens = tokens.map_or(DEFAULT_TOKENS, Count::get);
        let rows = tokens / 2 / ROW_TOKENS;
        Self {
            source_bytes: (tokens / 2).saturating_mul(TOKEN_BYTES),
            callers: (rows / 2).max(1),
            others: (rows / 4).max(1),
        }
    }
}

/// Returns the definitions that fit some words best.
///
/// # Errors
/// `INVALID_ARGUMENT` for words without terms; `HOST_FAILED` if the host throws.
async fn fitting<H: Host>(
    snapshot: &Snapshot<'_, H>,
    words: &str,
) -> Result<FoundSubject, Failure> {
    let mut found = FoundSubject::none();
    let mut seen = BTreeSet::new();
    for (file, symbol) in best_symbols(snapshot, words, MAX_MATCHES).await? {
        let Ok(path) = RepoPath::parse(&file) else {
            continue;
        };
        if !seen.insert(symbol.clone()) {
            continue;
        }
        let file = definitions_of_file(snapshot, &path).await?;
        let mut all = file.definitions.into_iter().enumerate();
        let best = all.find(|(_, one)| one.symbol == symbol);
        found
            .definitions
            .extend(best.map(|(place, definition)| FoundDefinition {
                path,
                place,
                definition,
            }));
    }
    if found.definitions.is_empty() {
        let note = "No definition fits these words; give others, or the name of a symbol.";
        found.note = Some(note.to_owned());
    }
    Ok(found)
}

/// Returns the text of a definition, as much of it as fits.
///
/// # Errors
/// [`Failure::ConcurrentModification`] if the file is not the one that its facts belong to;
/// `HOST_FAILED` if the host throws.
async fn source_of<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &CodeFacts<'_, H>,
    found: &FoundDefinition,
    max_bytes: usize,
) -> Result<Option<Source>, Failure> {
    if snapshot.uses_unproven_index(&found.path) {
        return Ok(None);
    }
    let changed = || snapshot.contradicted(&found.path);
    let bytes = snapshot.read(&found.path).await?.map_err(|_| changed())?;
    if !code.is_of(&found.path, &bytes) {
        return Err(changed());
    }
    let text = text::decode(&bytes).map_err(|_| changed())?;
    let Definition {
        symbol,
        file,
        start_line,
        end_line,
        ..
    } = &found.definition;
    let lines = LineIndex::new(&text);
    let start = lines.full_range(*start_line as usize).start;
    let is_fit = |line: &u32| lines.full_range(*line as usize).end <= start + max_bytes;
    // The head is shown in any case.
    let last = (*start_line..=*end_line).rev().find(is_fit);
    let last = last.unwrap_or(*start_line);
    let end = lines.full_range(last as usize).end;
    // The line of a minified text can be the whole of it.
    let end = floor_char_boundary(&text, end.min(start + max_bytes.max(MIN_SOURCE_BYTES)));
    let provenance = snapshot.provenance(&found.path, &bytes);
    Ok(Some(Source {
        symbol: symbol.clone(),
        file: file.clone(),
        start_line: *start_line,
        end_line: *end_line,
        shown_lines: last - start_line + 1,
        text: text
            .get(start..end)
            .unwrap_or_default()
            .trim_end_matches(['\r', '\n'])
            .to_owned(),
        source: provenance.source,
        freshness_state: provenance.freshness_state,
        proof: provenance.proof,
    }))
}

/// Returns the first steps as rows.
async fn rows<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &mut CodeFacts<'_, H>,
    steps: &[Step],
    limit: usize,
) -> Result<Vec<LineageItem>, Failure> {
    let sites: Vec<ReferenceSite> = steps.iter().map(|step| step.site.clone()).collect();
    let request = PageRequest {
        limit,
        ..PageRequest::default()
    };
    let page = site_page(snapshot, code, &sites, request).await?;
    let rows = page.items.into_iter().zip(steps);
    let rows = rows.map(|(item, step)| step.row(item, &step.via));
    Ok(rows.collect())
}

/// Answers [`Explore`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::explore::{ExploreOptions, FoundBy, explore};
///
/// let host = MemoryHost::new(&[("a.py", "def total_of(cart):\n    return 0\n")]);
/// let (settings, options) = (Settings::default(), ExploreOptions::default());
/// let answer = block_on(explore(&host, &settings, "the total of a cart", &options));
/// assert_eq!(answer.head.found_by, FoundBy::Words);
/// assert_eq!(answer.items[0].symbol.as_str(), "sym:a.total_of");
/// ```
pub async fn explore<H: Host>(
    host: &H,
    settings: &Settings,
    about: &str,
    options: &ExploreOptions,
) -> ExploreResult {
    let (about, options) = (about.to_owned(), options.clone());
    answer(host, settings, &Explore { about, options }).await
}
