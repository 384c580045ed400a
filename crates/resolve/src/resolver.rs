//! The resolver, the facts it works on and the rules of each family of languages.
//!
//! These types refer to each other: rules resolve names with the resolver, which looks up the rules
//! for a file in the database.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::hash::Hash;
use std::rc::Rc;

use crate::computed_names::Reflection;
use crate::entity::{Entity, ResolvedEntities, TypeParameter};
use crate::file_facts::FileFacts;
use crate::files::Files;
use crate::manifest::Manifest;
use crate::memo::{Dependency, Memo, MemoKey, NameOf};
use crate::source_file::SourceFile;
use crate::static_type::{Fit, ParameterTypes, Place, StaticType};
use crate::trace::Trace;
use ragnav_base::hash::HashMap;
use ragnav_base::path::RepoPath;
use ragnav_syntax::Language;
use ragnav_syntax::facts::{
    Binding, DefinitionFact, DefinitionId, Facts, Import, Reference, Scope, ScopeId, Space, Value,
};

/// Resolves references, names and values over the facts in a database.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
/// # use setup::{database, path};
/// use ragnav_resolve::Resolver;
///
/// let database = database(&[
///     ("cart.py", "class Cart:\n    def total(self): pass\n"),
///     ("shop.py", "from cart import Cart\ncart = Cart()\ncart.total()\n"),
/// ]);
/// let shop = path("shop.py");
/// let file = database.facts(&shop).unwrap();
/// let call = file.facts.references.last().unwrap();
/// let resolution = Resolver::new(&database).resolve_reference(&shop, &file, call);
/// assert_eq!(resolution.entities.first().unwrap().file(), Some(&path("cart.py")));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Resolver<'w> {
    pub(super) database: &'w FactDatabase,
}

impl<'w> Resolver<'w> {
    /// Creates a resolver over a database.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_resolve::{FactDatabase, Resolver};
    ///
    /// let database = FactDatabase::default();
    /// let resolver = Resolver::new(&database);
    /// # let _ = resolver;
    /// ```
    #[must_use]
    pub fn new(database: &'w FactDatabase) -> Self {
        Self { database }
    }
}

/// The facts of the files of a repository, with the results derived from them.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
/// # use setup::{database, path};
/// let database = database(&[("cart.py", "total = 0\n")]);
/// assert!(database.facts(&path("cart.py")).is_some());
/// // The facts of this file were never inserted.
/// assert!(database.facts(&path("shop.py")).is_none());
/// assert_eq!(database.take_missing().into_iter().collect::<Vec<_>>(), [path("shop.py")]);
/// ```
#[derive(Debug, Default)]
pub struct FactDatabase {
    language_resolvers: Rc<LanguageResolvers>,
    facts: HashMap<RepoPath, Option<Rc<FileFacts>>>,
    missing: RefCell<BTreeSet<RepoPath>>,
    /// The files that may define a name in a language, for names that some result depends on.
    defining: HashMap<NameOf, BTreeSet<RepoPath>>,
    missing_names: RefCell<BTreeSet<NameOf>>,
    memo: Memo,
    /// The files that each file sees through includes.
    included: RefCell<HashMap<RepoPath, Rc<Vec<RepoPath>>>>,
    /// The loaded interfaces that have a member of each name.
    declaring: RefCell<HashMap<NameOf, Rc<Vec<Place>>>>,
    pub(super) trace: Trace,
}

/// What results depend on.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
/// # use setup::{database, path};
/// use ragnav_resolve::Dependencies;
///
/// let database = database(&[("cart.py", "")]);
/// let _ = database.facts(&path("shop.py"));
/// let Dependencies { files, is_complete } = database.take_dependencies();
/// assert!(files.contains(&path("shop.py")) && !is_complete);
/// ```
#[derive(Debug)]
pub struct Dependencies {
    /// The files whose facts count, each once, also those that are missing.
    pub files: Vec<RepoPath>,
    /// Whether the facts of each file, and the files that define each name, were inserted.
    pub is_complete: bool,
}

impl FactDatabase {
    /// Creates a database without facts.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::rc::Rc;
    ///
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_resolve::{FactDatabase, LanguageResolvers};
    ///
    /// let path = RepoPath::parse("cart.py").unwrap();
    /// let resolvers = LanguageResolvers::new(&[&path], &[], &[]);
    /// assert!(!FactDatabase::new(Rc::new(resolvers)).contains(&path));
    /// ```
    #[must_use]
    pub fn new(language_resolvers: Rc<LanguageResolvers>) -> Self {
        Self {
            language_resolvers,
            memo: Memo::default(),
            ..Self::default()
        }
    }

