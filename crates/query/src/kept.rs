//! What earlier questions found out, kept for as long as a watcher vouches for it, and facts, which their content vouches for.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use crate::scope::{SameForAll, Scope};
use ragnav_base::host::{IgnoreRules, Word};
use ragnav_base::item::Skipped;
use ragnav_base::path::RepoPath;
use ragnav_index::content::ContentHash;
use ragnav_index::index::{FileRecord, Index};
use ragnav_repository::verification::Verification;
use ragnav_repository::walk::{Limits, Walk};
use ragnav_resolve::{FileFacts, LanguageResolvers};
use ragnav_syntax::facts::Facts;

/// How much text the facts that are kept may be of, in bytes. In memory they take some times that.
const MAX_FACTS_OF: u64 = 8 << 20;

/// What one navigator keeps between questions.
#[derive(Debug, Default)]
pub struct Kept {
    tree: RefCell<Option<Rc<Tree>>>,
    /// The watcher's word under which something turned out not to be so.
    doubted: RefCell<Option<Word>>,
    /// Whether the watcher missed something, after which its word is none.
    is_refuted: Cell<bool>,
    facts: RefCell<KeptFacts>,
}

impl Kept {
    /// Whether there is anything that a watcher could vouch for.
    pub(super) fn has_tree(&self) -> bool {
        self.tree.borrow().is_some()
    }

    /// The tree as it was walked under this word and these circumstances.
    pub(super) fn tree(&self, seen: &Seen) -> Option<Rc<Tree>> {
        let tree = self.tree.borrow();
        tree.as_ref().filter(|tree| tree.seen == *seen).cloned()
    }

    pub(super) fn keep(&self, tree: &Rc<Tree>) {
        self.tree.replace(Some(Rc::clone(tree)));
    }

    /// Forgets the tree: nobody vouches for it.
    pub(super) fn forget_tree(&self) {
        self.tree.replace(None);
    }

    /// Takes note that a file is not what it was proven to be. That may have come about since the watcher was asked; where it still
    /// says the same when it is asked next, it has missed something.
    pub(super) fn doubt(&self) {
        if let Some(tree) = self.tree.take() {
            self.doubted.replace(Some(tree.seen.word.clone()));
        }
    }

    /// Whether the word of a watcher counts.
    pub(super) fn trusts(&self, word: &Word) -> bool {
        match word {
            Word::Watcher(_) => {
                if self.doubted.take().is_some_and(|doubted| doubted == *word) {
                    self.is_refuted.set(true);
                }
                !self.is_refuted.get()
            }
            Word::Instant(_) => true,
        }
    }

    /// The facts of an indexed file, where they are decoded already.
    pub(super) fn decoded_facts(&self, record: &FileRecord) -> Option<Rc<FileFacts>> {
        let kept = self.facts.borrow();
        let (of, facts) = kept.files.get(&record.path)?;
        (record.hash() == Some(*of)).then(|| Rc::clone(facts))
    }

    /// Keeps the facts of an indexed file, so that they need not be decoded again.
    pub(super) fn keep_facts(&self, record: &FileRecord, facts: Facts) -> Option<Rc<FileFacts>> {
        let hash = record.hash()?;
        let facts = Rc::new(FileFacts::new(facts));
        let mut kept = self.facts.borrow_mut();
        kept.of_bytes += record.size;
        if kept.of_bytes > MAX_FACTS_OF {
            kept.files.clear();
            kept.of_bytes = record.size;
        }
        kept.files
            .insert(record.path.clone(), (hash, Rc::clone(&facts)));
        Some(facts)
    }
}

#[derive(Debug, Default)]
struct KeptFacts {
    files: HashMap<RepoPath, (ContentHash, Rc<FileFacts>)>,
    /// At least the size of these files together.
    of_bytes: u64,
}

/// All that a walk is a function of, beside the folders that it lists and the files that it reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    /// Who vouches for the rest, asked before the walk.
    pub(super) word: Word,
    pub(super) limits: Limits,
    pub(super) in_git: bool,
    pub(super) outside: Vec<IgnoreRules>,
}

/// The files of a repository as they are saved, and how they stand to its index.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) seen: Seen,
    pub(super) walk: Walk,
    held: RefCell<Option<Rc<Held>>>,
}

impl Tree {
    pub(super) fn new(seen: Seen, walk: Walk) -> Self {
        Self {
            seen,
            walk,
            held: RefCell::default(),
        }
    }

    /// The files as they were held against an index before.
    pub(super) fn held(&self, index: Option<&Rc<Index>>) -> Option<Rc<Held>> {
        let generation = index.map(|index| index.generation());
        let held = self.held.borrow();
        let fits = |held: &&Rc<Held>| held.generation.as_deref() == generation;
        held.as_ref().filter(fits).cloned()
    }

    pub(super) fn hold(&self, held: Held) {
        self.held.replace(Some(Rc::new(held)));
    }
}

/// Files that were held against an index.
#[derive(Debug)]
pub(super) struct Held {
    generation: Option<String>,
    pub(super) verification: Verification,
    views: RefCell<HashMap<SameForAll, Rc<View>>>,
}

impl Held {
    pub(super) fn new(index: Option<&Rc<Index>>, verification: Verification) -> Self {
        Self {
            generation: index.map(|index| index.generation().to_owned()),
            verification,
            views: RefCell::default(),
        }
    }

    /// What is in a scope.
    pub(super) fn view(&self, walk: &Walk, scope: Scope<'_>) -> Rc<View> {
        let Some(same) = scope.same_for_all() else {
            return Rc::new(View::new(walk, &self.verification, scope));
        };
        let mut views = self.views.borrow_mut();
        let view = views
            .entry(same)
            .or_insert_with(|| Rc::new(View::new(walk, &self.verification, scope)));
        Rc::clone(view)
    }
}

/// The part of a tree that is in a scope.
#[derive(Debug)]
pub(super) struct View {
    pub(super) files: Rc<Vec<RepoPath>>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) verification: Verification,
    /// What is left where what the index has as no text is left out.
    pub(super) texts: OnceCell<Texts>,
    /// What leads from its names to what they mean.
    pub(super) linkings: OnceCell<Rc<LanguageResolvers>>,
}

/// The files in a scope that are searched.
#[derive(Debug)]
pub(super) struct Texts {
    pub(super) files: Rc<Vec<RepoPath>>,
    /// All that is left out.
    pub(super) skipped: Vec<Skipped>,
    /// Those that are not proven to be as they were indexed.
    pub(super) live: Vec<RepoPath>,
}

impl View {
    fn new(walk: &Walk, verification: &Verification, scope: Scope<'_>) -> Self {
        let admits = |path: &RepoPath| scope.admits(path);
        let admits_skipped = |skip: &Skipped| scope.admits_skipped(skip);
        let files = walk.files.iter().filter(|path| admits(path));
        let skipped = walk.skipped.iter().filter(|skip| admits_skipped(skip));
        let verification = match scope.same_for_all() {
            Some(SameForAll::Everything) => verification.clone(),
            _ => verification.within(admits, admits_skipped),
        };
        Self {
            files: Rc::new(files.cloned().collect()),
            skipped: skipped.cloned().collect(),
            verification,
            texts: OnceCell::new(),
            linkings: OnceCell::new(),
        }
    }
}
