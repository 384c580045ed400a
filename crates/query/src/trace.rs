//! `trace`: which symbol was at a place of a commit, and where it is now, or the reverse.
//!
//! A symbol that a comparison of both states does not find is followed through the commits between
//! them, if the host knows these.

mod history;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use ragnav_base::argument::Count;
use ragnav_base::envelope::{FreshnessState, Proof, RagResult, RagToolMeta, SourceTag};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{Definition, DefinitionKind, Match};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::symbol_id::SymbolId;
use ragnav_index::reidentify_files::{FileReidentification, reidentify_files};
use ragnav_repository::failure::{Failure, add_message};
use ragnav_repository::provenance::Provenance;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::{ReadOutcome, Snapshot};

use self::history::{DefinitionPlace, History};
use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::definitions_of_file::definitions_of_file;
use crate::page::limit_items;
use crate::query::Query;
use crate::receipt::{AsRow, Row, condition_of, place};
use crate::row_conditions::{ConditionalRow, add_module_conditions_of_state};
use crate::states::{State, StateName, States, SymbolPlace, difference, read_now, shapes_of};

/// The options of `trace`.
///
/// # Examples
///
/// ```
/// use ragnav_query::trace::TraceOptions;
///
/// let options: TraceOptions = serde_json::from_str(r#"{"reverse": true}"#).unwrap();
/// assert_eq!(options.reverse, Some(true));
/// ```
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(default)]
pub struct TraceOptions {
    /// Whether the place is one of the files as they are now, and the answer is in the commit.
    /// Default `false`.
    pub reverse: Option<bool>,
    /// Rows, at least 1. Default: all.
    pub limit: Option<Count>,
    /// What the answer may come from. Default: as the repository was opened.
    pub stale_policy: Option<StalePolicy>,
    /// The `receipt` of an earlier answer to this query. The answer then lists only the rows that
    /// differ, at most `limit` (default 50), and `meta.since` describes the differences. Default:
    /// all rows.
    pub since: Option<String>,
}

/// A symbol at a place of one state, and where it is in the other.
///
/// # Examples
///
/// ```
/// use ragnav_query::trace::TraceItem;
///
/// fn is_gone(item: &TraceItem) -> bool {
///     item.found.is_none()
/// }
/// # let _ = is_gone;
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct TraceItem {
    /// The id of the symbol at the place.
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
    /// The symbol in the other state; `null` if it is not there, or if that is not certain.
    pub found: Option<SymbolPlace>,
    /// How it was found: on the same lines, on others, under another name or in another file;
    /// `ambiguous` if several definitions fit equally well.
    pub r#match: Option<Match>,
    /// The origin of this row.
    pub source: SourceTag,
    /// How current this row is.
    pub freshness_state: FreshnessState,
    /// The proof of the text as it is now.
    pub proof: Proof,
}

impl ConditionalRow for TraceItem {
    fn file_and_condition(&mut self) -> (&str, &mut Option<String>) {
        (&self.file, &mut self.condition)
    }
}

impl AsRow for TraceItem {
    fn as_row(&self) -> Row {
        Row {
            place: place(&self.file, self.start_line),
            column: 0,
            kind: format!("{:?}", self.kind),
            symbol: Some(self.symbol.clone()),
            text: self.symbol.as_str().to_owned(),
            says: format!(
                "{:?} {:?}{}",
                self.found,
                self.r#match,
                condition_of(self.condition.as_ref())
            ),
            provenance: Some((self.source, self.freshness_state, self.proof)),
        }
    }
}

/// Says which definitions enclosed a line of a file in a commit, innermost first, and where each is
/// now: for stack traces, blame and review comments about older code. With `reverse` the line is
/// one of the file as it is now, and the answer is in the commit.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::trace::Trace;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\n")]);
/// let arguments = serde_json::json!({"file": "a.py", "line": 1, "commit": "main"});
/// let answer = block_on(answer_arguments::<Trace, _>(&host, &Settings::default(), arguments));
/// // A host in memory has no commits.
/// assert!(answer.meta.message.unwrap().contains("no changes in memory"));
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "TraceArguments")
)]
pub struct Trace {
    /// The path of the file from the repository's root, with `/`.
    file: String,
    /// The line; the first is 1.
    line: Count,
    /// The commit: a branch, a tag or an id.
    commit: String,
    #[serde(flatten)]
    options: TraceOptions,
}

