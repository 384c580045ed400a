//! What a query is, and how each one is answered: decode its arguments, take a snapshot, run, and
//! run again if files changed meanwhile.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::arguments::{Arguments, Positional};
use crate::receipt::{AsRow, Row, keep_rows, rows_of};
use crate::recheck::RowsNow;
use crate::since::{Asked, add_receipt, leave_differences};
use ragnav_base::completeness::Doubt;
use ragnav_base::envelope::{RagResult, RagToolMeta};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Page;
use ragnav_base::position::wire;
use ragnav_repository::failure::Failure;
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;

/// The number of snapshots that a query takes before it gives up on files that keep changing.
const ATTEMPTS: usize = 3;

/// A query: its options, its answer and how it runs. Each is one file of this crate and one row of
/// [`for_each_query`](crate::for_each_query). Both boundaries, the TypeScript types, the MCP tools
/// and the commands derive from these.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::outline::Outline;
/// use ragnav_query::{Query, Settings, answer_arguments};
///
/// assert_eq!(Outline::POSITIONAL[0].name, "file");
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\n")]);
/// let arguments = serde_json::json!({"file": "a.py", "stale_policy": "live"});
/// let answer = block_on(answer_arguments::<Outline, _>(&host, &Settings::default(), arguments));
/// assert_eq!(answer.items[0].name, "total");
/// ```
pub trait Query: Sized + Serialize {
    /// The name on every surface, that of its row in the registry.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::Query;
    /// use ragnav_query::where_used::WhereUsed;
    ///
    /// assert_eq!(WhereUsed::NAME, "where_used");
    /// ```
    const NAME: &'static str;

    /// The arguments that are not options, in the order of the JavaScript method.
    const POSITIONAL: &'static [Positional];

    /// The options. Every field is optional.
    type Options: DeserializeOwned + Default;

    /// The answer, as every surface shows it.
    type Answer: QueryAnswer;

    /// The parsed form of the arguments.
    type Valid;

    /// Returns the query of some arguments. An argument that is missing or of the wrong type is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{Query, QuestionOptions};
    ///
    /// let arguments = serde_json::json!({"file": "a.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// let query = Outline::new(&arguments, QuestionOptions::default());
    /// assert!(query.validate().is_ok());
    /// ```
    fn new(arguments: &Arguments, options: Self::Options) -> Self;

    /// Parses the arguments.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`, with a message that says what to give instead.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{Query, QuestionOptions};
    ///
    /// let arguments = serde_json::json!({"file": "../outside.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// assert!(Outline::new(&arguments, QuestionOptions::default()).validate().is_err());
    /// ```
    fn validate(&self) -> Result<Self::Valid, RagnavError>;

    /// The policy that the options name.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{Query, QuestionOptions, StalePolicy};
    ///
    /// let arguments = serde_json::json!({"file": "a.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// let stale_policy = Some(StalePolicy::Live);
    /// let options = QuestionOptions { stale_policy, ..QuestionOptions::default() };
    /// assert_eq!(Outline::new(&arguments, options).stale_policy(), stale_policy);
    /// ```
    fn stale_policy(&self) -> Option<StalePolicy>;

    /// Returns the files that the query is about.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{Query, QuestionOptions};
    ///
    /// let arguments = serde_json::json!({"file": "a.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// let valid = Outline::new(&arguments, QuestionOptions::default()).validate().unwrap();
    /// assert!(Outline::scope(&valid).admits(&RepoPath::parse("a.py").unwrap()));
    /// assert!(!Outline::scope(&valid).admits(&RepoPath::parse("b.py").unwrap()));
    /// ```
    fn scope(valid: &Self::Valid) -> Scope<'_>;

