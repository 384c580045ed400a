//! `status`: how every file compares with the index, and the proof of that.

use std::collections::BTreeMap;

use serde::Serialize;

use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::{FileVerdict, Verdict};
use ragnav_base::path::RepoPath;
use ragnav_base::position::wire;
use ragnav_base::sort::SmallSort;
use ragnav_repository::compiler::verify::{CompilerIndexState, VerifiedIndex, verify};
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::{ReadOutcome, Snapshot};

use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::options::QuestionOptions;
use crate::page::limit_items;
use crate::query::{Answer, Query, QueryAnswer};

/// The number of files with an extension.
///
/// # Examples
///
/// ```
/// use ragnav_query::status::ExtensionCount;
///
/// let count = ExtensionCount { extension: "html".to_owned(), files: 3 };
/// assert_eq!(serde_json::to_string(&count).unwrap(), r#"{"extension":"html","files":3}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct ExtensionCount {
    /// The extension, in lower case and without a dot; empty for files without one.
    pub extension: String,
    /// The number of files.
    pub files: u32,
}

/// The answer of `status`.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::status::status;
/// use ragnav_query::{QuestionOptions, Settings};
///
/// let host = MemoryHost::new(&[("a.py", "x = 1\n"), ("b.html", "<p>b</p>\n")]);
/// let answer = block_on(status(&host, &Settings::default(), &QuestionOptions::default()));
/// assert_eq!(answer.without_symbols[0].extension, "html");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
pub struct StatusAnswer {
    /// The metadata of the answer.
    pub meta: RagToolMeta,
    /// The files, sorted by path.
    pub items: Vec<FileVerdict>,
    /// The files in no known language, which are searched but have no definitions and references, by
    /// extension: the most frequent first.
    pub without_symbols: Vec<ExtensionCount>,
    /// The indexes of compilers, with how many of their documents hold.
    pub compiler_indexes: Vec<CompilerIndexState>,
}

impl Answer for StatusAnswer {
    fn meta(&self) -> &RagToolMeta {
        &self.meta
    }
}

impl QueryAnswer for StatusAnswer {
    fn meta_mut(&mut self) -> &mut RagToolMeta {
        &mut self.meta
    }
}

/// Reports how every file compares with the index, by file: unchanged, changed, added, removed,
/// skipped or unknown, and the proof. Without an index there are no items. It also counts the files in
/// no known language, whose definitions and references no query finds.
///
/// # Examples
///
/// ```
/// use ragnav_base::item::Verdict;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::build_graph::{BuildOptions, build_graph};
/// use ragnav_query::status::Status;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let options = BuildOptions::default();
/// block_on(build_graph(&host, &settings, &options, "build-1"));
/// let arguments = serde_json::json!({});
/// let answer = block_on(answer_arguments::<Status, _>(&host, &settings, arguments));
/// assert_eq!(answer.items[0].verdict, Verdict::Unchanged);
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "StatusArguments")
)]
pub struct Status {
    #[serde(flatten)]
    options: QuestionOptions,
}

impl Query for Status {
    const NAME: &'static str = "status";
    const POSITIONAL: &'static [Positional] = &[];
    type Options = QuestionOptions;
    type Answer = StatusAnswer;
    type Valid = ();

    fn new(_: &Arguments, options: QuestionOptions) -> Self {
        Self { options }
    }

    fn validate(&self) -> Result<(), RagnavError> {
        Ok(())
    }

    /// Whatever answers may come from, this one is about the index.
    fn stale_policy(&self) -> Option<StalePolicy> {
        Some(StalePolicy::Merge)
    }

    fn scope((): &()) -> Scope<'_> {
        Scope::Everything
    }

    async fn run<H: Host>(
        &self,
        (): &(),
        snapshot: Snapshot<'_, H>,
    ) -> Result<Self::Answer, Failure> {
        let mut items = snapshot.statuses().rows();
        let is_skipped = |path: &&RepoPath| {
            let status = snapshot.statuses().get(path);
            status.is_some_and(|status| status.verdict == Verdict::Skipped)
        };
        let files = snapshot.files().iter().filter(|path| !is_skipped(path));
        let without_symbols = count_without_symbols(files);
        let verified = verify(&snapshot).await?;
        let compiler_indexes = verified.iter().map(VerifiedIndex::state).collect();
        let mut meta = snapshot.finish(ReadOutcome::default())?.meta;
        limit_items(&mut items, self.options.limit, &mut meta);
        Ok(StatusAnswer {
            meta,
            items,
            without_symbols,
            compiler_indexes,
        })
    }

    fn failed(&self, meta: RagToolMeta) -> Self::Answer {
        StatusAnswer {
            meta,
            items: Vec::new(),
            without_symbols: Vec::new(),
            compiler_indexes: Vec::new(),
        }
    }
}

/// Counts the files in no known language by extension.
fn count_without_symbols<'f>(files: impl Iterator<Item = &'f RepoPath>) -> Vec<ExtensionCount> {
    let mut counts = BTreeMap::<String, usize>::new();
    for path in files.filter(|path| ragnav_syntax::detect_language(path).is_none()) {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        *counts.entry(extension).or_default() += 1;
    }
    let counted = counts.into_iter().map(|(extension, files)| ExtensionCount {
        extension,
        files: wire(files),
    });
    let mut counted: Vec<ExtensionCount> = counted.collect();
    counted.small_sort_by_key(|count| std::cmp::Reverse(count.files));
    counted
}

/// Answers [`Status`].
///
/// # Examples
///
/// ```
/// use ragnav_base::host::write;
/// use ragnav_base::item::Verdict;
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_base::path::RepoPath;
/// use ragnav_query::build_graph::{BuildOptions, build_graph};
/// use ragnav_query::status::status;
/// use ragnav_query::{QuestionOptions, Settings};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), QuestionOptions::default());
/// block_on(build_graph(&host, &settings, &BuildOptions::default(), "build-1"));
/// let path = RepoPath::parse("a.py").unwrap();
/// block_on(write(&host, path, b"def total(): return 1\n".to_vec())).unwrap();
/// let answer = block_on(status(&host, &settings, &options));
/// assert_eq!(answer.items[0].verdict, Verdict::Changed);
/// ```
pub async fn status<H: Host>(
    host: &H,
    settings: &Settings,
    options: &QuestionOptions,
) -> StatusAnswer {
    let options = options.clone();
    answer(host, settings, &Status { options }).await
}
