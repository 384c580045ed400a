//! PHP: namespaces, `use`, classes by their full names, traits, and methods by the types of
//! receivers.

mod names;

use crate::computed_names::Reflection;
use crate::decorators;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{FamilyLanguages, HeadName, LanguageFamily, LanguageResolver, Resolver};
use crate::self_type;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, DefinitionFact, DefinitionId, ELEMENTS, Facts, Import, METHOD, Receiver, Reference,
    ScopeId, ScopeKind, Value,
};

pub(super) const FAMILY: LanguageFamily = LanguageFamily {
    languages: FamilyLanguages::Named(&[PHP]),
    is_resolved_by_name: false,
    // Variable functions and variable members: `$name()`, `$object->$name()`.
    reflection: Reflection::BY_SYNTAX,
    is_manifest: |_| false,
    create_resolver: |_, _| Box::new(Php),
};

const PHP: &str = "php";

/// The [attributes of PHP] and of `PhpStorm` with which no framework calls a definition.
///
/// [attributes of PHP]: https://www.php.net/manual/en/reserved.attributes.php
const PLAIN_ATTRIBUTES: [&str; 11] = [
    "AllowDynamicProperties",
    "ArrayShape",
    "Attribute",
    "Deprecated",
    "ExpectedValues",
    "Immutable",
    "NoDiscard",
    "Override",
    "Pure",
    "ReturnTypeWillChange",
    "SensitiveParameter",
];

/// The method that the creation of an object runs.
const CONSTRUCTOR: &str = "__construct";

#[derive(Debug)]
struct Php;

impl Php {
    /// Returns the class around a scope. One without a name has none.
    fn class_around(source: &SourceFile<'_>, scope: ScopeId) -> Option<DefinitionId> {
        let facts = &source.file.facts;
        let mut next = facts.scope(scope);
        while let Some(current) = next {
            if current.kind == ScopeKind::Class {
                let id = current.definition?;
                let own = source.definition(id)?;
                let found = facts.scope(own.scope)?;
                return std::ptr::eq(found, current).then_some(id);
            }
            next = current.parent.and_then(|id| facts.scope(id));
        }
        None
    }

    /// Resolves a name with a namespace to a class, or to a namespace if it ends with `\`.
    fn resolve_qualified(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        path: &str,
    ) -> ResolvedEntities {
        let full = names::full_path(source, path);
        match full.strip_suffix('\\') {
            None => names::classes(resolver, &full),
            Some(namespace) => names::namespace_entity(namespace),
        }
    }
}

/// Resolves a function by its name in a scope: declared beside it, imported, of the namespace
/// of the file, or global.
fn resolve_function(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (scope, name): (ScopeId, &str),
) -> ResolvedEntities {
    if name.contains('\\') {
        return names::functions(resolver, &names::full_function(source, name));
    }
    let bound = source.file.find_name(&format!("{METHOD}{name}"));
    let facts = &source.file.facts;
    let mut next = Some(scope);
    while let (Some(current), Some(bound)) = (next, bound) {
        let bindings: Vec<&Binding> = source.file.bindings(current, bound).collect();
        if !bindings.is_empty() {
            return resolver.resolve_bindings(source, &bindings);
        }
        next = facts.scope(current).and_then(|one| one.parent);
    }
    let near = names::functions(resolver, &names::in_namespace(source, name));
    if !near.is_none() {
        return near;
    }
    names::functions(resolver, name)
}

