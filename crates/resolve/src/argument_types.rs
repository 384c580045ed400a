//! The types of arguments and parameters, as far as they tell overloads apart.
//!
//! There is no type checker: a type is that of a literal, that which a variable, parameter or
//! method declares, or the class that a value is resolved to. What is not known fits everything.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::entity::{Entity, ResolvedEntities, TypeParameter};
use crate::file_facts::FileFacts;
use crate::resolver::{Conversions, Resolver};
use crate::source_file::SourceFile;
use crate::static_type::{Fit, Form, ParameterTypes, Place, StaticType};
use crate::values::{self, between};
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    ARGUMENTS, ArgumentFact, Binding, BindingTarget, DefinitionFact, DefinitionId, FIELD, METHOD,
    ParameterCount, Position, Receiver, Reference, ScopeId, Space, THIS, TYPE, TYPE_NUMBER,
    TypeShape, Value,
};

/// The maximum number of declarations from a value to its type.
const MAX_STEPS: usize = 6;

/// The maximum number of classes whose bases are compared with a class.
const MAX_BASES: usize = 64;

/// A call in a file, whose arguments choose among overloads.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
/// # use setup::{database, path};
/// use ragnav_resolve::{CallSite, Resolver};
/// use ragnav_syntax::facts::DefinitionId;
///
/// let text = "class Cart { Cart(int a) {} Cart(String a) {} Object b = new Cart(\"c\"); }\n";
/// let database = database(&[("Cart.java", text)]);
/// let cart = path("Cart.java");
/// let file = database.facts(&cart).unwrap();
/// let call = file.facts.references.iter().find(|one| one.arguments.is_some()).unwrap();
/// let call = CallSite { path: &cart, file: &file, reference: call };
/// let found = Resolver::new(&database).constructors((&cart, DefinitionId(0)), Some(call));
/// assert_eq!(found.into_iter().collect::<Vec<_>>(), [(cart.clone(), DefinitionId(2))]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct CallSite<'c> {
    /// The file of the call.
    pub path: &'c RepoPath,
    /// The facts of that file.
    pub file: &'c FileFacts,
    /// The name that is called.
    pub reference: &'c Reference,
}

/// The arguments of a call.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'c> {
    source: SourceFile<'c>,
    scope: ScopeId,
    at: Position,
    list: &'c [ArgumentFact],
    /// The receiver, if it is the first argument, as that of an extension method is.
    receiver: Option<ArgumentFact>,
}

impl<'c> Arguments<'c> {
    /// Returns the arguments of a call, in the languages where they tell overloads apart.
    pub(super) fn new(source: SourceFile<'c>, call: &Reference) -> Option<Self> {
        Some(Self {
            source,
            scope: call.scope,
            at: call.position,
            list: source.file.facts.arguments_of(call)?,
            receiver: None,
        })
    }

    pub(super) fn after_receiver(self, receiver: Receiver) -> Self {
        let receiver = match receiver {
            Receiver::Value(value) => ArgumentFact::Value(value),
            _ => ArgumentFact::Unknown,
        };
        Self {
            receiver: Some(receiver),
            ..self
        }
    }

    pub(super) fn count(&self) -> u32 {
        let written = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        written.saturating_add(u32::from(self.receiver.is_some()))
    }
}

impl<'c> From<CallSite<'c>> for Option<Arguments<'c>> {
    fn from(site: CallSite<'c>) -> Self {
        let CallSite { path, file, .. } = site;
        Arguments::new(SourceFile { path, file }, site.reference)
    }
}

