//! Operations on objects, tuples of values, types that `decltype` reads from a value, and types
//! whose template arguments a constructor tells.
//!
//! Each is a fact of its own. A value refers to it by the number of its node.

use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::values::MAX_STEPS;
use crate::facts::{OPERATION, ScopeId, TypeShape};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The operators whose functions give values. `*` is left out, since a class may have it for one
/// operand.
const OPERATORS: [&str; 5] = ["%", "+", "-", "/", "|"];

impl FlatTree<'_> {
    /// Returns what an operation gives, if a class may define that and code reads it.
    pub(super) fn operation_value(&self, binary: NodeIndex, steps: usize) -> Option<ValueText> {
        self.operator(binary)
            .filter(|_| self.is_operation_read(binary))?;
        self.value_within(self.child(binary, Field::Left)?, steps)?;
        Some(ValueText::numbered(binary))
    }

    /// Returns the arguments of the constructor that a declarator calls: `b` of `T a(b)`, which the
    /// grammar reads as a function with a parameter of type `b`, and of `T a{b}`.
    fn constructor_arguments(&self, declarator: NodeIndex) -> Vec<Option<ValueText>> {
        let name = |parameter: NodeIndex| {
            let of = self.child(parameter, Field::Type)?;
            let is_name = self.kind(of) == Kind::TypeIdentifier
                && self.child(parameter, Field::Declarator).is_none();
            is_name.then(|| ValueText::name(self.text(of)))
        };
        if self.kind(declarator) == Kind::FunctionDeclarator {
            let list = self.child(declarator, Field::Parameters);
            let list = list.into_iter().flat_map(|list| self.operands(list));
            return list.map(name).collect();
        }
        let list = self.child(declarator, Field::Value);
        let list = list.filter(|list| self.kind(*list) == Kind::ArgumentList);
        let list = list.into_iter().flat_map(|list| self.operands(list));
        list.map(|one| self.value_text(one)).collect()
    }

    fn is_operation_read(&self, binary: NodeIndex) -> bool {
        let mut whole = binary;
        for _ in 0..MAX_STEPS {
            let around = self.parent(whole);
            if !matches!(self.kind(around), Kind::Binary | Kind::Parenthesized) {
                return self.is_result_read(whole);
            }
            whole = around;
        }
        false
    }

    fn operator(&self, binary: NodeIndex) -> Option<&'static str> {
        let mut children = self.children(binary);
        children.find_map(|child| {
            let mut operators = OPERATORS.into_iter();
            operators.find(|one| self.kind(child) == Kind::Token && self.text(child) == *one)
        })
    }
}

impl FactsBuilder<'_> {
    /// Adds `a + b` as a call of the operator with its operands.
    pub(super) fn add_operation(&mut self, binary: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if self.is_c() || tree.value_text(binary).is_none() {
            return;
        }
        let Some(operator) = tree.operator(binary) else {
            return;
        };
        let of = ValueText::name(format!("{OPERATION}{operator}"));
        let operands = [Field::Left, Field::Right];
        let operands = operands.map(|field| tree.value_text(tree.child(binary, field)?));
        self.writer
            .add_inferring_call(binary, scope, Some(of), operands.into_iter());
    }

    /// Adds `std::make_pair(a, b)` as a tuple of its arguments.
    pub(super) fn add_group(&mut self, call: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        if !tree.is_grouping(call) {
            return;
        }
        let parts = tree.arguments(call).map(|one| {
            let value = tree.value_text(one);
            self.writer.intern_value(value)
        });
        let shape = TypeShape::Tuple(parts.collect());
        self.writer.add_type(call, scope, shape);
    }

    /// Adds `T a(b)` as a call of `T`, whose arguments may tell those of the template `T`, and
    /// returns what that gives. Returns `None` if they cannot.
    pub(super) fn add_construction(
        &mut self,
        declarator: NodeIndex,
        (of, scope): (Option<&ValueText>, ScopeId),
    ) -> Option<ValueText> {
        let is_own = |of: &&ValueText| !of.is_numbered() && !of.path.starts_with("std.");
        let of = of.filter(|of| of.is_called).filter(is_own)?;
        let declared = self.tree.declared(declarator)?;
        // The name of the variable would hide that of the type.
        let is_hidden = self.tree.text(declared.name) == of.path;
        let arguments = self.tree.constructor_arguments(declarator);
        let arguments = Some(arguments).filter(|_| !is_hidden)?;
        arguments.iter().flatten().next()?;
        let of = Some(ValueText::name(of.path.clone()));
        self.writer
            .add_inferring_call(declarator, scope, of, arguments.into_iter());
        Some(ValueText::numbered(declarator))
    }

    /// Adds `decltype(a)` as the type of the value.
    pub(super) fn add_decltype(&mut self, node: NodeIndex, scope: ScopeId) {
        let tree = self.tree;
        let of = tree.operands(node).next();
        let of = of.and_then(|of| tree.value_text(of));
        if let Some(of) = self.writer.intern_value(of) {
            self.writer.add_type(node, scope, TypeShape::InstanceOf(of));
        }
    }
}
