//! Ruby: constants in the modules around a place, classes that several files open, and methods by
//! the types of receivers.

mod constants;
mod containers;
mod requires;
mod test_libraries;

use std::borrow::Cow;

use self::requires::RequiredFiles;
use crate::computed_names::{ComputedNames, Reflection};
use crate::definitions_named::definitions_named;
use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::{FamilyLanguages, HeadName, LanguageFamily, LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionFact, DefinitionId, INHERITED, Import, PARAMETER, Reference,
    SELF_INSTANCE, Scope, ScopeId, ScopeKind, TOP_LEVEL,
};

pub(super) const FAMILY: LanguageFamily = LanguageFamily {
    languages: FamilyLanguages::Named(&[RUBY]),
    is_resolved_by_name: false,
    // <https://docs.ruby-lang.org/en/master/Object.html>, `Module` and `Kernel`.
    reflection: Reflection {
        members: ComputedNames::ByCalls(&[
            "__send__",
            "class_eval",
            "instance_eval",
            "instance_method(",
            "method(",
            "public_send",
            "send",
        ]),
        others: ComputedNames::ByCalls(&["const_get", "constantize", "eval"]),
    },
    is_manifest: |_| false,
    create_resolver: |files, _| {
        Box::new(Ruby {
            required: RequiredFiles::new(files),
        })
    },
};

const RUBY: &str = "ruby";

/// The current object.
const SELF: &str = "self";

/// The class of the current object.
const CLASS_OF_SELF: &str = "self.class()";

/// The method that the creation of an object runs.
const INITIALIZE: &str = "initialize";

/// The methods that syntax or the interpreter calls: conversions, loops and
/// [hooks](https://docs.ruby-lang.org/en/master/Module.html).
const UNNAMED: [&str; 23] = [
    "call",
    "coerce",
    "const_missing",
    "each",
    "extended",
    "hash",
    "included",
    "inherited",
    "initialize_clone",
    "initialize_copy",
    "initialize_dup",
    "inspect",
    "method_added",
    "method_missing",
    "prepended",
    "respond_to_missing?",
    "to_a",
    "to_ary",
    "to_hash",
    "to_proc",
    "to_s",
    "to_str",
    "to_sym",
];

#[derive(Debug)]
struct Ruby {
    required: RequiredFiles,
}

impl Ruby {
    /// Returns what `self` is in a scope. In a method it is an instance, and in the body of a class
    /// the class. In a block in that body it may be either, since the block may run elsewhere.
    fn current_object(source: &SourceFile<'_>, scope: ScopeId) -> ResolvedEntities {
        let facts = &source.file.facts;
        let (mut may_be_class, mut may_be_instance) = (true, false);
        let mut next = facts.scope(scope);
        while let Some(current) = next {
            let definition = current.definition.and_then(|id| source.definition(id));
            match (current.kind, definition) {
                (ScopeKind::Function, Some(method)) => {
                    may_be_class = !method.decorators.is_empty();
                    may_be_instance = !may_be_class;
                }
                (ScopeKind::Block, _) => may_be_instance = true,
                (ScopeKind::Namespace, Some(_)) => {
                    let Some(id) = current.definition else { break };
                    let class = may_be_class.then(|| source.entity(id));
                    let instance = || Entity::Instance(source.path.clone(), id);
                    let instance = may_be_instance.then(instance);
                    let entities = class.into_iter().chain(instance);
                    return ResolvedEntities::union(entities.map(ResolvedEntities::single));
                }
                _ => {}
            }
            next = current.parent.and_then(|id| facts.scope(id));
        }
        ResolvedEntities::single(Entity::Module(source.path.clone()))
    }

    /// Returns the instance of the class around a place.
    fn instance(source: &SourceFile<'_>, scope: ScopeId) -> ResolvedEntities {
        Self::current_object(source, scope).map(|object| match object {
            Entity::Definition(path, id) => Entity::Instance(path, id),
            object => object,
        })
    }

