//! The files of a question and how they stand to the index: looked at now, by another question of the same instant, or known
//! because a watcher saw no change since.
//!
//! The watcher is asked before anything is walked, so what changes during the walk changes its word. What it cannot see is asked for
//! each time: HEAD, rules from outside the root, git's own rules, unsaved buffers, and all that is under `.llmc`.

use std::rc::Rc;

use crate::Settings;
use crate::kept::{Held, Seen, Tree, View};
use crate::scope::Scope;
use ragnav_base::envelope::RouteDecision;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host, Word};
use ragnav_base::item::{SkipReason, Skipped, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_index::index::Index;
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::route::Examined;
use ragnav_repository::verdict;
use ragnav_repository::verification::{Check, Verification};
use ragnav_repository::walk::{self, MAX_RULES_BYTES, Walk};

/// The files of a question and how they stand to the index.
pub struct Standing {
    /// The files in scope, sorted.
    pub files: Rc<Vec<RepoPath>>,
    /// What the walk left out.
    pub skipped: Vec<Skipped>,
    /// Whether the walk came to its end.
    pub(super) complete: bool,
    /// How the files stand to the index; of none where there is no index.
    pub verification: Verification,
    /// What is the same for all questions of this scope. The verification may have been corrected since.
    pub(super) view: Option<Rc<View>>,
}

/// Looks at the files of a question.
///
/// # Errors
/// As [`walk::walk`].
pub async fn standing<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    examined: &Examined,
    scope: Scope<'_>,
) -> Result<Standing, RagnavError> {
    if let Scope::File(file) = scope {
        return standing_of_file(host, settings, examined, file).await;
    }
    let Some(tree) = tree(host, settings, &examined.route).await? else {
        return anew(host, settings, examined, scope).await;
    };
    let index = examined.index.as_ref();
    let held = held(host, settings, &tree, index).await?;
    let view = held.view(&tree.walk, scope);
    let mut verification = view.verification.clone();
    if let Some(index) = index {
        let buffered = host.buffered().filter(|path| scope.admits(path));
        verdict::verify_again(host, index, buffered, settings.limits, &mut verification).await?;
    }
    Ok(Standing {
        files: Rc::clone(&view.files),
        skipped: view.skipped.clone(),
        complete: tree.walk.complete,
        verification,
        view: Some(view),
    })
}

/// Looks at the files themselves.
async fn anew<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    examined: &Examined,
    scope: Scope<'_>,
) -> Result<Standing, RagnavError> {
    let mut found = walk::walk(host, settings.limits, in_git(&examined.route)).await?;
    found.files.retain(|path| scope.admits(path));
    found.skipped.retain(|skip| scope.admits_skipped(skip));
    of_walk(host, settings, examined.index.as_ref(), found, scope).await
}

async fn of_walk<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    index: Option<&Rc<Index>>,
    found: Walk,
    scope: Scope<'_>,
) -> Result<Standing, RagnavError> {
    let admits = |path: &RepoPath| scope.admits(path);
    let verification = match index {
        Some(index) => verdict::verify(host, index, &found, settings.limits, admits).await?,
        None => Verification::default(),
    };
    Ok(Standing {
        files: Rc::new(found.files),
        skipped: found.skipped,
        complete: found.complete,
        verification,
        view: None,
    })
}

/// One file is not looked for, wherever it lies, unless the index does not have it.
async fn standing_of_file<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    examined: &Examined,
    file: &RepoPath,
) -> Result<Standing, RagnavError> {
    let index = examined.index.as_ref();
    if let Some(check) = known_check(host, settings, examined, file).await? {
        let files = [(file.clone(), check)].into_iter().collect();
        return Ok(Standing {
            files: Rc::new(vec![file.clone()]),
            skipped: Vec::new(),
            complete: true,
            verification: Verification::new(files, false, Vec::new()),
            view: None,
        });
    }
    let found = Walk {
        files: vec![file.clone()],
        complete: true,
        ..Walk::default()
    };
    let mut standing = of_walk(host, settings, index, found, Scope::File(file)).await?;
    let check = standing.verification.check(file);
    if check.map(|check| check.verdict) == Some(Verdict::Added)
        && !is_admitted(host, settings, &examined.route, file).await?
    {
        standing.verification.found_ignored(file);
    }
    Ok(standing)
}

