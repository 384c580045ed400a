//! Chooses among methods of one name by the number of their parameters.
//!
//! A class of Java or C# may declare `f(int)` and inherit `f(int, int)`. Types of arguments are not
//! compared, so overloads with equal numbers of parameters are one symbol.
//!
//! Sources: [JLS 15.12.2] and [the overload resolution of C#].
//!
//! [JLS 15.12.2]: https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2
//! [the overload resolution of C#]: https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1264-overload-resolution

use std::collections::BTreeSet;

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use ragnav_base::item::{DefinitionKind, StepKind};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionId, ParameterCount};

/// The largest number of classes in which an overload is searched.
const MAX_CLASSES: usize = 64;

/// A class, by its file and index.
type Class = (RepoPath, DefinitionId);

/// Reports whether a method with these parameters is one of those that are searched.
type Condition<'c> = &'c dyn Fn(ParameterCount) -> bool;

impl Resolver<'_> {
    /// Keeps the methods that take a number of arguments, as [`Resolver::overloads_taking`] does.
    /// Those with as many parameters go before those with a variadic or optional one; in Java, so
    /// do inherited ones.
    pub(super) fn choose_overloads(
        self,
        found: ResolvedEntities,
        arguments: Option<u32>,
    ) -> ResolvedEntities {
        let taking = self.overloads_taking(found, arguments);
        let Some(count) = arguments else {
            return taking;
        };
        let is_exact = |parameters: ParameterCount| parameters.are_exactly(count);
        let mut exact = self.meeting(&taking, &is_exact);
        if exact.entities.is_empty() && self.prefers_inherited(&taking) {
            exact = self.find_overloads(&taking, &is_exact);
        }
        if exact.entities.is_empty() {
            taking
        } else {
            exact
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
        let taking = self.find_overloads(&found, &|parameters| parameters.take(count));
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
    pub(super) fn any_takes(self, found: &ResolvedEntities, arguments: Option<u32>) -> bool {
        let mut entities = found.entities.iter();
        arguments.is_none_or(|count| {
            entities.any(|one| self.meets(one, &|parameters| parameters.take(count)))
        })
    }

    /// Keeps the methods with as many parameters as another one, which may override them: of those
    /// that were found, or else of those that their classes inherit.
    pub(super) fn overloads_like(
        self,
        found: ResolvedEntities,
        parameters: Option<ParameterCount>,
    ) -> ResolvedEntities {
        let Some(like) = parameters else {
            return found;
        };
        self.find_overloads(&found, &|parameters| parameters.declared == like.declared)
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
        self.parameters_of(path, *id).is_none_or(is_meant)
    }
}
