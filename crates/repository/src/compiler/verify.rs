//! Decides which documents of the indexes still hold, and looks names up in these.

use std::collections::BTreeSet;
use std::rc::Rc;

use ragnav_base::envelope::Proof;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{FileTimesRequest, Host};
use ragnav_base::item::SkipReason;
use ragnav_base::path::RepoPath;
use ragnav_index::content::ContentHash;
use serde::Serialize;

use super::fit::NameAt;
use super::given::LOCAL;
use super::index::{Comparison, CompilerIndex, Document, Names, count};
use crate::snapshot::Snapshot;

/// How many documents of an index hold for the files as they are.
///
/// # Examples
///
/// ```
/// use ragnav_repository::compiler::verify::CompilerIndexState;
///
/// let state = CompilerIndexState { path: "index.scip".to_owned(), ..Default::default() };
/// assert_eq!(serde_json::to_value(&state).unwrap()["used"], 0);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "tsify", tsify(missing_as_null))]
pub struct CompilerIndexState {
    /// The path of the index.
    pub path: String,
    /// Why the index is not used; `null` if it is.
    pub problem: Option<String>,
    /// The documents that are used.
    pub used: u32,
    /// Those of them whose text the index has, so that they are proven to be what was indexed. Of
    /// the others, only the names were compared.
    pub proven: u32,
    /// The documents whose files are not what was indexed.
    pub changed: u32,
    /// The documents whose files are what was indexed, but rest on one that is not.
    pub affected: u32,
    /// The documents whose files do not exist.
    pub missing: u32,
    /// The documents whose paths are not in the repository.
    pub outside: u32,
}

/// A document, as the files are now.
#[derive(Debug, Clone)]
enum State {
    Used(ContentHash, Names),
    Changed,
    Affected,
    Missing,
}

/// An index with the documents that hold in a snapshot.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/compiler.rs")); }
/// # use setup::*;
/// let index = verified("def total():\n    return 0\ntotal()\n");
/// assert_eq!(index.state().used, 1);
/// ```
#[derive(Debug)]
pub struct VerifiedIndex {
    index: Rc<CompilerIndex>,
    states: Vec<State>,
}

/// A place in a file. The line counts from 1.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::compiler::verify::NamePlace;
///
/// let path = RepoPath::parse("a.py").unwrap();
/// let place = NamePlace { path, line: 1, start_utf16: 4 };
/// assert_eq!(place.clone(), place);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamePlace {
    /// The file.
    pub path: RepoPath,
    /// The line.
    pub line: u32,
    /// The column.
    pub start_utf16: u32,
}

/// A reference that a compiler found.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::compiler::verify::{CompilerReference, NamePlace};
///
/// let path = RepoPath::parse("a.py").unwrap();
/// let place = NamePlace { path, line: 1, start_utf16: 4 };
/// let reference = CompilerReference { place, end_utf16: 9, is_import: false };
/// assert_eq!(reference.end_utf16 - reference.place.start_utf16, 5);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompilerReference {
    /// Where it begins.
    pub place: NamePlace,
    /// The end of the name.
    pub end_utf16: u32,
    /// Whether it is an import.
    pub is_import: bool,
}

/// Verifies the indexes of the navigator against the files as they are in a snapshot.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeSet;
///
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_repository::compiler::verify::verify;
/// use ragnav_repository::overlay::Overlaid;
/// use ragnav_repository::scope::Scope;
/// use ragnav_repository::settings::Settings;
/// use ragnav_repository::snapshot::Snapshot;
///
/// let repository = MemoryHost::new(&[("a.py", "x = 1\n")]);
/// let host = block_on(Overlaid::new(&repository)).unwrap();
/// let (settings, corrections) = (Settings::default(), BTreeSet::new());
/// let taken = Snapshot::take(&host, &settings, None, Scope::Links, &corrections);
/// assert!(block_on(verify(&block_on(taken).unwrap())).unwrap().is_empty());
/// ```
pub async fn verify<H: Host>(
    snapshot: &Snapshot<'_, H>,
) -> Result<Vec<VerifiedIndex>, RagnavError> {
    let mut verified = Vec::new();
    for index in snapshot.settings().compiler.all() {
        verified.push(VerifiedIndex::of(snapshot, index).await?);
    }
    Ok(verified)
}

