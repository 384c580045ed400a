//! How the types of arguments convert to those of parameters.
//!
//! Source: [the conversions of C#].
//!
//! [the conversions of C#]: https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/conversions#102-implicit-conversions

use std::collections::BTreeSet;

use super::Place;
use super::types::is_partial;
use crate::resolver::{Conversions, Resolver};
use crate::static_type::{Fit, StaticType};
use ragnav_base::item::DefinitionKind;

/// Each primitive type, with its name in the library.
const PRIMITIVES: [(&str, &str); 13] = [
    ("bool", "Boolean"),
    ("byte", "Byte"),
    ("char", "Char"),
    ("decimal", "Decimal"),
    ("double", "Double"),
    ("float", "Single"),
    ("int", "Int32"),
    ("long", "Int64"),
    ("sbyte", "SByte"),
    ("short", "Int16"),
    ("uint", "UInt32"),
    ("ulong", "UInt64"),
    ("ushort", "UInt16"),
];

/// The numbers that each primitive type converts to.
const WIDER: [(&str, &[&str]); 10] = [
    (
        "byte",
        &[
            "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "decimal",
        ],
    ),
    (
        "char",
        &[
            "ushort", "int", "uint", "long", "ulong", "float", "double", "decimal",
        ],
    ),
    ("float", &["double"]),
    ("int", &["long", "float", "double", "decimal"]),
    ("long", &["float", "double", "decimal"]),
    (
        "sbyte",
        &["short", "int", "long", "float", "double", "decimal"],
    ),
    ("short", &["int", "long", "float", "double", "decimal"]),
    ("uint", &["long", "ulong", "float", "double", "decimal"]),
    ("ulong", &["float", "double", "decimal"]),
    (
        "ushort",
        &["int", "uint", "long", "ulong", "float", "double", "decimal"],
    ),
];

/// The conversions of C#.
pub(super) struct CSharpConversions;

impl Conversions for CSharpConversions {
    fn builtin(&self, name: &str) -> Option<StaticType> {
        if matches!(name, "String" | "string") {
            return Some(StaticType::Text);
        }
        if name == "Action" {
            return Some(StaticType::Function);
        }
        let (plain, mark) = match name.strip_suffix('?') {
            Some(plain) => (plain, "?"),
            None => (name, ""),
        };
        let mut all = PRIMITIVES.iter();
        let (name, _) = all.find(|(keyword, class)| *keyword == plain || *class == plain)?;
        Some(StaticType::Primitive(format!("{name}{mark}")))
    }

    fn fit(&self, resolver: Resolver<'_>, from: &StaticType, to: &StaticType) -> Fit {
        use StaticType::{Function, Named, Null, Open, Outside, Own, Primitive, Sequence, Text};
        if let Outside(name) = to
            && matches!(name.as_str(), "Object" | "object")
            && *from != Function
        {
            return Fit::Yes;
        }
        if from == to && from.is_known() {
            return Fit::Yes;
        }
        if matches!(to, StaticType::Unknown | Open(_)) {
            return Fit::Maybe;
        }
        let is_open = |classes: &BTreeSet<Place>| has_conversions(resolver, classes);
        match from {
            Null => match to {
                Primitive(to) => maybe(to.ends_with('?')),
                _ => Fit::Yes,
            },
            Function => maybe(!matches!(to, Primitive(_) | Text | Sequence(_))),
            Primitive(from) => match to {
                Primitive(to) => converts(from, to),
                // A zero is a value of each enumeration.
                Own(to) => maybe((from == "int" && are_enums(resolver, to)) || is_open(to)),
                _ => maybe(matches!(to, Outside(_) | Named(_))),
            },
            Text | Sequence(_) => match to {
                Own(to) => maybe(is_open(to)),
                _ => maybe(!matches!(to, Primitive(_) | Text | Function)),
            },
            Own(from) => match to {
                Own(to) => match resolver.inherits(from, to) {
                    Fit::No => maybe(is_open(from) || is_open(to)),
                    fit => fit,
                },
                Primitive(_) | Text => maybe(is_open(from)),
                _ => {
                    let bases = resolver.outside_bases(from);
                    let has_base = bases.is_none_or(|bases| !bases.is_empty());
                    maybe(has_base || is_open(from))
                }
            },
            Outside(name) if matches!(name.as_str(), "Object" | "object") => Fit::No,
            Outside(_) => match to {
                Own(to) => maybe(is_open(to)),
                _ => Fit::Maybe,
            },
            StaticType::Unknown | Open(_) | Named(_) => Fit::Maybe,
        }
    }
}

/// Reports whether classes may declare conversions, or have parts with other bases.
fn has_conversions(resolver: Resolver<'_>, classes: &BTreeSet<Place>) -> bool {
    resolver.any_class(classes, |source, class| {
        let definitions = source.file.facts.definitions.iter();
        let mut members = definitions.filter(|one| one.parent == Some(class));
        let is_operator = |name| source.file.facts.name(name).starts_with("operator");
        is_partial(source, class) || members.any(|member| is_operator(member.name))
    })
}

fn are_enums(resolver: Resolver<'_>, types: &BTreeSet<Place>) -> bool {
    resolver.any_class(types, |source, id| {
        let found = source.definition(id);
        found.is_some_and(|found| found.kind == DefinitionKind::Enum)
    })
}

fn maybe(may_fit: bool) -> Fit {
    if may_fit { Fit::Maybe } else { Fit::No }
}

/// Reports whether a primitive type converts to another one.
fn converts(from: &str, to: &str) -> Fit {
    let (from, to) = match (from.strip_suffix('?'), to.strip_suffix('?')) {
        (Some(_), None) => return Fit::No,
        (Some(from), Some(to)) => (from, to),
        (None, nullable) => (from, nullable.unwrap_or(to)),
    };
    let mut wider = WIDER.iter();
    let wider = wider.find(|(name, _)| *name == from);
    if from == to || wider.is_some_and(|(_, wider)| wider.contains(&to)) {
        return Fit::Yes;
    }
    // A constant converts to every whole number that it fits.
    let is_whole = WIDER.iter().any(|(name, _)| *name == to) && !matches!(to, "char" | "float");
    maybe((from == "int" && is_whole) || (from == "long" && to == "ulong"))
}
