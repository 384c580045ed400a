//! A host in memory that can be told to fail, and what several tests need.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ragnav::base::host::{
    Answer, Ask, Buffer, DirEntry, EntryKind, FileStamp, GitHead, Host, HostError, IgnoreRules,
    Time, ToExtract, Word,
};
use ragnav::base::path::RepoPath;
use ragnav::index::content::ContentHash;
use ragnav::index::extract::extract;
use ragnav::query::Settings;

type StoreFn = Box<dyn Fn(&serde_json::Value) -> serde_json::Value>;

/// A repository in memory.
#[derive(Default)]
pub struct MemoryHost {
    pub files: RefCell<BTreeMap<String, Vec<u8>>>,
    /// Files whose stamp is of another content than they have, as after an edit that restored every time.
    pub stamps: RefCell<BTreeMap<String, String>>,
    /// Files that were saved a moment ago.
    pub racy: RefCell<BTreeSet<String>>,
    /// Whether it knows no stamps.
    pub without_stamps: bool,
    /// What another program writes when a build is about to.
    pub at_commit: RefCell<Option<(String, Vec<u8>)>>,
    /// Milliseconds since 1970.
    pub now: Cell<f64>,
    /// Asks that are answered before the one that throws, for each of `throws_after`.
    pub throws_after: Cell<Option<(&'static str, usize)>>,
    pub links: Vec<String>,
    pub head: Option<String>,
    pub git_root: Option<String>,
    pub ignore_rules: Vec<IgnoreRules>,
    pub buffers: Vec<Buffer>,
    /// Paths that cannot be read, with why.
    pub broken: BTreeMap<String, HostError>,
    /// Answers with files of any size.
    pub unbounded: bool,
    /// Whether it extracts files for a build.
    pub helps: bool,
    /// Who vouches for what was listed.
    pub word: RefCell<Option<Word>>,
    /// How far local time is ahead of UTC, in seconds.
    pub offset: i32,
    /// What a text means.
    pub embed: Option<fn(&str) -> Vec<f32>>,
    /// A store of documents.
    pub store: Option<StoreFn>,
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
        let due = match self.throws_after.get() {
            Some((which, 0)) => which == name,
            Some((which, left)) if which == name => {
                self.throws_after.set(Some((which, left - 1)));
                false
            }
            _ => false,
        };
        if due || self.throws.contains(&name) {
            return Answer::Failed(format!("{name} was told to fail"));
        }
        match ask {
            Ask::GitHead => Answer::GitHead(GitHead {
                head: self.head.clone(),
                git_root: self.git_root.clone(),
            }),
            Ask::ReadDirs { paths } => {
                Answer::Dirs(paths.iter().map(|path| self.list(path)).collect())
            }
            Ask::ReadMany { paths, max_bytes } => Answer::Files(
                paths
                    .iter()
                    .map(|path| self.read(path, max_bytes))
                    .collect(),
            ),
            Ask::Stat { paths } => {
                Answer::Stats(paths.iter().map(|path| self.stat(path)).collect())
            }
            Ask::Write {
                path,
                parts,
                exclusive,
            } => {
                if exclusive && self.files.borrow().contains_key(path.as_str()) {
                    return Answer::Failed(format!("{path} exists"));
                }
                self.put(path.as_str(), &parts.concat());
                Answer::Done
            }
            Ask::Extract {
                files, max_bytes, ..
            } => Answer::Extracted(self.helps.then(|| self.extract(&files, max_bytes))),
            Ask::Remove { path } => {
                self.files.borrow_mut().remove(path.as_str());
                Answer::Done
            }
            Ask::Now => Answer::Now(Time {
                iso: format!("time {}", self.now.get()),
                ms: self.now.get(),
            }),
            Ask::Overlay => Answer::Overlay(self.buffers.clone()),
            Ask::IgnoreRules => Answer::IgnoreRules(self.ignore_rules.clone()),
            Ask::Watch => Answer::Watch(self.word.borrow().clone()),
            Ask::Commit => {
                if let Some((path, bytes)) = self.at_commit.take() {
                    self.put(&path, &bytes);
                }
                Answer::Done
            }
            Ask::Yield(_) | Ask::Wait { .. } => Answer::Done,
            Ask::Model { .. } => Answer::Failed("no model here".to_owned()),
            Ask::Offsets { instants } => Answer::Offsets(vec![self.offset; instants.len()]),
            Ask::Embed { texts } => match self.embed {
                Some(embed) => Answer::Embeddings(texts.iter().map(|text| embed(text)).collect()),
                None => Answer::Failed("no embeddings here".to_owned()),
            },
            Ask::Store { request } => match &self.store {
                Some(store) => Answer::Store(store(&request)),
                None => Answer::Failed("no store here".to_owned()),
            },
        }
    }

    fn extract(&self, files: &[ToExtract], max_bytes: u32) -> Vec<Result<Vec<u8>, HostError>> {
        let extracts = files.iter().map(|file| {
            let bytes = self.read(&file.path, max_bytes)?;
            let known = file.known.map(ContentHash::from_bytes);
            Ok(extract(&file.path, &bytes, known).to_bytes())
        });
        extracts.collect()
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
        let entries = entries.into_iter().map(|(name, kind)| DirEntry {
            name,
            kind,
            stamp: None,
        });
        Ok(entries.collect())
    }

    /// A stamp is the content itself, unless the test says otherwise.
    fn stat(&self, path: &RepoPath) -> Result<FileStamp, HostError> {
        if self.without_stamps {
            return Err(HostError::Io);
        }
        let files = self.files.borrow();
        let bytes = files.get(path.as_str()).ok_or(HostError::Missing)?;
        let stamp = self.stamps.borrow().get(path.as_str()).cloned();
        Ok(FileStamp {
            size: bytes.len() as u64,
            stamp: stamp.unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned()),
            racy: self.racy.borrow().contains(path.as_str()),
        })
    }

    fn read(&self, path: &RepoPath, max_bytes: u32) -> Result<Vec<u8>, HostError> {
        if let Some(error) = self.broken.get(path.as_str()) {
            return Err(*error);
        }
        match self.files.borrow().get(path.as_str()) {
            None => Err(HostError::Missing),
            Some(bytes) if bytes.len() > max_bytes as usize && !self.unbounded => {
                Err(HostError::TooLarge)
            }
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
        Ask::ReadDirs { .. } => "read_dirs",
        Ask::ReadMany { .. } => "read_many",
        Ask::Stat { .. } => "stat",
        Ask::Write { .. } => "write",
        Ask::Extract { .. } => "extract",
        Ask::Remove { .. } => "remove",
        Ask::Now => "now",
        Ask::Commit => "commit",
        Ask::Overlay => "overlay",
        Ask::IgnoreRules => "ignore_rules",
        Ask::Yield(_) => "yield",
        Ask::Watch => "watch",
        Ask::Model { .. } => "model",
        Ask::Wait { .. } => "wait",
        Ask::Offsets { .. } => "offsets",
        Ask::Embed { .. } => "embed",
        Ask::Store { .. } => "store",
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
