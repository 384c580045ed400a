//! Rust: crates and their modules, `use`, the members of `impl` blocks, and methods by the types of
//! receivers.

mod attributes;
mod containers;
mod crates;
mod declarations;
mod generics;
mod library_calls;
mod macros;
mod members;
mod modules;
mod prelude;
mod quoted_text;
mod renamed_dependencies;

use crate::computed_names::Reflection;
use std::collections::BTreeSet;

use self::crates::Crates;
pub use self::declarations::{files_declaring_module, module_declarations};
use crate::decorators;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{
    CallArguments, FamilyLanguages, HeadName, LanguageFamily, LanguageResolver, Resolver,
};
use crate::self_type;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, COMES_FIRST, DefinitionFact, DefinitionId, FIELD, INSIDE, Import, ImportedItem,
    MODULE_FILE, Reference, Scope, ScopeId, ScopeKind, Space, TYPE_NAME, TYPE_NUMBER, Value,
};

pub(super) const FAMILY: LanguageFamily = LanguageFamily {
    languages: FamilyLanguages::Named(&[RUST]),
    is_resolved_by_name: false,
    reflection: Reflection::NONE,
    is_manifest: crates::is_cargo_toml,
    create_resolver: |files, manifests| {
        Box::new(Rust {
            crates: Crates::new(files, manifests),
        })
    },
};

const RUST: &str = "rust";

/// The name that a type has in its `impl` blocks.
const SELF_TYPE: &str = "Self";

/// The module around a module.
const SUPER: &str = "super";

#[derive(Debug)]
struct Rust {
    crates: Crates,
}

impl Rust {
    /// Resolves `Self`. A block that implements a trait binds it to the type and to the trait. This
    /// leaves out the trait if the type is known to implement it, since the type then leads to the
    /// members of the trait.
    fn resolve_self_type(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
    ) -> ResolvedEntities {
        let mut found = resolver.resolve_name_in(source, (scope, Space::Types), SELF_TYPE);
        if found.entities.len() > 1 {
            let types = found.entities.iter();
            let traits = types.map(|entity| members::known_traits(resolver, entity));
            let traits = ResolvedEntities::union(traits);
            found.entities.retain(|one| !traits.entities.contains(one));
        }
        found
    }

    /// Reports whether a name is that of a crate of the standard library, which no other hides.
    fn is_standard_crate(&self, source: &SourceFile<'_>, scope: ScopeId, name: &str) -> bool {
        prelude::is_crate(name)
            && !source.is_bound(scope, name)
            && self.crates.library(name, source.path).is_none()
    }

    /// Resolves a value by its name. One that nothing declares is a variable of a pattern among the
    /// tokens of a macro: `a` of `f!(|a| a.b())`.
    fn resolve_value(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> ResolvedEntities {
        let found = resolver.resolve_name_in(source, (scope, Space::Values), head.text);
        let may_be_variable = !head.is_called && head.text.starts_with(char::is_lowercase);
        if found.is_none() && may_be_variable && !source.is_bound(scope, head.text) {
            return ResolvedEntities::unknown();
        }
        found
    }
}

impl LanguageResolver for Rust {
    /// A program begins with `main`. An attribute such as `#[test]` may let a framework or a test
    /// runner call a function.
    fn runs_unnamed(&self, source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
        // Among the decorators are modifiers such as `exported add`, which contain a space.
        let is_plain = |name: &str| {
            attributes::PLAIN.contains(&name) || name.starts_with("rustc_") || name.contains(' ')
        };
        let is_main = source.file.facts.name(definition.name) == "main";
        is_main && definition.kind == DefinitionKind::Function
            || decorators::may_register(source, definition, is_plain)
    }

    fn resolve_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        let module = facts.name(import.module);
        if import.level == MODULE_FILE {
            let file = self.module_file(source, import.scope, module);
            return match file {
                Some(file) => ResolvedEntities::single(Entity::Module(file)),
                None if declarations::has_paths(facts, import) => ResolvedEntities::none(),
                None => ResolvedEntities::unknown(),
            };
        }
        let ImportedItem::Member(name) = import.item else {
            return ResolvedEntities::unknown();
        };
        let name = facts.name(name);
        if module.is_empty() {
            let found = self.resolve_crate(resolver, source, (import.scope, name));
            if found.is_none() && import.alias.is_some() {
                return resolver.resolve_name_in(source, (import.scope, Space::Any), name);
            }
            return found;
        }
        let of = self
            .path_from_crate(resolver, source, import)
            .unwrap_or_else(|| modules::resolve_used_path(resolver, source, import));
        let mut found = resolver.resolve_members(&of, name);
        found.merge(macros::of_modules(self, resolver, &of, name));
        if found.is_none() && !of.is_none() {
            // A macro may declare it.
            return ResolvedEntities::unknown();
        }
        found
    }

