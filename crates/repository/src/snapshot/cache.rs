//! The results of earlier snapshots, valid as long as a watcher proves them, and the facts of
//! files, which their content hashes prove.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use crate::file_statuses::FileStatuses;
use crate::scope::{Scope, SharedScope};
use crate::walk::{Limits, Walk};
use ragnav_base::hash::HashMap;
use ragnav_base::host::{IgnoreRules, WatchToken};
use ragnav_base::item::Skipped;
use ragnav_base::path::RepoPath;
use ragnav_index::content::ContentHash;
use ragnav_index::index::Index;
use ragnav_resolve::{FileFacts, LanguageResolvers};

/// The total size of the files whose facts are kept, in bytes. In memory their facts take
/// several times as much.
const MAX_FACTS_BYTES: u64 = 8 << 20;

/// The number of results that the queries of a scope keep for those after them.
const MAX_RESULTS: usize = 16;

/// The number of contents of which it is known whether they have words.
const MAX_CONTENTS: usize = 100_000;

/// The results that the snapshots of one navigator share.
///
/// # Examples
///
/// ```
/// use std::rc::Rc;
///
/// use ragnav_repository::settings::Settings;
///
/// let settings = Settings::default();
/// // Clones of the settings share what earlier snapshots found out.
/// assert!(Rc::ptr_eq(&settings.clone().snapshots, &settings.snapshots));
/// ```
#[derive(Debug, Default)]
pub struct SnapshotCache {
    walk: RefCell<Option<Rc<CachedWalk>>>,
    /// The watcher's token under which a file turned out to differ.
    contradicted: RefCell<Option<WatchToken>>,
    /// Whether the watcher missed a change. Its tokens prove nothing from then on.
    is_watcher_unreliable: Cell<bool>,
    facts: RefCell<CachedFacts>,
    /// Whether contents have one of some words.
    words: RefCell<HashMap<(ContentHash, &'static [&'static str]), bool>>,
}

impl SnapshotCache {
    /// Reports whether there is a walk that a watcher could prove.
    pub(super) fn has_walk(&self) -> bool {
        self.walk.borrow().is_some()
    }

    /// Returns the walk that was made from equal inputs.
    pub(super) fn walk(&self, inputs: &WalkInputs) -> Option<Rc<CachedWalk>> {
        let walk = self.walk.borrow();
        walk.as_ref().filter(|walk| walk.inputs == *inputs).cloned()
    }

    pub(super) fn keep(&self, walk: &Rc<CachedWalk>) {
        self.walk.replace(Some(Rc::clone(walk)));
    }

    /// Forgets the walk, because no token proves it.
    pub(super) fn forget_walk(&self) {
        self.walk.replace(None);
    }

    /// Records that a file differs from a snapshot. The change may be younger than the watcher's
    /// token. If the next token is the same, the watcher missed the change.
    pub(super) fn contradict(&self) {
        if let Some(walk) = self.walk.take() {
            self.contradicted.replace(Some(walk.inputs.token.clone()));
        }
    }

    /// Reports whether a token proves anything.
    pub(super) fn trusts(&self, token: &WatchToken) -> bool {
        match token {
            WatchToken::Watcher(_) => {
                if self
                    .contradicted
                    .take()
                    .is_some_and(|contradicted| contradicted == *token)
                {
                    self.is_watcher_unreliable.set(true);
                }
                !self.is_watcher_unreliable.get()
            }
            WatchToken::Instant(_) => true,
        }
    }

    /// Returns the facts of a file with a content if they are known.
    pub(super) fn facts(&self, path: &RepoPath, hash: ContentHash) -> Option<Rc<FileFacts>> {
        let cached = self.facts.borrow();
        cached.files.get(&(path.clone(), hash)).cloned()
    }

    /// Keeps the facts of a file with a content of some bytes.
    pub(super) fn keep_facts(
        &self,
        path: &RepoPath,
        (hash, bytes): (ContentHash, u64),
        facts: &Rc<FileFacts>,
    ) {
        let mut cached = self.facts.borrow_mut();
        cached.bytes += bytes;
        if cached.bytes > MAX_FACTS_BYTES {
            cached.files.clear();
            cached.bytes = bytes;
        }
        cached.files.insert((path.clone(), hash), Rc::clone(facts));
    }
}

impl SnapshotCache {
    /// Reports whether a content has one of some words if that is known.
    pub(super) fn has_words(
        &self,
        hash: ContentHash,
        words: &'static [&'static str],
    ) -> Option<bool> {
        self.words.borrow().get(&(hash, words)).copied()
    }

    /// Keeps whether a content has one of some words.
    pub(super) fn keep_words(&self, hash: ContentHash, words: &'static [&'static str], has: bool) {
        let mut known = self.words.borrow_mut();
        if known.len() >= MAX_CONTENTS {
            known.clear();
        }
        known.insert((hash, words), has);
    }
}

