//! The lock that keeps a second build from writing.
//!
//! It is a file that only one build can create. The build renews it while it works, so the age of a
//! lock shows that its build was killed.

use serde::{Deserialize, Deserializer, Serialize};

use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{
    self, Bytes, Host, HostError, NowRequest, RemoveRequest, Time, WriteRequest,
};
use ragnav_base::path::RepoPath;

/// The path of the lock.
const LOCK_FILE: &str = ".llmc/rag/build.lock";
const MAX_LOCK_BYTES: u32 = 1 << 12;

/// The age above which a lock belongs to a dead build, in milliseconds.
const DEAD_AFTER_MS: i64 = 60_000;
/// The largest plausible difference between two clocks, in milliseconds. A lock from further in the
/// future is invalid.
const MAX_SKEW_MS: i64 = 3_600_000;
/// The interval between two renewals, in milliseconds.
const RENEW_EVERY_MS: i64 = 10_000;

/// The number of attempts to take the lock while other builds release theirs.
const ATTEMPTS: usize = 4;
/// The attempt after which an unreadable lock counts as none.
const LAST_READING: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Content {
    owner: String,
    started_at: String,
    /// The milliseconds since 1970.
    #[serde(deserialize_with = "milliseconds")]
    renewed_ms: i64,
}

/// Deserializes milliseconds. Earlier versions wrote them with a fraction: `990000.0`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast saturates, and times are below 2^53"
)]
fn milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    f64::deserialize(deserializer).map(|ms| ms as i64)
}

/// A lock that this build holds.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{Host, NowRequest};
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::build_graph::lock::Lock;
///
/// let host = MemoryHost::default();
/// let now = block_on(host.send(NowRequest {})).unwrap();
/// let lock = block_on(Lock::take(&host, "build-1", &now)).unwrap();
/// block_on(lock.release(&host));
/// assert!(block_on(Lock::take(&host, "build-2", &now)).is_ok());
/// ```
#[derive(Debug)]
pub struct Lock {
    content: Content,
}

impl Lock {
    /// Takes the lock.
    ///
    /// # Errors
    /// `INDEX_LOCKED` if another build holds it, `INDEX_WRITE_FAILED` if it cannot be written or
    /// may not be read, `HOST_FAILED` if it cannot be read again.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::error::ErrorCode;
    /// use ragnav_base::host::{Host, NowRequest};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::build_graph::lock::Lock;
    ///
    /// let host = MemoryHost::default();
    /// let now = block_on(host.send(NowRequest {})).unwrap();
    /// let _lock = block_on(Lock::take(&host, "build-1", &now)).unwrap();
    /// let error = block_on(Lock::take(&host, "build-2", &now)).unwrap_err();
    /// assert_eq!(error.code, ErrorCode::IndexLocked);
    /// ```
    pub async fn take<H: Host>(host: &H, owner: &str, now: &Time) -> Result<Self, RagnavError> {
        let lock = Self {
            content: Content {
                owner: owner.to_owned(),
                started_at: now.iso.clone(),
                renewed_ms: now.ms,
            },
        };
        let mut failure = None;
        for attempt in 1..=ATTEMPTS {
            let Err(error) = host
                .send(WriteRequest {
                    path: path()?,
                    parts: vec![Bytes(lock.text())],
                    exclusive: true,
                })
                .await
            else {
                // Another build may also have replaced the dead build's lock.
                lock.check(host).await?;
                return Ok(lock);
            };
            match read(host).await? {
                // Another build has just released it, or this host writes nothing.
                Found::Nothing => {}
                // The host created it and reported a failure, so the host is unreliable.
                Found::Lock(found) if found.owner == owner => {
                    lock.release(host).await;
                    return Err(error);
                }
                Found::Lock(other) if !is_dead(&other, now) => return Err(locked(&other)),
                // It may belong to another build that is running.
                Found::Unreadable(HostError::Denied) => return Err(error),
                Found::Unreadable(_) if attempt < LAST_READING => {}
                // A file that can never be read, such as a pipe, is no lock.
                Found::Lock(_) | Found::Garbage | Found::Unreadable(_) => {
                    host.send(RemoveRequest { path: path()? }).await?;
                }
            }
            failure = Some(error);
        }
        Err(failure.unwrap_or_else(taken_away))
    }

