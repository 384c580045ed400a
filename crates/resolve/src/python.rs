//! Python: modules and packages, star imports, `self`, `cls` and `super()`.

mod descriptors;
mod enumerations;
mod fixtures;
mod linearization;
mod modules;
mod operators;
mod outside;
mod records;
mod stubs;
mod type_variables;
mod unnamed_calls;

use std::collections::BTreeSet;

use self::linearization::linearize;
use self::modules::Modules;
use self::type_variables::{is_variable, with_arguments_of_base};
use self::unnamed_calls::{is_registered, is_test};
use crate::computed_names::{ComputedNames, Reflection};
use crate::decorators::has_decorator;
use crate::entity::{Entity, ResolvedEntities, TypeParameter};
use crate::resolver::{
    FamilyLanguages, HeadName, LanguageFamily, LanguageResolver, MAX_REEXPORTS, Resolver,
};
use crate::self_type;
use crate::source_file::{MODULE, SourceFile};
use crate::type_parameters::type_parameter;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionFact, DefinitionId, Import, ImportedItem, ScopeId, Value,
};

/// The name of the language whose classes are interfaces if `Protocol` is a base.
const LANGUAGE: &str = "python";

pub(super) const FAMILY: LanguageFamily = LanguageFamily {
    languages: FamilyLanguages::Named(&["jupyter", "python"]),
    is_resolved_by_name: false,
    // <https://docs.python.org/3/library/functions.html>, `operator` and `importlib`.
    reflection: Reflection {
        members: ComputedNames::ByCalls(&["attrgetter", "eval", "exec", "getattr", "methodcaller"]),
        others: ComputedNames::ByCalls(&[
            "__import__",
            "eval",
            "exec",
            "globals",
            "import_module",
            "vars",
        ]),
    },
    is_manifest: |_| false,
    create_resolver: |files, _| {
        Box::new(Python {
            modules: Modules::new(files),
        })
    },
};

/// The function of a module that makes the members that it does not define,
/// <https://peps.python.org/pep-0562/>.
const GET_ATTRIBUTE: &str = "__getattr__";

/// The attribute of an instance that is its class.
const CLASS_OF_INSTANCE: &str = ".__class__";

#[derive(Debug)]
struct Python {
    modules: Modules,
}

impl Python {
    fn find_module(&self, source: &SourceFile<'_>, import: &Import) -> Option<Entity> {
        let module = source.file.facts.name(import.module);
        self.modules.find(source.path, import.level, module)
    }

    /// Resolves the module of an import.
    ///
    /// `os.path` is the member `path` of `os`, if no file corresponds to it.
    fn resolve_modules(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        if let Some(found) = self.find_module(source, import) {
            return ResolvedEntities::single(found);
        }
        let module = source.file.facts.name(import.module);
        let Some((enclosing, last)) = module.rsplit_once('.') else {
            return ResolvedEntities::none();
        };
        let Some(enclosing) = self.modules.find(source.path, import.level, enclosing) else {
            return ResolvedEntities::none();
        };
        let mut found = resolver.resolve_member(&enclosing, last);
        found
            .entities
            .retain(|entity| matches!(entity, Entity::Module(_) | Entity::Folder(_)));
        found
    }

