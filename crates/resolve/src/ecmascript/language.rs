//! The rules of JavaScript and TypeScript.

use crate::computed_names::{ComputedNames, Reflection};
use std::collections::BTreeSet;

use super::export_names::DEFAULT;
use super::imports::Ecmascript;
use super::keys::specifier_keys;
use super::specifiers::{Specifiers, is_manifest};
use super::{ambient, bases, properties, standard, this, types};
use crate::entity::{Entity, ResolvedEntities};
use crate::flow_names::ITERATOR;
use crate::resolver::{
    CallArguments, FamilyLanguages, HeadName, LanguageFamily, LanguageResolver, MAX_REEXPORTS,
    Resolver,
};
use crate::source_file::SourceFile;
use crate::type_parameters::type_parameter;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, CALL_SIGNATURE, DOCUMENTED, DefinitionFact, EXPORT_EQUALS,
    INDEX_SIGNATURE, Import, ImportedItem, Reference, ScopeId, THIS, TYPE_NUMBER, Value,
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
        Box::new(Ecmascript::new(Specifiers::new(files, manifests)))
    },
};

/// The methods that syntax and the library call.
const UNNAMED: [&str; 5] = ["next", "then", "toJSON", "toString", "valueOf"];

impl LanguageResolver for Ecmascript {
    fn declaring_files(&self, file: &RepoPath) -> Vec<RepoPath> {
        self.specifiers.declaring_files(file)
    }

