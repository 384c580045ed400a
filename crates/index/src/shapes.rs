//! Shapes of current definitions, to be compared with those of an earlier build.

use std::collections::BTreeMap;

use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_syntax::Symbol;
use ragnav_syntax::facts::BodyHash;
use ragnav_syntax::facts::Facts;

/// The properties of a definition that re-identify it.
///
/// # Examples
///
/// ```
/// use ragnav_index::shapes::Shape;
///
/// let shape = Shape { name_path: "Cart.total".into(), start_line: Some(14), ..Shape::default() };
/// assert_eq!((shape.is_class, shape.body), (None, None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shape {
    /// The name path: `A.b` for the method `b` of the class `A`.
    pub name_path: String,
    /// Whether it is a class; `None` if the graph does not say.
    pub is_class: Option<bool>,
    /// The first line, without decorators; `None` if the graph does not say.
    pub start_line: Option<u32>,
    /// The last line; `None` if the graph does not say.
    pub end_line: Option<u32>,
    /// The line of the first decorator.
    pub decorated_start_line: Option<u32>,
    /// The hash of the body; `None` if the graph does not say.
    pub body: Option<BodyHash>,
    /// A hash of the enrichment. Definitions with equal enrichment need not be told apart.
    pub enrichment_hash: u64,
}

/// The definitions of files, in the order of their text.
pub type ShapesByFile = BTreeMap<RepoPath, Vec<Shape>>;

/// Returns the shapes of a file's definitions, with body hashes.
///
/// # Examples
///
/// ```
/// use ragnav_index::shapes::from_facts;
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let text = "class Cart:\n    def total(self): pass\n";
/// let shapes = from_facts(&extract_facts(find_language("python").unwrap(), text));
/// assert_eq!(shapes[1].name_path, "Cart.total");
/// assert!(shapes[1].body.is_some());
/// ```
#[must_use]
pub fn from_facts(facts: &Facts) -> Vec<Shape> {
    let bodies = facts.definitions.iter();
    let bodies: Vec<BodyHash> = bodies.map(|definition| definition.body).collect();
    from_bodies(&facts.symbols(), &bodies)
}

/// Returns the shapes of definitions with these bodies.
///
/// # Examples
///
/// ```
/// use ragnav_index::shapes::{from_bodies, from_facts};
/// use ragnav_syntax::{extract_facts, find_language};
///
/// let facts = extract_facts(find_language("python").unwrap(), "def total(): pass\n");
/// let body = facts.definitions[0].body;
/// assert_eq!(from_bodies(&facts.symbols(), &[body]), from_facts(&facts));
/// ```
#[must_use]
pub fn from_bodies(symbols: &[Symbol], bodies: &[BodyHash]) -> Vec<Shape> {
    let bodies = bodies.iter().copied().map(Some);
    let bodies = bodies.chain(std::iter::repeat(None));
    let pairs = symbols.iter().zip(bodies);
    pairs
        .map(|(symbol, body)| build_shape(symbol, body))
        .collect()
}

/// Returns the shapes of a file's definitions, without body hashes.
///
/// # Examples
///
/// ```
/// use ragnav_index::shapes::from_symbols;
/// use ragnav_syntax::{extract_symbols, find_language};
///
/// let symbols = extract_symbols(find_language("python").unwrap(), "class Cart: pass\n");
/// let shapes = from_symbols(&symbols);
/// assert_eq!((shapes[0].is_class, shapes[0].body), (Some(true), None));
/// ```
#[must_use]
pub fn from_symbols(symbols: &[Symbol]) -> Vec<Shape> {
    symbols
        .iter()
        .map(|symbol| build_shape(symbol, None))
        .collect()
}

fn build_shape(symbol: &Symbol, body: Option<BodyHash>) -> Shape {
    Shape {
        name_path: symbol.name_path.clone(),
        is_class: Some(symbol.kind == DefinitionKind::Class),
        start_line: Some(wire(symbol.start_line)),
        end_line: Some(wire(symbol.end_line)),
        decorated_start_line: Some(wire(symbol.decorated_start_line)),
        body,
        enrichment_hash: 0,
    }
}
