//! Reads types and expressions as values: `a.T` is an instance of that type, and `a.b().c` a path.
//!
//! A property may have the name of its type. Therefore a type has [`TYPE`] before its first name,
//! a name that is called without a receiver has [`METHOD`] before it, and any other name has
//! [`FIELD`]. A type or a call with type arguments is a fact of its own, to which values refer by
//! its number, except in well-known collections.

use std::borrow::Cow;
use std::fmt::Display;

use super::kinds::{Field, FlatTree, Kind};
use super::overloads::type_of_number;
use crate::facts::{ARGUMENTS, ARITY, FIELD, METHOD, PARAMETER, TUPLE_PART, TYPE};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from an expression or type to its innermost name.
pub(super) const MAX_STEPS: usize = 24;

/// The number of nodes from the name of a called method to the call.
const MAX_CALLEE: usize = 4;

/// The generic types whose elements are of their type argument. `DbSet` is one of Entity Framework.
/// The resolver knows further types, whose names types of a repository may have.
const SEQUENCES: [&str; 49] = [
    "ArraySegment",
    "AsyncLocal",
    "BlockingCollection",
    "ConcurrentBag",
    "ConcurrentQueue",
    "ConcurrentStack",
    "DbSet",
    "FrozenSet",
    "HashSet",
    "IAsyncEnumerable",
    "IAsyncEnumerator",
    "ICollection",
    "IEnumerable",
    "IEnumerator",
    "IImmutableList",
    "IImmutableSet",
    "IList",
    "IOrderedEnumerable",
    "IOrderedQueryable",
    "IProducerConsumerCollection",
    "IQueryable",
    "IReadOnlyCollection",
    "IReadOnlyList",
    "IReadOnlySet",
    "ISet",
    "ImmutableArray",
    "ImmutableHashSet",
    "ImmutableList",
    "ImmutableQueue",
    "ImmutableSortedSet",
    "ImmutableStack",
    "Lazy",
    "LinkedList",
    "LinkedListNode",
    "List",
    "ObservableCollection",
    "ParallelQuery",
    "Queue",
    "ReadOnlyCollection",
    "ReadOnlyMemory",
    "ReadOnlyObservableCollection",
    "ReadOnlySpan",
    "SortedSet",
    "Stack",
    "Task",
    "TaskCompletionSource",
    "ThreadLocal",
    "ValueTask",
    "WeakReference",
];

/// The generic types of functions. The last argument of `Func` is the type of its result.
const DELEGATES: [&str; 3] = ["Action", "Func", "Predicate"];

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

/// The generic type of the code of a function, whose argument is the type of the function.
const EXPRESSION: &str = "Expression";

/// The methods with a parameter that receives an element of their object:
/// `a.TryGetValue(b, out c)`.
const OUTPUTS: [&str; 8] = [
    "TryDequeue",
    "TryGetTarget",
    "TryGetValue",
    "TryPeek",
    "TryPeekLast",
    "TryPop",
    "TryRemove",
    "TryTake",
];

/// The generic types whose subscripts return their second type argument.
const MAPPINGS: [&str; 12] = [
    "ConcurrentDictionary",
    "ConditionalWeakTable",
    "Dictionary",
    "FrozenDictionary",
    "IDictionary",
    "IImmutableDictionary",
    "IReadOnlyDictionary",
    "ImmutableDictionary",
    "KeyValuePair",
    "ReadOnlyDictionary",
    "SortedDictionary",
    "SortedList",
];

