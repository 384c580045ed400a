//! The index of a repository: opened once, and again when another build is there.

use std::cell::RefCell;
use std::rc::Rc;

use crate::error::RagnavError;
use crate::graph::index::{INDEX_FILE, Index, IndexFault};
use crate::host::{self, Host, HostError};
use crate::path::RepoPath;

/// The largest index that is read, in bytes.
const MAX_INDEX_BYTES: u32 = 1 << 30;

/// What there is where the index should be.
#[derive(Debug, Clone)]
pub enum IndexFile {
    /// Nothing.
    Missing,
    /// Something that is no index, too large, of another build than the status, or cannot be read.
    Unreadable,
    /// An index that another version of ragnav wrote.
    Unsupported,
    /// An index.
    Index(Rc<Index>),
}

impl IndexFile {
    /// The index, where there is one.
    #[must_use]
    pub fn index(&self) -> Option<Rc<Index>> {
        match self {
            Self::Index(index) => Some(Rc::clone(index)),
            Self::Missing | Self::Unreadable | Self::Unsupported => None,
        }
    }
}

/// The index that was opened last.
#[derive(Debug, Default)]
pub struct IndexCache(RefCell<Option<Rc<Index>>>);

impl IndexCache {
    /// Opens the index of a build. Nothing is read where that build's index is open already.
    ///
    /// Without a generation, as in statuses that other programs wrote, whatever index is there is opened.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub async fn open(
        &self,
        host: &impl Host,
        generation: Option<&str>,
    ) -> Result<IndexFile, RagnavError> {
        let fits = |index: &Index| generation.is_none_or(|wanted| wanted == index.generation());
        if let Some(index) = self.0.borrow().as_ref()
            && generation.is_some()
            && fits(index)
        {
            return Ok(IndexFile::Index(Rc::clone(index)));
        }
        let path = RepoPath::parse(INDEX_FILE)?;
        let bytes = match host::read_one(host, &path, MAX_INDEX_BYTES).await? {
            Ok(bytes) => bytes,
            Err(HostError::Missing) => return Ok(IndexFile::Missing),
            Err(_) => return Ok(IndexFile::Unreadable),
        };
        match Index::open(bytes) {
            Ok(index) if fits(&index) => Ok(IndexFile::Index(self.keep(index))),
            Ok(_) | Err(IndexFault::Damaged) => Ok(IndexFile::Unreadable),
            Err(IndexFault::Unsupported) => Ok(IndexFile::Unsupported),
        }
    }

    /// Remembers an index that was just made.
    pub fn keep(&self, index: Index) -> Rc<Index> {
        let index = Rc::new(index);
        self.0.replace(Some(Rc::clone(&index)));
        index
    }
}