    fn resolve_imported_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        of: &Entity,
        name: &str,
    ) -> ResolvedEntities {
        // A package that imports from itself means its submodule, since it has no such member yet.
        let is_own = *of == Entity::Module(source.path.clone());
        let submodule = is_own.then(|| self.modules.find_submodule(of, name));
        match submodule.flatten() {
            Some(submodule) => ResolvedEntities::single(submodule),
            None => resolver.resolve_member(of, name),
        }
    }

    /// Reports whether an import names a module of the repository, whether or not that exists.
    fn is_own(&self, source: &SourceFile<'_>, import: &Import) -> bool {
        let module = source.file.facts.name(import.module);
        let top = module.split_once('.').map(|(top, _)| top);
        import.level > 0 || top.is_some_and(|top| self.modules.find(source.path, 0, top).is_some())
    }

    /// Reports whether a chain of at most `steps` imports ends at what does not exist.
    fn is_missing(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
        steps: usize,
    ) -> bool {
        let Some(module) = self.find_module(source, import) else {
            return self.is_own(source, import);
        };
        let ImportedItem::Member(name) = import.item else {
            return false;
        };
        let name = source.file.facts.name(name);
        match &module {
            Entity::Module(path) => self.is_missing_in(resolver, path, name, steps),
            _ => self.modules.find_submodule(&module, name).is_none(),
        }
    }

    /// Reports whether a module has no member of this name, or only what is imported and missing.
    fn is_missing_in(
        &self,
        resolver: Resolver<'_>,
        path: &RepoPath,
        name: &str,
        steps: usize,
    ) -> bool {
        let of = Entity::Module(path.clone());
        let Some(file) = &resolver.database.facts(path) else {
            return false;
        };
        if steps == 0 || self.modules.find_submodule(&of, name).is_some() {
            return false;
        }
        let module = SourceFile { path, file };
        let bindings = module.module_bindings(name);
        if bindings.is_empty() {
            let mut imports = file.facts.imports.iter();
            let has_star = imports.any(|import| import.item == ImportedItem::Star);
            return !has_star && module.module_bindings(GET_ATTRIBUTE).is_empty();
        }
        bindings.iter().all(|binding| match binding.target {
            BindingTarget::Import(id) => file
                .import(id)
                .is_some_and(|import| self.is_missing(resolver, &module, import, steps - 1)),
            _ => false,
        })
    }

    /// Reports whether a star import of a module brings a name into scope.
    fn is_star_exported(resolver: Resolver<'_>, module: &Entity, name: &str) -> bool {
        let Entity::Module(path) = module else {
            return false;
        };
        let Some(file) = resolver.database.facts(path) else {
            return false;
        };
        match &file.facts.exports {
            Some(exports) => exports
                .iter()
                .any(|export| file.facts.name(*export) == name),
            None => !name.starts_with('_'),
        }
    }
}

impl LanguageResolver for Python {
    fn defines_members_in_order(&self) -> bool {
        true
    }

    fn declaring_files(&self, file: &RepoPath) -> Vec<RepoPath> {
        self.modules.existing(stubs::stubs_of(file))
    }

    fn defining_files(&self, file: &RepoPath) -> Vec<RepoPath> {
        self.modules.existing(stubs::modules_of(file))
    }