    /// Returns what has the members that `self` inherits in a scope.
    fn inherited_object(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
    ) -> ResolvedEntities {
        let own = Self::current_object(source, scope).entities.into_iter();
        let bases = own.map(|object| match object {
            Entity::Instance(path, id) => ResolvedEntities::single(Entity::Super(path, id)),
            Entity::Definition(_, id) => {
                let class = source.definition(id);
                let bases = class.map(|class| ordered_bases(resolver, source, (true, class)));
                ResolvedEntities::union(bases.into_iter().flatten())
            }
            _ => ResolvedEntities::unknown(),
        });
        ResolvedEntities::union(bases)
    }

    /// Resolves a member of the classes of a file that include a module, whose methods may call it.
    fn in_including_classes(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (module, name): (DefinitionId, &str),
    ) -> ResolvedEntities {
        let own = source.entity(module);
        let definitions = (0..).map(DefinitionId).zip(&source.file.facts.definitions);
        let classes = definitions.filter(|(_, one)| one.kind == DefinitionKind::Class);
        let including = classes.filter(|(_, class)| {
            let scope = class.scope;
            class.bases.iter().any(|base| {
                let base = resolver.resolve_value(source, scope, *base);
                base.entities.contains(&own)
            })
        });
        let found = including.map(|(id, _)| {
            let class = Entity::Instance(source.path.clone(), id);
            resolver.resolve_member(&class, name)
        });
        ResolvedEntities::union(found)
    }

    /// Resolves a function at the top level of a file that a file loads. It is unknown if several
    /// of them define one of this name.
    fn required_function(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        if is_constant(name) || name.starts_with('@') {
            return ResolvedEntities::unknown();
        }
        let defined = definitions_named(resolver, RUBY, name, |_, _, one| {
            one.kind == DefinitionKind::Function
        });
        if defined.is_empty() {
            return ResolvedEntities::unknown();
        }
        let loaded = self.required.loaded(resolver, source);
        let is_loaded = |(file, _): &(RepoPath, DefinitionId)| loaded.contains(file);
        let mut defined = defined.into_iter().filter(is_loaded);
        match (defined.next(), defined.next()) {
            (Some(only), None) => vec![only].into(),
            _ => ResolvedEntities::unknown(),
        }
    }

    /// Resolves a member that other files add to a class.
    fn in_other_files(
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (of, class): (&Entity, DefinitionId),
        name: &str,
    ) -> ResolvedEntities {
        let path = source.file.facts.name_path(class);
        let own = source.entity(class);
        let others = constants::resolve(resolver, &path);
        let mut found = ResolvedEntities::none();
        for other in others.entities {
            let Entity::Definition(file, id) = &other else {
                continue;
            };
            let Some(facts) = resolver.database.facts(file).filter(|_| other != own) else {
                continue;
            };
            let other = SourceFile {
                path: file,
                file: &facts,
            };
            found.merge(declared(resolver, &other, (of, *id), name));
        }
        found
    }
}

