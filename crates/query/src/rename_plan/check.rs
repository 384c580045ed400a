//! Checks a rename: with its edits, the same references must mean the symbol, and no others.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::host::Host;
use ragnav_base::item::Resolution;
use ragnav_base::path::RepoPath;
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::snapshot::Snapshot;
use ragnav_syntax::facts::DefinitionId;

use super::edits::Edits;
use super::symbol::{RenamedSymbol, extend};
use crate::code_facts::CodeFacts;
use crate::edit_plan::{Refusal, RefusalReason, counted, others_meant, settings_of_edited};
use crate::reference_site::ReferenceSite;
use crate::references::references_to;
use crate::targets::Targets;

/// A place: the file, the line and the column.
type Place = (RepoPath, u32, u32);

/// Where files go, by their old paths.
pub(super) type Moves = BTreeMap<RepoPath, RepoPath>;

/// Returns why the edits would change what code means; nothing if they are right.
///
/// # Errors
/// [`Failure::ConcurrentModification`] if a file changes meanwhile; `HOST_FAILED` if the host
/// throws.
pub(super) async fn check<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &CodeFacts<'_, H>,
    symbol: &RenamedSymbol,
    (edits, moves): (&Edits, &Moves),
    new_name: &str,
) -> Result<Vec<Refusal>, Failure> {
    let host = snapshot.host().edited(contents(edits, moves));
    let settings = settings_of_edited(snapshot.settings());
    let corrections = BTreeSet::new();
    let after = Snapshot::take(&host, &settings, None, Scope::Links, &corrections).await?;
    let mut after = CodeFacts::new(&after).await?;
    let after_path = |path: &RepoPath| moves.get(path).unwrap_or(path).clone();
    let homes = symbol.targets.iter().map(|(path, _)| after_path(path));
    after.load(&homes.collect()).await?;
    let mut targets = Targets::new();
    for (path, id) in &symbol.targets {
        let now = after_path(path);
        let Some(target) = renamed(code, &after, (path, *id), (edits, &now), new_name) else {
            let message =
                format!("With the name `{new_name}`, the definition in {path} is not read as one.");
            let refusal = Refusal::in_files(RefusalReason::InvalidName, 1, [path], message);
            return Ok(vec![refusal]);
        };
        targets.insert(target);
    }
    let mut family = targets.clone();
    extend(&mut after, new_name, &mut family).await?;
    let joined: Targets = family.difference(&targets).cloned().collect();
    if !joined.is_empty() {
        let message = format!("`{new_name}` is already the name of a definition that is related.");
        let files = joined.iter().map(|(path, _)| path);
        let count = joined.len();
        let refusal = Refusal::in_files(RefusalReason::NameTaken, count, files, message);
        return Ok(vec![refusal]);
    }
    let sites = references_to(&mut after, new_name, &targets).await?;
    let mut found = places(&sites);
    // What may also mean another definition of the new name is lost to it.
    for (site, _) in others_meant(&after, new_name, &sites, &targets) {
        found.remove(&(site.path, site.line, site.start_utf16));
    }
    let expected = places(&symbol.sites).into_iter();
    let expected = expected.map(|(path, line, column)| {
        let edited = edits.get(&path);
        let column = edited.map_or(column, |file| file.moved(line, column));
        (after_path(&path), line, column)
    });
    let expected = expected.collect();
    Ok(differences(&expected, &found, new_name))
}

fn places(sites: &[ReferenceSite]) -> BTreeSet<Place> {
    let resolved = sites
        .iter()
        .filter(|site| site.resolution == Resolution::Resolved);
    resolved
        .map(|site| (site.path.clone(), site.line, site.start_utf16))
        .collect()
}

/// Returns the files with their edits; `None` for one that moves away.
fn contents(edits: &Edits, moves: &Moves) -> BTreeMap<RepoPath, Option<Vec<u8>>> {
    let mut contents = BTreeMap::new();
    for (path, file) in edits {
        let bytes = file.edited();
        if let Some(to) = moves.get(path) {
            contents.insert(path.clone(), None);
            contents.insert(to.clone(), bytes);
        } else {
            contents.insert(path.clone(), bytes);
        }
    }
    contents
}

/// Returns the definition at the place of a renamed one, if it has the new name there.
fn renamed<H: Host>(
    code: &CodeFacts<'_, H>,
    after: &CodeFacts<'_, H>,
    (path, id): (&RepoPath, DefinitionId),
    (edits, now): (&Edits, &RepoPath),
    new_name: &str,
) -> Option<(RepoPath, DefinitionId)> {
    let before = code.world.facts(path)?;
    let position = before.facts.definition(id)?.name_position;
    let column = edits.get(path).map_or(position.start_utf16, |file| {
        file.moved(position.line, position.start_utf16)
    });
    let file = after.world.facts(now)?;
    let mut all = (0..).map(DefinitionId).zip(&file.facts.definitions);
    let found = all.find(|(_, one)| {
        let place = (one.name_position.line, one.name_position.start_utf16);
        let name = file.facts.name(one.name).trim_start_matches('~');
        place == (position.line, column) && name == new_name
    });
    Some((now.clone(), found?.0))
}

fn differences(
    expected: &BTreeSet<Place>,
    found: &BTreeSet<Place>,
    new_name: &str,
) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    let mut refuse = |reason, places: Vec<&Place>, would: &str| {
        if let [first, ..] = places.as_slice() {
            let (path, line, _) = first;
            let references = counted(places.len(), "reference");
            let message = format!(
                "With the name `{new_name}`, {references} would {would}, first in {path}, line {line}."
            );
            let files = places.iter().map(|(path, ..)| path);
            refusals.push(Refusal::in_files(reason, places.len(), files, message));
        }
    };
    refuse(
        RefusalReason::Captured,
        expected.difference(found).collect(),
        "mean something else",
    );
    refuse(
        RefusalReason::NameTaken,
        found.difference(expected).collect(),
        "mean the symbol that mean something else now",
    );
    refusals
}
