//! Reads expressions as values: `a.b().c` is a path.
//!
//! A property may have the name of its type. Therefore a type has [`TYPE`] before its first name,
//! a name that is called without a receiver has [`METHOD`] before it, and any other name has
//! [`FIELD`]. A call with type arguments is a fact of its own, to which values refer by its number.

use super::MAX_STEPS;
use super::kinds::{Field, FlatTree, Kind};
use super::overloads::type_of_number;
use crate::facts::{ARGUMENTS, FIELD, METHOD, PARAMETER, TYPE};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The number of nodes from the name of a called method to the call.
const MAX_CALLEE: usize = 4;

/// The methods of collections whose result depends on the number of arguments, which their name has
/// if there are several.
const BY_COUNT: [&str; 6] = [
    "Aggregate",
    "GroupBy",
    "SelectMany",
    "ToDictionary",
    "ToLookup",
    "Zip",
];

/// The operators with two operands whose result a type may declare, with their names in metadata.
/// Those that compare have a truth value in practice.
///
/// Source: [ECMA-335], I.10.3.2.
///
/// [ECMA-335]: https://ecma-international.org/publications-and-standards/standards/ecma-335/
const OPERATORS: [(&str, &str); 11] = [
    ("%", "op_Modulus"),
    ("&", "op_BitwiseAnd"),
    ("*", "op_Multiply"),
    ("+", "op_Addition"),
    ("-", "op_Subtraction"),
    ("/", "op_Division"),
    ("<<", "op_LeftShift"),
    (">>", "op_RightShift"),
    (">>>", "op_UnsignedRightShift"),
    ("^", "op_ExclusiveOr"),
    ("|", "op_BitwiseOr"),
];