impl LanguageResolver for Ruby {
    fn setter_name<'n>(&self, member: &'n str) -> Cow<'n, str> {
        Cow::Owned(format!("{member}="))
    }

    fn other_name<'n>(&self, name: &'n str) -> Option<&'n str> {
        let stem = name.strip_suffix('=')?;
        stem.ends_with(|last: char| last.is_alphanumeric() || last == '_')
            .then_some(stem)
    }

    /// A file that is loaded gives no name to the file that loads it.
    fn resolve_import(&self, _: Resolver<'_>, _: &SourceFile<'_>, _: &Import) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    fn resolve_import_file(
        &self,
        _: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> Option<RepoPath> {
        let path = source.file.facts.name(import.module);
        self.required.meant(import.level > 0, path, source.path)
    }

    fn resolve_keyword(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        scope: ScopeId,
        head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        let evaluated = (head.text == SELF).then(|| evaluated_object(resolver, source, scope));
        if let Some(object) = evaluated.flatten() {
            return Some(object);
        }
        match head.text {
            // What a class creates: `self.new`.
            SELF if head.is_called => Some(Self::instance(source, scope)),
            SELF => Some(Self::current_object(source, scope)),
            SELF_INSTANCE => Some(Self::instance(source, scope)),
            INHERITED => Some(Self::inherited_object(resolver, source, scope)),
            TOP_LEVEL => Some(constants::top_level()),
            _ => None,
        }
    }

    /// What `self.new` returns is an instance of the class whose method is called, too.
    fn is_own_instance(
        &self,
        _: &SourceFile<'_>,
        method: &DefinitionFact,
        (path, is_called): (&str, bool),
    ) -> bool {
        let is_of_class = !method.decorators.is_empty();
        let new = if is_of_class { SELF } else { CLASS_OF_SELF };
        (path == SELF && !is_called && !is_of_class) || (path == new && is_called)
    }

    fn implicit_receiver(
        &self,
        source: &SourceFile<'_>,
        scope: ScopeId,
    ) -> Option<ResolvedEntities> {
        Some(Self::current_object(source, scope))
    }

    fn has_members_in_scope(&self, _: &DefinitionFact) -> bool {
        true
    }

    /// Resolves a constant of a class or module around a place, own, inherited or of another file.
    fn resolve_scope_member(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (_, scope): (ScopeId, &Scope),
        name: &str,
    ) -> ResolvedEntities {
        let class = scope
            .definition
            .filter(|_| scope.kind == ScopeKind::Namespace);
        let Some(class) = class.filter(|_| is_constant(name)) else {
            return ResolvedEntities::none();
        };
        let mut found = resolver.resolve_member(&source.entity(class), name);
        found.has_unknown = false;
        found
    }

    fn resolve_unbound(
        &self,
        resolver: Resolver<'_>,
        _: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        if is_constant(name) {
            return constants::resolve(resolver, name);
        }
        ResolvedEntities::unknown()
    }

    /// An `include` at the top level of any file gives the constants of a module to the whole
    /// program.
    fn is_missing_name(&self, source: &SourceFile<'_>, reference: &Reference) -> bool {
        let name = source.file.facts.name(reference.name);
        is_constant(name) && !constants::is_of_core(name)
    }

    fn resolve_folder_member(
        &self,
        resolver: Resolver<'_>,
        folder: &RepoPath,
        name: &str,
    ) -> ResolvedEntities {
        if constants::is_top_level(folder) {
            return constants::resolve(resolver, name);
        }
        ResolvedEntities::none()
    }

    /// Resolves a function at the top level of a file, which the whole program may call.
    fn resolve_module_member(
        &self,
        resolver: Resolver<'_>,
        module: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities {
        let bindings = functions(module, name);
        if bindings.is_empty() {
            return self.required_function(resolver, module, name);
        }
        let found = resolver.resolve_bindings(module, &bindings);
        // Each block of a test may assign another value.
        if name.starts_with('@') {
            return only_one(found);
        }
        found
    }

    fn runs_blocks_later(&self) -> bool {
        true
    }

    fn resolve_external_call(&self, _: &str) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    fn element_method(&self) -> Option<&'static str> {
        Some("[]")
    }

    /// The elements of an object are what its method `each` passes to a block.
    fn resolve_field_element(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        index: Option<&str>,
    ) -> Option<ResolvedEntities> {
        let is_loop = index.is_none() && matches!(of, Entity::Instance(..));
        let each = is_loop.then(|| resolver.resolve_member(of, "each"))?;
        Some(resolver.resolve_parameter_types(&each, 0))
    }

    /// A method binds what it passes to its block.
    fn resolve_passed(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (method, index): (&DefinitionFact, usize),
    ) -> Option<ResolvedEntities> {
        let passed = source.file.find_name(&format!("{PARAMETER}{index}"));
        let bindings = passed.map(|name| source.file.bindings(method.scope, name).collect());
        let bindings: Vec<&Binding> = bindings.unwrap_or_default();
        if bindings.is_empty() {
            return Some(ResolvedEntities::unknown());
        }
        Some(resolver.resolve_bindings(source, &bindings))
    }

    fn resolve_entry(&self, value: &Entity) -> ResolvedEntities {
        ResolvedEntities::single(Entity::entry(value.clone()))
    }

    /// The value of an attribute is what a call of its reader returns.
    fn resolve_call(&self, _: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities> {
        let is_value = matches!(of, Entity::Instance(..));
        is_value.then(|| ResolvedEntities::single(of.clone()))
    }

    /// Methods of a class are not those of its instances. A module may offer its methods as its
    /// own, too.
    fn is_member_of(&self, of: &Entity, class: &DefinitionFact, member: &DefinitionFact) -> bool {
        is_member_of(of, class, member)
    }

    /// `initialize` is a method of instances, although it is looked up in the class. `super` looks
    /// for a method in the modules of the class before its superclass.
    fn resolve_special_member(
        &self,
        resolver: Resolver<'_>,
        of: &Entity,
        name: &str,
    ) -> Option<ResolvedEntities> {
        match of {
            Entity::Sequence(_) | Entity::Mapping(_) | Entity::Tuple(_) => {
                Some(containers::member(resolver, of, name))
            }
            Entity::Instance(path, id) if name == "class" => {
                let class = Entity::Definition(path.clone(), *id);
                let class = ResolvedEntities::single(class);
                Some(ResolvedEntities::external_function(class, Vec::new()))
            }
            Entity::Definition(path, id) if name == INITIALIZE => {
                let instance = Entity::Instance(path.clone(), *id);
                Some(resolver.resolve_member(&instance, name))
            }
            Entity::Super(path, id) => {
                let file = resolver.database.facts(path)?;
                let source = SourceFile { path, file: &file };
                let instance = Entity::Instance(path.clone(), *id);
                let class = source.definition(*id)?;
                Some(inherited(resolver, &source, (&instance, class), name))
            }
            _ => None,
        }
    }

    /// A singleton method overrides singleton methods, and any other one those of instances.
    fn overridden_type(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
    ) -> Option<ResolvedEntities> {
        let id = method.parent?;
        let class = source.definition(id)?;
        let is_of_class = !method.decorators.is_empty();
        let bases = ordered_bases(resolver, source, (is_of_class, class));
        Some(ResolvedEntities::union(bases.into_iter()))
    }

    /// An object with a method `each` has the methods of `Enumerable`, and a class that includes
    /// `Singleton` the method `instance`.
    fn resolve_called_member(
        &self,
        resolver: Resolver<'_>,
        _: &SourceFile<'_>,
        of: &ResolvedEntities,
        name: &str,
    ) -> ResolvedEntities {
        let found = of.entities.iter().filter_map(|entity| match entity {
            Entity::Instance(..) => enumerable_member(resolver, entity, name),
            Entity::Definition(path, id) if name == "instance" => {
                singleton_instance(resolver, path, *id)
            }
            _ => None,
        });
        ResolvedEntities::union(found)
    }

    fn resolve_member_elsewhere(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        (entity, of): (&Entity, &DefinitionFact),
        name: &str,
    ) -> ResolvedEntities {
        let Some(id) = source.id_of(of) else {
            return ResolvedEntities::unknown();
        };
        if is_constant(name) {
            let path = format!("{}.{name}", source.file.facts.name_path(id));
            let own = constants::resolve(resolver, &path);
            if !own.entities.is_empty() {
                return own;
            }
            let opened = opened_in_repository(resolver, test_library_bases(source, of));
            let mut found = resolver.resolve_members(&opened, name);
            found.has_unknown = false;
            return found;
        }
        let others = Self::in_other_files(resolver, source, (entity, id), name);
        if !others.entities.is_empty() {
            return others;
        }
        let inherited = inherited(resolver, source, (entity, of), name);
        if !inherited.entities.is_empty() {
            return inherited;
        }
        let functions = functions(source, name);
        if !functions.is_empty() {
            return resolver.resolve_bindings(source, &functions);
        }
        let mut including = ResolvedEntities::none();
        if of.kind == DefinitionKind::Namespace {
            including = only_one(Self::in_including_classes(resolver, source, (id, name)));
        }
        // Any file may open the class, or include the module.
        including.has_unknown = true;
        including
    }

    /// Classes and modules can be opened again.
    fn joins_definitions(&self) -> bool {
        true
    }

    /// Operators, conversions and what Ruby calls itself.
    fn runs_unnamed(&self, source: &SourceFile<'_>, definition: &DefinitionFact) -> bool {
        let name = source.file.facts.name(definition.name);
        let is_operator = !name.starts_with(|first: char| first.is_alphabetic() || first == '_');
        definition.kind == DefinitionKind::Method && (is_operator || UNNAMED.contains(&name))
    }

    fn constructors<'n>(&self, _: &'n str) -> Vec<&'n str> {
        vec![INITIALIZE]
    }
}

