//! Enrichment: what a graph knows of a symbol, joined to the symbol as it stands now.
//!
//! Source: seed `locator`, sections 3.2 to 3.4. A hit's line is resolved to the definition that encloses it in the
//! text as it is now; the graph's node is found by file and name path, never by its line.

use crate::graph::rag_graph::{Knowledge, Node, RagGraph};
use crate::item::{Enrichment, Match};
use crate::lang::Symbol;
use crate::path::RepoPath;
use crate::position::wire;
use crate::repo::text::without_bom;
use crate::tools::file_symbols::FileSymbols;

/// What a graph knows of the innermost definition around each line of a file, `None` where nothing.
#[must_use]
pub fn enrich(
    graph: &RagGraph,
    file: &RepoPath,
    text: &str,
    lines: &[usize],
) -> Vec<Option<Enrichment>> {
    let symbols = FileSymbols::new(file, without_bom(text));
    lines
        .iter()
        .map(|line| enrich_line(graph, file, &symbols, *line))
        .collect()
}

/// What a graph knows of the innermost definition around a line of a file.
pub(super) fn enrich_line(
    graph: &RagGraph,
    file: &RepoPath,
    symbols: &FileSymbols,
    line: usize,
) -> Option<Enrichment> {
    let symbol = symbols.innermost(line)?;
    let nodes = graph.nodes(file, &symbols.module, &symbol.name_path);
    let all = symbols.symbols.iter();
    let namesakes: Vec<&Symbol> = all
        .filter(|other| other.name_path == symbol.name_path)
        .collect();
    join(&nodes, symbol, &namesakes)
}

/// Nodes and definitions of one name path are paired in their order where there are as many of the
/// one as of the other and no node stands where another definition is now. Otherwise it cannot be known
/// which is which, unless the nodes all say the same and none is wanting.
fn join(nodes: &[&Node], symbol: &Symbol, namesakes: &[&Symbol]) -> Option<Enrichment> {
    let standing = nodes.iter().find(|node| stands_there(node, symbol));
    let in_order = nodes.get(symbol.ordinal).or_else(|| nodes.first())?;
    let is_paired = nodes.len() == namesakes.len() && is_in_order(nodes, namesakes);
    let agree = nodes
        .iter()
        .all(|node| node.knowledge == in_order.knowledge);
    let is_sure = is_paired || (agree && nodes.len() >= namesakes.len());
    let node = if is_paired {
        in_order
    } else {
        standing.unwrap_or(in_order)
    };
    let found = match (is_sure, stands_there(node, symbol)) {
        (false, _) => Match::Ambiguous,
        (true, true) => Match::Exact,
        (true, false) => Match::Moved,
    };
    let known = node.knowledge.clone();
    (known != Knowledge::default()).then_some(Enrichment {
        summary: known.summary,
        usage_guide: known.usage_guide,
        content_type: known.content_type,
        content_language: known.content_language,
        r#match: found,
    })
}

/// Whether no node stands exactly where a definition of another place in the order is now.
fn is_in_order(nodes: &[&Node], namesakes: &[&Symbol]) -> bool {
    let mut pairs = nodes.iter().enumerate();
    pairs.all(|(at, node)| {
        let elsewhere = namesakes
            .iter()
            .position(|symbol| stands_there(node, symbol));
        elsewhere.is_none_or(|place| place == at)
    })
}

fn stands_there(node: &Node, symbol: &Symbol) -> bool {
    let starts = node.start_line == Some(wire(symbol.start_line))
        || node.start_line == Some(wire(symbol.decorated_start_line));
    starts && node.end_line.is_none_or(|end| end == wire(symbol.end_line))
}
