//! Reads types and expressions as values: `A` is a class, `new A` an instance, `$a->b` a field and
//! `$a->b()` the result of a method.
//!
//! A qualified name is one name of a path: `\a\B`. Without `\` at its start it is relative to the
//! namespace of the file.

use super::doc_comments::DocComment;
use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{FIELD, METHOD};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from an expression or type to its innermost name.
pub(super) const MAX_STEPS: usize = 24;

/// The maximum number of elements of an array whose values are known one by one.
const MAX_PARTS: usize = 8;

/// The maximum number of expressions of which one is the value of another.
const MAX_ALTERNATIVES: usize = 16;

impl<'t> FlatTree<'t> {
    /// Returns the classes of which something of a type may be an instance.
    pub(super) fn type_values(&self, node: NodeIndex) -> Vec<ValueText> {
        let end = self.subtree_end(node).max(node + 1);
        let named = (node..end).filter(|one| self.kind(*one) == Kind::NamedType);
        let values = named.filter_map(|one| {
            let name = self.operands(one).next()?;
            ValueText::call(self.class_path(name)?).within_limit()
        });
        let values: Vec<ValueText> = values.collect();
        if values.is_empty() {
            return vec![literal_value()];
        }
        values
    }

    /// Returns the values of a declaration with a type, by its documentation if that names classes.
    pub(super) fn declared_values(
        &self,
        documented: Option<Vec<ValueText>>,
        of: Option<NodeIndex>,
    ) -> Vec<ValueText> {
        match (documented.unwrap_or_default(), of) {
            (values, Some(of)) if values.is_empty() => self.type_values(of),
            (values, _) => values,
        }
    }

    /// Returns the documentation comment before a node.
    pub(super) fn doc_comment(&self, node: NodeIndex) -> Option<DocComment<'t>> {
        let class = self.parent(self.parent(node));
        let of_class = self.comment_before(class);
        let of_class = of_class.filter(|_| self.kind(class) == Kind::TypeDeclaration);
        Some(self.comment_before(node)?.in_class(of_class))
    }

    fn comment_before(&self, node: NodeIndex) -> Option<DocComment<'t>> {
        let before = node.checked_sub(1)?;
        let is_comment = self.kind(before) == Kind::Comment;
        is_comment.then(|| DocComment::new(self.text(before)))?
    }

    /// Returns the path of a class by its name: `A`, `a\B`, `\a\B` or `self`.
    pub(super) fn class_path(&self, node: NodeIndex) -> Option<String> {
        let is_name = matches!(
            self.kind(node),
            Kind::Name | Kind::QualifiedName | Kind::RelativeScope
        );
        let text = self.text(node);
        (is_name && !text.contains(['.', ' ', '\n'])).then(|| text.to_owned())
    }

    /// Returns the value of an expression, or `None` if it is not known.
    pub(super) fn value_text(&self, node: NodeIndex) -> Option<ValueText> {
        self.value_within(node, MAX_STEPS)?.within_limit()
    }

    pub(super) fn value_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let of = |field: Field| self.value_within(self.child(node, field)?, steps);
        let name = || Some(self.text(self.child(node, Field::Name)?));
        match self.kind(node) {
            Kind::Variable => Some(ValueText::name(self.text(node))),
            Kind::Name | Kind::QualifiedName | Kind::RelativeScope => {
                Some(ValueText::name(self.class_path(node)?))
            }
            Kind::MemberAccess => of(Field::Object)?.member(&format!("{FIELD}{}", name()?)),
            Kind::ScopedProperty => {
                let name = name()?.trim_start_matches('$');
                of(Field::Scope)?.member(&format!("{FIELD}{name}"))
            }
            Kind::MemberCall => of(Field::Object)?.member(name()?)?.called(),
            Kind::ScopedCall => of(Field::Scope)?.member(name()?)?.called(),
            Kind::ConstantAccess => {
                let class = self.operands(node).next()?;
                let name = self.operands(node).nth(1)?;
                let class = self.value_within(class, steps)?;
                match self.text(name) {
                    // The name of a class stands for the class.
                    "class" => Some(class),
                    name => class.member(name),
                }
            }
            Kind::FunctionCall => {
                if let Some(value) = self.array_result(node, steps) {
                    return Some(value);
                }
                let function = self.child(node, Field::Function)?;
                match self.class_path(function) {
                    Some(path) => Some(ValueText::call(format!("{METHOD}{path}"))),
                    None => self.value_within(function, steps)?.called(),
                }
            }
            Kind::Subscript => {
                let of = self.value_within(self.operands(node).next()?, steps)?;
                let index = self.operands(node).nth(1).map_or("", |one| self.text(one));
                match index.parse() {
                    Ok(index) => part(of, index),
                    Err(_) if of.is_tuple() => None,
                    Err(_) => of.element(),
                }
            }
            Kind::ArrayCreation => self.array_value(node, steps),
            Kind::Creation => {
                let contained = self.contained_value(node, steps);
                contained.or_else(|| self.created_value(node, steps))
            }
            Kind::ArrowFunction | Kind::Closure => {
                Some(self.result_of(node, steps)?.into_function())
            }
            Kind::Parenthesized | Kind::Wrapped => {
                self.value_within(self.operands(node).next()?, steps)
            }
            Kind::Assignment => of(Field::Right),
            Kind::Binary | Kind::Branch | Kind::Match => {
                let all = self.alternatives(node);
                match &all[..] {
                    [only] => self.value_within(*only, steps),
                    [_, ..] if self.is_chosen_receiver(node) => Some(ValueText::choice(node)),
                    _ => None,
                }
            }
            Kind::Literal | Kind::String => Some(literal_value()),
            _ => None,
        }
    }
}

