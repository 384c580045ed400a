//! Whether the whole repository was searched for references.

use ragnav_base::completeness::DoubtReason;

use super::refusal::{Refusal, RefusalReason};
use crate::page::PageEnd;

/// Returns the refusal for a repository that could not be searched as a whole.
pub(crate) fn unsearched(end: &PageEnd) -> Option<Refusal> {
    let is_gap = |reason| {
        matches!(
            reason,
            DoubtReason::Stale
                | DoubtReason::Partial
                | DoubtReason::Unparsed
                | DoubtReason::Unread
                | DoubtReason::Limit
        )
    };
    let gaps: Vec<_> = end.doubts.iter().filter(|one| is_gap(one.reason)).collect();
    if gaps.is_empty() {
        return None;
    }
    let message = "A part of the repository could not be searched for references; accept \
                   `unsearched` if there are none.";
    let files = gaps.iter().flat_map(|one| &one.files);
    let count = gaps.len();
    let reason = RefusalReason::Unsearched;
    Some(Refusal::in_files(reason, count, files, message))
}
