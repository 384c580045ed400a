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
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::argument_types::{Arguments, CallSite};
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{Conversions, LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use crate::static_type::{Fit, ParameterTypes, Place, StaticType};
use ragnav_base::item::{DefinitionKind, StepKind};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionFact, DefinitionId, ParameterCount};

/// The largest number of classes in which an overload is searched.
const MAX_CLASSES: usize = 64;

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
    /// those remain that take their types; if they are known, the most specific one. Those with as
    /// many parameters go before those with a variadic or optional one; in Java, so do inherited
    /// ones.
    pub(super) fn choose_overloads(
        self,
        found: ResolvedEntities,
        arguments: Option<Arguments<'_>>,
    ) -> ResolvedEntities {
        let Some(arguments) = arguments else {
            return found;
        };
        let count = arguments.count();
        let taking = self.overloads_taking(found, Some(count));
        let types = self.types_in_call(&taking, arguments);
        let fits = |method: Method<'_>| {
            let types = types.as_ref();
            types.is_none_or(|types| self.fit_of(types, method) != Fit::No)
        };
        let is_fitting =
            |method: Method<'_>, parameters: ParameterCount| parameters.take(count) && fits(method);
        let mut fitting = self.find_overloads(&taking, &is_fitting);
        if fitting.is_none() {
            // The types are not as they seem.
            fitting = taking;
        }
        let is_exact = |method: Method<'_>, parameters: ParameterCount| {
            parameters.are_exactly(count) && fits(method)
        };
        let mut exact = self.meeting(&fitting, &is_exact);
        if exact.entities.is_empty() && self.prefers_inherited(&fitting) {
            exact = self.find_overloads(&fitting, &is_exact);
        }
        let Some(types) = types else {
            return if exact.entities.is_empty() {
                fitting
            } else {
                exact
            };
        };
        let is_sure = |method| self.fit_of(&types, method) >= Fit::Boxed;
        if !self.definitions(&exact).any(is_sure) {
            // If none of these takes the arguments, another one does.
            exact = self.with_others(exact, fitting, &types);
        }
        self.most_specific(exact, &types)
    }

    /// Adds further methods, except those whose arguments one of the first takes.
    fn with_others(
        self,
        first: ResolvedEntities,
        others: ResolvedEntities,
        types: &ArgumentTypes,
    ) -> ResolvedEntities {
        let count = types.types.len();
        let parameters = |method: Method<'_>| self.parameters_in(types, method);
        let known: Vec<Rc<ParameterTypes>> =
            self.definitions(&first).filter_map(parameters).collect();
        let is_needed = |one: &Entity| {
            let Entity::Definition(path, id) = one.without_type_arguments() else {
                return true;
            };
            let of = parameters((path, *id));
            let mut known = known.iter();
            of.is_none_or(|of| {
                !known.any(|one| self.are_as_specific(types.conversions, (&of, one), count))
            })
        };
        let mut all = first;
        let entities = others.entities.into_iter();
        all.entities.extend(entities.filter(is_needed));
        all.has_unknown |= others.has_unknown;
        all
    }

    /// Returns the types of the arguments of a call, unless no choice depends on them.
    fn types_in_call(
        self,
        taking: &ResolvedEntities,
        arguments: Arguments<'_>,
    ) -> Option<ArgumentTypes> {
        let (path, _) = self.definitions(taking).next()?;
        let conversions = self.database.language(path)?.conversions()?;
        if arguments.count() == 0 {
            return None;
        }
        Some(ArgumentTypes {
            conversions,
            types: self.argument_types(conversions, arguments),
            judged: RefCell::default(),
        })
    }

    fn fit_of(self, types: &ArgumentTypes, method: Method<'_>) -> Fit {
        self.judge(types, method).1
    }

    fn parameters_in(
        self,
        types: &ArgumentTypes,
        method: Method<'_>,
    ) -> Option<Rc<ParameterTypes>> {
        self.judge(types, method).0
    }

    /// Returns the parameters of a method, and how the arguments of a call fit them.
    fn judge(self, types: &ArgumentTypes, method: Method<'_>) -> Judged {
        let place = (method.0.clone(), method.1);
        if let Some(known) = types.judged.borrow().get(&place) {
            return known.clone();
        }
        let parameters = self.parameter_types(types.conversions, method);
        let fit = parameters.as_ref().map_or(Fit::Maybe, |parameters| {
            self.fit(types.conversions, &types.types, parameters)
        });
        let judged = (parameters, fit);
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
            let parameters = |method| self.parameters_in(&types, method);
            let pair = parameters(other).zip(parameters(chosen));
            let takes_less = pair.is_some_and(|(other, chosen)| {
                let pair = (&*other, &*chosen);
                self.are_as_specific(types.conversions, pair, types.types.len())
            });
            self.fit_of(&types, chosen) < Fit::Boxed
                && self.fit_of(&types, other) != Fit::No
                && !takes_less
        })
    }

    /// Keeps the method that is more specific than all others that fit, if its types are known.
    fn most_specific(self, found: ResolvedEntities, types: &ArgumentTypes) -> ResolvedEntities {
        let conversions = types.conversions;
        let methods = self.definitions(&found);
        let methods = methods.filter_map(|method| {
            let (parameters, fit) = self.judge(types, method);
            Some((method, parameters?, fit))
        });
        let mut methods: Vec<_> = methods.collect();
        if methods.len() < 2 {
            return found;
        }
        if methods.iter().any(|(_, _, fit)| *fit == Fit::Yes) {
            methods.retain(|(_, _, fit)| *fit != Fit::Boxed);
        }
        let count = types.types.len();
        let is_best = |of: &ParameterTypes, fit: Fit| {
            fit >= Fit::Boxed
                && methods
                    .iter()
                    .all(|(_, other, _)| self.are_as_specific(conversions, (of, other), count))
        };
        let are_exact = |of: &ParameterTypes| Self::are_exact(&types.types, of);
        let mut best: Vec<_> = methods.iter().filter(|(_, of, _)| are_exact(of)).collect();
        if best.is_empty() {
            best = methods
                .iter()
                .filter(|(_, of, fit)| is_best(of, *fit))
                .collect();
        }
        let [((path, id), ..)] = best.as_slice() else {
            return found;
        };
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

    /// Reports whether an inherited method without a variadic parameter goes before an own one with
    /// it.
    fn prefers_inherited(self, found: &ResolvedEntities) -> bool {
        found.entities.iter().any(|one| {
            let language = one.file().and_then(|file| self.database.language(file));
            language.is_some_and(LanguageResolver::prefers_inherited_overloads)
        })
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

    /// Reports whether two definitions of a file are methods of one name in one class.
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
    /// let are_overloads = |a, b| {
    ///     let pair = (DefinitionId(a), DefinitionId(b));
    ///     Resolver::new(&database).are_overloads(&path("Cart.java"), pair)
    /// };
    /// assert!(are_overloads(1, 2) && !are_overloads(1, 3));
    /// ```
    #[must_use]
    pub fn are_overloads(self, path: &RepoPath, (a, b): (DefinitionId, DefinitionId)) -> bool {
        let Some(file) = self.database.facts(path) else {
            return false;
        };
        let pair = file.facts.definition(a).zip(file.facts.definition(b));
        pair.is_some_and(|(a, b)| a.parent.is_some() && (a.parent, a.name) == (b.parent, b.name))
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
        let mut above = self.overloads_above(found, is_meant, &mut BTreeSet::new());
        above.has_unknown |= found.has_unknown;
        above
    }

    /// Finds methods that the classes of some methods inherit, or that another part of one has.
    fn overloads_above(
        self,
        found: &ResolvedEntities,
        is_meant: Condition<'_>,
        seen: &mut BTreeSet<Class>,
    ) -> ResolvedEntities {
        let all = found.entities.iter().map(|entity| match entity {
            Entity::Generic(inner, arguments) => {
                let inner = ResolvedEntities::single((**inner).clone());
                let above = self.overloads_above(&inner, is_meant, seen);
                self.substitute(above, arguments)
            }
            Entity::Definition(path, id) => {
                self.overloads_above_method((path, *id), is_meant, seen)
            }
            _ => ResolvedEntities::none(),
        });
        ResolvedEntities::union(all)
    }

    fn overloads_above_method(
        self,
        (path, id): (&RepoPath, DefinitionId),
        is_meant: Condition<'_>,
        seen: &mut BTreeSet<Class>,
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
        if seen.len() > MAX_CLASSES || !seen.insert((path.clone(), class)) {
            return ResolvedEntities::none();
        }
        let name = file.facts.name(method.name);
        let mut all = ResolvedEntities::none();
        for members in self.namesakes_above(&source, class, name) {
            let kept = self.meeting(&members, is_meant);
            if !kept.entities.is_empty() {
                return kept;
            }
            all.has_unknown |= members.has_unknown;
            let above = self.overloads_above(&members, is_meant, seen);
            if !above.entities.is_empty() {
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

/// The parameters of a method, if they are known, and how the arguments of a call fit them.
type Judged = (Option<Rc<ParameterTypes>>, Fit);
