//! The rows of the sites of references.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use xxhash_rust::xxh3::Xxh3;

use crate::code_facts::{CodeFacts, CodeOutcome};
use crate::cursor::Cursor;
use crate::enrichment::Enrichments;
use crate::explain::explain;
use crate::file_definitions::FileDefinitions;
use crate::file_enrichment::FileEnrichment;
use crate::gaps::Gaps;
use crate::modules::name_modules;
use crate::page::PageEnd;
use crate::reference_site::ReferenceSite;
use crate::row_conditions::add_module_conditions;
use ragnav_base::host::Host;
use ragnav_base::item::{NavItem, Snippet, SnippetLocation};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, byte_at_utf16};
use ragnav_base::text;
use ragnav_matching::snippet;
use ragnav_repository::failure::{Failure, add_message, add_partial};
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::{ReadOutcome, Snapshot};

/// The page that a query about references returns.
#[derive(Debug, Default)]
pub(super) struct PageRequest {
    pub(super) cursor: Option<Cursor>,
    /// The fingerprint of the query.
    pub(super) fingerprint: u64,
    /// The largest number of rows.
    pub(super) limit: usize,
    /// Whether resolved rows have their steps.
    pub(super) explains: bool,
    /// Whether rows outside of definitions have their modules as symbols.
    pub(super) names_modules: bool,
}

/// A page of sites.
pub(super) struct SitePage {
    /// The items, in the order of the sites.
    pub(super) items: Vec<NavItem>,
    /// The range of the page among all sites.
    pub(super) rows: Range<usize>,
    /// The cursor of the next page.
    pub(super) next: Option<Cursor>,
}

/// Returns a page of sites, with items for its rows.
///
/// # Errors
/// `STALE_CURSOR` if the rows have changed, and the errors of [`Rows::make`].
pub(super) async fn site_page<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &mut CodeFacts<'_, H>,
    sites: &[ReferenceSite],
    request: PageRequest,
) -> Result<SitePage, Failure> {
    let fingerprints = (request.fingerprint, fingerprint(sites));
    let page = Cursor::page(request.cursor, request.limit, fingerprints, sites.len())?;
    let enrichments = Enrichments::read(snapshot).await?;
    let shown = sites.get(page.rows.clone()).unwrap_or_default();
    // Sites that an earlier query kept come without the facts of their files.
    code.load(&shown.iter().map(|site| site.path.clone()).collect())
        .await?;
    let rows = Rows {
        snapshot,
        code,
        enrichments: &enrichments,
    };
    let mut items = rows.make(shown).await?;
    if request.explains {
        explain(code, &mut items, shown).await;
    }
    if request.names_modules {
        name_modules(&mut items);
    }
    add_module_conditions(snapshot, &mut items).await?;
    Ok(SitePage {
        items,
        rows: page.rows,
        next: page.next,
    })
}

/// Makes rows of sites. Each file is read once and must have the text that its facts belong to.
struct Rows<'q, H> {
    pub(super) snapshot: &'q Snapshot<'q, H>,
    pub(super) code: &'q CodeFacts<'q, H>,
    pub(super) enrichments: &'q Enrichments,
}

/// A file with rows.
struct RowFile {
    /// `None` if the file must not be shown, since nothing proves its text.
    text: Option<(DecodedText, LineIndex)>,
    definitions: Rc<FileDefinitions>,
    enrichment: FileEnrichment,
}

impl<H: Host> Rows<'_, H> {
    /// Returns the rows of some sites, in their order.
    ///
    /// # Errors
    /// [`Failure::ConcurrentModification`] if a file is not the one that its facts belong to;
    /// `HOST_FAILED` if the host throws.
    async fn make(&self, sites: &[ReferenceSite]) -> Result<Vec<NavItem>, Failure> {
        let mut sites_of: BTreeMap<&RepoPath, Vec<usize>> = BTreeMap::new();
        for (at, site) in sites.iter().enumerate() {
            sites_of.entry(&site.path).or_default().push(at);
        }
        let unproven = self.snapshot.unproven_files();
        let proven = sites_of.keys().copied();
        let proven = proven.filter(|path| unproven.binary_search(path).is_err());
        let proven: Vec<RepoPath> = proven.cloned().collect();
        let mut reader = self.snapshot.reader(&proven);
        let mut rows: Vec<Option<NavItem>> = sites.iter().map(|_| None).collect();
        for (path, places) in sites_of {
            let text = if unproven.binary_search(path).is_ok() {
                None
            } else {
                let read = reader.next().await?.filter(|(read, _)| *read == path);
                let (_, bytes) = read.ok_or_else(|| self.snapshot.contradicted(path))?;
                Some(decoded(self.snapshot, self.code, path, &bytes)?)
            };
            let file = self.file(path, text)?;
            for at in places {
                if let (Some(row), Some(site)) = (rows.get_mut(at), sites.get(at)) {
                    *row = Some(self.row(site, &file));
                }
            }
        }
        Ok(rows.into_iter().flatten().collect())
    }

    fn file(&self, path: &RepoPath, text: Option<DecodedText>) -> Result<RowFile, Failure> {
        let changed = || self.snapshot.contradicted(path);
        let definitions = self.code.definitions(path).ok_or_else(changed)?;
        Ok(RowFile {
            text: text.map(|decoded| {
                let lines = LineIndex::new(&decoded.text);
                (decoded, lines)
            }),
            enrichment: self.enrichments.of_file(path, &definitions),
            definitions,
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
            encoding: file
                .text
                .as_ref()
                .and_then(|(text, _)| text.encoding.clone()),
            kind: site.kind,
            symbol: around.and_then(|at| file.definitions.id_of(at)),
            source: provenance.source,
            freshness_state: provenance.freshness_state,
            proof: provenance.proof,
            enrichment: around.and_then(|at| file.enrichment.of(at)),
            resolution: Some(site.resolution),
            evidence: site.evidence,
            score: None,
            explanation: None,
            steps: None,
            condition: file
                .definitions
                .condition(&site.path, site.line, site.start_utf16),
        }
    }

    fn provenance(&self, site: &ReferenceSite, file: &RowFile) -> Provenance {
        if file.text.is_none() {
            return self.snapshot.unproven_provenance(&site.path);
        }
        if site.is_proven {
            return self.snapshot.read_provenance(&site.path);
        }
        Provenance::live(self.snapshot.live_proof(&site.path))
    }
}

