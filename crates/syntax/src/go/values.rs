//! Reads types and expressions as values: `pkg.T` is an instance of that type, `[]T` a container of
//! instances, and `a.b().c[0]` a path.

use super::kinds::{Field, FlatTree, Kind};
use super::unnamed_types::unnamed_type;
use crate::facts::RANGE_INDICES;
use crate::tree::NodeIndex;
use crate::value_text::ValueText;

/// The maximum number of nodes from an expression or type to its innermost name.
const MAX_STEPS: usize = 24;

impl FlatTree<'_> {
    /// Returns the value of something of a type.
    pub(super) fn type_value(&self, node: NodeIndex) -> Option<ValueText> {
        self.type_value_within(node, MAX_STEPS)?.within_limit()
    }

    fn type_value_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let element = |field: Field| self.type_value_within(self.child(node, field)?, steps);
        match self.kind(node) {
            // The grammar reads the type of a conversion such as `List[int](x)` as an identifier.
            Kind::TypeIdentifier | Kind::Identifier => Some(ValueText::call(self.text(node))),
            Kind::QualifiedType => Some(ValueText::call(self.qualified(node)?)),
            Kind::GenericType => Some(ValueText::called_number(node)),
            Kind::NegatedType | Kind::PointerType | Kind::Parenthesized => {
                self.type_value_within(self.operands(node).next()?, steps)
            }
            Kind::ListType => Some(element(Field::Element)?.into_sequence()),
            Kind::ChannelType => Some(element(Field::Value)?.into_channel()),
            Kind::MapType => Some(element(Field::Value)?.into_mapping()),
            Kind::StructType | Kind::FunctionType => Some(unnamed_type(node)),
            _ => None,
        }
    }

    /// Returns the name of a type without `*`: `pkg.T` of `*pkg.T`.
    pub(super) fn type_path(&self, node: NodeIndex) -> Option<String> {
        let value = self.type_value(node)?;
        value.is_called.then_some(value.path)
    }

    fn qualified(&self, node: NodeIndex) -> Option<String> {
        let package = self.text(self.child(node, Field::Package)?);
        let name = self.text(self.child(node, Field::Name)?);
        Some(format!("{package}.{name}"))
    }

    /// Returns the value of a literal by its braces. One in another may have the type of an element
    /// of that: the inner ones of `[]T{{a: 1}}`.
    pub(super) fn literal_type(&self, braces: NodeIndex, depth: usize) -> Option<ValueText> {
        let depth = depth.checked_sub(1)?;
        let around = self.parent(braces);
        if self.kind(around) != Kind::LiteralElement {
            return self.type_value(self.child(around, Field::Type)?);
        }
        let mut outer = self.parent(around);
        if self.kind(outer) == Kind::KeyedElement {
            outer = self.parent(outer);
        }
        let outer = self.literal_type(outer, depth)?;
        outer.is_container().then(|| outer.element())?
    }

    /// Returns the value of an expression, or `None` if it is neither a path nor a value of a known
    /// type.
    pub(super) fn value_text(&self, node: NodeIndex) -> Option<ValueText> {
        self.value_within(node, MAX_STEPS)?.within_limit()
    }

    fn value_within(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let steps = steps.checked_sub(1)?;
        let of = |field: Field| self.value_within(self.child(node, field)?, steps);
        match self.kind(node) {
            Kind::Identifier => Some(ValueText::name(self.text(node))),
            Kind::Selector => {
                let name = self.text(self.child(node, Field::Selected)?);
                of(Field::Operand)?.member(name)
            }
            Kind::Call => self.call_value(node, steps),
            Kind::Conversion | Kind::CompositeLiteral | Kind::TypeAssertion => {
                self.type_value_within(self.child(node, Field::Type)?, steps)
            }
            Kind::Unary => self.unary_value(node, steps),
            Kind::Parenthesized => self.value_within(self.operands(node).next()?, steps),
            Kind::Index => of(Field::Operand)?.element(),
            Kind::Slice => of(Field::Operand),
            Kind::FunctionLiteral => Some(unnamed_type(node)),
            _ => None,
        }
    }

    fn call_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let function = self.child(node, Field::Function)?;
        let arguments = self.child(node, Field::Arguments)?;
        let has_function = |list: NodeIndex| {
            let mut arguments = self.operands(list);
            arguments.any(|one| self.kind(one) == Kind::FunctionLiteral)
        };
        let has_arguments = has_function(arguments);
        let mut arguments = self.operands(arguments);
        if self.kind(function) == Kind::Identifier {
            match self.text(function) {
                "new" | "make" => return self.type_value_within(arguments.next()?, steps),
                "append" | "min" | "max" => return self.value_within(arguments.next()?, steps),
                _ => {}
            }
        }
        let called = self.function_within(node, steps)?;
        if let Some(list) = self.arguments_of_callee(node) {
            return Some(ValueText::called_number(list).with_arguments(true));
        }
        let called = called.with_arguments(has_arguments);
        if self.may_infer_result(node) {
            let number = ValueText::numbered(node);
            return Some(number.with_arguments(called.has_arguments));
        }
        called.called()
    }

    /// Returns the function that a node calls, without its type arguments.
    pub(super) fn called_function(&self, call: NodeIndex) -> Option<ValueText> {
        self.function_within(call, MAX_STEPS)?.within_limit()
    }

    fn function_within(&self, call: NodeIndex, steps: usize) -> Option<ValueText> {
        let function = self.child(call, Field::Function)?;
        // `f[int](a)` has an index as its function, or type arguments.
        let function = match self.kind(function) {
            Kind::Index => self.child(function, Field::Operand)?,
            _ => function,
        };
        self.value_within(function, steps.checked_sub(1)?)
    }

    /// Returns the value of the second, third or further result of a call.
    pub(super) fn further_result(&self, call: NodeIndex, place: usize) -> Option<ValueText> {
        let called = match self.arguments_of_callee(call) {
            Some(list) => ValueText::called_number(list),
            None => self.called_function(call)?.called()?,
        };
        called.result(place)
    }

    fn unary_value(&self, node: NodeIndex, steps: usize) -> Option<ValueText> {
        let of = self.value_within(self.child(node, Field::Operand)?, steps)?;
        let operator = self.children(node).next()?;
        match self.text(operator) {
            "&" | "*" => Some(of),
            "<-" => of.receive(),
            _ => None,
        }
    }

    /// Returns the values of the results of a function, in order; `None` for a result of an unknown
    /// type.
    pub(super) fn results(&self, function: NodeIndex) -> Vec<Option<ValueText>> {
        let Some(result) = self.child(function, Field::Result) else {
            return Vec::new();
        };
        if self.kind(result) != Kind::Parameters {
            return vec![self.type_value(result)];
        }
        let mut results = Vec::new();
        for declared in self.operands(result) {
            let of = self.child(declared, Field::Type);
            let value = of.and_then(|of| self.type_value(of));
            let names = self.names_of(declared).count().max(1);
            results.extend(std::iter::repeat_n(value, names));
        }
        results
    }

    /// Returns the names that a specification or parameter declares.
    pub(super) fn names_of(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let children = self.children(node);
        children.filter(|child| {
            self.node(*child).field == Field::Name && self.kind(*child) != Kind::Token
        })
    }
}

impl ValueText {
    /// Returns a channel of such values: a tuple with one part, since a loop over a channel gets
    /// other values than one over an array.
    fn into_channel(self) -> Self {
        let has_arguments = self.has_arguments;
        Self::name(format!("({})", self.into_path())).with_arguments(has_arguments)
    }

    /// Returns what a channel sends.
    fn receive(self) -> Option<Self> {
        if self.is_literal() {
            return self.part(0, "");
        }
        Some(self.subscript("0"))
    }

    /// Returns what a variable of a loop over the value gets, by the place of the variable.
    pub(super) fn loop_variable(self, place: usize) -> Option<Self> {
        match place {
            1 if self.is_container() => self.element(),
            0 if self.is_literal() && !self.is_container() => self.receive(),
            _ if self.is_literal() => None,
            _ => Some(self.subscript(RANGE_INDICES.get(place)?)),
        }
    }

    fn subscript(self, index: &str) -> Self {
        let has_arguments = self.has_arguments;
        let path = format!("{}[{index}]", self.into_path());
        Self::name(path).with_arguments(has_arguments)
    }
}
