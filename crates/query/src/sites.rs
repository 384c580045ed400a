//! The places of references, and the rows that are made of them.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::Xxh3;

use crate::Settings;
use crate::basis::Basis;
use crate::code::Code;
use crate::cursor::Cursor;
use crate::enrich::FileKnowledge;
use crate::file_symbols::FileSymbols;
use crate::ground::Ground;
use crate::knowledge::Knowledge;
use ragnav_base::envelope::SourceTag;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host};
use ragnav_base::item::{ItemKind, NavItem, Resolution, Snippet, SnippetLocation};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, byte_at_utf16, utf16_len, wire};
use ragnav_base::text;
use ragnav_matching::snippet;
use ragnav_repository::overlay::Overlaid;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::{Reference, ReferenceKind};

/// The place of a reference and what is known of it. In the order of rows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Site {
    pub(super) resolution: Resolution,
    pub(super) path: RepoPath,
    pub(super) line: u32,
    pub(super) start_utf16: u32,
    pub(super) end_utf16: u32,
    pub(super) kind: ItemKind,
    /// Whether every file that says so is proven to be as it was indexed.
    pub(super) is_proven: bool,
}

impl Site {
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

/// Why rows could not be made.
pub(super) enum Unmade {
    /// A file changed since its facts were taken.
    Changed,
    /// The host failed.
    Failed(RagnavError),
}

impl From<RagnavError> for Unmade {
    fn from(error: RagnavError) -> Self {
        Self::Failed(error)
    }
}

/// Makes rows of sites. Each file is read once, and must be what its facts are of.
pub(super) struct Rows<'q, H> {
    pub(super) host: &'q Overlaid<'q, H>,
    pub(super) settings: &'q Settings,
    pub(super) basis: &'q Basis,
    pub(super) code: &'q Code<'q, H>,
    pub(super) knowledge: &'q Knowledge,
}

/// A file with rows.
struct RowFile {
    /// `None` where the file is not to be shown, since nothing proves what it holds.
    text: Option<String>,
    symbols: FileSymbols,
    known: FileKnowledge,
}

impl<H: Host> Rows<'_, H> {
    /// The rows of some sites, in their order.
    ///
    /// # Errors
    /// [`Unmade`] where a file is not what its facts are of, and where the host fails.
    pub(super) async fn make(&self, sites: &[Site]) -> Result<Vec<NavItem>, Unmade> {
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

    async fn file(&self, path: &RepoPath) -> Result<RowFile, Unmade> {
        let facts = self.code.world.facts(path).ok_or(Unmade::Changed)?;
        let symbols = FileSymbols::of_facts(path, &facts.facts);
        let known = self.knowledge.of_file(path, &symbols);
        let is_remembered = self.basis.unproven.binary_search(path).is_ok();
        let text = if is_remembered {
            None
        } else {
            let max_bytes = self.settings.limits.max_file_bytes;
            let read = host::read_one(self.host, path, max_bytes).await?;
            let bytes = read.map_err(|_| Unmade::Changed)?;
            if !self.code.is_of(path, &bytes) {
                return Err(Unmade::Changed);
            }
            let text = text::decode(&bytes).map_err(|_| Unmade::Changed)?;
            Some(text.to_owned())
        };
        Ok(RowFile {
            text,
            symbols,
            known,
        })
    }

    fn row(&self, site: &Site, file: &RowFile) -> NavItem {
        let around = file.symbols.around(site.line, site.end_utf16);
        let ground = self.ground(site, file);
        NavItem {
            file: site.path.to_string(),
            snippet: snippet_of(site, file),
            line: site.line,
            start_utf16: site.start_utf16,
            end_utf16: site.end_utf16,
            kind: site.kind,
            symbol: around.and_then(|at| file.symbols.id_of(at)),
            source: ground.source,
            freshness_state: ground.freshness_state,
            proof: ground.proof,
            enrichment: around.and_then(|at| file.known.of(at)),
            resolution: Some(site.resolution),
            score: None,
        }
    }

    fn ground(&self, site: &Site, file: &RowFile) -> Ground {
        if file.text.is_none() {
            return self.basis.unproven_ground(&site.path);
        }
        let read_as = self.host.proof(&site.path);
        let known = self.basis.read_ground(&site.path, read_as);
        if site.is_proven {
            return known;
        }
        Ground {
            source: SourceTag::LocalFallback,
            ..Ground::live(read_as)
        }
    }
}

fn snippet_of(site: &Site, file: &RowFile) -> Snippet {
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
    snippet::snippet(text, &lines, site.path.as_str(), line, at)
}

/// The rows of one page.
pub(super) struct Page {
    rows: std::ops::Range<usize>,
    /// Where the next page begins.
    pub(super) next: Option<Cursor>,
}

impl Page {
    /// The page that a cursor leads to, or the first.
    ///
    /// # Errors
    /// `STALE_CURSOR` where the rows have changed.
    pub(super) fn new(
        cursor: Option<Cursor>,
        limit: usize,
        question: u64,
        sites: &[Site],
    ) -> Result<Self, RagnavError> {
        let rows = fingerprint(sites);
        if let Some(cursor) = cursor {
            cursor.check(rows)?;
        }
        let offset = cursor.map_or(0, |cursor| cursor.offset);
        let end = offset.saturating_add(limit).min(sites.len());
        let next = (end < sites.len()).then_some(Cursor {
            offset: end,
            question,
            rows,
        });
        let rows = offset..end;
        Ok(Self { rows, next })
    }

    /// What stands on the page.
    pub(super) fn of<'r, T>(&self, rows: &'r [T]) -> &'r [T] {
        rows.get(self.rows.clone()).unwrap_or_default()
    }
}

fn fingerprint(sites: &[Site]) -> u64 {
    let mut hash = Xxh3::new();
    for site in sites {
        hash.update(site.path.as_str().as_bytes());
        hash.update(&site.line.to_le_bytes());
        hash.update(&site.start_utf16.to_le_bytes());
        hash.update(&[site.kind as u8, site.resolution as u8]);
    }
    hash.digest()
}
