//! Resolves references and imports.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::argument_types::Arguments;
use crate::entity::{Entity, ResolvedEntities};
use crate::file_facts::FileFacts;
use crate::generics::without_type_arguments;
use crate::import_key::import_key;
use crate::resolver::{LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use crate::values::Place;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    ARITY, BindingTarget, DefinitionId, Facts, Import, Receiver, Reference, ReferenceKind, ScopeId,
    Space,
};

impl Resolver<'_> {
    /// Resolves a reference of a file.
    ///
    /// Missing facts count as unknown; see
    /// [`FactDatabase::take_missing`](crate::FactDatabase::take_missing).
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[
    ///     ("cart.py", "def total(): pass\n"),
    ///     ("shop.py", "import cart\ncart.total()\n"),
    /// ]);
    /// let shop = path("shop.py");
    /// let file = database.facts(&shop).unwrap();
    /// let call = file.facts.references.last().unwrap();
    /// assert_eq!(file.facts.name(call.name), "total");
    /// let resolution = Resolver::new(&database).resolve_reference(&shop, &file, call);
    /// assert_eq!(resolution.entities.first().unwrap().file(), Some(&path("cart.py")));
    /// ```
    #[must_use]
    pub fn resolve_reference(
        self,
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
    ) -> ResolvedEntities {
        let mut found = without_type_arguments(self.resolve_meaning(path, file, reference));
        // An assignment of a function to a member also names the function.
        found.entities.retain(|entity| match entity {
            Entity::Definition(of, id) => {
                let definition = file.facts.definition(*id);
                let is_own = definition.is_some_and(|one| one.name_position == reference.position);
                !(is_own && of == path)
            }
            _ => true,
        });
        found
    }

    /// Reports whether a reference means something that has its name from one of some types: a
    /// variable that merges with an interface in TypeScript, or a field that embeds a type in Go.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "interface Cart {}\nconst Cart = make();\nnew Cart();\n";
    /// let database = database(&[("cart.ts", text)]);
    /// let cart = path("cart.ts");
    /// let file = database.facts(&cart).unwrap();
    /// let call = file.facts.references.last().unwrap();
    /// let types = [(cart.clone(), DefinitionId(0))].into();
    /// assert!(Resolver::new(&database).is_named_after(&cart, &file, call, &types));
    /// ```
    #[must_use]
    pub fn is_named_after(
        self,
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
        types: &BTreeSet<(RepoPath, DefinitionId)>,
    ) -> bool {
        let source = SourceFile { path, file };
        let place = (reference.scope, reference.space);
        let name = file.facts.name(reference.name);
        let one_of_types = |entity: &Entity| match entity {
            Entity::Definition(path, id) => {
                let one = (path.clone(), *id);
                types.contains(&one).then_some(one)
            }
            _ => None,
        };
        let meaning = match reference.receiver {
            Receiver::None => self.resolve_name_in(&source, place, name),
            Receiver::Value(value) => {
                let receiver = self.resolve_value_in(&source, place, value);
                let language = self.database.language(path);
                let embedded = language.map(|one| one.embedded_types(self, &receiver, name));
                if embedded
                    .iter()
                    .flatten()
                    .any(|one| one_of_types(one).is_some())
                {
                    return true;
                }
                self.resolve_members(&receiver, name)
            }
            Receiver::Itself(_) | Receiver::Unknown => return false,
        };
        let mut meant = meaning.entities.iter().filter_map(one_of_types);
        reference.space == Space::Values && meant.any(|(path, id)| self.is_merged(&path, id))
    }

    /// Reports whether a name of a script, which no scope of it binds, may be one of some
    /// definitions at the top level of other scripts: a page may load both.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let database = database(&[("cart.js", "function total() {}\n"), ("page.js", "total();\n")]);
    /// let page = path("page.js");
    /// let file = database.facts(&page).unwrap();
    /// let call = &file.facts.references[0];
    /// let definitions = [(path("cart.js"), DefinitionId(0))].into();
    /// assert!(Resolver::new(&database).may_be_of_script(&page, &file, call, &definitions));
    /// ```
    #[must_use]
    pub fn may_be_of_script(
        self,
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
        definitions: &BTreeSet<(RepoPath, DefinitionId)>,
    ) -> bool {
        let is_script = |path: &RepoPath, file: &FileFacts| {
            let language = self.database.language(path);
            language.is_some_and(|language| language.is_script(&SourceFile { path, file }))
        };
        let source = SourceFile { path, file };
        let name = file.facts.name(reference.name);
        if reference.receiver != Receiver::None
            || !is_script(path, file)
            || source.is_bound(reference.scope, name)
        {
            return false;
        }
        definitions.iter().any(|(home, id)| {
            let of = self.database.facts(home);
            of.is_some_and(|of| {
                let definition = of.facts.definition(*id);
                let is_outermost =
                    definition.is_some_and(|one| one.parent.is_none() && one.qualifier.is_none());
                is_outermost && is_script(home, &of)
            })
        })
    }

    /// Reports whether a definition is a type that merges with a variable of its name.
    fn is_merged(self, path: &RepoPath, id: DefinitionId) -> bool {
        let file = self.database.facts(path);
        file.is_some_and(|file| {
            let source = SourceFile { path, file: &file };
            let definition = source.definition(id);
            definition.is_some_and(|one| source.has_merged_variable(one))
        })
    }

    fn resolve_meaning(
        self,
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
    ) -> ResolvedEntities {
        let source = SourceFile { path, file };
        let wanted = self.wanted_name(&source, reference);
        let name = wanted.as_ref();
        if reference.kind == ReferenceKind::Import {
            return self.resolve_import_at(&source, reference);
        }
        let place = (reference.scope, reference.space);
        let arguments = Arguments::new(source, reference);
        // A receiver is a variable or a type, whatever namespace its member belongs to.
        let receiver_place = match reference.space {
            Space::Names | Space::Methods | Space::Setters => (reference.scope, Space::Any),
            _ => place,
        };
        let at = |(scope, space): (ScopeId, Space)| Place {
            scope,
            space,
            at: Some(reference.position),
        };
        if let Some(bound) = self.resolve_assigned_member(&source, reference) {
            return self.resolve_callable(&source, reference, bound);
        }
        let mut resolution = match reference.receiver {
            Receiver::None => {
                let found = self.resolve_name_in(&source, at(place), name);
                self.resolve_callable(&source, reference, found)
            }
            Receiver::Itself(value) => {
                let found = self.resolve_value_in(&source, at(place), value);
                let is_read = reference.kind == ReferenceKind::Reference;
                // The property of an object of TypeScript; `A::new` of Java is another such value.
                if is_read && reference.space == Space::Values {
                    return self.declared_in_interfaces(found);
                }
                let found = self.overloads_meant(found, arguments);
                return self.resolve_callable(&source, reference, found);
            }
            Receiver::Value(value) => {
                let place = receiver_place;
                let receiver = self.resolve_value_in(&source, at(place), value);
                if receiver.is_none() {
                    let of = (reference.scope, file.facts.name(value.path));
                    return self.resolve_foreign_member(&source, of, name);
                }
                if reference.space == Space::Macros {
                    return self.resolve_macro_member(&source, &receiver, name);
                }
                let members = self.resolve_members_of_value(&receiver, name);
                let members = self.resolve_callable(&source, reference, members);
                let members = self.overloads_meant(members, arguments);
                let of = (reference, name);
                match self.database.language(path) {
                    Some(language) => {
                        language.resolve_extension(self, &source, &receiver, of, members)
                    }
                    None => members,
                }
            }
            Receiver::Unknown => ResolvedEntities::unknown(),
        };
        if reference.space != Space::Any {
            let entities = std::mem::take(&mut resolution.entities).into_iter();
            let entities = entities.filter(|entity| self.is_in(entity, reference.space));
            resolution.entities = entities.collect();
        }
        if let Some(language) = self.database.language(path) {
            resolution = language.resolve_linkage(self, &source, reference, resolution);
        }
        match reference.receiver {
            Receiver::None => self.overloads_meant(resolution, arguments),
            _ => resolution,
        }
    }

    /// Keeps what interfaces declare, which is what the type of an object in braces nearly always
    /// is. Classes come from values that code passes to the same parameter.
    fn declared_in_interfaces(self, found: ResolvedEntities) -> ResolvedEntities {
        let mut found = found;
        found.entities.retain(|entity| {
            let Entity::Definition(path, id) = entity.without_type_arguments() else {
                return false;
            };
            let file = self.database.facts(path);
            file.is_some_and(|file| {
                let definition = file.facts.definition(*id);
                let parent = definition.and_then(|one| file.facts.definition(one.parent?));
                parent.is_some_and(|parent| parent.kind == DefinitionKind::Interface)
            })
        });
        found
    }

    /// Keeps the overloads that a call may mean. A name that is not called may mean any.
    fn overloads_meant(
        self,
        found: ResolvedEntities,
        arguments: Option<Arguments<'_>>,
    ) -> ResolvedEntities {
        match arguments {
            Some(_) => self.choose_overloads(found, arguments),
            None => self.with_inherited_overloads(found),
        }
    }

    /// Resolves a member to the only value that the file assigns to it before: `a.b = c`.
    fn resolve_assigned_member(
        self,
        source: &SourceFile<'_>,
        reference: &Reference,
    ) -> Option<ResolvedEntities> {
        let Receiver::Value(value) = reference.receiver else {
            return None;
        };
        let is_assigned = reference.space == Space::Setters;
        if !source.file.flow.has_paths || value.is_called || is_assigned {
            return None;
        }
        let receiver = source.file.facts.name(value.path);
        let path = format!("{receiver}.{}", source.file.facts.name(reference.name));
        let place = Place {
            scope: reference.scope,
            space: Space::Any,
            at: Some(reference.position),
        };
        let (bound, is_only) = self.resolve_bound_path(source, place, &path)?;
        if is_only && !bound.entities.is_empty() {
            return Some(bound);
        }
        let receiver = self.resolve_value_in(source, place, value);
        let mut all = self.resolve_members(&receiver, source.file.facts.name(reference.name));
        all.merge(bound);
        Some(all)
    }

    /// Adds what a call of an instance runs, in a language where instances can be called.
    fn resolve_callable(
        self,
        source: &SourceFile<'_>,
        reference: &Reference,
        found: ResolvedEntities,
    ) -> ResolvedEntities {
        let language = self.database.language(source.path);
        let method = language.and_then(LanguageResolver::call_method);
        let Some(method) = method.filter(|_| reference.kind == ReferenceKind::Call) else {
            return found;
        };
        let mut all = found.clone();
        for entity in &found.entities {
            if matches!(entity.without_type_arguments(), Entity::Instance(..)) {
                let called = without_type_arguments(self.resolve_member(entity, method));
                all.entities.extend(called.entities);
            }
        }
        all
    }

    /// Reports whether a name in a file may refer to definitions that no import leads to, as in C.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[("cart.c", "int total(void);\n"), ("cart.py", "")]);
    /// let resolver = Resolver::new(&database);
    /// assert!(resolver.links_by_name(&path("cart.c")));
    /// assert!(!resolver.links_by_name(&path("cart.py")));
    /// ```
    #[must_use]
    pub fn links_by_name(self, path: &RepoPath) -> bool {
        let language = self.database.language(path);
        language.is_some_and(LanguageResolver::links_by_name)
    }

    fn resolve_macro_member(
        self,
        source: &SourceFile<'_>,
        of: &ResolvedEntities,
        name: &str,
    ) -> ResolvedEntities {
        let language = self.database.language(source.path);
        language.map_or_else(ResolvedEntities::none, |language| {
            language.resolve_macro_member(self, of, name)
        })
    }

    /// Resolves a member of something from outside of the repository.
    fn resolve_foreign_member(
        self,
        source: &SourceFile<'_>,
        of: (ScopeId, &str),
        name: &str,
    ) -> ResolvedEntities {
        let language = self.database.language(source.path);
        language.map_or_else(ResolvedEntities::none, |language| {
            language.resolve_foreign_member(self, source, of, name)
        })
    }

    /// Reports whether an entity belongs to a namespace.
    pub(super) fn is_in(self, entity: &Entity, space: Space) -> bool {
        let Entity::Definition(path, id) = entity else {
            return space != Space::Setters;
        };
        let file = self.database.facts(path);
        if space == Space::Setters {
            return file.is_some_and(|file| can_be_setter(&file.facts, *id));
        }
        let kind = file.and_then(|file| Some(file.facts.definition(*id)?.kind));
        match kind {
            Some(DefinitionKind::Interface | DefinitionKind::Type) => {
                !matches!(space, Space::Values | Space::Methods | Space::Macros)
            }
            Some(DefinitionKind::Function | DefinitionKind::Method) => {
                !space.is_types() && space != Space::Names
            }
            _ => !matches!(space, Space::Methods | Space::Macros),
        }
    }

    /// Returns the definitions among the entities. An instance is not its class.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let database = database(&[("cart.py", "def total(): pass\ntotal()\n")]);
    /// let cart = path("cart.py");
    /// let file = database.facts(&cart).unwrap();
    /// let resolver = Resolver::new(&database);
    /// let resolution = resolver.resolve_reference(&cart, &file, &file.facts.references[0]);
    /// let definitions: Vec<_> = resolver.definitions(&resolution).collect();
    /// assert_eq!(definitions, [(&cart, DefinitionId(0))]);
    /// ```
    pub fn definitions(
        self,
        resolution: &ResolvedEntities,
    ) -> impl Iterator<Item = (&RepoPath, DefinitionId)> {
        resolution
            .entities
            .iter()
            .filter_map(|entity| match entity.without_type_arguments() {
                Entity::Definition(path, id) => Some((path, *id)),
                _ => None,
            })
    }

    /// Returns the other name by which code may refer to a definition of a file, if there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[("A.cs", "[Test] class A { }\n")]);
    /// let resolver = Resolver::new(&database);
    /// assert_eq!(resolver.other_name(&path("A.cs"), "TestAttribute"), Some("Test"));
    /// assert_eq!(resolver.other_name(&path("A.cs"), "A"), None);
    /// ```
    #[must_use]
    pub fn other_name<'n>(self, path: &RepoPath, name: &'n str) -> Option<&'n str> {
        self.database.language(path)?.other_name(name)
    }

    /// Reports whether a reference is written as one to a definition of its name: only a method can
    /// be assigned to as a setter. In Ruby `a.b = c` calls `b=`, and any other `a.b` calls `b`.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "class Cart\n  def size=(n); end\nend\ncart.size = 1\ncart.size\n";
    /// let database = database(&[("cart.rb", text)]);
    /// let (resolver, cart) = (Resolver::new(&database), path("cart.rb"));
    /// let file = database.facts(&cart).unwrap();
    /// let named = file.facts.references.iter();
    /// let named = named.filter(|one| file.facts.name(one.name) == "size");
    /// let setter = (&cart, DefinitionId(1));
    /// let written: Vec<bool> =
    ///     named.map(|one| resolver.is_written_for((&cart, &file), one, setter)).collect();
    /// assert_eq!(written, [true, false]);
    /// ```
    #[must_use]
    pub fn is_written_for(
        self,
        (path, file): (&RepoPath, &FileFacts),
        reference: &Reference,
        (home, id): (&RepoPath, DefinitionId),
    ) -> bool {
        let Some(home) = self.database.facts(home) else {
            return false;
        };
        let Some(definition) = home.facts.definition(id) else {
            return false;
        };
        if reference.space == Space::Setters && !can_be_setter(&home.facts, id) {
            return false;
        }
        let name = home.facts.name(definition.name);
        let written = file.facts.name(reference.name);
        let language = self.database.language(path);
        let setter = language.map(|language| language.setter_name(written));
        let is_either = name == written || setter.is_some_and(|setter| setter == name);
        !is_either || self.meant_name(&SourceFile { path, file }, reference) == name
    }

    /// Returns the name of what a reference means, if that has a name.
    fn meant_name<'f>(self, source: &SourceFile<'f>, reference: &Reference) -> Cow<'f, str> {
        let name = source.file.facts.name(reference.name);
        match self.database.language(source.path) {
            Some(language) if reference.space == Space::Setters => language.setter_name(name),
            _ => Cow::Borrowed(name),
        }
    }

    /// Returns the name that a reference is resolved by, with the number of type arguments.
    fn wanted_name<'f>(self, source: &SourceFile<'f>, reference: &Reference) -> Cow<'f, str> {
        let name = self.meant_name(source, reference);
        match reference.space {
            Space::GenericTypes(arity) => Cow::Owned(format!("{name}{ARITY}{arity}")),
            _ => name,
        }
    }

    fn resolve_import_at(self, source: &SourceFile<'_>, reference: &Reference) -> ResolvedEntities {
        let import = source.file.import_of(reference);
        match (import, self.database.language(source.path)) {
            (Some(import), Some(language)) => language.resolve_import_name(self, source, import),
            _ => ResolvedEntities::unknown(),
        }
    }

    /// Reports whether a reference means something that the repository should have but lacks: a
    /// name that an import should bind, or a member of a module. It may have been moved, or be
    /// generated.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let text = "from os import sep\nfrom .gone import total\ntotal(sep)\n";
    /// let database = database(&[("shop/pay.py", text)]);
    /// let pay = path("shop/pay.py");
    /// let file = database.facts(&pay).unwrap();
    /// let used = file.facts.references.iter().filter(|found| found.position.line == 3);
    /// let resolver = Resolver::new(&database);
    /// let are_missing = used.map(|found| resolver.is_missing(&pay, &file, found));
    /// assert_eq!(are_missing.collect::<Vec<_>>(), [true, false]);
    /// ```
    #[must_use]
    pub fn is_missing(self, path: &RepoPath, file: &FileFacts, reference: &Reference) -> bool {
        let source = SourceFile { path, file };
        let Some(language) = self.database.language(path) else {
            return false;
        };
        if reference.receiver == Receiver::None && language.is_missing_name(&source, reference) {
            return true;
        }
        if let Some(import) = file.import_of(reference) {
            return language.is_missing_import(self, &source, import);
        }
        let Receiver::Value(value) = reference.receiver else {
            return false;
        };
        let receiver = self.resolve_value(&source, reference.scope, value);
        if receiver.is_none() {
            // `import a.b` binds `a`, whose member `b` would be the module.
            let mut imports = file.facts.imports.iter();
            return imports.any(|import| {
                import.module == value.path && language.is_missing_import(self, &source, import)
            });
        }
        let name = file.facts.name(reference.name);
        let mut entities = receiver.entities.iter();
        !receiver.entities.is_empty()
            && entities.all(|entity| match entity {
                Entity::Module(module) => language.is_missing_member(self, module, name),
                _ => false,
            })
    }

    /// Returns the keys of all specifiers that may import a file.
    ///
    /// Only languages whose importers choose names for exports have any. See
    /// [`import_key`](super::import_key::import_key).
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[("src/cart/index.ts", "")]);
    /// let keys = Resolver::new(&database).import_keys(&path("src/cart/index.ts"));
    /// // Other files import it as `./cart/index` or `./cart`.
    /// assert!(keys.contains("index") && keys.contains("cart"));
    /// ```
    #[must_use]
    pub fn import_keys(self, file: &RepoPath) -> BTreeSet<String> {
        let language = self.database.language(file);
        language
            .map(|language| language.import_keys(file))
            .unwrap_or_default()
    }

    /// Returns the key of all specifiers that may import a file, if the files that import it may
    /// decide what a name in it means: in C, a header may use macros that precede its inclusion.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[("list.h", "ENTRY(a)\n")]);
    /// let resolver = Resolver::new(&database);
    /// assert_eq!(resolver.importers_key(&path("list.h"), "ENTRY").as_deref(), Some("list.h"));
    /// assert_eq!(resolver.importers_key(&path("list.h"), "entry"), None);
    /// ```
    #[must_use]
    pub fn importers_key(self, file: &RepoPath, name: &str) -> Option<String> {
        let language = self.database.language(file)?;
        let depends = language.depends_on_importers(self, file, name);
        depends.then(|| import_key(file.name()).to_owned())
    }

    /// Reports whether importers choose the name for this export, as they do for `default`.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[("cart.ts", "")]);
    /// let resolver = Resolver::new(&database);
    /// assert!(resolver.is_named_by_importers(&path("cart.ts"), "default"));
    /// assert!(!resolver.is_named_by_importers(&path("cart.ts"), "total"));
    /// ```
    #[must_use]
    pub fn is_named_by_importers(self, module: &RepoPath, name: &str) -> bool {
        let language = self.database.language(module);
        language.is_some_and(|language| language.is_named_by_importers(name))
    }

    /// Resolves an import to the file that it imports, or from which it imports a name.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let text = "from .cart import total\n";
    /// let database = database(&[("shop/cart.py", ""), ("shop/pay.py", text)]);
    /// let pay = path("shop/pay.py");
    /// let file = database.facts(&pay).unwrap();
    /// let imported =
    ///     Resolver::new(&database).resolve_import_file(&pay, &file, &file.facts.imports[0]);
    /// assert_eq!(imported, Some(path("shop/cart.py")));
    /// ```
    #[must_use]
    pub fn resolve_import_file(
        self,
        path: &RepoPath,
        file: &FileFacts,
        import: &Import,
    ) -> Option<RepoPath> {
        let language = self.database.language(path)?;
        language.resolve_import_file(self, &SourceFile { path, file }, import)
    }
}

/// Reports whether a definition is a method, or a function of an object literal: no scope binds its
/// name.
fn can_be_setter(facts: &Facts, id: DefinitionId) -> bool {
    let kind = facts.definition(id).map(|definition| definition.kind);
    match kind {
        Some(DefinitionKind::Method) => true,
        Some(DefinitionKind::Function) => {
            let mut bindings = facts.bindings.iter();
            !bindings.any(|binding| binding.target == BindingTarget::Definition(id))
        }
        _ => false,
    }
}
