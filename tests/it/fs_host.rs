//! A host over `std::fs`. It does not read git; the test sets HEAD.

use std::fs;
use std::future::Future;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ragnav::base::host::{
    DirEntry, EntryKind, FileStamp, GitHead, Host, HostError, OffsetsRequest, ReadDirsRequest,
    ReadManyRequest, RemoveRequest, Request, Response, StatRequest, Time, WriteRequest,
};
use ragnav::base::path::RepoPath;

/// A repository on disk.
pub struct FsHost {
    pub root: PathBuf,
    pub head: GitHead,
}

impl Host for FsHost {
    async fn respond(&self, request: Request) -> Response {
        match request {
            Request::GitHead(_) => Response::GitHead(self.head.clone()),
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
                let file = self.root.join(path.as_str());
                if exclusive && file.exists() {
                    return Response::Failed(format!("{path} exists"));
                }
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, parts.concat()).unwrap();
                Response::Write(())
            }
            Request::Remove(RemoveRequest { path }) => {
                let _ = fs::remove_file(self.root.join(path.as_str()));
                Response::Remove(())
            }
            // A fixed time, since native answers are compared with those of WebAssembly.
            Request::Now(_) => Response::Now(Time {
                iso: "2026-01-01T00:00:00.000Z".to_owned(),
                ms: 1_767_225_600_000,
            }),
            Request::Overlay(_) => Response::Overlay(Vec::new()),
            Request::IgnoreRules(_) => Response::IgnoreRules(Vec::new()),
            Request::Changes(_) | Request::ReadObjects(_) => {
                Response::Failed("no commits here".to_owned())
            }
            Request::CommitsBetween(_) => Response::CommitsBetween(None),
            Request::History(_) => Response::History(Vec::new()),
            Request::Watch(_) => Response::Watch(None),
            Request::Extract(_) => Response::Extract(None),
            Request::Model(_) | Request::Embed(_) | Request::Store(_) => {
                Response::Failed("no model and no store here".to_owned())
            }
            Request::FileTimes(request) => Response::FileTimes(vec![None; request.paths.len()]),
            Request::Offsets(OffsetsRequest { instants }) => {
                Response::Offsets(vec![0; instants.len()])
            }
            Request::Commit(_) => Response::Commit(()),
            Request::Yield(_) => Response::Yield(()),
            Request::Wait(_) => Response::Wait(()),
            Request::LoadGrammar(_) => Response::Failed("grammars are linked".to_owned()),
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
            Some(DirEntry {
                name,
                kind,
                stamp: None,
            })
        });
        Ok(entries.collect())
    }

    fn stat(&self, path: &RepoPath) -> Result<FileStamp, HostError> {
        let file = self.root.join(path.as_str());
        let stats = fs::symlink_metadata(file).map_err(|error| io_error(&error))?;
        let stamp = [
            stats.ino().to_string(),
            format!("{}.{}", stats.ctime(), stats.ctime_nsec()),
            format!("{}.{}", stats.mtime(), stats.mtime_nsec()),
        ];
        Ok(FileStamp {
            size: stats.len(),
            stamp: stamp.join("-"),
            racy: false,
        })
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

/// Runs a future over a synchronous host.
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
