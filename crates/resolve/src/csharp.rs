//! C#: namespaces, `using` directives, partial types, members that a type inherits, extension
//! methods, and members by the types of receivers.
//!
//! Any file may declare a type of any namespace. So a type is found by its name among the
//! definitions of the repository, and by its full name among those.

mod attributes;
mod conversions;
mod extensions;
mod heads;
mod kinds;
mod projects;
mod scopes;
mod standard;
mod types;

use crate::argument_types::Arguments;
use crate::computed_names::{ComputedNames, Reflection};
use std::collections::BTreeSet;

use self::projects::Projects;
use crate::decorators;
use crate::entity::{Entity, ResolvedEntities};
use crate::files::Files;
use crate::memo::MemoKey;
use crate::resolver::{
    Conversions, FamilyLanguages, HeadName, LanguageFamily, LanguageResolver, Resolver,
};
use crate::self_type;
use crate::source_file::SourceFile;
use crate::type_parameters::type_parameter;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    ARGUMENTS, Binding, DefinitionFact, DefinitionId, FIELD, Import, ImportedItem, METHOD,
    Reference, ReferenceKind, Scope, ScopeId, ScopeKind, Space, THIS, TUPLE_PART, TYPE, Value,
};

pub(super) const FAMILY: LanguageFamily = LanguageFamily {
    languages: FamilyLanguages::Named(&[CSHARP]),
    is_resolved_by_name: false,
    // The namespace `System.Reflection`, and `Activator`.
    reflection: Reflection {
        members: ComputedNames::ByCalls(&[
            "GetField",
            "GetMethod",
            "GetMethods",
            "GetProperties",
            "GetProperty",
            "InvokeMember",
        ]),
        others: ComputedNames::ByCalls(&["CreateInstance", "GetTypes"]),
    },
    is_manifest: projects::is_msbuild,
    create_resolver: |files, manifests| Box::new(CSharp::new(&files, manifests)),
};

/// The name of the language.
const CSHARP: &str = "csharp";

/// The end of the names of attributes, which code may leave out.
const ATTRIBUTE: &str = "Attribute";

/// The member of a nullable type that has its value:
/// <https://learn.microsoft.com/dotnet/api/system.nullable-1.value>.
const VALUE: &str = "Value";

/// The base type of the type around a place.
const BASE: &str = "base";

/// The methods that statements, collections and conversions to a text call, and the one with which
/// a program starts.
const UNNAMED: [&str; 20] = [
    "Add",
    "AppendFormatted",
    "AppendLiteral",
    "Current",
    "Deconstruct",
    "Dispose",
    "DisposeAsync",
    "Equals",
    "GetAsyncEnumerator",
    "GetAwaiter",
    "GetEnumerator",
    "GetHashCode",
    "GetPinnableReference",
    "Main",
    "MoveNext",
    "MoveNextAsync",
    "Select",
    "Slice",
    "ToString",
    "Where",
];

/// A definition, identified by its file and index.
type Place = (RepoPath, DefinitionId);

#[derive(Debug)]
struct CSharp {
    projects: Projects,
}

impl CSharp {
    fn new(files: &Files, manifests: &[crate::manifest::Manifest]) -> Self {
        Self {
            projects: Projects::new(files, manifests),
        }
    }

    /// Resolves `Value` of a nullable value type, whose own type has no member of the name.
    fn value_of_nullable(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        id: DefinitionId,
    ) -> ResolvedEntities {
        let inherited = resolver.inherited_member(source.path, id, &format!("{FIELD}{VALUE}"));
        if !inherited.is_none() {
            return inherited;
        }
        ResolvedEntities::single(Entity::Instance(source.path.clone(), id))
    }

    /// Resolves a type by its full name.
    fn type_named(
        &self,
        resolver: Resolver<'_>,
        dotted: &str,
        from: &RepoPath,
    ) -> ResolvedEntities {
        types::named(resolver, &self.projects, (dotted, from)).into()
    }

    /// Resolves the type that a `using` directive names. The level of the directive contains the
    /// number of type arguments; without a level, types with any number of parameters are meant.
    fn type_in_directive(
        &self,
        resolver: Resolver<'_>,
        (dotted, level): (&str, Option<u32>),
        from: &RepoPath,
    ) -> ResolvedEntities {
        let is_meant = |source: &SourceFile<'_>, id, kind| {
            types::is_type(kind) && types::has_arity_at(source, id, level)
        };
        types::at_path(resolver, &self.projects, (dotted, from), is_meant).into()
    }
}