/// Resolves a method of `Enumerable` by what the method `each` of an object passes to its block.
fn enumerable_member(resolver: Resolver<'_>, of: &Entity, name: &str) -> Option<ResolvedEntities> {
    if !containers::is_enumerable_method(name) {
        return None;
    }
    let each = resolver.resolve_member(of, "each");
    let elements = resolver.resolve_parameter_types(&each, 0);
    let found = elements
        .entities
        .into_iter()
        .map(|element| containers::member(resolver, &Entity::sequence(element), name));
    let mut found = ResolvedEntities::union(found);
    found.has_unknown |= elements.has_unknown;
    Some(found)
}

/// Returns the only instance of a class that includes the module `Singleton` of Ruby.
fn singleton_instance(
    resolver: Resolver<'_>,
    path: &RepoPath,
    id: DefinitionId,
) -> Option<ResolvedEntities> {
    let file = resolver.database.facts(path)?;
    let class = file.facts.definition(id)?;
    let mut bases = class.bases.iter();
    let is_single = bases.any(|base| file.facts.name(base.path) == "Singleton");
    let instance = Entity::Instance(path.clone(), id);
    is_single.then(|| ResolvedEntities::single(instance))
}

/// Returns what `self` is in a block that runs in another object, or `None` in any other place.
fn evaluated_object(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    scope: ScopeId,
) -> Option<ResolvedEntities> {
    let facts = &source.file.facts;
    let name = source.file.find_name(SELF)?;
    let blocks = std::iter::successors(Some(scope), |id| facts.scope(*id)?.parent);
    let is_block = |id: &ScopeId| {
        let scope = facts.scope(*id);
        scope.is_some_and(|scope| scope.kind == ScopeKind::Block)
    };
    blocks.take_while(is_block).find_map(|id| {
        let bound: Vec<&Binding> = source.file.bindings(id, name).collect();
        (!bound.is_empty()).then(|| resolver.resolve_bindings(source, &bound))
    })
}

