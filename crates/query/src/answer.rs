//! How each query is answered: decode its arguments, take a snapshot, run, and run again if files
//! changed meanwhile.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use ragnav_base::completeness::Doubt;
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_repository::failure::Failure;
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::settings::Settings;
use ragnav_repository::snapshot::Snapshot;

use crate::arguments::Arguments;
use crate::query::{Answer, Query, QueryAnswer};
use crate::receipt::Row;
use crate::since::{RequestedRows, add_receipt, leave_differences};

/// The number of snapshots that a query takes before it gives up on files that keep changing.
const ATTEMPTS: usize = 3;

/// Answers a query. Never fails: what goes wrong is an `ERROR` envelope.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::arguments::Arguments;
/// use ragnav_query::outline::Outline;
/// use ragnav_query::{FileOptions, Query, Settings, answer};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\n")]);
/// let arguments = serde_json::json!({"file": "a.py"});
/// let arguments = Arguments::lenient(arguments, Outline::POSITIONAL);
/// let query = Outline::new(&arguments, FileOptions::default());
/// let answer = block_on(answer(&host, &Settings::default(), &query));
/// assert_eq!(answer.items[0].name, "total");
/// ```
pub async fn answer<Q: Query, H: Host>(host: &H, settings: &Settings, query: &Q) -> Q::Answer {
    match try_answer(host, settings, query).await {
        Ok(answer) => answer,
        Err(failure) => query.failed(failure.meta()),
    }
}

/// Answers a query whose arguments are an object: `{"query": "price", "limit": 10}`. `null` stands for
/// an absent option.
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

/// Decodes the arguments of a query. The query that comes with an error has the arguments that could be
/// read.
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
    let asked = RequestedRows::new(query)?;
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

/// The rows of a query as they are now.
pub(super) struct RowsNow {
    pub(super) meta: RagToolMeta,
    pub(super) rows: Vec<Row>,
    pub(super) doubts: Vec<Doubt>,
    /// Whether there are more rows than an answer can have.
    pub(super) has_more: bool,
}

/// Returns all rows of a query as they are now.
pub(super) async fn rows_of_query<Q: Query, H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    arguments: Map<String, Value>,
) -> Result<RowsNow, Failure> {
    let query = decode::<Q>(Value::Object(arguments)).map_err(|(_, error)| error)?;
    let all = RequestedRows::new(&query)?.with_all_rows();
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
