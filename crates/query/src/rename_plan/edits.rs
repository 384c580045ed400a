//! The edits of a rename: where the name stands in the texts of files.

use std::collections::BTreeMap;

use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
use ragnav_base::host::Host;
use ragnav_base::item::{ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, byte_at_utf16, utf16_len, wire};
use ragnav_base::sort::SmallSort;
use ragnav_base::text;
use ragnav_base::text_edit::{TextEdit, edited_bytes};
use ragnav_index::content::ContentHash;
use ragnav_repository::failure::Failure;
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;
use ragnav_resolve::Resolver;
use ragnav_syntax::ShorthandNames;
use ragnav_syntax::facts::{Position, Receiver, Reference};

use super::symbol::RenamedSymbol;
use crate::code_facts::CodeFacts;
use crate::edit_plan::{PlannedEdit, Refusal, RefusalReason};
use crate::reference_site::ReferenceSite;

/// The edits of one file, with the contents that they are made for.
pub(super) struct FileEdits {
    pub(super) bytes: Vec<u8>,
    pub(super) edits: Vec<NameEdit>,
    provenance: Provenance,
}

/// One place where the name is written.
#[derive(Debug, Clone)]
pub(super) struct NameEdit {
    pub(super) edit: TextEdit,
    kind: ItemKind,
    resolution: Option<Resolution>,
}

/// The edits of a rename, by file.
pub(super) type Edits = BTreeMap<RepoPath, FileEdits>;

/// A place where the name may be written.
struct Place {
    position: Position,
    /// The length of the name there, in UTF-16 code units; `None` if it is not known.
    len_utf16: Option<u32>,
    kind: ItemKind,
    resolution: Option<Resolution>,
    /// Whether the name is that of a property, and a variable there keeps it: `{ total }`.
    is_property: bool,
}

/// What a rename replaces.
pub(super) struct Replacement<'r> {
    pub(super) old: &'r str,
    pub(super) new: &'r str,
    /// Whether a property keeps its name where its value is renamed: `{ total }` becomes
    /// `{ total: price }`.
    pub(super) keeps_properties: bool,
}

/// Returns the edits at the definitions of a symbol and at references to it. A reference by another
/// name needs none.
///
/// # Errors
/// [`Failure::ConcurrentModification`] if a file is not the one that its facts belong to;
/// `HOST_FAILED` if the host throws.
pub(super) async fn edits<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &CodeFacts<'_, H>,
    symbol: &RenamedSymbol,
    sites: &[&ReferenceSite],
    replacement: &Replacement<'_>,
) -> Result<(Edits, Vec<Refusal>), Failure> {
    let mut edits = Edits::new();
    let mut refusals = Vec::new();
    for (path, places) in places(code, symbol, sites) {
        let changed = || snapshot.contradicted(&path);
        let bytes = snapshot.read(&path).await?.map_err(|_| changed())?;
        if !code.is_of(&path, &bytes) {
            return Err(changed());
        }
        let decoded = text::decode(&bytes).map_err(|_| changed())?;
        if let Some(encoding) = decoded.encoding() {
            refusals.push(not_utf8(&path, &encoding));
            continue;
        }
        let text = TextOfFile::new(&decoded, &path, replacement);
        let mut found = Vec::new();
        for place in &places {
            match text.edit(place) {
                Some(edit) => {
                    found.push(edit);
                    found.extend(text.alias_edit(place));
                }
                // A reference by another name needs no edit, but a definition has the name
                // somewhere.
                None if place.kind == ItemKind::Definition => {
                    refusals.push(unwritten(&path, place.position));
                }
                None => {}
            }
        }
        found.small_sort_by(|a, b| a.edit.cmp(&b.edit));
        found.dedup_by(|a, b| a.edit == b.edit);
        let provenance = snapshot.provenance(&path, &bytes);
        drop(decoded);
        edits.insert(
            path,
            FileEdits {
                bytes,
                edits: found,
                provenance,
            },
        );
    }
    edits.retain(|_, file| !file.edits.is_empty());
    Ok((edits, refusals))
}

fn not_utf8(path: &RepoPath, encoding: &str) -> Refusal {
    let message = format!("{path} is in {encoding}; only files in UTF-8 can be edited.");
    Refusal::in_files(RefusalReason::Encoding, 1, [path], message)
}

