//! The rules of JavaScript and TypeScript.

use crate::computed_names::{ComputedNames, Reflection};
use std::collections::BTreeSet;

use super::imports::Ecmascript;
use super::keys::specifier_keys;
use super::specifiers::{Specifiers, is_manifest};
use super::{exports, this};
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{FamilyLanguages, HeadName, LanguageFamily, LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionFact, EXPORT_EQUALS, Import, ImportedItem, ScopeId,
};

pub(crate) const FAMILY: LanguageFamily = LanguageFamily {
    languages: FamilyLanguages::Named(&[
        "astro",
        "javascript",
        "markdown",
        "svelte",
        "tsx",
        "typescript",
        "vue",
    ]),
    is_resolved_by_name: false,
    // `object[name]` reads any member; ECMA-262, `eval` and the constructor `Function`.
    reflection: Reflection {
        members: ComputedNames::BySyntax,
        others: ComputedNames::ByCalls(&["Function", "eval"]),
    },
    is_manifest,
    create_resolver: |files, manifests| {
        Box::new(Ecmascript {
            specifiers: Specifiers::new(files, manifests),
        })
    },
};

impl LanguageResolver for Ecmascript {
    fn resolve_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        let Some(file) = self.find_file(resolver, source, import) else {
            return ResolvedEntities::none();
        };
        match import.item {
            ImportedItem::Module => self.resolve_module(resolver, &file),
            ImportedItem::Member(name) => {
                let name = source.file.facts.name(name);
                resolver.resolve_member(&Entity::Module(file), name)
            }
            ImportedItem::Star => ResolvedEntities::unknown(),
        }
    }

    fn resolve_import_file(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> Option<RepoPath> {
        self.find_file(resolver, source, import)
    }

    fn is_named_by_importers(&self, name: &str) -> bool {
        matches!(name, exports::DEFAULT | EXPORT_EQUALS)
    }

    fn import_keys(&self, file: &RepoPath) -> BTreeSet<String> {
        specifier_keys(&self.specifiers, file)
    }

    fn resolve_keyword(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        match head.text {
            "this" => Some(this::resolve_this(resolver, source, scope)),
            "super" => Some(this::resolve_super(source, scope)),
            "exports" | "module" => {
                let bound = resolver.resolve_name(source, scope, head.text);
                let module = Entity::Module(source.path.clone());
                bound.is_none().then(|| ResolvedEntities::single(module))
            }
            _ => None,
        }
    }

    fn has_members_in_scope(&self, class: &DefinitionFact) -> bool {
        class.kind == DefinitionKind::Enum
    }

    /// A name that no scope binds belongs to the platform.
    fn resolve_unbound(&self, _: Resolver<'_>, _: &SourceFile<'_>, _: &str) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// A variable may hold an object whose members are definitions.
    fn resolve_binding_extra(
        &self,
        source: &SourceFile<'_>,
        binding: &Binding,
    ) -> ResolvedEntities {
        if matches!(binding.target, BindingTarget::Definition(_)) {
            return ResolvedEntities::none();
        }
        let scope = source.file.facts.scopes.get(binding.scope.0 as usize);
        let inside = scope.and_then(|scope| scope.definition);
        let name = source.file.facts.name(binding.name);
        let object = source.object(inside, name);
        object.map_or_else(ResolvedEntities::none, ResolvedEntities::single)
    }

    fn resolve_parameter(&self, _: &SourceFile<'_>, _: &Binding) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    fn resolve_module_member(
        &self,
        resolver: Resolver<'_>,
        module: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        self.resolve_export(resolver, module, name)
    }

    fn resolve_folder_member(&self, _: Resolver<'_>, _: &RepoPath, _: &str) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// An instance may have any elements, unless its class has an iterator.
    fn resolve_special_member(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        name: &str,
    ) -> Option<ResolvedEntities> {
        match (of, name) {
            (Entity::Instance(..), "__getitem__") => Some(ResolvedEntities::unknown()),
            (Entity::Instance(..), "__iter__") => {
                let mut found = resolver.resolve_member(of, "@@iterator");
                found.has_unknown |= found.entities.is_empty();
                Some(found)
            }
            _ => None,
        }
    }

    fn resolve_builtin_member(&self, of: &Entity, name: &str) -> Option<ResolvedEntities> {
        match (of, name) {
            (Entity::Definition(path, id), "prototype") => Some(ResolvedEntities::single(
                Entity::Instance(path.clone(), *id),
            )),
            (Entity::Instance(path, id), "constructor") => Some(ResolvedEntities::single(
                Entity::Definition(path.clone(), *id),
            )),
            _ => None,
        }
    }

    fn constructors<'n>(&self, _: &'n str) -> Vec<&'n str> {
        vec!["constructor"]
    }

    /// Resolves a call of external code.
    ///
    /// An instance of an external class, which has a capital letter, is external. A function may
    /// return a value that was passed to it.
    fn resolve_external_call(&self, name: &str) -> ResolvedEntities {
        if name.starts_with(char::is_uppercase) {
            ResolvedEntities::none()
        } else {
            ResolvedEntities::unknown()
        }
    }

    /// The value of a type parameter is an instance of its constraint.
    fn resolve_call(&self, _: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
        let is_instance = matches!(of, Entity::Instance(..));
        is_instance.then(|| ResolvedEntities::single(of.clone()))
    }

    /// Facts do not distinguish getters from methods, so a method counts as a getter if a member of
    /// it is read.
    fn is_property(
        &self,
        _: &SourceFile<'_>,
        definition: &DefinitionFact,
        is_member_read: bool,
    ) -> bool {
        is_member_read && definition.kind == DefinitionKind::Method
    }

    fn is_constructor_function(&self, definition: &DefinitionFact) -> bool {
        definition.kind == DefinitionKind::Function
    }
}
