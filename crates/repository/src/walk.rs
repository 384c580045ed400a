//! The files of a repository that the ignore rules admit.
//!
//! As in ripgrep, hidden entries are left out unless a rule admits them. Symbolic links are listed
//! as skipped and never followed, so the walk cannot leave the root or run in a circle.

use ragnav_base::hash::HashMap;

use crate::built_in_skips::{built_in_skip, is_own_data};
use crate::ignore_rules::{
    FolderFiles, FolderRules, GITIGNORE_FILE, IGNORE_FILE, OutsideRules, RuleMatch,
};
use ragnav_base::error::{ErrorCode, RagnavError};
use ragnav_base::host::{
    self, DirEntry, EntryKind, FileStamp, Host, HostError, IgnoreRules, IgnoreRulesRequest,
    ReadDirsRequest,
};
use ragnav_base::item::{SkipReason, Skipped};
use ragnav_base::path::RepoPath;
use ragnav_base::text::{self, DecodedText};

/// The largest number of folders or files of one request.
pub const BATCH: usize = 64;

/// The largest ignore file that is read, in bytes.
pub(crate) const MAX_RULES_BYTES: u32 = 1 << 20;

/// The character that hosts show for bytes of a name that are not UTF-8. Such a name does not lead
/// back to the file.
const UNDECODED: char = char::REPLACEMENT_CHARACTER;

/// The limits on what a query reads.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_repository::walk::{Limits, walk};
///
/// let host = MemoryHost::new(&[("a.py", ""), ("b.py", ""), ("c.py", "")]);
/// let limits = Limits { max_files: 2, ..Limits::default() };
/// let found = block_on(walk(&host, limits, false)).unwrap();
/// assert_eq!((found.files.len(), found.complete), (2, false));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The size above which a file is skipped, in bytes.
    pub max_file_bytes: u32,
    /// The number of files at which the walk ends; the answer is then partial.
    pub max_files: usize,
    /// The number of folders at which the walk ends; the answer is then partial. It also ends a
    /// tree of folders without files.
    pub max_folders: usize,
    /// The depth below which folders are skipped.
    pub max_depth: usize,
}

impl Default for Limits {
    /// Returns 4 MiB for a file, 500,000 files, as many folders, and 256 levels.
    fn default() -> Self {
        Self {
            max_file_bytes: 4 << 20,
            max_files: 500_000,
            max_folders: 500_000,
            max_depth: 256,
        }
    }
}

/// The result of a walk.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::SkipReason;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_repository::walk::{Limits, walk};
///
/// let host = MemoryHost::new(&[("a.js", ""), ("node_modules/b/b.js", "")]);
/// let found = block_on(walk(&host, Limits::default(), false)).unwrap();
/// assert_eq!(found.files.len(), 1);
/// assert_eq!(found.skipped[0].reason, SkipReason::InstalledPackages);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walk {
    /// The files, sorted by path.
    pub files: Vec<RepoPath>,
    /// The stamps of files whose host listed them.
    pub stamps: HashMap<RepoPath, FileStamp>,
    /// The entries that were left out for another reason than an ignore rule, sorted by path.
    pub skipped: Vec<Skipped>,
    /// The manifests that ignore rules leave out of folders that they admit, sorted by path. A
    /// repository may track them all the same, and they say where modules are.
    pub ignored_manifests: Vec<RepoPath>,
    /// Whether the walk reached its end; `false` if `max_files` or `max_folders` was reached.
    pub complete: bool,
    /// The rules from folders that the walk does not list, which are git's own.
    pub unlisted_rules: Vec<(RepoPath, Result<Vec<u8>, HostError>)>,
}

struct Folder {
    path: RepoPath,
    rules: FolderRules,
    /// Whether git's rules apply: the folder lies in a repository, or is one.
    in_git: bool,
}

struct Walker<'h, H> {
    host: &'h H,
    limits: Limits,
    outside: OutsideRules,
    folders: usize,
    found: Walk,
}

