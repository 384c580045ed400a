//! Why an answer about references may lack some: candidates, strings with the name, names that code
//! computes, other languages, and what could not be looked at.

use std::collections::BTreeSet;

use ragnav_base::completeness::{Doubt, DoubtReason};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{DefinitionKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::symbol_id;
use ragnav_resolve::{ComputedNames, Resolver, computed_names, is_resolved_by_name, share_family};

use crate::code_facts::CodeFacts;
use crate::find_definitions::FoundDefinition;
use crate::mentions::{Mentions, code_with, mentions};
use crate::modules::FoundModule;
use crate::reference_site::ReferenceSite;
use crate::targets::targets;

/// Returns why there may be other references to some definitions than these sites.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn reference_doubts<H: Host>(
    code: &mut CodeFacts<'_, H>,
    definitions: &[FoundDefinition],
    names: &BTreeSet<String>,
    sites: &[ReferenceSite],
) -> Result<Vec<Doubt>, RagnavError> {
    if definitions.is_empty() {
        return Ok(Vec::new());
    }
    let mut doubts: Vec<Doubt> = candidates(sites).into_iter().collect();
    doubts.extend(by_name(definitions));
    doubts.extend(outside_base(code, definitions));
    doubts.extend(unnamed(code, definitions));
    let homes: Vec<&RepoPath> = definitions.iter().map(|found| &found.path).collect();
    doubts.extend(mention_doubts(mentions(code, names, &homes).await?));
    code.find_unparsed(names).await?;
    let homes: Vec<(&RepoPath, bool)> = definitions
        .iter()
        .map(|found| (&found.path, found.definition.kind == DefinitionKind::Method))
        .collect();
    doubts.extend(computed(code, &homes).await?);
    Ok(doubts)
}

/// Returns the doubt about code with a name of which no definition is known.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn undefined_doubt<H: Host>(
    code: &mut CodeFacts<'_, H>,
    undefined: Option<&str>,
) -> Result<Option<Doubt>, RagnavError> {
    let Some(symbol) = undefined else {
        return Ok(None);
    };
    let last = symbol.rsplit(['.', ':', '#']).next().unwrap_or(symbol);
    let found = code_with(code, last).await?;
    let files = found.files.iter().map(RepoPath::to_string);
    let doubt = if found.is_cut {
        Doubt::general(DoubtReason::Undefined)
    } else {
        Doubt::in_files(DoubtReason::Undefined, files.len(), files)
    };
    Ok((!found.files.is_empty()).then_some(doubt))
}

/// Returns why there may be other imports of some modules than those that were found.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn module_doubts<H: Host>(
    code: &mut CodeFacts<'_, H>,
    modules: &[FoundModule],
) -> Result<Vec<Doubt>, RagnavError> {
    if modules.is_empty() {
        return Ok(Vec::new());
    }
    let homes: Vec<&RepoPath> = modules.iter().map(|found| &found.path).collect();
    let names = modules.iter().filter_map(|found| {
        let id = symbol_id::display(found.definition.symbol.as_str());
        id.rsplit('.').next().map(str::to_owned)
    });
    let mut doubts = mention_doubts(mentions(code, &names.collect(), &homes).await?);
    let resolver = Resolver::new(&code.world);
    let is_untracked = !homes.iter().all(|home| resolver.finds_importers(home));
    let homes: Vec<(&RepoPath, bool)> = homes.into_iter().map(|home| (home, false)).collect();
    doubts.extend(computed(code, &homes).await?);
    let is_said = doubts
        .iter()
        .any(|doubt| doubt.reason == DoubtReason::Untracked);
    if is_untracked && !is_said {
        doubts.push(Doubt::general(DoubtReason::Untracked));
    }
    Ok(doubts)
}

/// Returns the doubt about references that only share the name.
pub(super) fn candidates(sites: &[ReferenceSite]) -> Option<Doubt> {
    let candidates = sites
        .iter()
        .filter(|site| site.resolution == Resolution::Candidate);
    let count = candidates.clone().count();
    let files: BTreeSet<String> = candidates.map(|site| site.path.to_string()).collect();
    (count > 0).then(|| Doubt::in_files(DoubtReason::Candidates, count, files))
}

fn by_name(definitions: &[FoundDefinition]) -> Option<Doubt> {
    let mut homes = definitions.iter().map(|found| &found.path);
    homes
        .any(is_resolved_by_name)
        .then(|| Doubt::general(DoubtReason::ByName))
}

/// Returns the doubt about a method that code may call through a base from outside.
fn outside_base<H: Host>(
    code: &CodeFacts<'_, H>,
    definitions: &[FoundDefinition],
) -> Option<Doubt> {
    let resolver = Resolver::new(&code.world);
    targets(definitions)
        .iter()
        .any(|(path, id)| resolver.may_override_unknown(path, *id))
        .then(|| Doubt::general(DoubtReason::OutsideBase))
}

/// Returns the doubt about definitions that code can run without their names.
fn unnamed<H: Host>(code: &CodeFacts<'_, H>, definitions: &[FoundDefinition]) -> Option<Doubt> {
    let resolver = Resolver::new(&code.world);
    targets(definitions)
        .iter()
        .any(|(path, id)| resolver.runs_unnamed(path, *id))
        .then(|| Doubt::general(DoubtReason::Unnamed))
}

fn mention_doubts(mentions: Mentions) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    if mentions.is_cut {
        doubts.push(Doubt::general(DoubtReason::Strings));
    } else if mentions.strings > 0 {
        let files = mentions.files_with_strings;
        doubts.push(Doubt::in_files(
            DoubtReason::Strings,
            mentions.strings,
            files,
        ));
    }
    if mentions.in_macros > 0 {
        let files = mentions.files_with_macros;
        doubts.push(Doubt::in_files(
            DoubtReason::Macros,
            mentions.in_macros,
            files,
        ));
    }
    let others = mentions.other_languages;
    if !others.is_empty() {
        let count = others.len();
        doubts.push(Doubt::in_files(DoubtReason::OtherLanguages, count, others));
    }
    doubts
}

/// Returns the doubts about names that code computes.
async fn computed<H: Host>(
    code: &mut CodeFacts<'_, H>,
    homes: &[(&RepoPath, bool)],
) -> Result<Vec<Doubt>, RagnavError> {
    let mut is_untracked = false;
    let mut computing = BTreeSet::new();
    let mut asked: Vec<(&RepoPath, &[&str])> = Vec::new();
    for (home, is_member) in homes {
        match computed_names(home, *is_member) {
            ComputedNames::Never => {}
            ComputedNames::BySyntax => is_untracked = true,
            ComputedNames::ByCalls(functions) => {
                let is_asked = |&(other, of): &_| of == functions && share_family(other, home);
                if !asked.iter().any(is_asked) {
                    asked.push((home, functions));
                    computing.extend(code.files_computing(home, functions).await?);
                }
            }
        }
    }
    let mut doubts = Vec::new();
    if !computing.is_empty() {
        let files = computing.iter().map(RepoPath::to_string);
        doubts.push(Doubt::in_files(
            DoubtReason::Computed,
            computing.len(),
            files,
        ));
    }
    if is_untracked {
        doubts.push(Doubt::general(DoubtReason::Untracked));
    }
    Ok(doubts)
}