impl VerifiedIndex {
    async fn of<H: Host>(
        snapshot: &Snapshot<'_, H>,
        index: Rc<CompilerIndex>,
    ) -> Result<Self, RagnavError> {
        let mut states = vec![State::Changed; index.documents.len()];
        let mut unread = Vec::new();
        for (document, state) in index.documents.iter().zip(&mut states) {
            let path = &document.path;
            let proven = snapshot.proven(path);
            let hash = proven.and_then(|(record, _)| record.hash());
            match hash.and_then(|hash| Some((hash, document.known(hash)?))) {
                Some((hash, comparison)) => *state = State::of(hash, comparison),
                // Nothing reads what only the index answers for.
                None if snapshot.uses_unproven_index(path) => {}
                None => unread.push(path.clone()),
            }
        }
        let unread = without_later(snapshot, &index, unread).await?;
        let mut files = snapshot.reader(&unread);
        while let Some((path, bytes)) = files.next().await? {
            let hash = ContentHash::of(&bytes);
            let place = index.by_path.get(path).copied().unwrap_or_default();
            let Some(document) = index.documents.get(place) else {
                continue;
            };
            let text = files.text(path, &bytes);
            if let Some((text, state)) = text.zip(states.get_mut(place)) {
                *state = State::of(hash, document.compare(hash, &text, &index.symbols));
            }
        }
        for skipped in files.into_skipped() {
            let path = RepoPath::try_from(skipped.file).ok();
            let place = path.and_then(|path| index.by_path.get(&path).copied());
            let state = place.and_then(|place| states.get_mut(place));
            if let Some(state) = state.filter(|_| skipped.reason == SkipReason::Missing) {
                *state = State::Missing;
            }
        }
        mark_affected(&index, &mut states);
        Ok(Self { index, states })
    }

    /// Returns how many documents hold.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/compiler.rs")); }
    /// # use setup::*;
    /// let index = verified("def total():\n    return 0\ntotal()\n");
    /// assert_eq!((index.state().used, index.state().proven), (1, 0));
    /// assert_eq!(verified("x = 1\n").state().changed, 1);
    /// ```
    #[must_use]
    pub fn state(&self) -> CompilerIndexState {
        let of = |is: fn(&State) -> bool| count(self.states.iter().filter(|state| is(state)));
        CompilerIndexState {
            path: self.index.path.clone(),
            problem: self.index.problem.clone(),
            used: of(|state| matches!(state, State::Used(..))),
            proven: of(|state| matches!(state, State::Used(_, names) if names.is_proven)),
            changed: of(|state| matches!(state, State::Changed)),
            affected: of(|state| matches!(state, State::Affected)),
            missing: of(|state| matches!(state, State::Missing)),
            outside: count(0..self.index.outside),
        }
    }