/// Returns the value of an array at an index.
pub(super) fn part(of: ValueText, index: usize) -> Option<ValueText> {
    if of.is_tuple() {
        return of.part(index, "");
    }
    if of.is_container() {
        return of.element();
    }
    Some(ValueText::name(format!("{}[{index}]", of.into_path())))
}

impl FlatTree<'_> {
    /// Returns the value of `[a, b]`: a sequence, if all elements have the same value. Otherwise it
    /// is a tuple, if they have no keys.
    fn array_value(&self, array: NodeIndex, steps: usize) -> Option<ValueText> {
        let elements: Vec<NodeIndex> = self.operands(array).take(MAX_PARTS + 1).collect();
        if elements.iter().any(|one| self.is_spread(*one)) {
            return Some(ValueText::choice(array));
        }
        let has_keys = |element: &NodeIndex| self.operands(*element).count() > 1;
        let is_keyed = elements.iter().any(has_keys);
        let values = elements.iter().map(|element| {
            let value = self.operands(*element).last()?;
            self.value_within(value, steps)
        });
        let values: Vec<Option<ValueText>> = values.collect();
        let common = values.first()?.clone();
        let are_equal = values.iter().all(|value| *value == common);
        if are_equal || elements.len() > MAX_PARTS {
            return common.filter(|_| are_equal).map(ValueText::into_sequence);
        }
        let is_known = |value: &&ValueText| !is_plain(value);
        let mut known = values.iter().flatten().filter(is_known);
        let only = known.next()?.clone();
        if is_keyed {
            // Only one element may be of a class, so that it is the one that is used as such.
            let is_only = values.iter().all(Option::is_some) && known.next().is_none();
            return is_only.then(|| only.into_sequence());
        }
        let parts = values.into_iter();
        let parts = parts.map(|value| value.map_or(String::new(), ValueText::into_path));
        let parts: Vec<String> = parts.collect();
        ValueText::name(format!("({})", parts.join(","))).within_limit()
    }
}

