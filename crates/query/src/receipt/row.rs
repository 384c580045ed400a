//! What receipts see of the rows of each answer.

use ragnav_base::difference::RowPlace;
use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
use ragnav_base::item::{Definition, LineageItem, NavItem};
use ragnav_base::path::RepoPath;
use ragnav_base::symbol_id::{SymbolId, module_of};

/// A row of any answer.
///
/// # Examples
///
/// ```
/// use ragnav_query::receipt::Row;
///
/// fn shown(row: &Row) -> String {
///     format!("{row:?}")
/// }
/// # let _ = shown;
/// ```
#[derive(Debug, Clone)]
pub struct Row {
    /// Where it is.
    pub(crate) place: RowPlace,
    /// The column, in UTF-16 units; 0 for a row about a line or a file.
    pub(crate) column: u32,
    /// The kind of the row.
    pub(crate) kind: String,
    /// The symbol that it is about, or that encloses it.
    pub(crate) symbol: Option<SymbolId>,
    /// Its text, as a person would read it.
    pub(crate) text: String,
    /// What it says beside that, in any form.
    pub(crate) says: String,
    /// Its provenance; `None` for a row that depends on the walk alone.
    pub(crate) provenance: Option<(SourceTag, FreshnessState, Proof)>,
}

/// What receipts see of a row.
///
/// # Examples
///
/// ```
/// use ragnav_query::files::FileItem;
/// use ragnav_query::receipt::AsRow;
///
/// let item = FileItem { file: "a.py".to_owned(), language: None, skipped: None };
/// assert!(format!("{:?}", item.as_row()).contains("a.py"));
/// ```
pub trait AsRow {
    /// Returns the row.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_query::files::FileItem;
    /// use ragnav_query::receipt::AsRow;
    ///
    /// let item = FileItem { file: "a.py".to_owned(), language: None, skipped: None };
    /// let other = FileItem { file: "b.py".to_owned(), ..item.clone() };
    /// assert_ne!(format!("{:?}", item.as_row()), format!("{:?}", other.as_row()));
    /// ```
    fn as_row(&self) -> Row;
}

/// Returns what receipts see of some rows.
pub(crate) fn rows_of<T: AsRow>(items: &[T]) -> Vec<Row> {
    items.iter().map(AsRow::as_row).collect()
}

/// Leaves the rows whose index is in the sorted list.
pub(crate) fn keep_rows<T>(items: &mut Vec<T>, kept: &[usize]) {
    let mut at = 0;
    items.retain(|_| {
        at += 1;
        kept.binary_search(&(at - 1)).is_ok()
    });
}

/// Returns the symbol of a definition without the module, so that it stays when its file is renamed.
fn name_in_file(definition: &Definition) -> &str {
    let dotted = definition.symbol.dotted();
    let path = RepoPath::parse(&definition.file);
    let module = path.map(|path| module_of(&path, None)).unwrap_or_default();
    let name = dotted.strip_prefix(module.as_str());
    name.and_then(|name| name.strip_prefix('.'))
        .unwrap_or(dotted)
}

/// Returns a place from 1-based lines.
pub(crate) fn place(file: &str, line: u32) -> RowPlace {
    RowPlace {
        file: file.to_owned(),
        line: Some(line),
    }
}

/// Returns what a row says about its condition: nothing if it has none.
pub(crate) fn condition_of(condition: Option<&String>) -> String {
    condition.map_or_else(String::new, |condition| format!(" if {condition}"))
}

impl AsRow for NavItem {
    fn as_row(&self) -> Row {
        Row {
            place: place(&self.file, self.line),
            column: self.start_utf16,
            kind: format!("{:?}", self.kind),
            symbol: self.symbol.clone(),
            text: line_of(self).to_owned(),
            says: format!(
                "{:?}{}",
                self.resolution,
                condition_of(self.condition.as_ref())
            ),
            provenance: Some((self.source, self.freshness_state, self.proof)),
        }
    }
}

/// Returns the line of a row, without those around it in the snippet.
fn line_of(item: &NavItem) -> &str {
    let before = item.line.saturating_sub(item.snippet.location.start_line);
    let line = item.snippet.text.split('\n').nth(before as usize);
    line.unwrap_or_default()
}

impl AsRow for LineageItem {
    fn as_row(&self) -> Row {
        let row = self.item.as_row();
        Row {
            says: format!("{} {:?} {} {:?}", row.says, self.edge, self.depth, self.via),
            ..row
        }
    }
}

impl AsRow for Definition {
    fn as_row(&self) -> Row {
        let lines = self.end_line.saturating_sub(self.start_line);
        Row {
            place: place(&self.file, self.start_line),
            column: 0,
            kind: format!("{:?}", self.kind),
            symbol: Some(self.symbol.clone()),
            text: name_in_file(self).to_owned(),
            says: format!(
                "{lines} {}{}",
                self.ordinal,
                condition_of(self.condition.as_ref())
            ),
            provenance: Some((self.source, self.freshness_state, self.proof)),
        }
    }
}
