//! Reads the attribute `cfg`, under which an item is compiled, and the branches of `cfg_if!` and
//! `cfg_select!`.

use std::ops::Range;

use tree_sitter::Node;

use super::attributes::{self, Attribute, opposite};
use super::macros_of_code;
use crate::conditions_writer::{ConditionRange, ConditionsWriter};
use crate::facts::Conditions;
use crate::syntax_tree::SyntaxTree;

/// The name of the attribute.
const CFG: &[u8] = b"cfg";

/// The nodes that contain their own attributes. Those of others stand before them.
const WITH_ATTRIBUTES: [&str; 3] = [
    "field_initializer",
    "match_arm",
    "shorthand_field_initializer",
];

/// The children of a node that are being visited.
struct Level {
    /// The bytes of the node.
    range: Range<usize>,
    has_attributes: bool,
    /// The conditions of the next child, with the offsets of their attributes.
    pending: Vec<(usize, u32)>,
    /// The conditions of the files of the next child, which is `mod a;`.
    paths: Vec<PathCondition>,
}

/// The condition of a file of `mod a;`: `unix` of `#[cfg_attr(unix, path = "b.rs")]`.
struct PathCondition {
    /// The offset of its attribute.
    start: usize,
    /// The bytes of the path.
    path: Range<usize>,
    text: u32,
    /// The index of the opposite of the condition.
    opposite: u32,
}

/// Returns the conditions under which the items of a text are compiled.
///
/// It enters only the nodes that contain the name of the attribute.
pub(super) fn conditions(tree: &SyntaxTree, text: &str) -> Conditions {
    let mut writer = ConditionsWriter::default();
    let places: Vec<usize> = memchr::memmem::find_iter(text.as_bytes(), CFG).collect();
    let has_place = |range: &Range<usize>| {
        let next = places.partition_point(|place| *place < range.start);
        places.get(next).is_some_and(|place| *place < range.end)
    };
    let mut cursor = tree.walk();
    let mut levels = vec![Level {
        range: 0..text.len(),
        has_attributes: false,
        pending: Vec::new(),
        paths: Vec::new(),
    }];
    if places.is_empty() || !cursor.goto_first_child() {
        return Conditions::default();
    }
    add_branches(text, &mut writer);
    while let Some(level) = levels.last_mut() {
        let node = cursor.node();
        level.visit(node, text, &mut writer);
        if has_place(&node.byte_range()) && cursor.goto_first_child() {
            levels.push(Level::of(node));
            continue;
        }
        while !cursor.goto_next_sibling() {
            levels.pop();
            if !cursor.goto_parent() || levels.is_empty() {
                return writer.finish(text);
            }
        }
    }
    writer.finish(text)
}

/// Adds the conditions of the branches of `cfg_if!` and `cfg_select!`, and of the items of macros
/// with an attribute before them.
fn add_branches(text: &str, writer: &mut ConditionsWriter) {
    if memchr::memmem::find(text.as_bytes(), b"cfg").is_none() {
        return;
    }
    let branches = macros_of_code::expand(text).map(|expanded| expanded.branches);
    for branch in branches.into_iter().flatten() {
        for predicate in &branch.predicates {
            let text = writer.intern(predicate);
            writer.add(range_of(branch.range.clone(), text));
        }
    }
}

fn range_of(range: Range<usize>, text: u32) -> ConditionRange {
    ConditionRange {
        start: range.start,
        end: range.end,
        text,
        is_negated: false,
    }
}

impl Level {
    fn of(node: Node<'_>) -> Self {
        Self {
            range: node.byte_range(),
            has_attributes: WITH_ATTRIBUTES.contains(&node.kind()),
            pending: Vec::new(),
            paths: Vec::new(),
        }
    }

    /// Notes the conditions of an attribute, or adds the conditions before any other child.
    fn visit(&mut self, child: Node<'_>, text: &str, writer: &mut ConditionsWriter) {
        let range = match child.kind() {
            "line_comment" | "block_comment" => return,
            "attribute_item" => {
                self.read(child.start_byte(), child, text, writer);
                if !self.has_attributes {
                    return;
                }
                self.range.clone()
            }
            "inner_attribute_item" => {
                self.read(self.range.start, child, text, writer);
                self.range.clone()
            }
            _ => child.byte_range(),
        };
        let paths = std::mem::take(&mut self.paths);
        let is_file = child.kind() == "mod_item" && child.child_by_field_name("body").is_none();
        let paths = if is_file { paths } else { Vec::new() };
        let first = paths.iter().map(|path| path.start).min();
        for (start, condition) in self.pending.drain(..) {
            let start = start.min(first.unwrap_or(start)).min(range.start);
            writer.add(range_of(start..range.end, condition));
        }
        let name = child.child_by_field_name("name");
        let after = name.map_or(range.end, |name| name.end_byte());
        for path in paths {
            writer.add(range_of(path.path, path.text));
            // The place after the name stands for the file that the name leads to.
            writer.add(range_of(after..range.end, path.opposite));
        }
    }

    /// Reads an attribute, whose conditions hold from an offset on.
    fn read(&mut self, start: usize, node: Node<'_>, text: &str, writer: &mut ConditionsWriter) {
        let attribute = text.get(node.byte_range()).unwrap_or_default();
        for one in attributes::read(attribute) {
            match (one.predicate, one.attribute) {
                (None, Attribute::Cfg(inside)) => {
                    self.pending.push((start, writer.intern(inside)));
                }
                (Some(predicate), Attribute::Cfg(inside)) => {
                    let either = format!("any({}, {inside})", opposite(predicate));
                    self.pending.push((start, writer.intern(&either)));
                }
                (Some(predicate), Attribute::Path(path)) => {
                    let Some(at) = attribute.find(&format!("\"{path}\"")) else {
                        continue;
                    };
                    let at = node.start_byte() + at + 1;
                    self.paths.push(PathCondition {
                        start,
                        path: at..at + path.len(),
                        text: writer.intern(predicate),
                        opposite: writer.intern(&opposite(predicate)),
                    });
                }
                (None, Attribute::Path(_)) => {}
            }
        }
    }
}
