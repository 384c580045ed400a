//! Failures of queries, and the sentences that several messages share.

use std::collections::BTreeSet;

use ragnav_base::envelope::{
    ErrorOptions, FileCounts, RagToolMeta, RouteDecision, RouteReason, error_result,
};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::path::RepoPath;
use ragnav_syntax::grammars;

/// The reason why a query has no answer.
///
/// # Examples
///
/// ```
/// use ragnav_base::error::RagnavError;
/// use ragnav_repository::failure::Failure;
///
/// let failure = Failure::from(RagnavError::invalid("the query is empty"));
/// assert!(matches!(failure, Failure::Error(_)));
/// ```
#[derive(Debug)]
pub enum Failure {
    /// The query failed.
    Error(RagnavError),
    /// The policy `error` refuses to answer from live files.
    Stale(Box<RouteDecision>),
    /// Files changed while the query ran. The query runs again over a new snapshot.
    ConcurrentModification(BTreeSet<RepoPath>),
}

impl From<RagnavError> for Failure {
    fn from(error: RagnavError) -> Self {
        Self::Error(error)
    }
}

impl Failure {
    /// Returns the `meta` of the failed answer.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{RagToolStatus, RouteReason};
    /// use ragnav_base::error::ErrorCode;
    /// use ragnav_repository::failure::Failure;
    /// use ragnav_repository::route::decide_route;
    ///
    /// let meta = Failure::Stale(Box::new(decide_route(None, None))).meta();
    /// assert_eq!(meta.status, RagToolStatus::Error);
    /// assert_eq!(meta.error_code, Some(ErrorCode::StaleIndex.into()));
    /// assert_eq!(meta.reason, Some(RouteReason::NoStatus));
    /// ```
    #[must_use]
    pub fn meta(self) -> RagToolMeta {
        let route = match self {
            Self::Error(error) => return error_meta(error),
            Self::ConcurrentModification(_) => return error_meta(concurrent_modification()),
            Self::Stale(route) => *route,
        };
        let why = explain(route.reason);
        let message = format!("{why} The policy `error` refuses to answer from the live files.");
        let error = RagnavError::new(ErrorCode::StaleIndex, message);
        let options = ErrorOptions {
            freshness_state: Some(route.freshness_state),
            index_status: route.status,
            ..ErrorOptions::from_error(error)
        };
        RagToolMeta {
            reason: Some(route.reason),
            head: route.head,
            ..error_result::<()>(options).meta
        }
    }
}

fn error_meta(error: RagnavError) -> RagToolMeta {
    error_result::<()>(ErrorOptions::from_error(error)).meta
}

/// The error of a query during which files changed in every attempt.
fn concurrent_modification() -> RagnavError {
    let message = "files changed each time that they were read; run the query again when no \
                   program writes them";
    RagnavError::new(ErrorCode::HostFailed, message)
}

/// Appends a sentence to the message of a `meta`.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::RagToolMeta;
/// use ragnav_repository::failure::add_message;
///
/// let mut meta = RagToolMeta::default();
/// add_message(&mut meta, "One file changed.");
/// add_message(&mut meta, "Two files were skipped.");
/// assert_eq!(meta.message.as_deref(), Some("One file changed. Two files were skipped."));
/// ```
pub fn add_message(meta: &mut RagToolMeta, sentence: &str) {
    let message = meta.message.get_or_insert_default();
    if !message.is_empty() {
        message.push(' ');
    }
    message.push_str(sentence);
}

/// The largest number of files that a sentence names.
const NAMED_FILES: usize = 3;

/// Adds a warning that `files` were only parsed in part, or not at all because their grammar is
/// unavailable. Returns whether there are any.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeSet;
///
/// use ragnav_base::envelope::RagToolMeta;
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::failure::add_partial;
///
/// let mut meta = RagToolMeta::default();
/// assert!(!add_partial(&mut meta, &BTreeSet::new()));
/// assert!(add_partial(&mut meta, &[RepoPath::parse("a.py").unwrap()].into()));
/// assert!(meta.message.unwrap().starts_with("a.py is parsed only in part"));
/// ```
pub fn add_partial(meta: &mut RagToolMeta, files: &BTreeSet<RepoPath>) -> bool {
    let mut rest: BTreeSet<&RepoPath> = files.iter().collect();
    for (language, reason) in grammars::unavailable_grammars() {
        let is_own = |path: &&RepoPath| {
            let own = ragnav_syntax::detect_language(path);
            own.is_some_and(|own| own.grammars().contains(&language))
        };
        let (own, others) = rest.into_iter().partition(is_own);
        rest = others;
        if let Some(which) = describe_files(&own) {
            let sentence = format!(
                "{which} read without definitions and references: the grammar of {language} \
                 cannot be loaded. {reason}"
            );
            add_message(meta, &sentence);
        }
    }
    if let Some(which) = describe_files(&rest) {
        let sentence = format!(
            "{which} parsed only in part: the content is malformed, or a limit on nesting, names \
             or repetitions was exceeded. There may be more rows."
        );
        add_message(meta, &sentence);
    }
    !files.is_empty()
}

