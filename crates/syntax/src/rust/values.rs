//! Reads types and expressions as values: `a::T` is an instance of that type, `Vec<T>` and
//! `Option<T>` containers of instances, and `a.b()?.c` a path.
//!
//! References, smart pointers and futures count as what they lead to.

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{FIELD, INSIDE, TUPLE_PART, TYPE_NAME};
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from an expression or type to its innermost name.
const MAX_STEPS: usize = 24;

/// The types of the standard library that count as what they point to or lock.
const POINTERS: [&str; 13] = [
    "Arc",
    "Box",
    "Cow",
    "LazyCell",
    "LazyLock",
    "ManuallyDrop",
    "MutexGuard",
    "Pin",
    "Rc",
    "Ref",
    "RefMut",
    "RwLockReadGuard",
    "RwLockWriteGuard",
];

/// The types of the standard library that contain elements, or one or none.
const CONTAINERS: [&str; 17] = [
    "BTreeSet",
    "BinaryHeap",
    "Cell",
    "HashSet",
    "IntoIter",
    "Iter",
    "LinkedList",
    "Mutex",
    "OnceCell",
    "OnceLock",
    "Option",
    "Poll",
    "RefCell",
    "Result",
    "RwLock",
    "Vec",
    "VecDeque",
];

const MAPPINGS: [&str; 2] = ["BTreeMap", "HashMap"];

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
            Kind::QualifiedType => of(Field::Alias),
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
                let of = self.value_within(self.child(node, Field::Value)?, steps)?;
                of.member(&format!("{FIELD}{}", self.selected(node)?))
            }
            Kind::Call => self.call_value(node, steps),
            Kind::StructExpression => {
                let name = self.child(node, Field::Name)?;
                Some(ValueText::call(self.path_within(name, steps)?))
            }
            Kind::Reference => self.value_within(self.child(node, Field::Value)?, steps),
            Kind::Parenthesized | Kind::Await => inner(),
            Kind::Unary if self.text(node).starts_with('*') => inner(),
            Kind::Try => element(inner()?),
            Kind::Index => {
                let place = self.operands(node).nth(1)?;
                match self.kind(place) {
                    Kind::Range => inner(),
                    _ => element(inner()?),
                }
            }
            Kind::Cast => self.type_value_within(self.child(node, Field::Type)?, steps),
            Kind::Literal | Kind::String => Some(literal_value()),
            Kind::Tuple => {
                let parts = self.operands(node);
                let parts = parts.map(|part| self.value_within(part, steps));
                Some(tuple_of(parts).unwrap_or_else(literal_value))
            }
            _ => self.inner_value(node, steps),
        }
    }

    fn selected(&self, node: NodeIndex) -> Option<&str> {
        Some(self.text(self.child(node, Field::Selected)?))
    }

    fn call_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        if self.may_infer_result(node) {
            return Some(ValueText::numbered(node));
        }
        let arguments = self.child(node, Field::Arguments)?;
        let function = self.callee(node)?;
        let is_generic = self.child(node, Field::Function) != Some(function);
        if self.kind(function) == Kind::FieldExpression {
            let of = self.value_within(self.child(function, Field::Value)?, steps)?;
            return of.member(self.selected(function)?)?.called();
        }
        let first = || self.value_within(self.operands(arguments).next()?, steps);
        let called = match self.kind(function) {
            Kind::Identifier => ValueText::name(self.text(function)),
            _ => self.value_within(function, steps)?,
        };
        let mut names = called.path.rsplit('.');
        let last = names.next().unwrap_or_default();
        let of = names.next().map(|of| of.trim_end_matches(TYPE_NAME));
        match (of, last) {
            (None, "Some" | "Ok") => return Some(first()?.into_sequence()),
            (Some("LazyLock" | "LazyCell"), "new") => return returned_by(&first()?),
            (Some(of), "new" | "clone" | "pin") if POINTERS.contains(&of) => return first(),
            (Some(of), "new") if CONTAINERS.contains(&of) => {
                return Some(first()?.into_sequence());
            }
            _ => {}
        }
        called.with_arguments(is_generic).called()
    }

    /// Returns the value of the result of a function, if it has one.
    pub(super) fn results(&self, function: NodeIndex) -> Vec<Option<ValueText>> {
        let result = self.child(function, Field::ReturnType);
        let result = result.map(|of| self.type_value(of));
        result.into_iter().collect()
    }
}

/// Reports whether a function is one of the standard library whose result the text tells.
pub(super) fn is_standard(path: &str) -> bool {
    let mut names = path.rsplit("::");
    let last = names.next().unwrap_or_default();
    let of = names.next().map(|of| of.split('<').next().unwrap_or(of));
    match (of, last) {
        (None, "Some" | "Ok" | "Err") => true,
        (Some(of), "new" | "clone" | "pin") => POINTERS.contains(&of) || CONTAINERS.contains(&of),
        _ => false,
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