/// Reports whether a member of a class is one of the class itself, or of its instances, whichever
/// `of` is.
fn is_member_of(of: &Entity, class: &DefinitionFact, member: &DefinitionFact) -> bool {
    let is_singleton = !member.decorators.is_empty();
    match of {
        _ if member.kind != DefinitionKind::Method => true,
        Entity::Definition(..) => is_singleton || class.kind == DefinitionKind::Namespace,
        _ => !is_singleton,
    }
}

/// Resolves a member that one definition of a class declares, or a module that it includes.
fn declared(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (entity, class): (&Entity, DefinitionId),
    name: &str,
) -> ResolvedEntities {
    let Some(of) = source.definition(class) else {
        return ResolvedEntities::none();
    };
    if let Some(name) = source.file.find_name(name) {
        let own = source.file.members(Some(class), name).iter().filter(|id| {
            let member = source.definition(**id);
            member.is_some_and(|member| is_member_of(entity, of, member))
        });
        let own = own.map(|id| ResolvedEntities::single(source.entity(*id)));
        let own = ResolvedEntities::union(own);
        if !own.entities.is_empty() {
            return own;
        }
        let bindings: Vec<&Binding> = source.file.bindings(of.scope, name).collect();
        if !bindings.is_empty() {
            return resolver.resolve_bindings(source, &bindings);
        }
    }
    inherited(resolver, source, (entity, of), name)
}

