//! Counts parameters and reads arguments, which tell methods of one name apart.

use super::kinds::{Field, FlatTree, Kind};
use crate::facts::{ParameterCount, TYPE};
use crate::tree::NodeIndex;
use crate::value_text::{ArgumentText, ValueText, type_of_operation};
use ragnav_base::position::wire;

/// The number of nodes from the name of a called method or type to the call.
const MAX_STEPS: usize = 5;

/// The maximum depth of operators in an argument.
const MAX_DEPTH: usize = 16;

impl FlatTree<'_> {
    /// Counts the parameters of a method or constructor, with that of `this A a`.
    pub(super) fn parameter_count(&self, method: NodeIndex) -> Option<ParameterCount> {
        let list = self.child(method, Field::Parameters)?;
        Some(self.count_parameters(list))
    }

    /// Counts the parameters of the constructor that the head of a type declares.
    pub(super) fn head_parameter_count(&self, of: NodeIndex) -> Option<ParameterCount> {
        let mut parts = self.operands(of);
        let list = parts.find(|one| self.kind(*one) == Kind::Parameters)?;
        Some(self.count_parameters(list))
    }

    fn count_parameters(&self, list: NodeIndex) -> ParameterCount {
        let parameters = self.operands(list);
        let parameters = parameters.filter(|one| self.kind(*one) == Kind::Parameter);
        let parameters: Vec<NodeIndex> = parameters.collect();
        let has_default =
            |one: &&NodeIndex| self.children(**one).any(|part| self.text(part) == "=");
        let optional = parameters.iter().filter(has_default).count();
        // The grammar has no node for the parameter `params T[] a`: its type and its name are
        // children of the list.
        let is_variadic = self.child(list, Field::Name).is_some();
        let declared = wire(parameters.len()) + u32::from(is_variadic);
        ParameterCount {
            declared,
            required: wire(parameters.len() - optional),
            is_variadic,
        }
    }

    /// Returns the arguments of the call of a name. Without a list of them there are none, as in
    /// `new A { B = 1 }`.
    pub(super) fn arguments_around(&self, name: NodeIndex) -> Option<Vec<ArgumentText>> {
        let around = std::iter::successors(Some(name), |one| Some(self.parent(*one)));
        let mut around = around.skip(1).take(MAX_STEPS);
        let call =
            around.find(|one| matches!(self.kind(*one), Kind::Invocation | Kind::Creation))?;
        let list = self.child(call, Field::Arguments);
        let mut arguments = list.map_or_else(Vec::new, |list| self.arguments_in(list));
        let is_generic = self.kind(self.parent(name)) == Kind::Generic;
        if is_generic && self.kind(call) == Kind::Invocation {
            // The type arguments tell which method is called, too.
            arguments.fill(ArgumentText::Unknown);
        }
        Some(arguments)
    }

    /// Returns the arguments of a list. If any has a name, their types are not known.
    pub(super) fn arguments_in(&self, list: NodeIndex) -> Vec<ArgumentText> {
        let are_named = self
            .operands(list)
            .any(|one| self.child(one, Field::Name).is_some());
        let arguments = self.operands(list).map(|one| {
            let mut parts = self.children(one);
            let by_reference = parts.any(|part| matches!(self.text(part), "in" | "out" | "ref"));
            match self.operands(one).last() {
                Some(value) if !are_named && !by_reference => self.argument(value),
                _ => ArgumentText::Unknown,
            }
        });
        arguments.collect()
    }

    fn argument(&self, node: NodeIndex) -> ArgumentText {
        match self.kind(node) {
            Kind::AnonymousMethod | Kind::Lambda => ArgumentText::Function,
            Kind::Null => ArgumentText::Null,
            // The types of the operands may differ.
            Kind::Assignment | Kind::ConditionalExpression => ArgumentText::Unknown,
            _ => match self.literal_type(node, MAX_DEPTH) {
                Some(name) => ArgumentText::Value(ValueText::call(format!("{TYPE}{name}"))),
                None if self.kind(node) == Kind::Binary => ArgumentText::Unknown,
                None => self.value_text(node).into(),
            },
        }
    }

    /// Returns the name of the type of a literal, of a comparison and of a text that `+` joins.
    fn literal_type(&self, node: NodeIndex, depth: usize) -> Option<&'static str> {
        let depth = depth.checked_sub(1)?;
        let text = self.text(node);
        match self.kind(node) {
            Kind::String => Some("string"),
            Kind::Number => Some(type_of_number(text)),
            Kind::Is | Kind::IsPattern => Some("bool"),
            Kind::TypeOf if text.starts_with("sizeof") => Some("int"),
            Kind::Parenthesized => self.literal_type(self.operands(node).next()?, depth),
            Kind::PrefixUnary => match self.literal_type(self.operands(node).next()?, depth)? {
                "char" => Some("int"),
                name => Some(name),
            },
            Kind::Binary => {
                let operator = self.text(self.child(node, Field::Operator)?);
                let types = [Field::Left, Field::Right]
                    .map(|side| self.literal_type(self.child(node, side)?, depth));
                type_of_operation(operator, types, ("bool", "string"))
            }
            _ => None,
        }
    }
}

/// Returns the name of the type of a literal of a number, a letter or a truth value.
///
/// Source: [the integer literals of C#].
///
/// [the integer literals of C#]: https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/lexical-structure#6453-integer-literals
pub(super) fn type_of_number(text: &str) -> &'static str {
    let lower = text.to_ascii_lowercase().replace('_', "");
    let hexadecimal = lower.strip_prefix("0x").map(|digits| (digits, 16));
    let binary = lower.strip_prefix("0b").map(|digits| (digits, 2));
    let (digits, radix) = hexadecimal.or(binary).unwrap_or((&lower, 10));
    let is_real = radix == 10 && lower.contains(['.', 'e']);
    let whole = digits.trim_end_matches(['u', 'l']);
    let value = u64::from_str_radix(whole, radix).unwrap_or_default();
    let fits_int = i32::try_from(value).is_ok();
    let fits_unsigned = u32::try_from(value).is_ok();
    let fits_long = i64::try_from(value).is_ok();
    match lower.as_bytes() {
        [b'\'', ..] => "char",
        b"true" | b"false" => "bool",
        [.., b'u', b'l'] | [.., b'l', b'u'] => "ulong",
        [.., b'l'] if fits_long => "long",
        [.., b'u'] if fits_unsigned => "uint",
        [.., b'l' | b'u'] => "ulong",
        [.., b'm'] if radix == 10 => "decimal",
        [.., b'f'] if radix == 10 => "float",
        [.., b'd'] if radix == 10 => "double",
        _ if is_real => "double",
        _ if fits_int => "int",
        _ if fits_unsigned => "uint",
        _ if fits_long => "long",
        _ => "ulong",
    }
}
