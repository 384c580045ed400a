//! The types of what names mean.

use std::collections::BTreeSet;

use crate::entity::{Entity, ResolvedEntities};
use crate::resolver::Resolver;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::DefinitionId;

/// Functions that return functions are followed so far.
const MAX_RETURNS: usize = 4;

impl Resolver<'_> {
    /// Returns the types of what a name means: the class of an instance, a class itself, what a
    /// function returns, and the elements of a container.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/database.rs")); }
    /// # use setup::{database, path};
    /// use ragnav_resolve::Resolver;
    /// use ragnav_syntax::facts::DefinitionId;
    ///
    /// let database = database(&[("cart.py", "class Cart: pass\ncart = Cart()\ncart\n")]);
    /// let cart = path("cart.py");
    /// let file = database.facts(&cart).unwrap();
    /// let resolver = Resolver::new(&database);
    /// let variable = file.facts.references.last().unwrap();
    /// let meaning = resolver.resolve_reference(&cart, &file, variable);
    /// assert!(resolver.types_of(&meaning).contains(&(cart, DefinitionId(0))));
    /// ```
    #[must_use]
    pub fn types_of(self, meaning: &ResolvedEntities) -> BTreeSet<(RepoPath, DefinitionId)> {
        let mut types = BTreeSet::new();
        let mut ahead: Vec<(Entity, usize)> = Vec::new();
        ahead.extend(meaning.entities.iter().map(|entity| (entity.clone(), 0)));
        while let Some((entity, returns)) = ahead.pop() {
            match entity {
                Entity::Instance(path, id) | Entity::Super(path, id) => {
                    types.insert((path, id));
                }
                Entity::Definition(path, id) if self.has_members(&path, id) => {
                    types.insert((path, id));
                }
                Entity::Definition(path, id) if returns < MAX_RETURNS => {
                    let returned = self.resolve_returned(&path, id).entities.into_iter();
                    ahead.extend(returned.map(|entity| (entity, returns + 1)));
                }
                Entity::TypeParameter(parameter) if returns < MAX_RETURNS => {
                    let bound = self.constraint(&parameter).entities.into_iter();
                    ahead.extend(bound.map(|entity| (entity, returns + 1)));
                }
                Entity::Generic(of, _) | Entity::Sequence(of) | Entity::Mapping(of) => {
                    ahead.push((*of, returns));
                }
                Entity::Tuple(parts) => {
                    let parts = parts.into_iter().flat_map(|part| part.entities);
                    ahead.extend(parts.map(|entity| (entity, returns)));
                }
                _ => {}
            }
        }
        types
    }
}
