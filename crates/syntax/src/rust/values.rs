//! Reads types and expressions as values: `a::T` is an instance of that type, `Vec<T>` and
//! `Option<T>` containers of instances, and `a.b()?.c` a path.
//!
//! References, smart pointers and futures count as what they lead to.

use super::kinds::{Field, FlatTree, Kind};
use super::standard_calls::StandardResult;
use super::standard_types::{CONTAINERS, MAPPINGS, POINTERS};
use crate::facts::{AS_MAPPING, FIELD, GUARD, INSIDE, OPERATOR, TUPLE_PART, TYPE_NAME};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from an expression or type to its innermost name.
pub(super) const MAX_STEPS: usize = 24;

/// The methods that lock a value.
const LOCKING: [&str; 4] = ["lock", "read", "upgradable_read", "write"];

/// The methods of what a lock returns that may fail.
const OF_RESULTS: [&str; 11] = [
    "and_then",
    "err",
    "expect",
    "is_err",
    "is_ok",
    "map",
    "map_err",
    "ok",
    "unwrap",
    "unwrap_or_else",
    "unwrap_or_default",
];

/// The crate whose locks cannot fail.
const PARKING_LOT: &str = "parking_lot::";

/// The functions of containers that return one.
const CREATING: [&str; 5] = ["default", "from", "from_iter", "new", "with_capacity"];

/// The traits of the standard library whose functions return a value of the type that implements
/// them.
const CREATING_TRAITS: [&str; 6] = [
    "Clone",
    "Default",
    "From",
    "FromIterator",
    "FromStr",
    "TryFrom",
];

/// The associated types of traits whose values count as what they produce.
const OUTPUTS: [&str; 2] = ["Item", "Output"];

/// The ends of the names of traits whose values count as what they produce. Others have a method of
/// their own for it: that of a `Parser<Output = T>` is `parse`.
const PRODUCERS: [&str; 3] = ["Future", "Iterator", "Stream"];

