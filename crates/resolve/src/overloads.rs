//! Chooses among methods of one name by their parameters.
//!
//! A class of Java or C# may declare `f(int)` and `f(String)`, and inherit `f(int, int)`. The
//! number of arguments chooses first, then their types as far as they are known.
//!
//! Sources: [JLS 15.12.2] and [the overload resolution of C#].
//!
//! [JLS 15.12.2]: https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2
//! [the overload resolution of C#]: https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1264-overload-resolution

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::argument_types::{Arguments, CallSite};
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{Conversions, LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use crate::static_type::{Fit, Form, ParameterTypes, Place, StaticType};
use ragnav_base::hash::HashMap;
use ragnav_base::item::{DefinitionKind, StepKind};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionFact, DefinitionId, ParameterCount};

/// The largest number of classes in which an overload is searched.
const MAX_CLASSES: usize = 64;

/// The largest number of arguments whose types are compared.
const MAX_ARGUMENTS: usize = 64;

/// The largest number of methods that are compared with one another.
const MAX_METHODS: usize = 64;

/// A class, by its file and index.
type Class = (RepoPath, DefinitionId);

/// Reports whether a method with these parameters is one of those that are searched.
type Condition<'c> = &'c dyn Fn(Method<'_>, ParameterCount) -> bool;

/// A method, by its file and index.
type Method<'m> = (&'m RepoPath, DefinitionId);