fn unwritten(path: &RepoPath, position: Position) -> Refusal {
    let line = position.line;
    let message = format!("The name is not written as such in {path}, line {line}.");
    Refusal::in_files(RefusalReason::Unwritten, 1, [path], message)
}

fn places<H: Host>(
    code: &CodeFacts<'_, H>,
    symbol: &RenamedSymbol,
    sites: &[&ReferenceSite],
) -> BTreeMap<RepoPath, Vec<Place>> {
    let mut places: BTreeMap<RepoPath, Vec<Place>> = BTreeMap::new();
    for (path, id) in &symbol.targets {
        let file = code.world.facts(path);
        let definition = file.as_ref().and_then(|file| file.facts.definition(*id));
        let Some(definition) = definition else {
            continue;
        };
        places.entry(path.clone()).or_default().push(Place {
            position: definition.name_position,
            len_utf16: None,
            kind: ItemKind::Definition,
            resolution: None,
            is_property: false,
        });
    }
    for site in sites {
        let position = Position {
            line: site.line,
            start_utf16: site.start_utf16,
        };
        places.entry(site.path.clone()).or_default().push(Place {
            position,
            is_property: names_property(code, symbol, (&site.path, position)),
            len_utf16: Some(site.end_utf16 - site.start_utf16),
            kind: site.kind,
            resolution: Some(site.resolution),
        });
    }
    places
}

/// Reports whether the name at a place refers to a target as a property of an object, and not as
/// the variable whose value the property gets.
fn names_property<H: Host>(
    code: &CodeFacts<'_, H>,
    symbol: &RenamedSymbol,
    (path, at): (&RepoPath, Position),
) -> bool {
    let Some(file) = code.world.facts(path) else {
        return false;
    };
    let resolver = Resolver::new(&code.world);
    let references = file.facts.references_at(at.line, at.start_utf16);
    let (properties, others): (Vec<_>, Vec<_>) = references
        .iter()
        .partition(|one| matches!(one.receiver, Receiver::Itself(_)));
    let means_target = |reference: &&Reference| {
        let meaning = resolver.resolve_reference(path, &file, reference);
        let mut meant = resolver.definitions(&meaning);
        meant.any(|(path, id)| symbol.targets.contains(&(path.clone(), id)))
    };
    !properties.is_empty() && !others.iter().any(means_target)
}

/// A text in which names are looked up.
struct TextOfFile<'t> {
    text: &'t str,
    lines: LineIndex,
    shorthand: ShorthandNames,
    replacement: &'t Replacement<'t>,
}

impl<'t> TextOfFile<'t> {
    fn new(text: &'t str, path: &RepoPath, replacement: &'t Replacement<'t>) -> Self {
        let language = ragnav_syntax::detect_language(path);
        let shorthand = language.map(|one| ragnav_syntax::shorthand_names(one, text));
        Self {
            text,
            lines: LineIndex::new(text),
            shorthand: shorthand.unwrap_or_default(),
            replacement,
        }
    }

    /// Returns the edit at a place, if the name is written there.
    fn edit(&self, place: &Place) -> Option<NameEdit> {
        let Replacement { old, new, .. } = *self.replacement;
        let line = self.lines.line(self.text, place.position.line as usize);
        let column = place.position.start_utf16 as usize;
        let from = line.get(byte_at_utf16(line, column)..)?;
        // A destructor begins with `~`, a symbol of Ruby with `:`, and a name can be quoted.
        let before = match place.kind {
            ItemKind::Definition => {
                from.len() - from.trim_start_matches(['~', ':', '"', '\'']).len()
            }
            _ => 0,
        };
        let after = from.get(before..)?.strip_prefix(old)?;
        let is_longer = match place.len_utf16 {
            Some(len) => len != wire(utf16_len(old)),
            None => after.starts_with(|next: char| next.is_alphanumeric() || "_$".contains(next)),
        };
        if is_longer {
            return None;
        }
        let ShorthandNames { properties, keys } = &self.shorthand;
        let is_candidate = place.resolution == Some(Resolution::Candidate);
        let is_shorthand = properties.contains(&place.position);
        let new_text = if place.is_property && is_shorthand {
            format!("{new}: {old}")
        } else if self.replacement.keeps_properties && is_shorthand {
            format!("{old}: {new}")
        } else if is_candidate && keys.contains(&place.position) {
            // The variable is of an unknown value, and its uses keep their name.
            format!("{new}: {old}")
        } else {
            new.to_owned()
        };
        Some(NameEdit {
            edit: TextEdit {
                line: place.position.line,
                start_utf16: place.position.start_utf16 + wire(before),
                old_text: old.to_owned(),
                new_text,
            },
            kind: place.kind,
            resolution: place.resolution,
        })
    }

