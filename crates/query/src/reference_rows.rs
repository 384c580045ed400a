//! The places of references, and the rows that are made of them.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::Xxh3;

use crate::code_facts::{CodeFacts, CodeOutcome};
use crate::enrichment::Enrichments;
use crate::file_definitions::FileDefinitions;
use crate::file_enrichment::FileEnrichment;
use crate::page::PageEnd;
use ragnav_base::host::Host;
use ragnav_base::item::{ItemKind, NavItem, Resolution, Snippet, SnippetLocation};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, byte_at_utf16, utf16_len, wire};
use ragnav_base::text;
use ragnav_matching::snippet;
use ragnav_repository::failure::{Failure, add_message, add_partial};
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::{ReadOutcome, Snapshot};
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::{Reference, ReferenceKind};

/// The place of a reference and what is known of it. In the order of rows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ReferenceSite {
    pub(super) resolution: Resolution,
    pub(super) path: RepoPath,
    pub(super) line: u32,
    pub(super) start_utf16: u32,
    pub(super) end_utf16: u32,
    pub(super) kind: ItemKind,
    /// Whether every file that says so is proven to be as it was indexed.
    pub(super) is_proven: bool,
}

impl ReferenceSite {
    pub(super) fn new(
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
        resolution: Resolution,
        is_proven: bool,
    ) -> Self {
        let name = file.facts.name(reference.name);
        Self {
            resolution,
            path: path.clone(),
            line: reference.position.line,
            start_utf16: reference.position.start_utf16,
            end_utf16: reference.position.start_utf16 + wire(utf16_len(name)),
            kind: match reference.kind {
                ReferenceKind::Call => ItemKind::Call,
                ReferenceKind::Import => ItemKind::Import,
                ReferenceKind::Inherit => ItemKind::Inherit,
                ReferenceKind::Reference => ItemKind::Reference,
            },
            is_proven,
        }
    }
}

/// Makes rows of sites. Each file is read once, and must be what its facts are of.
pub(super) struct Rows<'q, H> {
    pub(super) snapshot: &'q Snapshot<'q, H>,
    pub(super) code: &'q CodeFacts<'q, H>,
    pub(super) enrichments: &'q Enrichments,
}

/// A file with rows.
struct RowFile {
    /// `None` where the file is not to be shown, since nothing proves what it holds.
    text: Option<String>,
    definitions: FileDefinitions,
    enrichment: FileEnrichment,
}

impl<H: Host> Rows<'_, H> {
    /// The rows of some sites, in their order.
    ///
    /// # Errors
    /// [`Failure::ConcurrentModification`] where a file is not what its facts are of; `HOST_FAILED` where the host throws.
    pub(super) async fn make(&self, sites: &[ReferenceSite]) -> Result<Vec<NavItem>, Failure> {
        let mut files: BTreeMap<&RepoPath, RowFile> = BTreeMap::new();
        let mut rows = Vec::with_capacity(sites.len());
        for site in sites {
            if !files.contains_key(&site.path) {
                files.insert(&site.path, self.file(&site.path).await?);
            }
            if let Some(file) = files.get(&site.path) {
                rows.push(self.row(site, file));
            }
        }
        Ok(rows)
    }

    async fn file(&self, path: &RepoPath) -> Result<RowFile, Failure> {
        let changed = || self.snapshot.contradicted(path);
        let facts = self.code.world.facts(path).ok_or_else(changed)?;
        let definitions = FileDefinitions::of_facts(path, &facts.facts);
        let enrichment = self.enrichments.of_file(path, &definitions);
        let text = if self.snapshot.remembered().binary_search(path).is_ok() {
            None
        } else {
            let bytes = self.snapshot.read(path).await?.map_err(|_| changed())?;
            if !self.code.is_of(path, &bytes) {
                return Err(changed());
            }
            Some(text::decode(&bytes).map_err(|_| changed())?.to_owned())
        };
        Ok(RowFile {
            text,
            definitions,
            enrichment,
        })
    }

    fn row(&self, site: &ReferenceSite, file: &RowFile) -> NavItem {
        let around = file.definitions.around(site.line, site.end_utf16);
        let provenance = self.provenance(site, file);
        NavItem {
            file: site.path.to_string(),
            snippet: snippet_of(site, file),
            line: site.line,
            start_utf16: site.start_utf16,
            end_utf16: site.end_utf16,
            kind: site.kind,
            symbol: around.and_then(|at| file.definitions.id_of(at)),
            source: provenance.source,
            freshness_state: provenance.freshness_state,
            proof: provenance.proof,
            enrichment: around.and_then(|at| file.enrichment.of(at)),
            resolution: Some(site.resolution),
            score: None,
        }
    }

    fn provenance(&self, site: &ReferenceSite, file: &RowFile) -> Provenance {
        if file.text.is_none() {
            return self.snapshot.remembered_provenance(&site.path);
        }
        if site.is_proven {
            return self.snapshot.read_provenance(&site.path);
        }
        Provenance::live(self.snapshot.live_proof(&site.path))
    }
}

fn snippet_of(site: &ReferenceSite, file: &RowFile) -> Snippet {
    let line = site.line as usize;
    let Some(text) = file.text.as_deref() else {
        return Snippet {
            text: String::new(),
            location: SnippetLocation {
                path: site.path.to_string(),
                start_line: site.line,
                end_line: site.line,
            },
        };
    };
    let lines = LineIndex::new(text);
    let at = byte_at_utf16(lines.line(text, line), site.start_utf16 as usize);
    snippet::snippet_around(text, &lines, site.path.as_str(), line, at)
}

/// Returns a hash of the rows, so that a cursor notices when they change.
pub(super) fn fingerprint(sites: &[ReferenceSite]) -> u64 {
    let mut hash = Xxh3::new();
    for site in sites {
        hash.update(site.path.as_str().as_bytes());
        hash.update(&site.line.to_le_bytes());
        hash.update(&site.start_utf16.to_le_bytes());
        hash.update(&[site.kind as u8, site.resolution as u8]);
    }
    hash.digest()
}

/// Ends the snapshot of a query about references. `unfollowed` says what was cut short.
///
/// # Errors
/// As [`Snapshot::finish`].
pub(super) fn finish<H: Host>(
    snapshot: Snapshot<'_, H>,
    read: CodeOutcome,
    unfollowed: Option<&str>,
) -> Result<PageEnd, Failure> {
    let unread = read.unread;
    let finished = snapshot.finish(ReadOutcome {
        unread,
        ..ReadOutcome::default()
    })?;
    let mut meta = finished.meta;
    let is_partial = add_partial(&mut meta, &read.partial);
    if let Some(sentence) = unfollowed {
        add_message(&mut meta, sentence);
    }
    Ok(PageEnd {
        meta,
        skipped: finished.skipped.into_iter().chain(read.skipped).collect(),
        is_whole: finished.is_complete && unfollowed.is_none() && !is_partial,
        total: 0,
        next: None,
    })
}