    fn defining_files(&self, file: &RepoPath) -> Vec<RepoPath> {
        self.specifiers.defining_files(file)
    }

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
            ImportedItem::Module => {
                let mut found = self.resolve_module(resolver, &file);
                // The types that comments name are members, whatever the module exports.
                if ambient::is_documentation(&source.file.facts, import) {
                    found.entities.insert(Entity::Module(file));
                }
                found
            }
            ImportedItem::Member(name) => {
                let name = source.file.facts.name(name);
                let module = Entity::Module(file);
                let mut found = resolver.resolve_member(&module, name);
                if found.entities.is_empty()
                    && ambient::is_documentation(&source.file.facts, import)
                {
                    found.merge(resolver.resolve_member(&module, &format!("{DOCUMENTED}{name}")));
                }
                found
            }
            ImportedItem::Star => ResolvedEntities::unknown(),
        }
    }

    fn has_structural_types(&self) -> bool {
        true
    }

    fn keeps_bounds(&self) -> bool {
        true
    }

    fn has_overloads_of_one_function(&self) -> bool {
        true
    }

    fn is_missing_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> bool {
        self.is_missing(resolver, source, import, MAX_REEXPORTS)
    }

    fn is_script(&self, source: &SourceFile<'_>) -> bool {
        ambient::is_script(&source.file.facts)
    }

    /// A component of Vue may use the members that its options give: its template has bare names.
    fn is_missing_name(&self, source: &SourceFile<'_>, reference: &Reference) -> bool {
        let name = source.file.facts.name(reference.name);
        source.path.extension() == Some("vue") && !source.is_bound(reference.scope, name)
    }

    fn is_missing_member(&self, resolver: Resolver<'_>, module: &RepoPath, name: &str) -> bool {
        self.is_missing_in(resolver, module, name, MAX_REEXPORTS)
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
        matches!(name, DEFAULT | EXPORT_EQUALS)
    }

    fn import_keys(&self, file: &RepoPath) -> BTreeSet<String> {
        specifier_keys(&self.specifiers, file)
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
        match head.text {
            "this" => Some(this::resolve_this(resolver, source, scope)),
            "super" => Some(this::resolve_super(resolver, source, scope)),
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
    fn resolve_unbound(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        self.ambient.resolve(resolver, source, name)
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
        let object = source.object_of(binding).filter(|object| {
            let file = source.file;
            !types::is_typed(source) || file.has_literal_members(object.inside, &object.name)
        });
        let mut extra = source.types_merged_with(binding);
        extra.entities.extend(object.map(Entity::Object));
        extra
    }

    fn resolve_type_parameter(&self, source: &SourceFile<'_>, binding: &Binding) -> Option<Entity> {
        type_parameter(source, binding)
    }

    fn own_instance_type(
        &self,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
        returns: Value,
    ) -> Option<ResolvedEntities> {
        types::own_instance_type(source, method, returns)
    }

    fn is_own_instance(
        &self,
        _: &SourceFile<'_>,
        _: &DefinitionFact,
        (path, is_called): (&str, bool),
    ) -> bool {
        path == THIS || (path == "this.constructor" && is_called)
    }

    fn resolve_external_type(
        &self,
        name: &str,
        arguments: &[ResolvedEntities],
    ) -> ResolvedEntities {
        standard::resolve_type(name, arguments)
    }

    fn resolve_library_call(
        &self,
        _: Resolver<'_>,
        (source, scope): (&SourceFile<'_>, ScopeId),
        path: &str,
        arguments: CallArguments<'_>,
    ) -> Option<ResolvedEntities> {
        if source.is_bound(scope, path) {
            return None;
        }
        standard::resolve_call(path, arguments)
    }

    fn resolve_container_member(&self, of: &Entity, name: &str) -> ResolvedEntities {
        standard::resolve_member(of, name)
    }

    fn has_methods_of_literals(&self) -> bool {
        true
    }

    fn resolve_member_of_literal(
        &self,
        of: &Entity,
        is_array: bool,
        name: &str,
    ) -> Option<ResolvedEntities> {
        standard::resolve_member_of_literal(of, is_array, name)
    }

    fn resolve_base(&self, resolver: Resolver<'_>, base: ResolvedEntities) -> ResolvedEntities {
        bases::resolve_base(resolver, base)
    }

    fn resolve_entry(&self, value: &Entity) -> ResolvedEntities {
        ResolvedEntities::single(Entity::entry(value.clone()))
    }

    /// An annotation of a promise counts as one of its value.
    fn resolve_member_elsewhere(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (of, definition): (&Entity, &DefinitionFact),
        name: &str,
    ) -> ResolvedEntities {
        let Entity::Instance(_, class) = of.without_type_arguments() else {
            return ResolvedEntities::none();
        };
        if self.ambient.may_add(resolver, source, (definition, name)) {
            return ResolvedEntities::unknown();
        }
        let promised = standard::resolve_promise_member(of, name);
        if promised.is_none() || definition.bases.is_empty() {
            return promised;
        }
        let inherited = resolver.inherited_member(source.path, *class, name);
        if inherited.entities.is_empty() {
            return promised;
        }
        inherited
    }

    fn resolve_parameter(
        &self,
        _: Resolver<'_>,
        _: &SourceFile<'_>,
        _: &Binding,
    ) -> ResolvedEntities {
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
            (Entity::Instance(..) | Entity::Shape(..), "__getitem__") => {
                let mut found = resolver.resolve_member(of, INDEX_SIGNATURE);
                if found.entities.is_empty() {
                    found = properties::any_property(resolver, of);
                }
                Some(found)
            }
            (Entity::Instance(..), "__iter__") => {
                let mut found = resolver.resolve_member(of, ITERATOR);
                found.has_unknown |= found.entities.is_empty();
                Some(found)
            }
            (Entity::Shape(path, scope), _) => {
                bases::inherited_member(resolver, (path, *scope), name)
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

    /// Loops, templates, `await` and conversions call these.
    fn runs_unnamed(&self, source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
        let name = source.file.facts.name(definition.name);
        let is_method = definition.kind == DefinitionKind::Method;
        // A decorator may register what follows it.
        let is_decorated = !definition.decorators.is_empty()
            || definition.decorated_start_line < definition.start_line;
        is_decorated || (is_method && (name.starts_with("@@") || UNNAMED.contains(&name)))
    }

    fn constructors<'n>(&self, _: &'n str) -> Vec<&'n str> {
        vec!["constructor"]
    }

    /// Resolves a call of external code.
    ///
    /// An instance of an external class, which has a capital letter, is external. A function may
    /// return a value that was passed to it.
    fn resolve_external_call(&self, name: &str) -> ResolvedEntities {
        if name.starts_with(char::is_uppercase) || name.starts_with(TYPE_NUMBER) {
            ResolvedEntities::none()
        } else {
            ResolvedEntities::unknown()
        }
    }

    /// The value of a type parameter is an instance of its constraint.
    ///
    /// An interface may also declare what a call of an instance returns.
    fn resolve_call(&self, resolver: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
        match of {
            Entity::TypeParameter(_) => Some(ResolvedEntities::single(of.clone())),
            Entity::Instance(..) | Entity::Shape(..) => {
                let mut called = resolver.resolve_member(of, CALL_SIGNATURE);
                let is_function =
                    |one: &Entity| matches!(one.without_type_arguments(), Entity::Lambda(..));
                called.entities.retain(is_function);
                if called.entities.is_empty() {
                    return Some(ResolvedEntities::single(of.clone()));
                }
                Some(resolver.resolve_call(&called))
            }
            _ => None,
        }
    }

    /// In JavaScript, a method counts as a getter, too, if a member of it is read: it may have been
    /// made one.
    fn is_property(
        &self,
        source: &SourceFile<'_>,
        definition: &DefinitionFact,
        is_member_read: bool,
    ) -> bool {
        if types::is_typed(source) || types::is_accessor(source, definition) {
            return types::is_accessor(source, definition);
        }
        is_member_read && definition.kind == DefinitionKind::Method
    }

    fn is_constructor_function(&self, definition: &DefinitionFact) -> bool {
        definition.kind == DefinitionKind::Function
    }
}