    /// Returns a database with the same facts, and without results derived from them.
    pub(super) fn without_results(&self) -> Self {
        Self {
            facts: self.facts.clone(),
            defining: self.defining.clone(),
            included: self.included.clone(),
            ..Self::new(Rc::clone(&self.language_resolvers))
        }
    }

    /// Returns the rules for a file, or `None` if its language has none.
    pub(super) fn language(&self, path: &RepoPath) -> Option<&dyn LanguageResolver> {
        let language = ragnav_syntax::detect_language(path)?;
        let mut language_resolvers = self.language_resolvers.0.iter();
        let found = language_resolvers.find(|(family, _)| family.languages.include(language));
        found.map(|(_, language)| language.as_ref())
    }

    pub(super) fn language_resolvers(&self) -> impl Iterator<Item = &dyn LanguageResolver> {
        self.language_resolvers
            .0
            .iter()
            .map(|(_, language)| language.as_ref())
    }

    /// Records that the current computation depends on a file.
    pub(super) fn add_dependency(&self, file: &RepoPath) {
        self.memo.add_dependency(Dependency::File(file.clone()));
    }

    /// Returns the result for a key and computes it at most once.
    pub(super) fn memoize(
        &self,
        key: MemoKey,
        compute: impl Fn() -> ResolvedEntities,
    ) -> ResolvedEntities {
        self.memo.memoize(key, compute)
    }

    /// Returns the result for a key. Unlike [`memoize`](Self::memoize), this keeps it only if it
    /// depends on no computation in progress.
    pub(super) fn memoize_part(
        &self,
        key: MemoKey,
        compute: impl FnOnce() -> ResolvedEntities,
    ) -> ResolvedEntities {
        self.memo.memoize_part(key, compute)
    }

    /// Resolves a path, which may be a part of another one. Beyond a depth, the result is unknown.
    pub(super) fn nest_path(&self, resolve: impl FnOnce() -> ResolvedEntities) -> ResolvedEntities {
        self.memo.nest_path(resolve)
    }

    /// Returns the types of the parameters of a method and computes them at most once.
    pub(super) fn memoize_parameters(
        &self,
        method: (&RepoPath, DefinitionId),
        compute: impl FnOnce() -> Option<ParameterTypes>,
    ) -> Option<Rc<ParameterTypes>> {
        self.memo.memoize_parameters(method, compute)
    }

    /// Returns the files that a file sees through includes, and finds them at most once. The caller
    /// reads the facts of each, which records that its result depends on the file.
    pub(super) fn included_files(
        &self,
        file: &RepoPath,
        find: impl Fn() -> Vec<RepoPath>,
    ) -> Rc<Vec<RepoPath>> {
        find_once(&self.included, file.clone(), find)
    }

    /// Returns the loaded interfaces of a language that have a member of a name, and finds them at
    /// most once.
    pub(super) fn interfaces_declaring(
        &self,
        name: NameOf,
        find: impl Fn() -> Vec<Place>,
    ) -> Rc<Vec<Place>> {
        self.memo.add_dependency(Dependency::LoadedFiles);
        find_once(&self.declaring, name, find)
    }

    /// Inserts the facts of a file, or `None` if it has none. Discards the results that depend on
    /// it.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_resolve::FactDatabase;
    ///
    /// let mut database = FactDatabase::default();
    /// let notes = RepoPath::parse("notes.txt").unwrap();
    /// // A text in no language has no facts, and is not missing either.
    /// database.insert(notes.clone(), None);
    /// assert!(database.facts(&notes).is_none());
    /// assert!(database.take_missing().is_empty());
    /// ```
    pub fn insert(&mut self, file: RepoPath, facts: Option<Rc<FileFacts>>) {
        self.facts.insert(file.clone(), facts);
        self.memo.record_change(Dependency::File(file));
        self.memo.record_change(Dependency::LoadedFiles);
        self.included.take();
        self.declaring.take();
    }

    /// Returns the facts of a file.
    ///
    /// Records a file whose facts were never inserted as missing.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let database = database(&[("cart.py", "def total(): pass\n")]);
    /// let file = database.facts(&path("cart.py")).unwrap();
    /// assert_eq!(file.facts.name(file.facts.definitions[0].name), "total");
    /// ```
    #[must_use]
    pub fn facts(&self, file: &RepoPath) -> Option<Rc<FileFacts>> {
        self.add_dependency(file);
        if let Some(facts) = self.facts.get(file) {
            facts.clone()
        } else {
            self.missing.borrow_mut().insert(file.clone());
            None
        }
    }

