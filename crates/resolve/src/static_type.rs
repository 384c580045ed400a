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
    /// Classes of the repository: several if a class has parts, or if a value may be of any of
    /// them.
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

    /// Reports whether an equal type in another file is the same one.
    pub(super) fn is_same_everywhere(&self) -> bool {
        match self {
            Self::Primitive(_) | Self::Text | Self::Own(_) => true,
            Self::Sequence(Some(element)) => element.is_same_everywhere(),
            _ => false,
        }
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

/// How a call passes arguments to a variadic parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As one array. A method without such a parameter has this form.
    Fixed,
    /// As any number of elements.
    Variable,
}

/// The parameters of a method.
#[derive(Debug)]
pub(super) struct ParameterTypes {
    pub(super) types: Vec<StaticType>,
    pub(super) count: ParameterCount,
}

impl ParameterTypes {
    /// Returns the type of the parameter that takes an argument.
    pub(super) fn taking(&self, place: usize, form: Form) -> StaticType {
        let last = (self.count.declared as usize).saturating_sub(1);
        let declared = self.types.get(place.min(last)).cloned();
        let declared = declared.unwrap_or(StaticType::Unknown);
        if form == Form::Fixed || place < last {
            return declared;
        }
        match declared {
            StaticType::Sequence(Some(element)) => *element,
            _ => StaticType::Unknown,
        }
    }

    /// Reports whether a call with a number of arguments may pass an array to the variadic
    /// parameter.
    pub(super) fn may_take_array(&self, arguments: usize) -> bool {
        self.count.is_variadic && arguments == self.count.declared as usize
    }

    /// Reports whether two methods may have equal parameters, as one that overrides another has.
    pub(super) fn may_equal(&self, other: &Self) -> bool {
        let mut pairs = self.types.iter().zip(&other.types);
        self.count.declared == other.count.declared && pairs.all(|(one, two)| one.may_equal(two))
    }
}