/// The text that the facts of a file belong to.
pub(super) struct DecodedText {
    encoding: Option<String>,
    pub(super) text: String,
}

/// Returns the text that the facts of a file belong to; `None` if the file must not be shown, since
/// nothing proves its text.
///
/// # Errors
/// [`Failure::ConcurrentModification`] if the file is not the one that its facts belong to;
/// `HOST_FAILED` if the host throws.
pub(super) async fn text_of<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &CodeFacts<'_, H>,
    path: &RepoPath,
) -> Result<Option<DecodedText>, Failure> {
    if snapshot.unproven_files().binary_search(path).is_ok() {
        return Ok(None);
    }
    let bytes = snapshot.read(path).await?;
    let bytes = bytes.map_err(|_| snapshot.contradicted(path))?;
    decoded(snapshot, code, path, &bytes).map(Some)
}

/// Decodes the bytes of a file, which must be those that its facts belong to.
fn decoded<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &CodeFacts<'_, H>,
    path: &RepoPath,
    bytes: &[u8],
) -> Result<DecodedText, Failure> {
    let changed = || snapshot.contradicted(path);
    if !code.is_of(path, bytes) {
        return Err(changed());
    }
    let text = text::decode(bytes).map_err(|_| changed())?;
    Ok(DecodedText {
        encoding: text.encoding(),
        text: text.into_string(),
    })
}

fn snippet_of(site: &ReferenceSite, file: &RowFile) -> Snippet {
    let line = site.line as usize;
    let Some((decoded, lines)) = &file.text else {
        return Snippet {
            text: String::new(),
            location: SnippetLocation {
                path: site.path.to_string(),
                start_line: site.line,
                end_line: site.line,
            },
        };
    };
    let text = &decoded.text;
    let at = byte_at_utf16(lines.line(text, line), site.start_utf16 as usize);
    snippet::snippet_around(text, lines, site.path.as_str(), line, at)
}

/// Returns a hash of the rows, so that a cursor notices when they change.
fn fingerprint(sites: &[ReferenceSite]) -> u64 {
    let mut hash = Xxh3::new();
    for site in sites {
        hash.update(site.path.as_str().as_bytes());
        hash.update(&site.line.to_le_bytes());
        hash.update(&site.start_utf16.to_le_bytes());
        let is_of_compiler = u8::from(site.evidence.is_some());
        hash.update(&[site.kind as u8, site.resolution as u8, is_of_compiler]);
    }
    hash.digest()
}

/// Ends the snapshot of a query about references. `unfollowed` names what a limit cut.
///
/// # Errors
/// The errors of [`Snapshot::finish`].
pub(super) fn finish<H: Host>(
    snapshot: Snapshot<'_, H>,
    read: CodeOutcome,
    unfollowed: Option<&str>,
) -> Result<PageEnd, Failure> {
    let unread = read.unread;
    let stale = snapshot.unread_differences();
    let problems = snapshot.settings().compiler.problems();
    let finished = snapshot.finish(ReadOutcome {
        unread,
        ..ReadOutcome::default()
    })?;
    let mut meta = finished.meta;
    let is_partial = add_partial(&mut meta, &read.partial.cut);
    let is_whole = finished.is_complete && unfollowed.is_none() && !is_partial;
    let gaps = Gaps {
        unread: (unread, &read.skipped),
        partial: &read.partial,
        stale,
        is_cut: !finished.is_complete || unfollowed.is_some(),
    };
    let doubts = gaps.doubts(&meta, &finished.skipped);
    if let Some(sentence) = unfollowed {
        add_message(&mut meta, sentence);
    }
    for note in read.note.iter().chain(&problems) {
        add_message(&mut meta, note);
    }
    Ok(PageEnd {
        meta,
        skipped: finished.skipped.into_iter().chain(read.skipped).collect(),
        is_whole,
        total: 0,
        next: None,
        doubts,
    })
}