impl Query for Trace {
    const NAME: &'static str = "trace";
    const POSITIONAL: &'static [Positional] = &[
        Positional::text("file"),
        Positional::count("line"),
        Positional::text("commit"),
    ];
    type Options = TraceOptions;
    type Answer = RagResult<TraceItem>;
    type Valid = RepoPath;

    fn new(arguments: &Arguments, options: TraceOptions) -> Self {
        Self {
            file: arguments.text("file"),
            line: arguments.count("line"),
            commit: arguments.text("commit"),
            options,
        }
    }

    fn validate(&self) -> Result<RepoPath, RagnavError> {
        if self.commit.is_empty() || self.commit.starts_with('-') {
            let message = "`commit` must be a branch, a tag or a commit id";
            return Err(RagnavError::invalid(message));
        }
        let path = RepoPath::parse(&self.file)?;
        ragnav_syntax::require_language(&path)?;
        Ok(path)
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &RepoPath) -> Scope<'_> {
        Scope::Code
    }

    async fn run<H: Host>(
        &self,
        path: &RepoPath,
        snapshot: Snapshot<'_, H>,
    ) -> Result<Self::Answer, Failure> {
        let commit = StateName::Commit(self.commit.clone());
        let difference = difference(&snapshot, &commit, &StateName::Now).await?;
        let (before, after) = if self.options.reverse.unwrap_or_default() {
            (&difference.after, &difference.before)
        } else {
            (&difference.before, &difference.after)
        };
        let is_changed = before.contains_key(path) || after.contains_key(path);
        let is_unread = difference.unread.contains(path);
        let is_searched = snapshot.files().binary_search(path).is_ok();
        let mut message = None;
        let mut items = match before.get(path) {
            Some(state) => {
                let traced = self.traced(&snapshot, (path, state), before, after);
                let history = self.history(&snapshot, &traced, &difference.from).await;
                let history = history.unwrap_or_else(|error| {
                    message = Some(error.message);
                    History::unknown(&snapshot)
                });
                follow(&history, (path, state), traced, after).await?
            }
            None if is_changed || is_unread || !is_searched => Vec::new(),
            None => self.unchanged(&snapshot, path).await?,
        };
        add_module_conditions_of_state(&snapshot, (before, after), &mut items).await?;
        let places = items.iter_mut().filter_map(|item| item.found.as_mut());
        add_module_conditions_of_state(&snapshot, (after, before), places).await?;
        let mut meta = snapshot.finish(ReadOutcome::default())?.meta;
        limit_items(&mut items, self.options.limit, &mut meta);
        if let Some(message) = message {
            add_message(&mut meta, &message);
        }
        if is_unread {
            add_message(&mut meta, &format!("{path} could not be read."));
        } else if is_changed && !before.contains_key(path) {
            add_message(&mut meta, &format!("{path} is not in that state."));
        } else if !is_changed && !is_searched {
            let sentence = format!("{path} is not among the files of code that are searched.");
            add_message(&mut meta, &sentence);
        }
        Ok(RagResult { meta, items })
    }

    fn failed(&self, meta: RagToolMeta) -> Self::Answer {
        RagResult::failed(meta)
    }
}

impl Trace {
    /// Returns the symbols at the line in a file that differs.
    fn traced<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        (path, state): (&RepoPath, &State),
        before: &States,
        after: &States,
    ) -> Vec<(usize, TraceItem)> {
        let found = reidentify_files(&shapes_of(before), &shapes_of(after));
        let mut places = BTreeMap::new();
        for (file, joins) in &found {
            let joins = joins.iter().enumerate();
            let from_file = joins.filter_map(|(place, join)| Some((place, join.as_ref()?)));
            for (place, join) in from_file.filter(|(_, join)| join.file == *path) {
                places.insert(join.before, (file, place, join));
            }
        }
        let line = self.line.get();
        let symbols = state.definitions.symbols.iter().enumerate();
        let around = symbols.filter(|(_, one)| (one.start_line..=one.end_line).contains(&line));
        let mut items: Vec<(usize, TraceItem)> = around
            .filter_map(|(place, symbol)| {
                let here = state.place(path, place)?;
                let there = places.get(&place);
                let now = there.map_or(path, |(file, ..)| file);
                let how = there.map(|(.., join): &(_, _, &FileReidentification)| join.how);
                let found =
                    there.and_then(|(file, place, _)| after.get(*file)?.place(file, *place));
                let provenance = Provenance::live(snapshot.live_proof(now));
                Some((place, item(here, symbol.kind, (found, how), provenance)))
            })
            .collect();
        items.reverse();
        items
    }

    /// Returns the commits between the states if a comparison of both did not find all symbols.
    async fn history<'s, 'q, H: Host>(
        &self,
        snapshot: &'s Snapshot<'q, H>,
        traced: &[(usize, TraceItem)],
        commit: &str,
    ) -> Result<History<'s, 'q, H>, RagnavError> {
        if traced.iter().all(|(_, item)| item.found.is_some()) {
            return Ok(History::unknown(snapshot));
        }
        let is_reverse = self.options.reverse.unwrap_or_default();
        History::since(snapshot, commit, is_reverse).await
    }

    /// Returns the symbols at the line in a file that is as in the commit.
    async fn unchanged<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        path: &RepoPath,
    ) -> Result<Vec<TraceItem>, Failure> {
        let line = wire(self.line.get());
        let definitions = definitions_of_file(snapshot, path).await?.definitions;
        let around = definitions
            .into_iter()
            .filter(|one| (one.start_line..=one.end_line).contains(&line));
        // Conditions of modules may differ in both states, unlike those of the file.
        let state = read_now(snapshot, path).await?;
        let symbols = state.iter().flat_map(|state| {
            let symbols = state.definitions.symbols.iter();
            symbols.map(|symbol| (symbol, state.condition(path, symbol)))
        });
        let conditions: Vec<_> = symbols.collect();
        let own_condition = |one: &Definition| {
            let mut conditions = conditions.iter();
            let found = conditions.find(|(symbol, _)| {
                (wire(symbol.start_line), wire(symbol.end_line)) == (one.start_line, one.end_line)
            });
            found.and_then(|(_, condition)| condition.clone())
        };
        let mut items: Vec<TraceItem> = around
            .map(|one| {
                let condition = own_condition(&one);
                let place = SymbolPlace {
                    symbol: one.symbol,
                    file: one.file,
                    start_line: one.start_line,
                    end_line: one.end_line,
                    condition,
                };
                let provenance = Provenance {
                    source: one.source,
                    freshness_state: one.freshness_state,
                    proof: one.proof,
                };
                let found = (Some(place.clone()), Some(Match::Exact));
                item(place, one.kind, found, provenance)
            })
            .collect();
        items.reverse();
        Ok(items)
    }
}

