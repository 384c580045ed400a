//! The option `since`: the rows of an answer that an earlier answer does not have.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use ragnav_base::difference::{RowDifference, RowPlace, RowState, SinceMeta};
use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{Host, HostError, ReadManyRequest};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_repository::failure::add_message;

use crate::page::MAX_ROWS;
use crate::query::{Query, QueryAnswer};
use crate::receipt::{Comparison, QueryIdentity, Receipt, ReceiptRow, compare};

/// The number of rows that differ in one answer, if `limit` is absent.
const DEFAULT_LIMIT: usize = 50;

/// Said where a query has more rows than can be compared.
pub(super) const UNCOMPARED: &str = "The query has more than 10,000 rows, and only those were \
    compared: a row that counts as gone may be among the others.";

/// The rows that a query requests: all of them, or those that differ from an earlier answer.
pub(super) struct RequestedRows {
    /// The arguments, without absent ones.
    arguments: Map<String, Value>,
    /// What receipts keep of them.
    pub(super) identity: QueryIdentity,
    /// The receipt to compare with.
    pub(super) since: Option<Receipt>,
}

impl RequestedRows {
    /// Returns the rows that a query requests.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if `since` is no receipt of this query, or beside a `cursor`.
    pub(super) fn new<Q: Query>(query: &Q) -> Result<Self, RagnavError> {
        let arguments = match serde_json::to_value(query) {
            Ok(Value::Object(arguments)) => arguments,
            _ => Map::new(),
        };
        Self::of(Q::NAME, arguments)
    }

    fn of(name: &str, arguments: Map<String, Value>) -> Result<Self, RagnavError> {
        let identity = QueryIdentity::new(name, arguments.clone());
        let since = match arguments.get("since").and_then(Value::as_str) {
            Some(text) => Some(Receipt::parse(text)?),
            None => None,
        };
        let asked = Self {
            arguments,
            identity,
            since,
        };
        asked.check()?;
        Ok(asked)
    }

    fn check(&self) -> Result<(), RagnavError> {
        let Some(receipt) = &self.since else {
            return Ok(());
        };
        if receipt.query != self.identity {
            let message = "the receipt belongs to another query; repeat the query and options of \
                           its answer, or call `recheck`";
            return Err(RagnavError::invalid(message));
        }
        if self.arguments.get("cursor").is_some_and(Value::is_string) {
            let message = "`since` gives the rows that differ of all pages; leave out `cursor`";
            return Err(RagnavError::invalid(message));
        }
        Ok(())
    }

    /// Returns the arguments of the query for all its rows.
    pub(super) fn with_all_rows(&self) -> Value {
        let mut arguments = self.arguments.clone();
        arguments.remove("since");
        arguments.remove("max_results");
        if arguments.contains_key("limit") {
            arguments.insert("limit".to_owned(), MAX_ROWS.into());
        }
        Value::Object(arguments)
    }

    /// Returns the number of rows to give.
    fn limit(&self) -> usize {
        let given = ["limit", "max_results"].map(|name| self.arguments.get(name)?.as_u64());
        let given = given.into_iter().flatten().next();
        given.map_or(DEFAULT_LIMIT, |limit| {
            usize::try_from(limit).map_or(MAX_ROWS, |limit| limit.min(MAX_ROWS))
        })
    }
}

/// Adds the receipt of an answer to it.
pub(super) fn add_receipt<A: QueryAnswer>(answer: &mut A, query: QueryIdentity) {
    let Some(rows) = answer.rows() else { return };
    let rows = rows.iter().map(ReceiptRow::of).collect();
    answer.meta_mut().receipt = Receipt::new(query, rows).format();
}

/// Leaves the rows of an answer that a receipt does not have. The new receipt has these rows and
/// those that are as they were.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn leave_differences<A: QueryAnswer, H: Host>(
    host: &H,
    answer: &mut A,
    asked: &RequestedRows,
    receipt: &Receipt,
) -> Result<(), RagnavError> {
    let Some(rows) = answer.rows() else {
        return Ok(());
    };
    let now: Vec<ReceiptRow> = rows.iter().map(ReceiptRow::of).collect();
    let comparison = compared(host, &receipt.rows, &now).await?;
    let listed = ListedDifferences::new(&comparison, now.len(), asked.limit());
    let has_more = answer.has_more();
    answer.keep(&listed.kept, listed.total);
    listed.describe(answer.meta_mut(), &comparison, receipt, has_more);
    answer.meta_mut().receipt = listed.receipt(&now, asked).format();
    Ok(())
}

