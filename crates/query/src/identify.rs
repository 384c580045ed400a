//! `identify`: the definitions that enclose a line.

use std::collections::BTreeSet;

use ragnav_base::argument::Count;
use ragnav_base::envelope::{RagResult, RagToolMeta};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::Definition;
use ragnav_base::path::RepoPath;
use ragnav_repository::failure::{Failure, add_message, add_partial};
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::{ReadOutcome, Snapshot};
use serde::Serialize;

use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::definitions_of_file::{FileAnswer, definitions_of_file};
use crate::options::FileOptions;
use crate::page::limit_items;
use crate::query::Query;

/// Names the definitions that enclose a line of a file as it is now, innermost first. Use it to
/// turn a place (of a stack trace, a diff, a search) into a symbol. No items means that the line is
/// outside of any definition.
///
/// The line of a decorator belongs to the scope around the decorated definition. With
/// `include_module`, the file as a module comes last.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::identify::Identify;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let arguments = serde_json::json!({"file": "a.py", "line": 2});
/// let answer = block_on(answer_arguments::<Identify, _>(&host, &settings, arguments));
/// assert_eq!(answer.items[0].symbol.as_str(), "sym:a.total");
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "IdentifyArguments")
)]
pub struct Identify {
    /// The path of the file from the repository's root, with `/`.
    file: String,
    /// The line; the first is 1.
    line: Count,
    #[serde(flatten)]
    options: FileOptions,
}

impl Query for Identify {
    const NAME: &'static str = "identify";
    const POSITIONAL: &'static [Positional] =
        &[Positional::text("file"), Positional::count("line")];
    type Options = FileOptions;
    type Answer = RagResult<Definition>;
    type Valid = RepoPath;

    fn new(arguments: &Arguments, options: FileOptions) -> Self {
        Self {
            file: arguments.text("file"),
            line: arguments.count("line"),
            options,
        }
    }

    fn validate(&self) -> Result<RepoPath, RagnavError> {
        RepoPath::parse(&self.file)
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(path: &RepoPath) -> Scope<'_> {
        Scope::File(path)
    }

    async fn run<H: Host>(
        &self,
        path: &RepoPath,
        snapshot: Snapshot<'_, H>,
    ) -> Result<Self::Answer, Failure> {
        let line = self.line.get();
        let FileAnswer {
            definitions,
            module,
            lines,
            is_partial,
        } = definitions_of_file(&snapshot, path).await?;
        let encloses =
            |row: &Definition| (row.start_line as usize..=row.end_line as usize).contains(&line);
        let mut items: Vec<Definition> = definitions.into_iter().filter(encloses).collect();
        items.reverse();
        if self.options.include_module == Some(true) {
            items.extend(module.filter(encloses));
        }
        let mut meta = snapshot.finish(ReadOutcome::default())?.meta;
        limit_items(&mut items, self.options.limit, &mut meta);
        if is_partial {
            add_partial(&mut meta, &BTreeSet::from([path.clone()]));
        }
        if let Some(lines) = lines.filter(|lines| line > *lines) {
            add_message(&mut meta, &format!("{path} ends with line {lines}."));
        }
        Ok(RagResult { meta, items })
    }

    fn failed(&self, meta: RagToolMeta) -> Self::Answer {
        RagResult::failed(meta)
    }
}

/// Answers [`Identify`]. Lines count from 1; line 0 stands for the first.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::identify::identify;
/// use ragnav_query::{FileOptions, Settings};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), FileOptions::default());
/// let answer = block_on(identify(&host, &settings, "a.py", 2, &options));
/// assert_eq!((answer.items[0].start_line, answer.items[0].end_line), (1, 2));
/// ```
pub async fn identify<H: Host>(
    host: &H,
    settings: &Settings,
    file: &str,
    line: u32,
    options: &FileOptions,
) -> RagResult<Definition> {
    let query = Identify {
        file: file.to_owned(),
        line: Count::new(line).unwrap_or(Count::ONE),
        options: options.clone(),
    };
    answer(host, settings, &query).await
}
