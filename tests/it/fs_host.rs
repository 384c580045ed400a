//! A host over `std::fs`. Git is not read: HEAD is what the test says.

use std::fs;
use std::future::Future;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use ragnav::base::host::{
    Answer, Ask, DirEntry, EntryKind, FileStamp, GitHead, Host, HostError, Time,
};
use ragnav::base::path::RepoPath;

/// A repository on disk.
pub struct FsHost {
    pub root: PathBuf,
    pub head: GitHead,
}

impl Host for FsHost {
    async fn ask(&self, ask: Ask) -> Answer {
        match ask {
            Ask::GitHead => Answer::GitHead(self.head.clone()),
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
                let file = self.root.join(path.as_str());
                if exclusive && file.exists() {
                    return Answer::Failed(format!("{path} exists"));
                }
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, parts.concat()).unwrap();
                Answer::Done
            }
            Ask::Remove { path } => {
                let _ = fs::remove_file(self.root.join(path.as_str()));
                Answer::Done
            }
            // Native answers are compared with others, which know another time.
            Ask::Now => Answer::Now(Time {
                iso: "2026-01-01T00:00:00.000Z".to_owned(),
                ms: 1_767_225_600_000.0,
            }),
            Ask::Overlay => Answer::Overlay(Vec::new()),
            Ask::IgnoreRules => Answer::IgnoreRules(Vec::new()),
            Ask::Watch => Answer::Watch(None),
            Ask::Extract { .. } => Answer::Extracted(None),
            Ask::Model { .. } | Ask::Embed { .. } | Ask::Store { .. } => {
                Answer::Failed("no model and no store here".to_owned())
            }
            Ask::Offsets { instants } => Answer::Offsets(vec![0; instants.len()]),
            Ask::Commit | Ask::Yield(_) | Ask::Wait { .. } => Answer::Done,
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
