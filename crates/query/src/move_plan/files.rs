//! The files that a move reads and changes.

use std::collections::BTreeMap;
use std::rc::Rc;

use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_base::text;
use ragnav_repository::failure::Failure;
use ragnav_repository::provenance::Provenance;
use ragnav_repository::snapshot::Snapshot;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::Facts;
use ragnav_syntax::layout::Layout;

use crate::code_facts::CodeFacts;
use crate::edit_plan::{FileChanges, Refusal, RefusalReason};

/// A file with its text, its statements and its changes.
pub(super) struct OpenFile {
    pub(super) path: RepoPath,
    pub(super) facts: Rc<FileFacts>,
    pub(super) layout: Layout,
    pub(super) changes: FileChanges,
}

impl OpenFile {
    pub(super) fn text(&self) -> &str {
        &self.changes.text
    }

    /// Returns a part of the text.
    pub(super) fn slice(&self, range: std::ops::Range<usize>) -> &str {
        self.text().get(range).unwrap_or_default()
    }
}

/// The files of a plan, by path.
pub(super) type OpenFiles = BTreeMap<RepoPath, OpenFile>;

/// Opens a file, or says why it cannot be edited.
///
/// # Errors
/// [`Failure::ConcurrentModification`] if the file is not the one that its facts belong to;
/// `HOST_FAILED` if the host throws.
pub(super) async fn open<H: Host>(
    snapshot: &Snapshot<'_, H>,
    code: &CodeFacts<'_, H>,
    path: &RepoPath,
) -> Result<Result<OpenFile, Refusal>, Failure> {
    let changed = || snapshot.contradicted(path);
    let bytes = snapshot.read(path).await?.map_err(|_| changed())?;
    let facts = code.world.facts(path).filter(|_| code.is_of(path, &bytes));
    let facts = facts.ok_or_else(changed)?;
    let decoded = text::decode(&bytes).map_err(|_| changed())?;
    if let Some(encoding) = decoded.encoding() {
        return Ok(Err(not_utf8(path, &encoding)));
    }
    let text = decoded.into_string();
    let layout = layout_of(snapshot, path, &text).await;
    let Some(layout) = layout.filter(|one| !one.has_error) else {
        let message = format!(
            "{path} has a syntax error, or syntax that the grammar does not know; correct it or edit \
             the file by hand."
        );
        return Ok(Err(Refusal::in_files(
            RefusalReason::Syntax,
            1,
            [path],
            message,
        )));
    };
    let provenance = snapshot.provenance(path, &bytes);
    Ok(Ok(OpenFile {
        path: path.clone(),
        facts,
        layout,
        changes: FileChanges::new(Some(bytes), text, provenance),
    }))
}

/// Returns a file that does not exist yet.
pub(super) fn create<H: Host>(snapshot: &Snapshot<'_, H>, path: &RepoPath) -> OpenFile {
    let provenance = Provenance::live(snapshot.live_proof(path));
    OpenFile {
        path: path.clone(),
        facts: Rc::new(FileFacts::new(Facts::default())),
        layout: Layout::default(),
        changes: FileChanges::new(None, String::new(), provenance),
    }
}

async fn layout_of<H: Host>(
    snapshot: &Snapshot<'_, H>,
    path: &RepoPath,
    text: &str,
) -> Option<Layout> {
    snapshot.load_grammar(path, text).await;
    Layout::of(ragnav_syntax::detect_language(path)?, text)
}

fn not_utf8(path: &RepoPath, encoding: &str) -> Refusal {
    let message = format!("{path} is in {encoding}; only files in UTF-8 can be edited.");
    Refusal::in_files(RefusalReason::Encoding, 1, [path], message)
}