impl Resolver<'_> {
    /// Returns the types of the arguments of a call.
    pub(super) fn argument_types(
        self,
        conversions: &dyn Conversions,
        arguments: Arguments<'_>,
    ) -> Vec<StaticType> {
        let Arguments {
            source, scope, at, ..
        } = arguments;
        let all = arguments.receiver.iter().chain(arguments.list);
        let types = all.map(|argument| match argument {
            ArgumentFact::Unknown => StaticType::Unknown,
            ArgumentFact::Null => StaticType::Null,
            ArgumentFact::Function => StaticType::Function,
            ArgumentFact::Value(value) => {
                let walk = TypeWalk {
                    source: &source,
                    at: Some(at),
                    steps: MAX_STEPS,
                };
                self.static_type(conversions, walk, (scope, *value))
            }
        });
        self.database.trace.pause(|| types.collect())
    }

    /// Returns the types of the parameters of a method.
    pub(super) fn parameter_types(
        self,
        conversions: &dyn Conversions,
        (path, id): (&RepoPath, DefinitionId),
    ) -> Option<Rc<ParameterTypes>> {
        self.database.memoize_parameters((path, id), || {
            let file = self.database.facts(path)?;
            let source = SourceFile { path, file: &file };
            let method = source.definition(id)?;
            Some(self.declared_parameters(conversions, &source, (method, method.parameters?)))
        })
    }

    /// Returns the types of so many parameters that a method declares.
    pub(super) fn declared_parameters(
        self,
        conversions: &dyn Conversions,
        source: &SourceFile<'_>,
        (method, count): (&DefinitionFact, ParameterCount),
    ) -> ParameterTypes {
        let file = source.file;
        let mut declared: Vec<&Binding> = file.parameters(method.scope).collect();
        declared.dedup_by_key(|one| one.position);
        let is_complete = declared.len() == count.declared as usize
            || (count.is_variadic && declared.len() + 1 == count.declared as usize);
        declared.retain(|_| is_complete);
        let types = declared.into_iter().map(|one| match one.target {
            BindingTarget::Parameter(Some(value)) => {
                let walk = TypeWalk {
                    source,
                    at: None,
                    steps: MAX_STEPS,
                };
                self.static_type(conversions, walk, (one.value_scope, value))
            }
            _ => StaticType::Unknown,
        });
        ParameterTypes {
            types: self.database.trace.pause(|| types.collect()),
            count,
        }
    }

    /// Reports whether arguments of these types fit parameters, and in which form.
    pub(super) fn fit(
        self,
        conversions: &dyn Conversions,
        arguments: &[StaticType],
        parameters: &ParameterTypes,
    ) -> (Fit, Form) {
        let fit_in = |form| {
            let arguments = arguments.iter().enumerate();
            let fits = arguments.map(|(place, argument)| {
                conversions.fit(self, argument, &parameters.taking(place, form))
            });
            let worst = self.database.trace.pause(|| fits.min());
            worst.unwrap_or(Fit::Yes)
        };
        if !parameters.count.is_variadic {
            return (fit_in(Form::Fixed), Form::Fixed);
        }
        let variable = fit_in(Form::Variable);
        if !parameters.may_take_array(arguments.len()) {
            return (variable, Form::Variable);
        }
        match fit_in(Form::Fixed) {
            fixed @ (Fit::Boxed | Fit::Yes) => (fixed, Form::Fixed),
            fixed => (fixed.max(variable), Form::Variable),
        }
    }

    /// Reports whether an argument of a type fits a parameter of another one.
    pub(super) fn fit_one(
        self,
        conversions: &dyn Conversions,
        argument: &StaticType,
        parameter: &StaticType,
    ) -> Fit {
        let trace = &self.database.trace;
        trace.pause(|| conversions.fit(self, argument, parameter))
    }

    /// Reports whether some parameters are at least as specific as others in a call: whatever
    /// fits them fits the others.
    pub(super) fn are_as_specific(
        self,
        conversions: &dyn Conversions,
        ((these, form), (others, other_form)): ((&ParameterTypes, Form), (&ParameterTypes, Form)),
        arguments: usize,
    ) -> bool {
        let fits = |one: &StaticType, other: &StaticType| {
            let is_equal = matches!(other, StaticType::Open(_)) || one == other;
            one.is_known() && (is_equal || conversions.fit(self, one, other) == Fit::Yes)
        };
        let is_as_specific = |place| {
            let other = others.taking(place, other_form);
            fits(&these.taking(place, form), &other)
                && (form == Form::Fixed
                    || !these.may_take_array(arguments)
                    || fits(&these.taking(place, Form::Fixed), &other))
        };
        let trace = &self.database.trace;
        trace.pause(|| (0..arguments).all(is_as_specific))
    }

    /// Reports whether the parameters of a method have exactly the types of the arguments.
    pub(super) fn are_exact(arguments: &[StaticType], parameters: &ParameterTypes) -> bool {
        let mut arguments = arguments.iter().enumerate();
        arguments.all(|(place, argument)| {
            argument.is_known() && parameters.taking(place, Form::Fixed) == *argument
        })
    }

    /// Reports whether a class is another one or inherits from it.
    pub(super) fn inherits(self, classes: &BTreeSet<Place>, of: &BTreeSet<Place>) -> Fit {
        let mut seen: BTreeSet<Place> = classes.clone();
        let mut ahead: Vec<Place> = classes.iter().cloned().collect();
        let mut is_open = false;
        while let Some(class) = ahead.pop() {
            if of.contains(&class) {
                return Fit::Yes;
            }
            if seen.len() > MAX_BASES {
                return Fit::Maybe;
            }
            for base in self.bases_of(&class) {
                is_open |= base.has_unknown;
                let places = base.entities.iter().filter_map(class_of);
                ahead.extend(places.filter(|place| seen.insert(place.clone())));
            }
        }
        if is_open { Fit::Maybe } else { Fit::No }
    }

    /// Returns the names of the bases that classes have from outside of the repository, or `None`
    /// if a base is not known.
    pub(super) fn outside_bases(self, classes: &BTreeSet<Place>) -> Option<BTreeSet<String>> {
        let mut outside = BTreeSet::new();
        let mut seen: BTreeSet<Place> = classes.clone();
        let mut ahead: Vec<Place> = classes.iter().cloned().collect();
        while let Some(class) = ahead.pop() {
            let file = self.database.facts(&class.0)?;
            let source = SourceFile {
                path: &class.0,
                file: &file,
            };
            let bases = &source.definition(class.1)?.bases;
            for (base, found) in bases.iter().zip(self.bases_of(&class)) {
                let places: Vec<Place> = found.entities.iter().filter_map(class_of).collect();
                if places.is_empty() {
                    outside.insert(name_of_base(&source, *base)?);
                }
                if seen.len() > MAX_BASES {
                    return None;
                }
                let new = places.into_iter();
                ahead.extend(new.filter(|place| seen.insert(place.clone())));
            }
        }
        Some(outside)
    }

    /// Reports whether `has` holds for any of these classes.
    pub(super) fn any_class(
        self,
        classes: &BTreeSet<Place>,
        has: impl Fn(&SourceFile<'_>, DefinitionId) -> bool,
    ) -> bool {
        classes.iter().any(|(path, id)| {
            let file = self.database.facts(path);
            file.is_some_and(|file| has(&SourceFile { path, file: &file }, *id))
        })
    }

    pub(super) fn are_interfaces(self, classes: &BTreeSet<Place>) -> bool {
        !self.any_class(classes, |source, id| {
            let class = source.definition(id);
            class.is_none_or(|class| class.kind != DefinitionKind::Interface)
        })
    }

    /// Resolves the bases that a class names.
    pub(super) fn bases_of(self, (path, class): &Place) -> Vec<ResolvedEntities> {
        let Some(file) = self.database.facts(path) else {
            return vec![ResolvedEntities::unknown()];
        };
        let source = SourceFile { path, file: &file };
        let Some(definition) = source.definition(*class) else {
            return Vec::new();
        };
        let scope = source.enclosing_scope(definition);
        let bases = definition.bases.iter();
        bases
            .map(|base| self.resolve_value(&source, scope, *base))
            .collect()
    }

    /// Returns the type of a value in a scope.
    fn static_type(
        self,
        conversions: &dyn Conversions,
        walk: TypeWalk<'_>,
        (scope, value): (ScopeId, Value),
    ) -> StaticType {
        let path = walk.source.file.facts.name(value.path);
        self.type_of_path(conversions, walk, (scope, path, value.is_called))
    }

    /// Returns the type of the text of a value.
    fn type_of_path(
        self,
        conversions: &dyn Conversions,
        walk: TypeWalk<'_>,
        (scope, path, is_called): (ScopeId, &str, bool),
    ) -> StaticType {
        let Some(steps) = walk.steps.checked_sub(1) else {
            return StaticType::Unknown;
        };
        let walk = TypeWalk { steps, ..walk };
        let type_of = |text: &str| {
            let is_called = text.ends_with("()");
            let path = text.strip_suffix("()").unwrap_or(text);
            self.type_of_path(conversions, walk, (scope, path, is_called))
        };
        if let Some(element) = between(path, ('[', ']')) {
            let element = type_of(element);
            let is_known = element != StaticType::Unknown;
            return StaticType::Sequence(is_known.then(|| Box::new(element)));
        }
        if let Some(array) = path.strip_suffix("[]").filter(|_| !is_called) {
            return match type_of(array) {
                StaticType::Sequence(Some(element)) => *element,
                _ => StaticType::Unknown,
            };
        }
        let resolve = |(path, is_called)| {
            let place = values::Place {
                scope,
                space: Space::Any,
                at: walk.at,
            };
            self.resolve_path_text(walk.source, place, (path, is_called))
        };
        if path.starts_with(TYPE_NUMBER) {
            return match walk.source.type_shape(path) {
                Some(TypeShape::Applied {
                    of,
                    space: Space::Types,
                    ..
                }) => {
                    let path = walk.source.file.facts.name(of.path);
                    Self::named_type(conversions, type_name(path), || resolve((path, true)))
                }
                Some(TypeShape::Applied { .. }) => {
                    let own = own_classes(&resolve((path, is_called)));
                    own.map_or(StaticType::Unknown, StaticType::Own)
                }
                Some(TypeShape::Call { of, .. }) => {
                    let path = walk.source.file.facts.name(of.path);
                    self.type_of_path(conversions, walk, (scope, path, true))
                }
                Some(TypeShape::Function(_)) => StaticType::Function,
                Some(TypeShape::Object(class)) => {
                    self.type_of_anonymous_class(conversions, walk, *class)
                }
                _ => StaticType::Unknown,
            };
        }
        if is_called && !is_method_call(path) {
            return Self::named_type(conversions, type_name(path), || resolve((path, true)));
        }
        let own = || own_classes(&resolve((path, is_called))).map(StaticType::Own);
        if !is_called {
            return own().unwrap_or_else(|| self.declared_type(conversions, walk, (scope, path)));
        }
        // Which overload is called is not known here, so all have to agree.
        let called = self.with_inherited_overloads(resolve((path, false)));
        match self.definitions(&called).count() {
            0 => {
                if let Some(own) = own() {
                    return own;
                }
            }
            1 => {
                let returned = || self.returned_type(conversions, walk, &called);
                return own().unwrap_or_else(returned);
            }
            _ => return self.returned_type(conversions, walk, &called),
        }
        let known = match (path.rsplit_once('.'), path.strip_prefix(METHOD)) {
            (Some((receiver, method)), _) => {
                conversions.result(&type_of(receiver), (type_name(receiver), method))
            }
            (None, Some(own)) => conversions.result(&StaticType::Unknown, (THIS, own)),
            (None, None) => None,
        };
        known.unwrap_or(StaticType::Unknown)
    }

    /// Returns the type that an anonymous class extends or implements.
    fn type_of_anonymous_class(
        self,
        conversions: &dyn Conversions,
        walk: TypeWalk<'_>,
        class: ScopeId,
    ) -> StaticType {
        let file = walk.source.file;
        let this = file.find_name(THIS);
        let mut bound = this.into_iter().flat_map(|this| file.bindings(class, this));
        let Some(Binding {
            target: BindingTarget::Variable(Some(base)),
            ..
        }) = bound.next()
        else {
            return StaticType::Unknown;
        };
        self.static_type(conversions, walk, (class, *base))
    }

    /// Returns the type of a name and of what it is resolved to.
    fn named_type(
        conversions: &dyn Conversions,
        name: &str,
        found: impl FnOnce() -> ResolvedEntities,
    ) -> StaticType {
        let builtin = conversions.builtin(name);
        // No class can have the name of a keyword.
        if let Some(primitive @ StaticType::Primitive(_)) = &builtin
            && name.starts_with(char::is_lowercase)
        {
            return primitive.clone();
        }
        let found = found();
        if let Some(own) = own_classes(&found) {
            return StaticType::Own(own);
        }
        if let Some(parameter) = type_parameter_of(&found) {
            return StaticType::Open(parameter.clone());
        }
        // A folder stands for a namespace, also for one from outside of the repository.
        let is_folder = |one: &Entity| matches!(one, Entity::Folder(_));
        let is_outside = |one: &Entity| {
            let is_container = matches!(
                one,
                Entity::Sequence(_) | Entity::Mapping(_) | Entity::External(_)
            );
            is_container || is_folder(one)
        };
        if name.is_empty() || !found.entities.iter().all(is_outside) {
            return StaticType::Unknown;
        }
        match builtin {
            Some(builtin) if found.entities.iter().all(is_folder) => builtin,
            _ if found.has_unknown => StaticType::Named(name.to_owned()),
            _ => StaticType::Outside(name.to_owned()),
        }
    }

    /// Returns the type that the called methods declare.
    fn returned_type(
        self,
        conversions: &dyn Conversions,
        walk: TypeWalk<'_>,
        called: &ResolvedEntities,
    ) -> StaticType {
        if called.has_unknown {
            return StaticType::Unknown;
        }
        let mut types = self.definitions(called).map(|(path, id)| {
            let file = self.database.facts(path)?;
            let source = SourceFile { path, file: &file };
            let method = source.definition(id)?;
            let walk = TypeWalk {
                source: &source,
                at: None,
                steps: walk.steps,
            };
            let returns = (source.enclosing_scope(method), method.returns?);
            Some(self.static_type(conversions, walk, returns))
        });
        let first = types.next().flatten().unwrap_or(StaticType::Unknown);
        if types.all(|one| one.as_ref() == Some(&first)) {
            first
        } else {
            StaticType::Unknown
        }
    }

    /// Returns the type that a variable, a parameter or a field of the file declares.
    fn declared_type(
        self,
        conversions: &dyn Conversions,
        walk: TypeWalk<'_>,
        (scope, path): (ScopeId, &str),
    ) -> StaticType {
        if let Some((class, name)) = path.split_once('.') {
            let name = name.strip_prefix(FIELD).unwrap_or(name);
            let constant = conversions.constant(class, name);
            return constant.unwrap_or(StaticType::Unknown);
        }
        let file = walk.source.file;
        // A field has a mark before its name, and in C# any use of a name has it.
        let plain = path.strip_prefix(FIELD).unwrap_or(path);
        let names = [plain, &format!("{FIELD}{plain}")].map(|name| file.find_name(name));
        let facts = &file.facts;
        let scopes = std::iter::successors(Some(scope), |scope| facts.scope(*scope)?.parent);
        for scope in scopes {
            let all = names.iter().flatten();
            let mut bound: Vec<&Binding> =
                all.flat_map(|name| file.bindings(scope, *name)).collect();
            bound.dedup_by_key(|one| one.position);
            match bound.as_slice() {
                [] => {}
                [one] => {
                    let (BindingTarget::Variable(Some(value))
                    | BindingTarget::Parameter(Some(value))
                    | BindingTarget::Attribute(Some(value))) = one.target
                    else {
                        break;
                    };
                    return self.static_type(conversions, walk, (one.value_scope, value));
                }
                _ => break,
            }
        }
        StaticType::Unknown
    }
}