impl FlatTree<'_> {
    /// Returns the value of something of a type.
    pub(super) fn type_value(&self, node: NodeIndex) -> Option<ValueText> {
        self.type_value_within(node, MAX_STEPS)?.within_limit()
    }

    fn type_value_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let of = |field: Field| self.type_value_within(self.child(node, field)?, steps);
        match self.kind(node) {
            Kind::TypeIdentifier if self.text(node) == "_" => None,
            Kind::TypeIdentifier | Kind::Identifier | Kind::PrimitiveType | Kind::Scoped => {
                Some(ValueText::call(self.path_within(node, steps)?))
            }
            Kind::GenericType => self.generic_value(node, steps),
            Kind::FunctionType => Some(ValueText::numbered(node)),
            Kind::ReferenceType => of(Field::Type),
            Kind::ArrayType => Some(of(Field::Element)?.into_sequence()),
            Kind::TraitType => of(Field::Trait).or_else(|| of(Field::Type)),
            Kind::BoundedType => self.type_value_within(self.operands(node).next()?, steps),
            Kind::TupleType => {
                let types: Vec<NodeIndex> = self.operands(node).collect();
                match *types {
                    [] => None,
                    [only] if !self.text(node).ends_with(",)") => {
                        self.type_value_within(only, steps)
                    }
                    _ => tuple_of(types.iter().map(|one| self.type_value_within(*one, steps))),
                }
            }
            _ => None,
        }
    }

    fn generic_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let of = self.child(node, Field::Type)?;
        let list = self.child(node, Field::TypeArguments)?;
        let mut arguments = self.type_arguments(node).peekable();
        let path = self.path_within(of, steps)?;
        let name = path.rsplit('.').next().unwrap_or(&path);
        let name = name.trim_end_matches(TYPE_NAME);
        if POINTERS.contains(&name) {
            return self.type_value_within(arguments.next()?, steps);
        }
        let is_std = CONTAINERS.contains(&name) || MAPPINGS.contains(&name);
        if is_std && arguments.peek().is_none() {
            // A type of the repository with the name of a container: `Iter<'a>`.
            return Some(ValueText::call(path));
        }
        if CONTAINERS.contains(&name) {
            let element = self.type_value_within(arguments.next()?, steps)?;
            return Some(element.into_sequence());
        }
        if MAPPINGS.contains(&name) {
            let value = self.type_value_within(arguments.nth(1)?, steps)?;
            return Some(value.into_mapping());
        }
        let is_producer = PRODUCERS.iter().any(|producer| name.ends_with(producer));
        if let Some((output, of)) = self.output_of(list).filter(|_| is_producer) {
            let produced = self.type_value_within(of, steps)?;
            let is_iterator = output == "Item";
            return Some(if is_iterator {
                produced.into_sequence()
            } else {
                produced
            });
        }
        if arguments.peek().is_none() {
            return Some(ValueText::call(path).with_arguments(true));
        }
        Some(ValueText::called_number(node))
    }

    /// Returns the arguments of a generic type, without lifetimes and associated types.
    pub(super) fn type_arguments(&self, generic: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let list = self.child(generic, Field::TypeArguments);
        let arguments = list.into_iter().flat_map(|list| self.operands(list));
        arguments.filter(|one| {
            self.kind(*one) != Kind::TypeBinding && !self.text(*one).starts_with('\'')
        })
    }

    /// Returns `T` of `Future<Output = T>` or `Iterator<Item = T>`, with the name before it.
    fn output_of(&self, arguments: NodeIndex) -> Option<(&str, NodeIndex)> {
        let mut bindings = self.operands(arguments);
        bindings.find_map(|one| {
            let name = self.child(one, Field::Name)?;
            let name = self.text(name);
            let is_output = self.kind(one) == Kind::TypeBinding && OUTPUTS.contains(&name);
            let of = self.child(one, Field::Type)?;
            is_output.then_some((name, of))
        })
    }

    /// Returns the name of a type or item, without its arguments: `a::.T` of `&a::T<u8>`.
    pub(super) fn path(&self, node: NodeIndex) -> Option<String> {
        let path = self.path_within(node, MAX_STEPS)?;
        Some(ValueText::name(path).within_limit()?.path)
    }

    fn path_within(&self, node: NodeIndex, steps: usize) -> Option<String> {
        let steps = steps.checked_sub(1)?;
        let of = |field: Field| self.path_within(self.child(node, field)?, steps);
        match self.kind(node) {
            Kind::Identifier
            | Kind::TypeIdentifier
            | Kind::PrimitiveType
            | Kind::Crate
            | Kind::SelfKeyword
            | Kind::Super => Some(format!("{}{TYPE_NAME}", self.text(node))),
            Kind::Scoped => {
                let name = self.text(self.child(node, Field::Name)?);
                match self.child(node, Field::Path) {
                    Some(path) => Some(format!("{}.{name}", self.path_within(path, steps)?)),
                    None => Some(format!("{name}{TYPE_NAME}")),
                }
            }
            Kind::GenericType | Kind::ReferenceType => of(Field::Type),
            Kind::TraitType => of(Field::Trait).or_else(|| of(Field::Type)),
            Kind::BracketedType | Kind::BoundedType => {
                self.path_within(self.operands(node).next()?, steps)
            }
            Kind::QualifiedType => {
                let of_trait = of(Field::Alias)?;
                let name = of_trait.trim_end_matches(TYPE_NAME);
                if CREATING_TRAITS.contains(&name) {
                    return of(Field::Type);
                }
                Some(of_trait)
            }
            _ => None,
        }
    }

    /// Returns the value of an expression, or `None` if it is neither a path nor a value of a known
    /// type.
    pub(super) fn value_text(&self, node: NodeIndex) -> Option<ValueText> {
        self.value_within(node, MAX_STEPS)?.within_limit()
    }

    pub(super) fn value_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let inner = || self.value_within(self.operands(node).next()?, steps);
        match self.kind(node) {
            Kind::Identifier | Kind::SelfKeyword => Some(ValueText::name(self.text(node))),
            Kind::Scoped => Some(ValueText::name(self.path_within(node, steps)?)),
            Kind::FieldExpression => {
                let of = self.owner_value(node, steps)?;
                of.member(&format!("{FIELD}{}", self.selected(node)?))
            }
            Kind::Call => self.call_value(node, steps),
            Kind::StructExpression => {
                let name = self.child(node, Field::Name)?;
                Some(ValueText::call(self.path_within(name, steps)?))
            }
            Kind::Reference => self.value_within(self.child(node, Field::Value)?, steps),
            Kind::Parenthesized => inner(),
            Kind::Await => self.locked_value(self.operands(node).next()?, steps),
            Kind::Unary if self.text(node).starts_with('*') => inner(),
            Kind::Try => element(inner()?),
            Kind::Index => {
                let mut operands = self.operands(node);
                let of = self.locked_value(operands.next()?, steps)?;
                match self.kind(operands.next()?) {
                    Kind::Range => Some(of),
                    _ => element(of),
                }
            }
            Kind::Cast => self.type_value_within(self.child(node, Field::Type)?, steps),
            Kind::Literal | Kind::String | Kind::Range => Some(literal_value()),
            Kind::Binary => self.result_of_operator(node, steps),
            Kind::Tuple => {
                let parts = self.operands(node);
                let parts = parts.map(|part| self.value_within(part, steps));
                Some(tuple_of(parts).unwrap_or_else(literal_value))
            }
            _ => self.inner_value(node, steps),
        }
    }

    /// Returns the value of `a + b`, which is that of a call of the method of the operator.
    fn result_of_operator(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let left = self.value_within(self.child(node, Field::Left)?, steps)?;
        let mut tokens = self.children(node).map(|one| self.text(one));
        let method = tokens.find_map(operator_method)?;
        if left == literal_value() {
            // The type on the right decides: `2.0 * a`.
            let right = self.value_within(self.child(node, Field::Right)?, steps)?;
            return (right == left).then_some(left);
        }
        left.member(&format!("{OPERATOR}{method}"))?.called()
    }

    fn selected(&self, node: NodeIndex) -> Option<&str> {
        Some(self.text(self.child(node, Field::Selected)?))
    }

    fn call_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        if self.may_infer_result(node) {
            return Some(ValueText::numbered(node));
        }
        let arguments = self.child(node, Field::Arguments)?;
        let first = self.operands(arguments).next();
        if let Some((result, first)) = self.standard_result(node).zip(first) {
            let first = self.value_within(first, steps)?;
            return match result {
                StandardResult::Argument => Some(first),
                StandardResult::Container => Some(first.into_sequence()),
                StandardResult::ClosureResult => returned_by(&first),
                StandardResult::Other => None,
            };
        }
        let function = self.child(node, Field::Function)?;
        if self.kind(function) == Kind::GenericFunction {
            return match self.collected_mapping(function, steps) {
                Some(mapping) => Some(mapping),
                None => Some(ValueText::called_number(function)),
            };
        }
        if let Some(container) = self.created_container(function, steps) {
            return Some(container);
        }
        self.callee_value(function, steps)?.called()
    }

    /// Returns the value of `Vec::<A>::new()`.
    fn created_container(&self, function: NodeIndex, steps: usize) -> Option<ValueText> {
        let of = self.child(function, Field::Path)?;
        let name = self.text(self.child(function, Field::Name)?);
        if self.kind(of) != Kind::GenericType || !CREATING.contains(&name) {
            return None;
        }
        let container = self.type_value_within(of, steps);
        container.filter(ValueText::is_container)
    }

    /// Returns the value of an expression that a variable has. Whether a lock can fail is open
    /// there, but those of the files that name this crate cannot.
    pub(super) fn variable_text(&self, node: NodeIndex) -> Option<ValueText> {
        if !self.is_locking(node) || !self.text(0).contains(PARKING_LOT) {
            return self.value_text(node);
        }
        self.locked_value(node, MAX_STEPS)?.within_limit()
    }

    /// Returns the value of an expression, or what a lock leads to if the expression locks it:
    /// `a.lock()` of a lock that cannot fail, such as those of tokio and `parking_lot`.
    fn locked_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        if !self.is_locking(node) {
            return self.value_within(node, steps);
        }
        let function = self.child(node, Field::Function)?;
        let method = self.selected(function)?;
        let of = self.owner_value(function, steps)?;
        of.member(&format!("{method}{GUARD}"))?.called()
    }

    fn is_locking(&self, node: NodeIndex) -> bool {
        let is_empty = |call| {
            let list = self.child(call, Field::Arguments);
            list.is_some_and(|list| self.operands(list).next().is_none())
        };
        let function = self.child(node, Field::Function).filter(|_| is_empty(node));
        let method = function.and_then(|function| self.selected(function));
        method.is_some_and(|method| LOCKING.contains(&method))
    }

    /// Returns the value of a function or method that a call calls.
    pub(super) fn callee_value(&self, function: NodeIndex, steps: usize) -> Option<ValueText> {
        match self.kind(function) {
            Kind::FieldExpression => {
                let of = self.owner_value(function, steps)?;
                of.member(self.selected(function)?)
            }
            Kind::Identifier => Some(ValueText::name(self.text(function))),
            Kind::Scoped => self
                .generic_member(function, steps)
                .or_else(|| self.value_within(function, steps)),
            _ => self.value_within(function, steps),
        }
    }

    /// Returns the value of `a.collect::<HashMap<_, _>>()`, in which `a` tells the types.
    fn collected_mapping(&self, function: NodeIndex, steps: usize) -> Option<ValueText> {
        let method = self.child(function, Field::Function)?;
        let of = self.type_arguments(function).next()?;
        let is_open = self.selected(method)? == "collect" && self.is_open_mapping(of);
        is_open.then(|| as_mapping(self.owner_value(method, steps)?))?
    }

    /// Reports whether a type is that of a mapping and leaves open what its values are.
    pub(super) fn is_open_mapping(&self, of: NodeIndex) -> bool {
        let name = self.child(of, Field::Type).map(|name| self.text(name));
        let name = name.map(|name| name.rsplit("::").next().unwrap_or(name));
        name.is_some_and(|name| MAPPINGS.contains(&name)) && self.type_value(of).is_none()
    }

    /// Returns the value of an associated function of a type with type arguments: `a::<B>::c`.
    fn generic_member(&self, function: NodeIndex, steps: usize) -> Option<ValueText> {
        let of = self.child(function, Field::Path)?;
        let name = self.text(self.child(function, Field::Name)?);
        if self.kind(of) != Kind::GenericType || self.type_arguments(of).next().is_none() {
            return None;
        }
        // A smart pointer counts as what it points to.
        let is_itself = self.type_value_within(of, steps)? == ValueText::called_number(of);
        is_itself.then(|| ValueText::numbered(of).member(name))?
    }

    /// Returns the value whose member a field expression names. A path cannot begin with a
    /// container or a tuple, for which a number stands.
    pub(super) fn owner_value(&self, field: NodeIndex, steps: usize) -> Option<ValueText> {
        let of = self.child(field, Field::Value)?;
        let may_fail = OF_RESULTS.contains(&self.selected(field)?);
        let value = if may_fail {
            self.value_within(of, steps)?
        } else {
            self.locked_value(of, steps)?
        };
        Some(if value.is_literal() {
            ValueText::numbered(of)
        } else {
            value
        })
    }

    /// Returns the value of the result of a function, if it has one.
    pub(super) fn results(&self, function: NodeIndex) -> Vec<Option<ValueText>> {
        let result = self.child(function, Field::ReturnType);
        let result = result.map(|of| self.type_value(of));
        result.into_iter().collect()
    }
}

