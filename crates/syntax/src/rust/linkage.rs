//! Marks the functions that a linker joins with those of C.

use super::builder::FactsBuilder;
use super::kinds::Kind;
use crate::facts::{EXPORTED, IMPORTED, Value};
use crate::tree::NodeIndex;

impl FactsBuilder<'_> {
    /// Marks the last definition if it is `#[no_mangle] extern "C" fn a`, or a function that a
    /// block `extern "C"` declares.
    pub(super) fn mark_linkage(&mut self, node: NodeIndex, name: NodeIndex) {
        let tree = self.tree;
        let (start, name_start) = (tree.node(node).start, tree.node(name).start);
        let block = tree.parent(tree.parent(node));
        let is_imported = tree.kind(block) == Kind::ForeignMod;
        let head = if is_imported {
            tree.slice(tree.node(block).start, start)
        } else {
            tree.slice(start, name_start)
        };
        if !is_foreign(head) {
            return;
        }
        let mut symbols = self
            .attributes_before(node)
            .into_iter()
            .filter_map(|(_, attribute)| symbol_of(attribute));
        let symbol = symbols.next();
        let (mark, symbol) = match (is_imported, symbol) {
            (true, Some(Symbol::Named(symbol))) => (IMPORTED, symbol),
            (true, _) => (IMPORTED, tree.text(name)),
            (false, Some(Symbol::Named(symbol))) => (EXPORTED, symbol),
            (false, Some(Symbol::Own)) => (EXPORTED, tree.text(name)),
            (false, None) => return,
        };
        let path = self.writer.names.intern(format!("{mark}{symbol}"));
        let is_called = false;
        if let Some(definition) = self.writer.facts.definitions.last_mut() {
            definition.decorators.push(Value { path, is_called });
        }
    }
}

/// Reports whether the words before a function, or those before a block, name another ABI than
/// Rust's.
fn is_foreign(head: &str) -> bool {
    let block = head.find('{').unwrap_or(head.len());
    let head = head.get(..block).unwrap_or_default();
    let mut words = head.split_whitespace();
    let is_extern = |word: &str| word == "extern" || word.starts_with("extern\"");
    words.any(is_extern) && !head.contains("\"Rust\"")
}

/// The name of a function for the linker.
enum Symbol<'t> {
    /// That of the function.
    Own,
    /// Another one.
    Named(&'t str),
}

/// Returns the name that an attribute gives to a function: `#[no_mangle]`, `#[export_name = "a"]`.
fn symbol_of(attribute: &str) -> Option<Symbol<'_>> {
    let inside = attribute.trim_start_matches(['#', '[', ' ']);
    let inside = inside.strip_prefix("unsafe").unwrap_or(inside);
    let inside = inside.trim_start_matches(['(', ' ']);
    if inside.starts_with("no_mangle") {
        return Some(Symbol::Own);
    }
    let names = ["export_name", "link_name"];
    let value = names.iter().find_map(|name| inside.strip_prefix(name))?;
    let quoted = value.trim_start().strip_prefix('=')?.trim_start();
    let symbol = quoted.strip_prefix('"')?.split('"').next()?;
    Some(Symbol::Named(symbol))
}