    /// Returns the files whose facts are loaded, in no order.
    pub(super) fn loaded_files(&self) -> impl Iterator<Item = (&RepoPath, &FileFacts)> {
        self.memo.add_dependency(Dependency::LoadedFiles);
        let files = self.facts.iter();
        files.filter_map(|(path, facts)| Some((path, facts.as_deref()?)))
    }

    /// Reports whether the facts of a file were inserted.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let database = database(&[("cart.py", "")]);
    /// assert!(database.contains(&path("cart.py")) && !database.contains(&path("shop.py")));
    /// ```
    #[must_use]
    pub fn contains(&self, file: &RepoPath) -> bool {
        self.facts.contains_key(file)
    }

    /// Returns the missing files since the last call.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let database = database(&[]);
    /// let _ = database.facts(&path("shop.py"));
    /// assert_eq!(database.take_missing().len(), 1);
    /// assert_eq!(database.take_missing().len(), 0);
    /// ```
    #[must_use]
    pub fn take_missing(&self) -> BTreeSet<RepoPath> {
        self.missing.take()
    }

    /// Returns the files of a language that may define a name.
    ///
    /// Records a name whose files were never inserted as missing.
    pub(super) fn files_defining(&self, language: &'static str, name: &str) -> Vec<&RepoPath> {
        let key = (language, name.to_owned());
        let Some(files) = self.defining.get(&key) else {
            let missing = Dependency::MissingName(key.clone());
            self.memo.add_dependency(missing);
            self.missing_names.borrow_mut().insert(key);
            return Vec::new();
        };
        files.iter().collect()
    }

    /// Inserts the files that may define a name in a language. Discards the results that lack them.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::BTreeSet;
    ///
    /// use ragnav_resolve::FactDatabase;
    ///
    /// let mut database = FactDatabase::default();
    /// database.insert_files_defining("csharp", "Cart".to_owned(), BTreeSet::new());
    /// assert!(database.take_missing_names().is_empty());
    /// ```
    pub fn insert_files_defining(
        &mut self,
        language: &'static str,
        name: String,
        files: BTreeSet<RepoPath>,
    ) {
        let key = (language, name);
        self.defining.insert(key.clone(), files);
        self.memo.record_change(Dependency::MissingName(key));
    }

    /// Returns the names, each with its language, whose files are missing since the last call.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    ///
    /// // Any file may declare a type of C#.
    /// let database = database(&[("shop.cs", "class Shop { Cart cart; }\n")]);
    /// let shop = path("shop.cs");
    /// let file = database.facts(&shop).unwrap();
    /// let _ = Resolver::new(&database).resolve_reference(&shop, &file, &file.facts.references[0]);
    /// let missing = database.take_missing_names();
    /// assert_eq!(missing.into_iter().collect::<Vec<_>>(), [("csharp", "Cart".to_owned())]);
    /// ```
    #[must_use]
    pub fn take_missing_names(&self) -> BTreeSet<(&'static str, String)> {
        self.missing_names.take()
    }

    /// Reports whether a limit was exceeded, so that results may be incomplete.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_resolve::FactDatabase;
    ///
    /// assert!(!FactDatabase::default().is_truncated());
    /// ```
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.memo.is_truncated()
    }

    /// Starts to record dependencies anew.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let database = database(&[("cart.py", "")]);
    /// let _ = database.facts(&path("cart.py"));
    /// database.start_tracking();
    /// assert!(database.take_dependencies().files.is_empty());
    /// ```
    pub fn start_tracking(&self) {
        self.memo.start_tracking();
    }

    /// Returns what results since [`start_tracking`](Self::start_tracking) depend on.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// let database = database(&[("cart.py", "")]);
    /// database.start_tracking();
    /// let _ = database.facts(&path("cart.py"));
    /// assert_eq!(database.take_dependencies().files, [path("cart.py")]);
    /// ```
    #[must_use]
    pub fn take_dependencies(&self) -> Dependencies {
        let mut found = Dependencies {
            files: Vec::new(),
            is_complete: true,
        };
        for dependency in self.memo.take_dependencies() {
            match dependency {
                Dependency::File(file) => {
                    found.is_complete &= self.contains(&file);
                    found.files.push(file);
                }
                Dependency::MissingName(_) => found.is_complete = false,
                Dependency::LoadedFiles => {}
            }
        }
        found
    }
}

