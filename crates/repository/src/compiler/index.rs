//! An index with what is looked up in it, and what is known of its documents.

use std::cell::RefCell;
use std::rc::Rc;

use ragnav_base::hash::HashMap;
use ragnav_base::host::FileTimes;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::text::without_bom;
use ragnav_index::content::ContentHash;

use super::dependencies::Dependents;
use super::fit::{NameAt, fit};
use super::given::{
    GivenDocument, GivenIndex, LOCAL, Occurrence, PositionEncoding, decode_occurrences,
};
use super::symbol::Symbol;
use super::symbol_name::SymbolName;

/// The indexes of a navigator.
///
/// # Examples
///
/// ```
/// use ragnav_repository::compiler::given::GivenIndex;
/// use ragnav_repository::compiler::index::CompilerIndexes;
///
/// let indexes = CompilerIndexes::default();
/// indexes.put(GivenIndex::unusable("index.scip", "it is missing"));
/// assert_eq!(indexes.problems(), ["index.scip is not used: it is missing."]);
/// ```
#[derive(Debug, Default)]
pub struct CompilerIndexes(RefCell<Vec<Rc<CompilerIndex>>>);

impl CompilerIndexes {
    /// Adds an index. It replaces the one with the same path.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_repository::compiler::given::GivenIndex;
    /// use ragnav_repository::compiler::index::CompilerIndexes;
    ///
    /// let indexes = CompilerIndexes::default();
    /// indexes.put(GivenIndex::unusable("index.scip", "it is missing"));
    /// indexes.put(GivenIndex::unusable("index.scip", "it is empty"));
    /// assert_eq!(indexes.problems(), ["index.scip is not used: it is empty."]);
    /// ```
    pub fn put(&self, given: GivenIndex) {
        let index = Rc::new(CompilerIndex::new(given));
        let mut all = self.0.borrow_mut();
        match all.iter_mut().find(|known| known.path == index.path) {
            Some(known) => *known = index,
            None => all.push(index),
        }
    }

    /// Reports whether the program has passed in no index.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// Returns why indexes are not used, for people.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_repository::compiler::index::CompilerIndexes;
    ///
    /// assert!(CompilerIndexes::default().problems().is_empty());
    /// ```
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let all = self.all();
        let problems = all.iter().filter_map(|index| {
            let problem = index.problem.as_ref()?;
            Some(format!("{} is not used: {problem}.", index.path))
        });
        problems.collect()
    }

    pub(super) fn all(&self) -> Vec<Rc<CompilerIndex>> {
        self.0.borrow().clone()
    }
}

/// An index that a compiler made.
#[derive(Debug)]
pub(super) struct CompilerIndex {
    pub(super) path: String,
    pub(super) problem: Option<String>,
    pub(super) written: Option<f64>,
    pub(super) symbols: Vec<Symbol>,
    /// The constructors of each class.
    pub(super) constructors: HashMap<u32, Vec<u32>>,
    /// The symbols that each symbol implements.
    pub(super) implemented: HashMap<u32, Vec<u32>>,
    pub(super) documents: Vec<Document>,
    pub(super) by_path: HashMap<RepoPath, usize>,
    /// The documents in which each symbol occurs.
    pub(super) homes: HashMap<u32, Vec<usize>>,
    pub(super) dependents: Dependents,
    /// The number of documents whose paths are not in the repository.
    pub(super) outside: usize,
}

impl CompilerIndex {
    /// Reports whether a file with these times may have been indexed: it has not changed since. Of
    /// what is not known, the names decide alone.
    pub(super) fn may_have_seen(&self, times: Option<FileTimes>) -> bool {
        let known = self.written.zip(times);
        known.is_none_or(|(written, times)| times.latest() <= written)
    }

    fn new(given: GivenIndex) -> Self {
        let GivenIndex {
            path,
            problem,
            written,
            symbols: names,
            implementations,
            documents: given,
        } = given;
        let count = given.len();
        let documents = documents(given);
        let outside = count - documents.given;
        let documents = documents.all;
        let symbols = symbols(&names, &documents);
        let mut constructors: HashMap<u32, Vec<u32>> = HashMap::default();
        for (place, symbol) in (0u32..).zip(&symbols) {
            if let Some(class) = symbol.constructed {
                constructors.entry(class).or_default().push(place);
            }
        }
        let mut implemented: HashMap<u32, Vec<u32>> = HashMap::default();
        for (symbol, base) in implementations {
            implemented.entry(symbol).or_default().push(base);
        }
        let occurrences = documents.iter().map(|one| one.occurrences.as_slice());
        let dependents = Dependents::of(occurrences, &symbols);
        let paths = documents.iter().map(|one| one.path.clone());
        Self {
            by_path: paths.zip(0..).collect(),
            homes: homes(&documents),
            path,
            problem,
            written,
            symbols,
            constructors,
            implemented,
            documents,
            dependents,
            outside,
        }
    }
}

/// What an index says about one file.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) path: RepoPath,
    /// A hash of the text that was indexed, without its byte order mark.
    text: Option<ContentHash>,
    encoding: PositionEncoding,
    occurrences: Vec<Occurrence>,
    checked: RefCell<Option<Checked>>,
}

/// A content that was compared with a document.
#[derive(Debug)]
struct Checked {
    content: ContentHash,
    comparison: Comparison,
}