/// Resolves a member of the superclass, or of a module that a class includes or extends.
fn inherited(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (of, class): (&Entity, &DefinitionFact),
    name: &str,
) -> ResolvedEntities {
    let is_class = matches!(of, Entity::Definition(..));
    let mut has_unknown = false;
    for base in ordered_bases(resolver, source, (is_class, class)) {
        let found = resolver.resolve_members(&base, name);
        if !found.entities.is_empty() {
            return found;
        }
        has_unknown |= found.has_unknown;
    }
    ResolvedEntities {
        has_unknown,
        ..ResolvedEntities::none()
    }
}

/// Resolves the modules of a class and then its superclass, to what has the members of an instance
/// or of the class itself, in [the order] in which Ruby looks there. The names of modules are
/// looked up in the class. A class inherits the singleton methods of its superclass, and gets the
/// methods of a module. What a repository adds to classes of test libraries comes last.
///
/// [the order]: https://docs.ruby-lang.org/en/master/Module.html#method-i-ancestors
fn ordered_bases(
    resolver: Resolver<'_>,
    source: &SourceFile<'_>,
    (is_class, class): (bool, &DefinitionFact),
) -> Vec<ResolvedEntities> {
    let as_object = |base: Entity| match base {
        Entity::Definition(path, id) if !(is_class && is_superclass(resolver, &path, id)) => {
            Entity::Instance(path, id)
        }
        other => other,
    };
    let bases = class.bases.iter().rev();
    let bases = bases.map(|base| resolver.resolve_value(source, class.scope, *base));
    let outside = opened_in_repository(resolver, test_library_bases(source, class));
    let all = bases.chain([outside]);
    all.map(|base| base.map(as_object)).collect()
}

/// Returns the modules and classes of test libraries that a class gets members from, if it is a
/// class of these libraries or a subclass.
fn test_library_bases<'f>(source: &SourceFile<'f>, class: &DefinitionFact) -> Vec<&'f str> {
    let facts = &source.file.facts;
    let bases = class.bases.iter().map(|base| facts.name(base.path));
    let is_known = |path: &&str| !test_libraries::bases_of(path).is_empty();
    let mut paths: Vec<&str> = bases.filter(is_known).collect();
    if test_libraries::has_class(facts.name(class.name)) {
        let own = source.id_of(class).map(|id| facts.name_path(id));
        let own = own.map_or(&[][..], |own| test_libraries::bases_of(&own));
        paths.extend(own);
    }
    let mut next = 0;
    while let Some(path) = paths.get(next) {
        paths.extend(test_libraries::bases_of(path));
        next += 1;
    }
    paths
}

/// Returns the modules and classes of test libraries that the repository opens.
fn opened_in_repository(resolver: Resolver<'_>, paths: Vec<&str>) -> ResolvedEntities {
    let paths = paths.into_iter();
    ResolvedEntities::union(paths.map(|path| constants::resolve(resolver, path)))
}

fn is_superclass(resolver: Resolver<'_>, path: &RepoPath, id: DefinitionId) -> bool {
    let facts = resolver.database.facts(path);
    let base = facts
        .as_ref()
        .and_then(|file| SourceFile { path, file }.definition(id));
    base.is_some_and(|base| base.kind == DefinitionKind::Class)
}

/// Drops what a name may be, if it may be several things: only one of them is meant at a place.
fn only_one(found: ResolvedEntities) -> ResolvedEntities {
    if found.entities.len() > 1 {
        return ResolvedEntities::unknown();
    }
    found
}

/// Returns the functions and instance variables of a name at the top level of a file.
fn functions<'f>(source: &SourceFile<'f>, name: &str) -> Vec<&'f Binding> {
    let Some(name) = source.file.find_name(name) else {
        return Vec::new();
    };
    let bindings = source.file.bindings(crate::source_file::MODULE, name);
    let functions = bindings.filter(|one| {
        matches!(
            one.target,
            BindingTarget::Definition(_) | BindingTarget::Attribute(_)
        )
    });
    functions.collect()
}

/// Reports whether a name is that of a constant, which classes and modules are.
fn is_constant(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
