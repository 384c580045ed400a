//! How the types of arguments convert to those of parameters.
//!
//! Source: [JLS 5.3], the contexts of invocations.
//!
//! [JLS 5.3]: https://docs.oracle.com/javase/specs/jls/se21/html/jls-5.html#jls-5.3

use std::collections::BTreeSet;

use super::packages::{self, is_primitive};
use super::{library, standard};
use crate::resolver::{Conversions, Resolver};
use crate::static_type::{Fit, Place, StaticType};
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{ARGUMENTS, DefinitionFact};

/// The types that numbers convert to, from the narrowest.
const NUMBERS: [&str; 6] = ["byte", "short", "int", "long", "float", "double"];

/// Each primitive type with its class.
const BOXES: [(&str, &str); 8] = [
    ("boolean", "Boolean"),
    ("byte", "Byte"),
    ("char", "Character"),
    ("double", "Double"),
    ("float", "Float"),
    ("int", "Integer"),
    ("long", "Long"),
    ("short", "Short"),
];

/// What the classes of primitive types and of texts extend and implement.
const ABOVE_VALUES: [&str; 5] = [
    "Comparable",
    "Constable",
    "ConstantDesc",
    "Object",
    "Serializable",
];

/// What arrays extend and implement.
const ABOVE_ARRAYS: [&str; 3] = ["Cloneable", "Object", "Serializable"];

/// The conversions of Java.
pub(super) struct JavaConversions;

impl Conversions for JavaConversions {
    fn builtin(&self, name: &str) -> Option<StaticType> {
        if name == "String" {
            return Some(StaticType::Text);
        }
        is_primitive(name).then(|| StaticType::Primitive(name.to_owned()))
    }

    fn constant(&self, class: &str, name: &str) -> Option<StaticType> {
        let is_constant = name.chars().all(|letter| !letter.is_lowercase());
        primitive_of(class)
            .filter(|_| is_constant || name == "NaN")
            .map(|number| StaticType::Primitive(number.to_owned()))
    }

    fn result(&self, of: &StaticType, (receiver, method): (&str, &str)) -> Option<StaticType> {
        let name = method.split(ARGUMENTS).next()?;
        let is_text = *of == StaticType::Text;
        // The static methods of `String` have its name as their receiver.
        let of_text = is_text || (receiver == "String" && *of == StaticType::Unknown);
        let known = match library::result(name) {
            None if of_text => library::result_of_text(name),
            known => known,
        };
        let known = known?;
        let outside = || StaticType::Outside(known.to_owned());
        Some(self.builtin(known).unwrap_or_else(outside))
    }

    fn fit(&self, resolver: Resolver<'_>, from: &StaticType, to: &StaticType) -> Fit {
        use StaticType::{Function, Named, Null, Open, Outside, Own, Primitive, Sequence, Text};
        if let Outside(name) = to
            && name == "Object"
            && *from != Function
        {
            let is_boxed = matches!(from, Primitive(_));
            return if is_boxed { Fit::Boxed } else { Fit::Yes };
        }
        if from == to && from.is_known() {
            return Fit::Yes;
        }
        if matches!(to, StaticType::Unknown | Open(_)) {
            return Fit::Maybe;
        }
        match from {
            StaticType::Unknown | Open(_) | Named(_) => Fit::Maybe,
            Null => sure(!matches!(to, Primitive(_))),
            Function => match to {
                Own(classes) => maybe(resolver.are_interfaces(classes)),
                Outside(name) => maybe(may_be_function(name)),
                _ => maybe(matches!(to, Named(_))),
            },
            Primitive(from) => match to {
                Primitive(to) => sure(widens(from, to)),
                Outside(to) | Named(to) => boxed(is_above_value(class_of(from), to)),
                _ => Fit::No,
            },
            Text => match to {
                Outside(to) | Named(to) => {
                    sure(to == "CharSequence" || ABOVE_VALUES.contains(&to.as_str()))
                }
                _ => sure(*to == Text),
            },
            Sequence(from) => match (from, to) {
                (Some(from), Sequence(Some(to))) => self.fit_elements(resolver, from, to),
                (_, Outside(to) | Named(to)) => sure(ABOVE_ARRAYS.contains(&to.as_str())),
                _ => maybe(matches!(to, Sequence(_))),
            },
            Own(from) => match to {
                Own(to) => resolver.inherits(from, to),
                Outside(to) | Named(to) => extends(resolver, from, to),
                _ => Fit::No,
            },
            Outside(from) => match to {
                Primitive(to) => boxed(primitive_of(from).is_some_and(|from| widens(from, to))),
                Outside(to) | Named(to) => is_or_extends(from, to),
                _ => Fit::No,
            },
        }
    }
}

