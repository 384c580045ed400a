//! Which files a question is about, fixed before anything is read.

use ragnav_base::item::Skipped;
use ragnav_base::path::RepoPath;
use ragnav_matching::globs::Globs;

/// The files that a question is about.
#[derive(Debug, Clone, Copy)]
pub enum Scope<'q> {
    /// All that the walk admits.
    Everything,
    /// Those that globs admit.
    Globs(&'q Globs),
    /// Those in a language of this build.
    Code,
    /// Those, and what says where their modules are.
    Links,
    /// One.
    File(&'q RepoPath),
}

/// A scope that is the same for every question that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum SameForAll {
    Everything,
    Code,
    Links,
}

impl Scope<'_> {
    pub(super) fn same_for_all(self) -> Option<SameForAll> {
        match self {
            Self::Everything => Some(SameForAll::Everything),
            Self::Code => Some(SameForAll::Code),
            Self::Links => Some(SameForAll::Links),
            Self::Globs(globs) => globs.admit_all().then_some(SameForAll::Everything),
            Self::File(_) => None,
        }
    }

    pub(super) fn admits(self, path: &RepoPath) -> bool {
        match self {
            Self::Everything => true,
            Self::Globs(globs) => globs.admit(path),
            Self::Code => ragnav_syntax::detect_language(path).is_some(),
            Self::Links => {
                ragnav_syntax::detect_language(path).is_some() || ragnav_resolve::is_manifest(path)
            }
            Self::File(file) => path == file,
        }
    }

    /// Whether something that was left out may have been of the scope; a skipped folder is, unless it is excluded by name.
    pub(super) fn admits_skipped(self, skip: &Skipped) -> bool {
        let is_folder = skip.file.ends_with('/');
        match (self, RepoPath::parse(&skip.file)) {
            (Self::Globs(_), Err(_)) => true,
            (_, Err(_)) => is_folder,
            (Self::Globs(globs), Ok(folder)) if is_folder => !globs.exclude(&folder),
            (_, Ok(_)) if is_folder => true,
            (_, Ok(path)) => self.admits(&path),
        }
    }
}