    fn resolve_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        let module = source.file.facts.name(import.module);
        match import.item {
            ImportedItem::Module => {
                let alias = import.alias.map(|alias| source.file.facts.name(alias));
                let (first, rest) = module.split_once('.').unwrap_or((module, ""));
                // `import a.b` binds `a`, while `import a.b as c` binds `a.b`.
                if alias == Some(first) && !rest.is_empty() {
                    let found = self.modules.find_top(source.path, import.level, module);
                    return found.map_or_else(ResolvedEntities::none, ResolvedEntities::single);
                }
                self.resolve_modules(resolver, source, import)
            }
            ImportedItem::Member(name) => {
                let name = source.file.facts.name(name);
                let modules = self.resolve_modules(resolver, source, import);
                let mut resolution = ResolvedEntities::union(
                    modules
                        .entities
                        .iter()
                        .map(|found| self.resolve_imported_member(resolver, source, found, name)),
                );
                resolution.has_unknown |= modules.has_unknown;
                resolution
            }
            ImportedItem::Star => ResolvedEntities::unknown(),
        }
    }

    /// Resolves the name to the last segment of the module, whatever the import binds.
    fn resolve_import_name(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        match import.item {
            ImportedItem::Module => self.resolve_modules(resolver, source, import),
            _ => self.resolve_import(resolver, source, import),
        }
    }

    fn resolve_import_file(
        &self,
        _: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> Option<RepoPath> {
        match self.find_module(source, import)? {
            Entity::Module(file) => Some(file),
            _ => None,
        }
    }

    fn is_missing_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> bool {
        self.is_missing(resolver, source, import, MAX_REEXPORTS)
    }

    fn is_missing_member(&self, resolver: Resolver<'_>, module: &RepoPath, name: &str) -> bool {
        self.is_missing_in(resolver, module, name, MAX_REEXPORTS)
    }

    fn imports_files(&self) -> bool {
        true
    }

    fn resolve_keyword(
        &self,
        _: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        (head.text == "super" && head.is_called).then(|| resolve_super(source, scope))
    }

    fn has_members_in_scope(&self, _: &DefinitionFact) -> bool {
        true
    }

    /// Resolves a name from star imports. Any other name is a builtin.
    fn resolve_unbound(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let stars = source.file.facts.imports.iter();
        let stars =
            stars.filter(|import| import.item == ImportedItem::Star && import.scope == MODULE);
        let mut all = ResolvedEntities::none();
        for star in stars {
            let modules = self.resolve_modules(resolver, source, star);
            all.has_unknown |= modules.has_unknown || modules.is_none();
            for found in &modules.entities {
                if Self::is_star_exported(resolver, found, name) {
                    all.merge(resolver.resolve_member(found, name));
                }
            }
        }
        all
    }

    /// In `def copy(self: T)`, the first parameter is an instance of the class.
    fn resolve_binding_extra(
        &self,
        source: &SourceFile<'_>,
        binding: &Binding,
    ) -> ResolvedEntities {
        let BindingTarget::Parameter(Some(value)) = binding.target else {
            return ResolvedEntities::none();
        };
        let own = receiver(source, binding).filter(|_| is_variable(source, value));
        own.map_or_else(ResolvedEntities::none, ResolvedEntities::single)
    }

    fn resolve_type_parameter(&self, source: &SourceFile<'_>, binding: &Binding) -> Option<Entity> {
        match type_parameter(source, binding)? {
            Entity::TypeParameter(parameter) => Some(Entity::type_object(parameter)),
            _ => None,
        }
    }

    fn resolve_field_element(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        index: Option<&str>,
    ) -> Option<ResolvedEntities> {
        enumerations::element(resolver, of).or_else(|| records::element(resolver, of, index))
    }

    fn resolve_read(
        &self,
        resolver: Resolver<'_>,
        value: &Entity,
        member: (&ResolvedEntities, &str),
    ) -> Option<ResolvedEntities> {
        descriptors::read(resolver, value, member)
    }

    fn is_class_method(&self, source: &SourceFile<'_>, method: &DefinitionFact) -> bool {
        has_decorator(source, method, "classmethod")
    }

    fn has_type_variables(&self) -> bool {
        true
    }

    fn keeps_bounds(&self) -> bool {
        true
    }

    fn type_variables(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        definition: &DefinitionFact,
    ) -> Vec<TypeParameter> {
        match definition.kind {
            DefinitionKind::Class => type_variables::of_class(resolver, source, definition),
            _ => type_variables::of_function(resolver, source, definition),
        }
    }

    fn resolve_external_type(
        &self,
        name: &str,
        arguments: &[ResolvedEntities],
    ) -> ResolvedEntities {
        let instance = outside::generic(name, arguments);
        ResolvedEntities::external_function(instance, Vec::new())
    }

    fn resolve_base(&self, resolver: Resolver<'_>, base: ResolvedEntities) -> ResolvedEntities {
        type_variables::with_unknown_arguments(resolver, outside::with_containers(base))
    }

    fn resolve_parameter(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        binding: &Binding,
    ) -> ResolvedEntities {
        if let Some(receiver) = receiver(source, binding) {
            return ResolvedEntities::single(receiver);
        }
        let passed = fixtures::passed_value(resolver, self.modules.files(), source, binding);
        passed.unwrap_or_else(ResolvedEntities::unknown)
    }

    fn resolve_module_member(
        &self,
        resolver: Resolver<'_>,
        module: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let bindings = module.module_bindings(name);
        if !bindings.is_empty() {
            return resolver.resolve_bindings(module, &bindings);
        }
        let of = Entity::Module(module.path.clone());
        match self.modules.find_submodule(&of, name) {
            Some(submodule) => ResolvedEntities::single(submodule),
            None => self.resolve_unbound(resolver, module, name),
        }
    }

    fn resolve_folder_member(
        &self,
        _: Resolver<'_>,
        folder: &RepoPath,
        name: &str,
    ) -> ResolvedEntities {
        let of = Entity::Folder(folder.clone());
        let submodule = self.modules.find_submodule(&of, name);
        submodule.map_or_else(ResolvedEntities::none, ResolvedEntities::single)
    }

    fn resolve_external_call(&self, name: &str) -> ResolvedEntities {
        outside::call(name)
    }

    fn resolve_container_member(&self, of: &Entity, name: &str) -> ResolvedEntities {
        outside::container_member(of, name)
    }

    /// The instance of a method may be of a class that inherits its own, and code may add members.
    fn may_add_members(&self) -> bool {
        true
    }

    /// `Self` is the type of the instance that the method is called on: [PEP 673]. So is `T` in
    /// `def copy(self: T) -> T`.
    ///
    /// [PEP 673]: https://peps.python.org/pep-0673/
    fn own_instance_type(
        &self,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
        returns: Value,
    ) -> Option<ResolvedEntities> {
        let path = source.file.facts.name(returns.path);
        let is_self = path.rsplit('.').next() == Some("Self");
        let is_own = is_self || is_type_of_receiver(source, method, returns);
        self_type::own_instance(source, method).filter(|_| returns.is_called && is_own)
    }

    fn is_own_instance(
        &self,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
        (path, is_called): (&str, bool),
    ) -> bool {
        let first = path.strip_suffix(CLASS_OF_INSTANCE).unwrap_or(path);
        let first = source.file.find_name(first);
        let mut bindings = first
            .into_iter()
            .flat_map(|name| source.file.bindings(method.scope, name));
        let (Some(only), None) = (bindings.next(), bindings.next()) else {
            return false;
        };
        match receiver(source, only) {
            Some(Entity::Instance(..)) => is_called == path.ends_with(CLASS_OF_INSTANCE),
            Some(Entity::Definition(..)) => is_called && !path.ends_with(CLASS_OF_INSTANCE),
            _ => false,
        }
    }

    fn resolve_special_member(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        name: &str,
    ) -> Option<ResolvedEntities> {
        if let Some(member) = enumerations::member(resolver, of, name) {
            return Some(member);
        }
        let Entity::Instance(path, id) = of else {
            return None;
        };
        if CLASS_OF_INSTANCE.strip_prefix('.') == Some(name) {
            let class = Entity::Definition(path.clone(), *id);
            return Some(ResolvedEntities::single(class));
        }
        operators::in_place(resolver, of, name)
    }

    fn resolve_call(&self, resolver: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
        let is_instance = matches!(of, Entity::Instance(..));
        is_instance.then(|| {
            let mut found = resolver.resolve_method_call(of, "__call__");
            found.has_unknown |= found.entities.is_empty();
            found
        })
    }

    fn is_any_type(&self, name: &str) -> bool {
        matches!(name, "Any" | "Callable" | "object")
    }

    fn call_method(&self) -> Option<&'static str> {
        Some("__call__")
    }

    fn is_property(&self, source: &SourceFile<'_>, definition: &DefinitionFact, _: bool) -> bool {
        // `@name.setter` decorates another part of a property.
        let names = ["property", "cached_property", "setter", "deleter", "getter"];
        names
            .iter()
            .any(|name| has_decorator(source, definition, name))
    }

    /// An assignment to an inherited property calls its setter and creates no attribute.
    ///
    /// Source: <https://docs.python.org/3/howto/descriptor.html#invocation-from-an-instance>.
    fn resolve_assigned_member(
        &self,
        resolver: Resolver<'_>,
        (source, class): (&SourceFile<'_>, DefinitionId),
        name: &str,
    ) -> Option<ResolvedEntities> {
        if source.definition(class)?.bases.is_empty() {
            return None;
        }
        let inherited = resolver.inherited_member(source.path, class, name);
        let are_properties = !inherited.entities.is_empty()
            && inherited
                .entities
                .iter()
                .all(|of| is_assignable(resolver, of));
        are_properties.then_some(inherited)
    }

    /// Resolves a member in the order of look-up, if a class has several bases.
    fn resolve_inherited(
        &self,
        resolver: Resolver<'_>,
        class: (&RepoPath, DefinitionId),
        name: &str,
    ) -> Option<ResolvedEntities> {
        let (path, id) = class;
        let linearization = linearize(resolver, &(path.clone(), id))?;
        for (path, id) in &linearization.classes {
            let file = resolver.database.facts(path)?;
            let source = SourceFile { path, file: &file };
            let found = resolver.own_member(&source, (&source.entity(*id), *id), name);
            if let Some(found) = found.filter(|found| !found.entities.is_empty()) {
                let classes = (class, (path, *id));
                return Some(with_arguments_of_base(resolver, found, classes));
            }
        }
        Some(ResolvedEntities {
            has_unknown: linearization.has_unknown,
            ..ResolvedEntities::default()
        })
    }

    /// Methods with such names are those of [the data model].
    ///
    /// [the data model]: https://docs.python.org/3/reference/datamodel.html#special-method-names
    fn runs_unnamed(&self, source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
        let name = source.file.facts.name(definition.name);
        let is_special = name.starts_with("__") && name.ends_with("__");
        let is_called_specially = is_special && !self.constructors(name).contains(&name);
        is_called_specially || is_registered(source, definition) || is_test(source, name)
    }

    /// Returns the methods of the loaded [protocols] whose methods the class of a method has.
    ///
    /// [protocols]: https://typing.python.org/en/latest/spec/protocol.html
    fn implemented_methods(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
    ) -> BTreeSet<(RepoPath, DefinitionId)> {
        if method.kind != DefinitionKind::Method {
            return BTreeSet::new();
        }
        let class = method.parent.filter(|class| {
            let class = source.definition(*class);
            class.is_some_and(|class| {
                class.kind == DefinitionKind::Class && !is_protocol(source, class)
            })
        });
        let Some(class) = class else {
            return BTreeSet::new();
        };
        let of = Entity::Instance(source.path.clone(), class);
        let name = source.file.facts.name(method.name);
        resolver.structurally_implemented(&[of], (LANGUAGE, name), is_protocol)
    }

    fn constructors<'n>(&self, _: &'n str) -> Vec<&'n str> {
        vec!["__init__", "__new__"]
    }
}

