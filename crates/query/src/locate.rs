//! `locate`: where a symbol is defined now.

use ragnav_base::argument::Count;
use ragnav_base::completeness::{Completeness, Doubt, DoubtReason};
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Definition;
use ragnav_repository::failure::{Failure, add_message, add_partial};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::{ReadOutcome, Snapshot};
use serde::Serialize;

use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::gaps::Gaps;
use crate::options::QuestionOptions;
use crate::page::limit_items;
use crate::query::{Answer, Query, QueryAnswer};
use crate::receipt::{Row, keep_rows, rows_of};
use crate::subject::{FoundSubject, Subject};

/// Finds where a symbol is defined now: every definition that it names, by file and line. Use it to
/// find a symbol again after edits: one that was renamed with an equal body counts as the same
/// (`match` is `renamed`). No items means that nothing defines the symbol.
///
/// An exact id beats a suffix, which beats a suffix without regard to case.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::locate::Locate;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let arguments = serde_json::json!({"symbol": "a.total"});
/// let answer = block_on(answer_arguments::<Locate, _>(&host, &settings, arguments));
/// assert_eq!(answer.items[0].start_line, 1);
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "LocateArguments")
)]
pub struct Locate {
    /// The symbol: a full id (`sym:src.auth.Auth.login`), a dotted suffix (`Auth.login`), a bare
    /// name (`login`), or the place of the name in a file (`src/app.py:12:5`; the line and the
    /// column count from 1).
    symbol: String,
    #[serde(flatten)]
    options: QuestionOptions,
}

/// The answer of `locate` and `definition`: definitions by file and line.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::locate::locate;
/// use ragnav_query::{QuestionOptions, Settings};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), QuestionOptions::default());
/// let answer = block_on(locate(&host, &settings, "totl", &options));
/// assert!(answer.items.is_empty());
/// assert_eq!(answer.suggestions, ["total"]);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct LocateResult {
    /// The metadata of the answer.
    pub meta: RagToolMeta,
    /// The definitions.
    pub items: Vec<Definition>,
    /// The defined symbols most like one that nothing defines, best first; else empty.
    pub suggestions: Vec<String>,
    /// How sure it is that there are no other definitions.
    pub completeness: Completeness,
    /// Why there may be other definitions, and where; empty if these are proven to be all.
    pub doubts: Vec<Doubt>,
}

impl Answer for LocateResult {
    fn meta(&self) -> &RagToolMeta {
        &self.meta
    }
}

impl QueryAnswer for LocateResult {
    fn meta_mut(&mut self) -> &mut RagToolMeta {
        &mut self.meta
    }

    fn rows(&self) -> Option<Vec<Row>> {
        Some(rows_of(&self.items))
    }

    fn keep(&mut self, kept: &[usize], _: usize) {
        keep_rows(&mut self.items, kept);
    }

    fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }
}

impl LocateResult {
    /// Returns the answer of a failed query.
    pub(super) fn failed(meta: RagToolMeta) -> Self {
        Self {
            meta,
            items: Vec::new(),
            suggestions: Vec::new(),
            completeness: Completeness::Unknown,
            doubts: Vec::new(),
        }
    }
}

impl Query for Locate {
    const NAME: &'static str = "locate";
    const POSITIONAL: &'static [Positional] = &[Positional::text("symbol")];
    type Options = QuestionOptions;
    type Answer = LocateResult;
    type Valid = Subject;

    fn new(arguments: &Arguments, options: QuestionOptions) -> Self {
        let symbol = arguments.text("symbol");
        Self { symbol, options }
    }

    fn validate(&self) -> Result<Subject, RagnavError> {
        Subject::parse(&self.symbol)
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(subject: &Subject) -> Scope<'_> {
        subject.scope()
    }

    async fn run<H: Host>(
        &self,
        subject: &Subject,
        snapshot: Snapshot<'_, H>,
    ) -> Result<LocateResult, Failure> {
        let found = subject.find_alone(&snapshot).await?;
        located(snapshot, found, self.options.limit)
    }

    fn failed(&self, meta: RagToolMeta) -> LocateResult {
        LocateResult::failed(meta)
    }
}

/// Makes the answer of definitions that were found.
pub(super) fn located<H: Host>(
    snapshot: Snapshot<'_, H>,
    found: FoundSubject,
    limit: Option<Count>,
) -> Result<LocateResult, Failure> {
    let mut items = found.rows();
    let unread = found.unread;
    let stale = snapshot.unread_differences();
    let finished = snapshot.finish(ReadOutcome {
        unread,
        ..ReadOutcome::default()
    })?;
    let mut meta = finished.meta;
    let gaps = Gaps {
        unread: (unread, &[]),
        partial: &found.partial,
        stale,
        is_cut: !finished.is_complete,
    };
    let mut doubts = gaps.doubts(&meta, &finished.skipped);
    doubts.extend(
        found
            .unexplained
            .iter()
            .map(|file| Doubt::in_files(DoubtReason::Undefined, 1, [file.to_string()])),
    );
    limit_items(&mut items, limit, &mut meta);
    add_partial(&mut meta, &found.partial.cut);
    if let Some(note) = &found.note {
        add_message(&mut meta, note);
    }
    Ok(LocateResult {
        meta,
        items,
        suggestions: found.suggestions,
        completeness: Completeness::of(&doubts),
        doubts,
    })
}

/// Answers [`Locate`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::locate::locate;
/// use ragnav_query::{QuestionOptions, Settings};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), QuestionOptions::default());
/// let answer = block_on(locate(&host, &settings, "total", &options));
/// assert_eq!(answer.items[0].file, "a.py");
/// ```
pub async fn locate<H: Host>(
    host: &H,
    settings: &Settings,
    symbol: &str,
    options: &QuestionOptions,
) -> LocateResult {
    let (symbol, options) = (symbol.to_owned(), options.clone());
    answer(host, settings, &Locate { symbol, options }).await
}
