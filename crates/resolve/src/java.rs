//! Java: packages and imports, members that a class inherits, and methods by the types of
//! receivers.

mod annotations;
mod conversions;
mod library;
mod overloads;
mod packages;
mod standard;

use crate::computed_names::{ComputedNames, Reflection};
use std::collections::BTreeSet;

use self::overloads::Call;
use self::packages::Packages;
use crate::decorators;
use crate::definitions_named::definitions_named;
use crate::entity::{Entity, ResolvedEntities};
use crate::files::{Files, parent, shared_folders};
use crate::resolver::{
    CallArguments, Conversions, FamilyLanguages, HeadName, LanguageFamily, LanguageResolver,
    Resolver,
};
use crate::source_file::SourceFile;
use crate::type_parameters::type_parameter;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionFact, DefinitionId, FIELD, FIRST_ARGUMENT, Facts, Import,
    ImportedItem, METHOD, ParameterCount, Receiver, Reference, ReferenceKind, Scope, ScopeId,
    ScopeKind, Space, THIS, TYPE_NUMBER,
};

const JAVA: &str = "java";

pub(super) const FAMILY: LanguageFamily = LanguageFamily {
    languages: FamilyLanguages::Named(&[JAVA]),
    is_resolved_by_name: false,
    // The package `java.lang.reflect`, and `Class`.
    reflection: Reflection {
        members: ComputedNames::ByCalls(&[
            "findStatic",
            "findVirtual",
            "getDeclaredField",
            "getDeclaredMethod",
            "getDeclaredMethods",
            "getField",
            "getMethod",
            "getMethods",
        ]),
        others: ComputedNames::ByCalls(&["forName", "loadClass"]),
    },
    is_manifest: |_| false,
    create_resolver: |files, _| Box::new(Java::new(&files)),
};

/// The superclass of the class around a place.
const SUPER: &str = "super";

/// The methods that syntax, collections and serialization call, and the one with which a program
/// starts.
const UNNAMED: [&str; 13] = [
    "close",
    "equals",
    "finalize",
    "hasNext",
    "hashCode",
    "iterator",
    "main",
    "next",
    "readObject",
    "readResolve",
    "toString",
    "writeObject",
    "writeReplace",
];

#[derive(Debug)]
struct Java {
    packages: Packages,
}

impl Java {
    fn new(files: &Files) -> Self {
        Self {
            packages: Packages::new(files),
        }
    }

    /// Returns what a file declares by a name at its top level.
    fn declared(resolver: Resolver<'_>, file: &RepoPath, name: &str) -> ResolvedEntities {
        let Some(facts) = resolver.database.facts(file) else {
            return ResolvedEntities::none();
        };
        let source = SourceFile {
            path: file,
            file: &facts,
        };
        let bindings = source.module_bindings(name).into_iter();
        let declared = bindings.filter_map(|one| match one.target {
            BindingTarget::Definition(id) => Some(source.entity(id)),
            _ => None,
        });
        declared.collect()
    }

    /// Resolves a type of a package.
    fn resolve_type(
        &self,
        resolver: Resolver<'_>,
        (package, name): (&str, &str),
        from: &RepoPath,
    ) -> ResolvedEntities {
        let mut files = self.packages.files_of_type(package, name, from);
        // The folder of `org.a.b` may also be that of a package `a.b`.
        let is_in_package = |file: &RepoPath| {
            let facts = resolver.database.facts(file);
            facts.is_some_and(|facts| {
                let own = facts.facts.package.map(|own| facts.facts.name(own));
                own.unwrap_or_default() == package
            })
        };
        if files.len() > 1 && files.iter().any(|file| is_in_package(file)) {
            files.retain(|file| is_in_package(file));
        }
        let files = files.into_iter();
        ResolvedEntities::union(files.map(|file| Self::declared(resolver, file, name)))
    }

