//! The entities that names can resolve to.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionId, ScopeId};

/// An entity of the repository that a name can resolve to.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
/// # use setup::{database, path};
/// use ragnav_resolve::{Entity, Resolver};
/// use ragnav_syntax::facts::DefinitionId;
///
/// let database = database(&[("shop.py", "class Cart: pass\nCart()\n")]);
/// let shop = path("shop.py");
/// let file = database.facts(&shop).unwrap();
/// let call = &file.facts.references[0];
/// let resolution = Resolver::new(&database).resolve_reference(&shop, &file, call);
/// let class = Entity::Definition(shop, DefinitionId(0));
/// assert_eq!(resolution.entities.into_iter().collect::<Vec<_>>(), [class]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entity {
    /// A file as a module.
    Module(RepoPath),
    /// A folder as a package, without a file such as `__init__.py`.
    Folder(RepoPath),
    /// A definition.
    Definition(RepoPath, DefinitionId),
    /// An instance of a class.
    Instance(RepoPath, DefinitionId),
    /// The value of `super` in a class: an instance that has only the inherited members.
    Super(RepoPath, DefinitionId),
    /// A container whose iteration and subscripts return this element type.
    Sequence(Box<Self>),
    /// A container whose subscripts return this value type.
    Mapping(Box<Self>),
    /// A tuple, by the types of its parts.
    Tuple(Vec<ResolvedEntities>),
    /// A container that an expression of the file creates, by its number.
    Container(RepoPath, u32),
    /// A function without a name, by its scope.
    Lambda(RepoPath, ScopeId),
    /// A variable that holds an object with definitions as members: `a` of `const a = { b() {} }`.
    Object(Object),
    /// Something of an object type, by the scope of its members.
    Shape(RepoPath, ScopeId),
    /// Something of the type of a type parameter: `T` of `class A<T>`.
    TypeParameter(TypeParameter),
    /// An entity with what type parameters stand for in it: an instance of `A<B>`.
    Generic(Box<Self>, TypeArguments),
    /// A function outside of the repository, such as `forEach` of an array, or one of which only the
    /// type is known.
    External(Box<ExternalFunction>),
}

impl Entity {
    /// Returns a container of elements of a type.
    pub(super) fn sequence(element: Self) -> Self {
        Self::Sequence(Box::new(element))
    }

    /// Returns a mapping to values of a type.
    pub(super) fn mapping(value: Self) -> Self {
        Self::Mapping(Box::new(value))
    }

    /// Returns an entry of a mapping to values of a type: a pair of a key and a value.
    pub(super) fn entry(value: Self) -> Self {
        let value = ResolvedEntities::single(value);
        Self::Tuple(vec![ResolvedEntities::unknown(), value])
    }

    /// Returns a type parameter as a value. It counts as a function, as each class does, whose call
    /// gives something of its type.
    pub(super) fn type_object(parameter: TypeParameter) -> Self {
        Self::External(Box::new(ExternalFunction {
            returned: ResolvedEntities::single(Self::TypeParameter(parameter)),
            parameters: Vec::new(),
        }))
    }

    /// Returns the file that contains the entity, or `None` for a folder.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_resolve::Entity;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let path = RepoPath::parse("shop/cart.py").unwrap();
    /// let instance = Entity::Instance(path.clone(), DefinitionId(0));
    /// assert_eq!(Entity::Sequence(Box::new(instance)).file(), Some(&path));
    /// assert_eq!(Entity::Folder(RepoPath::parse("shop").unwrap()).file(), None);
    /// ```
    #[must_use]
    pub fn file(&self) -> Option<&RepoPath> {
        match self {
            Self::Module(file)
            | Self::Definition(file, _)
            | Self::Instance(file, _)
            | Self::Super(file, _)
            | Self::Container(file, _)
            | Self::Lambda(file, _)
            | Self::Shape(file, _)
            | Self::TypeParameter(TypeParameter { file, .. })
            | Self::Object(Object { file, .. }) => Some(file),
            Self::Generic(of, _) => of.file(),
            Self::Sequence(element_type) | Self::Mapping(element_type) => element_type.file(),
            Self::Tuple(parts) => parts
                .iter()
                .flat_map(|part| &part.entities)
                .find_map(Self::file),
            Self::Folder(_) | Self::External(_) => None,
        }
    }
}

