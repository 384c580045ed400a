//! C and C++: includes, declarations that a linker joins with definitions, namespaces, members and
//! the types of receivers.

mod calls;
mod commands;
mod hidden_namespaces;
mod includes;
mod internal_names;
mod linkage;
mod lookup;
mod members;
mod operations;
mod specializations;
mod standard;
mod templates;

use crate::computed_names::{ComputedNames, Reflection};
use std::collections::BTreeSet;

use crate::entity::{Entity, Object, ResolvedEntities};
use crate::import_key::import_key;
use crate::resolver::{
    CallArguments, FamilyLanguages, HeadName, LanguageFamily, LanguageResolver, Resolver,
};
use crate::source_file::{MODULE, SourceFile};
use crate::type_parameters::type_parameter;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, CALLED_BY_SYSTEM, CLASS_OF_BODY, DEFINED_MACRO, DefinitionFact,
    DefinitionId, Import, ImportedItem, NAMESPACE, OPERATION, Reference, Scope, ScopeId, ScopeKind,
    Space, TAG, THIS, TUPLE_PART, USING,
};

use self::includes::Includes;

pub(super) const FAMILY: LanguageFamily = LanguageFamily {
    languages: FamilyLanguages::Named(&["c", "cpp"]),
    is_resolved_by_name: false,
    // Dynamic linking: <https://pubs.opengroup.org/onlinepubs/9799919799/functions/dlsym.html>.
    reflection: Reflection {
        members: ComputedNames::Never,
        others: ComputedNames::ByCalls(&["dlsym", "GetProcAddress"]),
    },
    is_manifest: commands::is_compile_commands,
    create_resolver: |files, manifests| {
        Box::new(Cpp {
            includes: Includes::new(files, manifests),
        })
    },
};

/// The functions with which programs start.
const ENTRY_POINTS: [&str; 5] = ["DllMain", "WinMain", "main", "wWinMain", "wmain"];

/// The members that a loop over a range and a coroutine call:
/// <https://en.cppreference.com/w/cpp/language/coroutines>.
const UNNAMED: [&str; 12] = [
    "await_ready",
    "await_resume",
    "await_suspend",
    "begin",
    "end",
    "final_suspend",
    "get_return_object",
    "initial_suspend",
    "return_value",
    "return_void",
    "unhandled_exception",
    "yield_value",
];

#[derive(Debug)]
struct Cpp {
    includes: Includes,
}