#[derive(Debug, Default)]
struct CachedFacts {
    files: HashMap<(RepoPath, ContentHash), Rc<FileFacts>>,
    /// An upper bound on the total size of these files.
    bytes: u64,
}

/// Everything that a walk depends on, beside the folders that it lists and the files that it reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WalkInputs {
    /// The token that proves the walk, taken before it.
    pub(super) token: WatchToken,
    pub(super) limits: Limits,
    pub(super) in_git: bool,
    /// The ignore rules from outside the root.
    pub(super) outside: Vec<IgnoreRules>,
}

/// The saved files of a repository and how they compare with its index.
#[derive(Debug)]
pub(super) struct CachedWalk {
    pub(super) inputs: WalkInputs,
    pub(super) walk: Walk,
    statuses: RefCell<Option<Rc<CachedStatuses>>>,
}

impl CachedWalk {
    pub(super) fn new(inputs: WalkInputs, walk: Walk) -> Self {
        Self {
            inputs,
            walk,
            statuses: RefCell::default(),
        }
    }

    /// Returns how the files compared with an index when they were last verified against it.
    pub(super) fn statuses(&self, index: Option<&Rc<Index>>) -> Option<Rc<CachedStatuses>> {
        let generation = index.map(|index| index.generation());
        let cached = self.statuses.borrow();
        let fits = |cached: &&Rc<CachedStatuses>| cached.generation.as_deref() == generation;
        cached.as_ref().filter(fits).cloned()
    }

    pub(super) fn keep(&self, statuses: CachedStatuses) {
        self.statuses.replace(Some(Rc::new(statuses)));
    }
}

/// Files that were verified against an index.
#[derive(Debug)]
pub(super) struct CachedStatuses {
    generation: Option<String>,
    pub(super) statuses: FileStatuses,
    views: RefCell<HashMap<SharedScope, Rc<ScopeView>>>,
}

impl CachedStatuses {
    pub(super) fn new(index: Option<&Rc<Index>>, statuses: FileStatuses) -> Self {
        Self {
            generation: index.map(|index| index.generation().to_owned()),
            statuses,
            views: RefCell::default(),
        }
    }

    /// Returns the part in a scope.
    pub(super) fn view(&self, walk: &Walk, scope: Scope<'_>) -> Rc<ScopeView> {
        let Some(shared) = scope.shared() else {
            return Rc::new(ScopeView::new(walk, &self.statuses, scope));
        };
        let mut views = self.views.borrow_mut();
        let view = views
            .entry(shared)
            .or_insert_with(|| Rc::new(ScopeView::new(walk, &self.statuses, scope)));
        Rc::clone(view)
    }
}

/// The part of a walk that is in a scope, the same for every query of that scope.
#[derive(Debug)]
pub(super) struct ScopeView {
    pub(super) files: Rc<Vec<RepoPath>>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) statuses: FileStatuses,
    /// The files that are text.
    pub(super) texts: OnceCell<TextFiles>,
    /// The resolvers of names among these files.
    pub(super) resolvers: OnceCell<Rc<LanguageResolvers>>,
    /// What queries kept for those after them.
    pub(super) results: KeptResults,
}

/// The last results of queries by what was asked, the newest last.
#[derive(Debug, Default)]
pub(super) struct KeptResults(RefCell<VecDeque<(String, Rc<dyn Any>)>>);

impl KeptResults {
    pub(super) fn find<T: Any>(&self, asked: &str) -> Option<Rc<T>> {
        let results = self.0.borrow();
        let (_, result) = results.iter().find(|(of, _)| of == asked)?;
        Rc::clone(result).downcast().ok()
    }

    pub(super) fn keep(&self, asked: String, result: Rc<dyn Any>) {
        let mut results = self.0.borrow_mut();
        results.retain(|(of, _)| *of != asked);
        if results.len() == MAX_RESULTS {
            results.pop_front();
        }
        results.push_back((asked, result));
    }
}

/// The files in a scope that are searched.
#[derive(Debug)]
pub(super) struct TextFiles {
    pub(super) files: Rc<Vec<RepoPath>>,
    /// All entries that are left out.
    pub(super) skipped: Vec<Skipped>,
    /// The files that are not proven unchanged.
    pub(super) live: Vec<RepoPath>,
}

impl ScopeView {
    fn new(walk: &Walk, statuses: &FileStatuses, scope: Scope<'_>) -> Self {
        let admits = |path: &RepoPath| scope.admits(path);
        let admits_skipped = |skip: &Skipped| scope.admits_skipped(skip);
        let files = walk.files.iter().filter(|path| admits(path));
        let skipped = walk.skipped.iter().filter(|skip| admits_skipped(skip));
        let statuses = match scope.shared() {
            Some(SharedScope::Everything) => statuses.clone(),
            _ => statuses.within(admits, admits_skipped),
        };
        Self {
            files: Rc::new(files.cloned().collect()),
            skipped: skipped.cloned().collect(),
            statuses,
            texts: OnceCell::new(),
            resolvers: OnceCell::new(),
            results: KeptResults::default(),
        }
    }
}
