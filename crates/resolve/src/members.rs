//! Resolves members.

use crate::entity::{Entity, Object, ResolvedEntities, TypeArguments};
use crate::memo::MemoKey;
use crate::resolver::{LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use ragnav_base::item::{DefinitionKind, StepKind};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    ARGUMENTS, Binding, BindingTarget, DefinitionId, NAMELESS_BASE, ScopeId,
};

impl Resolver<'_> {
    /// Resolves a dotted name from what its first part means: `Cart.total` of a module is the
    /// method, although the module imports the class, and the class inherits the method.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::{Entity, Resolver};
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let database = database(&[
    ///     ("base.py", "class Base:\n    def total(self): pass\n"),
    ///     ("cart.py", "from base import Base\nclass Cart(Base): pass\n"),
    ///     ("shop.py", "from cart import Cart\n"),
    /// ]);
    /// let resolver = Resolver::new(&database);
    /// let shop = Entity::Module(path("shop.py"));
    /// let total = resolver.resolve_dotted(&[shop].into_iter().collect(), &["Cart", "total"]);
    /// let definitions: Vec<_> = resolver.definitions(&total).collect();
    /// assert_eq!(definitions, [(&path("base.py"), DefinitionId(1))]);
    /// ```
    #[must_use]
    pub fn resolve_dotted(self, of: &ResolvedEntities, names: &[&str]) -> ResolvedEntities {
        names.iter().fold(of.clone(), |of, name| {
            let mut found = self.resolve_members(&of, name);
            // The name of a class leads to the members of its instances, too.
            let classes = self.definitions(&of);
            let classes = classes.filter(|(path, id)| self.has_members(path, *id));
            for (path, class) in classes {
                let instance = Entity::Instance(path.clone(), class);
                found.merge(self.resolve_member(&instance, name));
            }
            found
        })
    }

    /// Resolves a member of all entities that a value may be.
    pub(super) fn resolve_members(self, of: &ResolvedEntities, name: &str) -> ResolvedEntities {
        let mut all = ResolvedEntities {
            has_unknown: of.has_unknown,
            ..ResolvedEntities::default()
        };
        for entity in &of.entities {
            all.merge(self.resolve_member(entity, name));
        }
        all
    }

    /// Resolves a member that code reads from a value. One that the class of the value lacks is
    /// unknown in a language in which other code may add it.
    pub(super) fn resolve_members_of_value(
        self,
        of: &ResolvedEntities,
        name: &str,
    ) -> ResolvedEntities {
        let mut found = self.resolve_members(of, name);
        let may_add = |entity: &Entity| {
            let of = entity.without_type_arguments();
            let is_of_class = matches!(of, Entity::Instance(..) | Entity::Definition(..));
            let language = entity.file().and_then(|file| self.database.language(file));
            is_of_class && language.is_some_and(LanguageResolver::may_add_members)
        };
        found.has_unknown |= found.is_none() && of.entities.iter().any(may_add);
        found
    }

    /// Resolves a member of an entity.
    pub(super) fn resolve_member(self, of: &Entity, name: &str) -> ResolvedEntities {
        let key = MemoKey::Member(of.clone(), name.to_owned());
        self.database.memoize(key, || self.compute_member(of, name))
    }

    fn compute_member(self, of: &Entity, name: &str) -> ResolvedEntities {
        let language = of.file().and_then(|file| self.database.language(file));
        let special = language.and_then(|language| language.resolve_special_member(self, of, name));
        if let Some(resolution) = special {
            return resolution;
        }
        match of {
            Entity::Module(path) => self.resolve_module_member(path, name),
            Entity::Folder(folder) => self.resolve_folder_member(folder, name),
            Entity::Instance(path, class) => self.class_member(of, path, *class, name),
            Entity::Super(path, class) => self.inherited_member(path, *class, name),
            Entity::Object(object) => self.object_member(object, name),
            Entity::Container(path, number) => self.container_member(path, *number, name),
            // A class of the repository may implement the interface of the function.
            Entity::Lambda(..) | Entity::External(_) if is_call(name) => ResolvedEntities {
                has_unknown: true,
                ..ResolvedEntities::single(of.clone())
            },
            Entity::Lambda(..) | Entity::External(_) => ResolvedEntities::unknown(),
            Entity::Shape(path, scope) => self.shape_member((path, *scope), name),
            Entity::TypeParameter(parameter) => {
                self.resolve_members(&self.constraint(parameter), name)
            }
            Entity::Generic(inner, arguments) => {
                let members = self.resolve_member(inner, name);
                let found = self.substitute(members, arguments);
                if !found.entities.is_empty() {
                    return found;
                }
                self.argument_base((inner, name), arguments)
                    .map_or(found, |base| self.resolve_members(&base, name))
            }
            // No part of the tuple is of a type of the repository.
            Entity::Tuple(_) if language.is_none() => ResolvedEntities::none(),
            Entity::Sequence(_) | Entity::Mapping(_) | Entity::Tuple(_) => language
                .map_or_else(ResolvedEntities::unknown, |language| {
                    language.resolve_container_member(of, name)
                }),
            Entity::Definition(path, id) => self.class_member(of, path, *id, name),
        }
    }

    fn resolve_module_member(self, path: &RepoPath, name: &str) -> ResolvedEntities {
        let (Some(file), Some(language)) =
            (self.database.facts(path), self.database.language(path))
        else {
            return ResolvedEntities::unknown();
        };
        let module = SourceFile { path, file: &file };
        language.resolve_module_member(self, &module, name)
    }

    fn resolve_folder_member(self, folder: &RepoPath, name: &str) -> ResolvedEntities {
        ResolvedEntities::union(
            self.database
                .language_resolvers()
                .map(|language| language.resolve_folder_member(self, folder, name)),
        )
    }

    /// Reports whether a definition is of a kind that has members.
    pub(super) fn has_members(self, path: &RepoPath, id: DefinitionId) -> bool {
        let file = self.database.facts(path);
        file.is_some_and(|file| {
            let definition = file.facts.definition(id);
            definition.is_some_and(|found| {
                matches!(
                    found.kind,
                    DefinitionKind::Class
                        | DefinitionKind::Interface
                        | DefinitionKind::Enum
                        | DefinitionKind::Namespace
                )
            })
        })
    }

    pub(super) fn class_member(
        self,
        of: &Entity,
        path: &RepoPath,
        class: DefinitionId,
        name: &str,
    ) -> ResolvedEntities {
        let (Some(file), Some(language)) =
            (self.database.facts(path), self.database.language(path))
        else {
            return ResolvedEntities::unknown();
        };
        if let Some(resolution) = language.resolve_builtin_member(of, name) {
            return resolution;
        }
        let source = SourceFile { path, file: &file };
        let Some(definition) = source.definition(class) else {
            return ResolvedEntities::unknown();
        };
        let is_class = self.has_members(path, class);
        if let Some(own) = self.own_member(&source, (of, class), name) {
            return own;
        }
        let elsewhere = language.resolve_member_elsewhere(self, &source, (of, definition), name);
        if !elsewhere.is_none() {
            return elsewhere;
        }
        if !is_class {
            return ResolvedEntities::unknown();
        }
        self.inherited_member(path, class, name)
    }

    /// Resolves a member that a definition declares in its own file, or `None` if it declares none.
    pub(super) fn own_member(
        self,
        source: &SourceFile<'_>,
        (of, class): (&Entity, DefinitionId),
        name: &str,
    ) -> Option<ResolvedEntities> {
        let file = source.file;
        let language = self.database.language(source.path)?;
        let definition = source.definition(class)?;
        let id = file.find_name(name)?;
        let is_class = self.has_members(source.path, class);
        let enclosing = definition.parent;
        let outside = file.qualified_members(enclosing, file.facts.name(definition.name), id);
        // A definition in a function is local, unless it is a method: `this.m = …`.
        let inside = file.members(Some(class), id).iter().filter(|id| {
            let member = source.definition(**id);
            let is_method = member.is_some_and(|member| member.kind == DefinitionKind::Method);
            let is_own = member.is_some_and(|member| source.is_direct(member, definition));
            (is_class || is_method) && is_own
        });
        let own = inside.chain(outside).filter(|id| {
            let member = source.definition(**id);
            member.is_some_and(|member| language.is_member_of(of, definition, member))
        });
        let mut own: Vec<&DefinitionId> = own.collect();
        let hides = |id: &&DefinitionId| {
            let member = source.definition(**id);
            member.is_some_and(|member| language.hides_others(source, member))
        };
        if own.iter().any(hides) {
            own.retain(hides);
        }
        if !own.is_empty() {
            return Some(self.with_declarations(source, own.into_iter()));
        }
        let bindings = file.bindings(definition.scope, id);
        let bindings: Vec<&Binding> = bindings
            .filter(|binding| is_class || matches!(binding.target, BindingTarget::Attribute(_)))
            .collect();
        if bindings.is_empty() {
            return None;
        }
        let mut targets = bindings.iter().map(|binding| &binding.target);
        let is_assigned = targets.all(|target| matches!(target, BindingTarget::Attribute(_)));
        let called = is_assigned
            .then(|| language.resolve_assigned_member(self, (source, class), name))
            .flatten();
        called.or_else(|| Some(self.resolve_bindings(source, &bindings)))
    }

    /// Resolves a member in the first base class that has it, in the order of the bases.
    pub(super) fn inherited_member(
        self,
        path: &RepoPath,
        class: DefinitionId,
        name: &str,
    ) -> ResolvedEntities {
        let compute = || self.find_inherited(path, class, name);
        let file = self.database.facts(path);
        let heir = file.as_ref().and_then(|file| file.facts.definition(class));
        let Some((file, heir)) = file.as_ref().zip(heir) else {
            return compute();
        };
        let step = (StepKind::InheritedBy, file.facts.name(heir.name));
        self.database
            .record_step(step, (path, heir.start_line), compute)
    }

    fn find_inherited(self, path: &RepoPath, class: DefinitionId, name: &str) -> ResolvedEntities {
        let Some(file) = self.database.facts(path) else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile { path, file: &file };
        let Some(definition) = source.definition(class) else {
            return ResolvedEntities::unknown();
        };
        let enclosing = source.enclosing_scope(definition);
        if definition.bases.len() > 1
            && let Some(language) = self.database.language(path)
            && let Some(found) = language.resolve_inherited(self, (path, class), name)
        {
            return found;
        }
        let mut has_unknown = false;
        for base in &definition.bases {
            let mut bases = self.resolve_value(&source, enclosing, *base);
            // What may be a namespace is no base class.
            bases
                .entities
                .retain(|base| !matches!(base, Entity::Folder(_)));
            if let Some(language) = self.database.language(path) {
                bases = language.resolve_base(self, bases);
            }
            // A base class outside of the repository may have the member.
            has_unknown |= bases.has_unknown || bases.entities.is_empty();
            let found = self.resolve_members(&bases, name);
            if !found.entities.is_empty() {
                return found;
            }
            has_unknown |= found.has_unknown;
        }
        ResolvedEntities {
            has_unknown,
            ..ResolvedEntities::default()
        }
    }

    /// Resolves the bases of a class that are type parameters with known arguments: `A` for
    /// `class B extends T` where `T` is `A`. Returns `None` if there are none, or if the class
    /// declares a member of the name itself.
    fn argument_base(
        self,
        (of, name): (&Entity, &str),
        arguments: &TypeArguments,
    ) -> Option<ResolvedEntities> {
        let path = of.file()?;
        let file = self.database.facts(path)?;
        let source = SourceFile { path, file: &file };
        let is_bound = |scope: ScopeId| {
            let name = file.find_name(name);
            name.is_some_and(|name| file.bindings(scope, name).next().is_some())
        };
        let bases: Vec<ResolvedEntities> = match of {
            Entity::Instance(_, id) | Entity::Definition(_, id) => {
                let class = source
                    .definition(*id)
                    .filter(|class| !is_bound(class.scope))?;
                let around = source.enclosing_scope(class);
                let bases = class.bases.iter();
                let bases = bases.map(|base| self.resolve_value(&source, around, *base));
                bases.collect()
            }
            Entity::Shape(_, scope) => {
                let mark = file
                    .find_name(NAMELESS_BASE)
                    .filter(|_| !is_bound(*scope))?;
                let bases = file.bindings(*scope, mark);
                let bases = bases.map(|base| self.resolve_bindings(&source, &[base]));
                bases.collect()
            }
            _ => return None,
        };
        let parameters = bases.into_iter().flat_map(|base| base.entities);
        let known = parameters.filter_map(|base| match base {
            Entity::TypeParameter(parameter) => arguments.get(&parameter).cloned(),
            _ => None,
        });
        let known = ResolvedEntities::union(known);
        let language = self.database.language(path)?;
        (!known.is_none()).then(|| language.resolve_base(self, known))
    }

    /// Returns members with what they stand for.
    pub(super) fn with_declarations<'d>(
        self,
        source: &SourceFile<'_>,
        members: impl Iterator<Item = &'d DefinitionId>,
    ) -> ResolvedEntities {
        let language = self.database.language(source.path);
        ResolvedEntities::union(members.map(|id| {
            let mut found = ResolvedEntities::single(source.entity(*id));
            if let Some((language, member)) = language.zip(source.definition(*id)) {
                found.merge(language.resolve_declarations(self, source, member));
            }
            found
        }))
    }

    /// Resolves a member of an object, which is a definition or another object.
    fn object_member(self, of: &Object, name: &str) -> ResolvedEntities {
        let Some(file) = self.database.facts(&of.file) else {
            return ResolvedEntities::unknown();
        };
        let source = SourceFile {
            path: &of.file,
            file: &file,
        };
        let found = match file.find_name(name) {
            Some(id) => file.qualified_members(of.inside, &of.name, id),
            None => &[],
        };
        let is_meant =
            |id: &&DefinitionId| of.bound_in.is_none() || file.head_scope(**id) == of.bound_in;
        let mut resolution = self.with_declarations(&source, found.iter().filter(is_meant));
        let inner = Object {
            name: format!("{}.{name}", of.name),
            ..of.clone()
        };
        if file.has_members_of(&inner) {
            resolution.entities.insert(Entity::Object(inner));
        }
        // Other code may add members to the object.
        resolution.has_unknown |= resolution.entities.is_empty();
        resolution
    }
}

/// Reports whether a method of a function calls it: `f.apply(a)`. Its name may have the number of
/// its arguments.
fn is_call(method: &str) -> bool {
    let name = method.split(ARGUMENTS).next().unwrap_or(method);
    matches!(name, "Invoke" | "apply" | "call")
}
