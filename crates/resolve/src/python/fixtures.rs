//! Fixtures of pytest: a parameter of a test gets what the fixture with its name returns.
//!
//! Source: <https://docs.pytest.org/en/stable/how-to/fixtures.html>.

use super::unnamed_calls::is_test;
use crate::decorators::has_decorator;
use crate::entity::{Entity, ResolvedEntities};
use crate::files::Files;
use crate::resolver::Resolver;
use crate::source_file::SourceFile;
use ragnav_base::item::DefinitionKind;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{Binding, BindingTarget, DefinitionFact, DefinitionId, YIELDED};

/// The file whose fixtures the tests of its folder and of the folders inside it may use.
const SHARED: &str = "conftest.py";

/// Resolves what pytest passes to a parameter. Returns `None` if no fixture has its name, or if the
/// function is no test and no fixture.
pub(super) fn passed_value(
    resolver: Resolver<'_>,
    files: &Files,
    source: &SourceFile<'_>,
    binding: &Binding,
) -> Option<ResolvedEntities> {
    let facts = &source.file.facts;
    let id = facts.scope(binding.scope)?.definition?;
    let function = source.definition(id)?;
    if function.scope != binding.scope || !gets_fixtures(source, function) {
        return None;
    }
    // What `parametrize` gives to a parameter, or a default value, replaces the fixture.
    let mut bindings = source.file.bindings(binding.scope, binding.name);
    let is_given = |other: &Binding| {
        let is_value = matches!(other.target, BindingTarget::Variable(_));
        is_value && other.position == binding.position
    };
    if bindings.any(is_given) {
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
    let mut places = class
        .into_iter()
        .chain([module])
        .chain(shared.map(Entity::Module));
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
    let definitions = found.entities.iter().filter_map(|entity| match entity {
        Entity::Definition(path, id) if (path, *id) != own => Some((path, *id)),
        _ => None,
    });
    let fixtures = definitions.filter(|(path, id)| {
        let file = resolver.database.facts(path);
        file.is_some_and(|file| {
            let source = SourceFile { path, file: &file };
            let definition = source.definition(*id);
            definition.is_some_and(|function| is_fixture(&source, function))
        })
    });
    // Of several in one file, the last one counts.
    let (path, id) = fixtures.last()?;
    Some(value_of(resolver, path, id))
}

/// Resolves what a fixture returns or yields.
fn value_of(resolver: Resolver<'_>, path: &RepoPath, id: DefinitionId) -> ResolvedEntities {
    let returned = resolver.resolve_returned(path, id);
    let file = resolver.database.facts(path);
    let scope = file.as_ref().and_then(|file| file.facts.definition(id));
    let Some((file, scope)) = file.as_ref().zip(scope.map(|function| function.scope)) else {
        return returned;
    };
    let name = file.find_name(YIELDED);
    let yielded = name.into_iter().flat_map(|name| file.bindings(scope, name));
    let yielded: Vec<&Binding> = yielded.collect();
    if yielded.is_empty() {
        return returned;
    }
    let source = SourceFile { path, file };
    let mut values = resolver.resolve_bindings(&source, &yielded);
    if values.entities.is_empty() {
        values.merge(resolver.resolve_elements(&returned, "__iter__", ""));
    }
    values
}

/// The decorators of tests whose parameters get values from elsewhere.
const PASSING: [&str; 3] = ["given", "object", "patch"];

/// Reports whether pytest passes fixtures to the parameters of a function: a fixture, or a test
/// that is no method of `unittest.TestCase`.
fn gets_fixtures(source: &SourceFile<'_>, function: &DefinitionFact) -> bool {
    if is_fixture(source, function) {
        return true;
    }
    let facts = &source.file.facts;
    let parent = function.parent.and_then(|id| source.definition(id));
    let is_nested = parent.is_some_and(|parent| parent.kind != DefinitionKind::Class);
    let is_of_unittest = parent.is_some_and(|class| {
        let mut bases = class.bases.iter();
        bases.any(|base| facts.name(base.path).ends_with("TestCase"))
    });
    let gets_others = PASSING
        .iter()
        .any(|name| has_decorator(source, function, name));
    let is_test = is_test(source, facts.name(function.name));
    is_test && !is_nested && !is_of_unittest && !gets_others
}

fn is_fixture(source: &SourceFile<'_>, function: &DefinitionFact) -> bool {
    let names = ["fixture", "yield_fixture"];
    names
        .iter()
        .any(|name| has_decorator(source, function, name))
}