/// Returns what was found for a key, and finds it if that was not done before.
fn find_once<K: Eq + Hash, V>(
    known: &RefCell<HashMap<K, Rc<Vec<V>>>>,
    key: K,
    find: impl FnOnce() -> Vec<V>,
) -> Rc<Vec<V>> {
    if let Some(known) = known.borrow().get(&key) {
        return Rc::clone(known);
    }
    let found = Rc::new(find());
    known.borrow_mut().insert(key, Rc::clone(&found));
    found
}

/// A family of languages whose files can import each other.
#[derive(Debug)]
pub(super) struct LanguageFamily {
    /// The languages that the rules are for.
    pub(super) languages: FamilyLanguages,
    /// Whether imports are not followed, so that names are matched by their text alone.
    pub(super) is_resolved_by_name: bool,
    /// How code can use a symbol without naming it.
    pub(super) reflection: Reflection,
    /// Reports whether a file determines where the modules of the family are.
    pub(super) is_manifest: fn(&RepoPath) -> bool,
    /// Creates the rules for the files and manifests of a repository.
    pub(super) create_resolver: fn(Files, &[Manifest]) -> Box<dyn LanguageResolver>,
}

/// The languages of a family.
#[derive(Debug)]
pub(super) enum FamilyLanguages {
    /// The languages with these names.
    Named(&'static [&'static str]),
    /// Every plug-in. They share their rules, but no two of them can import each other's files.
    Plugins,
}

impl FamilyLanguages {
    pub(super) fn include(&self, language: &Language) -> bool {
        match self {
            Self::Named(names) => names.contains(&language.name),
            Self::Plugins => language.is_plugin(),
        }
    }
}

