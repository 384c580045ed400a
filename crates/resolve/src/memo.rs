//! Memoizes results, with fixpoint iteration for cycles.
//!
//! A computation that needs its own result gets a provisional one. It then repeats until no result
//! of the cycle changes any more: the least fixpoint. Results thus do not depend on the order of
//! queries or on where a cycle is entered, unless a limit is exceeded, which is reported.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use bit_set::BitSet;

use crate::entity::{Entity, ResolvedEntities};
use crate::static_type::{ParameterTypes, Place};
use ragnav_base::hash::HashMap;
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionId, Position, ScopeId, Space};

/// The depth of a computation that depends on no computation in progress.
const NO_CYCLE: usize = usize::MAX;

/// The maximum depth of nested computations.
const MAX_DEPTH: usize = 120;

/// The maximum number of nested paths. A cycle of paths with no memoized computation ends there.
const MAX_NESTED_PATHS: usize = 2 * MAX_DEPTH;

/// The maximum number of computations for one set of facts. Names can be entangled without end.
const MAX_WORK: usize = 400_000;

/// The maximum number of iterations of a cycle.
const MAX_ROUNDS: usize = 64;

/// The key of a memoized result.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum MemoKey {
    /// A name in a scope and namespace of a file, at a position if the order of its assignments is
    /// known.
    InScope(RepoPath, (ScopeId, Space, Option<Position>), String),
    /// An element or member that a path binds: `a['b']`.
    Path(RepoPath, (ScopeId, Option<Position>), String),
    /// A member of an entity.
    Member(Entity, String),
    /// What a call of a member means that no type of its object declares, in a file.
    CalledMember(RepoPath, ResolvedEntities, String),
    /// The values that a function returns.
    Returned(RepoPath, DefinitionId),
    /// A whole path among the files that a file sees.
    VisiblePath(RepoPath, String),
    /// The function of a name that a macro declares in a header, as seen from a file.
    NamedByHeader(RepoPath, String),
    /// A type of a file, by its number.
    Type(RepoPath, u32),
    /// What a parameter of an entity receives.
    Parameter(Entity, usize),
    /// The values that a function without a name returns.
    LambdaResult(RepoPath, ScopeId),
    /// What a call with known arguments gives, by its number in the file and by what it calls.
    Call(RepoPath, usize, Entity),
    /// What a call runs, by its number in the file.
    Callee(RepoPath, usize),
    /// A value of the type that an alias of Rust stands for, by the scope of the alias.
    Alias(RepoPath, ScopeId),
}

#[derive(Debug)]
enum MemoEntry {
    /// The computation runs at this depth; the value is that of the previous iteration. The last
    /// part tells whether something depends on that value.
    InProgress(usize, MemoValue, Cell<bool>),
    /// The value depends on a computation in progress.
    Provisional(MemoValue),
    /// A provisional value of a previous iteration.
    Stale(MemoValue),
    /// The result.
    Final(MemoValue),
}

/// A result and what it depends on.
#[derive(Debug, Clone)]
struct MemoValue {
    resolution: ResolvedEntities,
    dependencies: Rc<DependencySet>,
}

/// A name in the language of this name.
pub(super) type NameOf = (&'static str, String);

/// What a result depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Dependency {
    /// The facts of a file.
    File(RepoPath),
    /// The files that define a name, which are not known yet.
    MissingName(NameOf),
    /// Which files are loaded.
    LoadedFiles,
}

/// A set of dependencies, by their [numbers](DependencyNumbers).
type DependencySet = BitSet;

/// Numbers for what results depend on, so that sets of them are small and fast to join.
#[derive(Debug, Default)]
struct DependencyNumbers {
    numbers: HashMap<Dependency, usize>,
    /// The dependency of each number.
    dependencies: Vec<Dependency>,
}

impl DependencyNumbers {
    fn number(&mut self, dependency: Dependency) -> usize {
        if let Some(number) = self.numbers.get(&dependency) {
            return *number;
        }
        let number = self.dependencies.len();
        self.dependencies.push(dependency.clone());
        self.numbers.insert(dependency, number);
        number
    }
}