/// Follows the symbols of a state that are not found yet through the commits. `after` has the files
/// of the state at their end that differ from this one; all others are as they are now.
async fn follow<H: Host>(
    history: &History<'_, '_, H>,
    (path, state): (&RepoPath, &State),
    traced: Vec<(usize, TraceItem)>,
    after: &States,
) -> Result<Vec<TraceItem>, RagnavError> {
    let snapshot = history.snapshot;
    let mut items = Vec::with_capacity(traced.len());
    for (index, mut item) in traced {
        let start = DefinitionPlace::new(path, state, index);
        if let Some(start) = start.filter(|_| item.found.is_none())
            && let Some(place) = history.follow(start).await?
            && let Some(found) = symbol_at(snapshot, after, &place).await?
        {
            item.proof = snapshot.live_proof(&place.file);
            item.r#match = Some(how_found(&item, &found));
            item.found = Some(found);
        }
        items.push(item);
    }
    Ok(items)
}

/// Returns a definition of the state at the end of a trace.
async fn symbol_at<H: Host>(
    snapshot: &Snapshot<'_, H>,
    after: &States,
    place: &DefinitionPlace,
) -> Result<Option<SymbolPlace>, RagnavError> {
    let read = match after.get(&place.file) {
        Some(_) => None,
        None => read_now(snapshot, &place.file).await?,
    };
    let state = after.get(&place.file).or(read.as_ref());
    Ok(state.and_then(|state| state.place(&place.file, place.only_index_in(state)?)))
}

fn how_found(item: &TraceItem, found: &SymbolPlace) -> Match {
    if (&item.file, &item.symbol) != (&found.file, &found.symbol) {
        Match::Renamed
    } else if (item.start_line, item.end_line) == (found.start_line, found.end_line) {
        Match::Exact
    } else {
        Match::Moved
    }
}

fn item(
    here: SymbolPlace,
    kind: DefinitionKind,
    (found, how): (Option<SymbolPlace>, Option<Match>),
    provenance: Provenance,
) -> TraceItem {
    TraceItem {
        symbol: here.symbol,
        kind,
        file: here.file,
        start_line: here.start_line,
        end_line: here.end_line,
        condition: here.condition,
        found,
        r#match: how,
        source: provenance.source,
        freshness_state: provenance.freshness_state,
        proof: provenance.proof,
    }
}

/// Answers [`Trace`]. Lines count from 1; line 0 stands for the first.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::Settings;
/// use ragnav_query::trace::{TraceOptions, trace};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\n")]);
/// let (settings, options) = (Settings::default(), TraceOptions::default());
/// let answer = block_on(trace(&host, &settings, ("a.py", 1), "main", &options));
/// assert!(answer.items.is_empty());
/// ```
pub async fn trace<H: Host>(
    host: &H,
    settings: &Settings,
    (file, line): (&str, u32),
    commit: &str,
    options: &TraceOptions,
) -> RagResult<TraceItem> {
    let query = Trace {
        file: file.to_owned(),
        line: Count::new(line).unwrap_or(Count::ONE),
        commit: commit.to_owned(),
        options: options.clone(),
    };
    answer(host, settings, &query).await
}
