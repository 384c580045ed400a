//! Checks a move: with its edits, the same references must mean the symbol, and the moved text what
//! it meant.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::host::Host;
use ragnav_base::item::{ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::snapshot::Snapshot;
use ragnav_resolve::{FileFacts, Resolver};
use ragnav_syntax::facts::{DefinitionId, Reference};

use super::cycles::{NewImports, cycles};
use super::files::OpenFiles;
use super::moved::Moved;
use super::rules::Rules;
use crate::code_facts::CodeFacts;
use crate::edit_plan::{
    LineColumn, Refusal, RefusalReason, counted, others_meant, settings_of_edited,
};
use crate::reference_site::ReferenceSite;
use crate::references::references_to;
use crate::targets::Targets;

/// A place: the file, the line and the column.
type Place = (RepoPath, u32, u32);

/// A definition, whatever file it is in now: its file before, its name path and its ordinal.
type Identity = (RepoPath, String, usize);

/// The number of rounds in which files are loaded that the moved text refers to.
const MAX_ROUNDS: usize = 16;

/// A move with all its edits.
pub(super) struct Move<'m> {
    pub(super) source: &'m RepoPath,
    pub(super) target: &'m RepoPath,
    pub(super) moved: &'m Moved,
    pub(super) files: &'m OpenFiles,
    pub(super) sites: &'m [ReferenceSite],
    /// The text as it stands in the target.
    pub(super) text: &'m str,
    pub(super) rules: &'m dyn Rules,
    pub(super) new_imports: &'m NewImports,
}

