//! Expressions as paths with numbered calls and indices: `a.b(3)[0]`.

use crate::ecmascript::builder::FactsBuilder;
use crate::ecmascript::kinds::Kind;
use crate::ecmascript::value_text::MAX_STEPS;
use crate::tree::NodeIndex;

/// The maximum length of a path, in bytes.
pub(super) const MAX_PATH: usize = 160;
/// The maximum length of an index or key that is kept, in bytes.
const MAX_INDEX: usize = 32;

impl FactsBuilder<'_, '_> {
    /// Returns the path of an expression, whose head may be a function or a container.
    pub(super) fn flow_path(&mut self, node: NodeIndex) -> Option<String> {
        let tree = self.tree;
        // The parts of the path, the last one first.
        let mut parts: Vec<String> = Vec::new();
        let mut object = node;
        for _ in 0..MAX_STEPS {
            if let Some(module) = tree.module_value(object) {
                parts.push(module.into_path());
                return join(&parts);
            }
            match tree.kind(object) {
                Kind::Identifier | Kind::This | Kind::Super | Kind::Shorthand => {
                    parts.push(tree.text(object).to_owned());
                    return join(&parts);
                }
                Kind::Member => {
                    let mut operands = tree.operands(object);
                    let inner = operands.next()?;
                    parts.push(format!(".{}", tree.text(operands.last()?)));
                    object = inner;
                }
                Kind::Subscript => {
                    let mut operands = tree.operands(object);
                    let inner = operands.next()?;
                    let index = self.index_suffix(operands.last()?, 0);
                    let is_read = !self.flow.is_target;
                    let any = || (is_read && self.is_filled(inner)).then(|| "[]".to_owned());
                    parts.push(index.or_else(any)?);
                    object = inner;
                }
                Kind::Call | Kind::New => {
                    let known = self.builtin(object).filter(|_| object != node);
                    if let Some(known) = known {
                        parts.push(known);
                        return join(&parts);
                    }
                    let number = self.flow.call_numbers.get(&object);
                    let suffix = number.map_or("()".into(), |number| format!("({number})"));
                    parts.push(suffix);
                    object = tree.callee(object)?;
                }
                Kind::Await | Kind::NonNull | Kind::Parenthesized | Kind::As => {
                    object = tree.operands(object).next()?;
                }
                _ if object == node => return None,
                _ => {
                    let head = self.values_of(object).into_iter().next();
                    parts.push(head?);
                    return join(&parts);
                }
            }
        }
        None
    }

    /// Returns the paths of an element, which has several if its key is a parameter.
    pub(super) fn element_paths(&mut self, subscript: NodeIndex) -> Vec<String> {
        let tree = self.tree;
        let mut operands = tree.operands(subscript);
        let (Some(object), Some(index)) = (operands.next(), operands.last()) else {
            return Vec::new();
        };
        let keys = self
            .bound_key(index)
            .and_then(|key| self.flow.parameter_keys.get(&key));
        match keys.cloned() {
            Some(keys) => {
                let path = self.first_value(object);
                let of = |path: String| {
                    let paths = keys.iter().map(|key| format!("{path}{key}"));
                    paths.collect()
                };
                path.map_or_else(Vec::new, of)
            }
            None => self.flow_path(subscript).into_iter().collect(),
        }
    }

    /// Returns the part of a path for a constant index or key. The variable of a loop may be any
    /// index.
    pub(super) fn index_suffix(&self, index: NodeIndex, depth: usize) -> Option<String> {
        let tree = self.tree;
        let text = tree.text(index);
        if text.len() > MAX_INDEX {
            return None;
        }
        match tree.kind(index) {
            Kind::Identifier if depth < 4 => {
                let key = self.bound_key(index)?;
                if self.flow.loop_variables.contains(&key) {
                    return Some("[]".into());
                }
                self.index_suffix(*self.flow.constants.get(&key)?, depth + 1)
            }
            Kind::String => {
                let content = tree.string_content(index)?;
                key_suffix(content)
            }
            Kind::Parenthesized => self.index_suffix(tree.operands(index).next()?, depth + 1),
            _ => {
                let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                is_number.then(|| format!("[{text}]"))
            }
        }
    }

    /// Returns the part of a path for the key of a property.
    pub(super) fn property_suffix(&self, key: NodeIndex) -> Option<String> {
        let tree = self.tree;
        match tree.kind(key) {
            Kind::ComputedName => self.index_suffix(tree.operands(key).next()?, 0),
            Kind::String => self.index_suffix(key, 0),
            _ => key_suffix(tree.text(key)),
        }
    }

    /// Returns the node of the last name of an expression, whatever is called or subscripted.
    pub(super) fn last_name_node(&self, node: NodeIndex) -> Option<NodeIndex> {
        let tree = self.tree;
        let mut node = node;
        for _ in 0..MAX_STEPS {
            node = match tree.kind(node) {
                Kind::Identifier | Kind::PropertyName | Kind::Shorthand => return Some(node),
                Kind::Member => tree.operands(node).last()?,
                Kind::Call | Kind::New => tree.callee(node)?,
                Kind::Subscript | Kind::Parenthesized | Kind::Await | Kind::NonNull | Kind::As => {
                    tree.operands(node).next()?
                }
                _ => return None,
            };
        }
        None
    }
}

/// Returns the part of a path for a key: `.a`, or `[1]` and `['a b']` for what is no name.
fn key_suffix(key: &str) -> Option<String> {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '#');
    if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(format!("[{key}]"));
    }
    if !key.is_empty() && key.chars().all(is_letter) {
        return Some(format!(".{key}"));
    }
    let is_word = |letter: char| is_letter(letter) || matches!(letter, '-' | ' ');
    (key.len() <= MAX_INDEX && key.chars().all(is_word)).then(|| format!("['{key}']"))
}

fn join(parts: &[String]) -> Option<String> {
    let length: usize = parts.iter().map(String::len).sum();
    (length <= MAX_PATH).then(|| parts.iter().rev().map(String::as_str).collect())
}
