//! Opens the files of a move.

use std::collections::BTreeSet;

use ragnav_base::host::{Host, HostError};
use ragnav_base::item::{ItemKind, Resolution};
use ragnav_base::path::RepoPath;
use ragnav_repository::failure::Failure;
use ragnav_repository::snapshot::Snapshot;
use ragnav_resolve::{FileFacts, Resolver};
use ragnav_syntax::facts::Import;

use super::files::{OpenFile, OpenFiles, create, open};
use super::importers::import_at;
use super::order::Order;
use crate::code_facts::CodeFacts;
use crate::edit_plan::{Refusal, RefusalReason};

impl Order<'_> {
    /// Returns files with the full names by which others import them: the source first, then what
    /// it imports itself.
    pub(super) fn examples<H: Host>(&self, code: &CodeFacts<'_, H>) -> Vec<(RepoPath, String)> {
        let resolver = Resolver::new(&code.world);
        let example = |path: &RepoPath, file: &FileFacts, import: &Import| {
            let found = resolver.resolve_import_file(path, file, import);
            let found = found.filter(|_| import.level == 0)?;
            Some((found, file.facts.name(import.module).to_owned()))
        };
        let mut examples = Vec::new();
        for site in self
            .sites
            .iter()
            .filter(|site| site.kind == ItemKind::Import)
        {
            let file = code.world.facts(&site.path);
            let found = file.and_then(|file| {
                let import = import_at(&file, (site.line, site.start_utf16))?;
                example(&site.path, &file, import)
            });
            examples.extend(found.filter(|(path, _)| path == self.source));
        }
        if let Some(file) = code.world.facts(self.source) {
            let own = file.facts.imports.iter();
            examples.extend(own.filter_map(|import| example(self.source, &file, import)));
        }
        examples
    }

    /// Opens the source, the target and the files with references.
    pub(super) async fn open_all<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        code: &mut CodeFacts<'_, H>,
    ) -> Result<Result<OpenFiles, Vec<Refusal>>, Failure> {
        let mut files = OpenFiles::new();
        let resolved = self
            .sites
            .iter()
            .filter(|one| one.resolution == Resolution::Resolved);
        let mut paths: BTreeSet<RepoPath> = resolved.map(|site| site.path.clone()).collect();
        paths.insert(self.source.clone());
        if snapshot.files().contains(self.target) {
            paths.insert(self.target.clone());
        } else {
            match self.new_file(snapshot).await? {
                Ok(file) => files.insert(self.target.clone(), file),
                Err(refusal) => return Ok(Err(vec![refusal])),
            };
        }
        code.load(&paths).await?;
        let mut refusals = Vec::new();
        for path in paths {
            match open(snapshot, code, &path).await? {
                Ok(file) => {
                    files.insert(path, file);
                }
                Err(refusal) => refusals.push(refusal),
            }
        }
        Ok(if refusals.is_empty() {
            Ok(files)
        } else {
            Err(refusals)
        })
    }

    pub(super) async fn new_file<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
    ) -> Result<Result<OpenFile, Refusal>, Failure> {
        let refuse =
            |message: String| Refusal::in_files(RefusalReason::Target, 1, [self.target], message);
        let folder = self.target.parent();
        let has_folder = folder.is_none_or(|folder| {
            folder == RepoPath::root()
                || snapshot
                    .files()
                    .iter()
                    .any(|file| file.below(&folder).is_some())
        });
        if !has_folder {
            let message = format!(
                "The folder of {} has no files; create it first.",
                self.target
            );
            return Ok(Err(refuse(message)));
        }
        if !matches!(snapshot.read(self.target).await?, Err(HostError::Missing)) {
            let message = format!(
                "{} exists and is left out of the repository, by a rule that ignores it perhaps.",
                self.target
            );
            return Ok(Err(refuse(message)));
        }
        Ok(Ok(create(snapshot, self.target)))
    }
}
