//! What a name means as a member of something.

use crate::entity::{Entity, Meaning, Object};
use crate::memo::Asked;
use crate::resolver::Linker;
use crate::source_file::Here;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Binding, Bound, DefinitionId};

impl Linker<'_> {
    /// What a name means as a member of all that something may be.
    pub(super) fn members(self, of: &Meaning, name: &str) -> Meaning {
        let mut all = Meaning {
            is_open: of.is_open,
            ..Meaning::default()
        };
        for entity in &of.entities {
            all.add(self.member(entity, name));
        }
        all
    }

    /// What a name means as a member of something.
    pub(super) fn member(self, of: &Entity, name: &str) -> Meaning {
        let asked = Asked::Member(of.clone(), name.to_owned());
        self.world.once(asked, || self.member_of(of, name))
    }

    fn member_of(self, of: &Entity, name: &str) -> Meaning {
        match of {
            Entity::Module(path) => self.module_member(path, name),
            Entity::Folder(folder) => self.folder_member(folder, name),
            Entity::Instance(path, class) => self.class_member(of, path, *class, name),
            Entity::Super(path, class) => self.inherited_member(path, *class, name),
            Entity::Object(object) => self.object_member(object, name),
            Entity::Mapping(held) if name == "values" => {
                Meaning::one(Entity::Sequence(held.clone()))
            }
            // Their own methods are Python's.
            Entity::Sequence(_) | Entity::Mapping(_) => Meaning::nothing(),
            Entity::Definition(path, id) => self.class_member(of, path, *id, name),
        }
    }

    fn module_member(self, path: &RepoPath, name: &str) -> Meaning {
        let (Some(file), Some(linking)) = (self.world.facts(path), self.world.linking(path)) else {
            return Meaning::unknown();
        };
        let module = Here { path, file: &file };
        linking.module_member(self, &module, name)
    }

    fn folder_member(self, folder: &RepoPath, name: &str) -> Meaning {
        Meaning::all(
            self.world
                .linkings()
                .map(|linking| linking.folder_member(folder, name)),
        )
    }

    /// Whether a definition is of a kind that has members.
    pub(super) fn has_members(self, path: &RepoPath, id: DefinitionId) -> bool {
        let file = self.world.facts(path);
        file.is_some_and(|file| {
            let definition = file.facts.definitions.get(id.0 as usize);
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

    fn class_member(
        self,
        of: &Entity,
        path: &RepoPath,
        class: DefinitionId,
        name: &str,
    ) -> Meaning {
        let (Some(file), Some(linking)) = (self.world.facts(path), self.world.linking(path)) else {
            return Meaning::unknown();
        };
        if let Some(meaning) = linking.builtin_member(of, name) {
            return meaning;
        }
        let here = Here { path, file: &file };
        let Some(definition) = here.definition(class) else {
            return Meaning::unknown();
        };
        let is_class = self.has_members(path, class);
        if let Some(id) = file.name_id(name) {
            let around = definition.parent;
            let outside = file.qualified(around, file.facts.name(definition.name), id);
            // What is in a function is its own, unless it is its instance's.
            let inside = file.members(Some(class), id).iter().filter(|id| {
                let member = here.definition(**id);
                is_class || member.is_some_and(|member| member.kind == DefinitionKind::Method)
            });
            let own: Vec<&DefinitionId> = inside.chain(outside).collect();
            if !own.is_empty() {
                return Meaning::all(own.into_iter().map(|own| Meaning::one(here.entity(*own))));
            }
            let bindings = file.bindings(definition.scope, id);
            let bindings: Vec<&Binding> = bindings
                .filter(|binding| is_class || matches!(binding.to, Bound::Attribute(_)))
                .collect();
            if !bindings.is_empty() {
                return self.bindings(&here, &bindings);
            }
        }
        if !is_class {
            return Meaning::unknown();
        }
        self.inherited_member(path, class, name)
    }

    /// The first superclass that has the member, in their order.
    fn inherited_member(self, path: &RepoPath, class: DefinitionId, name: &str) -> Meaning {
        let Some(file) = self.world.facts(path) else {
            return Meaning::unknown();
        };
        let here = Here { path, file: &file };
        let Some(definition) = here.definition(class) else {
            return Meaning::unknown();
        };
        let around = here.scope_around(definition);
        let mut is_open = false;
        for base in &definition.bases {
            let bases = self.value(&here, around, *base);
            // A class from outside may have the member.
            is_open |= bases.is_open || bases.entities.is_empty();
            let found = self.members(&bases, name);
            if !found.entities.is_empty() {
                return found;
            }
            is_open |= found.is_open;
        }
        Meaning {
            is_open,
            ..Meaning::default()
        }
    }

    /// A member of an object may be defined where its name is, or be another object.
    fn object_member(self, of: &Object, name: &str) -> Meaning {
        let Some(file) = self.world.facts(&of.file) else {
            return Meaning::unknown();
        };
        let here = Here {
            path: &of.file,
            file: &file,
        };
        let found = match file.name_id(name) {
            Some(id) => file.qualified(of.inside, &of.name, id),
            None => &[],
        };
        let mut meaning = Meaning::all(found.iter().map(|id| Meaning::one(here.entity(*id))));
        let inner = format!("{}.{name}", of.name);
        if file.qualifies(of.inside, &inner) {
            meaning.entities.insert(Entity::Object(Object {
                name: inner,
                ..of.clone()
            }));
        }
        // Whoever holds the object may give it members.
        meaning.is_open |= meaning.entities.is_empty();
        meaning
    }
}