/// Reports whether `Protocol` is among the bases of a class of Python.
fn is_protocol(source: &SourceFile<'_>, class: &DefinitionFact) -> bool {
    class.bases.iter().any(|base| {
        let base = source.without_type_arguments(*base);
        let path = source.file.facts.name(base.path);
        path.rsplit('.').next() == Some("Protocol")
    })
}

/// Reports whether an entity is a property that a class defines with functions.
fn is_assignable(resolver: Resolver<'_>, of: &Entity) -> bool {
    let Entity::Definition(path, id) = of.without_type_arguments() else {
        return false;
    };
    let file = resolver.database.facts(path);
    file.is_some_and(|file| {
        let source = SourceFile { path, file: &file };
        let definition = source.definition(*id);
        definition.is_some_and(|definition| {
            let names = ["property", "setter", "deleter", "getter"];
            names
                .iter()
                .any(|name| has_decorator(&source, definition, name))
        })
    })
}

/// Returns the type of the first parameter of a method.
fn receiver(source: &SourceFile<'_>, binding: &Binding) -> Option<Entity> {
    let scope = source.file.facts.scope(binding.scope)?;
    let method = source.definition(scope.definition?)?;
    let class = method.parent?;
    let in_class = source.definition(class)?.kind == DefinitionKind::Class;
    let mut parameters = source.file.facts.bindings.iter().filter(|other| {
        other.scope == binding.scope && matches!(other.target, BindingTarget::Parameter(_))
    });
    let is_own_scope = method.scope == binding.scope;
    let is_first = parameters
        .next()
        .is_some_and(|first| first.position == binding.position);
    if !in_class || !is_first || !is_own_scope || has_decorator(source, method, "staticmethod") {
        return None;
    }
    let name = source.file.facts.name(method.name);
    let is_class_method = has_decorator(source, method, "classmethod")
        || matches!(name, "__new__" | "__init_subclass__" | "__class_getitem__");
    Some(if is_class_method {
        source.entity(class)
    } else {
        Entity::Instance(source.path.clone(), class)
    })
}

/// Reports whether a type is a type variable that the first parameter of a method has as its type,
/// as an instance or as the class itself.
fn is_type_of_receiver(source: &SourceFile<'_>, method: &DefinitionFact, of: Value) -> bool {
    if has_decorator(source, method, "staticmethod") {
        return false;
    }
    let mut parameters = source.file.parameters(method.scope);
    let declared = parameters.next().map(|first| first.target.clone());
    let Some(BindingTarget::Parameter(Some(declared))) = declared else {
        return false;
    };
    declared.path == of.path && is_variable(source, of)
}

fn resolve_super(source: &SourceFile<'_>, scope: ScopeId) -> ResolvedEntities {
    let scope = source.file.facts.scope(scope);
    let mut enclosing = scope.and_then(|scope| scope.definition);
    while let Some(id) = enclosing {
        let Some(definition) = source.definition(id) else {
            break;
        };
        if definition.kind == DefinitionKind::Class {
            return ResolvedEntities::single(Entity::Super(source.path.clone(), id));
        }
        enclosing = definition.parent;
    }
    ResolvedEntities::unknown()
}
