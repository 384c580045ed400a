//! The sites of references.

use ragnav_base::item::{Evidence, ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::{utf16_len, wire};
use ragnav_matching::vendored::is_vendored;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::{Name, Position, Reference, ReferenceKind};

/// The site of a reference, ordered as the rows are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ReferenceSite {
    pub(super) resolution: Resolution,
    /// Whether the file comes from another project; such rows come last among equals.
    pub(super) is_vendored: bool,
    pub(super) path: RepoPath,
    pub(super) line: u32,
    pub(super) start_utf16: u32,
    pub(super) end_utf16: u32,
    pub(super) kind: ItemKind,
    /// Whether every file that its resolution consulted is proven unchanged.
    pub(super) is_proven: bool,
    /// Who resolved it, if ragnav did not.
    pub(super) evidence: Option<Evidence>,
}

impl ReferenceSite {
    /// Makes it a candidate, since it is not known whether its target is meant.
    pub(super) fn demote(&mut self) {
        self.resolution = Resolution::Candidate;
        self.evidence = None;
    }

    pub(super) fn new(
        path: &RepoPath,
        file: &FileFacts,
        reference: &Reference,
        resolution: Resolution,
        is_proven: bool,
    ) -> Self {
        let kind = item_kind(reference.kind);
        Self {
            resolution,
            is_proven,
            ..Self::candidate(path, file, (reference.name, reference.position), kind)
        }
    }

    /// Returns the candidate where a name is written, which is not proven to be current.
    pub(super) fn candidate(
        path: &RepoPath,
        file: &FileFacts,
        (name, at): (Name, Position),
        kind: ItemKind,
    ) -> Self {
        let length = wire(utf16_len(file.facts.name(name)));
        Self {
            resolution: Resolution::Candidate,
            is_vendored: is_vendored(path),
            path: path.clone(),
            line: at.line,
            start_utf16: at.start_utf16,
            end_utf16: at.start_utf16 + length,
            kind,
            is_proven: false,
            evidence: None,
        }
    }
}

/// Returns the kind of the row of a reference.
pub(super) fn item_kind(kind: ReferenceKind) -> ItemKind {
    match kind {
        ReferenceKind::Call => ItemKind::Call,
        ReferenceKind::Import => ItemKind::Import,
        ReferenceKind::Inherit => ItemKind::Inherit,
        ReferenceKind::Reference => ItemKind::Reference,
    }
}
