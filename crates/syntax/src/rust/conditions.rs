//! Reads the attribute `cfg`, under which an item is compiled.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::conditions_writer::{ConditionRange, ConditionsWriter};
use crate::facts::Conditions;

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
}

/// Returns the conditions under which the items of a text are compiled.
///
/// It enters only the nodes that contain the name of the attribute.
pub(super) fn conditions(tree: &Tree, text: &str) -> Conditions {
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
    }];
    if places.is_empty() || !cursor.goto_first_child() {
        return Conditions::default();
    }
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

impl Level {
    fn of(node: Node<'_>) -> Self {
        Self {
            range: node.byte_range(),
            has_attributes: WITH_ATTRIBUTES.contains(&node.kind()),
            pending: Vec::new(),
        }
    }

    /// Notes the condition of an attribute, or adds the conditions before any other child.
    fn visit(&mut self, child: Node<'_>, text: &str, writer: &mut ConditionsWriter) {
        let predicate = || predicate(text.get(child.byte_range())?);
        let range = match child.kind() {
            "line_comment" | "block_comment" => return,
            "attribute_item" => {
                if let Some(predicate) = predicate() {
                    let condition = writer.intern(predicate);
                    self.pending.push((child.start_byte(), condition));
                }
                if !self.has_attributes {
                    return;
                }
                self.range.clone()
            }
            "inner_attribute_item" => {
                let Some(predicate) = predicate() else {
                    return;
                };
                let condition = writer.intern(predicate);
                self.pending.push((self.range.start, condition));
                self.range.clone()
            }
            _ => child.byte_range(),
        };
        for (start, condition) in self.pending.drain(..) {
            writer.add(ConditionRange {
                start: start.min(range.start),
                end: range.end,
                text: condition,
                is_negated: false,
            });
        }
    }
}

/// Returns the predicate of an attribute: `unix` of `#[cfg(unix)]`.
fn predicate(attribute: &str) -> Option<&str> {
    let inside = attribute.trim_start_matches(['#', '!', '[']).trim();
    let inside = inside.strip_suffix(']')?.trim_end();
    let operand = inside.strip_prefix("cfg")?.trim();
    let predicate = operand.strip_prefix('(')?.strip_suffix(')')?;
    let predicate = predicate.trim();
    let predicate = predicate.strip_suffix(',').unwrap_or(predicate).trim_end();
    (!predicate.is_empty()).then_some(predicate)
}
