//! A host in memory with optional faults, and helpers of several tests.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ragnav::base::host::{
    Buffer, ChangedFile, Changes, ChangesRequest, Commit, CommitChanges, CommitsBetweenRequest,
    DirEntry, EmbedRequest, EntryKind, ExtractRequest, FileStamp, FileTimes, FileTimesRequest,
    FileToExtract, GitHead, Host, HostError, IgnoreRules, ModelRequest, ModelResponse,
    OffsetsRequest, ReadDirsRequest, ReadManyRequest, ReadObjectsRequest, RemoveRequest, Request,
    Response, StatRequest, StoreRequest, Time, WatchToken, WriteRequest,
};
use ragnav::base::path::RepoPath;
use ragnav::index::content::ContentHash;
use ragnav::index::extract::extract;
use ragnav::query::Settings;

type StoreFn = Box<dyn Fn(&serde_json::Value) -> serde_json::Value>;
type ModelFn = Box<dyn Fn(&serde_json::Value) -> ModelResponse>;

/// A repository in memory.
#[derive(Default)]
pub struct MemoryHost {
    pub files: RefCell<BTreeMap<String, Vec<u8>>>,
    /// Files with the stamp of another content, as after an edit that restored all times.
    pub stamps: RefCell<BTreeMap<String, String>>,
    /// The times of files.
    pub times: RefCell<BTreeMap<String, FileTimes>>,
    /// Files with a racy stamp.
    pub racy: RefCell<BTreeSet<String>>,
    /// Whether the host has no stamps.
    pub without_stamps: bool,
    /// The file that another program writes just before a build writes.
    pub at_commit: RefCell<Option<(String, Vec<u8>)>>,
    /// The files that another program writes while this one waits.
    pub at_wait: RefCell<Vec<(String, Vec<u8>)>>,
    /// The time, in milliseconds since 1970.
    pub now: Cell<i64>,
    /// The name of a request that throws, and how many of its kind get a response before.
    pub throws_after: Cell<Option<(&'static str, usize)>>,
    pub links: Vec<String>,
    pub head: Option<String>,
    pub git_root: Option<String>,
    pub ignore_rules: Vec<IgnoreRules>,
    /// The files of commits, by the name of the commit.
    pub states: BTreeMap<String, BTreeMap<String, String>>,
    /// The names of commits with `states`, oldest first.
    pub line: Vec<String>,
    /// The history, newest first.
    pub commits: Vec<Commit>,
    pub buffers: Vec<Buffer>,
    /// Unreadable paths, with their failures.
    pub broken: BTreeMap<String, HostError>,
    /// Whether the host ignores `max_bytes`.
    pub unbounded: bool,
    /// Whether the host extracts facts for a build.
    pub helps: bool,
    /// The token of a watcher.
    pub token: RefCell<Option<WatchToken>>,
    /// The offset of local time from UTC, in seconds.
    pub offset: i32,
    /// Embeds a text.
    pub embed: Option<fn(&str) -> Vec<f32>>,
    /// The supplied document store.
    pub store: Option<StoreFn>,
    /// The language model.
    pub model: Option<ModelFn>,
    /// Requests that throw, by name.
    pub throws: Vec<&'static str>,
    /// The names of the requests so far.
    pub requested: RefCell<Vec<&'static str>>,
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

    pub fn remove(&self, path: &str) {
        self.files.borrow_mut().remove(path);
    }

    fn respond_now(&self, request: Request) -> Response {
        let name = request.name();
        self.requested.borrow_mut().push(name);
        let due = match self.throws_after.get() {
            Some((which, 0)) => which == name,
            Some((which, left)) if which == name => {
                self.throws_after.set(Some((which, left - 1)));
                false
            }
            _ => false,
        };
        if due || self.throws.contains(&name) {
            return Response::Failed(format!("{name} was told to fail"));
        }
        match request {
            Request::GitHead(_) => Response::GitHead(GitHead {
                head: self.head.clone(),
                git_root: self.git_root.clone(),
            }),
            Request::ReadDirs(ReadDirsRequest { paths }) => {
                Response::ReadDirs(paths.iter().map(|path| self.list(path)).collect())
            }
            Request::ReadMany(ReadManyRequest { paths, max_bytes }) => Response::ReadMany(
                paths
                    .iter()
                    .map(|path| self.read(path, max_bytes))
                    .collect(),
            ),
            Request::Stat(StatRequest { paths }) => {
                Response::Stat(paths.iter().map(|path| self.stat(path)).collect())
            }
            Request::Write(WriteRequest {
                path,
                parts,
                exclusive,
            }) => {
                if exclusive && self.files.borrow().contains_key(path.as_str()) {
                    return Response::Failed(format!("{path} exists"));
                }
                self.put(path.as_str(), &parts.concat());
                Response::Write(())
            }
            Request::Extract(ExtractRequest {
                files, max_bytes, ..
            }) => Response::Extract(self.helps.then(|| self.extract(&files, max_bytes))),
            Request::Remove(RemoveRequest { path }) => {
                self.files.borrow_mut().remove(path.as_str());
                Response::Remove(())
            }
            Request::Now(_) => Response::Now(Time {
                iso: format!("time {}", self.now.get()),
                ms: self.now.get(),
            }),
            Request::Overlay(_) => Response::Overlay(self.buffers.clone()),
            Request::IgnoreRules(_) => Response::IgnoreRules(self.ignore_rules.clone()),
            Request::History(_) => Response::History(self.commits.clone()),
            Request::Changes(request) => Response::Changes(self.changes(&request)),
            Request::CommitsBetween(CommitsBetweenRequest { from, .. }) => {
                Response::CommitsBetween(self.commits_after(&from))
            }
            Request::ReadObjects(ReadObjectsRequest { ids, .. }) => {
                // An object's id is its text.
                Response::ReadObjects(ids.into_iter().map(|id| Ok(id.into_bytes())).collect())
            }
            Request::Watch(_) => Response::Watch(self.token.borrow().clone()),
            Request::Commit(_) => {
                if let Some((path, bytes)) = self.at_commit.take() {
                    self.put(&path, &bytes);
                }
                Response::Commit(())
            }
            Request::Yield(_) => Response::Yield(()),
            Request::Wait(_) => {
                for (path, bytes) in self.at_wait.take() {
                    self.put(&path, &bytes);
                }
                Response::Wait(())
            }
            Request::LoadGrammar(_) => Response::Failed("grammars are linked".to_owned()),
            Request::Model(ModelRequest { body, .. }) => match &self.model {
                Some(model) => Response::Model(model(&serde_json::from_str(&body).unwrap())),
                None => Response::Failed("no model here".to_owned()),
            },
            Request::FileTimes(FileTimesRequest { paths }) => Response::FileTimes(
                paths
                    .iter()
                    .map(|path| self.times.borrow().get(path.as_str()).copied())
                    .collect(),
            ),
            Request::Offsets(OffsetsRequest { instants }) => {
                Response::Offsets(vec![self.offset; instants.len()])
            }
            Request::Embed(EmbedRequest { texts }) => match self.embed {
                Some(embed) => Response::Embed(texts.iter().map(|text| embed(text)).collect()),
                None => Response::Failed("no embeddings here".to_owned()),
            },
            Request::Store(StoreRequest { request }) => match &self.store {
                Some(store) => Response::Store(store(&request.0)),
                None => Response::Failed("no store here".to_owned()),
            },
        }
    }

    /// Returns the files that differ between states.
    fn changes(&self, request: &ChangesRequest) -> Option<Changes> {
        let from = self.states.get(&request.from)?;
        let to = match &request.to {
            Some(to) => Some(self.states.get(to)?),
            None => None,
        };
        let now = |path: &str| {
            let is_wanted = request.paths.iter().any(|wanted| wanted.as_str() == path);
            let bytes = self.files.borrow().get(path).cloned();
            let bytes = bytes.filter(|_| is_wanted)?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        };
        let mut paths: BTreeSet<String> = from.keys().cloned().collect();
        paths.extend(to.into_iter().flat_map(|state| state.keys().cloned()));
        paths.extend(request.paths.iter().map(RepoPath::to_string));
        let files = paths.into_iter().filter_map(|path| {
            let before = from.get(&path).cloned();
            let after = match to {
                Some(state) => state.get(&path).cloned(),
                None => now(&path),
            };
            let is_unsaved = request.unsaved.iter().any(|one| one.as_str() == path);
            (before != after || is_unsaved).then(|| ChangedFile {
                after: after.filter(|_| to.is_some()),
                before,
                path,
            })
        });
        Some(Changes {
            from: request.from.clone(),
            to: request.to.clone(),
            files: files.collect(),
        })
    }

    /// Returns the commits of the line after one, with the files that each changes.
    fn commits_after(&self, commit: &str) -> Option<Vec<CommitChanges>> {
        let first = self.line.iter().position(|name| name == commit)?;
        let pairs = self.line.get(first..)?.windows(2);
        let commits = pairs.map(|pair| {
            let changes = self.changes(&ChangesRequest {
                from: pair[0].clone(),
                to: Some(pair[1].clone()),
                paths: Vec::new(),
                unsaved: Vec::new(),
            });
            changes.map(|changes| CommitChanges {
                id: pair[1].clone(),
                files: changes.files,
            })
        });
        commits.collect()
    }

    fn extract(&self, files: &[FileToExtract], max_bytes: u32) -> Vec<Result<Vec<u8>, HostError>> {
        let extracts = files.iter().map(|file| {
            let bytes = self.read(&file.path, max_bytes)?;
            let known = file
                .recorded_hash
                .map(|hash| ContentHash::from_bytes(hash.0));
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

    /// A stamp is the content itself, unless a test sets another one.
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
    async fn respond(&self, request: Request) -> Response {
        self.respond_now(request)
    }
}

pub fn settings() -> Settings {
    Settings {
        repo: "/repo".to_owned(),
        ..Settings::default()
    }
}

/// Returns the cases of a file under `tests/cases`, which the tests of the npm package run too.
pub fn cases(name: &str) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(format!("tests/cases/{name}")).expect("the cases are there");
    serde_json::from_str(&text).expect("the cases are JSON")
}

/// Returns the name of a case.
pub fn title(case: &serde_json::Value) -> String {
    format!(
        "{} {}",
        case["row"].as_str().unwrap_or(""),
        case["name"].as_str().unwrap_or("")
    )
}

/// Asserts that `actual` has every key of `expected` with its value, and perhaps more.
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