/// Lists the files of the repository, with `BATCH` folders for each request.
///
/// `in_git` states that the root is known to lie in a git repository; the host's ignore rules may
/// state it too.
///
/// # Errors
/// `REPO_NOT_FOUND` if the root cannot be listed, `HOST_FAILED` if the host throws.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_repository::walk::{Limits, walk};
///
/// let host = MemoryHost::new(&[(".gitignore", "*.log\n"), ("a.py", ""), ("debug.log", "")]);
/// let paths = |in_git| {
///     let found = block_on(walk(&host, Limits::default(), in_git)).unwrap();
///     found.files.iter().map(|path| path.as_str().to_owned()).collect::<Vec<_>>()
/// };
/// assert_eq!(paths(true), ["a.py"]);
/// assert_eq!(paths(false), ["a.py", "debug.log"]);
/// ```
pub async fn walk<H: Host>(host: &H, limits: Limits, in_git: bool) -> Result<Walk, RagnavError> {
    let outside = host.send(IgnoreRulesRequest {}).await?;
    walk_under(host, limits, in_git, outside).await
}

/// Lists the files as [`walk`] does, with rules from outside the root that the caller has
/// requested.
///
/// # Errors
/// The errors of [`walk`].
pub(crate) async fn walk_under<H: Host>(
    host: &H,
    limits: Limits,
    in_git: bool,
    outside: Vec<IgnoreRules>,
) -> Result<Walk, RagnavError> {
    let mut walker = Walker {
        host,
        limits,
        outside: OutsideRules::new(outside),
        folders: 0,
        found: Walk {
            complete: true,
            ..Walk::default()
        },
    };
    let mut open = vec![walker.root(in_git)];
    while let Some(batch) = next_batch(&mut open) {
        let below = walker.list(batch).await?;
        open.extend(below);
        if !walker.found.complete {
            break;
        }
    }
    let mut found = walker.found;
    found.files.sort_unstable();
    found.ignored_manifests.sort_unstable();
    found.skipped.sort_unstable_by(|a, b| a.file.cmp(&b.file));
    Ok(found)
}

/// Checks that the root exists.
///
/// # Errors
/// `REPO_NOT_FOUND` if it cannot be listed, `HOST_FAILED` if the host throws.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_repository::walk::check_root;
///
/// assert!(block_on(check_root(&MemoryHost::default())).is_ok());
/// ```
pub async fn check_root(host: &impl Host) -> Result<(), RagnavError> {
    let listing = host
        .send(ReadDirsRequest {
            paths: vec![RepoPath::root()],
        })
        .await?;
    match listing.into_iter().next() {
        Some(Err(error)) => Err(no_repository(error)),
        _ => Ok(()),
    }
}

fn next_batch(open: &mut Vec<Folder>) -> Option<Vec<Folder>> {
    let from = open.len().saturating_sub(BATCH);
    let batch = open.split_off(from);
    (!batch.is_empty()).then_some(batch)
}