/// The parameters of a method, and what their types depend on.
type Parameters = (Rc<ParameterTypes>, Rc<DependencySet>);

/// The memoized results for the facts that are there so far.
#[derive(Debug)]
pub(super) struct Memo {
    /// What the current computation depends on.
    dependencies: RefCell<DependencySet>,
    /// The numbers of all dependencies met so far.
    numbers: RefCell<DependencyNumbers>,
    /// What has changed since results were last discarded.
    changed: RefCell<DependencySet>,
    /// The results and the computations in progress.
    entries: RefCell<HashMap<MemoKey, MemoEntry>>,
    /// The keys of the provisional results, the innermost last.
    provisional_keys: RefCell<Vec<MemoKey>>,
    /// A lower bound of the depths on which any provisional result depends.
    provisional_depth: Cell<usize>,
    /// The number of nested computations.
    depth: Cell<usize>,
    /// The number of nested paths.
    nested_paths: Cell<usize>,
    /// The least depth on which the current computation depends, or 0 after a limit was exceeded.
    cycle_depth: Cell<usize>,
    /// Whether something in the current computation depends on a value of the previous iteration
    /// that has changed since.
    has_changed: Cell<bool>,
    /// The number of computations so far.
    work: Cell<usize>,
    /// Whether a limit was exceeded.
    is_truncated: Cell<bool>,
    /// The parameters of methods.
    parameters: RefCell<HashMap<Place, Parameters>>,
}

impl Default for Memo {
    fn default() -> Self {
        Self {
            dependencies: RefCell::default(),
            numbers: RefCell::default(),
            changed: RefCell::default(),
            entries: RefCell::default(),
            provisional_keys: RefCell::default(),
            provisional_depth: Cell::new(NO_CYCLE),
            depth: Cell::default(),
            nested_paths: Cell::default(),
            cycle_depth: Cell::new(NO_CYCLE),
            has_changed: Cell::default(),
            work: Cell::default(),
            is_truncated: Cell::default(),
            parameters: RefCell::default(),
        }
    }
}

impl Memo {
    /// Records that a dependency has changed, so that the results that depend on it are discarded
    /// before the next one is computed.
    pub(super) fn record_change(&mut self, of: Dependency) {
        let number = self.numbers.get_mut().number(of);
        self.changed.get_mut().insert(number);
        // Any result since a limit was exceeded may be incomplete.
        if self.is_truncated.take() {
            self.entries.get_mut().clear();
            self.parameters.get_mut().clear();
        }
    }

    /// Discards the results that depend on something that has changed.
    fn discard_outdated(&self) {
        if self.depth.get() > 0 || self.changed.borrow().is_empty() {
            return;
        }
        let changed = self.changed.take();
        let is_current = |of: &DependencySet| of.is_disjoint(&changed);
        self.entries.borrow_mut().retain(
            |_, entry| matches!(entry, MemoEntry::Final(value) if is_current(&value.dependencies)),
        );
        self.parameters
            .borrow_mut()
            .retain(|_, (_, dependencies)| is_current(dependencies));
        self.provisional_keys.take();
        self.provisional_depth.set(NO_CYCLE);
        self.work.set(0);
    }

    /// Returns the parameters of a method, which many calls ask for.
    pub(super) fn memoize_parameters(
        &self,
        (path, id): (&RepoPath, DefinitionId),
        compute: impl FnOnce() -> Option<ParameterTypes>,
    ) -> Option<Rc<ParameterTypes>> {
        self.discard_outdated();
        let method = (path.clone(), id);
        if let Some((known, dependencies)) = self.parameters.borrow().get(&method) {
            self.dependencies.borrow_mut().union_with(dependencies);
            return Some(Rc::clone(known));
        }
        let (found, dependencies) = self.with_dependencies(|| compute().map(Rc::new));
        // A computation in progress has provisional results.
        if let Some(found) = found.as_ref().filter(|_| self.depth.get() == 0) {
            let value = (Rc::clone(found), dependencies);
            self.parameters.borrow_mut().insert(method, value);
        }
        found
    }

