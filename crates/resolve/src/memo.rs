//! Results that are computed once.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::entity::{Entity, Meaning};
use ragnav_base::path::RepoPath;
use ragnav_syntax::facts::{DefinitionId, ScopeId, Space};

/// Led back to nothing.
const NOWHERE: usize = usize::MAX;

/// Ways on which more than this is worked out, one inside the other, are not gone to their end.
const MAX_DEPTH: usize = 120;

/// More than this is not worked out for one question: names can be entangled so that there is no end to it.
const MAX_WORK: usize = 400_000;

/// How often what leads back to itself is worked out again.
const MAX_ROUNDS: usize = 16;

/// What a name was asked as.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    /// A name in a scope of a file, and a space of names.
    InScope(RepoPath, (ScopeId, Space), String),
    /// A member of something.
    Member(Entity, String),
    /// What a function returns.
    Returned(RepoPath, DefinitionId),
}

#[derive(Debug)]
enum Known {
    /// It is being worked out at this depth; what was found of it so far.
    Ahead(usize, Answered),
    /// What was found of it; it led back to what is still being worked out.
    Open(Answered),
    /// What was found of it before more was found of what it led back to.
    Stale(Answered),
    /// All that there is.
    Answered(Answered),
}

/// What something means, and the files that this rests on.
#[derive(Debug, Clone)]
struct Answered {
    meaning: Meaning,
    files: Rc<BTreeSet<RepoPath>>,
}

/// The memoized results of one set of facts.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The files that the running computation read.
    consulted: RefCell<BTreeSet<RepoPath>>,
    /// What was worked out with these facts, or is being worked out.
    known: RefCell<HashMap<Asked, Known>>,
    /// What was worked out and may not be all, since it led back to what is still being worked out. The last one is the innermost.
    open: RefCell<Vec<Asked>>,
    /// The outermost depth that any of these led back to, or further out.
    open_to: Cell<usize>,
    /// How many are being worked out, one inside the other.
    depth: Cell<usize>,
    /// The outermost of those that the one being worked out led back to, by its depth; 0 where the way was too long.
    led_back_to: Cell<usize>,
    /// How much was worked out with these facts.
    work: Cell<usize>,
    /// Whether something was too far away to be followed to.
    is_cut: Cell<bool>,
}

impl Memo {
    pub(super) fn new() -> Self {
        Self {
            led_back_to: Cell::new(NOWHERE),
            open_to: Cell::new(NOWHERE),
            ..Self::default()
        }
    }

    /// Forgets all results, since facts were added.
    pub(super) fn reset(&mut self) {
        self.known.take();
        self.open.take();
        self.open_to.set(NOWHERE);
        self.is_cut.set(false);
        self.work.set(0);
    }

    /// Notes that an answer rests on a file that has no facts.
    pub(super) fn consult(&self, file: &RepoPath) {
        self.consulted.borrow_mut().insert(file.clone());
    }

    /// What something means, worked out once.
    ///
    /// What leads back to itself is worked out again with what was found so far until nothing new appears, the least fixed point, so
    /// that no answer depends on what was asked before it, or on where a circle was entered.
    pub(super) fn once(&self, asked: Asked, work_out: impl Fn() -> Meaning) -> Meaning {
        let so_far = match self.known.borrow().get(&asked) {
            Some(Known::Answered(answered)) => return self.take_up(answered),
            Some(Known::Ahead(depth, so_far)) => {
                self.lead_back_to(*depth);
                return self.take_up(so_far);
            }
            Some(Known::Open(so_far)) => {
                self.lead_back_to(self.open_to.get());
                return self.take_up(so_far);
            }
            Some(Known::Stale(so_far)) => so_far.clone(),
            None => Answered {
                meaning: Meaning::unknown(),
                files: Rc::default(),
            },
        };
        let depth = self.depth.get() + 1;
        if depth > MAX_DEPTH || self.work.get() > MAX_WORK {
            return self.too_far();
        }
        self.work.set(self.work.get() + 1);
        self.depth.set(depth);
        let outer = self.led_back_to.replace(NOWHERE);
        let opened = self.open.borrow().len();
        let (answered, led_back_to) = self.work_out(&asked, (depth, opened), so_far, work_out);
        self.depth.set(depth - 1);
        self.led_back_to.set(outer);
        let meaning = answered.meaning.clone();
        if led_back_to >= depth {
            self.close(opened, &answered.files);
            let answered = Known::Answered(answered);
            self.known.borrow_mut().insert(asked, answered);
        } else {
            self.lead_back_to(led_back_to);
            self.open_to.set(self.open_to.get().min(led_back_to));
            let found = Known::Open(answered);
            self.known.borrow_mut().insert(asked.clone(), found);
            self.open.borrow_mut().push(asked);
        }
        meaning
    }

