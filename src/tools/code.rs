//! The code of a question: facts from the index for files that are proven, live for the others, brought as they are wanted.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::RagnavError;
use crate::graph::content::ContentHash;
use crate::host::{self, Host};
use crate::lang;
use crate::link::modules::Modules;
use crate::link::world::World;
use crate::matching::pattern::{Pattern, SearchMode};
use crate::overlay::Overlaid;
use crate::path::RepoPath;
use crate::repo::text;
use crate::tools::Settings;
use crate::tools::basis::Basis;
use crate::tools::live_files::LiveFiles;

/// How often files that a link leads to are brought before an answer is cut short.
const MAX_ROUNDS: usize = 32;

/// The code that a question is about.
pub(super) struct Code<'q, H> {
    host: &'q Overlaid<'q, H>,
    settings: &'q Settings,
    basis: &'q Basis,
    pub(super) world: World,
    /// The files that are read live, sorted.
    live: Vec<RepoPath>,
    unread: BTreeSet<RepoPath>,
    /// What the facts of files that were read live are of.
    contents: BTreeMap<RepoPath, ContentHash>,
    rounds: usize,
}

impl<'q, H: Host> Code<'q, H> {
    pub(super) fn new(host: &'q Overlaid<'q, H>, settings: &'q Settings, basis: &'q Basis) -> Self {
        let live = basis
            .files
            .iter()
            .filter(|path| basis.proven(path).is_none() && lang::is_linked(path));
        let files = basis.files.iter().chain(&basis.unproven).cloned();
        Self {
            host,
            settings,
            basis,
            world: World::new(Modules::new(files)),
            live: live.cloned().collect(),
            unread: BTreeSet::new(),
            contents: BTreeMap::new(),
            rounds: 0,
        }
    }

    /// The files that hold a name.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub(super) async fn mentioning(
        &mut self,
        name: &str,
    ) -> Result<BTreeSet<RepoPath>, RagnavError> {
        let mut found = BTreeSet::new();
        if let Some(index) = self.basis.index() {
            let paths = index.mentioning(name).map(|record| &record.path);
            let paths = paths.filter(|path| self.is_indexed(path) && lang::is_linked(path));
            found.extend(paths.cloned());
        }
        let pattern = Pattern::new(name, SearchMode::Literal, true)?;
        let max_bytes = self.settings.limits.max_file_bytes;
        let live = std::mem::take(&mut self.live);
        let mut files = LiveFiles::new(self.host, &live, max_bytes);
        while let Some((path, bytes)) = files.next().await? {
            let text = files.text(path, &bytes);
            if let Some(text) = text.filter(|text| pattern.find_at(text, 0).is_some()) {
                found.insert(path.clone());
                if !self.world.has(path) {
                    self.take_in(path, text, &bytes);
                }
            }
        }
        let unread = files.into_skipped().into_iter();
        self.unread
            .extend(unread.filter_map(|skip| RepoPath::try_from(skip.file).ok()));
        self.live = live;
        Ok(found)
    }

    /// Whether what the index has of a file is used.
    fn is_indexed(&self, path: &RepoPath) -> bool {
        self.basis.proven(path).is_some() || self.basis.unproven.binary_search(path).is_ok()
    }

    /// Brings the facts of files that are not there yet.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub(super) async fn bring(&mut self, files: &BTreeSet<RepoPath>) -> Result<(), RagnavError> {
        let max_bytes = self.settings.limits.max_file_bytes;
        for path in files {
            if self.world.has(path) {
                continue;
            }
            let indexed = self.basis.index().filter(|_| self.is_indexed(path));
            let known = indexed.and_then(|index| index.facts(index.file(path)?));
            if known.is_some() {
                self.world.bring(path.clone(), known);
                continue;
            }
            let read = host::read_one(self.host, path, max_bytes).await?;
            let text = read.as_deref().ok().map(text::decode);
            if let (Ok(bytes), Some(Ok(text))) = (&read, text) {
                self.take_in(path, text, bytes);
            } else {
                self.unread.insert(path.clone());
                self.world.bring(path.clone(), None);
            }
        }
        Ok(())
    }

    fn take_in(&mut self, path: &RepoPath, text: &str, bytes: &[u8]) {
        let language = lang::of_path(path);
        let facts = language.map(|language| lang::facts(language, text));
        self.world.bring(path.clone(), facts);
        self.contents.insert(path.clone(), ContentHash::of(bytes));
    }

    /// Whether bytes that were just read are those that the facts of a file are of.
    pub(super) fn is_of(&self, path: &RepoPath, bytes: &[u8]) -> bool {
        let indexed = || {
            self.basis
                .proven(path)
                .and_then(|(record, _)| record.hash())
        };
        let known = self.contents.get(path).copied().or_else(indexed);
        known == Some(ContentHash::of(bytes))
    }

    /// Brings what links wanted; `false` where there was nothing, or the bound is met.
    ///
    /// # Errors
    /// `HOST_FAILED` where the host throws.
    pub(super) async fn bring_wanted(&mut self) -> Result<bool, RagnavError> {
        let wanted = self.world.take_wanted();
        if wanted.is_empty() || self.is_cut_short() {
            return Ok(false);
        }
        self.rounds += 1;
        self.bring(&wanted).await?;
        Ok(true)
    }

    /// Whether the bound on rounds was met, so that there may be more.
    pub(super) fn is_cut_short(&self) -> bool {
        self.rounds >= MAX_ROUNDS
    }

    /// How many files could not be read.
    pub(super) fn unread(&self) -> usize {
        self.unread.len()
    }

    /// Whether links over these files rest on what is proven alone.
    pub(super) fn all_proven(&self, files: &BTreeSet<RepoPath>) -> bool {
        files.iter().all(|file| self.basis.proven(file).is_some())
    }
}

/// Names by which a symbol goes: its own, and those it is given by imports and assignments, by file.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    /// Names under which any file may know it.
    pub(super) global: BTreeSet<String>,
    /// Names that it has within one file only.
    local: BTreeMap<RepoPath, BTreeSet<String>>,
}

impl Aliases {
    pub(super) fn new(name: &str) -> Self {
        Self {
            global: BTreeSet::from([name.to_owned()]),
            local: BTreeMap::new(),
        }
    }

    /// Whether a name in a file may be the symbol's.
    pub(super) fn hold(&self, file: &RepoPath, name: &str) -> bool {
        let local = self.local.get(file);
        self.global.contains(name) || local.is_some_and(|names| names.contains(name))
    }

    /// Notes the names that a file gives to what goes by one of these; gives those that other files may import.
    pub(super) fn add_from(&mut self, path: &RepoPath, world: &World) -> Vec<String> {
        let Some(file) = world.facts(path) else {
            return Vec::new();
        };
        let mut fresh = Vec::new();
        for (given, of, is_global) in file.given_names() {
            if self.hold(path, of) && !self.hold(path, given) {
                self.local
                    .entry(path.clone())
                    .or_default()
                    .insert(given.to_owned());
                if is_global {
                    fresh.push(given.to_owned());
                }
            }
        }
        fresh
    }
}
