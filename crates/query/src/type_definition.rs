//! `type_definition`: the types of what the name at a place means.

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
use crate::code_facts::CodeFacts;
use crate::locate::{LocateResult, located};
use crate::name_at_place::{Place, types_at};
use crate::options::QuestionOptions;
use crate::partial_files::PartialFiles;
use crate::query::Query;
use crate::subject::FoundSubject;

/// Finds the types of what the name at a place in a file means, as "go to type definition" does in
/// editors: the class of a variable, what a function returns, the elements of a container, and a
/// class itself. There are no items if the type is not known or is outside of the repository.
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::type_definition::TypeDefinitionAt;
/// use ragnav_query::{Settings, answer_arguments};
///
/// let host = MemoryHost::new(&[("a.py", "class Cart: pass\ncart = Cart()\ncart\n")]);
/// let settings = Settings::default();
/// let place = serde_json::json!({"place": "a.py:3:1"});
/// let answer = block_on(answer_arguments::<TypeDefinitionAt, _>(&host, &settings, place));
/// assert_eq!(answer.items[0].start_line, 1);
/// ```
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    feature = "tsify",
    derive(tsify::Tsify),
    tsify(rename = "TypeDefinitionArguments")
)]
pub struct TypeDefinitionAt {
    /// The place of the name: `src/app.py:12:5`; the line and the column count from 1.
    place: String,
    #[serde(flatten)]
    options: QuestionOptions,
}

impl Query for TypeDefinitionAt {
    const NAME: &'static str = "type_definition";
    const POSITIONAL: &'static [Positional] = &[Positional::text("place")];
    type Options = QuestionOptions;
    type Answer = LocateResult;
    type Valid = Place;

    fn new(arguments: &Arguments, options: QuestionOptions) -> Self {
        let place = arguments.text("place");
        Self { place, options }
    }

    fn validate(&self) -> Result<Place, RagnavError> {
        Place::require(&self.place)
    }

    fn stale_policy(&self) -> Option<StalePolicy> {
        self.options.stale_policy
    }

    fn scope(_: &Place) -> Scope<'_> {
        Scope::Links
    }

    async fn run<H: Host>(
        &self,
        place: &Place,
        snapshot: Snapshot<'_, H>,
    ) -> Result<LocateResult, Failure> {
        let mut code = CodeFacts::new(&snapshot).await?;
        let definitions = types_at(&snapshot, &mut code, place).await?;
        let unknown = format!("The type of what is at {place} is not known.");
        let note = definitions.is_empty().then_some(unknown);
        let outcome = code.into_outcome(0, PartialFiles::default(), note);
        let found = FoundSubject {
            definitions,
            unread: outcome.unread,
            partial: outcome.partial,
            note: outcome.note,
            ..FoundSubject::none()
        };
        located(snapshot, found, self.options.limit)
    }

    fn failed(&self, meta: RagToolMeta) -> LocateResult {
        LocateResult::failed(meta)
    }
}

/// Answers [`TypeDefinitionAt`].
///
/// # Examples
///
/// ```
/// use ragnav_base::memory_host::{MemoryHost, block_on};
/// use ragnav_query::type_definition::type_definition;
/// use ragnav_query::{QuestionOptions, Settings};
///
/// let host = MemoryHost::new(&[("a.py", "class Cart: pass\ncart = Cart()\ncart\n")]);
/// let (settings, options) = (Settings::default(), QuestionOptions::default());
/// let answer = block_on(type_definition(&host, &settings, "a.py:3:1", &options));
/// assert_eq!(answer.items[0].symbol.as_str(), "sym:a.Cart");
/// ```
pub async fn type_definition<H: Host>(
    host: &H,
    settings: &Settings,
    place: &str,
    options: &QuestionOptions,
) -> LocateResult {
    let (place, options) = (place.to_owned(), options.clone());
    answer(host, settings, &TypeDefinitionAt { place, options }).await
}
