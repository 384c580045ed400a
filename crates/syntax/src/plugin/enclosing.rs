//! Finds the definition around a place.

use super::definitions::FoundDefinition;
use crate::facts::DefinitionId;
use ragnav_base::position::wire;

/// Finds the innermost definition around offsets that increase.
pub(super) struct Enclosing<'f> {
    found: &'f [FoundDefinition],
    next: usize,
    open: Vec<usize>,
}

impl<'f> Enclosing<'f> {
    pub(super) fn new(found: &'f [FoundDefinition]) -> Self {
        Self {
            found,
            next: 0,
            open: Vec::new(),
        }
    }

    pub(super) fn at(&mut self, offset: usize) -> Option<DefinitionId> {
        while let Some(found) = self.found.get(self.next) {
            if found.raw.start > offset {
                break;
            }
            self.open.push(self.next);
            self.next += 1;
        }
        while let Some(last) = self.open.last() {
            if self
                .found
                .get(*last)
                .is_some_and(|found| found.node_end > offset)
            {
                return Some(DefinitionId(wire(*last)));
            }
            self.open.pop();
        }
        None
    }
}