    /// Records what the current computation depends on.
    pub(super) fn add_dependency(&self, on: Dependency) {
        let number = self.numbers.borrow_mut().number(on);
        self.dependencies.borrow_mut().insert(number);
    }

    /// Runs a part of the current computation. Also returns what that part depends on.
    fn with_dependencies<T>(&self, compute: impl FnOnce() -> T) -> (T, Rc<DependencySet>) {
        let before = self.dependencies.take();
        let found = compute();
        let own = Rc::new(self.dependencies.replace(before));
        self.dependencies.borrow_mut().union_with(&own);
        (found, own)
    }

    /// Returns the result for a key and computes it at most once.
    ///
    /// A computation that depends on its own result is repeated until the result is stable.
    pub(super) fn memoize(
        &self,
        key: MemoKey,
        compute: impl Fn() -> ResolvedEntities,
    ) -> ResolvedEntities {
        self.discard_outdated();
        let provisional = match self.entries.borrow().get(&key) {
            Some(MemoEntry::Final(value)) => return self.reuse(value),
            Some(MemoEntry::InProgress(depth, provisional, is_used)) => {
                is_used.set(true);
                self.depend_on_depth(*depth);
                return self.reuse(provisional);
            }
            Some(MemoEntry::Provisional(provisional)) => {
                self.depend_on_depth(self.provisional_depth.get());
                return self.reuse(provisional);
            }
            Some(MemoEntry::Stale(provisional)) => provisional.clone(),
            None => MemoValue {
                resolution: ResolvedEntities::unknown(),
                dependencies: Rc::default(),
            },
        };
        let depth = self.depth.get() + 1;
        if depth > MAX_DEPTH || self.work.get() > MAX_WORK {
            return self.truncate();
        }
        self.work.set(self.work.get() + 1);
        self.depth.set(depth);
        let outer = self.cycle_depth.replace(NO_CYCLE);
        let provisional_count = self.provisional_keys.borrow().len();
        let place = (depth, provisional_count);
        let ((resolution, cycle_depth), dependencies) =
            self.with_dependencies(|| self.compute(&key, place, provisional, compute));
        let value = MemoValue {
            resolution: resolution.clone(),
            dependencies,
        };
        self.depth.set(depth - 1);
        self.cycle_depth.set(outer);
        if cycle_depth >= depth {
            self.finalize_provisional(provisional_count, &value.dependencies);
            let value = MemoEntry::Final(value);
            self.entries.borrow_mut().insert(key, value);
        } else {
            self.depend_on_depth(cycle_depth);
            self.provisional_depth
                .set(self.provisional_depth.get().min(cycle_depth));
            let found = MemoEntry::Provisional(value);
            self.entries.borrow_mut().insert(key.clone(), found);
            self.provisional_keys.borrow_mut().push(key);
        }
        resolution
    }

    /// Returns the result for a key. Unlike [`memoize`](Self::memoize), this keeps it only if it
    /// depends on no computation in progress. So it is neither a level of nesting nor a part of a
    /// cycle.
    pub(super) fn memoize_part(
        &self,
        key: MemoKey,
        compute: impl FnOnce() -> ResolvedEntities,
    ) -> ResolvedEntities {
        self.discard_outdated();
        if let Some(MemoEntry::Final(value)) = self.entries.borrow().get(&key) {
            return self.reuse(value);
        }
        let outer = self.cycle_depth.replace(NO_CYCLE);
        let (resolution, dependencies) = self.with_dependencies(compute);
        let cycle_depth = self.cycle_depth.replace(outer);
        self.depend_on_depth(cycle_depth);
        if cycle_depth == NO_CYCLE {
            let value = MemoValue {
                resolution: resolution.clone(),
                dependencies,
            };
            let found = MemoEntry::Final(value);
            self.entries.borrow_mut().insert(key, found);
        }
        resolution
    }

    /// Resolves a path, which may be a part of another one. Beyond a depth, the result is unknown.
    pub(super) fn nest_path(&self, resolve: impl FnOnce() -> ResolvedEntities) -> ResolvedEntities {
        let nested = self.nested_paths.get();
        // A cycle in which each path has two parts would otherwise take forever.
        if nested > MAX_DEPTH {
            self.work.set(self.work.get() + 1);
        }
        if nested == MAX_NESTED_PATHS || self.work.get() > MAX_WORK {
            return self.truncate();
        }
        self.nested_paths.set(nested + 1);
        let resolution = resolve();
        self.nested_paths.set(nested);
        resolution
    }

