//! Reads files in batches, and pauses so that progress can be shown.

use std::collections::VecDeque;

use crate::walk;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host};
use ragnav_base::item::{SkipReason, Skipped};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::text::{self, DecodedText};

/// The number of bytes between two pauses.
const PAUSE_BYTES: usize = 1 << 20;

/// The size of a batch, in bytes. Larger batches would enlarge WebAssembly's memory for good.
const BATCH_BYTES: usize = 8 << 20;

/// Reads some files in the order of their paths, one batch for each request.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::SkipReason;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
/// use ragnav_repository::file_reader::FileReader;
///
/// let host = MemoryHost::new(&[("a.py", "x = 1\n"), ("logo.png", "\0")]);
/// let paths = ["a.py", "logo.png", "missing.py"].map(|path| RepoPath::parse(path).unwrap());
/// let mut reader = FileReader::new(&host, &paths, 1_000);
/// let mut texts = Vec::new();
/// while let Some((path, bytes)) = block_on(reader.next()).unwrap() {
///     texts.extend(reader.text(path, &bytes).map(|text| text.to_string()));
/// }
/// assert_eq!(texts, ["x = 1\n"]);
/// let reasons: Vec<_> = reader.into_skipped().into_iter().map(|skip| skip.reason).collect();
/// assert_eq!(reasons, [SkipReason::Missing, SkipReason::Binary]);
/// ```
pub struct FileReader<'q, H> {
    host: &'q H,
    paths: &'q [RepoPath],
    max_bytes: u32,
    batch: usize,
    requested: usize,
    given: usize,
    unpaused: usize,
    read: VecDeque<(&'q RepoPath, Vec<u8>)>,
    skipped: Vec<Skipped>,
}

impl<'q, H: Host> FileReader<'q, H> {
    /// Prepares to read `paths`, none of which may be larger than `max_bytes`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::MemoryHost;
    /// use ragnav_repository::file_reader::FileReader;
    ///
    /// let host = MemoryHost::default();
    /// assert!(FileReader::new(&host, &[], 1_000).into_skipped().is_empty());
    /// ```
    pub fn new(host: &'q H, paths: &'q [RepoPath], max_bytes: u32) -> Self {
        Self {
            host,
            paths,
            max_bytes,
            batch: walk::BATCH / 4,
            requested: 0,
            given: 0,
            unpaused: 0,
            read: VecDeque::new(),
            skipped: Vec::new(),
        }
    }

    /// Returns the next readable file.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_reader::FileReader;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// let paths = [RepoPath::parse("a.py").unwrap()];
    /// let mut reader = FileReader::new(&host, &paths, 1_000);
    /// assert_eq!(block_on(reader.next()).unwrap(), Some((&paths[0], b"x = 1\n".to_vec())));
    /// assert_eq!(block_on(reader.next()).unwrap(), None);
    /// ```
    pub async fn next(&mut self) -> Result<Option<(&'q RepoPath, Vec<u8>)>, RagnavError> {
        self.pause_if_due().await;
        while self.read.is_empty() && self.requested < self.paths.len() {
            self.read_batch().await?;
        }
        let file = self.read.pop_front();
        if let Some((_, bytes)) = &file {
            self.given += 1;
            self.unpaused += bytes.len();
        }
        Ok(file)
    }

    /// Decodes the bytes of a file. A file that is not text is skipped.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::memory_host::MemoryHost;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_reader::FileReader;
    ///
    /// let host = MemoryHost::default();
    /// let mut reader = FileReader::new(&host, &[], 1_000);
    /// let path = RepoPath::parse("logo.png").unwrap();
    /// assert!(reader.text(&path, b"\x89PNG\0").is_none());
    /// assert_eq!(reader.into_skipped()[0].file, "logo.png");
    /// ```
    pub fn text<'b>(&mut self, path: &RepoPath, bytes: &'b [u8]) -> Option<DecodedText<'b>> {
        text::decode(bytes)
            .map_err(|reason| self.skip(path, reason))
            .ok()
    }

    /// Returns the files that could not be read, in the order of the paths.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::item::SkipReason;
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_reader::FileReader;
    ///
    /// let host = MemoryHost::new(&[("data.sql", "insert into")]);
    /// let paths = [RepoPath::parse("data.sql").unwrap()];
    /// let mut reader = FileReader::new(&host, &paths, 4);
    /// assert_eq!(block_on(reader.next()).unwrap(), None);
    /// assert_eq!(reader.into_skipped()[0].reason, SkipReason::TooLarge);
    /// ```
    #[must_use]
    pub fn into_skipped(self) -> Vec<Skipped> {
        self.skipped
    }

    /// Records that a file was left out.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::item::SkipReason;
    /// use ragnav_base::memory_host::MemoryHost;
    /// use ragnav_base::path::RepoPath;
    /// use ragnav_repository::file_reader::FileReader;
    ///
    /// let host = MemoryHost::default();
    /// let mut reader = FileReader::new(&host, &[], 1_000);
    /// reader.skip(&RepoPath::parse("a.py").unwrap(), SkipReason::TooLarge);
    /// assert_eq!(reader.into_skipped().len(), 1);
    /// ```
    pub fn skip(&mut self, path: &RepoPath, reason: SkipReason) {
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
        let end = (self.requested + self.batch).min(self.paths.len());
        let paths = self.paths.get(self.requested..end).unwrap_or_default();
        self.requested = end;
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
