//! What stands around definitions: their callers, their callees, and the tests that reach them.

use std::collections::{BTreeMap, BTreeSet};

use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Direction;
use ragnav_base::symbol_id::SymbolId;
use ragnav_matching::file_role::FileRole;

use crate::code_facts::CodeFacts;
use crate::lineage::steps::{Place, Step, Walk};
use crate::reaching_tests::{ReachingTest, reaching_tests};
use crate::reference_site::ReferenceSite;
use crate::subject::FoundSubject;
use crate::targets::target;

/// The steps upstream in which tests are looked for, if there are few in the first.
const TEST_DEPTH: usize = 3;
/// The largest number of symbols that are followed for them.
const MAX_SYMBOLS: usize = 20;
/// The number of callers above which no more steps are taken: tests reach such a symbol anyway.
const MANY_CALLERS: usize = 50;

/// What refers to definitions, and what the first one refers to.
pub(super) struct Around<'q, H> {
    pub(super) code: CodeFacts<'q, H>,
    /// All references to the definitions.
    pub(super) sites: Vec<ReferenceSite>,
    pub(super) callers: Vec<Step>,
    pub(super) callees: Vec<Step>,
    pub(super) tests: Vec<ReachingTest>,
}

impl<'q, H: Host> Around<'q, H> {
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn find(
        code: CodeFacts<'q, H>,
        about: &FoundSubject,
        wanted_tests: usize,
    ) -> Result<Self, RagnavError> {
        let places = places(about);
        let ids = about.rows().into_iter().map(|row| vec![row.symbol]);
        let first = places.first().cloned();
        let starts: BTreeMap<Place, Vec<SymbolId>> = places.into_iter().zip(ids).collect();
        let mut near = Walk::new(code, starts.len());
        near.follow(starts.clone(), Direction::Upstream, 1).await?;
        let mut callers: Vec<Step> = near.steps.into_values().collect();
        let mut tests = reaching_tests(&callers, std::iter::empty());
        let mut code = near.code;
        if tests.len() < wanted_tests && callers.len() <= MANY_CALLERS {
            let mut far = Walk::new(code, MAX_SYMBOLS);
            far.follow(starts, Direction::Upstream, TEST_DEPTH).await?;
            let steps: Vec<Step> = far.steps.into_values().collect();
            tests = reaching_tests(&steps, std::iter::empty());
            code = far.code;
        }
        for step in &mut callers {
            // Tests are about the symbol that comes first; rows are about what follows it.
            step.via.drain(..1.min(step.via.len()));
        }
        let mut down = Walk::new(code, 1);
        let starts = first.into_iter().map(|place| (place, Vec::new()));
        down.follow(starts.collect(), Direction::Downstream, 1)
            .await?;
        Ok(Self {
            code: down.code,
            sites: callers.iter().map(|step| step.site.clone()).collect(),
            callers: first_of_each(callers),
            callees: first_of_each(down.steps.into_values().collect()),
            tests,
        })
    }
}

/// Returns what the rows of a subject are about, in their order.
fn places(about: &FoundSubject) -> Vec<Place> {
    let definitions = about.definitions.iter().map(|one| target(one).into());
    let modules = about
        .modules
        .iter()
        .map(|one| Place::Module(one.path.clone()));
    definitions.chain(modules).collect()
}

/// Returns the first step of each symbol, in the order of rows.
fn first_of_each(mut steps: Vec<Step>) -> Vec<Step> {
    steps.sort_by_cached_key(|step| {
        let is_test = FileRole::Test.has(&step.site.path);
        (step.site.resolution, is_test, step.site.clone())
    });
    let mut seen = BTreeSet::new();
    steps.retain(|step| {
        // At module level the file stands for the symbol.
        let file = step.via.is_empty().then(|| step.site.path.clone());
        seen.insert((file, step.via.last().cloned()))
    });
    steps
}