impl FlatTree<'_> {
    /// Returns the value of something of a type.
    pub(super) fn type_value(&self, node: NodeIndex) -> Option<ValueText> {
        self.type_within(node, MAX_STEPS)?.within_limit()
    }

    pub(super) fn type_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        match self.kind(node) {
            Kind::Identifier => Some(ValueText::call(format!("{TYPE}{}", self.plain(node)))),
            Kind::PredefinedType => Some(ValueText::call(format!("{TYPE}{}", self.text(node)))),
            Kind::Qualified => {
                let of = self.type_within(self.child(node, Field::Qualifier)?, steps)?;
                self.type_member(&of, self.child(node, Field::Name)?, steps)
            }
            Kind::AliasQualified => self.type_within(self.child(node, Field::Name)?, steps),
            Kind::Generic => self.generic_type(node, steps),
            Kind::ArrayType => {
                let element = self.child(node, Field::Type)?;
                Some(self.type_within(element, steps)?.into_sequence())
            }
            Kind::NullableType => {
                let of = self.child(node, Field::Type)?;
                let value = self.type_within(of, steps)?;
                let is_value = self.kind(of) == Kind::PredefinedType
                    && !matches!(self.text(of), "object" | "string");
                if !is_value {
                    return Some(value);
                }
                Some(ValueText::call(format!("{}?", value.path)))
            }
            Kind::RefType => self.type_within(self.child(node, Field::Type)?, steps),
            Kind::TupleType if self.named_elements(node).next().is_some() => {
                Some(ValueText::numbered(node))
            }
            Kind::TupleType => Some(self.tuple_of_type(node, steps)),
            _ => None,
        }
    }

    /// Returns a tuple of the elements of a tuple type, without their names.
    pub(super) fn tuple_of_type(&self, node: NodeIndex, steps: usize) -> ValueText {
        tuple(self.operands(node).map(|element| {
            let of = self.child(element, Field::Type)?;
            self.type_within(of, steps.checked_sub(1)?)
        }))
    }

    /// Returns the types and names of the elements of a tuple type that have a name.
    pub(super) fn named_elements(
        &self,
        tuple: NodeIndex,
    ) -> impl Iterator<Item = (NodeIndex, NodeIndex)> {
        self.operands(tuple).filter_map(|element| {
            let of = self.child(element, Field::Type)?;
            Some((of, self.child(element, Field::Name)?))
        })
    }

    fn type_member(&self, of: &ValueText, name: NodeIndex, steps: usize) -> Option<ValueText> {
        if self.kind(name) == Kind::Generic {
            let value = if self.is_well_known(name) || self.is_delegate(name) {
                self.generic_type(name, steps)
            } else {
                Some(ValueText::called_number(name))
            };
            return value.filter(|_| of.is_called);
        }
        let path = format!("{}.{FIELD}{}", of.path, self.plain(name));
        of.is_called.then(|| ValueText::call(path))
    }

    fn generic_type(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let text = self.library_name(node).unwrap_or_default();
        let arguments = self.operands(node).nth(1)?;
        let argument = |place: usize| {
            let argument = self.operands(arguments).nth(place)?;
            self.type_within(argument, steps)
        };
        if SEQUENCES.contains(&text) {
            return Some(argument(0)?.into_sequence());
        }
        if MAPPINGS.contains(&text) {
            return Some(argument(1)?.into_mapping());
        }
        if self.is_delegate(node) {
            return Some(ValueText::numbered(node));
        }
        if text == EXPRESSION {
            return argument(0);
        }
        Some(ValueText::called_number(node))
    }

    /// Returns the path of a type: `#a.@T` of `a.T`. That of a well-known collection is without its
    /// type arguments.
    pub(super) fn type_path(&self, node: NodeIndex) -> Option<String> {
        let name = match self.kind(node) {
            Kind::Qualified => self.child(node, Field::Name)?,
            _ => node,
        };
        if self.kind(name) == Kind::Generic && self.is_well_known(name) {
            return self.path_without_arguments(name);
        }
        let value = self.type_value(node)?;
        value.is_called.then_some(value.path)
    }

    /// Reports whether a generic type is one of the library whose values are known by its name.
    pub(super) fn is_well_known(&self, generic: NodeIndex) -> bool {
        let name = self.library_name(generic).unwrap_or_default();
        SEQUENCES.contains(&name) || MAPPINGS.contains(&name) || name == EXPRESSION
    }

    /// Reports whether a generic type is one of functions.
    pub(super) fn is_delegate(&self, generic: NodeIndex) -> bool {
        let name = self.library_name(generic);
        name.is_some_and(|name| DELEGATES.contains(&name))
    }

    /// Returns the name of a generic type if it may be one of the library: a bare name, or one in a
    /// namespace that begins with `System`.
    fn library_name(&self, generic: NodeIndex) -> Option<&str> {
        let around = self.parent(generic);
        let qualifier = self
            .child(around, Field::Qualifier)
            .filter(|_| self.kind(around) == Kind::Qualified);
        let qualifier = qualifier.map_or("System", |qualifier| self.text(qualifier));
        let qualifier = qualifier.strip_prefix("global::").unwrap_or(qualifier);
        let is_of_library = qualifier.split('.').next() == Some("System");
        let name = self.operands(generic).next().filter(|_| is_of_library)?;
        Some(self.plain(name))
    }

    /// Returns the path of a generic type without its arguments: ``#a.@T`1`` of `a.T<B>`.
    pub(super) fn path_without_arguments(&self, generic: NodeIndex) -> Option<String> {
        let name = self.type_name(generic)?;
        let around = self.parent(generic);
        let is_qualified = self.kind(around) == Kind::Qualified
            && self.child(around, Field::Name) == Some(generic);
        if !is_qualified {
            return Some(format!("{TYPE}{name}"));
        }
        let of = self.type_value(self.child(around, Field::Qualifier)?)?;
        of.is_called.then(|| format!("{}.{FIELD}{name}", of.path))
    }

    /// Returns the last name of a type, with the number of its arguments if there are any.
    fn type_name(&self, node: NodeIndex) -> Option<Cow<'_, str>> {
        if self.kind(node) != Kind::Generic {
            return Some(Cow::Borrowed(self.plain(node)));
        }
        let name = self.plain(self.operands(node).next()?);
        Some(Cow::Owned(generic_name(
            name,
            self.type_argument_count(node),
        )))
    }

    /// Returns the number of type arguments of a generic name, also of `A<,>`.
    pub(super) fn type_argument_count(&self, generic: NodeIndex) -> u8 {
        let mut parts = self.operands(generic);
        let list = parts.find(|one| self.kind(*one) == Kind::TypeArguments);
        let commas = list.map_or(0, |list| {
            let children = self.children(list);
            children.filter(|one| self.text(*one) == ",").count()
        });
        u8::try_from(commas).unwrap_or(u8::MAX).saturating_add(1)
    }

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

    /// Returns a tuple of the parts of an expression, without their names.
    pub(super) fn tuple_of_parts(&self, node: NodeIndex, steps: usize) -> ValueText {
        tuple(self.operands(node).map(|part| {
            let value = self.operands(part).last()?;
            self.value_within(value, steps.checked_sub(1)?)
        }))
    }

    /// Returns the names of the parts of a tuple, each with its value: of `(a: b, c.d)`, these are
    /// `a` and `d`.
    pub(super) fn named_parts(
        &self,
        tuple: NodeIndex,
    ) -> impl Iterator<Item = (NodeIndex, NodeIndex)> {
        self.operands(tuple).filter_map(|part| {
            let value = self.operands(part).last()?;
            let name = self.child(part, Field::Name);
            Some((name.or_else(|| self.dotted_names(value).pop())?, value))
        })
    }

    /// Reports whether parts of a tuple have names by which code can read them: it is no target of
    /// an assignment.
    pub(super) fn has_named_parts(&self, tuple: NodeIndex) -> bool {
        let around = self.parent(tuple);
        let is_assigned =
            self.kind(around) == Kind::Assignment && self.child(around, Field::Left) == Some(tuple);
        !is_assigned && self.named_parts(tuple).next().is_some()
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

    /// Returns the value of a part of what code deconstructs, by the index of the part and the
    /// number of parts: of an expression in a tuple, or of the member that is that part.
    pub(super) fn tuple_part(
        &self,
        node: NodeIndex,
        (index, count): (usize, usize),
    ) -> Option<ValueText> {
        if self.kind(node) == Kind::TupleExpression {
            let part = self.operands(node).nth(index)?;
            return self.value_text(self.operands(part).last()?);
        }
        // A part of the result of a generic method is of the type that the method declares.
        let part = self.receiver(node)?.member(&part_name(index, count))?;
        ValueText::name(part.path).within_limit()
    }

    /// Returns the value that a method such as `TryGetValue` assigns to the variable of an
    /// argument.
    pub(super) fn output_value(&self, variable: NodeIndex) -> Option<ValueText> {
        let argument = self.parent(variable);
        let call = self.parent(self.parent(argument));
        let function = self.child(call, Field::Function)?;
        let name = self.child(function, Field::Name)?;
        let is_output = self.kind(argument) == Kind::Argument
            && self.kind(call) == Kind::Invocation
            && OUTPUTS.contains(&self.text(name));
        let of = self
            .child(function, Field::Expression)
            .filter(|_| is_output)?;
        self.value_text(of)?.element()?.within_limit()
    }

    /// Returns the value of `a` in `(var a, var b) = c`.
    fn assigned_part(&self, variable: NodeIndex) -> Option<ValueText> {
        let part = self.parent(variable);
        let tuple = self.parent(part);
        let assignment = self.parent(tuple);
        let index = self.operands(tuple).position(|one| one == part)?;
        let is_assigned = self.kind(assignment) == Kind::Assignment
            && self.child(assignment, Field::Left) == Some(tuple);
        let given = self
            .child(assignment, Field::Right)
            .filter(|_| is_assigned)?;
        self.tuple_part(given, (index, self.operands(tuple).count()))
    }

    /// Returns the value of a part of a pattern that the grammar reads as a call: of `b` in
    /// `a is B(var b)`. In a call, `out` would stand before it.
    fn tested_part(&self, variable: NodeIndex) -> Option<ValueText> {
        let argument = self.parent(variable);
        let arguments = self.parent(argument);
        let function = self.child(self.parent(arguments), Field::Function)?;
        if self.children(argument).any(|one| self.text(one) == "out") {
            return None;
        }
        // The grammar reads a call of `B`, or of `a is B`.
        let name = std::iter::successors(Some(function), |one| self.operands(*one).last());
        let mut name = name.take(MAX_STEPS);
        let name = name.find(|one| matches!(self.kind(*one), Kind::Generic | Kind::Identifier))?;
        let index = self.operands(arguments).position(|one| one == argument)?;
        let part = part_name(index, self.operands(arguments).count());
        self.type_value(name)?.member(&part)?.within_limit()
    }

    /// Returns the value that a pattern matches: of its type, or else that of the expression or the
    /// member for which it stands.
    pub(super) fn matched_value(&self, pattern: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let of = self.child(pattern, Field::Type);
        if let Some(of) = of.filter(|of| self.text(*of) != "var") {
            return self.type_value(of);
        }
        let around = self.parent(pattern);
        match self.kind(around) {
            Kind::Argument => self
                .assigned_part(pattern)
                .or_else(|| self.tested_part(pattern)),
            Kind::IsPattern => self.receiver(self.child(around, Field::Expression)?),
            Kind::ListPattern => {
                let list = self.matched_value(around, steps)?;
                list.element()?.within_limit()
            }
            Kind::Subpattern if self.kind(self.parent(around)) == Kind::PositionalPattern => {
                let parts = self.parent(around);
                let index = self.operands(parts).position(|one| one == around)?;
                let object = self.matched_value(self.parent(parts), steps)?;
                let part = part_name(index, self.operands(parts).count());
                object.member(&part)?.within_limit()
            }
            Kind::Subpattern => {
                let names = self.dotted_names(self.operands(around).next()?);
                let object = self.matched_value(self.parent(self.parent(around)), steps)?;
                let member = names
                    .into_iter()
                    .try_fold(object, |object, name| self.object_member(object, name));
                member?.within_limit()
            }
            Kind::ScopeStatement => {
                let switch = self.parent(around);
                match self.kind(switch) {
                    Kind::SwitchExpression => self.receiver(self.operands(switch).next()?),
                    _ => self.receiver(self.child(self.parent(switch), Field::Value)?),
                }
            }
            Kind::Other => self.matched_value(around, steps),
            _ => None,
        }
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

/// Returns the value of a tuple of these parts.
pub(super) fn tuple(parts: impl Iterator<Item = Option<ValueText>>) -> ValueText {
    let parts = parts.map(|part| part.map_or_else(String::new, ValueText::into_path));
    ValueText::name(format!("({})", parts.collect::<Vec<_>>().join(",")))
}

/// Returns the name by which a type with type parameters is looked up: ``A`1`` of `A<T>`.
pub(super) fn generic_name(name: &str, arity: impl Display) -> String {
    format!("{name}{ARITY}{arity}")
}

/// Returns the name of the member that stands for one of the parts into which code [deconstructs] a
/// value.
///
/// [deconstructs]: https://learn.microsoft.com/dotnet/csharp/fundamentals/functional/deconstruct
pub(super) fn part_name(index: usize, count: usize) -> String {
    format!("{TUPLE_PART}{index}:{count}")
}
