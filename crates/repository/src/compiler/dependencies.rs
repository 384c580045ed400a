//! Which documents of an index rest on which others.

use std::collections::BTreeSet;

use ragnav_base::hash::HashMap;

use super::given::Occurrence;
use super::symbol::Symbol;

/// For each document, by its place, those that refer to a symbol that it defines. A change of a
/// document may change what names mean in these, and in those that rest on them.
#[derive(Debug, Default)]
pub(super) struct Dependents(Vec<BTreeSet<usize>>);

impl Dependents {
    pub(super) fn of<'d>(
        documents: impl Iterator<Item = &'d [Occurrence]> + Clone,
        symbols: &[Symbol],
    ) -> Self {
        let mut homes: HashMap<u32, Vec<usize>> = HashMap::default();
        for (place, occurrences) in documents.clone().enumerate() {
            for one in occurrences.iter().filter(|one| one.is_definition()) {
                let homes = homes.entry(one.symbol).or_default();
                if homes.last() != Some(&place) {
                    homes.push(place);
                }
            }
        }
        homes.retain(|symbol, homes| {
            let symbol = symbols.get(*symbol as usize);
            // Every file of a package defines it; what a name in it means rests on one of them.
            symbol.is_some_and(|symbol| homes.len() == 1 || !symbol.name.is_namespace)
        });
        let mut dependents = vec![BTreeSet::new(); documents.clone().count()];
        for (place, occurrences) in documents.enumerate() {
            for home in occurrences
                .iter()
                .filter_map(|one| homes.get(&one.symbol))
                .flatten()
                .filter(|home| **home != place)
            {
                if let Some(known) = dependents.get_mut(*home) {
                    known.insert(place);
                }
            }
        }
        Self(dependents)
    }

    /// Returns the documents that rest on some others, directly or through others.
    pub(super) fn closure(&self, of: impl Iterator<Item = usize>) -> BTreeSet<usize> {
        let mut pending: Vec<usize> = of.collect();
        let mut found = BTreeSet::new();
        while let Some(place) = pending.pop() {
            let next = self.0.get(place).into_iter().flatten();
            pending.extend(next.filter(|dependent| found.insert(**dependent)));
        }
        found
    }
}
