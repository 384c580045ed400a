//! How what a row says is known.

use crate::envelope::{FreshnessState, Proof, SourceTag};

/// How a file of an answer is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ground {
    pub(crate) source: SourceTag,
    pub(crate) freshness_state: FreshnessState,
    pub(crate) proof: Proof,
}

impl Ground {
    /// A file that was read for the answer.
    pub(crate) fn live(proof: Proof) -> Self {
        Self {
            source: SourceTag::LocalFallback,
            freshness_state: FreshnessState::Fresh,
            proof,
        }
    }

    /// A file that is proven to be as the index has it.
    pub(crate) fn proven(proof: Proof) -> Self {
        Self {
            source: SourceTag::RagGraph,
            ..Self::live(proof)
        }
    }
}