    /// Reports whether every document holds.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/compiler.rs")); }
    /// # use setup::*;
    /// assert!(verified("def total():\n    return 0\ntotal()\n").is_whole());
    /// assert!(!verified("x = 1\n").is_whole());
    /// ```
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let mut states = self.states.iter();
        states.all(|state| matches!(state, State::Used(..)))
    }

    /// Returns the content of a file for which the index holds; `None` if it does not.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/compiler.rs")); }
    /// # use setup::*;
    /// let path = place(1, 0).path;
    /// assert!(verified("def total():\n    return 0\ntotal()\n").content_of(&path).is_some());
    /// assert!(verified("x = 1\n").content_of(&path).is_none());
    /// ```
    #[must_use]
    pub fn content_of(&self, path: &RepoPath) -> Option<ContentHash> {
        let (hash, _) = self.used(*self.index.by_path.get(path)?)?;
        Some(hash)
    }

    /// Returns the symbols that begin at a place. One that is local to the file is among them.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/compiler.rs")); }
    /// # use setup::*;
    /// let index = verified("def total():\n    return 0\ntotal()\n");
    /// assert_eq!(index.symbols_at(&place(3, 0)), index.symbols_at(&place(1, 4)));
    /// assert!(index.symbols_at(&place(1, 0)).is_empty());
    /// ```
    #[must_use]
    pub fn symbols_at(&self, place: &NamePlace) -> BTreeSet<CompilerSymbol> {
        self.symbols(place, |_| true)
    }

    /// Returns the symbols whose definition has its name at a place, each with its constructors if
    /// it is a class.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/compiler.rs")); }
    /// # use setup::*;
    /// let index = verified("def total():\n    return 0\ntotal()\n");
    /// assert_eq!(index.defined_at(&place(1, 4)).len(), 1);
    /// assert!(index.defined_at(&place(3, 0)).is_empty());
    /// ```
    #[must_use]
    pub fn defined_at(&self, place: &NamePlace) -> BTreeSet<CompilerSymbol> {
        let mut symbols = self.symbols(place, |name| name.is_definition && name.symbol != LOCAL);
        let constructors = symbols
            .iter()
            .filter_map(|symbol| self.index.constructors.get(&symbol.0));
        let constructors: Vec<u32> = constructors.flatten().copied().collect();
        symbols.extend(constructors.into_iter().map(CompilerSymbol));
        symbols
    }

    /// Returns the references to some symbols in the documents that hold. Each has the name of its
    /// symbol, unless the index proves the text.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/compiler.rs")); }
    /// # use setup::*;
    /// let index = verified("def total():\n    return 0\ntotal()\n");
    /// let found = index.references(&index.defined_at(&place(1, 4)));
    /// assert_eq!(found[0].place, place(3, 0));
    /// ```
    #[must_use]
    pub fn references(&self, symbols: &BTreeSet<CompilerSymbol>) -> Vec<CompilerReference> {
        let homes = symbols
            .iter()
            .filter_map(|symbol| self.index.homes.get(&symbol.0));
        let homes: BTreeSet<usize> = homes.flatten().copied().collect();
        let mut found = Vec::new();
        for (path, names) in homes.into_iter().filter_map(|home| self.names_of(home)) {
            let of_symbols = names.all.iter().filter(|name| {
                let is_meant = symbols.contains(&CompilerSymbol(name.symbol));
                is_meant && !name.is_definition && (name.is_named || names.is_proven)
            });
            found.extend(of_symbols.map(|name| CompilerReference {
                place: NamePlace {
                    path: path.clone(),
                    line: name.line,
                    start_utf16: name.start_utf16,
                },
                end_utf16: name.end_utf16,
                is_import: name.is_import,
            }));
        }
        found
    }

    /// Returns where a symbol is defined in the documents that hold. A constructor without a
    /// definition of its own is defined where its class is.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/compiler.rs")); }
    /// # use setup::*;
    /// let index = verified("def total():\n    return 0\ntotal()\n");
    /// let symbols = index.symbols_at(&place(3, 0));
    /// let found = symbols.into_iter().flat_map(|symbol| index.definitions_of(symbol));
    /// assert_eq!(found.collect::<Vec<_>>(), [place(1, 4)]);
    /// ```
    #[must_use]
    pub fn definitions_of(&self, symbol: CompilerSymbol) -> Vec<NamePlace> {
        let own = self.own_definitions(symbol.0);
        if !own.is_empty() {
            return own;
        }
        let known = self.index.symbols.get(symbol.0 as usize);
        let class = known.and_then(|known| known.constructed);
        class.map_or_else(Vec::new, |class| self.own_definitions(class))
    }

    fn own_definitions(&self, symbol: u32) -> Vec<NamePlace> {
        let homes = self.index.homes.get(&symbol).into_iter().flatten();
        let names = homes.filter_map(|home| self.names_of(*home));
        let places = names.flat_map(|(path, names)| {
            let of_symbol = names.all.iter();
            let of_symbol = of_symbol.filter(|name| name.symbol == symbol && name.is_definition);
            of_symbol.map(|name| NamePlace {
                path: path.clone(),
                line: name.line,
                start_utf16: name.start_utf16,
            })
        });
        places.collect()
    }

    /// Reports whether a symbol implements another, as a method does that overrides one.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/compiler.rs")); }
    /// # use setup::*;
    /// let index = verified("def total():\n    return 0\ntotal()\n");
    /// let symbol = *index.symbols_at(&place(3, 0)).first().unwrap();
    /// assert!(!index.implements(symbol, symbol));
    /// ```
    #[must_use]
    pub fn implements(&self, symbol: CompilerSymbol, base: CompilerSymbol) -> bool {
        let implemented = self.index.implemented.get(&symbol.0);
        implemented.is_some_and(|bases| bases.contains(&base.0))
    }

    fn symbols(
        &self,
        place: &NamePlace,
        admits: impl Fn(&NameAt) -> bool,
    ) -> BTreeSet<CompilerSymbol> {
        let home = self.index.by_path.get(&place.path);
        let Some((_, names)) = home.and_then(|home| self.used(*home)) else {
            return BTreeSet::new();
        };
        let names = names.at(place.line, place.start_utf16).iter();
        let admitted = names.filter(|name| admits(name));
        admitted.map(|name| CompilerSymbol(name.symbol)).collect()
    }

    fn names_of(&self, home: usize) -> Option<(&RepoPath, &Names)> {
        let (_, names) = self.used(home)?;
        Some((&self.index.documents.get(home)?.path, names))
    }

    fn used(&self, home: usize) -> Option<(ContentHash, &Names)> {
        match self.states.get(home)? {
            State::Used(hash, names) => Some((*hash, names)),
            State::Changed | State::Affected | State::Missing => None,
        }
    }
}

