//! The files in a query's scope and their statuses: verified now, by another query of the same
//! instant, or earlier if a watcher has seen no change since.
//!
//! The watcher's token is taken before the walk, so a change during the walk changes the token.
//! Whatever a watcher cannot see is requested each time: HEAD, rules from outside the root, git's
//! own rules, unsaved buffers, and everything under `.llmc`.

use std::rc::Rc;

use crate::file_statuses::{FileStatus, FileStatuses};
use crate::overlay::Overlaid;
use crate::route::Examined;
use crate::scope::Scope;
use crate::settings::Settings;
use crate::snapshot::cache::{CachedStatuses, CachedWalk, ScopeView, WalkInputs};
use crate::verify;
use crate::walk::{self, MAX_RULES_BYTES, Walk};
use ragnav_base::envelope::RouteDecision;
use ragnav_base::error::RagnavError;
use ragnav_base::host::{self, Host, IgnoreRulesRequest, WatchRequest, WatchToken};
use ragnav_base::item::{SkipReason, Skipped, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_index::index::Index;

/// The files in a scope and how they compare with the index.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_repository::overlay::Overlaid;
/// use ragnav_repository::route::examine;
/// use ragnav_repository::scope::Scope;
/// use ragnav_repository::settings::Settings;
/// use ragnav_repository::snapshot::scoped_files;
///
/// let repository = MemoryHost::new(&[("a.py", "x = 1\n"), ("notes.txt", "# Notes\n")]);
/// let (settings, host) = (Settings::default(), block_on(Overlaid::new(&repository)).unwrap());
/// let examined = block_on(examine(&host, "", &settings.caches));
/// let scoped = block_on(scoped_files(&host, &settings, &examined, Scope::Code)).unwrap();
/// assert_eq!((scoped.files.len(), scoped.complete), (1, true));
/// ```
pub struct ScopedFiles {
    /// The files in scope, sorted.
    pub files: Rc<Vec<RepoPath>>,
    /// The files and folders that the walk left out.
    pub skipped: Vec<Skipped>,
    /// The manifests that ignore rules leave out.
    pub ignored_manifests: Vec<RepoPath>,
    /// Whether the walk reached its end.
    pub complete: bool,
    /// The statuses of the files; empty without an index.
    pub statuses: FileStatuses,
    /// The data that every query of this scope shares. The statuses may have been corrected since.
    pub(super) view: Option<Rc<ScopeView>>,
}

/// Returns the files in a scope, verified against the index.
///
/// # Errors
/// The errors of [`walk::walk`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_repository::overlay::Overlaid;
/// use ragnav_repository::route::examine;
/// use ragnav_repository::scope::Scope;
/// use ragnav_repository::settings::Settings;
/// use ragnav_repository::snapshot::scoped_files;
///
/// let repository = MemoryHost::new(&[("a.py", "x = 1\n"), ("notes.md", "# Notes\n")]);
/// let (settings, host) = (Settings::default(), block_on(Overlaid::new(&repository)).unwrap());
/// let examined = block_on(examine(&host, "", &settings.caches));
/// let scoped = block_on(scoped_files(&host, &settings, &examined, Scope::Code)).unwrap();
/// assert_eq!(scoped.files[0].as_str(), "a.py");
/// // Without an index there is nothing to compare with.
/// assert_eq!(scoped.statuses.files().count(), 0);
/// ```
pub async fn scoped_files<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    examined: &Examined,
    scope: Scope<'_>,
) -> Result<ScopedFiles, RagnavError> {
    match scope {
        Scope::File(file) => return one_file(host, settings, examined, file).await,
        Scope::Nothing => {
            let nothing = Walk {
                complete: true,
                ..Walk::default()
            };
            return verify_walk(host, settings, None, nothing, scope).await;
        }
        Scope::Everything | Scope::Globs(_) | Scope::Code | Scope::Links => {}
    }
    let Some(saved) = saved_walk(host, settings, &examined.route).await? else {
        return walk_now(host, settings, examined, scope).await;
    };
    let index = examined.index.as_ref();
    let cached = saved_statuses(host, settings, &saved, index).await?;
    let view = cached.view(&saved.walk, scope);
    let mut statuses = view.statuses.clone();
    if let Some(index) = index {
        let buffered = host.buffered().filter(|path| scope.admits(path));
        verify::reverify(host, index, buffered, settings.limits, &mut statuses).await?;
    }
    Ok(ScopedFiles {
        files: Rc::clone(&view.files),
        skipped: view.skipped.clone(),
        ignored_manifests: saved.walk.ignored_manifests.clone(),
        complete: saved.walk.complete,
        statuses,
        view: Some(view),
    })
}