/// Whether a content is what a document is about.
#[derive(Debug, Clone)]
pub(super) enum Comparison {
    /// It may be, and these are its names.
    Fits(Names),
    /// It is not.
    Differs,
}

/// The names of a document in the content that fits it.
#[derive(Debug, Clone)]
pub(super) struct Names {
    /// Whether the index has the text, so that the content is known to be the one that was indexed.
    pub(super) is_proven: bool,
    pub(super) all: Rc<Vec<NameAt>>,
}

impl Names {
    /// Returns the names that begin at a place. The line counts from 1.
    pub(super) fn at(&self, line: u32, start_utf16: u32) -> &[NameAt] {
        let key = |name: &NameAt| (name.line, name.start_utf16);
        let from = self
            .all
            .partition_point(|name| key(name) < (line, start_utf16));
        let rest = self.all.get(from..).unwrap_or_default();
        let count = rest.partition_point(|name| key(name) == (line, start_utf16));
        rest.get(..count).unwrap_or_default()
    }
}

impl Document {
    /// Returns what is known of a content; `None` if its text must be compared. Of a document
    /// without a text, the first content that fits is taken for the indexed one; another content is
    /// a change, whether it fits or not.
    pub(super) fn known(&self, content: ContentHash) -> Option<Comparison> {
        let checked = self.checked.borrow();
        let checked = checked.as_ref()?;
        if checked.content == content {
            return Some(checked.comparison.clone());
        }
        let is_settled = matches!(&checked.comparison, Comparison::Fits(_)) && self.text.is_none();
        is_settled.then_some(Comparison::Differs)
    }

    /// Reports whether it is open which content was indexed, so that the times of the file count.
    pub(super) fn needs_times(&self) -> bool {
        let checked = self.checked.borrow();
        let fits = |checked: &Checked| matches!(checked.comparison, Comparison::Fits(_));
        self.text.is_none() && !checked.as_ref().is_some_and(fits)
    }

    /// Compares a text with the document, and keeps the result.
    pub(super) fn compare(
        &self,
        content: ContentHash,
        text: &str,
        symbols: &[Symbol],
    ) -> Comparison {
        if let Some(known) = self.known(content) {
            return known;
        }
        let names = self.names(text, symbols);
        let comparison = names.map_or(Comparison::Differs, Comparison::Fits);
        let checked = Checked {
            content,
            comparison: comparison.clone(),
        };
        self.checked.replace(Some(checked));
        comparison
    }

    /// Returns the names of a text; `None` if it cannot be the one that was indexed.
    fn names(&self, text: &str, symbols: &[Symbol]) -> Option<Names> {
        let is_proven = self.text.is_some();
        if self.text.is_some_and(|hash| hash != hash_of(text)) {
            return None;
        }
        let names = fit(&self.occurrences, self.encoding, symbols, text, is_proven)?;
        Some(Names {
            is_proven,
            all: Rc::new(names),
        })
    }
}

fn hash_of(text: &str) -> ContentHash {
    ContentHash::of(without_bom(text).as_bytes())
}

/// Documents, and the number of given ones that they were made of.
struct Documents {
    all: Vec<Document>,
    given: usize,
}

/// Takes the documents in the repository. Several of one file become one.
fn documents(given: Vec<GivenDocument>) -> Documents {
    let mut documents = Documents {
        all: Vec::<Document>::new(),
        given: 0,
    };
    let mut places: HashMap<RepoPath, usize> = HashMap::default();
    for one in given {
        let Ok(path) = RepoPath::parse(&one.path) else {
            continue;
        };
        documents.given += 1;
        let mut occurrences = decode_occurrences(&one.occurrences);
        let known = places.get(&path).copied();
        if let Some(document) = known.and_then(|place| documents.all.get_mut(place)) {
            document.occurrences.append(&mut occurrences);
            continue;
        }
        places.insert(path.clone(), documents.all.len());
        documents.all.push(Document {
            path,
            text: one.text.as_deref().map(hash_of),
            encoding: one.encoding,
            occurrences,
            checked: RefCell::default(),
        });
    }
    documents
}

fn symbols(names: &[String], documents: &[Document]) -> Vec<Symbol> {
    let occurrences = documents.iter().flat_map(|one| &one.occurrences);
    let definitions = occurrences.filter(|one| one.is_definition() && one.symbol != LOCAL);
    let mut is_defined = vec![false; names.len()];
    for one in definitions {
        if let Some(found) = is_defined.get_mut(one.symbol as usize) {
            *found = true;
        }
    }
    let numbers: HashMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    let symbols = names.iter().zip(is_defined).map(|(symbol, is_defined)| {
        let name = SymbolName::of(symbol);
        let class = name.constructed.as_deref();
        Symbol {
            constructed: class.and_then(|class| numbers.get(class).copied()),
            name,
            is_defined,
        }
    });
    symbols.collect()
}

/// Returns the documents in which each symbol occurs.
fn homes(documents: &[Document]) -> HashMap<u32, Vec<usize>> {
    let mut homes: HashMap<u32, Vec<usize>> = HashMap::default();
    for (place, document) in documents.iter().enumerate() {
        for one in &document.occurrences {
            let homes = homes.entry(one.symbol).or_default();
            if one.symbol != LOCAL && homes.last() != Some(&place) {
                homes.push(place);
            }
        }
    }
    homes
}

/// The number of documents of an index.
pub(super) fn count(documents: impl Iterator) -> u32 {
    wire(documents.count())
}
