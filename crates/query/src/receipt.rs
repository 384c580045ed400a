//! Receipts: the rows of an answer in a short text, with which a later query compares its own.

mod compare;
mod row;
mod text;

use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

use ragnav_base::difference::RowPlace;
use ragnav_base::error::RagnavError;
use ragnav_base::symbol_id::SymbolId;

pub(super) use self::compare::{Comparison, compare};
pub use self::row::{AsRow, Row};
pub(super) use self::row::{condition_of, keep_rows, place, rows_of};

/// The arguments that choose a part of the rows, or where they come from, and not what they are.
const NO_IDENTITY: [&str; 5] = ["cursor", "limit", "max_results", "since", "stale_policy"];

/// A query and the rows of one of its answers.
///
/// # Examples
///
/// ```
/// use ragnav_query::receipt::Receipt;
///
/// assert!(Receipt::parse("r1.AAAA").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The query by its name and its arguments.
    pub(super) query: QueryIdentity,
    /// The rows.
    pub(super) rows: Vec<ReceiptRow>,
}

/// What a query asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QueryIdentity {
    /// Its name in the registry.
    pub(super) name: String,
    /// Its arguments.
    pub(super) arguments: Map<String, Value>,
}

/// What a receipt knows of a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ReceiptRow {
    /// Where it was.
    pub(super) place: RowPlace,
    /// The column, in UTF-16 units.
    pub(super) column: u32,
    /// A hash of what it is about.
    pub(super) subject: u16,
    /// A hash of what it says.
    pub(super) content: u32,
}

impl QueryIdentity {
    /// Returns the identity of a query with all its arguments.
    pub(super) fn new(name: &str, mut arguments: Map<String, Value>) -> Self {
        arguments.retain(|key, value| !value.is_null() && !NO_IDENTITY.contains(&key.as_str()));
        let name = name.to_owned();
        Self { name, arguments }
    }
}

impl ReceiptRow {
    /// Returns what a receipt keeps of a row.
    pub(super) fn of(row: &Row) -> Self {
        let symbol = row.symbol.as_ref().map_or("", SymbolId::as_str);
        let subject = xxh3_64(format!("{} {symbol}", row.kind).as_bytes());
        let content = xxh3_64(format!("{} {} {}", row.kind, row.says, row.text).as_bytes());
        Self {
            place: row.place.clone(),
            column: row.column,
            subject: (subject >> 48) as u16,
            content: (content >> 32) as u32,
        }
    }
}

impl Receipt {
    /// Returns the receipt of an answer.
    pub(super) fn new(query: QueryIdentity, rows: Vec<ReceiptRow>) -> Self {
        Self { query, rows }
    }

    /// Reads a receipt.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for another text, and for a receipt that was cut or changed.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::Settings;
    /// use ragnav_query::locate::locate;
    /// use ragnav_query::receipt::Receipt;
    ///
    /// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\n")]);
    /// let settings = Settings::default();
    /// let answer = block_on(locate(&host, &settings, "total", &Default::default()));
    /// let receipt = answer.meta.receipt.unwrap();
    /// assert!(Receipt::parse(&receipt).is_ok());
    /// assert!(Receipt::parse(&receipt[..20]).is_err());
    /// ```
    pub fn parse(receipt: &str) -> Result<Self, RagnavError> {
        text::parse(receipt).ok_or_else(|| {
            RagnavError::invalid(
                "that is no receipt, or a part of one; pass `meta.receipt` of an answer unchanged",
            )
        })
    }

    /// Writes the receipt. `None` if it is larger than receipts may be.
    pub(super) fn format(&self) -> Option<String> {
        text::format(self)
    }
}
