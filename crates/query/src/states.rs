//! Two states of the repository: a commit, and another or the files as they are now.

use std::collections::BTreeMap;

use serde::Serialize;

use ragnav_base::envelope::Proof;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{Changes, ChangesRequest, Host, HostError, ReadObjectsRequest};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, wire};
use ragnav_base::symbol_id::SymbolId;
use ragnav_base::text;
use ragnav_index::shapes::ShapesByFile;
use ragnav_repository::snapshot::Snapshot;

use crate::file_definitions::FileDefinitions;

/// The number of objects that are requested at once.
const BATCH: usize = 256;

/// A symbol in one state of the repository.
///
/// # Examples
///
/// ```
/// use ragnav_base::symbol_id::SymbolId;
/// use ragnav_query::states::SymbolPlace;
///
/// let symbol = SymbolId::new("shop.cart", "Cart.sum");
/// let was = SymbolPlace { symbol, file: "shop/cart.py".to_owned(), start_line: 3, end_line: 4 };
/// assert_eq!(serde_json::to_value(&was).unwrap()["symbol"], "sym:shop.cart.Cart.sum");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct SymbolPlace {
    /// Its id.
    pub symbol: SymbolId,
    /// Its file.
    pub file: String,
    /// Its first line, without decorators.
    pub start_line: u32,
    /// Its last line.
    pub end_line: u32,
}

/// One state of a file.
pub(super) struct State {
    pub(super) text: String,
    pub(super) lines: LineIndex,
    pub(super) definitions: FileDefinitions,
}

/// One state of some files.
pub(super) type States = BTreeMap<RepoPath, State>;

impl State {
    /// Reads a text, whose grammar must be loaded.
    fn new(path: &RepoPath, text: String) -> Self {
        Self {
            lines: LineIndex::new(&text),
            definitions: FileDefinitions::with_bodies(path, &text),
            text,
        }
    }

    /// Reports whether the texts are equal but for their line ends.
    fn has_text_of(&self, other: &Self) -> bool {
        let lines = |state: &Self| state.text.replace("\r\n", "\n");
        lines(self) == lines(other)
    }

    /// Returns a symbol of the file, by its index.
    pub(super) fn place(&self, path: &RepoPath, place: usize) -> Option<SymbolPlace> {
        let symbol = self.definitions.symbols.get(place)?;
        Some(SymbolPlace {
            symbol: self.definitions.id_of(place)?,
            file: path.to_string(),
            start_line: wire(symbol.start_line),
            end_line: wire(symbol.end_line),
        })
    }
}

/// Returns the definitions of a state as re-identification compares them.
pub(super) fn shapes_of(states: &States) -> ShapesByFile {
    let shapes = states
        .iter()
        .map(|(path, state)| (path.clone(), state.definitions.shapes.clone()));
    shapes.collect()
}

/// The files that differ, and their states.
pub(super) struct Difference {
    /// The full id of the commit before.
    pub(super) from: String,
    /// The full id of the commit after.
    pub(super) to: Option<String>,
    pub(super) before: States,
    pub(super) after: States,
    /// The files of which a state could not be read.
    pub(super) unread: Vec<RepoPath>,
}

