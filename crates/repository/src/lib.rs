//! The current state of the repository: the files that the walk admits, unsaved buffers, and the
//! status of every file. Only this crate decides what may be trusted.
//!
//! A query takes one [`Snapshot`](snapshot::Snapshot) and reads everything through it.
//!
//! # Examples
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use ragnav_base::memory_host::{MemoryHost, block_on};
//! use ragnav_repository::overlay::Overlaid;
//! use ragnav_repository::scope::Scope;
//! use ragnav_repository::settings::Settings;
//! use ragnav_repository::snapshot::Snapshot;
//!
//! # async fn example() -> Result<(), ragnav_repository::failure::Failure> {
//! let repository = MemoryHost::new(&[(".ignore", "dist/\n"), ("dist/b.py", ""), ("src/a.py", "x = 1\n")]);
//! let host = Overlaid::new(&repository).await?;
//! let (settings, corrections) = (Settings::default(), BTreeSet::new());
//! let snapshot =
//!     Snapshot::take(&host, &settings, None, Scope::Everything, &corrections).await?;
//! let paths = snapshot.files().iter().map(|path| path.as_str());
//! assert_eq!(paths.collect::<Vec<_>>(), ["src/a.py"]);
//! # Ok(())
//! # }
//! # assert!(block_on(example()).is_ok());
//! ```

mod built_in_skips;
pub mod compiler;
pub mod failure;
pub mod file_reader;
pub mod file_statuses;
pub mod ignore_rules;
pub mod overlay;
pub mod own_files;
pub mod provenance;
pub mod route;
pub mod scope;
pub mod settings;
pub mod snapshot;
pub mod status;
mod verify;
pub mod walk;
