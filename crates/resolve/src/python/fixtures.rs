//! Fixtures of pytest: a parameter of a test gets what the fixture with its name returns.
//!
//! Source: <https://docs.pytest.org/en/stable/how-to/fixtures.html>.

use crate::decorators::has_decorator;
use crate::entity::{Entity, ResolvedEntities};
use crate::files::Files;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Binding, DefinitionFact, DefinitionId};

/// The file whose fixtures the tests of its folder and of the folders inside it may use.
const SHARED: &str = "conftest.py";

/// Resolves what pytest passes to a parameter. Returns `None` if no fixture has its name.
pub(super) fn passed_value(
    resolver: Resolver<'_>,
    files: &Files,
    source: &SourceFile<'_>,
    binding: &Binding,
) -> Option<ResolvedEntities> {
    let facts = &source.file.facts;
    let id = facts.scope(binding.scope)?.definition?;
    let function = source.definition(id)?;
    let is_test = facts.name(function.name).starts_with("test");
    if function.scope != binding.scope || !(is_test || is_fixture(source, function)) {
        return None;
    }
    let name = facts.name(binding.name);
    let class = function
        .parent
        .map(|class| Entity::Instance(source.path.clone(), class));
    let module = Entity::Module(source.path.clone());
    let folders = std::iter::successors(source.path.parent(), RepoPath::parent);
    let shared = folders.filter_map(|folder| folder.join(SHARED));
    let shared = shared.filter(|file| files.contains(file));
    let places = class.into_iter().chain([module]);
    let mut places = places.chain(shared.map(Entity::Module));
    // A fixture may replace one with its own name that it gets.
    let own = (source.path, id);
    places.find_map(|place| fixture_in(resolver, &place, (name, own)))
}

/// Resolves the value of a fixture that a class or a module has.
fn fixture_in(
    resolver: Resolver<'_>,
    place: &Entity,
    (name, own): (&str, (&RepoPath, DefinitionId)),
) -> Option<ResolvedEntities> {
    let found = resolver.resolve_member(place, name);
    let mut definitions = found.entities.iter().filter_map(|entity| match entity {
        Entity::Definition(path, id) if (path, *id) != own => Some((path, *id)),
        _ => None,
    });
    let (path, id) = definitions.find(|(path, id)| {
        let file = resolver.database.facts(path);
        file.is_some_and(|file| {
            let source = SourceFile { path, file: &file };
            let definition = source.definition(*id);
            definition.is_some_and(|function| is_fixture(&source, function))
        })
    })?;
    let returned = resolver.resolve_returned(path, id);
    // A fixture with `yield` counts as a function that returns a container.
    let is_container = |one: &Entity| matches!(one, Entity::Container(..) | Entity::Sequence(_));
    let mut yielded = returned.clone();
    yielded.entities.retain(is_container);
    let mut value = returned;
    if !yielded.entities.is_empty() {
        value.merge(resolver.resolve_elements(&yielded, "__iter__", ""));
    }
    Some(value)
}

fn is_fixture(source: &SourceFile<'_>, function: &DefinitionFact) -> bool {
    has_decorator(source, function, "fixture")
}