impl LanguageResolver for Php {
    fn resolve_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        let full = source.file.facts.name(import.module);
        if import.level > 0 {
            return names::functions(resolver, full);
        }
        names::classes(resolver, full)
    }

    fn is_missing_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> bool {
        let full = source.file.facts.name(import.module);
        names::is_own(source, full) && self.resolve_import(resolver, source, import).is_none()
    }

    fn resolve_keyword(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        let class = || Self::class_around(source, scope);
        let found = match head.text {
            "$this" => class().map(|id| Entity::Instance(source.path.clone(), id)),
            "self" | "static" => class().map(|id| source.entity(id)),
            "parent" => class().map(|id| Entity::Super(source.path.clone(), id)),
            text => {
                let found = match text.strip_prefix(METHOD) {
                    Some(name) => resolve_function(resolver, source, (scope, name)),
                    None if text.contains('\\') => Self::resolve_qualified(resolver, source, text),
                    None => return None,
                };
                return Some(if head.is_called {
                    resolver.resolve_named_call(source, text, &found)
                } else {
                    found
                });
            }
        };
        let found = found.map_or_else(ResolvedEntities::unknown, ResolvedEntities::single);
        Some(if head.is_called {
            resolver.resolve_call(&found)
        } else {
            found
        })
    }

    /// `static` is the class whose method is called: [late static binding].
    ///
    /// [late static binding]: https://www.php.net/manual/en/language.oop5.late-static-bindings.php
    fn own_instance_type(
        &self,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
        returns: Value,
    ) -> Option<ResolvedEntities> {
        let path = source.file.facts.name(returns.path);
        let is_own = self.is_own_instance(source, method, (path, returns.is_called));
        self_type::own_instance(source, method).filter(|_| is_own)
    }

    fn is_own_instance(
        &self,
        _: &SourceFile<'_>,
        _: &DefinitionFact,
        (path, is_called): (&str, bool),
    ) -> bool {
        matches!((path, is_called), ("$this", false) | ("static", true))
    }

    fn has_members_in_scope(&self, _: &DefinitionFact) -> bool {
        false
    }

    fn resolve_method_name(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        name: &str,
    ) -> ResolvedEntities {
        resolve_function(resolver, source, (scope, name))
    }

    fn resolve_unbound(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        if name.starts_with(['$', '|']) {
            return ResolvedEntities::unknown();
        }
        let full = names::in_namespace(source, name);
        names::classes(resolver, &full)
    }

    fn resolve_folder_member(
        &self,
        resolver: Resolver<'_>,
        folder: &RepoPath,
        name: &str,
    ) -> ResolvedEntities {
        match names::namespace_of(folder) {
            Some(namespace) => {
                let full = format!("{namespace}\\{name}");
                let mut found = names::functions(resolver, full.trim_start_matches('\\'));
                found.merge(names::classes(resolver, &full));
                found
            }
            None => ResolvedEntities::none(),
        }
    }

    /// Resolves a method of a collection, as documentation such as `Collection<A>` names one.
    fn resolve_container_member(&self, of: &Entity, name: &str) -> ResolvedEntities {
        let Entity::Sequence(element) = of else {
            return ResolvedEntities::unknown();
        };
        match name {
            "current" | "find" | "findFirst" | "findOneBy" | "findOrFail" | "first"
            | "firstOrFail" | "get" | "last" | "next" | "offsetGet" | "pop" | "shift" => {
                ResolvedEntities::function_returning(ResolvedEntities::single((**element).clone()))
            }
            "all" | "filter" | "findAll" | "findBy" | "getIterator" | "reject" | "reverse"
            | "slice" | "sort" | "sortBy" | "sortByDesc" | "take" | "toArray" | "unique"
            | "values" => {
                ResolvedEntities::function_returning(ResolvedEntities::single(of.clone()))
            }
            _ => ResolvedEntities::unknown(),
        }
    }

    /// The methods that each enumeration has: <https://www.php.net/manual/class.backedenum.php>.
    fn resolve_special_member(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        name: &str,
    ) -> Option<ResolvedEntities> {
        let Entity::Definition(path, id) = of else {
            return None;
        };
        let case = Entity::Instance(path.clone(), *id);
        let returned = match name {
            "from" | "tryFrom" => case,
            "cases" => Entity::sequence(case),
            _ => return None,
        };
        let file = resolver.database.facts(path)?;
        let is_enum = file.facts.definition(*id)?.kind == DefinitionKind::Enum;
        is_enum.then(|| ResolvedEntities::function_returning(ResolvedEntities::single(returned)))
    }

    /// A call of an object runs its method `__invoke`.
    fn resolve_call(&self, resolver: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
        let is_value = matches!(of, Entity::Instance(..));
        is_value.then(|| resolver.resolve_method_call(of, "__invoke"))
    }

    /// Resolves what `[]` and loops give of an object: what the comment of its class says, or else
    /// what the methods of `ArrayAccess` and of iterators return.
    fn resolve_field_element(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        index: Option<&str>,
    ) -> Option<ResolvedEntities> {
        if !matches!(of, Entity::Instance(..)) {
            return None;
        }
        let documented = resolver.resolve_member(of, ELEMENTS);
        if !documented.entities.is_empty() {
            return Some(documented);
        }
        if index.is_some() {
            return Some(resolver.resolve_method_call(of, "offsetGet"));
        }
        let iterators = resolver.resolve_method_call(of, "getIterator");
        let objects = iterators.entities.iter().chain([of]);
        let objects = objects.filter(|one| matches!(one, Entity::Instance(..)));
        let current = objects.map(|one| resolver.resolve_method_call(one, "current"));
        let current = ResolvedEntities::union(current);
        let containers = iterators.only_containers();
        let mut elements = resolver.resolve_elements(&containers, "__iter__", "");
        elements.merge(current);
        Some(elements)
    }

    fn resolve_external_call(&self, name: &str) -> ResolvedEntities {
        if name.starts_with(char::is_uppercase) || name.starts_with('\\') {
            return ResolvedEntities::none();
        }
        ResolvedEntities::unknown()
    }

    /// A class that uses a trait, or a method such as `__call`, may have any member.
    fn resolve_member_elsewhere(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (_, of): (&Entity, &DefinitionFact),
        name: &str,
    ) -> ResolvedEntities {
        let Some(id) = source.id_of(of) else {
            return ResolvedEntities::unknown();
        };
        let inherited = Entity::Super(source.path.clone(), id);
        if !resolver
            .resolve_member(&inherited, name)
            .entities
            .is_empty()
        {
            // The common rules find it.
            return ResolvedEntities::none();
        }
        if name == ELEMENTS {
            return ResolvedEntities::unknown();
        }
        // A base from elsewhere has methods that return the elements.
        let instance = Entity::Instance(source.path.clone(), id);
        let elements = resolver.resolve_member(&instance, ELEMENTS);
        let members = elements
            .entities
            .into_iter()
            .map(|element| self.resolve_container_member(&Entity::sequence(element), name));
        ResolvedEntities {
            has_unknown: true,
            ..ResolvedEntities::union(members)
        }
    }

    /// [Magic methods](https://www.php.net/manual/en/language.oop5.magic.php), and what a framework
    /// finds by an attribute.
    fn runs_unnamed(&self, source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
        let name = source.file.facts.name(definition.name);
        let is_method = definition.kind == DefinitionKind::Method;
        let is_plain = |name: &str| PLAIN_ATTRIBUTES.contains(&name);
        is_method && name.starts_with("__") && name != CONSTRUCTOR
            || decorators::may_register(source, definition, is_plain)
    }

    /// `static::f()` calls the method of the subclass on which code called the method around
    /// ([late static binding][late]).
    ///
    /// [late]: https://www.php.net/manual/en/language.oop5.late-static-bindings.php
    fn means_overrides(&self, facts: &Facts, reference: &Reference) -> bool {
        let Receiver::Value(value) = reference.receiver else {
            return false;
        };
        facts.name(value.path) == "static"
    }

    fn constructors<'n>(&self, _: &'n str) -> Vec<&'n str> {
        vec![CONSTRUCTOR]
    }
}