impl<H: Host> Walker<'_, H> {
    fn root(&self, in_git: bool) -> Folder {
        Folder {
            path: RepoPath::root(),
            rules: FolderRules::default(),
            in_git: in_git || self.outside.is_in_repository(&RepoPath::root()),
        }
    }

    /// Adds the files of some folders, and returns the folders below them.
    async fn list(&mut self, folders: Vec<Folder>) -> Result<Vec<Folder>, RagnavError> {
        let paths: Vec<RepoPath> = folders.iter().map(|folder| folder.path.clone()).collect();
        let listings = self.host.send(ReadDirsRequest { paths }).await?;
        let mut listed = Vec::with_capacity(folders.len());
        for (mut folder, listing) in folders.into_iter().zip(listings) {
            match listing {
                Ok(mut entries) => {
                    folder.in_git |=
                        entries.iter().any(is_git) || self.outside.is_in_repository(&folder.path);
                    // Hosts list folders in any order. Sorting makes the files independent of it
                    // when a limit ends the walk.
                    entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
                    listed.push((folder, entries));
                }
                Err(error) if folder.path == RepoPath::root() => return Err(no_repository(error)),
                Err(error) => self.skip_folder(&folder.path, skip_reason(error)),
            }
        }
        self.read_rules(&mut listed).await?;
        let mut below = Vec::new();
        for (folder, entries) in &listed {
            self.admit_entries(folder, entries, &mut below);
        }
        Ok(below)
    }

    /// Reads the rules files of all listed folders with one request.
    async fn read_rules(
        &mut self,
        listed: &mut [(Folder, Vec<DirEntry>)],
    ) -> Result<(), RagnavError> {
        let wanted: Vec<(usize, RepoPath)> = listed
            .iter()
            .enumerate()
            .flat_map(|(index, (folder, entries))| {
                rules_files(&folder.path, entries, folder.in_git)
                    .into_iter()
                    .map(move |path| (index, path))
            })
            .collect();
        let paths: Vec<RepoPath> = wanted.iter().map(|(_, path)| path.clone()).collect();
        let contents = if paths.is_empty() {
            Vec::new()
        } else {
            host::read_many(self.host, &paths, MAX_RULES_BYTES).await?
        };
        let read = wanted.iter().map(|(_, path)| path).zip(&contents);
        let unlisted = read.filter(|(path, _)| is_unlisted_rules(path));
        let unlisted = unlisted.map(|(path, content)| (path.clone(), content.clone()));
        self.found.unlisted_rules.extend(unlisted);
        for (index, (folder, entries)) in listed.iter_mut().enumerate() {
            let mut files = FolderFiles {
                is_git_root: entries.iter().any(is_git),
                ..FolderFiles::default()
            };
            for ((owner, path), content) in wanted.iter().zip(&contents) {
                if *owner != index {
                    continue;
                }
                let text = match content {
                    // A line that is not UTF-8 matches nothing; the other lines still apply, as in
                    // git.
                    Ok(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
                    Err(HostError::Missing) => None,
                    Err(error) => {
                        self.skip(path.to_string(), skip_reason(*error));
                        None
                    }
                };
                match path.name() {
                    IGNORE_FILE => files.ignore = text,
                    GITIGNORE_FILE => files.gitignore = text,
                    _ => files.exclude = text,
                }
            }
            folder.rules = folder.rules.enter(&folder.path, &files);
        }
        Ok(())
    }

    fn admit_entries(&mut self, folder: &Folder, entries: &[DirEntry], below: &mut Vec<Folder>) {
        if let Some(reason) = built_in_skip(&folder.path, entries) {
            self.skip_folder(&folder.path, reason);
            return;
        }
        for entry in entries {
            let named = folder.path.join(&entry.name);
            let Some(path) = named.filter(|_| !entry.name.contains(UNDECODED)) else {
                self.skip(shown(&folder.path, &entry.name), SkipReason::BadName);
                continue;
            };
            if !self.admits(folder, entry, &path) {
                self.note_manifest(entry, path);
                continue;
            }
            match entry.kind {
                EntryKind::Link => self.skip(path.to_string(), SkipReason::Link),
                EntryKind::Dir if path.depth() >= self.limits.max_depth => {
                    self.skip_folder(&path, SkipReason::TooDeep);
                }
                kind if self.is_full(kind) => {
                    self.found.complete = false;
                    self.skip(path.to_string(), SkipReason::TooManyFiles);
                    return;
                }
                EntryKind::Dir => {
                    self.folders += 1;
                    below.push(Folder {
                        path,
                        rules: folder.rules.clone(),
                        in_git: folder.in_git,
                    });
                }
                EntryKind::File => {
                    if let Some(stamp) = &entry.stamp {
                        self.found.stamps.insert(path.clone(), stamp.clone());
                    }
                    self.found.files.push(path);
                }
            }
        }
    }

    fn note_manifest(&mut self, entry: &DirEntry, path: RepoPath) {
        let is_file = entry.kind == EntryKind::File && !is_own_data(&entry.name);
        if is_file && ragnav_resolve::is_manifest(&path) {
            self.found.ignored_manifests.push(path);
        }
    }

    fn is_full(&self, kind: EntryKind) -> bool {
        match kind {
            EntryKind::Dir => self.folders >= self.limits.max_folders,
            EntryKind::File => self.found.files.len() >= self.limits.max_files,
            EntryKind::Link => false,
        }
    }

    fn admits(&self, folder: &Folder, entry: &DirEntry, path: &RepoPath) -> bool {
        if is_own_data(&entry.name) {
            return false;
        }
        let is_dir = entry.kind == EntryKind::Dir;
        match folder
            .rules
            .match_path(path, is_dir, folder.in_git.then_some(&self.outside))
        {
            RuleMatch::Ignored => false,
            RuleMatch::Included => true,
            RuleMatch::None => !entry.name.starts_with('.'),
        }
    }

    fn skip_folder(&mut self, path: &RepoPath, reason: SkipReason) {
        self.skip(format!("{path}/"), reason);
    }

    fn skip(&mut self, file: String, reason: SkipReason) {
        self.found.skipped.push(Skipped { file, reason });
    }
}

