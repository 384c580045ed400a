//! Languages whose names are not followed out of their files: what a file itself says is known, all else may be anything of that name.

use crate::entity::{Entity, Meaning};
use crate::resolver::{Family, Linker, Linking, Word};
use crate::source_file::Here;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Binding, DefinitionFact, Import, OWN_INSTANCE, ScopeId};

/// The family of some languages of which each other's files may hold what a name means.
pub(super) const fn family(languages: &'static [&'static str]) -> Family {
    Family {
        languages,
        is_by_name: true,
        is_manifest: |_| false,
        linking: |_, _| Box::new(ByName),
    }
}

#[derive(Debug)]
struct ByName;

impl Linking for ByName {
    fn imported(&self, _: Linker<'_>, _: &Here<'_>, _: &Import) -> Meaning {
        Meaning::unknown()
    }

    fn imported_file(&self, _: Linker<'_>, _: &Here<'_>, _: &Import) -> Option<RepoPath> {
        None
    }

    fn keyword(
        &self,
        linker: Linker<'_>,
        here: &Here<'_>,
        scope: ScopeId,
        word: Word<'_>,
    ) -> Option<Meaning> {
        (word.text == OWN_INSTANCE).then(|| own_instance(linker, here, scope))
    }

    fn sees_members(&self, _: &DefinitionFact) -> bool {
        true
    }

    fn unbound(&self, _: Linker<'_>, _: &Here<'_>, _: &str) -> Meaning {
        Meaning::unknown()
    }

    fn bound(&self, _: &Here<'_>, _: &Binding) -> Meaning {
        Meaning::nothing()
    }

    fn parameter(&self, _: &Here<'_>, _: &Binding) -> Meaning {
        Meaning::unknown()
    }

    fn module_member(&self, _: Linker<'_>, _: &Here<'_>, _: &str) -> Meaning {
        Meaning::unknown()
    }

    fn folder_member(&self, _: &RepoPath, _: &str) -> Meaning {
        Meaning::nothing()
    }

    fn builtin_member(&self, _: &Entity, _: &str) -> Option<Meaning> {
        None
    }

    fn outside_call(&self, _: &str) -> Meaning {
        Meaning::unknown()
    }

    fn call(&self, _: &Entity) -> Option<Meaning> {
        Some(Meaning::unknown())
    }

    fn is_property(&self, _: &Here<'_>, _: &DefinitionFact, _: bool) -> bool {
        false
    }

    fn constructs(&self, _: &DefinitionFact) -> bool {
        false
    }
}

/// An instance of the type that a method is directly in, or is said to be a method of.
fn own_instance(linker: Linker<'_>, here: &Here<'_>, scope: ScopeId) -> Meaning {
    let inside = here.file.facts.scopes.get(scope.0 as usize);
    let inside = inside.and_then(|scope| scope.definition);
    let Some((id, definition)) = inside.and_then(|id| Some((id, here.definition(id)?))) else {
        return Meaning::unknown();
    };
    if definition.kind != DefinitionKind::Method {
        return instance(linker, Entity::Definition(here.path.clone(), id));
    }
    if let Some(name) = definition.qualifier {
        let name = here.file.facts.name(name);
        let around = here.scope_around(definition);
        let named = linker.name(here, around, name);
        let types = named.entities.into_iter().map(|of| instance(linker, of));
        let mut meaning = Meaning::all(types);
        meaning.is_open |= named.is_open || meaning.entities.is_empty();
        return meaning;
    }
    let class = definition.parent.map(|class| here.entity(class));
    class.map_or_else(Meaning::unknown, |class| instance(linker, class))
}

fn instance(linker: Linker<'_>, of: Entity) -> Meaning {
    match of {
        Entity::Definition(path, id) if linker.has_members(&path, id) => {
            Meaning::one(Entity::Instance(path, id))
        }
        _ => Meaning::unknown(),
    }
}
