//! Chunking code by its definitions.

use ragnav_base::hash::HashMap;
use ragnav_base::sort::SmallSort;

use super::chunked_file::{ChunkedFile, Lines, MAX_TOKENS, Source, TOKEN_BYTES};
use super::split::{Section, byte_len};
use crate::metadata::Metadata;
use ragnav_base::item::DefinitionKind;
use ragnav_base::position::wire;
use ragnav_base::symbol_id;
use ragnav_syntax::Symbol;
use ragnav_syntax::facts::Facts;

/// The largest gap between lines of one passage outside of definitions, in lines.
const PASSAGE_GAP: u32 = 8;

/// Chunks code. A definition is one chunk with everything in it. A class, or a definition that is
/// too long and contains others, is split: its inner definitions are chunks of their own, and its
/// other lines are its header.
pub(super) fn chunk(source: &Source<'_>, facts: &Facts) -> ChunkedFile {
    let symbols = facts.symbols();
    let parents: Vec<Option<usize>> = facts
        .definitions
        .iter()
        .map(|fact| fact.parent.map(|parent| parent.0 as usize))
        .collect();
    let owners = line_owners(source, &symbols, &parents);
    let spans = owner_spans(source, &owners);
    let mut chunked = ChunkedFile {
        metadata: file_metadata(source),
        ..ChunkedFile::default()
    };
    for (ordinal, passage) in (0..).zip(group_passages(spans.get(&None).map_or(&[][..], |own| own)))
    {
        let section = Section {
            ordinal,
            ..Section::default()
        };
        section.split(source, passage, &mut chunked.chunks);
    }
    for (place, symbol) in symbols.iter().enumerate() {
        let Some(own) = spans.get(&Some(place)) else {
            continue;
        };
        let summary = docstring(facts, place);
        let section = Section {
            metadata: symbol_metadata(symbol, &summary),
            heading: symbol.name_path.clone(),
            ordinal: wire(symbol.ordinal),
            head: Some(Lines {
                start: wire(symbol.start_line),
                end: wire(symbol.start_line),
            }),
            summary,
        };
        section.split(source, own, &mut chunked.chunks);
    }
    number_passages(&mut chunked);
    chunked
        .chunks
        .small_sort_by_key(|chunk| chunk.lines.first().map(|lines| lines.start));
    chunked
}

fn docstring(facts: &Facts, place: usize) -> String {
    let fact = facts.definitions.get(place);
    fact.and_then(|fact| fact.docstring.clone())
        .unwrap_or_default()
}

/// Numbers the passages, since they have no heading that tells them apart.
fn number_passages(chunked: &mut ChunkedFile) {
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

fn symbol_metadata(symbol: &Symbol, summary: &str) -> Metadata {
    let name = symbol.name_path.as_str();
    let summary = Some(("summary", summary)).filter(|(_, summary)| !summary.is_empty());
    let values = [
        ("kind", kind_name(symbol.kind)),
        ("symbol", name.rsplit('.').next().unwrap_or(name)),
        ("heading", name),
    ];
    let values = values.into_iter().chain(summary);
    values
        .map(|(field, value)| (field.to_owned(), value.into()))
        .collect()
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
        DefinitionKind::Module => "module",
    }
}

fn lines_of(symbol: &Symbol) -> Lines {
    Lines {
        start: wire(symbol.decorated_start_line),
        end: wire(symbol.end_line),
    }
}

/// Returns the definition whose chunk each line belongs to. The entry at index 0 is unused.
fn line_owners(
    source: &Source<'_>,
    symbols: &[Symbol],
    parents: &[Option<usize>],
) -> Vec<Option<usize>> {
    let mut owners = vec![None; source.lines.count() + 1];
    // A definition comes after those that enclose it, so these have been decided.
    let mut is_split = vec![false; symbols.len()];
    for (place, symbol) in symbols.iter().enumerate() {
        let parent = parents.get(place).copied().flatten();
        let is_own = parent.is_none_or(|parent| is_split.get(parent) == Some(&true));
        if !is_own {
            continue;
        }
        let span = lines_of(symbol);
        let holds_others = matches!(
            symbol.kind,
            DefinitionKind::Class | DefinitionKind::Namespace
        );
        let is_long = byte_len(source, span) > MAX_TOKENS * TOKEN_BYTES;
        if let Some(split) = is_split.get_mut(place) {
            *split = holds_others || is_long;
        }
        let last = (span.end as usize).min(source.lines.count());
        if let Some(own) = owners.get_mut(span.start as usize..=last) {
            own.fill(Some(place));
        }
    }
    owners
}

/// Returns the line ranges of each owner, in order.
fn owner_spans(
    source: &Source<'_>,
    owners: &[Option<usize>],
) -> HashMap<Option<usize>, Vec<Lines>> {
    let mut spans: HashMap<Option<usize>, Vec<Lines>> = HashMap::default();
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

/// Groups lines outside of definitions that are close to each other.
fn group_passages(spans: &[Lines]) -> impl Iterator<Item = &[Lines]> {
    spans.chunk_by(|before, next| next.start - before.end <= PASSAGE_GAP)
}
