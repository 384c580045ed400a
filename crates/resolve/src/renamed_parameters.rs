//! Methods that give new names to the type parameters of their type: those of [Go], and those that
//! C++ defines outside of their class.
//!
//! [Go]: https://go.dev/ref/spec#Method_declarations

use std::rc::Rc;

use crate::entity::{Entity, ResolvedEntities, TypeArguments, TypeParameter};
use crate::resolver::Resolver;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::DefinitionId;

impl Resolver<'_> {
    /// Resolves a member of an entity that carries type arguments. A method has them for the names
    /// that it gives to the type parameters, which `names` returns in order.
    pub(super) fn member_with_own_names(
        self,
        (of, arguments): (&Entity, &TypeArguments),
        name: &str,
        names: impl Fn(&RepoPath, DefinitionId) -> Vec<TypeParameter>,
    ) -> ResolvedEntities {
        let members = self.resolve_member(of, name);
        let mut all = ResolvedEntities {
            has_unknown: members.has_unknown,
            ..ResolvedEntities::none()
        };
        for entity in members.entities {
            let renamed = match &entity {
                Entity::Definition(path, id) => self.renamed(of, &names(path, *id), arguments),
                _ => None,
            };
            let one = ResolvedEntities::single(entity);
            all.merge(self.substitute(one, renamed.as_ref().unwrap_or(arguments)));
        }
        all
    }

    /// Returns type arguments with those for other names of the type parameters of a type.
    fn renamed(
        self,
        of: &Entity,
        names: &[TypeParameter],
        arguments: &TypeArguments,
    ) -> Option<TypeArguments> {
        let (Entity::Definition(path, id) | Entity::Instance(path, id)) = of else {
            return None;
        };
        let parameters = self.type_parameters(path, *id);
        // A method of a partial specialisation has parameters of its own.
        if names.len() != parameters.len() {
            return None;
        }
        let mut all = (**arguments).clone();
        for (name, parameter) in names.iter().zip(parameters) {
            if let Some(argument) = arguments.get(&parameter) {
                all.insert(name.clone(), argument.clone());
            }
        }
        Some(Rc::new(all))
    }
}