impl FlatTree<'_> {
    /// Returns the value of an expression, or `None` if it is neither a path nor a value of a known
    /// type.
    pub(super) fn value_text(&self, node: NodeIndex) -> Option<ValueText> {
        self.value_within(node, MAX_STEPS)?.within_limit()
    }

    pub(super) fn value_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let of = |field: Field| self.value_within(self.child(node, field)?, steps);
        let first = || self.value_within(self.operands(node).next()?, steps);
        match self.kind(node) {
            Kind::Identifier => Some(ValueText::name(format!("{FIELD}{}", self.plain(node)))),
            Kind::Token if matches!(self.text(node), "this" | "base") => {
                Some(ValueText::name(self.text(node)))
            }
            // A member of `int` or `List<A>` belongs to the library.
            Kind::PredefinedType => Some(ValueText::name(format!("{TYPE}{}", self.text(node)))),
            Kind::Generic => Some(ValueText::name(self.type_path(node)?)),
            Kind::AliasQualified => {
                let name = self.child(node, Field::Name)?;
                Some(ValueText::name(self.type_path(name)?))
            }
            Kind::MemberAccess => {
                let of = self.receiver_within(self.child(node, Field::Expression)?, steps)?;
                self.value_member(of, self.child(node, Field::Name)?)
            }
            Kind::ConditionalAccess => {
                let of = self.receiver_within(self.child(node, Field::Condition)?, steps)?;
                let binding = self.operands(node).last()?;
                self.bound_value(of, binding)
            }
            Kind::Invocation => self.call_value(node, steps),
            Kind::Creation | Kind::Cast | Kind::Default => {
                self.type_within(self.child(node, Field::Type)?, steps)
            }
            Kind::As => self.type_within(self.child(node, Field::Right)?, steps),
            Kind::ArrayCreation => self.type_within(self.child(node, Field::Type)?, steps),
            Kind::ElementAccess if self.is_range(node) => of(Field::Expression),
            Kind::ElementAccess => of(Field::Expression)?.element(),
            Kind::ImplicitArray => {
                let first = self.operands(self.operands(node).last()?).next()?;
                Some(self.value_within(first, steps)?.into_sequence())
            }
            Kind::SwitchExpression => self.operands(node).skip(1).find_map(|arm| {
                let value = self.value_within(self.operands(arm).last()?, steps)?;
                // A variable may be one of the pattern.
                value.path.starts_with(TYPE).then_some(value)
            }),
            Kind::Await => first()?.element(),
            Kind::Parenthesized | Kind::PostfixUnary | Kind::With => first(),
            Kind::Assignment => of(Field::Right),
            Kind::ConditionalExpression => {
                of(Field::Consequence).or_else(|| of(Field::Alternative))
            }
            Kind::Binary => match self.text(self.child(node, Field::Operator)?) {
                "??" => of(Field::Left).or_else(|| of(Field::Right)),
                _ => self
                    .operation(node, steps)
                    .map(|_| ValueText::numbered(node)),
            },
            Kind::Query => {
                let end = self.operands(node).last()?;
                let value = self.selected(end, steps);
                value.map(|_| ValueText::numbered(node))
            }
            Kind::TupleExpression if self.has_named_parts(node) => Some(ValueText::numbered(node)),
            Kind::String => Some(ValueText::call(format!("{TYPE}string"))),
            Kind::Number => {
                let name = type_of_number(self.text(node));
                Some(ValueText::call(format!("{TYPE}{name}")))
            }
            Kind::AnonymousObject => Some(ValueText::numbered(node)),
            Kind::TypeOf => Some(ValueText::call(format!("{TYPE}System.{FIELD}Type"))),
            Kind::TupleExpression => Some(self.tuple_of_parts(node, steps)),
            _ => None,
        }
    }

    /// Returns the value of the object of a member. A container or tuple that an expression creates
    /// is a fact of its own.
    pub(super) fn receiver(&self, node: NodeIndex) -> Option<ValueText> {
        self.receiver_within(node, MAX_STEPS)?.within_limit()
    }

    fn receiver_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let value = self.value_within(node, steps)?;
        if !value.is_literal() {
            return Some(value);
        }
        Some(ValueText::numbered(node).with_arguments(value.has_arguments))
    }

    /// Returns the name in metadata of the operator of an operation or of its declaration.
    pub(super) fn operator_name(&self, node: NodeIndex) -> Option<&'static str> {
        let operator = self.text(self.child(node, Field::Operator)?);
        let (_, name) = OPERATORS.iter().find(|(text, _)| *text == operator)?;
        Some(name)
    }

    /// Returns the results of an operation, by the operators that the types of the left and of the
    /// right operand declare.
    pub(super) fn operation(
        &self,
        node: NodeIndex,
        steps: usize,
    ) -> Option<[Option<ValueText>; 2]> {
        let name = self.operator_name(node)?;
        let result = |field: Field| {
            let operand = self.receiver_within(self.child(node, field)?, steps)?;
            operand.member(name)?.called()
        };
        let results = [result(Field::Left), result(Field::Right)];
        results.iter().any(Option::is_some).then_some(results)
    }

    /// Returns the value of a query that ends with `select a`, or with `group a by b`.
    pub(super) fn selected(&self, end: NodeIndex, steps: usize) -> Option<ValueText> {
        let elements = self
            .value_within(self.operands(end).next()?, steps)?
            .into_sequence();
        match self.kind(end) {
            Kind::Select => Some(elements),
            Kind::Group => Some(elements.into_sequence()),
            _ => None,
        }
    }

    /// Reports whether a subscript is a range, `a[1..]`, which returns what it is a part of.
    fn is_range(&self, access: NodeIndex) -> bool {
        let list = self.operands(access).last();
        let argument = list.and_then(|list| self.operands(list).next());
        let index = argument.and_then(|argument| self.operands(argument).last());
        index.is_some_and(|index| self.kind(index) == Kind::Range)
    }

    fn value_member(&self, of: ValueText, name: NodeIndex) -> Option<ValueText> {
        of.member(&format!("{FIELD}{}", self.type_name(name)?))
    }

    /// Returns the value of `.b` or `[b]` after `a?`.
    fn bound_value(&self, of: ValueText, binding: NodeIndex) -> Option<ValueText> {
        match self.kind(binding) {
            Kind::MemberBinding => self.value_member(of, self.child(binding, Field::Name)?),
            _ => None,
        }
    }

    /// Returns the value of an element over which a loop goes: [`Current`] of the enumerator, which
    /// has keys and values in a dictionary.
    ///
    /// [`Current`]: https://learn.microsoft.com/dotnet/api/system.collections.generic.ienumerator-1
    pub(super) fn iterated(&self, node: NodeIndex) -> Option<ValueText> {
        let value = self.value_text(node)?;
        if value.is_container() {
            return value.element();
        }
        let enumerator = value.member("GetEnumerator")?.called()?;
        let element = enumerator.member(&format!("{FIELD}Current"))?;
        element.within_limit()
    }

    /// Returns the type that is expected of an expression: of a parameter, a variable or a result.
    pub(super) fn expected_type(&self, expression: NodeIndex) -> Option<ValueText> {
        let parent = self.parent(expression);
        match self.kind(parent) {
            Kind::Argument => {
                let arguments = self.parent(parent);
                let index = self.operands(arguments).position(|one| one == parent)?;
                let call = self.parent(arguments);
                let is_call = self.kind(call) == Kind::Invocation;
                let called = self.callee(call, MAX_STEPS).filter(|_| is_call)?;
                let called = called.into_path();
                Some(ValueText::name(format!("{called}{PARAMETER}{index}")))
            }
            Kind::Declarator => self.type_value(self.child(self.parent(parent), Field::Type)?),
            Kind::Property => self.type_value(self.child(parent, Field::Type)?),
            Kind::Assignment => self.value_text(self.child(parent, Field::Left)?),
            Kind::Return | Kind::ArrowBody => self.result_type(parent),
            _ => None,
        }
    }

    /// Returns the type of the method or property around a statement.
    fn result_type(&self, statement: NodeIndex) -> Option<ValueText> {
        let around = std::iter::successors(Some(statement), |one| Some(self.parent(*one)));
        let mut around = around.take(MAX_STEPS);
        let method = around.find(|one| {
            matches!(
                self.kind(*one),
                Kind::Accessor | Kind::Lambda | Kind::LocalFunction | Kind::Method | Kind::Property
            )
        })?;
        let of = self.child(method, Field::Returns);
        self.type_value(of.or_else(|| self.child(method, Field::Type))?)
    }

    fn call_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        if let Some(known) = self.known_result(node, steps) {
            return Some(known);
        }
        let called = self.callee(node, steps)?;
        let called = if self.may_infer_result(node) {
            ValueText::numbered(node)
        } else {
            called.called()?
        };
        // The result of a generic method may be of a type argument.
        Some(called.with_arguments(true))
    }

    /// Returns the call of a generic method by its name with type arguments: `a.B<C>()` of `B<C>`.
    pub(super) fn generic_call(&self, generic: NodeIndex) -> Option<NodeIndex> {
        let around = std::iter::successors(Some(generic), |one| Some(self.parent(*one)));
        let mut around = around.skip(1).take(MAX_CALLEE);
        let call = around.find(|one| self.kind(*one) == Kind::Invocation)?;
        (self.generic_callee(call) == Some(generic)).then_some(call)
    }

    /// Returns the name with type arguments of a method that a node calls.
    fn generic_callee(&self, call: NodeIndex) -> Option<NodeIndex> {
        let function = self.child(call, Field::Function)?;
        let name = match self.kind(function) {
            Kind::MemberAccess => self.child(function, Field::Name)?,
            Kind::ConditionalAccess => self.child(self.operands(function).last()?, Field::Name)?,
            _ => function,
        };
        (self.kind(name) == Kind::Generic).then_some(name)
    }

    /// Returns the method that a node calls, with its type arguments.
    pub(super) fn callee(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        match self.generic_callee(node) {
            Some(generic) => Some(ValueText::numbered(generic)),
            None => self.callee_without_arguments(node, steps),
        }
    }

    /// Returns the method that a node calls, without its type arguments.
    pub(super) fn callee_without_arguments(
        &self,
        node: NodeIndex,
        steps: usize,
    ) -> Option<ValueText> {
        let function = self.child(node, Field::Function)?;
        let steps = steps.checked_sub(1)?;
        let of = |field: Field| self.receiver_within(self.child(function, field)?, steps);
        let plain = |name: NodeIndex| {
            let name = match self.kind(name) {
                Kind::Generic => self.operands(name).next()?,
                _ => name,
            };
            Some(self.plain(name))
        };
        let member = |name: NodeIndex| {
            let name = plain(name)?;
            let arguments = self.child(node, Field::Arguments)?;
            let count = self.operands(arguments).count();
            if count > 1 && BY_COUNT.contains(&name) {
                return Some(format!("{name}{ARGUMENTS}{count}"));
            }
            Some(name.to_owned())
        };
        match self.kind(function) {
            Kind::Identifier | Kind::Generic => {
                Some(ValueText::name(format!("{METHOD}{}", plain(function)?)))
            }
            Kind::MemberAccess => {
                let name = member(self.child(function, Field::Name)?)?;
                of(Field::Expression)?.member(&name)
            }
            Kind::ConditionalAccess => {
                let binding = self.operands(function).last()?;
                let name = member(self.child(binding, Field::Name)?)?;
                of(Field::Condition)?.member(&name)
            }
            // A function that is a value: `a()()`, `a[b]()`.
            Kind::ElementAccess | Kind::Invocation | Kind::Parenthesized => {
                self.value_within(function, steps)
            }
            _ => None,
        }
    }

    /// Returns the receiver of `.b` of `a?.b`.
    pub(super) fn bound_receiver(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let mut inside = node;
        for _ in 0..steps {
            let around = self.parent(inside);
            if self.kind(around) == Kind::ConditionalAccess {
                let condition = self.child(around, Field::Condition)?;
                return self.receiver(condition);
            }
            inside = around;
        }
        None
    }

    /// Returns the object whose members an initializer assigns.
    pub(super) fn initialized_value(
        &self,
        initializer: NodeIndex,
        steps: usize,
    ) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let of = self.parent(initializer);
        let value = match self.kind(of) {
            Kind::Creation => self.value_text(of),
            Kind::With => self.value_text(self.operands(of).next()?),
            Kind::Assignment => {
                let name = self.child(of, Field::Left)?;
                let object = self.initialized_value(self.parent(of), steps)?;
                self.object_member(object, name)
            }
            _ => None,
        };
        value?.within_limit()
    }

    /// Returns the names of a dotted path, `a` and `b` of `a.b`, or nothing for another node.
    pub(super) fn dotted_names(&self, node: NodeIndex) -> Vec<NodeIndex> {
        let mut names = Vec::new();
        let mut object = Some(node);
        while let Some(of) = object.filter(|_| names.len() < MAX_STEPS) {
            let name = match self.kind(of) {
                Kind::Identifier => Some(of),
                Kind::MemberAccess => self.child(of, Field::Name),
                _ => None,
            };
            let Some(name) = name else {
                return Vec::new();
            };
            names.push(name);
            object = self.child(of, Field::Expression);
        }
        if object.is_some() {
            return Vec::new();
        }
        names.reverse();
        names
    }

    pub(super) fn object_member(&self, object: ValueText, name: NodeIndex) -> Option<ValueText> {
        let is_name = self.kind(name) == Kind::Identifier;
        is_name.then(|| self.value_member(object, name)).flatten()
    }

    /// Returns the names of a dotted path without type arguments: `A.B` of `global::A.B<C>`.
    pub(super) fn dotted_path(&self, node: NodeIndex) -> Option<String> {
        self.dotted_within(node, MAX_STEPS)
    }

    fn dotted_within(&self, node: NodeIndex, steps: usize) -> Option<String> {
        let steps = steps.checked_sub(1)?;
        let of = |field: Field| self.dotted_within(self.child(node, field)?, steps);
        match self.kind(node) {
            Kind::Identifier => Some(self.plain(node).to_owned()),
            Kind::Generic => self.dotted_within(self.operands(node).next()?, steps),
            Kind::AliasQualified => of(Field::Name),
            Kind::Qualified => Some(format!("{}.{}", of(Field::Qualifier)?, of(Field::Name)?)),
            _ => None,
        }
    }

    /// Returns a name without the `@` of a verbatim identifier.
    pub(super) fn plain(&self, name: NodeIndex) -> &str {
        let text = self.text(name);
        text.strip_prefix('@').unwrap_or(text)
    }
}
