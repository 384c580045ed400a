//! How similar the vectors of a store are to that of a query.

use std::ops::Range;

use super::document_position::DocumentPosition;
use super::segment::DocumentSegment;
use ragnav_base::position::wire;
use ragnav_matching::relevance::similarity_excess;

/// The precision of a cosine. Sums of such numbers are exact, so their order does not matter, and a
/// store has the same mean however it is divided into segments.
const COSINE_UNIT: f64 = 1.0 / (1 << 20) as f64;

/// The cosines of a query's vector and those of documents.
#[derive(Debug, Default)]
pub(super) struct Similarities {
    /// The cosine of each document, by segment; `None` for a document that is not admitted or has
    /// no vector.
    cosines: Vec<Vec<Option<f64>>>,
    /// The mean over files of their largest cosines.
    typical: f64,
}

impl Similarities {
    /// Compares a unit vector with those of the admitted documents.
    pub(super) fn new(
        segments: &[DocumentSegment],
        unit: &[f32],
        is_admitted: impl Fn(DocumentPosition) -> bool,
    ) -> Self {
        let cosines = segments.iter().enumerate().map(|(at, segment)| {
            let mut cosines = vec![None; segment.len()];
            let admits = |document| is_admitted((at, document));
            for (document, product) in segment.vectors.similarities(unit, admits) {
                if let Some(cosine) = cosines.get_mut(document as usize) {
                    *cosine = Some(round_cosine(product));
                }
            }
            cosines
        });
        let mut similarities = Self {
            cosines: cosines.collect(),
            typical: 0.0,
        };
        similarities.typical = similarities.mean_of_files(segments);
        similarities
    }

    /// Returns the excess of a document's cosine; `None` for a document without one.
    pub(super) fn of_document(&self, (segment, document): DocumentPosition) -> Option<f64> {
        let cosine = (*self.cosines.get(segment)?.get(document as usize)?)?;
        Some(similarity_excess(cosine, self.typical))
    }

    /// Returns the excess of the largest cosine of a file; `None` for a file without any.
    pub(super) fn of_file(&self, segment: usize, documents: Range<u32>) -> Option<f64> {
        let cosine = self.largest(segment, documents)?;
        Some(similarity_excess(cosine, self.typical))
    }

    fn largest(&self, segment: usize, documents: Range<u32>) -> Option<f64> {
        let range = documents.start as usize..documents.end as usize;
        let cosines = self.cosines.get(segment)?.get(range)?;
        cosines.iter().flatten().copied().reduce(f64::max)
    }

    fn mean_of_files(&self, segments: &[DocumentSegment]) -> f64 {
        let files = segments.iter().enumerate().flat_map(|(at, segment)| {
            let files = segment.all_files();
            files.filter_map(move |(_, documents)| self.largest(at, documents))
        });
        let (count, sum) = files.fold((0_usize, 0.0), |(count, sum), cosine| {
            (count + 1, sum + cosine)
        });
        if count == 0 {
            return 0.0;
        }
        sum / f64::from(wire(count))
    }
}

fn round_cosine(cosine: f32) -> f64 {
    (f64::from(cosine) / COSINE_UNIT).round() * COSINE_UNIT
}
