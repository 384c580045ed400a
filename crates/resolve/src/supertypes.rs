//! The types that a value also has: bases of its class, and types with the same members.

use std::collections::BTreeSet;

use crate::entity::{Entity, ResolvedEntities, TypeArguments};
use crate::resolver::{LanguageResolver, Resolver};
use ragnav_base::item::DefinitionKind;
use ragnav_syntax::facts::{CALL_SIGNATURE, CONSTRUCT_SIGNATURE, Name};

/// The maximum number of classes among whose bases one is searched.
const MAX_BASES: usize = 16;

/// The maximum number of members by which types are compared.
const MAX_MEMBERS: usize = 12;

impl Resolver<'_> {
    /// Returns the type arguments that a value has as an instance of a class or of its base: those
    /// of `Base<A>` if its class extends that.
    pub(super) fn arguments_for_base(self, value: &Entity, base: &Entity) -> Option<TypeArguments> {
        if !matches!(base, Entity::Instance(..)) {
            return match value {
                Entity::Generic(inner, arguments) if **inner == *base => Some(arguments.clone()),
                _ => None,
            };
        }
        let mut ahead = vec![value.clone()];
        let mut seen = BTreeSet::new();
        while let Some(one) = ahead.pop() {
            let Entity::Instance(path, class) = one.without_type_arguments() else {
                continue;
            };
            if one.without_type_arguments() == base {
                return match one {
                    Entity::Generic(_, arguments) => Some(arguments),
                    _ => None,
                };
            }
            let class = (path.clone(), *class);
            let bases = ResolvedEntities::union(self.bases_of(&class).into_iter());
            let bases = match &one {
                Entity::Generic(_, arguments) => self.substitute(bases, arguments),
                _ => bases,
            };
            if seen.len() < MAX_BASES && seen.insert(class) {
                let bases = bases.entities.into_iter();
                ahead.extend(bases.map(|base| self.instance_of_receiver(base)));
            }
        }
        None
    }

    /// Returns the names of the members that make an object one of an interface or an object type.
    /// There are none in a language where a class has to name its interfaces.
    pub(super) fn names_of_structure(self, of: &Entity) -> Vec<String> {
        let inner = of.without_type_arguments();
        let (Entity::Instance(path, _) | Entity::Shape(path, _)) = inner else {
            return Vec::new();
        };
        let language = self.database.language(path);
        let is_structural = language.is_some_and(LanguageResolver::has_structural_types);
        let Some(file) = self.database.facts(path).filter(|_| is_structural) else {
            return Vec::new();
        };
        let scope = match inner {
            Entity::Shape(_, scope) => Some(*scope),
            Entity::Instance(_, id) => {
                let class = file.facts.definition(*id);
                let interface = class.filter(|one| one.kind == DefinitionKind::Interface);
                interface.map(|interface| interface.scope)
            }
            _ => None,
        };
        let bound = scope.into_iter().flat_map(|scope| file.bound_in(scope));
        let names: BTreeSet<Name> = bound.map(|binding| binding.name).collect();
        let names = names.into_iter().map(|name| file.facts.name(name));
        let names = names.filter(|name| ![CALL_SIGNATURE, CONSTRUCT_SIGNATURE].contains(name));
        names.take(MAX_MEMBERS).map(str::to_owned).collect()
    }
}
