//! The types that functions without annotations and objects get from their place.
//!
//! In `a.each((item) => …)`, `item` is what the first parameter of `each` declares for its own
//! first parameter: the path `a.each;0;0`. In `const a: A = { b }`, `b` is also the member of `A`.

use super::annotations::type_number;
use super::builder::FactsBuilder;
use super::kinds::{Field, FlatTree, Kind};
use super::value_text::ValueText;
use crate::facts::{PARAMETER, Receiver, ReferenceKind, ScopeId, Value};
use crate::tree::NodeIndex;

/// The maximum number of nodes from a function to the declaration that gives its type.
pub(super) const MAX_STEPS: usize = 48;

/// The number of parameters or arguments that have such types.
const MAX_INDEX: usize = 32;

/// The maximum length of the path of a type, in bytes.
const MAX_PATH: usize = 200;

impl FactsBuilder<'_, '_> {
    /// Returns the type of a parameter without an annotation, from the place of its function.
    pub(super) fn contextual_value(&mut self, parameter: NodeIndex) -> Option<Value> {
        if !self.is_typed {
            return None;
        }
        let path = self.tree.parameter_context(parameter)?;
        let path = self.intern(path);
        let is_called = false;
        Some(Value { path, is_called })
    }

    /// Refers to the members of the type that an object gets from its place, at the names of its
    /// properties.
    pub(super) fn refer_to_keys(&mut self, object: NodeIndex, scope: ScopeId) {
        if !self.is_typed {
            return;
        }
        let tree = self.tree;
        let Some(of) = tree.contextual_path(object, MAX_STEPS) else {
            return;
        };
        for property in tree.operands(object) {
            let name = match tree.kind(property) {
                Kind::Pair => tree.child(property, Field::Key),
                Kind::Method => tree.child(property, Field::Name),
                Kind::Shorthand => Some(property),
                _ => None,
            };
            let is_name =
                |name: &NodeIndex| matches!(tree.kind(*name), Kind::PropertyName | Kind::Shorthand);
            let Some(name) = name.filter(is_name) else {
                continue;
            };
            let member = format!("{of}.{}", tree.text(name));
            if member.len() <= MAX_PATH {
                let path = self.intern(member);
                let is_called = false;
                let receiver = Receiver::Itself(Value { path, is_called });
                self.add_reference(name, scope, ReferenceKind::Reference, receiver);
            }
        }
    }
}

impl FlatTree<'_> {
    fn parameter_context(&self, parameter: NodeIndex) -> Option<String> {
        let parent = self.parent(parameter);
        let (function, index) = match self.kind(parent) {
            Kind::FormalParameters => {
                let index = self.index_of(parameter)?;
                (self.parent(parent), index)
            }
            _ => (parent, 0),
        };
        let is_expression = matches!(
            self.kind(function),
            Kind::ArrowFunction | Kind::FunctionExpression | Kind::Method
        );
        if !is_expression {
            return None;
        }
        let function = self.contextual_path(function, MAX_STEPS)?;
        let path = format!("{function}{PARAMETER}{index}");
        (path.len() <= MAX_PATH).then_some(path)
    }

    /// Returns the path of the type that is expected of an expression.
    fn contextual_path(&self, node: NodeIndex, steps: usize) -> Option<String> {
        let steps = steps.checked_sub(1)?;
        let parent = self.parent(node);
        let field = self.node(node).field;
        let outer = || self.contextual_path(parent, steps);
        match self.kind(parent) {
            Kind::Parenthesized | Kind::NonNull | Kind::Binary | Kind::Ternary => outer(),
            Kind::As => {
                let target = self.operands(parent).nth(1)?;
                Some(self.annotation_text(target)?.into_path())
            }
            Kind::Arguments => {
                let call = self.parent(parent);
                if self.mapping_from(call) == Some(node) {
                    let array = type_number(self.callee(call)?).into_path();
                    return Some(format!("{array}.map{PARAMETER}0"));
                }
                let index = self.index_of(node)?;
                let callee = self.callee_path(call, steps)?;
                Some(format!("{callee}{PARAMETER}{index}"))
            }
            Kind::Pair if field == Field::Value => {
                let key = self.key(self.child(parent, Field::Key)?)?;
                let object = self.contextual_path(self.parent(parent), steps)?;
                Some(format!("{object}.{key}"))
            }
            Kind::Object if self.kind(node) == Kind::Method => {
                let key = self.key(self.child(node, Field::Name)?)?;
                Some(format!("{}.{key}", outer()?))
            }
            Kind::VariableDeclarator | Kind::FieldDefinition | Kind::Parameter
                if field == Field::Value =>
            {
                Some(self.declared_text(parent)?.into_path())
            }
            Kind::Assignment | Kind::AugmentedAssignment if field == Field::Right => {
                let left = self.child(parent, Field::Left)?;
                Some(self.typed_text(left)?.into_path())
            }
            Kind::Array => Some(format!("{}[]", outer()?)),
            Kind::Return => self.result_context(self.enclosing_function(parent)?, steps),
            Kind::ArrowFunction if field == Field::Body => self.result_context(parent, steps),
            _ => None,
        }
    }

    /// Returns the path of the type that is expected of the result of a function.
    fn result_context(&self, function: NodeIndex, steps: usize) -> Option<String> {
        if let Some(declared) = self.child(function, Field::ReturnType) {
            return Some(self.annotation_text(declared)?.into_path());
        }
        let function = self.contextual_path(function, steps)?;
        Some(format!("{function}()"))
    }

    /// Returns the path of the declared type that is expected of the result of a call.
    pub(super) fn expected_path(&self, call: NodeIndex, steps: usize) -> Option<String> {
        let is_argument = self.kind(self.parent(call)) == Kind::Arguments;
        if is_argument || self.kind(call) != Kind::Call {
            return None;
        }
        self.contextual_path(call, steps)
    }

    /// Returns the index of a node among its siblings, unless it is large.
    fn index_of(&self, node: NodeIndex) -> Option<usize> {
        let mut siblings = self.operands(self.parent(node)).take(MAX_INDEX);
        siblings.position(|one| one == node)
    }

    fn enclosing_function(&self, node: NodeIndex) -> Option<NodeIndex> {
        let mut inner = node;
        for _ in 0..MAX_STEPS {
            inner = self.parent(inner);
            let is_function = matches!(
                self.kind(inner),
                Kind::ArrowFunction
                    | Kind::FunctionDeclaration
                    | Kind::FunctionExpression
                    | Kind::Method
            );
            if is_function {
                return Some(inner);
            }
        }
        None
    }

    /// Returns the path of a called function or constructed class, with the type arguments that are
    /// written or may be inferred.
    fn callee_path(&self, call: NodeIndex, steps: usize) -> Option<String> {
        if self.type_arguments(call).is_some() {
            return Some(type_number(call).into_path());
        }
        let callee = self.callee(call)?;
        let has_number = matches!(self.kind(callee), Kind::Identifier | Kind::Member);
        let may_infer = || self.may_infer(call) || self.expected_path(call, steps).is_some();
        if has_number && may_infer() {
            return Some(type_number(callee).into_path());
        }
        self.typed_text(callee).map(ValueText::into_path)
    }
}
