//! The facts that a query needs: from the index for files that are proven unchanged, and parsed for
//! the others. They are loaded when they are needed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::file_definitions::FileDefinitions;
use crate::partial_files::{PartialFiles, unparsed};
use ragnav_base::error::RagnavError;
use ragnav_base::hash::HashSet;
use ragnav_base::host::{self, Host};
use ragnav_base::item::{SkipReason, Skipped};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::sort::SmallSort;
use ragnav_index::content::ContentHash;
use ragnav_index::filter::Needle;
use ragnav_index::index::{FileRecord, Index};
use ragnav_matching::pattern::{Pattern, SearchMode};
use ragnav_repository::compiler::verify::{VerifiedIndex, verify};
use ragnav_repository::file_reader::FileReader;
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::scope::may_use_names;
use ragnav_repository::snapshot::Snapshot;
use ragnav_resolve::Manifest;
use ragnav_resolve::import_key::{FOLDER_KEY, WILDCARD_KEY};
use ragnav_resolve::{FactDatabase, FileFacts, LanguageResolvers, Resolver, Template};

/// The number of rounds in which missing files are loaded, before the answer is partial.
const MAX_ROUNDS: usize = 32;

/// The largest number of keys of specifiers. Above it, every file with an import is read.
const MAX_KEYS: usize = 500;
const MAX_KEYS_LEN: usize = 8 << 10;

/// The texts of which every file with an import contains one.
const ANY_IMPORT: &str = "from|import|require";

/// The code in a query's scope.
pub(super) struct CodeFacts<'q, H> {
    snapshot: &'q Snapshot<'q, H>,
    pub(super) world: FactDatabase,
    /// The files whose text decides whether they contain a name, sorted: those that are not proven
    /// unchanged, and those that were only parsed in part.
    live: Vec<RepoPath>,
    unread: BTreeMap<RepoPath, SkipReason>,
    /// The manifests that turned out to differ from the index.
    differing: BTreeSet<RepoPath>,
    /// The definitions of files, made when they are asked for.
    definitions: RefCell<BTreeMap<RepoPath, Rc<FileDefinitions>>>,
    /// The hashes of the texts whose facts were parsed live.
    contents: BTreeMap<RepoPath, ContentHash>,
    /// The files of which less is known than they hold.
    pub(super) partial: PartialFiles,
    /// The loaded live files with syntax errors.
    broken: BTreeSet<RepoPath>,
    /// What compilers say, once it was verified.
    compiler: Option<Rc<Vec<VerifiedIndex>>>,
    rounds: usize,
    /// Whether a limit was exceeded.
    is_bounded: bool,
}

