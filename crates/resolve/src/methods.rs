//! Resolves constructors and overridden methods.

use std::collections::BTreeSet;

use crate::argument_types::CallSite;
use crate::entity::{Entity, ResolvedEntities};
use crate::file_facts::FileFacts;
use crate::resolver::{LanguageResolver, Resolver};
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, BindingTarget, DefinitionFact, DefinitionId, Facts, Receiver, Reference, ScopeKind,
};

/// The maximum number of methods that one method is found to override.
const MAX_OVERRIDDEN: usize = 64;

/// A definition, identified by its file and index.
type Place = (RepoPath, DefinitionId);

impl Resolver<'_> {
    /// Returns the class that calls a method on construction, or `None` for any other definition.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "class Cart:\n    def __init__(self): pass\n    def total(self): pass\n";
    /// let database = database(&[("cart.py", text)]);
    /// let resolver = Resolver::new(&database);
    /// let [class, init, total] = [0, 1, 2].map(DefinitionId);
    /// assert_eq!(resolver.constructed_class(&path("cart.py"), init), Some(class));
    /// assert_eq!(resolver.constructed_class(&path("cart.py"), total), None);
    /// ```
    #[must_use]
    pub fn constructed_class(self, path: &RepoPath, method: DefinitionId) -> Option<DefinitionId> {
        let file = self.database.facts(path)?;
        let source = SourceFile { path, file: &file };
        let definition = source.definition(method)?;
        let name = file.facts.name(definition.name);
        let class = definition.parent?;
        let of = source.definition(class)?;
        let constructors = self.database.language(path)?;
        let constructors = constructors.constructors(file.facts.name(of.name));
        let is_class = matches!(of.kind, DefinitionKind::Class | DefinitionKind::Enum);
        (is_class && constructors.contains(&name)).then_some(class)
    }

    /// Returns the methods, own or inherited, that a call of a class runs. In a language where
    /// arguments tell constructors apart, those of the call do, if it is known.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "class Cart:\n    def __init__(self): pass\nclass Basket(Cart): pass\n";
    /// let database = database(&[("cart.py", text)]);
    /// // `Basket()` runs the inherited method.
    /// let basket = (&path("cart.py"), DefinitionId(2));
    /// let found = Resolver::new(&database).constructors(basket, None);
    /// assert_eq!(found.into_iter().collect::<Vec<_>>(), [(path("cart.py"), DefinitionId(1))]);
    /// ```
    #[must_use]
    pub fn constructors(
        self,
        (path, class): (&RepoPath, DefinitionId),
        call: Option<CallSite<'_>>,
    ) -> BTreeSet<Place> {
        let Some(language) = self.database.language(path) else {
            return BTreeSet::new();
        };
        if !self.has_members(path, class) {
            return BTreeSet::new();
        }
        let of = Entity::Definition(path.clone(), class);
        let file = self.database.facts(path);
        let name = file.as_ref().and_then(|file| {
            let definition = file.facts.definition(class)?;
            Some(file.facts.name(definition.name))
        });
        let names = language.constructors(name.unwrap_or_default()).into_iter();
        let found = names.map(|name| {
            let found = self.resolve_member(&of, name);
            self.choose_overloads(found, call.and_then(Option::from))
        });
        found
            .flat_map(|resolution| self.places(&resolution))
            .collect()
    }

    /// Returns the methods of base classes that a method overrides, directly or indirectly.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "class A:\n    def f(self): pass\nclass B(A):\n    def f(self): pass\n";
    /// let database = database(&[("a.py", text)]);
    /// let found = Resolver::new(&database).overridden_methods(&path("a.py"), DefinitionId(3));
    /// assert_eq!(found.into_iter().collect::<Vec<_>>(), [(path("a.py"), DefinitionId(1))]);
    /// ```
    #[must_use]
    pub fn overridden_methods(self, path: &RepoPath, method: DefinitionId) -> BTreeSet<Place> {
        let mut found = BTreeSet::new();
        let mut pending = vec![(path.clone(), method)];
        while let Some((path, method)) = pending.pop() {
            if found.len() > MAX_OVERRIDDEN {
                break;
            }
            let overridden = self.directly_overridden(&path, method);
            pending.extend(
                overridden
                    .into_iter()
                    .filter(|place| found.insert(place.clone())),
            );
        }
        found
    }

    /// Reports whether a base class or an interface from outside of the repository may declare a
    /// method.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "from lib import Base\nclass A(Base):\n    def f(self): pass\n";
    /// let database = database(&[("a.py", text)]);
    /// let resolver = Resolver::new(&database);
    /// assert!(resolver.may_override_unknown(&path("a.py"), DefinitionId(1)));
    /// assert!(!resolver.may_override_unknown(&path("a.py"), DefinitionId(0)));
    /// ```
    #[must_use]
    pub fn may_override_unknown(self, path: &RepoPath, method: DefinitionId) -> bool {
        let Some(file) = self.database.facts(path) else {
            return false;
        };
        let source = SourceFile { path, file: &file };
        let Some(definition) = source.definition(method) else {
            return false;
        };
        let is_method = definition.kind == DefinitionKind::Method;
        if let Some(language) = self.database.language(path).filter(|_| is_method)
            && language.may_implement_unknown(self, &source, definition)
        {
            return true;
        }
        self.inherited_namesakes(&source, definition).has_unknown
    }

    /// Reports whether code can run a definition without its name: an operator, a loop, a
    /// conversion or the creation of an object may call it.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "class Cart:\n    def total(self): pass\n    def __len__(self): return 1\n";
    /// let database = database(&[("cart.py", text)]);
    /// let resolver = Resolver::new(&database);
    /// let runs_unnamed = |id| resolver.runs_unnamed(&path("cart.py"), DefinitionId(id));
    /// // `len(cart)` calls `__len__`.
    /// assert_eq!([1, 2].map(runs_unnamed), [false, true]);
    /// ```
    #[must_use]
    pub fn runs_unnamed(self, path: &RepoPath, id: DefinitionId) -> bool {
        let (Some(file), Some(language)) =
            (self.database.facts(path), self.database.language(path))
        else {
            return false;
        };
        let source = SourceFile { path, file: &file };
        let definition = source.definition(id);
        definition.is_some_and(|definition| language.runs_unnamed(&source, definition))
    }

    /// Reports whether several definitions with one name path in different files may be one symbol:
    /// the parts of a class, or a declaration and its definition.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let database = database(&[("cart.rb", "class Cart\nend\n"), ("cart.py", "")]);
    /// let resolver = Resolver::new(&database);
    /// assert!(resolver.joins_definitions(&path("cart.rb")));
    /// assert!(!resolver.joins_definitions(&path("cart.py")));
    /// ```
    #[must_use]
    pub fn joins_definitions(self, path: &RepoPath) -> bool {
        let language = self.database.language(path);
        language.is_some_and(LanguageResolver::joins_definitions)
    }

    /// Returns the methods of a name that loaded interfaces of a language declare, if a type
    /// implements the interface without naming it: for each method of the interface, it has one of
    /// the same name.
    pub(super) fn structurally_implemented(
        self,
        of: &[Entity],
        (language, name): (&'static str, &str),
        is_interface: impl Fn(&SourceFile<'_>, &DefinitionFact) -> bool,
    ) -> BTreeSet<Place> {
        let key = (language, name.to_owned());
        let declaring = self.database.interfaces_declaring(key, || {
            self.find_interfaces((language, name), &is_interface)
        });
        let mut found = BTreeSet::new();
        for (path, interface) in declaring.iter() {
            let Some(file) = self.database.facts(path) else {
                continue;
            };
            let implements = |of: &Entity| self.implements(of, &file.facts, *interface);
            if of.iter().any(implements) {
                let name = file.find_name(name);
                let own = name.map(|name| file.members(Some(*interface), name));
                let own = own.into_iter().flatten();
                found.extend(own.map(|id| (path.clone(), *id)));
            }
        }
        found
    }

    /// Finds the loaded interfaces of a language that declare a name.
    fn find_interfaces(
        self,
        (language, name): (&'static str, &str),
        is_interface: impl Fn(&SourceFile<'_>, &DefinitionFact) -> bool,
    ) -> Vec<Place> {
        let mut found = Vec::new();
        for (path, file) in self.database.loaded_files() {
            let own = ragnav_syntax::detect_language(path);
            let is_of_language = own.is_some_and(|own| own.name == language);
            let Some(name) = file.find_name(name).filter(|_| is_of_language) else {
                continue;
            };
            let source = SourceFile { path, file };
            let named = file.facts.definitions.iter().filter(|one| one.name == name);
            let parents: BTreeSet<DefinitionId> = named.filter_map(|one| one.parent).collect();
            let interfaces = parents.into_iter().filter(|id| {
                let parent = source.definition(*id);
                parent.is_some_and(|parent| is_interface(&source, parent))
            });
            found.extend(interfaces.map(|id| (path.clone(), id)));
        }
        found
    }

    /// Reports whether a type has methods of the names of all methods of an interface.
    fn implements(self, of: &Entity, facts: &Facts, interface: DefinitionId) -> bool {
        let methods = facts.definitions.iter();
        let mut methods = methods.filter(|method| method.parent == Some(interface));
        methods.all(|method| {
            let own = self.resolve_member(of, facts.name(method.name));
            self.definitions(&own).next().is_some()
        })
    }

    fn directly_overridden(self, path: &RepoPath, method: DefinitionId) -> Vec<Place> {
        let Some(file) = self.database.facts(path) else {
            return Vec::new();
        };
        let source = SourceFile { path, file: &file };
        let (Some(definition), Some(language)) =
            (source.definition(method), self.database.language(path))
        else {
            return Vec::new();
        };
        let implemented = language.implemented_methods(self, &source, definition);
        let mut overridden: Vec<Place> = implemented.into_iter().collect();
        if definition.parent.is_some() {
            let inherited = self.inherited_namesakes(&source, definition);
            overridden.extend(self.places(&inherited));
        }
        let declared = self.declared_properties(&source, definition);
        overridden.extend(self.places(&declared));
        overridden
    }

    /// Returns what the type of an object declares for a property that is a function: `A.f` for
    /// `f` of `const a: A = { f() {} }`.
    fn declared_properties(
        self,
        source: &SourceFile<'_>,
        property: &DefinitionFact,
    ) -> ResolvedEntities {
        let at = property.name_position;
        let references = source.file.facts.references_at(at.line, at.start_utf16);
        let named = references
            .iter()
            .filter(|one| one.name == property.name && matches!(one.receiver, Receiver::Itself(_)));
        let declared = named.map(|one| self.resolve_reference(source.path, source.file, one));
        ResolvedEntities::union(declared)
    }

    /// Resolves the inherited methods that a method of a class may override.
    fn inherited_namesakes(
        self,
        source: &SourceFile<'_>,
        method: &DefinitionFact,
    ) -> ResolvedEntities {
        let language = self.database.language(source.path);
        let named = || {
            let class = method.parent;
            let class = class.filter(|class| self.has_members(source.path, *class))?;
            let inherited = Entity::Super(source.path.clone(), class);
            Some(ResolvedEntities::single(inherited))
        };
        let of = language.and_then(|language| language.overridden_type(self, source, method));
        let Some(of) = of.or_else(named) else {
            return ResolvedEntities::none();
        };
        let inherited = self.resolve_members(&of, source.file.facts.name(method.name));
        self.overloads_like(inherited, source, method)
    }

    /// Reports whether a reference is to a member of an instance, so that an override may be
    /// called.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let text = "class Cart:\n    def total(self): pass\n\nCart().total()\nCart.total(0)\n";
    /// let database = database(&[("cart.py", text)]);
    /// let cart = path("cart.py");
    /// let file = database.facts(&cart).unwrap();
    /// let references = file.facts.references.iter();
    /// let totals = references.filter(|found| file.facts.name(found.name) == "total");
    /// let resolver = Resolver::new(&database);
    /// let is_instance_member = totals.map(|call| resolver.is_instance_member(&cart, &file, call));
    /// assert_eq!(is_instance_member.collect::<Vec<_>>(), [true, false]);
    /// ```
    #[must_use]
    pub fn is_instance_member(
        self,
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
    ) -> bool {
        if reference.receiver == Receiver::None {
            // The bare name of a method means that of the instance around: `f()` for `this.f()`.
            let meaning = self.resolve_reference(path, file, reference);
            let mut meant = self.definitions(&meaning);
            return meant.any(|(path, id)| self.kind_of(path, id) == Some(DefinitionKind::Method));
        }
        let language = self.database.language(path);
        if language.is_some_and(|language| language.means_overrides(&file.facts, reference)) {
            return true;
        }
        let receiver = self.resolve_receiver(path, file, reference);
        let mut entities = receiver.entities.iter();
        entities.any(|entity| {
            matches!(
                entity.without_type_arguments(),
                Entity::Instance(..) | Entity::TypeParameter(_)
            )
        })
    }

    /// Reports whether a reference is to a member of what has the name of an interface or object
    /// type in a file: it is a variable of that name, since types have no members of their own.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// let text = "interface Cart {}\nconst Cart = make({ total() {} });\nCart.total();\n";
    /// let database = database(&[("cart.ts", text)]);
    /// let cart = path("cart.ts");
    /// let file = database.facts(&cart).unwrap();
    /// let call = file.facts.references.last().unwrap();
    /// let resolver = Resolver::new(&database);
    /// assert!(resolver.is_member_of_type_in(&cart, &cart, &file, call));
    /// ```
    #[must_use]
    pub fn is_member_of_type_in(
        self,
        home: &RepoPath,
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
    ) -> bool {
        let receiver = self.resolve_receiver(path, file, reference);
        let mut definitions = self.definitions(&receiver);
        definitions.any(|(at, id)| {
            let kind = self.kind_of(at, id).filter(|_| at == home);
            matches!(kind, Some(DefinitionKind::Interface | DefinitionKind::Type))
        })
    }

    fn resolve_receiver(
        self,
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
    ) -> ResolvedEntities {
        match reference.receiver {
            Receiver::Value(value) => {
                let source = SourceFile { path, file };
                self.resolve_value(&source, reference.scope, value)
            }
            Receiver::None | Receiver::Itself(_) | Receiver::Unknown => ResolvedEntities::none(),
        }
    }

    /// Reports whether a definition is a member of an object literal, in a language in which an
    /// object implements an interface by its members alone.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "function pay() {}\nrun({ total() {} });\n";
    /// let database = database(&[("a.ts", text)]);
    /// let resolver = Resolver::new(&database);
    /// assert!(!resolver.is_literal_member(&path("a.ts"), DefinitionId(0)));
    /// assert!(resolver.is_literal_member(&path("a.ts"), DefinitionId(1)));
    /// ```
    #[must_use]
    pub fn is_literal_member(self, path: &RepoPath, id: DefinitionId) -> bool {
        let language = self.database.language(path);
        if !language.is_some_and(LanguageResolver::has_structural_types) {
            return false;
        }
        let file = self.database.facts(path);
        file.is_some_and(|file| {
            let facts = &file.facts;
            // The scope of an object has no definition.
            let is_of_object = |binding: &Binding| {
                let scope = facts.scope(binding.scope);
                scope.is_some_and(|one| one.kind == ScopeKind::Class && one.definition.is_none())
            };
            let is_bound = |binding: &Binding| {
                binding.target == BindingTarget::Definition(id) && !is_of_object(binding)
            };
            facts.definition(id).is_some_and(|one| {
                matches!(one.kind, DefinitionKind::Function | DefinitionKind::Method)
                    && !is_in_type(facts, one)
            }) && !facts.bindings.iter().any(is_bound)
        })
    }

    /// Reports whether a definition is a member of an interface or of an object type.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let text = "interface Cart { total(): number }\n";
    /// let database = database(&[("a.ts", text)]);
    /// let resolver = Resolver::new(&database);
    /// let of_interface = |id| resolver.is_of_interface(&path("a.ts"), DefinitionId(id));
    /// assert_eq!([0, 1].map(of_interface), [false, true]);
    /// ```
    #[must_use]
    pub fn is_of_interface(self, path: &RepoPath, id: DefinitionId) -> bool {
        let file = self.database.facts(path);
        let parent = file.and_then(|file| {
            let parent = file.facts.definition(id)?.parent?;
            Some(file.facts.definition(parent)?.kind)
        });
        matches!(
            parent,
            Some(DefinitionKind::Interface | DefinitionKind::Type)
        )
    }

    pub(super) fn kind_of(self, path: &RepoPath, id: DefinitionId) -> Option<DefinitionKind> {
        let file = self.database.facts(path)?;
        Some(file.facts.definition(id)?.kind)
    }

    fn places(self, resolution: &ResolvedEntities) -> Vec<Place> {
        self.definitions(resolution)
            .map(|(path, id)| (path.clone(), id))
            .collect()
    }
}

/// Reports whether a definition is a member of a class, an interface or an object type.
fn is_in_type(facts: &Facts, definition: &DefinitionFact) -> bool {
    let parent = definition.parent.and_then(|id| facts.definition(id));
    parent.is_some_and(|parent| {
        matches!(
            parent.kind,
            DefinitionKind::Class | DefinitionKind::Interface | DefinitionKind::Type
        )
    })
}