/// Walks and verifies without a watcher.
async fn walk_now<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    examined: &Examined,
    scope: Scope<'_>,
) -> Result<ScopedFiles, RagnavError> {
    let mut found = walk::walk(host, settings.limits, in_git(&examined.route)).await?;
    found.files.retain(|path| scope.admits(path));
    found.skipped.retain(|skip| scope.admits_skipped(skip));
    verify_walk(host, settings, examined.index.as_ref(), found, scope).await
}

async fn verify_walk<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    index: Option<&Rc<Index>>,
    found: Walk,
    scope: Scope<'_>,
) -> Result<ScopedFiles, RagnavError> {
    let admits = |path: &RepoPath| scope.admits(path);
    let statuses = match index {
        Some(index) => verify::verify(host, index, &found, settings.limits, admits).await?,
        None => FileStatuses::default(),
    };
    Ok(ScopedFiles {
        files: Rc::new(found.files),
        skipped: found.skipped,
        ignored_manifests: found.ignored_manifests,
        complete: found.complete,
        statuses,
        view: None,
    })
}

/// Verifies one file without a walk, unless the index lacks it.
async fn one_file<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    examined: &Examined,
    file: &RepoPath,
) -> Result<ScopedFiles, RagnavError> {
    let index = examined.index.as_ref();
    if let Some(check) = proven_status(host, settings, examined, file).await? {
        let files = [(file.clone(), check)].into_iter().collect();
        return Ok(ScopedFiles {
            files: Rc::new(vec![file.clone()]),
            skipped: Vec::new(),
            ignored_manifests: Vec::new(),
            complete: true,
            statuses: FileStatuses::new(files, false, Vec::new()),
            view: None,
        });
    }
    let found = Walk {
        files: vec![file.clone()],
        complete: true,
        ..Walk::default()
    };
    let mut scoped = verify_walk(host, settings, index, found, Scope::File(file)).await?;
    let check = scoped.statuses.get(file);
    if check.map(|check| check.verdict) == Some(Verdict::Added)
        && !is_admitted(host, settings, &examined.route, file).await?
    {
        scoped.statuses.mark_ignored(file);
    }
    Ok(scoped)
}

/// Returns the status of a file that was unchanged and cannot have changed since.
async fn proven_status<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    examined: &Examined,
    file: &RepoPath,
) -> Result<Option<FileStatus>, RagnavError> {
    if !settings.snapshots.has_walk() || host.buffered().any(|path| path == file) {
        return Ok(None);
    }
    let host = &host.saved();
    let Some(inputs) = walk_inputs(host, settings, &examined.route).await? else {
        return Ok(None);
    };
    let Some(saved) = proven_walk(host, settings, &inputs).await? else {
        return Ok(None);
    };
    let cached = saved.statuses(examined.index.as_ref());
    let check = cached.and_then(|cached| cached.statuses.get(file).copied());
    let is_same =
        |check: &FileStatus| matches!(check.verdict, Verdict::Unchanged | Verdict::Skipped);
    Ok(check.filter(is_same))
}

