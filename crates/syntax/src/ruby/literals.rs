//! The values of literals: what an array or a hash contains, and instances of the classes of Ruby.
//!
//! <https://docs.ruby-lang.org/en/master/syntax/literals_rdoc.html>

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::TOP_LEVEL;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of parts of an array whose values are known one by one.
pub(super) const MAX_PARTS: usize = 8;

impl FlatTree<'_> {
    /// Returns the value of an array: a sequence, if all parts have the same value, or else a
    /// tuple. If no part is of a class that may be one of the repository, it is a plain array.
    pub(super) fn array_value(
        &self,
        array: NodeIndex,
        of: impl Fn(NodeIndex) -> Option<ValueText>,
    ) -> Option<ValueText> {
        let parts: Vec<NodeIndex> = self.operands(array).take(MAX_PARTS + 1).collect();
        if let [only] = parts[..]
            && self.kind(only) == Kind::Splat
        {
            let container = of(self.operands(only).next()?)?;
            return Some(container.into_slice());
        }
        let is_splat = |part: &NodeIndex| self.text(*part).starts_with('*');
        if parts.iter().any(is_splat) {
            return instance_of("Array");
        }
        let values: Vec<Option<ValueText>> = parts.into_iter().map(of).collect();
        let known = || values.iter().flatten().filter(|value| !is_builtin(value));
        if values.len() > MAX_PARTS || known().next().is_none() {
            return instance_of("Array");
        }
        let first = values.first()?.clone();
        if values.iter().all(|value| *value == first) {
            return Some(first?.into_sequence());
        }
        if values.iter().flatten().any(ValueText::is_literal) {
            return instance_of("Array");
        }
        let parts = values.into_iter();
        let parts = parts.map(|part| part.map_or(String::new(), ValueText::into_path));
        let parts = parts.collect::<Vec<_>>().join(",");
        let tuple = ValueText::name(format!("({parts})")).within_limit();
        tuple.or_else(|| instance_of("Array"))
    }

    /// Returns the value of a hash: a mapping, if all values of its keys are the same.
    pub(super) fn hash_value(
        &self,
        hash: NodeIndex,
        of: impl Fn(NodeIndex) -> Option<ValueText>,
    ) -> Option<ValueText> {
        let pairs = self.operands(hash).take(MAX_PARTS + 1);
        let values = pairs.map(|pair| {
            let is_pair = self.kind(pair) == Kind::Pair;
            is_pair.then(|| of(self.child(pair, Field::Value)?))?
        });
        let values: Vec<Option<ValueText>> = values.collect();
        let first = values.first().cloned().flatten();
        let is_common = values.len() <= MAX_PARTS && values.iter().all(|value| *value == first);
        match first.filter(|first| is_common && !is_builtin(first)) {
            Some(first) => Some(first.into_mapping()),
            None => instance_of("Hash"),
        }
    }

    /// Returns the value of `a[0]`.
    pub(super) fn element_value(
        &self,
        reference: NodeIndex,
        object: ValueText,
    ) -> Option<ValueText> {
        let indices = || self.operands(reference).skip(1);
        let text = indices().next().map_or("", |index| self.text(index));
        if text.contains("..") || indices().count() > 1 {
            return (!object.is_literal() || object.is_container()).then(|| object.into_slice());
        }
        match text.parse::<usize>().ok() {
            _ if object.is_container() => object.element(),
            Some(index) if object.is_literal() => object.part(index, ""),
            None if object.is_literal() => None,
            Some(index) => Some(ValueText::name(format!("{}[{index}]", object.into_path()))),
            None => object.element(),
        }
    }

    /// Returns the result of a method of an array or hash literal, by the class of the literal.
    pub(super) fn literal_result(&self, literal: NodeIndex, name: &str) -> Option<ValueText> {
        let class = match self.kind(literal) {
            Kind::Hash => "Hash",
            _ => "Array",
        };
        instance_of(class)?.member(name)?.called()
    }
}

/// Reports whether the path of a value is that of an array, a hash or a set.
pub(super) fn is_container(path: &str, is_called: bool) -> bool {
    let class = top_level_class(path).unwrap_or(path);
    let is_instance = matches!(class, "Array" | "Hash" | "Set");
    path.starts_with(['[', '{', '(']) || (is_called && is_instance)
}

/// Reports whether a value is an instance of a class of Ruby.
pub(super) fn is_builtin(value: &ValueText) -> bool {
    let class = top_level_class(&value.path);
    value.is_called
        && (value.path == ANY_OBJECT || matches!(class, Some("Array" | "Hash" | "String")))
}

/// Returns the name of a class at the top level: `Array` of `::Array`.
fn top_level_class(path: &str) -> Option<&str> {
    path.strip_prefix(TOP_LEVEL)?.strip_prefix('.')
}

/// The class of all objects.
pub(super) const ANY_OBJECT: &str = "BasicObject";

/// Returns the value of an instance of a class of Ruby.
pub(super) fn instance_of(class: &str) -> Option<ValueText> {
    ValueText::name(TOP_LEVEL).member(class)?.called()
}
