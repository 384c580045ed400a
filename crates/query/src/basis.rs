//! What an answer rests on: the route, the files in scope, and how each of them stands to the index.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::answer::{Failure, add_message, explain};
use crate::file_symbols::FileSymbols;
use crate::ground::Ground;
use crate::kept::{Kept, Texts, View};
use crate::scope::Scope;
use crate::standing::standing;
use crate::{Settings, StalePolicy};
use ragnav_base::envelope::{
    FallbackOptions, FileCounts, FreshnessState, OkOptions, Proof, RagToolMeta, RouteDecision,
    RouteReason, SourceTag, fallback_result, ok_result,
};
use ragnav_base::host::{self, Host};
use ragnav_base::item::{SkipReason, Skipped, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::text;
use ragnav_index::Caches;
use ragnav_index::content::ContentHash;
use ragnav_index::graph_file::WrittenGraph;
use ragnav_index::index::{Content, FileRecord, Index};
use ragnav_repository::overlay::Overlaid;
use ragnav_repository::route::{self, Examined};
use ragnav_repository::verification::Verification;
use ragnav_repository::walk::Limits;
use ragnav_resolve::FileFacts;
use ragnav_syntax::facts::Facts;

/// What an answer rests on.
pub(super) struct Basis {
    examined: Examined,
    caches: Rc<Caches>,
    policy: StalePolicy,
    verification: Verification,
    kept: Rc<Kept>,
    /// What is the same for all questions of this scope, where that may be used.
    view: Option<Rc<View>>,
    /// How many of `files` are skipped after all, though they could be read.
    left_out: usize,
    /// The files in scope that are read for the answer, sorted by path.
    pub(super) files: Rc<Vec<RepoPath>>,
    /// The files that the index alone is asked about, under the policy `allow`.
    pub(super) unproven: Vec<RepoPath>,
    /// What in scope is left out of the answer.
    pub(super) skipped: Vec<Skipped>,
    /// Whether the walk came to its end.
    pub(super) complete: bool,
}

impl Basis {
    /// Examines the repository and holds the files in scope against its index.
    ///
    /// # Errors
    /// As [`walk`](ragnav_repository::walk::walk); `STALE_INDEX` where the policy `error` refuses what is not proven.
    pub(super) async fn new<H: Host>(
        host: &Overlaid<'_, H>,
        settings: &Settings,
        policy: Option<StalePolicy>,
        scope: Scope<'_>,
    ) -> Result<Self, Failure> {
        let policy = policy.unwrap_or(settings.stale_policy);
        let mut examined = route::examine(host, &settings.repo, &settings.caches).await;
        if policy == StalePolicy::Live && !examined.route.use_rag {
            examined.index = None;
        }
        let found = standing(host, settings, &examined, scope).await?;
        let mut basis = Self {
            examined,
            caches: Rc::clone(&settings.caches),
            policy,
            verification: found.verification,
            kept: Rc::clone(&settings.kept),
            view: found.view,
            left_out: 0,
            files: found.files,
            unproven: Vec::new(),
            skipped: found.skipped,
            complete: found.complete,
        };
        basis.refuse_unless_proven()?;
        if policy == StalePolicy::Live && !basis.route().use_rag {
            basis.forget_index();
        }
        basis.leave_out();
        Ok(basis)
    }

    /// Goes on as if there were no index.
    fn forget_index(&mut self) {
        self.examined.route = self.route();
        self.examined.index = None;
        self.verification = Verification::default();
        self.view = None;
    }

    /// Leaves out what the index has as no text, and, under `allow`, what is not as it was indexed.
    fn leave_out(&mut self) {
        let Some(index) = self.index() else {
            self.view = None;
            return;
        };
        if self.policy == StalePolicy::Allow || self.has_other_texts() {
            self.view = None;
        }
        if let Some(view) = &self.view {
            let texts = view.texts.get_or_init(|| self.texts());
            self.files = Rc::clone(&texts.files);
            self.skipped.clone_from(&texts.skipped);
            return;
        }
        let Texts { files, skipped, .. } = self.texts();
        self.files = files;
        self.skipped = skipped;
        if self.policy == StalePolicy::Allow {
            let records = index.files().iter().map(|record| &record.path);
            let unproven = records.filter(|path| {
                let verdict = self.verdict(path).map(|(verdict, _)| verdict);
                matches!(
                    verdict,
                    Some(Verdict::Changed | Verdict::Removed | Verdict::Unknown)
                )
            });
            self.unproven = unproven.cloned().collect();
        }
    }

    /// Whether what was found out of single files makes a text of what is none for other questions of this scope, or none of a text.
    fn has_other_texts(&self) -> bool {
        let is_skipped = |verdict: Verdict| verdict == Verdict::Skipped;
        self.verification.corrected().any(|(file, check)| {
            let before = self.verification.before(file);
            let was_skipped = before.is_some_and(|check| is_skipped(check.verdict));
            was_skipped || is_skipped(check.verdict)
        })
    }

    fn texts(&self) -> Texts {
        let allow = self.policy == StalePolicy::Allow;
        let mut skipped = self.skipped.clone();
        let files = self.files.iter().filter(|path| match self.verdict(path) {
            Some((Verdict::Skipped, reason)) => {
                skipped.push(skip(path, reason.unwrap_or(SkipReason::Binary)));
                false
            }
            Some((Verdict::Unchanged, _)) | None => true,
            Some(_) => !allow,
        });
        let files: Vec<RepoPath> = files.cloned().collect();
        // Before any correction, since these are shared and corrections are not.
        let is_live = |path: &&RepoPath| {
            let check = self.verification.before(path);
            check.is_none_or(|check| check.verdict != Verdict::Unchanged)
        };
        Texts {
            live: files.iter().filter(is_live).cloned().collect(),
            files: Rc::new(files),
            skipped,
        }
    }

    /// The files that are not proven to be as they were indexed, sorted.
    pub(super) fn live(&self) -> Vec<RepoPath> {
        let is_live = |path: &&RepoPath| self.proven(path).is_none();
        let Some(texts) = self.view.as_ref().and_then(|view| view.texts.get()) else {
            return self.files.iter().filter(is_live).cloned().collect();
        };
        let corrected = self.verification.corrected().map(|(path, _)| path);
        let corrected = corrected.filter(|path| self.files.binary_search(path).is_ok());
        let live: BTreeSet<&RepoPath> = texts.live.iter().chain(corrected).collect();
        live.into_iter().filter(is_live).cloned().collect()
    }

    /// What is the same for all questions of this scope, also of these files: none of them was found to be something else.
    pub(super) fn shared(&self, but_for: impl Fn(&RepoPath) -> bool) -> Option<&View> {
        let mut corrected = self.verification.corrected();
        let view = self.view.as_deref();
        view.filter(|_| !corrected.any(|(path, _)| but_for(path)))
    }

    /// Counts what is not as it was indexed as skipped, for a question that the index alone cannot answer.
    pub(super) fn skip_unproven(&mut self) {
        for path in std::mem::take(&mut self.unproven) {
            self.skipped.push(skip(&path, SkipReason::Changed));
        }
    }

    fn verdict(&self, path: &RepoPath) -> Option<(Verdict, Option<SkipReason>)> {
        let check = self.verification.check(path)?;
        Some((check.verdict, check.reason))
    }

    /// The index that the answer may use.
    pub(super) fn index(&self) -> Option<Rc<Index>> {
        self.examined.index.clone()
    }

    /// The graph as the build left it that the status speaks of.
    pub(super) fn written_graph(&self) -> Option<&WrittenGraph> {
        self.examined.graph.as_ref()
    }

    /// How the files in scope stand to the index.
    pub(super) fn verification(&self) -> &Verification {
        &self.verification
    }

    /// What the index has of a file that is proven to be as it was indexed, and by what proof.
    pub(super) fn proven(&self, path: &RepoPath) -> Option<(&FileRecord, Proof)> {
        let check = self.verification.check(path)?;
        let record = self.examined.index.as_deref()?.file(path)?;
        (check.verdict == Verdict::Unchanged).then_some((record, check.proof))
    }

    /// The definitions of a file as they were indexed, whether or not it is still so.
    pub(super) async fn known_symbols<H: Host>(
        &self,
        host: &Overlaid<'_, H>,
        path: &RepoPath,
    ) -> Option<FileSymbols> {
        let record = self.examined.index.as_deref()?.file(path)?;
        if let Some(file) = self.kept.decoded_facts(record) {
            return Some(FileSymbols::of_facts(path, &file.facts));
        }
        let facts = self.known_facts(host, path).await?;
        Some(FileSymbols::of_facts(path, &facts))
    }

    /// What a file said by itself as it was indexed, whether or not it is still so.
    ///
    /// Where a part of the index cannot be read, the file itself says the same as long as it is as it was indexed.
    pub(super) async fn known_facts<H: Host>(
        &self,
        host: &Overlaid<'_, H>,
        path: &RepoPath,
    ) -> Option<Facts> {
        let index = self.examined.index.as_deref()?;
        let record = index.file(path)?;
        let Content::Text(hash, Some(_)) = record.content else {
            return None;
        };
        let known = index.facts(host, &self.caches.segments, record).await;
        if known.is_some() {
            return known;
        }
        let max_bytes = u32::try_from(record.size).ok()?;
        let bytes = host::read_one(host, path, max_bytes).await.ok()?.ok()?;
        let text = text::decode(&bytes).ok()?;
        let language =
            ragnav_syntax::detect_language(path).filter(|_| ContentHash::of(&bytes) == hash);
        language.map(|language| ragnav_syntax::extract_facts(language, text))
    }

    /// As [`known_facts`](Self::known_facts), to be followed to other files.
    pub(super) async fn known_links<H: Host>(
        &self,
        host: &Overlaid<'_, H>,
        path: &RepoPath,
    ) -> Option<Rc<FileFacts>> {
        let record = self.examined.index.as_deref()?.file(path)?;
        if let Some(facts) = self.kept.decoded_facts(record) {
            return Some(facts);
        }
        let facts = self.known_facts(host, path).await?;
        self.kept.keep_facts(record, facts)
    }

    /// What the index has of the files that it alone answers for and knows only in part.
    pub(super) fn known_in_part(&self) -> impl Iterator<Item = &FileRecord> {
        let partial = self.examined.index.iter().flat_map(|index| index.partial());
        partial.filter(|record| {
            let path = &record.path;
            self.proven(path).is_some() || self.unproven.binary_search(path).is_ok()
        })
    }

    /// How a file is known whose bytes were just read; bytes that are not those of the index make it a changed one.
    pub(super) fn ground(&mut self, path: &RepoPath, bytes: &[u8], read_as: Proof) -> Ground {
        let Some((record, _)) = self.proven(path) else {
            return Ground::live(read_as);
        };
        if record.hash() != Some(ContentHash::of(bytes)) {
            self.verification.found_changed(path);
            self.kept.doubt();
            return Ground::live(read_as);
        }
        Ground::proven(match read_as {
            Proof::Overlay => Proof::Overlay,
            _ => Proof::Hash,
        })
    }

    /// How a file is known whose bytes were just read and are those that its facts are of.
    pub(super) fn read_ground(&self, path: &RepoPath, read_as: Proof) -> Ground {
        match (self.proven(path), read_as) {
            (None, _) => Ground::live(read_as),
            (Some(_), Proof::Overlay) => Ground::proven(Proof::Overlay),
            (Some(_), _) => Ground::proven(Proof::Hash),
        }
    }

    /// Whether the policy `allow` wants of a file what the index has, though it is not proven to be so.
    pub(super) fn is_remembered(&self, path: &RepoPath) -> bool {
        let verdict = self.verdict(path).map(|(verdict, _)| verdict);
        let is_proven = matches!(verdict, Some(Verdict::Unchanged | Verdict::Skipped));
        self.policy == StalePolicy::Allow && self.examined.index.is_some() && !is_proven
    }

    /// Takes note of files that could not be read for the answer.
    pub(super) fn unreadable(&mut self, unread: &[Skipped]) {
        for skip in unread {
            if let Ok(path) = RepoPath::try_from(skip.file.clone()) {
                self.verification.found_unreadable(&path, skip.reason);
            }
        }
    }

    /// Takes note of a file that could be read and is left out of the answer: how it stands to the index does not change by that.
    pub(super) fn leave_out_file(&mut self, path: &RepoPath, reason: SkipReason) {
        self.verification.found_out_of_question(path, reason);
        self.skipped.push(skip(path, reason));
        self.left_out += 1;
    }

    /// How what the index remembers of an unproven file is known: not at all.
    pub(super) fn unproven_ground(&self, path: &RepoPath) -> Ground {
        let is_unknown = matches!(self.verdict(path), Some((Verdict::Unknown, _)));
        Ground {
            source: SourceTag::RagGraph,
            freshness_state: if is_unknown {
                FreshnessState::Unknown
            } else {
                FreshnessState::Stale
            },
            proof: Proof::None,
        }
    }

    /// The route, with all that is known by now of the files in scope.
    pub(super) fn route(&self) -> RouteDecision {
        route::with_verdicts(self.examined.route.clone(), &self.verification)
    }

    /// Whether rows of proven files must not stand in the answer after all: a file turned out to have changed while the
    /// answer was made, and the policy wants it from the live files alone then.
    pub(super) fn must_start_over(&self) -> bool {
        let was_used = self.examined.index.is_some() && self.examined.route.use_rag;
        self.policy == StalePolicy::Live && was_used && !self.route().use_rag
    }

    /// Refuses to answer from anything but a proven index where the policy is `error`.
    fn refuse_unless_proven(&self) -> Result<(), Failure> {
        let route = self.route();
        if self.policy != StalePolicy::Error || route.use_rag {
            return Ok(());
        }
        Err(Failure::stale(route))
    }

    /// The meta of an answer for which `unread` further files could not be read.
    ///
    /// # Errors
    /// `STALE_INDEX` where the policy is `error` and a file turned out to have changed.
    pub(super) fn meta(&self, settings: &Settings, unread: usize) -> Result<RagToolMeta, Failure> {
        self.refuse_unless_proven()?;
        let route = self.route();
        let (changed, unknown) = self.verification.differing();
        let graph = self.verification.unchanged();
        let files = FileCounts {
            graph: wire(graph + self.unproven.len()),
            live: wire((self.files.len() - graph).saturating_sub(unread + self.left_out)),
            changed: wire(changed + unknown),
            skipped: wire(self.skipped.len() + unread),
        };
        let mut meta = RagToolMeta {
            reason: Some(route.reason),
            head: route.head.clone(),
            files: Some(files),
            ..self.bare_meta(&route, files)
        };
        if !self.complete {
            add_message(&mut meta, &ended_early(settings.limits));
        }
        Ok(meta)
    }

    fn bare_meta(&self, route: &RouteDecision, files: FileCounts) -> RagToolMeta {
        let index_status = route.status.clone();
        let allowed = self.policy == StalePolicy::Allow && self.examined.index.is_some();
        if route.use_rag || allowed {
            let why = "Answered from the index as it is (policy `allow`).";
            let message = (!route.use_rag).then(|| format!("{} {why}", explain(route.reason)));
            let options = OkOptions {
                freshness_state: Some(route.freshness_state),
                index_status,
                message,
                ..OkOptions::default()
            };
            return ok_result::<()>(Vec::new(), options).meta;
        }
        let options = FallbackOptions {
            freshness_state: Some(route.freshness_state),
            index_status,
            message: Some(self.fallback_message(route.reason, files)),
        };
        fallback_result::<()>(Vec::new(), options).meta
    }

    fn fallback_message(&self, reason: RouteReason, files: FileCounts) -> String {
        let why = explain(reason);
        let how = match (files.graph, files.live) {
            (0, _) => "Answered from the live files.".to_owned(),
            (graph, 0) => format!("{} answered for by the index.", proven_files(graph)),
            (graph, live) => format!(
                "{} answered for by the index, {live} read live.",
                proven_files(graph)
            ),
        };
        match &self.examined.failure {
            Some(failure) => format!("{why} {how} What failed: {failure}."),
            None => format!("{why} {how}"),
        }
    }
}

fn skip(path: &RepoPath, reason: SkipReason) -> Skipped {
    Skipped {
        file: path.to_string(),
        reason,
    }
}

fn ended_early(limits: Limits) -> String {
    let Limits {
        max_files,
        max_folders,
        ..
    } = limits;
    format!(
        "Not all files were looked at: only the first {max_files} (max_files) in the first {max_folders} folders (max_folders)."
    )
}

fn proven_files(count: u32) -> String {
    match count {
        1 => "1 file proven unchanged is".to_owned(),
        count => format!("{count} files proven unchanged are"),
    }
}