/// Reads both states of the files in known languages that differ.
///
/// # Errors
/// `INVALID_ARGUMENT` if there is no such commit; `HOST_FAILED` if the host throws or has none.
pub(super) async fn difference<H: Host>(
    snapshot: &Snapshot<'_, H>,
    from: &str,
    to: Option<&str>,
) -> Result<Difference, RagnavError> {
    let changes = changes(snapshot, from, to).await?;
    let files: Vec<(RepoPath, Option<String>, Option<String>)> = changes
        .files
        .into_iter()
        .filter_map(|file| Some((RepoPath::parse(&file.path).ok()?, file.before, file.after)))
        .filter(|(path, ..)| ragnav_syntax::detect_language(path).is_some())
        .collect();
    let mut unread = Vec::new();
    let old = files
        .iter()
        .filter_map(|(path, before, _)| Some((path, before.as_ref()?)));
    let mut before = committed(snapshot, old.collect(), &mut unread).await?;
    let mut after = if to.is_some() {
        let new = files
            .iter()
            .filter_map(|(path, _, after)| Some((path, after.as_ref()?)));
        committed(snapshot, new.collect(), &mut unread).await?
    } else {
        current(snapshot, files.iter().map(|(path, ..)| path), &mut unread).await?
    };
    // Files that differ in their line ends alone are no change.
    let equal: Vec<RepoPath> = before
        .iter()
        .filter(|(path, state)| after.get(*path).is_some_and(|now| now.has_text_of(state)))
        .map(|(path, _)| path.clone())
        .collect();
    for path in unread.iter().chain(&equal) {
        before.remove(path);
        after.remove(path);
    }
    Ok(Difference {
        from: changes.from,
        to: changes.to,
        before,
        after,
        unread,
    })
}

async fn changes<H: Host>(
    snapshot: &Snapshot<'_, H>,
    from: &str,
    to: Option<&str>,
) -> Result<Changes, RagnavError> {
    let mut paths = Vec::new();
    if to.is_none() {
        paths.extend(snapshot.files().iter().cloned());
        paths.retain(|path| ragnav_syntax::detect_language(path).is_some());
    }
    let is_unsaved = |path: &&RepoPath| snapshot.live_proof(path) == Proof::Overlay;
    let unsaved = paths.iter().filter(is_unsaved).cloned().collect();
    let request = ChangesRequest {
        from: from.to_owned(),
        to: to.map(str::to_owned),
        paths,
        unsaved,
    };
    let changes = snapshot.host().send(request).await?;
    changes.ok_or_else(|| {
        let names = match to {
            Some(to) => format!("`{from}` or `{to}`"),
            None => format!("`{from}`"),
        };
        RagnavError::invalid(format!(
            "there is no commit {names} in this repository; give a branch, a tag or a commit id"
        ))
    })
}

/// Returns the states of files in a commit.
async fn committed<H: Host>(
    snapshot: &Snapshot<'_, H>,
    files: Vec<(&RepoPath, &String)>,
    unread: &mut Vec<RepoPath>,
) -> Result<States, RagnavError> {
    let mut states = BTreeMap::new();
    for batch in files.chunks(BATCH) {
        let request = ReadObjectsRequest {
            ids: batch.iter().map(|(_, id)| (*id).clone()).collect(),
            max_bytes: snapshot.settings().limits.max_file_bytes,
        };
        let read = snapshot.host().send(request).await?;
        for ((path, _), bytes) in batch.iter().zip(read) {
            add(snapshot, &mut states, (path, bytes), unread).await;
        }
    }
    Ok(states)
}

/// Returns the states of files as they are now.
async fn current<H: Host>(
    snapshot: &Snapshot<'_, H>,
    files: impl Iterator<Item = &RepoPath>,
    unread: &mut Vec<RepoPath>,
) -> Result<States, RagnavError> {
    let mut states = BTreeMap::new();
    for path in files.filter(|path| snapshot.files().binary_search(path).is_ok()) {
        let bytes = snapshot.read(path).await?;
        add(snapshot, &mut states, (path, bytes), unread).await;
    }
    Ok(states)
}

async fn add<H: Host>(
    snapshot: &Snapshot<'_, H>,
    states: &mut States,
    (path, bytes): (&RepoPath, Result<Vec<u8>, HostError>),
    unread: &mut Vec<RepoPath>,
) {
    let text = bytes.ok().and_then(|bytes| {
        let text = text::decode(&bytes).ok()?;
        Some(text.into_string())
    });
    let Some(text) = text else {
        unread.push(path.clone());
        return;
    };
    snapshot.load_grammar(path, &text).await;
    states.insert(path.clone(), State::new(path, text));
}