impl Cpp {
    /// Resolves the members of the class or namespace that a scope is the body of.
    fn resolve_body_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (id, scope): (ScopeId, &Scope),
        name: &str,
    ) -> ResolvedEntities {
        let mut found = ResolvedEntities::none();
        if scope.kind == ScopeKind::Class
            && let Some(class) = scope.definition
        {
            found.merge(self.resolve_class_member(resolver, source, class, name));
        }
        for of in bindings_of(source, id, CLASS_OF_BODY) {
            found.merge(self.resolve_outer_member(resolver, source, of, name));
        }
        found
    }

    /// Resolves a name in the class of a body outside of it, and else in the classes around that.
    fn resolve_outer_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        binding: &Binding,
        name: &str,
    ) -> ResolvedEntities {
        let mut found = ResolvedEntities::none();
        let BindingTarget::Variable(Some(value)) = binding.target else {
            return found;
        };
        let path = source.file.facts.name(value.path);
        let ends = path.rmatch_indices('.').map(|(end, _)| end);
        for end in std::iter::once(path.len()).chain(ends) {
            let around = path.get(..end).unwrap_or_default();
            let place = (binding.value_scope, Space::Any);
            let classes = resolver.resolve_path_text(source, place, (around, false));
            for (path, class) in self.defined(resolver, classes) {
                let Some(facts) = resolver.database.facts(&path) else {
                    continue;
                };
                let source = SourceFile {
                    path: &path,
                    file: &facts,
                };
                found.merge(self.resolve_class_member(resolver, &source, class, name));
            }
            if !found.entities.is_empty() {
                break;
            }
        }
        found
    }

    /// Returns the definitions among some entities, and those of classes that are only declared.
    fn defined(
        &self,
        resolver: Resolver<'_>,
        found: ResolvedEntities,
    ) -> BTreeSet<(RepoPath, DefinitionId)> {
        let classes = found.entities.into_iter().flat_map(|entity| match entity {
            Entity::Object(_) => self.classes(resolver, &entity).collect(),
            other => vec![other],
        });
        let definitions = classes.filter_map(|class| match class {
            Entity::Definition(path, id) => Some((path, id)),
            _ => None,
        });
        definitions.collect()
    }

    /// Resolves a member of a class by its bare name. A field stops the search as a member does.
    fn resolve_class_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        class: DefinitionId,
        name: &str,
    ) -> ResolvedEntities {
        let own = source
            .definition(class)
            .map(|one| source.file.facts.name(one.name));
        if own == Some(name) {
            // In its body, the name of a class is that of the class, and not of its constructor.
            return ResolvedEntities::single(source.entity(class));
        }
        let outside = self.class_defined_outside(resolver, (source.path, class), name);
        let outside = outside.unwrap_or_default();
        // The grammar reads the use of a macro as a declaration, too.
        if !self.defined(resolver, outside.clone()).is_empty() {
            return outside;
        }
        let of = Entity::Instance(source.path.clone(), class);
        let mut found = resolver.resolve_member(&of, name);
        found = found.map(|member| constructed_class(resolver, name, &member).unwrap_or(member));
        let is_field = source.definition(class).is_some_and(|definition| {
            let name = source.file.find_name(name);
            name.is_some_and(|name| {
                source
                    .file
                    .bindings(definition.scope, name)
                    .next()
                    .is_some()
            })
        });
        // Inside its class, a template parameter stands for any type.
        let is_parameter = |entity: &Entity| matches!(entity, Entity::TypeParameter(_));
        if is_field && found.entities.iter().all(is_parameter) {
            found = ResolvedEntities::single(Entity::Object(Object {
                file: source.path.clone(),
                inside: Some(class),
                bound_in: None,
                name: name.to_owned(),
            }));
        }
        found
    }

    /// Resolves a name in the namespace that a scope is the body of, and in those that it uses.
    fn resolve_namespace_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        id: ScopeId,
        name: &str,
    ) -> ResolvedEntities {
        let mut found = ResolvedEntities::none();
        for path in paths_of(source, id, NAMESPACE) {
            if !path.is_empty() {
                found.merge(self.look_up(resolver, source.path, &format!("{path}.{name}")));
            }
        }
        if !found.entities.is_empty() {
            return found;
        }
        for used in bindings_of(source, id, USING) {
            if let BindingTarget::Variable(Some(value)) = used.target {
                let of = resolver.resolve_value(source, used.value_scope, value);
                found.merge(resolver.resolve_members(&of, name));
            }
        }
        found.has_unknown = false;
        found
    }
}

/// Returns the class of a constructor. A bare name means a base class and not its constructor.
fn constructed_class(resolver: Resolver<'_>, name: &str, member: &Entity) -> Option<Entity> {
    let Entity::Definition(path, id) = member.without_type_arguments() else {
        return None;
    };
    let facts = resolver.database.facts(path)?;
    let source = SourceFile { path, file: &facts };
    let class = source.definition(*id)?.parent?;
    let is_own = source.file.facts.name(source.definition(class)?.name) == name;
    is_own.then(|| source.entity(class))
}

/// Returns the bindings of a name that no code contains.
fn bindings_of<'f>(
    source: &SourceFile<'f>,
    scope: ScopeId,
    name: &str,
) -> impl Iterator<Item = &'f Binding> + use<'f> {
    let file = source.file;
    let name = file.find_name(name);
    name.into_iter()
        .flat_map(move |name| file.bindings(scope, name))
}

/// Returns the paths that a scope binds to a name that no code contains.
fn paths_of<'f>(
    source: &SourceFile<'f>,
    scope: ScopeId,
    name: &str,
) -> impl Iterator<Item = &'f str> + use<'f> {
    let facts = &source.file.facts;
    bindings_of(source, scope, name).filter_map(|binding| match binding.target {
        BindingTarget::Variable(Some(value)) => Some(facts.name(value.path)),
        _ => None,
    })
}

