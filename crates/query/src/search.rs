//! `search`: the lines that match a text or a regular expression, or what fits a query best.

mod lines;
mod ranked;

use std::collections::BTreeSet;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use ragnav_base::argument::Count;
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{NavItem, Page, Skipped};
use ragnav_base::path::RepoPath;
use ragnav_base::symbol_id::SymbolId;
use ragnav_index::graph_file::GraphFile;
use ragnav_matching::globs::Globs;
use ragnav_matching::pattern::{Pattern, SearchMode};
use ragnav_matching::terms::Terms;
use ragnav_repository::failure::{Failure, add_message, add_partial};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::{ReadOutcome, Snapshot};

use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::changed_definitions::MAX_FILES;
use crate::cursor::Cursor;
use crate::enrichment::Enrichments;
use crate::gaps::Gaps;
use crate::options::{glob_list, parse_folder, without_files, without_matches};
use crate::page::{PageEnd, page_rows};
use crate::query::Query;
use crate::row_conditions::add_module_conditions;

/// The default page size.
const DEFAULT_LIMIT: usize = 20;

/// The options of `search`.
///
/// # Examples
///
/// ```
/// use ragnav_matching::pattern::SearchMode;
/// use ragnav_query::search::SearchOptions;
///
/// let options: SearchOptions = serde_json::from_str(r#"{"mode": "regex"}"#).unwrap();
/// assert_eq!(options.mode, Some(SearchMode::Regex));
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct SearchOptions {
    /// Rows of a page, at least 1. Default 20, at most 10,000.
    pub limit: Option<Count>,
    /// How the query is read: `literal`, the text itself; `regex`; or `ranked`, the definitions and
    /// passages that fit the words and names best. Default `literal`.
    pub mode: Option<SearchMode>,
    /// Whether case counts. Default `true`; with `ranked` it never does, and `true` is refused.
    pub case_sensitive: Option<bool>,
    /// Globs in gitignore's syntax, such as `*.py` or `src/**`: only files that match one of them
    /// are searched. Default: all files.
    #[serde(deserialize_with = "glob_list")]
    pub include: Option<Vec<String>>,
    /// Globs in gitignore's syntax: files that match one of them are not searched. Default: none.
    #[serde(deserialize_with = "glob_list")]
    pub exclude: Option<Vec<String>>,
    /// Only rows in this folder, a path from the root. Default: all.
    pub folder: Option<String>,
    /// Whether ranked rows say what their score consists of. Default `false`.
    pub explain: Option<bool>,
    /// Whether files rank higher in a ranked search if commits change them often, and have changed
    /// them lately. Default `false`.
    pub history: Option<bool>,
    /// What the answer may come from. `allow` does not search files that changed, since the index
    /// holds no text. Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The `cursor` of the page before, with the same query and options. Default: the first page.
    pub cursor: Option<String>,
    /// The `receipt` of an earlier answer to this query. The answer then lists only the rows that
    /// differ, at most `limit` (default 50), and `meta.since` describes the differences. Default:
    /// all rows.
    pub since: Option<String>,
}

/// What `search` says beside its rows.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::search::{SearchOptions, search};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), SearchOptions::default());
/// let answer = block_on(search(&host, &settings, "total", &options));
/// assert_eq!(answer.head.query, "total");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct SearchHead {
    /// The query as it was given.
    pub query: String,
}

/// The answer of `search`: rows by file and line, ranked ones by score before that.
#[cfg_attr(feature = "tsify", tsify::declare)]
pub type SearchResult = Page<NavItem, SearchHead>;

/// Finds the lines that match a text or a regular expression, by file and line; with the mode
/// `ranked` the definitions and passages that fit the query, best first. Use it for a known text, a
/// pattern or a half-known name. Rows in code name the symbol that encloses them. All rows are
/// counted.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::search::Search;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let arguments = serde_json::json!({"query": "tot.l", "mode": "regex"});
/// let answer = block_on(answer_arguments::<Search, _>(&host, &settings, arguments));
/// assert_eq!(answer.total, Some(2));
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "SearchArguments")
)]
pub struct Search {
    /// The text, the regular expression (Rust syntax, no look-around), or the words and names to
    /// rank by.
    query: String,
    #[serde(flatten)]
    options: SearchOptions,
}