/// Decodes a file that was read.
///
/// # Errors
/// The reason why the file is left out: that of a failed read, or `binary` for one that is no text.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::HostError;
/// use ragnav_base::item::SkipReason;
/// use ragnav_repository::walk::decode_read;
///
/// assert_eq!(&*decode_read(&Ok(b"x = 1\n".to_vec())).unwrap(), "x = 1\n");
/// assert_eq!(decode_read(&Err(HostError::Denied)), Err(SkipReason::Denied));
/// ```
pub fn decode_read(read: &Result<Vec<u8>, HostError>) -> Result<DecodedText<'_>, SkipReason> {
    let bytes = read.as_deref().map_err(|error| skip_reason(*error))?;
    text::decode(bytes)
}

/// Returns the reason why a failed read leaves a file out.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::HostError;
/// use ragnav_base::item::SkipReason;
/// use ragnav_repository::walk::skip_reason;
///
/// assert_eq!(skip_reason(HostError::Denied), SkipReason::Denied);
/// ```
#[must_use]
pub fn skip_reason(error: HostError) -> SkipReason {
    match error {
        HostError::Missing => SkipReason::Missing,
        HostError::Denied => SkipReason::Denied,
        HostError::TooLarge => SkipReason::TooLarge,
        HostError::Io => SkipReason::Io,
    }
}

fn no_repository(error: HostError) -> RagnavError {
    let why = match error {
        HostError::Missing => "there is no such folder".to_owned(),
        error => error.to_string(),
    };
    RagnavError::new(
        ErrorCode::RepoNotFound,
        format!(
            "the repository's root cannot be listed: {why}; give the folder that holds the code"
        ),
    )
}

/// Returns the path of an entry whose name cannot be part of a path, for messages.
fn shown(folder: &RepoPath, name: &str) -> String {
    match folder.as_str() {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

fn is_git(entry: &DirEntry) -> bool {
    entry.name == ".git" && entry.kind != EntryKind::Link
}

/// Reports whether a file holds rules for the walk and lies in a folder that the walk lists.
#[must_use]
pub(crate) fn is_listed_rules(path: &RepoPath) -> bool {
    matches!(path.name(), IGNORE_FILE | GITIGNORE_FILE)
}

fn is_unlisted_rules(path: &RepoPath) -> bool {
    !is_listed_rules(path)
}

fn rules_files(folder: &RepoPath, entries: &[DirEntry], in_git: bool) -> Vec<RepoPath> {
    let mut wanted = Vec::new();
    for entry in entries {
        match (entry.name.as_str(), entry.kind) {
            (IGNORE_FILE, EntryKind::File) => wanted.extend(folder.join(IGNORE_FILE)),
            (GITIGNORE_FILE, EntryKind::File) if in_git => {
                wanted.extend(folder.join(GITIGNORE_FILE));
            }
            (".git", EntryKind::Dir) if in_git => {
                wanted.extend(
                    [".git", "info", "exclude"]
                        .iter()
                        .try_fold(folder.clone(), |path, name| path.join(name)),
                );
            }
            _ => {}
        }
    }
    wanted
}