/// Returns the method of `std::ops` that an operator calls.
fn operator_method(operator: &str) -> Option<&'static str> {
    match operator {
        "+" => Some("add"),
        "-" => Some("sub"),
        "*" => Some("mul"),
        "/" => Some("div"),
        "%" => Some("rem"),
        "&" => Some("bitand"),
        "|" => Some("bitor"),
        "^" => Some("bitxor"),
        "<<" => Some("shl"),
        ">>" => Some("shr"),
        _ => None,
    }
}

/// Returns a tuple, or `None` if nothing is known of its parts.
fn tuple_of(parts: impl Iterator<Item = Option<ValueText>>) -> Option<ValueText> {
    let parts: Vec<Option<ValueText>> = parts.collect();
    if parts.iter().all(Option::is_none) {
        return None;
    }
    let has_arguments = parts.iter().flatten().any(|part| part.has_arguments);
    let texts = parts.into_iter().map(|part| part.map(ValueText::into_path));
    let texts: Vec<String> = texts.map(Option::unwrap_or_default).collect();
    let tuple = ValueText::name(format!("({})", texts.join(",")));
    Some(tuple.with_arguments(has_arguments))
}

/// Returns a part of a tuple.
pub(super) fn part(of: ValueText, place: usize) -> Option<ValueText> {
    of.part(place, &format!("{TUPLE_PART}{place}"))
}

/// Returns the mapping that is made of pairs of keys and values.
pub(super) fn as_mapping(pairs: ValueText) -> Option<ValueText> {
    pairs.member(AS_MAPPING)?.called()
}

/// Returns a value that no type of the repository has.
pub(super) fn literal_value() -> ValueText {
    ValueText::call(format!("str{TYPE_NAME}"))
}

/// Returns what a closure without a name returns.
fn returned_by(closure: &ValueText) -> Option<ValueText> {
    let returned = closure.path.strip_prefix('<')?.strip_suffix('>')?;
    Some(ValueText::name(returned))
}

/// Returns an element of a container, or what is inside of an option or a result.
pub(super) fn element(of: ValueText) -> Option<ValueText> {
    if of.is_container() {
        return of.element();
    }
    of.member(INSIDE)?.called()
}
