//! The rows of a file, from its facts and from what its references lead to.

use std::collections::BTreeMap;

use ragnav_base::host::Host;
use ragnav_base::item::{DefinitionKind, Evidence, ItemKind};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, byte_at_utf16, utf16_len, wire};
use ragnav_base::sort::SmallSort;
use ragnav_base::symbol_id::{SymbolId, module_of};
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::{DefinitionFact, DefinitionId, Facts, Position, ReferenceKind};

use super::item::{MeantDefinition, OccurrenceItem, PathPart, WholeDefinition};
use super::links::{Link, Origin};
use super::signature::signature;
use crate::code_facts::CodeFacts;
use crate::place_condition::condition_at;
use crate::reference_site::item_kind;
use crate::targets::Targets;

/// A file whose rows are made.
pub(super) struct RowFile<'q, H> {
    pub(super) snapshot: &'q Snapshot<'q, H>,
    pub(super) code: &'q CodeFacts<'q, H>,
    pub(super) path: &'q RepoPath,
    pub(super) file: &'q FileFacts,
    /// The text with its lines; `None` if nothing proves it.
    pub(super) text: Option<(String, LineIndex)>,
    pub(super) links: BTreeMap<Origin, Link>,
}

impl<H: Host> RowFile<'_, H> {
    /// Returns the definitions and the resolved references, in the order of the text.
    pub(super) fn rows(&self) -> Vec<OccurrenceItem> {
        let ids = (0u32..).map(DefinitionId);
        let definitions = self.facts().definitions.iter().zip(ids);
        let definitions = definitions.filter_map(|(fact, id)| self.definition(fact, id));
        let references = self.links.iter().filter_map(|(origin, link)| match origin {
            Origin::Reference(place) => Some((*place, link)),
            Origin::Override(_) => None,
        });
        let references = references.flat_map(|(place, link)| self.reference(place, link));
        let mut rows: Vec<OccurrenceItem> = definitions.chain(references).collect();
        rows.small_sort_by(|a, b| order(a).cmp(&order(b)));
        rows
    }

    /// Returns the number of references to members of objects of unknown type.
    pub(super) fn unknown(&self) -> usize {
        let unknown = self.links.values();
        unknown
            .filter(|link| link.is_unknown && link.targets.is_empty())
            .count()
    }

    fn facts(&self) -> &Facts {
        &self.file.facts
    }

    fn definition(&self, fact: &DefinitionFact, id: DefinitionId) -> Option<OccurrenceItem> {
        let (implements, is_proven) = self.implements(fact, id);
        let (start_line, start_utf16) = self.start_of(fact);
        let whole = WholeDefinition {
            start_line,
            start_utf16,
            end_line: fact.end_line,
            end_utf16: self.text.as_ref().map(|(text, lines)| {
                let line = lines.line(text, fact.end_line as usize);
                wire(utf16_len(line.trim_end()))
            }),
            signature: self.text.as_ref().map(|(text, lines)| {
                let range = (fact.start_line, fact.end_line);
                signature(text, lines, range, fact.name_position.line)
            }),
            docstring: fact.docstring.clone(),
            implements: self.meant(&implements),
        };
        let name = self.facts().name(fact.name);
        let at = fact.name_position;
        let end_utf16 = self.end_of(name, at).unwrap_or(at.start_utf16);
        Some(self.row(
            (at, end_utf16),
            ItemKind::Definition,
            meant(self.path, self.facts(), id)?,
            (is_proven, None),
            Some(whole),
        ))
    }

    /// Returns the bases of a class, or the methods that a method overrides, and whether they are
    /// proven.
    fn implements(&self, fact: &DefinitionFact, id: DefinitionId) -> (Targets, bool) {
        let origins: Vec<Origin> = match fact.kind {
            DefinitionKind::Method => vec![Origin::Override(id)],
            DefinitionKind::Class
            | DefinitionKind::Interface
            | DefinitionKind::Enum
            | DefinitionKind::Type => self.bases(id),
            DefinitionKind::Function | DefinitionKind::Namespace | DefinitionKind::Module => {
                Vec::new()
            }
        };
        let links = origins.iter().filter_map(|origin| self.links.get(origin));
        let is_proven = links.clone().all(|link| link.is_proven);
        let targets = links.flat_map(|link| link.targets.iter().cloned());
        (targets.collect(), is_proven)
    }

    /// Returns the references to the bases of a class.
    fn bases(&self, class: DefinitionId) -> Vec<Origin> {
        let bases = self.file.references_in(Some(class));
        let bases = bases.filter(|(_, one)| one.kind == ReferenceKind::Inherit);
        bases.map(|(index, _)| Origin::Reference(index)).collect()
    }

    fn reference(&self, place: usize, link: &Link) -> Vec<OccurrenceItem> {
        let Some(reference) = self.facts().references.get(place) else {
            return Vec::new();
        };
        let name = self.facts().name(reference.name);
        let Some(end_utf16) = self.end_of(name, reference.position) else {
            return Vec::new();
        };
        let kind = item_kind(reference.kind);
        let at = (reference.position, end_utf16);
        let meant = self.meant(&link.targets).into_iter();
        meant
            .map(|meant| self.row(at, kind, meant, (link.is_proven, link.evidence), None))
            .collect()
    }

    fn row(
        &self,
        (at, end_utf16): (Position, u32),
        kind: ItemKind,
        definition: MeantDefinition,
        (is_proven, evidence): (bool, Option<Evidence>),
        whole: Option<WholeDefinition>,
    ) -> OccurrenceItem {
        let provenance = self.provenance(is_proven);
        OccurrenceItem {
            file: self.path.to_string(),
            line: at.line,
            start_utf16: at.start_utf16,
            end_utf16,
            kind,
            definition,
            whole,
            evidence,
            source: provenance.source,
            freshness_state: provenance.freshness_state,
            proof: provenance.proof,
            condition: condition_at(self.path, &self.facts().conditions, at),
        }
    }

    fn provenance(&self, is_proven: bool) -> Provenance {
        if self.text.is_none() {
            return self.snapshot.unproven_provenance(self.path);
        }
        if is_proven {
            return self.snapshot.read_provenance(self.path);
        }
        Provenance::live(self.snapshot.live_proof(self.path))
    }

    /// Returns where a name ends; `None` if the text has another one there.
    fn end_of(&self, name: &str, at: Position) -> Option<u32> {
        let is_there = self.text.as_ref().is_none_or(|(text, lines)| {
            let line = lines.line(text, at.line as usize);
            let rest = line.get(byte_at_utf16(line, at.start_utf16 as usize)..);
            !name.is_empty() && rest.is_some_and(|rest| rest.starts_with(name))
        });
        is_there.then(|| at.start_utf16 + wire(utf16_len(name)))
    }

    /// Returns where a definition begins. A name may stand before it, as in `const f = () => 0`.
    fn start_of(&self, fact: &DefinitionFact) -> (u32, u32) {
        let line = fact.decorated_start_line;
        let column = if line == fact.start_line {
            fact.start_utf16
        } else {
            self.indent_of(line)
        };
        (line, column).min(place(fact.name_position))
    }

    fn indent_of(&self, line: u32) -> u32 {
        self.text.as_ref().map_or(0, |(text, lines)| {
            let line = lines.line(text, line as usize);
            let indent = line.len() - line.trim_start().len();
            wire(utf16_len(line.get(..indent).unwrap_or_default()))
        })
    }

    fn meant(&self, targets: &Targets) -> Vec<MeantDefinition> {
        let meant = targets.iter().filter_map(|(path, id)| {
            let file = self.code.world.facts(path)?;
            meant(path, &file.facts, *id)
        });
        meant.collect()
    }
}

