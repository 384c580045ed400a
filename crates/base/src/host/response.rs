//! The parts of responses.

use serde::{Deserialize, Serialize};

/// An item for each file or folder of a request, in the order of the request.
pub type FileResults<T> = Vec<Result<T, HostError>>;

/// Proof that listed folders have not changed since they were listed. Two equal values are one
/// proof.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::WatchToken;
///
/// let before = WatchToken::Watcher("7".to_owned());
/// assert_eq!(before, WatchToken::Watcher("7".to_owned()));
/// assert_ne!(before, WatchToken::Instant("7".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WatchToken {
    /// The proof of a watcher: between two equal values no folder has changed since it was listed,
    /// and neither has the content of a file in it.
    Watcher(String),
    /// An instant: equal values stand for listings made after both queries began.
    Instant(String),
}

/// The git HEAD, as the host read it.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::GitHead;
///
/// let head: GitHead = serde_json::from_str(r#"{"head": "4b825dc", "git_root": ".."}"#).unwrap();
/// assert_eq!(head.git_root.as_deref(), Some(".."));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct GitHead {
    /// The text that names the commit. The core trims and checks it.
    #[serde(default)]
    pub head: Option<String>,
    /// The path from the host's root to the repository's: `""`, `"../.."`.
    #[serde(default)]
    pub git_root: Option<String>,
}

/// A commit of the history, as the host read it.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::Commit;
///
/// let commit: Commit = serde_json::from_str(r#"{"files": ["src/a.py"]}"#).unwrap();
/// assert_eq!(commit.files, ["src/a.py"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Commit {
    /// The paths of the files that it changed, relative to the host's root. The core ignores texts
    /// that are no paths.
    pub files: Vec<String>,
}

/// The difference between two states of the repository.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::Changes;
///
/// let json = r#"{"from": "4b825dc", "files": [{"path": "a.py", "before": "e69de29"}]}"#;
/// let changes: Changes = serde_json::from_str(json).unwrap();
/// assert_eq!(changes.files[0].after, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Changes {
    /// The full id of the commit before.
    pub from: String,
    /// The full id of the commit after; `None` if it is no commit.
    #[serde(default)]
    pub to: Option<String>,
    /// The files that differ.
    pub files: Vec<ChangedFile>,
}

/// A file that differs between two states.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::ChangedFile;
///
/// let file: ChangedFile = serde_json::from_str(r#"{"path": "a.py", "after": "e69de29"}"#).unwrap();
/// assert_eq!(file.before, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ChangedFile {
    /// The path, relative to the host's root. The core ignores a text that is no path.
    pub path: String,
    /// The object id of its content before; `None` if there was no file.
    #[serde(default)]
    pub before: Option<String>,
    /// The object id of its content after; `None` if there is no file, and for files as they are
    /// now.
    #[serde(default)]
    pub after: Option<String>,
}

/// A commit with the files that it changes.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::CommitChanges;
///
/// let json = r#"{"id": "4b825dc", "files": [{"path": "a.py", "after": "e69de29"}]}"#;
/// let commit: CommitChanges = serde_json::from_str(json).unwrap();
/// assert_eq!(commit.files[0].path, "a.py");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CommitChanges {
    /// The full id of the commit.
    pub id: String,
    /// The files that differ before and after it.
    pub files: Vec<ChangedFile>,
}

/// The kind of a folder's entry.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::EntryKind;
///
/// assert_eq!(serde_json::from_str::<EntryKind>(r#""dir""#).unwrap(), EntryKind::Dir);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Dir,
    /// A symbolic link, whatever its target.
    Link,
}

/// An entry of a folder.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{DirEntry, EntryKind};
///
/// let entry: DirEntry = serde_json::from_str(r#"{"name": "a.py", "kind": "file"}"#).unwrap();
/// assert_eq!(entry.kind, EntryKind::File);
/// assert_eq!(entry.stamp, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DirEntry {
    /// The entry's name, without a path.
    pub name: String,
    /// The entry's kind.
    pub kind: EntryKind,
    /// The file's size and stamp, from hosts that list them.
    #[serde(default)]
    pub stamp: Option<FileStamp>,
}

