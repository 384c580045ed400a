//! Opening the index of a repository, and opening it again after another build.

use std::cell::RefCell;
use std::rc::Rc;

use crate::index::{INDEX_FILE, Index, IndexFault, MAX_INDEX_BYTES};
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, FileStamp, Host, HostError};
use ragnav_base::path::RepoPath;

/// The file at the path of the index.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::index::INDEX_FILE;
/// use ragnav_index::index_file::{IndexCache, IndexFile};
///
/// let host = MemoryHost::new(&[(INDEX_FILE, "no index")]);
/// let opened = block_on(IndexCache::default().open(&host, None)).unwrap();
/// assert!(matches!(opened, IndexFile::Unreadable));
/// ```
#[derive(Debug, Clone)]
pub enum IndexFile {
    /// There is no file.
    Missing,
    /// The file is no index, is too large, or cannot be read.
    Unreadable,
    /// The index belongs to another build than the status, as it does for a moment while a build
    /// replaces both.
    OtherBuild,
    /// Another version of ragnav wrote the index.
    Unsupported,
    /// The file is an index.
    Index(Rc<Index>),
}

impl IndexFile {
    /// Returns the index, if there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_index::index_file::IndexFile;
    ///
    /// assert!(IndexFile::Missing.index().is_none());
    /// ```
    #[must_use]
    pub fn index(&self) -> Option<Rc<Index>> {
        match self {
            Self::Index(index) => Some(Rc::clone(index)),
            Self::Missing | Self::Unreadable | Self::OtherBuild | Self::Unsupported => None,
        }
    }
}

/// The index that was opened last, with the stamp of its file.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_index::index_file::{IndexCache, IndexFile};
///
/// let opened = block_on(IndexCache::default().open(&MemoryHost::default(), None)).unwrap();
/// assert!(matches!(opened, IndexFile::Missing));
/// ```
#[derive(Debug, Default)]
pub struct IndexCache(RefCell<Option<(Rc<Index>, Option<FileStamp>)>>);

impl IndexCache {
    /// Opens the index of a build. It reads the file again only if the stamp has changed.
    ///
    /// Without a generation, as in a status file of another program, it opens any index.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/build.rs")); }
    /// # use setup::{build, path};
    /// use std::rc::Rc;
    ///
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::index::INDEX_FILE;
    /// use ragnav_index::index_file::{IndexCache, IndexFile};
    ///
    /// let index = build(&[("a.py", "")]).index;
    /// let host = MemoryHost::default();
    /// let written = ragnav_base::host::write(&host, path(INDEX_FILE), index.bytes().to_vec());
    /// block_on(written).unwrap();
    /// let cache = IndexCache::default();
    /// let open = |generation| block_on(cache.open(&host, Some(generation))).unwrap();
    /// assert!(open(index.generation()).index().is_some());
    /// // The status file names another build.
    /// assert!(matches!(open("4b825dc"), IndexFile::OtherBuild));
    /// ```
    pub async fn open(
        &self,
        host: &impl Host,
        generation: Option<&str>,
    ) -> Result<IndexFile, RagnavError> {
        let path = RepoPath::parse(INDEX_FILE)?;
        let stamp = match host::stat_one(host, &path).await? {
            Ok(stamp) => Some(stamp),
            Err(HostError::Missing) => return Ok(IndexFile::Missing),
            Err(_) => None,
        };
        let fits = |index: &Index| generation.is_none_or(|wanted| wanted == index.generation());
        if let Some((index, known)) = self.0.borrow().as_ref()
            && generation.is_some()
            && fits(index)
            // Without stamps the equal generation is the only proof.
            && (*known == stamp || stamp.is_none())
        {
            return Ok(IndexFile::Index(Rc::clone(index)));
        }
        let bytes = match host::read_one(host, &path, MAX_INDEX_BYTES).await? {
            Ok(bytes) => bytes,
            Err(HostError::Missing) => return Ok(IndexFile::Missing),
            Err(_) => return Ok(IndexFile::Unreadable),
        };
        match Index::open(bytes) {
            Ok(index) if fits(&index) => {
                let index = Rc::new(index);
                let stamp = stamp.filter(|stamp| !stamp.racy);
                self.0.replace(Some((Rc::clone(&index), stamp)));
                Ok(IndexFile::Index(index))
            }
            Ok(_) => Ok(IndexFile::OtherBuild),
            Err(IndexFault::Damaged) => Ok(IndexFile::Unreadable),
            Err(IndexFault::Unsupported) => Ok(IndexFile::Unsupported),
        }
    }
}