    /// Runs the query over one snapshot.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::BTreeSet;
    ///
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{Query, QuestionOptions, Settings};
    /// use ragnav_repository::overlay::Overlaid;
    /// use ragnav_repository::snapshot::Snapshot;
    ///
    /// let repository = MemoryHost::new(&[("a.py", "def total():\n    return 0\n")]);
    /// let host = block_on(Overlaid::new(&repository)).unwrap();
    /// let (settings, corrections) = (Settings::default(), BTreeSet::new());
    /// let arguments = serde_json::json!({"file": "a.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// let query = Outline::new(&arguments, QuestionOptions::default());
    /// let valid = query.validate().unwrap();
    /// let taken = Snapshot::take(&host, &settings, None, Outline::scope(&valid), &corrections);
    /// let answer = block_on(query.run(&valid, block_on(taken).unwrap())).unwrap();
    /// assert_eq!(answer.items[0].name, "total");
    /// ```
    fn run<H: Host>(
        &self,
        valid: &Self::Valid,
        snapshot: Snapshot<'_, H>,
    ) -> impl Future<Output = Result<Self::Answer, Failure>>;

    /// Returns the answer of this query when it failed.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{RagToolMeta, RagToolStatus};
    /// use ragnav_query::arguments::Arguments;
    /// use ragnav_query::outline::Outline;
    /// use ragnav_query::{Query, QuestionOptions};
    ///
    /// let arguments = serde_json::json!({"file": "a.py"});
    /// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
    /// let meta = RagToolMeta { status: RagToolStatus::Error, ..RagToolMeta::default() };
    /// let answer = Outline::new(&arguments, QuestionOptions::default()).failed(meta);
    /// assert!(answer.items.is_empty());
    /// ```
    fn failed(&self, meta: RagToolMeta) -> Self::Answer;
}

/// The answer of a query: an envelope.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{OkOptions, RagToolStatus, ok_result};
/// use ragnav_query::Answer;
///
/// let answer = ok_result(vec!["a.py"], OkOptions::default());
/// assert_eq!(Answer::meta(&answer).status, RagToolStatus::Ok);
/// ```
pub trait Answer: Serialize {
    /// What the answer rests on.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{FallbackOptions, RagToolStatus, fallback_result};
    /// use ragnav_query::Answer;
    ///
    /// let answer = fallback_result(vec!["a.py"], FallbackOptions::default());
    /// assert_eq!(Answer::meta(&answer).status, RagToolStatus::Fallback);
    /// ```
    fn meta(&self) -> &RagToolMeta;
}

/// The answer of a query of the registry.
///
/// # Examples
///
/// ```
/// use ragnav_query::files::FilesResult;
/// use ragnav_query::QueryAnswer;
///
/// fn rows<A: QueryAnswer>(answer: &A) -> usize {
///     answer.rows().map_or(0, |rows| rows.len())
/// }
/// # let _ = rows::<FilesResult>;
/// ```
pub trait QueryAnswer: Answer {
    /// What the answer rests on, to be added to.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{OkOptions, ok_result};
    /// use ragnav_query::QueryAnswer;
    ///
    /// let mut answer = ok_result::<ragnav_query::files::FileItem>(Vec::new(), OkOptions::default());
    /// QueryAnswer::meta_mut(&mut answer).message = Some("Nothing is here.".to_owned());
    /// assert!(answer.meta.message.is_some());
    /// ```
    fn meta_mut(&mut self) -> &mut RagToolMeta;

    /// The rows for a receipt; `None` for an answer that has none.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{OkOptions, ok_result};
    /// use ragnav_query::QueryAnswer;
    ///
    /// let answer = ok_result::<ragnav_query::files::FileItem>(Vec::new(), OkOptions::default());
    /// assert_eq!(QueryAnswer::rows(&answer).map(|rows| rows.len()), Some(0));
    /// ```
    fn rows(&self) -> Option<Vec<Row>> {
        None
    }

    /// Leaves the rows whose index is in a sorted list, of `total` such rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::files::{FilesOptions, files};
    /// use ragnav_query::{QueryAnswer, Settings};
    ///
    /// let host = MemoryHost::new(&[("a.py", ""), ("b.py", "")]);
    /// let mut answer = block_on(files(&host, &Settings::default(), &FilesOptions::default()));
    /// QueryAnswer::keep(&mut answer, &[1], 1);
    /// assert_eq!(answer.items[0].file, "b.py");
    /// ```
    fn keep(&mut self, _kept: &[usize], _total: usize) {}