impl JavaConversions {
    /// Reports whether an array converts to another one, by the types of their elements.
    fn fit_elements(&self, resolver: Resolver<'_>, from: &StaticType, to: &StaticType) -> Fit {
        match (from, to) {
            (StaticType::Primitive(from), StaticType::Primitive(to)) => sure(from == to),
            (StaticType::Primitive(_), StaticType::Unknown) => Fit::Maybe,
            (StaticType::Primitive(_), _) => Fit::No,
            _ => self.fit(resolver, from, to),
        }
    }
}

/// Reports whether classes of the repository extend or implement a type from outside of it.
fn extends(resolver: Resolver<'_>, classes: &BTreeSet<Place>, to: &str) -> Fit {
    let Some(mut bases) = resolver.outside_bases(classes) else {
        return Fit::Maybe;
    };
    let any = |has: fn(&DefinitionFact) -> bool| {
        resolver.any_class(classes, |source, id| source.definition(id).is_some_and(has))
    };
    if any(|class| class.kind == DefinitionKind::Enum) {
        bases.insert("Enum".to_owned());
    }
    // The head of a record has parameters.
    if any(|class| class.kind == DefinitionKind::Class && class.parameters.is_some()) {
        bases.insert("Record".to_owned());
    }
    let known = bases.iter().map(|base| is_or_extends(base, to));
    match known.max().unwrap_or(Fit::No) {
        // The type of an annotation is an interface, too.
        Fit::No if to == "Annotation" => {
            maybe(any(|class| class.kind == DefinitionKind::Interface))
        }
        fit => fit,
    }
}

/// Reports whether a type from outside of the repository is another one, or extends or implements
/// it.
fn is_or_extends(from: &str, to: &str) -> Fit {
    match library::is_subtype(from, to) {
        Some(is_subtype) => sure(is_subtype),
        None if from == to => Fit::Yes,
        None => Fit::Maybe,
    }
}

/// Reports whether a type from outside of the repository may be an interface of functions.
fn may_be_function(name: &str) -> bool {
    let is_interface = matches!(
        name,
        "Appendable"
            | "AutoCloseable"
            | "Callable"
            | "Comparable"
            | "Iterable"
            | "Readable"
            | "Runnable"
            | "Supplier"
    );
    is_interface || !(packages::is_of_java_lang(name) || standard::is_container(name))
}

fn sure(fits: bool) -> Fit {
    if fits { Fit::Yes } else { Fit::No }
}

fn boxed(fits: bool) -> Fit {
    if fits { Fit::Boxed } else { Fit::No }
}

fn maybe(may_fit: bool) -> Fit {
    if may_fit { Fit::Maybe } else { Fit::No }
}

/// Reports whether a primitive type converts to another one.
fn widens(from: &str, to: &str) -> bool {
    let rank = |name: &str| NUMBERS.iter().position(|one| *one == name);
    let from_rank = match from {
        // A letter is a number without a sign.
        "char" => rank("int"),
        _ => rank(from),
    };
    from == to || from_rank.zip(rank(to)).is_some_and(|(from, to)| from <= to)
}

/// Returns the class of a primitive type.
fn class_of(primitive: &str) -> &str {
    let found = BOXES.iter().find(|(name, _)| *name == primitive);
    found.map_or("", |(_, class)| class)
}

/// Returns the primitive type of a class.
fn primitive_of(class: &str) -> Option<&'static str> {
    let found = BOXES.iter().find(|(_, name)| *name == class);
    found.map(|(primitive, _)| *primitive)
}

/// Reports whether the class of a primitive type is another one or extends it.
fn is_above_value(class: &str, name: &str) -> bool {
    let is_number = !matches!(class, "Boolean" | "Character");
    class == name || ABOVE_VALUES.contains(&name) || (is_number && name == "Number")
}