/// A point in time.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, NowRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
///
/// let now = block_on(MemoryHost::default().send(NowRequest {})).unwrap();
/// assert_eq!((now.iso.as_str(), now.ms), ("1970-01-01T00:00:00Z", 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Time {
    /// The time in UTC, as ISO 8601.
    pub iso: String,
    /// The milliseconds since 1970.
    pub ms: i64,
}

/// The HTTP response of a language model's server.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::ModelResponse;
///
/// let response: ModelResponse =
///     serde_json::from_str(r#"{"status": 429, "retry_after": "20"}"#).unwrap();
/// assert_eq!(response.retry_after.as_deref(), Some("20"));
/// assert_eq!(response.body, "");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ModelResponse {
    /// The HTTP status.
    pub status: u16,
    /// The header `Retry-After` as the server sent it: seconds, or a date.
    #[serde(default)]
    pub retry_after: Option<String>,
    /// The response body.
    #[serde(default)]
    pub body: String,
}

/// The size of a file and a stamp that changes with its content.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::FileStamp;
///
/// let stamp: FileStamp =
///     serde_json::from_str(r#"{"size": 120, "stamp": "1760000000000000000:4711"}"#).unwrap();
/// assert!(!stamp.racy);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FileStamp {
    /// The size in bytes.
    pub size: u64,
    /// An opaque text. An equal stamp and size mean equal content, unless the stamp is racy.
    pub stamp: String,
    /// Whether the file changed so recently that another change may keep the stamp. See git's
    /// `Documentation/technical/racy-git.txt`.
    #[serde(default)]
    pub racy: bool,
}

/// The times of a file, in milliseconds since 1970.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::FileTimes;
///
/// let times: FileTimes = serde_json::from_str(r#"{"modified": 5, "changed": 7.5}"#).unwrap();
/// assert_eq!(times.latest(), 7.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct FileTimes {
    /// When its content was written. Programs can set it.
    pub modified: f64,
    /// When its content, name or mode was changed.
    pub changed: f64,
}

impl FileTimes {
    /// Returns the time after which the content cannot have changed.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::FileTimes;
    ///
    /// assert_eq!(FileTimes { modified: 9.0, changed: 7.0 }.latest(), 9.0);
    /// ```
    #[must_use]
    pub fn latest(self) -> f64 {
        self.modified.max(self.changed)
    }
}

/// The unsaved text of a file in an editor.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::Buffer;
///
/// let buffer: Buffer =
///     serde_json::from_str(r#"{"path": "src/a.py", "text": "x = 2\n"}"#).unwrap();
/// assert_eq!(buffer.text, "x = 2\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Buffer {
    /// The path, relative to the root.
    pub path: String,
    /// The text in the editor.
    pub text: String,
}

/// The rules of one gitignore file outside the root.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::IgnoreRules;
///
/// let rules: IgnoreRules =
///     serde_json::from_str(r#"{"prefix": "packages/app", "lines": ["dist/"]}"#).unwrap();
/// assert_eq!(rules.lines, ["dist/"]);
/// assert!(!rules.global);
/// // They hold in the whole tree.
/// assert_eq!(rules.folder, "");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct IgnoreRules {
    /// The folder in which the rules hold: the root, or the folder of one of several repositories.
    #[serde(default)]
    pub folder: String,
    /// The path from the folder of the rules to that folder; `""` if they are the same.
    pub prefix: String,
    /// The lines of the file.
    pub lines: Vec<String>,
    /// Whether these are the user's global rules, which apply to every repository. Other rules
    /// belong to the repository around the folder, and prove that there is one.
    #[serde(default)]
    pub global: bool,
}

/// The reason why one file or folder could not be read.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::HostError;
///
/// assert_eq!(serde_json::from_str::<HostError>(r#""denied""#).unwrap(), HostError::Denied);
/// assert_eq!(HostError::Missing.to_string(), "it does not exist");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum HostError {
    /// The file does not exist.
    #[error("it does not exist")]
    Missing,
    /// The host may not read the file, or it lies outside the root.
    #[error("reading it is not permitted")]
    Denied,
    /// The file is over the size limit.
    #[error("it is over the size limit")]
    TooLarge,
    /// Any other failure.
    #[error("it is no file, or reading it failed")]
    Io,
}