/// The rows that differ, as far as they are given.
struct ListedDifferences {
    /// The indices of the rows that are given, sorted.
    kept: Vec<usize>,
    /// The indices of the rows that are as they were, sorted.
    unchanged: Vec<usize>,
    /// The number of rows that differ.
    total: usize,
}

impl ListedDifferences {
    fn new(comparison: &Comparison, rows: usize, limit: usize) -> Self {
        let is_unchanged = |at: &usize| {
            let was = comparison.was.get(*at).copied().flatten();
            was.is_some_and(|(_, state)| state == RowState::Unchanged)
        };
        let (unchanged, mut kept): (Vec<_>, Vec<_>) = (0..rows).partition(is_unchanged);
        let total = kept.len();
        kept.truncate(limit);
        Self {
            kept,
            unchanged,
            total,
        }
    }

    /// Returns the receipt of the rows that the caller knows now.
    fn receipt(&self, now: &[ReceiptRow], asked: &RequestedRows) -> Receipt {
        let known: BTreeSet<usize> = self.kept.iter().chain(&self.unchanged).copied().collect();
        let rows = known.into_iter().filter_map(|at| now.get(at).cloned());
        Receipt::new(asked.identity.clone(), rows.collect())
    }

    /// Adds what differs to the metadata of the answer.
    fn describe(
        &self,
        meta: &mut RagToolMeta,
        comparison: &Comparison,
        receipt: &Receipt,
        has_more: bool,
    ) {
        let (listed, total) = (self.kept.len(), self.total);
        let kept = self.kept.iter();
        meta.since = Some(SinceMeta {
            unchanged: wire(self.unchanged.len()),
            differences: kept
                .map(|at| difference(comparison, receipt, *at))
                .collect(),
            gone: gone(comparison, receipt),
        });
        if has_more {
            add_message(meta, UNCOMPARED);
        }
        if total > listed {
            let sentence = format!(
                "{total} rows differ, and the first {listed} are given; the receipt of this answer \
                 leads to the others."
            );
            add_message(meta, &sentence);
        }
    }
}

/// Compares rows with those of a receipt, and follows rows to other files if their files do not
/// exist any more.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn compared<'r, H: Host>(
    host: &H,
    then: &'r [ReceiptRow],
    now: &'r [ReceiptRow],
) -> Result<Comparison<'r>, RagnavError> {
    let mut comparison = compare(then, now);
    let files = comparison.files_of_gone();
    let paths = files
        .into_iter()
        .filter_map(|file| RepoPath::parse(file).ok());
    let missing = missing_files(host, paths.collect()).await?;
    comparison.follow(&missing);
    Ok(comparison)
}

/// Returns the files that do not exist.
async fn missing_files<H: Host>(
    host: &H,
    paths: Vec<RepoPath>,
) -> Result<BTreeSet<String>, RagnavError> {
    if paths.is_empty() {
        return Ok(BTreeSet::new());
    }
    // Whether a file is too large tells that it exists, and no text is read.
    let request = ReadManyRequest {
        paths: paths.clone(),
        max_bytes: 0,
    };
    let read = host.send(request).await?;
    let missing = paths.iter().zip(read);
    let missing = missing.filter(|(_, read)| matches!(read, Err(HostError::Missing)));
    Ok(missing.map(|(path, _)| path.to_string()).collect())
}

fn difference(comparison: &Comparison, receipt: &Receipt, at: usize) -> RowDifference {
    let was = comparison.was.get(at).copied().flatten();
    let was = was.and_then(|(then, state)| Some((receipt.rows.get(then)?, state)));
    RowDifference {
        state: was.map_or(RowState::New, |(_, state)| state),
        was: was.map(|(row, _)| row.place.clone()),
    }
}

fn gone(comparison: &Comparison, receipt: &Receipt) -> Vec<RowPlace> {
    let rows = receipt.rows.iter().zip(&comparison.became);
    let gone = rows.filter(|(_, became)| became.is_none());
    gone.map(|(row, _)| row.place.clone()).collect()
}