    /// Why there may be other rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::files::{FilesOptions, files};
    /// use ragnav_query::{QueryAnswer, Settings};
    ///
    /// let host = MemoryHost::default();
    /// let answer = block_on(files(&host, &Settings::default(), &FilesOptions::default()));
    /// assert!(QueryAnswer::doubts(&answer).is_empty());
    /// ```
    fn doubts(&self) -> &[Doubt] {
        &[]
    }

    /// Reports whether there is a further page.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::files::{FilesOptions, files};
    /// use ragnav_query::{QueryAnswer, Settings};
    ///
    /// let host = MemoryHost::default();
    /// let answer = block_on(files(&host, &Settings::default(), &FilesOptions::default()));
    /// assert!(!answer.has_more());
    /// ```
    fn has_more(&self) -> bool {
        false
    }
}

impl<T: Serialize> Answer for RagResult<T> {
    fn meta(&self) -> &RagToolMeta {
        &self.meta
    }
}

impl<T: AsRow + Serialize> QueryAnswer for RagResult<T> {
    fn meta_mut(&mut self) -> &mut RagToolMeta {
        &mut self.meta
    }

    fn rows(&self) -> Option<Vec<Row>> {
        Some(rows_of(&self.items))
    }

    fn keep(&mut self, kept: &[usize], _: usize) {
        keep_rows(&mut self.items, kept);
    }
}

impl<T: Serialize, E: Serialize> Answer for Page<T, E> {
    fn meta(&self) -> &RagToolMeta {
        &self.meta
    }
}

impl<T: AsRow + Serialize, E: Serialize> QueryAnswer for Page<T, E> {
    fn meta_mut(&mut self) -> &mut RagToolMeta {
        &mut self.meta
    }

    fn rows(&self) -> Option<Vec<Row>> {
        Some(rows_of(&self.items))
    }

    fn keep(&mut self, kept: &[usize], total: usize) {
        keep_rows(&mut self.items, kept);
        self.truncated |= total > kept.len();
        self.total = self.total.map(|_| wire(total));
        self.cursor = None;
    }

    fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    fn has_more(&self) -> bool {
        self.cursor.is_some()
    }
}

/// Answers a query. Never fails: what goes wrong is an `ERROR` envelope.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::arguments::Arguments;
/// use ragnav_query::outline::Outline;
/// use ragnav_query::{Query, QuestionOptions, Settings, answer};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\n")]);
/// let arguments = serde_json::json!({"file": "a.py"});
/// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
/// let query = Outline::new(&arguments, QuestionOptions::default());
/// let answer = block_on(answer(&host, &Settings::default(), &query));
/// assert_eq!(answer.items[0].name, "total");
/// ```
pub async fn answer<Q: Query, H: Host>(host: &H, settings: &Settings, query: &Q) -> Q::Answer {
    match try_answer(host, settings, query).await {
        Ok(answer) => answer,
        Err(failure) => query.failed(failure.meta()),
    }
}

/// Answers a query whose arguments are an object: `{"query": "price", "limit": 10}`. `null` stands for an absent option.
///
/// # Examples
///
/// ```
/// use ragnav_base::error::ErrorCode;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::search::Search;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let arguments = serde_json::json!({"query": "total", "limit": 1});
/// let answer = block_on(answer_arguments::<Search, _>(&host, &settings, arguments));
/// assert_eq!((answer.items.len(), answer.total), (1, Some(2)));
/// let arguments = serde_json::json!({"query": "total", "limits": 1});
/// let answer = block_on(answer_arguments::<Search, _>(&host, &settings, arguments));
/// assert_eq!(answer.meta.error_code, Some(ErrorCode::InvalidArgument.into()));
/// ```
pub async fn answer_arguments<Q: Query, H: Host>(
    host: &H,
    settings: &Settings,
    arguments: Value,
) -> Q::Answer {
    match decode::<Q>(arguments) {
        Ok(query) => answer(host, settings, &query).await,
        Err((query, error)) => query.failed(Failure::from(error).meta()),
    }
}

