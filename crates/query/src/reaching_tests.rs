//! The tests that reach symbols over the steps of a lineage.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use ragnav_base::item::{ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::sort::SmallSort;
use ragnav_base::symbol_id::SymbolId;
use ragnav_matching::file_role::FileRole;

use crate::lineage::steps::Step;

/// A test that reaches symbols: those of a change, or the one that is explored.
///
/// # Examples
///
/// ```
/// use ragnav_query::reaching_tests::ReachingTest;
///
/// let file = "tests/test_cart.py".to_owned();
/// let test = ReachingTest { file, symbol: None, line: 3, depth: 1, reaches: 2 };
/// assert_eq!(serde_json::to_value(&test).unwrap()["reaches"], 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct ReachingTest {
    /// The file of the test.
    pub file: String,
    /// The definition in it; `null` for code at module level.
    pub symbol: Option<SymbolId>,
    /// The first line that reaches one.
    pub line: u32,
    /// The steps to the nearest of the symbols; 0 if the test itself is one.
    pub depth: u32,
    /// The number of the symbols that it reaches.
    pub reaches: u32,
}

/// How a test reaches symbols.
struct Reach {
    /// The steps to the nearest one.
    depth: usize,
    /// The first line that reaches one.
    line: u32,
    symbols: BTreeSet<SymbolId>,
}

impl Reach {
    fn new(depth: usize, line: u32) -> Self {
        Self {
            depth,
            line,
            symbols: BTreeSet::new(),
        }
    }
}

/// A symbol that the steps upstream begin at.
pub(super) struct Start<'s> {
    pub(super) path: &'s RepoPath,
    pub(super) symbol: &'s SymbolId,
    /// Its first line.
    pub(super) line: u32,
}

/// Returns the tests that reach some symbols by steps upstream, of which the first symbol on the
/// way is the one that is reached: those by the fewest steps first, then those that reach the most.
pub(super) fn reaching_tests<'s>(
    steps: &[Step],
    starts: impl Iterator<Item = Start<'s>>,
) -> Vec<ReachingTest> {
    let mut found: BTreeMap<(RepoPath, Option<SymbolId>), Reach> = BTreeMap::new();
    for Start { path, symbol, line } in starts {
        if FileRole::Test.has(path) {
            let key = (path.clone(), Some(symbol.clone()));
            let reach = found.entry(key).or_insert_with(|| Reach::new(0, line));
            reach.symbols.insert(symbol.clone());
        }
    }
    let in_tests = steps
        .iter()
        .filter(|step| FileRole::Test.has(&step.site.path) && step.site.kind != ItemKind::Import);
    for step in in_tests.filter(|step| step.site.resolution == Resolution::Resolved) {
        let symbol = step.via.get(step.depth).cloned();
        let reach = found
            .entry((step.site.path.clone(), symbol))
            .or_insert_with(|| Reach::new(step.depth, step.site.line));
        reach.depth = reach.depth.min(step.depth);
        reach.line = reach.line.min(step.site.line);
        reach.symbols.extend(step.via.first().cloned());
    }
    let tests = found
        .into_iter()
        .map(|((file, symbol), reach)| ReachingTest {
            file: file.to_string(),
            symbol,
            line: reach.line,
            depth: wire(reach.depth),
            reaches: wire(reach.symbols.len()),
        });
    let mut tests: Vec<ReachingTest> = tests.collect();
    tests.small_sort_by(|a, b| {
        let order = (a.depth, std::cmp::Reverse(a.reaches));
        order
            .cmp(&(b.depth, std::cmp::Reverse(b.reaches)))
            .then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line)))
    });
    tests
}