    /// Checks that this build still holds the lock.
    ///
    /// # Errors
    /// `INDEX_LOCKED` if another build took it, `HOST_FAILED` if it cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::{Host, NowRequest};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::build_graph::lock::Lock;
    ///
    /// let host = MemoryHost::default();
    /// let now = block_on(host.send(NowRequest {})).unwrap();
    /// let lock = block_on(Lock::take(&host, "build-1", &now)).unwrap();
    /// assert!(block_on(lock.check(&host)).is_ok());
    /// ```
    pub async fn check<H: Host>(&self, host: &H) -> Result<(), RagnavError> {
        match read(host).await? {
            Found::Lock(found) if found.owner == self.content.owner => Ok(()),
            Found::Lock(other) => Err(locked(&other)),
            Found::Nothing | Found::Garbage => Err(taken_away()),
            Found::Unreadable(error) => Err(unreadable(error)),
        }
    }

    /// Renews the lock, unless it was renewed recently.
    ///
    /// # Errors
    /// `INDEX_LOCKED` if another build took it, `HOST_FAILED` if it cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::{Host, NowRequest};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::build_graph::lock::Lock;
    ///
    /// let host = MemoryHost::default();
    /// let now = block_on(host.send(NowRequest {})).unwrap();
    /// let mut lock = block_on(Lock::take(&host, "build-1", &now)).unwrap();
    /// assert!(block_on(lock.renew(&host)).is_ok());
    /// ```
    pub async fn renew<H: Host>(&mut self, host: &H) -> Result<(), RagnavError> {
        let now = host.send(NowRequest {}).await?;
        if now.ms.saturating_sub(self.content.renewed_ms) < RENEW_EVERY_MS {
            return Ok(());
        }
        self.check(host).await?;
        self.content.renewed_ms = now.ms;
        host::write(host, path()?, self.text()).await
    }

    /// Releases the lock. If it cannot be removed, it is dated back; if that fails too, it expires.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::{Host, NowRequest};
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_query::build_graph::lock::Lock;
    ///
    /// let host = MemoryHost::default();
    /// let now = block_on(host.send(NowRequest {})).unwrap();
    /// let lock = block_on(Lock::take(&host, "build-1", &now)).unwrap();
    /// block_on(lock.release(&host));
    /// assert!(block_on(Lock::take(&host, "build-2", &now)).is_ok());
    /// ```
    pub async fn release<H: Host>(mut self, host: &H) {
        let (Ok(()), Ok(path)) = (self.check(host).await, path()) else {
            return;
        };
        if host
            .send(RemoveRequest { path: path.clone() })
            .await
            .is_err()
        {
            self.content.renewed_ms = 0;
            let _ = host::write(host, path, self.text()).await;
        }
    }

    fn text(&self) -> Vec<u8> {
        serde_json::to_vec(&self.content).unwrap_or_default()
    }
}

/// Removes the lock of a build that was dropped before its end.
pub(crate) async fn abandon<H: Host>(host: &H, owner: &str) {
    if let Ok(Found::Lock(found)) = read(host).await
        && found.owner == owner
    {
        Lock { content: found }.release(host).await;
    }
}

enum Found {
    Nothing,
    Garbage,
    Lock(Content),
    Unreadable(HostError),
}

async fn read<H: Host>(host: &H) -> Result<Found, RagnavError> {
    let read = host::read_one(host, &path()?, MAX_LOCK_BYTES).await?;
    Ok(match read {
        Ok(bytes) => serde_json::from_slice(&bytes).map_or(Found::Garbage, Found::Lock),
        Err(HostError::Missing) => Found::Nothing,
        Err(HostError::TooLarge) => Found::Garbage,
        Err(error @ (HostError::Denied | HostError::Io)) => Found::Unreadable(error),
    })
}

fn is_dead(lock: &Content, now: &Time) -> bool {
    let age = now.ms.saturating_sub(lock.renewed_ms);
    !(-MAX_SKEW_MS..=DEAD_AFTER_MS).contains(&age)
}

fn locked(other: &Content) -> RagnavError {
    let message = format!(
        "another build of the index, begun at {}, is running; wait until it ends, or for a minute \
         if it was killed",
        other.started_at
    );
    RagnavError::new(ErrorCode::IndexLocked, message)
}

fn unreadable(error: HostError) -> RagnavError {
    let message = format!(
        "the lock {LOCK_FILE} cannot be read: {error}; if it stays so, remove it and build again"
    );
    RagnavError::new(ErrorCode::HostFailed, message)
}

fn taken_away() -> RagnavError {
    let message = "another build took the lock of this one; run it again";
    RagnavError::new(ErrorCode::IndexLocked, message)
}

fn path() -> Result<RepoPath, RagnavError> {
    RepoPath::parse(LOCK_FILE)
}
