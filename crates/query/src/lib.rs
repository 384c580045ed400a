//! The questions: one file each. A tool never fails: what goes wrong is an `ERROR` envelope.

pub mod answer;
mod basis;
pub mod build_graph;
mod callables;
mod code;
mod constructed;
mod cursor;
mod differing;
pub mod enrich;
mod file_symbols;
mod find;
pub mod ground;
pub mod identify;
pub mod kept;
mod knowledge;
pub mod lineage;
mod live_files;
pub mod locate;
mod mentions;
pub mod route;
pub mod scope;
pub mod search;
pub mod search_options;
mod sites;
pub mod standing;
pub mod status;
pub mod where_used;

use std::rc::Rc;

use serde::Deserialize;

use crate::kept::Kept;
use ragnav_index::Caches;
use ragnav_repository::walk::Limits;

/// What an answer may come from where the index is not proven.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum StalePolicy {
    /// From the index for files proven unchanged, live for the others.
    #[default]
    Merge,
    /// From the live files alone.
    Live,
    /// Refused with `STALE_INDEX`.
    Error,
    /// From the index as it is, said so.
    Allow,
}

/// What every question takes beside its own options.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct QuestionOptions {
    /// Default: as the repository was opened. What `allow` gives of a file that is not as it was indexed has no text.
    #[cfg_attr(
        feature = "tsify",
        tsify(optional, type = "StalePolicy | null | undefined")
    )]
    pub stale_policy: Option<StalePolicy>,
    /// Items at most, at least 1; `message` says where more were found. Default: all.
    #[cfg_attr(feature = "tsify", tsify(optional, type = "number | null | undefined"))]
    pub limit: Option<f64>,
}

/// What every question about one repository has in common.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The root as the host names it, for messages and `IndexStatus.repo`.
    pub repo: String,
    /// Bounds on what a question reads.
    pub limits: Limits,
    /// What an answer may come from, where the question does not say.
    pub stale_policy: StalePolicy,
    /// What was read of the index, kept between questions.
    pub caches: Rc<Caches>,
    /// What was found out of the files, kept between questions.
    pub kept: Rc<Kept>,
}