/// An object, identified by the name that leads to it.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::{Entity, Object};
///
/// // `const cart = { total() {} }` at module level.
/// let file = RepoPath::parse("cart.js").unwrap();
/// let name = "cart".to_owned();
/// let cart = Object { file: file.clone(), inside: None, bound_in: None, name };
/// assert_eq!(Entity::Object(cart).file(), Some(&file));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    /// The file that contains the object.
    pub file: RepoPath,
    /// The definition that encloses the name, or `None` at module level.
    pub inside: Option<DefinitionId>,
    /// The scope that binds the first segment of the name; `None` for whichever does.
    pub bound_in: Option<ScopeId>,
    /// The dotted name of the object: `a.b`.
    pub name: String,
}

/// A type parameter, identified by the scope that declares it.
///
/// # Examples
///
/// ```
/// use ragnav_base::path::RepoPath;
/// use ragnav_resolve::{Entity, TypeParameter};
/// use ragnav_syntax::facts::ScopeId;
///
/// // `T` of `class Cart<T> {}`.
/// let file = RepoPath::parse("cart.ts").unwrap();
/// let name = "T".to_owned();
/// let parameter = TypeParameter { file: file.clone(), scope: ScopeId(1), name };
/// assert_eq!(Entity::TypeParameter(parameter).file(), Some(&file));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeParameter {
    /// The file that declares it.
    pub file: RepoPath,
    /// The scope that binds it.
    pub scope: ScopeId,
    /// Its name, or `this` for the type of the instance that a method is called on.
    pub name: String,
}

impl TypeParameter {
    /// Returns the type parameter of a method of the library for the result of a function that the
    /// method receives, `R` of `map`, or `None` if the elements of its object are not of the
    /// repository.
    fn of_library(element: &Entity) -> Option<Self> {
        Some(Self {
            file: element.file()?.clone(),
            scope: OF_LIBRARY,
            name: String::new(),
        })
    }

    pub(super) fn is_of_library(&self) -> bool {
        self.scope == OF_LIBRARY
    }

    /// Reports whether this is what the function returns that a method of the library receives.
    pub(super) fn is_callback_result(&self) -> bool {
        self.is_of_library() && self.name.is_empty()
    }
}

/// The name of the type parameter for elements that are not known.
const ELEMENT: &str = "element";

/// The scope that stands for the library. No scope of a file has this number.
const OF_LIBRARY: ScopeId = ScopeId(u32::MAX);

/// What type parameters stand for.
pub type TypeArguments = Rc<BTreeMap<TypeParameter, ResolvedEntities>>;

/// A function outside of the repository, or one of which only the type is known.
///
/// # Examples
///
/// ```
/// use ragnav_resolve::{Entity, ExternalFunction};
///
/// assert_eq!(Entity::External(Box::new(ExternalFunction::default())).file(), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExternalFunction {
    /// What a call returns.
    pub returned: ResolvedEntities,
    /// What it passes to each parameter. For a function that calls its argument, the parameter is
    /// such a function, too.
    pub parameters: Vec<ResolvedEntities>,
}

/// The entities that a name can resolve to.
///
/// # Examples
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
/// # use setup::{database, path};
/// use ragnav_resolve::Resolver;
///
/// let database = database(&[("shop.py", "def pay(cart):\n    cart.total()\n")]);
/// let shop = path("shop.py");
/// let file = database.facts(&shop).unwrap();
/// let resolver = Resolver::new(&database);
/// let resolutions = file.facts.references.iter().map(|reference| {
///     let resolution = resolver.resolve_reference(&shop, &file, reference);
///     (file.facts.name(reference.name), resolution.is_unknown())
/// });
/// // The type of the parameter is not known.
/// assert!(resolutions.collect::<Vec<_>>().contains(&("total", true)));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResolvedEntities {
    /// The entities. Each is the value on some path through the program.
    pub entities: BTreeSet<Entity>,
    /// Whether the name may also refer to something unknown.
    pub has_unknown: bool,
}

impl From<Vec<(RepoPath, DefinitionId)>> for ResolvedEntities {
    /// Returns definitions by their files and places.
    fn from(places: Vec<(RepoPath, DefinitionId)>) -> Self {
        let definitions = places.into_iter();
        definitions
            .map(|(file, id)| Entity::Definition(file, id))
            .collect()
    }
}

impl FromIterator<Entity> for ResolvedEntities {
    /// Returns the entities of a name that refers to nothing else.
    fn from_iter<I: IntoIterator<Item = Entity>>(entities: I) -> Self {
        Self {
            entities: entities.into_iter().collect(),
            has_unknown: false,
        }
    }
}

impl ResolvedEntities {
    /// Returns the empty set: the name refers to nothing in the repository.
    pub(super) fn none() -> Self {
        Self::default()
    }

    /// Returns the set of a name about which nothing is known.
    pub(super) fn unknown() -> Self {
        Self {
            has_unknown: true,
            ..Self::default()
        }
    }

