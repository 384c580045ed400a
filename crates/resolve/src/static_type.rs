//! The types of arguments and parameters, which tell overloads apart.

use std::collections::BTreeSet;

use crate::entity::TypeParameter;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionId, ParameterCount};

/// A definition, by its file and index.
pub(super) type Place = (RepoPath, DefinitionId);

/// The type of an argument or a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StaticType {
    Unknown,
    Null,
    Function,
    /// A number, letter or truth value of the language.
    Primitive(String),
    /// A text: `String` of Java, `string` of C#.
    Text,
    /// An array, and in C# also a sequence of the library.
    Sequence(Option<Box<Self>>),
    /// Classes of the repository; several are parts of one, or possible values.
    Own(BTreeSet<Place>),
    /// A type parameter, which may stand for any type.
    Open(TypeParameter),
    /// A type from outside of the repository.
    Outside(String),
    /// A type of this name, of which it is open where it comes from.
    Named(String),
}

/// Whether an argument fits a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    No,
    Maybe,
    /// It fits, but only if no other method takes it as it is: an `int` as an `Object`.
    Boxed,
    Yes,
}

impl StaticType {
    /// Reports whether an equal type is the same one.
    pub(super) fn is_known(&self) -> bool {
        !matches!(self, Self::Unknown | Self::Sequence(None))
    }

    /// Reports whether two types may be one.
    pub(super) fn may_equal(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unknown | Self::Named(_) | Self::Open(_), _)
            | (_, Self::Unknown | Self::Named(_) | Self::Open(_)) => true,
            (Self::Own(these), Self::Own(others)) => !these.is_disjoint(others),
            (Self::Sequence(one), Self::Sequence(two)) => {
                let known = one.as_deref().zip(two.as_deref());
                known.is_none_or(|(one, two)| one.may_equal(two))
            }
            _ => self == other,
        }
    }
}

/// The parameters of a method.
#[derive(Debug)]
pub(super) struct ParameterTypes {
    pub(super) types: Vec<StaticType>,
    pub(super) count: ParameterCount,
}

impl ParameterTypes {
    /// Returns the type of the parameter that takes an argument, and in a call with one argument
    /// for each parameter that of a whole array.
    pub(super) fn taking(
        &self,
        place: usize,
        arguments: usize,
    ) -> (StaticType, Option<StaticType>) {
        let last = (self.count.declared as usize).saturating_sub(1);
        let declared = self.types.get(place.min(last)).cloned();
        let declared = declared.unwrap_or(StaticType::Unknown);
        if !self.count.is_variadic || place < last {
            return (declared, None);
        }
        let element = match &declared {
            StaticType::Sequence(Some(element)) => (**element).clone(),
            _ => StaticType::Unknown,
        };
        let is_whole = arguments == self.count.declared as usize;
        (element, is_whole.then_some(declared))
    }

    /// Reports whether two methods may have equal parameters, as one that overrides another has.
    pub(super) fn may_equal(&self, other: &Self) -> bool {
        let mut pairs = self.types.iter().zip(&other.types);
        pairs.all(|(one, two)| one.may_equal(two))
    }
}