    /// Computes a result, repeatedly if it depends on itself.
    ///
    /// Also returns the least depth of the other computations on which it depends.
    fn compute(
        &self,
        key: &MemoKey,
        (depth, provisional_count): (usize, usize),
        mut provisional: MemoValue,
        compute: impl Fn() -> ResolvedEntities,
    ) -> (ResolvedEntities, usize) {
        let has_changed = self.has_changed.get();
        let mut remaining_rounds = MAX_ROUNDS;
        let cycle_depth = loop {
            let pending = MemoEntry::InProgress(depth, provisional.clone(), Cell::new(false));
            self.entries.borrow_mut().insert(key.clone(), pending);
            self.cycle_depth.set(NO_CYCLE);
            self.has_changed.set(false);
            let resolution = compute();
            let cycle_depth = self.cycle_depth.get();
            if resolution != provisional.resolution && self.is_used(key) {
                self.has_changed.set(true);
            }
            provisional.resolution = resolution;
            remaining_rounds -= 1;
            // The computation on which it depends repeats it.
            if cycle_depth < depth {
                break cycle_depth;
            }
            let is_stable = cycle_depth > depth || !self.has_changed.replace(false);
            if is_stable || remaining_rounds == 0 {
                self.is_truncated.set(self.is_truncated.get() || !is_stable);
                break cycle_depth;
            }
            self.invalidate_provisional(provisional_count);
        };
        self.has_changed.set(has_changed || self.has_changed.get());
        (provisional.resolution, cycle_depth)
    }

    /// Reports whether something depends on the value of the previous iteration.
    fn is_used(&self, key: &MemoKey) -> bool {
        let entries = self.entries.borrow();
        matches!(entries.get(key), Some(MemoEntry::InProgress(.., is_used)) if is_used.get())
    }

    /// Makes the provisional results of a cycle final, since the cycle is complete.
    fn finalize_provisional(&self, provisional_count: usize, dependencies: &Rc<DependencySet>) {
        self.replace_provisional(provisional_count, |value| {
            MemoEntry::Final(MemoValue {
                dependencies: Rc::clone(dependencies),
                ..value
            })
        });
    }

    /// Marks the provisional results of a cycle as stale before the next iteration.
    fn invalidate_provisional(&self, provisional_count: usize) {
        self.replace_provisional(provisional_count, MemoEntry::Stale);
    }

    fn replace_provisional(
        &self,
        provisional_count: usize,
        change: impl Fn(MemoValue) -> MemoEntry,
    ) {
        let mut entries = self.entries.borrow_mut();
        for key in self
            .provisional_keys
            .borrow_mut()
            .drain(provisional_count..)
        {
            if let Some(MemoEntry::Provisional(value)) = entries.remove(&key) {
                entries.insert(key, change(value));
            }
        }
        if provisional_count == 0 {
            self.provisional_depth.set(NO_CYCLE);
        }
    }

    fn reuse(&self, value: &MemoValue) -> ResolvedEntities {
        let mut dependencies = self.dependencies.borrow_mut();
        dependencies.union_with(&value.dependencies);
        value.resolution.clone()
    }

    fn depend_on_depth(&self, depth: usize) {
        self.cycle_depth.set(self.cycle_depth.get().min(depth));
    }

    /// Records that a limit was exceeded. The result is unknown, but may be entries at a lesser
    /// depth.
    pub(super) fn truncate(&self) -> ResolvedEntities {
        self.is_truncated.set(true);
        self.depend_on_depth(0);
        ResolvedEntities::unknown()
    }

    /// Reports whether a limit was exceeded, so that results may be incomplete.
    pub(super) fn is_truncated(&self) -> bool {
        self.is_truncated.get()
    }