    pub(super) fn single(entity: Entity) -> Self {
        Self {
            entities: BTreeSet::from([entity]),
            has_unknown: false,
        }
    }

    /// Reports whether these are containers of the standard library, and nothing else.
    pub(super) fn are_containers(&self) -> bool {
        let is_container = |entity: &Entity| {
            matches!(
                entity,
                Entity::Sequence(_) | Entity::Mapping(_) | Entity::Tuple(_)
            )
        };
        !self.has_unknown && !self.is_none() && self.entities.iter().all(is_container)
    }

    /// Returns some function that returns these entities.
    pub(super) fn function_returning(returned: Self) -> Self {
        Self {
            has_unknown: true,
            ..Self::external_function(returned, Vec::new())
        }
    }

    /// Returns a function outside of the repository.
    pub(super) fn external_function(returned: Self, parameters: Vec<Self>) -> Self {
        let function = ExternalFunction {
            returned,
            parameters,
        };
        Self::single(Entity::External(Box::new(function)))
    }

    /// Returns a function that a function outside of the repository calls with these arguments.
    pub(super) fn callback(arguments: Vec<Self>) -> Self {
        Self::external_function(Self::unknown(), arguments)
    }

    /// Returns a function outside of the repository that calls its first parameter with these
    /// arguments.
    pub(super) fn function_calling(returned: Self, arguments: Vec<Self>) -> Self {
        Self::external_function(returned, vec![Self::callback(arguments)])
    }

    /// Returns what the function returns that a method of the library receives, as `map` does. A
    /// call replaces it if its argument is known.
    pub(super) fn callback_result(element: &Entity) -> Self {
        let parameter = TypeParameter::of_library(element).map(Entity::TypeParameter);
        parameter.map_or_else(Self::unknown, Self::single)
    }

    /// Replaces what is not known among the elements of a container by a type parameter, so that
    /// the methods of the container are known. `of` is an entity of the same file.
    pub(super) fn into_elements(self, of: &Entity) -> Self {
        let mut elements = self;
        if let Some(parameter) = TypeParameter::of_library(of).filter(|_| elements.has_unknown) {
            let name = ELEMENT.to_owned();
            let unknown = TypeParameter { name, ..parameter };
            elements.entities.insert(Entity::TypeParameter(unknown));
            elements.has_unknown = false;
        }
        elements
    }

    /// Returns a function outside of the repository that passes an element to its first parameter,
    /// whose result is [`callback_result`](Self::callback_result).
    pub(super) fn function_mapping(element: &Entity, returned: Self) -> Self {
        let received = vec![Self::single(element.clone())];
        let callback = Self::external_function(Self::callback_result(element), received);
        Self::external_function(returned, vec![callback])
    }

    /// Applies a function to each entity.
    pub(super) fn map(self, make: impl Fn(Entity) -> Entity) -> Self {
        Self {
            entities: self.entities.into_iter().map(make).collect(),
            has_unknown: self.has_unknown,
        }
    }

    /// Keeps the containers. If others were dropped, the result has unknown entities.
    pub(super) fn only_containers(self) -> Self {
        let is_container = |entity: &Entity| {
            matches!(
                entity,
                Entity::Sequence(_) | Entity::Mapping(_) | Entity::Tuple(_) | Entity::Container(..)
            )
        };
        let all = self.entities.len();
        let entities: BTreeSet<Entity> = self.entities.into_iter().filter(is_container).collect();
        Self {
            has_unknown: self.has_unknown || entities.len() < all,
            entities,
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.entities.extend(other.entities);
        self.has_unknown |= other.has_unknown;
    }

    pub(super) fn union(resolutions: impl Iterator<Item = Self>) -> Self {
        let mut all = Self::none();
        for resolution in resolutions {
            all.merge(resolution);
        }
        all
    }

    /// Reports whether nothing is known about the name.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_resolve::ResolvedEntities;
    ///
    /// let unknown = ResolvedEntities { has_unknown: true, ..ResolvedEntities::default() };
    /// assert!(unknown.is_unknown());
    /// assert!(!ResolvedEntities::default().is_unknown());
    /// ```
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.has_unknown && self.are_external()
    }

    /// Reports whether no entity is of the repository.
    pub(super) fn are_external(&self) -> bool {
        let mut entities = self.entities.iter();
        entities.all(|entity| matches!(entity, Entity::External(_)))
    }

    /// Reports whether the name refers to nothing in the repository.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_resolve::ResolvedEntities;
    ///
    /// assert!(ResolvedEntities::default().is_none());
    /// ```
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.entities.is_empty() && !self.has_unknown
    }
}