/// The parsed form of the arguments.
///
/// # Examples
///
/// ```
/// use ragnav_query::Query;
/// use ragnav_query::arguments::Arguments;
/// use ragnav_query::search::{Search, SearchOptions};
///
/// let arguments = Arguments::lenient(serde_json::json!({"query": ""}), Search::POSITIONAL);
/// assert!(Search::new(&arguments, SearchOptions::default()).validate().is_err());
/// ```
#[derive(Debug)]
pub struct ValidSearch {
    matcher: Matcher,
    globs: Globs,
    limit: usize,
    /// Where the page begins, unless it is the first.
    cursor: Option<Cursor>,
    fingerprint: u64,
}

/// What is looked for.
#[derive(Debug)]
enum Matcher {
    /// The lines that match.
    Lines(Pattern),
    /// What fits best.
    Ranked(Terms),
}

impl ValidSearch {
    /// Returns the rows of the page, among all.
    fn page(&self) -> Range<usize> {
        let offset = self.cursor.map_or(0, |cursor| cursor.offset);
        offset..offset.saturating_add(self.limit)
    }
}

/// The rows of a search, before it is known what they rest on.
#[derive(Default)]
struct Found {
    /// The rows of the page.
    items: Vec<NavItem>,
    /// The number of rows of all pages.
    rows: usize,
    /// A hash of all rows.
    fingerprint: u64,
    /// The files that could not be read.
    unread: Vec<Skipped>,
    /// The files for whose lines the expression is too large.
    left_out: Vec<RepoPath>,
    /// Whether a limit was met before everything was looked at.
    is_bounded: bool,
    /// The files of rows that were only parsed in part: their enclosing symbols, or better rows,
    /// may be missing.
    partial: BTreeSet<RepoPath>,
    /// Sentences for the message.
    messages: Vec<String>,
}

impl Query for Search {
    const NAME: &'static str = "search";
    const POSITIONAL: &'static [Positional] = &[Positional::text("query")];
    type Options = SearchOptions;
    type Answer = SearchResult;
    type Valid = ValidSearch;

    fn new(arguments: &Arguments, options: SearchOptions) -> Self {
        let query = arguments.text("query");
        Self { query, options }
    }

    fn validate(&self) -> Result<ValidSearch, RagnavError> {
        let Self { query, options } = self;
        let mode = options.mode.unwrap_or_default();
        let case_sensitive = options.case_sensitive.unwrap_or(mode != SearchMode::Ranked);
        let include = options.include.as_deref().unwrap_or_default();
        let exclude = options.exclude.as_deref().unwrap_or_default();
        let matcher = match mode {
            SearchMode::Ranked if case_sensitive => {
                let message = "a ranked search ignores case; leave out `case_sensitive`, or use \
                               another mode";
                return Err(RagnavError::invalid(message));
            }
            SearchMode::Ranked => Matcher::Ranked(Terms::new(query)?),
            _ => Matcher::Lines(Pattern::new(query, mode, case_sensitive)?),
        };
        let folder = parse_folder(options.folder.as_deref())?;
        let history = options.history.unwrap_or_default();
        let identity = format!(
            "{query:?} {mode:?} {case_sensitive:?} {include:?} {exclude:?} {folder:?} {history:?}"
        );
        let globs = Globs::new(include, exclude)?.within(folder);
        let (fingerprint, cursor) = Cursor::of_query(&identity, options.cursor.as_deref())?;
        Ok(ValidSearch {
            matcher,
            globs,
            limit: page_rows(options.limit, DEFAULT_LIMIT),
            cursor,
            fingerprint,
        })
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(valid: &ValidSearch) -> Scope<'_> {
        Scope::Globs(&valid.globs)
    }

