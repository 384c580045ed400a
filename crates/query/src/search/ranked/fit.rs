//! How well the definitions of a file, and the passages outside of them, fit a query.
//!
//! A definition is a document of five fields (see [`bm25`](ragnav_matching::bm25)): its own name, the names around it, the first
//! line of its docstring, its lines without those of definitions inside it, and the file's path. To that comes what its names say
//! by themselves (`named`). A passage is a document of two fields, its lines and the path.

use xxhash_rust::xxh3::xxh3_64;

use super::named::Named;
use super::passage::Passages;
use super::scored_file::{File, Fit, Reading, count, rounded};
use crate::file_definitions::FileDefinitions;
use ragnav_base::position::{LineIndex, byte_at_utf16, utf16_len, wire};
use ragnav_matching::bm25::IdfTable;
use ragnav_matching::fields::{BODY, NAME, PATH, QUALIFIER, SUMMARY};
use ragnav_matching::terms::{self, Terms};
use ragnav_syntax::facts::DefinitionFact;

/// What in a file fits, in the order of definitions and then of passages.
pub(super) fn fits(file: &File<'_>, terms: &Terms, worths: &IdfTable) -> Vec<Fit> {
    let lines = LineIndex::new(file.text);
    let reading = Reading {
        file,
        owners: owners(file.symbols, lines.count()),
        lines,
        terms,
        worths,
        path: terms.counts(file.path.as_str()),
    };
    let mut bodies = reading.bodies();
    let mut passages = Passages::new(&reading);
    terms.visit(file.text, |mention| {
        let line = reading.lines.line_at(mention.at.start);
        match reading.owner(line) {
            None => passages.take(line, &mention),
            Some(place) => {
                if let Some(body) = bodies.get_mut(place) {
                    terms::increment(&mut body.counts, mention.term);
                }
            }
        }
    });
    let definitions = file.facts.definitions.iter().zip(&bodies).enumerate();
    let definitions =
        definitions.filter_map(|(place, (fact, body))| reading.definition(place, fact, body));
    definitions.chain(passages.finish()).collect()
}

/// Lines are painted in the order of the definitions: one stands behind those around it.
fn owners(symbols: &FileDefinitions, lines: usize) -> Vec<Option<usize>> {
    let mut owners = vec![None; lines + 1];
    for (place, symbol) in symbols.symbols.iter().enumerate() {
        let lines = symbol.decorated_start_line..=symbol.end_line.min(lines);
        if let Some(own) = owners.get_mut(lines) {
            own.fill(Some(place));
        }
    }
    owners
}

/// The lines of a definition that are of no definition inside it.
#[derive(Debug, Clone)]
struct Body {
    counts: Vec<u32>,
    length: usize,
}

impl Reading<'_> {
    /// The definition that a line is of.
    pub(super) fn owner(&self, line: usize) -> Option<usize> {
        self.owners.get(line).copied().flatten()
    }

    /// A score, the path of the file counted in.
    pub(super) fn score(&self, frequency: impl Fn(usize) -> f64) -> f64 {
        let length = self.file.path.as_str().len();
        self.worths
            .score(|term| frequency(term) + PATH.frequency(count(&self.path, term), length))
    }

    /// What a line adds to a length: the same whichever way it ends.
    pub(super) fn length(&self, line: usize) -> usize {
        let is_there = !self.lines.full_range(line).is_empty();
        self.lines.line(self.file.text, line).len() + usize::from(is_there)
    }

    pub(super) fn hash(&self, line: usize) -> u64 {
        xxh3_64(self.lines.line(self.file.text, line).as_bytes())
    }

    /// The definitions' bodies, before anything in them is counted.
    fn bodies(&self) -> Vec<Body> {
        let none = Body {
            counts: vec![0; self.terms.terms().len()],
            length: 0,
        };
        let mut bodies = vec![none; self.file.facts.definitions.len()];
        for (line, owner) in self.owners.iter().enumerate() {
            if let Some(body) = owner.and_then(|place| bodies.get_mut(place)) {
                body.length += self.length(line);
            }
        }
        bodies
    }

    /// A definition that mentions something; `None` for one that does not.
    fn definition(&self, place: usize, fact: &DefinitionFact, body: &Body) -> Option<Fit> {
        let docstring = fact.docstring.as_deref().unwrap_or_default();
        let told = self.terms.counts(docstring);
        if body.counts.iter().chain(&told).all(|count| *count == 0) {
            return None;
        }
        let own = self.file.facts.name(fact.name);
        let symbol = self.file.symbols.symbols.get(place)?;
        let id = self.file.symbols.id_of(place)?;
        let named = Named::new(id.dotted(), &symbol.name_path, own, self.terms);
        let around = symbol.name_path.len().saturating_sub(own.len());
        let fields = self.score(|term| {
            NAME.frequency(count(&named.own, term), own.len())
                + QUALIFIER.frequency(count(&named.around, term), around)
                + SUMMARY.frequency(count(&told, term), docstring.len())
                + BODY.frequency(count(&body.counts, term), body.length)
        });
        let all = self.worths.sum(|_| true);
        let score = fields + all * named.bonus(self.terms, self.worths);
        let at = fact.name_position;
        let line = self.lines.line(self.file.text, at.line as usize);
        let rest = line.get(byte_at_utf16(line, at.start_utf16 as usize)..);
        // What is exported without a name is no text that could be marked.
        let is_there = rest.is_some_and(|rest| rest.starts_with(own));
        let length = if is_there { wire(utf16_len(own)) } else { 0 };
        Some(Fit {
            line: at.line,
            start_utf16: at.start_utf16,
            end_utf16: at.start_utf16 + length,
            place: Some(place),
            score: rounded(score),
            hash: self.hash(at.line as usize),
        })
    }
}
