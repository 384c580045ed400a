//! How what a row says is known.

use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};

/// How a file of an answer is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground {
    /// Where the row comes from.
    pub source: SourceTag,
    /// How current the row is.
    pub freshness_state: FreshnessState,
    /// How that is known.
    pub proof: Proof,
}

impl Ground {
    /// A file that was read for the answer.
    #[must_use]
    pub fn live(proof: Proof) -> Self {
        Self {
            source: SourceTag::LocalFallback,
            freshness_state: FreshnessState::Fresh,
            proof,
        }
    }

    /// A file that is proven to be as the index has it.
    #[must_use]
    pub fn proven(proof: Proof) -> Self {
        Self {
            source: SourceTag::RagGraph,
            ..Self::live(proof)
        }
    }
}
