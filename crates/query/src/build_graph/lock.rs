//! The lock that keeps a second build from writing.
//!
//! A file that only one builder can create. Its holder renews it while it works, so that one that was left by a build
//! that was killed is known by its age.

use serde::{Deserialize, Serialize};

use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{self, Host, HostError, Time};
use ragnav_base::path::RepoPath;

/// Where the lock is.
const LOCK_FILE: &str = ".llmc/rag/build.lock";
const MAX_LOCK_BYTES: u32 = 1 << 12;

/// A lock that was not renewed for this long is a dead build's, in milliseconds.
const DEAD_AFTER_MS: f64 = 60_000.0;
/// A lock from further in the future than clocks are apart is no lock, in milliseconds.
const MAX_SKEW_MS: f64 = 3_600_000.0;
/// How often the holder renews it, in milliseconds.
const RENEW_EVERY_MS: f64 = 10_000.0;

/// How often taking it is tried, while others give theirs back.
const ATTEMPTS: usize = 4;
/// The attempt after which what could not be read so far is taken for no lock.
const LAST_READING: usize = 3;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Content {
    owner: String,
    started_at: String,
    renewed_ms: f64,
}

/// The lock, while this build holds it.
#[derive(Debug)]
pub struct Lock {
    content: Content,
}

impl Lock {
    /// Takes the lock.
    ///
    /// # Errors
    /// `INDEX_LOCKED` where another build holds it, `INDEX_WRITE_FAILED` where it cannot be written or may not be read, `HOST_FAILED` where it
    /// cannot be read again.
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
            let Err(error) = host::create(host, path()?, lock.text()).await else {
                // Another one may have taken this for the dead build's lock too.
                lock.check(host).await?;
                return Ok(lock);
            };
            match read(host).await? {
                // It was given back just now, or this host writes nothing.
                Found::Nothing => {}
                // The host made it and said that it had not: it is not to be relied on.
                Found::Lock(found) if found.owner == owner => {
                    lock.release(host).await;
                    return Err(error);
                }
                Found::Lock(other) if !is_dead(&other, now) => return Err(locked(&other)),
                // It may be another build's, which is at work.
                Found::Unreadable(HostError::Denied) => return Err(error),
                Found::Unreadable(_) if attempt < LAST_READING => {}
                // What can never be read, as a pipe, is no lock.
                Found::Lock(_) | Found::Garbage | Found::Unreadable(_) => {
                    host::remove(host, path()?).await?;
                }
            }
            failure = Some(error);
        }
        Err(failure.unwrap_or_else(taken_away))
    }

    /// Makes sure that this build still holds the lock.
    ///
    /// # Errors
    /// `INDEX_LOCKED` where another one took it over, `HOST_FAILED` where it cannot be read.
    pub async fn check<H: Host>(&self, host: &H) -> Result<(), RagnavError> {
        match read(host).await? {
            Found::Lock(found) if found.owner == self.content.owner => Ok(()),
            Found::Lock(other) => Err(locked(&other)),
            Found::Nothing | Found::Garbage => Err(taken_away()),
            Found::Unreadable(error) => Err(unreadable(error)),
        }
    }

    /// Says that this build is alive, where it did not lately.
    ///
    /// # Errors
    /// `INDEX_LOCKED` where another one took the lock over, `HOST_FAILED` where it cannot be read.
    pub async fn renew<H: Host>(&mut self, host: &H) -> Result<(), RagnavError> {
        let now = host::now(host).await?;
        if now.ms - self.content.renewed_ms < RENEW_EVERY_MS {
            return Ok(());
        }
        self.check(host).await?;
        self.content.renewed_ms = now.ms;
        host::write(host, path()?, self.text()).await
    }

    /// Gives the lock back. One that cannot be removed is made a dead one's, and where that fails too, dies of age.
    pub async fn release<H: Host>(mut self, host: &H) {
        let (Ok(()), Ok(path)) = (self.check(host).await, path()) else {
            return;
        };
        if host::remove(host, path.clone()).await.is_err() {
            self.content.renewed_ms = 0.0;
            let _ = host::write(host, path, self.text()).await;
        }
    }

    fn text(&self) -> Vec<u8> {
        serde_json::to_vec(&self.content).unwrap_or_default()
    }
}

/// Removes the lock of a build that was dropped before its end.
pub async fn abandon<H: Host>(host: &H, owner: &str) {
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
    let age = now.ms - lock.renewed_ms;
    age > DEAD_AFTER_MS || -age > MAX_SKEW_MS
}

fn locked(other: &Content) -> RagnavError {
    let message = format!(
        "another build of the index, begun at {}, is at work; wait for it, or, if it was killed, for a minute",
        other.started_at
    );
    RagnavError::new(ErrorCode::IndexLocked, message)
}

fn unreadable(error: HostError) -> RagnavError {
    let message = format!("{LOCK_FILE}, which says who builds, cannot be read: {error}");
    RagnavError::new(ErrorCode::HostFailed, message)
}

fn taken_away() -> RagnavError {
    let message = "the lock of this build was taken away; run it again";
    RagnavError::new(ErrorCode::IndexLocked, message)
}

fn path() -> Result<RepoPath, RagnavError> {
    RepoPath::parse(LOCK_FILE)
}
