//! Files of which less is known than they hold.

use std::collections::BTreeSet;
use std::rc::Rc;

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::path::RepoPath;
use ragnav_base::position::{LineIndex, wire};
use ragnav_index::content::ContentHash;
use ragnav_index::filter::Needle;
use ragnav_matching::pattern::{Pattern, SearchMode};
use ragnav_repository::snapshot::Snapshot;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::Facts;

use crate::words::{is_string, words};

/// What begins the lines of comments in most languages.
const COMMENTS: [&str; 5] = ["//", "/*", "*", "#", "--"];

/// The files that contain a name and of which less is known than they hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PartialFiles {
    /// Those that a limit cut.
    pub(super) cut: BTreeSet<RepoPath>,
    /// Those with the name in code that is lost to a syntax error.
    pub(super) unparsed: BTreeSet<RepoPath>,
}

impl PartialFiles {
    pub(super) fn is_empty(&self) -> bool {
        self.cut.is_empty() && self.unparsed.is_empty()
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.cut.append(&mut other.cut);
        self.unparsed.append(&mut other.unparsed);
    }
}

/// Returns the files in which one of some names stands in code that is lost to a syntax error: among
/// those of the index, and among the live ones with syntax errors.
///
/// # Errors
/// `HOST_FAILED` if the host throws.
pub(super) async fn unparsed<H: Host>(
    snapshot: &Snapshot<'_, H>,
    names: &BTreeSet<String>,
    live: BTreeSet<RepoPath>,
) -> Result<BTreeSet<RepoPath>, RagnavError> {
    let mut files = live;
    if let Some(index) = snapshot.index() {
        let needles: Vec<Needle> = names.iter().map(|name| Needle::new(name, true)).collect();
        let broken = index.broken_files().filter(|record| {
            let mut needles = needles.iter();
            let may_contain = needles.any(|needle| index.may_contain(record, needle));
            may_contain && snapshot.proven(&record.path).is_some()
        });
        files.extend(broken.map(|record| record.path.clone()));
    }
    let files: Vec<RepoPath> = files.into_iter().collect();
    let mut found = BTreeSet::new();
    let mut reading = snapshot.reader(&files);
    while let Some((path, bytes)) = reading.next().await? {
        let Some(text) = reading.text(path, &bytes) else {
            continue;
        };
        let Some(file) = facts_of(snapshot, path, &text, ContentHash::of(&bytes)).await else {
            continue;
        };
        if has_lost_name(&text, &file.facts, names)? {
            found.insert(path.clone());
        }
    }
    Ok(found)
}

/// Returns the facts of a file with a text that was read: those of the index, if it is about the
/// same content.
async fn facts_of<H: Host>(
    snapshot: &Snapshot<'_, H>,
    path: &RepoPath,
    text: &str,
    hash: ContentHash,
) -> Option<Rc<FileFacts>> {
    let proven = snapshot.proven(path);
    if proven.is_some_and(|(record, _)| record.hash() == Some(hash))
        && let Some(known) = snapshot.cached_facts(path).await
    {
        return Some(known);
    }
    snapshot.parsed_facts(path, text, hash).await
}

/// Reports whether a name stands where the syntax is not valid, and not in a string or a comment.
fn has_lost_name(text: &str, facts: &Facts, names: &BTreeSet<String>) -> Result<bool, RagnavError> {
    let lines = LineIndex::new(text);
    let is_lost = |line: u32| {
        let mut errors = facts.errors.iter();
        errors.any(|(first, last)| (*first..=*last).contains(&line))
    };
    for name in names {
        let pattern = Pattern::new(name, SearchMode::Literal, true)?;
        let found = words(text, &pattern).into_iter().any(|(start, end)| {
            let line = lines.line_at(start);
            let before = text.get(lines.full_range(line).start..start);
            let before = before.unwrap_or_default().trim_start();
            let is_comment = COMMENTS.iter().any(|mark| before.starts_with(mark));
            is_lost(wire(line)) && !is_comment && !is_string(text, start, end)
        });
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}
