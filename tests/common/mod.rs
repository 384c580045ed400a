//! Hosts for native tests, and what several of them need.
//!
//! [`MemoryHost`] answers from a map and can be told to fail; [`FsHost`] answers from `std::fs`.
//! They differ from the npm package's hosts in one thing: git is not read, HEAD is what the test says.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test uses the part it needs"
)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests read files and fail loudly"
)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::future::Future;
use std::path::PathBuf;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ragnav::host::{Answer, Ask, DirEntry, EntryKind, GitHead, Host, HostError, IgnoreRules};
use ragnav::path::RepoPath;
use ragnav::tools::Settings;

/// A repository in memory.
#[derive(Default)]
pub struct MemoryHost {
    pub files: RefCell<BTreeMap<String, Vec<u8>>>,
    pub links: Vec<String>,
    pub head: Option<String>,
    pub git_root: Option<String>,
    pub ignore_rules: Vec<IgnoreRules>,
    /// Paths that cannot be read, with why.
    pub broken: BTreeMap<String, HostError>,
    /// Asks that throw, by name.
    pub throws: Vec<&'static str>,
    /// The names of the asks so far.
    pub asked: RefCell<Vec<&'static str>>,
}

impl MemoryHost {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        Self {
            files: RefCell::new(files.collect()),
            ..Self::default()
        }
    }

    pub fn put(&self, path: &str, bytes: &[u8]) {
        self.files
            .borrow_mut()
            .insert(path.to_owned(), bytes.to_vec());
    }

    fn answer(&self, ask: Ask) -> Answer {
        let name = name_of(&ask);
        self.asked.borrow_mut().push(name);
        if self.throws.contains(&name) {
            return Answer::Failed(format!("{name} was told to fail"));
        }
        match ask {
            Ask::GitHead => Answer::GitHead(GitHead {
                head: self.head.clone(),
                git_root: self.git_root.clone(),
            }),
            Ask::ReadDirs(paths) => {
                Answer::Dirs(paths.iter().map(|path| self.list(path)).collect())
            }
            Ask::ReadMany { paths, max_bytes } => Answer::Files(
                paths
                    .iter()
                    .map(|path| self.read(path, max_bytes))
                    .collect(),
            ),
            Ask::Write { path, bytes } => {
                self.put(path.as_str(), &bytes);
                Answer::Done
            }
            Ask::IgnoreRules => Answer::IgnoreRules(self.ignore_rules.clone()),
            Ask::Yield { .. } => Answer::Done,
        }
    }

    fn list(&self, folder: &RepoPath) -> Result<Vec<DirEntry>, HostError> {
        if let Some(error) = self.broken.get(folder.as_str()) {
            return Err(*error);
        }
        let prefix = match folder.as_str() {
            "" => String::new(),
            path => format!("{path}/"),
        };
        let mut entries = BTreeMap::new();
        for path in self.files.borrow().keys() {
            if let Some(rest) = path.strip_prefix(&prefix) {
                let (name, kind) = match rest.split_once('/') {
                    Some((name, _)) => (name, EntryKind::Dir),
                    None => (rest, EntryKind::File),
                };
                entries.insert(name.to_owned(), kind);
            }
        }
        for link in self
            .links
            .iter()
            .filter_map(|link| link.strip_prefix(&prefix))
        {
            entries.insert(link.to_owned(), EntryKind::Link);
        }
        let entries = entries
            .into_iter()
            .map(|(name, kind)| DirEntry { name, kind });
        Ok(entries.collect())
    }

    fn read(&self, path: &RepoPath, max_bytes: u32) -> Result<Vec<u8>, HostError> {
        if let Some(error) = self.broken.get(path.as_str()) {
            return Err(*error);
        }
        match self.files.borrow().get(path.as_str()) {
            None => Err(HostError::Missing),
            Some(bytes) if bytes.len() > max_bytes as usize => Err(HostError::TooLarge),
            Some(bytes) => Ok(bytes.clone()),
        }
    }
}

impl Host for MemoryHost {
    async fn ask(&self, ask: Ask) -> Answer {
        self.answer(ask)
    }
}

