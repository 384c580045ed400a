//! `status`: how every file compares with the index, and the proof of that.

use ragnav_base::envelope::{RagResult, RagToolMeta};
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_base::item::FileVerdict;
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::{ReadOutcome, Snapshot};

use crate::arguments::{Arguments, Positional};
use crate::options::QuestionOptions;
use crate::page::limit_items;
use crate::query::{Query, answer};

/// Reports how every file compares with the index, by file: unchanged, changed, added, removed,
/// skipped or unknown, and the proof. Without an index there are no items.
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
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "StatusArguments")
)]
pub struct Status {
    #[cfg_attr(feature = "tsify", serde(flatten))]
    options: QuestionOptions,
}

impl Query for Status {
    const POSITIONAL: &'static [Positional] = &[];
    type Options = QuestionOptions;
    type Answer = RagResult<FileVerdict>;
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
        let mut meta = snapshot.finish(ReadOutcome::default())?.meta;
        limit_items(&mut items, self.options.limit, &mut meta);
        Ok(RagResult { meta, items })
    }

    fn failed(&self, meta: RagToolMeta) -> Self::Answer {
        RagResult::failed(meta)
    }
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
) -> RagResult<FileVerdict> {
    let options = options.clone();
    answer(host, settings, &Status { options }).await
}