impl<'q, H: Host> CodeFacts<'q, H> {
    /// Loads the files that define where modules are.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn new(snapshot: &'q Snapshot<'q, H>) -> Result<Self, RagnavError> {
        let mut live = snapshot.live_files();
        let partial = snapshot.partial_records().map(|record| &record.path);
        live.extend(
            partial
                .filter(|path| snapshot.proven(path).is_some())
                .cloned(),
        );
        live.retain(ragnav_resolve::is_resolvable);
        live.sort_unstable();
        let mut code = Self {
            snapshot,
            world: FactDatabase::default(),
            live,
            unread: BTreeMap::new(),
            differing: BTreeSet::new(),
            definitions: RefCell::default(),
            contents: BTreeMap::new(),
            partial: PartialFiles::default(),
            broken: BTreeSet::new(),
            compiler: None,
            rounds: 0,
            is_bounded: false,
        };
        code.world = FactDatabase::new(code.resolvers().await?);
        Ok(code)
    }

    /// Returns the resolvers of names among the files. All queries of this scope share them.
    async fn resolvers(&mut self) -> Result<Rc<LanguageResolvers>, RagnavError> {
        let snapshot = self.snapshot;
        if let Some(resolvers) = snapshot.cached_resolvers() {
            return Ok(resolvers);
        }
        let files: Vec<&RepoPath> = snapshot
            .files()
            .iter()
            .chain(snapshot.unproven_files())
            .collect();
        let manifests = self.manifests(&files).await?;
        let roots = &snapshot.settings().roots;
        let resolvers = Rc::new(LanguageResolvers::new(&files, &manifests, roots));
        if self.unread.is_empty() && self.differing.is_empty() {
            return Ok(snapshot.cache_resolvers(resolvers));
        }
        Ok(resolvers)
    }

    async fn manifests(&mut self, files: &[&RepoPath]) -> Result<Vec<Manifest>, RagnavError> {
        let ignored = self.snapshot.ignored_manifests().iter();
        let admitted = files.iter().copied();
        let admitted = admitted.filter(|path| ragnav_resolve::is_manifest(path));
        let mut paths: Vec<RepoPath> = admitted.chain(ignored).cloned().collect();
        paths.sort_unstable();
        let mut reading = self.snapshot.reader(&paths);
        let mut manifests = Vec::new();
        while let Some((path, bytes)) = reading.next().await? {
            if let Some(text) = reading.text(path, &bytes) {
                let text = text.into_string();
                let path = path.clone();
                manifests.push(Manifest { path, text });
            }
            let indexed = self.snapshot.proven(path).map(|(record, _)| record.hash());
            if indexed.is_some_and(|hash| hash != Some(ContentHash::of(&bytes))) {
                self.differing.insert(path.clone());
            }
        }
        self.record_unread(reading.into_skipped());
        Ok(manifests)
    }

    /// Reports whether there are files in each of some languages.
    pub(super) fn has_languages(&self, names: &[&str]) -> bool {
        let files = self.snapshot.files().iter();
        let languages = files.filter_map(ragnav_syntax::detect_language);
        let found: BTreeSet<&str> = languages.map(|language| language.name).collect();
        names.iter().all(|name| found.contains(name))
    }

    /// Returns the files that contain a name.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn files_with_name(
        &mut self,
        name: &str,
    ) -> Result<BTreeSet<RepoPath>, RagnavError> {
        let pattern = Pattern::new(name, SearchMode::Literal, true)?;
        let indexed = match self.snapshot.index() {
            Some(index) => self.linked(index.files_mentioning(name)),
            None => BTreeSet::new(),
        };
        self.holding(indexed, &pattern).await
    }

    /// Returns the files that may define one of some names.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn files_with_any_name(
        &mut self,
        names: &BTreeSet<String>,
    ) -> Result<BTreeSet<RepoPath>, RagnavError> {
        let escaped: Vec<String> = names
            .iter()
            .map(|name| regex_syntax::escape(name))
            .collect();
        let pattern = Pattern::new(&escaped.join("|"), SearchMode::Regex, true)?;
        let mut indexed = BTreeSet::new();
        if let Some(index) = self.snapshot.index() {
            for name in names {
                indexed.extend(self.linked(index.files_defining(name)));
            }
        }
        self.holding(indexed, &pattern).await
    }

    /// Returns the files that import by specifiers with these last segments.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn importing(
        &mut self,
        keys: &BTreeSet<String>,
    ) -> Result<BTreeSet<RepoPath>, RagnavError> {
        if keys.is_empty() {
            return Ok(BTreeSet::new());
        }
        let pattern = Pattern::new(&specifier_pattern(keys), SearchMode::Regex, true)?;
        let mut indexed = BTreeSet::new();
        if let Some(index) = self.snapshot.index() {
            for key in keys {
                indexed.extend(self.linked(index.files_importing(key)));
            }
        }
        self.holding(indexed, &pattern).await
    }

    fn linked<'r>(&self, records: impl Iterator<Item = &'r FileRecord>) -> BTreeSet<RepoPath> {
        let paths = records.map(|record| &record.path);
        let paths = paths
            .filter(|path| self.snapshot.is_indexed(path) && ragnav_resolve::is_resolvable(path));
        paths.cloned().collect()
    }

    /// Returns the files that the index has found, and those whose text matches.
    async fn holding(
        &mut self,
        indexed: BTreeSet<RepoPath>,
        pattern: &Pattern,
    ) -> Result<BTreeSet<RepoPath>, RagnavError> {
        let mut found = indexed;
        let live = std::mem::take(&mut self.live);
        let mut files = self.snapshot.reader(&live);
        while let Some((path, bytes)) = files.next().await? {
            let text = files.text(path, &bytes);
            if let Some(text) = text.filter(|text| pattern.find_at(text, 0).is_some()) {
                found.insert(path.clone());
                if !self.world.contains(path) && !self.snapshot.is_indexed(path) {
                    self.add_file(path, &text, &bytes).await;
                }
            }
        }
        self.record_unread(files.into_skipped());
        self.live = live;
        Ok(found)
    }

    /// Returns the files that match a pattern. Every match must contain the text: the files that
    /// the index answers for are those that may contain it.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn files_matching(
        &mut self,
        pattern: &Pattern,
        text: &str,
    ) -> Result<BTreeSet<RepoPath>, RagnavError> {
        let mut indexed = self.files_that_may_contain(text);
        indexed.retain(|path| self.snapshot.proven(path).is_some());
        indexed.extend(self.snapshot.unproven_files().iter().cloned());
        self.holding(indexed.into_iter().collect(), pattern).await
    }

    /// Returns the files of code that may contain a text: those that are not proven unchanged, and
    /// those whose entry in the index admits it.
    pub(super) fn files_that_may_contain(&self, text: &str) -> Vec<RepoPath> {
        self.with_text(text, ragnav_resolve::is_resolvable)
    }

    /// Returns the templates that may contain a text.
    pub(super) fn templates_that_may_contain(&self, text: &str) -> Vec<RepoPath> {
        self.with_text(text, |path| Template::of(path).is_some())
    }

    fn with_text(&self, text: &str, is_wanted: impl Fn(&RepoPath) -> bool) -> Vec<RepoPath> {
        let needle = Needle::new(text, true);
        self.files_if(
            |index, record| index.may_contain(record, &needle),
            is_wanted,
        )
    }

    /// Returns the wanted files that are not proven unchanged, and those whose record in the index
    /// meets a condition.
    fn files_if(
        &self,
        holds: impl Fn(&Index, &FileRecord) -> bool,
        is_wanted: impl Fn(&RepoPath) -> bool,
    ) -> Vec<RepoPath> {
        let snapshot = self.snapshot;
        let mut found = snapshot.live_files();
        found.retain(&is_wanted);
        if let Some(index) = snapshot.index() {
            // The condition excludes most files, and costs less than the other checks.
            let records = index.files().iter().filter(|record| holds(index, record));
            let paths = records.map(|record| &record.path);
            let proven = paths.filter(|path| {
                is_wanted(path)
                    && snapshot.proven(path).is_some()
                    && snapshot.files().binary_search(path).is_ok()
            });
            found.extend(proven.cloned());
        }
        found.small_sort();
        found
    }

    /// Prepares to read some files.
    pub(super) fn reader<'p>(&self, paths: &'p [RepoPath]) -> FileReader<'p, Overlaid<'q, H>>
    where
        'q: 'p,
    {
        self.snapshot.reader(paths)
    }

    /// Returns the files of a file's family that mention one of some functions by which its code
    /// computes names.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn files_computing(
        &mut self,
        home: &RepoPath,
        functions: &'static [&'static str],
    ) -> Result<BTreeSet<RepoPath>, RagnavError> {
        let (mut computing, unknown) = self.known_computing(home, functions);
        let mut reading = self.snapshot.reader(&unknown);
        while let Some((path, bytes)) = reading.next().await? {
            let text = reading.text(path, &bytes);
            let computes = text.is_some_and(|text| {
                let mut functions = functions.iter();
                functions.any(|function| ragnav_resolve::mentions_function(&text, function))
            });
            self.snapshot
                .keep_words(ContentHash::of(&bytes), functions, computes);
            if computes {
                computing.insert(path.clone());
            }
        }
        self.record_unread(reading.into_skipped());
        Ok(computing)
    }

    /// Returns the files that are known to mention one of some functions, and those of which only
    /// their text tells.
    fn known_computing(
        &self,
        home: &RepoPath,
        functions: &'static [&'static str],
    ) -> (BTreeSet<RepoPath>, Vec<RepoPath>) {
        let index = self.snapshot.index();
        let listed: HashSet<&RepoPath> = index
            .into_iter()
            .flat_map(|index| {
                functions
                    .iter()
                    .flat_map(|name| index.files_computing(name))
            })
            .map(|record| &record.path)
            .collect();
        // The index lists functions of texts only.
        let may_compute = |_: &Index, record: &FileRecord| {
            record.filter.is_none() || listed.contains(&record.path)
        };
        let is_wanted = |path: &RepoPath| {
            ragnav_resolve::is_resolvable(path) && ragnav_resolve::share_family(path, home)
        };
        let mut computing = BTreeSet::new();
        let mut unknown = Vec::new();
        for path in self.files_if(may_compute, is_wanted) {
            let proven = self.snapshot.proven(&path);
            let hash = proven.and_then(|(record, _)| record.hash());
            match hash.and_then(|hash| self.snapshot.has_words(hash, functions)) {
                Some(true) => {
                    computing.insert(path);
                }
                Some(false) => {}
                None => unknown.push(path),
            }
        }
        (computing, unknown)
    }

    /// Finds the files in which names stand in code that is lost to a syntax error.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn find_unparsed(
        &mut self,
        names: &BTreeSet<String>,
    ) -> Result<(), RagnavError> {
        let mut found = unparsed(self.snapshot, names, self.broken.clone()).await?;
        self.partial.unparsed.append(&mut found);
        Ok(())
    }

    /// Records files that could not be read and may use names.
    pub(super) fn record_unread(&mut self, skipped: Vec<Skipped>) {
        let unread = skipped.into_iter();
        self.unread.extend(unread.filter_map(|skip| {
            let path = RepoPath::try_from(skip.file).ok()?;
            may_use_names(&path, skip.reason).then_some((path, skip.reason))
        }));
    }

    /// Loads the missing facts of some files.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn load(&mut self, files: &BTreeSet<RepoPath>) -> Result<(), RagnavError> {
        let mut unknown = Vec::new();
        for path in files {
            if self.world.contains(path) {
                continue;
            }
            let known = if self.snapshot.is_indexed(path) {
                self.snapshot.cached_facts(path).await
            } else {
                None
            };
            match known {
                None => unknown.push(path.clone()),
                known => self.take(path, known),
            }
        }
        self.load_live(&unknown).await
    }

    async fn load_live(&mut self, paths: &[RepoPath]) -> Result<(), RagnavError> {
        let mut reader = self.snapshot.reader(paths);
        while let Some((path, bytes)) = reader.next().await? {
            if let Some(text) = reader.text(path, &bytes) {
                self.add_file(path, &text, &bytes).await;
            }
        }
        self.record_unread(reader.into_skipped());
        for path in paths.iter().filter(|path| self.unread.contains_key(*path)) {
            self.world.insert(path.clone(), None);
        }
        Ok(())
    }

    /// Loads the files that may define names of a file, if no import leads to them.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn load_linked(
        &mut self,
        path: &RepoPath,
        names: &BTreeSet<String>,
    ) -> Result<(), RagnavError> {
        if names.is_empty() || !Resolver::new(&self.world).links_by_name(path) {
            return Ok(());
        }
        let files = self.files_with_any_name(names).await?;
        self.load(&files).await
    }

    async fn add_file(&mut self, path: &RepoPath, text: &str, bytes: &[u8]) {
        let hash = ContentHash::of(bytes);
        let facts = self.snapshot.parsed_facts(path, text, hash).await;
        self.take(path, facts);
        self.contents.insert(path.clone(), hash);
    }

    fn take(&mut self, path: &RepoPath, facts: Option<Rc<FileFacts>>) {
        if facts.as_ref().is_some_and(|file| file.facts.is_partial) {
            self.partial.cut.insert(path.clone());
        }
        if facts
            .as_ref()
            .is_some_and(|file| !file.facts.errors.is_empty())
            && self.snapshot.proven(path).is_none()
        {
            self.broken.insert(path.clone());
        }
        self.definitions.borrow_mut().remove(path);
        self.world.insert(path.clone(), facts);
    }

    /// Returns the definitions of a loaded file.
    pub(super) fn definitions(&self, path: &RepoPath) -> Option<Rc<FileDefinitions>> {
        if let Some(known) = self.definitions.borrow().get(path) {
            return Some(Rc::clone(known));
        }
        let file = self.world.facts(path)?;
        let made = Rc::new(FileDefinitions::of_facts(path, &file.facts));
        let mut definitions = self.definitions.borrow_mut();
        definitions.insert(path.clone(), Rc::clone(&made));
        Some(made)
    }

    /// Reports whether the facts of a file belong to bytes that were just read.
    pub(super) fn is_of(&self, path: &RepoPath, bytes: &[u8]) -> bool {
        self.content_of(path) == Some(ContentHash::of(bytes))
    }

    /// Returns the hash of the content that the facts of a loaded file belong to.
    fn content_of(&self, path: &RepoPath) -> Option<ContentHash> {
        let indexed = || {
            self.snapshot
                .proven(path)
                .and_then(|(record, _)| record.hash())
        };
        self.contents.get(path).copied().or_else(indexed)
    }

    /// Returns the indexes of compilers, verified once for the query.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn compiler_indexes(&mut self) -> Result<Rc<Vec<VerifiedIndex>>, RagnavError> {
        if let Some(known) = &self.compiler {
            return Ok(Rc::clone(known));
        }
        let verified = Rc::new(verify(self.snapshot).await?);
        self.compiler = Some(Rc::clone(&verified));
        Ok(verified)
    }

    /// Reports whether an index of a compiler is about the content that the facts of a loaded file
    /// belong to.
    pub(super) fn is_described_by(&self, index: &VerifiedIndex, path: &RepoPath) -> bool {
        let is_in_scope = self.snapshot.files().binary_search(path).is_ok();
        let described = index.content_of(path);
        is_in_scope && described.is_some() && described == self.content_of(path)
    }

    /// Loads the files that resolution lacked. Returns `false` if there were none, or at the limit.
    ///
    /// # Errors
    /// `HOST_FAILED` if the host throws.
    pub(super) async fn load_missing(&mut self) -> Result<bool, RagnavError> {
        let wanted = self.world.take_missing();
        let names = self.world.take_missing_names();
        if (wanted.is_empty() && names.is_empty()) || self.is_out_of_rounds() {
            return Ok(false);
        }
        self.rounds += 1;
        self.load(&wanted).await?;
        self.load_names(names).await?;
        Ok(true)
    }

    /// Loads the files that may define some names in their languages.
    async fn load_names(
        &mut self,
        names: BTreeSet<(&'static str, String)>,
    ) -> Result<(), RagnavError> {
        if names.is_empty() {
            return Ok(());
        }
        let texts = names.iter().map(|(_, name)| name.clone()).collect();
        let files = self.files_with_any_name(&texts).await?;
        for (language, name) in names {
            let is_of_language = |file: &&RepoPath| {
                let found = ragnav_syntax::detect_language(file);
                found.is_some_and(|found| found.name == language)
            };
            let own: BTreeSet<RepoPath> = files.iter().filter(is_of_language).cloned().collect();
            self.load(&own).await?;
            let defining = own.into_iter().filter(|file| {
                let facts = self.world.facts(file);
                facts.is_some_and(|facts| facts.defines(&name))
            });
            let defining = defining.collect();
            self.world.insert_files_defining(language, name, defining);
        }
        Ok(())
    }

    /// Reports whether files that may use names could not be read.
    pub(super) fn has_unread(&self) -> bool {
        !self.unread.is_empty()
    }

    /// Reports whether a limit was exceeded, so that the answer may lack rows.
    pub(super) fn is_truncated(&self) -> bool {
        self.is_bounded || self.is_out_of_rounds() || self.world.is_truncated()
    }

    fn is_out_of_rounds(&self) -> bool {
        self.rounds >= MAX_ROUNDS
    }

    /// Records that a limit was exceeded.
    pub(super) fn mark_truncated(&mut self) {
        self.is_bounded = true;
    }

    /// Returns the files that could not be read, or not parsed in full. `unread`, `partial` and
    /// `note` come from the search for the definitions.
    pub(super) fn into_outcome(
        self,
        unread: usize,
        mut partial: PartialFiles,
        note: Option<String>,
    ) -> CodeOutcome {
        partial.append(self.partial);
        CodeOutcome {
            unread: unread.max(self.unread.len()),
            partial,
            note,
            skipped: self
                .unread
                .into_iter()
                .map(|(path, reason)| Skipped {
                    file: path.to_string(),
                    reason,
                })
                .collect(),
        }
    }

    /// Pauses, so that the host can show progress or cancel the query.
    pub(super) async fn pause(&self, done: usize, of: usize) {
        host::pause(self.snapshot.host(), wire(done), Some(wire(of))).await;
    }

    /// Reports whether resolution among these files depends on proven facts only.
    pub(super) fn are_proven<'p>(&self, files: impl IntoIterator<Item = &'p RepoPath>) -> bool {
        let is_proven =
            |file| self.snapshot.proven(file).is_some() && !self.differing.contains(file);
        files.into_iter().all(is_proven)
    }
}

