//! The uses of fixtures of pytest: a test gets what the fixture of the name of a parameter returns.
//!
//! Source: <https://docs.pytest.org/en/stable/reference/fixtures.html>.

use std::collections::BTreeSet;

use ragnav_base::hash::HashMap;
use ragnav_base::host::Host;
use ragnav_base::item::ItemKind;
use ragnav_base::path::RepoPath;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::{
    BindingTarget, DefinitionFact, Facts, ImportedItem, Name, Position, Receiver, ReferenceKind,
    ScopeId,
};

use crate::code_facts::CodeFacts;
use crate::reference_site::{ReferenceSite, item_kind};
use crate::targets::Targets;

/// The name of the decorator of pytest.
const FIXTURE: &str = "fixture";

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
    for path in files.filter(|_| !homes.is_empty()) {
        let Some(file) = code.world.facts(path) else {
            continue;
        };
        let is_reached = || homes.iter().any(|home| reaches(home, path));
        let found = file.find_name(name);
        if let Some(name) = found.filter(|name| is_reached() || imports(&file.facts, *name)) {
            let is_proven = code.are_proven([path]);
            let uses = uses_in(&file, name).into_iter();
            sites.extend(uses.map(|(at, kind)| ReferenceSite {
                is_proven,
                ..ReferenceSite::candidate(path, &file, (name, at), kind)
            }));
        }
    }
    sites
}

/// Reports whether a file imports a name, as tests do with fixtures.
fn imports(facts: &Facts, name: Name) -> bool {
    let mut imports = facts.imports.iter();
    imports.any(|import| import.item == ImportedItem::Member(name))
}

/// Reports whether tests in a file see the fixtures of another: those of a `conftest.py` are seen
/// in all folders below it.
fn reaches(home: &RepoPath, path: &RepoPath) -> bool {
    let folder = home.parent().filter(|_| home.name() == "conftest.py");
    home == path || folder.is_some_and(|folder| path.below(&folder).is_some())
}

fn is_fixture(facts: &Facts, definition: &DefinitionFact) -> bool {
    let mut decorators = definition.decorators.iter();
    decorators.any(|decorator| {
        let path = facts.name(decorator.path);
        path.rsplit('.').next() == Some(FIXTURE) || is_imported_fixture(facts, path)
    })
}

/// Reports whether a name is what `from pytest import fixture as …` binds.
fn is_imported_fixture(facts: &Facts, name: &str) -> bool {
    facts.imports.iter().any(|import| {
        let ImportedItem::Member(member) = import.item else {
            return false;
        };
        let alias = import.alias.map(|alias| facts.name(alias));
        facts.name(member) == FIXTURE && alias == Some(name)
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
    let parameters: HashMap<ScopeId, Position> = parameters
        .map(|parameter| (parameter.scope, parameter.position))
        .collect();
    let references = facts.references.iter().filter(|one| {
        let is_name = one.name == name && one.receiver == Receiver::None;
        let bound_in = is_name.then(|| file.binding_scope(one.scope, name));
        let bound_in = bound_in.flatten();
        bound_in.is_some_and(|scope| parameters.contains_key(&scope))
    });
    let references = references.map(|one| (one.position, item_kind(one.kind)));
    let kind = item_kind(ReferenceKind::Reference);
    let declared = parameters.values().map(|position| (*position, kind));
    references.chain(declared).collect()
}
