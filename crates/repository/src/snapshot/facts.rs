//! The facts of files, and the resolvers of names among them, as a snapshot knows them.

use std::cell::OnceCell;
use std::rc::Rc;

use super::Snapshot;
use ragnav_base::host::{self, Host};
use ragnav_base::path::RepoPath;
use ragnav_base::text;
use ragnav_index::content::ContentHash;
use ragnav_index::index::{Content, FileRecord};
use ragnav_resolve::{FileFacts, LanguageResolvers};
use ragnav_syntax::facts::Facts;
use ragnav_syntax::{grammars, kept};

impl<H: Host> Snapshot<'_, H> {
    /// Returns the resolver of names among these files, if an earlier query of this scope made it.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use ragnav_base::memory_host::MemoryHost;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert!(snapshot.cached_resolvers().is_none());
    /// });
    /// ```
    #[must_use]
    pub fn cached_resolvers(&self) -> Option<Rc<LanguageResolvers>> {
        self.shared_resolvers()?.get().map(Rc::clone)
    }

    /// Keeps a resolver for later queries of this scope, and returns the one that is kept.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use std::rc::Rc;
    ///
    /// use ragnav_base::memory_host::MemoryHost;
    /// use ragnav_resolve::LanguageResolvers;
    ///
    /// let host = MemoryHost::new(&[("a.py", "x = 1\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     let kept = snapshot.cache_resolvers(Rc::new(LanguageResolvers::default()));
    /// #     let _ = kept;
    /// });
    /// ```
    #[must_use]
    pub fn cache_resolvers(&self, resolvers: Rc<LanguageResolvers>) -> Rc<LanguageResolvers> {
        match self.shared_resolvers() {
            Some(shared) => Rc::clone(shared.get_or_init(|| resolvers)),
            None => resolvers,
        }
    }

    /// Reports whether resolvers may be shared. They depend on the manifests, so none may be
    /// corrected.
    fn shared_resolvers(&self) -> Option<&OnceCell<Rc<LanguageResolvers>>> {
        let mut corrected = self.statuses.corrected();
        let view = self.view.as_deref()?;
        let is_own = corrected.any(|(path, _)| ragnav_resolve::is_manifest(path));
        (!is_own).then_some(&view.resolvers)
    }

    /// Returns the facts of a file as they were indexed, even if the file has changed since.
    ///
    /// If its segment cannot be read, the facts come from the file itself, as long as it has the
    /// indexed content.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, path, with_snapshot};
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     let facts = block_on(snapshot.indexed_facts(&path("a.py"))).unwrap();
    ///     assert_eq!(facts.name(facts.definitions[0].name), "f");
    /// });
    /// ```
    pub async fn indexed_facts(&self, path: &RepoPath) -> Option<Facts> {
        let index = self.examined.index.as_deref()?;
        let record = index.file(path)?;
        let Content::Text(hash, Some(_)) = record.content else {
            return None;
        };
        let segments = &self.settings.caches.segments;
        let facts = index.facts(self.host, segments, record).await;
        if facts.is_some() {
            return facts;
        }
        let max_bytes = u32::try_from(record.size).ok()?;
        let read = host::read_one(self.host, path, max_bytes).await;
        let bytes = read.ok()?.ok()?;
        let text = text::decode(&bytes).ok()?;
        let language =
            ragnav_syntax::detect_language(path).filter(|_| ContentHash::of(&bytes) == hash)?;
        self.load_grammar(path, &text).await;
        grammars::check_grammar(path, &text).ok()?;
        Some(ragnav_syntax::extract_facts(language, &text))
    }

    /// Loads the grammar that reads a file, unless it is loaded. A query calls it before it
    /// parses the file.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, path, with_snapshot};
    /// use ragnav_base::memory_host::block_on;
    /// use ragnav_syntax::grammars::check_grammar;
    ///
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     block_on(snapshot.load_grammar(&path("a.py"), "def f(): pass\n"));
    ///     assert!(check_grammar(&path("a.py"), "def f(): pass\n").is_ok());
    /// });
    /// ```
    pub async fn load_grammar(&self, path: &RepoPath, text: &str) {
        grammars::load_grammar(self.host, path, text).await;
    }

    /// Returns the facts of an indexed file if they are decoded already.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, path, with_snapshot};
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert!(snapshot.decoded_facts(&path("a.py")).is_none());
    ///     assert!(block_on(snapshot.cached_facts(&path("a.py"))).is_some());
    ///     assert!(snapshot.decoded_facts(&path("a.py")).is_some());
    /// });
    /// ```
    #[must_use]
    pub fn decoded_facts(&self, path: &RepoPath) -> Option<Rc<FileFacts>> {
        let record = self.examined.index.as_deref()?.file(path)?;
        self.settings.snapshots.facts(path, record.hash()?)
    }

    /// Returns the same as [`indexed_facts`](Self::indexed_facts), and keeps it for later queries.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, path, with_snapshot};
    /// use std::rc::Rc;
    ///
    /// use ragnav_base::memory_host::block_on;
    ///
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     let read = || block_on(snapshot.cached_facts(&path("a.py"))).unwrap();
    ///     assert!(Rc::ptr_eq(&read(), &read()));
    /// });
    /// ```
    pub async fn cached_facts(&self, path: &RepoPath) -> Option<Rc<FileFacts>> {
        if let Some(facts) = self.decoded_facts(path) {
            return Some(facts);
        }
        let facts = Rc::new(FileFacts::new(self.indexed_facts(path).await?));
        let record = self.examined.index.as_deref()?.file(path)?;
        let content = (record.hash()?, record.size);
        self.settings.snapshots.keep_facts(path, content, &facts);
        Some(facts)
    }

    /// Returns the facts of a file with a text that was read, and keeps them for later queries.
    /// `hash` is that of its bytes. A file in no known language has none.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{path, with_snapshot};
    /// use std::rc::Rc;
    ///
    /// use ragnav_base::memory_host::{MemoryHost, block_on};
    /// use ragnav_index::content::ContentHash;
    ///
    /// let text = "def f(): pass\n";
    /// with_snapshot(&MemoryHost::new(&[("a.py", text)]), |snapshot| {
    ///     let hash = ContentHash::of(text.as_bytes());
    ///     let read = || block_on(snapshot.parsed_facts(&path("a.py"), text, hash)).unwrap();
    ///     assert!(Rc::ptr_eq(&read(), &read()));
    /// });
    /// ```
    pub async fn parsed_facts(
        &self,
        path: &RepoPath,
        text: &str,
        hash: ContentHash,
    ) -> Option<Rc<FileFacts>> {
        self.load_grammar(path, text).await;
        let snapshots = &self.settings.snapshots;
        if let Some(facts) = snapshots.facts(path, hash) {
            return Some(facts);
        }
        let language = ragnav_syntax::detect_language(path)?;
        let facts = Rc::unwrap_or_clone(kept::facts(language, text));
        let facts = Rc::new(FileFacts::new(facts));
        if grammars::are_available(language, text) {
            snapshots.keep_facts(path, (hash, text.len() as u64), &facts);
        }
        Some(facts)
    }

    /// Reports whether a content has one of some words, if an earlier query found that out.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use ragnav_base::memory_host::MemoryHost;
    /// use ragnav_index::content::ContentHash;
    ///
    /// with_snapshot(&MemoryHost::new(&[("a.py", "eval('1')\n")]), |snapshot| {
    ///     let hash = ContentHash::of(b"eval('1')\n");
    ///     assert_eq!(snapshot.has_words(hash, &["eval"]), None);
    ///     snapshot.keep_words(hash, &["eval"], true);
    ///     assert_eq!(snapshot.has_words(hash, &["eval"]), Some(true));
    /// });
    /// ```
    #[must_use]
    pub fn has_words(&self, hash: ContentHash, words: &'static [&'static str]) -> Option<bool> {
        self.settings.snapshots.has_words(hash, words)
    }

    /// Keeps whether a content has one of some words, for later queries.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::with_snapshot;
    /// use ragnav_base::memory_host::MemoryHost;
    /// use ragnav_index::content::ContentHash;
    ///
    /// with_snapshot(&MemoryHost::new(&[("a.py", "x = 1\n")]), |snapshot| {
    ///     let hash = ContentHash::of(b"x = 1\n");
    ///     snapshot.keep_words(hash, &["eval"], false);
    ///     assert_eq!(snapshot.has_words(hash, &["eval"]), Some(false));
    /// });
    /// ```
    pub fn keep_words(&self, hash: ContentHash, words: &'static [&'static str], has: bool) {
        self.settings.snapshots.keep_words(hash, words, has);
    }

    /// Returns the index's records of the files that it answers for and that were only parsed in
    /// part.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/snapshot.rs")); }
    /// # use setup::{indexed, with_snapshot};
    /// let host = indexed(&[("a.py", "def f(): pass\n")]);
    /// with_snapshot(&host, |snapshot| {
    ///     assert_eq!(snapshot.partial_records().count(), 0);
    /// });
    /// ```
    pub fn partial_records(&self) -> impl Iterator<Item = &FileRecord> {
        let index = self.examined.index.iter();
        let partial = index.flat_map(|index| index.partial_files());
        partial.filter(|record| self.is_indexed(&record.path))
    }
}