/// Returns the answer of a query that failed outside of it, as when its time was over.
///
/// # Examples
///
/// ```
/// use ragnav_base::error::{ErrorCode, RagnavError};
/// use ragnav_query::failed_answer;
/// use ragnav_query::search::Search;
///
/// let error = RagnavError::new(ErrorCode::Timeout, "The query took too long.");
/// let answer = failed_answer::<Search>(serde_json::json!({"query": "total"}), error);
/// assert_eq!(answer.head.query, "total");
/// assert_eq!(answer.meta.message.as_deref(), Some("The query took too long."));
/// ```
#[must_use]
pub fn failed_answer<Q: Query>(arguments: Value, error: RagnavError) -> Q::Answer {
    let query = Q::new(
        &Arguments::lenient(arguments, Q::POSITIONAL),
        Q::Options::default(),
    );
    query.failed(Failure::from(error).meta())
}

/// Decodes the arguments of a query. The query that comes with an error has the arguments that could be read.
fn decode<Q: Query>(arguments: Value) -> Result<Q, (Q, RagnavError)> {
    let lenient = Arguments::lenient(arguments.clone(), Q::POSITIONAL);
    let decoded =
        Arguments::check(arguments, Q::POSITIONAL).and_then(Arguments::options::<Q::Options>);
    match decoded {
        Ok(options) => Ok(Q::new(&lenient, options)),
        Err(error) => Err((Q::new(&lenient, Q::Options::default()), error)),
    }
}

async fn try_answer<Q: Query, H: Host>(
    host: &H,
    settings: &Settings,
    query: &Q,
) -> Result<Q::Answer, Failure> {
    query.validate()?;
    let host = Overlaid::new(host).await?;
    answer_over(&host, settings, query).await
}

/// Answers a query over a host with its unsaved text.
pub(super) async fn answer_over<Q: Query, H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    query: &Q,
) -> Result<Q::Answer, Failure> {
    let asked = Asked::new(query)?;
    let Some(receipt) = &asked.since else {
        let mut answer = run(host, settings, query).await?;
        add_receipt(&mut answer, asked.identity);
        return Ok(answer);
    };
    let all = decode::<Q>(asked.with_all_rows()).map_err(|(_, error)| error)?;
    let mut answer = run(host, settings, &all).await?;
    leave_differences(host, &mut answer, &asked, receipt).await?;
    Ok(answer)
}

/// Returns all rows of a query as they are now.
pub(super) async fn rows_of_query<Q: Query, H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    arguments: Map<String, Value>,
) -> Result<RowsNow, Failure> {
    let query = decode::<Q>(Value::Object(arguments)).map_err(|(_, error)| error)?;
    let all = Asked::new(&query)?.with_all_rows();
    let all = decode::<Q>(all).map_err(|(_, error)| error)?;
    let answer = run(host, settings, &all).await?;
    Ok(RowsNow {
        rows: answer.rows().unwrap_or_default(),
        doubts: answer.doubts().to_vec(),
        has_more: answer.has_more(),
        meta: answer.meta().clone(),
    })
}

/// Runs a query over one snapshot after the other, until no file changes meanwhile.
async fn run<Q: Query, H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    query: &Q,
) -> Result<Q::Answer, Failure> {
    let valid = query.validate()?;
    let mut changed = BTreeSet::new();
    for _ in 0..ATTEMPTS {
        let (policy, scope) = (query.stale_policy(), Q::scope(&valid));
        let snapshot = Snapshot::take(host, settings, policy, scope, &changed).await?;
        match query.run(&valid, snapshot).await {
            Err(Failure::ConcurrentModification(files)) => changed.extend(files),
            finished => return finished,
        }
    }
    Err(Failure::ConcurrentModification(changed))
}