impl Resolver<'_> {
    /// Keeps the methods that a call may mean.
    ///
    /// Of those that take the number of arguments, as [`Resolver::overloads_taking`] returns them,
    /// those remain that take their types; if they are known, the most specific one. In Java, those
    /// with as many parameters go before those with a variadic one, and inherited methods count as
    /// much as own ones.
    pub(super) fn choose_overloads(
        self,
        found: ResolvedEntities,
        arguments: Option<Arguments<'_>>,
    ) -> ResolvedEntities {
        let Some(arguments) = arguments else {
            return found;
        };
        let count = arguments.count();
        let mut taking = self.overloads_taking(found, Some(count));
        let has_phases = self.has_phases(&taking);
        let is_exact = |_: Method<'_>, parameters: ParameterCount| parameters.are_exactly(count);
        let Some(types) = self.types_in_call(&taking, arguments) else {
            let mut exact = self.meeting(&taking, &is_exact);
            if exact.entities.is_empty() && has_phases {
                exact = self.find_overloads(&taking, &is_exact);
            }
            return if exact.entities.is_empty() {
                taking
            } else {
                exact
            };
        };
        let is_identical = |method| {
            let parameters = self.parameters_in(&types, method);
            parameters.is_some_and(|of| Self::are_exact(&types.types, &of))
        };
        if has_phases && !self.definitions(&taking).any(is_identical) {
            let takes = |_: Method<'_>, parameters: ParameterCount| parameters.take(count);
            taking = self.with_inherited(taking, &takes);
        }
        let is_fitting = |method: Method<'_>, parameters: ParameterCount| {
            parameters.take(count) && self.fit_of(&types, method) != Fit::No
        };
        let mut fitting = self.find_overloads(&taking, &is_fitting);
        if fitting.is_none() {
            // The types are not as they seem.
            fitting = taking;
        }
        let is_first = |method: Method<'_>, parameters: ParameterCount| {
            let is_fixed = has_phases && self.judge(&types, method).form == Form::Fixed;
            is_fixed || parameters.are_exactly(count)
        };
        let mut first = self.meeting(&fitting, &is_first);
        let is_sure = |method| self.fit_of(&types, method) >= Fit::Boxed;
        if !has_phases || !self.definitions(&first).any(is_sure) {
            // If none of these takes the arguments, another one does.
            first = self.with_others(first, fitting, &types);
        }
        self.most_specific(first, &types)
    }

    /// Reports whether methods without a variadic parameter go before those with it, whatever class
    /// they are of.
    fn has_phases(self, found: &ResolvedEntities) -> bool {
        found.entities.iter().any(|one| {
            let language = one.file().and_then(|file| self.database.language(file));
            language.is_some_and(LanguageResolver::prefers_inherited_overloads)
        })
    }

    /// Adds the overloads that classes inherit and do not override, to those that a name means
    /// without arguments, as `A::f` does.
    pub(super) fn with_inherited_overloads(self, found: ResolvedEntities) -> ResolvedEntities {
        let any = |_: Method<'_>, _: ParameterCount| true;
        self.with_inherited(found, &any)
    }

    /// Adds the methods that classes inherit and do not override.
    fn with_inherited(self, found: ResolvedEntities, is_meant: Condition<'_>) -> ResolvedEntities {
        let language = self
            .definitions(&found)
            .next()
            .map(|(path, _)| path.clone());
        let language = language.and_then(|path| self.database.language(&path)?.conversions());
        let Some(conversions) = language else {
            return found;
        };
        // A property hides the methods of its name.
        let is_method =
            |(path, id): (&RepoPath, DefinitionId)| self.parameters_of(path, id).is_some();
        if !self.definitions(&found).all(is_method) {
            return found;
        }
        let mut search = Above {
            seen: BTreeSet::new(),
            is_complete: true,
        };
        let above = self.overloads_above(&found, is_meant, &mut search);
        let own: Vec<Rc<ParameterTypes>> = self
            .definitions(&found)
            .filter_map(|method| self.parameter_types(conversions, method))
            .collect();
        let is_other = |one: &Entity| {
            let Entity::Definition(path, id) = one.without_type_arguments() else {
                return false;
            };
            let of = self.parameter_types(conversions, (path, *id));
            of.is_some_and(|of| !own.iter().any(|one| one.may_equal(&of)))
        };
        let mut all = found;
        let entities = above.entities.into_iter();
        all.entities.extend(entities.filter(is_other));
        all
    }

    /// Adds further methods, except those whose arguments one of the first takes.
    fn with_others(
        self,
        first: ResolvedEntities,
        others: ResolvedEntities,
        types: &ArgumentTypes,
    ) -> ResolvedEntities {
        let has_phases = self.has_phases(&first);
        let known: Vec<Judged> = self
            .definitions(&first)
            .map(|method| self.judge(types, method))
            .take(MAX_METHODS)
            .collect();
        let is_needed = |one: &Entity| {
            let Entity::Definition(path, id) = one.without_type_arguments() else {
                return true;
            };
            let of = self.judge(types, (path, *id));
            let takes_less = |one: &Judged| {
                if has_phases {
                    self.is_as_specific(types, &of, one)
                } else {
                    // Optional parameters count only if all others are equal.
                    self.is_as_specific(types, &of, one) && self.is_as_specific(types, one, &of)
                }
            };
            !known.iter().any(takes_less)
        };
        let mut all = first;
        let entities = others.entities.into_iter();
        all.entities.extend(entities.filter(is_needed));
        all.has_unknown |= others.has_unknown;
        all
    }

    /// Reports whether whatever fits one method fits another one.
    fn is_as_specific(self, types: &ArgumentTypes, one: &Judged, other: &Judged) -> bool {
        let pair = one.parameters.as_deref().zip(other.parameters.as_deref());
        pair.is_some_and(|(these, others)| {
            let (these, others) = ((these, one.form), (others, other.form));
            self.are_as_specific(types.conversions, (these, others), types.types.len())
        })
    }

    /// Reports whether one method is meant rather than another one, if that takes the arguments.
    fn goes_before(self, types: &ArgumentTypes, one: &Judged, other: &Judged) -> bool {
        (one.fit >= Fit::Boxed || self.takes_what_fits(types, one, other))
            && self.is_as_specific(types, one, other)
    }

    /// Reports whether one method takes the arguments if another one does: each argument fits it,
    /// or is passed to a parameter of the same type. A name of a type from outside of the
    /// repository means the same only in one file.
    fn takes_what_fits(self, types: &ArgumentTypes, one: &Judged, other: &Judged) -> bool {
        let are_fixed = one.form == Form::Fixed && other.form == Form::Fixed;
        let pair = one.parameters.as_deref().zip(other.parameters.as_deref());
        let Some((these, others)) = pair.filter(|_| are_fixed && one.fit != Fit::No) else {
            return false;
        };
        let mut arguments = types.types.iter().enumerate();
        arguments.all(|(place, argument)| {
            let [taken, by_other] = [these, others].map(|of| of.taking(place, Form::Fixed));
            let is_same = taken == by_other
                && (taken.is_same_everywhere() || (one.file == other.file && taken.is_known()));
            is_same || self.fit_one(types.conversions, argument, &taken) >= Fit::Boxed
        })
    }

    /// Returns the types of the arguments of a call, unless no choice depends on them.
    fn types_in_call(
        self,
        taking: &ResolvedEntities,
        arguments: Arguments<'_>,
    ) -> Option<ArgumentTypes> {
        let (path, _) = self.definitions(taking).next()?;
        let conversions = self.database.language(path)?.conversions()?;
        if !(1..=MAX_ARGUMENTS).contains(&(arguments.count() as usize)) {
            return None;
        }
        Some(ArgumentTypes {
            conversions,
            types: self.argument_types(conversions, arguments),
            judged: RefCell::default(),
        })
    }

    fn fit_of(self, types: &ArgumentTypes, method: Method<'_>) -> Fit {
        self.judge(types, method).fit
    }

    fn parameters_in(
        self,
        types: &ArgumentTypes,
        method: Method<'_>,
    ) -> Option<Rc<ParameterTypes>> {
        self.judge(types, method).parameters
    }

    /// Returns the parameters of a method, and how the arguments of a call fit them.
    fn judge(self, types: &ArgumentTypes, method: Method<'_>) -> Judged {
        let place = (method.0.clone(), method.1);
        if let Some(known) = types.judged.borrow().get(&place) {
            return known.clone();
        }
        let parameters = self.parameter_types(types.conversions, method);
        let (fit, form) = match &parameters {
            Some(parameters) => self.fit(types.conversions, &types.types, parameters),
            None => (Fit::Maybe, Form::Fixed),
        };
        let judged = Judged {
            file: method.0.clone(),
            parameters,
            fit,
            form,
        };
        types.judged.borrow_mut().insert(place, judged.clone());
        judged
    }

    /// Reports whether a call may mean another method than the one that was chosen, as the types of
    /// its arguments do not tell.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::{CallSite, Resolver};
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "class A { void f(int a) {} void f(int... a) {} { f(1); f(b()); } }\n";
    /// let database = database(&[("A.java", text)]);
    /// let a = path("A.java");
    /// let file = database.facts(&a).unwrap();
    /// let calls = file.facts.references.iter().filter(|one| file.facts.name(one.name) == "f");
    /// let may_mean_variadic = calls.map(|reference| {
    ///     let call = CallSite { path: &a, file: &file, reference };
    ///     let [chosen, variadic] = [1, 2].map(|id| (&a, DefinitionId(id)));
    ///     Resolver::new(&database).may_mean_other(call, chosen, variadic)
    /// });
    /// assert_eq!(may_mean_variadic.collect::<Vec<_>>(), [false, true]);
    /// ```
    #[must_use]
    pub fn may_mean_other(self, call: CallSite<'_>, chosen: Method<'_>, other: Method<'_>) -> bool {
        let Some(arguments) = Option::<Arguments<'_>>::from(call) else {
            return false;
        };
        let count = arguments.count();
        let parameters = self.parameters_of(other.0, other.1);
        if count == 0 || !parameters.is_some_and(|parameters| parameters.take(count)) {
            return false;
        }
        let found = ResolvedEntities::single(Entity::Definition(other.0.clone(), other.1));
        let types = self.types_in_call(&found, arguments);
        types.is_none_or(|types| {
            let [chosen, other] = [chosen, other].map(|method| self.judge(&types, method));
            chosen.fit < Fit::Boxed
                && other.fit != Fit::No
                && !self.is_as_specific(&types, &other, &chosen)
                && !self.goes_before(&types, &chosen, &other)
        })
    }

    /// Keeps the method that is more specific than all others that fit, if its types are known.
    fn most_specific(self, found: ResolvedEntities, types: &ArgumentTypes) -> ResolvedEntities {
        let methods = self.definitions(&found);
        let mut methods: Vec<(Method<'_>, Judged)> = methods
            .map(|method| (method, self.judge(types, method)))
            .collect();
        if !(2..=MAX_METHODS).contains(&methods.len()) {
            return found;
        }
        if methods.iter().any(|(_, one)| one.fit == Fit::Yes) {
            methods.retain(|(_, one)| one.fit != Fit::Boxed);
        }
        let count = types.types.len();
        let is_exact = |(_, one): &&(Method<'_>, Judged)| {
            let parameters = one.parameters.as_deref();
            let are_exact = |of| Self::are_exact(&types.types, of);
            one.form == Form::Fixed && parameters.is_some_and(are_exact)
        };
        let is_best = |(_, one): &&(Method<'_>, Judged)| {
            methods
                .iter()
                .all(|(_, other)| self.goes_before(types, one, other))
        };
        let mut best: Vec<_> = methods.iter().filter(is_exact).collect();
        if best.is_empty() {
            best = methods.iter().filter(is_best).collect();
        }
        if best.len() > 1 {
            // Of equal ones, that without an optional parameter is meant.
            let has_all = |(_, one): &&(Method<'_>, Judged)| {
                let parameters = one.parameters.as_deref();
                parameters.is_some_and(|of| of.count.declared as usize == count)
            };
            best.retain(has_all);
        }
        let [((path, id), chosen)] = best.as_slice() else {
            return found;
        };
        let mut others = methods.iter();
        if chosen.form == Form::Variable
            && self.has_phases(&found)
            && others.any(|(_, one)| one.form == Form::Fixed)
        {
            // That one goes first, if it takes the arguments.
            return found;
        }
        let is_chosen = |one: &Entity| {
            matches!(one.without_type_arguments(), Entity::Definition(file, method)
                if file == *path && method == id)
        };
        let entities = found.entities.iter().filter(|one| is_chosen(one));
        ResolvedEntities {
            has_unknown: found.has_unknown,
            entities: entities.cloned().collect(),
        }
    }

    /// Keeps the methods that take a number of arguments: of those that were found, or else of
    /// those that their classes inherit. If a class outside of the repository may have one, the
    /// method is unknown. If no class can have one, the facts do not tell, and all are kept.
    pub(super) fn overloads_taking(
        self,
        found: ResolvedEntities,
        arguments: Option<u32>,
    ) -> ResolvedEntities {
        let Some(count) = arguments.filter(|_| !found.entities.is_empty()) else {
            return found;
        };
        let taking = self.find_overloads(&found, &|_, parameters| parameters.take(count));
        if taking.is_none() && !self.head_takes(&found, count) {
            return found;
        }
        taking
    }

    /// Reports whether the head of a type declares a constructor that takes a number of arguments,
    /// as in `record A(int b) {}`. No definition stands for it.
    fn head_takes(self, found: &ResolvedEntities, count: u32) -> bool {
        self.definitions(found).any(|(path, id)| {
            let file = self.database.facts(path);
            file.is_some_and(|file| {
                let source = SourceFile { path, file: &file };
                let method = source.definition(id);
                let method = method.filter(|method| source.is_named_constructor(method));
                let class = method.and_then(|method| source.definition(method.parent?));
                let head = class.and_then(|class| class.parameters);
                head.is_some_and(|head| head.take(count))
            })
        })
    }

    /// Returns the number of parameters of a method, in the languages where it tells overloads
    /// apart.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let database = database(&[("Cart.java", "class Cart { void add(int a, int b) {} }\n")]);
    /// let cart = path("Cart.java");
    /// let parameters = Resolver::new(&database).parameters_of(&cart, DefinitionId(1));
    /// assert_eq!(parameters.map(|parameters| parameters.declared), Some(2));
    /// ```
    #[must_use]
    pub fn parameters_of(self, path: &RepoPath, id: DefinitionId) -> Option<ParameterCount> {
        let file = self.database.facts(path)?;
        let definition = file.facts.definition(id)?;
        let is_called = matches!(
            definition.kind,
            DefinitionKind::Function | DefinitionKind::Method
        );
        definition.parameters.filter(|_| is_called)
    }

    /// Reports whether two methods are overloads of each other: they have one name, and are of one
    /// class, or of two of which one inherits from the other and does not override the method.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "class Cart { void add(int a) {} void add() {} void clear() {} }\n";
    /// let database = database(&[("Cart.java", text)]);
    /// let cart = path("Cart.java");
    /// let are_overloads = |a, b| {
    ///     let [a, b] = [a, b].map(|id| (&cart, DefinitionId(id)));
    ///     Resolver::new(&database).are_overloads(a, b)
    /// };
    /// assert!(are_overloads(1, 2) && !are_overloads(1, 3));
    /// ```
    #[must_use]
    pub fn are_overloads(self, one: Method<'_>, two: Method<'_>) -> bool {
        let (Some(file), Some(other)) = (self.database.facts(one.0), self.database.facts(two.0))
        else {
            return false;
        };
        let pair = file
            .facts
            .definition(one.1)
            .zip(other.facts.definition(two.1));
        let Some((method, namesake)) = pair else {
            return false;
        };
        let parents = method.parent.zip(namesake.parent);
        let Some((parent, other_parent)) = parents else {
            return false;
        };
        if one == two || file.facts.name(method.name) != other.facts.name(namesake.name) {
            return false;
        }
        if one.0 == two.0 && parent == other_parent {
            return true;
        }
        let language = self.database.language(one.0);
        let Some(conversions) = language.and_then(LanguageResolver::conversions) else {
            return false;
        };
        let classes = [(one.0, parent), (two.0, other_parent)];
        let [class, base] = classes.map(|(path, id)| BTreeSet::from([(path.clone(), id)]));
        let are_related =
            self.inherits(&class, &base) == Fit::Yes || self.inherits(&base, &class) == Fit::Yes;
        let types = [one, two].map(|method| self.parameter_types(conversions, method));
        let [Some(these), Some(others)] = types else {
            return false;
        };
        are_related && !these.may_equal(&others)
    }

    /// Reports whether any of these entities can be called with a number of arguments.
    pub(super) fn any_takes(
        self,
        found: &ResolvedEntities,
        arguments: Option<Arguments<'_>>,
    ) -> bool {
        let mut entities = found.entities.iter();
        arguments.map(|list| list.count()).is_none_or(|count| {
            entities.any(|one| self.meets(one, &|_, parameters| parameters.take(count)))
        })
    }

    /// Keeps the methods with the parameters of another one, which may override them: of those that
    /// were found, or else of those that their classes inherit.
    pub(super) fn overloads_like(
        self,
        found: ResolvedEntities,
        source: &SourceFile<'_>,
        like: &DefinitionFact,
    ) -> ResolvedEntities {
        let Some(wanted) = like.parameters else {
            return found;
        };
        let language = self.database.language(source.path);
        let conversions = language.and_then(LanguageResolver::conversions);
        let types = conversions
            .map(|conversions| self.declared_parameters(conversions, source, (like, wanted)));
        self.find_overloads(&found, &|method, parameters| {
            let has_types = |types: &ParameterTypes| {
                let of = conversions.and_then(|one| self.parameter_types(one, method));
                of.is_none_or(|of| of.may_equal(types))
            };
            parameters.declared == wanted.declared && types.as_ref().is_none_or(has_types)
        })
    }

    fn find_overloads(self, found: &ResolvedEntities, is_meant: Condition<'_>) -> ResolvedEntities {
        let kept = self.meeting(found, is_meant);
        if !kept.entities.is_empty() {
            return kept;
        }
        let mut search = Above {
            seen: BTreeSet::new(),
            is_complete: false,
        };
        let mut above = self.overloads_above(found, is_meant, &mut search);
        above.has_unknown |= found.has_unknown;
        above
    }

    /// Finds methods that the classes of some methods inherit, or that another part of one has.
    fn overloads_above(
        self,
        found: &ResolvedEntities,
        is_meant: Condition<'_>,
        search: &mut Above,
    ) -> ResolvedEntities {
        let all = found.entities.iter().map(|entity| match entity {
            Entity::Generic(inner, arguments) => {
                let inner = ResolvedEntities::single((**inner).clone());
                let above = self.overloads_above(&inner, is_meant, search);
                self.substitute(above, arguments)
            }
            Entity::Definition(path, id) => {
                self.overloads_above_method((path, *id), is_meant, search)
            }
            _ => ResolvedEntities::none(),
        });
        ResolvedEntities::union(all)
    }

    fn overloads_above_method(
        self,
        (path, id): (&RepoPath, DefinitionId),
        is_meant: Condition<'_>,
        search: &mut Above,
    ) -> ResolvedEntities {
        let Some(file) = self.database.facts(path) else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile { path, file: &file };
        let method = source.definition(id);
        let parent = method.and_then(|method| Some((method, method.parent?)));
        let Some((method, class)) = parent.filter(|(_, class)| self.has_members(path, *class))
        else {
            return ResolvedEntities::none();
        };
        if search.seen.len() > MAX_CLASSES || !search.seen.insert((path.clone(), class)) {
            return ResolvedEntities::none();
        }
        let name = file.facts.name(method.name);
        let mut all = ResolvedEntities::none();
        for members in self.namesakes_above(&source, class, name) {
            let kept = self.meeting(&members, is_meant);
            if !kept.entities.is_empty() && !search.is_complete {
                return kept;
            }
            all.merge(kept);
            let above = self.overloads_above(&members, is_meant, search);
            if !above.entities.is_empty() && !search.is_complete {
                return above;
            }
            all.merge(above);
        }
        all
    }

    /// Resolves a member in other parts of a class, and in each of its bases.
    fn namesakes_above(
        self,
        source: &SourceFile<'_>,
        class: DefinitionId,
        name: &str,
    ) -> Vec<ResolvedEntities> {
        let language = self.database.language(source.path);
        let Some((definition, language)) = source.definition(class).zip(language) else {
            return Vec::new();
        };
        let of = (&source.entity(class), definition);
        let elsewhere = language.resolve_member_elsewhere(self, source, of, name);
        let scope = source.enclosing_scope(definition);
        let step = (
            StepKind::InheritedBy,
            source.file.facts.name(definition.name),
        );
        let place = (source.path, definition.start_line);
        let inherited = definition.bases.iter().map(|base| {
            self.database.record_step(step, place, || {
                let bases = self.resolve_value(source, scope, *base);
                let mut members = self.resolve_members(&bases, name);
                members.has_unknown |= bases.entities.is_empty();
                members
            })
        });
        std::iter::once(elsewhere).chain(inherited).collect()
    }

    fn meeting(self, found: &ResolvedEntities, is_meant: Condition<'_>) -> ResolvedEntities {
        let entities = found.entities.iter();
        let kept = entities.filter(|one| self.meets(one, is_meant));
        ResolvedEntities {
            has_unknown: found.has_unknown,
            entities: kept.cloned().collect(),
        }
    }

    /// Reports whether the parameters of an entity meet a condition. Parameters that are not known
    /// meet any.
    fn meets(self, entity: &Entity, is_meant: Condition<'_>) -> bool {
        let Entity::Definition(path, id) = entity.without_type_arguments() else {
            return true;
        };
        let parameters = self.parameters_of(path, *id);
        parameters.is_none_or(|parameters| is_meant((path, *id), parameters))
    }
}

/// The types of the arguments of a call, and what they convert to.
struct ArgumentTypes {
    conversions: &'static dyn Conversions,
    types: Vec<StaticType>,
    /// The methods that were compared with them.
    judged: RefCell<HashMap<Place, Judged>>,
}

/// How the arguments of a call fit a method.
#[derive(Clone)]
struct Judged {
    /// The file of the method.
    file: RepoPath,
    /// The parameters, if they are known.
    parameters: Option<Rc<ParameterTypes>>,
    fit: Fit,
    form: Form,
}

/// A search for the methods that classes inherit.
struct Above {
    seen: BTreeSet<Class>,
    /// Whether it goes on above a class that has such a method.
    is_complete: bool,
}