    /// Starts to record dependencies anew.
    pub(super) fn start_tracking(&self) {
        self.dependencies.take();
        self.cycle_depth.set(NO_CYCLE);
        // Truncated results are reported as such, so they are final. Computing them again would not
        // end.
        self.replace_provisional(0, MemoEntry::Final);
    }

    /// Returns what results since [`start_tracking`](Self::start_tracking) depend on.
    pub(super) fn take_dependencies(&self) -> Vec<Dependency> {
        let taken = self.dependencies.take();
        let known = self.numbers.borrow();
        let dependencies = taken
            .iter()
            .filter_map(|number| known.dependencies.get(number));
        dependencies.cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any entity, by a number.
    fn entity(number: usize) -> Entity {
        Entity::Tuple(vec![ResolvedEntities::none(); number])
    }

    fn key(number: usize) -> MemoKey {
        MemoKey::Member(entity(number), String::new())
    }

    /// A result that has the entities with these numbers.
    fn numbered(numbers: &[usize]) -> ResolvedEntities {
        let mut all: ResolvedEntities = numbers.iter().map(|one| entity(*one)).collect();
        all.has_unknown = true;
        all
    }

    #[test]
    fn a_change_discards_the_results_that_depend_on_it_and_no_others() {
        fn file(name: &str) -> Dependency {
            Dependency::File(RepoPath::root().join(name).unwrap_or_else(RepoPath::root))
        }
        let runs = [Cell::new(0), Cell::new(0), Cell::new(0)];
        let count = |place: usize| {
            if let Some(run) = runs.get(place) {
                run.set(run.get() + 1);
            }
        };
        let ask = |memo: &Memo| {
            memo.memoize(key(0), || {
                count(0);
                memo.memoize(key(1), || {
                    count(1);
                    memo.add_dependency(file("a.py"));
                    numbered(&[1])
                })
            });
            memo.memoize(key(2), || {
                count(2);
                memo.add_dependency(file("b.py"));
                memo.add_dependency(Dependency::LoadedFiles);
                numbered(&[2])
            });
        };
        let mut memo = Memo::default();
        for (changed, counts) in [
            (None, [1, 1, 1]),
            (Some(file("c.py")), [1, 1, 1]),
            (Some(file("a.py")), [2, 2, 1]),
            (Some(Dependency::LoadedFiles), [2, 2, 2]),
        ] {
            if let Some(changed) = changed {
                memo.record_change(changed);
            }
            ask(&memo);
            assert_eq!(runs.each_ref().map(Cell::get), counts);
        }
    }

    #[test]
    fn a_cycle_ends_when_none_of_its_results_changes() {
        fn first(memo: &Memo) -> ResolvedEntities {
            memo.memoize(key(1), || match second(memo).entities.len() {
                3 => numbered(&[9]),
                _ => numbered(&[]),
            })
        }
        fn second(memo: &Memo) -> ResolvedEntities {
            memo.memoize(key(2), || {
                first(memo);
                match second(memo).entities.len() {
                    0 => numbered(&[1]),
                    1 => numbered(&[1, 2]),
                    _ => numbered(&[1, 2, 3]),
                }
            })
        }
        for entered in [first, second] {
            let memo = Memo::default();
            entered(&memo);
            assert_eq!(first(&memo), numbered(&[9]));
            assert_eq!(second(&memo), numbered(&[1, 2, 3]));
            assert!(!memo.is_truncated());
        }
    }

    #[test]
    fn a_cycle_that_does_not_become_stable_is_reported() {
        fn ask(memo: &Memo) -> ResolvedEntities {
            memo.memoize(key(1), || match ask(memo).entities.len() {
                0 => numbered(&[1]),
                _ => numbered(&[]),
            })
        }
        let memo = Memo::default();
        ask(&memo);
        assert!(memo.is_truncated());
    }

    #[test]
    fn a_cycle_of_paths_ends_and_is_reported() {
        fn resolve(memo: &Memo) -> ResolvedEntities {
            memo.nest_path(|| ResolvedEntities::union((0..2).map(|_| resolve(memo))))
        }
        let memo = Memo::default();
        assert!(resolve(&memo).has_unknown);
        assert!(memo.is_truncated());
    }
}
