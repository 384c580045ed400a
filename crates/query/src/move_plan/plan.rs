//! Makes the edits of a move, and finds why they must not be applied.

use ragnav_base::host::Host;
use ragnav_repository::failure::Failure;
use ragnav_repository::snapshot::Snapshot;

use super::changes::apply;
use super::check::Move;
use super::cycles::NewImports;
use super::files::OpenFiles;
use super::importers::Route;
use super::insertion::with_line_break;
use super::move_language::MoveLanguage;
use super::moved::Moved;
use super::needs::Way;
use super::order::Order;
use super::rules::Rules;
use super::unused::unused;
use crate::code_facts::CodeFacts;
use crate::edit_plan::{EditedFile, PlannedEdit, Refusal, RefusalReason};

/// The largest number of edits.
const MAX_EDITS: usize = 10_000;

/// The edits of a plan, and why it must not be applied.
#[derive(Default)]
pub(super) struct Planned {
    files: OpenFiles,
    pub(super) refusals: Vec<Refusal>,
}

impl Planned {
    fn refused(refusals: Vec<Refusal>) -> Self {
        Self {
            refusals,
            ..Self::default()
        }
    }

    pub(super) fn files(&self) -> Vec<EditedFile> {
        let files = self.files.iter().map(|(path, file)| EditedFile {
            file: path.to_string(),
            hash: file.changes.hash(),
            moves_to: None,
        });
        files.collect()
    }

    pub(super) fn rows(&self) -> Vec<PlannedEdit> {
        let files = self.files.iter();
        files
            .flat_map(|(path, file)| file.changes.rows(path))
            .collect()
    }
}

impl Order<'_> {
    /// Makes the plan.
    ///
    /// # Errors
    /// [`Failure::ConcurrentModification`] if a file changes meanwhile; `HOST_FAILED` if the host
    /// throws.
    pub(super) async fn plan<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        code: &mut CodeFacts<'_, H>,
    ) -> Result<Planned, Failure> {
        let language = MoveLanguage::of(self.source);
        let is_same = language.is_some() && language == MoveLanguage::of(self.target);
        let Some(language) = language.filter(|_| is_same) else {
            return Ok(Planned::refused(vec![self.other_language()]));
        };
        if self.source == self.target {
            let message = format!("`{}` is in {} already.", self.name, self.target);
            let refusal = Refusal::in_files(RefusalReason::Target, 1, [self.target], message);
            return Ok(Planned::refused(vec![refusal]));
        }
        let rules = language.rules(snapshot.files(), self.source, &self.examples(code));
        if let Some(problem) = rules.target_problem(self.source, self.target) {
            let message = format!("{problem}; choose another file.");
            let refusal = Refusal::in_files(RefusalReason::Target, 1, [self.target], message);
            return Ok(Planned::refused(vec![refusal]));
        }
        let mut files = match self.open_all(snapshot, code).await? {
            Ok(files) => files,
            Err(refusals) => return Ok(Planned::refused(refusals)),
        };
        let (Some(source), Some(target)) = (files.get(self.source), files.get(self.target)) else {
            return Ok(Planned::default());
        };
        let moved = match Moved::find(source, self.id, rules.comment()) {
            Ok(moved) => moved,
            Err(refusal) => return Ok(Planned::refused(vec![refusal])),
        };
        let way = Way {
            source,
            target,
            moved: &moved,
            rules: &*rules,
        };
        let needs = match self.needs(code, &way) {
            Ok(needs) => needs,
            Err(refusals) => return Ok(Planned::refused(refusals)),
        };
        let unused = unused(code, &*rules, (source, &moved), &needs.imported).await?;
        let route = Route {
            code,
            rules: &*rules,
            source: self.source,
            target: self.target,
            name: self.name,
        };
        let made = self.changes(&route, &way, (&needs, &unused), &files);
        let (texts, rewritten) = match made {
            Ok(made) => made,
            Err(refusals) => return Ok(Planned::refused(refusals)),
        };
        let new_imports = self.new_imports(&needs, &rewritten);
        let text = texts.text.clone();
        apply(
            &mut files,
            self,
            (&*rules, &moved),
            (&needs, texts, rewritten),
        );
        self.finish(snapshot, code, (files, moved, text), (&*rules, new_imports))
            .await
    }

    async fn finish<H: Host>(
        &self,
        snapshot: &Snapshot<'_, H>,
        code: &mut CodeFacts<'_, H>,
        (mut files, moved, text): (OpenFiles, Moved, String),
        (rules, new_imports): (&dyn Rules, NewImports),
    ) -> Result<Planned, Failure> {
        files.retain(|_, file| file.changes.is_changed());
        let edits: usize = files.values().map(|file| file.changes.len()).sum();
        let is_consistent = files.values().all(|file| file.changes.is_consistent());
        if edits > MAX_EDITS || !is_consistent {
            let message = if is_consistent {
                format!("More than {MAX_EDITS} places would have to be edited.")
            } else {
                "Several changes of one statement would be needed.".to_owned()
            };
            let reason = if is_consistent {
                RefusalReason::Limit
            } else {
                RefusalReason::Form
            };
            return Ok(Planned::refused(vec![Refusal::new(reason, message)]));
        }
        let line_break = files.get(self.target).map_or("\n", |file| {
            if file.changes.is_new() {
                ""
            } else {
                file.changes.line_break()
            }
        });
        let text = if line_break.is_empty() {
            text
        } else {
            with_line_break(&text, line_break)
        };
        let made = Move {
            source: self.source,
            target: self.target,
            moved: &moved,
            files: &files,
            sites: self.sites,
            text: &text,
            rules,
            new_imports: &new_imports,
        };
        let refusals = made.check(snapshot, code).await?;
        Ok(Planned { files, refusals })
    }

    fn other_language(&self) -> Refusal {
        let message = "Definitions can be moved between files of Python, and between files of \
                       JavaScript and TypeScript."
            .to_owned();
        Refusal::in_files(
            RefusalReason::Language,
            1,
            [self.source, self.target],
            message,
        )
    }
}
