//! `definition`: the definitions that the name at a place means.

use ragnav_base::envelope::RagToolMeta;
use ragnav_base::error::RagnavError;
use ragnav_base::host::Host;
use ragnav_repository::failure::Failure;
use ragnav_repository::scope::Scope;
use ragnav_repository::settings::{Settings, StalePolicy};
use ragnav_repository::snapshot::Snapshot;
use serde::Serialize;

use crate::answer::answer;
use crate::arguments::{Arguments, Positional};
use crate::locate::{LocateResult, located};
use crate::name_at_place::Place;
use crate::options::QuestionOptions;
use crate::query::Query;
use crate::subject::Subject;

/// Finds the definitions that the name at a place in a file means, as "go to definition" does in
/// editors. If that cannot be proven, the definitions of the same name in the same family of
/// languages are listed, and `message` says so.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::definition::DefinitionAt;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let settings = Settings::default();
/// let place = serde_json::json!({"place": "a.py:3:1"});
/// let answer = block_on(answer_arguments::<DefinitionAt, _>(&host, &settings, place));
/// assert_eq!(answer.items[0].start_line, 1);
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "DefinitionArguments")
)]
pub struct DefinitionAt {
    /// The place of the name: `src/app.py:12:5`; the line and the column count from 1.
    place: String,
    #[serde(flatten)]
    options: QuestionOptions,
}

impl Query for DefinitionAt {
    const NAME: &'static str = "definition";
    const POSITIONAL: &'static [Positional] = &[Positional::text("place")];
    type Options = QuestionOptions;
    type Answer = LocateResult;
    type Valid = Subject;

    fn new(arguments: &Arguments, options: QuestionOptions) -> Self {
        let place = arguments.text("place");
        Self { place, options }
    }

    fn validate(&self) -> Result<Subject, RagnavError> {
        Place::require(&self.place).map(Subject::Place)
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(subject: &Subject) -> Scope<'_> {
        subject.scope()
    }

    async fn run<H: Host>(
        &self,
        subject: &Subject,
        snapshot: Snapshot<'_, H>,
    ) -> Result<LocateResult, Failure> {
        let found = subject.find_alone(&snapshot).await?;
        located(snapshot, found, self.options.limit)
    }

    fn failed(&self, meta: RagToolMeta) -> LocateResult {
        LocateResult::failed(meta)
    }
}

/// Answers [`DefinitionAt`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::definition::definition;
/// use ragnav_query::{QuestionOptions, Settings};
///
/// let host = MemoryHost::new(&[("a.py", "def total():\n    return 0\ntotal()\n")]);
/// let (settings, options) = (Settings::default(), QuestionOptions::default());
/// let answer = block_on(definition(&host, &settings, "a.py:3:1", &options));
/// assert_eq!(answer.items[0].symbol.as_str(), "sym:a.total");
/// ```
pub async fn definition<H: Host>(
    host: &H,
    settings: &Settings,
    place: &str,
    options: &QuestionOptions,
) -> LocateResult {
    let (place, options) = (place.to_owned(), options.clone());
    answer(host, settings, &DefinitionAt { place, options }).await
}
