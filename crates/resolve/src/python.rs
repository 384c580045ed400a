//! Python: modules and packages, star imports, `self`, `cls` and `super()`.

mod modules;

use self::modules::Modules;
use crate::entity::{Entity, Meaning};
use crate::resolver::{Family, Linker, Linking, Word};
use crate::source_file::{Here, MODULE};
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Binding, Bound, DefinitionFact, Import, Imported, ScopeId};

pub(super) const FAMILY: Family = Family {
    languages: &["python"],
    is_by_name: false,
    is_manifest: |_| false,
    linking: |files, _| {
        Box::new(Python {
            modules: Modules::new(files),
        })
    },
};

#[derive(Debug)]
struct Python {
    modules: Modules,
}

impl Python {
    fn module_of(&self, here: &Here<'_>, import: &Import) -> Option<Entity> {
        let module = here.file.facts.name(import.module);
        self.modules.find(here.path, import.level, module)
    }

    /// What an import's module may be: `os.path` is what `os` has under that name.
    fn modules_of(&self, linker: Linker<'_>, here: &Here<'_>, import: &Import) -> Meaning {
        if let Some(found) = self.module_of(here, import) {
            return Meaning::one(found);
        }
        let module = here.file.facts.name(import.module);
        let Some((around, last)) = module.rsplit_once('.') else {
            return Meaning::nothing();
        };
        let Some(around) = self.modules.find(here.path, import.level, around) else {
            return Meaning::nothing();
        };
        let mut found = linker.member(&around, last);
        found
            .entities
            .retain(|entity| matches!(entity, Entity::Module(_) | Entity::Folder(_)));
        found
    }

    fn imported_member(
        &self,
        linker: Linker<'_>,
        here: &Here<'_>,
        of: &Entity,
        name: &str,
    ) -> Meaning {
        // A package that imports from itself means its submodule: it has no such member before.
        let is_own = *of == Entity::Module(here.path.clone());
        let submodule = is_own.then(|| self.modules.submodule(of, name));
        match submodule.flatten() {
            Some(submodule) => Meaning::one(submodule),
            None => linker.member(of, name),
        }
    }

    /// Whether a star import of a module brings a name.
    fn exports(linker: Linker<'_>, module: &Entity, name: &str) -> bool {
        let Entity::Module(path) = module else {
            return false;
        };
        let Some(file) = linker.world.facts(path) else {
            return false;
        };
        match &file.facts.exports {
            Some(exports) => exports
                .iter()
                .any(|export| file.facts.name(*export) == name),
            None => !name.starts_with('_'),
        }
    }
}

impl Linking for Python {
    fn imported(&self, linker: Linker<'_>, here: &Here<'_>, import: &Import) -> Meaning {
        let module = here.file.facts.name(import.module);
        match import.what {
            Imported::Module => {
                let alias = import.alias.map(|alias| here.file.facts.name(alias));
                let (first, rest) = module.split_once('.').unwrap_or((module, ""));
                // `import a.b` binds `a`, `import a.b as c` what `a.b` is.
                if alias == Some(first) && !rest.is_empty() {
                    let found = self.modules.find(here.path, import.level, first);
                    return found.map_or_else(Meaning::nothing, Meaning::one);
                }
                self.modules_of(linker, here, import)
            }
            Imported::Member(name) => {
                let name = here.file.facts.name(name);
                let modules = self.modules_of(linker, here, import);
                let mut meaning = Meaning::all(
                    modules
                        .entities
                        .iter()
                        .map(|found| self.imported_member(linker, here, found, name)),
                );
                meaning.is_open |= modules.is_open;
                meaning
            }
            Imported::Star => Meaning::unknown(),
        }
    }

    /// The name is the module's last segment, whatever the import binds.
    fn import_mentions(&self, linker: Linker<'_>, here: &Here<'_>, import: &Import) -> Meaning {
        match import.what {
            Imported::Module => self.modules_of(linker, here, import),
            _ => self.imported(linker, here, import),
        }
    }

    fn imported_file(&self, _: Linker<'_>, here: &Here<'_>, import: &Import) -> Option<RepoPath> {
        match self.module_of(here, import)? {
            Entity::Module(file) => Some(file),
            _ => None,
        }
    }

