//! What a module exports.

use super::imports::Ecmascript;
use crate::entity::{Entity, Meaning};
use crate::resolver::{Linker, Linking};
use crate::source_file::{Here, MODULE};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{EXPORT_EQUALS, Export, Exported};

pub(super) const DEFAULT: &str = "default";
const STAR: &str = "*";

impl Ecmascript {
    /// What the whole of a module is: what it assigns to `module.exports`, and what it exports by name.
    pub(super) fn module(&self, linker: Linker<'_>, file: &RepoPath) -> Meaning {
        let namespace = Entity::Module(file.clone());
        let Some(facts) = linker.world.facts(file) else {
            return Meaning::unknown();
        };
        let here = Here {
            path: file,
            file: &facts,
        };
        let mut meaning = self.exported(linker, &here, EXPORT_EQUALS);
        let mut exports = facts.facts.exported.iter();
        let has_others = exports.any(|export| facts.facts.name(export.name) != EXPORT_EQUALS);
        if has_others || meaning.is_nothing() {
            meaning.entities.insert(namespace);
        }
        meaning
    }

    /// What a module exports under a name.
    pub(super) fn export(&self, linker: Linker<'_>, here: &Here<'_>, name: &str) -> Meaning {
        let facts = &here.file.facts;
        if facts.exported.is_empty() {
            return Meaning::unknown();
        }
        let mut found = self.exported(linker, here, name);
        if !found.is_nothing() {
            return found;
        }
        let whole = self.exported(linker, here, EXPORT_EQUALS);
        let own = Meaning::one(Entity::Module(here.path.clone()));
        match name {
            DEFAULT if whole.is_nothing() => own,
            DEFAULT => whole,
            // `module.exports` by its long name.
            "exports" if whole.is_nothing() => own,
            "exports" => whole,
            _ => {
                if !whole.is_nothing() {
                    found.add(linker.members(&whole, name));
                }
                found.add(self.starred(linker, here, name));
                found
            }
        }
    }

    fn exported(&self, linker: Linker<'_>, here: &Here<'_>, name: &str) -> Meaning {
        let facts = &here.file.facts;
        let rows = facts.exported.iter();
        let rows = rows.filter(|export| facts.name(export.name) == name);
        Meaning::all(rows.map(|export| self.exported_as(linker, here, export)))
    }

    fn exported_as(&self, linker: Linker<'_>, here: &Here<'_>, export: &Export) -> Meaning {
        let facts = &here.file.facts;
        match export.what {
            Exported::Local(name) => linker.name(here, MODULE, facts.name(name)),
            Exported::Definition(id) => Meaning::one(here.entity(id)),
            Exported::From(id) => match here.file.import(id) {
                Some(import) => self.imported(linker, here, import),
                None => Meaning::unknown(),
            },
            Exported::Value(value) => linker.value(here, MODULE, value),
            Exported::Other => {
                let mut meaning = Meaning::unknown();
                meaning
                    .entities
                    .extend(here.object(None, facts.name(export.name)));
                meaning
            }
        }
    }

    /// What the modules export under a name of which all is exported.
    fn starred(&self, linker: Linker<'_>, here: &Here<'_>, name: &str) -> Meaning {
        let facts = &here.file.facts;
        let exports = facts.exported.iter();
        let stars = exports.filter(|export| facts.name(export.name) == STAR);
        let mut all = Meaning::nothing();
        for star in stars {
            let import = match star.what {
                Exported::From(id) => here.file.import(id),
                _ => None,
            };
            let file = import.and_then(|import| self.file(linker, here, import));
            match file {
                Some(file) => all.add(linker.member(&Entity::Module(file), name)),
                None => all.is_open = true,
            }
        }
        all
    }
}