    /// Returns the edit at the alias of an import that repeats the name, as in `import f as f`.
    /// Python exports a name so, and other files import it by the alias.
    fn alias_edit(&self, place: &Place) -> Option<NameEdit> {
        if place.kind != ItemKind::Import {
            return None;
        }
        let Position { line, start_utf16 } = place.position;
        let text = self.lines.line(self.text, line as usize);
        let end = byte_at_utf16(text, start_utf16 as usize) + self.replacement.old.len();
        let alias = after_as(text.get(end..)?)?;
        let before = text.get(..text.len() - alias.len())?;
        self.edit(&Place {
            position: Position {
                line,
                start_utf16: wire(utf16_len(before)),
            },
            len_utf16: None,
            kind: place.kind,
            resolution: place.resolution,
            is_property: false,
        })
    }
}

/// Returns the rest of a text after the word `as` between spaces, if it begins with that.
fn after_as(text: &str) -> Option<&str> {
    let alias = text.trim_start().strip_prefix("as")?;
    let is_word = text.starts_with(char::is_whitespace) && alias.starts_with(char::is_whitespace);
    is_word.then(|| alias.trim_start())
}

/// Reports whether some value keeps the name of its property.
pub(super) fn keeps_a_property(edits: &Edits, new: &str) -> bool {
    let mut all = edits.values().flat_map(|file| &file.edits);
    all.any(|one| one.edit.new_text != new)
}

impl FileEdits {
    /// Returns the edited contents; `None` if the edits do not fit, which would be a defect.
    pub(super) fn edited(&self) -> Option<Vec<u8>> {
        let edits: Vec<TextEdit> = self.edits.iter().map(|one| one.edit.clone()).collect();
        edited_bytes(&self.bytes, &edits).ok()
    }

    /// Returns the hash of the contents that the edits are made for.
    pub(super) fn hash(&self) -> String {
        ContentHash::of(&self.bytes).to_hex()
    }

    /// Returns the edits as rows.
    pub(super) fn rows(&self, path: &RepoPath) -> impl Iterator<Item = PlannedEdit> {
        let Provenance {
            source,
            freshness_state,
            proof,
        } = self.provenance;
        self.edits
            .iter()
            .map(move |edit| edit.row(path, (source, freshness_state, proof)))
    }

    /// Returns where a column of a line is after the edits.
    pub(super) fn moved(&self, line: u32, start_utf16: u32) -> u32 {
        let before = self
            .edits
            .iter()
            .map(|one| &one.edit)
            .filter(|edit| edit.line == line && edit.start_utf16 < start_utf16);
        let own = self
            .edits
            .iter()
            .map(|one| &one.edit)
            .find(|edit| edit.line == line && edit.start_utf16 == start_utf16);
        // In `total: price`, the value comes after the property that keeps its name.
        let own = own.map_or(0, |edit| {
            let kept = format!("{}: ", edit.old_text);
            if edit.new_text.starts_with(&kept) {
                utf16_len(&kept)
            } else {
                0
            }
        });
        let mut column = i64::from(start_utf16) + i64::from(wire(own));
        for edit in before {
            column += i64::from(wire(utf16_len(&edit.new_text)));
            column -= i64::from(wire(utf16_len(&edit.old_text)));
        }
        u32::try_from(column).unwrap_or_default()
    }
}

impl NameEdit {
    fn row(
        &self,
        path: &RepoPath,
        (source, freshness_state, proof): (SourceTag, FreshnessState, Proof),
    ) -> PlannedEdit {
        PlannedEdit {
            file: path.to_string(),
            edit: self.edit.clone(),
            kind: self.kind,
            resolution: self.resolution,
            source,
            freshness_state,
            proof,
        }
    }
}
