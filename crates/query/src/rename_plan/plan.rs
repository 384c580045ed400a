//! Makes the edits of a rename, and finds why they must not be applied.

use ragnav_base::host::Host;
use ragnav_base::item::Resolution;
use ragnav_base::path::RepoPath;
use ragnav_repository::failure::Failure;
use ragnav_repository::snapshot::Snapshot;

use super::check::{Moves, check};
use super::edits::{Edits, Replacement, edits, keeps_a_property};
use super::symbol::RenamedSymbol;
use super::{CandidateRule, RenamePlan, RenameRisk};
use crate::code_facts::CodeFacts;
use crate::edit_plan::{EditedFile, Refusal, RefusalReason, counted};
use crate::reference_site::ReferenceSite;

/// The largest number of edits.
const MAX_EDITS: usize = 10_000;

/// The edits of a plan, and why it must not be applied.
pub(super) struct Planned {
    pub(super) edits: Edits,
    moves: Moves,
    pub(super) refusals: Vec<Refusal>,
}

impl Planned {
    pub(super) fn files(&self) -> Vec<EditedFile> {
        let files = self.edits.iter().map(|(path, file)| EditedFile {
            file: path.to_string(),
            hash: Some(file.hash()),
            moves_to: self.moves.get(path).map(RepoPath::to_string),
        });
        files.collect()
    }
}

impl RenamePlan {
    /// Returns the candidates that keep their name.
    pub(super) fn left<'s>(
        &self,
        symbol: &'s RenamedSymbol,
    ) -> impl Iterator<Item = &'s ReferenceSite> {
        let rule = self.options.candidates.unwrap_or_default();
        let sites = symbol.sites.iter();
        sites.filter(move |site| {
            site.resolution == Resolution::Candidate && rule != CandidateRule::Rename
        })
    }

    pub(super) async fn plan<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        code: &CodeFacts<'_, H>,
        symbol: &RenamedSymbol,
    ) -> Result<Planned, Failure> {
        let mut refusals = self.refusals(code, symbol);
        let rule = self.options.candidates.unwrap_or_default();
        let renamed = symbol.sites.iter();
        let renamed: Vec<&ReferenceSite> = renamed
            .filter(|site| site.resolution == Resolution::Resolved || rule == CandidateRule::Rename)
            .collect();
        if renamed.len() > MAX_EDITS {
            let message = format!("More than {MAX_EDITS} places would have to be edited.");
            refusals.push(Refusal::new(RefusalReason::Limit, message));
            return Ok(Planned {
                edits: Edits::new(),
                moves: Moves::new(),
                refusals,
            });
        }
        let mut replacement = Replacement {
            old: &symbol.name,
            new: &self.new_name,
            keeps_properties: true,
        };
        let (mut edits_now, mut unedited) =
            edits(snapshot, code, symbol, &renamed, &replacement).await?;
        let moves = moves(code, symbol, &self.new_name);
        let mut wrong = check(snapshot, code, symbol, (&edits_now, &moves), &self.new_name).await?;
        // Where the property is how others refer to the symbol, both get the new name.
        if !wrong.is_empty() && keeps_a_property(&edits_now, &self.new_name) {
            replacement.keeps_properties = false;
            (edits_now, unedited) = edits(snapshot, code, symbol, &renamed, &replacement).await?;
            wrong = check(snapshot, code, symbol, (&edits_now, &moves), &self.new_name).await?;
        }
        if unedited.is_empty() {
            refusals.append(&mut wrong);
        }
        refusals.append(&mut unedited);
        Ok(Planned {
            edits: edits_now,
            moves,
            refusals,
        })
    }

    /// Returns why the references do not allow a rename.
    fn refusals<H: Host>(&self, code: &CodeFacts<'_, H>, symbol: &RenamedSymbol) -> Vec<Refusal> {
        let mut refusals = Vec::new();
        let candidates: Vec<&ReferenceSite> = self.left(symbol).collect();
        let rule = self.options.candidates.unwrap_or_default();
        if rule == CandidateRule::Refuse && !candidates.is_empty() {
            let message = format!(
                "{} may mean the symbol, but only its name matches; look at `candidates`, then \
                 choose to leave or to rename them.",
                counted(candidates.len(), "reference")
            );
            let files = candidates.iter().map(|site| &site.path);
            refusals.push(Refusal::in_files(
                RefusalReason::Candidates,
                candidates.len(),
                files,
                message,
            ));
        }
        if symbol.shared_count > 0 {
            let message = format!(
                "{} may also mean other definitions named `{}`.",
                counted(symbol.shared_count, "reference"),
                symbol.name
            );
            refusals.push(Refusal::in_files(
                RefusalReason::Shared,
                symbol.shared_count,
                &symbol.shared,
                message,
            ));
        }
        if symbol.name.ends_with('=') && symbol.targets.iter().any(|(path, _)| is_ruby(path)) {
            let stem = symbol.name.trim_end_matches('=');
            let message = format!(
                "Code calls `{}` as in `a.{stem} = b`, without that name; rename it by hand.",
                symbol.name
            );
            let files = symbol.targets.iter().map(|(path, _)| path);
            refusals.push(Refusal::in_files(
                RefusalReason::Unwritten,
                1,
                files,
                message,
            ));
        }
        let outside = symbol.outside_bases(code);
        if !outside.is_empty() && !self.accepts(RenameRisk::OutsideBase) {
            let message = "A class from outside of the repository, or the type of an object, may \
                           declare this method; accept `outside_base` if none does.";
            let files = outside.iter().map(|(path, _)| path);
            refusals.push(Refusal::in_files(
                RefusalReason::OutsideBase,
                outside.len(),
                files,
                message,
            ));
        }
        refusals
    }

    pub(super) fn accepts(&self, risk: RenameRisk) -> bool {
        let accepted = self.options.accept.as_deref().unwrap_or_default();
        accepted.contains(&risk)
    }
}

fn is_ruby(path: &RepoPath) -> bool {
    ragnav_syntax::detect_language(path).is_some_and(|language| language.name == "ruby")
}

/// Returns where the files go that have to have the name of their class.
fn moves<H: Host>(code: &CodeFacts<'_, H>, symbol: &RenamedSymbol, new_name: &str) -> Moves {
    let mut moves = Moves::new();
    for (path, id) in &symbol.targets {
        let language = ragnav_syntax::detect_language(path).map(|language| language.name);
        let is_named = matches!(language, Some("java" | "php"));
        let file = code.world.facts(path);
        let is_at_top = file.is_some_and(|file| {
            let definition = file.facts.definition(*id);
            definition.is_some_and(|found| found.parent.is_none())
        });
        let extension = path.extension().unwrap_or_default();
        let own = format!("{}.{extension}", symbol.name);
        if !is_named || !is_at_top || path.name() != own {
            continue;
        }
        let folder = path.parent().unwrap_or_else(RepoPath::root);
        let target = folder.join(&format!("{new_name}.{extension}"));
        if let Some(target) = target {
            moves.insert(path.clone(), target);
        }
    }
    moves
}
