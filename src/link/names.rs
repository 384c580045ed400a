//! What a name means in a scope, as a member of something, and as a value.

use crate::lang::facts::{
    Binding, Bound, DefinitionFact, DefinitionId, Import, Imported, Outer, ScopeId, ScopeKind,
    Value,
};
use crate::link::entity::{Entity, Meaning};
use crate::link::linker::Linker;
use crate::link::world::{Asked, FileFacts};
use crate::path::RepoPath;

/// Names that lead to each other round in a circle, or on and on, end here.
const MAX_STEPS: usize = 24;

/// The module's own scope.
const MODULE: ScopeId = ScopeId(0);

/// A file whose facts are at hand.
pub(super) struct Here<'f> {
    pub(super) path: &'f RepoPath,
    pub(super) file: &'f FileFacts,
}

impl Here<'_> {
    fn definition(&self, id: DefinitionId) -> Option<&DefinitionFact> {
        self.file.facts.definitions.get(id.0 as usize)
    }

    fn entity(&self, id: DefinitionId) -> Entity {
        Entity::Definition(self.path.clone(), id)
    }
}

impl Linker<'_> {
    /// What a name means in a scope.
    pub(super) fn name(self, here: &Here<'_>, scope: ScopeId, name: &str, steps: usize) -> Meaning {
        if steps > MAX_STEPS {
            return Meaning::unknown();
        }
        let asked = Asked::InScope(here.path.clone(), scope, name.to_owned());
        self.world
            .once(asked, || self.name_in(here, scope, name, steps))
    }

    fn name_in(self, here: &Here<'_>, scope: ScopeId, name: &str, steps: usize) -> Meaning {
        let Some(id) = here.file.name_id(name) else {
            return self.star_imported(here, name, steps);
        };
        let mut next = Some(scope);
        let mut is_first = true;
        while let Some(current) = next {
            let Some(found) = here.file.facts.scopes.get(current.0 as usize) else {
                break;
            };
            let is_seen = is_first || found.kind != ScopeKind::Class;
            let bindings: Vec<&Binding> = here
                .file
                .bindings(current, id)
                .filter(|binding| is_seen && !matches!(binding.to, Bound::Attribute(_)))
                .collect();
            match bindings.first().map(|binding| &binding.to) {
                Some(Bound::Outer(Outer::Global)) => {
                    next = Some(MODULE);
                    is_first = false;
                    continue;
                }
                Some(Bound::Outer(Outer::Nonlocal)) | None => {}
                Some(_) => return self.bindings(here, &bindings, steps),
            }
            // Type parameters stand around a scope without closing the class around it off.
            is_first = found.kind == ScopeKind::TypeParameters && is_first;
            next = found.parent;
        }
        self.star_imported(here, name, steps)
    }

    /// What a name means that no scope binds: a member of what is imported with a star, or a builtin.
    fn star_imported(self, here: &Here<'_>, name: &str, steps: usize) -> Meaning {
        let stars = here.file.facts.imports.iter();
        let stars = stars.filter(|import| import.what == Imported::Star && import.scope == MODULE);
        let mut all = Meaning::nothing();
        for star in stars {
            let module = here.file.facts.name(star.module);
            match self.world.modules.find(here.path, star.level, module) {
                Some(found) if self.exports(&found, name) => {
                    all.add(self.member(&found, name, steps + 1));
                }
                Some(_) => {}
                None => all.is_open = true,
            }
        }
        all
    }

    /// Whether a star import of a module brings a name.
    fn exports(self, module: &Entity, name: &str) -> bool {
        let Entity::Module(path) = module else {
            return false;
        };
        let Some(file) = self.world.facts(path) else {
            return false;
        };
        match &file.facts.exports {
            Some(exports) => exports
                .iter()
                .any(|export| file.facts.name(*export) == name),
            None => !name.starts_with('_'),
        }
    }

    fn bindings(self, here: &Here<'_>, bindings: &[&Binding], steps: usize) -> Meaning {
        Meaning::all(
            bindings
                .iter()
                .map(|binding| self.binding(here, binding, steps + 1)),
        )
    }

    fn binding(self, here: &Here<'_>, binding: &Binding, steps: usize) -> Meaning {
        match &binding.to {
            Bound::Definition(id) => Meaning::one(here.entity(*id)),
            Bound::Import(id) => match here.file.import(*id) {
                Some(import) => self.imported(here, import, steps),
                None => Meaning::unknown(),
            },
            Bound::Parameter(Some(value)) => self.value(here, binding.value_scope, *value, steps),
            Bound::Parameter(None) => receiver(here, binding).unwrap_or_else(Meaning::unknown),
            Bound::Variable(Some(value)) | Bound::Attribute(Some(value)) => {
                self.value(here, binding.value_scope, *value, steps)
            }
            Bound::Variable(None) | Bound::Attribute(None) | Bound::Outer(_) => Meaning::unknown(),
        }
    }

    /// What an import binds.
    pub(super) fn imported(self, here: &Here<'_>, import: &Import, steps: usize) -> Meaning {
        let module = here.file.facts.name(import.module);
        let found = self.world.modules.find(here.path, import.level, module);
        match (import.what, found) {
            (Imported::Module, found) => {
                let alias = import.alias.map(|alias| here.file.facts.name(alias));
                let (first, rest) = module.split_once('.').unwrap_or((module, ""));
                // `import a.b` binds `a`, `import a.b as c` what `a.b` is.
                let bound = if alias == Some(first) && !rest.is_empty() {
                    self.world.modules.find(here.path, import.level, first)
                } else {
                    found
                };
                bound.map_or_else(Meaning::nothing, Meaning::one)
            }
            (Imported::Member(name), Some(found)) => {
                let name = here.file.facts.name(name);
                // A package that imports from itself means its submodule: it has no such member before.
                let is_own = found == Entity::Module(here.path.clone());
                let submodule = is_own.then(|| self.world.modules.submodule(&found, name));
                match submodule.flatten() {
                    Some(submodule) => Meaning::one(submodule),
                    None => self.member(&found, name, steps),
                }
            }
            (Imported::Member(_), None) => Meaning::nothing(),
            (Imported::Star, _) => Meaning::unknown(),
        }
    }

    /// What a dotted name, or a call of one, gives.
    pub(super) fn value(
        self,
        here: &Here<'_>,
        scope: ScopeId,
        value: Value,
        steps: usize,
    ) -> Meaning {
        if steps > MAX_STEPS {
            return Meaning::unknown();
        }
        let path = here.file.facts.name(value.path);
        if path == "super" && value.called {
            return super_of(here, scope);
        }
        let mut segments = path.split('.');
        let first = segments.next().unwrap_or_default();
        let mut meaning = self.name(here, scope, first, steps + 1);
        for segment in segments {
            meaning = self.members(&self.read(meaning, steps), segment, steps + 1);
        }
        if value.called {
            return self.call(&meaning, steps + 1);
        }
        meaning
    }

    /// Properties give what they return.
    fn read(self, meaning: Meaning, steps: usize) -> Meaning {
        let mut read = Meaning {
            is_open: meaning.is_open,
            ..Meaning::default()
        };
        for entity in meaning.entities {
            match &entity {
                Entity::Definition(path, id) if self.is_property(path, *id) => {
                    read.add(self.returned(path, *id, steps + 1));
                }
                _ => {
                    read.entities.insert(entity);
                }
            }
        }
        read
    }

    fn is_property(self, path: &RepoPath, id: DefinitionId) -> bool {
        let Some(file) = self.world.facts(path) else {
            return false;
        };
        let here = Here { path, file: &file };
        here.definition(id).is_some_and(|definition| {
            has_decorator(&here, definition, "property")
                || has_decorator(&here, definition, "cached_property")
        })
    }

    /// What calling something gives: an instance of a class, or what a function says it returns.
    fn call(self, called: &Meaning, steps: usize) -> Meaning {
        let mut given = Meaning {
            is_open: called.is_open,
            ..Meaning::default()
        };
        for entity in &called.entities {
            match entity {
                Entity::Definition(path, id) if self.is_class(path, *id) => {
                    given.entities.insert(Entity::Instance(path.clone(), *id));
                }
                Entity::Definition(path, id) => given.add(self.returned(path, *id, steps)),
                _ => given.is_open = true,
            }
        }
        given
    }

    pub(super) fn is_class(self, path: &RepoPath, id: DefinitionId) -> bool {
        let file = self.world.facts(path);
        file.is_some_and(|file| {
            let definition = file.facts.definitions.get(id.0 as usize);
            definition.is_some_and(|found| found.kind == crate::item::DefinitionKind::Class)
        })
    }

    fn returned(self, path: &RepoPath, id: DefinitionId, steps: usize) -> Meaning {
        let Some(file) = self.world.facts(path) else {
            return Meaning::unknown();
        };
        let here = Here { path, file: &file };
        let Some(definition) = here.definition(id) else {
            return Meaning::unknown();
        };
        let scope = file.facts.scopes.get(definition.scope.0 as usize);
        let around = scope.and_then(|scope| scope.parent).unwrap_or(MODULE);
        match definition.returns {
            Some(value) if steps <= MAX_STEPS => self.value(&here, around, value, steps + 1),
            _ => Meaning::unknown(),
        }
    }

    /// What a name means as a member of all that something may be.
    pub(super) fn members(self, of: &Meaning, name: &str, steps: usize) -> Meaning {
        let mut all = Meaning {
            is_open: of.is_open,
            ..Meaning::default()
        };
        for entity in &of.entities {
            all.add(self.member(entity, name, steps));
        }
        all
    }

    /// What a name means as a member of something.
    pub(super) fn member(self, of: &Entity, name: &str, steps: usize) -> Meaning {
        if steps > MAX_STEPS {
            return Meaning::unknown();
        }
        let asked = Asked::Member(of.clone(), name.to_owned());
        self.world.once(asked, || self.member_of(of, name, steps))
    }

    fn member_of(self, of: &Entity, name: &str, steps: usize) -> Meaning {
        match of {
            Entity::Module(path) => self.module_member(of, path, name, steps),
            Entity::Folder(_) => self
                .world
                .modules
                .submodule(of, name)
                .map_or_else(Meaning::nothing, Meaning::one),
            Entity::Instance(path, class) => self.class_member(path, *class, name, steps),
            Entity::Super(path, class) => self.inherited_member(path, *class, name, steps),
            Entity::Definition(path, id) if self.is_class(path, *id) => {
                self.class_member(path, *id, name, steps)
            }
            Entity::Definition(..) => Meaning::unknown(),
        }
    }

    fn module_member(self, of: &Entity, path: &RepoPath, name: &str, steps: usize) -> Meaning {
        let Some(file) = self.world.facts(path) else {
            return Meaning::unknown();
        };
        let here = Here { path, file: &file };
        let bindings: Vec<&Binding> = match file.name_id(name) {
            Some(id) => file.bindings(MODULE, id).collect(),
            None => Vec::new(),
        };
        if !bindings.is_empty() {
            return self.bindings(&here, &bindings, steps + 1);
        }
        if let Some(submodule) = self.world.modules.submodule(of, name) {
            return Meaning::one(submodule);
        }
        self.star_imported(&here, name, steps + 1)
    }

    fn class_member(
        self,
        path: &RepoPath,
        class: DefinitionId,
        name: &str,
        steps: usize,
    ) -> Meaning {
        let Some(file) = self.world.facts(path) else {
            return Meaning::unknown();
        };
        let here = Here { path, file: &file };
        if let Some(id) = file.name_id(name) {
            let own = file.members(Some(class), id);
            if !own.is_empty() {
                return Meaning::all(own.iter().map(|own| Meaning::one(here.entity(*own))));
            }
            let scope = here.definition(class).map_or(MODULE, |class| class.scope);
            let bindings: Vec<&Binding> = file.bindings(scope, id).collect();
            if !bindings.is_empty() {
                return self.bindings(&here, &bindings, steps + 1);
            }
        }
        self.inherited_member(path, class, name, steps + 1)
    }

    /// The first superclass that has the member, in their order.
    fn inherited_member(
        self,
        path: &RepoPath,
        class: DefinitionId,
        name: &str,
        steps: usize,
    ) -> Meaning {
        let Some(file) = self.world.facts(path).filter(|_| steps <= MAX_STEPS) else {
            return Meaning::unknown();
        };
        let here = Here { path, file: &file };
        let Some(definition) = here.definition(class) else {
            return Meaning::unknown();
        };
        let scope = file.facts.scopes.get(definition.scope.0 as usize);
        let around = scope.and_then(|scope| scope.parent).unwrap_or(MODULE);
        let mut is_open = false;
        for base in &definition.bases {
            let bases = self.value(&here, around, *base, steps + 1);
            // A class from outside may have the member.
            is_open |= bases.is_open || bases.entities.is_empty();
            let found = self.members(&bases, name, steps + 1);
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
}

fn has_decorator(here: &Here<'_>, definition: &DefinitionFact, name: &str) -> bool {
    let mut decorators = definition.decorators.iter();
    decorators.any(|decorator| {
        let path = here.file.facts.name(decorator.path);
        path.rsplit('.').next() == Some(name)
    })
}

/// What the first parameter of a method is.
fn receiver(here: &Here<'_>, binding: &Binding) -> Option<Meaning> {
    let scope = here.file.facts.scopes.get(binding.scope.0 as usize)?;
    let method = here.definition(scope.definition?)?;
    let class = method.parent?;
    let in_class = here.definition(class)?.kind == crate::item::DefinitionKind::Class;
    let mut parameters =
        here.file.facts.bindings.iter().filter(|other| {
            other.scope == binding.scope && matches!(other.to, Bound::Parameter(_))
        });
    let is_own_scope = method.scope == binding.scope;
    let is_first = parameters
        .next()
        .is_some_and(|first| first.at == binding.at);
    if !in_class || !is_first || !is_own_scope || has_decorator(here, method, "staticmethod") {
        return None;
    }
    let name = here.file.facts.name(method.name);
    let is_class_method = has_decorator(here, method, "classmethod")
        || matches!(name, "__new__" | "__init_subclass__" | "__class_getitem__");
    Some(Meaning::one(if is_class_method {
        here.entity(class)
    } else {
        Entity::Instance(here.path.clone(), class)
    }))
}

fn super_of(here: &Here<'_>, scope: ScopeId) -> Meaning {
    let scope = here.file.facts.scopes.get(scope.0 as usize);
    let mut around = scope.and_then(|scope| scope.definition);
    while let Some(id) = around {
        let Some(definition) = here.definition(id) else {
            break;
        };
        if definition.kind == crate::item::DefinitionKind::Class {
            return Meaning::one(Entity::Super(here.path.clone(), id));
        }
        around = definition.parent;
    }
    Meaning::unknown()
}
