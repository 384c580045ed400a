//! What a name can mean.

use std::collections::BTreeSet;

use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::DefinitionId;

/// Something in the repository that a name can mean.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entity {
    /// A file as a module.
    Module(RepoPath),
    /// A folder without a file of its own that stands for it.
    Folder(RepoPath),
    /// A definition.
    Definition(RepoPath, DefinitionId),
    /// An instance of a class.
    Instance(RepoPath, DefinitionId),
    /// What `super` gives inside a class: an instance of which only inherited members are seen.
    Super(RepoPath, DefinitionId),
    /// What holds some of something, and gives them in a loop and by their place.
    Sequence(Box<Self>),
    /// What holds some of something under keys.
    Mapping(Box<Self>),
    /// A variable that is an object some of whose members are definitions: `a` of `const a = { b() {} }`.
    Object(Object),
}

impl Entity {
    /// The file that it is in; `None` for a folder.
    #[must_use]
    pub fn file(&self) -> Option<&RepoPath> {
        match self {
            Self::Module(file)
            | Self::Definition(file, _)
            | Self::Instance(file, _)
            | Self::Super(file, _)
            | Self::Object(Object { file, .. }) => Some(file),
            Self::Sequence(held) | Self::Mapping(held) => held.file(),
            Self::Folder(_) => None,
        }
    }
}

/// An object by the name that leads to it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    /// The file that names it.
    pub file: RepoPath,
    /// The definition in which it is named; `None` where it is none.
    pub inside: Option<DefinitionId>,
    /// Its dotted name.
    pub name: String,
}

/// All that a name may mean.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meaning {
    /// Each a thing that it means on some way through the program.
    pub entities: BTreeSet<Entity>,
    /// Whether it may mean something that cannot be said.
    pub is_open: bool,
}

impl Meaning {
    /// Something outside the repository, or nothing.
    pub(super) fn nothing() -> Self {
        Self::default()
    }

    /// Something that cannot be said.
    pub(super) fn unknown() -> Self {
        Self {
            is_open: true,
            ..Self::default()
        }
    }

    pub(super) fn one(entity: Entity) -> Self {
        Self {
            entities: BTreeSet::from([entity]),
            is_open: false,
        }
    }

    /// The same of each thing that it may mean.
    pub(super) fn map(self, make: impl Fn(Entity) -> Entity) -> Self {
        Self {
            entities: self.entities.into_iter().map(make).collect(),
            is_open: self.is_open,
        }
    }

    /// What of it holds something; anything else may too.
    pub(super) fn only_containers(self) -> Self {
        let is_container =
            |entity: &Entity| matches!(entity, Entity::Sequence(_) | Entity::Mapping(_));
        let all = self.entities.len();
        let entities: BTreeSet<Entity> = self.entities.into_iter().filter(is_container).collect();
        Self {
            is_open: self.is_open || entities.len() < all,
            entities,
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.entities.extend(other.entities);
        self.is_open |= other.is_open;
    }

    pub(super) fn all(meanings: impl Iterator<Item = Self>) -> Self {
        let mut all = Self::nothing();
        for meaning in meanings {
            all.add(meaning);
        }
        all
    }

    /// Whether nothing is known of it.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.entities.is_empty() && self.is_open
    }

    /// Whether it means nothing, as far as can be said.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.entities.is_empty() && !self.is_open
    }
}