fn place(position: Position) -> (u32, u32) {
    (position.line, position.start_utf16)
}

fn meant(path: &RepoPath, facts: &Facts, id: DefinitionId) -> Option<MeantDefinition> {
    let fact = facts.definition(id)?;
    let parts = path_of(facts, fact);
    let language = ragnav_syntax::detect_language(path);
    let module = module_of(path, language.and_then(|language| language.package_file));
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    Some(MeantDefinition {
        symbol: SymbolId::new(&module, &names.join(".")),
        ordinal: fact.ordinal,
        kind: fact.kind,
        file: path.to_string(),
        line: fact.name_position.line,
        path: parts,
    })
}

/// Returns the names from the top of a file to a definition.
fn path_of(facts: &Facts, fact: &DefinitionFact) -> Vec<PathPart> {
    let mut parts = Vec::new();
    let mut next = Some(fact);
    while let Some(one) = next {
        parts.push(PathPart {
            name: facts.name(one.name).to_owned(),
            kind: Some(one.kind),
            ordinal: one.ordinal,
        });
        let qualifier = one
            .qualifier
            .map(|name| facts.name(name))
            .unwrap_or_default();
        let objects = qualifier.split('.').rev().filter(|name| !name.is_empty());
        parts.extend(objects.map(|name| PathPart {
            name: name.to_owned(),
            kind: None,
            ordinal: 0,
        }));
        next = one.parent.and_then(|id| facts.definition(id));
    }
    parts.reverse();
    parts
}

/// Returns what the rows are ordered by.
fn order(row: &OccurrenceItem) -> (u32, u32, ItemKind, &str, &str, u32) {
    let meant = &row.definition;
    (
        row.line,
        row.start_utf16,
        row.kind,
        &meant.file,
        meant.symbol.as_str(),
        meant.ordinal,
    )
}