/// The rules of each family for one repository. They depend on its file names and manifests only.
///
/// # Examples
///
/// ```
/// use std::rc::Rc;
///
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::{FactDatabase, LanguageResolvers};
///
/// let files = ["shop/__init__.py", "shop/cart.py"].map(|path| RepoPath::parse(path).unwrap());
/// let resolvers = LanguageResolvers::new(&files.each_ref(), &[], &[]);
/// let database = FactDatabase::new(Rc::new(resolvers));
/// # let _ = database;
/// ```
#[derive(Debug, Default)]
pub struct LanguageResolvers(pub(super) Vec<(&'static LanguageFamily, Box<dyn LanguageResolver>)>);

/// The maximum length of a chain of re-exports that is followed to a missing name.
pub(super) const MAX_REEXPORTS: usize = 8;

/// How the types of arguments convert to those of parameters in a language.
pub(super) trait Conversions {
    /// Returns the primitive type or the text of a name.
    fn builtin(&self, name: &str) -> Option<StaticType>;

    /// Returns the type of a constant of a class from outside of the repository, if it is known. By
    /// default it is not.
    fn constant(&self, _class: &str, _name: &str) -> Option<StaticType> {
        None
    }

    /// Returns the type that a method from outside of the repository returns, by the type of its
    /// receiver, the last name of the receiver, and the last segment of its path. By default it is
    /// not known.
    fn result(&self, _of: &StaticType, _method: (&str, &str)) -> Option<StaticType> {
        None
    }

    /// Reports whether a type converts to another one.
    fn fit(&self, resolver: Resolver<'_>, from: &StaticType, to: &StaticType) -> Fit;
}

/// The rules by which the names of a family of languages are resolved.
///
/// Scopes, bindings, classes and inheritance are common to all families and not part of it.
pub(super) trait LanguageResolver: std::fmt::Debug {
    /// Resolves what an import binds.
    fn resolve_import(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities;

    /// Reports whether an object implements an interface by its members alone. By default a class
    /// must name the interfaces that it implements.
    fn has_structural_types(&self) -> bool {
        false
    }

    /// Resolves the name inside an import statement.
    fn resolve_import_name(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        import: &Import,
    ) -> ResolvedEntities {
        self.resolve_import(resolver, source, import)
    }

    /// Reports whether an import names something that the repository should have but lacks. It may
    /// have been moved, or be generated. By default no import does.
    fn is_missing_import(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _import: &Import,
    ) -> bool {
        false
    }

    /// Reports whether a module of the repository has no member of this name. By default a module
    /// may have any member.
    fn is_missing_member(&self, _resolver: Resolver<'_>, _module: &RepoPath, _name: &str) -> bool {
        false
    }

    /// Resolves an import to the file that it imports, or from which it imports a name.
    /// No import has one by default.
    fn resolve_import_file(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _import: &Import,
    ) -> Option<RepoPath> {
        None
    }

    /// Reports whether the imports of the language name files, or definitions of files. By default
    /// they do not.
    fn imports_files(&self) -> bool {
        false
    }

    /// Returns the files that declare what a file defines. There are none by default.
    fn declaring_files(&self, _file: &RepoPath) -> Vec<RepoPath> {
        Vec::new()
    }

    /// Returns the files that define what a file declares. There are none by default.
    fn defining_files(&self, _file: &RepoPath) -> Vec<RepoPath> {
        Vec::new()
    }

    /// Reports whether several definitions with one name path in different files may be one symbol.
    /// They are not by default.
    fn joins_definitions(&self) -> bool {
        false
    }

    /// Returns the other name by which code may refer to a definition. There is none by default.
    fn other_name<'n>(&self, _name: &'n str) -> Option<&'n str> {
        None
    }

    /// Returns the name of the method that the assignment of a member calls. By default it is that
    /// of the member.
    fn setter_name<'n>(&self, member: &'n str) -> Cow<'n, str> {
        Cow::Borrowed(member)
    }

    /// Returns the name that a name in a namespace may also stand for. There is none by default.
    fn full_name(&self, _name: &str, _space: Space) -> Option<String> {
        None
    }

    /// Reports whether importers choose the name for this export.
    fn is_named_by_importers(&self, _name: &str) -> bool {
        false
    }

    /// Returns the keys of all specifiers that may import a file.
    ///
    /// Empty if importers always use the exported name.
    fn import_keys(&self, _file: &RepoPath) -> BTreeSet<String> {
        BTreeSet::new()
    }

    /// Reports whether the files that import a file may decide what a name in it means. By default
    /// they do not.
    fn depends_on_importers(&self, _resolver: Resolver<'_>, _file: &RepoPath, _name: &str) -> bool {
        false
    }

    /// Resolves a keyword such as `this`. Returns `None` if the bindings of the scope decide,
    /// which is the default.
    fn resolve_keyword(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _scope: ScopeId,
        _head: HeadName<'_>,
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Reports whether code directly in a class body sees the members by their bare names.
    fn has_members_in_scope(&self, class: &DefinitionFact) -> bool;

    /// Resolves a name that a scope does not bind, but that the class of this body has or inherits.
    /// No scope has any by default.
    fn resolve_scope_member(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _scope: (ScopeId, &Scope),
        _name: &str,
    ) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Resolves a name in a namespace by the rules of the language. Returns `None` if the bindings
    /// of scopes decide, which is the default.
    fn resolve_spaced_name(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _place: (ScopeId, Space),
        _name: &str,
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Reports whether a name may refer to definitions that no import leads to: a linker joins a
    /// declaration of C with a definition in any file.
    fn links_by_name(&self) -> bool {
        false
    }

    /// Replaces the declarations that a reference means by their definitions in the loaded files.
    /// By default they are the definitions.
    fn resolve_linkage(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _reference: &Reference,
        resolution: ResolvedEntities,
    ) -> ResolvedEntities {
        resolution
    }

    /// Resolves a method that is called without a receiver, in a language that distinguishes
    /// methods from other names.
    fn resolve_method_name(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _scope: ScopeId,
        _name: &str,
    ) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Resolves the name of a macro. By default there are none.
    fn resolve_macro_name(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _scope: ScopeId,
        _name: &str,
    ) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Resolves a macro of modules. By default there are none.
    fn resolve_macro_member(
        &self,
        _resolver: Resolver<'_>,
        _of: &ResolvedEntities,
        _name: &str,
    ) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Reports whether code in a scope does not see the names of the scopes around it. By default
    /// it does.
    fn hides_outer_names(&self, _scope: &Scope) -> bool {
        false
    }

    /// Resolves a name that no scope binds.
    fn resolve_unbound(
        &self,
        resolver: Resolver<'_>,
        source: &SourceFile<'_>,
        name: &str,
    ) -> ResolvedEntities;

    /// Resolves the entities that a binding has in addition to its target. It has
    /// none by default.
    fn resolve_binding_extra(
        &self,
        _source: &SourceFile<'_>,
        _binding: &Binding,
    ) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Resolves a binding that is a type parameter, whose arguments are followed. Returns `None` if
    /// the binding is none, which is the default.
    fn resolve_type_parameter(&self, _source: &SourceFile<'_>, _: &Binding) -> Option<Entity> {
        None
    }

    /// Resolves the element at an index, or any element, of an instance whose fields are its
    /// elements. Returns `None` if its fields are not, which is the default.
    fn resolve_field_element(
        &self,
        _resolver: Resolver<'_>,
        _of: &Entity,
        _index: Option<&str>,
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Resolves what a function passes to the function that it receives, by an index. Returns
    /// `None` if a parameter has a type that says so, which is the default.
    fn resolve_passed(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _: (&DefinitionFact, usize),
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Resolves what reading a member gives whose value is an object that stands for another one,
    /// by its receivers and its name. Returns `None` if the value is given itself, which is the
    /// default.
    fn resolve_read(
        &self,
        _resolver: Resolver<'_>,
        _value: &Entity,
        _member: (&ResolvedEntities, &str),
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Reports whether a method always receives its class as the first argument. By default none
    /// does.
    fn is_class_method(&self, _source: &SourceFile<'_>, _method: &DefinitionFact) -> bool {
        false
    }

    /// Reports whether variables may be type parameters, so that a definition has those that its
    /// types mention. By default a definition declares its type parameters itself.
    fn has_type_variables(&self) -> bool {
        false
    }

    /// Returns the type variables that a definition has as its type parameters, in order. By
    /// default it has none.
    fn type_variables(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _definition: &DefinitionFact,
    ) -> Vec<TypeParameter> {
        Vec::new()
    }

    /// Resolves the type of the instance on which a method is called, if the method declares it as
    /// its result. By default no type is one.
    fn own_instance_type(
        &self,
        _source: &SourceFile<'_>,
        _method: &DefinitionFact,
        _returns: Value,
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Reports whether the text of a value in a method is the instance that the method is called
    /// on, or a new one of its class: `this` and `new this`. By default none is.
    fn is_own_instance(
        &self,
        _source: &SourceFile<'_>,
        _method: &DefinitionFact,
        _text: (&str, bool),
    ) -> bool {
        false
    }

    /// Reports whether a type parameter of a function counts as its bounds outside of the function.
    /// By default it is unknown there.
    fn keeps_bounds(&self) -> bool {
        false
    }

    /// Resolves the receiver of a call without one. By default there is none.
    fn implicit_receiver(&self, _: &SourceFile<'_>, _: ScopeId) -> Option<ResolvedEntities> {
        None
    }

    /// Reports whether a generic type is outside of the repository, by its name and by what that is
    /// resolved to. Then [`resolve_external_type`](Self::resolve_external_type) may know it. By
    /// default, each name that means nothing in the repository is outside.
    fn is_external_type(
        &self,
        _resolver: Resolver<'_>,
        _from: (&SourceFile<'_>, ScopeId),
        (_name, base): (&str, &ResolvedEntities),
    ) -> bool {
        base.is_none()
    }

    /// Resolves a generic type outside of the repository by its name and its arguments. By default
    /// nothing is known about it.
    fn resolve_external_type(
        &self,
        _name: &str,
        _arguments: &[ResolvedEntities],
    ) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    /// Reports whether the constructor of a generic class that receives only an instance of the
    /// class copies that instance, with its type arguments. By default it need not.
    fn copies_by_constructor(&self) -> bool {
        false
    }

    /// Returns the function that names the field which an argument of a constructor fills, by the
    /// place of the argument, if each type of the language has one constructor with all fields. By
    /// default, constructors are members of types.
    fn field_of_constructor(&self) -> Option<fn(usize) -> String> {
        None
    }

    /// Reports whether functions that a call may mean can be overloads. Else they are a method and
    /// what it implements.
    fn may_have_overloads(&self) -> bool {
        true
    }

    /// Reports whether overloads are declarations of one function, so that a call of it counts as
    /// one of each. By default each overload is a function of its own.
    fn has_overloads_of_one_function(&self) -> bool {
        false
    }

    /// Reports whether several functions may have one name, of which the types of the arguments
    /// choose one. Facts do not have these types. By default each function has its own name.
    fn has_overloads(&self) -> bool {
        false
    }

    /// Returns how the types of arguments convert to those of parameters, if they choose among
    /// overloads. By default they do not.
    fn conversions(&self) -> Option<&'static dyn Conversions> {
        None
    }

    /// Reports whether inherited overloads count as much as own ones, and those without a variadic
    /// parameter go before those with it. By default the own ones go first.
    fn prefers_inherited_overloads(&self) -> bool {
        false
    }

    /// Resolves a parameter without a type. Its values are unknown by default.
    fn resolve_parameter(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _binding: &Binding,
    ) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    /// Resolves a member of a module. A module has none by default.
    fn resolve_module_member(
        &self,
        _resolver: Resolver<'_>,
        _module: &SourceFile<'_>,
        _name: &str,
    ) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Resolves a member of a folder. A folder has none by default.
    fn resolve_folder_member(
        &self,
        _resolver: Resolver<'_>,
        _folder: &RepoPath,
        _name: &str,
    ) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Resolves a member that every class or function has, such as `prototype`. By default there is
    /// none.
    fn resolve_builtin_member(&self, _of: &Entity, _name: &str) -> Option<ResolvedEntities> {
        None
    }

    /// Resolves a member by the rules of the language, whatever declares it. Returns `None` if the
    /// entity decides, which is the default.
    fn resolve_special_member(
        &self,
        _resolver: Resolver<'_>,
        _of: &Entity,
        _name: &str,
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Resolves a member of a container as what a call of it returns. By default there are none.
    fn resolve_container_member(&self, _of: &Entity, _name: &str) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Reports whether the containers that expressions create have the methods of
    /// [`resolve_container_member`](Self::resolve_container_member). By default they do not.
    fn has_methods_of_literals(&self) -> bool {
        false
    }

    /// Resolves a member of an array, or another object, that an expression creates, where its
    /// elements do not matter. Returns `None` if they do, which is the default.
    fn resolve_member_of_literal(
        &self,
        _of: &Entity,
        _is_array: bool,
        _name: &str,
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Resolves what a loop over a mapping of such values gets. By default it is not known.
    fn resolve_entry(&self, _value: &Entity) -> ResolvedEntities {
        ResolvedEntities::unknown()
    }

    /// Returns the types that a receiver embeds as a field of this name. By default there are none.
    fn embedded_types(
        &self,
        _resolver: Resolver<'_>,
        _receiver: &ResolvedEntities,
        _field: &str,
    ) -> BTreeSet<Entity> {
        BTreeSet::new()
    }

    /// Reports whether a file is a script, whose names at the top level other scripts of a page
    /// see. By default it is not.
    fn is_script(&self, _source: &SourceFile<'_>) -> bool {
        false
    }

    /// Reports whether a bare name may mean something of the repository although no scope binds it,
    /// or several imports do. By default it may not.
    fn is_missing_name(&self, _source: &SourceFile<'_>, _reference: &Reference) -> bool {
        false
    }

    /// Reports whether a block may run later than where it stands, and so sees later assignments to
    /// outer variables. By default it does not.
    fn runs_blocks_later(&self) -> bool {
        false
    }

    /// Reports whether the body of a class runs where it stands, so that a name has its outer
    /// meaning until the class defines it. By default it does not.
    fn defines_members_in_order(&self) -> bool {
        false
    }

    /// Reports whether a method may implement one of an interface or trait from outside of the
    /// repository, besides what its class inherits. By default it does not.
    fn may_implement_unknown(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _method: &DefinitionFact,
    ) -> bool {
        false
    }

    /// Reports whether a definition can run without its name in the text: an operator, a loop, a
    /// conversion or the creation of an object may call it, a decorator may register it, or a
    /// program starts with it. By default it cannot.
    fn runs_unnamed(&self, _source: &SourceFile<'_>, _definition: &DefinitionFact) -> bool {
        false
    }

    /// Returns the name of the method of an instance or a class that `a[b]` calls, if that is all
    /// that it can mean. By default the resolver knows what it means.
    fn element_method(&self) -> Option<&'static str> {
        None
    }

    /// Reports whether a value may have members that its class and the classes above do not
    /// declare. By default it has none.
    fn may_add_members(&self) -> bool {
        false
    }

    /// Resolves what a call of a member means if the type of its object declares no method of the
    /// name: one that extends the type, or a field that holds a function. By default nothing.
    fn resolve_called_member(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _of: &ResolvedEntities,
        _name: &str,
    ) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Resolves a member of something from outside of the repository, by the path that leads to it.
    /// The repository may have added the member. By default there are none.
    fn resolve_foreign_member(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _of: (ScopeId, &str),
        _name: &str,
    ) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Resolves what a member stands for besides itself: the method of a trait that it implements
    /// in Rust. By default there is nothing.
    fn resolve_declarations(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _member: &DefinitionFact,
    ) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Resolves a call of a function outside of the repository, by its name.
    fn resolve_external_call(&self, name: &str) -> ResolvedEntities;

    /// Resolves a call of a function outside of the repository by its path and its arguments.
    /// Returns `None` if they do not tell the result, which is the default.
    fn resolve_library_call(
        &self,
        _resolver: Resolver<'_>,
        _from: (&SourceFile<'_>, ScopeId),
        _path: &str,
        _arguments: CallArguments<'_>,
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Resolves a call by the rules of the language. Returns `None` if the called entity decides.
    fn resolve_call(&self, resolver: Resolver<'_>, of: &Entity) -> Option<ResolvedEntities>;

    /// Reports whether code that names a member of a type means this one, and not another one of
    /// the same name. By default it may mean each of them.
    fn hides_others(&self, _source: &SourceFile<'_>, _member: &DefinitionFact) -> bool {
        false
    }

    /// Reports whether an entity has a member of its class: in Ruby a class has other methods than
    /// its instances. By default it has all.
    fn is_member_of(&self, _of: &Entity, _class: &DefinitionFact, _: &DefinitionFact) -> bool {
        true
    }

    /// Resolves a member that other files declare for a type or for its instances. A type has none
    /// by default.
    fn resolve_member_elsewhere(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _of: (&Entity, &DefinitionFact),
        _name: &str,
    ) -> ResolvedEntities {
        ResolvedEntities::none()
    }

    /// Resolves a reference to a member of a receiver, of whose type these are the members of the
    /// name. By default it means one of these; in C#, other types may extend that type.
    fn resolve_extension(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _receiver: &ResolvedEntities,
        _reference: (&Reference, &str),
        members: ResolvedEntities,
    ) -> ResolvedEntities {
        members
    }

    /// Resolves what has the member that a method of a class overrides or implements. By default it
    /// is any base of the class.
    fn overridden_type(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _method: &DefinitionFact,
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Returns the methods that a method implements, where its type does not name the interface, as
    /// in Go. There are none by default.
    fn implemented_methods(
        &self,
        _resolver: Resolver<'_>,
        _source: &SourceFile<'_>,
        _method: &DefinitionFact,
    ) -> BTreeSet<(RepoPath, DefinitionId)> {
        BTreeSet::new()
    }

    /// Reports whether reading a definition returns its return value. `is_member_read` means that a
    /// member of the result is read. By default no definition is such a property.
    fn is_property(
        &self,
        _source: &SourceFile<'_>,
        _definition: &DefinitionFact,
        _is_member_read: bool,
    ) -> bool {
        false
    }

    /// Reports whether a type says nothing about what has it, by its name. By default none does.
    fn is_any_type(&self, _name: &str) -> bool {
        false
    }

    /// Resolves an inherited member to which methods of a class assign. The default is `None`: the
    /// assignment creates a member of the class itself.
    fn resolve_assigned_member(
        &self,
        _resolver: Resolver<'_>,
        _class: (&SourceFile<'_>, DefinitionId),
        _name: &str,
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Returns the entities whose members a class inherits from the value of one of its bases. By
    /// default, a class inherits the members of that value.
    fn resolve_base(&self, _resolver: Resolver<'_>, base: ResolvedEntities) -> ResolvedEntities {
        base
    }

    /// Resolves a member that a class with several bases inherits. Returns `None` if the order of
    /// the bases decides, which is the default.
    fn resolve_inherited(
        &self,
        _resolver: Resolver<'_>,
        _class: (&RepoPath, DefinitionId),
        _name: &str,
    ) -> Option<ResolvedEntities> {
        None
    }

    /// Reports whether a reference to a member of a class, such as `A::f`, may mean an override in
    /// a subclass. By default it does not.
    fn means_overrides(&self, _facts: &Facts, _reference: &Reference) -> bool {
        false
    }

    /// Returns the name of the method that a call of an instance runs. By default there is none.
    fn call_method(&self) -> Option<&'static str> {
        None
    }

    /// Returns the names of the methods that a call of their class runs.
    fn constructors<'n>(&self, _class: &'n str) -> Vec<&'n str> {
        Vec::new()
    }

    /// Reports whether a call of a function without return type may return an instance of it. By
    /// default none does.
    fn is_constructor_function(&self, _definition: &DefinitionFact) -> bool {
        false
    }
}

/// The arguments of a call, which are resolved only if they are asked for.
#[derive(Clone, Copy)]
pub(super) struct CallArguments<'a> {
    pub(super) count: usize,
    /// Resolves the argument at a place.
    pub(super) get: &'a dyn Fn(usize) -> ResolvedEntities,
}

/// The first name of a dotted name.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeadName<'n> {
    pub(super) text: &'n str,
    /// Whether the name itself is called: `super` in `super().m`.
    pub(super) is_called: bool,
}
