//! Definitions of now in the shape in which they are compared with those of then.

use crate::rejoin::Shape;
use ragnav_base::item::DefinitionKind;
use ragnav_base::position::wire;
use ragnav_syntax::Symbol;
use ragnav_syntax::facts::BodyHash;
use ragnav_syntax::facts::Facts;

/// The definitions of a file with their bodies.
#[must_use]
pub fn of_facts(facts: &Facts) -> Vec<Shape> {
    let bodies = facts
        .definitions
        .iter()
        .map(|definition| Some(definition.body));
    let symbols = facts.symbols();
    symbols
        .iter()
        .zip(bodies)
        .map(|(symbol, body)| shape(symbol, body))
        .collect()
}

/// The definitions of a file where only what encloses what is known.
#[must_use]
pub fn of_symbols(symbols: &[Symbol]) -> Vec<Shape> {
    symbols.iter().map(|symbol| shape(symbol, None)).collect()
}

fn shape(symbol: &Symbol, body: Option<BodyHash>) -> Shape {
    Shape {
        name_path: symbol.name_path.clone(),
        is_class: Some(symbol.kind == DefinitionKind::Class),
        start_line: Some(wire(symbol.start_line)),
        end_line: Some(wire(symbol.end_line)),
        decorated_start_line: Some(wire(symbol.decorated_start_line)),
        body,
        knowledge: 0,
    }
}
