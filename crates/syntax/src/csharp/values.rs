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
use crate::facts::{ARGUMENTS, ARITY, FIELD, METHOD, PARAMETER, TYPE};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from an expression or type to its innermost name.
pub(super) const MAX_STEPS: usize = 24;

/// The number of nodes from the name of a called method to the call.
const MAX_CALLEE: usize = 4;

/// The generic types whose elements are of their type argument.
const SEQUENCES: [&str; 19] = [
    "ConcurrentBag",
    "ConcurrentQueue",
    "HashSet",
    "ICollection",
    "IEnumerable",
    "IEnumerator",
    "IList",
    "IQueryable",
    "IReadOnlyCollection",
    "IReadOnlyList",
    "ISet",
    "Lazy",
    "LinkedList",
    "List",
    "Queue",
    "SortedSet",
    "Stack",
    "Task",
    "ValueTask",
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

/// The generic type of the code of a function, whose argument is the type of the function.
const EXPRESSION: &str = "Expression";

/// The methods with a parameter that receives an element of their object:
/// `a.TryGetValue(b, out c)`.
const OUTPUTS: [&str; 7] = [
    "TryDequeue",
    "TryGetValue",
    "TryPeek",
    "TryPeekLast",
    "TryPop",
    "TryRemove",
    "TryTake",
];

/// The generic types whose subscripts return their second type argument.
const MAPPINGS: [&str; 8] = [
    "ConcurrentDictionary",
    "Dictionary",
    "IDictionary",
    "IReadOnlyDictionary",
    "ImmutableDictionary",
    "KeyValuePair",
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
                let of = of(Field::Expression)?;
                self.value_member(of, self.child(node, Field::Name)?)
            }
            Kind::ConditionalAccess => {
                let of = of(Field::Condition)?;
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
            Kind::Binary => {
                let operator = self.child(node, Field::Operator)?;
                let is_coalesced = self.text(operator) == "??";
                let value = is_coalesced.then(|| of(Field::Left).or_else(|| of(Field::Right)));
                value.flatten()
            }
            Kind::String => Some(ValueText::call(format!("{TYPE}string"))),
            Kind::Number => {
                let name = type_of_number(self.text(node));
                Some(ValueText::call(format!("{TYPE}{name}")))
            }
            Kind::AnonymousObject => Some(ValueText::numbered(node)),
            Kind::TypeOf => Some(ValueText::call(format!("{TYPE}System.{FIELD}Type"))),
            Kind::TupleExpression => Some(tuple(self.operands(node).map(|part| {
                let value = self.operands(part).last()?;
                self.value_within(value, steps)
            }))),
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

    /// Returns the value of a part of a tuple: of the expression in it, or of a value that is one.
    pub(super) fn tuple_part(&self, node: NodeIndex, index: usize) -> Option<ValueText> {
        if self.kind(node) == Kind::TupleExpression {
            let part = self.operands(node).nth(index)?;
            return self.value_text(self.operands(part).last()?);
        }
        let of = self.value_text(node)?;
        ValueText::name(format!("{}[{index}]", of.into_path())).within_limit()
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

    /// Returns the value that a pattern matches: of its type, or else that of the expression or the
    /// member for which it stands.
    pub(super) fn matched_value(&self, pattern: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        if let Some(of) = self.child(pattern, Field::Type) {
            return self.type_value(of);
        }
        let around = self.parent(pattern);
        match self.kind(around) {
            Kind::IsPattern => self.value_text(self.child(around, Field::Expression)?),
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
                    Kind::SwitchExpression => self.value_text(self.operands(switch).next()?),
                    _ => self.value_text(self.child(self.parent(switch), Field::Value)?),
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
        let of = |field: Field| self.value_within(self.child(function, field)?, steps);
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
                return self.value_text(condition);
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
fn tuple(parts: impl Iterator<Item = Option<ValueText>>) -> ValueText {
    let parts = parts.map(|part| part.map_or_else(String::new, ValueText::into_path));
    ValueText::name(format!("({})", parts.collect::<Vec<_>>().join(",")))
}

/// Returns the name by which a type with type parameters is looked up: ``A`1`` of `A<T>`.
pub(super) fn generic_name(name: &str, arity: impl Display) -> String {
    format!("{name}{ARITY}{arity}")
}