/// The files that a query about code could not read, or not parse in full.
pub(super) struct CodeOutcome {
    /// The number of files that could not be read.
    pub(super) unread: usize,
    /// The files of which less is known than they hold.
    pub(super) partial: PartialFiles,
    /// What a person should know about the definitions.
    pub(super) note: Option<String>,
    /// The files that could not be read, with the reasons.
    pub(super) skipped: Vec<Skipped>,
}

/// Returns the pattern of the end of a string that is a specifier with one of these last segments.
/// With too many segments, it matches every import.
fn specifier_pattern(keys: &BTreeSet<String>) -> String {
    let len: usize = keys.iter().map(String::len).sum();
    if keys.contains(WILDCARD_KEY) || keys.len() > MAX_KEYS || len > MAX_KEYS_LEN {
        return ANY_IMPORT.to_owned();
    }
    let named = keys.iter().filter(|key| *key != FOLDER_KEY);
    let named: Vec<String> = named.map(|key| regex_syntax::escape(key)).collect();
    let mut ends = Vec::new();
    if !named.is_empty() {
        let named = named.join("|");
        ends.push(format!(
            r#"["'`/](?:{named})(?:\.\w+)*/*(?:\?[^"'`]*)?["'`]"#
        ));
    }
    if keys.contains(FOLDER_KEY) {
        ends.push(r#"["'`/]\.{1,2}/*(?:\?[^"'`]*)?["'`]"#.to_owned());
    }
    ends.join("|")
}