/// Where the type of a value is searched.
#[derive(Clone, Copy)]
struct TypeWalk<'w> {
    source: &'w SourceFile<'w>,
    at: Option<Position>,
    steps: usize,
}

/// Returns the classes that a value is an instance of, or `None` if it may be anything else.
fn own_classes(found: &ResolvedEntities) -> Option<BTreeSet<Place>> {
    let entities = found.entities.iter();
    let classes = entities.map(|one| match one.without_type_arguments() {
        Entity::Instance(path, id) => Some((path.clone(), *id)),
        _ => None,
    });
    let classes: Option<BTreeSet<Place>> = classes.collect();
    classes.filter(|classes| !classes.is_empty() && !found.has_unknown)
}

fn type_parameter_of(found: &ResolvedEntities) -> Option<&TypeParameter> {
    match found.entities.first() {
        Some(Entity::TypeParameter(parameter)) if found.entities.len() == 1 => Some(parameter),
        _ => None,
    }
}

/// Returns the class of a base.
fn class_of(entity: &Entity) -> Option<Place> {
    match entity.without_type_arguments() {
        Entity::Definition(path, id) | Entity::Instance(path, id) => Some((path.clone(), *id)),
        _ => None,
    }
}

/// Reports whether a path that is called is that of a method, not of a type.
fn is_method_call(path: &str) -> bool {
    let Some((of, last)) = path.rsplit_once('.') else {
        return path.starts_with(METHOD);
    };
    let is_of_value = of.contains(['(', '[', METHOD]) || matches!(of, "this" | "base");
    is_of_value
        || last.contains(ARGUMENTS)
        // Each name of a type of C# has a mark before it, and that of a method has none.
        || (of.starts_with([TYPE, FIELD, TYPE_NUMBER]) && !last.starts_with(FIELD))
}

/// Returns the last name of the path of a type.
fn type_name(path: &str) -> &str {
    path.rsplit(['.', TYPE, FIELD]).next().unwrap_or(path)
}

/// Returns the last name of the type of a base.
fn name_of_base(source: &SourceFile<'_>, base: Value) -> Option<String> {
    let base = source.without_type_arguments(base);
    let name = type_name(source.file.facts.name(base.path));
    let is_numbered = name.starts_with(TYPE_NUMBER) || name.is_empty();
    (!is_numbered).then(|| name.to_owned())
}
