//! The provenance of rows: where they come from, and the proof that they are current.

use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};

/// Where a row comes from, how current it is, and the proof of that.
///
/// # Examples
///
/// ```
/// use ragnav_base::envelope::{FreshnessState, Proof, SourceTag};
/// use ragnav_repository::provenance::Provenance;
///
/// let provenance = Provenance::indexed(Proof::Stat);
/// assert_eq!(provenance.source, SourceTag::RagGraph);
/// assert_eq!(provenance.freshness_state, FreshnessState::Fresh);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provenance {
    /// Where the row comes from.
    pub source: SourceTag,
    /// How current the row is.
    pub freshness_state: FreshnessState,
    /// The proof.
    pub proof: Proof,
}

impl Provenance {
    /// Returns the provenance of a file that was read for the answer.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{Proof, SourceTag};
    /// use ragnav_repository::provenance::Provenance;
    ///
    /// assert_eq!(Provenance::live(Proof::Overlay).source, SourceTag::LocalFallback);
    /// ```
    #[must_use]
    pub fn live(proof: Proof) -> Self {
        Self {
            source: SourceTag::LocalFallback,
            freshness_state: FreshnessState::Fresh,
            proof,
        }
    }

    /// Returns the provenance of a file that is proven unchanged since it was indexed.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::envelope::{Proof, SourceTag};
    /// use ragnav_repository::provenance::Provenance;
    ///
    /// assert_eq!(Provenance::indexed(Proof::Hash).source, SourceTag::RagGraph);
    /// ```
    #[must_use]
    pub fn indexed(proof: Proof) -> Self {
        Self {
            source: SourceTag::RagGraph,
            ..Self::live(proof)
        }
    }
}