    /// Resolves the first name of a path. One before `::` is a module or a type.
    fn resolve_keyword(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        if head.text.starts_with(TYPE_NUMBER) {
            return None;
        }
        let found = match head.text.strip_suffix(TYPE_NAME) {
            Some("crate") => self.crate_root(resolver, source.path),
            Some("self") => ResolvedEntities::single(modules::module_at(source, scope)),
            Some(SUPER) => {
                let module = modules::module_at(source, scope);
                self.parent_module(resolver, &module)
            }
            Some(SELF_TYPE) => {
                let instance = head
                    .is_called
                    .then(|| generics::implemented_instance(resolver, source, scope));
                if let Some(instance) = instance.flatten() {
                    return Some(instance);
                }
                Self::resolve_self_type(resolver, source, scope)
            }
            Some(name) if self.is_standard_crate(source, scope, name) => ResolvedEntities::none(),
            Some(name) => resolver.resolve_name_in(source, (scope, Space::Types), name),
            None => Self::resolve_value(resolver, source, scope, head),
        };
        let is_type_parameter = |entity: &Entity| matches!(entity, Entity::TypeParameter(_));
        let is_type = head.text.ends_with(TYPE_NAME);
        if head.is_called && !(is_type && found.entities.iter().all(is_type_parameter)) {
            return Some(resolver.resolve_named_call(source, head.text, &found));
        }
        Some(found)
    }

    /// The methods of a trait return the type that implements the trait.
    fn own_instance_type(
        &self,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
        returns: Value,
    ) -> Option<ResolvedEntities> {
        let path = source.file.facts.name(returns.path);
        let is_own = returns.is_called && path.strip_suffix(TYPE_NAME) == Some("Self");
        let of = source.definition(method.parent.filter(|_| is_own)?)?;
        let is_trait = of.kind == DefinitionKind::Interface;
        self_type::own_instance(source, method).filter(|_| is_trait)
    }

    fn has_members_in_scope(&self, _: &DefinitionFact) -> bool {
        false
    }

    /// Names outside of a module are not visible in it.
    fn hides_outer_names(&self, scope: &Scope) -> bool {
        scope.kind == ScopeKind::Namespace
    }