/// Returns the start of a sentence about some files: `a.py is`; `None` without files.
fn describe_files(files: &BTreeSet<&RepoPath>) -> Option<String> {
    let mut named: Vec<&str> = files
        .iter()
        .take(NAMED_FILES)
        .map(|path| path.as_str())
        .collect();
    if files.len() > NAMED_FILES {
        named.push("…");
    }
    match files.len() {
        0 => None,
        1 => Some(format!("{} is", named.join(", "))),
        count => Some(format!("{count} files ({}) are", named.join(", "))),
    }
}

/// Describes in plain words how fresh an answer is if it does not come from the index alone.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{FileCounts, RouteReason};
/// use ragnav_repository::failure::freshness_words;
///
/// let counts = FileCounts { graph: 40, live: 2, changed: 2, skipped: 0 };
/// let words = freshness_words(RouteReason::FilesChanged, counts);
/// assert_eq!(words, "2 files changed since the index; shown live.");
/// ```
#[must_use]
pub fn freshness_words(reason: RouteReason, files: FileCounts) -> String {
    let unused = (files.graph == 0).then(|| without_index(reason)).flatten();
    if let Some(words) = unused {
        return words.to_owned();
    }
    let read = read_words(files);
    match reason {
        // The counts alone would hide these two.
        RouteReason::FilesUnknown | RouteReason::DocumentsMissing => {
            format!("{} {read}.", explain(reason))
        }
        RouteReason::SchemaUnsupported => {
            let differ = count(files.changed, "file");
            format!(
                "{differ} changed or indexed by another version of ragnav or with other plug-ins; \
                 shown live. Build the index again."
            )
        }
        _ if files.changed > 0 => format!("{read}; shown live."),
        _ if files.graph > 0 => format!("Up to date: {read}."),
        _ => format!("{read}."),
    }
}

/// Describes where the files of an answer were read, or how many of them have changed.
fn read_words(files: FileCounts) -> String {
    match (files.changed, files.graph, files.live) {
        (0, 0, _) => "Read live".to_owned(),
        (0, graph, 0) => format!("{} proven unchanged", count(graph, "file")),
        (0, graph, live) => {
            format!(
                "{} proven unchanged, {live} read live",
                count(graph, "file")
            )
        }
        (changed, ..) => format!("{} changed since the index", count(changed, "file")),
    }
}

/// Describes why no file was answered from the index, and what to do about it.
fn without_index(reason: RouteReason) -> Option<&'static str> {
    Some(match reason {
        RouteReason::NoStatus => "No index yet; read live.",
        RouteReason::StatusUnreadable | RouteReason::GraphUnreadable => {
            "The index is damaged; read live. Build it again."
        }
        RouteReason::SchemaUnsupported => {
            "Another version of ragnav wrote the index; read live. Build it again."
        }
        RouteReason::GraphMissing | RouteReason::IndexNotFresh => {
            "The index is incomplete; read live. Build it again."
        }
        RouteReason::HostFailed => "The index status or the git HEAD could not be read; read live.",
        _ => return None,
    })
}

fn count(number: u32, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Returns the reason of a route as a sentence for people.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::RouteReason;
/// use ragnav_repository::failure::explain;
///
/// assert_eq!(explain(RouteReason::FilesChanged), "Files differ from the index.");
/// ```
#[must_use]
pub fn explain(reason: RouteReason) -> &'static str {
    match reason {
        RouteReason::NoStatus => "There is no index.",
        RouteReason::StatusUnreadable => {
            "The index status cannot be parsed. Build the index again."
        }
        RouteReason::IndexNotFresh => "The index status says that the index is not fresh.",
        RouteReason::HeadUnknown => "There is no git commit to compare the index with.",
        RouteReason::CommitUnknown => {
            "The index status does not name the commit that the index was built from."
        }
        RouteReason::HeadMatches => "The index is of the commit that is checked out.",
        RouteReason::HeadMoved => {
            "The index was built from another commit than the one checked out."
        }
        RouteReason::FilesChanged => "Files differ from the index.",
        RouteReason::SchemaUnsupported => {
            "Another version of ragnav wrote the index or a part of it."
        }
        RouteReason::GraphMissing => {
            "The index that the status names does not exist. Build it again."
        }
        RouteReason::GraphUnreadable => {
            "The index is damaged, or belongs to another build than its status. Build it again."
        }
        RouteReason::FilesUnknown => "Some files could not be compared with the index.",
        RouteReason::DocumentsMissing => {
            "Some documents of this answer are not in the store. Run `build-graph` to add them."
        }
        RouteReason::HostFailed => "The host could not read the index status or the git HEAD.",
    }
}