    /// Works something out, again and again where it leads back to itself; what it is, and where else it led back to.
    fn work_out(
        &self,
        asked: &Asked,
        (depth, opened): (usize, usize),
        mut so_far: Answered,
        work_out: impl Fn() -> Meaning,
    ) -> (Answered, usize) {
        let before = self.consulted.take();
        let mut left = MAX_ROUNDS;
        let led_back_to = loop {
            let ahead = Known::Ahead(depth, so_far.clone());
            self.known.borrow_mut().insert(asked.clone(), ahead);
            self.led_back_to.set(NOWHERE);
            let meaning = work_out();
            let led_back_to = self.led_back_to.get();
            let is_new = meaning != so_far.meaning;
            so_far.meaning = meaning;
            left -= 1;
            if led_back_to != depth || !is_new || left == 0 {
                break led_back_to;
            }
            self.forget_open(opened);
        };
        so_far.files = Rc::new(self.consulted.replace(before));
        self.consulted
            .borrow_mut()
            .extend(so_far.files.iter().cloned());
        (so_far, led_back_to)
    }

    /// What was worked out on the way round a circle is all that there is once the circle is.
    fn close(&self, opened: usize, files: &Rc<BTreeSet<RepoPath>>) {
        self.change_open(opened, |answered| {
            let files = Rc::clone(files);
            Known::Answered(Answered { files, ..answered })
        });
    }

    /// What was worked out on the way round a circle is to be worked out again.
    fn forget_open(&self, opened: usize) {
        self.change_open(opened, Known::Stale);
    }

    fn change_open(&self, opened: usize, change: impl Fn(Answered) -> Known) {
        let mut known = self.known.borrow_mut();
        for asked in self.open.borrow_mut().drain(opened..) {
            if let Some(Known::Open(answered)) = known.remove(&asked) {
                known.insert(asked, change(answered));
            }
        }
        if opened == 0 {
            self.open_to.set(NOWHERE);
        }
    }

    fn take_up(&self, answered: &Answered) -> Meaning {
        let mut consulted = self.consulted.borrow_mut();
        consulted.extend(answered.files.iter().cloned());
        answered.meaning.clone()
    }

    fn lead_back_to(&self, depth: usize) {
        self.led_back_to.set(self.led_back_to.get().min(depth));
    }

    /// What is too far away to be followed to is not known; asked for from nearer it may be.
    pub(super) fn too_far(&self) -> Meaning {
        self.is_cut.set(true);
        self.lead_back_to(0);
        Meaning::unknown()
    }

    /// Whether something was too far away to be followed to, so that there may be more.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// Begins to note anew which files are asked for.
    pub(super) fn begin(&self) {
        self.consulted.take();
        self.led_back_to.set(NOWHERE);
        // What was too far away is not all; that is said, and looking for the rest again and again would have no end.
        self.change_open(0, Known::Answered);
    }

    /// The files that were asked for since [`begin`](Self::begin): what an answer made since rests on.
    pub(super) fn take_consulted(&self) -> BTreeSet<RepoPath> {
        self.consulted.take()
    }
}
