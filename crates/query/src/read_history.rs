//! Reading the commits of a repository.

use ragnav_base::host::{Commit, HistoryRequest, Host};
use ragnav_base::path::RepoPath;
use ragnav_matching::history::{History, MAX_COMMITS};

/// Returns the latest commits of a repository, if a query wants them.
///
/// # Errors
/// A sentence for the message of the answer, if the host cannot read them or knows none. The
/// history is optional, so the answer is right without it.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::read_history::read_history;
///
/// let host = MemoryHost::default();
/// assert!(block_on(read_history(&host, false)).unwrap().is_none());
/// let message = block_on(read_history(&host, true)).unwrap_err();
/// assert_eq!(message, "The history does not count: there are no commits.");
/// ```
pub async fn read_history<H: Host>(host: &H, is_wanted: bool) -> Result<Option<History>, String> {
    if !is_wanted {
        return Ok(None);
    }
    let request = HistoryRequest {
        max_commits: MAX_COMMITS,
    };
    let without = |reason: &str| format!("The history does not count: {reason}.");
    let commits = host.send(request).await;
    let commits = commits.map_err(|error| without(error.message.trim_end_matches('.')))?;
    if commits.is_empty() {
        return Err(without("there are no commits"));
    }
    let paths = |commit: Commit| {
        let files = commit.files.iter();
        files
            .filter_map(|path| RepoPath::parse(path).ok())
            .collect()
    };
    Ok(Some(History::new(commits.into_iter().map(paths))))
}