    async fn run<H: Host>(
        &self,
        valid: &ValidSearch,
        snapshot: Snapshot<'_, H>,
    ) -> Result<SearchResult, Failure> {
        // Enrichment is optional: if the host cannot read the graph, the answer has none.
        let graph = snapshot.graph().await.unwrap_or(GraphFile::Unreadable);
        let mut enrichments = Enrichments::new(graph.graph());
        let page = valid.page();
        let no_files = without_files(snapshot.files(), valid.globs.folder())
            .or_else(|| without_matches(snapshot.files(), &valid.globs));
        let mut found = match &valid.matcher {
            Matcher::Lines(pattern) => {
                lines::lines(&snapshot, &mut enrichments, pattern, page).await?
            }
            Matcher::Ranked(terms) => {
                let wanted = ranked::Wanted {
                    page,
                    explains: self.options.explain.unwrap_or_default(),
                    history: self.options.history.unwrap_or_default(),
                };
                ranked::ranked(&snapshot, &mut enrichments, terms, wanted).await?
            }
        };
        add_module_conditions(&snapshot, &mut found.items).await?;
        let finished = snapshot.finish(ReadOutcome {
            unread: found.unread.len(),
            unreadable: found.unread.clone(),
            left_out: found.left_out,
            needs_text: true,
        })?;
        if let Some(cursor) = valid.cursor {
            cursor.check(found.fingerprint)?;
        }
        let mut meta = finished.meta;
        for message in no_files.iter().chain(&found.messages) {
            add_message(&mut meta, message);
        }
        let is_literal = self.options.mode.unwrap_or_default() == SearchMode::Literal;
        if found.rows == 0 && is_literal && looks_like_regex(&self.query) {
            let sentence = "The query was searched as literal text; the mode `regex` reads it as a \
                            regular expression.";
            add_message(&mut meta, sentence);
        }
        add_partial(&mut meta, &found.partial);
        if matches!(graph, GraphFile::Unreadable) {
            let sentence = "The graph cannot be read, so rows have no enrichment.";
            add_message(&mut meta, sentence);
        }
        if enrichments.is_bounded() {
            let sentence = format!(
                "More than {MAX_FILES} files differ from the index, so definitions that moved \
                 between them have no enrichment. Update the index."
            );
            add_message(&mut meta, &sentence);
        }
        let end = valid.page().start + found.items.len();
        let next = (end < found.rows).then_some(Cursor {
            offset: end,
            query: valid.fingerprint,
            rows: found.fingerprint,
        });
        let is_whole = finished.is_complete && !found.is_bounded;
        let gaps = Gaps {
            is_cut: !is_whole,
            ..Gaps::default()
        };
        let skipped: Vec<Skipped> = finished.skipped.into_iter().chain(found.unread).collect();
        let end = PageEnd {
            doubts: gaps.doubts(&meta, &skipped),
            meta,
            skipped,
            is_whole,
            total: found.rows,
            next,
        };
        Ok(end.page(found.items, self.head()))
    }

    fn failed(&self, meta: RagToolMeta) -> SearchResult {
        Page::failed(meta, self.head())
    }
}

/// Reports whether a query is hardly meant as literal text.
fn looks_like_regex(query: &str) -> bool {
    const PARTS: [&str; 8] = [".*", ".+", r"\s", r"\w", r"\d", r"\b", r"\(", r"\."];
    let is_word = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    let mut alternatives = query.match_indices('|');
    PARTS.iter().any(|part| query.contains(part))
        || alternatives.any(|(at, _)| {
            let (before, after) = (query.get(..at), query.get(at + 1..));
            is_word(before.and_then(|text| text.chars().next_back()))
                && is_word(after.and_then(|text| text.chars().next()))
        })
}

/// Returns the files and symbols of the rows that fit some words best, best first.
///
/// # Errors
/// `INVALID_ARGUMENT` for words without terms; `HOST_FAILED` if the host throws.
pub(super) async fn best_symbols<H: Host>(
    snapshot: &Snapshot<'_, H>,
    words: &str,
    limit: usize,
) -> Result<Vec<(String, SymbolId)>, Failure> {
    let terms = Terms::new(words)?;
    let wanted = ranked::Wanted {
        page: 0..limit,
        explains: false,
        history: false,
    };
    let mut enrichments = Enrichments::new(None);
    let found = ranked::ranked(snapshot, &mut enrichments, &terms, wanted).await?;
    let rows = found.items.into_iter();
    Ok(rows
        .filter_map(|row| Some((row.file, row.symbol?)))
        .collect())
}

impl Search {
    fn head(&self) -> SearchHead {
        let query = self.query.clone();
        SearchHead { query }
    }
}

/// Answers [`Search`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::search::{SearchOptions, search};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), SearchOptions::default());
/// let answer = block_on(search(&host, &settings, "return", &options));
/// let row = &answer.items[0];
/// assert_eq!((row.line, row.start_utf16), (2, 4));
/// assert_eq!(row.symbol.as_ref().unwrap().as_str(), "sym:a.total");
/// ```
pub async fn search<H: Host>(
    host: &H,
    settings: &Settings,
    query: &str,
    options: &SearchOptions,
) -> SearchResult {
    let (query, options) = (query.to_owned(), options.clone());
    answer(host, settings, &Search { query, options }).await
}