    /// Resolves a type of the package of a file that is not in the folder of its package, as
    /// examples often are: the type's file may be elsewhere, too. Of several types, the nearest
    /// count. In a file with a star import, the name may mean a type of another package.
    fn type_of_misplaced(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (package, name): (&str, &str),
    ) -> ResolvedEntities {
        let mut imports = source.file.facts.imports.iter();
        let has_star = imports.any(|import| import.item == ImportedItem::Star);
        if has_star || packages::is_in_folder(source.path, package) {
            return ResolvedEntities::none();
        }
        let named = definitions_named(resolver, JAVA, name, |source, _, one| {
            let facts = &source.file.facts;
            let own = facts.package.map_or("", |package| facts.name(package));
            one.parent.is_none() && own == package
        });
        let folder = parent(source.path);
        let shared = |path: &RepoPath| shared_folders(&parent(path), &folder);
        let nearest = named.iter().map(|(path, _)| shared(path)).max();
        let named = named
            .into_iter()
            .filter(|(path, _)| Some(shared(path)) == nearest);
        named
            .map(|(path, id)| Entity::Definition(path, id))
            .collect()
    }

    /// Resolves a dotted name of a package, a type and its members: `a.b.C.D`.
    fn resolve_dotted(
        &self,
        resolver: Resolver<'_>,
        dotted: &str,
        from: &RepoPath,
    ) -> ResolvedEntities {
        let segments: Vec<&str> = dotted.split('.').collect();
        for at in (0..segments.len()).rev() {
            let (Some(package), Some(name)) = (segments.get(..at), segments.get(at)) else {
                continue;
            };
            let package = package.join(".");
            let mut found = self.resolve_type(resolver, (&package, name), from);
            if found.is_none() {
                continue;
            }
            for member in segments.get(at + 1..).unwrap_or_default() {
                let fields = resolver.resolve_members(&found, &format!("{FIELD}{member}"));
                found = resolver.resolve_members(&found, member);
                found.merge(fields);
            }
            return found;
        }
        ResolvedEntities::none()
    }

    /// Returns the instance whose members a class body sees, unless the scope is none.
    fn instance_in(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (id, scope): (ScopeId, &Scope),
    ) -> Option<ResolvedEntities> {
        if scope.kind != ScopeKind::Namespace {
            return None;
        }
        if let Some(base) = Self::anonymous_base(resolver, source, id) {
            return Some(base);
        }
        let class = scope.definition?;
        let instance = Entity::Instance(source.path.clone(), class);
        Some(ResolvedEntities::single(instance))
    }

    /// Resolves an instance of the base of a class without a name, by the scope of its body.
    fn anonymous_base(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        body: ScopeId,
    ) -> Option<ResolvedEntities> {
        let this = source.file.find_name(THIS)?;
        let bindings: Vec<&Binding> = source.file.bindings(body, this).collect();
        (!bindings.is_empty()).then(|| resolver.resolve_bindings(source, &bindings))
    }