impl LanguageResolver for CSharp {
    fn own_instance_type(
        &self,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
        returns: Value,
    ) -> Option<ResolvedEntities> {
        self_type::recurring_type(source, method, returns)
    }

    fn resolve_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        let ImportedItem::Member(name) = import.item else {
            return ResolvedEntities::none();
        };
        let dotted = types::join(facts.name(import.module), facts.name(name));
        let place = (import.scope, dotted.as_str(), import.level);
        let full = types::name_in_directive(resolver, &self.projects, source, place);
        let place = (full.as_str(), Some(import.level));
        let found = self.type_in_directive(resolver, place, source.path);
        if found.is_none() {
            return types::namespace(&full).into_iter().collect();
        }
        found
    }

    /// Resolves the last name of a directive: a type, or all declarations of a namespace.
    fn resolve_import_name(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        let module = facts.name(import.module);
        let dotted = match import.item {
            ImportedItem::Member(name) => types::join(module, facts.name(name)),
            _ => module.to_owned(),
        };
        let is_meant = |source: &SourceFile<'_>, id, kind| {
            types::is_named_at(source, (id, kind), import.level)
        };
        let place = (import.scope, dotted.as_str(), import.level);
        let full = types::name_in_directive(resolver, &self.projects, source, place);
        types::at_path(resolver, &self.projects, (&full, source.path), is_meant).into()
    }

    fn other_name<'n>(&self, name: &'n str) -> Option<&'n str> {
        let short = name.strip_suffix(ATTRIBUTE);
        short.filter(|short| !short.is_empty())
    }

    fn full_name(&self, name: &str, space: Space) -> Option<String> {
        (space == Space::Attributes).then(|| format!("{name}{ATTRIBUTE}"))
    }

    fn resolve_keyword(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        if let Some(name) = head.text.strip_prefix(TYPE) {
            let head = (name, head.is_called);
            return Some(Self::resolve_type_head(resolver, source, scope, head));
        }
        if let Some(name) = head.text.strip_prefix(METHOD) {
            let called = (name, head.is_called);
            return Some(Self::resolve_called_head(resolver, source, scope, called));
        }
        if let Some(name) = head.text.strip_prefix(FIELD) {
            return Some(Self::resolve_value_head(resolver, source, scope, name));
        }
        let class = || Self::type_around(source, scope);
        match head.text {
            THIS => {
                let instance = Entity::Instance(source.path.clone(), class()?);
                Some(ResolvedEntities::single(instance))
            }
            BASE => Some(self.resolve_base(resolver, source, class()?)),
            _ => None,
        }
    }

    fn has_members_in_scope(&self, _: &DefinitionFact) -> bool {
        true
    }

    /// Resolves a member of a type, own or inherited, or a type of a namespace, by its bare name.
    fn resolve_scope_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (id, scope): (ScopeId, &Scope),
        name: &str,
    ) -> ResolvedEntities {
        if name.starts_with([FIELD, METHOD, TYPE]) {
            return ResolvedEntities::none();
        }
        if scope.kind == ScopeKind::Module {
            let global = self.type_named(resolver, name, source.path);
            if !global.entities.is_empty() {
                return global;
            }
            return self.used(resolver, source, (id, name));
        }
        let owner = scope
            .definition
            .filter(|_| scope.kind == ScopeKind::Namespace);
        let kind = owner.and_then(|owner| Some((owner, source.definition(owner)?.kind)));
        match kind {
            Some((owner, DefinitionKind::Namespace)) => {
                self.type_in_namespace(resolver, source, (id, owner, name))
            }
            Some((owner, _)) => Self::member_in(resolver, source, (owner, name)),
            None => ResolvedEntities::none(),
        }
    }

    /// Resolves a name that may be that of a namespace, seen from the namespaces of the file.
    fn resolve_unbound(
        &self,
        _: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        let own = (0..).map(DefinitionId).zip(&facts.definitions);
        let own = own.filter(|(_, one)| one.kind == DefinitionKind::Namespace);
        let mut levels = BTreeSet::from([name.to_owned()]);
        for (id, _) in own {
            let dotted = facts.name_path(id);
            let ends = dotted.match_indices('.').map(|(end, _)| end);
            let outer = ends.filter_map(|end| dotted.get(..end));
            levels.extend(outer.map(|outer| types::join(outer, name)));
            levels.insert(types::join(&dotted, name));
        }
        levels
            .iter()
            .filter_map(|one| types::namespace(one))
            .collect()
    }

    /// Resolves a type or a namespace in a namespace.
    fn resolve_folder_member(
        &self,
        resolver: Resolver<'_>,
        folder: &RepoPath,
        name: &str,
    ) -> ResolvedEntities {
        let Some(namespace) = types::namespace_of(folder) else {
            return ResolvedEntities::none();
        };
        let is_read = name.strip_prefix(FIELD);
        let dotted = types::join(&namespace, is_read.unwrap_or(name));
        let found = self.type_named(resolver, &dotted, folder);
        match is_read {
            Some(_) if found.is_none() => types::namespace(&dotted).into_iter().collect(),
            _ => found,
        }
    }

    fn has_overloads(&self) -> bool {
        true
    }

    fn resolve_external_call(&self, name: &str) -> ResolvedEntities {
        if name.starts_with(FIELD) {
            // A value of a type outside of the repository.
            return ResolvedEntities::none();
        }
        // The result of a generic method may be of a type of the repository.
        ResolvedEntities::unknown()
    }

    /// A value of the type of a type parameter is what the type stands for.
    fn resolve_call(&self, _: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
        let is_value = matches!(of, Entity::TypeParameter(_));
        is_value.then(|| ResolvedEntities::single(of.clone()))
    }

    fn resolve_type_parameter(&self, source: &SourceFile<'_>, binding: &Binding) -> Option<Entity> {
        type_parameter(source, binding)
    }

    /// A generic type from elsewhere returns a value of it where its name is called, whose members
    /// may be of the types of the arguments.
    fn resolve_external_type(
        &self,
        name: &str,
        arguments: &[ResolvedEntities],
    ) -> ResolvedEntities {
        let Some(name) = name.strip_prefix(TYPE) else {
            return ResolvedEntities::unknown();
        };
        let value = standard::resolve_type(name, arguments).unwrap_or_else(|| {
            let mut value = types::outside(name);
            value.has_unknown = arguments.iter().any(may_be_own);
            value
        });
        ResolvedEntities::external_function(value, Vec::new())
    }

    fn resolve_container_member(&self, of: &Entity, name: &str) -> ResolvedEntities {
        standard::resolve_member(of, name)
    }

    /// The number of arguments after the name of a method tells results of collections apart. Any
    /// other type has the method by its plain name.
    fn resolve_special_member(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        name: &str,
    ) -> Option<ResolvedEntities> {
        let (plain, count) = name.split_once(ARGUMENTS)?;
        let is_collection = matches!(
            of,
            Entity::Sequence(_) | Entity::Mapping(_) | Entity::Tuple(_)
        );
        let is_counted = !is_collection && count.parse::<u32>().is_ok();
        is_counted.then(|| resolver.resolve_member(of, plain))
    }

    /// The interface of `void I.F() {}`, which a class that has another `F` may implement so.
    fn overridden_type(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
    ) -> Option<ResolvedEntities> {
        let name = source.file.facts.name(method.qualifier?);
        let scope = source.enclosing_scope(method);
        let interface = (name, true);
        Some(Self::resolve_type_head(resolver, source, scope, interface))
    }

    /// Resolves a member that another part of a partial type declares or inherits.
    fn resolve_member_elsewhere(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (_, of): (&Entity, &DefinitionFact),
        name: &str,
    ) -> ResolvedEntities {
        let Some(id) = source.id_of(of) else {
            return ResolvedEntities::none();
        };
        let parts = types::parts(resolver, &self.projects, source, id);
        let own = parts.iter().filter_map(|(path, id)| {
            let file = resolver.database.facts(path)?;
            let source = SourceFile { path, file: &file };
            resolver.own_member(&source, (&source.entity(*id), *id), name)
        });
        let own = ResolvedEntities::union(own);
        if !own.is_none() {
            return own;
        }
        let inherited = parts.iter();
        let inherited = ResolvedEntities::union(
            inherited.map(|(path, id)| resolver.inherited_member(path, *id, name)),
        );
        if inherited.is_none() && name.strip_prefix(FIELD) == Some(VALUE) {
            return Self::value_of_nullable(resolver, source, id);
        }
        if inherited.is_none() && name.starts_with(TUPLE_PART) {
            // An extension method may say into which parts code deconstructs the type.
            return ResolvedEntities::unknown();
        }
        inherited
    }

    /// A method of the repository may extend a type from elsewhere.
    fn resolve_foreign_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        _: (ScopeId, &str),
        name: &str,
    ) -> ResolvedEntities {
        self.find_extensions(resolver, source, &ResolvedEntities::none(), name)
    }

    fn resolve_called_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        of: &ResolvedEntities,
        name: &str,
    ) -> ResolvedEntities {
        let may_be_extended = |one: &Entity| match one.without_type_arguments() {
            Entity::Instance(..) | Entity::Mapping(_) | Entity::Sequence(_) => true,
            other => types::outside_name(other).is_some(),
        };
        if !of.entities.iter().any(may_be_extended) {
            return ResolvedEntities::none();
        }
        let name = name.split(ARGUMENTS).next().unwrap_or(name);
        let key = MemoKey::CalledMember(source.path.clone(), of.clone(), name.to_owned());
        resolver.database.memoize(key, || {
            let held = resolver.resolve_members(of, &format!("{FIELD}{name}"));
            if !held.entities.is_empty() {
                return held;
            }
            let found = self.find_extensions(resolver, source, of, name);
            extensions::after_receiver(resolver, &found, (of, name))
        })
    }

    fn resolve_extension(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        receiver: &ResolvedEntities,
        (reference, name): (&Reference, &str),
        members: ResolvedEntities,
    ) -> ResolvedEntities {
        let mut members = members;
        members
            .entities
            .retain(|one| types::has_arity_of(resolver, one, name));
        if receiver.are_containers() {
            // The library declares its members, and the repository may extend it.
            members = ResolvedEntities::none();
        }
        let is_value = |one: &Entity| kinds::is_value(resolver, one);
        let arguments = Arguments::new(*source, reference);
        let is_called = reference.kind == ReferenceKind::Call;
        let may_be_extension = is_called
            && (members.entities.iter().all(is_value) || !resolver.any_takes(&members, arguments));
        if !members.entities.is_empty() && !may_be_extension {
            return members;
        }
        let mut found = self.find_extensions(resolver, source, receiver, name);
        // The receiver is the first argument.
        found = resolver.choose_overloads(
            found,
            arguments.map(|list| list.after_receiver(reference.receiver)),
        );
        if found.entities.is_empty() {
            // A property may hold a delegate, which is called.
            found.entities = members.entities;
        }
        found.has_unknown |= members.has_unknown;
        found
    }

    /// A class may have parts in several files.
    fn joins_definitions(&self) -> bool {
        true
    }

    fn conversions(&self) -> Option<&'static dyn Conversions> {
        Some(&conversions::CSharpConversions)
    }

    /// Operators, indexers, destructors, what statements and collections call, and constructors:
    /// `new(a)` may create an object of any type. A framework may call a definition that has an
    /// attribute.
    fn runs_unnamed(&self, source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
        let name = source.file.facts.name(definition.name);
        let is_method = definition.kind == DefinitionKind::Method;
        let is_plain =
            |name: &str| attributes::PLAIN.contains(&name.strip_suffix(ATTRIBUTE).unwrap_or(name));
        let is_operator = name.starts_with("operator") || name.starts_with('~') || name == THIS;
        is_method
            && (is_operator || UNNAMED.contains(&name) || source.is_named_constructor(definition))
            || decorators::may_register(source, definition, is_plain)
    }

    fn constructors<'n>(&self, class: &'n str) -> Vec<&'n str> {
        vec![class]
    }
}

/// Reports whether a value may be of a type of the repository.
fn may_be_own(value: &ResolvedEntities) -> bool {
    let is_outside = |one: &Entity| types::outside_name(one).is_some();
    value.has_unknown || !value.entities.iter().all(is_outside)
}
