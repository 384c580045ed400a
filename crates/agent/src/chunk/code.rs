//! Code, by its definitions.

use std::collections::HashMap;

use super::split::{Piece, bytes};
use super::{Chunked, Lines, MAX_TOKENS, Source, TOKEN_BYTES};
use crate::metadata::Metadata;
use ragnav_base::item::DefinitionKind;
use ragnav_base::position::wire;
use ragnav_base::symbol_id;
use ragnav_syntax::Symbol;
use ragnav_syntax::facts::Facts;

/// How far lines outside of definitions may be apart in one passage, in lines.
const PASSAGE_GAP: u32 = 8;

/// A definition is a chunk with all that is in it, unless it is a class, or too long and something is defined in it: then what is defined
/// in it are chunks of their own, and the rest of its lines is its head.
pub(super) fn chunk(source: &Source<'_>, facts: &Facts) -> Chunked {
    let symbols = facts.symbols();
    let parents: Vec<Option<usize>> = facts
        .definitions
        .iter()
        .map(|fact| fact.parent.map(|parent| parent.0 as usize))
        .collect();
    let owners = owners(source, &symbols, &parents);
    let spans = spans(source, &owners);
    let mut chunked = Chunked {
        metadata: file_metadata(source),
        ..Chunked::default()
    };
    for (ordinal, passage) in (0..).zip(passages(spans.get(&None).map_or(&[][..], |own| own))) {
        let piece = Piece {
            ordinal,
            ..Piece::default()
        };
        piece.split(source, passage, &mut chunked.chunks);
    }
    for (place, symbol) in symbols.iter().enumerate() {
        let Some(own) = spans.get(&Some(place)) else {
            continue;
        };
        let piece = Piece {
            heading: symbol.name_path.clone(),
            ordinal: wire(symbol.ordinal),
            head: Some(Lines {
                start: wire(symbol.start_line),
                end: wire(symbol.start_line),
            }),
            summary: docstring(facts, place),
            metadata: metadata(symbol),
        };
        piece.split(source, own, &mut chunked.chunks);
    }
    number_passages(&mut chunked);
    chunked
        .chunks
        .sort_by_key(|chunk| chunk.lines.first().map(|lines| lines.start));
    chunked
}

fn docstring(facts: &Facts, place: usize) -> String {
    let fact = facts.definitions.get(place);
    fact.and_then(|fact| fact.docstring.clone())
        .unwrap_or_default()
}

/// Passages are told apart by their number, as nothing else does.
fn number_passages(chunked: &mut Chunked) {
    let passages = chunked.chunks.iter_mut();
    let passages = passages.filter(|chunk| chunk.heading.is_empty());
    for (ordinal, chunk) in (0..).zip(passages) {
        (chunk.ordinal, chunk.part) = (ordinal, 0);
    }
}

fn file_metadata(source: &Source<'_>) -> Metadata {
    let mut metadata = Metadata::new();
    if let Some(language) = ragnav_syntax::detect_language(source.path) {
        let module = symbol_id::module_of(source.path, language.package_file);
        metadata.insert("language".to_owned(), language.name.into());
        metadata.insert("module".to_owned(), module.into());
    }
    metadata
}

fn metadata(symbol: &Symbol) -> Metadata {
    let name = symbol.name_path.as_str();
    [
        ("kind", kind_name(symbol.kind)),
        ("symbol", name.rsplit('.').next().unwrap_or(name)),
        ("heading", name),
    ]
    .map(|(field, value)| (field.to_owned(), value.into()))
    .into()
}

fn kind_name(kind: DefinitionKind) -> &'static str {
    match kind {
        DefinitionKind::Class => "class",
        DefinitionKind::Function => "function",
        DefinitionKind::Method => "method",
        DefinitionKind::Interface => "interface",
        DefinitionKind::Enum => "enum",
        DefinitionKind::Type => "type",
        DefinitionKind::Namespace => "namespace",
    }
}

fn lines_of(symbol: &Symbol) -> Lines {
    Lines {
        start: wire(symbol.decorated_start_line),
        end: wire(symbol.end_line),
    }
}

/// Which definition's chunk each line belongs to; the first entry is of no line.
fn owners(
    source: &Source<'_>,
    symbols: &[Symbol],
    parents: &[Option<usize>],
) -> Vec<Option<usize>> {
    let mut owners = vec![None; source.lines.count() + 1];
    // One stands behind those around it, so what is around was divided or not by then.
    let mut is_divided = vec![false; symbols.len()];
    for (place, symbol) in symbols.iter().enumerate() {
        let parent = parents.get(place).copied().flatten();
        let is_own = parent.is_none_or(|parent| is_divided.get(parent) == Some(&true));
        if !is_own {
            continue;
        }
        let span = lines_of(symbol);
        let holds_others = matches!(
            symbol.kind,
            DefinitionKind::Class | DefinitionKind::Namespace
        );
        let is_long = bytes(source, span) > MAX_TOKENS * TOKEN_BYTES;
        if let Some(divided) = is_divided.get_mut(place) {
            *divided = holds_others || is_long;
        }
        let last = (span.end as usize).min(source.lines.count());
        if let Some(own) = owners.get_mut(span.start as usize..=last) {
            own.fill(Some(place));
        }
    }
    owners
}

/// The runs of lines of each owner, in order.
fn spans(source: &Source<'_>, owners: &[Option<usize>]) -> HashMap<Option<usize>, Vec<Lines>> {
    let mut spans: HashMap<Option<usize>, Vec<Lines>> = HashMap::new();
    for line in 1..=source.count() {
        let owner = owners.get(line as usize).copied().flatten();
        let own = spans.entry(owner).or_default();
        match own.last_mut() {
            Some(last) if last.end + 1 == line => last.end = line,
            _ => own.push(Lines {
                start: line,
                end: line,
            }),
        }
    }
    spans
}

/// Lines outside of definitions, those that are near to each other together.
fn passages(spans: &[Lines]) -> impl Iterator<Item = &[Lines]> {
    spans.chunk_by(|before, next| next.start - before.end <= PASSAGE_GAP)
}
