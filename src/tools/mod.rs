//! The questions: one file each. A tool never fails: what goes wrong is an `ERROR` envelope.

mod cursor;
pub mod enrich;
mod file_symbols;
pub mod identify;
mod live_answer;
mod live_files;
pub mod locate;
pub mod search;

use crate::repo::walk::Limits;

/// What every question about one repository has in common.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The root as the host names it, for messages and `IndexStatus.repo`.
    pub repo: String,
    /// Bounds on what a question reads.
    pub limits: Limits,
}