/// How a file stands that was found to be as it was indexed and cannot have changed since.
async fn known_check<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    examined: &Examined,
    file: &RepoPath,
) -> Result<Option<Check>, RagnavError> {
    if !settings.kept.has_tree() || host.buffered().any(|path| path == file) {
        return Ok(None);
    }
    let host = &host.saved();
    let Some(seen) = seen(host, settings, &examined.route).await? else {
        return Ok(None);
    };
    let Some(tree) = standing_tree(host, settings, &seen).await? else {
        return Ok(None);
    };
    let held = tree.held(examined.index.as_ref());
    let check = held.and_then(|held| held.verification.check(file).copied());
    let is_same = |check: &Check| matches!(check.verdict, Verdict::Unchanged | Verdict::Skipped);
    Ok(check.filter(is_same))
}

/// Whether the walk comes to a file.
async fn is_admitted<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    route: &RouteDecision,
    file: &RepoPath,
) -> Result<bool, RagnavError> {
    if let Some(tree) = tree(host, settings, route).await? {
        return Ok(tree.walk.files.binary_search(file).is_ok());
    }
    let found = walk::walk(host, settings.limits, in_git(route)).await?;
    Ok(found.files.binary_search(file).is_ok())
}

fn in_git(route: &RouteDecision) -> bool {
    route.git_root.is_some() || route.head.is_some()
}

/// All that the walk of now would be a function of; `None` where nobody vouches for the rest.
async fn seen<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    route: &RouteDecision,
) -> Result<Option<Seen>, RagnavError> {
    let word = host::watch(host).await;
    let Some(word) = word.filter(|word| settings.kept.trusts(word)) else {
        settings.kept.forget_tree();
        return Ok(None);
    };
    Ok(Some(Seen {
        word,
        limits: settings.limits,
        in_git: in_git(route),
        outside: host::ignore_rules(host).await?,
    }))
}

/// The tree that was walked before, where it is the same still.
async fn standing_tree<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    seen: &Seen,
) -> Result<Option<Rc<Tree>>, RagnavError> {
    let Some(tree) = settings.kept.tree(seen) else {
        return Ok(None);
    };
    let rules = &tree.walk.unlisted_rules;
    if rules.is_empty() {
        return Ok(Some(tree));
    }
    let paths: Vec<RepoPath> = rules.iter().map(|(path, _)| path.clone()).collect();
    let now = host::read_many(host, &paths, MAX_RULES_BYTES).await?;
    let stand = rules.iter().map(|(_, then)| then).eq(&now);
    Ok(stand.then_some(tree))
}

/// The tree as it is saved; `None` where nobody vouches for it, and where unsaved buffers may change what is in it.
async fn tree<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    route: &RouteDecision,
) -> Result<Option<Rc<Tree>>, RagnavError> {
    let saved = &host.saved();
    let Some(seen) = seen(saved, settings, route).await? else {
        return Ok(None);
    };
    let tree = if let Some(tree) = standing_tree(saved, settings, &seen).await? {
        tree
    } else {
        let outside = seen.outside.clone();
        let walk = walk::walk_under(saved, seen.limits, seen.in_git, outside).await?;
        let is_lasting = !walk.skipped.iter().any(may_pass);
        let tree = Rc::new(Tree::new(seen, walk));
        if is_lasting {
            settings.kept.keep(&tree);
        }
        tree
    };
    let is_of_tree = |path: &RepoPath| {
        !walk::is_listed_rules(path) && tree.walk.files.binary_search(path).is_ok()
    };
    let holds = host.buffered().all(is_of_tree);
    Ok(holds.then_some(tree))
}

/// Whether something was left out because the host failed on it, which a watcher does not see pass.
fn may_pass(skip: &Skipped) -> bool {
    matches!(
        skip.reason,
        SkipReason::Denied | SkipReason::Io | SkipReason::Missing
    )
}

/// How the saved files stand to the index.
async fn held<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    tree: &Tree,
    index: Option<&Rc<Index>>,
) -> Result<Rc<Held>, RagnavError> {
    if let Some(held) = tree.held(index) {
        return Ok(held);
    }
    let verification = match index {
        Some(index) => {
            let host = &host.saved();
            verdict::verify(host, index, &tree.walk, settings.limits, |_| true).await?
        }
        None => Verification::default(),
    };
    if verification.is_lasting() {
        let known_later = match tree.seen.word {
            Word::Watcher(_) => verification.by_watch(),
            Word::Instant(_) => verification.clone(),
        };
        tree.hold(Held::new(index, known_later));
    }
    Ok(Rc::new(Held::new(index, verification)))
}