impl FlatTree<'_> {
    fn is_spread(&self, element: NodeIndex) -> bool {
        self.text(element).starts_with("...")
    }

    /// Returns the arrays whose elements `[...a, b]` has.
    pub(super) fn spread_values(&self, array: NodeIndex) -> Vec<Option<ValueText>> {
        let elements: Vec<NodeIndex> = self.operands(array).take(MAX_PARTS).collect();
        if !elements.iter().any(|one| self.is_spread(*one)) {
            return Vec::new();
        }
        let values = elements.into_iter().map(|element| {
            let value = self.operands(element).last()?;
            if !self.is_spread(element) {
                return Some(self.value_text(value)?.into_sequence());
            }
            let array = self.value_text(self.operands(value).last()?)?;
            Some(array).filter(|array| !array.is_tuple())
        });
        values.collect()
    }

    /// Reports whether the innermost function around a node is an arrow function.
    pub(super) fn is_in_arrow_function(&self, node: NodeIndex) -> bool {
        let around = std::iter::successors(Some(node), |one| {
            let parent = self.parent(*one);
            (parent != *one).then_some(parent)
        });
        let mut functions = around.map(|one| self.kind(one)).filter(|kind| {
            matches!(
                kind,
                Kind::ArrowFunction | Kind::Closure | Kind::Function | Kind::Method
            )
        });
        functions.next() == Some(Kind::ArrowFunction)
    }

    /// Returns the instance that `new A`, `new $a` or `new class extends A { … }` creates.
    fn created_value(&self, creation: NodeIndex, steps: usize) -> Option<ValueText> {
        let class = self.operands(creation).next()?;
        if let Some(path) = self.class_path(class) {
            return Some(ValueText::call(path));
        }
        if self.kind(class) != Kind::AnonymousClass {
            return self.value_within(class, steps)?.called();
        }
        let mut clauses = self.operands(class);
        let base = clauses.find(|one| self.kind(*one) == Kind::BaseClause)?;
        let base = self.operands(base).next()?;
        // Its own methods may override those of the base.
        let mut inside = class..self.subtree_end(class);
        if inside.any(|one| self.kind(one) == Kind::Method) {
            return None;
        }
        Some(ValueText::call(self.class_path(base)?))
    }

    /// Reports whether a member is one of a choice: `($a ?? $b)->c()`.
    pub(super) fn is_chosen_receiver(&self, choice: NodeIndex) -> bool {
        let is_choice = matches!(self.kind(choice), Kind::Binary | Kind::Branch | Kind::Match);
        let mut node = choice;
        while self.kind(self.parent(node)) == Kind::Parenthesized {
            node = self.parent(node);
        }
        is_choice && self.node(node).field == Field::Object
    }

    /// Returns the expressions of which one is the value of an expression: `a`, `b` and `c` of
    /// `a ?? (b ?: c)`, and the arms of a `match`. One that is `null` or throws is none. There are
    /// none for another operator.
    pub(super) fn alternatives(&self, node: NodeIndex) -> Vec<NodeIndex> {
        let mut found = Vec::new();
        let mut ahead = vec![node];
        while let Some(one) = ahead.pop() {
            if found.len() + ahead.len() > MAX_ALTERNATIVES {
                return Vec::new();
            }
            match self.branches(one) {
                Some(branches) => ahead.extend(branches.into_iter().rev()),
                None if self.is_value(one) => found.push(one),
                None => {}
            }
        }
        found
    }

    /// Reports whether an expression has a value that may be of a class.
    fn is_value(&self, node: NodeIndex) -> bool {
        let kind = self.kind(node);
        !matches!(kind, Kind::Literal | Kind::Binary) && !self.text(node).starts_with("throw ")
    }

    /// Returns the branches of an expression, or `None` if it has none.
    fn branches(&self, node: NodeIndex) -> Option<Vec<NodeIndex>> {
        let mut operands = self.operands(node);
        match self.kind(node) {
            Kind::Binary => {
                let left = self.child(node, Field::Left)?;
                let right = self.child(node, Field::Right)?;
                let operator = self.slice(self.node(left).end, self.node(right).start);
                (operator.trim() == "??").then(|| vec![left, right])
            }
            // The first of three operands is the condition.
            Kind::Branch => {
                let conditions = usize::from(self.operands(node).count() > 2);
                Some(operands.skip(conditions).collect())
            }
            Kind::Match => {
                let block = operands.find(|one| self.kind(*one) == Kind::MatchBlock)?;
                let arms = self.operands(block);
                Some(arms.filter_map(|arm| self.operands(arm).last()).collect())
            }
            Kind::Parenthesized => Some(operands.take(1).collect()),
            _ => None,
        }
    }
}

/// Reports whether no class of the repository has a value.
pub(super) fn is_plain(value: &ValueText) -> bool {
    *value == literal_value()
}

/// Returns a value that no class of the repository has.
fn literal_value() -> ValueText {
    ValueText::call("\\stdClass")
}