/// Reports whether the walk admits a file.
async fn is_admitted<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    route: &RouteDecision,
    file: &RepoPath,
) -> Result<bool, RagnavError> {
    if let Some(saved) = saved_walk(host, settings, route).await? {
        return Ok(saved.walk.files.binary_search(file).is_ok());
    }
    let found = walk::walk(host, settings.limits, in_git(route)).await?;
    Ok(found.files.binary_search(file).is_ok())
}

fn in_git(route: &RouteDecision) -> bool {
    route.git_root.is_some() || route.head.is_some()
}

/// Returns everything that a walk would depend on now; `None` if no token proves the rest.
async fn walk_inputs<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    route: &RouteDecision,
) -> Result<Option<WalkInputs>, RagnavError> {
    let token = host.send(WatchRequest {}).await.ok().flatten();
    let Some(token) = token.filter(|token| settings.snapshots.trusts(token)) else {
        settings.snapshots.forget_walk();
        return Ok(None);
    };
    Ok(Some(WalkInputs {
        token,
        limits: settings.limits,
        in_git: in_git(route),
        outside: host.send(IgnoreRulesRequest {}).await?,
    }))
}

/// Returns an earlier walk that is proven to be current.
async fn proven_walk<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    inputs: &WalkInputs,
) -> Result<Option<Rc<CachedWalk>>, RagnavError> {
    let Some(saved) = settings.snapshots.walk(inputs) else {
        return Ok(None);
    };
    let rules = &saved.walk.unlisted_rules;
    if rules.is_empty() {
        return Ok(Some(saved));
    }
    let paths: Vec<RepoPath> = rules.iter().map(|(path, _)| path.clone()).collect();
    let now = host::read_many(host, &paths, MAX_RULES_BYTES).await?;
    let stand = rules.iter().map(|(_, then)| then).eq(&now);
    Ok(stand.then_some(saved))
}

/// Returns the walk of the saved files; `None` if no token proves it, or unsaved buffers may change
/// it.
async fn saved_walk<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    route: &RouteDecision,
) -> Result<Option<Rc<CachedWalk>>, RagnavError> {
    let files = &host.saved();
    let Some(inputs) = walk_inputs(files, settings, route).await? else {
        return Ok(None);
    };
    let saved = if let Some(saved) = proven_walk(files, settings, &inputs).await? {
        saved
    } else {
        let outside = inputs.outside.clone();
        let walk = walk::walk_under(files, inputs.limits, inputs.in_git, outside).await?;
        let is_lasting = !walk.skipped.iter().any(is_transient);
        let saved = Rc::new(CachedWalk::new(inputs, walk));
        if is_lasting {
            settings.snapshots.keep(&saved);
        }
        saved
    };
    let is_of_tree = |path: &RepoPath| {
        !walk::is_listed_rules(path) && saved.walk.files.binary_search(path).is_ok()
    };
    let holds = host.buffered().all(is_of_tree);
    Ok(holds.then_some(saved))
}

/// Reports whether the host failed on an entry. A watcher does not notice when such a failure ends.
fn is_transient(skip: &Skipped) -> bool {
    matches!(
        skip.reason,
        SkipReason::Denied | SkipReason::Io | SkipReason::Missing
    )
}

/// Returns the statuses of the saved files.
async fn saved_statuses<H: Host>(
    host: &Overlaid<'_, H>,
    settings: &Settings,
    saved: &CachedWalk,
    index: Option<&Rc<Index>>,
) -> Result<Rc<CachedStatuses>, RagnavError> {
    if let Some(cached) = saved.statuses(index) {
        return Ok(cached);
    }
    let statuses = match index {
        Some(index) => {
            let host = &host.saved();
            verify::verify(host, index, &saved.walk, settings.limits, |_| true).await?
        }
        None => FileStatuses::default(),
    };
    if statuses.is_lasting() {
        let known_later = match saved.inputs.token {
            WatchToken::Watcher(_) => statuses.by_watch(),
            WatchToken::Instant(_) => statuses.clone(),
        };
        saved.keep(CachedStatuses::new(index, known_later));
    }
    Ok(Rc::new(CachedStatuses::new(index, statuses)))
}