impl LanguageResolver for Cpp {
    /// Resolves `using a::b;`.
    fn resolve_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        let ImportedItem::Member(name) = import.item else {
            return ResolvedEntities::unknown();
        };
        let path = match facts.name(import.module) {
            "" => facts.name(name).to_owned(),
            module => format!("{module}.{}", facts.name(name)),
        };
        let place = (import.scope, Space::Any);
        resolver.resolve_path_text(source, place, (&path, false))
    }

    fn resolve_import_file(
        &self,
        _: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> Option<RepoPath> {
        let path = source.file.facts.name(import.module);
        self.includes
            .meant(import, path, source.path)
            .into_iter()
            .next()
    }

    fn imports_files(&self) -> bool {
        true
    }

    fn resolve_keyword(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        if head.text != THIS {
            return None;
        }
        let facts = &source.file.facts;
        let at = |id: ScopeId| Some((id, facts.scope(id)?));
        let around = std::iter::successors(at(scope), |(_, scope)| at(scope.parent?));
        for (id, scope) in around {
            if let Some(class) = scope.definition.filter(|_| scope.kind == ScopeKind::Class) {
                let instance = Entity::Instance(source.path.clone(), class);
                return Some(ResolvedEntities::single(instance));
            }
            let classes: Vec<&Binding> = bindings_of(source, id, CLASS_OF_BODY).collect();
            if !classes.is_empty() {
                let classes = resolver.resolve_bindings(source, &classes);
                let has_unknown = classes.has_unknown;
                let classes = self.defined(resolver, classes).into_iter();
                let entities = classes.map(|(path, class)| Entity::Instance(path, class));
                return Some(ResolvedEntities {
                    has_unknown,
                    entities: entities.collect(),
                });
            }
        }
        None
    }

    /// A file that expands a macro may include this header behind the definition of the macro.
    fn depends_on_importers(&self, resolver: Resolver<'_>, file: &RepoPath, name: &str) -> bool {
        !includes::is_header(file)
            || (includes::is_name_of_macro(name) && !self.sees(resolver, file, name))
    }

    /// Returns the name of a file that others include as a part of themselves.
    fn import_keys(&self, file: &RepoPath) -> BTreeSet<String> {
        let name = (!includes::is_header(file)).then(|| import_key(file.name()).to_owned());
        name.into_iter().collect()
    }

    fn has_members_in_scope(&self, _: &DefinitionFact) -> bool {
        false
    }

    /// A header declares what another file defines.
    fn joins_definitions(&self) -> bool {
        true
    }

    fn links_by_name(&self) -> bool {
        true
    }

    /// Resolves `a` of `struct a` in C, where such names are no others.
    fn resolve_spaced_name(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (scope, space): (ScopeId, Space),
        name: &str,
    ) -> Option<ResolvedEntities> {
        (space == Space::Names)
            .then(|| resolver.resolve_name(source, scope, &format!("{TAG}{name}")))
    }

    fn resolve_scope_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: (ScopeId, &Scope),
        name: &str,
    ) -> ResolvedEntities {
        if name.starts_with(TAG) {
            return ResolvedEntities::none();
        }
        let member = self.resolve_body_member(resolver, source, scope, name);
        if !member.entities.is_empty() {
            return member;
        }
        let mut found = self.resolve_namespace_member(resolver, source, scope.0, name);
        found.has_unknown |= member.has_unknown;
        found
    }

    /// Resolves the name of a macro that a directive tests. A file that includes this one may
    /// define it.
    fn resolve_macro_name(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        _: ScopeId,
        name: &str,
    ) -> ResolvedEntities {
        let mut found = resolver.resolve_name_in(source, (MODULE, Space::Any), name);
        found.has_unknown = found.entities.is_empty();
        found.entities.retain(|entity| is_macro(resolver, entity));
        found
    }

    fn resolve_unbound(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let found = self.look_up(resolver, source.path, name);
        if found.is_none() {
            // A header of the system, or one that another file includes before, may declare it.
            return ResolvedEntities::unknown();
        }
        found
    }

    fn resolve_module_member(
        &self,
        _: Resolver<'_>,
        _: &SourceFile<'_>,
        _: &str,
    ) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    /// A header of the system may declare any name, so nothing proves that a name has no meaning in
    /// the repository. One of the standard library counts as its own where no file declares it.
    fn is_external_type(
        &self,
        _: Resolver<'_>,
        from: (&SourceFile<'_>, ScopeId),
        (name, base): (&str, &ResolvedEntities),
    ) -> bool {
        base.entities.is_empty() && standard::names_template(from, name)
    }

    fn resolve_external_type(
        &self,
        name: &str,
        arguments: &[ResolvedEntities],
    ) -> ResolvedEntities {
        standard::resolve_type(name, arguments)
    }

    /// <https://en.cppreference.com/w/cpp/language/class_template_argument_deduction>.
    fn copies_by_constructor(&self) -> bool {
        true
    }

    /// Resolves `a + b` by the function that declares the operator.
    fn resolve_library_call(
        &self,
        resolver: Resolver<'_>,
        _: (&SourceFile<'_>, ScopeId),
        path: &str,
        arguments: CallArguments<'_>,
    ) -> Option<ResolvedEntities> {
        let operator = path.strip_prefix(OPERATION)?;
        let operands = [0, 1].map(arguments.get);
        operations::operation(resolver, (operator, &operands))
    }

    fn resolve_external_call(&self, _: &str) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    fn resolve_call(&self, resolver: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
        self.call(resolver, of)
    }

    fn resolve_special_member(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        name: &str,
    ) -> Option<ResolvedEntities> {
        self.special_member(resolver, of, name)
    }

    fn resolve_type_parameter(&self, source: &SourceFile<'_>, binding: &Binding) -> Option<Entity> {
        type_parameter(source, binding)
    }

    fn resolve_container_member(&self, of: &Entity, name: &str) -> ResolvedEntities {
        members::container_member(of, name)
    }

    /// Resolves a member of another name of a type.
    fn resolve_member_elsewhere(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (_, of): (&Entity, &DefinitionFact),
        name: &str,
    ) -> ResolvedEntities {
        let Some(value) = of.returns.filter(|_| of.kind == DefinitionKind::Type) else {
            return ResolvedEntities {
                // A base class may have the field, or a function `get` may return the part.
                has_unknown: name.starts_with(TUPLE_PART),
                ..ResolvedEntities::none()
            };
        };
        let scope = source.enclosing_scope(of);
        let meant = resolver.resolve_value(source, scope, value);
        resolver.resolve_members(&meant, name)
    }

    /// A declaration calls a constructor, and later the destructor. Expressions call operators, and
    /// loops and coroutines call members with certain names.
    fn runs_unnamed(&self, source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
        let facts = &source.file.facts;
        let name = facts.name(definition.name);
        let operator = name.strip_prefix("operator");
        let is_word = |next: char| next.is_alphanumeric() || next == '_';
        UNNAMED.contains(&name)
            || ENTRY_POINTS.contains(&name)
            || source.is_named_constructor(definition)
            || source.has_modifier(definition, CALLED_BY_SYSTEM)
            || name.starts_with('~')
            || operator.is_some_and(|rest| !rest.starts_with(is_word))
    }

    fn constructors<'n>(&self, class: &'n str) -> Vec<&'n str> {
        vec![class]
    }

    fn resolve_linkage(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        reference: &Reference,
        resolution: ResolvedEntities,
    ) -> ResolvedEntities {
        self.link(resolver, source, reference, resolution)
    }
}

/// Reports whether an entity is a macro with parameters.
fn is_macro(resolver: Resolver<'_>, entity: &Entity) -> bool {
    let Entity::Definition(path, id) = entity else {
        return false;
    };
    let file = resolver.database.facts(path);
    file.is_some_and(|file| {
        let source = SourceFile { path, file: &file };
        let definition = source.definition(*id);
        definition.is_some_and(|one| source.has_modifier(one, DEFINED_MACRO))
    })
}

/// Reports whether a name is bound to something else than a definition in a scope around.
fn is_variable(source: &SourceFile<'_>, scope: ScopeId, name: &str) -> bool {
    let Some(name) = source.file.find_name(name) else {
        return false;
    };
    let facts = &source.file.facts;
    let around = std::iter::successors(Some(scope), |id| facts.scope(*id)?.parent);
    let mut bindings = around
        .chain([MODULE])
        .flat_map(|id| source.file.bindings(id, name));
    bindings.any(|binding| {
        matches!(
            binding.target,
            BindingTarget::Variable(_) | BindingTarget::Parameter(_)
        )
    })
}