impl Move<'_> {
    /// Returns why the edits would change what code means; nothing if they are right.
    ///
    /// # Errors
    /// [`Failure::ConcurrentModification`] if a file changes meanwhile; `HOST_FAILED` if the host
    /// throws.
    pub(super) async fn check<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        code: &mut CodeFacts<'_, H>,
    ) -> Result<Vec<Refusal>, Failure> {
        let contents = self
            .files
            .iter()
            .map(|(path, file)| (path.clone(), file.changes.edited()));
        let host = snapshot.host().edited(contents.collect());
        let settings = settings_of_edited(snapshot.settings());
        let corrections = BTreeSet::new();
        let after = Snapshot::take(&host, &settings, None, Scope::Links, &corrections).await?;
        let mut after = CodeFacts::new(&after).await?;
        after.load(&BTreeSet::from([self.target.clone()])).await?;
        let Some(first) = self.first_line() else {
            return Ok(vec![self.unread()]);
        };
        let Some(id) = self.definition(code, &after, first) else {
            return Ok(vec![self.unread()]);
        };
        let targets = Targets::from([(self.target.clone(), id)]);
        let name = &self.moved.name;
        let sites = references_to(&mut after, name, &targets).await?;
        let mut refusals = self.differences(&after, &sites, first, &targets);
        refusals.extend(self.changed_meaning(code, &mut after, first).await?);
        refusals.extend(cycles(&mut after, self.rules, self.new_imports).await?);
        Ok(refusals)
    }

    /// Returns the line at which the text begins in the target.
    fn first_line(&self) -> Option<u32> {
        let target = self.files.get(self.target)?;
        Some(target.changes.place_of_new(self.text)?.0)
    }

    fn unread(&self) -> Refusal {
        let message = format!("In {}, the definition is not read as one.", self.target);
        Refusal::in_files(RefusalReason::Target, 1, [self.target], message)
    }

    /// Returns where a place of a file is after the move; `None` for one that an edit replaces.
    fn after(&self, path: &RepoPath, place: LineColumn, first: u32) -> Option<Place> {
        if path == self.source && self.moved.has_line(place.0) {
            let line = first + (place.0 - self.moved.lines.0);
            let start = self.moved_column(place);
            return Some((self.target.clone(), line, start));
        }
        let now = match self.files.get(path) {
            Some(file) => file.changes.place_after(place)?,
            None => place,
        };
        Some((path.clone(), now.0, now.1))
    }

    /// Returns the column of a place of the moved text, whose line may begin with a new keyword.
    fn moved_column(&self, (line, column): LineColumn) -> u32 {
        let Some(source) = self.files.get(self.source) else {
            return column;
        };
        let at = source.changes.place_of(self.moved.statement.start);
        let old = source.slice(self.moved.range.clone()).len();
        let added = self.text.replace("\r\n", "\n").len();
        let before = source
            .slice(self.moved.range.clone())
            .matches("\r\n")
            .count();
        let added = added.saturating_sub(old - before);
        if line == at.0 {
            column + ragnav_base::position::wire(added)
        } else {
            column
        }
    }

    fn definition<H: Host>(
        &self,
        code: &CodeFacts<'_, H>,
        after: &CodeFacts<'_, H>,
        first: u32,
    ) -> Option<DefinitionId> {
        let before = code.world.facts(self.source)?;
        let position = before
            .facts
            .definitions
            .get(self.moved.id.0 as usize)?
            .name_position;
        let place = (position.line, position.start_utf16);
        let (_, line, column) = self.after(self.source, place, first)?;
        let file = after.world.facts(self.target)?;
        let mut all = (0..).map(DefinitionId).zip(&file.facts.definitions);
        let found = all.find(|(_, one)| {
            let place = (one.name_position.line, one.name_position.start_utf16);
            place == (line, column) && file.facts.name(one.name) == self.moved.name
        });
        Some(found?.0)
    }

    fn differences<H: Host>(
        &self,
        after: &CodeFacts<'_, H>,
        sites: &[ReferenceSite],
        first: u32,
        targets: &Targets,
    ) -> Vec<Refusal> {
        let resolved = |site: &&ReferenceSite| site.resolution == Resolution::Resolved;
        let place = |site: &ReferenceSite| (site.path.clone(), site.line, site.start_utf16);
        let mut found: BTreeMap<Place, ItemKind> = sites
            .iter()
            .filter(resolved)
            .map(|site| (place(site), site.kind))
            .collect();
        for (site, _) in others_meant(after, &self.moved.name, sites, targets) {
            found.remove(&place(&site));
        }
        let expected = self.sites.iter().filter(resolved);
        let expected: BTreeSet<Place> = expected
            .filter_map(|site| self.after(&site.path, (site.line, site.start_utf16), first))
            .collect();
        let lost: Vec<&Place> = expected
            .iter()
            .filter(|one| !found.contains_key(*one))
            .collect();
        let is_new = |(place, kind): &(&Place, &ItemKind)| {
            **kind != ItemKind::Import
                && !expected.contains(*place)
                && !self.is_in_list(after, place)
        };
        let gained: Vec<&Place> = found
            .iter()
            .filter(is_new)
            .map(|(place, _)| place)
            .collect();
        let lost = self.refusal(RefusalReason::Captured, &lost, "mean something else");
        let gained = self.refusal(
            RefusalReason::NameTaken,
            &gained,
            "mean the symbol that mean something else now",
        );
        lost.into_iter().chain(gained).collect()
    }

    /// Reports whether a place is a name in a list of exported names, which the edits add to.
    fn is_in_list<H: Host>(&self, after: &CodeFacts<'_, H>, (path, line, column): &Place) -> bool {
        let file = after.world.facts(path);
        path == self.target
            && file.is_some_and(|file| {
                let is_listed = file.facts.exports.iter().flatten();
                let mut listed = is_listed.map(|name| file.facts.name(*name));
                let edited = self.files.get(path).and_then(|one| one.changes.edited());
                let text = edited.and_then(|bytes| String::from_utf8(bytes).ok());
                let line = text
                    .as_deref()
                    .and_then(|text| text.lines().nth(*line as usize - 1));
                let at = *column as usize;
                let is_quoted = line.is_some_and(|line| {
                    let near = line.get(at.saturating_sub(1)..(at + 1).min(line.len()));
                    near.is_some_and(|near| near.contains(['"', '\'']))
                });
                is_quoted && listed.any(|name| name == self.moved.name)
            })
    }

    fn refusal(&self, reason: RefusalReason, places: &[&Place], would: &str) -> Option<Refusal> {
        let (path, line, _) = places.first()?;
        let message = format!(
            "With `{}` in {}, {} would {would}, first in {path}, line {line}.",
            self.moved.name,
            self.target,
            counted(places.len(), "reference")
        );
        let files = places.iter().map(|(path, ..)| path);
        Some(Refusal::in_files(reason, places.len(), files, message))
    }

    /// Returns the refusal for names in the moved text that would mean something else.
    async fn changed_meaning<H: Host, A: Host>(
        &self,
        code: &mut CodeFacts<'_, H>,
        after: &mut CodeFacts<'_, A>,
        first: u32,
    ) -> Result<Option<Refusal>, Failure> {
        let before = self.meanings(code, self.source).await?;
        let now = self.meanings(after, self.target).await?;
        let mut changed = Vec::new();
        for ((line, column), meaning) in before {
            if !self.moved.has_line(line) {
                continue;
            }
            let Some((path, line, column)) = self.after(self.source, (line, column), first) else {
                continue;
            };
            if now.get(&(line, column)) != Some(&meaning) {
                changed.push((path, line, column));
            }
        }
        let places: Vec<&Place> = changed.iter().collect();
        Ok(self.refusal(RefusalReason::Captured, &places, "mean something else"))
    }

    /// Returns what the references of a file mean, by place.
    async fn meanings<H: Host>(
        &self,
        code: &mut CodeFacts<'_, H>,
        path: &RepoPath,
    ) -> Result<BTreeMap<LineColumn, BTreeSet<Identity>>, Failure> {
        let mut found = BTreeMap::new();
        let Some(file) = code.world.facts(path) else {
            return Ok(found);
        };
        for _ in 0..MAX_ROUNDS {
            found = self.meanings_now(code, path, &file);
            let missing = code.world.take_missing();
            if missing.is_empty() {
                break;
            }
            code.load(&missing).await?;
        }
        Ok(found)
    }

    fn meanings_now<H: Host>(
        &self,
        code: &CodeFacts<'_, H>,
        path: &RepoPath,
        file: &FileFacts,
    ) -> BTreeMap<LineColumn, BTreeSet<Identity>> {
        let resolver = Resolver::new(&code.world);
        let mut found: BTreeMap<LineColumn, BTreeSet<Identity>> = BTreeMap::new();
        let of_source = |one: &&Reference| path != self.source || self.moved.contains(one);
        for reference in file.facts.references.iter().filter(of_source) {
            let meaning = resolver.resolve_reference(path, file, reference);
            let places = resolver.definitions(&meaning);
            let identities = places.filter_map(|(path, id)| self.identity(code, path, id));
            let place = (reference.position.line, reference.position.start_utf16);
            found.entry(place).or_default().extend(identities);
        }
        found
    }

    /// Returns what identifies a definition before and after the move.
    fn identity<H: Host>(
        &self,
        code: &CodeFacts<'_, H>,
        path: &RepoPath,
        id: DefinitionId,
    ) -> Option<Identity> {
        let definitions = code.definitions(path)?;
        let symbol = definitions.symbols.get(id.0 as usize)?;
        let is_moved = symbol.name_path.split('.').next() == Some(self.moved.name.as_str());
        let home = if is_moved && path == self.target {
            self.source
        } else {
            path
        };
        Some((home.clone(), symbol.name_path.clone(), symbol.ordinal))
    }
}