    /// Resolves a name that a scope imports with `*`.
    fn resolve_scope_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (id, _): (ScopeId, &Scope),
        name: &str,
    ) -> ResolvedEntities {
        modules::resolve_starred(resolver, source, (id, name))
    }

    fn resolve_macro_name(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        name: &str,
    ) -> ResolvedEntities {
        macros::resolve(self, resolver, source, (scope, name))
    }

    fn resolve_macro_member(
        &self,
        resolver: Resolver<'_>,
        of: &ResolvedEntities,
        name: &str,
    ) -> ResolvedEntities {
        let found = macros::of_modules(self, resolver, of, name);
        if found.is_none() && !of.is_none() {
            return ResolvedEntities::unknown();
        }
        found
    }

    fn resolve_unbound(
        &self,
        _: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        if let Some(library) = self.crates.library(name, source.path) {
            return ResolvedEntities::single(Entity::Module(library.clone()));
        }
        if let Some(object) = source.object(None, name) {
            // A macro declares the type, or it is from elsewhere and has an `impl` block here.
            return ResolvedEntities::single(object);
        }
        let facts = &source.file.facts;
        let mut imports = facts.imports.iter();
        let is_starred = imports.any(|import| import.item == ImportedItem::Star);
        let is_crate = !name.starts_with(char::is_uppercase) && !is_starred;
        if is_crate || prelude::is_crate(name) || prelude::has(name) {
            return ResolvedEntities::none();
        }
        // A macro, or a file that is generated or too large, may declare it.
        ResolvedEntities::unknown()
    }

    fn resolve_module_member(
        &self,
        resolver: Resolver<'_>,
        module: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        self.resolve_in_file(resolver, module, name)
    }

    fn resolve_builtin_member(&self, of: &Entity, name: &str) -> Option<ResolvedEntities> {
        // What is inside of a value is known of instances only.
        let is_open = matches!(of, Entity::Definition(..)) && name == INSIDE;
        is_open.then(ResolvedEntities::unknown)
    }

    fn resolve_container_member(&self, of: &Entity, name: &str) -> ResolvedEntities {
        containers::member(of, name)
    }

    fn resolve_library_call(
        &self,
        resolver: Resolver<'_>,
        from: (&SourceFile<'_>, ScopeId),
        path: &str,
        arguments: CallArguments<'_>,
    ) -> Option<ResolvedEntities> {
        library_calls::by_arguments(resolver, from, path, arguments)
    }

    fn is_external_type(
        &self,
        resolver: Resolver<'_>,
        _: (&SourceFile<'_>, ScopeId),
        (name, base): (&str, &ResolvedEntities),
    ) -> bool {
        base.is_none()
            || (base.entities.is_empty() && library_calls::is_of_standard(resolver, name))
    }

    fn resolve_external_type(
        &self,
        name: &str,
        arguments: &[ResolvedEntities],
    ) -> ResolvedEntities {
        library_calls::by_type_arguments(name, arguments)
    }

    fn resolve_external_call(&self, name: &str) -> ResolvedEntities {
        if name.starts_with(char::is_uppercase) || name.ends_with(TYPE_NAME) {
            return ResolvedEntities::none();
        }
        // Many functions return what they are given, or what their caller expects.
        ResolvedEntities::unknown()
    }

    /// A value of an alias is one of its type. What a call of a method of the standard library
    /// returns stands for the method.
    fn resolve_call(&self, resolver: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
        match of {
            Entity::Instance(..) | Entity::Object(_) => Some(ResolvedEntities::single(of.clone())),
            Entity::TypeParameter(parameter) => {
                Some(generics::result_of_value(resolver, of, parameter))
            }
            Entity::Definition(path, id) => {
                let facts = resolver.database.facts(path)?;
                let source = SourceFile { path, file: &facts };
                let definition = source.definition(*id)?;
                let is_alias = definition.kind == DefinitionKind::Type;
                is_alias.then(|| modules::aliased(resolver, &source, definition))
            }
            _ => None,
        }
    }

    fn resolve_special_member(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        name: &str,
    ) -> Option<ResolvedEntities> {
        let Entity::Generic(inner, arguments) = of else {
            return None;
        };
        Some(generics::member(resolver, (inner, arguments), name))
    }

    fn resolve_type_parameter(&self, source: &SourceFile<'_>, binding: &Binding) -> Option<Entity> {
        generics::declared_parameter(source, binding)
    }

    fn may_have_overloads(&self) -> bool {
        false
    }

    /// `A(b, c)` makes a struct of numbered fields.
    fn field_of_constructor(&self) -> Option<fn(usize) -> String> {
        Some(|place| format!("{FIELD}{place}"))
    }

    /// What a function returns has at least the members of the bounds of its type parameters.
    fn keeps_bounds(&self) -> bool {
        true
    }

    fn resolve_member_elsewhere(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (_, of): (&Entity, &DefinitionFact),
        name: &str,
    ) -> ResolvedEntities {
        match of.kind {
            DefinitionKind::Namespace => modules::resolve_in_module(resolver, source, (of, name)),
            DefinitionKind::Type => {
                let value = modules::aliased(resolver, source, of);
                resolver.resolve_members(&value, name)
            }
            _ => members::resolve(self, resolver, source, (of, name)),
        }
    }

    /// A method of the type itself may come before one of a trait.
    fn hides_others(&self, source: &SourceFile<'_>, member: &DefinitionFact) -> bool {
        source.has_modifier(member, COMES_FIRST)
    }

    /// A method of an `impl` block of a trait stands for that of the trait, too.
    fn resolve_declarations(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        member: &DefinitionFact,
    ) -> ResolvedEntities {
        members::of_trait(resolver, source, member)
    }

    fn implemented_methods(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
    ) -> BTreeSet<(RepoPath, DefinitionId)> {
        let declared = members::of_trait(resolver, source, method);
        let declared = resolver.definitions(&declared);
        declared.map(|(path, id)| (path.clone(), id)).collect()
    }

    fn may_implement_unknown(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
    ) -> bool {
        members::is_of_unknown_trait(resolver, source, method)
    }

    /// A tuple has no methods of its own, but those of traits. Of a type, a place may see a method
    /// that others do not.
    fn resolve_extension(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        receiver: &ResolvedEntities,
        (reference, name): (&Reference, &str),
        members: ResolvedEntities,
    ) -> ResolvedEntities {
        let mut entities = receiver.entities.iter();
        let are_tuples = entities.all(|entity| matches!(entity, Entity::Tuple(_)));
        if are_tuples && !receiver.has_unknown && !receiver.entities.is_empty() {
            return members::of_visible_trait(resolver, source, (reference.scope, name));
        }
        if containers::is_of_others(name) && receiver.are_containers() {
            let found = members::of_visible_trait(resolver, source, (reference.scope, name));
            return if found.is_none() { members } else { found };
        }
        let is_value = |entity: &Entity| {
            matches!(
                entity.without_type_arguments(),
                Entity::Instance(..) | Entity::TypeParameter(_)
            )
        };
        let mut entities = receiver.entities.iter();
        let (Some(only), None) = (entities.next(), entities.next()) else {
            return members;
        };
        if members.is_unknown() && !receiver.has_unknown && is_value(only) {
            let place = (reference.scope, name);
            let found = members::of_trait_for_all(resolver, source, place, only);
            return if found.entities.is_empty() {
                members
            } else {
                found
            };
        }
        members::visible_first(self, resolver, (source, reference.scope), members)
    }

    fn resolve_foreign_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (scope, path): (ScopeId, &str),
        name: &str,
    ) -> ResolvedEntities {
        if is_module_path(path) {
            return ResolvedEntities::none();
        }
        members::of_visible_trait(resolver, source, (scope, name))
    }
}

/// Reports whether a path leads to a module, by its letters: `std::cmp`, unlike `a::Type` and `u8`.
fn is_module_path(path: &str) -> bool {
    let mut segments = path.split('.');
    let is_path = segments
        .next()
        .is_some_and(|head| head.ends_with(TYPE_NAME));
    let last = path.rsplit('.').next().unwrap_or(path);
    let last = last.trim_end_matches(TYPE_NAME);
    is_path && last.starts_with(char::is_lowercase) && !prelude::has(last)
}