    /// Returns the scopes of class bodies around a place, from the inside.
    fn class_bodies<'f>(
        source: &SourceFile<'f>,
        scope: ScopeId,
    ) -> impl Iterator<Item = (ScopeId, &'f Scope)> {
        let facts = &source.file.facts;
        let at = move |id: ScopeId| Some((id, facts.scope(id)?));
        let all = std::iter::successors(at(scope), move |(_, scope)| at(scope.parent?));
        all.filter(|(_, scope)| scope.kind == ScopeKind::Namespace)
    }

    /// Resolves a method that is called without a receiver: of the innermost class around the call
    /// that has one of this name, or of a static import.
    fn resolve_method(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (scope, name): (ScopeId, &str),
    ) -> ResolvedEntities {
        let mut has_unknown = false;
        for (id, body) in Self::class_bodies(source, scope) {
            let own = source.file.find_name(name);
            let own = own
                .into_iter()
                .flat_map(|name| source.file.bindings(id, name));
            let own: Vec<&Binding> = own.collect();
            let of = Self::instance_in(resolver, source, (id, body)).unwrap_or_default();
            let mut found = resolver.resolve_members(&of, name);
            let bound = resolver.resolve_bindings(source, &own);
            found.entities.extend(bound.entities);
            if !found.entities.is_empty() {
                return found;
            }
            if !own.is_empty() {
                // A component of a record, of a type outside of the repository.
                return ResolvedEntities::unknown();
            }
            has_unknown |= found.has_unknown;
        }
        let mut imported = self.resolve_imported_method(resolver, source, name);
        // A class outside of the repository is assumed not to have it: else the import would be of
        // no use.
        imported.has_unknown |= has_unknown && times_imported(source, name) == 0;
        imported
    }

    /// Chooses by the type of the first argument if a file imports methods of several classes.
    fn choose_imported(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (name, called): (&str, ResolvedEntities),
        first: impl FnOnce() -> Option<ResolvedEntities>,
    ) -> ResolvedEntities {
        if called.entities.is_empty() || times_imported(source, name) < 2 {
            return called;
        }
        let imported = self.resolve_imported_method(resolver, source, name);
        if imported.entities != called.entities {
            // A method of a class around hides those.
            return called;
        }
        overloads::of_argument(resolver, called, &first().unwrap_or_default())
    }

    /// Reports whether a file that is generated, or has another name than its type, may declare a
    /// member of a package, or of a type in one. A capital letter tells a type from a package.
    fn may_declare(&self, module: &str) -> bool {
        let (package, last) = module.rsplit_once('.').unwrap_or(("", module));
        let is_type = last.starts_with(char::is_uppercase);
        self.packages.has_package(module) || (is_type && self.packages.has_package(package))
    }

    fn resolve_imported_method(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        let imports = facts.imports.iter().map(|import| match import.item {
            ImportedItem::Member(member) if facts.name(member) == name => {
                self.resolve_import(resolver, source, import)
            }
            ImportedItem::Star => {
                let module = facts.name(import.module);
                let of = self.resolve_dotted(resolver, module, source.path);
                resolver.resolve_members(&of, name)
            }
            _ => ResolvedEntities::none(),
        });
        let mut found = ResolvedEntities::union(imports);
        found.entities = keep_methods(resolver, found.entities);
        found
    }
}

