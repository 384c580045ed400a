//! Reading the files in scope, a batch an ask.

use std::collections::VecDeque;

use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host};
use ragnav_base::item::{SkipReason, Skipped};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::text;
use ragnav_repository::walk;

/// How many bytes are worked through before the host may breathe.
const PAUSE_BYTES: usize = 1 << 20;

/// How many bytes a batch should stay under, since WebAssembly's memory never shrinks.
const BATCH_BYTES: usize = 8 << 20;

/// The files of a question, read as they are asked for.
pub(super) struct LiveFiles<'q, H> {
    host: &'q H,
    paths: &'q [RepoPath],
    max_bytes: u32,
    batch: usize,
    asked: usize,
    given: usize,
    unpaused: usize,
    read: VecDeque<(&'q RepoPath, Vec<u8>)>,
    skipped: Vec<Skipped>,
}

impl<'q, H: Host> LiveFiles<'q, H> {
    pub(super) fn new(host: &'q H, paths: &'q [RepoPath], max_bytes: u32) -> Self {
        Self {
            host,
            paths,
            max_bytes,
            batch: walk::BATCH / 4,
            asked: 0,
            given: 0,
            unpaused: 0,
            read: VecDeque::new(),
            skipped: Vec::new(),
        }
    }

    /// The next file that could be read, in the order of the paths.
    pub(super) async fn next(&mut self) -> Result<Option<(&'q RepoPath, Vec<u8>)>, RagnavError> {
        self.pause_if_due().await;
        while self.read.is_empty() && self.asked < self.paths.len() {
            self.read_batch().await?;
        }
        let file = self.read.pop_front();
        if let Some((_, bytes)) = &file {
            self.given += 1;
            self.unpaused += bytes.len();
        }
        Ok(file)
    }

    /// Notes that a file which was read is no text; `Some` is its text.
    pub(super) fn text<'b>(&mut self, path: &RepoPath, bytes: &'b [u8]) -> Option<&'b str> {
        text::decode(bytes)
            .map_err(|reason| self.skip(path, reason))
            .ok()
    }

    /// What could not be read, in the order of the paths.
    pub(super) fn into_skipped(self) -> Vec<Skipped> {
        self.skipped
    }

    /// Notes that a file which was read is left out.
    pub(super) fn skip(&mut self, path: &RepoPath, reason: SkipReason) {
        let file = path.to_string();
        self.skipped.push(Skipped { file, reason });
    }

    async fn pause_if_due(&mut self) {
        if self.unpaused >= PAUSE_BYTES {
            self.unpaused = 0;
            host::pause(self.host, wire(self.given), Some(wire(self.paths.len()))).await;
        }
    }

    async fn read_batch(&mut self) -> Result<(), RagnavError> {
        let end = (self.asked + self.batch).min(self.paths.len());
        let paths = self.paths.get(self.asked..end).unwrap_or_default();
        self.asked = end;
        let files = host::read_many(self.host, paths, self.max_bytes).await?;
        let mut bytes_read = 0;
        for (path, file) in paths.iter().zip(files) {
            match file {
                Ok(bytes) => {
                    bytes_read += bytes.len();
                    self.read.push_back((path, bytes));
                }
                Err(error) => self.skip(path, walk::skip_reason(error)),
            }
        }
        self.batch = next_batch(self.batch, bytes_read);
        Ok(())
    }
}

fn next_batch(batch: usize, bytes_read: usize) -> usize {
    if bytes_read > BATCH_BYTES {
        (batch / 4).max(1)
    } else {
        (batch * 2).min(walk::BATCH)
    }
}