fn name_of(ask: &Ask) -> &'static str {
    match ask {
        Ask::GitHead => "git_head",
        Ask::ReadDirs(_) => "read_dirs",
        Ask::ReadMany { .. } => "read_many",
        Ask::Write { .. } => "write",
        Ask::IgnoreRules => "ignore_rules",
        Ask::Yield { .. } => "yield",
    }
}

/// A repository on disk.
pub struct FsHost {
    pub root: PathBuf,
    pub head: GitHead,
}

impl Host for FsHost {
    async fn ask(&self, ask: Ask) -> Answer {
        match ask {
            Ask::GitHead => Answer::GitHead(self.head.clone()),
            Ask::ReadDirs(paths) => {
                Answer::Dirs(paths.iter().map(|path| self.list(path)).collect())
            }
            Ask::ReadMany { paths, max_bytes } => Answer::Files(
                paths
                    .iter()
                    .map(|path| self.read(path, max_bytes))
                    .collect(),
            ),
            Ask::Write { path, bytes } => {
                let file = self.root.join(path.as_str());
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, bytes).unwrap();
                Answer::Done
            }
            Ask::IgnoreRules => Answer::IgnoreRules(Vec::new()),
            Ask::Yield { .. } => Answer::Done,
        }
    }
}

impl FsHost {
    fn list(&self, folder: &RepoPath) -> Result<Vec<DirEntry>, HostError> {
        let entries =
            fs::read_dir(self.root.join(folder.as_str())).map_err(|error| io_error(&error))?;
        let entries = entries.filter_map(|entry| {
            let entry = entry.ok()?;
            let kind = entry.file_type().ok()?;
            let kind = match (kind.is_symlink(), kind.is_dir(), kind.is_file()) {
                (true, _, _) => EntryKind::Link,
                (_, true, _) => EntryKind::Dir,
                (_, _, true) => EntryKind::File,
                _ => return None,
            };
            let name = entry.file_name().to_string_lossy().into_owned();
            Some(DirEntry { name, kind })
        });
        Ok(entries.collect())
    }

    fn read(&self, path: &RepoPath, max_bytes: u32) -> Result<Vec<u8>, HostError> {
        let bytes = fs::read(self.root.join(path.as_str())).map_err(|error| io_error(&error))?;
        if bytes.len() > max_bytes as usize {
            return Err(HostError::TooLarge);
        }
        Ok(bytes)
    }
}

fn io_error(error: &std::io::Error) -> HostError {
    match error.kind() {
        std::io::ErrorKind::NotFound => HostError::Missing,
        std::io::ErrorKind::PermissionDenied => HostError::Denied,
        _ => HostError::Io,
    }
}

/// Runs a future whose host answers at once.
pub fn run<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    match future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a host that answers at once left its question open"),
    }
}

pub fn settings() -> Settings {
    Settings {
        repo: "/repo".to_owned(),
        ..Settings::default()
    }
}

/// The cases of a file under `tests/cases`, which the tests of the npm package run too.
pub fn cases(name: &str) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(format!("tests/cases/{name}")).expect("the cases are there");
    serde_json::from_str(&text).expect("the cases are JSON")
}

/// What a case is called in messages.
pub fn title(case: &serde_json::Value) -> String {
    format!(
        "{} {}",
        case["row"].as_str().unwrap_or(""),
        case["name"].as_str().unwrap_or("")
    )
}

/// Asserts that every key of `expected` stands in `actual` with that value; other keys may stand beside them.
pub fn assert_holds(actual: &serde_json::Value, expected: &serde_json::Value, at: &str) {
    use serde_json::Value::{Array, Object};
    match (actual, expected) {
        (Object(actual), Object(expected)) => {
            for (key, value) in expected {
                let given = actual.get(key).unwrap_or_else(|| panic!("{at}: no {key}"));
                assert_holds(given, value, &format!("{at}.{key}"));
            }
        }
        (Array(actual), Array(expected)) => {
            assert_eq!(actual.len(), expected.len(), "{at}: {actual:?}");
            for (index, (given, value)) in actual.iter().zip(expected).enumerate() {
                assert_holds(given, value, &format!("{at}[{index}]"));
            }
        }
        _ => assert_eq!(actual, expected, "{at}"),
    }
}