impl LanguageResolver for Java {
    fn resolve_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        let facts = &source.file.facts;
        let module = facts.name(import.module);
        let ImportedItem::Member(name) = import.item else {
            return ResolvedEntities::unknown();
        };
        let dotted = format!("{module}.{}", facts.name(name));
        let found = self.resolve_dotted(resolver, &dotted, source.path);
        if found.is_none() && self.may_declare(module) {
            return ResolvedEntities::unknown();
        }
        found
    }

    fn is_missing_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> bool {
        let is_member = matches!(import.item, ImportedItem::Member(_));
        is_member && self.resolve_import(resolver, source, import).is_unknown()
    }

    fn resolve_keyword(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        if let Some(call) = head.text.strip_prefix(METHOD) {
            let Call { name, count, first } = Call::new(call);
            let called = self.resolve_method(resolver, source, (scope, name));
            let called = self.choose_imported(resolver, source, (name, called), || {
                first.map(|first| resolver.resolve_name(source, scope, first))
            });
            let called = resolver.overloads_taking(called, count);
            if !head.is_called {
                return Some(called);
            }
            return Some(resolver.resolve_named_call(source, name, &called));
        }
        if head.text != THIS && head.text != SUPER {
            return None;
        }
        let body = Self::class_bodies(source, scope).next()?;
        let is_anonymous = Self::anonymous_base(resolver, source, body.0).is_some();
        let instance = Self::instance_in(resolver, source, body)?;
        if head.text == THIS || is_anonymous {
            return Some(instance);
        }
        Some(
            instance.map(|entity| match entity.without_type_arguments() {
                Entity::Instance(path, class) => Entity::Super(path.clone(), *class),
                _ => entity,
            }),
        )
    }

    fn has_members_in_scope(&self, _: &DefinitionFact) -> bool {
        true
    }

    /// Resolves a field or a nested type, own or inherited, by its bare name.
    fn resolve_scope_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: (ScopeId, &Scope),
        name: &str,
    ) -> ResolvedEntities {
        let of = Self::instance_in(resolver, source, scope).unwrap_or_default();
        let mut found = resolver.resolve_members(&of, &format!("{FIELD}{name}"));
        // A class from elsewhere seldom has nested types that its subclasses mention by a bare
        // name.
        found.has_unknown &= !is_type_name(name);
        found
    }

    fn resolve_method_name(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        name: &str,
    ) -> ResolvedEntities {
        self.resolve_method(resolver, source, (scope, name))
    }

    fn resolve_unbound(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        if packages::is_primitive(name) {
            return ResolvedEntities::none();
        }
        let facts = &source.file.facts;
        let package = facts.package.map_or("", |package| facts.name(package));
        let own = self.resolve_type(resolver, (package, name), source.path);
        if !own.is_none() {
            return own;
        }
        let stars = facts.imports.iter();
        let stars = stars.filter(|import| import.item == ImportedItem::Star);
        let starred = ResolvedEntities::union(stars.map(|import| {
            let dotted = format!("{}.{name}", facts.name(import.module));
            self.resolve_dotted(resolver, &dotted, source.path)
        }));
        if !starred.is_none() {
            return starred;
        }
        if self.packages.has_package(name) {
            return RepoPath::parse(name).map_or_else(
                |_| ResolvedEntities::unknown(),
                |folder| ResolvedEntities::single(Entity::Folder(folder)),
            );
        }
        let others = self.packages.other_files(source.path).into_iter();
        let others =
            ResolvedEntities::union(others.map(|file| Self::declared(resolver, file, name)));
        if !others.is_none() {
            return others;
        }
        if name == packages::STANDARD || packages::is_of_java_lang(name) {
            return ResolvedEntities::none();
        }
        let named = Self::type_of_misplaced(resolver, source, (package, name));
        if !named.is_none() {
            return named;
        }
        let mut modules = facts.imports.iter().map(|import| facts.name(import.module));
        if standard::is_known(name) && modules.any(|module| module.starts_with("java.")) {
            return ResolvedEntities::none();
        }
        // A star import, or a file that is generated, may declare it.
        ResolvedEntities::unknown()
    }

    /// Resolves a package or a type in a package; the folder of a package is its path.
    fn resolve_folder_member(
        &self,
        resolver: Resolver<'_>,
        folder: &RepoPath,
        name: &str,
    ) -> ResolvedEntities {
        let name = name.strip_prefix(FIELD).unwrap_or(name);
        let package = folder.as_str().replace('/', ".");
        let found = self.resolve_type(resolver, (&package, name), folder);
        let inner = folder.join(name);
        let inner = inner.filter(|_| self.packages.has_package(&format!("{package}.{name}")));
        match inner {
            Some(inner) if found.is_none() => ResolvedEntities::single(Entity::Folder(inner)),
            _ => found,
        }
    }

    fn resolve_builtin_member(&self, of: &Entity, name: &str) -> Option<ResolvedEntities> {
        let is_this = name.strip_prefix(FIELD) == Some(THIS);
        match of {
            // `Outer.this`.
            Entity::Definition(path, id) if is_this => {
                let instance = Entity::Instance(path.clone(), *id);
                Some(ResolvedEntities::single(instance))
            }
            _ => None,
        }
    }

    /// Resolves a member of a container or of a class without a name, and a method that is called
    /// with a number of arguments.
    fn resolve_special_member(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        name: &str,
    ) -> Option<ResolvedEntities> {
        let call = Call::new(name);
        match of {
            Entity::Sequence(_) | Entity::Mapping(_) => Some(standard::resolve_member(of, &call)),
            Entity::Shape(path, scope) => {
                let found = anonymous_member(resolver, (path, *scope), call.name);
                Some(resolver.overloads_taking(found, call.count))
            }
            _ if call.count.is_some() => {
                let found = resolver.resolve_member(of, call.name);
                if found.entities.is_empty()
                    && let Some(instance) = enum_instance(resolver, of)
                    && let Some(known) = standard::member_of_enum(&instance, call.name)
                {
                    return Some(known);
                }
                Some(resolver.overloads_taking(found, call.count))
            }
            _ => None,
        }
    }

    /// The library declares the members of its containers.
    fn resolve_extension(
        &self,
        _: Resolver<'_>,
        _: &SourceFile<'_>,
        receiver: &ResolvedEntities,
        _: (&Reference, &str),
        members: ResolvedEntities,
    ) -> ResolvedEntities {
        if receiver.are_containers() {
            return ResolvedEntities::none();
        }
        members
    }

    /// A name that several imports bind may mean the method of any of them, or one of
    /// `import static a.B.*`, where a file with another name declares `B`.
    fn is_missing_name(&self, source: &SourceFile<'_>, reference: &Reference) -> bool {
        let facts = &source.file.facts;
        let mut imports = facts.imports.iter();
        let mut may_be_of_type = || {
            imports.any(|import| {
                let module = facts.name(import.module);
                let is_of_type = !self.packages.has_package(module) && self.may_declare(module);
                import.item == ImportedItem::Star && is_of_type
            })
        };
        reference.space == Space::Methods
            && (times_imported(source, facts.name(reference.name)) > 1 || may_be_of_type())
    }

    /// Chooses among the methods of several imports by the type of the first argument.
    fn resolve_linkage(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        reference: &Reference,
        resolution: ResolvedEntities,
    ) -> ResolvedEntities {
        let name = source.file.facts.name(reference.name);
        if reference.receiver != Receiver::None || reference.space != Space::Methods {
            return resolution;
        }
        self.choose_imported(resolver, source, (name, resolution), || {
            let mut arguments = source.module_bindings(FIRST_ARGUMENT).into_iter();
            let first = arguments.find(|one| one.position == reference.position)?;
            Some(resolver.resolve_bindings(source, &[first]))
        })
    }

    /// A class without a name overrides methods of its base.
    fn overridden_type(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
    ) -> Option<ResolvedEntities> {
        let (body, _) = Self::class_bodies(source, method.scope).next()?;
        Self::anonymous_base(resolver, source, body)
    }

    /// The base of a class without a name may be from outside, and so are containers.
    fn may_implement_unknown(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
    ) -> bool {
        let Some((body, scope)) = Self::class_bodies(source, method.scope).next() else {
            return false;
        };
        let is_container = |one: &Entity| matches!(one, Entity::Sequence(_) | Entity::Mapping(_));
        if let Some(base) = Self::anonymous_base(resolver, source, body) {
            return base.has_unknown || base.is_none() || base.entities.iter().any(is_container);
        }
        let class = scope.definition.and_then(|id| source.definition(id));
        class.is_some_and(|class| {
            let around = source.enclosing_scope(class);
            class.bases.iter().any(|base| {
                let base = resolver.resolve_value(source, around, *base);
                base.entities.iter().any(is_container)
            })
        })
    }

    fn has_overloads(&self) -> bool {
        true
    }

    fn conversions(&self) -> Option<&'static dyn Conversions> {
        Some(&conversions::JavaConversions)
    }

    /// Variadic methods are the last phase of the choice, which looks at all classes.
    fn prefers_inherited_overloads(&self) -> bool {
        true
    }

    fn resolve_external_call(&self, name: &str) -> ResolvedEntities {
        if is_type_name(name) || packages::is_primitive(name) || name.starts_with(TYPE_NUMBER) {
            return ResolvedEntities::none();
        }
        // The result of a generic method may be of a type of the repository.
        ResolvedEntities::unknown()
    }

    fn resolve_type_parameter(&self, source: &SourceFile<'_>, binding: &Binding) -> Option<Entity> {
        type_parameter(source, binding)
    }

    fn is_external_type(
        &self,
        _: Resolver<'_>,
        _: (&SourceFile<'_>, ScopeId),
        (name, base): (&str, &ResolvedEntities),
    ) -> bool {
        let is_standard = name
            .split_once('.')
            .is_some_and(|(head, _)| head == packages::STANDARD);
        base.is_none() || (base.entities.is_empty() && is_standard)
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
        resolver: Resolver<'_>,
        from: (&SourceFile<'_>, ScopeId),
        path: &str,
        arguments: CallArguments<'_>,
    ) -> Option<ResolvedEntities> {
        standard::resolve_call(resolver, from, path, arguments)
    }

    /// The value of a component is what a call of its accessor returns.
    fn resolve_call(&self, _: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
        let is_value = matches!(of, Entity::Instance(..) | Entity::TypeParameter(_));
        is_value.then(|| ResolvedEntities::single(of.clone()))
    }

    /// A loop, `try (a)`, `"" + a` or a collection calls these methods. The constructor of a
    /// subclass calls one without parameters. A framework may call a definition that has an
    /// annotation.
    fn runs_unnamed(&self, source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
        let name = source.file.facts.name(definition.name);
        let is_method = definition.kind == DefinitionKind::Method;
        let takes_none = |parameters: ParameterCount| parameters.take(0);
        let is_default = definition.parameters.is_some_and(takes_none)
            && source.is_named_constructor(definition);
        let is_plain = |name: &str| annotations::PLAIN.contains(&name);
        is_method && (is_default || UNNAMED.contains(&name))
            || decorators::may_register(source, definition, is_plain)
    }

    /// `A::f` calls the method of the instance that it is given.
    fn means_overrides(&self, _: &Facts, reference: &Reference) -> bool {
        reference.kind == ReferenceKind::Reference && reference.space == Space::Methods
    }

    fn constructors<'n>(&self, class: &'n str) -> Vec<&'n str> {
        vec![class]
    }
}

