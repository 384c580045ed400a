//! The uses of fixtures of pytest: a test gets what the fixture of the name of a parameter returns.
//!
//! Source: <https://docs.pytest.org/en/stable/reference/fixtures.html>.

use std::collections::BTreeSet;

use ragnav_base::host::Host;
use ragnav_base::item::ItemKind;
use ragnav_base::path::RepoPath;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::{
    BindingTarget, DefinitionFact, Facts, Name, Position, Receiver, ReferenceKind, ScopeId,
};

use crate::code_facts::CodeFacts;
use crate::reference_site::{ReferenceSite, item_kind};
use crate::targets::Targets;

/// Returns the parameters, and the names that mean them, that may stand for one of some fixtures.
/// They are candidates, since pytest decides when it runs.
pub(super) fn fixture_uses<'f, H: Host>(
    code: &CodeFacts<'_, H>,
    files: impl Iterator<Item = &'f RepoPath>,
    (name, targets): (&str, &Targets),
) -> Vec<ReferenceSite> {
    let homes: BTreeSet<&RepoPath> = targets
        .iter()
        .filter(|(path, id)| {
            let file = code.world.facts(path);
            file.is_some_and(|file| {
                let definition = file.facts.definition(*id);
                definition.is_some_and(|one| is_fixture(&file.facts, one))
            })
        })
        .map(|(path, _)| path)
        .collect();
    let mut sites = Vec::new();
    for path in files.filter(|path| homes.iter().any(|home| reaches(home, path))) {
        let Some(file) = code.world.facts(path) else {
            continue;
        };
        if let Some(name) = file.find_name(name) {
            let is_proven = code.are_proven(&BTreeSet::from([path.clone()]));
            let uses = uses_in(&file, name).into_iter();
            sites.extend(uses.map(|(at, kind)| ReferenceSite {
                is_proven,
                ..ReferenceSite::candidate(path, &file, (name, at), kind)
            }));
        }
    }
    sites
}

/// Reports whether tests in a file see the fixtures of another: those of a `conftest.py` are seen in
/// all folders below it.
fn reaches(home: &RepoPath, path: &RepoPath) -> bool {
    let folder = home.parent().filter(|_| home.name() == "conftest.py");
    home == path || folder.is_some_and(|folder| path.below(&folder).is_some())
}

fn is_fixture(facts: &Facts, definition: &DefinitionFact) -> bool {
    let mut decorators = definition.decorators.iter();
    decorators.any(|decorator| {
        let path = facts.name(decorator.path);
        matches!(
            path,
            "fixture" | "pytest.fixture" | "pytest_asyncio.fixture"
        )
    })
}

/// Returns the places where a file has a parameter of a test or fixture, and where it is used.
fn uses_in(file: &FileFacts, name: Name) -> Vec<(Position, ItemKind)> {
    let facts = &file.facts;
    let is_injected = |scope: ScopeId| {
        let function = facts.scope(scope).and_then(|scope| scope.definition);
        let function = function.and_then(|id| facts.definition(id));
        function
            .is_some_and(|one| facts.name(one.name).starts_with("test") || is_fixture(facts, one))
    };
    let parameters = facts.bindings.iter().filter(|binding| {
        let is_parameter = matches!(binding.target, BindingTarget::Parameter(_));
        is_parameter && binding.name == name && is_injected(binding.scope)
    });
    let mut uses = Vec::new();
    for parameter in parameters {
        uses.push((parameter.position, item_kind(ReferenceKind::Reference)));
        let references = facts.references.iter().filter(|one| {
            one.name == name
                && one.receiver == Receiver::None
                && file.binding_scope(one.scope, name) == Some(parameter.scope)
        });
        uses.extend(references.map(|one| (one.position, item_kind(one.kind))));
    }
    uses
}