/// A symbol of one index, or any that is local to a file.
///
/// # Examples
///
/// ```
/// use ragnav_repository::compiler::verify::CompilerSymbol;
///
/// assert_ne!(CompilerSymbol(0), CompilerSymbol(1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CompilerSymbol(pub u32);

impl State {
    fn of(hash: ContentHash, comparison: Comparison) -> Self {
        match comparison {
            Comparison::Fits(names) => Self::Used(hash, names),
            Comparison::Differs => Self::Changed,
        }
    }
}

/// Leaves out the files that changed after the index was written, unless more than their names is
/// compared.
async fn without_later<H: Host>(
    snapshot: &Snapshot<'_, H>,
    index: &CompilerIndex,
    files: Vec<RepoPath>,
) -> Result<Vec<RepoPath>, RagnavError> {
    let needs_times = |path: &RepoPath| {
        let place = index.by_path.get(path);
        let document = place.and_then(|place| index.documents.get(*place));
        document.is_some_and(Document::needs_times)
    };
    let (open, mut settled): (Vec<RepoPath>, Vec<RepoPath>) =
        files.into_iter().partition(needs_times);
    if index.written.is_none() || open.is_empty() {
        settled.extend(open);
        return Ok(settled);
    }
    let paths = open.clone();
    let times = snapshot.host().send(FileTimesRequest { paths }).await?;
    let seen = open.into_iter().zip(times);
    let seen = seen.filter(|(path, times)| {
        // Unsaved text is later than any index.
        let is_saved = snapshot.live_proof(path) != Proof::Overlay;
        is_saved && index.may_have_seen(*times)
    });
    settled.extend(seen.map(|(path, _)| path));
    Ok(settled)
}

/// What a name means may rest on any file that its file refers to, directly or through others.
fn mark_affected(index: &CompilerIndex, states: &mut [State]) {
    let lost = states.iter().enumerate();
    let lost = lost.filter(|(_, state)| !matches!(state, State::Used(..)));
    for place in index.dependents.closure(lost.map(|(place, _)| place)) {
        if let Some(state @ State::Used(..)) = states.get_mut(place) {
            *state = State::Affected;
        }
    }
}
