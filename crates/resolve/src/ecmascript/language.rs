//! The rules of the language.

use std::collections::BTreeSet;

use super::imports::Ecmascript;
use super::keys::keys;
use super::specifiers::{Specifiers, is_manifest};
use super::{exports, this};
use crate::entity::{Entity, Meaning};
use crate::resolver::{Family, Linker, Linking, Word};
use crate::source_file::Here;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{
    Binding, Bound, DefinitionFact, EXPORT_EQUALS, Import, Imported, ScopeId,
};

pub(crate) const FAMILY: Family = Family {
    languages: &["javascript", "typescript", "tsx"],
    is_by_name: false,
    is_manifest,
    linking: |files, manifests| {
        Box::new(Ecmascript {
            specifiers: Specifiers::new(files, manifests),
        })
    },
};

impl Linking for Ecmascript {
    fn imported(&self, linker: Linker<'_>, here: &Here<'_>, import: &Import) -> Meaning {
        let Some(file) = self.file(linker, here, import) else {
            return Meaning::nothing();
        };
        match import.what {
            Imported::Module => self.module(linker, &file),
            Imported::Member(name) => {
                let name = here.file.facts.name(name);
                linker.member(&Entity::Module(file), name)
            }
            Imported::Star => Meaning::unknown(),
        }
    }

    fn imported_file(
        &self,
        linker: Linker<'_>,
        here: &Here<'_>,
        import: &Import,
    ) -> Option<RepoPath> {
        self.file(linker, here, import)
    }

    fn is_chosen_by_importers(&self, name: &str) -> bool {
        matches!(name, exports::DEFAULT | EXPORT_EQUALS)
    }

    fn import_keys(&self, file: &RepoPath) -> BTreeSet<String> {
        keys(&self.specifiers, file)
    }

    fn keyword(
        &self,
        linker: Linker<'_>,
        here: &Here<'_>,
        scope: ScopeId,
        word: Word<'_>,
    ) -> Option<Meaning> {
        match word.text {
            "this" => Some(this::this(linker, here, scope)),
            "super" => Some(this::superclass(here, scope)),
            "exports" | "module" => {
                let bound = linker.name(here, scope, word.text);
                let module = Entity::Module(here.path.clone());
                bound.is_nothing().then(|| Meaning::one(module))
            }
            _ => None,
        }
    }

    fn sees_members(&self, class: &DefinitionFact) -> bool {
        class.kind == DefinitionKind::Enum
    }

    /// A name of the platform.
    fn unbound(&self, _: Linker<'_>, _: &Here<'_>, _: &str) -> Meaning {
        Meaning::nothing()
    }

    /// A variable may hold an object whose members are definitions.
    fn bound(&self, here: &Here<'_>, binding: &Binding) -> Meaning {
        if matches!(binding.to, Bound::Definition(_)) {
            return Meaning::nothing();
        }
        let scope = here.file.facts.scopes.get(binding.scope.0 as usize);
        let inside = scope.and_then(|scope| scope.definition);
        let name = here.file.facts.name(binding.name);
        let object = here.object(inside, name);
        object.map_or_else(Meaning::nothing, Meaning::one)
    }

    fn parameter(&self, _: &Here<'_>, _: &Binding) -> Meaning {
        Meaning::unknown()
    }

    fn module_member(&self, linker: Linker<'_>, module: &Here<'_>, name: &str) -> Meaning {
        self.export(linker, module, name)
    }

    fn folder_member(&self, _: &RepoPath, _: &str) -> Meaning {
        Meaning::nothing()
    }

    fn builtin_member(&self, of: &Entity, name: &str) -> Option<Meaning> {
        match (of, name) {
            (Entity::Definition(path, id), "prototype") => {
                Some(Meaning::one(Entity::Instance(path.clone(), *id)))
            }
            (Entity::Instance(path, id), "constructor") => {
                Some(Meaning::one(Entity::Definition(path.clone(), *id)))
            }
            _ => None,
        }
    }

    fn constructors(&self) -> &'static [&'static str] {
        &["constructor"]
    }

    /// An instance of a class from outside, by its capital letter, has no members of ours; a function may give what it was given.
    fn outside_call(&self, name: &str) -> Meaning {
        if name.starts_with(char::is_uppercase) {
            Meaning::nothing()
        } else {
            Meaning::unknown()
        }
    }

    /// What is said to be of a type parameter is of the type that this extends.
    fn call(&self, of: &Entity) -> Option<Meaning> {
        let is_instance = matches!(of, Entity::Instance(..));
        is_instance.then(|| Meaning::one(of.clone()))
    }

    /// What is read of a method is read of what a getter gives: nothing tells them apart here.
    fn is_property(&self, _: &Here<'_>, definition: &DefinitionFact, is_passed: bool) -> bool {
        is_passed && definition.kind == DefinitionKind::Method
    }

    fn constructs(&self, definition: &DefinitionFact) -> bool {
        definition.kind == DefinitionKind::Function
    }
}