    fn keyword(
        &self,
        _: Linker<'_>,
        here: &Here<'_>,
        scope: ScopeId,
        word: Word<'_>,
    ) -> Option<Meaning> {
        (word.text == "super" && word.called).then(|| super_of(here, scope))
    }

    fn sees_members(&self, _: &DefinitionFact) -> bool {
        true
    }

    /// A member of what is imported with a star, or a builtin.
    fn unbound(&self, linker: Linker<'_>, here: &Here<'_>, name: &str) -> Meaning {
        let stars = here.file.facts.imports.iter();
        let stars = stars.filter(|import| import.what == Imported::Star && import.scope == MODULE);
        let mut all = Meaning::nothing();
        for star in stars {
            let modules = self.modules_of(linker, here, star);
            all.is_open |= modules.is_open || modules.is_nothing();
            for found in &modules.entities {
                if Self::exports(linker, found, name) {
                    all.add(linker.member(found, name));
                }
            }
        }
        all
    }

    /// A type variable may be any type.
    fn bound(&self, here: &Here<'_>, binding: &Binding) -> Meaning {
        let Bound::Variable(Some(value)) = binding.to else {
            return Meaning::nothing();
        };
        let path = here.file.facts.name(value.path);
        if value.called && path.rsplit('.').next() == Some("TypeVar") {
            return Meaning::unknown();
        }
        Meaning::nothing()
    }

    fn parameter(&self, here: &Here<'_>, binding: &Binding) -> Meaning {
        receiver(here, binding).map_or_else(Meaning::unknown, Meaning::one)
    }

    fn module_member(&self, linker: Linker<'_>, module: &Here<'_>, name: &str) -> Meaning {
        let bindings = module.of_module(name);
        if !bindings.is_empty() {
            return linker.bindings(module, &bindings);
        }
        let of = Entity::Module(module.path.clone());
        match self.modules.submodule(&of, name) {
            Some(submodule) => Meaning::one(submodule),
            None => self.unbound(linker, module, name),
        }
    }

    fn folder_member(&self, folder: &RepoPath, name: &str) -> Meaning {
        let of = Entity::Folder(folder.clone());
        let submodule = self.modules.submodule(&of, name);
        submodule.map_or_else(Meaning::nothing, Meaning::one)
    }

    fn builtin_member(&self, _: &Entity, _: &str) -> Option<Meaning> {
        None
    }

    /// Annotations are calls too, and the names of builtin types are in small letters.
    fn outside_call(&self, _: &str) -> Meaning {
        Meaning::nothing()
    }

    fn call(&self, _: &Entity) -> Option<Meaning> {
        None
    }

    fn is_property(&self, here: &Here<'_>, definition: &DefinitionFact, _: bool) -> bool {
        // `@name.setter` stands before a further part of a property.
        let names = ["property", "cached_property", "setter", "deleter", "getter"];
        names
            .iter()
            .any(|name| has_decorator(here, definition, name))
    }

    fn constructors(&self) -> &'static [&'static str] {
        &["__init__", "__new__"]
    }

    fn constructs(&self, _: &DefinitionFact) -> bool {
        false
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
fn receiver(here: &Here<'_>, binding: &Binding) -> Option<Entity> {
    let scope = here.file.facts.scopes.get(binding.scope.0 as usize)?;
    let method = here.definition(scope.definition?)?;
    let class = method.parent?;
    let in_class = here.definition(class)?.kind == DefinitionKind::Class;
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
    Some(if is_class_method {
        here.entity(class)
    } else {
        Entity::Instance(here.path.clone(), class)
    })
}

fn super_of(here: &Here<'_>, scope: ScopeId) -> Meaning {
    let scope = here.file.facts.scopes.get(scope.0 as usize);
    let mut around = scope.and_then(|scope| scope.definition);
    while let Some(id) = around {
        let Some(definition) = here.definition(id) else {
            break;
        };
        if definition.kind == DefinitionKind::Class {
            return Meaning::one(Entity::Super(here.path.clone(), id));
        }
        around = definition.parent;
    }
    Meaning::unknown()
}
