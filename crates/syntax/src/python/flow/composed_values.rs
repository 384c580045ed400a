//! The values of members, elements and calls of any expression: `sorted(a)[0]`, `(a or b).c`.

use crate::python::builder::FactsBuilder;
use crate::python::kinds::{Field, Kind};
use crate::python::value_text::MAX_SEGMENTS;
use crate::python::values::call_suffix;
use crate::tree::NodeIndex;

use super::values::MAX_PATH;

impl FactsBuilder<'_> {
    /// Returns the values of a member, an element or a call.
    pub(super) fn composed_values(&mut self, node: NodeIndex) -> Vec<String> {
        let composed = self.values_from_head(node);
        composed.unwrap_or_else(|| self.path_text(node).into_iter().collect())
    }

    /// Returns the values of a chain of members, elements and calls. Returns `None` if it begins
    /// with a name.
    pub(super) fn values_from_head(&mut self, node: NodeIndex) -> Option<Vec<String>> {
        let (heads, suffix) = self.split_at_head(node)?;
        let paths = heads.into_iter().map(|head| format!("{head}{suffix}"));
        Some(paths.filter(|path| path.len() <= MAX_PATH).collect())
    }

    /// Returns the values of the expression that a chain begins with, and the rest of the chain.
    fn split_at_head(&mut self, node: NodeIndex) -> Option<(Vec<String>, String)> {
        let tree = self.tree;
        // The parts of the chain, the last one first.
        let mut parts: Vec<String> = Vec::new();
        let mut object = node;
        for _ in 0..MAX_SEGMENTS {
            match tree.kind(object) {
                Kind::Identifier => return None,
                Kind::Attribute => {
                    let mut operands = tree.operands(object);
                    let inner = operands.next()?;
                    parts.push(format!(".{}", tree.text(operands.next()?)));
                    object = inner;
                }
                Kind::Subscript => {
                    parts.push(tree.index_suffix(object).into_owned());
                    object = tree.child(object, Field::Value)?;
                }
                Kind::Call => {
                    let results = self.library_results(object);
                    if !results.is_empty() {
                        return Some((results, join(&parts)));
                    }
                    if tree.is_read_as_argument(object) {
                        return None;
                    }
                    parts.push(call_suffix(self.call_numbers.get(&object)).into_owned());
                    object = tree.without_splat(tree.child(object, Field::Function)?)?;
                }
                Kind::ParenthesizedExpression | Kind::Await => {
                    object = tree.operands(object).next()?;
                }
                _ if self.path_text(object).is_some() => return None,
                _ => {
                    let heads = self.values_of(object);
                    return (!heads.is_empty()).then(|| (heads, join(&parts)));
                }
            }
        }
        None
    }
}

/// Joins the parts of a chain, the last one first.
fn join(parts: &[String]) -> String {
    parts.iter().rev().map(String::as_str).collect()
}