/// Returns an instance of an enum by the enum itself.
fn enum_instance(resolver: Resolver<'_>, of: &Entity) -> Option<Entity> {
    let Entity::Definition(path, id) = of else {
        return None;
    };
    let file = resolver.database.facts(path)?;
    let is_enum = file.facts.definition(*id)?.kind == DefinitionKind::Enum;
    is_enum.then(|| Entity::Instance(path.clone(), *id))
}

/// Resolves a member of an instance of a class without a name: its own, or one of its base.
fn anonymous_member(
    resolver: Resolver<'_>,
    (path, scope): (&RepoPath, ScopeId),
    name: &str,
) -> ResolvedEntities {
    let own = resolver.shape_member((path, scope), name);
    let facts = resolver.database.facts(path);
    let this = facts.as_ref().and_then(|file| file.find_name(THIS));
    let (Some(file), Some(this), true) = (facts.as_ref(), this, own.is_none()) else {
        return own;
    };
    let source = SourceFile { path, file };
    let bases: Vec<&Binding> = file.bindings(scope, this).collect();
    let bases = resolver.resolve_bindings(&source, &bases);
    resolver.resolve_members(&bases, name)
}

/// Reports whether a name is that of a type, by convention.
fn is_type_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Returns from how many classes a file imports a name. All of their methods of this name are
/// overloads of one another, also those from outside of the repository.
fn times_imported(source: &SourceFile<'_>, name: &str) -> usize {
    let facts = &source.file.facts;
    let named = facts.imports.iter().filter(
        |import| matches!(import.item, ImportedItem::Member(member) if facts.name(member) == name),
    );
    named.count()
}

fn keep_methods(resolver: Resolver<'_>, entities: BTreeSet<Entity>) -> BTreeSet<Entity> {
    let is_method = |path: &RepoPath, id: DefinitionId| {
        let facts = resolver.database.facts(path);
        facts.is_some_and(|facts| {
            let definition = facts.facts.definition(id);
            definition.is_some_and(|definition| definition.kind == DefinitionKind::Method)
        })
    };
    let entities = entities.into_iter();
    let methods = entities.filter(|entity| match entity.without_type_arguments() {
        Entity::Definition(path, id) => is_method(path, *id),
        _ => false,
    });
    methods.collect()
}
